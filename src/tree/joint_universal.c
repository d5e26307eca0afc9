/* Universal joint: the origins coincide, a's x and b's y are the axes of its cross, at a right angle.
 *
 *     held         d = 0                                     3 rows
 *                  pi/2 - angle of x_a and y_b = 0           1 row, about n = x_a x y_b / |x_a x y_b|
 *     S  6 x 2     (x_a; 0), (y_b; 0)
 *     T  6 x 4     (0; x_a), (0; y_a), (0; z_a), (n; 0)
 *     coordinates  0: the angle of y_b about x_a, from y_a to z_a
 *                  1: the angle of x_a about -y_b, from x_b to z_b
 *
 * Closed, b's axes seen from a are those of the rotation X(angle 0) Y(angle 1). */
#include "math/elementary.h"
#include "tree/joint_parts.h"

enum { X, Y, Z };

/* Square of a sine below which x_a and y_b are parallel to rounding: angles and n are then not defined, and one is chosen. */
static const double PARALLEL_BELOW = 1e-16;

/* n, and the sine of the angle of x_a and y_b */
static crn_vec3 cross_axis(const crn_joint_sides *sides, double *sine)
{
    crn_vec3 x = crn_joint_axis_a(sides, X), n = crn_v3_cross(x, crn_joint_axis_b(sides, Y));
    *sine = crn_v3_length(n);
    return *sine * *sine > PARALLEL_BELOW ? crn_v3_scale(1.0 / *sine, n) : crn_v3_orthogonal(x);
}

static void motion(const crn_joint_sides *sides, double *S)
{
    crn_joint_column(S, 0, crn_joint_axis_a(sides, X), crn_v3(0, 0, 0));
    crn_joint_column(S, 1, crn_joint_axis_b(sides, Y), crn_v3(0, 0, 0));
}

static void complement(const crn_joint_sides *sides, double *T)
{
    double sine;
    crn_joint_columns_along(sides, T, 0);
    crn_joint_column(T, 3, cross_axis(sides, &sine), crn_v3(0, 0, 0));
}

static void hold(const crn_joint_sides *sides, crn_joint_row *row)
{
    double sine;
    crn_vec3 n = cross_axis(sides, &sine);
    double cosine = crn_v3_dot(crn_joint_axis_a(sides, X), crn_joint_axis_b(sides, Y));
    crn_joint_hold_origin(sides, row);
    crn_joint_row_about(n, crn_atan2(-cosine, sine), &row[3]);
}

/* The angle atan2(s, c) of a direction with components c and s along two axes that are fixed in the other body; dc and ds
 * are their gradients in u = w_b - w_a. Its gradient is (c ds - s dc) / (c^2 + s^2). */
static void direction_angle(double c, double s, crn_vec3 dc, crn_vec3 ds, crn_vec3 chosen, crn_joint_row *row)
{
    double square = c * c + s * s;
    crn_vec3 g = crn_v3_sub(crn_v3_scale(c, ds), crn_v3_scale(s, dc));
    crn_joint_row_about(square > PARALLEL_BELOW ? crn_v3_scale(1.0 / square, g) : chosen, crn_joint_angle(s, c), row);
}

static void coordinate(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_vec3 xa = crn_joint_axis_a(sides, X), ya = crn_joint_axis_a(sides, Y), za = crn_joint_axis_a(sides, Z);
    crn_vec3 xb = crn_joint_axis_b(sides, X), yb = crn_joint_axis_b(sides, Y), zb = crn_joint_axis_b(sides, Z);
    direction_angle(crn_v3_dot(ya, yb), crn_v3_dot(za, yb), crn_v3_cross(yb, ya), crn_v3_cross(yb, za), xa, &row[0]);
    direction_angle(crn_v3_dot(xa, xb), crn_v3_dot(xa, zb), crn_v3_cross(xb, xa), crn_v3_cross(zb, xa), yb, &row[1]);
}

const crn_joint_type crn_joint_universal = {.name = "universal",
                                            .coordinates = 2,
                                            .rows = 4,
                                            .motion = motion,
                                            .complement = complement,
                                            .freedom = 2,
                                            .hold = hold,
                                            .coordinate = coordinate,
                                            .angles = 1u << 0 | 1u << 1};
