/* Lemke's method as the robotics papers describe it: tableau, ones as the covering vector, lowest row on ties
 * [YN08 s2, s5]. Kept as the baseline: it fails on most contact problems, and says so.
 *
 * Step 0  z0 comes in for the most violated row.
 * Step 1  The driving variable grows until a basic one reaches its bound; none: a ray.
 *         Misprint in the paper: "m' <= 0" is m' < 0.
 * Step 2  Exchange; z0 out: done; otherwise the complement of what left drives.
 *
 * Free variables, and the basis of a warm start, are pivoted in first. Failure modes as in [YN08 table 1]: "no
 * solution" is CRN_LCP_RAY, "cycle" is CRN_LCP_STALLED with `cycled`, "error" without. */
#include "lcp/lemke.h"

#include "lcp/hash.h"
#include "lcp/trace.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { PIVOTS_PER_ROW = 50, PIVOTS_AT_LEAST = 500 };
/* A rate below this fraction of its column is taken as 0: without it, rounding errors become pivots. */
static const double TOL_PIVOT = 1e-12;

static int pivot_bound(const crn_job *job)
{
    int given = job->options.max_pivots;
    int n = job->problem->n < 1000000 ? job->problem->n : 1000000;
    return given > 0 ? given : PIVOTS_PER_ROW * n + PIVOTS_AT_LEAST;
}

static int table_size(const crn_job *job)
{
    int size = 64;
    while (size / 2 < pivot_bound(job) && size < (1 << 20)) {
        size *= 2;
    }
    return size;
}

void crn_lemke_layout(crn_lemke *lemke, const crn_job *job, crn_arena *arena)
{
    crn_tableau_layout(&lemke->tableau, job, arena);
    lemke->start = CRN_TAKE(arena, unsigned char, job->problem->n);
    lemke->visited = CRN_TAKE(arena, uint64_t, table_size(job));
    lemke->visited_mask = table_size(job) - 1;
    lemke->tied = CRN_TAKE(arena, int, job->problem->n);
}

/* Enter a basis; true if it was there. */
static bool seen_before(crn_lemke *lemke, uint64_t hash)
{
    uint64_t mask = (uint64_t)lemke->visited_mask;
    uint64_t place = hash & mask;
    hash |= 1; /* 0 marks an empty place */
    for (int probe = 0; probe < 64 && lemke->visited[place] != 0; ++probe) {
        if (lemke->visited[place] == hash) {
            return true;
        }
        place = (place + 1) & mask;
    }
    lemke->visited[place] = hash;
    return false;
}

/* Row with the least ratio, the first of equals. */
static int least_ratio_row(const crn_tableau *tableau, int e, double direction)
{
    const double *column = tableau->T + (long)e * tableau->n;
    const double floor_rate = TOL_PIVOT * crn_max_abs(tableau->n, column);
    double least = INFINITY;
    int row = -1;
    for (int r = 0; r < tableau->n; ++r) {
        double rate = direction * column[r];
        unsigned char state;
        if (fabs(rate) > floor_rate) {
            double ratio = crn_tableau_room(tableau, r, rate, &state) / fabs(rate);
            if (ratio < least) {
                least = ratio;
                row = r;
            }
        }
    }
    return row;
}

/* Rows whose ratio is the least, to the last bit. */
static int count_least(const crn_tableau *tableau, int e, double direction)
{
    const double *column = tableau->T + (long)e * tableau->n;
    const double floor_rate = TOL_PIVOT * crn_max_abs(tableau->n, column);
    double least = INFINITY;
    int count = 0;
    for (int r = 0; r < tableau->n; ++r) {
        double rate = direction * column[r];
        unsigned char state;
        if (fabs(rate) > floor_rate) {
            double ratio = crn_tableau_room(tableau, r, rate, &state) / fabs(rate);
            count = ratio < least ? 1 : count + (ratio == least);
            least = crn_fmin(ratio, least);
        }
    }
    return count;
}

/* Tell the caller of the pivot after which `next` drives: the complement of what left. */
static void tell(const crn_lemke *lemke, const crn_job *job, int entering, int next, int ties)
{
    const crn_tableau *tableau = &lemke->tableau;
    const int n = tableau->n, leaving = next == n ? n : -1 - next, place = tableau->z_place[n];
    crn_trace(job, (crn_lcp_event){.kind = entering == n ? CRN_LCP_ENTER : CRN_LCP_EXCHANGE,
                                   .entering = entering,
                                   .leaving = leaving,
                                   .bound = leaving >= 0 && leaving < n ? tableau->state[leaving] : 0,
                                   .cover = place >= 0 ? tableau->v[place] : 0.0,
                                   .ties = ties,
                                   .depth = job->result->pivots});
}

