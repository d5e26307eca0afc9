/* Levels by pairwise aggregation, and conjugate gradients with a K-cycle  [N10]. */
#include "math/multigrid.h"

#include "math/ldl.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* A level is kept if it has at most this share of the unknowns of the one above. */
static const double WORTH_KEEPING = 0.4;
/* A coupling below this share of the strongest of its row is no reason to pair. */
static const double STRONG = 0.25;
/* The second step on a coarse level is left out if the first has brought the residual below this share [N10 s4]. */
static const double GOOD_STEP = 0.25;
enum { SWEEPS_AT_END = 4 }; /* on a last level that is too large to factorise */
enum { TEMP = 0, CYCLE = 1, FIRST = 2, PRODUCT = 3, SECOND = 4, RIGHT = 5, ANSWER = 6 }; /* scratch vectors */

/* Room for coarse levels, per EIGHTHS of what the finest has: boxes of four make a third in all; what needs more ends with fewer
 * levels. Small problems have some to spare. */
enum { EIGHTHS = 8, COARSE_EIGHTHS = 3, SPARE_UNKNOWNS = 512, SPARE_ENTRIES = 4096 };
enum { LEVEL_INTS = 4, LEVEL_PIECES = 16 }; /* index arrays of a level, and pieces of memory that it takes at most */

size_t crn_multigrid_coarse_unknowns(int n)
{
    return (size_t)n / EIGHTHS * COARSE_EIGHTHS + SPARE_UNKNOWNS;
}

/* Bytes of all coarse levels. */
static size_t pool_bytes(int n, size_t nonzeros)
{
    const size_t entries = nonzeros / EIGHTHS * COARSE_EIGHTHS + SPARE_ENTRIES;
    const size_t each = LEVEL_INTS * sizeof(int) + 1 + (CRN_GRID_VECTORS + 1) * sizeof(double);
    return crn_multigrid_coarse_unknowns(n) * each + entries * (sizeof(int) + sizeof(double)) +
           (size_t)CRN_GRID_LEVELS * LEVEL_PIECES * CRN_ARENA_ALIGN;
}

void crn_multigrid_layout(crn_multigrid *grid, int n, size_t nonzeros, double *const *vectors, crn_arena *arena)
{
    *grid = (crn_multigrid){.count = 0};
    crn_grid_level *top = &grid->level[0];
    top->n = n;
    top->active = CRN_TAKE(arena, unsigned char, n);
    top->diagonal = CRN_TAKE(arena, double, n);
    top->aggregate = CRN_TAKE(arena, int, n);
    top->member = CRN_TAKE(arena, int, n);
    top->member_start = CRN_TAKE(arena, int, (size_t)n / 2 + 2); /* a level that is kept is smaller */
    for (int v = 0; v < CRN_GRID_VECTORS; ++v) {
        top->vector[v] = vectors != NULL ? vectors[v] : NULL;
    }
    grid->mark = (int *)(void *)top->vector[TEMP]; /* of sums and matching, which come between cycles */
    grid->list = (int *)(void *)top->vector[CYCLE];
    grid->group = (int *)(void *)top->vector[FIRST];
    grid->weight = top->diagonal; /* of the matching, before there is a diagonal to keep */
    grid->dense = CRN_TAKE(arena, double, CRN_GRID_SMALLEST *CRN_GRID_SMALLEST);
    grid->dense_work = CRN_TAKE(arena, double, CRN_GRID_SMALLEST);
    grid->pool_size = pool_bytes(n, nonzeros);
    grid->pool = CRN_TAKE(arena, unsigned char, grid->pool_size);
}

/* --- aggregates --- */

/* The strongest negative coupling of row i. */
static double strongest(const crn_sparse *A, int i)
{
    double most = 0.0;
    for (int e = A->start[i]; e < A->start[i + 1]; ++e) {
        most = A->index[e] != i ? crn_max(most, -A->value[e]) : most;
    }
    return most;
}

