/* Branch and bound over the sides of complementarity.
 *
 * Each index i is on one of three sides (an LCP has the first two):
 *     LOWER  z_i = l_i, w_i >= 0        BETWEEN  l_i <= z_i <= u_i, w_i = 0        UPPER  z_i = u_i, w_i <= 0
 * With some sides chosen, what is left of the conditions is linear: bounds on z, and a sign of w_i (or none) per row.
 * Such a system has a solution if and only if this problem has one, the optimality conditions of a linear programme
 * without objective  [CPS92 s1.2]:
 *
 *     ( 0   -M' ) (z)   (0)    z within its bounds; y_i >= 0 where w_i >= 0 is asked, <= 0 where w_i <= 0 is,
 *     ( M    0  ) (y) + (q)    of any sign where w_i = 0 is, 0 where nothing is
 *
 * It is written with variables >= 0 only: z_i counts from its finite bound, variables of any sign are split in two,
 * those that cannot move are left out. Its matrix is skew, so Lemke's method ends with a solution or with a ray whose y
 * is a Farkas vector  [CPS92 s4.4]. So the solver proves things about its own failures: a root without solution is
 * CRN_LCP_FARKAS, a tree without one CRN_LCP_EXHAUSTED. A point of the relaxed system that happens to be complementary
 * is a solution of the problem. */
#include "lcp/exhaust.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

enum { MAX_ORDER = 64, FREE_CHOICE = 3 };
/* An index whose natural map (scaled) is at most this is complementary. */
static const double IS_SETTLED = 1e-9;
/* Points after which the tree may begin afresh with another index at its root; twice as many each time. */
enum { POINTS_ENOUGH = 8 };
enum { BYTES_PER_PAIR = 420, BYTES_PER_ROW = 9000, BYTES_AT_LEAST = 60000 }; /* see crn_exhaust_bytes() */

bool crn_exhaust_is_possible(const crn_job *job)
{
    return job->problem->n <= MAX_ORDER;
}

/* The solver's frame for the relaxed problem. */
static void lay_out_solver(crn_exhaust *exhaust, crn_arena *arena)
{
    exhaust->job = (crn_job){.problem = &exhaust->relaxed, .options = crn_lcp_options_default(CRN_LCP_SEARCH)};
    exhaust->job.result = &exhaust->result;
    crn_job_layout(&exhaust->job, arena);
    crn_basis_layout(&exhaust->basis, &exhaust->job, arena);
    crn_search_layout(&exhaust->search, &exhaust->job, &exhaust->basis, arena);
}

/* Everything, for relaxed problems of order up to 4 n. */
static void lay_out_all(crn_exhaust *exhaust, int n, crn_arena *arena)
{
    const int order = 4 * n;
    exhaust->M = CRN_TAKE_MATRIX(arena, double, order, order);
    exhaust->q = CRN_TAKE(arena, double, order);
    exhaust->upper = CRN_TAKE(arena, double, order);
    exhaust->index = CRN_TAKE(arena, int, order);
    exhaust->sign = CRN_TAKE(arena, double, order);
    exhaust->offset = CRN_TAKE(arena, double, n);
    exhaust->branch = CRN_TAKE(arena, int, n);
    exhaust->tried = CRN_TAKE(arena, unsigned char, n);
    exhaust->chosen = CRN_TAKE(arena, unsigned char, n);
    exhaust->settled = CRN_TAKE(arena, int, n);
    exhaust->rest = *arena; /* the solver's frame, laid out anew for each order */
}

size_t crn_exhaust_bytes_counted(int n)
{
    crn_exhaust exhaust = {0};
    crn_arena counting = crn_arena_counting();
    lay_out_all(&exhaust, n, &counting);
    exhaust.relaxed = (crn_lcp_problem){.n = 4 * n, .ld = 4 * n, .M = &exhaust.result.seconds}; /* any dense M */
    lay_out_solver(&exhaust, &counting);
    return counting.used;
}

/* An upper bound of the bytes above in closed form: every solve lays this out, few use it, so it must cost nothing. */
size_t crn_exhaust_bytes(int n)
{
    return (size_t)n * (size_t)n * BYTES_PER_PAIR + (size_t)n * BYTES_PER_ROW + BYTES_AT_LEAST;
}

