/* A model: lists of definitions, each with one block that holds all it points to. Adding makes room, copies, and only then
 * counts, so that a failure leaves the model as it was. */
#include "model/check.h"
#include "model/copy.h"
#include "model/links.h"
#include "model/name_index.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* First number of places in a list; doubled whenever it is full. */
enum { FIRST_PLACES = 16 };

/* Room for "bodies[2147483647]". */
enum { WHERE_SIZE = 32 };

typedef struct list {
    void *item; /* crn_body_def and the like */
    void **block;
    int count, capacity;
} list;

struct crn_model {
    crn_allocator allocator;
    char *name; /* NULL: none */
    crn_world_def world;
    list bodies, joints, sites, tendons, actuators, keys, pairs, loads, probes;
    crn_links links;
    crn_name_index body_names, joint_names, site_names, tendon_names, actuator_names, key_names;
};

/* --- Lists --- */

static crn_status fail_memory(crn_error *error, const char *what)
{
    return crn_fail(error, CRN_ERR_MEMORY, "model: no memory for %s", what);
}

/* Move to larger memory; the old stays if there is none. */
static crn_status grow(crn_model *model, list *l, size_t item_size, const char *what, crn_error *error)
{
    if (l->count < l->capacity) {
        return CRN_OK;
    }
    if (l->capacity > INT_MAX / 2) {
        return fail_memory(error, what);
    }
    int capacity = l->capacity == 0 ? FIRST_PLACES : 2 * l->capacity;
    void *item = crn_allocate(&model->allocator, (size_t)capacity, item_size);
    void **block = crn_allocate(&model->allocator, (size_t)capacity, sizeof(void *));
    if (item == NULL || block == NULL) {
        crn_release(&model->allocator, item);
        crn_release(&model->allocator, (void *)block);
        return fail_memory(error, what);
    }
    if (l->count > 0) {
        memcpy(item, l->item, (size_t)l->count * item_size);
        memcpy((void *)block, (void *)l->block, (size_t)l->count * sizeof(void *));
    }
    crn_release(&model->allocator, l->item);
    crn_release(&model->allocator, (void *)l->block);
    l->item = item;
    l->block = block;
    l->capacity = capacity;
    return CRN_OK;
}

/* Room for one more item, and a block of `counted` bytes for what it points to (NULL: of 0 bytes). */
static crn_status make_room(crn_model *model, list *l, size_t item_size, const char *what, crn_arena *arena,
                            crn_error *error)
{
    size_t bytes = arena->used;
    crn_status status = arena->overflow ? fail_memory(error, what) : grow(model, l, item_size, what, error);
    if (status != CRN_OK) {
        return status;
    }
    void *block = NULL;
    if (bytes > 0) {
        block = crn_allocate(&model->allocator, bytes, 1);
        if (block == NULL) {
            return fail_memory(error, what);
        }
    }
    l->block[l->count] = block;
    *arena = (crn_arena){.data = block, .size = bytes};
    return CRN_OK;
}

static void free_list(const crn_allocator *allocator, list *l)
{
    for (int i = 0; i < l->count; ++i) {
        crn_release(allocator, l->block[i]);
    }
    crn_release(allocator, l->item);
    crn_release(allocator, (void *)l->block);
}

/* --- Life --- */

crn_status crn_model_create(const crn_allocator *allocator, crn_model **model, crn_error *error)
{
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    crn_model *made = crn_allocate(allocator, 1, sizeof *made);
    *model = made;
    if (made == NULL) {
        return fail_memory(error, "a model");
    }
    memset(made, 0, sizeof *made);
    bool is_given = allocator != NULL && allocator->resize != NULL && allocator->release != NULL;
    made->allocator = is_given ? *allocator : crn_allocator_default();
    made->world = crn_world_def_default();
    crn_clear(error);
    return CRN_OK;
}

void crn_model_destroy(crn_model *model)
{
    if (model == NULL) {
        return;
    }
    crn_allocator allocator = model->allocator;
    free_list(&allocator, &model->bodies);
    free_list(&allocator, &model->joints);
    free_list(&allocator, &model->sites);
    free_list(&allocator, &model->tendons);
    free_list(&allocator, &model->actuators);
    free_list(&allocator, &model->keys);
    free_list(&allocator, &model->pairs);
    free_list(&allocator, &model->loads);
    free_list(&allocator, &model->probes);
    crn_links_free(&model->links, &allocator);
    crn_name_index_free(&model->body_names, &allocator);
    crn_name_index_free(&model->joint_names, &allocator);
    crn_name_index_free(&model->site_names, &allocator);
    crn_name_index_free(&model->tendon_names, &allocator);
    crn_name_index_free(&model->actuator_names, &allocator);
    crn_name_index_free(&model->key_names, &allocator);
    crn_release(&allocator, model->name);
    crn_release(&allocator, model);
}

