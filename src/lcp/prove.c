/* Making and checking proofs. Both go the same way: whatever was found is put into a proof, and the check decides. */
#include "lcp/prove.h"

#include "math/exact_sum.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static const double UNIT = 0x1p-53; /* of rounding */
/* Entries of a Farkas vector below these fractions of the largest are tried as 0, one after another: what is left of noise
 * keeps M'y from being <= 0 exactly. */
static const double NOISE[] = {0.0, 1e-12, 1e-9, 1e-7, 1e-5};
enum { NOISES = sizeof NOISE / sizeof NOISE[0] };

const char *crn_proof_kind_name(crn_proof_kind kind)
{
    static const char *const names[CRN_PROOF_KIND_COUNT] = {"none",     "enclosure",  "exact",
                                                            "backward", "infeasible", "infeasible-within"};
    return (int)kind >= 0 && kind < CRN_PROOF_KIND_COUNT ? names[kind] : NULL;
}

crn_proof_options crn_proof_options_default(void)
{
    return (crn_proof_options){.exact_most = 100, .enclosure_most = 1500};
}

/* --- memory --- */

void crn_proof_free(crn_proof *proof)
{
    if (proof == NULL) {
        return;
    }
    for (int b = 0; proof->number != NULL && b <= proof->k; ++b) {
        crn_release(&proof->allocator, proof->number[b]);
    }
    void *const arrays[] = {proof->basis,   proof->z,      proof->radius, proof->weight,
                            proof->inverse, proof->number, proof->y,      proof->size};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a) {
        crn_release(&proof->allocator, arrays[a]);
    }
    *proof = (crn_proof){.allocator = proof->allocator};
}

/* Drop what has been tried, and begin a proof of another kind; false if there is no memory. */
static bool begin_proof(crn_proof *proof, crn_proof_kind kind, int n, int k)
{
    const crn_allocator *a = &proof->allocator;
    crn_proof_free(proof);
    *proof = (crn_proof){.kind = kind, .n = n, .k = k, .allocator = *a};
    if (kind == CRN_PROOF_INFEASIBLE) {
        proof->y = crn_allocate(a, (size_t)n, sizeof(double));
        return proof->y != NULL;
    }
    proof->z = crn_allocate(a, (size_t)n, sizeof(double));
    proof->basis = crn_allocate(a, (size_t)n, 1);
    bool is_good = proof->z != NULL && proof->basis != NULL;
    if (kind == CRN_PROOF_ENCLOSURE) {
        proof->radius = crn_allocate(a, (size_t)n, sizeof(double));
        proof->weight = crn_allocate(a, (size_t)k, sizeof(double));
        proof->inverse = crn_allocate(a, (size_t)k * (size_t)k, sizeof(double));
        is_good = is_good && proof->radius != NULL && proof->weight != NULL && proof->inverse != NULL;
    } else if (kind == CRN_PROOF_BACKWARD) {
        proof->size = crn_allocate(a, (size_t)n, sizeof(double));
        is_good = is_good && proof->size != NULL;
    } else if (kind == CRN_PROOF_EXACT) {
        proof->number = crn_allocate(a, (size_t)k + 1, sizeof(char *));
        is_good = is_good && proof->number != NULL;
        if (proof->number != NULL) {
            memset(proof->number, 0, ((size_t)k + 1) * sizeof(char *));
        }
    }
    return is_good;
}

static void prover_layout(crn_prover *prover, bool has_block, crn_arena *arena)
{
    const size_t n = (size_t)prover->problem->n, k = (size_t)prover->k;
    crn_job_layout(&prover->job, arena);
    prover->index = CRN_TAKE(arena, int, n);
    if (has_block) {
        prover->block = CRN_TAKE(arena, double, k *k);
        prover->room = CRN_TAKE(arena, double, k *k + 3 * k);
        prover->right = CRN_TAKE(arena, double, k);
        prover->spread = CRN_TAKE(arena, double, k);
    }
}

