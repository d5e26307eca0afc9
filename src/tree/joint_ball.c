/* Ball joint: the origins coincide.
 *
 *     held         d = 0                                     3 rows
 *     S  6 x 3     (x_a; 0), (y_a; 0), (z_a; 0)              turns about the origin
 *     T  6 x 3     (0; x_a), (0; y_a), (0; z_a)
 *     coordinates  none */
#include "tree/joint_parts.h"

static void motion(const crn_joint_sides *sides, double *S)
{
    crn_joint_columns_about(sides, S, 0);
}

static void complement(const crn_joint_sides *sides, double *T)
{
    crn_joint_columns_along(sides, T, 0);
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_joint_hold_origin(sides, row);
}

const crn_joint_type crn_joint_ball = {.name = "ball",
                                       .coordinates = 0,
                                       .rows = 3,
                                       .motion = motion,
                                       .complement = complement,
                                       .freedom = 3,
                                       .hold = hold,
                                       .coordinate = NULL,
                                       .angles = 0};
