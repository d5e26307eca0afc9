/* Is a joint well described? Which bodies it joins is checked where they are known. */
#include "model/check.h"

#include "math/rigid.h"

/* --- Coordinates --- */

static bool has_limits(const crn_joint_axis *axis)
{
    return axis->lower <= axis->upper;
}

static void check_limits(crn_check *check, const crn_joint_axis *axis)
{
    if (isnan(axis->lower) || isnan(axis->upper)) {
        crn_check_fail(check, "limits", "must be numbers, but are %g and %g", axis->lower, axis->upper);
    }
    if (has_limits(axis) && (axis->lower == INFINITY || axis->upper == -INFINITY)) {
        crn_check_fail(check, "limits", "nothing is between %g and %g", axis->lower, axis->upper);
    }
}

static void check_motor(crn_check *check, const crn_joint_axis *axis)
{
    char name[CRN_CHECK_WHERE];
    crn_check part = crn_check_part(check, "motor", -1, name);
    crn_check_profile(&part, "speed", &axis->speed);
    crn_check_profile(&part, "target", &axis->target);
    crn_check_not_negative_or_infinite(&part, "max_force", axis->max_force);
    check->status = part.status;
}

static void check_spring(crn_check *check, const crn_joint_axis *axis)
{
    char name[CRN_CHECK_WHERE];
    crn_check part = crn_check_part(check, "spring", -1, name);
    crn_check_not_negative(&part, "stiffness", axis->stiffness);
    crn_check_not_negative(&part, "damping", axis->damping);
    crn_check_not_negative(&part, "limit", axis->spring_limit);
    check->status = part.status;
}

static void check_follows(crn_check *check, const crn_joint_axis *axis)
{
    if (axis->follows < 0) {
        crn_check_fail(check, "follows", "must be 0 or 1 + the index of a joint, but is %d", axis->follows);
    }
    char name[CRN_CHECK_WHERE];
    crn_check part = crn_check_part(check, "follows", -1, name);
    if (axis->follows != 0) {
        crn_check_finite(&part, "ratio", axis->ratio);
        crn_check_finite(&part, "shift", axis->shift);
    }
    check->status = part.status;
}

static bool has_spring(const crn_joint_axis *axis)
{
    return axis->stiffness != 0.0 || axis->damping != 0.0 || axis->spring_limit != 0.0;
}

static void check_outside_of_trees(crn_check *check, const crn_joint_axis *axis)
{
    static const char *const only = "is for joints in trees only";
    if (has_spring(axis)) {
        crn_check_fail(check, "spring", "%s", only);
    }
    if (axis->armature != 0.0) {
        crn_check_fail(check, "armature", "%s", only);
    }
    if (axis->follows != 0) {
        crn_check_fail(check, "follows", "%s", only);
    }
}

static void check_axis(crn_check *check, const crn_joint_axis *axis, bool in_tree)
{
    check_limits(check, axis);
    check_motor(check, axis);
    crn_check_not_negative(check, "friction", axis->friction);
    crn_check_profile(check, "force", &axis->force);
    check_spring(check, axis);
    crn_check_not_negative(check, "armature", axis->armature);
    check_follows(check, axis);
    if (!in_tree) {
        check_outside_of_trees(check, axis);
    }
}

/* All turns of a ball joint in a tree: what needs a coordinate is not for it. */
static void check_turns(crn_check *check, const crn_joint_axis *axis)
{
    static const char *const none = "needs a coordinate, and ball joints have none";
    if (has_limits(axis)) {
        crn_check_fail(check, "limits", "%s", none);
    }
    if (axis->has_motor) {
        crn_check_fail(check, "motor", "%s", none);
    }
    if (!crn_profile_is_zero(&axis->target)) {
        crn_check_fail(check, "spring.target", "%s", none);
    }
    if (!crn_profile_is_zero(&axis->force)) {
        crn_check_fail(check, "force", "%s", none);
    }
    if (axis->follows != 0) {
        crn_check_fail(check, "follows", "%s", none);
    }
}

/* A coordinate that the joint does not have. */
static void check_absent(crn_check *check, const crn_joint_axis *axis, crn_joint_kind kind)
{
    const char *what =
        has_limits(axis) || axis->has_motor || axis->friction != 0.0 ? "limits, motor or friction"
        : has_spring(axis) || axis->armature != 0.0 || axis->follows != 0 || !crn_profile_is_zero(&axis->force)
            ? "force, spring, armature or follows"
            : NULL;
    if (what != NULL) {
        crn_check_fail(check, NULL, "%s, but %s joints have %d coordinates", what, crn_joint_kind_name(kind),
                       crn_joint_kind_coordinates(kind));
    }
}

int crn_joint_def_axes(const crn_joint_def *def)
{
    return def->kind == CRN_JOINT_BALL && def->in_tree ? 1 : crn_joint_kind_coordinates(def->kind);
}

