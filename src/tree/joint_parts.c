/* Rows that several joint types share. Angles are measured along the shortest way, not by their sines: then no value is 0
 * at half a turn, and a step that takes back value/h of it arrives where it should from any error.
 *
 * With u = w_b - w_a and any axes u_a fixed in a, v_b fixed in b:   d/dt (u_a'v_b) = (v_b x u_a)'u. */
#include "tree/joint_parts.h"

#include "math/elementary.h"

enum { X, Y, Z };

/* --- Columns --- */

void crn_joint_columns_about(const crn_joint_sides *sides, double *columns, int j)
{
    for (int i = 0; i < 3; ++i) {
        crn_joint_column(columns, j + i, crn_joint_axis_a(sides, i), crn_v3(0, 0, 0));
    }
}

void crn_joint_columns_along(const crn_joint_sides *sides, double *columns, int j)
{
    for (int i = 0; i < 3; ++i) {
        crn_joint_column(columns, j + i, crn_v3(0, 0, 0), crn_joint_axis_a(sides, i));
    }
}

/* --- Positions --- */

void crn_joint_row_along(const crn_joint_sides *sides, crn_vec3 n, double value, crn_joint_row *row)
{
    crn_vec3 point = sides->b.position;
    crn_v3_to(crn_v3_cross(crn_v3_sub(point, sides->com_b), n), row->b);
    crn_v3_to(n, row->b + 3);
    crn_v3_to(crn_v3_cross(n, crn_v3_sub(point, sides->com_a)), row->a);
    crn_v3_to(crn_v3_scale(-1.0, n), row->a + 3);
    row->value = value;
}

void crn_joint_hold_origin(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_vec3 d = crn_joint_offset(sides);
    for (int i = 0; i < 3; ++i) {
        crn_vec3 n = crn_joint_axis_a(sides, i);
        crn_joint_row_along(sides, n, crn_v3_dot(n, d), &row[i]);
    }
}

/* --- Rotations --- */

void crn_joint_row_about(crn_vec3 g, double value, crn_joint_row *row)
{
    const crn_vec3 zero = {0, 0, 0};
    crn_v3_to(g, row->b);
    crn_v3_to(zero, row->b + 3);
    crn_v3_to(crn_v3_scale(-1.0, g), row->a);
    crn_v3_to(zero, row->a + 3);
    row->value = value;
}

/* Its largest component, which is at least 1/2, is found first. */
crn_quat crn_joint_quat(const crn_mat3 *r)
{
    const double *m = r->m;
    double square[4] = {1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8]};
    int most = 0;
    for (int i = 1; i < 4; ++i) {
        most = square[i] > square[most] ? i : most;
    }
    double yz = m[5] + m[7], zx = m[6] + m[2], xy = m[1] + m[3]; /* 4 y z, ... */
    double wx = m[5] - m[7], wy = m[6] - m[2], wz = m[1] - m[3],
           own = square[most]; /* 4 w x, ...; 4 times the square */
    crn_quat q = most == 0   ? (crn_quat){own, wx, wy, wz}
                 : most == 1 ? (crn_quat){wx, own, xy, zx}
                 : most == 2 ? (crn_quat){wy, xy, own, yz}
                             : (crn_quat){wz, zx, yz, own};
    return crn_quat_unit(q);
}

/* (1 - t/2 cot(t/2)) / t^2 for square = t^2 <= pi^2 */
static double cotangent_term(double square)
{
    static const double series_below = 0.1; /* five terms are exact to rounding, the closed form loses two digits */
    if (square < series_below) {
        return 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square * (1.0 / 1209600 + square / 47900160)));
    }
    double half = 0.5 * sqrt(square);
    crn_turn turn = crn_sin_cos(half);
    return (1.0 - half * turn.cos / turn.sin) / square;
}

/* With p the vector of the rotation from a to b in a's axes, and u in a's axes:
 *     p' = (1 - [p]/2 + k [p]^2) u,   k = cotangent_term(|p|^2),
 * the inverse of the exponential's derivative; g_i is row i of the matrix. */
