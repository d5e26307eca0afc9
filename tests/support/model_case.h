/* Random models, and comparing models to the bit, through pointers. */
#ifndef CRN_MODEL_CASE_H
#define CRN_MODEL_CASE_H

#include <cairn/model.h>

#include "test_support.h"

#include <math.h>

/* --- Comparing: to the bit, and through pointers --- */

static inline void same_bits(const void *a, const void *b, size_t size)
{
    assert_memory_equal(a, b, size);
}

static inline void same_name(const char *a, const char *b)
{
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL) {
        assert_string_equal(a, b);
    }
}

static inline void same_reals(const double *a, const double *b, size_t count)
{
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL) {
        same_bits(a, b, count * sizeof(double));
    }
}

static inline void same_profile(const crn_profile *a, const crn_profile *b)
{
    same_bits(a, b, offsetof(crn_profile, times));
    assert_int_equal(a->count, b->count);
    same_reals(a->times, b->times, (size_t)a->count);
    same_reals(a->values, b->values, (size_t)a->count);
}

static inline void same_shape(const crn_body_shape *a, const crn_body_shape *b)
{
    assert_int_equal(a->shape.kind, b->shape.kind);
    assert_int_equal(a->shape.count, b->shape.count);
    assert_int_equal(a->shape.rows, b->shape.rows);
    assert_int_equal(a->shape.columns, b->shape.columns);
    same_bits(&a->shape.size, &b->shape.size, sizeof(crn_vec3));
    size_t each = a->shape.kind == CRN_SHAPE_HULL || a->shape.kind == CRN_SHAPE_MESH ? 3 : 2;
    size_t numbers = (size_t)a->shape.count * each + (size_t)a->shape.rows * (size_t)a->shape.columns;
    same_reals(a->shape.points, b->shape.points, numbers);
    assert_int_equal(a->shape.triangle_count, b->shape.triangle_count);
    assert_true((a->shape.triangles == NULL) == (b->shape.triangles == NULL));
    if (a->shape.triangles != NULL) {
        same_bits(a->shape.triangles, b->shape.triangles, 3 * (size_t)a->shape.triangle_count * sizeof(int));
    }
    same_bits(&a->pose, &b->pose, sizeof(crn_pose));
    same_bits(&a->friction, &b->friction, 3 * sizeof(double));
    assert_int_equal(a->group, b->group);
    assert_int_equal(a->mask, b->mask);
}

static inline void same_body(const crn_body_def *a, const crn_body_def *b)
{
    same_name(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    same_bits(&a->pose, &b->pose, sizeof(crn_pose));
    same_bits(&a->velocity, &b->velocity, 2 * sizeof(crn_vec3));
    same_bits(&a->mass, &b->mass, sizeof(double));
    assert_int_equal(a->is_massless, b->is_massless);
    same_bits(&a->com, &b->com, sizeof(crn_vec3));
    same_bits(&a->inertia, &b->inertia, sizeof(crn_mat3));
    same_bits(&a->linear_damping, &b->linear_damping, 3 * sizeof(double));
    same_profile(&a->motion.x, &b->motion.x);
    same_profile(&a->motion.y, &b->motion.y);
    same_profile(&a->motion.z, &b->motion.z);
    same_profile(&a->motion.angle, &b->motion.angle);
    same_bits(&a->motion.axis, &b->motion.axis, sizeof(crn_vec3));
    assert_int_equal(a->shapes, b->shapes);
    for (int i = 0; i < a->shapes; ++i) {
        same_shape(&a->shape[i], &b->shape[i]);
    }
}

static inline void same_axis(const crn_joint_axis *a, const crn_joint_axis *b)
{
    same_bits(&a->lower, &b->lower, 2 * sizeof(double));
    assert_int_equal(a->has_motor, b->has_motor);
    assert_int_equal(a->is_servo, b->is_servo);
    same_profile(&a->speed, &b->speed);
    same_profile(&a->target, &b->target);
    same_bits(&a->max_force, &b->max_force, 2 * sizeof(double));
    same_profile(&a->force, &b->force);
    same_bits(&a->stiffness, &b->stiffness, 4 * sizeof(double));
    assert_int_equal(a->follows, b->follows);
    same_bits(&a->ratio, &b->ratio, 2 * sizeof(double));
}

static inline void same_joint(const crn_joint_def *a, const crn_joint_def *b)
{
    same_name(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->a, b->a);
    assert_int_equal(a->b, b->b);
    same_bits(&a->frame_a, &b->frame_a, 2 * sizeof(crn_pose));
    same_bits(&a->length, &b->length, sizeof(double));
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX; ++i) {
        same_axis(&a->axis[i], &b->axis[i]);
    }
    assert_int_equal(a->bodies_collide, b->bodies_collide);
    assert_int_equal(a->in_tree, b->in_tree);
}

