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

static void check_axis(crn_check *check, const crn_joint_axis *axis)
{
    check_limits(check, axis);
    check_motor(check, axis);
    crn_check_not_negative(check, "friction", axis->friction);
}

static void check_axes(crn_check *check, const crn_joint_def *def)
{
    int coordinates = crn_joint_kind_coordinates(def->kind);
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX && check->status == CRN_OK; ++i) {
        const crn_joint_axis *axis = &def->axis[i];
        char name[CRN_CHECK_WHERE];
        crn_check part = crn_check_part(check, "axes", i, name);
        if (i < coordinates) {
            /* The fields of the only coordinate are written beside the joint's own. */
            check_axis(coordinates == 1 ? check : &part, axis);
        } else if (has_limits(axis) || axis->has_motor || axis->friction != 0.0) {
            crn_check_fail(&part, NULL, "limits, motor or friction, but %s joints have %d coordinates",
                           crn_joint_kind_name(def->kind), coordinates);
        }
        check->status = check->status != CRN_OK ? check->status : part.status;
    }
}

static void check_distance(crn_check *check, const crn_joint_def *def)
{
    const crn_joint_axis *axis = &def->axis[0];
    if (!has_limits(axis)) {
        crn_check_positive(check, "length", def->length);
        if (axis->has_motor || axis->friction != 0.0) {
            crn_check_fail(check, axis->has_motor ? "motor" : "friction",
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
    case CRN_JOINT_DISTANCE: return;
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
    bool needs_turn = def->kind != CRN_JOINT_BALL && def->kind != CRN_JOINT_DISTANCE;
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
    crn_check_name(&check, "name", def->name);
    if ((unsigned)def->kind >= CRN_JOINT_KIND_COUNT) {
        crn_check_fail(&check, "kind", "%d is unknown", (int)def->kind);
        return check.status;
    }
    check_frame(&check, "frame_a", &def->frame_a);
    check_frame(&check, "frame_b", &def->frame_b);
    crn_check_not_negative(&check, "length", def->length);
    check_axes(&check, def);
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
