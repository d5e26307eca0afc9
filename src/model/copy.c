/* Copies of checked definitions, settled: two definitions that mean the same give the same copy, and a copy of a copy is
 * the same to the bit (so a scene that is written and read again is the same).
 *
 *   rotations, axes    unit to rounding; in planar worlds exactly about z
 *   inertia            exactly symmetric; of a planar body, entry (2,2) alone
 *   shapes             sizes and points that the kind does not use are 0
 *   limits             lower > upper, whatever they are: +inf and -inf
 *   coordinates        those that the kind of joint does not have: as crn_joint_def_default() leaves them, but for axis[0]
 *                      of a ball joint in a tree, which counts for all its turns
 *   ratio, shift       of a coordinate that follows none: 1 and 0
 */
#include "model/copy.h"
#include "model/check.h"

#include "collide/collide_room.h"
#include "math/rigid.h"

#include <float.h>
#include <string.h>

/* A square sum this near to 1 is left alone. Each component of a normalised quaternion has a relative error of at most 5
 * roundings (half of the sum's 4, root, quotient, product), their square sum, evaluated, of 14: 7 epsilon. So doing it
 * again changes nothing. */
static const double settled = 8.0 * DBL_EPSILON;

static bool is_settled(double square)
{
    return fabs(square - 1.0) <= settled;
}

static crn_quat settle_rotation(crn_quat q, bool is_about_z)
{
    if (is_about_z) {
        q.x = q.y = 0.0;
    }
    return is_settled(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z) ? q : crn_quat_unit(q);
}

static crn_vec3 settle_axis(crn_vec3 axis, bool is_along_z)
{
    if (is_along_z) {
        return crn_v3(0.0, 0.0, axis.z > 0.0 ? 1.0 : -1.0);
    }
    return is_settled(crn_v3_dot(axis, axis)) ? axis : crn_v3_unit(axis);
}

/* --- What definitions point to --- */

static const double *copy_reals(const double *values, size_t count, crn_arena *arena)
{
    double *copy = CRN_TAKE(arena, double, count);
    if (copy != NULL) {
        memcpy(copy, values, count * sizeof(double));
    }
    return copy;
}

static const int *copy_indices(const int *values, size_t count, crn_arena *arena)
{
    int *copy = CRN_TAKE(arena, int, count);
    if (copy != NULL) {
        memcpy(copy, values, count * sizeof(int));
    }
    return copy;
}

static const char *copy_name(const char *name, crn_arena *arena)
{
    if (name == NULL) {
        return NULL;
    }
    char *copy = CRN_TAKE(arena, char, strlen(name) + 1);
    if (copy != NULL) {
        memcpy(copy, name, strlen(name) + 1);
    }
    return copy;
}

static crn_profile copy_profile(const crn_profile *profile, crn_arena *arena)
{
    crn_profile copy = *profile;
    copy.times = copy.values = NULL;
    if (profile->count > 0) {
        copy.times = copy_reals(profile->times, (size_t)profile->count, arena);
        copy.values = copy_reals(profile->values, (size_t)profile->count, arena);
    }
    return copy;
}

/* --- Shapes --- */

static crn_shape_def copy_shape(const crn_shape_def *shape, crn_arena *arena)
{
    crn_shape_def copy = crn_shape_def_settled(shape);
    size_t numbers = crn_shape_def_numbers(&copy);
    copy.points = numbers > 0 ? copy_reals(copy.points, numbers, arena) : NULL;
    if (copy.triangles != NULL) {
        copy.triangles = copy_indices(copy.triangles, 3 * (size_t)copy.triangle_count, arena);
    }
    return copy;
}

static const crn_body_shape *copy_shapes(const crn_body_shape *shape, int count, bool is_planar, crn_arena *arena)
{
    crn_body_shape *list = count > 0 ? CRN_TAKE(arena, crn_body_shape, count) : NULL;
    for (int i = 0; i < count; ++i) {
        crn_body_shape copy = shape[i];
        copy.shape = copy_shape(&copy.shape, arena);
        copy.pose.rotation = settle_rotation(copy.pose.rotation, is_planar);
        if (list != NULL) {
            list[i] = copy;
        }
    }
    return list;
}

/* --- Bodies --- */

static crn_mat3 settle_inertia(const crn_mat3 *inertia, bool is_planar)
{
    crn_mat3 copy = *inertia;
    for (int j = 0; j < 3; ++j) {
        for (int i = j + 1; i < 3; ++i) {
            copy.m[i + 3 * j] = copy.m[j + 3 * i] = 0.5 * inertia->m[i + 3 * j] + 0.5 * inertia->m[j + 3 * i];
        }
    }
    return is_planar ? (crn_mat3){{0, 0, 0, 0, 0, 0, 0, 0, inertia->m[8]}} : copy;
}

static crn_motion copy_motion(const crn_motion *motion, bool is_planar, crn_arena *arena)
{
    crn_motion copy = {.x = copy_profile(&motion->x, arena),
                       .y = copy_profile(&motion->y, arena),
                       .z = copy_profile(&motion->z, arena),
                       .axis = motion->axis,
                       .angle = copy_profile(&motion->angle, arena)};
    if (!crn_profile_is_zero(&motion->angle)) { /* a body that does not turn may have any axis */
        copy.axis = settle_axis(copy.axis, is_planar);
    }
    return copy;
}

