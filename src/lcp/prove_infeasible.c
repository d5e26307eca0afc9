/* Proofs that there is no solution: a Farkas vector, or a tree of sides each leaf of which has one. */
#include "lcp/prove.h"

#include "lcp/exhaust.h"
#include "math/exact_sum.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static const double UNIT = 0x1p-53; /* of rounding */
/* Entries of a Farkas vector below these fractions of the largest are tried as 0, one after another: what is left of noise
 * keeps M'y from being <= 0 exactly. */
static const double NOISE[] = {0.0, 1e-12, 1e-9, 1e-7, 1e-5};
enum { NOISES = sizeof NOISE / sizeof NOISE[0] };
/* Margins (scaled) by which a tree's inequalities are made easier, one after another: vectors that prove even those wrong do not
 * stand on equalities that hold only to rounding. */
static const double MARGINS[] = {1e-7, 0.0};

/* --- vectors --- */

/* What the problem asks of w_i on that side: +1: w >= 0, -1: w <= 0, 2: w = 0, 0: nothing. */
static int demand(const crn_lcp_problem *p, int i, unsigned char side)
{
    switch (side) {
    case CRN_LCP_AT_LOWER: return 1;
    case CRN_LCP_BASIC: return 2;
    case CRN_LCP_AT_UPPER: return -1;
    default: break;
    }
    const bool has_lower = isfinite(crn_lower_bound(p, i)), has_upper = isfinite(crn_upper_bound(p, i));
    if (has_lower != has_upper) {
        return has_lower ? 1 : -1;
    }
    return has_lower ? 0 : 2;
}

/* The end of z_j's interval on that side towards which `sign` points. */
static double end_of(const crn_lcp_problem *p, int j, unsigned char side, int sign)
{
    const bool is_lower = side == CRN_LCP_AT_LOWER || (side != CRN_LCP_AT_UPPER && sign < 0);
    return is_lower ? crn_lower_bound(p, j) : crn_upper_bound(p, j);
}

double crn_farkas_change(const crn_lcp_problem *p, const unsigned char *sides, const double *y)
{
    crn_exact_sum value = {.count = 0};
    double eps = 0.0;
    for (int i = 0; i < p->n; ++i) {
        const int asks = demand(p, i, sides != NULL ? sides[i] : CRN_SIDE_OPEN);
        if (y[i] != 0.0 && asks != 2 && asks * y[i] <= 0.0) {
            return NAN;
        }
        crn_exact_add_product(&value, y[i], p->q[i]);
    }
    for (int j = 0; j < p->n; ++j) {
        crn_column c = crn_column_of(p, j);
        crn_exact_sum v = {.count = 0};
        double size = 0.0;
        for (int e = 0; e < c.count; ++e) {
            double by = y[c.row != NULL ? c.row[e] : e];
            crn_exact_add_product(&v, by, c.value[e]);
            size += fabs(by * c.value[e]);
        }
        const int sign = crn_exact_sign(&v);
        const double best = end_of(p, j, sides != NULL ? sides[j] : CRN_SIDE_OPEN, sign);
        if (sign != 0 && isinf(best)) { /* this column must vanish: its terms change by theta = -v / size each */
            eps = crn_max(eps, fabs(crn_exact_value(&v)) / size * (1.0 + (2.0 * c.count + 8.0) * UNIT));
        } else if (sign != 0) {
            crn_exact_add_scaled(&value, best, &v);
        }
        if (v.is_lost) {
            return NAN;
        }
    }
    return !value.is_lost && crn_exact_sign(&value) < 0 ? eps : (double)NAN;
}

static void cut(int n, const double *ray, double below, double *y)
{
    for (int i = 0; i < n; ++i) {
        y[i] = fabs(ray[i]) > below ? ray[i] : 0.0;
    }
}

/* y = ray without what is small in it: the first cut that needs no change of the data is taken, else the one that needs least.
 * Returns that change. */
static double clean(const crn_lcp_problem *p, const unsigned char *sides, const double *ray, double *y)
{
    const double largest = crn_max_abs(p->n, ray);
    double best = INFINITY, kept = 0.0;
    for (int t = 0; t < NOISES && best > 0.0; ++t) {
        cut(p->n, ray, NOISE[t] * largest, y);
        const double eps = crn_farkas_change(p, sides, y);
        if (eps < best) {
            best = eps;
            kept = NOISE[t];
        }
    }
    cut(p->n, ray, kept * largest, y);
    return best;
}

crn_status crn_prove_infeasible(const crn_lcp_problem *problem, const double *ray, crn_proof *proof, crn_error *error)
{
    if (!crn_proof_begin(proof, CRN_PROOF_INFEASIBLE, problem->n, 0)) {
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a proof of order %d", problem->n);
    }
    const double eps = clean(problem, NULL, ray, proof->y);
    if (!isfinite(eps)) {
        crn_proof_free(proof);
        return CRN_OK;
    }
    proof->eps = eps;
    proof->kind = eps == 0.0 ? CRN_PROOF_INFEASIBLE : CRN_PROOF_INFEASIBLE_WITHIN;
    return CRN_OK;
}

/* --- trees --- */

/* A tree of sides on its way into a proof. */
typedef struct tree_writer {
    const crn_lcp_problem *problem;
    const crn_exhaust *exhaust;
    crn_proof *proof;
    int room;     /* for leaves */
    bool is_good; /* there was memory, and every leaf is refuted without a change of the data */
} tree_writer;