crn_allocator crn_model_allocator(const crn_model *model)
{
    return model->allocator;
}

crn_world_def *crn_model_world(crn_model *model)
{
    return model ? &model->world : NULL;
}

const crn_world_def *crn_model_world_of(const crn_model *model)
{
    return model ? &model->world : NULL;
}

crn_status crn_model_set_name(crn_model *model, const char *name, crn_error *error)
{
    crn_check check = crn_check_begin(model, "name", false, error);
    if (name == NULL || name[0] == '\0') {
        name = NULL;
    }
    crn_check_name(&check, NULL, name);
    if (check.status != CRN_OK) {
        return check.status;
    }
    char *copy = NULL;
    if (name != NULL) {
        copy = crn_allocate(&model->allocator, strlen(name) + 1, 1);
        if (copy == NULL) {
            return fail_memory(error, "a name");
        }
        memcpy(copy, name, strlen(name) + 1);
    }
    crn_release(&model->allocator, model->name);
    model->name = copy;
    crn_clear(error);
    return CRN_OK;
}

const char *crn_model_name(const crn_model *model)
{
    return model != NULL && model->name != NULL ? model->name : "";
}

/* --- Looking things up --- */

int crn_model_bodies(const crn_model *model)
{
    return model != NULL ? model->bodies.count : 0;
}

int crn_model_joints(const crn_model *model)
{
    return model != NULL ? model->joints.count : 0;
}

int crn_model_sites(const crn_model *model)
{
    return model != NULL ? model->sites.count : 0;
}

int crn_model_tendons(const crn_model *model)
{
    return model != NULL ? model->tendons.count : 0;
}

int crn_model_actuators(const crn_model *model)
{
    return model != NULL ? model->actuators.count : 0;
}

int crn_model_keys(const crn_model *model)
{
    return model != NULL ? model->keys.count : 0;
}

int crn_model_pairs(const crn_model *model)
{
    return model != NULL ? model->pairs.count : 0;
}

int crn_model_loads(const crn_model *model)
{
    return model != NULL ? model->loads.count : 0;
}

int crn_model_probes(const crn_model *model)
{
    return model != NULL ? model->probes.count : 0;
}

static bool has(const list *l, int index)
{
    return index >= 0 && index < l->count;
}

const crn_body_def *crn_model_body(const crn_model *model, int index)
{
    return model != NULL && has(&model->bodies, index) ? (const crn_body_def *)model->bodies.item + index : NULL;
}

const crn_joint_def *crn_model_joint(const crn_model *model, int index)
{
    return model != NULL && has(&model->joints, index) ? (const crn_joint_def *)model->joints.item + index : NULL;
}

const crn_site_def *crn_model_site(const crn_model *model, int index)
{
    return model != NULL && has(&model->sites, index) ? (const crn_site_def *)model->sites.item + index : NULL;
}

const crn_tendon_def *crn_model_tendon(const crn_model *model, int index)
{
    return model != NULL && has(&model->tendons, index) ? (const crn_tendon_def *)model->tendons.item + index : NULL;
}

const crn_actuator_def *crn_model_actuator(const crn_model *model, int index)
{
    return model != NULL && has(&model->actuators, index) ? (const crn_actuator_def *)model->actuators.item + index
                                                          : NULL;
}

const crn_key_def *crn_model_key(const crn_model *model, int index)
{
    return model != NULL && has(&model->keys, index) ? (const crn_key_def *)model->keys.item + index : NULL;
}

const crn_pair_def *crn_model_pair(const crn_model *model, int index)
{
    return model != NULL && has(&model->pairs, index) ? (const crn_pair_def *)model->pairs.item + index : NULL;
}

const crn_load_def *crn_model_load(const crn_model *model, int index)
{
    return model != NULL && has(&model->loads, index) ? (const crn_load_def *)model->loads.item + index : NULL;
}

const crn_probe_def *crn_model_probe(const crn_model *model, int index)
{
    return model != NULL && has(&model->probes, index) ? (const crn_probe_def *)model->probes.item + index : NULL;
}

int crn_model_find_body(const crn_model *model, const char *name)
{
    return model != NULL ? crn_name_index_find(&model->body_names, name) : -1;
}