/* First matching: pair[i] is the number of i's pair. Returns the number of pairs. */
static int match(const crn_sparse *A, int n, int *pair)
{
    int pairs = 0;
    for (int i = 0; i < n; ++i) {
        pair[i] = -1;
    }
    for (int i = 0; i < n; ++i) {
        if (pair[i] >= 0) {
            continue;
        }
        int partner = -1;
        double most = STRONG * strongest(A, i);
        for (int e = A->start[i]; e < A->start[i + 1]; ++e) {
            int j = A->index[e];
            if (j != i && pair[j] < 0 && -A->value[e] > most) {
                partner = j;
                most = -A->value[e];
            }
        }
        pair[i] = pairs;
        if (partner >= 0) {
            pair[partner] = pairs;
        }
        ++pairs;
    }
    return pairs;
}

/* Sum the couplings of unknown i to the pairs that are open into weight, and list those. */
static int weigh(const crn_multigrid *grid, const crn_sparse *A, int i, const int *pair, const int *taken, int listed)
{
    for (int e = A->start[i]; e < A->start[i + 1]; ++e) {
        int p = pair[A->index[e]];
        if (p == pair[i] || taken[p] >= 0) {
            continue;
        }
        if (grid->weight[p] == 0.0) {
            grid->list[listed++] = p;
        }
        grid->weight[p] -= A->value[e];
    }
    return listed;
}

/* Second matching: group[p] is the number of the group that pair p belongs to; members of pairs are found by `first` and
 * `second`. Returns the number of groups. */
static int match_pairs(const crn_multigrid *grid, const crn_sparse *A, const int *pair, int pairs, const int *first,
                       const int *second, int *group)
{
    int groups = 0;
    for (int p = 0; p < pairs; ++p) {
        group[p] = -1;
    }
    memset(grid->weight, 0, (size_t)pairs * sizeof *grid->weight);
    for (int p = 0; p < pairs; ++p) {
        if (group[p] >= 0) {
            continue;
        }
        int listed = weigh(grid, A, first[p], pair, group, 0);
        listed = second[p] >= 0 ? weigh(grid, A, second[p], pair, group, listed) : listed;
        int partner = -1;
        double most = 0.0;
        for (int t = 0; t < listed; ++t) {
            if (grid->weight[grid->list[t]] > most) {
                partner = grid->list[t];
                most = grid->weight[partner];
            }
            grid->weight[grid->list[t]] = 0.0;
        }
        group[p] = groups;
        if (partner >= 0) {
            group[partner] = groups;
        }
        ++groups;
    }
    return groups;
}

/* Aggregates of a level; returns how many there are. member and member_start are scratch until they are filled. */
static int aggregate(crn_multigrid *grid, crn_grid_level *level)
{
    int *pair = level->aggregate, *first = level->member, *second = grid->mark, *group = grid->group;
    int pairs = match(&level->A, level->n, pair);
    for (int p = 0; p < pairs; ++p) {
        first[p] = second[p] = -1;
    }
    for (int i = 0; i < level->n; ++i) {
        int *place = first[pair[i]] < 0 ? first : second;
        place[pair[i]] = i;
    }
    int groups = match_pairs(grid, &level->A, pair, pairs, first, second, group);
    for (int i = 0; i < level->n; ++i) {
        pair[i] = group[pair[i]];
    }
    return groups;
}

/* Unknowns by aggregate. */
static void list_members(crn_grid_level *level, int groups)
{
    int *start = level->member_start;
    memset(start, 0, ((size_t)groups + 1) * sizeof *start);
    for (int i = 0; i < level->n; ++i) {
        ++start[level->aggregate[i] + 1];
    }
    for (int g = 0; g < groups; ++g) {
        start[g + 1] += start[g];
    }
    for (int i = 0; i < level->n; ++i) {
        level->member[start[level->aggregate[i]]++] = i;
    }
    for (int g = groups; g > 0; --g) {
        start[g] = start[g - 1];
    }
    start[0] = 0;
}

