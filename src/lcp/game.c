/* Lemke and Howson's path for bimatrix games  [LH64], [CPS92 s1.2].
 *
 *     w = [0 C; D 0] (x, y) + q,   q < 0:   costs C of player one and D' of player two
 *
 * Rows divided by -q ask for C y >= 1 and D x >= 1. With A = K - C and B = K - D, K above all entries, equilibria are pairs of
 * vertices of {y >= 0, A y <= 1} and {x >= 0, B x <= 1} that have all labels between them: a strategy's label is on the vertex
 * if it is not played, or if it is a best reply. From (0, 0) one label is dropped; at each vertex the label that came twice
 * leaves the other polytope, until the dropped one is back. Costs of an equilibrium scale x and y to a solution.
 *
 * Ties would let the path go round: ratios are those of a right-hand side 1 + eps u with random u, carried as a second column,
 * while values are those of the true one. Where the answer fails all the same, or a path is too long, another label and another
 * eps are tried. Lemke's own method ends on rays here, since M is not in a class that it can process. */
#include "lcp/game.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { TRIES = 64, PIVOTS_PER_LABEL = 10, DOUBLE_EVERY = 8, CLOCK_EVERY = 16 };
/* How far the constant that turns costs into payoffs is above the largest of them, in parts of their range and size, so that all
 * payoffs are within a small factor, and by itself. */
static const double OVER_RANGE = 0.5, OVER_SIZE = 0.1, OVER_NOTHING = 1e-3;
/* Perturbations, one after another: too large and the last vertex is not the true one, too small and ties remain. */
static const double PERTURBATIONS[] = {1e-8, 1e-10, 1e-6, 1e-12};
enum { PERTURBATION_COUNT = sizeof PERTURBATIONS / sizeof PERTURBATIONS[0] };
/* Width of the ratio test, and the smallest pivot relative to its column. */
static const double WIDTH = 1e-13, TOL_PIVOT = 1e-9;
/* A strategy that is played less than this, relative to the most played one, is not. */
static const double NOT_PLAYED = 1e-9;

/* --- recognising --- */

static double entry_of(const crn_lcp_problem *p, int i, int j)
{
    if (p->M != NULL) {
        return p->M[i + (long)j * p->ld];
    }
    const crn_sparse A = {p->n, p->n, (int *)p->start, (int *)p->row, (double *)p->value}; /* only read */
    return crn_sparse_entry(&A, i, j);
}

/* Is the block of rows and columns first .. last - 1 zero? */
static bool is_zero_block(const crn_lcp_problem *p, int first, int last)
{
    for (int j = first; j < last; ++j) {
        for (int i = first; i < last; ++i) {
            if (entry_of(p, i, j) != 0.0) {
                return false;
            }
        }
    }
    return true;
}

int crn_game_order(const crn_lcp_problem *p)
{
    const int n = p->n;
    if (n < 2 || p->lower != NULL || p->upper != NULL) {
        return 0;
    }
    int m = 0;
    while (m < n && entry_of(p, m, 0) == 0.0) { /* the first column is zero in player one's rows */
        ++m;
    }
    for (int i = 0; i < n; ++i) {
        if (!(p->q[i] < 0.0) || entry_of(p, i, i) != 0.0) {
            return 0;
        }
    }
    return m > 0 && m < n && is_zero_block(p, 0, m) && is_zero_block(p, m, n) ? m : 0;
}

/* --- memory --- */

static void side_layout(crn_game_side *side, int rows, int columns, crn_arena *arena)
{
    side->rows = rows;
    side->columns = columns;
    side->T = CRN_TAKE_MATRIX(arena, double, rows, columns);
    side->right = CRN_TAKE(arena, double, rows);
    side->tie = CRN_TAKE(arena, double, rows);
    side->basic = CRN_TAKE(arena, int, rows);
    side->nonbasic = CRN_TAKE(arena, int, columns);
    side->column = CRN_TAKE(arena, double, rows);
    side->pivots = CRN_TAKE(arena, double, columns);
}

