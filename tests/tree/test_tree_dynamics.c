/* Forward and inverse dynamics, mass matrix, energy and momentum of random trees of all joint kinds against each other and
 * against differences of velocities.
 *
 * Accelerations are compared in the norm of kinetic energy, |x|^2 = x'H x: that is how far links, not coordinates, differ.
 * Where H is nearly singular coordinates can differ by its condition, as those of two stable algorithms do. */
#include "tree_case.h"

#include <math.h>

enum { LINKS_MOST = 20, WIDTH = 6 * LINKS_MOST, COORDINATES = 7 * LINKS_MOST };

/* A tree with its motion and what acts on it. */
typedef struct dynamics_case {
    crn_tree *tree;
    int n;
    double q[COORDINATES], u[WIDTH], force[WIDTH], wrench[WIDTH];
    crn_tree_load load;
} dynamics_case;

static void make_case(crn_random *random, int links, dynamics_case *c)
{
    c->tree = tree_random(random, links);
    c->n = crn_tree_velocities(c->tree);
    tree_random_coordinates(random, c->tree, c->q);
    tree_random_numbers(random, c->n, c->u);
    tree_random_numbers(random, c->n, c->force);
    tree_random_numbers(random, 6 * links, c->wrench);
    c->load = (crn_tree_load){joint_random_vector(random, 10.0), c->force, c->wrench};
}

/* --- The algorithms against each other --- */

static double energy_norm(int n, const double *H, const double *x)
{
    double sum = 0.0;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            sum += x[i] * H[i + n * j] * x[j];
        }
    }
    return sqrt(fmax(sum, 0.0));
}

static void test_forward_is_mass_matrix(void **state)
{
    (void)state;
    crn_random random = test_random("forward_is_mass_matrix", 41);
    double worst = 0.0, worst_plain = 0.0, worst_back = 0.0;
    static double H[WIDTH * WIDTH], factor[WIDTH * WIDTH];
    for (int trial = 0; trial < 1000; ++trial) {
        dynamics_case c;
        double ours[WIDTH], dense[WIDTH], bias[WIDTH], back[WIDTH], gap[WIDTH];
        make_case(&random, 1 + crn_random_below(&random, LINKS_MOST), &c);
        crn_tree_forward(c.tree, c.q, c.u, &c.load, ours);
        crn_tree_inverse(c.tree, c.q, c.u, NULL, &c.load, bias);
        crn_tree_inverse(c.tree, c.q, c.u, ours, &c.load, back);
        crn_tree_mass_matrix(c.tree, c.q, H);
        memcpy(factor, H, (size_t)(c.n * c.n) * sizeof *H);
        double largest = 0.0;
        for (int k = 0; k < c.n; ++k) {
            dense[k] = c.force[k] - bias[k];
            largest = fmax(largest, fabs(bias[k]) + fabs(c.force[k]));
        }
        tree_dense_solve(c.n, factor, 1, dense);
        for (int k = 0; k < c.n; ++k) {
            gap[k] = ours[k] - dense[k];
            worst_back = fmax(worst_back, fabs(back[k] - c.force[k]) / largest);
            TEST_CHECK(fabs(back[k] - c.force[k]) <= 1e-9 * largest, "trial %d: force %d is %g, not %g", trial, k,
                       back[k], c.force[k]);
        }
        if (c.n > 0) {
            double error = energy_norm(c.n, H, gap) / energy_norm(c.n, H, dense);
            worst = fmax(worst, error);
            worst_plain = fmax(worst_plain, tree_largest(c.n, gap) / tree_largest(c.n, dense));
            TEST_CHECK(error < 1e-10, "trial %d: accelerations differ by %g", trial, error);
        }
        crn_tree_destroy(c.tree);
    }
    print_message("accelerations: %.1e in energy, %.1e of the largest; forces %.1e\n", worst, worst_plain, worst_back);
    assert_true(worst_plain < 1e-10);
}

/* The mass matrix against kinetic energies of unit velocities. */
static void test_mass_matrix(void **state)
{
    (void)state;
    crn_random random = test_random("mass_matrix", 42);
    static double H[WIDTH * WIDTH], expected[WIDTH * WIDTH];
    for (int trial = 0; trial < 100; ++trial) {
        dynamics_case c;
        make_case(&random, 1 + crn_random_below(&random, 12), &c);
        crn_tree_mass_matrix(c.tree, c.q, H);
        tree_dense_mass(c.tree, NULL, expected);
        double largest = tree_largest(c.n * c.n, expected);
        for (int k = 0; k < c.n * c.n; ++k) {
            TEST_CHECK(fabs(H[k] - expected[k]) <= 1e-13 * largest, "H[%d] is %g, not %g", k, H[k], expected[k]);
        }
        crn_tree_destroy(c.tree);
    }
}