/* The pattern of the next level's matrix; returns its entries. Counts only if index is NULL. */
static int coarse_pattern(const crn_multigrid *grid, const crn_grid_level *fine, int groups, int *start, int *index)
{
    int count = 0;
    for (int g = 0; g < groups; ++g) {
        grid->mark[g] = -1;
    }
    for (int g = 0; g < groups; ++g) {
        if (start != NULL) {
            start[g] = count;
        }
        for (int m = fine->member_start[g]; m < fine->member_start[g + 1]; ++m) {
            int i = fine->member[m];
            for (int e = fine->A.start[i]; e < fine->A.start[i + 1]; ++e) {
                int other = fine->aggregate[fine->A.index[e]];
                if (grid->mark[other] == g) {
                    continue;
                }
                grid->mark[other] = g;
                if (index != NULL) {
                    index[count] = other;
                }
                ++count;
            }
        }
    }
    if (start != NULL) {
        start[groups] = count;
    }
    return count;
}

/* Memory of the next level; false if it does not fit. */
static bool take_level(crn_grid_level *level, int n, int entries, crn_arena *pool)
{
    *level = (crn_grid_level){.n = n};
    level->A = (crn_sparse){.rows = n, .columns = n};
    level->A.start = CRN_TAKE(pool, int, (size_t)n + 1);
    level->A.index = CRN_TAKE(pool, int, entries);
    level->A.value = CRN_TAKE(pool, double, entries);
    level->active = CRN_TAKE(pool, unsigned char, n);
    level->diagonal = CRN_TAKE(pool, double, n);
    level->aggregate = CRN_TAKE(pool, int, n);
    level->member = CRN_TAKE(pool, int, n);
    level->member_start = CRN_TAKE(pool, int, (size_t)n / 2 + 2);
    for (int v = 0; v < CRN_GRID_VECTORS; ++v) {
        level->vector[v] = CRN_TAKE(pool, double, n);
    }
    return !pool->overflow;
}

/* --- sums --- */

/* Diagonal of the active part. */
static void find_diagonal(crn_grid_level *level)
{
    for (int i = 0; i < level->n; ++i) {
        level->diagonal[i] = 1.0;
        for (int e = level->A.start[i]; level->active[i] && e < level->A.start[i + 1]; ++e) {
            if (level->A.index[e] == i) {
                level->diagonal[i] = level->A.value[e];
            }
        }
        if (!(level->diagonal[i] > 0.0)) {
            level->active[i] = 0;
            level->diagonal[i] = 1.0;
        }
    }
}

/* The next level's matrix and active unknowns: sums over the active entries. */
static void sum_entries(const crn_multigrid *grid, const crn_grid_level *fine, crn_grid_level *coarse)
{
    for (int g = 0; g < coarse->n; ++g) {
        coarse->active[g] = 0;
        for (int e = coarse->A.start[g]; e < coarse->A.start[g + 1]; ++e) {
            grid->mark[coarse->A.index[e]] = e;
            coarse->A.value[e] = 0.0;
        }
        for (int m = fine->member_start[g]; m < fine->member_start[g + 1]; ++m) {
            int i = fine->member[m];
            if (!fine->active[i]) {
                continue;
            }
            coarse->active[g] = 1;
            for (int e = fine->A.start[i]; e < fine->A.start[i + 1]; ++e) {
                int j = fine->A.index[e];
                coarse->A.value[grid->mark[fine->aggregate[j]]] += fine->active[j] ? fine->A.value[e] : 0.0;
            }
        }
    }
}

/* Factorise the last level. */
static void factorise_last(crn_multigrid *grid)
{
    const crn_grid_level *last = &grid->level[grid->count - 1];
    const int n = last->n;
    grid->has_dense = n <= CRN_GRID_SMALLEST;
    if (!grid->has_dense) {
        return;
    }
    memset(grid->dense, 0, (size_t)n * (size_t)n * sizeof *grid->dense);
    for (int j = 0; j < n; ++j) {
        for (int e = last->A.start[j]; e < last->A.start[j + 1]; ++e) {
            int i = last->A.index[e];
            grid->dense[i + j * n] = last->active[i] && last->active[j] ? last->A.value[e] : 0.0;
        }
        grid->dense[j + j * n] = last->diagonal[j];
    }
    crn_ldl ldl = {.n = n, .ld = n, .a = grid->dense, .work = grid->dense_work};
    grid->has_dense = crn_ldl_factor(&ldl, 0.0) && ldl.negative == 0;
}

