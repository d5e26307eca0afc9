/* Distance joint: the origins stay at one distance.
 *
 *     held         |d| - length = 0                          1 row, along n = d/|d|
 *     S, T         none: inside a tree it is no joint, it only closes loops
 *     coordinate   |d| */
#include "tree/joint_parts.h"

enum { X, Y, Z };

/* Shorter offsets [m] have no direction: their squares lose digits. The row is then along a's x. */
static const double DIRECTION_LEAST = 1e-140;

/* The row of |d| - from. */
static void distance(const crn_joint_sides *sides, double from, crn_joint_row *row)
{
    crn_vec3 d = crn_joint_offset(sides);
    double length = crn_v3_length(d);
    crn_vec3 n = length > DIRECTION_LEAST ? crn_v3_scale(1.0 / length, d) : crn_joint_axis_a(sides, X);
    crn_joint_row_along(sides, n, length - from, row);
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    distance(sides, sides->length, row);
}

static void coordinate(const crn_joint_sides *sides, crn_joint_row *row)
{
    distance(sides, 0.0, row);
}

const crn_joint_type crn_joint_distance = {.name = "distance",
                                           .coordinates = 1,
                                           .rows = 1,
                                           .motion = NULL,
                                           .complement = NULL,
                                           .freedom = 5,
                                           .hold = hold,
                                           .coordinate = coordinate,
                                           .angles = 0};
