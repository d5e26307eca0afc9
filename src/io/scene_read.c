/* Reading a scene file: world, materials, bodies, models, joints, sites, loads, what to measure, in this order, so that references lead
 * to what has been read. See docs/guide/scenes.md. */
#include "io/scene.h"

#include "model/model_room.h"

#include <string.h>

/* --- World --- */

/* Messages of crn_world_def_check() name fields; those of the solver are in an object of their own. */
static crn_status blame_world(const crn_scene_reader *reader, const crn_error *reason)
{
    const crn_scene_object *solver = crn_scene_object_of(CRN_SCENE_SOLVER);
    size_t length = strcspn(reason->text, ":");
    for (int i = 0; i < solver->fields; ++i) {
        if (strlen(solver->field[i].key) == length && strncmp(solver->field[i].key, reason->text, length) == 0) {
            return crn_scene_blame(reader, reason, "solver.");
        }
    }
    return crn_scene_blame(reader, reason, "");
}

static crn_status read_name(crn_scene_reader *reader)
{
    crn_json_place name = crn_json_find(&reader->root, "name");
    if (name.value == NULL) {
        return CRN_OK;
    }
    crn_status status = crn_json_need(&name, CRN_JSON_STRING);
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_set_name(reader->model, crn_json_string(name.value), &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}

static crn_status read_solver(crn_scene_reader *reader, crn_world_def *world)
{
    crn_json_place solver = crn_json_find(&reader->root, "solver");
    if (solver.value == NULL) {
        return CRN_OK;
    }
    crn_status status = crn_scene_open(&solver, CRN_SCENE_SOLVER);
    return status == CRN_OK ? crn_scene_fill(reader, &solver, CRN_SCENE_SOLVER, world) : status;
}

static crn_status read_world(crn_scene_reader *reader)
{
    crn_world_def *world = crn_model_world(reader->model);
    crn_json_place planar = crn_json_find(&reader->root, "planar");
    crn_status status = crn_scene_open(&reader->root, CRN_SCENE_FILE);
    if (status == CRN_OK && planar.value != NULL) {
        status = crn_json_need(&planar, CRN_JSON_BOOL);
        reader->is_planar = status == CRN_OK && crn_json_bool(planar.value);
    }
    if (reader->is_planar) { /* unless the file has another */
        world->gravity = (crn_vec3){0.0, -9.81, 0.0};
    }
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, &reader->root, CRN_SCENE_FILE, world);
    }
    if (status == CRN_OK) {
        status = read_solver(reader, world);
    }
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_world_def_check(world, "", &reason) != CRN_OK) {
        status = blame_world(reader, &reason);
    }
    return status == CRN_OK ? read_name(reader) : status;
}

/* --- Actuators, sites, pairs, loads, probes --- */

static crn_status read_actuator(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_actuator_def def = crn_actuator_def_default();
    crn_json_place joint = crn_json_find(place, "joint"), tendon = crn_json_find(place, "tendon");
    crn_status status = crn_scene_open(place, CRN_SCENE_ACTUATOR);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_ACTUATOR, &def);
    }
    if (status == CRN_OK && joint.value != NULL && tendon.value != NULL) {
        status = crn_json_fail(&tendon, "given beside joint");
    }
    if (status == CRN_OK) {
        status = tendon.value != NULL ? crn_scene_tendon_reference(reader, &tendon, &def.tendon)
                                      : crn_scene_joint_reference(reader, &joint, &def.joint);
    }
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_actuator(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}

static crn_status read_site(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_site_def def = crn_site_def_default();
    crn_json_place body = crn_json_find(place, "body");
    crn_status status = crn_scene_open(place, CRN_SCENE_SITE);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_SITE, &def);
    }
    if (status == CRN_OK) {
        status = crn_scene_pose(reader, place, &def.pose);
    }
    if (status == CRN_OK) {
        status = crn_scene_body_reference(reader, &body, true, &def.body);
    }
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_site(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}

static crn_status read_pair(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_pair_def def = crn_pair_def_default();
    crn_json_place a = crn_json_find(place, "a"), b = crn_json_find(place, "b");
    crn_status status = crn_scene_open(place, CRN_SCENE_PAIR);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_PAIR, &def);
    }
    if (status == CRN_OK) {
        status = crn_scene_body_reference(reader, &a, false, &def.a);
    }
    if (status == CRN_OK) {
        status = crn_scene_body_reference(reader, &b, false, &def.b);
    }
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_pair(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}

