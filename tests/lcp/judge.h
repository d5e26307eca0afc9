/* The tests' own judge of answers. It shares no code with the library: sums in long double, a scaling of its own, and
 * the proofs of infeasibility multiplied out again.
 *
 *     answer a = solve(&problem, &options);
 *     judge_honest("peg 3", &problem, &a);      no false "solved", no false "infeasible"
 *     answer_free(&a);                                                                                              */
#ifndef CRN_TEST_LCP_JUDGE_H
#define CRN_TEST_LCP_JUDGE_H

#include "test_support.h"

#include <cairn/lcp.h>

#include <math.h>

/* "Solved" is false above this figure of judge_point(). The library promises 1e-9 in its scaling; ours weighs rows and
 * columns differently by factors of at most some hundreds. */
#define JUDGE_TOL 1e-6L

/* --- data --- */

static inline double lower_of(const crn_lcp_problem *p, int i)
{
    return p->lower != NULL ? p->lower[i] : 0.0;
}

static inline double upper_of(const crn_lcp_problem *p, int i)
{
    return p->upper != NULL ? p->upper[i] : (double)INFINITY;
}

static inline void *take(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    assert_non_null(block);
    return block;
}

/* M as a dense array of order n. */
static inline double *dense_of(const crn_lcp_problem *p)
{
    const size_t n = (size_t)p->n;
    double *A = (double *)take(n * n, sizeof *A);
    for (int j = 0; j < p->n; ++j) {
        if (p->M != NULL) {
            memcpy(A + (size_t)j * n, p->M + (size_t)j * (size_t)p->ld, n * sizeof *A);
            continue;
        }
        for (int e = p->start[j]; e < p->start[j + 1]; ++e) {
            A[(size_t)p->row[e] + (size_t)j * n] = p->value[e];
        }
    }
    return A;
}

/* w = M z + q, each in long double; columns with z = 0 add nothing. */
static inline long double *slack_of(const crn_lcp_problem *p, const double *A, const double *z)
{
    long double *w = (long double *)take((size_t)p->n, sizeof *w);
    for (int i = 0; i < p->n; ++i) {
        w[i] = p->q[i];
    }
    for (int j = 0; j < p->n; ++j) {
        for (int i = 0; i < p->n && z[j] != 0.0; ++i) {
            w[i] += (long double)A[i + (long)j * p->n] * z[j];
        }
    }
    return w;
}

/* --- points --- */

/* Row and column factors that bring the largest entries of rows and columns near 1. */
static inline void equilibrate(int n, const double *A, double *r, double *c)
{
    double *row = (double *)take((size_t)n, sizeof *row), *column = (double *)take((size_t)n, sizeof *column);
    for (int i = 0; i < n; ++i) {
        r[i] = c[i] = 1.0;
    }
    for (int sweep = 0; sweep < 10; ++sweep) {
        memset(row, 0, (size_t)n * sizeof *row);
        memset(column, 0, (size_t)n * sizeof *column);
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                double v = fabs(A[i + (long)j * n]) * r[i] * c[j];
                row[i] = v > row[i] ? v : row[i];
                column[j] = v > column[j] ? v : column[j];
            }
        }
        for (int i = 0; i < n; ++i) {
            r[i] /= row[i] > 0.0 ? sqrt(row[i]) : 1.0;
            c[i] /= column[i] > 0.0 ? sqrt(column[i]) : 1.0;
        }
    }
    free(row);
    free(column);
}

/* Largest scaled entry of the slack at z = 0 clamped to the bounds: what drives the problem; 1 if that is 0. */
static inline long double judge_scale(const crn_lcp_problem *p, const double *A, const double *r)
{
    double *start = (double *)take((size_t)p->n, sizeof *start);
    for (int i = 0; i < p->n; ++i) {
        start[i] = fmin(fmax(0.0, lower_of(p, i)), upper_of(p, i));
    }
    long double *w = slack_of(p, A, start), scale = 0.0L;
    for (int i = 0; i < p->n; ++i) {
        scale = fmaxl(scale, fabsl(w[i]) * r[i]);
    }
    free(w);
    free(start);
    return scale > 0.0L ? scale : 1.0L;
}

/* A row of zeros has no unit but that of its q, which it either accepts or not, however small it is beside others. */
static inline void scale_empty_rows(const crn_lcp_problem *p, const double *A, long double scale, double *r)
{
    for (int i = 0; i < p->n; ++i) {
        bool is_empty = p->q[i] != 0.0;
        for (int j = 0; j < p->n && is_empty; ++j) {
            is_empty = A[i + (long)j * p->n] == 0.0;
        }
        r[i] = is_empty ? (double)(scale / fabsl((long double)p->q[i])) : r[i];
    }
}