static inline void same_load(const crn_load_def *a, const crn_load_def *b)
{
    same_name(a->name, b->name);
    assert_int_equal(a->body, b->body);
    same_bits(&a->force, &b->force, 3 * sizeof(crn_vec3));
    assert_int_equal(a->is_local, b->is_local);
    same_profile(&a->factor, &b->factor);
    same_bits(&a->from, &b->from, 2 * sizeof(double));
}

static inline void same_world(const crn_world_def *a, const crn_world_def *b)
{
    assert_int_equal(a->is_planar, b->is_planar);
    same_bits(&a->gravity, &b->gravity, sizeof(crn_vec3) + 2 * sizeof(double));
    assert_int_equal(a->scheme, b->scheme);
    assert_int_equal(a->is_unstabilised, b->is_unstabilised);
    assert_int_equal(a->cone, b->cone);
    assert_int_equal(a->directions, b->directions);
    assert_int_equal(a->method, b->method);
    same_bits(&a->tol, &b->tol, sizeof(double));
    assert_int_equal(a->even, b->even);
    same_bits(&a->margin, &b->margin, sizeof(double));
    assert_int_equal(a->friction_rule, b->friction_rule);
    same_bits(&a->restitution_speed, &b->restitution_speed,
              offsetof(crn_world_def, integrator) - offsetof(crn_world_def, restitution_speed));
    assert_int_equal(a->integrator, b->integrator);
    same_bits(&a->drift_turn, &b->drift_turn, 3 * sizeof(double));
    assert_int_equal(a->is_unclamped, b->is_unclamped);
}

static inline void same_model(const crn_model *a, const crn_model *b)
{
    same_world(crn_model_world_of(a), crn_model_world_of(b));
    assert_string_equal(crn_model_name(a), crn_model_name(b));
    assert_int_equal(crn_model_bodies(a), crn_model_bodies(b));
    assert_int_equal(crn_model_joints(a), crn_model_joints(b));
    assert_int_equal(crn_model_sites(a), crn_model_sites(b));
    assert_int_equal(crn_model_actuators(a), crn_model_actuators(b));
    assert_int_equal(crn_model_keys(a), crn_model_keys(b));
    assert_int_equal(crn_model_loads(a), crn_model_loads(b));
    assert_int_equal(crn_model_probes(a), crn_model_probes(b));
    for (int i = 0; i < crn_model_bodies(a); ++i) {
        same_body(crn_model_body(a, i), crn_model_body(b, i));
    }
    for (int i = 0; i < crn_model_joints(a); ++i) {
        same_joint(crn_model_joint(a, i), crn_model_joint(b, i));
    }
    for (int i = 0; i < crn_model_sites(a); ++i) {
        const crn_site_def *p = crn_model_site(a, i), *q = crn_model_site(b, i);
        same_name(p->name, q->name);
        assert_int_equal(p->body, q->body);
        same_bits(&p->pose, &q->pose, sizeof p->pose);
    }
    for (int i = 0; i < crn_model_actuators(a); ++i) {
        const crn_actuator_def *p = crn_model_actuator(a, i), *q = crn_model_actuator(b, i);
        same_name(p->name, q->name);
        assert_true(p->joint == q->joint && p->coordinate == q->coordinate && p->moves_target == q->moves_target);
        same_bits(&p->gain, &q->gain, sizeof p->gain);
        same_bits(&p->lower, &q->lower, 6 * sizeof p->lower);
    }
    for (int i = 0; i < crn_model_keys(a); ++i) {
        const crn_key_def *p = crn_model_key(a, i), *q = crn_model_key(b, i);
        same_name(p->name, q->name);
        assert_true(p->states == q->states && p->controls == q->controls);
        same_bits(p->state, q->state, (size_t)p->states * sizeof *p->state);
        same_bits(p->control, q->control, (size_t)p->controls * sizeof *p->control);
    }
    for (int i = 0; i < crn_model_loads(a); ++i) {
        same_load(crn_model_load(a, i), crn_model_load(b, i));
    }
    for (int i = 0; i < crn_model_probes(a); ++i) {
        const crn_probe_def *p = crn_model_probe(a, i), *q = crn_model_probe(b, i);
        same_name(p->name, q->name);
        assert_true(p->kind == q->kind && p->target == q->target);
    }
}

