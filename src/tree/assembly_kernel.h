/* 6 x 6 matrices, column-major, for the assembly of pieces of a tree. Sums run in one written order: no kernel's bits
 * depend on the vector width. Inlined into functions marked CRN_CLONES. */
#ifndef CRN_ASSEMBLY_KERNEL_H
#define CRN_ASSEMBLY_KERNEL_H

#include <string.h>

#include "tree/tree_parts.h"

CRN_TREE_INLINE void crn_m6_copy(const double *a, double *to)
{
    memcpy(to, a, 36 * sizeof *to);
}

CRN_TREE_INLINE void crn_m6_transpose(const double *restrict a, double *restrict to)
{
    for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) {
            to[i + 6 * j] = a[j + 6 * i];
        }
    }
}

/* c = a b */
CRN_TREE_INLINE void crn_m6_product(const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int j = 0; j < 6; ++j) {
        const double *w = b + 6 * j;
        for (int i = 0; i < 6; ++i) {
            c[i + 6 * j] = a[i] * w[0] + a[i + 6] * w[1] + a[i + 12] * w[2] + a[i + 18] * w[3] + a[i + 24] * w[4] +
                           a[i + 30] * w[5];
        }
    }
}

/* c = a b' */
CRN_TREE_INLINE void crn_m6_product_transposed(const double *restrict a, const double *restrict b, double *restrict c)
{
    double t[36];
    crn_m6_transpose(b, t);
    crn_m6_product(a, t, c);
}

/* c += s a b' */
CRN_TREE_INLINE void crn_m6_add_transposed(double s, const double *restrict a, const double *restrict b,
                                           double *restrict c)
{
    for (int j = 0; j < 6; ++j) {
        const double *w = b + j;
        for (int i = 0; i < 6; ++i) {
            c[i + 6 * j] += s * (a[i] * w[0] + a[i + 6] * w[6] + a[i + 12] * w[12] + a[i + 18] * w[18] +
                                 a[i + 24] * w[24] + a[i + 30] * w[30]);
        }
    }
}

/* c = a'b */
CRN_TREE_INLINE void crn_m6_transposed_product(const double *restrict a, const double *restrict b, double *restrict c)
{
    double t[36];
    crn_m6_transpose(a, t);
    crn_m6_product(t, b, c);
}

/* y += s a x */
CRN_TREE_INLINE void crn_m6_times(double s, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < 6; ++i) {
        y[i] += s * (a[i] * x[0] + a[i + 6] * x[1] + a[i + 12] * x[2] + a[i + 18] * x[3] + a[i + 24] * x[4] +
                     a[i + 30] * x[5]);
    }
}

/* y += s a'x */
CRN_TREE_INLINE void crn_m6_transposed_times(double s, const double *restrict a, const double *restrict x,
                                             double *restrict y)
{
    for (int j = 0; j < 6; ++j) {
        y[j] += s * crn_sp_dot(a + 6 * j, x);
    }
}

/* (a + a')/2 in place */
CRN_TREE_INLINE void crn_m6_symmetrise(double *a)
{
    for (int j = 0; j < 6; ++j) {
        for (int i = j + 1; i < 6; ++i) {
            a[i + 6 * j] = a[j + 6 * i] = 0.5 * (a[i + 6 * j] + a[j + 6 * i]);
        }
    }
}

/* --- Moving from one point to another. X takes an acceleration about P to one about P + r: (w, v + w x r). --- */

/* a X, in place */
CRN_TREE_INLINE void crn_m6_move_columns(crn_vec3 r, double *a)
{
    double *b = a + 18;
    for (int i = 0; i < 6; ++i) {
        a[i] += r.y * b[i + 12] - r.z * b[i + 6];
        a[i + 6] += r.z * b[i] - r.x * b[i + 12];
        a[i + 12] += r.x * b[i + 6] - r.y * b[i];
    }
}

/* X a, in place */
CRN_TREE_INLINE void crn_m6_move_rows(crn_vec3 r, double *a)
{
    for (int j = 0; j < 6; ++j) {
        double *c = a + 6 * j;
        c[3] += c[1] * r.z - c[2] * r.y;
        c[4] += c[2] * r.x - c[0] * r.z;
        c[5] += c[0] * r.y - c[1] * r.x;
    }
}

/* a X', in place */
CRN_TREE_INLINE void crn_m6_move_rows_of_transpose(crn_vec3 r, double *a)
{
    for (int i = 0; i < 6; ++i) {
        double *c = a + i;
        c[18] += c[6] * r.z - c[12] * r.y;
        c[24] += c[12] * r.x - c[0] * r.z;
        c[30] += c[0] * r.y - c[6] * r.x;
    }
}

/* X' a, in place: wrenches about P + r become wrenches about P */
CRN_TREE_INLINE void crn_m6_move_wrenches(crn_vec3 r, double *a)
{
    for (int j = 0; j < 6; ++j) {
        double *c = a + 6 * j;
        c[0] += r.y * c[5] - r.z * c[4];
        c[1] += r.z * c[3] - r.x * c[5];
        c[2] += r.x * c[4] - r.y * c[3];
    }
}

/* X v of one motion */
CRN_TREE_INLINE void crn_sp_move(crn_vec3 r, const double *v, double *to)
{
    double x = v[3] + (v[1] * r.z - v[2] * r.y), y = v[4] + (v[2] * r.x - v[0] * r.z);
    double z = v[5] + (v[0] * r.y - v[1] * r.x);
    to[0] = v[0], to[1] = v[1], to[2] = v[2];
    to[3] = x, to[4] = y, to[5] = z;
}

/* to += X'f of one wrench about P + r */
CRN_TREE_INLINE void crn_sp_hand_up(crn_vec3 r, const double *f, double *to)
{
    to[0] += f[0] + (r.y * f[5] - r.z * f[4]);
    to[1] += f[1] + (r.z * f[3] - r.x * f[5]);
    to[2] += f[2] + (r.x * f[4] - r.y * f[3]);
    to[3] += f[3], to[4] += f[4], to[5] += f[5];
}

#endif
