/* Planar joint: b moves in a's plane z = 0 and turns about its normal.
 *
 *     held         z_a'd = 0                                 1 row
 *                  t n = 0, the turn from z_a to z_b         2 rows, along x_a and y_a
 *     S  6 x 3     (0; x_a), (0; y_a), (z_a; 0)
 *     T  6 x 3     (0; z_a), (x_a; 0), (y_a; 0)
 *     coordinates  x_a'd, y_a'd, the angle about z from x_a to x_b */
#include "tree/joint_parts.h"

enum { X, Y, Z };

static void motion(const crn_joint_sides *sides, double *S)
{
    crn_joint_column(S, 0, crn_v3(0, 0, 0), crn_joint_axis_a(sides, X));
    crn_joint_column(S, 1, crn_v3(0, 0, 0), crn_joint_axis_a(sides, Y));
    crn_joint_column(S, 2, crn_joint_axis_a(sides, Z), crn_v3(0, 0, 0));
}

static void complement(const crn_joint_sides *sides, double *T)
{
    crn_joint_column(T, 0, crn_v3(0, 0, 0), crn_joint_axis_a(sides, Z));
    crn_joint_column(T, 1, crn_joint_axis_a(sides, X), crn_v3(0, 0, 0));
    crn_joint_column(T, 2, crn_joint_axis_a(sides, Y), crn_v3(0, 0, 0));
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_vec3 z = crn_joint_axis_a(sides, Z);
    crn_joint_row_along(sides, z, crn_v3_dot(z, crn_joint_offset(sides)), &row[0]);
    crn_joint_hold_axis(sides, row + 1);
}

static void coordinate(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_vec3 d = crn_joint_offset(sides), x = crn_joint_axis_a(sides, X), y = crn_joint_axis_a(sides, Y);
    crn_joint_row_along(sides, x, crn_v3_dot(x, d), &row[0]);
    crn_joint_row_along(sides, y, crn_v3_dot(y, d), &row[1]);
    crn_joint_twist(sides, &row[2]);
}

const crn_joint_type crn_joint_planar = {.name = "planar",
                                         .coordinates = 3,
                                         .rows = 3,
                                         .motion = motion,
                                         .complement = complement,
                                         .freedom = 3,
                                         .hold = hold,
                                         .coordinate = coordinate,
                                         .angles = 1u << 2};