void crn_exhaust_layout(crn_exhaust *exhaust, const crn_job *job, crn_arena *arena)
{
    exhaust->tell = NULL;
    exhaust->memory_size = crn_exhaust_bytes(job->problem->n);
    exhaust->memory = CRN_TAKE(arena, unsigned char, exhaust->memory_size);
}

/* --- the relaxed problem --- */

static double entry_of(const crn_lcp_problem *p, int i, int j)
{
    if (p->M != NULL) {
        return p->M[i + (long)j * p->ld];
    }
    for (int e = p->start[j]; e < p->start[j + 1]; ++e) {
        if (p->row[e] == i) {
            return p->value[e];
        }
    }
    return 0.0;
}

static void add_variable(crn_exhaust *exhaust, int i, double sign, double width)
{
    int place = exhaust->relaxed.n++;
    exhaust->index[place] = i;
    exhaust->sign[place] = sign;
    exhaust->upper[place] = width;
}

/* Variables of z_i: none if it cannot move, one from its finite bound, two if it has none. */
static void add_z(crn_exhaust *exhaust, const crn_lcp_problem *p, int i)
{
    double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
    unsigned char side = exhaust->chosen[i];
    const double end = isfinite(l) && side != CRN_LCP_AT_UPPER ? l : u;
    exhaust->offset[i] = isfinite(end) ? end : 0.0;
    if (side == CRN_LCP_AT_LOWER || side == CRN_LCP_AT_UPPER || l == u) {
        return;
    }
    if (isfinite(l)) {
        add_variable(exhaust, i, 1.0, u - l);
    } else {
        add_variable(exhaust, i, -1.0, INFINITY);
        if (isinf(u)) {
            add_variable(exhaust, i, 1.0, INFINITY);
        }
    }
}

/* Variables of y_i: what the row asks for on all sides that are still open. */
static void add_y(crn_exhaust *exhaust, const crn_lcp_problem *p, int i)
{
    double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
    unsigned char side = exhaust->chosen[i];
    bool may_rise = side == CRN_LCP_AT_LOWER || (side == FREE_CHOICE && isfinite(l)); /* w_i > 0 possible */
    bool may_fall = side == CRN_LCP_AT_UPPER || (side == FREE_CHOICE && isfinite(u)); /* w_i < 0 possible */
    if (l == u) {
        return; /* a fixed variable: any w will do */
    }
    if (!may_fall) {
        add_variable(exhaust, i, 1.0, INFINITY); /* w_i >= 0 */
    }
    if (!may_rise) {
        add_variable(exhaust, i, -1.0, INFINITY); /* w_i <= 0 */
    }
}

/* Has the variable two signs? */
static bool is_free(const crn_lcp_problem *p, int i)
{
    return p->lower != NULL && p->upper != NULL && isinf(p->lower[i]) && isinf(p->upper[i]);
}

/* What is added to the entry of row i and column j: a y that proves the easier inequalities wrong has M'y < 0 by as much. */
static double margin_of(const crn_exhaust *exhaust, const crn_job *job, int i, int j)
{
    if (exhaust->margin == 0.0 || is_free(job->problem, i) || is_free(job->problem, j)) {
        return 0.0;
    }
    return exhaust->margin / (job->view.r[i] * job->view.c[j]);
}

