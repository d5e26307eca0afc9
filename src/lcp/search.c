/* Lemke's complementary pivoting on a factorised basis, with a search over the choices where it fails.
 *
 * Path. The covered problem  w = A z + c z0 + q'  is solved for large z0; z0 is driven down and every almost
 * complementary vertex passes the driving role to the complement of the variable that left  [CPS92 s4.4], [YN08 s2].
 * The covering vector is positive and random: along the line q' + c z0 no two variables reach their bounds together
 * except where z0 = 0, which is what a lexicographic order achieves by comparing rows of the inverse  [CPS92 s4.9], so
 * ties need no extra columns. What is left of them is resolved by the ratio test: z0 whenever it ties, otherwise the
 * largest pivot.
 *
 * Search. The other candidates of each ratio test are kept  [YN08 s3]. When a path ends on a ray, loses feasibility or
 * returns to a basis, the search goes back to the deepest pivot with a candidate left: depth first, a limited number
 * of discrepancies  [HG95]. After that it starts again with another covering vector.
 *
 * Departs from [YN08]: no queue and no cost. Their cost grows by about 1 per pivot, which makes the queue
 * breadth-first; and candidates are found by Harris' test in O(n), not by trying each pivot. */
#include "lcp/search.h"

#include "lcp/cover.h"
#include "lcp/hash.h"
#include "lcp/start.h"
#include "lcp/trace.h"

#include <math.h>
#include <string.h>

enum {
    MAX_ATTEMPTS = 24,     /* starts, */
    RANDOM_EVERY = 2,      /* every second one after the first from a random basis, the others from z = 0 */
    MAX_REPAIRS = 4,       /* of an answer that is almost right */
    MAX_BACKTRACKS = 12,   /* per covering vector */
    PIVOTS_PER_ROW = 30,   /* bound of the first path: this many pivots per variable, */
    PIVOTS_AT_LEAST = 300, /* and these besides; twice as much for every third path after it, because where M has */
    DOUBLINGS = 5,         /* no class paths can be long (indefinite M in a box), up to this many times */
    STEPS_PER_ROW = 8,     /* pivots that can be taken back: the first ones of a path */
    STEPS_AT_LEAST = 200,
    CLOCK_EVERY = 16 /* pivots between looks at the clock */
};
/* A vertex with z0 (scaled) below this is an answer: what is left of the cover is an error of that size. */
static const double Z0_IS_ZERO = 1e-12;
/* A ray that leaves from z0 below this is an answer too: opposed constraints hold z0 at the noise of the data. */
static const double Z0_RAY_IS_ZERO = 4e-10;
/* A start whose values (scaled) are this near to feasible is shown to the judge before anything else is tried. */
static const double NEARLY_FEASIBLE = 1e-8;
/* An answer this good is not polished. */
static const double GOOD_ENOUGH = 1e-12;
/* An answer worse than this is not worth repairing. */
static const double REPAIRABLE = 1e-6;

typedef enum path_end { PATH_REACHED, PATH_RAY, PATH_LOST, PATH_LIMIT } path_end;

/* per_row n + at_least, without overflow. */
static int linear_bound(const crn_job *job, int per_row, int at_least)
{
    return per_row * (job->problem->n < 100000 ? job->problem->n : 100000) + at_least;
}

/* Pivots that path number `attempt` may take. */
static int path_bound(const crn_job *job, int attempt)
{
    int doublings = attempt / 3 < DOUBLINGS ? attempt / 3 : DOUBLINGS;
    int own = linear_bound(job, PIVOTS_PER_ROW, PIVOTS_AT_LEAST) << doublings;
    int given = job->options.max_pivots;
    return given > 0 && given < own ? given : own;
}

static int table_size(int n)
{
    int size = 64;
    while (size / 8 < n && size < 16384) {
        size *= 2;
    }
    return size;
}

void crn_search_layout(crn_search *search, const crn_job *job, crn_basis *basis, crn_arena *arena)
{
    const int n = job->problem->n;
    search->basis = basis;
    search->step_count = linear_bound(job, STEPS_PER_ROW, STEPS_AT_LEAST);
    search->start = CRN_TAKE(arena, unsigned char, n);
    search->order = CRN_TAKE(arena, int, n);
    search->steps = CRN_TAKE(arena, crn_step, search->step_count);
    search->visited = CRN_TAKE(arena, uint64_t, table_size(n));
    search->visited_mask = table_size(n) - 1;
    search->best = CRN_TAKE(arena, double, n);
    search->best_basis = CRN_TAKE(arena, unsigned char, n);
}

