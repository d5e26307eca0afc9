/* Block factorisations against LAPACK on dense copies, the pattern against elimination done by hand, the ordering against
 * its promises. */
#include "math/block_cholesky.h"

#include "test_matrix.h"
#include "test_support.h"

#include <lapacke.h>
#include <math.h>
#ifdef CAIRN_OPENMP
#include <omp.h>
#endif

static const double unit = 0x1p-53;

/* A random connected graph with blocks of various sizes. */
typedef struct block_case {
    int n, dim;
    size_t edges;
    int *sizes, *first, *start, *node;
    bool *is_edge; /* n x n */
    crn_graph graph;
    crn_block_pattern pattern;
    crn_block_matrix matrix;
    void *memory;
    size_t counted, used;
} block_case;

static void case_graph(block_case *c)
{
    int count = 0;
    for (int i = 0; i < c->n; ++i) {
        c->start[i] = count;
        for (int j = 0; j < c->n; ++j) {
            if (c->is_edge[i * c->n + j]) {
                c->node[count++] = j;
            }
        }
    }
    c->start[c->n] = count;
    c->edges = (size_t)count / 2;
    c->graph = (crn_graph){c->n, c->start, c->node};
}

static void case_layout(block_case *c)
{
    crn_arena counting = crn_arena_counting();
    crn_block_pattern_layout(&c->pattern, &c->graph, c->edges, c->first, &counting);
    crn_block_matrix_layout(&c->matrix, &c->pattern, true, &counting);
    c->counted = counting.used;
    c->memory = aligned_alloc(CRN_ARENA_ALIGN, counting.used);
    assert_non_null(c->memory);
    memset(c->memory, 0xa5, counting.used);
    crn_arena arena = {c->memory, counting.used, 0, false};
    crn_block_pattern_layout(&c->pattern, &c->graph, c->edges, c->first, &arena);
    crn_block_matrix_layout(&c->matrix, &c->pattern, true, &arena);
    assert_false(arena.overflow);
    c->used = arena.used;
}

static void connect(block_case *c, int i, int j)
{
    c->is_edge[i * c->n + j] = c->is_edge[j * c->n + i] = i != j;
}

/* size_most < 0: all blocks of that size. The case must stay where it is: the matrix points at the pattern. */
static void case_create(block_case *to, crn_random *random, int n, int extra, int size_most, bool is_path)
{
    block_case c = {.n = n};
    c.sizes = malloc((size_t)n * sizeof *c.sizes);
    c.first = malloc(((size_t)n + 1) * sizeof *c.first);
    c.first[0] = 0;
    c.start = malloc(((size_t)n + 1) * sizeof *c.start);
    c.node = malloc((size_t)n * (size_t)n * sizeof *c.node);
    c.is_edge = calloc((size_t)n * (size_t)n, sizeof *c.is_edge);
    for (int i = 0; i < n; ++i) {
        c.sizes[i] = size_most < 0 ? -size_most : 1 + crn_random_below(random, size_most);
        c.dim = c.first[i + 1] = c.dim + c.sizes[i];
        if (i > 0) {
            connect(&c, i, is_path ? i - 1 : crn_random_below(random, i));
        }
    }
    for (int e = 0; e < extra; ++e) {
        connect(&c, crn_random_below(random, n), crn_random_below(random, n));
    }
    *to = c;
    case_graph(to);
    case_layout(to);
}

static void case_free(block_case *c)
{
    free(c->sizes);
    free(c->first);
    free(c->start);
    free(c->node);
    free(c->is_edge);
    free(c->memory);
}

/* A random matrix with the pattern, dense in A (dim x dim, order of places) and in the panels; its symmetric part is
 * diagonally dominant, but for a permutation of rows within
 * blocks where it is not symmetric. */
