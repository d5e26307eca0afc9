/* Memory of a solve: counted, refused, fixed, dirty. */
#include "base/memory.h"
#include "judge.h"

#include "lcp/exhaust.h"

#include "gallery.h"

#include "test_allocator.h"
#include "test_matrix.h"

#include <limits.h>

enum { TEST_SEED = 20260408, ORDER_MOST = 60 };

/* --- problems --- */

/* Call check for a few small problems of every family and every variant of every method. */
static void for_families(void (*check)(const char *name, const crn_lcp_problem *p, const crn_lcp_options *options))
{
    int families;
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (int f = 0; f < families; ++f) {
        for (int k = 0; k < 3 && k < family[f].default_count; ++k) {
            crn_lcp_data data = {0};
            assert_int_equal(family[f].make(3 * k, TEST_SEED, &data, NULL), CRN_OK);
            for (int v = 0; v < VARIANT_COUNT && data.problem.n <= ORDER_MOST; ++v) {
                char name[96];
                crn_lcp_options options = variant_options(v);
                options.max_pivots = is_slow(v) ? 200 : 0;
                (void)snprintf(name, sizeof name, "%s on %s %d", VARIANTS[v].name, family[f].name, 3 * k);
                check(name, &data.problem, &options);
            }
            crn_lcp_data_free(&data);
        }
    }
    print_message("seed %d\n", TEST_SEED);
}

/* Feasible, without a solution, beyond the reach of a ray: search has to go through its last resort. */
static const double HARD_M[4] = {0, 0, 1, 0}, HARD_Q[2] = {-1, 1};
static const crn_lcp_problem HARD = {.n = 2, .M = HARD_M, .ld = 2, .q = HARD_Q};

static bool is_same_result(const crn_lcp_result *a, const crn_lcp_result *b)
{
    return a->outcome == b->outcome && a->method == b->method && a->proof == b->proof && a->pivots == b->pivots &&
           a->refactorizations == b->refactorizations && a->ties == b->ties && a->backtracks == b->backtracks &&
           a->restarts == b->restarts && a->nodes == b->nodes && a->cycled == b->cycled &&
           a->certificate.worst == b->certificate.worst &&
           memcmp(&a->certificate.relative, &b->certificate.relative, sizeof(double)) == 0;
}

/* Bit by bit. */
static void check_same(const char *name, int n, const answer *a, const answer *b)
{
    const size_t bytes = (size_t)n * sizeof(double);
    TEST_CHECK(a->status == CRN_OK && b->status == CRN_OK, "%s: %s %s", name, a->error.text, b->error.text);
    TEST_CHECK(is_same_result(&a->result, &b->result), "%s: another result, %s (nodes %d) and %s (nodes %d)", name,
               crn_lcp_outcome_name(a->result.outcome), a->result.nodes, crn_lcp_outcome_name(b->result.outcome),
               b->result.nodes);
    TEST_CHECK(memcmp(a->z, b->z, bytes) == 0, "%s (%s): another z", name, crn_lcp_outcome_name(a->result.outcome));
    TEST_CHECK(memcmp(a->w, b->w, bytes) == 0, "%s (%s): another w", name, crn_lcp_outcome_name(a->result.outcome));
    TEST_CHECK(memcmp(a->ray, b->ray, bytes) == 0, "%s (%s): another ray", name,
               crn_lcp_outcome_name(a->result.outcome));
    TEST_CHECK(memcmp(a->basis, b->basis, (size_t)n) == 0, "%s (%s): another basis", name,
               crn_lcp_outcome_name(a->result.outcome));
}

/* --- counted --- */

static void check_warm(const char *name, const crn_lcp_problem *p, const crn_lcp_options *options)
{
    test_allocator counter = {0};
    crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
    answer a = solve_in(p, options, &workspace);
    long calls = counter.calls;
    answer b = solve_in(p, options, &workspace);
    TEST_CHECK(counter.calls == calls, "%s: %ld allocations in a warm solve", name, counter.calls - calls);
    check_same(name, p->n, &a, &b);
    crn_lcp_certificate certificate;
    assert_int_equal(crn_lcp_certify(p, a.z, &workspace, &certificate, NULL), CRN_OK);
    TEST_CHECK(counter.calls == calls, "%s: the certificate allocates", name);
    crn_workspace_free(&workspace);
    assert_int_equal(counter.live, 0);
    answer_free(&a);
    answer_free(&b);
}

