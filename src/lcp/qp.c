/* Quadratic programmes as complementarity problems  [CPS92 s1.2].
 *
 *     (x)   (P  -C') (x)   (q)    x free: P x + q - C'v = 0
 *     (v):  (C   0 ) (v) + (-b)   v >= 0 or free: C x - b >= 0 and complementary, or = 0
 *
 * The rows of C are those of A: once with b = l where only l is finite or l = u, once negated with b = -u where only u is, and both
 * where both are. M is P plus a skew part: monotone. A ray of it has two parts, each of which is a proof of its own:
 * a direction of x along which the objective falls, and combinations of rows that cannot hold. */
#include <cairn/qp.h>

#include "base/memory.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* The complementarity problem and where its rows come from. */
typedef struct assembly {
    crn_lcp_problem lcp;
    int n, rows; /* variables, and rows of C */
    int *source; /* rows: row of A */
    double *sign;
    int *count; /* per column of the problem, while it is filled */
    int *start, *row;
    double *value, *q, *lower, *upper, *z, *ray;
    unsigned char *pieces; /* one block holds all of this */
} assembly;

const char *crn_qp_outcome_name(crn_qp_outcome outcome)
{
    switch (outcome) {
    case CRN_QP_UNSOLVED: return "unsolved";
    case CRN_QP_SOLVED: return "solved";
    case CRN_QP_INFEASIBLE: return "infeasible";
    case CRN_QP_UNBOUNDED: return "unbounded";
    }
    return "unknown";
}

static double lower_of(const crn_qp_problem *p, int i)
{
    return p->l != NULL ? p->l[i] : -INFINITY;
}

static double upper_of(const crn_qp_problem *p, int i)
{
    return p->u != NULL ? p->u[i] : INFINITY;
}

static crn_status check_matrix(const char *name, const crn_qp_matrix *a, int rows, int columns, crn_error *error)
{
    if (a->start == NULL) {
        return CRN_OK;
    }
    if (a->row == NULL || a->value == NULL || a->start[0] != 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: no compressed columns", name);
    }
    for (int j = 0; j < columns; ++j) {
        if (a->start[j + 1] < a->start[j]) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "%s: start[%d] is less than start[%d]", name, j + 1, j);
        }
        for (int e = a->start[j], before = -1; e < a->start[j + 1]; before = a->row[e++]) {
            if (a->row[e] <= before || a->row[e] >= rows || !isfinite(a->value[e])) {
                return crn_fail(error, CRN_ERR_ARGUMENT,
                                "%s: entry %d of column %d is out of range, out of order or no finite number", name,
                                e - a->start[j] + 1, j + 1);
            }
        }
    }
    return CRN_OK;
}

/* P(i,j), by looking for it. */
static double entry_of(const crn_qp_matrix *a, int i, int j)
{
    for (int e = a->start[j]; e < a->start[j + 1]; ++e) {
        if (a->row[e] == i) {
            return a->value[e];
        }
    }
    return 0.0;
}

/* P must be what it is said to be; the first pair that differs is named. */
static crn_status check_symmetric(const crn_qp_problem *p, crn_error *error)
{
    static const double TOL_SYMMETRIC = 1e-12; /* relative to the pair: rounding of a product B'B */
    for (int j = 0; p->P.start != NULL && j < p->n; ++j) {
        for (int e = p->P.start[j]; e < p->P.start[j + 1]; ++e) {
            double v = p->P.value[e], other = entry_of(&p->P, j, p->P.row[e]);
            if (fabs(v - other) > TOL_SYMMETRIC * crn_fmax(fabs(v), fabs(other))) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "P(%d,%d) = %g, but P(%d,%d) = %g: P must be symmetric",
                                p->P.row[e] + 1, j + 1, v, j + 1, p->P.row[e] + 1, other);
            }
        }
    }
    return CRN_OK;
}