/* Largest |z - clamp(z - w, l, u)| in equilibrated units, over judge_scale(); infinite if anything is NaN. */
static inline long double judge_point(const crn_lcp_problem *p, const double *z)
{
    const int n = p->n;
    double *A = dense_of(p), *r = (double *)take((size_t)n, sizeof *r), *c = (double *)take((size_t)n, sizeof *c);
    equilibrate(n, A, r, c);
    long double *w = slack_of(p, A, z), worst = 0.0L, scale = judge_scale(p, A, r);
    scale_empty_rows(p, A, scale, r);
    for (int i = 0; i < n; ++i) {
        long double low = (long double)lower_of(p, i) / c[i], high = (long double)upper_of(p, i) / c[i];
        long double at = (long double)z[i] / c[i], moved = at - w[i] * r[i];
        long double error = fabsl(at - (moved < low ? low : moved > high ? high : moved)) / scale;
        worst = isnan(error) ? (long double)INFINITY : fmaxl(worst, error);
    }
    free(w);
    free(c);
    free(r);
    free(A);
    return worst;
}

/* --- proofs --- */

/* May y_i have this sign? w_i >= 0 is asked where only the lower bound is finite, <= 0 where only the upper one is, 0
 * where none is, nothing where both are. */
static inline bool may_have_sign(const crn_lcp_problem *p, int i, double y)
{
    bool has_lower = isfinite(lower_of(p, i)), has_upper = isfinite(upper_of(p, i));
    return y == 0.0 || (y > 0.0 && !has_upper) || (y < 0.0 && !has_lower);
}

/* Does y prove that no z has the slacks that are asked for: is the largest y'(M z + q) within the bounds negative?
 * Sums that cancel to 1e-10 of their terms count as 0. */
static inline bool judge_farkas(const crn_lcp_problem *p, const double *y)
{
    double *A = dense_of(p);
    long double value = 0.0L, size = 0.0L;
    bool is_proof = true;
    for (int j = 0; j < p->n && is_proof; ++j) {
        long double v = 0.0L, terms = 0.0L;
        for (int i = 0; i < p->n; ++i) {
            v += (long double)A[i + (long)j * p->n] * y[i];
            terms += fabsl((long double)A[i + (long)j * p->n] * y[i]);
        }
        v = fabsl(v) <= 1e-10L * terms ? 0.0L : v;
        long double best = v > 0.0L ? upper_of(p, j) : v < 0.0L ? lower_of(p, j) : 0.0;
        is_proof = may_have_sign(p, j, y[j]) && isfinite(best);
        value += (long double)y[j] * p->q[j] + v * best;
        size += fabsl((long double)y[j] * p->q[j]) + fabsl(v * best);
    }
    free(A);
    return is_proof && value < -1e-8L * size;
}

/* --- answers --- */

typedef struct answer {
    crn_status status;
    crn_lcp_result result;
    crn_error error;
    double *z, *w, *ray;
    unsigned char *basis;
} answer;

static inline answer solve_in(const crn_lcp_problem *p, const crn_lcp_options *options, crn_workspace *workspace)
{
    answer a = {.status = CRN_OK};
    size_t n = p->n > 0 ? (size_t)p->n : 0;
    a.z = (double *)take(n, sizeof *a.z);
    a.w = (double *)take(n, sizeof *a.w);
    a.ray = (double *)take(n, sizeof *a.ray);
    a.basis = (unsigned char *)take(n, 1);
    crn_lcp_solution solution = {.z = a.z, .w = a.w, .ray = a.ray, .basis = a.basis};
    a.status = crn_lcp_solve(p, options, workspace, &solution, &a.result, &a.error);
    return a;
}

static inline answer solve(const crn_lcp_problem *p, const crn_lcp_options *options)
{
    crn_workspace workspace = {0};
    answer a = solve_in(p, options, &workspace);
    crn_workspace_free(&workspace);
    return a;
}

static inline answer solve_by(const crn_lcp_problem *p, crn_lcp_method method)
{
    crn_lcp_options options = crn_lcp_options_default(method);
    return solve(p, &options);
}

static inline void answer_free(answer *a)
{
    free(a->z);
    free(a->w);
    free(a->ray);
    free(a->basis);
}

static inline bool is_all_zero(int n, const double *x)
{
    for (int i = 0; i < n; ++i) {
        if (x[i] != 0.0) {
            return false;
        }
    }
    return true;
}

/* A variable that is said to stand at a bound stands exactly there, or at 0 if the bound is infinite. */
static inline void judge_basis(const char *name, const crn_lcp_problem *p, const answer *a)
{
    for (int i = 0; i < p->n; ++i) {
        double bound = a->basis[i] == CRN_LCP_AT_UPPER ? upper_of(p, i) : lower_of(p, i);
        bound = isfinite(bound) ? bound : 0.0;
        bool is_right = a->basis[i] == CRN_LCP_BASIC || (a->basis[i] <= CRN_LCP_AT_UPPER && a->z[i] == bound);
        TEST_CHECK(is_right, "%s: z(%d) = %g has basis entry %d", name, i, a->z[i], a->basis[i]);
        TEST_CHECK(a->z[i] >= lower_of(p, i) && a->z[i] <= upper_of(p, i), "%s: z(%d) = %g is out of bounds", name, i,
                   a->z[i]);
    }
}