/* Room for one more leaf. */
static bool has_room(tree_writer *t)
{
    crn_proof *proof = t->proof;
    if (proof->leaves < t->room) {
        return true;
    }
    const int room = 2 * t->room + 16;
    double *y = crn_allocate(&proof->allocator, (size_t)room * (size_t)proof->n, sizeof *y);
    if (y == NULL) {
        return false;
    }
    crn_copy_numbers(y, proof->y, proof->leaves * proof->n);
    crn_release(&proof->allocator, proof->y);
    proof->y = y;
    t->room = room;
    return true;
}

static void write_node(void *user, int index, const double *y)
{
    tree_writer *t = user;
    crn_proof *proof = t->proof;
    if (index == CRN_EXHAUST_AFRESH) {
        proof->nodes = proof->leaves = 0;
        t->is_good = true;
        return;
    }
    t->is_good = t->is_good && proof->nodes < CRN_EXHAUST_NODES;
    if (t->is_good) {
        proof->tree[proof->nodes++] = index + 1;
    }
    if (t->is_good && y != NULL) {
        t->is_good =
            has_room(t) && clean(t->problem, t->exhaust->chosen, y, proof->y + (long)proof->leaves * proof->n) == 0.0;
        ++proof->leaves;
    }
}

/* Search the tree once more, writing it down. */
static crn_status write_tree(const crn_lcp_problem *problem, double margin, crn_proof *proof, bool *is_good,
                             crn_error *error)
{
    crn_exhaust exhaust;
    crn_lcp_result result = {.certificate = {.worst = -1}};
    crn_job job = {.problem = problem, .options = crn_lcp_options_default(CRN_LCP_SEARCH), .result = &result};
    crn_workspace workspace = {.allocator = proof->allocator};
    crn_arena counting = crn_arena_counting(), arena;
    crn_job_layout(&job, &counting);
    crn_exhaust_layout(&exhaust, &job, &counting);
    crn_status status = crn_workspace_arena(&workspace, counting.overflow ? SIZE_MAX : counting.used, &arena, error);
    if (status == CRN_OK) {
        crn_job_layout(&job, &arena);
        crn_exhaust_layout(&exhaust, &job, &arena);
        status = crn_view_open(&job.view, error);
    }
    if (status == CRN_OK) {
        tree_writer writer = {.problem = problem, .exhaust = &exhaust, .proof = proof, .is_good = true};
        exhaust.margin = margin;
        exhaust.tell = write_node;
        exhaust.tell_user = &writer;
        *is_good = crn_exhaust_run(&exhaust, &job, 0) == CRN_LCP_INFEASIBLE && writer.is_good;
    }
    crn_workspace_free(&workspace);
    return status;
}

crn_status crn_prove_exhausted(const crn_lcp_problem *problem, crn_proof *proof, crn_error *error)
{
    bool is_good = false;
    crn_status status = CRN_OK;
    for (size_t m = 0; status == CRN_OK && !is_good && m < sizeof MARGINS / sizeof *MARGINS; ++m) {
        if (!crn_proof_begin(proof, CRN_PROOF_EXHAUSTED, problem->n, 0)) {
            return crn_fail(error, CRN_ERR_MEMORY, "no memory for a proof of order %d", problem->n);
        }
        status = write_tree(problem, MARGINS[m], proof, &is_good, error);
    }
    if (!is_good) {
        crn_proof_free(proof);
    }
    return status;
}

/* A walk through the tree of a proof. */
typedef struct tree_reader {
    const crn_lcp_problem *problem;
    const crn_proof *proof;
    unsigned char *sides; /* n */
    int node, leaf;
    crn_error *error;
} tree_reader;

/* Is the subtree that begins at the next node whole, and are its leaves refuted? As deep as there are open sides. */
static bool subtree_holds(tree_reader *t)
{
    const crn_lcp_problem *p = t->problem;
    if (t->node >= t->proof->nodes) {
        (void)crn_fail(t->error, CRN_OK, "the tree is not whole");
        return false;
    }
    const int i = t->proof->tree[t->node++] - 1;
    if (i < 0) {
        const double *y = t->proof->y + (long)t->leaf++ * p->n;
        const bool is_refuted = t->leaf <= t->proof->leaves && crn_farkas_change(p, t->sides, y) == 0.0;
        if (!is_refuted) {
            (void)crn_fail(t->error, CRN_OK, "leaf %d of the tree is not refuted", t->leaf);
        }
        return is_refuted;
    }
    bool holds = i < p->n && t->sides[i] == CRN_SIDE_OPEN;
    for (unsigned char side = CRN_LCP_AT_LOWER; holds && side < CRN_SIDE_OPEN; ++side) {
        if (side == CRN_LCP_BASIC || isfinite(end_of(p, i, side, 0))) {
            t->sides[i] = side;
            holds = subtree_holds(t);
        }
    }
    if (i < p->n) {
        t->sides[i] = CRN_SIDE_OPEN;
    }
    return holds;
}

bool crn_exhausted_holds(const crn_lcp_problem *problem, const crn_proof *proof, crn_error *error)
{
    tree_reader t = {.problem = problem, .proof = proof, .error = error};
    t.sides = crn_allocate(&proof->allocator, (size_t)problem->n + 1, 1);
    if (t.sides == NULL) {
        (void)crn_fail(error, CRN_OK, "no memory to check a tree of order %d", problem->n);
        return false;
    }
    memset(t.sides, CRN_SIDE_OPEN, (size_t)problem->n);
    bool holds = subtree_holds(&t);
    if (holds && (t.node != proof->nodes || t.leaf != proof->leaves)) {
        holds = false;
        (void)crn_fail(error, CRN_OK, "the tree goes on after its end");
    }
    crn_release(&proof->allocator, t.sides);
    return holds;
}