static void write_relaxed(crn_exhaust *exhaust, const crn_job *job)
{
    const crn_lcp_problem *p = job->problem;
    exhaust->relaxed = (crn_lcp_problem){.M = exhaust->M, .q = exhaust->q, .upper = exhaust->upper};
    for (int i = 0; i < p->n; ++i) {
        add_z(exhaust, p, i);
    }
    exhaust->z_count = exhaust->relaxed.n;
    for (int i = 0; i < p->n; ++i) {
        add_y(exhaust, p, i);
    }
    const int order = exhaust->relaxed.n;
    exhaust->relaxed.ld = order > 0 ? order : 1;
    memset(exhaust->M, 0, (size_t)order * (size_t)order * sizeof *exhaust->M);
    memset(exhaust->q, 0, (size_t)order * sizeof *exhaust->q);
    for (int y = exhaust->z_count; y < order; ++y) {
        int i = exhaust->index[y];
        for (int z = 0; z < exhaust->z_count; ++z) {
            const int j = exhaust->index[z];
            double v = exhaust->sign[y] * exhaust->sign[z] * entry_of(p, i, j) + margin_of(exhaust, job, i, j);
            exhaust->M[y + (long)z * order] = v;
            exhaust->M[z + (long)y * order] = -v;
        }
        double at_offset = p->q[i];
        for (int j = 0; j < p->n; ++j) {
            at_offset += exhaust->offset[j] != 0.0 ? entry_of(p, i, j) * exhaust->offset[j] : 0.0;
        }
        exhaust->q[y] = exhaust->sign[y] * at_offset;
    }
}

/* Is there a point with these sides? SOLVED, INFEASIBLE or something else if the solver does not know. */
static crn_lcp_outcome relax(crn_exhaust *exhaust, const crn_job *job)
{
    write_relaxed(exhaust, job);
    exhaust->result = (crn_lcp_result){.method = CRN_LCP_SEARCH};
    crn_arena arena = exhaust->rest;
    lay_out_solver(exhaust, &arena);
    exhaust->job.begin = job->begin;
    exhaust->job.options.time_limit = job->options.time_limit;
    if (crn_view_open(&exhaust->job.view, NULL) != CRN_OK) {
        return CRN_LCP_UNSOLVED;
    }
    return crn_search_run(&exhaust->search, &exhaust->job);
}

/* The point of the relaxed problem as an answer of the problem itself. */
static bool is_answer(const crn_exhaust *exhaust, crn_job *job)
{
    const crn_lcp_problem *p = job->problem;
    memcpy(job->z, exhaust->offset, (size_t)p->n * sizeof *job->z);
    for (int z = 0; z < exhaust->z_count; ++z) {
        job->z[exhaust->index[z]] += exhaust->sign[z] * exhaust->job.z[z];
    }
    for (int i = 0; i < p->n; ++i) {
        double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
        job->basis[i] = crn_state_of(job->z[i], l, u);
    }
    return crn_job_accept(job) == CRN_LCP_SOLVED;
}

/* The Farkas vector of the relaxed problem as one of the problem's own rows, in job->ray. */
static void adopt_ray(const crn_exhaust *exhaust, crn_job *job)
{
    memset(job->ray, 0, (size_t)job->problem->n * sizeof *job->ray);
    for (int y = exhaust->z_count; y < exhaust->relaxed.n; ++y) {
        job->ray[exhaust->index[y]] += exhaust->sign[y] * exhaust->job.ray[y];
    }
}

static void tell(const crn_exhaust *exhaust, int index, const double *y)
{
    if (exhaust->tell != NULL) {
        exhaust->tell(exhaust->tell_user, index, y);
    }
}

/* --- the tree --- */

/* The undecided index to branch on, after is_answer() has judged the point: the one that was complementary at the fewest points
 * so far, and of these the one that is worst off; -1 if all are decided. An index with nothing on either of its sides is
 * complementary at none, so a few points single it out; by the largest error alone 8 of 40 such problems of order 65 and 100
 * were refuted in 300 nodes. */
static int worst_index(const crn_exhaust *exhaust, const crn_job *job)
{
    const crn_view *view = &job->view;
    int worst = -1;
    double most = -1.0;
    for (int i = 0; i < view->n; ++i) {
        bool is_free = isinf(view->lower[i]) && isinf(view->upper[i]);
        if (exhaust->chosen[i] != FREE_CHOICE || is_free || view->lower[i] == view->upper[i]) {
            continue;
        }
        double z = job->z[i] / (view->c[i] * view->s), w = job->w[i] * view->r[i] / view->s;
        double distance = fabs(crn_fmax(z - view->upper[i], crn_fmin(z - view->lower[i], w)));
        exhaust->settled[i] += distance <= IS_SETTLED;
        const int fewer = worst < 0 ? 1 : exhaust->settled[worst] - exhaust->settled[i];
        if (fewer > 0 || (fewer == 0 && distance > most)) {
            most = distance;
            worst = i;
        }
    }
    return worst;
}

