/* Joints of random worlds: every kind, with limits, motors, friction and springs. Coordinates are 0 at the start. */
#include "random_parts.h"

#include <math.h>
#include <stddef.h>

/* --- Coordinates --- */

static crn_profile constant(double value)
{
    return (crn_profile){.value = value};
}

/* A force or torque that the weight of the body is not small or large against [N, N m]. */
static double force_of(crn_random_scene *s, const crn_random_solid *b)
{
    return b->mass * 9.81 * fmin(1.0, s->size) * crn_random_log(s, 0.01, 10.0);
}

static double sign_of(crn_random_scene *s)
{
    return crn_random_chance(s, 0.5) ? 1.0 : -1.0;
}

static void set_limits(crn_random_scene *s, crn_joint_axis *axis, double unit)
{
    axis->lower = crn_random_chance(s, 0.3) ? 0.0 : -unit * crn_random_log(s, 0.01, 2.0);
    axis->upper = crn_random_chance(s, 0.3) ? 0.0 : unit * crn_random_log(s, 0.01, 2.0);
}

static void set_motor(crn_random_scene *s, crn_joint_axis *axis, const crn_random_solid *b, double unit)
{
    axis->has_motor = true;
    axis->is_servo = crn_random_chance(s, 0.3);
    axis->speed = constant(unit * sign_of(s) * crn_random_log(s, 0.1, 10.0));
    axis->target = (crn_profile){.amplitude = 0.5 * unit, .frequency = crn_random_log(s, 0.1, 5.0)};
    axis->max_force = crn_random_chance(s, 0.3) ? INFINITY : force_of(s, b);
}

static void set_spring(crn_random_scene *s, crn_joint_axis *axis, const crn_random_solid *b, bool has_target,
                       double unit)
{
    axis->stiffness = force_of(s, b) * crn_random_log(s, 0.1, 1e4);
    axis->damping = crn_random_chance(s, 0.5) ? 0.0 : 0.01 * axis->stiffness * crn_random_log(s, 0.01, 1.0);
    if (has_target && crn_random_chance(s, 0.5)) {
        axis->target = constant(unit * crn_random_between(s, -1.0, 1.0));
    }
    if (crn_random_chance(s, 0.3)) {
        axis->armature = b->mass * s->size * s->size * crn_random_log(s, 0.01, 1.0);
    }
}

/* unit: what is a large displacement, [m] or [rad]. */
static void set_axis(crn_random_scene *s, const crn_joint_def *def, crn_joint_axis *axis, const crn_random_solid *b,
                     double unit)
{
    bool is_ball = def->kind == CRN_JOINT_BALL;
    if (!is_ball && crn_random_chance(s, 0.25)) {
        set_limits(s, axis, unit);
    }
    if (crn_random_chance(s, 0.2)) {
        axis->friction = force_of(s, b);
    }
    if (def->in_tree && s->has_springs && crn_random_chance(s, 0.5)) {
        set_spring(s, axis, b, !is_ball, unit);
    } else if (!is_ball && s->has_motors && crn_random_chance(s, 0.5)) {
        set_motor(s, axis, b, unit);
    }
    if (!is_ball && s->has_motors && crn_random_chance(s, 0.1)) {
        axis->force = constant(sign_of(s) * force_of(s, b));
    }
}

/* Does coordinate k move along something? Else it turns. */
static bool is_length(crn_joint_kind kind, int k)
{
    return kind == CRN_JOINT_SLIDER || (kind == CRN_JOINT_PLANAR && k < 2);
}

static void set_axes(crn_random_scene *s, crn_joint_def *def, const crn_random_solid *b)
{
    int axes = crn_joint_kind_coordinates(def->kind);
    if (def->kind == CRN_JOINT_BALL && def->in_tree) {
        axes = 1;
    }
    for (int k = 0; k < axes; ++k) {
        set_axis(s, def, &def->axis[k], b, is_length(def->kind, k) ? s->size : 1.0);
    }
}

/* --- Frames --- */

/* Which way the joint's z goes, as its kind wants it. */
static crn_quat frame_of(crn_random_scene *s, crn_joint_kind kind)
{
    if (s->is_planar && kind == CRN_JOINT_SLIDER) {
        return crn_build_turn_z_to(crn_random_direction(s));
    }
    return crn_random_turn(s);
}

/* From the point on a to b's origin; held, or free to come nearer. */
static void set_distance(crn_random_scene *s, crn_joint_def *def, const crn_random_solid *b, crn_pose at)
{
    def->length = crn_random_distance(at.position, b->pose.position);
    if (crn_random_chance(s, 0.5)) {
        def->axis[0].lower = crn_random_chance(s, 0.5) ? 0.0 : def->length * crn_random_between(s, 0.1, 1.0);
        def->axis[0].upper = def->length * (crn_random_chance(s, 0.3) ? 1.0 : crn_random_between(s, 1.0, 2.0));
    }
}

