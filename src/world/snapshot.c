/* The state of motion as bytes: all that decides what the next step does and tells, but definitions.
 *
 * Controls and activations of actuators. Bodies' poses and velocities, before, at and after the last kick; turns of joints, impulses of the last step (the next one
 * starts from them), pairs that it knew, the ledger's open account, time; of trees their coordinates and velocities, or, if
 * joints have changed since the last step, what the next planting keeps. The layout is this build's. A header keeps others
 * out, and states of worlds that are not built alike; a checksum keeps out
 * bytes that have changed. */
#include <string.h>

#include "world/world.h"

#define MAGIC   UINT64_C(0x746f687370616e63) /* "cnapshot" */
#define VERSION 11u

#define HASH_START UINT64_C(14695981039346656037)

typedef struct header {
    uint64_t magic;
    uint32_t version;
    int32_t bodies, joints, contacts, rows;
    int32_t coordinates, velocities, mechanisms, trees; /* all 0 if trees are stale */
    int32_t is_stale;                                   /* trees are to be planted: what they keep is there by body */
    int32_t known;                                      /* pairs of shapes that the last kick had contacts of */
    uint32_t failed;                                    /* what was wrong with the last step */
    int32_t actuators, tendons;
    double time;
    int64_t steps;
    double last_dt, last_h;
    crn_step_books books; /* the ledger's */
    uint64_t alike;       /* hash of what the world consists of */
    uint64_t checksum;    /* of all that follows, and of this header with 0 here */
} header;

typedef struct body_state {
    crn_pose pose;
    crn_vec3 w, v, force, torque, acted_force, acted_torque;
    crn_vec3 shown_w, shown_v;
    double rest, worked, owed;
    int32_t asleep, is_fresh;
} body_state;

typedef struct actuator_state {
    double control, activation;
} actuator_state;

typedef struct tendon_state {
    double limit[2], control_force, control_target;
} tendon_state;

typedef struct joint_state {
    double last[CRN_JOINT_COORDINATES_MAX];
    double limit[2 * CRN_JOINT_COORDINATES_MAX];
    double force[CRN_JOINT_COORDINATES_MAX], acted[CRN_JOINT_COORDINATES_MAX];
    double control_force[CRN_JOINT_COORDINATES_MAX], control_target[CRN_JOINT_COORDINATES_MAX];
    double play;
    int32_t gives_way, spare;
} joint_state;

/* Of a tree on a base that is driven. */
typedef struct tree_state {
    double carried[6], carried_before[6];
} tree_state;

typedef struct mechanism_state {
    int32_t is_fresh, is_touched;
} mechanism_state;

/* FNV-1a over the bits of numbers. */
static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* What must agree for a state to mean the same: bodies with their mass and shapes, joints. */
static uint64_t alike_of(const crn_stepper *s)
{
    uint64_t hash = mix(HASH_START, &s->def.is_planar, sizeof s->def.is_planar);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        hash = mix(hash, &body->id, sizeof body->id);
        if (body->id.index1 != 0) {
            hash = mix(hash, &body->kind, sizeof body->kind);
            hash = mix(hash, &body->rigid.mass, sizeof body->rigid.mass);
            hash = mix(hash, &body->rigid.inertia, sizeof body->rigid.inertia);
            hash = mix(hash, &body->com, sizeof body->com);
        }
    }
    for (int i = 0; i < s->shapes; ++i) {
        crn_shape_kind kind = crn_shape_definition(s->shape[i].shape)->kind;
        hash = mix(hash, &s->shape[i].body, sizeof s->shape[i].body);
        hash = mix(hash, &kind, sizeof kind);
        hash = mix(hash, &s->shape[i].reach, sizeof s->shape[i].reach);
    }
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        hash = mix(hash, &joint->generation, sizeof joint->generation);
        if (joint->is_used) {
            hash = mix(hash, &joint->def.kind, sizeof joint->def.kind);
            hash = mix(hash, &joint->a, sizeof joint->a);
            hash = mix(hash, &joint->b, sizeof joint->b);
        }
    }
    return hash;
}