void crn_multigrid_fill(crn_multigrid *grid, int level)
{
    find_diagonal(&grid->level[level]);
    for (int l = level; l + 1 < grid->count; ++l) {
        sum_entries(grid, &grid->level[l], &grid->level[l + 1]);
        find_diagonal(&grid->level[l + 1]);
    }
    factorise_last(grid);
}

/* Add the next level if that pays and fits. */
static bool coarsen(crn_multigrid *grid, crn_arena *pool)
{
    crn_grid_level *fine = &grid->level[grid->count - 1], *coarse = fine + 1;
    if (fine->n <= CRN_GRID_SMALLEST || grid->count == CRN_GRID_LEVELS) {
        return false;
    }
    const int groups = aggregate(grid, fine);
    if (groups > WORTH_KEEPING * fine->n) {
        return false;
    }
    list_members(fine, groups);
    const int entries = coarse_pattern(grid, fine, groups, NULL, NULL);
    if (!take_level(coarse, groups, entries, pool)) {
        return false;
    }
    (void)coarse_pattern(grid, fine, groups, coarse->A.start, coarse->A.index);
    sum_entries(grid, fine, coarse);
    ++grid->count;
    return true;
}

void crn_multigrid_build(crn_multigrid *grid, const crn_sparse *A)
{
    crn_arena pool = {.data = grid->pool, .size = grid->pool_size};
    grid->level[0].A = *A;
    memset(grid->level[0].active, 1, (size_t)grid->level[0].n);
    grid->count = 1;
    while (coarsen(grid, &pool)) {
    }
    crn_multigrid_fill(grid, 0);
}

/* --- cycles --- */

/* y = A x on the active part; x is 0 elsewhere. */
static void multiply(const crn_grid_level *level, const double *x, double *y)
{
    for (int i = 0; i < level->n; ++i) {
        double sum = 0.0;
        for (int e = level->A.start[i]; level->active[i] && e < level->A.start[i + 1]; ++e) {
            sum += level->A.value[e] * x[level->A.index[e]];
        }
        y[i] = sum;
    }
}

/* One Gauss-Seidel sweep on A x = b, upwards or downwards. */
static void sweep(const crn_grid_level *level, const double *b, double *x, bool is_upward)
{
    for (int t = 0; t < level->n; ++t) {
        int i = is_upward ? t : level->n - 1 - t;
        if (!level->active[i]) {
            continue;
        }
        double sum = b[i];
        for (int e = level->A.start[i]; e < level->A.start[i + 1]; ++e) {
            sum -= level->A.value[e] * x[level->A.index[e]];
        }
        x[i] += sum / level->diagonal[i];
    }
}

/* The first sweep upwards, from x = 0. What it leaves of b is minus the product of x with the entries above the diagonal. */
static void first_sweep(const crn_grid_level *level, const double *b, double *x, double *left)
{
    for (int i = 0; i < level->n; ++i) {
        double sum = level->active[i] ? b[i] : 0.0;
        for (int e = level->A.start[i]; level->active[i] && e < level->A.start[i + 1]; ++e) {
            int j = level->A.index[e];
            sum -= j < i ? level->A.value[e] * x[j] : 0.0;
        }
        x[i] = sum / level->diagonal[i];
    }
    for (int i = 0; i < level->n; ++i) {
        double sum = 0.0;
        for (int e = level->A.start[i]; level->active[i] && e < level->A.start[i + 1]; ++e) {
            int j = level->A.index[e];
            sum -= j > i ? level->A.value[e] * x[j] : 0.0;
        }
        left[i] = sum;
    }
}

static void solve_last(const crn_multigrid *grid, const crn_grid_level *last, const double *b, double *x)
{
    memset(x, 0, (size_t)last->n * sizeof *x);
    if (!grid->has_dense) {
        for (int t = 0; t < SWEEPS_AT_END; ++t) {
            sweep(last, b, x, true);
        }
        for (int t = 0; t < SWEEPS_AT_END; ++t) {
            sweep(last, b, x, false);
        }
        return;
    }
    for (int i = 0; i < last->n; ++i) {
        x[i] = last->active[i] ? b[i] : 0.0;
    }
    crn_ldl ldl = {.n = last->n, .ld = last->n, .a = grid->dense};
    crn_ldl_solve(&ldl, x);
}