static void a_warm_solve_takes_nothing(void **state)
{
    (void)state;
    for_families(check_warm);
}

/* base.h promises it for any solve that is no larger, so also where an easy one came before a hard one. */
static void a_hard_problem_after_an_easy_one_takes_nothing(void **state)
{
    (void)state;
    const double M[4] = {2, 1, 1, 2}, q[2] = {-1, -1};
    const crn_lcp_problem easy = {.n = 2, .M = M, .ld = 2, .q = q};
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        test_allocator counter = {0};
        crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
        crn_lcp_options options = variant_options(v);
        answer a = solve_in(&easy, &options, &workspace);
        long calls = counter.calls;
        answer b = solve_in(&HARD, &options, &workspace);
        assert_int_equal(b.status, CRN_OK);
        TEST_CHECK(counter.calls == calls, "%s: %ld allocations", VARIANTS[v].name, counter.calls - calls);
        crn_workspace_free(&workspace);
        answer_free(&a);
        answer_free(&b);
    }
}

/* --- refused --- */

/* Arrays for n <= ORDER_MOST that show every write. */
typedef struct canaries {
    double z[ORDER_MOST], w[ORDER_MOST], ray[ORDER_MOST];
    unsigned char basis[ORDER_MOST];
} canaries;

/* Solve; if the status is not CRN_OK nothing is written. */
static crn_status solve_watched(const char *name, const crn_lcp_problem *p, const crn_lcp_options *options,
                                crn_workspace *workspace)
{
    canaries c, before;
    memset(&c, 0x5A, sizeof c);
    before = c;
    crn_lcp_solution solution = {.z = c.z, .w = c.w, .ray = c.ray, .basis = c.basis};
    crn_lcp_result result;
    crn_error error;
    crn_status status = crn_lcp_solve(p, options, workspace, &solution, &result, &error);
    TEST_CHECK(status == CRN_OK || memcmp(&c, &before, sizeof c) == 0, "%s: '%s', and yet something was written", name,
               error.text);
    TEST_CHECK(status == error.status && (status == CRN_OK) == (error.text[0] == '\0'), "%s: '%s'", name, error.text);
    TEST_CHECK((status == CRN_OK) == (result.outcome != CRN_LCP_UNSOLVED), "%s: outcome %s", name,
               crn_lcp_outcome_name(result.outcome));
    return status;
}

static void check_failing(const char *name, const crn_lcp_problem *p, const crn_lcp_options *options)
{
    for (long k = 1;; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
        crn_status status = solve_watched(name, p, options, &workspace);
        bool has_failed = counter.calls >= k;
        TEST_CHECK(status == (has_failed ? CRN_ERR_MEMORY : CRN_OK), "%s: %s when allocation %ld fails", name,
                   crn_status_name(status), k);
        crn_workspace_free(&workspace);
        assert_int_equal(counter.live, 0);
        if (!has_failed) {
            return;
        }
        assert_true(k < 100);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for_families(check_failing);
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        crn_lcp_options options = variant_options(v);
        check_failing(VARIANTS[v].name, &HARD, &options);
    }
}

/* After a refusal the workspace is usable again. */
static void a_refusal_leaves_the_workspace_usable(void **state)
{
    (void)state;
    test_allocator counter = {.fail_at = 1};
    crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    assert_int_equal(solve_watched("first", &HARD, &options, &workspace), CRN_ERR_MEMORY);
    assert_int_equal(solve_watched("second", &HARD, &options, &workspace), CRN_OK);
    crn_workspace_free(&workspace);
    assert_int_equal(counter.live, 0);
}

/* --- fixed --- */

