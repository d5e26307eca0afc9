/* Almost complementary basis on an explicit inverse; see basis.h. */
#include "lcp/basis.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Residual of a direction, relative to its size: above the first it is refined, above the second the basis is
 * factorised afresh, above the third even fresh factors are no good. */
static const double TOL_REFINE = 1e-13, TOL_REFACTOR = 1e-11, TOL_USELESS = 1e-7;
/* Residual of the values (scaled units) above which they are computed again. */
static const double TOL_VALUES = 1e-12;
/* A pivot of the fresh factors below this fraction of its column is no pivot: data are exact to about 1e-16 times the
 * growth of the elimination. */
static const double TOL_SINGULAR = 1e-14;

void crn_basis_layout(crn_basis *basis, const crn_job *job, crn_arena *arena)
{
    const int n = job->problem->n;
    *basis = (crn_basis){.job = job, .view = &job->view, .n = n};
    basis->rows = CRN_TAKE(arena, int, n + 1);
    basis->cols = CRN_TAKE(arena, int, n + 1);
    basis->row_at = CRN_TAKE(arena, int, n + 1);
    basis->col_at = CRN_TAKE(arena, int, n + 1);
    basis->state = CRN_TAKE(arena, unsigned char, n);
    basis->sense = CRN_TAKE(arena, double, n);
    basis->cover = CRN_TAKE(arena, double, n);
    basis->z = CRN_TAKE(arena, double, n + 1);
    basis->w = CRN_TAKE(arena, double, n);
    basis->rate = CRN_TAKE(arena, double, n + 1);
    basis->dw = CRN_TAKE(arena, double, n);
    basis->column = CRN_TAKE(arena, double, n);
    basis->g = CRN_TAKE(arena, double, n + 1);
    basis->t = CRN_TAKE(arena, double, n + 1);
    crn_inverse_layout(&basis->inverse, n + 1, arena);
    basis->lu.a = CRN_TAKE_MATRIX(arena, double, (size_t)n + 1, (size_t)n + 1);
    basis->lu.pivot = CRN_TAKE(arena, int, n + 1);
}

/* --- lists --- */

/* Which sign of w_i is watched while z_i stands at a bound. */
static double watched_sense(const crn_basis *basis, int i)
{
    double l = basis->view->lower[i], u = basis->view->upper[i];
    if (l == u || (isinf(l) && isinf(u))) {
        return 0.0; /* a fixed variable: any w will do; a free one left out: its equation is implied (start.h) */
    }
    return basis->state[i] == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
}

static void add_row(crn_basis *basis, int i, int place)
{
    basis->rows[place] = i;
    basis->row_at[i] = place;
    basis->sense[i] = 0.0;
}

static void add_col(crn_basis *basis, int j, int place)
{
    basis->cols[place] = j;
    basis->col_at[j] = place;
    if (j < basis->n) {
        basis->state[j] = CRN_LCP_BASIC;
    }
}

static void drop_row(crn_basis *basis, int i)
{
    basis->row_at[i] = -1;
    basis->sense[i] = watched_sense(basis, i);
}

static void drop_col(crn_basis *basis, int j, unsigned char state)
{
    basis->col_at[j] = -1;
    if (j < basis->n) {
        basis->state[j] = state;
        basis->z[j] = crn_job_bound(basis->job, j, state);
    } else {
        basis->z[j] = 0.0;
    }
}

void crn_basis_exchange_lists(crn_basis *basis, int enter, int leave, unsigned char leave_state)
{
    const int k = basis->k;
    if (enter >= 0 && leave < 0) { /* both lists grow */
        add_row(basis, -1 - leave, k);
        add_col(basis, enter, k);
        basis->k = k + 1;
    } else if (enter >= 0) { /* one column for another */
        int place = basis->col_at[leave];
        drop_col(basis, leave, leave_state);
        add_col(basis, enter, place);
    } else if (leave < 0) { /* one row for another */
        int place = basis->row_at[-1 - enter];
        drop_row(basis, -1 - enter);
        add_row(basis, -1 - leave, place);
    } else { /* both lists shrink: the last of each fills the gap */
        int row_place = basis->row_at[-1 - enter], col_place = basis->col_at[leave];
        drop_col(basis, leave, leave_state);
        drop_row(basis, -1 - enter);
        if (row_place != k - 1) {
            add_row(basis, basis->rows[k - 1], row_place);
        }
        if (col_place != k - 1) {
            add_col(basis, basis->cols[k - 1], col_place);
        }
        basis->k = k - 1;
    }
}