static void check_axes(crn_check *check, const crn_joint_def *def)
{
    int axes = crn_joint_def_axes(def);
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX && check->status == CRN_OK; ++i) {
        const crn_joint_axis *axis = &def->axis[i];
        char name[CRN_CHECK_WHERE];
        crn_check part = crn_check_part(check, "axes", i, name);
        if (i < axes) {
            /* The fields of the only coordinate are written beside the joint's own. */
            check_axis(axes == 1 ? check : &part, axis, def->in_tree);
        } else {
            check_absent(&part, axis, def->kind);
        }
        if (i < axes && def->kind == CRN_JOINT_BALL) {
            check_turns(check, axis);
        }
        check->status = check->status != CRN_OK ? check->status : part.status;
    }
}

static void check_distance(crn_check *check, const crn_joint_def *def)
{
    const crn_joint_axis *axis = &def->axis[0];
    if (!has_limits(axis)) {
        crn_check_positive(check, "length", def->length);
        bool has_force = !crn_profile_is_zero(&axis->force);
        if (axis->has_motor || axis->friction != 0.0 || has_force) {
            crn_check_fail(check,
                           axis->has_motor ? "motor"
                           : has_force     ? "force"
                                           : "friction",
                           "is for distance joints with limits only: this one is held at its length");
        }
    } else if (axis->upper <= 0.0) {
        crn_check_fail(check, "limits", "the upper one must be > 0 for a distance, but is %.9g", axis->upper);
    }
}

/* --- Planar worlds --- */

/* The world's z in the joint frame; turns about z leave it where it is, so a joint that closes has the same in a and b. */
static crn_vec3 upright(const crn_pose *frame)
{
    return crn_quat_turn(crn_quat_conjugate(frame->rotation), crn_v3(0.0, 0.0, 1.0));
}

static void check_planar_kind(crn_check *check, const crn_joint_def *def)
{
    double z = upright(&def->frame_a).z; /* cosine between the joint's z and the world's */
    switch (def->kind) {
    case CRN_JOINT_BALL:
    case CRN_JOINT_FIXED:
    case CRN_JOINT_DISTANCE:
    case CRN_JOINT_FREE: return;
    case CRN_JOINT_HINGE:
        if (!(fabs(fabs(z) - 1.0) <= CRN_UNIT_TOLERANCE)) {
            crn_check_fail(check, "frame_a", "a hinge of a planar world must turn about z");
        }
        return;
    case CRN_JOINT_SLIDER:
        if (!(fabs(z) <= CRN_UNIT_TOLERANCE)) {
            crn_check_fail(check, "frame_a", "a slider of a planar world must move in the plane");
        }
        return;
    case CRN_JOINT_UNIVERSAL:
    case CRN_JOINT_PLANAR:
        crn_check_fail(check, "kind", "%s joints are not for a planar world", crn_joint_kind_name(def->kind));
        return;
    }
}

static void check_planar(crn_check *check, const crn_joint_def *def)
{
    check_planar_kind(check, def);
    bool needs_turn = def->kind != CRN_JOINT_BALL && def->kind != CRN_JOINT_DISTANCE && def->kind != CRN_JOINT_FREE;
    double apart = crn_v3_length(crn_v3_sub(upright(&def->frame_a), upright(&def->frame_b)));
    if (needs_turn && !(apart <= 4.0 * CRN_UNIT_TOLERANCE)) { /* both frames may be off, twice each */
        crn_check_fail(check, "frame_b", "cannot meet frame_a by turns about z");
    }
}

/* --- All of it --- */

static void check_frame(crn_check *check, const char *field, const crn_pose *frame)
{
    char name[CRN_CHECK_WHERE];
    crn_check part = crn_check_part(check, field, -1, name);
    crn_check_in_plane(&part, "position", frame->position);
    crn_check_rotation(&part, "rotation", frame->rotation, false);
    check->status = part.status;
}

crn_status crn_joint_def_check(const crn_joint_def *def, bool is_planar, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, is_planar, error);
    if (check.status != CRN_OK) {
        return check.status;
    }
    crn_check_made(&check, def->cookie, "crn_joint_def_default");
    crn_check_name(&check, "name", def->name);
    if ((unsigned)def->kind >= CRN_JOINT_KIND_COUNT) {
        crn_check_fail(&check, "kind", "%d is unknown", (int)def->kind);
        return check.status;
    }
    check_frame(&check, "frame_a", &def->frame_a);
    check_frame(&check, "frame_b", &def->frame_b);
    crn_check_not_negative(&check, "length", def->length);
    check_axes(&check, def);
    if (def->in_tree && def->kind == CRN_JOINT_DISTANCE) {
        crn_check_fail(&check, "in_tree", "distance joints cannot be in a tree");
    }
    if (check.status == CRN_OK && def->kind == CRN_JOINT_DISTANCE) {
        check_distance(&check, def);
    }
    if (check.status == CRN_OK && is_planar) {
        check_planar(&check, def);
    }
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}