int crn_model_find_joint(const crn_model *model, const char *name)
{
    return model != NULL ? crn_name_index_find(&model->joint_names, name) : -1;
}

int crn_model_find_site(const crn_model *model, const char *name)
{
    return model != NULL ? crn_name_index_find(&model->site_names, name) : -1;
}

int crn_model_find_tendon(const crn_model *model, const char *name)
{
    return model != NULL ? crn_name_index_find(&model->tendon_names, name) : -1;
}

int crn_model_find_actuator(const crn_model *model, const char *name)
{
    return model != NULL ? crn_name_index_find(&model->actuator_names, name) : -1;
}

int crn_model_find_key(const crn_model *model, const char *name)
{
    return model != NULL ? crn_name_index_find(&model->key_names, name) : -1;
}

/* --- Adding --- */

/* "bodies[3]", the place that an item will have. */
static const char *name_place(char where[WHERE_SIZE], const char *what, const list *l)
{
    (void)snprintf(where, WHERE_SIZE, "%s[%d]", what, l->count);
    return where;
}

static crn_status done(list *l, int *index, crn_error *error)
{
    if (index != NULL) {
        *index = l->count;
    }
    l->count++;
    crn_clear(error);
    return CRN_OK;
}

crn_status crn_model_add_body(crn_model *model, const crn_body_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->bodies;
    bool is_planar = model->world.is_planar;
    crn_status status = crn_body_def_check(def, is_planar, name_place(where, "bodies", l), error);
    if (status != CRN_OK) {
        return status;
    }
    int twin = crn_model_find_body(model, def->name);
    if (twin >= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.name: is the name of bodies[%d] too", where, twin);
    }
    if (!crn_links_grow(&model->links, &model->allocator) ||
        !crn_name_index_grow(&model->body_names, &model->allocator)) {
        return fail_memory(error, where);
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_body_def_copy(def, is_planar, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_body_def *copy = (crn_body_def *)l->item + l->count;
    *copy = crn_body_def_copy(def, is_planar, &arena);
    crn_name_index_add(&model->body_names, copy->name, l->count);
    crn_links_add_body(&model->links);
    return done(l, index, error);
}

/* One of them free: a joint between things that no force moves holds nothing. A free joint outside of trees holds nothing
 * anyway, and is between two bodies. */
static crn_status check_joint_bodies(const crn_model *model, const crn_joint_def *def, const char *where,
                                     crn_error *error)
{
    const int side[2] = {def->a, def->b};
    bool is_free = false;
    for (int k = 0; k < 2; ++k) {
        if (side[k] < -1 || side[k] >= model->bodies.count) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "%s.%s: body %d is not in -1 .. %d", where, k == 0 ? "a" : "b",
                            side[k], model->bodies.count - 1);
        }
        is_free = is_free || (side[k] >= 0 && crn_model_body(model, side[k])->kind == CRN_BODY_FREE);
    }
    if (def->a == def->b) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.b: %d is body a too", where, def->b);
    }
    bool holds_nothing = def->kind == CRN_JOINT_FREE && !def->in_tree;
    if (holds_nothing && (def->a < 0 || def->b < 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.%s: a free joint that is not in a tree is between two bodies",
                        where, def->a < 0 ? "a" : "b");
    }
    if (!is_free && !holds_nothing) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: neither a nor b is a free body", where);
    }
    return CRN_OK;
}

