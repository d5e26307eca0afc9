/* The pivot search of Yamane and Nakamura, Algorithms 1 and 2 as printed  [YN08 alg. 1, alg. 2].
 *
 *   paper            code
 *   Q                heap: nodes by total cost
 *   x.isGoal()       drive == n: z0 has left the basis
 *   x.q_min(i)       least_after(): smallest slack of any basic variable after the pivot
 *   epsilon, e_max   options.epsilon, options.error_max, in the caller's units
 *   x'.error()       point_error(): || w - M z - z0 c - q || on the original data
 *   Q.unique(x')     find(): the same set of pivots was never queued; equal hashes are settled by the sets
 *   M', q'           columns of M' and q' from the inverse of M_aa [YN08 eq. 6, eq. 7] (basis.h), updated when the best
 *                    node is a child of the last one, otherwise inverted afresh from the node's set
 *
 * options.variant = CRN_LCP_AUTHORS_ORDER is the order of the authors' own program: the step count is subtracted from
 * the cost, and when z0 can leave only that child is kept.
 * Departs from the paper: a node's point is "solved" only if the judge says so; the number of nodes is bounded. */
#include "lcp/yamane.h"

#include "lcp/cover.h"
#include "lcp/hash.h"
#include "lcp/ratio.h"
#include "lcp/trace.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { NODES_PER_ROW = 20, NODES_AT_LEAST = 1000 };
/* A rate below this fraction of the largest is taken as 0. */
static const double TOL_PIVOT = 1e-12;

/* A variable that can leave, and how far the driving one goes for it (scaled). */
typedef struct candidate {
    int leave;
    unsigned char state;
    double step;
} candidate;

static int node_bound(const crn_job *job)
{
    int given = job->options.max_pivots;
    int n = job->problem->n < 100000 ? job->problem->n : 100000;
    return given > 0 ? given : NODES_PER_ROW * n + NODES_AT_LEAST;
}

void crn_yamane_layout(crn_yamane *yamane, const crn_job *job, crn_basis *basis, crn_arena *arena)
{
    const int n = job->problem->n;
    int size = 64;
    yamane->basis = basis;
    yamane->max_nodes = node_bound(job);
    while (size / 2 < yamane->max_nodes && size < (1 << 28)) {
        size *= 2;
    }
    yamane->nodes = CRN_TAKE(arena, crn_node, yamane->max_nodes);
    yamane->sets = CRN_TAKE_MATRIX(arena, unsigned char, yamane->max_nodes, n);
    yamane->heap = CRN_TAKE(arena, int, yamane->max_nodes);
    yamane->table = CRN_TAKE(arena, int, size);
    yamane->table_mask = size - 1;
    yamane->start = CRN_TAKE(arena, unsigned char, n);
    yamane->z = CRN_TAKE(arena, double, n + 1);
    yamane->w = CRN_TAKE(arena, double, n);
}

static unsigned char *set_of(const crn_yamane *yamane, int node)
{
    return yamane->sets + (size_t)node * (size_t)yamane->basis->n;
}

/* --- the queue --- */

static bool is_before(const crn_yamane *yamane, int a, int b)
{
    double ca = yamane->nodes[a].cost, cb = yamane->nodes[b].cost;
    return ca < cb || (ca == cb && a < b);
}