/* --- Random models --- */

/* Memory of what random definitions point to: enough for one definition at a time. */
typedef struct model_store {
    double numbers[4096];
    size_t used;
    crn_body_shape shape[4];
    int triangles[24];
    char name[32];
} model_store;

static inline double *store_reals(model_store *store, size_t count)
{
    double *piece = store->numbers + store->used;
    store->used += count;
    assert_true(store->used <= sizeof store->numbers / sizeof store->numbers[0]);
    return piece;
}

static inline bool toss(crn_random *random)
{
    return crn_random_below(random, 2) == 1;
}

/* Any size, of either sign, 0 and -0 among them. */
static inline double any_real(crn_random *random)
{
    switch (crn_random_below(random, 8)) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return ldexp(crn_random_normal(random), crn_random_below(random, 60) - 30);
    case 3: return (double)(crn_random_below(random, 41) - 20);
    default: return crn_random_normal(random);
    }
}

static inline double positive_real(crn_random *random)
{
    return ldexp(crn_random_uniform(random, 0.5, 1.0), crn_random_below(random, 20) - 10);
}

static inline crn_vec3 any_vector(crn_random *random)
{
    double x = any_real(random), y = any_real(random), z = any_real(random);
    return (crn_vec3){x, y, z};
}

static inline crn_vec3 plane_vector(crn_random *random, bool is_planar)
{
    crn_vec3 v = any_vector(random);
    v.z = is_planar ? (toss(random) ? 0.0 : -0.0) : v.z;
    return v;
}

static inline crn_vec3 spin_vector(crn_random *random, bool is_planar)
{
    crn_vec3 v = any_vector(random);
    return is_planar ? (crn_vec3){0.0, 0.0, v.z} : v;
}

/* Unit to about 1e-7, so that the model has something to settle. */
static inline crn_quat any_rotation(crn_random *random, bool is_planar)
{
    if (crn_random_below(random, 4) == 0) {
        return (crn_quat){1.0, 0.0, 0.0, 0.0};
    }
    double w = crn_random_normal(random), x = crn_random_normal(random), y = crn_random_normal(random),
           z = crn_random_normal(random);
    x = is_planar ? 0.0 : x;
    y = is_planar ? 0.0 : y;
    double s = crn_random_uniform(random, 1.0 - 1e-7, 1.0 + 1e-7) / sqrt(w * w + x * x + y * y + z * z);
    return (crn_quat){s * w, s * x, s * y, s * z};
}

static inline crn_pose any_pose(crn_random *random, bool is_planar)
{
    crn_vec3 position = plane_vector(random, is_planar);
    return (crn_pose){position, any_rotation(random, is_planar)};
}

static inline crn_profile any_profile(crn_random *random, model_store *store)
{
    crn_profile profile = {.value = 0.0};
    if (toss(random)) {
        return profile;
    }
    profile.value = any_real(random);
    profile.amplitude = any_real(random);
    profile.frequency = any_real(random);
    profile.phase = any_real(random);
    if (toss(random)) {
        profile.count = 1 + crn_random_below(random, 5);
        double *times = store_reals(store, (size_t)profile.count), *values = store_reals(store, (size_t)profile.count);
        double time = any_real(random);
        for (int i = 0; i < profile.count; ++i) {
            times[i] = time;
            time += 1.0 + fabs(time) * 0.5;
            values[i] = any_real(random);
        }
        profile.times = times;
        profile.values = values;
    }
    return profile;
}