void crn_game_layout(crn_game *game, const crn_job *job, crn_basis *basis, crn_arena *arena)
{
    const int n = job->problem->n, m = crn_game_order(job->problem);
    game->basis = basis;
    game->m = m;
    game->A = CRN_TAKE_MATRIX(arena, double, m, (n - m));
    game->B = CRN_TAKE_MATRIX(arena, double, m, (n - m));
    side_layout(&game->side[0], m, n - m, arena);
    side_layout(&game->side[1], n - m, m, arena);
    game->state = CRN_TAKE(arena, unsigned char, n);
}

/* --- pivoting --- */

/* Payoffs K - cost / -q, from the scaled problem. */
static void find_payoffs(const crn_game *game, const crn_view *view)
{
    const int n = view->n, m = game->m;
    double most = 0.0;
    for (int j = 0; j < n; ++j) {
        const bool is_first = j < m; /* columns of player one hold D */
        double *to = is_first ? game->B + (long)j * (n - m) : game->A + (long)(j - m) * m;
        for (int i = is_first ? m : 0; i < (is_first ? n : m); ++i) {
            double cost = crn_view_entry(view, i, j) / -view->q[i];
            to[is_first ? i - m : i] = cost;
            most = crn_max(most, cost);
        }
    }
    double least = INFINITY;
    for (long e = 0; e < (long)m * (n - m); ++e) {
        least = crn_min(least, crn_min(game->A[e], game->B[e]));
    }
    const double K = most + OVER_RANGE * (most - least) + OVER_SIZE * fabs(most) + OVER_NOTHING;
    for (long e = 0; e < (long)m * (n - m); ++e) {
        game->A[e] = K - game->A[e];
        game->B[e] = K - game->B[e];
    }
}

/* The vertex 0 of a player's polytope, whose right-hand side is perturbed. */
static void begin_side(crn_game_side *side, const double *payoff, int first_row, int first_column, double eps,
                       crn_random *random)
{
    memcpy(side->T, payoff, (size_t)side->rows * (size_t)side->columns * sizeof *side->T);
    for (int i = 0; i < side->rows; ++i) {
        side->right[i] = 1.0;
        side->tie[i] = 1.0 + eps * crn_random_uniform(random, 0.0, 1.0);
        side->basic[i] = first_row + i;
    }
    for (int j = 0; j < side->columns; ++j) {
        side->nonbasic[j] = first_column + j;
    }
}

/* The row that blocks column e first; of those that do so within WIDTH the one with the largest pivot. -1: none. */
static int blocking_row(const crn_game_side *side, int e)
{
    const double *column = side->T + (long)e * side->rows;
    const double floor_pivot = TOL_PIVOT * crn_max_abs(side->rows, column);
    double step = INFINITY;
    for (int i = 0; i < side->rows; ++i) {
        if (column[i] > floor_pivot) {
            step = crn_min(step, (crn_max(side->tie[i], 0.0) + WIDTH) / column[i]);
        }
    }
    int row = -1;
    for (int i = 0; i < side->rows; ++i) {
        if (column[i] > floor_pivot && side->tie[i] <= step * column[i] && (row < 0 || column[i] > column[row])) {
            row = i;
        }
    }
    return row;
}

/* Exchange the basic variable of row r and the non-basic one of column e. */
static void pivot(crn_game_side *side, int r, int e)
{
    const int rows = side->rows;
    const double p = side->T[r + (long)e * rows];
    memcpy(side->column, side->T + (long)e * rows, (size_t)rows * sizeof *side->column);
    for (int j = 0; j < side->columns; ++j) {
        side->pivots[j] = j == e ? 0.0 : -side->T[r + (long)j * rows] / p;
    }
    crn_rank_one(rows, side->columns, side->column, side->pivots, side->T, rows);
    for (int j = 0; j < side->columns; ++j) {
        side->T[r + (long)j * rows] = -side->pivots[j];
    }
    for (int i = 0; i < rows; ++i) {
        side->T[i + (long)e * rows] = -side->column[i] / p;
    }
    side->T[r + (long)e * rows] = 1.0 / p;
    const double right = side->right[r] / p, tie = side->tie[r] / p;
    crn_axpy(rows, -right, side->column, side->right);
    crn_axpy(rows, -tie, side->column, side->tie);
    side->right[r] = right;
    side->tie[r] = tie;
    int label = side->basic[r];
    side->basic[r] = side->nonbasic[e];
    side->nonbasic[e] = label;
}

