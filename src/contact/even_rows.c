/* B = Q R' by Gram-Schmidt, every column twice, the longest remaining first; then R = V T in the same way, so that
 *
 *     l = V T^-T Q'x
 *
 * is the solution of least norm of B l = x: a complete orthogonal factorisation  [GVL s5.4]. */
#include "contact/even_rows.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* A column whose part orthogonal to the others is below this fraction of its length depends on them: redundant joints
 * of one mechanism are equal to 1e-12 or so, distinct ones differ by far more. */
#define TOL_DEPENDENT 1e-9

void crn_even_rows_layout(crn_even_rows *r, const crn_system *s, crn_arena *arena)
{
    size_t dof = (size_t)s->dof, rows = (size_t)s->rows, most = rows < dof ? rows : dof;
    r->dof = s->dof;
    r->rows = s->rows;
    r->Q = CRN_TAKE_MATRIX(arena, double, dof, most);
    r->R = CRN_TAKE_MATRIX(arena, double, rows, most);
    r->V = CRN_TAKE_MATRIX(arena, double, rows, most);
    r->T = CRN_TAKE_MATRIX(arena, double, rows, most);
    r->work = CRN_TAKE_MATRIX(arena, double, dof + 1, rows);
}

/* x -= sum_j q_j (q_j'x) over `count` orthonormal columns, twice; the coefficients are added to c (may be NULL). */
static void orthogonalize(const double *Q, int n, int count, double *x, double *c, int stride)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int j = 0; j < count; ++j) {
            const double *q = Q + (size_t)j * (size_t)n;
            double along = crn_dot(n, q, x);
            crn_axpy(n, -along, q, x);
            if (c) {
                c[(size_t)j * (size_t)stride] += along;
            }
        }
    }
}

static void fill_columns(const crn_system *s, const bool *is_fixed, double *B)
{
    memset(B, 0, (size_t)s->dof * (size_t)s->rows * sizeof *B);
    for (int i = 0; i < s->rows; ++i) {
        if (is_fixed && is_fixed[i]) {
            continue;
        }
        for (int p = s->row_piece_start[i]; p < s->row_piece_start[i + 1]; ++p) {
            const crn_piece *piece = &s->row_piece[p];
            memcpy(B + (size_t)i * (size_t)s->dof + piece->first, piece->x, (size_t)piece->dof * sizeof *B);
        }
    }
}

/* Take the column with the largest remaining share into Q until none is independent. size holds the lengths. */
static void span_columns(crn_even_rows *r, double *B, double *size)
{
    size_t n = (size_t)r->dof;
    int most = r->rows < r->dof ? r->rows : r->dof;
    for (int i = 0; i < r->rows; ++i) {
        size[i] = sqrt(crn_dot(r->dof, B + (size_t)i * n, B + (size_t)i * n));
    }
    for (r->rank = 0; r->rank < most; ++r->rank) {
        int best = -1;
        double largest = TOL_DEPENDENT, length = 0.0;
        for (int i = 0; i < r->rows; ++i) {
            double *column = B + (size_t)i * n;
            double left = sqrt(crn_dot(r->dof, column, column));
            if (size[i] > 0.0 && left > largest * size[i]) {
                largest = left / size[i];
                length = left;
                best = i;
            }
        }
        if (best < 0) {
            return;
        }
        double *q = r->Q + (size_t)r->rank * n;
        memcpy(q, B + (size_t)best * n, n * sizeof *q);
        crn_scal(r->dof, 1.0 / length, q);
        orthogonalize(r->Q, r->dof, r->rank, q, NULL, 0);
        crn_scal(r->dof, 1.0 / sqrt(crn_dot(r->dof, q, q)), q);
        for (int i = 0; i < r->rows; ++i) {
            orthogonalize(q, r->dof, 1, B + (size_t)i * n, NULL, 0);
        }
    }
}

void crn_even_rows_start(crn_even_rows *r, const crn_system *s, const bool *is_fixed)
{
    double *B = r->work, *size = r->work + (size_t)r->dof * (size_t)r->rows;
    r->rank = 0;
    if (r->rows == 0) {
        return;
    }
    fill_columns(s, is_fixed, B);
    span_columns(r, B, size);
    fill_columns(s, is_fixed, B);
    size_t rows = (size_t)r->rows;
    for (int j = 0; j < r->rank; ++j) {
        for (size_t i = 0; i < rows; ++i) {
            r->R[i + (size_t)j * rows] = crn_dot(r->dof, r->Q + (size_t)j * (size_t)r->dof, B + i * (size_t)r->dof);
        }
    }
    memset(r->T, 0, rows * (size_t)r->rank * sizeof *r->T);
    for (int j = 0; j < r->rank; ++j) {
        double *v = r->V + (size_t)j * rows;
        memcpy(v, r->R + (size_t)j * rows, rows * sizeof *v);
        orthogonalize(r->V, r->rows, j, v, r->T + j, r->rows); /* T(k,j) is stored as T[j + k rows]: transposed */
        double length = sqrt(crn_dot(r->rows, v, v));
        r->T[(size_t)j + (size_t)j * rows] = length;
        crn_scal(r->rows, 1.0 / length, v);
    }
}

void crn_even_rows_remove(const crn_even_rows *r, double *x)
{
    orthogonalize(r->Q, r->dof, r->rank, x, NULL, 0);
}

void crn_even_rows_impulse(const crn_even_rows *r, const double *x, double *l)
{
    size_t rows = (size_t)r->rows;
    double *z = r->work;
    for (int i = 0; i < r->rows; ++i) {
        l[i] = 0.0;
    }
    for (int j = 0; j < r->rank; ++j) { /* T'z = Q'x, and l = V z */
        double sum = crn_dot(r->dof, r->Q + (size_t)j * (size_t)r->dof, x);
        for (int k = 0; k < j; ++k) {
            sum -= r->T[(size_t)j + (size_t)k * rows] * z[k];
        }
        z[j] = sum / r->T[(size_t)j + (size_t)j * rows];
        crn_axpy(r->rows, z[j], r->V + (size_t)j * rows, l);
    }
}