/* Of a whole snapshot; head is its header. */
static uint64_t checksum_of(const header *head, const unsigned char *data, size_t size)
{
    header bare;
    memcpy(&bare, head, sizeof bare);
    bare.checksum = 0;
    return mix(mix(HASH_START, &bare, sizeof bare), data + sizeof bare, size - sizeof bare);
}

static size_t size_of(const header *head)
{
    size_t numbers = (size_t)head->rows + (size_t)head->coordinates + 4 * (size_t)head->velocities;
    return sizeof *head + (size_t)head->bodies * sizeof(body_state) + (size_t)head->joints * sizeof(joint_state) +
           (size_t)head->contacts * (sizeof(crn_contact) + sizeof(crn_step_pair)) +
           (size_t)head->known * sizeof(crn_step_known) + (size_t)head->trees * sizeof(tree_state) +
           (size_t)head->mechanisms * sizeof(mechanism_state) + (size_t)head->actuators * sizeof(actuator_state) +
           (size_t)head->tendons * sizeof(tendon_state) +
           (head->is_stale ? (size_t)head->bodies * sizeof(crn_step_link_state) : 0) + numbers * sizeof(double);
}

static header header_of(const crn_world *w)
{
    const crn_stepper *s = &w->stepper;
    bool has_trees = !s->forest.is_stale;
    header head;
    memset(&head, 0, sizeof head); /* padding too: equal states give equal bytes */
    head.magic = MAGIC;
    head.version = VERSION;
    head.bodies = s->bodies;
    head.joints = s->joints;
    head.actuators = w->actuators;
    head.tendons = s->tendons;
    head.contacts = s->last.contacts;
    head.rows = s->last_rows;
    head.coordinates = has_trees ? s->forest.coordinates : 0;
    head.velocities = has_trees ? s->forest.velocities : 0;
    head.mechanisms = has_trees ? s->forest.mechanisms : 0;
    head.known = s->find.known_count;
    head.books = s->books;
    head.trees = has_trees ? s->forest.trees : 0;
    head.is_stale = !has_trees;
    head.time = s->time;
    head.steps = s->steps;
    head.last_dt = w->last_dt;
    head.failed = w->failed;
    head.last_h = s->last_h;
    return head;
}

size_t crn_world_snapshot_size(const crn_world *w)
{
    if (!w) {
        return 0;
    }
    header head = header_of(w);
    return size_of(&head);
}

static unsigned char *put(unsigned char *to, const void *from, size_t size)
{
    if (size > 0) {
        memcpy(to, from, size);
    }
    return to + size;
}

static const unsigned char *get(const unsigned char *from, void *to, size_t size)
{
    if (size > 0) {
        memcpy(to, from, size);
    }
    return from + size;
}

/* Coordinates and velocities of trees; or what the next planting keeps. */
static void put_trees(unsigned char *to, const crn_stepper *s, const header *head)
{
    const crn_step_forest *f = &s->forest;
    for (int i = 0; i < head->bodies && head->is_stale; ++i) {
        crn_step_link_state state = crn_step_link_state_of(s, i);
        to = put(to, &state, sizeof state);
    }
    to = put(to, f->q, (size_t)head->coordinates * sizeof *f->q);
    to = put(to, f->u, (size_t)head->velocities * sizeof *f->u);
    to = put(to, f->before, (size_t)head->velocities * sizeof *f->before);
    to = put(to, f->shown, (size_t)head->velocities * sizeof *f->shown);
    to = put(to, f->solved, (size_t)head->velocities * sizeof *f->solved);
    for (int i = 0; i < head->trees; ++i) {
        to = put(to, f->tree[i].carried, sizeof f->tree[i].carried);
        to = put(to, f->tree[i].carried_before, sizeof f->tree[i].carried_before);
    }
    for (int i = 0; i < head->mechanisms; ++i) {
        const crn_step_mechanism *m = &f->mechanism[i];
        mechanism_state state;
        memset(&state, 0, sizeof state);
        state.is_fresh = m->kept.is_fresh;
        state.is_touched = m->kept.is_touched;
        to = put(to, &state, sizeof state);
    }
}