static void push(crn_yamane *yamane, int node)
{
    int place = yamane->heap_size++;
    while (place > 0 && is_before(yamane, node, yamane->heap[(place - 1) / 2])) {
        yamane->heap[place] = yamane->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    yamane->heap[place] = node;
}

static int pop(crn_yamane *yamane)
{
    int best = yamane->heap[0], last = yamane->heap[--yamane->heap_size];
    int place = 0;
    for (;;) {
        int child = 2 * place + 1;
        if (child >= yamane->heap_size) {
            break;
        }
        if (child + 1 < yamane->heap_size && is_before(yamane, yamane->heap[child + 1], yamane->heap[child])) {
            ++child;
        }
        if (!is_before(yamane, yamane->heap[child], last)) {
            break;
        }
        yamane->heap[place] = yamane->heap[child];
        place = child;
    }
    yamane->heap[place] = last;
    return best;
}

/* --- uniqueness --- */

/* Is the set of the candidate stored as node `yamane->count` known? If not, enter it. */
static bool find(crn_yamane *yamane)
{
    const crn_node *node = &yamane->nodes[yamane->count];
    int place = (int)(node->hash & (uint64_t)yamane->table_mask);
    for (; yamane->table[place] != 0; place = (place + 1) & yamane->table_mask) {
        int other = yamane->table[place] - 1;
        if (yamane->nodes[other].hash == node->hash && yamane->nodes[other].extra == node->extra &&
            memcmp(set_of(yamane, other), set_of(yamane, yamane->count), (size_t)yamane->basis->n) == 0) {
            return true;
        }
    }
    yamane->table[place] = yamane->count + 1;
    return false;
}

/* --- Algorithm 2 --- */

/* Size of a scaled unit of variable v in the caller's units. */
static double unit_of(const crn_view *view, int v)
{
    if (v == view->n) {
        return view->s;
    }
    return v >= 0 ? view->c[v] * view->s : view->s / view->r[-1 - v];
}

/* Room of basic variable z_cols[b] in the direction of its rate, scaled. */
static double room_of_column(const crn_basis *basis, int b, unsigned char *state)
{
    int j = basis->cols[b];
    bool is_falling = basis->rate[b] < 0.0;
    double low = j < basis->n ? basis->view->lower[j] : 0.0, high = j < basis->n ? basis->view->upper[j] : INFINITY;
    *state = is_falling ? CRN_LCP_AT_LOWER : CRN_LCP_AT_UPPER;
    return is_falling ? basis->z[j] - low : high - basis->z[j];
}

/* The step at which some variable falls to -epsilon (caller's units): no candidate is longer. */
static double longest_step(const crn_basis *basis, double floor_rate, double epsilon)
{
    const crn_view *view = basis->view;
    double longest = INFINITY;
    unsigned char state;
    for (int i = 0; i < basis->n; ++i) {
        double rate = -basis->sense[i] * basis->dw[i];
        if (rate > floor_rate) {
            longest = crn_fmin(longest, (basis->sense[i] * basis->w[i] + epsilon / unit_of(view, crn_w(i))) / rate);
        }
    }
    for (int b = 0; b < basis->k; ++b) {
        double rate = fabs(basis->rate[b]);
        if (rate > floor_rate) {
            double room = room_of_column(basis, b, &state) + epsilon / unit_of(view, basis->cols[b]);
            longest = crn_fmin(longest, room / rate);
        }
    }
    return longest;
}

/* Smallest slack after a step, caller's units [x.q_min(i)]. */
static double least_after(const crn_basis *basis, int drive, double step)
{
    const crn_view *view = basis->view;
    double least = step * unit_of(view, drive);
    for (int i = 0; i < basis->n; ++i) {
        if (basis->sense[i] != 0.0) {
            double slack = basis->sense[i] * (basis->w[i] + step * basis->dw[i]);
            least = crn_fmin(least, slack * unit_of(view, crn_w(i)));
        }
    }
    for (int b = 0; b < basis->k; ++b) {
        int j = basis->cols[b];
        double value = basis->z[j] + step * basis->rate[b];
        double low = j < basis->n ? view->lower[j] : 0.0, high = j < basis->n ? view->upper[j] : INFINITY;
        least = crn_fmin(least, crn_fmin(value - low, high - value) * unit_of(view, j));
    }
    return least;
}

/* || w - M z - z0 c - q || in the caller's units after a step [x'.error()]. */
static double point_error(crn_yamane *yamane, int drive, double direction, double step)
{
    const crn_basis *basis = yamane->basis;
    const crn_view *view = basis->view;
    const int n = basis->n;
    for (int j = 0; j < n; ++j) {
        double rate = j == drive ? direction : 0.0;
        rate = basis->col_at[j] >= 0 ? basis->rate[basis->col_at[j]] : rate;
        yamane->z[j] = (basis->z[j] + step * rate) * unit_of(view, j);
    }
    double z0 = (basis->z[n] + step * basis->rate[basis->col_at[n]]) * view->s;
    crn_view_residual(view, yamane->z, yamane->w, basis->job->low, basis->job->low + n); /* M z + q */
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        double w = basis->row_at[i] >= 0 ? 0.0 : basis->w[i] + step * basis->dw[i];
        w = drive == crn_w(i) ? direction * step : w;
        double error = w * unit_of(view, crn_w(i)) - yamane->w[i] - basis->cover[i] / view->r[i] * z0;
        sum += error * error;
    }
    return sqrt(sum);
}

