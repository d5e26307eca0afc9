/* Hinge: the origins and the z axes coincide.
 *
 *     held         d = 0                                     3 rows
 *                  t n = 0, the turn from z_a to z_b         2 rows, along x_a and y_a
 *     S  6 x 1     (z_a; 0)
 *     T  6 x 5     (0; x_a), (0; y_a), (0; z_a), (x_a; 0), (y_a; 0)
 *     coordinate   the angle about z from x_a to x_b
 *
 * In the plane, with z along the world's z, the third row and the last two say nothing. */
#include "tree/joint_parts.h"

enum { X, Y, Z };

static void motion(const crn_joint_sides *sides, double *S)
{
    crn_joint_column(S, 0, crn_joint_axis_a(sides, Z), crn_v3(0, 0, 0));
}

static void complement(const crn_joint_sides *sides, double *T)
{
    crn_joint_columns_along(sides, T, 0);
    crn_joint_column(T, 3, crn_joint_axis_a(sides, X), crn_v3(0, 0, 0));
    crn_joint_column(T, 4, crn_joint_axis_a(sides, Y), crn_v3(0, 0, 0));
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_joint_hold_origin(sides, row);
    crn_joint_hold_axis(sides, row + 3);
}

static void coordinate(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_joint_twist(sides, row);
}

const crn_joint_type crn_joint_hinge = {.name = "hinge",
                                        .coordinates = 1,
                                        .rows = 5,
                                        .motion = motion,
                                        .complement = complement,
                                        .freedom = 1,
                                        .hold = hold,
                                        .coordinate = coordinate,
                                        .angles = 1u << 0};