static void get_trees(const unsigned char *from, crn_stepper *s, const header *head)
{
    crn_step_forest *f = &s->forest;
    if (head->is_stale) {
        crn_step_fell(s);
        (void)get(from, s->link_state, (size_t)head->bodies * sizeof *s->link_state);
        s->link_states = head->bodies;
        return;
    }
    s->link_states = 0;
    from = get(from, f->q, (size_t)head->coordinates * sizeof *f->q);
    from = get(from, f->u, (size_t)head->velocities * sizeof *f->u);
    from = get(from, f->before, (size_t)head->velocities * sizeof *f->before);
    from = get(from, f->shown, (size_t)head->velocities * sizeof *f->shown);
    from = get(from, f->solved, (size_t)head->velocities * sizeof *f->solved);
    for (int i = 0; i < head->trees; ++i) {
        from = get(from, f->tree[i].carried, sizeof f->tree[i].carried);
        from = get(from, f->tree[i].carried_before, sizeof f->tree[i].carried_before);
    }
    for (int i = 0; i < head->mechanisms; ++i) {
        mechanism_state state;
        from = get(from, &state, sizeof state);
        f->mechanism[i].kept.is_fresh = state.is_fresh != 0;
        f->mechanism[i].kept.is_touched = state.is_touched != 0;
    }
    crn_step_place_links(s);
}

crn_status crn_world_save(const crn_world *w, void *data, size_t size, crn_error *error)
{
    crn_clear(error);
    if (!w || !data || size < crn_world_snapshot_size(w)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "snapshot: %zu bytes given, %zu needed", size,
                        w ? crn_world_snapshot_size(w) : (size_t)0);
    }
    const crn_stepper *s = &w->stepper;
    header head = header_of(w);
    head.alike = alike_of(s);
    unsigned char *to = put(data, &head, sizeof head);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *b = &s->body[i];
        body_state state;
        memset(&state, 0, sizeof state);
        state.pose = b->rigid.pose;
        state.w = b->rigid.w;
        state.v = b->rigid.v;
        state.force = b->force;
        state.torque = b->torque;
        state.rest = b->rest;
        state.asleep = b->asleep;
        state.acted_force = b->acted_force;
        state.acted_torque = b->acted_torque;
        state.shown_w = b->shown_w;
        state.shown_v = b->shown_v;
        state.is_fresh = b->is_fresh;
        state.worked = b->worked[0];
        state.owed = b->owed;
        to = put(to, &state, sizeof state);
    }
    for (int i = 0; i < s->joints; ++i) {
        joint_state state;
        memcpy(state.last, s->joint[i].last, sizeof state.last);
        memcpy(state.limit, s->joint[i].limit, sizeof state.limit);
        memcpy(state.force, s->joint[i].force, sizeof state.force);
        memcpy(state.acted, s->joint[i].acted, sizeof state.acted);
        memcpy(state.control_force, s->joint[i].control_force, sizeof state.control_force);
        memcpy(state.control_target, s->joint[i].control_target, sizeof state.control_target);
        state.play = s->joint[i].play;
        state.gives_way = s->joint[i].gives_way;
        state.spare = 0;
        to = put(to, &state, sizeof state);
    }
    for (int i = 0; i < w->actuators; ++i) {
        const actuator_state state = {w->actuator[i].control, w->actuator[i].activation};
        to = put(to, &state, sizeof state);
    }
    for (int i = 0; i < s->tendons; ++i) {
        const crn_step_tendon *t = &s->tendon[i];
        const tendon_state state = {{t->limit[0], t->limit[1]}, t->control_force, t->control_target};
        to = put(to, &state, sizeof state);
    }
    to = put(to, s->last.contact, (size_t)s->last.contacts * sizeof *s->last.contact);
    to = put(to, s->last.pair, (size_t)s->last.contacts * sizeof *s->last.pair);
    to = put(to, s->last_row, (size_t)s->last_rows * sizeof *s->last_row);
    to = put(to, s->find.known, (size_t)s->find.known_count * sizeof *s->find.known);
    put_trees(to, s, &head);
    head.checksum = checksum_of(&head, data, crn_world_snapshot_size(w));
    (void)put(data, &head, sizeof head);
    return CRN_OK;
}