static inline crn_body_shape any_shape(crn_random *random, model_store *store, bool is_planar, bool is_free)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_shape_kind kind;
    bool is_unbound;
    do {
        kind = (crn_shape_kind)crn_random_below(random, CRN_SHAPE_KIND_COUNT);
        is_unbound = kind == CRN_SHAPE_PLANE || kind == CRN_SHAPE_HEIGHT_FIELD || kind == CRN_SHAPE_HALF_PLANE;
    } while (crn_shape_kind_is_planar(kind) != is_planar || (is_free && is_unbound));
    shape.shape.kind = kind;
    shape.shape.size = (crn_vec3){positive_real(random), positive_real(random), positive_real(random)};
    shape.shape.count = 4 + crn_random_below(random, 4);
    shape.shape.rows = 2 + crn_random_below(random, 3);
    shape.shape.columns = 2 + crn_random_below(random, 3);
    double *points = store_reals(store, 24);
    for (int i = 0; i < 24; ++i) {
        points[i] = any_real(random);
    }
    shape.shape.points = points;
    shape.shape.triangle_count = 1 + crn_random_below(random, 8);
    for (int i = 0; i < 24; ++i) {
        store->triangles[i] = crn_random_below(random, 4); /* there are at least 4 points */
    }
    shape.shape.triangles = store->triangles;
    shape.pose = toss(random) ? shape.pose : any_pose(random, is_planar);
    shape.friction = toss(random) ? shape.friction : positive_real(random);
    shape.restitution = toss(random) ? 0.0 : crn_random_uniform(random, 0.0, 1.0);
    shape.density = toss(random) ? shape.density : positive_real(random);
    shape.group = toss(random) ? shape.group : (uint32_t)crn_random_bits(random);
    shape.mask = toss(random) ? shape.mask : (uint32_t)crn_random_bits(random);
    return shape;
}

/* tr(S) 1 - S with second moments S = B B', + 1, made a little unsymmetric. */
static inline crn_mat3 any_inertia(crn_random *random)
{
    double b[9], trace = 0.0;
    crn_mat3 inertia;
    for (int k = 0; k < 9; ++k) {
        b[k] = crn_random_normal(random);
        trace += b[k] * b[k];
    }
    for (int k = 0; k < 9; ++k) {
        int i = k % 3, j = k / 3;
        double sum = b[i] * b[j] + b[i + 3] * b[j + 3] + b[i + 6] * b[j + 6];
        inertia.m[k] = -sum * (1.0 + 1e-12 * (double)k) + (i == j ? 1.0 + trace : 0.0);
    }
    return inertia;
}

static inline crn_body_def any_body(crn_random *random, model_store *store, bool is_planar, int number)
{
    store->used = 0;
    crn_body_def def = crn_body_def_default();
    def.kind = (crn_body_kind)(number == 0 ? 0 : crn_random_below(random, CRN_BODY_KIND_COUNT));
    if (toss(random)) {
        (void)snprintf(store->name, sizeof store->name, "body \"%d\" \xC3\xA4\t\\", number);
        def.name = store->name;
    }
    def.pose = any_pose(random, is_planar);
    def.shapes = 1 + crn_random_below(random, 4);
    for (int i = 0; i < def.shapes; ++i) {
        store->shape[i] = any_shape(random, store, is_planar, def.kind == CRN_BODY_FREE);
    }
    def.shape = store->shape;
    if (def.kind == CRN_BODY_FREE && toss(random)) {
        def.mass = positive_real(random);
        def.com = plane_vector(random, is_planar);
        def.inertia = toss(random) ? any_inertia(random) : def.inertia;
    }
    if (def.kind == CRN_BODY_FREE) {
        def.velocity = plane_vector(random, is_planar);
        def.angular = spin_vector(random, is_planar);
        def.linear_damping = toss(random) ? 0.0 : positive_real(random);
        def.angular_damping = toss(random) ? 0.0 : positive_real(random);
        def.gravity_scale = any_real(random);
    }
    if (def.kind == CRN_BODY_DRIVEN) {
        def.motion.x = any_profile(random, store);
        def.motion.y = any_profile(random, store);
        def.motion.z = is_planar ? def.motion.z : any_profile(random, store);
        def.motion.angle = any_profile(random, store);
        crn_quat q = any_rotation(random, false);
        double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
        if (!is_planar && length > 0.0) {
            def.motion.axis = (crn_vec3){q.x / length, q.y / length, q.z / length};
        } else if (toss(random)) {
            def.motion.axis.z = -1.0;
        }
    }
    return def;
}