/* w is M z + q to the last digits. */
static inline void judge_slack(const char *name, const crn_lcp_problem *p, const answer *a)
{
    double *A = dense_of(p);
    long double *w = slack_of(p, A, a->z);
    for (int i = 0; i < p->n; ++i) {
        long double size = fabsl(w[i]) + 1e-3L * fabs(p->q[i]);
        for (int j = 0; j < p->n; ++j) {
            size += 1e-3L * fabsl((long double)A[i + (long)j * p->n] * a->z[j]);
        }
        TEST_CHECK(fabsl(w[i] - a->w[i]) <= 1e-14L * size, "%s: w(%d) = %g, not %Lg", name, i, a->w[i], w[i]);
    }
    free(w);
    free(A);
}

/* What the answer claims is so: a solution is one, a proof is one, and there is none of either where none is claimed. */
static inline void judge_honest(const char *name, const crn_lcp_problem *p, const answer *a)
{
    const crn_lcp_result *r = &a->result;
    TEST_CHECK(a->status == CRN_OK, "%s: %s", name, a->error.text);
    TEST_CHECK(r->outcome > CRN_LCP_UNSOLVED && r->outcome <= CRN_LCP_STALLED, "%s: outcome %d", name, (int)r->outcome);
    TEST_CHECK((r->outcome == CRN_LCP_INFEASIBLE) == (r->proof != CRN_LCP_NO_PROOF), "%s: %s with proof %d", name,
               crn_lcp_outcome_name(r->outcome), (int)r->proof);
    if (r->outcome == CRN_LCP_SOLVED) {
        long double error = judge_point(p, a->z);
        TEST_CHECK(error <= JUDGE_TOL, "%s: false solved, %Lg where %g is claimed", name, error,
                   r->certificate.relative);
        TEST_CHECK(is_all_zero(p->n, a->ray), "%s: solved, and yet a ray", name);
        judge_slack(name, p, a);
        judge_basis(name, p, a);
    }
    if (r->proof == CRN_LCP_FARKAS) {
        TEST_CHECK(judge_farkas(p, a->ray), "%s: the vector proves nothing", name);
    }
    if (r->proof == CRN_LCP_EXHAUSTED) {
        TEST_CHECK(is_all_zero(p->n, a->ray), "%s: proved without a vector, and yet a ray", name);
    }
}

/* Honest and solved to 1e-9. */
static inline void judge_solved(const char *name, const crn_lcp_problem *p, const answer *a)
{
    judge_honest(name, p, a);
    TEST_CHECK(a->result.outcome == CRN_LCP_SOLVED, "%s: %s by %s", name, crn_lcp_outcome_name(a->result.outcome),
               crn_lcp_method_name(a->result.method));
    TEST_CHECK(a->result.certificate.relative <= 1e-9, "%s: %g", name, a->result.certificate.relative);
}

/* --- methods --- */

typedef struct variant {
    const char *name;
    crn_lcp_method method;
    crn_lcp_variant kind;
    double tie_width; /* < 0: the default */
} variant;

/* Every method in all its variants. */
static const variant VARIANTS[] = {
    {"auto", CRN_LCP_AUTO, CRN_LCP_PLAIN, -1.0},
    {"search", CRN_LCP_SEARCH, CRN_LCP_PLAIN, -1.0},
    {"lemke", CRN_LCP_LEMKE, CRN_LCP_PLAIN, -1.0},
    {"lemke-lex 0", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 0.0},
    {"lemke-lex 1e-8", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 1e-8},
    {"lemke-lex 1e-6", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 1e-6},
    {"lemke-lex 1e-4", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 1e-4},
    {"yamane", CRN_LCP_YAMANE, CRN_LCP_PLAIN, -1.0},
    {"yamane authors", CRN_LCP_YAMANE, CRN_LCP_AUTHORS_ORDER, -1.0},
    {"murty", CRN_LCP_MURTY, CRN_LCP_PLAIN, -1.0},
    {"murty block", CRN_LCP_MURTY, CRN_LCP_BLOCK, -1.0},
    {"pgs", CRN_LCP_PGS, CRN_LCP_PLAIN, -1.0},
};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof VARIANTS[0] };

static inline crn_lcp_options variant_options(int v)
{
    crn_lcp_options options = crn_lcp_options_default(VARIANTS[v].method);
    options.variant = VARIANTS[v].kind;
    options.tie_width = VARIANTS[v].tie_width < 0.0 ? options.tie_width : VARIANTS[v].tie_width;
    return options;
}

/* Do failing problems keep this one busy for long? */
static inline bool is_slow(int v)
{
    return VARIANTS[v].method == CRN_LCP_YAMANE || VARIANTS[v].method == CRN_LCP_MURTY;
}

#endif
