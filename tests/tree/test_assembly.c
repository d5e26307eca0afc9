/* Assembly-disassembly against dense matrices in long double: Phi_ij = J_i H^-1 J_j', b_i = J_i u' + J_i' u, H u' = tau - C, on
 * random trees of all joints; against the articulated-body algorithm; the same bits on any number of threads. */
#include "tree/assembly_parts.h"

#include "assembly_case.h"
#include "test_allocator.h"

/* --- Runs --- */

typedef struct answer {
    double *phi, *bias, *acceleration;
} answer;

static answer run_case(const assembly_case *c, int grain, int threads)
{
    answer a = {numbers(36 * c->handles * c->handles), numbers(6 * c->handles), numbers(c->tree->velocities)};
    crn_assembly *assembly;
    crn_error error;
    TEST_CHECK(crn_assembly_create_grains(c->tree, c->handle, c->handles, grain, NULL, &assembly, &error) == CRN_OK,
               "%s", error.text);
    crn_assembly_run(assembly, c->tree, c->q, c->u, &c->load, threads, a.phi, a.bias, a.acceleration);
    crn_assembly_destroy(assembly);
    return a;
}

static void free_answer(answer *a)
{
    free(a->phi), free(a->bias), free(a->acceleration);
}

/* max |x - y| / max |y| */
static double difference(int count, const double *x, const tree_real *y)
{
    tree_real error = 0.0L, size = 1e-30L;
    for (int i = 0; i < count; ++i) {
        error = fmaxl(error, fabsl(x[i] - y[i]));
        error = isnan(x[i]) ? INFINITY : error;
        size = fmaxl(size, fabsl(y[i]));
    }
    return (double)(error / size);
}

typedef struct errors {
    double phi, bias, acceleration;
} errors;

/* The largest differences of an answer from dense matrices. */
static errors judge(const assembly_case *c, const answer *a)
{
    int n = c->tree->velocities, m = 6 * c->handles;
    crn_tree_place(c->tree, c->q);
    tree_dense d = tree_dense_make(c->tree, c->u);
    tree_dense_factor(&d);
    tree_real *u = tree_reals((size_t)n), *bias = tree_reals((size_t)m), *column = tree_reals((size_t)n),
              *phi = tree_reals((size_t)m * (size_t)m);
    tree_dense_forward(&d, c->tree, &c->load, u);
    for (int k = 0; k < m; ++k) {
        const tree_real *J = d.J + 6 * (size_t)n * (size_t)c->handle[k / 6] + k % 6;
        bias[k] = d.c[6 * c->handle[k / 6] + k % 6];
        for (int i = 0; i < n; ++i) {
            bias[k] += J[6 * i] * u[i];
            column[i] = J[6 * i];
        }
        tree_dense_solve(&d, column);
        for (int l = 0; l < m; ++l) {
            const tree_real *Jl = d.J + 6 * (size_t)n * (size_t)c->handle[l / 6] + l % 6;
            for (int i = 0; i < n; ++i) {
                phi[l + m * k] += Jl[6 * i] * column[i];
            }
        }
    }
    errors e = {difference(m * m, a->phi, phi), difference(m, a->bias, bias), difference(n, a->acceleration, u)};
    free(u), free(bias), free(column), free(phi);
    tree_dense_free(&d);
    return e;
}

static errors worse(errors a, errors b)
{
    return (errors){fmax(a.phi, b.phi), fmax(a.bias, b.bias), fmax(a.acceleration, b.acceleration)};
}

/* --- Tests --- */

/* 1,000 random trees; grains of one link make a join of every joint. */
static void agrees_with_dense_matrices(void **state)
{
    (void)state;
    crn_random random = test_random("agrees_with_dense_matrices", 501);
    errors worst = {0, 0, 0};
    for (int n = 0; n < 1000; ++n) {
        tree_look look = random_look(&random, 16);
        look.massless = 0.0;
        assembly_case c = make_case(&random, &look, crn_random_below(&random, 6));
        answer a = run_case(&c, n % 3 == 0 ? 1 : 1 + crn_random_below(&random, 6), 1);
        errors e = judge(&c, &a);
        TEST_CHECK(fmax(e.phi, fmax(e.bias, e.acceleration)) < 1e-10, "tree %d: phi %.1e, bias %.1e, u' %.1e", n, e.phi,
                   e.bias, e.acceleration);
        worst = worse(worst, e);
        free_answer(&a);
        free_case(&c);
    }
    print_message("worst of 1000: phi %.1e, bias %.1e, u' %.1e\n", worst.phi, worst.bias, worst.acceleration);
}

