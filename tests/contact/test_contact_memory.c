/* Memory of a contact solve: counted, refused, fixed, dirty. */
#include "unique_scene.h"

#include "gallery.h"

#include "test_allocator.h"

enum { TEST_SEED = 20260705, CONTACTS_MOST = 64, DOF_MOST = 160 };

typedef void check_fn(const char *name, const crn_contact_problem *p, const crn_contact_options *options);

/* Call check for small problems of every family, for random scenes with rows, and for nothing at all. */
static void for_problems(check_fn *check)
{
    int count;
    const crn_gallery_family *family = crn_gallery_families(&count);
    crn_contact_options options = states_options();
    crn_random random = crn_random_seed(TEST_SEED);
    char name[64];
    for (int f = 0; f < count; ++f) {
        for (int k = 0; k < 4 && family[f].make_contact; ++k) {
            crn_gallery_contact_problem g = {0};
            assert_int_equal(family[f].make_contact(5 * k, TEST_SEED, &g, NULL), CRN_OK);
            (void)snprintf(name, sizeof name, "%s %d", family[f].name, 5 * k);
            if (g.problem.contacts <= CONTACTS_MOST && crn_contact_dof(&g.problem) <= DOF_MOST) {
                check(name, &g.problem, &options);
            }
            crn_gallery_contact_free(&g);
        }
    }
    for (int t = 0; t < 24; ++t) {
        scene *s = scene_random(&random, 1 + t % 8, t % 16, t % 3, t % 2 == 1);
        (void)snprintf(name, sizeof name, "scene %d", t);
        check(name, &s->p, &options);
        scene_free(s);
    }
    crn_contact_problem none = {0};
    check("nothing", &none, &options);
}

static bool is_same_result(const crn_contact_result *a, const crn_contact_result *b)
{
    return a->outcome == b->outcome && a->method == b->method && a->islands == b->islands && a->pivots == b->pivots &&
           a->refactorizations == b->refactorizations && a->restarts == b->restarts && a->is_warm == b->is_warm &&
           a->certificate.worst == b->certificate.worst &&
           memcmp(&a->certificate.relative, &b->certificate.relative, sizeof(double)) == 0;
}

/* Bit by bit. */
static void check_same(const char *name, const crn_contact_problem *p, const motion *a, const motion *b)
{
    size_t contacts = (size_t)p->contacts, dof = (size_t)crn_contact_dof(p);
    TEST_CHECK(a->status == CRN_OK && b->status == CRN_OK, "%s: %s %s", name, a->error.text, b->error.text);
    TEST_CHECK(is_same_result(&a->result, &b->result), "%s: another result", name);
    TEST_CHECK(memcmp(a->r, b->r, 3 * contacts * sizeof(double)) == 0, "%s: other impulses", name);
    TEST_CHECK(memcmp(a->v, b->v, dof * sizeof(double)) == 0, "%s: another motion", name);
    TEST_CHECK(memcmp(a->u, b->u, 3 * contacts * sizeof(double)) == 0, "%s: other contact velocities", name);
    TEST_CHECK(memcmp(a->l, b->l, (size_t)p->rows * sizeof(double)) == 0, "%s: other row impulses", name);
    TEST_CHECK(memcmp(a->state, b->state, contacts * sizeof *a->state) == 0, "%s: other states", name);
}

/* --- counted --- */

static void check_counted(const char *name, const crn_contact_problem *p, const crn_contact_options *options)
{
    test_allocator counter = {0};
    crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
    motion a = move_in(p, options, &workspace);
    long calls = counter.calls;
    motion b = move_in(p, options, &workspace);
    TEST_CHECK(counter.calls == calls, "%s: %ld allocations in a second solve", name, counter.calls - calls);
    check_same(name, p, &a, &b);
    crn_contact_certificate certificate;
    assert_int_equal(crn_contact_certify(p, options, a.r, a.l, &workspace, &certificate, NULL), CRN_OK);
    TEST_CHECK(counter.calls == calls, "%s: the certificate allocates", name);
    TEST_CHECK(memcmp(&certificate, &a.result.certificate, sizeof certificate) == 0, "%s: another certificate", name);
    crn_contact_session *session = NULL;
    assert_int_equal(crn_contact_prepare(p, options, &workspace, &session, NULL), CRN_OK);
    for (int round = 0; round < 3; ++round) {
        assert_int_equal(crn_contact_again(session, round == 1 ? p->velocity : NULL, NULL, NULL, NULL), CRN_OK);
    }
    TEST_CHECK(counter.calls == calls, "%s: a session allocates", name);
    crn_workspace_free(&workspace);
    assert_int_equal(counter.live, 0);
    motion_free(&a);
    motion_free(&b);
}

static void a_second_solve_takes_nothing(void **state)
{
    (void)state;
    for_problems(check_counted);
}