/* --- bases seen --- */

static bool was_at_upper(const crn_basis *basis, int enter)
{
    return enter >= 0 && enter < basis->n && basis->state[enter] == CRN_LCP_AT_UPPER;
}

/* Update the hash for a pivot: a basis is known by its basic variables and by the z that stand at their upper bound. */
static void rehash(crn_search *search, int enter, const crn_block *block, bool was_at_upper)
{
    if (block->leave != enter) {
        search->hash ^= crn_hash_word(enter) ^ crn_hash_word(block->leave);
    }
    if (was_at_upper) { /* the entering z left its upper bound */
        search->hash ^= crn_hash_upper(enter);
    }
    if (block->leave >= 0 && block->state == CRN_LCP_AT_UPPER) {
        search->hash ^= crn_hash_upper(block->leave);
    }
}

/* Enter the present basis; true if it was seen before. A hash that collides only prunes a branch: answers are
 * certified, so none is wrong for it. */
static bool seen_before(crn_search *search)
{
    uint64_t *slot = &search->visited[search->hash & (uint64_t)search->visited_mask];
    bool is_seen = *slot == search->hash;
    *slot = search->hash;
    return is_seen;
}

/* --- path --- */

/* The variable that takes over after `block`, and which way it goes. */
static int complement(const crn_basis *basis, const crn_block *block, double *direction)
{
    if (block->leave < 0) { /* w_i reached 0: z_i leaves its bound */
        int i = -1 - block->leave;
        *direction = basis->state[i] == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
        return i;
    }
    *direction = block->state == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
    return crn_w(block->leave);
}

/* Take one candidate: move, exchange, hand over. */
static void take(crn_search *search, const crn_block *block, int *enter, double *direction)
{
    crn_basis *basis = search->basis;
    rehash(search, *enter, block, was_at_upper(basis, *enter));
    crn_basis_advance(basis, *enter, *direction, block->step);
    if (block->leave == *enter) { /* across its own box: nothing enters, its w takes over */
        basis->state[*enter] = block->state;
        basis->z[*enter] = crn_job_bound(basis->job, *enter, block->state);
    } else {
        crn_basis_exchange(basis, *enter, *direction, block->leave, block->state);
    }
    *enter = complement(basis, block, direction);
}

/* Tell the caller of the pivot that was just made at this depth. */
static void tell(const crn_search *search, const crn_job *job, const crn_step *step, int depth)
{
    const crn_basis *basis = search->basis;
    const crn_block *block = &step->blocks[step->taken];
    crn_trace(job, (crn_lcp_event){.kind = step->enter == basis->n ? CRN_LCP_ENTER : CRN_LCP_EXCHANGE,
                                   .entering = step->enter,
                                   .leaving = block->leave,
                                   .bound = block->state,
                                   .cover = basis->z[basis->n] * basis->view->s,
                                   .ties = step->count,
                                   .depth = depth});
}

/* z0 is as good as 0: `enter` takes its place where it stands. */
static path_end leave_cover(const crn_search *search, const crn_job *job, int enter)
{
    if (crn_is_traced(job)) {
        crn_trace(job, (crn_lcp_event){.kind = CRN_LCP_EXCHANGE,
                                       .entering = enter,
                                       .leaving = search->basis->n,
                                       .ties = 1,
                                       .depth = search->depth});
    }
    return PATH_REACHED;
}

/* Follow the edge from the entering variable until z0 is 0 or something is wrong. On PATH_REACHED *enter is the
 * variable that took z0's place. */