/* Write the child of x in which `leave` reaches its bound into the next free node. */
static void write_child(crn_yamane *yamane, int x, const candidate *c)
{
    const int n = yamane->basis->n;
    const crn_node *parent = &yamane->nodes[x];
    crn_node *node = &yamane->nodes[yamane->count];
    unsigned char *set = set_of(yamane, yamane->count);
    memcpy(set, set_of(yamane, x), (size_t)n);
    *node = (crn_node){.parent = x, .leave = c->leave, .leave_state = c->state, .hash = parent->hash};
    node->cover = yamane->basis->z[n] + c->step * yamane->basis->rate[yamane->basis->col_at[n]];
    if (c->leave != parent->drive) {
        node->hash ^= crn_hash_word(parent->drive) ^ crn_hash_word(c->leave);
        if (parent->drive >= 0) {
            set[parent->drive] = CRN_LCP_BASIC;
        }
    }
    if (c->leave == n) {
        node->drive = n;
        node->extra = -1;
    } else if (c->leave < 0) {
        node->drive = node->extra = -1 - c->leave;
        node->direction = set[node->drive] == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
    } else {
        set[c->leave] = c->state;
        node->extra = c->leave;
        node->drive = crn_w(c->leave);
        node->direction = c->state == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
    }
}

/* Queue one candidate if its error is small and its pivot set is new. */
static int try_candidate(crn_yamane *yamane, crn_job *job, int x, const candidate *c)
{
    const crn_node *parent = &yamane->nodes[x];
    if (yamane->count >= yamane->max_nodes) {
        return 0;
    }
    double least = least_after(yamane->basis, parent->drive, c->step);
    bool is_authors = job->options.variant == CRN_LCP_AUTHORS_ORDER;
    if (!(least > -job->options.epsilon)) {
        return 0;
    }
    write_child(yamane, x, c);
    yamane->nodes[yamane->count].cost = parent->cost + crn_exp(-least) - (is_authors ? 1.0 : 0.0);
    if (!(point_error(yamane, parent->drive, parent->direction, c->step) <= job->options.error_max) || find(yamane)) {
        return 0;
    }
    push(yamane, yamane->count++);
    return 1;
}

/* Queue the descendants of x, at whose basis we stand [YN08 alg. 2]. */
static void add_descendants(crn_yamane *yamane, crn_job *job, int x)
{
    crn_basis *basis = yamane->basis;
    const crn_node parent = yamane->nodes[x];
    if (!crn_basis_direction(basis, parent.drive, parent.direction)) {
        return;
    }
    const double largest = crn_fmax(crn_max_abs(basis->n, basis->dw), crn_max_abs(basis->k, basis->rate));
    const double floor_rate = TOL_PIVOT * largest;
    const double width =
        parent.drive >= 0 ? basis->view->upper[parent.drive] - basis->view->lower[parent.drive] : INFINITY;
    const double longest = crn_fmin(longest_step(basis, floor_rate, job->options.epsilon), width);
    if (isinf(longest)) {
        crn_basis_ray(basis, parent.drive, parent.direction,
                      job->ray); /* nothing blocks; kept in case nothing else is */
        yamane->has_ray = true;
    }
    int z0_at = basis->col_at[basis->n], children = 0;
    if (job->options.variant == CRN_LCP_AUTHORS_ORDER && basis->rate[z0_at] < -floor_rate) {
        candidate c = {basis->n, CRN_LCP_AT_LOWER, basis->z[basis->n] / -basis->rate[z0_at]};
        if (c.step <= longest && try_candidate(yamane, job, x, &c) > 0) {
            yamane->nodes[x].children = 1;
            return; /* the authors keep only the child in which z0 leaves */
        }
    }
    for (int i = 0; i < basis->n; ++i) {
        double rate = -basis->sense[i] * basis->dw[i];
        candidate c = {crn_w(i), 0, basis->sense[i] * basis->w[i] / rate};
        if (rate > floor_rate && c.step <= longest) {
            children += try_candidate(yamane, job, x, &c);
        }
    }
    for (int b = 0; b < basis->k; ++b) {
        candidate c = {basis->cols[b], 0, room_of_column(basis, b, &c.state) / fabs(basis->rate[b])};
        if (fabs(basis->rate[b]) > floor_rate && c.step <= longest) {
            children += try_candidate(yamane, job, x, &c);
        }
    }
    if (parent.drive >= 0) { /* across its own box */
        candidate c = {parent.drive, parent.direction > 0.0 ? CRN_LCP_AT_UPPER : CRN_LCP_AT_LOWER, width};
        if (width <= longest && isfinite(width)) {
            children += try_candidate(yamane, job, x, &c);
        }
    }
    yamane->nodes[x].children = children;
    job->result->ties += children > 1;
}