/* --- factors --- */

/* K(:, b) for column j, over the rows in force. */
static void kernel_column(const crn_basis *basis, int j, double *out)
{
    for (int a = 0; a < basis->k; ++a) {
        int i = basis->rows[a];
        out[a] = j == basis->n ? basis->cover[i] : crn_view_entry(basis->view, i, j);
    }
}

/* Fresh LU of K. */
static bool factor(crn_basis *basis)
{
    const int k = basis->k;
    basis->lu.n = k;
    basis->lu.ld = (k + 7) / 8 * 8 <= basis->n + 1 ? (k + 7) / 8 * 8 : basis->n + 1;
    for (int b = 0; b < k; ++b) {
        kernel_column(basis, basis->cols[b], basis->lu.a + (long)b * basis->lu.ld);
    }
    ++basis->refactorizations;
    return crn_lu_factor(&basis->lu, TOL_SINGULAR);
}

void crn_basis_invert(crn_basis *basis)
{
    crn_inverse_reset(&basis->inverse, basis->k);
    crn_lu_inverse(&basis->lu, basis->inverse.W, basis->inverse.ld);
}

void crn_basis_compute_w(crn_basis *basis)
{
    const int k = basis->k;
    for (int b = 0; b < k; ++b) {
        basis->t[b] = basis->z[basis->cols[b]];
    }
    crn_view_product(basis->view, k, basis->cols, basis->t, basis->w);
    double z0 = basis->z[basis->n];
    for (int i = 0; i < basis->n; ++i) {
        basis->w[i] += basis->view->q[i] + basis->cover[i] * z0;
    }
    /* Variables that stand at a bound other than 0 (boxes only). */
    for (int j = 0; j < basis->n; ++j) {
        if (basis->z[j] != 0.0 && basis->col_at[j] < 0) {
            crn_view_column(basis->view, j, basis->column);
            crn_axpy(basis->n, basis->z[j], basis->column, basis->w);
        }
    }
}

double crn_basis_residual(const crn_basis *basis)
{
    double worst = 0.0;
    for (int a = 0; a < basis->k; ++a) {
        worst = crn_max(worst, fabs(basis->w[basis->rows[a]]));
    }
    return worst;
}

/* x = K^-1 x with x over rows before and over cols after. */
static void solve_fresh(crn_basis *basis, double *x)
{
    crn_lu_solve(&basis->lu, x);
}

/* Newton on w_rows = 0 with fresh factors: values from scratch, then as many corrections as help. */
static void compute_values(crn_basis *basis)
{
    const int k = basis->k;
    crn_basis_compute_w(basis);
    double last = INFINITY;
    for (int round = 0; round < 4 && k > 0; ++round) {
        double residual = crn_basis_residual(basis);
        if (!(residual < 0.5 * last)) {
            return;
        }
        last = residual;
        for (int a = 0; a < k; ++a) {
            basis->g[a] = -basis->w[basis->rows[a]];
        }
        solve_fresh(basis, basis->g);
        for (int b = 0; b < k; ++b) {
            basis->z[basis->cols[b]] += basis->g[b];
        }
        crn_basis_compute_w(basis);
    }
}

bool crn_basis_refactor(crn_basis *basis)
{
    if (!factor(basis)) {
        return false;
    }
    crn_basis_invert(basis);
    compute_values(basis);
    return true;
}

void crn_basis_begin_lists(crn_basis *basis, const unsigned char *state)
{
    int k = 0;
    basis->col_at[basis->n] = -1;
    for (int i = 0; i < basis->n; ++i) {
        basis->state[i] = state[i];
        if (state[i] == CRN_LCP_BASIC) {
            basis->z[i] = 0.0;
            add_row(basis, i, k);
            add_col(basis, i, k++);
        } else {
            basis->row_at[i] = basis->col_at[i] = -1;
            basis->sense[i] = watched_sense(basis, i);
            basis->z[i] = crn_job_bound(basis->job, i, state[i]);
        }
    }
    basis->k = k;
}