crn_status crn_model_add_joint(crn_model *model, const crn_joint_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->joints;
    crn_status status = crn_joint_def_check(def, model->world.is_planar, name_place(where, "joints", l), error);
    if (status == CRN_OK) {
        status = check_joint_bodies(model, def, where, error);
    }
    if (status == CRN_OK && def->in_tree) {
        status = crn_links_check(&model->links, model->bodies.item, def, where, error);
    }
    if (status == CRN_OK) {
        crn_joint_list all = {l->item, l->count};
        status = crn_links_check_follows(&all, def, l->count, false, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    int twin = crn_model_find_joint(model, def->name);
    if (twin >= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.name: is the name of joints[%d] too", where, twin);
    }
    if (!crn_name_index_grow(&model->joint_names, &model->allocator)) {
        return fail_memory(error, where);
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_joint_def_copy(def, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_joint_def *copy = (crn_joint_def *)l->item + l->count;
    *copy = crn_joint_def_copy(def, &arena);
    crn_name_index_add(&model->joint_names, copy->name, l->count);
    if (def->in_tree) {
        crn_links_add_joint(&model->links, def, l->count);
    }
    return done(l, index, error);
}

crn_status crn_model_add_site(crn_model *model, const crn_site_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->sites;
    bool is_planar = model->world.is_planar;
    crn_status status = crn_site_def_check(def, is_planar, name_place(where, "sites", l), error);
    if (status != CRN_OK) {
        return status;
    }
    if (def->body < -1 || def->body >= model->bodies.count) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.body: %d is not in -1 .. %d", where, def->body,
                        model->bodies.count - 1);
    }
    int twin = crn_model_find_site(model, def->name);
    if (twin >= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.name: is the name of sites[%d] too", where, twin);
    }
    if (!crn_name_index_grow(&model->site_names, &model->allocator)) {
        return fail_memory(error, where);
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_site_def_copy(def, is_planar, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_site_def *copy = (crn_site_def *)l->item + l->count;
    *copy = crn_site_def_copy(def, is_planar, &arena);
    crn_name_index_add(&model->site_names, copy->name, l->count);
    return done(l, index, error);
}

/* What a part of a tendon names is there, and joints have such a coordinate and are in trees. */
static crn_status check_tendon_part(const crn_model *model, const crn_tendon_part *part, const char *where, int index,
                                    crn_error *error)
{
    const crn_joint_def *joint = crn_model_joint(model, part->joint);
    bool is_round = part->kind == CRN_TENDON_SPHERE || part->kind == CRN_TENDON_CYLINDER;
    if (part->kind == CRN_TENDON_JOINT && (joint == NULL || !crn_joint_has_tendon(joint, part->coordinate))) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "%s.parts[%d].joint: %d is no joint in a tree that has a coordinate %d", where, index,
                        part->joint, part->coordinate);
    }
    if (part->kind == CRN_TENDON_SITE && !has(&model->sites, part->site)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.parts[%d].site: %d is not in 0 .. %d", where, index, part->site,
                        model->sites.count - 1);
    }
    if (is_round && (part->body < -1 || part->body >= model->bodies.count)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.parts[%d].body: %d is not in -1 .. %d", where, index, part->body,
                        model->bodies.count - 1);
    }
    if (is_round && part->side != 0 && !has(&model->sites, part->side - 1)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.parts[%d].side: %d is not in 0 .. %d", where, index,
                        part->side - 1, model->sites.count - 1);
    }
    return CRN_OK;
}