static crn_status read_load(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_load_def def = crn_load_def_default();
    crn_json_place body = crn_json_find(place, "body");
    crn_status status = crn_scene_open(place, CRN_SCENE_LOAD);
    if (status == CRN_OK) {
        status = crn_scene_fill(reader, place, CRN_SCENE_LOAD, &def);
    }
    if (status == CRN_OK) {
        status = crn_scene_body_reference(reader, &body, false, &def.body);
    }
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_load(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}

static crn_status read_target(crn_scene_reader *reader, const crn_json_place *place, crn_probe_target target,
                              int *index)
{
    switch (target) {
    case CRN_PROBE_OF_BODY: return crn_scene_body_reference(reader, place, false, index);
    case CRN_PROBE_OF_JOINT: return crn_scene_joint_reference(reader, place, index);
    case CRN_PROBE_OF_SITE: return crn_scene_site_reference(reader, place, index);
    case CRN_PROBE_OF_ACTUATOR: return crn_scene_actuator_reference(reader, place, index);
    case CRN_PROBE_OF_TENDON: return crn_scene_tendon_reference(reader, place, index);
    }
    return CRN_OK;
}

static crn_status read_probe(crn_scene_reader *reader, const crn_json_place *place)
{
    crn_probe_def def = {.kind = CRN_PROBE_POSITION};
    crn_status status = crn_scene_open(place, CRN_SCENE_PROBE);
    if (status != CRN_OK) {
        return status;
    }
    crn_json_place kind = crn_json_find(place, "kind"), coordinate = crn_json_find(place, "coordinate");
    if (kind.value == NULL) {
        return crn_json_fail(&kind, "missing");
    }
    status = crn_scene_fill(reader, place, CRN_SCENE_PROBE, &def);
    crn_probe_target target = crn_probe_kind_target(def.kind);
    for (int i = 0; i < CRN_PROBE_TARGET_COUNT && status == CRN_OK; ++i) {
        crn_json_place other = crn_json_find(place, crn_probe_target_name((crn_probe_target)i));
        if (i != (int)target && other.value != NULL) {
            status = crn_json_fail(&other, "%s is measured of a %s", crn_probe_kind_name(def.kind),
                                   crn_probe_target_name(target));
        }
    }
    if (status == CRN_OK) {
        crn_json_place of = crn_json_find(place, crn_probe_target_name(target));
        status = read_target(reader, &of, target, &def.target);
    }
    if (status == CRN_OK && coordinate.value != NULL) {
        status = crn_json_int(&coordinate, 0, CRN_JOINT_COORDINATES_MAX - 1, &def.only);
        def.only += 1;
    }
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_model_add_probe(reader->model, &def, NULL, &reason) != CRN_OK) {
        status = crn_scene_blame(reader, &reason, "");
    }
    return status;
}

/* --- The whole file --- */

static crn_status read_list(crn_scene_reader *reader, const char *key,
                            crn_status (*read)(crn_scene_reader *reader, const crn_json_place *place))
{
    crn_json_place list = crn_json_find(&reader->root, key);
    if (list.value == NULL) {
        return CRN_OK;
    }
    int count = 0;
    crn_status status = crn_json_array(&list, &count);
    for (int i = 0; i < count && status == CRN_OK; ++i) {
        crn_json_place place = crn_json_at(&list, (size_t)i);
        status = read(reader, &place);
        crn_scene_drop(reader);
    }
    return status;
}

/* What can only be said when all joints are known. */
static crn_status check_model(crn_scene_reader *reader)
{
    crn_error reason = {.status = CRN_OK};
    return crn_model_check(reader->model, &reason) != CRN_OK ? crn_scene_blame(reader, &reason, "") : CRN_OK;
}

static crn_status read_scene(crn_scene_reader *reader)
{
    crn_status status = read_world(reader);
    if (status == CRN_OK) {
        status = crn_scene_read_materials(reader);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "bodies", crn_scene_read_body);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "models", crn_scene_read_robot);
    }
    reader->first_joint = crn_model_joints(reader->model);
    reader->first_site = crn_model_sites(reader->model);
    reader->first_tendon = crn_model_tendons(reader->model);
    reader->first_actuator = crn_model_actuators(reader->model);
    reader->first_key = crn_model_keys(reader->model);
    if (status == CRN_OK) {
        status = read_list(reader, "joints", crn_scene_read_joint);
    }
    if (status == CRN_OK) {
        status = check_model(reader);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "sites", read_site);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "tendons", crn_scene_read_tendon);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "actuators", read_actuator);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "keys", crn_scene_read_key);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "pairs", read_pair);
    }
    if (status == CRN_OK) {
        status = read_list(reader, "loads", read_load);
    }
    return status == CRN_OK ? read_list(reader, "measure", read_probe) : status;
}

/* Whoever wants to hear what robots say. */
typedef struct listener {
    crn_io_warning warn;
    void *user;
} listener;

static crn_status parse_scene(const crn_io_source *source, listener to, const crn_allocator *allocator,
                              crn_model **model, crn_error *error)
{
    crn_json *root = NULL;
    crn_status status = crn_json_parse(source, &root, error);
    if (status == CRN_OK) {
        status = crn_model_create(allocator, model, error);
    }
    if (status == CRN_OK) {
        crn_scene_reader reader = {.source = source,
                                   .allocator = crn_io_allocator(allocator),
                                   .model = *model,
                                   .root = crn_json_root_of(root, source, error),
                                   .warn = to.warn,
                                   .user = to.user,
                                   .error = error};
        status = read_scene(&reader);
    }
    crn_json_free(root);
    if (status != CRN_OK) {
        crn_model_destroy(*model);
        *model = NULL;
        return status;
    }
    crn_clear(error);
    return CRN_OK;
}

crn_status crn_io_read_scene_text(const char *text, size_t length, const char *name, const crn_allocator *allocator,
                                  crn_model **model, crn_error *error)
{
    if (model == NULL || (text == NULL && length > 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", model == NULL ? "model" : "text");
    }
    *model = NULL;
    crn_io_source source = {.name = name != NULL ? name : "scene", .text = text, .size = length};
    return parse_scene(&source, (listener){NULL, NULL}, allocator, model, error);
}

crn_status crn_io_read_scene_warned(const char *path, crn_io_warning warn, void *user, const crn_allocator *allocator,
                                    crn_model **model, crn_error *error)
{
    if (model == NULL || path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", model == NULL ? "model" : "path");
    }
    *model = NULL;
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_io_source source;
    crn_status status = crn_io_load(path, &hooks, &source, error);
    if (status == CRN_OK) {
        status = parse_scene(&source, (listener){warn, user}, &hooks, model, error);
    }
    crn_io_unload(&hooks, &source);
    return status;
}

crn_status crn_io_read_scene(const char *path, const crn_allocator *allocator, crn_model **model, crn_error *error)
{
    return crn_io_read_scene_warned(path, NULL, NULL, allocator, model, error);
}
