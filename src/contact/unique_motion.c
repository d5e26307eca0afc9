/* When is the motion the same for all solutions?
 *
 * Without friction the motion is the point of a convex set nearest to the free motion: unique  [E15], [CPS92 s3.1].
 *
 * With friction, let two solutions differ by dv, dr, du. Rows do no work on dv (with bounds none that is positive: their
 * speed falls as their impulse grows), so in whitened velocities
 *
 *     |dv|^2 <= sum_i dr_i'du_i  <=  sum_i mu_i |dr_n,i| |du_t,i|
 *
 * since normal parts have dr_n du_n <= 0 by complementarity, and friction of greatest dissipation has
 *     df'du_t <= -mu (r_n - r_n') (|u_t| - |u_t'|),        |.| the gauge of the polygon, at most the Euclidean length.
 * If the columns that contacts use (n, and t1, t2 where there is friction) are independent once rows are projected out, dr
 * is linear in dv:  dr_n,i = y_i'dv with y_i the dual vector of column n_i, orthogonal to the tangential columns T_i. Then
 * |y'z| |T'z| <= |y| |T| / 2 for every unit z, and the motion is unique if
 *
 *     sum_i  mu_i |y_i| |T_i| / 2  <  1.
 *
 * Small friction coefficients and few contacts pass; nothing is claimed where the bound fails. */
#include "contact/unique.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* The bound is computed to about this: nearer to 1 it decides nothing. */
#define MARGIN 1e-6
/* Columns are independent for the bound if their factor is at least this well conditioned; |y_i| is known to
 * 2^-53 over it. */
#define TOL_INDEPENDENT 1e-6

/* The columns used by contact i without what rows can do, appended; returns how many. */
static int append_contact(crn_unique *q, const crn_system *s, int i)
{
    int columns = s->directions[i] == 0 || s->mu[i] == 0.0 ? 1 : s->directions[i] == 2 ? 2 : 3;
    for (int j = 0; j < columns; ++j) {
        double *to = q->column + (size_t)q->count++ * (size_t)s->dof;
        memset(to, 0, (size_t)s->dof * sizeof *to);
        for (int p = s->piece_start[i]; p < s->piece_start[i + 1]; ++p) {
            const crn_piece *piece = &s->piece[p];
            memcpy(to + piece->first, piece->x + (size_t)j * (size_t)piece->dof, (size_t)piece->dof * sizeof *to);
        }
        crn_even_rows_remove(&q->even.rows, to);
    }
    return columns;
}

/* Largest singular value of one or two columns. */
static double spectral_norm(int dof, const double *t, int columns)
{
    double a = crn_dot(dof, t, t);
    if (columns < 2) {
        return sqrt(a);
    }
    double b = crn_dot(dof, t + dof, t + dof), c = crn_dot(dof, t, t + dof);
    return sqrt(0.5 * (a + b + sqrt((a - b) * (a - b) + 4.0 * c * c)));
}

/* |y_j| = length of row j of R^-1, the column j standing at place `at` of the order; all columns are independent. The row
 * x of R^-1 solves R'x' = e_at, R upper triangular with leading dimension most. */
static double dual_length(const crn_unique *q, int at, double *x)
{
    double square = 0.0;
    size_t ld = (size_t)q->most;
    for (int k = at; k < q->count; ++k) {
        double sum = k == at ? 1.0 : 0.0;
        for (int l = at; l < k; ++l) {
            sum -= q->R[(size_t)l + (size_t)k * ld] * x[l];
        }
        x[k] = sum / q->R[(size_t)k + (size_t)k * ld];
        square += x[k] * x[k];
    }
    return sqrt(square);
}

crn_answer crn_unique_motion(crn_unique *q, const crn_system *s)
{
    double sum = 0.0, least = INFINITY, *x = q->even.trial;
    bool has_friction = false;
    q->count = 0;
    for (int i = 0; i < s->contacts; ++i) {
        has_friction = has_friction || (s->mu[i] > 0.0 && s->directions[i] > 0);
    }
    if (!has_friction) {
        return CRN_YES;
    }
    if (s->bounded > 0) { /* another solution may have other rows at their bounds: none is a constant here */
        crn_even_rows_start(&q->even.rows, s, NULL);
    }
    for (int i = 0; i < s->contacts; ++i) {
        double *start = q->column + (size_t)q->count * (size_t)s->dof;
        if (q->count + 3 > s->dof) { /* more columns than velocities: dependent */
            return CRN_UNDECIDED;
        }
        q->used[3 * i] = q->count;
        int columns = append_contact(q, s, i);
        q->used[3 * i + 1] = columns > 1 ? spectral_norm(s->dof, start + s->dof, columns - 1) : 0.0;
    }
    if (crn_unique_rank(q, s->dof) < q->count) {
        return CRN_UNDECIDED;
    }
    for (int k = 0; k < q->count; ++k) { /* diagonal entries over the length of their columns */
        double length = sqrt(crn_dot(k + 1, q->R + (size_t)k * (size_t)q->most, q->R + (size_t)k * (size_t)q->most));
        least = crn_min(least, q->R[(size_t)k + (size_t)k * (size_t)q->most] / length);
    }
    for (int i = 0; i < s->contacts && least > TOL_INDEPENDENT; ++i) {
        int at = 0;
        while (q->order[at] != (int)q->used[3 * i]) {
            ++at;
        }
        if (q->used[3 * i + 1] > 0.0) {
            sum += 0.5 * s->mu[i] * q->used[3 * i + 1] * dual_length(q, at, x);
        }
    }
    return least > TOL_INDEPENDENT && sum < 1.0 - MARGIN ? CRN_YES : CRN_UNDECIDED;
}