/* Links without mass stay in the grain of what they carry. Such trees can be near singular, and a few are quite (a massless
 * link between two balls spins freely): their error is measured with that of the articulated-body algorithm, and where that has
 * no digits there is nothing to compare. */
static void takes_links_without_mass(void **state)
{
    (void)state;
    crn_random random = test_random("takes_links_without_mass", 502);
    int massless = 0, checked = 0;
    for (int n = 0; n < 200; ++n) {
        tree_look look = random_look(&random, 16);
        look.massless = 0.4;
        assembly_case c = make_case(&random, &look, crn_random_below(&random, 6));
        for (int i = 0; i < look.links; ++i) {
            massless += c.tree->link[i].mass == 0.0;
        }
        answer a = run_case(&c, 1 + n % 3, 1), other = run_case(&c, 1, 1);
        errors e = judge(&c, &a);
        crn_tree_forward(c.tree, c.q, c.u, &c.load, other.acceleration);
        double limit = fmax(1e-10, 10.0 * judge(&c, &other).acceleration);
        bool has_digits = limit < 1e-6;
        checked += has_digits;
        TEST_CHECK(!has_digits || fmax(e.phi, fmax(e.bias, e.acceleration)) < limit,
                   "tree %d: phi %.1e, bias %.1e, u' %.1e, limit %.1e", n, e.phi, e.bias, e.acceleration, limit);
        free_answer(&a);
        free_answer(&other);
        free_case(&c);
    }
    assert_true(massless > 200 && checked > 190);
}

/* Masses a thousand apart, millimetres and micrograms, small moments. */
static void takes_all_sizes(void **state)
{
    (void)state;
    crn_random random = test_random("takes_all_sizes", 503);
    for (int n = 0; n < 100; ++n) {
        tree_look look = random_look(&random, 16);
        look.massless = 0.0;
        look.armature = 0.0;
        look.size = n % 2 == 0 ? 1e-3 : 1.0;
        look.spread = n % 3 == 0 ? 1e3 : 1.0;
        look.least_moment = n % 5 == 0 ? 1e-7 : 0.01;
        assembly_case c = make_case(&random, &look, 3);
        answer a = run_case(&c, 1 + n % 4, 1);
        errors e = judge(&c, &a);
        TEST_CHECK(fmax(e.phi, fmax(e.bias, e.acceleration)) < 1e-10, "tree %d: phi %.1e, bias %.1e, u' %.1e", n, e.phi,
                   e.bias, e.acceleration);
        free_answer(&a);
        free_case(&c);
    }
}

/* Phi = Y'Y of the first two handles by the square-root factor, 12 x 12 */
static void factor_phi(const assembly_case *c, tree_real *phi)
{
    crn_tree_place(c->tree, c->q);
    assert_true(crn_tree_factor(c->tree, NULL));
    int n = c->tree->whitened;
    double *y = numbers(12 * n);
    for (int k = 0; k < 12; ++k) { /* a unit wrench about the world's origin */
        double unit[6] = {0}, wrench[6];
        unit[k % 6] = 1.0;
        crn_vec3 f = crn_v3_of(unit + 3), t = crn_v3_sub(crn_v3_of(unit), crn_v3_cross(c->tree->origin, f));
        crn_v3_to(t, wrench);
        crn_v3_to(f, wrench + 3);
        crn_tree_column(c->tree, c->handle[k / 6], wrench, y + k * n);
    }
    for (int k = 0; k < 144; ++k) {
        phi[k] = 0.0L;
        for (int i = 0; i < n; ++i) {
            phi[k] += (tree_real)y[k % 12 * n + i] * y[k / 12 * n + i];
        }
    }
    free(y);
}

/* Long chains: the accelerations of the articulated-body algorithm, and Phi of the square-root factor. */
static void keeps_digits_in_long_chains(void **state)
{
    (void)state;
    crn_random random = test_random("keeps_digits_in_long_chains", 504);
    for (int n = 0; n < 4; ++n) {
        static const int length[4] = {100, 400, 1000, 1000};
        tree_look look = {.links = length[n], .chain = 2.0, .only_hinges = n != 3, .least_moment = 0.01};
        assembly_case c = make_case(&random, &look, 2);
        int u = c.tree->velocities;
        answer a = run_case(&c, n == 1 ? 1 : 16, 2);
        double *acceleration = numbers(u);
        tree_real phi[144], *reference = tree_reals((size_t)u);
        factor_phi(&c, phi);
        crn_tree_forward(c.tree, c.q, c.u, &c.load, acceleration);
        for (int i = 0; i < u; ++i) {
            reference[i] = acceleration[i];
        }
        double e = difference(144, a.phi, phi), f = difference(u, a.acceleration, reference);
        print_message("%d links: phi %.1e, u' %.1e\n", length[n], e, f);
        TEST_CHECK(e < 1e-9 && f < 1e-10, "%d links: phi %.1e, u' %.1e", length[n], e, f);
        free(acceleration), free(reference);
        free_answer(&a);
        free_case(&c);
    }
}