static inline crn_joint_axis any_axis(crn_random *random, model_store *store, bool is_bare)
{
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    if (toss(random)) {
        axis.lower = toss(random) ? -INFINITY : -positive_real(random);
        axis.upper = toss(random) ? INFINITY : positive_real(random);
    } else if (toss(random)) {
        axis.lower = 2.0;
        axis.upper = 1.0;
    }
    bool has_limits = axis.lower <= axis.upper;
    axis.speed = any_profile(random, store);
    axis.target = any_profile(random, store);
    axis.is_servo = toss(random);
    axis.max_force = toss(random) ? INFINITY : positive_real(random);
    axis.has_motor = (has_limits || !is_bare) && toss(random);
    axis.friction = (has_limits || !is_bare) && toss(random) ? positive_real(random) : 0.0;
    axis.force = (has_limits || !is_bare) && toss(random) ? any_profile(random, store) : axis.force;
    return axis;
}

/* Springs and armature, for all turns of a ball joint too. */
static inline void any_spring(crn_random *random, crn_joint_axis *axis)
{
    if (toss(random)) {
        axis->stiffness = toss(random) ? 0.0 : positive_real(random);
        axis->damping = toss(random) ? 0.0 : positive_real(random);
        axis->spring_limit = toss(random) ? 0.0 : positive_real(random);
    }
    axis->armature = toss(random) ? 0.0 : positive_real(random);
}

/* The joint frame of a planar world: z to z or -z for a hinge, into the plane for a slider. */
static inline crn_quat planar_frame(crn_joint_kind kind, bool is_down)
{
    const double half = 0.70710678118654752;
    if (kind == CRN_JOINT_SLIDER) {
        return (crn_quat){half, 0.0, half, 0.0};
    }
    return is_down ? (crn_quat){0.0, 1.0, 0.0, 0.0} : (crn_quat){1.0, 0.0, 0.0, 0.0};
}

static inline crn_joint_def any_joint(crn_random *random, model_store *store, bool is_planar, int bodies, int number)
{
    store->used = 0;
    crn_joint_def def = crn_joint_def_default();
    do {
        def.kind = (crn_joint_kind)crn_random_below(random, CRN_JOINT_KIND_COUNT);
    } while (is_planar && (def.kind == CRN_JOINT_UNIVERSAL || def.kind == CRN_JOINT_PLANAR));
    if (toss(random)) {
        (void)snprintf(store->name, sizeof store->name, "joint %d", number);
        def.name = store->name;
    }
    def.a = bodies > 1 ? crn_random_below(random, bodies) - 1 : -1;
    def.a = def.a == 0 ? -1 : def.a;
    def.b = 0; /* the first body is free */
    if (toss(random)) {
        int a = def.a;
        def.a = def.b;
        def.b = a;
    }
    def.frame_a = any_pose(random, is_planar);
    def.frame_b = any_pose(random, is_planar);
    if (is_planar) {
        def.frame_a.rotation = def.frame_b.rotation = planar_frame(def.kind, toss(random));
    }
    def.length = def.kind == CRN_JOINT_DISTANCE ? positive_real(random) : 0.0;
    int coordinates = crn_joint_kind_coordinates(def.kind);
    for (int i = 0; i < coordinates; ++i) {
        def.axis[i] = any_axis(random, store, def.kind == CRN_JOINT_DISTANCE);
    }
    if (def.kind == CRN_JOINT_FREE && (def.a < 0 || def.b < 0)) { /* outside of a tree it is between two bodies */
        def.kind = CRN_JOINT_BALL;
    }
    def.bodies_collide = toss(random);
    return def;
}

/* Make a joint one of a tree: b becomes a link, an earlier body its parent. */
static inline void any_link(crn_random *random, const crn_model *model, int b, crn_joint_def *def)
{
    def->in_tree = true;
    def->b = b;
    def->a = def->kind == CRN_JOINT_FREE ? -1 : crn_random_below(random, b + 1) - 1;
    int coordinates = crn_joint_kind_coordinates(def->kind), joints = crn_model_joints(model);
    if (def->kind == CRN_JOINT_BALL) {
        any_spring(random, &def->axis[0]);
        def->axis[0].friction = toss(random) ? 0.0 : positive_real(random);
    }
    for (int i = 0; i < coordinates; ++i) {
        any_spring(random, &def->axis[i]);
        if (toss(random)) { /* like a controller: no motor beside the spring */
            const crn_joint_axis plain = crn_joint_def_default().axis[0];
            def->axis[i].has_motor = def->axis[i].is_servo = false;
            def->axis[i].speed = plain.speed;
            def->axis[i].max_force = plain.max_force;
        }
        int other = joints > 0 ? crn_random_below(random, joints) : -1;
        const crn_joint_def *leader = crn_model_joint(model, other);
        if (leader != NULL && leader->in_tree && crn_joint_kind_coordinates(leader->kind) > 0) {
            def->axis[i].follows = other + 1;
            def->axis[i].ratio = any_real(random);
            def->axis[i].shift = any_real(random);
        }
    }
}