/* --- Differences --- */

/* Momenta of links at q moved by t u: L about the centre of mass, then m v, 6 each. */
static void momenta(const dynamics_case *c, double t, double *momentum)
{
    double q[COORDINATES], V[WIDTH];
    crn_tree_advance(c->tree, c->q, c->u, t, q);
    crn_tree_place(c->tree, q);
    crn_tree_spread(c->tree, c->u, false, NULL, V);
    for (int i = 0; i < c->tree->links; ++i) {
        const crn_link *link = &c->tree->link[i];
        crn_v3_to(crn_m3_times(&link->inertia_world, crn_v3_of(V + 6 * i)), momentum + 6 * i);
        crn_v3_to(crn_v3_scale(link->mass, tree_com_velocity(c->tree, i, V + 6 * i)), momentum + 6 * i + 3);
    }
}

/* Bias forces: rates of links' momenta with u held constant, along unit velocities. */
static void test_bias(void **state)
{
    (void)state;
    crn_random random = test_random("bias", 43);
    const double t = 1e-3;
    double worst = 0.0;
    for (int trial = 0; trial < 200; ++trial) {
        dynamics_case c;
        double at[4][WIDTH], rate[WIDTH], bias[WIDTH], unit[WIDTH] = {0}, V[WIDTH];
        static const double times[4] = {-2, -1, 1, 2};
        make_case(&random, 1 + crn_random_below(&random, 10), &c);
        crn_tree_inverse(c.tree, c.q, c.u, NULL, NULL, bias);
        for (int k = 0; k < 4; ++k) {
            momenta(&c, times[k] * t, at[k]);
        }
        for (int k = 0; k < 6 * c.tree->links; ++k) {
            rate[k] = (8.0 * (at[2][k] - at[1][k]) - (at[3][k] - at[0][k])) / (12.0 * t);
        }
        double largest = 1.0 + tree_largest(c.n, bias);
        crn_tree_place(c.tree, c.q);
        for (int j = 0; j < c.n; ++j) {
            double expected = 0.0;
            unit[j] = 1.0;
            crn_tree_spread(c.tree, unit, false, NULL, V);
            unit[j] = 0.0;
            for (int i = 0; i < c.tree->links; ++i) {
                expected += crn_v3_dot(crn_v3_of(V + 6 * i), crn_v3_of(rate + 6 * i));
                expected += crn_v3_dot(tree_com_velocity(c.tree, i, V + 6 * i), crn_v3_of(rate + 6 * i + 3));
            }
            worst = fmax(worst, fabs(bias[j] - expected) / largest);
            TEST_CHECK(fabs(bias[j] - expected) < 1e-8 * largest, "trial %d: bias %d is %g, not %g", trial, j, bias[j],
                       expected);
        }
        crn_tree_destroy(c.tree);
    }
    print_message("bias: %.1e\n", worst);
}

/* Energy and momentum after the time t from (q, u) with accelerations held: their even parts in t do not count below. */
static double energy_at(const dynamics_case *c, const double *acceleration, double t, double *momentum)
{
    double q[COORDINATES], u[WIDTH], kinetic, potential;
    crn_tree_advance(c->tree, c->q, c->u, t, q);
    for (int k = 0; k < c->n; ++k) {
        u[k] = c->u[k] + t * acceleration[k];
    }
    crn_tree_energy(c->tree, q, u, c->load.gravity, &kinetic, &potential, momentum);
    return kinetic + potential;
}