static void case_fill(block_case *c, crn_random *random, bool is_symmetric, double *A)
{
    const crn_block_pattern *p = &c->pattern;
    int dim = c->dim;
    memset(A, 0, (size_t)dim * (size_t)dim * sizeof *A);
    for (int k = 0; k < c->n; ++k) {
        for (int l = 0; l <= k; ++l) {
            if (k != l && !c->is_edge[p->node[k] * c->n + p->node[l]]) {
                continue;
            }
            for (int i = p->first[k]; i < p->first[k + 1]; ++i) {
                for (int j = p->first[l]; j < p->first[l + 1]; ++j) {
                    double a = crn_random_uniform(random, -1.0, 1.0), b = crn_random_uniform(random, -1.0, 1.0);
                    A[i + j * dim] = a;
                    A[j + i * dim] = is_symmetric ? a : b;
                }
            }
        }
    }
    for (int i = 0; i < dim; ++i) {
        double sum = 0.1;
        for (int j = 0; j < dim; ++j) {
            sum += j == i ? 0.0 : 0.5 * (fabs(A[i + j * dim]) + fabs(A[j + i * dim]));
        }
        A[i + i * dim] = sum;
    }
    for (int k = 0; !is_symmetric && k < c->n; ++k) { /* rows change places within their block: pivots are needed */
        for (int i = p->first[k + 1] - 1; i > p->first[k]; --i) {
            int other = p->first[k] + crn_random_below(random, i - p->first[k] + 1);
            for (int j = 0; j < dim; ++j) {
                double held = A[i + j * dim];
                A[i + j * dim] = A[other + j * dim];
                A[other + j * dim] = held;
            }
        }
    }
    crn_block_clear(&c->matrix, 0.0, true);
    for (int l = 0; l < c->n; ++l) {
        for (int k = l; k < c->n; ++k) {
            if (k != l && !c->is_edge[p->node[k] * c->n + p->node[l]]) {
                continue;
            }
            size_t at = crn_block_locate(p, k, l);
            for (int j = 0; j < p->size[l]; ++j) {
                for (int i = 0; i < p->size[k]; ++i) {
                    int row = p->first[k] + i, column = p->first[l] + j;
                    size_t entry = at + (size_t)i + (size_t)j * (size_t)p->height[l];
                    c->matrix.lower[entry] = A[row + column * dim];
                    c->matrix.upper[entry] = A[column + row * dim];
                }
            }
        }
    }
}

static void check_solve(block_case *c, crn_random *random, bool is_symmetric)
{
    size_t dim = (size_t)c->dim;
    double *A = test_doubles(dim * dim), *b = test_doubles(dim), *x = test_doubles(dim);
    case_fill(c, random, is_symmetric, A);
    for (size_t i = 0; i < dim; ++i) {
        b[i] = x[i] = crn_random_uniform(random, -1.0, 1.0);
    }
    if (is_symmetric) {
        assert_true(crn_block_cholesky(&c->matrix));
        crn_block_cholesky_solve(&c->matrix, x);
    } else {
        assert_true(crn_block_lu(&c->matrix));
        crn_block_lu_solve(&c->matrix, x);
    }
    double error = test_backward_error(c->dim, A, c->dim, false, x, b);
    TEST_CHECK(error <= 100.0 * c->dim * unit, "n %d, dim %d: backward error %g", c->n, c->dim, error);
    int *exchange = malloc(dim * sizeof *exchange);
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, c->dim, 1, A, c->dim, exchange, b, c->dim), 0);
    for (size_t i = 0; i < dim; ++i) {
        TEST_CHECK(fabs(x[i] - b[i]) <= 1e-11, "n %d: x_%zu = %g, LAPACK %g", c->n, i, x[i], b[i]);
    }
    free(exchange);
    free(A);
    free(b);
    free(x);
}

static void factors_solve(void **state)
{
    (void)state;
    crn_random random = test_random("factors_solve", 81);
    for (int trial = 0; trial < 120; ++trial) {
        int n = 1 + crn_random_below(&random, 30);
        int extra = crn_random_below(&random, 3 * n), size = trial % 3 == 0 ? -6 : trial % 3 == 1 ? -3 : 9;
        block_case c;
        case_create(&c, &random, n, extra, size, false);
        check_solve(&c, &random, true);
        check_solve(&c, &random, false);
        check_solve(&c, &random, true); /* values of another kind leave nothing behind */
        case_free(&c);
    }
}

static void check_pattern(block_case *c);

/* Two cliques that share a third: supernodes of many columns, which pay a wide one that both reach. The sizes of the parts
 * pass through all remainders of the chunks in which columns are read and finished. */