/* --- moving --- */

/* From the basis of `from`, whose direction is at hand, to its child: one pivot. */
static void move_to_child(crn_yamane *yamane, const crn_node *parent, const crn_node *node)
{
    crn_basis *basis = yamane->basis;
    double step;
    unsigned char state;
    if (node->leave == parent->drive) {
        step = basis->view->upper[node->leave] - basis->view->lower[node->leave];
        crn_basis_advance(basis, parent->drive, parent->direction, step);
        basis->state[node->leave] = node->leave_state;
        basis->z[node->leave] = crn_job_bound(basis->job, node->leave, node->leave_state);
        return;
    }
    if (node->leave < 0) {
        int i = -1 - node->leave;
        step = -basis->w[i] / basis->dw[i];
    } else {
        int b = basis->col_at[node->leave];
        step = room_of_column(basis, b, &state) / fabs(basis->rate[b]);
    }
    crn_basis_advance(basis, parent->drive, parent->direction, step);
    crn_basis_exchange(basis, parent->drive, parent->direction, node->leave, node->leave_state);
}

/* Bring the basis from node `from` to node `to`. False if it is singular. */
static bool move_to(crn_yamane *yamane, crn_job *job, int from, int to)
{
    crn_basis *basis = yamane->basis;
    const crn_node *node = &yamane->nodes[to];
    if (node->parent == from) {
        move_to_child(yamane, &yamane->nodes[from], node);
        return true;
    }
    ++job->result->backtracks;
    crn_basis_begin_lists(basis, set_of(yamane, to));
    if (node->drive != basis->n) {
        crn_basis_exchange_lists(basis, basis->n, crn_w(node->extra), 0);
    } else {
        basis->z[basis->n] = 0.0;
    }
    return crn_basis_refactor(basis);
}

/* --- the trace --- */

static void tell(const crn_yamane *yamane, const crn_job *job, int node, int depth)
{
    const crn_node *at = &yamane->nodes[node];
    const bool is_root = at->parent < 0;
    crn_trace(job, (crn_lcp_event){.kind = is_root ? CRN_LCP_ENTER : CRN_LCP_EXCHANGE,
                                   .entering = is_root ? yamane->basis->n : yamane->nodes[at->parent].drive,
                                   .leaving = at->leave,
                                   .bound = at->leave_state,
                                   .cover = at->cover * yamane->basis->view->s,
                                   .ties = is_root ? 1 : yamane->nodes[at->parent].children,
                                   .depth = depth});
}

static int depth_of(const crn_yamane *yamane, int node)
{
    int depth = 0;
    for (; yamane->nodes[node].parent >= 0; node = yamane->nodes[node].parent) {
        ++depth;
    }
    return depth;
}

static int ancestor(const crn_yamane *yamane, int node, int generations)
{
    for (; generations > 0; --generations) {
        node = yamane->nodes[node].parent;
    }
    return node;
}

/* From one node to another: back to where their branches part, then down. */
static void tell_way(const crn_yamane *yamane, const crn_job *job, int from, int to)
{
    const int end = depth_of(yamane, to), begin = depth_of(yamane, from);
    int shared = begin < end ? begin : end;
    while (ancestor(yamane, from, begin - shared) != ancestor(yamane, to, end - shared)) {
        --shared;
    }
    if (shared < begin) {
        crn_trace_back(job, shared + 1);
    }
    for (int depth = shared + 1; depth <= end; ++depth) {
        tell(yamane, job, ancestor(yamane, to, end - depth), depth);
    }
}

/* --- the root, and Algorithm 1 --- */