/* The size that is asked for is enough at any address; with a byte less it is refused, or was not needed. */
static void check_fixed(const char *name, const crn_lcp_problem *p, const crn_lcp_options *options)
{
    size_t bytes = crn_lcp_workspace_size(p, options);
    unsigned char *block = (unsigned char *)take(bytes + 64, 1);
    static const size_t shifts[] = {0, 1, 8, 63};
    for (size_t k = 0; k < sizeof shifts / sizeof shifts[0]; ++k) {
        memset(block, 0xEE, bytes + 64);
        crn_workspace workspace = crn_workspace_fixed(block + shifts[k], bytes);
        TEST_CHECK(solve_watched(name, p, options, &workspace) == CRN_OK, "%s: %zu bytes are not enough", name, bytes);
        for (size_t b = 0; b < 64; ++b) {
            size_t place = b < shifts[k] ? b : b + bytes;
            TEST_CHECK(block[place] == 0xEE, "%s: byte %zu was written, %zu + %zu given", name, place, shifts[k],
                       bytes);
        }
        workspace = crn_workspace_fixed(block, bytes - 1);
        crn_status status = solve_watched(name, p, options, &workspace);
        bool may_do = p->n == 0; /* nothing to do takes nothing */
        TEST_CHECK(status == CRN_ERR_WORKSPACE || (may_do && status == CRN_OK), "%s: %s with a byte less", name,
                   crn_status_name(status));
    }
    free(block);
}

static void a_fixed_workspace_of_the_size_asked_for(void **state)
{
    (void)state;
    for_families(check_fixed);
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        crn_lcp_options options = variant_options(v);
        check_fixed(VARIANTS[v].name, &HARD, &options);
        crn_workspace small = crn_workspace_fixed(&options, 16);
        assert_int_equal(solve_watched(VARIANTS[v].name, &HARD, &options, &small), CRN_ERR_WORKSPACE);
    }
}

/* --- dirty --- */

static void fill(unsigned char *block, size_t bytes, int pattern, crn_random *random)
{
    for (size_t b = 0; b < bytes; ++b) {
        block[b] = pattern >= 0 ? (unsigned char)pattern : (unsigned char)crn_random_bits(random);
    }
}

/* What was in the memory before makes no difference: zeros, NaN, ones, noise. */
static void check_dirty(const char *name, const crn_lcp_problem *p, const crn_lcp_options *options)
{
    static const int patterns[] = {0x00, 0xFF, 0x3F, -1};
    crn_random random = crn_random_seed(TEST_SEED);
    size_t bytes = crn_lcp_workspace_size(p, options);
    unsigned char *block = (unsigned char *)take(bytes, 1);
    answer first = {0};
    for (int k = 0; k < 4; ++k) {
        fill(block, bytes, patterns[k], &random);
        crn_workspace workspace = crn_workspace_fixed(block, bytes);
        answer a = solve_in(p, options, &workspace);
        if (k == 0) {
            first = a;
            continue;
        }
        check_same(name, p->n, &first, &a);
        answer_free(&a);
    }
    answer_free(&first);
    free(block);
}

static void dirty_memory_changes_no_bit(void **state)
{
    (void)state;
    for_families(check_dirty);
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        crn_lcp_options options = variant_options(v);
        check_dirty(VARIANTS[v].name, &HARD, &options);
    }
}

/* --- too large --- */

/* Refuses more than 1 GiB, counting what was asked for. */
static void *resize_modestly(void *user, void *block, size_t bytes)
{
    *(size_t *)user = bytes;
    return bytes > ((size_t)1 << 30) ? NULL : realloc(block, bytes);
}

static void release_modestly(void *user, void *block)
{
    (void)user;
    free(block);
}

