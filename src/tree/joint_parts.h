/* What joint types are made of. Not for other rooms.
 *
 * d = p_b - p_a is b's joint origin seen from a's; x, y, z are the axes of the joint frames. Every value below is a function
 * of b's frame as seen from a's, so that
 *   - its rate is the row's speed exactly, closed or not, and
 *   - a row is 0 on motions that carry both bodies along: impulses act on a and on b at the same point, equal and opposite,
 *     and change neither momentum nor angular momentum, however far the joint has drifted. */
#ifndef CRN_TREE_JOINT_PARTS_H
#define CRN_TREE_JOINT_PARTS_H

#include "math/rigid.h"
#include "tree/tree_room.h"

/* --- The types, one file each --- */

extern const crn_joint_type crn_joint_ball, crn_joint_hinge, crn_joint_slider, crn_joint_universal, crn_joint_fixed,
    crn_joint_distance, crn_joint_planar, crn_joint_free;

/* --- Axes and columns --- */

static inline crn_vec3 crn_joint_axis_a(const crn_joint_sides *sides, int axis)
{
    return crn_m3_column(&sides->a.rotation, axis);
}

static inline crn_vec3 crn_joint_axis_b(const crn_joint_sides *sides, int axis)
{
    return crn_m3_column(&sides->b.rotation, axis);
}

static inline crn_vec3 crn_joint_offset(const crn_joint_sides *sides) /* d */
{
    return crn_v3_sub(sides->b.position, sides->a.position);
}

/* Column j of S or T: (angular; linear). */
static inline void crn_joint_column(double *columns, int j, crn_vec3 angular, crn_vec3 linear)
{
    crn_v3_to(angular, columns + 6 * j);
    crn_v3_to(linear, columns + 6 * j + 3);
}

/* Columns j, j+1, j+2: turns about, or moves along, a's x, y, z. */
void crn_joint_columns_about(const crn_joint_sides *sides, double *columns, int j);
void crn_joint_columns_along(const crn_joint_sides *sides, double *columns, int j);

/* --- Rows --- */

/* Speed n'(velocity of b - velocity of a) at b's joint origin. If n turns with a, this is the rate of n'd. */
void crn_joint_row_along(const crn_joint_sides *sides, crn_vec3 n, double value, crn_joint_row *row);

/* Speed g'(w_b - w_a). */
void crn_joint_row_about(crn_vec3 g, double value, crn_joint_row *row);

/* Three rows: the origins coincide. Values: d along a's x, y, z. */
void crn_joint_hold_origin(const crn_joint_sides *sides, crn_joint_row *row);

/* Three rows: the axes coincide. Values: the vector of the rotation from a to b along a's x, y, z, at most pi long. */
void crn_joint_hold_rotation(const crn_joint_sides *sides, crn_joint_row *row);

/* Two rows: both z axes coincide. Values: the vector of the shortest turn from a's z to b's z, along a's x and y. */
void crn_joint_hold_axis(const crn_joint_sides *sides, crn_joint_row *row);

/* The angle of b about z: what is left after the shortest turn from a's z to b's z is taken away. In (-pi, pi]. */
void crn_joint_twist(const crn_joint_sides *sides, crn_joint_row *row);

/* A quaternion of the rotation r. */
crn_quat crn_joint_quat(const crn_mat3 *r);

/* atan2 in (-pi, pi]: it has -pi for sine = -0 */
double crn_joint_angle(double sine, double cosine);

#endif