/* Joints that are driven give way to nothing: Phi is that of the factor without them. */
static void driven_joints_do_not_give_way(void **state)
{
    (void)state;
    crn_random random = test_random("driven_joints_do_not_give_way", 511);
    for (int n = 0; n < 100; ++n) {
        tree_look look = random_look(&random, 20);
        look.massless = 0.0;
        assembly_case c = make_case(&random, &look, 2);
        for (int i = 0; i < look.links; ++i) {
            c.tree->link[i].is_driven = crn_random_below(&random, 3) == 0;
        }
        crn_tree_number(c.tree);
        answer a = run_case(&c, 1 + n % 3, 1);
        tree_real phi[144];
        factor_phi(&c, phi);
        double e = difference(144, a.phi, phi);
        TEST_CHECK(e < 1e-10 || c.tree->whitened == 0, "tree %d: phi %.1e", n, e);
        for (int i = 0; i < look.links; ++i) {
            for (int k = 0; k < c.tree->link[i].freedom && c.tree->link[i].is_driven; ++k) {
                assert_true(a.acceleration[c.tree->link[i].u + k] == 0.0);
            }
        }
        free_answer(&a);
        free_case(&c);
    }
}

/* b is the rate of each handle's velocity while the tree moves with u and u'. */
static void bias_is_the_rate_of_velocity(void **state)
{
    (void)state;
    crn_random random = test_random("bias_is_the_rate_of_velocity", 505);
    for (int n = 0; n < 100; ++n) {
        tree_look look = random_look(&random, 12);
        look.massless = 0.0;
        assembly_case c = make_case(&random, &look, 1);
        int links = look.links, nu = c.tree->velocities;
        answer a = run_case(&c, 2, 1);
        double h = 1e-5, *v[2] = {numbers(6 * links), numbers(6 * links)}, *q = numbers(c.tree->coordinates),
               *u = numbers(nu), rate[6];
        crn_frame *frame = calloc((size_t)links, sizeof *frame);
        for (int side = 0; side < 2; ++side) {
            double t = side == 0 ? -h : h;
            for (int i = 0; i < nu; ++i) {
                u[i] = c.u[i] + 0.5 * t * a.acceleration[i];
            }
            crn_tree_advance(c.tree, c.q, u, t, q);
            for (int i = 0; i < nu; ++i) {
                u[i] = c.u[i] + t * a.acceleration[i];
            }
            crn_tree_kinematics(c.tree, q, u, frame, v[side]);
            double *at = v[side] + 6 * c.handle[0];
            crn_v3_to(crn_v3_sub(crn_v3_of(at + 3), crn_v3_cross(crn_v3_of(at), frame[c.handle[0]].position)), at + 3);
        }
        double size = 1.0;
        for (int k = 0; k < 6; ++k) {
            rate[k] = (v[1][6 * c.handle[0] + k] - v[0][6 * c.handle[0] + k]) / (2.0 * h);
            size = fmax(size, fabs(rate[k]));
        }
        for (int k = 0; k < 6; ++k) {
            TEST_CHECK(fabs(rate[k] - a.bias[k]) < 1e-5 * size, "tree %d: b[%d] = %g, not %g", n, k, a.bias[k],
                       rate[k]);
        }
        free(v[0]), free(v[1]), free(q), free(u), free(frame);
        free_answer(&a);
        free_case(&c);
    }
}