bool crn_basis_begin(crn_basis *basis, const unsigned char *state)
{
    memset(basis->cover, 0, (size_t)basis->n * sizeof *basis->cover);
    basis->z[basis->n] = 0.0;
    crn_basis_begin_lists(basis, state);
    if (basis->k > 0 && !factor(basis)) {
        return false;
    }
    basis->lu.n = basis->k;
    compute_values(basis);
    return true;
}

/* --- directions --- */

/* dw = A rate + c rate_z0 + direction * column */
static void rates_of_w(crn_basis *basis, bool has_column, double direction)
{
    const int k = basis->k;
    crn_view_product(basis->view, k, basis->cols, basis->rate, basis->dw);
    if (basis->col_at[basis->n] >= 0) {
        crn_axpy(basis->n, basis->rate[basis->col_at[basis->n]], basis->cover, basis->dw);
    }
    if (has_column) {
        crn_axpy(basis->n, direction, basis->column, basis->dw);
    }
}

/* Residual of the direction in the rows in force, into g; returns the largest relative to the size of the rates. */
static double direction_residual(crn_basis *basis, int enter, double direction)
{
    double worst = 0.0;
    for (int a = 0; a < basis->k; ++a) {
        int i = basis->rows[a];
        basis->g[a] = basis->dw[i] - (enter == crn_w(i) ? direction : 0.0);
        worst = crn_max(worst, fabs(basis->g[a]));
    }
    return worst / (1.0 + crn_max_abs(basis->k, basis->rate));
}

/* rate = W x */
static void multiply_inverse(crn_basis *basis, const double *x, double *rate)
{
    const crn_inverse *inverse = &basis->inverse;
    memset(rate, 0, (size_t)inverse->k * sizeof *rate);
    crn_gemv_columns(inverse->k, inverse->k, inverse->W, inverse->ld, NULL, x, rate);
}

/* rate := W (right-hand side of the edge), or the same by fresh factors. */
static void solve_direction(crn_basis *basis, int enter, double direction, bool is_fresh)
{
    const int k = basis->k;
    if (enter < 0 && !is_fresh) { /* one column of W */
        const double *column = basis->inverse.W + (long)basis->row_at[-1 - enter] * basis->inverse.ld;
        for (int b = 0; b < k; ++b) {
            basis->rate[b] = direction * column[b];
        }
        return;
    }
    for (int a = 0; a < k; ++a) {
        int i = basis->rows[a];
        const double own = enter == crn_w(i) ? direction : 0.0;
        basis->g[a] = enter >= 0 ? -direction * basis->column[i] : own;
    }
    if (is_fresh) {
        memcpy(basis->rate, basis->g, (size_t)k * sizeof *basis->rate);
        solve_fresh(basis, basis->rate);
    } else {
        multiply_inverse(basis, basis->g, basis->rate);
    }
}

/* Refine the direction while it helps, with W or with fresh factors; returns the residual reached. */
static double refine_direction(crn_basis *basis, int enter, double direction, bool is_fresh)
{
    double residual = direction_residual(basis, enter, direction);
    for (int round = 0; round < 3 && residual > TOL_REFINE; ++round) {
        if (is_fresh) {
            memcpy(basis->t, basis->g, (size_t)basis->k * sizeof *basis->t);
            solve_fresh(basis, basis->t);
        } else {
            multiply_inverse(basis, basis->g, basis->t);
        }
        crn_axpy(basis->k, -1.0, basis->t, basis->rate);
        rates_of_w(basis, enter >= 0, direction);
        double next = direction_residual(basis, enter, direction);
        if (!(next < residual)) {
            return next;
        }
        bool is_slow = next > 0.1 * residual;
        residual = next;
        if (is_slow) {
            break;
        }
    }
    return residual;
}

