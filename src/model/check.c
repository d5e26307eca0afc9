/* What the checks of all definitions share. */
#include "model/check.h"

#include "base/memory.h"
#include "base/utf8.h"

#include "math/rigid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

crn_check crn_check_begin(const void *def, const char *where, bool is_planar, crn_error *error)
{
    crn_check check = {.where = where != NULL ? where : "", .is_planar = is_planar, .status = CRN_OK, .error = error};
    if (def == NULL) {
        crn_check_fail(&check, NULL, "the definition is NULL");
    }
    return check;
}

void crn_check_made(crn_check *check, uint32_t cookie, const char *maker)
{
    if (cookie != CRN_COOKIE) {
        crn_check_fail(check, NULL, "not made by %s()", maker);
    }
}

crn_check crn_check_part(const crn_check *whole, const char *list, int index, char name[CRN_CHECK_WHERE])
{
    const char *dot = whole->where[0] != '\0' ? "." : "";
    if (index < 0) {
        (void)snprintf(name, CRN_CHECK_WHERE, "%s%s%s", whole->where, dot, list);
    } else {
        (void)snprintf(name, CRN_CHECK_WHERE, "%s%s%s[%d]", whole->where, dot, list, index);
    }
    crn_check part = *whole;
    part.where = name;
    return part;
}

void crn_check_fail(crn_check *check, const char *field, const char *format, ...)
{
    if (check->status != CRN_OK) {
        return;
    }
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *name = field != NULL ? field : "";
    const char *dot = check->where[0] != '\0' && name[0] != '\0' ? "." : "";
    const char *colon = check->where[0] != '\0' || name[0] != '\0' ? ": " : "";
    check->status = crn_fail(check->error, CRN_ERR_ARGUMENT, "%s%s%s%s%s", check->where, dot, name, colon, what);
}

/* --- Numbers --- */

void crn_check_finite(crn_check *check, const char *field, double value)
{
    if (!isfinite(value)) {
        crn_check_fail(check, field, "must be finite, but is %g", value);
    }
}

void crn_check_positive(crn_check *check, const char *field, double value)
{
    if (!(value > 0.0)) {
        crn_check_fail(check, field, "must be > 0, but is %.9g", value);
    }
    crn_check_finite(check, field, value);
}

void crn_check_not_negative_or_infinite(crn_check *check, const char *field, double value)
{
    if (!(value >= 0.0)) {
        crn_check_fail(check, field, "must be >= 0, but is %.9g", value);
    }
}

void crn_check_not_negative(crn_check *check, const char *field, double value)
{
    crn_check_not_negative_or_infinite(check, field, value);
    crn_check_finite(check, field, value);
}

/* --- Vectors and rotations --- */

static bool is_finite(crn_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

void crn_check_vector(crn_check *check, const char *field, crn_vec3 value)
{
    if (!is_finite(value)) {
        crn_check_fail(check, field, "must be finite, but is (%g, %g, %g)", value.x, value.y, value.z);
    }
}

void crn_check_in_plane(crn_check *check, const char *field, crn_vec3 value)
{
    crn_check_vector(check, field, value);
    if (check->is_planar && value.z != 0.0) {
        crn_check_fail(check, field, "z must be 0 in a planar world, but is %.9g", value.z);
    }
}

void crn_check_along_z(crn_check *check, const char *field, crn_vec3 value)
{
    crn_check_vector(check, field, value);
    if (check->is_planar && (value.x != 0.0 || value.y != 0.0)) {
        crn_check_fail(check, field, "x and y must be 0 in a planar world, but are %.9g and %.9g", value.x, value.y);
    }
}

void crn_check_unit(crn_check *check, const char *field, crn_vec3 value)
{
    crn_check_vector(check, field, value);
    double length = crn_v3_length(value);
    if (!(fabs(length - 1.0) <= CRN_UNIT_TOLERANCE)) {
        crn_check_fail(check, field, "must be a unit vector, but its length is %.9g", length);
    }
}

void crn_check_rotation(crn_check *check, const char *field, crn_quat value, bool is_about_z)
{
    double length = sqrt(value.w * value.w + value.x * value.x + value.y * value.y + value.z * value.z);
    if (!(fabs(length - 1.0) <= CRN_UNIT_TOLERANCE)) {
        crn_check_fail(check, field, "must be a unit quaternion, but its length is %.9g", length);
    }
    if (is_about_z && !(fabs(value.x) <= CRN_UNIT_TOLERANCE && fabs(value.y) <= CRN_UNIT_TOLERANCE)) {
        crn_check_fail(check, field, "must be about z in a planar world: x and y are %.9g and %.9g", value.x, value.y);
    }
}

void crn_check_pose(crn_check *check, const crn_pose *pose)
{
    crn_check_in_plane(check, "position", pose->position);
    crn_check_rotation(check, "rotation", pose->rotation, check->is_planar);
}

/* --- Profiles --- */

bool crn_profile_is_zero(const crn_profile *profile)
{
    if (profile->value != 0.0 || profile->amplitude != 0.0) {
        return false;
    }
    for (int i = 0; profile->values != NULL && i < profile->count; ++i) {
        if (profile->values[i] != 0.0) {
            return false;
        }
    }
    return true;
}

static void check_table(crn_check *check, const crn_profile *profile)
{
    if (profile->count < 0 || (profile->times == NULL) != (profile->count == 0)) {
        crn_check_fail(check, "times", "%d numbers at %s", profile->count, profile->times == NULL ? "NULL" : "times");
        return;
    }
    if (profile->count > 0 && profile->values == NULL) {
        crn_check_fail(check, "values", "must be given with times");
        return;
    }
    for (int i = 0; i < profile->count && check->status == CRN_OK; ++i) {
        char field[32];
        (void)snprintf(field, sizeof field, "times[%d]", i);
        crn_check_finite(check, field, profile->times[i]);
        if (i > 0 && !(profile->times[i] > profile->times[i - 1])) {
            crn_check_fail(check, field, "must be later than the time before, %.9g, but is %.9g", profile->times[i - 1],
                           profile->times[i]);
        }
        (void)snprintf(field, sizeof field, "values[%d]", i);
        crn_check_finite(check, field, profile->values[i]);
    }
}

void crn_check_profile(crn_check *check, const char *field, const crn_profile *profile)
{
    char name[CRN_CHECK_WHERE];
    crn_check part = crn_check_part(check, field, -1, name);
    crn_check_finite(&part, "value", profile->value);
    crn_check_finite(&part, "amplitude", profile->amplitude);
    crn_check_finite(&part, "frequency", profile->frequency);
    crn_check_finite(&part, "phase", profile->phase);
    check_table(&part, profile);
    check->status = part.status;
}

/* --- Names --- */

void crn_check_name(crn_check *check, const char *field, const char *name)
{
    if (name == NULL) {
        return;
    }
    if (name[0] == '\0') {
        crn_check_fail(check, field, "must not be empty");
    }
    size_t left = strlen(name), size;
    for (const char *at = name; left > 0; at += size, left -= size) {
        size = crn_utf8_size(at, left);
        if (size == 0) {
            crn_check_fail(check, field, "is not UTF-8");
            return;
        }
    }
}