void crn_joint_hold_rotation(const crn_joint_sides *sides, crn_joint_row *row)
{
    crn_mat3 relative = crn_m3_transposed_product(&sides->a.rotation, &sides->b.rotation);
    crn_vec3 p = crn_quat_log(crn_joint_quat(&relative));
    double k = cotangent_term(crn_v3_dot(p, p)), value[3];
    crn_v3_to(p, value);
    for (int i = 0; i < 3; ++i) {
        crn_vec3 e = {i == X, i == Y, i == Z}, pe = crn_v3_cross(p, e);
        crn_vec3 g = crn_v3_axpy(crn_v3_axpy(e, 0.5, pe), k, crn_v3_cross(p, pe));
        crn_joint_row_about(crn_m3_times(&sides->a.rotation, g), value[i], &row[i]);
    }
}

/* f = t/sin t and df/dc for c = cos t > -1. With m = 1 - c:  f = 1 + m/3 (1 + 2m/5 (1 + 3m/7 (...)))  because
 * (1 - c^2) df/dc = c f - 1. */
static double angle_over_sine(double cosine, double sine, double *slope)
{
    static const double series_below = 0.1; /* of m; the terms are below (m/2)^k: 13 of them reach rounding */
    enum { TERMS = 13 };
    double m = 1.0 - cosine;
    if (m < series_below) {
        double f = 1.0, df = 0.0;
        for (int k = TERMS; k > 0; --k) {
            double ratio = k / (2.0 * k + 1.0);
            df = ratio * (f + m * df);
            f = 1.0 + ratio * m * f;
        }
        *slope = -df;
        return f;
    }
    double f = crn_atan2(sine, cosine) / sine;
    *slope = (cosine * f - 1.0) / (sine * sine);
    return f;
}

/* The turn is t n with n sin t = z_a x z_b, cos t = z_a'z_b: along x_a it is -f y_a'z_b, along y_a it is f x_a'z_b. */
void crn_joint_hold_axis(const crn_joint_sides *sides, crn_joint_row *row)
{
    static const double opposed_below = 1e-8; /* sine where z_b = -z_a to rounding: any direction is shortest, take x */
    static const double pi = 3.14159265358979323846;
    crn_vec3 xa = crn_joint_axis_a(sides, X), ya = crn_joint_axis_a(sides, Y);
    crn_vec3 za = crn_joint_axis_a(sides, Z), zb = crn_joint_axis_b(sides, Z);
    crn_vec3 to_za = crn_v3_cross(zb, za); /* gradient of the cosine */
    double cosine = crn_v3_dot(za, zb), sine = crn_v3_length(to_za), slope;
    if (sine < opposed_below && cosine < 0.0) {
        crn_joint_row_about(xa, pi, &row[0]);
        crn_joint_row_about(ya, 0.0, &row[1]);
        return;
    }
    double f = angle_over_sine(cosine, sine, &slope), x = crn_v3_dot(xa, zb), y = -crn_v3_dot(ya, zb);
    crn_vec3 gx = crn_v3_axpy(crn_v3_scale(f, crn_v3_cross(ya, zb)), slope * y, to_za);
    crn_vec3 gy = crn_v3_axpy(crn_v3_scale(f, crn_v3_cross(zb, xa)), slope * x, to_za);
    crn_joint_row_about(gx, f * y, &row[0]);
    crn_joint_row_about(gy, f * x, &row[1]);
}

double crn_joint_angle(double sine, double cosine)
{
    double angle = crn_atan2(sine, cosine), least = crn_atan2(-0.0, -1.0);
    return angle == least ? -least : angle;
}

/* With the quaternion (w, x, y, z) of the rotation the angle is 2 atan2(z, w), and its rate (z_a + z_b)'u / (1 + z_a'z_b). */
void crn_joint_twist(const crn_joint_sides *sides, crn_joint_row *row)
{
    static const double opposed_below =
        1e-12; /* 1 + cosine where z_b = -z_a: the angle is not defined, the axis is z_a */
    crn_vec3 xa = crn_joint_axis_a(sides, X), ya = crn_joint_axis_a(sides, Y), za = crn_joint_axis_a(sides, Z);
    crn_vec3 xb = crn_joint_axis_b(sides, X), yb = crn_joint_axis_b(sides, Y), zb = crn_joint_axis_b(sides, Z);
    double sine = crn_v3_dot(ya, xb) - crn_v3_dot(xa, yb);   /* 4 w z */
    double cosine = crn_v3_dot(xa, xb) + crn_v3_dot(ya, yb); /* 2 (w^2 - z^2) */
    double sum = 1.0 + crn_v3_dot(za, zb);
    crn_vec3 g = sum > opposed_below ? crn_v3_scale(1.0 / sum, crn_v3_add(za, zb)) : za;
    crn_joint_row_about(g, crn_joint_angle(sine, cosine), row);
}