/* Is this a snapshot of a world like this one? */
static crn_status check(const crn_world *w, const unsigned char *data, size_t size, header *head, crn_error *error)
{
    const crn_stepper *s = &w->stepper;
    if (size < sizeof *head) {
        return crn_fail(error, CRN_ERR_FORMAT, "snapshot: %zu bytes are too few", size);
    }
    (void)get(data, head, sizeof *head);
    if (head->magic != MAGIC || head->version != VERSION) {
        return crn_fail(error, CRN_ERR_FORMAT, "snapshot: not one of this version");
    }
    if (head->bodies != s->bodies || head->joints != s->joints || head->contacts < 0 || head->rows < 0 ||
        head->coordinates < 0 || head->velocities < 0 || head->mechanisms < 0 || head->known < 0 || head->trees < 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "snapshot: of %d bodies and %d joints; the world has %d and %d",
                        (int)head->bodies, (int)head->joints, s->bodies, s->joints);
    }
    if (head->actuators != w->actuators || head->tendons != s->tendons) {
        return crn_fail(error, CRN_ERR_FORMAT, "snapshot: of %d actuators and %d tendons; the world has %d and %d",
                        (int)head->actuators, (int)head->tendons, w->actuators, s->tendons);
    }
    if (size < size_of(head)) {
        return crn_fail(error, CRN_ERR_FORMAT, "snapshot: %zu bytes given, %zu needed", size, size_of(head));
    }
    if (head->checksum != checksum_of(head, data, size_of(head))) {
        return crn_fail(error, CRN_ERR_FORMAT, "snapshot: damaged");
    }
    if (head->alike != alike_of(s)) {
        return crn_fail(error, CRN_ERR_FORMAT, "snapshot: of a world with other bodies, shapes or joints");
    }
    return CRN_OK;
}

/* Motors that have become rows since, or were rows then, change the trees. */
static void get_giving_way(crn_stepper *s, const unsigned char *data, const header *head)
{
    const unsigned char *from = data + sizeof *head + (size_t)head->bodies * sizeof(body_state);
    for (int i = 0; i < s->joints; ++i) {
        joint_state state;
        from = get(from, &state, sizeof state);
        s->forest.is_stale = s->forest.is_stale || s->joint[i].gives_way != (state.gives_way != 0);
        s->joint[i].gives_way = state.gives_way != 0;
    }
}

/* Trees are planted to compare: they come from the same joints, or the worlds are not alike. */
static crn_status check_trees(crn_stepper *s, const header *head, crn_error *error)
{
    crn_status status = head->is_stale ? CRN_OK : crn_step_plant(s, error);
    bool is_same = head->coordinates == s->forest.coordinates && head->velocities == s->forest.velocities &&
                   head->mechanisms == s->forest.mechanisms && head->trees == s->forest.trees;
    if (status == CRN_OK && !head->is_stale && !is_same) {
        status = crn_fail(error, CRN_ERR_FORMAT, "snapshot: of a world with other trees");
    }
    return status;
}

static bool reserve(crn_stepper *s, const header *head)
{
    crn_step_contacts *last = &s->last;
    return crn_reserve(&s->allocator, (void **)&last->contact, &last->capacity, head->contacts,
                       sizeof *last->contact) &&
           crn_reserve(&s->allocator, (void **)&last->pair, &last->pair_capacity, head->contacts, sizeof *last->pair) &&
           crn_reserve(&s->allocator, (void **)&s->last_row, &s->last_row_capacity, head->rows, sizeof *s->last_row) &&
           crn_reserve(&s->allocator, (void **)&s->find.known, &s->find.known_capacity, head->known,
                       sizeof *s->find.known) &&
           (!head->is_stale || crn_reserve(&s->allocator, (void **)&s->link_state, &s->link_state_capacity,
                                           head->bodies, sizeof *s->link_state));
}

static void get_velocity(crn_step_body *b, const body_state *state)
{
    b->rigid.w = state->w;
    b->rigid.v = state->v;
    b->shown_w = state->shown_w;
    b->shown_v = state->shown_v;
}

static void get_body(crn_step_body *b, const body_state *state)
{
    b->rigid.pose = state->pose;
    b->force = state->force;
    b->torque = state->torque;
    b->rest = state->rest;
    b->asleep = state->asleep;
    b->is_fresh = state->is_fresh != 0;
    b->worked[0] = state->worked;
    b->owed = state->owed;
    b->acted_force = state->acted_force;
    b->acted_torque = state->acted_torque;
    get_velocity(b, state);
    crn_rigid_refresh(&b->rigid);
}