static inline crn_load_def any_load(crn_random *random, model_store *store, bool is_planar)
{
    store->used = 0;
    crn_load_def def = crn_load_def_default();
    def.name = toss(random) ? "wind" : NULL;
    def.force = plane_vector(random, is_planar);
    def.torque = spin_vector(random, is_planar);
    def.point = plane_vector(random, is_planar);
    def.is_local = toss(random);
    def.factor = toss(random) ? def.factor : any_profile(random, store);
    def.from = toss(random) ? def.from : any_real(random);
    def.until = toss(random) ? def.until : fabs(def.from < 0.0 ? 0.0 : def.from) + positive_real(random);
    return def;
}

static inline void any_world(crn_random *random, bool is_planar, crn_world_def *world)
{
    world->is_planar = is_planar;
    world->gravity = is_planar ? (crn_vec3){0.0, -9.81, 0.0} : world->gravity;
    if (toss(random)) {
        return;
    }
    world->gravity = plane_vector(random, is_planar);
    world->dt = positive_real(random);
    world->duration = positive_real(random);
    world->scheme = (crn_scheme)crn_random_below(random, CRN_SCHEME_COUNT);
    world->is_unstabilised = toss(random);
    world->cone = world->scheme == CRN_SCHEME_CONVEX || toss(random) ? CRN_CONE_ROUND : CRN_CONE_POLYGON;
    world->directions = 4 + 2 * crn_random_below(random, 10);
    world->method = (crn_contact_method)crn_random_below(random, CRN_CONTACT_METHOD_COUNT);
    world->tol = toss(random) ? 0.0 : positive_real(random);
    world->even = toss(random);
    world->margin = toss(random) ? 0.0 : positive_real(random);
    world->friction_rule = (crn_friction_rule)crn_random_below(random, CRN_FRICTION_RULE_COUNT);
    world->restitution_speed = positive_real(random);
    world->recovery_speed = toss(random) ? INFINITY : positive_real(random);
    world->reduce_distance = toss(random) ? 0.0 : positive_real(random);
    world->joint_tolerance = toss(random) ? 0.0 : positive_real(random);
    world->sleep_time = toss(random) ? 0.0 : positive_real(random);
    world->sleep_speed = positive_real(random);
    world->integrator = (crn_integrator)crn_random_below(random, CRN_INTEGRATOR_COUNT);
    world->drift_turn = toss(random) ? 0.0 : positive_real(random);
    world->repair_tolerance = toss(random) ? 0.0 : positive_real(random);
    world->loop_clearance = toss(random) ? 0.0 : positive_real(random);
    world->is_unclamped = toss(random);
}

#define MODEL_GOOD(call)                                       \
    do {                                                       \
        crn_error model_error = {CRN_OK, ""};                  \
        crn_error *error = &model_error;                       \
        crn_status model_status = (call);                      \
        TEST_CHECK(model_status == CRN_OK, "%s", error->text); \
    } while (0)

/* A key with the states of all joints in trees that move, and one control if there is an actuator. */
static inline void any_key(crn_random *random, crn_model *model)
{
    crn_key_state state[8];
    double control = any_real(random);
    crn_key_def def = {.name = toss(random) ? "home" : NULL, .state = state, .control = &control};
    memset(state, 0, sizeof state);
    for (int i = 0; i < crn_model_joints(model) && def.states < 8; ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        int freedom = crn_joint_kind_freedom(joint->kind);
        crn_key_state *at = &state[def.states];
        if (!joint->in_tree || freedom <= 0) {
            continue;
        }
        at->joint = i;
        at->body = -1;
        for (int k = 0; k < crn_joint_kind_numbers(joint->kind); ++k) {
            at->q[k] = positive_real(random);
        }
        for (int k = 0; k < freedom; ++k) {
            at->u[k] = any_real(random);
        }
        def.states++;
    }
    def.controls = crn_model_actuators(model) > 0 ? 1 : 0;
    MODEL_GOOD(crn_model_add_key(model, &def, NULL, error));
}

