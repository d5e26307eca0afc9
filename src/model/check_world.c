/* Are a world, a site and a load well described? */
#include "model/check.h"

#include <math.h>

static void check_solver(crn_check *check, const crn_world_def *def)
{
    if ((unsigned)def->scheme >= CRN_SCHEME_COUNT) {
        crn_check_fail(check, "scheme", "%d is unknown", (int)def->scheme);
    }
    if ((unsigned)def->cone > CRN_CONE_ROUND) {
        crn_check_fail(check, "cone", "%d is unknown", (int)def->cone);
    }
    if (def->scheme == CRN_SCHEME_CONVEX && def->cone != CRN_CONE_ROUND) {
        crn_check_fail(check, "cone", "must be round for the convex scheme");
    }
    if (def->directions < 4 || def->directions % 2 != 0) {
        crn_check_fail(check, "directions", "must be even and >= 4, but is %d", def->directions);
    }
    if ((unsigned)def->method >= CRN_CONTACT_METHOD_COUNT) {
        crn_check_fail(check, "method", "%d is unknown", (int)def->method);
    }
    if ((unsigned)def->friction_rule >= CRN_FRICTION_RULE_COUNT) {
        crn_check_fail(check, "friction_rule", "%d is unknown", (int)def->friction_rule);
    }
    crn_check_not_negative(check, "tol", def->tol);
    crn_check_not_negative(check, "margin", def->margin);
    crn_check_not_negative_or_infinite(check, "restitution_speed", def->restitution_speed);
    crn_check_not_negative_or_infinite(check, "recovery_speed", def->recovery_speed);
    crn_check_not_negative(check, "joint_tolerance", def->joint_tolerance);
    crn_check_not_negative(check, "reduce_distance", def->reduce_distance);
    crn_check_not_negative(check, "sleep_time", def->sleep_time);
    crn_check_not_negative(check, "sleep_speed", def->sleep_speed);
}

static void check_trees(crn_check *check, const crn_world_def *def)
{
    if ((unsigned)def->integrator >= CRN_INTEGRATOR_COUNT) {
        crn_check_fail(check, "integrator", "%d is unknown", (int)def->integrator);
    }
    crn_check_not_negative(check, "drift_turn", def->drift_turn);
    crn_check_not_negative(check, "repair_tolerance", def->repair_tolerance);
    crn_check_finite(check, "loop_clearance", def->loop_clearance);
}

crn_status crn_world_def_check(const crn_world_def *def, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, false, error);
    if (def == NULL) {
        return check.status;
    }
    crn_check_made(&check, def->cookie, "crn_world_def_default");
    check.is_planar = def->is_planar;
    crn_check_in_plane(&check, "gravity", def->gravity);
    crn_check_positive(&check, "dt", def->dt);
    crn_check_not_negative(&check, "duration", def->duration);
    check_solver(&check, def);
    check_trees(&check, def);
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}

crn_status crn_pair_def_check(const crn_pair_def *def, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, false, error);
    if (check.status != CRN_OK) {
        return check.status;
    }
    crn_check_made(&check, def->cookie, "crn_pair_def_default");
    crn_check_finite(&check, "friction", def->friction);
    if (!(def->restitution <= 1.0)) {
        crn_check_fail(&check, "restitution", "must be at most 1, but is %g", def->restitution);
    }
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}

/* How many sizes a zone of that kind has; 0: there is none of it. */
static int zone_sizes(crn_shape_kind kind)
{
    switch (kind) {
    case CRN_SHAPE_SPHERE: return 1;
    case CRN_SHAPE_CAPSULE:
    case CRN_SHAPE_CYLINDER: return 2;
    case CRN_SHAPE_ELLIPSOID:
    case CRN_SHAPE_BOX: return 3;
    default: return 0;
    }
}

static void check_zone(crn_check *check, const crn_site_def *def)
{
    const double size[3] = {def->zone_size.x, def->zone_size.y, def->zone_size.z};
    int sizes = zone_sizes(def->zone);
    bool is_any = size[0] != 0.0 || size[1] != 0.0 || size[2] != 0.0;
    if (sizes == 0) {
        crn_check_fail(check, "zone", "must be a sphere, capsule, cylinder, ellipsoid or box");
    }
    for (int k = 0; k < sizes && is_any; ++k) {
        if (!(size[k] > 0.0 && size[k] < (double)INFINITY)) {
            crn_check_fail(check, "zone_size", "must be positive and finite, or 0 throughout");
        }
    }
}

crn_status crn_site_def_check(const crn_site_def *def, bool is_planar, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, is_planar, error);
    if (check.status == CRN_OK) {
        crn_check_made(&check, def->cookie, "crn_site_def_default");
        crn_check_name(&check, "name", def->name);
        crn_check_pose(&check, &def->pose);
        check_zone(&check, def);
    }
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}

crn_status crn_load_def_check_in(const crn_load_def *def, bool is_planar, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, is_planar, error);
    if (check.status != CRN_OK) {
        return check.status;
    }
    crn_check_made(&check, def->cookie, "crn_load_def_default");
    crn_check_name(&check, "name", def->name);
    crn_check_in_plane(&check, "force", def->force);
    crn_check_along_z(&check, "torque", def->torque);
    crn_check_in_plane(&check, "point", def->point);
    crn_check_profile(&check, "factor", &def->factor);
    if (isnan(def->from) || def->from == INFINITY) {
        crn_check_fail(&check, "from", "must be a time, but is %g", def->from);
    }
    if (!(def->until > def->from)) {
        crn_check_fail(&check, "until", "must be later than from, %.9g, but is %.9g", def->from, def->until);
    }
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}

crn_status crn_load_def_check(const crn_load_def *def, const char *where, crn_error *error)
{
    return crn_load_def_check_in(def, false, where, error);
}