enum { NEXT_RAY = INT_MIN }; /* no variable has this number */

/* One pivot: returns what drives next, n when z0 has left, NEXT_RAY if nothing blocks; *ties: rows that tied, told apart
 * where the rule looks at them or somebody wants to know. */
static int advance(crn_lemke *lemke, crn_job *job, int entering, double *direction, int *ties)
{
    crn_tableau *tableau = &lemke->tableau;
    const int n = tableau->n;
    const int e = crn_tableau_column(tableau, entering);
    const bool is_lex = job->options.method != CRN_LCP_LEMKE;
    *ties = crn_is_traced(job) && !is_lex ? count_least(tableau, e, *direction) : 1;
    int row = is_lex ? crn_lemke_lex_row(tableau, e, *direction, job->options.tie_width, lemke->tied, ties)
                     : least_ratio_row(tableau, e, *direction);
    job->result->ties += is_lex && *ties > 1;
    double width = entering >= 0 && entering < n ? tableau->u[entering] - tableau->l[entering] : INFINITY;
    unsigned char state = CRN_LCP_AT_LOWER;
    double step = INFINITY, rate = 0.0;
    if (row >= 0) {
        rate = *direction * tableau->T[row + (long)e * n];
        step = crn_fmax(crn_tableau_room(tableau, row, rate, &state), 0.0) / fabs(rate);
    }
    if (isinf(step) && isinf(width)) {
        crn_tableau_ray(tableau, job, e, *direction);
        return NEXT_RAY;
    }
    double from = crn_tableau_value(tableau, entering);
    if (width <= step) { /* across its own box */
        *ties = 1;
        crn_tableau_advance(tableau, e, *direction, width);
        tableau->state[entering] = *direction > 0.0 ? CRN_LCP_AT_UPPER : CRN_LCP_AT_LOWER;
        *direction = -*direction;
        return -1 - entering;
    }
    crn_tableau_advance(tableau, e, *direction, step);
    return crn_tableau_exchange(tableau, row, e, from + *direction * step, state, direction);
}

crn_lcp_outcome crn_lemke_run(crn_lemke *lemke, crn_job *job)
{
    crn_tableau *tableau = &lemke->tableau;
    const int n = tableau->n;
    crn_job_start(job, job->options.start != NULL, lemke->start);
    if (!crn_tableau_begin(tableau, lemke->start)) {
        return CRN_LCP_SINGULAR;
    }
    if (crn_is_traced(job)) {
        crn_trace_start(job, lemke->start);
    }
    double z0 = crn_tableau_cover(tableau, job->options.start != NULL);
    if (z0 > 0.0) {
        memset(lemke->visited, 0, ((size_t)lemke->visited_mask + 1) * sizeof *lemke->visited);
        double direction = 1.0;
        int ties = crn_is_traced(job) ? count_least(tableau, n, -1.0) : 1;
        int entering = crn_tableau_enter_cover(tableau, z0, &direction);
        if (crn_is_traced(job)) {
            tell(lemke, job, n, entering, ties);
        }
        for (job->result->pivots = 1; entering != n; ++job->result->pivots) {
            if (job->result->pivots > pivot_bound(job) || !crn_job_goes_on(job, 1)) {
                crn_tableau_point(tableau, job);
                (void)crn_job_accept(job);
                return CRN_LCP_LIMIT;
            }
            if (seen_before(lemke, crn_tableau_hash(tableau) ^ crn_hash_word(entering))) {
                job->result->cycled = true;
                crn_tableau_point(tableau, job);
                (void)crn_job_accept(job);
                return CRN_LCP_STALLED;
            }
            int next = advance(lemke, job, entering, &direction, &ties);
            if (next == NEXT_RAY) {
                crn_tableau_point(tableau, job);
                (void)crn_job_accept(job);
                return crn_job_judge_ray(job);
            }
            if (crn_is_traced(job)) {
                tell(lemke, job, entering, next, ties);
            }
            entering = next;
        }
    }
    crn_tableau_point(tableau, job);
    return crn_job_accept(job);
}
