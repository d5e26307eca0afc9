/* How far the motion of a convex contact problem can be from the right one.
 *
 * Let w = M z + q at a z within its bounds, z* a solution. For all x within the bounds (x - z*)'w* >= 0  [CPS92 s1.2], so
 *
 *     (z - z*)'M (z - z*) = (z - z*)'(w - w*) <= (z - z*)'w <= gap := sum over i of |w_i| |z_i - end_i|
 *
 * where end_i is the lower bound if w_i > 0 and the upper one if w_i < 0: finite if every w_i has the sign that an infinite bound
 * asks for. With M = J W J' (contacts without friction, or with the convex law on polygonal cones) and v = v_free + W J'z the left
 * side is |v - v*|^2 in the norm of the mass matrix, whether z* is unique or not. It says something for every monotone M.
 *
 * A computed z has w_i = -1e-17 somewhere; the z of a problem whose q asks for a little more has not. Signs are found by exact sums,
 * the gap is rounded up. */
#include "lcp/prove.h"

#include "math/exact_sum.h"
#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double UNIT = 0x1p-53; /* of rounding */
/* What q is made to ask for, relative to the sum of the row's |terms|, one after another. */
static const double MARGINS[] = {1e-14, 1e-13, 1e-12, 1e-10, 1e-8};
enum { ORDER_MOST = 20000 }; /* an exact sum for each row takes half a kilobyte */

/* w = M z + q, exactly. */
static void exact_rows(const crn_lcp_problem *p, const double *z, crn_exact_sum *w)
{
    for (int i = 0; i < p->n; ++i) {
        w[i] = (crn_exact_sum){.count = 0};
        crn_exact_add(&w[i], p->q[i]);
    }
    for (int j = 0; j < p->n; ++j) {
        const crn_column c = crn_column_of(p, j);
        for (int e = 0; z[j] != 0.0 && e < c.count; ++e) {
            crn_exact_add_product(&w[c.row != NULL ? c.row[e] : e], c.value[e], z[j]);
        }
    }
}

/* An upper bound of what row i adds to the gap; infinite if z_i is out of its bounds or w_i has a sign that it must not have. */
static double row_gap(const crn_lcp_problem *p, const double *z, const crn_exact_sum *w, int i)
{
    const double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
    const int sign = crn_exact_sign(w);
    if (w->is_lost || !(z[i] >= l && z[i] <= u)) {
        return INFINITY;
    }
    const double distance = sign > 0 ? z[i] - l : u - z[i];
    if (sign == 0 || distance == 0.0) {
        return 0.0;
    }
    return fabs(crn_exact_value(w)) * distance * (1.0 + 8.0 * UNIT) + DBL_MIN; /* three roundings, or an underflow */
}

/* The gap at z, rounded up; infinite if there is none. */
static double gap_at(const crn_lcp_problem *p, const double *z, crn_exact_sum *w)
{
    double sum = 0.0;
    exact_rows(p, z, w);
    for (int i = 0; i < p->n; ++i) {
        sum += row_gap(p, z, &w[i], i);
    }
    return sum * (1.0 + 2.0 * p->n * UNIT);
}

/* q that asks for w >= margin size where only a lower bound is finite, w <= -margin size where only an upper one is. */
static void ask_for_more(const crn_lcp_problem *p, const double *z, double margin, double *q)
{
    for (int i = 0; i < p->n; ++i) {
        q[i] = fabs(p->q[i]);
    }
    for (int j = 0; j < p->n; ++j) {
        const crn_column c = crn_column_of(p, j);
        for (int e = 0; e < c.count; ++e) {
            q[c.row != NULL ? c.row[e] : e] += fabs(c.value[e] * z[j]);
        }
    }
    for (int i = 0; i < p->n; ++i) {
        const double asks = (isinf(crn_upper_bound(p, i)) ? 1.0 : 0.0) - (isinf(crn_lower_bound(p, i)) ? 1.0 : 0.0);
        q[i] = p->q[i] - asks * margin * q[i];
    }
}

/* The arrays of one call. */
typedef struct motion {
    double *q, *z;
    crn_exact_sum *w;
    crn_workspace workspace;
} motion;

static void free_motion(motion *m, const crn_allocator *allocator)
{
    crn_release(allocator, m->q);
    crn_release(allocator, m->z);
    crn_release(allocator, m->w);
    crn_workspace_free(&m->workspace);
}

static bool take_motion(motion *m, int n, const crn_allocator *allocator)
{
    const size_t count = (size_t)n + 1;
    *m = (motion){.workspace = {.allocator = *allocator}};
    m->q = crn_allocate(allocator, count, sizeof *m->q);
    m->z = crn_allocate(allocator, count, sizeof *m->z);
    m->w = crn_allocate(allocator, count, sizeof *m->w);
    return m->q != NULL && m->z != NULL && m->w != NULL;
}

/* Keep z if its gap is the least so far. */
static void keep_better(crn_proof *proof, const crn_lcp_problem *p, motion *m)
{
    const double gap = gap_at(p, m->z, m->w);
    if (gap < proof->gap) {
        proof->gap = gap;
        crn_copy_numbers(proof->z, m->z, p->n);
    }
}

crn_status crn_prove_motion(const crn_lcp_problem *problem, const double *z, crn_proof *proof, crn_error *error)
{
    motion m;
    if (problem->n > ORDER_MOST) {
        return CRN_OK;
    }
    const bool has_memory = crn_proof_begin(proof, CRN_PROOF_MOTION, problem->n, 0);
    if (!take_motion(&m, problem->n, &proof->allocator) || !has_memory) {
        free_motion(&m, &proof->allocator);
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a proof of order %d", problem->n);
    }
    proof->gap = INFINITY;
    crn_copy_numbers(m.z, z, problem->n);
    keep_better(proof, problem, &m);
    for (size_t t = 0; isinf(proof->gap) && t < sizeof MARGINS / sizeof *MARGINS; ++t) {
        crn_lcp_problem more = *problem;
        const crn_lcp_solution solution = {.z = m.z};
        more.q = m.q;
        ask_for_more(problem, z, MARGINS[t], m.q);
        crn_lcp_options options = crn_lcp_options_default(CRN_LCP_AUTO);
        options.tol = 0.1 * MARGINS[t]; /* or what the original asks for would pass */
        if (crn_lcp_solve(&more, &options, &m.workspace, &solution, NULL, NULL) == CRN_OK) {
            keep_better(proof, problem, &m);
        }
    }
    free_motion(&m, &proof->allocator);
    if (isinf(proof->gap)) {
        crn_proof_free(proof);
    }
    return CRN_OK;
}

bool crn_motion_holds(const crn_lcp_problem *problem, const crn_proof *proof, crn_error *error)
{
    crn_exact_sum *w = crn_allocate(&proof->allocator, (size_t)problem->n + 1, sizeof *w);
    const double gap = w != NULL ? gap_at(problem, proof->z, w) : INFINITY;
    crn_release(&proof->allocator, w);
    if (!(gap <= proof->gap)) {
        (void)crn_fail(error, CRN_OK, "the gap is %g, not %g", gap, proof->gap);
    }
    return gap <= proof->gap;
}