/* The rate of the energy is the power of forces and wrenches. */
static void test_power(void **state)
{
    (void)state;
    crn_random random = test_random("power", 44);
    const double t = 1e-5;
    for (int trial = 0; trial < 200; ++trial) {
        dynamics_case c;
        double a[WIDTH], V[WIDTH], power = 0.0, largest = 1.0;
        crn_frame frame[LINKS_MOST];
        make_case(&random, 1 + crn_random_below(&random, 10), &c);
        crn_tree_forward(c.tree, c.q, c.u, &c.load, a);
        crn_tree_kinematics(c.tree, c.q, c.u, frame, V);
        for (int k = 0; k < c.n; ++k) {
            power += c.force[k] * c.u[k];
            largest += fabs(c.force[k] * c.u[k]);
        }
        for (int i = 0; i < c.tree->links; ++i) { /* velocity of the point at the world's origin */
            crn_vec3 w = crn_v3_of(V + 6 * i);
            crn_vec3 v = crn_v3_sub(crn_v3_of(V + 6 * i + 3), crn_v3_cross(w, frame[i].position));
            double own = crn_v3_dot(crn_v3_of(c.wrench + 6 * i), w) + crn_v3_dot(crn_v3_of(c.wrench + 6 * i + 3), v);
            power += own;
            largest += fabs(own);
        }
        double before = energy_at(&c, a, -t, NULL), after = energy_at(&c, a, t, NULL),
               rate = (after - before) / (2.0 * t);
        largest += fabs(after);
        TEST_CHECK(fabs(rate - power) < 1e-7 * largest, "trial %d: energy changes by %g W, power is %g W", trial, rate,
                   power);
        crn_tree_destroy(c.tree);
    }
}

/* A floating tree: what joints do to each other leaves its momentum alone; wrenches and weight change it. */
static void test_momentum(void **state)
{
    (void)state;
    crn_random random = test_random("momentum", 45);
    const double t = 1e-5;
    for (int trial = 0; trial < 100; ++trial) {
        enum { LINKS = 8 };
        crn_link_def def[LINKS];
        dynamics_case c;
        crn_tree *tree;
        double a[WIDTH], before[6], after[6], expected[6] = {0};
        for (int i = 0; i < LINKS; ++i) {
            crn_joint_kind kind = i == 0 ? CRN_JOINT_FREE : tree_kind(crn_random_below(&random, TREE_KINDS));
            def[i] = tree_random_link(&random, i == 0 ? -1 : crn_random_below(&random, i), kind);
        }
        memset(def[0].armature, 0, sizeof def[0].armature);
        assert_int_equal(crn_tree_create(def, LINKS, NULL, &tree, NULL), CRN_OK);
        c.tree = tree;
        c.n = crn_tree_velocities(tree);
        tree_random_coordinates(&random, tree, c.q);
        tree_random_numbers(&random, c.n, c.u);
        tree_random_numbers(&random, c.n, c.force);
        tree_random_numbers(&random, 6 * LINKS, c.wrench);
        memset(c.force, 0, 6 * sizeof *c.force); /* nothing pushes the root */
        bool is_alone = trial % 2 == 0;
        c.load = (crn_tree_load){is_alone ? crn_v3(0, 0, 0) : crn_v3(1, -2, 9), c.force, is_alone ? NULL : c.wrench};
        crn_tree_forward(tree, c.q, c.u, &c.load, a);
        (void)energy_at(&c, a, -t, before);
        (void)energy_at(&c, a, t, after);
        crn_tree_place(tree, c.q);
        for (int i = 0; i < LINKS && !is_alone; ++i) {
            crn_vec3 weight = crn_v3_scale(tree->link[i].mass, c.load.gravity);
            crn_vec3 torque =
                crn_v3_add(crn_v3_of(c.wrench + 6 * i), crn_v3_cross(tree->link[i].frame.position, weight));
            crn_v3_to(crn_v3_add(crn_v3_of(expected), torque), expected);
            crn_v3_to(crn_v3_add(crn_v3_of(expected + 3), crn_v3_add(weight, crn_v3_of(c.wrench + 6 * i + 3))),
                      expected + 3);
        }
        double scale = 1.0 + tree_largest(6, before) + tree_largest(6, expected);
        for (int k = 0; k < 6; ++k) {
            double rate = (after[k] - before[k]) / (2.0 * t);
            TEST_CHECK(fabs(rate - expected[k]) < 1e-6 * scale, "trial %d: momentum %d changes by %g, not %g", trial, k,
                       rate, expected[k]);
        }
        crn_tree_destroy(tree);
    }
}

