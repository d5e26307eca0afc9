/* Slider: b moves along a's z and does not turn.
 *
 *     held         x_a'd = 0, y_a'd = 0                      2 rows
 *                  the vector of the rotation = 0            3 rows, along a's axes
 *     S  6 x 1     (0; z_a)
 *     T  6 x 5     (0; x_a), (0; y_a), (x_a; 0), (y_a; 0), (z_a; 0)
 *     coordinate   z_a'd
 *
 * In the plane, z lies in it. If also x_a or y_a is the world's z, two rows are left: across z, and the turn. If not (a's
 * frame is turned about its z by some other angle), the rows mix and up to five are left, of which two are independent. */
#include "tree/joint_parts.h"

enum { X, Y, Z };

static void motion(const crn_joint_sides *sides, double *S)
{
    crn_joint_column(S, 0, crn_v3(0, 0, 0), crn_joint_axis_a(sides, Z));
}

static void complement(const crn_joint_sides *sides, double *T)
{
    crn_joint_column(T, 0, crn_v3(0, 0, 0), crn_joint_axis_a(sides, X));
    crn_joint_column(T, 1, crn_v3(0, 0, 0), crn_joint_axis_a(sides, Y));
    crn_joint_columns_about(sides, T, 2);
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_vec3 d = crn_joint_offset(sides), x = crn_joint_axis_a(sides, X), y = crn_joint_axis_a(sides, Y);
    crn_joint_row_along(sides, x, crn_v3_dot(x, d), &row[0]);
    crn_joint_row_along(sides, y, crn_v3_dot(y, d), &row[1]);
    crn_joint_hold_rotation(sides, row + 2);
}

static void coordinate(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_vec3 z = crn_joint_axis_a(sides, Z);
    crn_joint_row_along(sides, z, crn_v3_dot(z, crn_joint_offset(sides)), row);
}

const crn_joint_type crn_joint_slider = {.name = "slider",
                                         .coordinates = 1,
                                         .rows = 5,
                                         .motion = motion,
                                         .complement = complement,
                                         .freedom = 1,
                                         .hold = hold,
                                         .coordinate = coordinate,
                                         .angles = 0};
