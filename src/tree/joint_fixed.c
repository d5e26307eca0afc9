/* Fixed joint: the frames coincide.
 *
 *     held         d = 0                                     3 rows
 *                  the vector of the rotation = 0            3 rows, along a's axes
 *     S  6 x 0
 *     T  6 x 6     (0; x_a), (0; y_a), (0; z_a), (x_a; 0), (y_a; 0), (z_a; 0)
 *     coordinates  none
 *
 * In the plane, with an axis of a along the world's z, three rows are left. */
#include "tree/joint_parts.h"

static void motion(const crn_joint_sides *sides, double *S)
{
    (void)sides;
    (void)S;
}

static void complement(const crn_joint_sides *sides, double *T)
{
    crn_joint_columns_along(sides, T, 0);
    crn_joint_columns_about(sides, T, 3);
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_joint_hold_origin(sides, row);
    crn_joint_hold_rotation(sides, row + 3);
}

const crn_joint_type crn_joint_fixed = {.name = "fixed",
                                        .coordinates = 0,
                                        .rows = 6,
                                        .motion = motion,
                                        .complement = complement,
                                        .freedom = 0,
                                        .hold = hold,
                                        .coordinate = NULL,
                                        .angles = 0};