static crn_status check_problem(const crn_qp_problem *p, crn_error *error)
{
    if (p->n < 0 || p->m < 0 || (p->q == NULL && p->n > 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "n, m or q: negative, or NULL");
    }
    crn_status status = check_matrix("P", &p->P, p->n, p->n, error);
    status = status == CRN_OK ? check_matrix("A", &p->A, p->m, p->n, error) : status;
    status = status == CRN_OK ? check_symmetric(p, error) : status;
    for (int i = 0; i < p->m && status == CRN_OK; ++i) {
        const double l = lower_of(p, i), u = upper_of(p, i);
        if (isnan(l) || isnan(u) || l == INFINITY || u == -INFINITY || l > u) {
            status = crn_fail(error, CRN_ERR_ARGUMENT, "l(%d), u(%d): %g and %g are no bounds", i + 1, i + 1, l, u);
        }
    }
    return status;
}

/* --- the complementarity problem --- */

/* How many rows of C a row of A gives. */
static int rows_of(const crn_qp_problem *p, int i)
{
    const double l = lower_of(p, i), u = upper_of(p, i);
    return l == u ? 1 : (int)isfinite(l) + (int)isfinite(u);
}

static void lay_out(assembly *a, const crn_qp_problem *p, size_t entries, crn_arena *arena)
{
    const size_t order = (size_t)a->n + (size_t)a->rows;
    a->source = CRN_TAKE(arena, int, 2 * (size_t)p->m + 1);
    a->sign = CRN_TAKE(arena, double, a->rows);
    a->count = CRN_TAKE(arena, int, (size_t)p->m + 1);
    a->start = CRN_TAKE(arena, int, order + 1);
    a->row = CRN_TAKE(arena, int, entries);
    a->value = CRN_TAKE(arena, double, entries);
    double **vectors[] = {&a->q, &a->lower, &a->upper, &a->z, &a->ray};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) {
        *vectors[k] = CRN_TAKE(arena, double, order);
    }
}

/* Rows of C in the order of A's; count[i] is the first that row i gives. */
static void list_rows(assembly *a, const crn_qp_problem *p)
{
    int r = 0;
    for (int i = 0; i < p->m; ++i) {
        const double l = lower_of(p, i), u = upper_of(p, i);
        a->count[i] = r;
        for (int side = 0; side < 2; ++side) {
            const double bound = side == 0 ? l : u;
            if (!isfinite(bound) || (side == 1 && l == u)) {
                continue;
            }
            const int k = a->n + r;
            a->source[r] = i;
            a->sign[r] = side == 0 ? 1.0 : -1.0;
            a->q[k] = -a->sign[r] * bound;
            a->lower[k] = l == u ? -INFINITY : 0.0;
            a->upper[k] = INFINITY;
            ++r;
        }
    }
}

/* Columns of x: P over C. Columns of v: -C', which are rows of A: counted first, then filled. */
static void fill_matrix(assembly *a, const crn_qp_problem *p)
{
    int used = 0;
    int *next = a->start + a->n + 1; /* columns of v: entries of each, then where the next one goes */
    memset(next, 0, (size_t)a->rows * sizeof *next);
    for (int j = 0; j < a->n; ++j) {
        a->start[j] = used;
        a->q[j] = p->q[j];
        a->lower[j] = -INFINITY;
        a->upper[j] = INFINITY;
        for (int e = p->P.start != NULL ? p->P.start[j] : 0; p->P.start != NULL && e < p->P.start[j + 1]; ++e) {
            a->row[used] = p->P.row[e];
            a->value[used++] = p->P.value[e];
        }
        for (int e = p->A.start != NULL ? p->A.start[j] : 0; p->A.start != NULL && e < p->A.start[j + 1]; ++e) {
            const int i = p->A.row[e];
            for (int r = a->count[i]; r < a->count[i] + rows_of(p, i); ++r) {
                a->row[used] = a->n + r;
                a->value[used++] = a->sign[r] * p->A.value[e];
                ++next[r];
            }
        }
    }
    a->start[a->n] = used;
    for (int r = 0; r < a->rows; ++r) {
        used += next[r];
        next[r] = used - next[r]; /* where column r begins */
    }
    for (int j = 0; j < a->n; ++j) {
        for (int e = a->start[j]; e < a->start[j + 1]; ++e) {
            if (a->row[e] >= a->n) {
                int place = next[a->row[e] - a->n]++;
                a->row[place] = j;
                a->value[place] = -a->value[e];
            }
        }
    }
    /* next[r] is where column r ends, which is what start[n + r + 1] must be: it is the same place. */
}

