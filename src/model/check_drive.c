/* Checks of tendons, and of actuators, which drive them or joints. */
#include "model/check.h"

#include <math.h>
#include <string.h>

/* --- Tendons --- */

static const char *const part_names[CRN_TENDON_PART_KIND_COUNT] = {"joint", "site", "sphere", "cylinder", "pulley"};

const char *crn_tendon_part_kind_name(crn_tendon_part_kind kind)
{
    return (unsigned)kind < CRN_TENDON_PART_KIND_COUNT ? part_names[kind] : NULL;
}

bool crn_tendon_part_kind_find(const char *name, crn_tendon_part_kind *kind)
{
    for (int i = 0; name != NULL && i < CRN_TENDON_PART_KIND_COUNT; ++i) {
        if (strcmp(part_names[i], name) == 0) {
            *kind = (crn_tendon_part_kind)i;
            return true;
        }
    }
    return false;
}

static bool is_round(const crn_tendon_part *part)
{
    return part->kind == CRN_TENDON_SPHERE || part->kind == CRN_TENDON_CYLINDER;
}

static void check_part(const crn_check *whole, const crn_tendon_part *part, int index, crn_status *status)
{
    char name[CRN_CHECK_WHERE];
    crn_check check = crn_check_part(whole, "parts", index, name);
    if ((unsigned)part->kind >= CRN_TENDON_PART_KIND_COUNT) {
        crn_check_fail(&check, "kind", "%d is unknown", (int)part->kind);
    } else if (part->kind == CRN_TENDON_JOINT) {
        crn_check_finite(&check, "factor", part->factor);
    } else if (part->kind == CRN_TENDON_PULLEY) {
        crn_check_positive(&check, "factor", part->factor);
    } else if (is_round(part)) {
        crn_check_vector(&check, "position", part->pose.position);
        crn_check_rotation(&check, "rotation", part->pose.rotation, check.is_planar);
        crn_check_positive(&check, "radius", part->radius);
    }
    *status = check.status;
}

/* Is part i between two sites? */
static bool is_between_sites(const crn_tendon_def *def, int i)
{
    return i > 0 && def->part[i - 1].kind == CRN_TENDON_SITE && i + 1 < def->parts &&
           def->part[i + 1].kind == CRN_TENDON_SITE;
}

/* A path: from pulley to pulley at least two sites; what is round lies between two. The end is as good as a pulley. */
static void check_path(crn_check *check, const crn_tendon_def *def)
{
    int sites = 0;
    for (int i = 0; i <= def->parts; ++i) {
        crn_tendon_part_kind kind = i < def->parts ? def->part[i].kind : CRN_TENDON_PULLEY;
        if (kind == CRN_TENDON_JOINT) {
            crn_check_fail(check, "parts", "part %d is a joint, and part 0 is none", i);
        } else if (i < def->parts && is_round(&def->part[i]) && !is_between_sites(def, i)) {
            crn_check_fail(check, "parts", "part %d, a %s, is not between two sites", i, part_names[kind]);
        } else if (kind == CRN_TENDON_PULLEY && i > 0 && sites < 2) {
            crn_check_fail(check, "parts", "a path must have two sites; it has %d before part %d", sites, i);
        }
        sites = kind == CRN_TENDON_PULLEY ? 0 : sites + (kind == CRN_TENDON_SITE);
    }
}

static void check_parts(crn_check *check, const crn_tendon_def *def)
{
    if (def->parts < 1 || def->part == NULL) {
        crn_check_fail(check, "parts", "%d of them; there must be one at least", def->parts);
        return;
    }
    for (int i = 0; i < def->parts && check->status == CRN_OK; ++i) {
        check_part(check, &def->part[i], i, &check->status);
    }
    if (check->status == CRN_OK && def->part[0].kind != CRN_TENDON_JOINT) {
        check_path(check, def);
    }
    for (int i = 0; i < def->parts && check->status == CRN_OK && def->part[0].kind == CRN_TENDON_JOINT; ++i) {
        if (def->part[i].kind != CRN_TENDON_JOINT) {
            crn_check_fail(check, "parts", "part 0 is a joint, and part %d is none", i);
        }
    }
}