/* Take memory, scale the problem, compute w at z, and list the basic variables. */
static crn_status open_prover(crn_prover *prover, const crn_lcp_problem *problem, const double *z,
                              const unsigned char *basis, bool has_block, crn_error *error)
{
    *prover = (crn_prover){.problem = problem, .job = {.problem = problem}};
    for (int i = 0; basis != NULL && i < problem->n; ++i) {
        prover->k += basis[i] == CRN_LCP_BASIC;
    }
    crn_arena counting = crn_arena_counting(), arena;
    prover_layout(prover, has_block, &counting);
    crn_status status =
        crn_workspace_arena(&prover->workspace, counting.overflow ? SIZE_MAX : counting.used, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    prover_layout(prover, has_block, &arena);
    status = crn_view_open(&prover->job.view, error);
    if (status == CRN_OK && z != NULL) {
        crn_view_residual(&prover->job.view, z, prover->job.w, prover->job.low, prover->job.low + problem->n);
    }
    int count = 0;
    for (int i = 0; basis != NULL && i < problem->n; ++i) {
        if (basis[i] == CRN_LCP_BASIC) {
            prover->index[count++] = i;
        }
    }
    return status;
}

/* The block of the basic variables. */
static void fill_block(const crn_prover *prover)
{
    const int k = prover->k;
    int *place = (int *)(void *)prover->job.view.work; /* free since the scaling is done */
    for (int i = 0; i < prover->problem->n; ++i) {
        place[i] = -1;
    }
    for (int b = 0; b < k; ++b) {
        place[prover->index[b]] = b;
    }
    memset(prover->block, 0, (size_t)k * (size_t)k * sizeof *prover->block);
    for (int b = 0; b < k; ++b) {
        crn_column c = crn_column_of(prover->problem, prover->index[b]);
        for (int e = 0; e < c.count; ++e) {
            int a = place[c.row != NULL ? c.row[e] : e];
            if (a >= 0) {
                prover->block[a + (long)b * k] = c.value[e];
            }
        }
    }
}

/* --- backward errors --- */

/* What row i asks of w at the point: 0 if w must vanish, +1 if it may be positive, -1 if it may be negative, 2: nothing. */
static int row_asks(const crn_lcp_problem *p, const double *z, int i)
{
    const double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
    if (l == u) {
        return 2;
    }
    if (z[i] == l) {
        return 1;
    }
    return z[i] == u ? -1 : 0;
}

/* An upper bound of the change of q_i that makes row i right at z: |w_i|, or 0 if it is right. */
static double row_change(const crn_prover *prover, const double *z, int i)
{
    const crn_lcp_problem *p = prover->problem;
    const int asks = row_asks(p, z, i);
    const double w = prover->job.w[i], terms = p->n + 2.0;
    const double error = 8.0 * terms * terms * UNIT * UNIT * prover->job.low[p->n + i]; /* of w in double-double */
    return asks == 2 || asks * w > error ? 0.0 : (fabs(w) + error) * (1.0 + 8.0 * UNIT);
}

/* What the change of each row is relative to: the sum of its |terms|, or the size of the problem in its units if that is more,
 * for where all terms cancel their sum is rounding error. */
static void row_sizes(const crn_prover *prover, double *size)
{
    for (int i = 0; i < prover->problem->n; ++i) {
        double own = prover->job.low[prover->problem->n + i];
        size[i] = crn_max(own, prover->job.view.scale / prover->job.view.r[i]);
    }
}

/* Does z stand within its bounds, and by how much must q change, relative to the sizes, for z to be a solution? NaN if it does
 * not. */
static double backward_error(const crn_prover *prover, const double *z, const double *size)
{
    const crn_lcp_problem *p = prover->problem;
    double worst = 0.0;
    for (int i = 0; i < p->n; ++i) {
        if (!(z[i] >= crn_lower_bound(p, i) && z[i] <= crn_upper_bound(p, i) && size[i] > 0.0)) {
            return NAN;
        }
        const double change = row_change(prover, z, i) / size[i];
        if (!isfinite(change)) {
            return NAN;
        }
        worst = crn_max(worst, change);
    }
    return worst * (1.0 + 8.0 * UNIT);
}

/* --- infeasibility --- */

/* What the problem asks of w_i whatever z is: +1: w >= 0, -1: w <= 0, 2: w = 0, 0: nothing. */
static int demand(const crn_lcp_problem *p, int i)
{
    const bool has_lower = isfinite(crn_lower_bound(p, i)), has_upper = isfinite(crn_upper_bound(p, i));
    if (has_lower != has_upper) {
        return has_lower ? 1 : -1;
    }
    return has_lower ? 0 : 2;
}

/* The largest that y'(M z + q) can be within the bounds must be negative. Returns the eps by which data must change for that
 * to be so: 0 if they need not, NaN if y proves nothing. */
static double farkas_change(const crn_lcp_problem *p, const double *y)
{
    crn_exact_sum value = {.count = 0};
    double eps = 0.0;
    for (int i = 0; i < p->n; ++i) {
        const int asks = demand(p, i);
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
        const double best = sign > 0 ? crn_upper_bound(p, j) : crn_lower_bound(p, j);
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

/* --- checking --- */

static bool check_shape(const crn_lcp_problem *problem, const crn_proof *proof, crn_error *error)
{
    if (proof->n != problem->n) {
        (void)crn_fail(error, CRN_OK, "the proof is about a problem of order %d, not %d", proof->n, problem->n);
        return false;
    }
    const bool is_about_y = proof->kind == CRN_PROOF_INFEASIBLE || proof->kind == CRN_PROOF_INFEASIBLE_WITHIN;
    bool is_whole = is_about_y ? proof->y != NULL : proof->z != NULL && proof->basis != NULL;
    is_whole = is_whole && (proof->kind != CRN_PROOF_EXACT || proof->number != NULL);
    is_whole = is_whole && (proof->kind != CRN_PROOF_BACKWARD || proof->size != NULL);
    is_whole = is_whole && (proof->kind != CRN_PROOF_ENCLOSURE ||
                            (proof->radius != NULL && proof->weight != NULL && proof->inverse != NULL));
    for (int i = 0; is_whole && is_about_y && i < proof->n; ++i) {
        is_whole = isfinite(proof->y[i]);
    }
    int basic = 0;
    for (int i = 0; is_whole && !is_about_y && i < proof->n; ++i) {
        is_whole = isfinite(proof->z[i]) && proof->basis[i] <= CRN_LCP_AT_UPPER;
        basic += proof->basis[i] == CRN_LCP_BASIC;
    }
    is_whole = is_whole && (proof->kind == CRN_PROOF_BACKWARD || is_about_y || basic == proof->k);
    if (!is_whole || proof->kind == CRN_PROOF_NONE) {
        (void)crn_fail(error, CRN_OK, "the proof is not whole");
    }
    return is_whole && proof->kind != CRN_PROOF_NONE;
}

static bool check_enclosure(crn_prover *prover, const crn_proof *proof, crn_error *error)
{
    fill_block(prover);
    if (!crn_enclosure_radii(prover, proof)) {
        (void)crn_fail(error, CRN_OK, "the basic block may be singular");
        return false;
    }
    for (int b = 0; b < prover->k; ++b) {
        if (!(proof->radius[prover->index[b]] >= prover->spread[b])) {
            (void)crn_fail(error, CRN_OK, "radius(%d) is too small", prover->index[b] + 1);
            return false;
        }
    }
    return crn_enclosure_holds(prover, proof, error);
}

static bool check_eps(double eps, const crn_proof *proof, crn_error *error)
{
    if (!(eps <= proof->eps)) {
        (void)crn_fail(error, CRN_OK, "eps is %g, but %g is needed", proof->eps, eps);
    }
    return eps <= proof->eps;
}

crn_status crn_proof_check(const crn_lcp_problem *problem, const crn_proof *proof, bool *holds, crn_error *error)
{
    crn_prover prover;
    crn_clear(error);
    *holds = false;
    crn_status status = crn_lcp_check(problem, error);
    if (status != CRN_OK || !check_shape(problem, proof, error)) {
        return status;
    }
    status = open_prover(&prover, problem, proof->z, proof->basis, proof->kind == CRN_PROOF_ENCLOSURE, error);
    if (status == CRN_OK) {
        switch (proof->kind) {
        case CRN_PROOF_ENCLOSURE: *holds = check_enclosure(&prover, proof, error); break;
        case CRN_PROOF_EXACT: *holds = crn_exact_holds(&prover, proof, error); break;
        case CRN_PROOF_BACKWARD:
            *holds = check_eps(backward_error(&prover, proof->z, proof->size), proof, error);
            break;
        case CRN_PROOF_INFEASIBLE:
        case CRN_PROOF_INFEASIBLE_WITHIN: *holds = check_eps(farkas_change(problem, proof->y), proof, error); break;
        case CRN_PROOF_NONE: break;
        }
    }
    crn_workspace_free(&prover.workspace);
    return status;
}

/* --- proving --- */

static bool try_enclosure(crn_prover *prover, crn_proof *proof)
{
    fill_block(prover);
    if (!crn_enclosure_invert(prover, proof) || !crn_enclosure_radii(prover, proof)) {
        return false;
    }
    memset(proof->radius, 0, (size_t)proof->n * sizeof *proof->radius);
    for (int b = 0; b < prover->k; ++b) {
        proof->radius[prover->index[b]] = prover->spread[b];
    }
    return crn_enclosure_holds(prover, proof, NULL);
}

/* One kind of proof of a solution; true if it holds. */
static crn_status try_kind(const crn_lcp_problem *problem, crn_proof_kind kind, const crn_lcp_solution *answer,
                           crn_proof *proof, bool *holds, crn_error *error)
{
    crn_prover prover;
    crn_status status = open_prover(&prover, problem, answer->z, answer->basis, kind == CRN_PROOF_ENCLOSURE, error);
    *holds = false;
    if (status == CRN_OK && !begin_proof(proof, kind, problem->n, prover.k)) {
        status = crn_fail(error, CRN_ERR_MEMORY, "no memory for a proof of order %d", problem->n);
    }
    if (status == CRN_OK) {
        memcpy(proof->z, answer->z, (size_t)problem->n * sizeof *proof->z);
        memcpy(proof->basis, answer->basis, (size_t)problem->n);
        if (kind == CRN_PROOF_BACKWARD) {
            row_sizes(&prover, proof->size);
            proof->eps = backward_error(&prover, answer->z, proof->size);
            *holds = isfinite(proof->eps);
        } else {
            *holds = kind == CRN_PROOF_ENCLOSURE
                         ? try_enclosure(&prover, proof)
                         : crn_exact_solve(&prover, proof) && crn_exact_holds(&prover, proof, NULL);
        }
    }
    crn_workspace_free(&prover.workspace);
    return status;
}

static crn_status prove_solution(const crn_lcp_problem *problem, const crn_lcp_solution *answer,
                                 const crn_proof_options *options, crn_proof *proof, crn_error *error)
{
    const crn_proof_kind first = options->is_exact_first ? CRN_PROOF_EXACT : CRN_PROOF_ENCLOSURE;
    const crn_proof_kind second = options->is_exact_first ? CRN_PROOF_ENCLOSURE : CRN_PROOF_EXACT;
    const crn_proof_kind kinds[] = {first, second, CRN_PROOF_BACKWARD};
    int basic = 0;
    for (int i = 0; i < problem->n; ++i) {
        basic += answer->basis[i] == CRN_LCP_BASIC;
    }
    for (int t = 0; t < 3; ++t) {
        bool is_large = kinds[t] == CRN_PROOF_EXACT ? basic > options->exact_most || !crn_proof_has_exact()
                                                    : basic > options->enclosure_most;
        if (is_large && kinds[t] != CRN_PROOF_BACKWARD) {
            continue;
        }
        bool holds;
        crn_status status = try_kind(problem, kinds[t], answer, proof, &holds, error);
        if (status != CRN_OK || holds) {
            return status;
        }
    }
    crn_proof_free(proof);
    return CRN_OK;
}

/* y without what is small in it; the first that needs no change of the data is taken, else the one that needs least. */
static crn_status prove_infeasible(const crn_lcp_problem *problem, const double *ray, crn_proof *proof,
                                   crn_error *error)
{
    if (!begin_proof(proof, CRN_PROOF_INFEASIBLE, problem->n, 0)) {
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a proof of order %d", problem->n);
    }
    const double largest = crn_max_abs(problem->n, ray);
    double best = INFINITY, kept = 0.0;
    for (int t = 0; t < NOISES && best > 0.0; ++t) {
        for (int i = 0; i < problem->n; ++i) {
            proof->y[i] = fabs(ray[i]) > NOISE[t] * largest ? ray[i] : 0.0;
        }
        double eps = farkas_change(problem, proof->y);
        kept = eps < best ? NOISE[t] : kept;
        best = eps < best ? eps : best;
    }
    if (!isfinite(best)) {
        crn_proof_free(proof);
        return CRN_OK;
    }
    for (int i = 0; i < problem->n; ++i) {
        proof->y[i] = fabs(ray[i]) > kept * largest ? ray[i] : 0.0;
    }
    proof->eps = best;
    proof->kind = best == 0.0 ? CRN_PROOF_INFEASIBLE : CRN_PROOF_INFEASIBLE_WITHIN;
    return CRN_OK;
}

crn_status crn_lcp_prove(const crn_lcp_problem *problem, crn_lcp_outcome outcome, const crn_lcp_solution *answer,
                         const crn_proof_options *options, crn_proof *proof, crn_error *error)
{
    const crn_proof_options defaults = crn_proof_options_default();
    crn_clear(error);
    crn_status status = crn_lcp_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    if (proof->allocator.resize == NULL) {
        proof->allocator = crn_allocator_default();
    }
    if (outcome == CRN_LCP_SOLVED && answer->z != NULL && answer->basis != NULL) {
        return prove_solution(problem, answer, options != NULL ? options : &defaults, proof, error);
    }
    if (outcome == CRN_LCP_INFEASIBLE && answer->ray != NULL) {
        return prove_infeasible(problem, answer->ray, proof, error);
    }
    return CRN_OK;
}