static path_end follow(crn_search *search, crn_job *job, int *enter, double *direction)
{
    crn_basis *basis = search->basis;
    while (search->depth < search->max_depth && crn_job_goes_on(job, CLOCK_EVERY)) {
        if (!crn_basis_direction(basis, *enter, *direction)) {
            return PATH_LOST;
        }
        /* Beyond the steps that are kept, the last place is written over. */
        crn_step *step = &search->steps[search->depth < search->step_count ? search->depth : search->step_count - 1];
        step->enter = *enter;
        step->direction = *direction;
        step->taken = 0;
        step->count = crn_ratio_test(basis, *enter, *direction, step->blocks);
        if (step->count <= 0) {
            return step->count == CRN_RATIO_LOST ? PATH_LOST : PATH_RAY;
        }
        ++search->depth;
        ++job->result->pivots;
        job->result->ties += step->count > 1;
        if (step->blocks[0].leave == basis->n) {
            crn_basis_advance(basis, *enter, *direction, step->blocks[0].step);
            if (crn_is_traced(job)) {
                tell(search, job, step, search->depth - 1);
            }
            return PATH_REACHED;
        }
        take(search, &step->blocks[0], enter, direction);
        if (crn_is_traced(job)) {
            tell(search, job, step, search->depth - 1);
        }
        if (basis->z[basis->n] <= Z0_IS_ZERO) {
            return leave_cover(search, job, *enter);
        }
        if (seen_before(search)) {
            job->result->cycled = true;
            return PATH_LOST;
        }
    }
    return PATH_LIMIT;
}

/* --- answers --- */

/* Keep the point in job->z if it is the best so far. */
static crn_lcp_outcome keep_best(crn_search *search, crn_job *job, double *best)
{
    crn_lcp_outcome outcome = crn_job_accept(job);
    double relative = job->result->certificate.relative;
    if (relative < *best) {
        *best = relative;
        memcpy(search->best, job->z, (size_t)job->view.n * sizeof *search->best);
        memcpy(search->best_basis, job->basis, (size_t)job->view.n);
    }
    return outcome;
}

/* Solve the complementary basis in job->basis once more by fresh factors (which may be at hand), with residuals in
 * double-double. */
static void polish(crn_search *search, crn_job *job, bool has_factors, double *best)
{
    crn_basis *basis = search->basis;
    const crn_view *view = basis->view;
    memcpy(search->start, job->basis, (size_t)basis->n);
    if (!has_factors && !crn_basis_begin(basis, search->start)) {
        return;
    }
    for (int round = 0; round < 3; ++round) {
        double before = *best;
        crn_job_set_point(job, basis->z, basis->state);
        (void)keep_best(search, job, best);
        if (*best <= GOOD_ENOUGH || (round > 0 && !(*best < before))) {
            return;
        }
        for (int a = 0; a < basis->k; ++a) {
            int i = basis->rows[a];
            basis->g[a] = -job->w[i] * view->r[i] / view->s;
        }
        crn_lu_solve(&basis->lu, basis->g);
        for (int b = 0; b < basis->k; ++b) {
            basis->z[basis->cols[b]] += basis->g[b];
        }
    }
}

/* Change the side of the index that the judge likes least, as principal pivoting would [M88 s4.1]: the ratio test lets
 * variables fall a little below their bounds, and in a small row that little may be too much. False if it is a free
 * variable. */
static bool change_worst(const crn_basis *basis, crn_job *job, int depth)
{
    int i = job->result->certificate.worst;
    double l = basis->view->lower[i], u = basis->view->upper[i];
    if (isinf(l) && isinf(u)) {
        return false;
    }
    unsigned char from = job->basis[i];
    if (from == CRN_LCP_BASIC) {
        job->basis[i] = basis->z[i] - l < u - basis->z[i] ? CRN_LCP_AT_LOWER : CRN_LCP_AT_UPPER;
    } else {
        job->basis[i] = CRN_LCP_BASIC;
    }
    if (crn_is_traced(job)) {
        crn_trace_change(job, i, from, job->basis[i], 0, depth);
    }
    return true;
}

/* Back from the basis that was tried last to the best one. */
static void tell_best(const crn_search *search, const crn_job *job)
{
    for (int i = 0; i < job->view.n; ++i) {
        if (job->basis[i] != search->best_basis[i]) {
            crn_trace_change(job, i, job->basis[i], search->best_basis[i], 0, search->depth + MAX_REPAIRS);
        }
    }
}