static void wide_supernodes_solve(void **state)
{
    (void)state;
    crn_random random = test_random("wide_supernodes_solve", 87);
    for (int trial = 0; trial < 24; ++trial) {
        int a = 1 + crn_random_below(&random, 20), b = 1 + crn_random_below(&random, 12), shared = 3 + trial % 18;
        int n = a + b + shared, size = trial % 3 == 0 ? -6 : trial % 3 == 1 ? -3 : 7;
        block_case c;
        case_create(&c, &random, n, 0, size, true);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j) {
                bool is_apart = j < a && i >= a && i < a + b;
                c.is_edge[i * n + j] = c.is_edge[j * n + i] = !is_apart && (shared % 4 != 0 || (i + 2 * j) % 7 != 0);
            }
        }
        case_graph(&c);
        free(c.memory);
        case_layout(&c);
        check_pattern(&c);
        check_solve(&c, &random, true);
        check_solve(&c, &random, false);
        case_free(&c);
    }
}

/* A block that needs an exchange of rows inside. */
static void lu_exchanges_within_blocks(void **state)
{
    (void)state;
    crn_random random = test_random("lu_exchanges_within_blocks", 82);
    block_case c;
    case_create(&c, &random, 2, 0, -2, true);
    size_t top = c.pattern.panel[0], last = c.pattern.panel[1], below = crn_block_locate(&c.pattern, 1, 0);
    long ld = c.pattern.height[0];
    crn_block_clear(&c.matrix, 0.0, true);
    double *lower = c.matrix.lower, *upper = c.matrix.upper;
    lower[top + 1] = lower[top + (size_t)ld] = 1.0; /* [0 1; 1 0] */
    lower[last] = lower[last + 3] = 3.0;
    lower[below] = 0.5;
    upper[below] = 0.25;
    double A[16] = {0, 1, 0.5, 0, 1, 0, 0, 0, 0.25, 0, 3, 0, 0, 0, 0, 3}, b[4] = {1, 2, 3, 4}, x[4] = {1, 2, 3, 4};
    assert_true(crn_block_lu(&c.matrix));
    crn_block_lu_solve(&c.matrix, x);
    assert_true(test_backward_error(4, A, 4, false, x, b) < 10.0 * unit);
    crn_block_clear(&c.matrix, 0.0, true);
    assert_false(crn_block_lu(&c.matrix));
    case_free(&c);
}

static void indefinite_is_refused(void **state)
{
    (void)state;
    crn_random random = test_random("indefinite_is_refused", 83);
    block_case c;
    case_create(&c, &random, 8, 6, -6, false);
    for (int k = 0; k < 8; ++k) {
        crn_block_clear(&c.matrix, 1.0, false);
        c.matrix.lower[c.pattern.panel[k]] = k % 2 ? NAN : -1.0;
        assert_false(crn_block_cholesky(&c.matrix));
    }
    crn_block_clear(&c.matrix, 1.0, false);
    assert_true(crn_block_cholesky(&c.matrix));
    case_free(&c);
}

/* --- Threads --- */

enum { THREADS_MOST = 3 };

static void use_threads(int threads)
{
#ifdef CAIRN_OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads; /* all the same then */
#endif
}

/* A slab of side x side x deep bodies that touch their neighbours at random, some of them further ones too. */
static void slab_create(block_case *c, crn_random *random, int side, int deep, int size)
{
    int n = side * side * deep, jump[] = {1, side, side * side, side + 1, side * side + side};
    case_create(c, random, n, n / 4, size, false);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 5; ++k) {
            if (i + jump[k] < n && crn_random_uniform(random, 0.0, 1.0) < 0.8) {
                connect(c, i, i + jump[k]);
            }
        }
    }
    case_graph(c);
    free(c->memory);
    case_layout(c);
}