/* A model with up to 7 bodies, 6 joints, 3 sites, 3 loads and 4 probes; destroy it. */
static inline crn_model *any_model(crn_random *random, const crn_allocator *allocator)
{
    crn_model *model = NULL;
    model_store *store = calloc(1, sizeof *store);
    assert_non_null(store);
    MODEL_GOOD(crn_model_create(allocator, &model, error));
    bool is_planar = toss(random);
    any_world(random, is_planar, crn_model_world(model));
    if (toss(random)) {
        MODEL_GOOD(crn_model_set_name(model, "a \"scene\"", error));
    }
    int bodies = crn_random_below(random, 7), joints = bodies > 0 ? crn_random_below(random, 6) : 0;
    bool may_be_link[8] = {false};
    for (int i = 0; i < bodies; ++i) {
        crn_body_def def = any_body(random, store, is_planar, i);
        may_be_link[i] = def.kind == CRN_BODY_FREE;
        MODEL_GOOD(crn_model_add_body(model, &def, NULL, error));
    }
    for (int i = 0; i < joints; ++i) {
        crn_joint_def def = any_joint(random, store, is_planar, bodies, i);
        int link = crn_random_below(random, bodies);
        if (may_be_link[link] && def.kind != CRN_JOINT_DISTANCE) {
            may_be_link[link] = false;
            any_link(random, model, link, &def);
        }
        MODEL_GOOD(crn_model_add_joint(model, &def, NULL, error));
    }
    if (bodies > 0 && toss(random)) { /* a link without mass at the end, on whatever is there */
        crn_body_def body = crn_body_def_default();
        body.is_massless = true;
        body.pose = any_pose(random, is_planar);
        MODEL_GOOD(crn_model_add_body(model, &body, NULL, error));
        crn_joint_def def = crn_joint_def_default();
        any_link(random, model, bodies, &def);
        MODEL_GOOD(crn_model_add_joint(model, &def, NULL, error));
    }
    for (int i = 0; i < crn_random_below(random, 4); ++i) {
        static const char *const names[] = {"tool", "foot", NULL};
        crn_site_def def = crn_site_def_default();
        def.name = names[i % 3];
        def.body = crn_random_below(random, bodies + 1) - 1;
        def.pose = any_pose(random, is_planar);
        MODEL_GOOD(crn_model_add_site(model, &def, NULL, error));
    }
    for (int i = 0; i < crn_model_joints(model) && i < 2; ++i) {
        static const char *const names[] = {"motor", NULL};
        crn_actuator_def def = crn_actuator_def_default();
        const crn_joint_def *joint = crn_model_joint(model, i);
        def.name = names[i];
        def.joint = i;
        def.gain = any_real(random);
        def.moves_target = joint->axis[0].stiffness > 0.0;
        def.control = any_real(random);
        def.time_constant = toss(random) ? positive_real(random) : 0.0;
        def.lower = toss(random) ? -1.0 : def.lower;
        def.force_upper = toss(random) ? 1.0 : def.force_upper;
        if (joint->in_tree && crn_joint_kind_coordinates(joint->kind) > 0) {
            MODEL_GOOD(crn_model_add_actuator(model, &def, NULL, error));
        }
    }
    any_key(random, model);
    for (int i = 0; bodies > 0 && i < crn_random_below(random, 4); ++i) {
        crn_load_def def = any_load(random, store, is_planar);
        MODEL_GOOD(crn_model_add_load(model, &def, NULL, error));
    }
    for (int i = 0; bodies > 0 && i < 4; ++i) {
        crn_probe_def def = {.name = toss(random) ? "x" : NULL,
                             .kind = (crn_probe_kind)crn_random_below(random, CRN_PROBE_JOINT_COORDINATE),
                             .target = crn_random_below(random, bodies)};
        int joint = joints > 0 ? crn_random_below(random, joints) : 0;
        if (joints > 0 && crn_joint_kind_coordinates(crn_model_joint(model, joint)->kind) > 0) {
            def.kind = CRN_PROBE_JOINT_COORDINATE;
            def.target = joint;
        }
        MODEL_GOOD(crn_model_add_probe(model, &def, NULL, error));
    }
    free(store);
    return model;
}

#endif