static void check_limits(crn_check *check, const crn_tendon_def *def)
{
    if (isnan(def->lower) || isnan(def->upper)) {
        crn_check_fail(check, "limits", "must be numbers");
    }
    if (!(def->rest_lower > def->rest_upper)) { /* else: at the start */
        crn_check_finite(check, "rest", def->rest_lower);
        crn_check_finite(check, "rest", def->rest_upper);
    }
}

crn_status crn_tendon_def_check(const crn_tendon_def *def, bool is_planar, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, is_planar, error);
    if (check.status != CRN_OK) {
        return check.status;
    }
    crn_check_made(&check, def->cookie, "crn_tendon_def_default");
    crn_check_name(&check, "name", def->name);
    check_parts(&check, def);
    check_limits(&check, def);
    crn_check_not_negative(&check, "stiffness", def->stiffness);
    crn_check_not_negative(&check, "damping", def->damping);
    crn_check_not_negative(&check, "limit", def->spring_limit);
    crn_check_not_negative(&check, "friction", def->friction);
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}

bool crn_joint_has_tendon(const crn_joint_def *def, int coordinate)
{
    int coordinates = def->kind == CRN_JOINT_BALL ? 1 : crn_joint_kind_coordinates(def->kind);
    return def->in_tree && coordinate >= 0 && coordinate < coordinates;
}

/* --- Actuators --- */

static void check_range(crn_check *check, const char *field, double lower, double upper)
{
    if (!(lower <= upper) || lower == INFINITY || upper == -INFINITY) {
        crn_check_fail(check, field, "must lie above the lower limit, %.9g, but is %.9g", lower, upper);
    }
}

static void check_joint(crn_check *check, const crn_actuator_def *def, const crn_joint_def *joint)
{
    int coordinates = joint != NULL ? crn_joint_kind_coordinates(joint->kind) : 0;
    if (joint == NULL) {
        crn_check_fail(check, "joint", "there is no joint %d", def->joint);
    } else if (def->coordinate < 0 || def->coordinate >= coordinates) {
        crn_check_fail(check, "coordinate", "is %d, but %s joints have %d coordinates", def->coordinate,
                       crn_joint_kind_name(joint->kind), coordinates);
    } else if (def->moves_target && !(joint->axis[def->coordinate].stiffness > 0.0)) {
        crn_check_fail(check, "moves_target", "the coordinate has no spring");
    }
}

static void check_tendon(crn_check *check, const crn_actuator_def *def, const crn_tendon_def *tendon)
{
    if (def->joint >= 0) {
        crn_check_fail(check, "tendon", "there is a joint already");
    } else if (tendon == NULL) {
        crn_check_fail(check, "tendon", "there is no tendon %d", def->tendon);
    } else if (def->moves_target && !(tendon->stiffness > 0.0)) {
        crn_check_fail(check, "moves_target", "the tendon has no spring");
    }
}

crn_status crn_actuator_def_check(const crn_actuator_def *def, const crn_joint_def *joint, const crn_tendon_def *tendon,
                                  const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, false, error);
    if (check.status != CRN_OK) {
        return check.status;
    }
    crn_check_made(&check, def->cookie, "crn_actuator_def_default");
    crn_check_name(&check, "name", def->name);
    if (def->tendon >= 0) {
        check_tendon(&check, def, tendon);
    } else {
        check_joint(&check, def, joint);
    }
    crn_check_finite(&check, "gain", def->gain);
    check_range(&check, "upper", def->lower, def->upper);
    check_range(&check, "force_upper", def->force_lower, def->force_upper);
    crn_check_not_negative(&check, "time_constant", def->time_constant);
    crn_check_finite(&check, "control", def->control);
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}