crn_status crn_model_add_tendon(crn_model *model, const crn_tendon_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->tendons;
    bool is_planar = model->world.is_planar;
    crn_status status = crn_tendon_def_check(def, is_planar, name_place(where, "tendons", l), error);
    for (int i = 0; status == CRN_OK && i < def->parts; ++i) {
        status = check_tendon_part(model, &def->part[i], where, i, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    int twin = crn_model_find_tendon(model, def->name);
    if (twin >= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.name: is the name of tendons[%d] too", where, twin);
    }
    if (!crn_name_index_grow(&model->tendon_names, &model->allocator)) {
        return fail_memory(error, where);
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_tendon_def_copy(def, is_planar, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_tendon_def *copy = (crn_tendon_def *)l->item + l->count;
    *copy = crn_tendon_def_copy(def, is_planar, &arena);
    crn_name_index_add(&model->tendon_names, copy->name, l->count);
    return done(l, index, error);
}

crn_status crn_model_add_actuator(crn_model *model, const crn_actuator_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->actuators;
    const crn_joint_def *joint = def != NULL ? crn_model_joint(model, def->joint) : NULL;
    const crn_tendon_def *tendon = def != NULL ? crn_model_tendon(model, def->tendon) : NULL;
    crn_status status = crn_actuator_def_check(def, joint, tendon, name_place(where, "actuators", l), error);
    if (status != CRN_OK) {
        return status;
    }
    int twin = crn_model_find_actuator(model, def->name);
    if (twin >= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.name: is the name of actuators[%d] too", where, twin);
    }
    if (!crn_name_index_grow(&model->actuator_names, &model->allocator)) {
        return fail_memory(error, where);
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_actuator_def_copy(def, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_actuator_def *copy = (crn_actuator_def *)l->item + l->count;
    *copy = crn_actuator_def_copy(def, &arena);
    crn_name_index_add(&model->actuator_names, copy->name, l->count);
    return done(l, index, error);
}

crn_status crn_model_add_key(crn_model *model, const crn_key_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->keys;
    const crn_key_owner owner = {.body = model->bodies.item,
                                 .joint = model->joints.item,
                                 .bodies = model->bodies.count,
                                 .joints = model->joints.count,
                                 .actuators = model->actuators.count,
                                 .is_planar = model->world.is_planar};
    crn_status status = crn_key_def_check(&owner, def, name_place(where, "keys", l), error);
    if (status != CRN_OK) {
        return status;
    }
    int twin = crn_model_find_key(model, def->name);
    if (twin >= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.name: is the name of keys[%d] too", where, twin);
    }
    if (!crn_name_index_grow(&model->key_names, &model->allocator)) {
        return fail_memory(error, where);
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_key_def_copy(def, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_key_def *copy = (crn_key_def *)l->item + l->count;
    *copy = crn_key_def_copy(def, &arena);
    crn_name_index_add(&model->key_names, copy->name, l->count);
    return done(l, index, error);
}

crn_status crn_model_add_pair(crn_model *model, const crn_pair_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->pairs;
    crn_status status = crn_pair_def_check(def, name_place(where, "pairs", l), error);
    for (int k = 0; k < 2 && status == CRN_OK; ++k) {
        int body = k == 0 ? def->a : def->b;
        if (!has(&model->bodies, body)) {
            status = crn_fail(error, CRN_ERR_ARGUMENT, "%s.%s: body %d is not in 0 .. %d", where, k == 0 ? "a" : "b",
                              body, model->bodies.count - 1);
        }
    }
    if (status == CRN_OK && def->a == def->b) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "%s.b: %d is body a too", where, def->b);
    }
    crn_arena arena = crn_arena_counting();
    status = status == CRN_OK ? make_room(model, l, sizeof *def, where, &arena, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    ((crn_pair_def *)l->item)[l->count] = *def;
    return done(l, index, error);
}

crn_status crn_model_add_load(crn_model *model, const crn_load_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->loads;
    crn_status status = crn_load_def_check_in(def, model->world.is_planar, name_place(where, "loads", l), error);
    if (status != CRN_OK) {
        return status;
    }
    const crn_body_def *body = crn_model_body(model, def->body);
    if (body == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.body: %d is not in 0 .. %d", where, def->body,
                        model->bodies.count - 1);
    }
    if (body->kind != CRN_BODY_FREE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.body: %d is not a free body", where, def->body);
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_load_def_copy(def, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    ((crn_load_def *)l->item)[l->count] = crn_load_def_copy(def, &arena);
    return done(l, index, error);
}

static crn_status check_probe(const crn_model *model, const crn_probe_def *def, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, false, error);
    if (check.status != CRN_OK) {
        return check.status;
    }
    crn_check_name(&check, "name", def->name);
    if ((unsigned)def->kind >= CRN_PROBE_KIND_COUNT) {
        crn_check_fail(&check, "kind", "%d is unknown", (int)def->kind);
    }
    crn_probe_target target = crn_probe_kind_target(def->kind);
    const list *const lists[CRN_PROBE_TARGET_COUNT] = {&model->bodies, &model->joints, &model->sites, &model->actuators,
                                                       &model->tendons};
    const list *l = lists[target];
    const char *field = crn_probe_target_name(target);
    if (!has(l, def->target)) {
        crn_check_fail(&check, field, "%d is not in 0 .. %d", def->target, l->count - 1);
    } else if (target == CRN_PROBE_OF_JOINT) {
        crn_joint_kind kind = crn_model_joint(model, def->target)->kind;
        int coordinates = crn_joint_kind_coordinates(kind);
        if (coordinates == 0) {
            crn_check_fail(&check, field, "%d is a %s joint, which has no coordinate", def->target,
                           crn_joint_kind_name(kind));
        } else if (def->only < 0 || def->only > coordinates) {
            crn_check_fail(&check, "coordinate", "is %d, but %s joints have %d coordinates", def->only - 1,
                           crn_joint_kind_name(kind), coordinates);
        }
    }
    return check.status;
}

crn_status crn_model_add_probe(crn_model *model, const crn_probe_def *def, int *index, crn_error *error)
{
    char where[WHERE_SIZE];
    if (model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model: NULL");
    }
    list *l = &model->probes;
    crn_status status = check_probe(model, def, name_place(where, "measure", l), error);
    if (status != CRN_OK) {
        return status;
    }
    crn_arena arena = crn_arena_counting();
    (void)crn_probe_def_copy(def, &arena);
    status = make_room(model, l, sizeof *def, where, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    ((crn_probe_def *)l->item)[l->count] = crn_probe_def_copy(def, &arena);
    return done(l, index, error);
}

crn_status crn_model_check(const crn_model *model, crn_error *error)
{
    crn_joint_list joints = {model->joints.item, model->joints.count};
    return crn_links_check_all(&model->links, model->bodies.item, &joints, error);
}