static void solve_coarse(crn_multigrid *grid, int level);

/* x = one cycle's answer to A x = b. */
static void cycle(crn_multigrid *grid, int level, const double *b, double *x)
{
    const crn_grid_level *here = &grid->level[level], *next = here + 1;
    if (level + 1 == grid->count) {
        solve_last(grid, here, b, x);
        return;
    }
    double *left = here->vector[TEMP], *right = next->vector[RIGHT], *answer = next->vector[ANSWER];
    first_sweep(here, b, x, left);
    for (int g = 0; g < next->n; ++g) {
        right[g] = 0.0;
        for (int m = here->member_start[g]; m < here->member_start[g + 1]; ++m) {
            right[g] += left[here->member[m]];
        }
    }
    solve_coarse(grid, level + 1);
    for (int i = 0; i < here->n; ++i) {
        x[i] += here->active[i] ? answer[here->aggregate[i]] : 0.0;
    }
    sweep(here, b, x, false);
}

/* Two steps of conjugate gradients on a coarse level, one if that is good: ANSWER from RIGHT. */
static void solve_coarse(crn_multigrid *grid, int level)
{
    const crn_grid_level *here = &grid->level[level];
    const int n = here->n;
    double *const *v = here->vector;
    double *b = v[RIGHT], *x = v[ANSWER], *c = v[FIRST], *Ac = v[PRODUCT], *d = v[SECOND], *Ad = v[CYCLE];
    if (level + 1 == grid->count && grid->has_dense) {
        cycle(grid, level, b, x);
        return;
    }
    cycle(grid, level, b, c);
    multiply(here, c, Ac);
    const double before = crn_dot(n, b, b), energy = crn_dot(n, c, Ac);
    const double step = energy > 0.0 ? crn_dot(n, c, b) / energy : 0.0;
    for (int i = 0; i < n; ++i) {
        x[i] = step * c[i];
    }
    crn_axpy(n, -step, Ac, b);
    if (step == 0.0 || crn_dot(n, b, b) <= GOOD_STEP * GOOD_STEP * before) {
        return;
    }
    cycle(grid, level, b, d);
    multiply(here, d, Ad);
    const double mixed = crn_dot(n, d, Ac), rest = crn_dot(n, d, Ad) - mixed * mixed / energy;
    if (!(rest > 0.0)) {
        return;
    }
    const double second = crn_dot(n, d, b) / rest;
    crn_axpy(n, -mixed * second / energy, c, x);
    crn_axpy(n, second, d, x);
}

int crn_multigrid_solve(crn_multigrid *grid, int level, double *b, double *x, int steps, double reduction)
{
    const crn_grid_level *here = &grid->level[level];
    const int n = here->n;
    double *c = here->vector[CYCLE], *p = here->vector[FIRST], *Ap = here->vector[PRODUCT];
    const double target = reduction * reduction * crn_dot(n, b, b);
    double energy = 0.0;
    int taken = 0;
    memset(x, 0, (size_t)n * sizeof *x);
    for (; taken < steps && crn_dot(n, b, b) > target; ++taken) {
        cycle(grid, level, b, c);
        /* The new direction is made orthogonal to the last one: the cycle is no fixed matrix, so its residual products
         * cannot be relied on for that. */
        const double beta = taken > 0 ? -crn_dot(n, c, Ap) / energy : 0.0;
        for (int i = 0; i < n; ++i) {
            p[i] = taken > 0 ? c[i] + beta * p[i] : c[i];
        }
        multiply(here, p, Ap);
        energy = crn_dot(n, p, Ap);
        if (!(energy > 0.0)) {
            break;
        }
        const double step = crn_dot(n, p, b) / energy;
        crn_axpy(n, step, p, x);
        crn_axpy(n, -step, Ap, b);
    }
    return taken;
}