/* --- refused --- */

/* Arrays that show every write. */
typedef struct canaries {
    double r[3 * SCENE_CONTACTS], v[SCENE_BODIES * SCENE_DOF], u[3 * SCENE_CONTACTS], l[SCENE_ROWS];
    crn_contact_state state[SCENE_CONTACTS];
} canaries;

/* Solve; if the status is not CRN_OK nothing is written. */
static crn_status solve_watched(const char *name, const crn_contact_problem *p, const crn_contact_options *options,
                                crn_workspace *workspace)
{
    static canaries c, before;
    memset(&c, 0x5A, sizeof c);
    before = c;
    crn_contact_solution solution = {c.r, c.v, c.u, c.l, c.state};
    crn_contact_result result;
    crn_error error;
    crn_status status = crn_contact_solve(p, options, workspace, &solution, &result, &error);
    TEST_CHECK(status == CRN_OK || memcmp(&c, &before, sizeof c) == 0, "%s: '%s', and yet something was written", name,
               error.text);
    TEST_CHECK(status == error.status && (status == CRN_OK) == (error.text[0] == '\0'), "%s: '%s'", name, error.text);
    TEST_CHECK((status == CRN_OK) == (result.outcome != CRN_LCP_UNSOLVED), "%s: outcome %s", name,
               crn_lcp_outcome_name(result.outcome));
    return status;
}