bool crn_basis_direction(crn_basis *basis, int enter, double direction)
{
    if (enter == basis->n) {
        memcpy(basis->column, basis->cover, (size_t)basis->n * sizeof *basis->column);
    } else if (enter >= 0) {
        crn_view_column(basis->view, enter, basis->column);
    }
    solve_direction(basis, enter, direction, false);
    rates_of_w(basis, enter >= 0, direction);
    double residual = refine_direction(basis, enter, direction, false);
    if (residual <= TOL_REFACTOR) {
        return true;
    }
    /* W has lost its accuracy: fresh factors, and from them both W and this direction. */
    if (!crn_basis_refactor(basis)) {
        return false;
    }
    if (enter >= 0 && enter < basis->n) {
        crn_view_column(basis->view, enter, basis->column); /* crn_basis_compute_w() uses the same scratch */
    } else if (enter == basis->n) {
        memcpy(basis->column, basis->cover, (size_t)basis->n * sizeof *basis->column);
    }
    solve_direction(basis, enter, direction, true);
    rates_of_w(basis, enter >= 0, direction);
    residual = refine_direction(basis, enter, direction, true);
    return residual <= TOL_USELESS;
}

void crn_basis_advance(crn_basis *basis, int enter, double direction, double step)
{
    for (int b = 0; b < basis->k; ++b) {
        basis->z[basis->cols[b]] += step * basis->rate[b];
    }
    if (enter >= 0) {
        basis->z[enter] += step * direction;
    }
    crn_axpy(basis->n, step, basis->dw, basis->w);
    if (enter < 0) {
        basis->w[-1 - enter] = step * direction; /* exactly: it started from 0 */
    }
}

void crn_basis_ray(const crn_basis *basis, int enter, double direction, double *ray)
{
    const crn_view *view = basis->view;
    memset(ray, 0, (size_t)basis->n * sizeof *ray);
    for (int b = 0; b < basis->k; ++b) {
        int j = basis->cols[b];
        if (j < basis->n) {
            ray[j] = basis->rate[b] * view->c[j];
        }
    }
    if (enter >= 0 && enter < basis->n) {
        ray[enter] = direction * view->c[enter];
    }
}

/* --- pivots --- */

/* t = (row i over cols) W */
static void row_times_inverse(crn_basis *basis, int i)
{
    const int k = basis->k;
    crn_view_row(basis->view, i, k, basis->cols, basis->g);
    if (basis->col_at[basis->n] >= 0) {
        basis->g[basis->col_at[basis->n]] = basis->cover[i];
    }
    crn_gemv_transposed(k, k, basis->inverse.W, basis->inverse.ld, basis->g, basis->t);
}

void crn_basis_exchange(crn_basis *basis, int enter, double direction, int leave, unsigned char leave_state)
{
    const int k = basis->k;
    crn_scal(k, direction, basis->rate); /* direction is +-1: rates per unit of the entering variable */
    if (leave < 0) {
        row_times_inverse(basis, -1 - leave);
    }
    if (enter >= 0 && leave < 0) {
        crn_inverse_border(&basis->inverse, basis->rate, basis->t, direction * basis->dw[-1 - leave], basis->g);
    } else if (enter >= 0) {
        crn_inverse_replace_column(&basis->inverse, basis->col_at[leave], basis->rate, basis->g);
    } else if (leave < 0) {
        crn_inverse_replace_row(&basis->inverse, basis->row_at[-1 - enter], basis->t, basis->g);
    } else {
        crn_inverse_remove(&basis->inverse, basis->row_at[-1 - enter], basis->col_at[leave], basis->t, basis->g);
    }
    crn_basis_exchange_lists(basis, enter, leave, leave_state);
    if (crn_basis_residual(basis) > TOL_VALUES) {
        /* One Newton step on the equations in force by W. */
        crn_basis_compute_w(basis);
        for (int a = 0; a < basis->k; ++a) {
            basis->g[a] = -basis->w[basis->rows[a]];
        }
        multiply_inverse(basis, basis->g, basis->rate);
        for (int b = 0; b < basis->k; ++b) {
            basis->z[basis->cols[b]] += basis->rate[b];
        }
        crn_basis_compute_w(basis);
    }
}