/* A million variables, no entries: methods whose memory grows with n^2 say so. */
static void a_problem_too_large_for_memory(void **state)
{
    (void)state;
    enum { LARGE = 1 << 20 };
    int *start = (int *)take(LARGE + 1, sizeof *start), row = 0;
    double *q = (double *)take(LARGE, sizeof *q), *z = test_doubles(LARGE), value = 0.0;
    crn_lcp_problem p = {.n = LARGE, .start = start, .row = &row, .value = &value, .q = q};
    memset(z, 0x5A, LARGE * sizeof *z);
    const double before = z[0];
    for (int v = 0; v < VARIANT_COUNT; ++v) {
        if (VARIANTS[v].method == CRN_LCP_AUTO || VARIANTS[v].method == CRN_LCP_PGS) {
            continue; /* their memory grows with n */
        }
        size_t asked = 0;
        crn_workspace workspace = crn_workspace_with((crn_allocator){resize_modestly, release_modestly, &asked});
        crn_lcp_options options = variant_options(v);
        crn_lcp_solution solution = {.z = z};
        crn_error error;
        crn_status status = crn_lcp_solve(&p, &options, &workspace, &solution, NULL, &error);
        TEST_CHECK(status == CRN_ERR_MEMORY, "%s: %s", VARIANTS[v].name, crn_status_name(status));
        const bool is_told_at_once = LARGE > SIZE_MAX / LARGE; /* where size_t has 32 bits nothing is asked for */
        TEST_CHECK(is_told_at_once || asked / LARGE >= LARGE, "%s: only %zu bytes", VARIANTS[v].name, asked);
        TEST_CHECK(memcmp(&z[0], &before, sizeof before) == 0, "%s: z was written", VARIANTS[v].name);
        crn_workspace_free(&workspace);
    }
    free(start);
    free(q);
    free(z);
}

/* Sizes are computed without wrapping around, up to the largest n: the arrays are not looked at. */
static void sizes_that_no_memory_has(void **state)
{
    (void)state;
    static const int orders[] = {1 << 16, 1 << 24, 1 << 30, INT_MAX - 1, INT_MAX};
    int start = 0, row = 0;
    double value = 0.0;
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; ++k) {
        crn_lcp_problem p = {.n = orders[k], .start = &start, .row = &row, .value = &value, .q = &value};
        const size_t n = (size_t)orders[k];
        for (int v = 0; v < VARIANT_COUNT; ++v) {
            crn_lcp_options options = variant_options(v);
            bool is_linear = options.method == CRN_LCP_PGS;
            p.M = options.method == CRN_LCP_AUTO ? &value : NULL; /* of a sparse M auto looks at the entries */
            p.ld = orders[k];
            size_t bytes = crn_lcp_workspace_size(&p, &options);
            size_t least = is_linear ? crn_size_times(8, n) : n > ((size_t)1 << 30) ? SIZE_MAX : crn_size_times(n, n);
            TEST_CHECK(bytes == 0 || bytes >= least, "%s, n = %d: %zu bytes", VARIANTS[v].name, orders[k], bytes);
            const bool may_fail = n > SIZE_MAX / crn_size_times(64, n); /* from 2^30 on where size_t has 64 bits */
            TEST_CHECK(bytes != 0 || may_fail, "%s, n = %d: does not fit", VARIANTS[v].name, orders[k]);
        }
    }
}

/* What the last resort of search needs is reserved by a closed form, in every solve: it must hold what is laid out, and not be wasteful. */
static void the_last_resort_fits_its_closed_form(void **state)
{
    (void)state;
    for (int n = 1; n <= 200; ++n) {
        size_t reserved = crn_exhaust_bytes(n), counted = crn_exhaust_bytes_counted(n);
        TEST_CHECK(counted <= reserved && reserved < 3 * counted, "n = %d: %zu of %zu bytes", n, counted, reserved);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warm_solve_takes_nothing),
        cmocka_unit_test(a_hard_problem_after_an_easy_one_takes_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_refusal_leaves_the_workspace_usable),
        cmocka_unit_test(a_fixed_workspace_of_the_size_asked_for),
        cmocka_unit_test(dirty_memory_changes_no_bit),
        cmocka_unit_test(a_problem_too_large_for_memory),
        cmocka_unit_test(sizes_that_no_memory_has),
        cmocka_unit_test(the_last_resort_fits_its_closed_form),
    };
    return TEST_RUN(tests, argc, argv);
}