/* Cover with ones (caller's units) towards the sign that each variable asks for, and bring z0 in [YN08 s2, Step 0]. */
static bool make_root(crn_yamane *yamane, crn_job *job, bool *is_goal)
{
    crn_basis *basis = yamane->basis;
    crn_node *root = &yamane->nodes[0];
    crn_block blocks[CRN_MAX_BLOCKS];
    if (crn_cover_needs_point(basis)) { /* a warm start */
        crn_random random = crn_random_seed(job->options.seed);
        crn_cover_point(basis, crn_cover_violation(basis), &random);
    } else {
        for (int i = 0; i < basis->n; ++i) {
            basis->cover[i] = basis->sense[i] * basis->view->r[i];
        }
        (void)crn_cover_start(basis);
    }
    crn_basis_invert(basis);
    if (!crn_basis_direction(basis, basis->n, -1.0) || crn_ratio_test(basis, basis->n, -1.0, blocks) <= 0) {
        return false;
    }
    int left = blocks[0].leave;
    crn_basis_advance(basis, basis->n, -1.0, blocks[0].step);
    if (left == basis->n) { /* nothing but z0 is in the way: the start is feasible up to rounding */
        if (crn_is_traced(job)) {
            crn_trace(job, (crn_lcp_event){.kind = CRN_LCP_ENTER, .entering = left, .leaving = left, .ties = 1});
        }
        yamane->count = yamane->heap_size = 0;
        *is_goal = true;
        return true;
    }
    crn_basis_exchange(basis, basis->n, -1.0, left, blocks[0].state);
    int i = left < 0 ? -1 - left : left;
    *root = (crn_node){
        .parent = -1, .extra = i, .leave = left, .leave_state = blocks[0].state, .cover = basis->z[basis->n]};
    root->drive = left < 0 ? i : crn_w(i);
    root->direction = basis->state[i] == CRN_LCP_AT_UPPER ? -1.0 : 1.0;
    memcpy(set_of(yamane, 0), basis->state, (size_t)basis->n);
    memset(yamane->table, 0, ((size_t)yamane->table_mask + 1) * sizeof *yamane->table);
    yamane->count = yamane->heap_size = 0;
    (void)find(yamane);
    push(yamane, yamane->count++);
    ++job->result->pivots;
    if (crn_is_traced(job)) {
        tell(yamane, job, 0, 0);
    }
    return true;
}

/* Algorithm 1: take the best node until it is a goal or the queue is empty. */
static crn_lcp_outcome search_queue(crn_yamane *yamane, crn_job *job)
{
    crn_basis *basis = yamane->basis;
    int at = 0, told = 0;
    while (yamane->heap_size > 0 && crn_job_goes_on(job, 1)) {
        int best = pop(yamane);
        if (best != at && !move_to(yamane, job, at, best)) {
            at = -2; /* nowhere: the next node is built from its set */
            continue;
        }
        job->result->pivots += best != at;
        at = best;
        if (crn_is_traced(job)) {
            tell_way(yamane, job, told, best);
            told = best;
        }
        if (yamane->nodes[best].drive == basis->n) {
            return CRN_LCP_SOLVED;
        }
        if (yamane->count >= yamane->max_nodes) {
            return CRN_LCP_LIMIT;
        }
        add_descendants(yamane, job, best);
    }
    if (job->is_stopped) {
        return CRN_LCP_LIMIT;
    }
    return CRN_LCP_RAY; /* the queue is empty: every branch ended on a ray, a known set or an error */
}

crn_lcp_outcome crn_yamane_run(crn_yamane *yamane, crn_job *job)
{
    crn_basis *basis = yamane->basis;
    crn_job_start(job, job->options.start != NULL, yamane->start);
    yamane->has_ray = false;
    yamane->count = 0; /* a start that is the answer has no tree */
    crn_lcp_outcome outcome = crn_basis_begin(basis, yamane->start) ? CRN_LCP_SOLVED : CRN_LCP_SINGULAR;
    if (crn_is_traced(job) && outcome == CRN_LCP_SOLVED) {
        crn_trace_start(job, yamane->start);
    }
    if (outcome == CRN_LCP_SOLVED && crn_cover_violation(basis) > 0.0) {
        bool is_goal = false;
        outcome = make_root(yamane, job, &is_goal) ? CRN_LCP_SOLVED : CRN_LCP_SINGULAR;
        if (outcome == CRN_LCP_SOLVED && !is_goal) {
            outcome = search_queue(yamane, job);
        }
    }
    crn_job_set_point(job, basis->z, basis->state);
    crn_lcp_outcome judged = crn_job_accept(job);
    if (outcome == CRN_LCP_RAY) {
        outcome = yamane->has_ray ? crn_job_judge_ray(job) : CRN_LCP_STALLED;
    }
    job->result->nodes = yamane->count;
    job->result->refactorizations = basis->refactorizations;
    return outcome == CRN_LCP_SOLVED ? judged : outcome;
}