static void check_failing(const char *name, const crn_contact_problem *p, const crn_contact_options *options)
{
    for (long k = 1;; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
        crn_status status = solve_watched(name, p, options, &workspace);
        bool has_failed = counter.calls >= k;
        TEST_CHECK(status == (has_failed ? CRN_ERR_MEMORY : CRN_OK), "%s: %s when allocation %ld fails", name,
                   crn_status_name(status), k);
        status = solve_watched(name, p, options, &workspace); /* a refusal leaves the workspace usable */
        TEST_CHECK(status == CRN_OK, "%s: %s after a refusal", name, crn_status_name(status));
        crn_workspace_free(&workspace);
        assert_int_equal(counter.live, 0);
        if (!has_failed) {
            return;
        }
        assert_true(k < 20);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for_problems(check_failing);
}

/* --- fixed --- */

/* The size that is asked for is enough at any address; a byte less is refused. */
static void check_fixed(const char *name, const crn_contact_problem *p, const crn_contact_options *options)
{
    static const size_t shifts[4] = {0, 1, 8, 63};
    size_t bytes = crn_contact_workspace_size(p, options);
    TEST_CHECK(bytes > 0, "%s: no size", name);
    unsigned char *block = (unsigned char *)take(bytes + 128, 1);
    for (int k = 0; k < 4; ++k) {
        memset(block, 0xEE, bytes + 128);
        crn_workspace workspace = crn_workspace_fixed(block + shifts[k], bytes);
        TEST_CHECK(solve_watched(name, p, options, &workspace) == CRN_OK, "%s: %zu bytes at %zu are not enough", name,
                   bytes, shifts[k]);
        for (size_t b = 0; b < 128; ++b) {
            size_t place = b < shifts[k] ? b : b + bytes;
            TEST_CHECK(block[place] == 0xEE, "%s: byte %zu was written, %zu + %zu given", name, place, shifts[k],
                       bytes);
        }
        workspace = crn_workspace_fixed(block + shifts[k], bytes - 1);
        crn_status status = solve_watched(name, p, options, &workspace);
        TEST_CHECK(status == CRN_ERR_WORKSPACE, "%s: %s with a byte less", name, crn_status_name(status));
    }
    free(block);
}

static void a_fixed_workspace_of_the_size_asked_for(void **state)
{
    (void)state;
    for_problems(check_fixed);
}

/* A warm start factorises, which takes the last piece of the memory. */
static void check_fixed_warm(const char *name, const crn_contact_problem *p, const crn_contact_options *options)
{
    crn_contact_options warm = *options;
    crn_workspace growing = {0};
    motion cold = move_in(p, options, &growing);
    warm.start = cold.state;
    warm.start_impulse = cold.r;
    warm.start_velocity = cold.u;
    size_t bytes = crn_contact_workspace_size(p, &warm);
    unsigned char *block = (unsigned char *)take(bytes, 1);
    crn_workspace fixed = crn_workspace_fixed(block, bytes);
    motion a = move_in(p, &warm, &growing), b = move_in(p, &warm, &fixed);
    check_same(name, p, &a, &b);
    motion_free(&cold);
    motion_free(&a);
    motion_free(&b);
    crn_workspace_free(&growing);
    free(block);
}

static void a_fixed_workspace_for_a_warm_start(void **state)
{
    (void)state;
    for_problems(check_fixed_warm);
}

static void no_size_for_bad_problems(void **state)
{
    (void)state;
    crn_contact_problem bad = {.bodies = -1};
    assert_int_equal(crn_contact_workspace_size(&bad, NULL), 0);
    assert_int_equal(crn_contact_workspace_size(NULL, NULL), 0);
}

/* --- dirty --- */

static void fill(unsigned char *block, size_t bytes, int pattern, crn_random *random)
{
    for (size_t b = 0; b < bytes; ++b) {
        block[b] = pattern >= 0 ? (unsigned char)pattern : (unsigned char)crn_random_bits(random);
    }
}

/* What was in the memory before makes no difference: zeros, NaN, ones, noise. */
static void check_dirty(const char *name, const crn_contact_problem *p, const crn_contact_options *options)
{
    static const int patterns[4] = {0x00, 0xFF, 0x3F, -1};
    crn_random random = crn_random_seed(TEST_SEED);
    size_t bytes = crn_contact_workspace_size(p, options);
    unsigned char *block = (unsigned char *)take(bytes, 1);
    motion first = {0};
    for (int k = 0; k < 4; ++k) {
        fill(block, bytes, patterns[k], &random);
        crn_workspace workspace = crn_workspace_fixed(block, bytes);
        motion a = move_in(p, options, &workspace);
        if (k == 0) {
            first = a;
            continue;
        }
        check_same(name, p, &first, &a);
        motion_free(&a);
    }
    motion_free(&first);
    free(block);
}

static void dirty_memory_changes_no_bit(void **state)
{
    (void)state;
    for_problems(check_dirty);
}

/* A session's answers depend on what it was given, not on what lay in its memory. */
static void check_dirty_session(const char *name, const crn_contact_problem *p, const crn_contact_options *options)
{
    crn_random random = crn_random_seed(TEST_SEED);
    size_t bytes = crn_contact_workspace_size(p, options), dof = (size_t)crn_contact_dof(p);
    unsigned char *block = (unsigned char *)take(bytes, 1);
    double *velocity = (double *)take(dof, sizeof *velocity);
    motion first[3];
    for (int k = 0; k < 2; ++k) {
        fill(block, bytes, k ? -1 : 0, &random);
        crn_workspace workspace = crn_workspace_fixed(block, bytes);
        crn_contact_session *session = NULL;
        assert_int_equal(crn_contact_prepare(p, options, &workspace, &session, NULL), CRN_OK);
        for (int round = 0; round < 3; ++round) {
            motion a = motion_new(p);
            crn_contact_solution solution = motion_solution(&a);
            for (size_t i = 0; i < dof; ++i) {
                velocity[i] = (1.0 + 0.1 * round) * p->velocity[i];
            }
            a.status = crn_contact_again(session, velocity, &solution, &a.result, &a.error);
            if (k == 0) {
                first[round] = a;
                continue;
            }
            check_same(name, p, &first[round], &a);
            motion_free(&a);
            motion_free(&first[round]);
        }
    }
    free(velocity);
    free(block);
}

static void dirty_memory_changes_no_session(void **state)
{
    (void)state;
    for_problems(check_dirty_session);
}

/* Any part of the solution may be left out, and the rest is the same. */
static void check_parts(const char *name, const crn_contact_problem *p, const crn_contact_options *options)
{
    crn_workspace workspace = {0};
    motion all = move_in(p, options, &workspace);
    for (int left = 0; left < 5; ++left) {
        motion a = motion_new(p);
        crn_contact_solution solution = motion_solution(&a);
        *(left == 0   ? &solution.impulse
          : left == 1 ? &solution.velocity
          : left == 2 ? &solution.contact_velocity
                      : &solution.row_impulse) = NULL;
        solution.state = left == 4 ? NULL : solution.state;
        a.status = crn_contact_solve(p, options, &workspace, &solution, &a.result, &a.error);
        TEST_CHECK(a.status == CRN_OK && is_same_result(&a.result, &all.result), "%s without part %d", name, left);
        if (left > 0) {
            TEST_CHECK(memcmp(a.r, all.r, 3 * (size_t)p->contacts * sizeof(double)) == 0, "%s without part %d", name,
                       left);
        }
        motion_free(&a);
    }
    motion_free(&all);
    crn_workspace_free(&workspace);
}

static void parts_may_be_left_out(void **state)
{
    (void)state;
    for_problems(check_parts);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_solve_takes_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_fixed_workspace_of_the_size_asked_for),
        cmocka_unit_test(a_fixed_workspace_for_a_warm_start),
        cmocka_unit_test(no_size_for_bad_problems),
        cmocka_unit_test(dirty_memory_changes_no_bit),
        cmocka_unit_test(dirty_memory_changes_no_session),
        cmocka_unit_test(parts_may_be_left_out),
    };
    return TEST_RUN(tests, argc, argv);
}