/* Are two sets of panels the same, bit by bit? Rows above the diagonals of Cholesky's diagonal blocks mean nothing. */
static bool is_same_factor(const crn_block_pattern *p, const double *a, const double *b, bool is_cholesky)
{
    for (int k = 0; k < p->n; ++k) {
        for (int j = 0; j < p->size[k]; ++j) {
            size_t skipped = is_cholesky ? (size_t)j : 0, at = p->panel[k] + (size_t)j * (size_t)p->height[k];
            if (memcmp(a + at + skipped, b + at + skipped, ((size_t)p->height[k] - skipped) * sizeof *a) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* Every column is in one task or in none; those of a task are whole supernodes, and nothing of another task or from outside
 * reaches into them. */
static void check_tasks(const crn_block_pattern *p)
{
    int *task = malloc((size_t)p->n * sizeof *task);
    for (int k = 0; k < p->n; ++k) {
        task[k] = -1;
    }
    for (int t = 0; t < p->tasks; ++t) {
        assert_true(p->task[2 * t] < p->task[2 * t + 1] && p->task[2 * t + 1] <= p->n);
        for (int k = p->task[2 * t]; k < p->task[2 * t + 1]; ++k) {
            assert_int_equal(task[k], -1);
            task[k] = t;
        }
    }
    for (int k = 0; k < p->n; ++k) {
        assert_int_equal(task[k], task[p->head[k]]);
        for (int b = p->start[k]; b < p->start[k + 1]; ++b) {
            assert_true(task[p->row[b]] == -1 || task[p->row[b]] == task[k]);
        }
    }
    free(task);
}

static void check_threads(block_case *c, crn_random *random, bool is_symmetric)
{
    size_t values = crn_block_values_count(&c->pattern), dim = (size_t)c->dim;
    double *A = test_doubles(dim * dim), *lower = test_doubles(2 * values), *upper = lower + values;
    double *factor = test_doubles(2 * values);
    case_fill(c, random, is_symmetric, A);
    memcpy(lower, c->matrix.lower, values * sizeof *lower);
    memcpy(upper, c->matrix.upper, values * sizeof *upper);
    for (int threads = 1; threads <= THREADS_MOST; ++threads) {
        memcpy(c->matrix.lower, lower, values * sizeof *lower);
        memcpy(c->matrix.upper, upper, values * sizeof *upper);
        memset(c->matrix.inverse, 0xa5, dim * sizeof *c->matrix.inverse);
        use_threads(threads);
        assert_true(is_symmetric ? crn_block_cholesky(&c->matrix) : crn_block_lu(&c->matrix));
        if (threads == 1) {
            memcpy(factor, c->matrix.lower, values * sizeof *factor);
            memcpy(factor + values, c->matrix.upper, values * sizeof *factor);
        }
        TEST_CHECK(is_same_factor(&c->pattern, factor, c->matrix.lower, is_symmetric), "%d threads: L", threads);
        TEST_CHECK(is_same_factor(&c->pattern, factor + values, c->matrix.upper, false), "%d threads: U", threads);
    }
    free(factor);
    free(lower);
    free(A);
}

/* Large enough for several threads: the same bits on any number of them, and LAPACK's answer. */
static void threads_do_not_change_bits(void **state)
{
    (void)state;
    crn_random random = test_random("threads_do_not_change_bits", 88);
    static const int size[] = {-6, 9, -3}, side[] = {7, 7, 9};
    for (int trial = 0; trial < 3; ++trial) {
        block_case c;
        slab_create(&c, &random, side[trial], 4 + trial, size[trial]);
        print_message("%d bodies, %d unknowns: %.3g flops, %d tasks\n", c.n, c.dim, c.pattern.flops, c.pattern.tasks);
        assert_true(c.pattern.flops > CRN_BLOCK_FLOPS_LARGE && c.pattern.tasks > 1);
        check_tasks(&c.pattern);
        for (int kind = 0; kind < 2; ++kind) {
            check_threads(&c, &random, kind == 0);
            use_threads(2 + trial % 2);
            check_solve(&c, &random, kind == 0);
        }
        case_free(&c);
    }
    use_threads(1);
}

/* A pivot that is refused is refused on any number of threads, be it in a task or above. */
static void threads_refuse_alike(void **state)
{
    (void)state;
    crn_random random = test_random("threads_refuse_alike", 89);
    block_case c;
    slab_create(&c, &random, 7, 4, -6);
    for (int threads = 1; threads <= THREADS_MOST; ++threads) {
        use_threads(threads);
        for (int trial = 0; trial < 10; ++trial) {
            int k = trial < 5 ? crn_random_below(&random, c.n) : c.n - 1 - 4 * (trial - 5);
            crn_block_clear(&c.matrix, 1.0, true);
            c.matrix.lower[c.pattern.panel[k]] = trial % 2 ? NAN : -1.0;
            assert_false(crn_block_cholesky(&c.matrix));
            crn_block_clear(&c.matrix, 1.0, true);
            c.matrix.lower[c.pattern.panel[k]] = 0.0;
            assert_false(crn_block_lu(&c.matrix));
        }
        crn_block_clear(&c.matrix, 1.0, true);
        assert_true(crn_block_cholesky(&c.matrix));
    }
    use_threads(1);
    case_free(&c);
}

/* --- The pattern --- */

/* Eliminate by hand in the order of places. */
static void check_pattern(block_case *c)
{
    const crn_block_pattern *p = &c->pattern;
    int n = c->n;
    bool *edge = calloc((size_t)n * (size_t)n, sizeof *edge);
    for (int i = 0; i < n; ++i) {
        assert_int_equal(p->place[p->node[i]], i);
        assert_int_equal(p->size[i], c->sizes[p->node[i]]);
        for (int j = 0; j < n; ++j) {
            edge[i * n + j] = c->is_edge[p->node[i] * n + p->node[j]];
        }
    }
    for (int k = 0; k < n; ++k) {
        int b = p->start[k], offset = p->size[k];
        for (int i = k + 1; i < n; ++i) {
            if (!edge[i * n + k]) {
                continue;
            }
            assert_true(b < p->start[k + 1]);
            assert_int_equal(p->row[b], i);
            assert_int_equal(p->offset[b], offset);
            offset += p->size[i];
            ++b;
            for (int j = i + 1; j < n; ++j) {
                edge[j * n + i] = edge[i * n + j] = edge[i * n + j] || edge[j * n + k];
            }
        }
        assert_int_equal(b, p->start[k + 1]);
        assert_int_equal(offset, p->height[k]);
    }
    free(edge);
}

static void patterns_are_those_of_elimination(void **state)
{
    (void)state;
    crn_random random = test_random("patterns_are_those_of_elimination", 84);
    for (int trial = 0; trial < 300; ++trial) {
        int n = 1 + crn_random_below(&random, 60);
        block_case c;
        case_create(&c, &random, n, crn_random_below(&random, 2 * n), 7, false);
        check_pattern(&c);
        case_free(&c);
    }
}

/* Trees have no fill, rings one block per node, and the memory that was counted holds the analysis. */
static void chains_and_rings_fill_nothing(void **state)
{
    (void)state;
    crn_random random = test_random("chains_and_rings_fill_nothing", 85);
    for (int n = 2; n <= 200; n += 33) {
        for (int kind = 0; kind < 3; ++kind) {
            block_case c;
            case_create(&c, &random, n, 0, -6, kind > 0);
            if (kind == 2) {
                case_free(&c);
                case_create(&c, &random, n, 0, -6, true);
                connect(&c, 0, n - 1);
                case_graph(&c);
                free(c.memory);
                case_layout(&c);
            }
            int blocks = c.pattern.start[n];
            TEST_CHECK(kind == 2 ? blocks <= 2 * n - 3 + (n == 2) : blocks == n - 1, "kind %d, n %d: %d blocks", kind,
                       n, blocks);
            assert_true(c.used <= c.counted && c.counted <= 2 * c.used + 10000);
            case_free(&c);
        }
    }
}

/* A grid of m x m bodies: minimum degree must be well below the band of the natural order, m^3 blocks. */
static void a_grid_fills_little(void **state)
{
    (void)state;
    crn_random random = test_random("a_grid_fills_little", 86);
    enum { SIDE = 24 };
    block_case c;
    case_create(&c, &random, SIDE * SIDE, 0, -1, true);
    memset(c.is_edge, 0, (size_t)(c.n * c.n) * sizeof *c.is_edge);
    for (int i = 0; i < c.n; ++i) {
        if (i % SIDE) {
            connect(&c, i, i - 1);
        }
        if (i >= SIDE) {
            connect(&c, i, i - SIDE);
        }
    }
    case_graph(&c);
    free(c.memory);
    case_layout(&c);
    check_pattern(&c);
    print_message("grid of %d: %d blocks, band %d\n", c.n, c.pattern.start[c.n], SIDE * c.n);
    assert_true(c.pattern.start[c.n] < SIDE * c.n / 2);
    case_free(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_solve),
        cmocka_unit_test(wide_supernodes_solve),
        cmocka_unit_test(lu_exchanges_within_blocks),
        cmocka_unit_test(indefinite_is_refused),
        cmocka_unit_test(threads_do_not_change_bits),
        cmocka_unit_test(threads_refuse_alike),
        cmocka_unit_test(patterns_are_those_of_elimination),
        cmocka_unit_test(chains_and_rings_fill_nothing),
        cmocka_unit_test(a_grid_fills_little),
    };
    return TEST_RUN(tests, argc, argv);
}