/* The next side to try for an index, FREE_CHOICE when all were. */
static unsigned char next_side(const crn_view *view, int i, unsigned char tried)
{
    for (int side = 0; side < FREE_CHOICE; ++side) {
        bool exists = side == CRN_LCP_BASIC || (side == CRN_LCP_AT_LOWER && isfinite(view->lower[i])) ||
                      (side == CRN_LCP_AT_UPPER && isfinite(view->upper[i]));
        if (exists && (tried & (1u << side)) == 0) {
            return (unsigned char)side;
        }
    }
    return FREE_CHOICE;
}

/* Take the next untried side of the deepest index that has one; returns the new depth, 0 when the tree is done. */
static int go_on(crn_exhaust *exhaust, const crn_job *job, int depth)
{
    for (; depth > 0; --depth) {
        int i = exhaust->branch[depth - 1];
        unsigned char side = next_side(&job->view, i, exhaust->tried[depth - 1]);
        exhaust->chosen[i] = side;
        if (side != FREE_CHOICE) {
            exhaust->tried[depth - 1] = (unsigned char)(exhaust->tried[depth - 1] | (1u << side));
            return depth;
        }
    }
    return 0;
}

/* Is index i better at the root than the one that stands there, which was complementary at some point? */
static bool belongs_to_root(const crn_exhaust *exhaust, int i, int depth)
{
    return depth > 0 && exhaust->settled[i] == 0 && exhaust->settled[exhaust->branch[0]] > 0;
}

crn_lcp_outcome crn_exhaust_run(crn_exhaust *exhaust, crn_job *job, int nodes_most)
{
    const int n = job->problem->n;
    crn_arena arena = {.data = exhaust->memory, .size = exhaust->memory_size};
    lay_out_all(exhaust, n, &arena);
    memset(exhaust->chosen, FREE_CHOICE, (size_t)n);
    memset(exhaust->settled, 0, (size_t)n * sizeof *exhaust->settled);
    int depth = 0, points = 0, enough = POINTS_ENOUGH;
    const int most = nodes_most > 0 ? nodes_most : CRN_EXHAUST_NODES;
    for (int node = 0; node < most && crn_job_goes_on(job, 1); ++node) {
        crn_lcp_outcome outcome = relax(exhaust, job);
        ++job->result->nodes;
        if (outcome == CRN_LCP_INFEASIBLE) {
            adopt_ray(exhaust, job);
            tell(exhaust, -1, job->ray);
            if (depth == 0 && crn_job_judge_ray(job) == CRN_LCP_INFEASIBLE) { /* on the original data */
                return CRN_LCP_INFEASIBLE;
            }
        }
        if (outcome == CRN_LCP_SOLVED) {
            if (is_answer(exhaust, job)) {
                return CRN_LCP_SOLVED;
            }
            int i = worst_index(exhaust, job);
            if (i < 0) {
                return CRN_LCP_UNSOLVED; /* all decided and yet not accepted: beyond this arithmetic */
            }
            if (++points >= enough && belongs_to_root(exhaust, i, depth)) {
                memset(exhaust->chosen, FREE_CHOICE, (size_t)n);
                tell(exhaust, CRN_EXHAUST_AFRESH, NULL);
                depth = points = 0;
                enough *= 2;
                continue;
            }
            tell(exhaust, i, NULL);
            exhaust->branch[depth] = i;
            exhaust->tried[depth++] = 0;
        } else if (outcome != CRN_LCP_INFEASIBLE) {
            return CRN_LCP_UNSOLVED;
        }
        depth = go_on(exhaust, job, depth);
        if (depth == 0) {
            job->result->proof = CRN_LCP_EXHAUSTED;
            memset(job->ray, 0, (size_t)n * sizeof *job->ray);
            return CRN_LCP_INFEASIBLE;
        }
    }
    return CRN_LCP_UNSOLVED;
}