/* The path has ended at z0 = 0, with `enter` in its place: judge the point, polish it if that can help. */
static crn_lcp_outcome finish(crn_search *search, crn_job *job, int enter, bool has_factors, double *best)
{
    crn_basis *basis = search->basis;
    if (enter >= 0 && enter < basis->n) {
        basis->state[enter] = CRN_LCP_BASIC;
    }
    crn_job_set_point(job, basis->z, basis->state);
    crn_lcp_outcome outcome = keep_best(search, job, best);
    if (job->result->certificate.relative <= GOOD_ENOUGH) {
        return outcome;
    }
    polish(search, job, has_factors, best);
    for (int repair = 0; repair<MAX_REPAIRS && * best> job->options.tol && *best < REPAIRABLE; ++repair) {
        if (!change_worst(basis, job, search->depth + repair)) {
            break;
        }
        polish(search, job, false, best);
    }
    if (crn_is_traced(job)) {
        tell_best(search, job);
    }
    memcpy(job->z, search->best, (size_t)basis->n * sizeof *job->z);
    memcpy(job->basis, search->best_basis, (size_t)basis->n);
    return crn_job_accept(job);
}

/* The path has ended before z0 = 0: where it stands may yet be the best point so far, or even pass the judge. */
static crn_lcp_outcome leave_point(crn_search *search, crn_job *job, path_end end, double *best)
{
    crn_job_set_point(job, search->basis->z, search->basis->state);
    (void)keep_best(search, job, best);
    if (end == PATH_RAY) {
        return CRN_LCP_RAY;
    }
    return end == PATH_LIMIT ? CRN_LCP_LIMIT : CRN_LCP_STALLED;
}

/* --- search --- */

/* Put the lists back to where step `depth` was decided, and take its next candidate. */
static bool go_back(crn_search *search, const crn_job *job, int depth, int *enter, double *direction)
{
    crn_basis *basis = search->basis;
    if (crn_is_traced(job)) {
        crn_trace_back(job, depth);
    }
    crn_basis_begin_lists(basis, search->start);
    search->hash = 0;
    for (int d = 0; d < depth; ++d) {
        const crn_step *step = &search->steps[d];
        const crn_block *block = &step->blocks[step->taken];
        rehash(search, step->enter, block, was_at_upper(basis, step->enter));
        if (block->leave == step->enter) {
            basis->state[step->enter] = block->state;
            basis->z[step->enter] = crn_job_bound(basis->job, step->enter, block->state);
        } else {
            crn_basis_exchange_lists(basis, step->enter, block->leave, block->state);
        }
    }
    crn_step *step = &search->steps[depth];
    ++step->taken;
    *enter = step->enter;
    *direction = step->direction;
    if (!crn_basis_refactor(basis) || !crn_basis_direction(basis, *enter, *direction)) {
        return false;
    }
    take(search, &step->blocks[step->taken], enter, direction);
    if (crn_is_traced(job)) {
        tell(search, job, step, depth);
    }
    return true;
}

/* Follow the path; where it fails, try the candidates that were passed over, deepest first. */
static path_end explore(crn_search *search, crn_job *job, int *enter, double *direction)
{
    crn_basis *basis = search->basis;
    path_end end = follow(search, job, enter, direction);
    for (int back = 0; back < MAX_BACKTRACKS && (end == PATH_RAY || end == PATH_LOST); ++back) {
        if (end == PATH_RAY) {
            if (basis->z[basis->n] <= Z0_RAY_IS_ZERO) {
                return leave_cover(search, job, *enter);
            }
            crn_basis_ray(basis, *enter, *direction, job->ray);
            if (crn_job_judge_ray(job) == CRN_LCP_INFEASIBLE) {
                return PATH_RAY;
            }
        }
        int depth = search->depth <= search->step_count ? search->depth - 1 : 0; /* too long to take back */
        while (depth >= 1 && search->steps[depth].taken + 1 >= search->steps[depth].count) {
            --depth;
        }
        if (depth < 1) { /* the first pivot brings z0 in: its alternatives are other covers */
            return end;
        }
        ++job->result->backtracks;
        search->depth = depth + 1;
        if (!go_back(search, job, depth, enter, direction)) {
            end = PATH_LOST;
            continue;
        }
        end = follow(search, job, enter, direction);
    }
    return end;
}

/* Begin attempt number `attempt`: the caller's basis or a cold start first, later ones also from random bases, because
 * where M has no class that guarantees the path, another start is worth more than another cover. False if no basis could
 * be factorised. */