/* Column in which the variable of a label is non-basic and is `is_play` (a strategy, not a slack); -1 if it is basic. */
static int find_column(const crn_game_side *side, int label)
{
    for (int e = 0; e < side->columns; ++e) {
        if (side->nonbasic[e] == label) {
            return e;
        }
    }
    return -1;
}

/* Follow the path from the dropped label until it is back. Labels: a strategy's own number on both sides, since a label is
 * either its strategy in one polytope or its slack in the other. */
static bool follow(crn_game *game, crn_job *job, int dropped, long most)
{
    /* A variable on side s is a strategy of the other player or a slack; both polytopes name a label by the same number, with
     * strategies of side 0 (y) numbered m .. n-1 and its slacks 0 .. m-1, and the reverse on side 1. */
    int s = dropped < game->m ? 1 : 0, label = dropped;
    for (long t = 0; t < most; ++t) {
        crn_game_side *side = &game->side[s];
        const int e = find_column(side, label), r = e >= 0 ? blocking_row(side, e) : -1;
        if (r < 0 || !crn_job_goes_on(job, CLOCK_EVERY)) {
            return false;
        }
        label = side->basic[r];
        pivot(side, r, e);
        ++job->result->pivots;
        if (label == dropped) {
            return true;
        }
        s = 1 - s;
    }
    return false;
}

/* --- answers --- */

/* Values of the strategies on one side into z (by label). */
static double read_side(const crn_game_side *side, int first, int last, double *z)
{
    double most = 0.0;
    for (int i = first; i < last; ++i) {
        z[i] = 0.0;
    }
    for (int r = 0; r < side->rows; ++r) {
        int label = side->basic[r];
        if (label >= first && label < last) {
            z[label] = crn_max(side->right[r], 0.0);
            most = crn_max(most, z[label]);
        }
    }
    return most;
}

/* The strategies that are played are basic; their equations are solved once more by fresh factors. */
static crn_lcp_outcome finish(crn_game *game, crn_job *job)
{
    const int n = job->view.n, m = game->m;
    double *z = job->view.work + 2 * (long)n;
    const double most_y = read_side(&game->side[0], m, n, z), most_x = read_side(&game->side[1], 0, m, z);
    for (int i = 0; i < n; ++i) {
        bool is_played = z[i] > NOT_PLAYED * (i < m ? most_x : most_y);
        game->state[i] = is_played ? CRN_LCP_BASIC : CRN_LCP_AT_LOWER;
    }
    if (!crn_basis_begin(game->basis, game->state)) {
        return CRN_LCP_SINGULAR;
    }
    crn_job_set_point(job, game->basis->z, game->basis->state);
    return crn_job_accept(job);
}

crn_lcp_outcome crn_game_run(crn_game *game, crn_job *job)
{
    const int n = job->view.n, m = game->m;
    crn_random random = crn_random_seed(job->options.seed);
    crn_lcp_outcome outcome = CRN_LCP_LIMIT;
    long most = (long)PIVOTS_PER_LABEL * n;
    find_payoffs(game, &job->view);
    for (int t = 0; t < TRIES && !job->is_stopped; ++t) {
        const double eps = PERTURBATIONS[t % PERTURBATION_COUNT];
        begin_side(&game->side[0], game->A, 0, m, eps, &random);
        begin_side(&game->side[1], game->B, m, 0, eps, &random);
        const int dropped = t == 0 ? 0 : crn_random_below(&random, n);
        if (follow(game, job, dropped, most)) {
            outcome = finish(game, job);
        }
        if (outcome == CRN_LCP_SOLVED) {
            return outcome;
        }
        job->result->restarts = t + 1;
        most = t % DOUBLE_EVERY == DOUBLE_EVERY - 1 ? 2 * most : most;
    }
    return job->is_stopped ? CRN_LCP_LIMIT : outcome;
}