static crn_status assemble(assembly *a, const crn_qp_problem *p, const crn_allocator *allocator, crn_error *error)
{
    *a = (assembly){.n = p->n};
    size_t entries = p->P.start != NULL ? (size_t)p->P.start[p->n] : 0;
    for (int i = 0; i < p->m; ++i) {
        a->rows += rows_of(p, i);
    }
    entries += p->A.start != NULL ? 4 * (size_t)p->A.start[p->n] : 0; /* up to twice, and transposed */
    crn_arena counting = crn_arena_counting();
    lay_out(a, p, entries, &counting);
    a->pieces = counting.overflow ? NULL : crn_allocate(allocator, counting.used + CRN_ARENA_ALIGN, 1);
    if (a->pieces == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a programme of %d variables and %d rows", p->n, p->m);
    }
    size_t misfit = (size_t)((uintptr_t)a->pieces % CRN_ARENA_ALIGN);
    crn_arena arena = {.data = a->pieces + (misfit > 0 ? CRN_ARENA_ALIGN - misfit : 0), .size = counting.used};
    lay_out(a, p, entries, &arena);
    list_rows(a, p);
    fill_matrix(a, p);
    a->lcp = (crn_lcp_problem){.n = a->n + a->rows,
                               .start = a->start,
                               .row = a->row,
                               .value = a->value,
                               .q = a->q,
                               .lower = a->lower,
                               .upper = a->upper};
    return CRN_OK;
}

/* --- answers --- */

static double objective_of(const crn_qp_problem *p, const double *x)
{
    double sum = 0.0;
    for (int j = 0; j < p->n; ++j) {
        sum += p->q[j] * x[j];
        for (int e = p->P.start != NULL ? p->P.start[j] : 0; p->P.start != NULL && e < p->P.start[j + 1]; ++e) {
            sum += 0.5 * x[p->P.row[e]] * p->P.value[e] * x[j];
        }
    }
    return sum;
}

/* A ray (dx, dv) that proves the conditions contradictory has q'dx < 0 or b'dv > 0: unbounded or infeasible. */
static crn_qp_outcome outcome_of(const assembly *a, const crn_lcp_result *lcp)
{
    if (lcp->outcome == CRN_LCP_SOLVED) {
        return CRN_QP_SOLVED;
    }
    if (lcp->outcome != CRN_LCP_INFEASIBLE || lcp->proof != CRN_LCP_FARKAS) {
        return CRN_QP_UNSOLVED;
    }
    double of_rows = 0.0;
    for (int k = a->n; k < a->lcp.n; ++k) {
        of_rows += a->q[k] * a->ray[k];
    }
    return of_rows < 0.0 ? CRN_QP_INFEASIBLE : CRN_QP_UNBOUNDED;
}

crn_status crn_qp_solve(const crn_qp_problem *problem, const crn_lcp_options *options, crn_workspace *workspace,
                        double *x, double *y, crn_qp_result *result, crn_error *error)
{
    if (problem == NULL || workspace == NULL || x == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "problem, workspace or x: NULL");
    }
    crn_qp_result unused;
    crn_qp_result *out = result != NULL ? result : &unused;
    *out = (crn_qp_result){.outcome = CRN_QP_UNSOLVED};
    crn_clear(error);
    crn_status status = check_problem(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_lcp_options used = options != NULL ? *options : crn_lcp_options_default(CRN_LCP_AUTO);
    used.start = NULL;
    assembly a;
    status = assemble(&a, problem, &workspace->allocator, error);
    if (status == CRN_OK) {
        crn_lcp_solution solution = {.z = a.z, .ray = a.ray};
        status = crn_lcp_solve(&a.lcp, &used, workspace, &solution, &out->lcp, error);
    }
    if (status == CRN_OK) {
        memcpy(x, a.z, (size_t)a.n * sizeof *x);
        out->outcome = outcome_of(&a, &out->lcp);
        out->objective = objective_of(problem, x);
        for (int i = 0; y != NULL && i < problem->m; ++i) {
            y[i] = 0.0;
            for (int r = a.count[i]; r < a.count[i] + rows_of(problem, i); ++r) {
                y[i] -= a.sign[r] * a.z[a.n + r];
            }
        }
    }
    crn_release(&workspace->allocator, a.pieces);
    return status;
}