static bool begin_attempt(crn_search *search, const crn_job *job, int attempt, crn_random *random)
{
    crn_basis *basis = search->basis;
    bool is_warm = job->options.start != NULL && attempt == 0;
    bool is_random = attempt % RANDOM_EVERY == 1;
    crn_job_start(job, is_warm, search->start);
    if (!is_random && crn_basis_begin(basis, search->start)) {
        return true;
    }
    crn_job_start(job, false, search->start);
    int extra = is_random ? 1 + crn_random_below(random, 1 + basis->n / 2) : 0;
    return crn_start_random(basis, search->start, extra, is_random ? random : NULL, search->order) &&
           crn_basis_begin(basis, search->start);
}

/* The first pivot from z = 0 needs no ratio test: z0 was chosen as what `row` needs, and comes in for its w. */
static void bring_cover_in(crn_search *search, crn_job *job, int row, int *enter, double *direction)
{
    crn_basis *basis = search->basis;
    crn_step *step = &search->steps[search->depth++];
    *step = (crn_step){.enter = basis->n, .direction = -1.0, .count = 1};
    step->blocks[0] = (crn_block){.leave = crn_w(row), .rate = fabs(basis->cover[row])};
    basis->dw[row] = -basis->cover[row]; /* all that the exchange needs of the edge of z0 on its way down */
    rehash(search, basis->n, &step->blocks[0], false);
    crn_basis_exchange(basis, basis->n, -1.0, crn_w(row), 0);
    *enter = complement(basis, &step->blocks[0], direction);
    (void)seen_before(search);
    ++job->result->pivots;
    if (crn_is_traced(job)) {
        tell(search, job, step, 0);
    }
}

/* Cover the start and explore from there. */
static crn_lcp_outcome attempt_path(crn_search *search, crn_job *job, crn_random *random, double *best)
{
    crn_basis *basis = search->basis;
    if (crn_cover_violation(basis) <= NEARLY_FEASIBLE) { /* the start itself may be the answer: the judge decides */
        crn_lcp_outcome outcome = finish(search, job, crn_w(0), true, best);
        if (outcome == CRN_LCP_SOLVED || !crn_basis_begin(basis, search->start)) {
            return outcome;
        }
    }
    double violation = crn_cover_violation(basis);
    if (!(violation > 0.0)) {
        return CRN_LCP_STALLED; /* feasible, and yet not good enough */
    }
    int enter = basis->n, row = -1;
    double direction = -1.0;
    if (crn_cover_needs_point(basis)) {
        crn_cover_point(basis, violation, random);
    } else {
        row = crn_cover_rows(basis, random);
    }
    crn_basis_invert(basis);
    memset(search->visited, 0, ((size_t)search->visited_mask + 1) * sizeof *search->visited);
    search->depth = 0;
    search->hash = 0;
    if (basis->k == 0) {
        bring_cover_in(search, job, row, &enter, &direction);
    }
    path_end end = explore(search, job, &enter, &direction);
    if (end == PATH_REACHED) {
        return finish(search, job, enter, false, best);
    }
    if (job->result->proof == CRN_LCP_FARKAS) {
        return CRN_LCP_INFEASIBLE;
    }
    return leave_point(search, job, end, best);
}

crn_lcp_outcome crn_search_run(crn_search *search, crn_job *job)
{
    crn_lcp_outcome outcome = CRN_LCP_SINGULAR;
    double best = INFINITY;
    const int attempts = job->attempts > 0 ? job->attempts : MAX_ATTEMPTS;
    for (int attempt = 0; attempt < attempts && !job->is_stopped; ++attempt) {
        crn_random random = crn_random_seed(job->options.seed + (uint64_t)attempt);
        job->result->restarts = attempt;
        search->max_depth = path_bound(job, attempt);
        search->depth = 0;
        if (crn_is_traced(job) && attempt > 0) {
            crn_trace_restart(job);
        }
        if (!begin_attempt(search, job, attempt, &random)) {
            continue;
        }
        if (crn_is_traced(job)) {
            crn_trace_start(job, search->start);
        }
        outcome = attempt_path(search, job, &random, &best);
        if (outcome == CRN_LCP_INFEASIBLE || best <= job->options.tol) {
            break;
        }
    }
    if (outcome != CRN_LCP_SOLVED && isfinite(best)) {
        memcpy(job->z, search->best, (size_t)job->view.n * sizeof *job->z);
        memcpy(job->basis, search->best_basis, (size_t)job->view.n);
    }
    job->result->refactorizations = search->basis->refactorizations;
    return job->is_stopped ? CRN_LCP_LIMIT : outcome;
}