crn_body_def crn_body_def_copy(const crn_body_def *def, bool is_planar, crn_arena *arena)
{
    crn_body_def copy = *def;
    copy.name = copy_name(def->name, arena);
    copy.pose.rotation = settle_rotation(def->pose.rotation, is_planar);
    copy.inertia = settle_inertia(&def->inertia, is_planar);
    copy.motion = copy_motion(&def->motion, is_planar, arena);
    copy.shape = copy_shapes(def->shape, def->shapes, is_planar, arena);
    copy.picture = copy_shapes(def->picture, def->pictures, is_planar, arena);
    copy.user = NULL;
    return copy;
}

/* --- Joints, sites, loads, probes --- */

static crn_joint_axis copy_axis(const crn_joint_axis *axis, crn_arena *arena)
{
    crn_joint_axis copy = *axis;
    copy.speed = copy_profile(&axis->speed, arena);
    copy.target = copy_profile(&axis->target, arena);
    copy.force = copy_profile(&axis->force, arena);
    if (copy.lower > copy.upper) {
        copy.lower = INFINITY;
        copy.upper = -INFINITY;
    }
    if (copy.follows == 0) {
        copy.ratio = 1.0;
        copy.shift = 0.0;
    }
    return copy;
}

/* All turns of a ball joint in a tree: only what needs no coordinate. */
static crn_joint_axis copy_turns(const crn_joint_axis *axis, const crn_joint_axis *plain)
{
    crn_joint_axis copy = *plain;
    copy.friction = axis->friction;
    copy.stiffness = axis->stiffness;
    copy.damping = axis->damping;
    copy.spring_limit = axis->spring_limit;
    copy.armature = axis->armature;
    return copy;
}

crn_joint_def crn_joint_def_copy(const crn_joint_def *def, crn_arena *arena)
{
    const crn_joint_def plain = crn_joint_def_default();
    crn_joint_def copy = *def;
    copy.name = copy_name(def->name, arena);
    copy.frame_a.rotation = settle_rotation(def->frame_a.rotation, false);
    copy.frame_b.rotation = settle_rotation(def->frame_b.rotation, false);
    int coordinates = crn_joint_kind_coordinates(def->kind);
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX; ++i) {
        copy.axis[i] = i < coordinates ? copy_axis(&def->axis[i], arena) : plain.axis[i];
    }
    if (crn_joint_def_axes(def) > coordinates) {
        copy.axis[0] = copy_turns(&def->axis[0], &plain.axis[0]);
    }
    copy.length = def->kind == CRN_JOINT_DISTANCE ? def->length : 0.0;
    copy.user = NULL;
    return copy;
}

crn_site_def crn_site_def_copy(const crn_site_def *def, bool is_planar, crn_arena *arena)
{
    crn_site_def copy = *def;
    copy.name = copy_name(def->name, arena);
    copy.pose.rotation = settle_rotation(def->pose.rotation, is_planar);
    return copy;
}

/* What the kind does not use as by default. */
static crn_tendon_part copy_part(const crn_tendon_part *part, bool is_planar)
{
    crn_tendon_part copy = crn_tendon_part_default();
    bool is_round = part->kind == CRN_TENDON_SPHERE || part->kind == CRN_TENDON_CYLINDER;
    copy.kind = part->kind;
    if (part->kind == CRN_TENDON_JOINT) {
        copy.joint = part->joint;
        copy.coordinate = part->coordinate;
    }
    if (part->kind == CRN_TENDON_JOINT || part->kind == CRN_TENDON_PULLEY) {
        copy.factor = part->factor;
    }
    if (part->kind == CRN_TENDON_SITE) {
        copy.site = part->site;
    }
    if (is_round) {
        copy.body = part->body;
        copy.pose = part->pose;
        copy.pose.rotation = settle_rotation(part->pose.rotation, is_planar);
        copy.radius = part->radius;
        copy.side = part->side;
    }
    return copy;
}

crn_tendon_def crn_tendon_def_copy(const crn_tendon_def *def, bool is_planar, crn_arena *arena)
{
    crn_tendon_def copy = *def;
    copy.name = copy_name(def->name, arena);
    crn_tendon_part *part = CRN_TAKE(arena, crn_tendon_part, def->parts);
    for (int i = 0; arena->data != NULL && i < def->parts; ++i) {
        part[i] = copy_part(&def->part[i], is_planar);
    }
    copy.part = part;
    return copy;
}

crn_actuator_def crn_actuator_def_copy(const crn_actuator_def *def, crn_arena *arena)
{
    crn_actuator_def copy = *def;
    copy.name = copy_name(def->name, arena);
    return copy;
}

crn_key_def crn_key_def_copy(const crn_key_def *def, crn_arena *arena)
{
    crn_key_def copy = *def;
    copy.name = copy_name(def->name, arena);
    crn_key_state *state = CRN_TAKE(arena, crn_key_state, def->states);
    double *control = CRN_TAKE(arena, double, def->controls);
    if (arena->data != NULL && def->states > 0) {
        memcpy(state, def->state, (size_t)def->states * sizeof *state);
    }
    if (arena->data != NULL && def->controls > 0) {
        memcpy(control, def->control, (size_t)def->controls * sizeof *control);
    }
    copy.state = state;
    copy.control = control;
    return copy;
}

crn_load_def crn_load_def_copy(const crn_load_def *def, crn_arena *arena)
{
    crn_load_def copy = *def;
    copy.name = copy_name(def->name, arena);
    copy.factor = copy_profile(&def->factor, arena);
    return copy;
}

crn_probe_def crn_probe_def_copy(const crn_probe_def *def, crn_arena *arena)
{
    crn_probe_def copy = *def;
    copy.name = copy_name(def->name, arena);
    copy.only = crn_probe_kind_target(def->kind) == CRN_PROBE_OF_JOINT ? def->only : 0;
    return copy;
}