static void has_the_same_bits_on_any_threads(void **state)
{
    (void)state;
    crn_random random = test_random("has_the_same_bits_on_any_threads", 506);
    for (int n = 0; n < 40; ++n) {
        tree_look look = random_look(&random, 200);
        look.massless = 0.0;
        look.links += 20;
        assembly_case c = make_case(&random, &look, 8);
        int grain = n % 2 == 0 ? 1 : 4;
        answer one = run_case(&c, grain, 1);
        for (int threads = 2; threads <= 4; ++threads) {
            answer many = run_case(&c, grain, threads);
            assert_memory_equal(one.phi, many.phi, 36 * 64 * sizeof *one.phi);
            assert_memory_equal(one.bias, many.bias, 48 * sizeof *one.bias);
            assert_memory_equal(one.acceleration, many.acceleration,
                                (size_t)c.tree->velocities * sizeof *one.acceleration);
            free_answer(&many);
        }
        free_answer(&one);
        free_case(&c);
    }
}

/* --- The schedule --- */

/* Levels of grains of one link on a tree whose link i hangs on parent(i). */
static int levels_of(int links, int (*parent)(int), int handles)
{
    crn_link_def *link = calloc((size_t)links, sizeof *link);
    crn_tree *tree;
    crn_assembly *assembly;
    crn_error error;
    int handle[HANDLES_MOST];
    assert_non_null(link);
    for (int i = 0; i < links; ++i) {
        link[i] = crn_link_def_default();
        link[i].parent = parent(i);
        link[i].kind = CRN_JOINT_HINGE;
        link[i].mass = 1.0;
        link[i].inertia = (crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
        link[i].frame_b.position = crn_v3(1, 0, 0);
    }
    for (int k = 0; k < handles; ++k) {
        handle[k] = (int)((long)k * (links - 1) / handles);
    }
    assert_int_equal(crn_tree_create(link, links, NULL, &tree, &error), CRN_OK);
    assert_int_equal(crn_assembly_create_grains(tree, handle, handles, 1, NULL, &assembly, &error), CRN_OK);
    int levels = assembly->levels;
    assert_int_equal(assembly->nodes, 2 * links - 1);
    int most = 0;
    for (int n = 0; n < assembly->nodes; ++n) {
        most = assembly->node[n].ports > most ? assembly->node[n].ports : most;
    }
    TEST_CHECK(most <= handles + 3, "a node with %d ports", most);
    crn_assembly_destroy(assembly);
    crn_tree_destroy(tree);
    free(link);
    return levels;
}

static int on_last(int i)
{
    return i - 1;
}
static int on_first(int i)
{
    return i == 0 ? -1 : 0;
}
static int on_base(int i)
{
    (void)i;
    return -1;
}
static int on_half(int i)
{
    return (i + 1) / 2 - 1;
}
static int on_spine(int i)
{
    return i % 2 == 1 ? i - 1 : i - 2 < 0 ? -1 : i - 2;
}
static int in_arms(int i)
{
    return i == 0 ? -1 : i <= 8 ? 0 : i - 8;
}

/* n = 500: log2 is 9. */
static void schedule_is_shallow(void **state)
{
    (void)state;
    int (*const shape[])(int) = {on_last, on_first, on_base, on_half, on_spine, in_arms};
    for (size_t k = 0; k < sizeof shape / sizeof *shape; ++k) {
        for (int handles = 0; handles < 4; handles += 3) {
            int levels = levels_of(500, shape[k], handles);
            print_message("shape %zu: %d levels\n", k, levels);
            TEST_CHECK(levels <= 20, "shape %zu: %d levels", k, levels);
        }
    }
}

/* --- Calls --- */

static void takes_any_handles(void **state)
{
    (void)state;
    crn_random random = test_random("takes_any_handles", 507);
    tree_look look = {.links = 9, .chain = 0.5, .floating = true, .least_moment = 0.01};
    assembly_case c = make_case(&random, &look, 30); /* some links several times */
    answer a = run_case(&c, 2, 1);
    for (int k = 0; k < 30; ++k) {
        for (int l = 0; l < 30; ++l) {
            for (int i = 0; i < 36; ++i) {
                int row = 6 * k + i % 6, column = 6 * l + i / 6;
                assert_true(a.phi[row + 180 * column] == a.phi[column + 180 * row]);
            }
            if (c.handle[k] == c.handle[l]) {
                assert_memory_equal(a.phi + 180 * 6 * k, a.phi + 180 * 6 * l, 180 * 6 * sizeof *a.phi);
                assert_memory_equal(a.bias + 6 * k, a.bias + 6 * l, 6 * sizeof *a.bias);
            }
        }
    }
    errors e = judge(&c, &a);
    assert_true(e.phi < 1e-12 && e.bias < 1e-12 && e.acceleration < 1e-11);
    free_answer(&a);
    free_case(&c);
}

static void refuses_what_is_no_link(void **state)
{
    (void)state;
    crn_random random = test_random("refuses_what_is_no_link", 508);
    tree_look look = {.links = 3, .chain = 2.0, .least_moment = 0.01};
    crn_tree *tree = tree_random(&random, &look);
    crn_assembly *assembly;
    crn_error error;
    const int wrong[] = {0, 3}, negative[] = {-1};
    assert_int_equal(crn_assembly_create(tree, wrong, 2, NULL, &assembly, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "handle[1]"));
    assert_null(assembly);
    assert_int_equal(crn_assembly_create(tree, negative, 1, NULL, &assembly, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_assembly_create(tree, NULL, 1, NULL, &assembly, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_assembly_create(tree, wrong, -1, NULL, &assembly, &error), CRN_ERR_ARGUMENT);
    crn_assembly_destroy(NULL);
    crn_tree_destroy(tree);
}

/* Nothing wanted, nothing given, no links. */
static void takes_nothing(void **state)
{
    (void)state;
    crn_random random = test_random("takes_nothing", 509);
    tree_look look = {.links = 20, .chain = 0.7, .least_moment = 0.01};
    assembly_case c = make_case(&random, &look, 2);
    crn_assembly *assembly;
    crn_error error;
    double bias[12], *acceleration = numbers(c.tree->velocities);
    assert_int_equal(crn_assembly_create_grains(c.tree, c.handle, 2, 3, NULL, &assembly, &error), CRN_OK);
    crn_assembly_run(assembly, c.tree, c.q, NULL, NULL, 1, NULL, bias, acceleration);
    for (int k = 0; k < 12; ++k) {
        assert_true(bias[k] == 0.0);
    }
    for (int k = 0; k < c.tree->velocities; ++k) {
        assert_true(acceleration[k] == 0.0);
    }
    crn_assembly_run(assembly, c.tree, c.q, c.u, &c.load, 1, NULL, NULL, NULL);
    crn_assembly_destroy(assembly);
    free(acceleration);
    free_case(&c);
    crn_tree *tree;
    assert_int_equal(crn_tree_create(NULL, 0, NULL, &tree, &error), CRN_OK);
    assert_int_equal(crn_assembly_create(tree, NULL, 0, NULL, &assembly, &error), CRN_OK);
    crn_assembly_run(assembly, tree, NULL, NULL, NULL, 2, NULL, NULL, NULL);
    crn_assembly_destroy(assembly);
    crn_tree_destroy(tree);
}

/* The k-th request fails, for every k; a run requests nothing. */
static void lives_with_failing_memory(void **state)
{
    (void)state;
    crn_random random = test_random("lives_with_failing_memory", 510);
    tree_look look = {.links = 60, .chain = 0.8, .least_moment = 0.01};
    assembly_case c = make_case(&random, &look, 3);
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_assembly *assembly = NULL;
    crn_error error;
    for (long k = 1; assembly == NULL; ++k) {
        counter = (test_allocator){.fail_at = k};
        crn_status status = crn_assembly_create_grains(c.tree, c.handle, 3, 2, &hooks, &assembly, &error);
        assert_int_equal(status, assembly != NULL ? CRN_OK : CRN_ERR_MEMORY);
        assert_true(assembly != NULL || counter.live == 0);
        assert_true(k < 100);
    }
    long calls = counter.calls;
    answer a = {numbers(36 * 9), numbers(18), numbers(c.tree->velocities)};
    crn_assembly_run(assembly, c.tree, c.q, c.u, &c.load, 2, a.phi, a.bias, a.acceleration);
    assert_true(counter.calls == calls);
    errors e = judge(&c, &a); /* memory was filled with junk */
    assert_true(e.phi < 1e-10 && e.bias < 1e-10 && e.acceleration < 1e-10);
    crn_assembly_destroy(assembly);
    assert_true(counter.live == 0);
    free_answer(&a);
    free_case(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense_matrices),
        cmocka_unit_test(takes_links_without_mass),
        cmocka_unit_test(takes_all_sizes),
        cmocka_unit_test(keeps_digits_in_long_chains),
        cmocka_unit_test(driven_joints_do_not_give_way),
        cmocka_unit_test(bias_is_the_rate_of_velocity),
        cmocka_unit_test(has_the_same_bits_on_any_threads),
        cmocka_unit_test(schedule_is_shallow),
        cmocka_unit_test(takes_any_handles),
        cmocka_unit_test(refuses_what_is_no_link),
        cmocka_unit_test(takes_nothing),
        cmocka_unit_test(lives_with_failing_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
