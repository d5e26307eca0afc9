/* Is a body well described? */
#include "math/elementary.h"
#include "model/check.h"

#include <math.h>

static bool is_zero(crn_vec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

/* --- Mass --- */

static bool has_entries(const crn_mat3 *inertia)
{
    for (int k = 0; k < 9; ++k) {
        if (inertia->m[k] != 0.0) { /* NaN too */
            return true;
        }
    }
    return false;
}

static void check_symmetric(crn_check *check, const double *m)
{
    double largest = 0.0;
    for (int k = 0; k < 9; ++k) {
        if (!isfinite(m[k])) {
            crn_check_fail(check, "inertia", "must be finite, but entry (%d, %d) is %g", k % 3 + 1, k / 3 + 1, m[k]);
        }
        largest = crn_fmax(largest, fabs(m[k]));
    }
    for (int j = 0; j < 3; ++j) {
        for (int i = j + 1; i < 3; ++i) {
            if (!(fabs(m[i + 3 * j] - m[j + 3 * i]) <= CRN_SYMMETRY_TOLERANCE * largest)) {
                crn_check_fail(check, "inertia",
                               "must be symmetric, but entries (%d, %d) and (%d, %d) are %.9g and %.9g", i + 1, j + 1,
                               j + 1, i + 1, m[i + 3 * j], m[j + 3 * i]);
            }
        }
    }
}

/* Elimination of a symmetric 3x3 matrix meets positive pivots only? */
static bool is_definite(const double *m)
{
    double l1 = m[1] / m[0], l2 = m[2] / m[0];
    double d1 = m[4] - l1 * m[1], s = m[5] - l1 * m[2], d2 = m[8] - l2 * m[2];
    return m[0] > 0.0 && d1 > 0.0 && d2 - s / d1 * s > 0.0;
}

/* Do the principal moments A <= B <= C satisfy A + B >= C, but for CRN_INERTIA_SLACK? Then tr(I)/2 1 - I, the second
 * moments of the mass, is positive semidefinite. */
static bool is_of_a_body(const double *m)
{
    double trace = m[0] + m[4] + m[8], half = 0.5 * (1.0 + CRN_INERTIA_SLACK) * trace;
    double second[9];
    for (int k = 0; k < 9; ++k) {
        second[k] = (k % 4 == 0 ? half : 0.0) - m[k];
    }
    return is_definite(second);
}

static void check_inertia(crn_check *check, const crn_mat3 *inertia)
{
    if (!has_entries(inertia)) {
        return;
    }
    if (check->is_planar) {
        crn_check_positive(check, "inertia", inertia->m[8]);
        return;
    }
    check_symmetric(check, inertia->m);
    if (check->status == CRN_OK && !is_definite(inertia->m)) {
        crn_check_fail(check, "inertia", "must be positive definite");
    }
    if (check->status == CRN_OK && !is_of_a_body(inertia->m)) {
        crn_check_fail(check, "inertia",
                       "no body has it: of the principal moments two must sum up to the third at least");
    }
}

/* Has some shape volume and density? */
static bool has_solid(const crn_body_def *def)
{
    for (int i = 0; i < def->shapes; ++i) {
        if (crn_shape_kind_has_mass(def->shape[i].shape.kind) && def->shape[i].density > 0.0) {
            return true;
        }
    }
    return false;
}

/* Nothing that has mass: it moves because its joint in a tree does. */
static void check_massless(crn_check *check, const crn_body_def *def)
{
    if (def->kind != CRN_BODY_FREE) {
        crn_check_fail(check, "massless", "is for free bodies only");
    }
    if (def->mass != 0.0) {
        crn_check_fail(check, "mass", "must be 0 for a massless body, but is %.9g", def->mass);
    }
    if (!is_zero(def->com)) {
        crn_check_fail(check, "com", "is of use with mass only");
    }
    if (has_entries(&def->inertia)) {
        crn_check_fail(check, "inertia", "is of use with mass only");
    }
    if (def->shapes != 0) {
        crn_check_fail(check, "shapes", "a massless body has none");
    }
}

/* A body that moves by forces needs mass and inertia, from the definition or from its shapes. */
static void check_free(crn_check *check, const crn_body_def *def)
{
    if (def->mass == 0.0 && !has_solid(def)) {
        crn_check_fail(check, "mass", "must be > 0, or a shape must have volume and density");
    }
    if (def->mass == 0.0 && !is_zero(def->com)) {
        crn_check_fail(check, "com", "is of use with mass only");
    }
    if (def->mass == 0.0 && has_entries(&def->inertia)) {
        crn_check_fail(check, "inertia", "is of use with mass only");
    }
    if (!has_entries(&def->inertia) && !has_solid(def)) {
        crn_check_fail(check, "inertia", "must be given, as no shape has volume and density");
    }
}

/* --- Motion --- */

static void check_motion(crn_check *check, const crn_body_def *def)
{
    const crn_motion *motion = &def->motion;
    char name[CRN_CHECK_WHERE];
    crn_check part = crn_check_part(check, "motion", -1, name);
    crn_check_profile(&part, "x", &motion->x);
    crn_check_profile(&part, "y", &motion->y);
    crn_check_profile(&part, "z", &motion->z);
    crn_check_profile(&part, "angle", &motion->angle);
    crn_check_vector(&part, "axis", motion->axis);
    if (part.status == CRN_OK) {
        bool turns = !crn_profile_is_zero(&motion->angle), lifts = !crn_profile_is_zero(&motion->z);
        bool moves = turns || lifts || !crn_profile_is_zero(&motion->x) || !crn_profile_is_zero(&motion->y);
        if (moves && def->kind != CRN_BODY_DRIVEN) {
            crn_check_fail(&part, NULL, "is for driven bodies only");
        }
        if (turns) {
            crn_check_unit(&part, "axis", motion->axis);
        }
        if (turns && check->is_planar && !(fabs(fabs(motion->axis.z) - 1.0) <= CRN_UNIT_TOLERANCE)) {
            crn_check_fail(&part, "axis", "must be z or -z in a planar world");
        }
        if (lifts && check->is_planar) {
            crn_check_fail(&part, "z", "must be 0 in a planar world");
        }
    }
    check->status = part.status;
}

/* --- All of it --- */

static void check_shapes(crn_check *check, const char *list, const crn_body_shape *shape, int count, bool is_free)
{
    if (count < 0 || (count > 0 && shape == NULL)) {
        crn_check_fail(check, list, "%d at %s", count, shape == NULL ? "NULL" : "shape");
        return;
    }
    for (int i = 0; i < count && check->status == CRN_OK; ++i) {
        char name[CRN_CHECK_WHERE];
        crn_check part = crn_check_part(check, list, i, name);
        crn_check_shape(&part, &shape[i], is_free);
        check->status = part.status;
    }
}

static void check_body(crn_check *check, const crn_body_def *def)
{
    crn_check_name(check, "name", def->name);
    if ((unsigned)def->kind >= CRN_BODY_KIND_COUNT) {
        crn_check_fail(check, "kind", "%d is unknown", (int)def->kind);
    }
    crn_check_pose(check, &def->pose);
    crn_check_in_plane(check, "velocity", def->velocity);
    crn_check_along_z(check, "angular", def->angular);
    if (def->kind != CRN_BODY_FREE && !is_zero(def->velocity)) {
        crn_check_fail(check, "velocity", "is for free bodies only");
    }
    if (def->kind != CRN_BODY_FREE && !is_zero(def->angular)) {
        crn_check_fail(check, "angular", "is for free bodies only");
    }
    if (def->mass != 0.0) {
        crn_check_positive(check, "mass", def->mass);
    }
    crn_check_in_plane(check, "com", def->com);
    check_inertia(check, &def->inertia);
    crn_check_not_negative(check, "linear_damping", def->linear_damping);
    crn_check_not_negative(check, "angular_damping", def->angular_damping);
    crn_check_finite(check, "gravity_scale", def->gravity_scale);
    check_motion(check, def);
    check_shapes(check, "shapes", def->shape, def->shapes, def->kind == CRN_BODY_FREE);
    check_shapes(check, "pictures", def->picture, def->pictures, def->kind == CRN_BODY_FREE);
    if (check->status == CRN_OK && def->is_massless) {
        check_massless(check, def);
    } else if (check->status == CRN_OK && def->kind == CRN_BODY_FREE) {
        check_free(check, def);
    }
}

crn_status crn_body_def_check(const crn_body_def *def, bool is_planar, const char *where, crn_error *error)
{
    crn_check check = crn_check_begin(def, where, is_planar, error);
    if (check.status == CRN_OK) {
        crn_check_made(&check, def->cookie, "crn_body_def_default");
    }
    if (check.status == CRN_OK) {
        check_body(&check, def);
    }
    if (check.status == CRN_OK) {
        crn_clear(error);
    }
    return check.status;
}
