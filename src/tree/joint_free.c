/* Free joint: nothing is held.
 *
 *     held         nothing                                   0 rows
 *     S  6 x 6     (x_a; 0), (y_a; 0), (z_a; 0), (0; x_a), (0; y_a), (0; z_a)
 *     coordinates  none
 *
 * The root of a tree that floats; between two bodies only a way to keep their shapes from touching. */
#include "tree/joint_parts.h"

static void motion(const crn_joint_sides *sides, double *S)
{
    crn_joint_columns_about(sides, S, 0);
    crn_joint_columns_along(sides, S, 3);
}

static void complement(const crn_joint_sides *sides, double *T)
{
    (void)sides;
    (void)T;
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    (void)sides;
    (void)row;
}

const crn_joint_type crn_joint_free = {.name = "free",
                                       .coordinates = 0,
                                       .rows = 0,
                                       .motion = motion,
                                       .complement = complement,
                                       .freedom = 6,
                                       .hold = hold,
                                       .coordinate = NULL,
                                       .angles = 0};