/* Frames and velocities are those of the definition's frames, not of the centres of mass. */
static void test_kinematics(void **state)
{
    (void)state;
    crn_random random = test_random("kinematics", 46);
    const double t = 1e-5;
    for (int trial = 0; trial < 50; ++trial) {
        dynamics_case c;
        double V[WIDTH], q[COORDINATES];
        crn_frame now[LINKS_MOST], before[LINKS_MOST], after[LINKS_MOST];
        make_case(&random, 10, &c);
        crn_tree_advance(c.tree, c.q, c.u, -t, q);
        crn_tree_kinematics(c.tree, q, NULL, before, NULL);
        crn_tree_advance(c.tree, c.q, c.u, t, q);
        crn_tree_kinematics(c.tree, q, NULL, after, NULL);
        crn_tree_kinematics(c.tree, c.q, c.u, now, V);
        for (int i = 0; i < 10; ++i) {
            crn_vec3 com = crn_frame_point(&now[i], c.tree->body[i].position);
            assert_true(crn_v3_length(crn_v3_sub(com, c.tree->link[i].frame.position)) <
                        1e-14 * (10 + crn_v3_length(com)));
            crn_vec3 v = crn_v3_scale(0.5 / t, crn_v3_sub(after[i].position, before[i].position));
            assert_true(crn_v3_length(crn_v3_sub(v, crn_v3_of(V + 6 * i + 3))) < 1e-7 * (1 + crn_v3_length(v)));
            for (int k = 0; k < 3; ++k) { /* axes turn with w */
                crn_vec3 e = crn_m3_column(&now[i].rotation, k), turned = crn_v3_cross(crn_v3_of(V + 6 * i), e);
                crn_vec3 rate = crn_v3_scale(
                    0.5 / t, crn_v3_sub(crn_m3_column(&after[i].rotation, k), crn_m3_column(&before[i].rotation, k)));
                assert_true(crn_v3_length(crn_v3_sub(rate, turned)) < 1e-6);
            }
        }
        crn_tree_destroy(c.tree);
    }
}

/* --- Long chains --- */

/* A chain of a thousand: forces come back, and the factor, which is about one origin for all links, agrees to what is left
 * of digits 100 m away from it. */
static void check_long(crn_joint_kind kind)
{
    enum { LONG = 1000 };
    crn_random random = test_random("long_chain", 48);
    crn_link_def *def = malloc(LONG * sizeof *def);
    crn_tree *tree;
    for (int i = 0; i < LONG; ++i) {
        def[i] = tree_random_link(&random, i - 1, kind);
        def[i].frame_a = (crn_pose){{0.1, 0, 0}, crn_quat_exp(joint_random_vector(&random, 0.3))};
        def[i].frame_b = crn_pose_identity();
        def[i].com = crn_v3(0.05, 0.01, 0);
        def[i].inertia = tree_random_inertia(&random, 1e-3);
        memset(def[i].armature, 0, sizeof def[i].armature);
    }
    assert_int_equal(crn_tree_create(def, LONG, NULL, &tree, NULL), CRN_OK);
    int n = crn_tree_velocities(tree);
    double *x = calloc((size_t)(8 * n + 7 * LONG + 12 * LONG), sizeof *x);
    double *u = x, *tau = u + n, *a = tau + n, *b = a + n, *bias = b + n, *nu = bias + n, *q = nu + n,
           *p = q + 7 * LONG;
    tree_random_numbers(&random, n, u);
    tree_random_numbers(&random, n, tau);
    crn_tree_rest(tree, q);
    crn_tree_advance(tree, q, u, 0.2, q);
    crn_tree_load load = {crn_v3(0, 0, -9.81), tau, NULL};
    crn_tree_forward(tree, q, u, &load, a);
    crn_tree_inverse(tree, q, u, a, &load, b);
    crn_tree_inverse(tree, q, u, NULL, &load, bias);
    double largest = tree_largest(n, bias), worst = 0.0, apart = 0.0;
    for (int k = 0; k < n; ++k) {
        worst = fmax(worst, fabs(b[k] - tau[k]) / largest);
        bias[k] = tau[k] - bias[k];
    }
    crn_tree_place(tree, q);
    assert_true(crn_tree_factor(tree, NULL));
    crn_tree_whiten(tree, p, bias, nu);
    crn_tree_unwhiten(tree, nu, b, p + 6 * LONG);
    for (int k = 0; k < n; ++k) {
        apart = fmax(apart, fabs(a[k] - b[k]) / tree_largest(n, a));
    }
    print_message("%s: forces %.1e, accelerations %.1e\n", crn_joint_kind_name(kind), worst, apart);
    assert_true(worst < 1e-11 && apart < 1e-7);
    free(x);
    free(def);
    crn_tree_destroy(tree);
}

