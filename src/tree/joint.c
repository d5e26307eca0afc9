/* Joint kinds by number and by name, and angles over several turns. */
#include "tree/joint_parts.h"

#include <string.h>

static const crn_joint_type *const type_of_kind[CRN_JOINT_KIND_COUNT] = {
    [CRN_JOINT_BALL] = &crn_joint_ball,     [CRN_JOINT_HINGE] = &crn_joint_hinge,
    [CRN_JOINT_SLIDER] = &crn_joint_slider, [CRN_JOINT_UNIVERSAL] = &crn_joint_universal,
    [CRN_JOINT_FIXED] = &crn_joint_fixed,   [CRN_JOINT_DISTANCE] = &crn_joint_distance,
    [CRN_JOINT_PLANAR] = &crn_joint_planar, [CRN_JOINT_FREE] = &crn_joint_free,
};

const crn_joint_type *crn_joint_type_of(crn_joint_kind kind)
{
    return (unsigned)kind < CRN_JOINT_KIND_COUNT ? type_of_kind[kind] : NULL;
}

const char *crn_joint_kind_name(crn_joint_kind kind)
{
    const crn_joint_type *type = crn_joint_type_of(kind);
    return type != NULL ? type->name : NULL;
}

bool crn_joint_kind_find(const char *name, crn_joint_kind *kind)
{
    for (int i = 0; name != NULL && i < CRN_JOINT_KIND_COUNT; ++i) {
        if (strcmp(name, type_of_kind[i]->name) == 0) {
            *kind = (crn_joint_kind)i;
            return true;
        }
    }
    return false;
}

int crn_joint_kind_coordinates(crn_joint_kind kind)
{
    const crn_joint_type *type = crn_joint_type_of(kind);
    return type != NULL ? type->coordinates : 0;
}

int crn_joint_kind_numbers(crn_joint_kind kind)
{
    bool has_quaternion = kind == CRN_JOINT_BALL || kind == CRN_JOINT_FREE;
    return crn_joint_kind_freedom(kind) + (has_quaternion ? 1 : 0);
}

int crn_joint_kind_freedom(crn_joint_kind kind)
{
    const crn_joint_type *type = crn_joint_type_of(kind);
    return type != NULL && kind != CRN_JOINT_DISTANCE ? type->freedom : -1;
}

double crn_joint_unwind(double angle, double last)
{
    static const double turn = 6.28318530717958647693;
    return angle + turn * round((last - angle) / turn);
}
