/* Rows of what a joint holds. */
#include <math.h>

#include "math/elementary.h"
#include "step/parts.h"

/* In a planar world only (w_z, v_x, v_y) count; a row without any of them says nothing. */
static const double PLANAR_ROW_LEAST = 1e-9; /* of a row whose entries are of order 1 */

bool crn_step_says_nothing(const crn_stepper *s, const crn_joint_row *row)
{
    double most = 0.0;
    for (int i = s->def.is_planar ? 2 : 0; i < (s->def.is_planar ? 5 : 6); ++i) {
        most = crn_fmax(most, crn_fmax(fabs(row->a[i]), fabs(row->b[i])));
    }
    return !(most > PLANAR_ROW_LEAST);
}

int crn_step_held_at(const crn_stepper *s, int index, const crn_joint_sides *sides, crn_joint_row *row, int *which)
{
    const crn_step_joint *joint = &s->joint[index];
    const crn_joint_type *type = crn_joint_type_of(joint->def.kind);
    int count = 0;
    if (joint->def.kind == CRN_JOINT_DISTANCE && crn_step_has_limits(&joint->def.axis[0])) {
        return 0; /* between limits nothing is held */
    }
    type->hold(sides, row);
    for (int i = 0; i < type->rows; ++i) {
        if (!crn_step_says_nothing(s, &row[i])) {
            which[count] = i;
            row[count++] = row[i];
        }
    }
    return count;
}

int crn_step_held(const crn_stepper *s, int index, crn_joint_row *row, int *which)
{
    crn_joint_sides sides = crn_step_joint_sides(s, &s->joint[index]);
    return crn_step_held_at(s, index, &sides, row, which);
}