static void test_long_chain(void **state)
{
    (void)state;
    check_long(CRN_JOINT_HINGE);
    check_long(CRN_JOINT_BALL);
}

/* --- By hand --- */

/* A pendulum, a bead on a slope with armature, a top in free fall. */
static void test_by_hand(void **state)
{
    (void)state;
    crn_link_def def = crn_link_def_default();
    crn_tree *tree;
    double a[6], q[7], u[6] = {0}, tau = 0.25;
    def.mass = 2.0;
    def.com = crn_v3(0.5, 0, 0); /* hinge about z, weight along -y */
    def.inertia = (crn_mat3){{0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3}};
    def.kind = CRN_JOINT_HINGE;
    def.armature[0] = 0.2;
    assert_int_equal(crn_tree_create(&def, 1, NULL, &tree, NULL), CRN_OK);
    crn_tree_load load = {crn_v3(0, -9.81, 0), &tau, NULL};
    q[0] = 0.7;
    u[0] = 3.0;
    crn_tree_forward(tree, q, u, &load, a);
    assert_true(fabs(a[0] - (0.25 - 9.81 * cos(0.7)) / (0.3 + 0.5 + 0.2)) < 1e-14);
    crn_tree_destroy(tree);

    def.kind = CRN_JOINT_SLIDER;
    def.frame_a.rotation = crn_quat_exp(crn_v3(0, 0.5, 0)); /* z leans by 0.5 */
    assert_int_equal(crn_tree_create(&def, 1, NULL, &tree, NULL), CRN_OK);
    load.gravity = crn_v3(0, 0, -9.81);
    crn_tree_forward(tree, q, u, &load, a);
    assert_true(fabs(a[0] - (0.25 - 2.0 * 9.81 * cos(0.5)) / 2.2) < 1e-14);
    crn_tree_destroy(tree);

    crn_link_def top = crn_link_def_default(); /* Euler: I w' = -w x I w, in axes that are the world's now */
    top.mass = 3.0;
    top.inertia = def.inertia;
    assert_int_equal(crn_tree_create(&top, 1, NULL, &tree, NULL), CRN_OK);
    crn_tree_rest(tree, q);
    double spin[6] = {1, 2, 3, 4, 5, 6},
           expected[6] = {6 * (0.2 - 0.3) / 0.1, 3 * (0.3 - 0.1) / 0.2, 2 * (0.1 - 0.2) / 0.3, 0, 0, -9.81};
    load = (crn_tree_load){crn_v3(0, 0, -9.81), NULL, NULL};
    crn_tree_forward(tree, q, spin, &load, a);
    for (int k = 0; k < 6; ++k) {
        TEST_CHECK(fabs(a[k] - expected[k]) < 1e-14, "acceleration %d is %g, not %g", k, a[k], expected[k]);
    }
    crn_tree_destroy(tree);
}

/* Nothing given is zeros given, and the same call gives the same bits. */
static void test_defaults(void **state)
{
    (void)state;
    crn_random random = test_random("defaults", 47);
    dynamics_case c;
    double zero[WIDTH] = {0}, a[WIDTH], b[WIDTH], f[WIDTH], g[WIDTH];
    make_case(&random, 15, &c);
    crn_tree_load nothing = {{0, 0, 0}, zero, zero};
    crn_tree_forward(c.tree, c.q, NULL, NULL, a);
    crn_tree_forward(c.tree, c.q, zero, &nothing, b);
    crn_tree_inverse(c.tree, c.q, NULL, NULL, NULL, f);
    crn_tree_inverse(c.tree, c.q, zero, zero, &nothing, g);
    for (int k = 0; k < c.n; ++k) {
        assert_true(a[k] == b[k] && f[k] == g[k] && fabs(a[k]) == 0.0 && fabs(f[k]) == 0.0);
    }
    crn_tree_forward(c.tree, c.q, c.u, &c.load, a);
    static double H[WIDTH * WIDTH];
    crn_tree_mass_matrix(c.tree, c.q, H); /* other users of the scratch in between */
    crn_tree_forward(c.tree, c.q, c.u, &c.load, b);
    assert_memory_equal(a, b, (size_t)c.n * sizeof *a);
    crn_tree_destroy(c.tree);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forward_is_mass_matrix),
        cmocka_unit_test(test_mass_matrix),
        cmocka_unit_test(test_bias),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_kinematics),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_defaults),
    };
    return TEST_RUN(tests, argc, argv);
}
