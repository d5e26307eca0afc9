/* Making and checking proofs. Both go the same way: whatever was found is put into a proof, and the check decides. */
#include "lcp/prove.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

static const double UNIT = 0x1p-53; /* of rounding */
static void prover_layout(crn_prover *prover, bool has_block, crn_arena *arena)
{
    const size_t n = (size_t)prover->problem->n, k = (size_t)prover->k;
    crn_job_layout(&prover->job, arena);
    prover->index = CRN_TAKE(arena, int, n);
    if (has_block) {
        prover->block = CRN_TAKE_MATRIX(arena, double, k, k);
        prover->room = CRN_TAKE_MATRIX(arena, double, k, k + 3);
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

/* --- checking --- */

static bool check_shape(const crn_lcp_problem *problem, const crn_proof *proof, crn_error *error)
{
    if (proof->n != problem->n) {
        (void)crn_fail(error, CRN_OK, "the proof is about a problem of order %d, not %d", proof->n, problem->n);
        return false;
    }
    const bool is_motion = proof->kind == CRN_PROOF_MOTION,
               is_about_y = proof->kind >= CRN_PROOF_INFEASIBLE && !is_motion;
    bool is_whole = is_about_y ? proof->y != NULL : proof->z != NULL && (proof->basis != NULL || is_motion);
    is_whole = is_whole && (proof->kind != CRN_PROOF_EXACT || proof->number != NULL);
    is_whole = is_whole && (proof->kind != CRN_PROOF_BACKWARD || proof->size != NULL);
    is_whole = is_whole && (proof->kind != CRN_PROOF_ENCLOSURE ||
                            (proof->radius != NULL && proof->weight != NULL && proof->inverse != NULL));
    const int vectors = proof->kind == CRN_PROOF_EXHAUSTED ? proof->leaves : 1;
    is_whole = is_whole && (proof->kind != CRN_PROOF_EXHAUSTED || proof->tree != NULL);
    for (long i = 0; is_whole && is_about_y && i < (long)vectors * proof->n; ++i) {
        is_whole = isfinite(proof->y[i]);
    }
    int basic = 0;
    for (int i = 0; is_whole && !is_about_y && i < proof->n; ++i) {
        is_whole = isfinite(proof->z[i]) && (is_motion || proof->basis[i] <= CRN_LCP_AT_UPPER);
        basic += !is_motion && proof->basis[i] == CRN_LCP_BASIC;
    }
    is_whole = is_whole && (proof->kind == CRN_PROOF_BACKWARD || is_about_y || is_motion || basic == proof->k);
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
    for (int i = 0; i < proof->n; ++i) {
        if (!(proof->radius[i] >= 0.0)) {
            (void)crn_fail(error, CRN_OK, "radius(%d) is negative", i + 1);
            return false;
        }
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
    if (proof == NULL || holds == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", proof == NULL ? "proof" : "holds");
    }
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
        case CRN_PROOF_INFEASIBLE_WITHIN:
            *holds = check_eps(crn_farkas_change(problem, NULL, proof->y), proof, error);
            break;
        case CRN_PROOF_EXHAUSTED: *holds = crn_exhausted_holds(problem, proof, error); break;
        case CRN_PROOF_MOTION: *holds = crn_motion_holds(problem, proof, error); break;
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
    if (status == CRN_OK && !crn_proof_begin(proof, kind, problem->n, prover.k)) {
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

crn_status crn_lcp_prove(const crn_lcp_problem *problem, crn_lcp_outcome outcome, const crn_lcp_solution *answer,
                         const crn_proof_options *options, crn_proof *proof, crn_error *error)
{
    if (answer == NULL || proof == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", answer == NULL ? "answer" : "proof");
    }
    const crn_proof_options defaults = crn_proof_options_default();
    options = options != NULL ? options : &defaults;
    crn_clear(error);
    crn_status status = crn_lcp_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    if (proof->allocator.resize == NULL) {
        proof->allocator = crn_allocator_default();
    }
    if (outcome == CRN_LCP_SOLVED && answer->z != NULL && answer->basis != NULL) {
        return options->is_motion ? crn_prove_motion(problem, answer->z, proof, error)
                                  : prove_solution(problem, answer, options, proof, error);
    }
    if (outcome == CRN_LCP_INFEASIBLE && answer->ray != NULL && crn_max_abs(problem->n, answer->ray) > 0.0) {
        return crn_prove_infeasible(problem, answer->ray, proof, error);
    }
    return outcome == CRN_LCP_INFEASIBLE ? crn_prove_exhausted(problem, proof, error) : CRN_OK;
}