crn_status crn_world_restore(crn_world *w, const void *data, size_t size, crn_error *error)
{
    header head = {0};
    crn_clear(error);
    if (!w || !data) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world or data is NULL");
    }
    crn_status status = check(w, data, size, &head, error);
    return status == CRN_OK ? crn_world_go_back(w, data, error) : status;
}

crn_status crn_world_go_back(crn_world *w, const void *data, crn_error *error)
{
    crn_stepper *s = &w->stepper;
    header head;
    memcpy(&head, data, sizeof head);
    get_giving_way(s, data, &head);
    crn_status status = check_trees(s, &head, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!reserve(s, &head)) {
        return crn_fail(error, CRN_ERR_MEMORY, "snapshot: out of memory");
    }
    const unsigned char *from = (const unsigned char *)data + sizeof head;
    s->time = head.time;
    s->steps = head.steps;
    w->last_dt = head.last_dt;
    w->failed = head.failed;
    s->last_h = head.last_h;
    s->books = head.books;
    const unsigned char *bodies = from;
    for (int i = 0; i < s->bodies; ++i) {
        body_state state;
        from = get(from, &state, sizeof state);
        get_body(&s->body[i], &state);
    }
    for (int i = 0; i < s->joints; ++i) {
        joint_state state;
        from = get(from, &state, sizeof state);
        memcpy(s->joint[i].last, state.last, sizeof state.last);
        memcpy(s->joint[i].limit, state.limit, sizeof state.limit);
        memcpy(s->joint[i].force, state.force, sizeof state.force);
        memcpy(s->joint[i].acted, state.acted, sizeof state.acted);
        memcpy(s->joint[i].control_force, state.control_force, sizeof state.control_force);
        memcpy(s->joint[i].control_target, state.control_target, sizeof state.control_target);
        s->joint[i].play = state.play;
    }
    for (int i = 0; i < w->actuators; ++i) {
        actuator_state state;
        from = get(from, &state, sizeof state);
        w->actuator[i].control = state.control;
        w->actuator[i].activation = state.activation;
    }
    for (int i = 0; i < s->tendons; ++i) {
        tendon_state state;
        from = get(from, &state, sizeof state);
        memcpy(s->tendon[i].limit, state.limit, sizeof state.limit);
        s->tendon[i].control_force = state.control_force;
        s->tendon[i].control_target = state.control_target;
    }
    s->last.contacts = head.contacts;
    s->last_rows = head.rows;
    from = get(from, s->last.contact, (size_t)head.contacts * sizeof *s->last.contact);
    from = get(from, s->last.pair, (size_t)head.contacts * sizeof *s->last.pair);
    from = get(from, s->last_row, (size_t)head.rows * sizeof *s->last_row);
    for (int i = 0; i < s->shapes; ++i) {
        s->shape[i].is_known = s->shape[i].body >= 0;
    }
    s->find.known_count = head.known;
    from = get(from, s->find.known, (size_t)head.known * sizeof *s->find.known);
    get_trees(from, s, &head);
    for (int i = 0; i < s->bodies; ++i) { /* trees have placed their links and shown their velocities */
        body_state state;
        bodies = get(bodies, &state, sizeof state);
        get_velocity(&s->body[i], &state);
        s->body[i].rigid.pose = state.pose; /* placing has rounded it */
    }
    s->events = 0;
    s->rows = s->limits = 0; /* of another step: joint forces are not known until the next one */
    w->has_stepped = false;
    return CRN_OK;
}

uint64_t crn_world_hash(const crn_world *w)
{
    if (!w) {
        return 0;
    }
    const crn_stepper *s = &w->stepper;
    uint64_t hash = mix(HASH_START, &s->time, sizeof s->time);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_rigid *rigid = &s->body[i].rigid;
        if (s->body[i].id.index1 != 0) {
            hash = mix(hash, &rigid->pose, sizeof rigid->pose);
            hash = mix(hash, &rigid->w, sizeof rigid->w);
            hash = mix(hash, &rigid->v, sizeof rigid->v);
        }
    }
    return hash;
}