/* --- Joints --- */

static void choose_hold(crn_random_scene *s, crn_joint_def *def, bool is_link)
{
    crn_random_hold hold = s->hold == CRN_HOLD_MIXED ? (crn_random_hold)crn_random_count(s, 0, 2) : s->hold;
    bool can_be_link = is_link && def->kind != CRN_JOINT_DISTANCE && def->kind != CRN_JOINT_FREE;
    def->in_tree = can_be_link && hold == CRN_HOLD_TREE;
    def->as_rows = hold == CRN_HOLD_ROWS;
}

/* Gears: a hinge or slider in a tree that follows the one before. */
static void choose_leader(crn_random_scene *s, crn_joint_def *def)
{
    bool has_one = def->kind == CRN_JOINT_HINGE || def->kind == CRN_JOINT_SLIDER;
    if (has_one && def->in_tree && s->last_link > 0 && crn_random_chance(s, 0.1)) {
        crn_joint_axis plain = crn_joint_def_default().axis[0];
        plain.follows = s->last_link;
        plain.ratio = sign_of(s) * crn_random_between(s, 0.5, 2.0);
        def->axis[0] = plain;
    }
}

static int add_joint(crn_random_scene *s, const crn_joint_def *def, const crn_random_solid *b, crn_pose at)
{
    if (def->kind != CRN_JOINT_DISTANCE) {
        return crn_build_joint_at(&s->b, *def, at);
    }
    crn_joint_def mine = *def;
    const crn_body_def *a = def->a >= 0 ? crn_model_body(s->b.model, def->a) : NULL;
    mine.frame_a = a != NULL ? crn_build_compose(crn_build_invert(a->pose), at) : at;
    (void)b; /* frame_b: its origin */
    return crn_build_joint(&s->b, &mine);
}

void crn_random_join_by(crn_random_scene *s, crn_joint_kind kind, int a, const crn_random_solid *b, crn_pose at,
                        bool is_link)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = kind;
    def.a = a;
    def.b = b->body;
    def.bodies_collide = !s->is_aloof && s->has_overlaps && crn_random_chance(s, 0.3);
    choose_hold(s, &def, is_link);
    if (kind == CRN_JOINT_DISTANCE) {
        set_distance(s, &def, b, at);
    } else {
        set_axes(s, &def, b);
        choose_leader(s, &def);
    }
    int index = add_joint(s, &def, b, at);
    if (def.in_tree && (kind == CRN_JOINT_HINGE || kind == CRN_JOINT_SLIDER)) {
        s->last_link = 1 + index;
    }
    if (crn_random_chance(s, s->doubled)) { /* the same again, which closes a loop of its own */
        crn_joint_def again = crn_joint_def_default();
        again.kind = def.kind;
        again.a = def.a;
        again.b = def.b;
        again.length = def.length;
        again.as_rows = def.as_rows;
        (void)add_joint(s, &again, b, at);
    }
}

static crn_joint_kind any_kind(crn_random_scene *s)
{
    const crn_joint_kind planar[] = {CRN_JOINT_HINGE,  CRN_JOINT_HINGE, CRN_JOINT_HINGE,   CRN_JOINT_BALL,
                                     CRN_JOINT_SLIDER, CRN_JOINT_FIXED, CRN_JOINT_DISTANCE};
    const crn_joint_kind spatial[] = {CRN_JOINT_HINGE,     CRN_JOINT_HINGE, CRN_JOINT_BALL,     CRN_JOINT_BALL,
                                      CRN_JOINT_SLIDER,    CRN_JOINT_FIXED, CRN_JOINT_DISTANCE, CRN_JOINT_PLANAR,
                                      CRN_JOINT_UNIVERSAL, CRN_JOINT_FREE};
    return s->is_planar ? planar[crn_random_count(s, 0, 6)] : spatial[crn_random_count(s, 0, 9)];
}

void crn_random_join(crn_random_scene *s, int a, const crn_random_solid *b, crn_vec3 point, bool is_link)
{
    crn_joint_kind kind = any_kind(s);
    if (kind == CRN_JOINT_FREE && a < 0) { /* only between bodies */
        kind = CRN_JOINT_BALL;
    }
    if (kind == CRN_JOINT_DISTANCE && !(crn_random_distance(point, b->pose.position) > 0.0)) {
        kind = CRN_JOINT_BALL;
    }
    crn_random_join_by(s, kind, a, b, (crn_pose){point, frame_of(s, kind)}, is_link);
}
