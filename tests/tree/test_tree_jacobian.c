/* Jacobians of points and of the centre of mass, accelerations of points and forces from wrenches, on random trees of all joint
 * kinds, against differences of where crn_tree_kinematics() puts links and against one another. */
#include "tree_case.h"

#include <math.h>

enum { LINKS_MOST = 20, WIDTH = 6 * LINKS_MOST, COORDINATES = 7 * LINKS_MOST, TRIALS = 300 };

/* Error of central differences over this time: h^2 times third derivatives, and rounding over h. */
static const double difference_step = 1e-5, difference_error = 1e-7;

typedef struct jacobian_case {
    crn_tree *tree;
    int n, links, link;
    crn_vec3 point;
    double q[COORDINATES], u[WIDTH];
} jacobian_case;

static void make_case(crn_random *random, jacobian_case *c)
{
    c->links = 1 + crn_random_below(random, LINKS_MOST);
    c->tree = tree_random(random, c->links);
    c->n = crn_tree_velocities(c->tree);
    c->link = crn_random_below(random, c->links);
    c->point = joint_random_vector(random, 1.0);
    tree_random_coordinates(random, c->tree, c->q);
    tree_random_numbers(random, c->n, c->u);
}

/* The link's frame, with the point as its origin, after moving by t u. */
static crn_frame frame_after(const jacobian_case *c, double t)
{
    double q[COORDINATES];
    crn_frame frame[LINKS_MOST];
    crn_tree_advance(c->tree, c->q, c->u, t, q);
    crn_tree_kinematics(c->tree, q, NULL, frame, NULL);
    crn_frame *f = &frame[c->link];
    f->position = crn_v3_add(f->position, crn_m3_times(&f->rotation, c->point));
    return *f;
}

/* Rate of turning from the rotations before and after: the axis of R+ R-' - 1. */
static crn_vec3 turn_rate(const crn_frame *before, const crn_frame *after, double time)
{
    crn_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        sum = crn_v3_add(sum, crn_v3_cross(crn_m3_column(&before->rotation, k), crn_m3_column(&after->rotation, k)));
    }
    return crn_v3_scale(0.5 / time, sum);
}

static void times(const double *J, int rows, int n, const double *u, double *out)
{
    for (int i = 0; i < rows; ++i) {
        out[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            out[i] += J[i + rows * j] * u[j];
        }
    }
}

static double far_apart(crn_vec3 a, const double *b)
{
    return crn_v3_length(crn_v3_sub(a, crn_v3_of(b)));
}

static void test_point(void **state)
{
    (void)state;
    crn_random random = test_random("point", 51);
    double worst = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        jacobian_case c;
        double J[6 * WIDTH], speed[6], h = difference_step;
        make_case(&random, &c);
        crn_tree_jacobian(c.tree, c.q, c.link, c.point, J);
        times(J, 6, c.n, c.u, speed);
        crn_frame before = frame_after(&c, -h), after = frame_after(&c, h);
        crn_vec3 v = crn_v3_scale(0.5 / h, crn_v3_sub(after.position, before.position));
        double error = fmax(far_apart(turn_rate(&before, &after, 2.0 * h), speed), far_apart(v, speed + 3));
        worst = fmax(worst, error / fmax(1.0, tree_largest(6, speed)));
        crn_tree_destroy(c.tree);
    }
    print_message("Jacobian against differences: %.1e\n", worst);
    assert_true(worst < difference_error);
}

static void test_com(void **state)
{
    (void)state;
    crn_random random = test_random("com", 52);
    double worst = 0.0, worst_momentum = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        jacobian_case c;
        double J[3 * WIDTH], speed[3], momentum[6], q[COORDINATES], h = difference_step;
        crn_vec3 before, after, at, weighed = {0, 0, 0};
        make_case(&random, &c);
        double mass = crn_tree_com(c.tree, c.q, &at, J), sum = 0.0;
        for (int i = 0; i < c.links; ++i) {
            sum += c.tree->link[i].mass;
            weighed = crn_v3_axpy(weighed, c.tree->link[i].mass, c.tree->link[i].frame.position);
        }
        times(J, 3, c.n, c.u, speed);
        crn_tree_advance(c.tree, c.q, c.u, -h, q);
        (void)crn_tree_com(c.tree, q, &before, NULL);
        crn_tree_advance(c.tree, c.q, c.u, h, q);
        (void)crn_tree_com(c.tree, q, &after, NULL);
        crn_tree_energy(c.tree, c.q, c.u, crn_v3(0, 0, 0), NULL, NULL, momentum);
        crn_vec3 v = crn_v3_scale(0.5 / h, crn_v3_sub(after, before));
        double scale = fmax(1.0, tree_largest(3, speed));
        worst = fmax(worst, far_apart(v, speed) / scale);
        worst_momentum =
            fmax(worst_momentum, far_apart(crn_v3_scale(1.0 / mass, crn_v3_of(momentum + 3)), speed) / scale);
        assert_true(fabs(mass - sum) <= 1e-14 * sum);
        assert_true(crn_v3_length(crn_v3_sub(crn_v3_scale(1.0 / sum, weighed), at)) <=
                    1e-13 * fmax(1.0, crn_v3_length(at)));
        crn_tree_destroy(c.tree);
    }
    print_message("centre of mass: %.1e against differences, %.1e against momentum\n", worst, worst_momentum);
    assert_true(worst < difference_error);
    assert_true(worst_momentum < 1e-13);
}

/* Velocity J u of the point after time t of motion with u + t u'. */
static void speed_after(const jacobian_case *c, const double *acceleration, double t, double *speed)
{
    double q[COORDINATES], u[WIDTH], mean[WIDTH], J[6 * WIDTH];
    for (int i = 0; i < c->n; ++i) {
        u[i] = c->u[i] + t * acceleration[i];
        mean[i] = c->u[i] + 0.5 * t * acceleration[i];
    }
    crn_tree_advance(c->tree, c->q, mean, t, q);
    crn_tree_jacobian(c->tree, q, c->link, c->point, J);
    times(J, 6, c->n, u, speed);
}

static void test_acceleration(void **state)
{
    (void)state;
    crn_random random = test_random("acceleration", 53);
    double worst = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        jacobian_case c;
        double a[6], before[6], after[6], acceleration[WIDTH], h = difference_step;
        make_case(&random, &c);
        tree_random_numbers(&random, c.n, acceleration);
        crn_tree_acceleration(c.tree, c.q, c.u, acceleration, c.link, c.point, a);
        speed_after(&c, acceleration, -h, before);
        speed_after(&c, acceleration, h, after);
        for (int i = 0; i < 6; ++i) {
            double error = fabs(a[i] - 0.5 / h * (after[i] - before[i]));
            worst = fmax(worst, error / fmax(1.0, tree_largest(6, a)));
        }
        crn_tree_destroy(c.tree);
    }
    print_message("acceleration against differences: %.1e\n", worst);
    assert_true(worst < difference_error);
}

/* sum J'w, each link's by its own Jacobian; and as what inverse dynamics takes off. */
static void test_joint_forces(void **state)
{
    (void)state;
    crn_random random = test_random("joint_forces", 54);
    for (int trial = 0; trial < TRIALS; ++trial) {
        jacobian_case c;
        double wrench[WIDTH], force[WIDTH], expected[WIDTH] = {0}, J[6 * WIDTH], bias[WIDTH], less[WIDTH];
        crn_frame frame[LINKS_MOST];
        make_case(&random, &c);
        tree_random_numbers(&random, 6 * c.links, wrench);
        crn_tree_joint_forces(c.tree, c.q, wrench, force);
        crn_tree_kinematics(c.tree, c.q, NULL, frame, NULL);
        for (int i = 0; i < c.links; ++i) {
            crn_vec3 origin = crn_m3_transposed_times(&frame[i].rotation, crn_v3_scale(-1.0, frame[i].position));
            crn_tree_jacobian(c.tree, c.q, i, origin, J); /* of the link's point at the world's origin */
            for (int j = 0; j < c.n; ++j) {
                for (int k = 0; k < 6; ++k) {
                    expected[j] += J[k + 6 * j] * wrench[6 * i + k];
                }
            }
        }
        const crn_tree_load without = {.gravity = {0, 0, -9.81}}, with = {.gravity = {0, 0, -9.81}, .wrench = wrench};
        crn_tree_inverse(c.tree, c.q, c.u, NULL, &without, bias);
        crn_tree_inverse(c.tree, c.q, c.u, NULL, &with, less);
        for (int j = 0; j < c.n; ++j) {
            double scale = fmax(1.0, fmax(tree_largest(c.n, expected), tree_largest(c.n, bias)));
            TEST_CHECK(fabs(force[j] - expected[j]) <= 1e-12 * scale, "trial %d: %g, not %g", trial, force[j],
                       expected[j]);
            TEST_CHECK(fabs(bias[j] - less[j] - force[j]) <= 1e-12 * scale, "trial %d: inverse takes off %g, not %g",
                       trial, bias[j] - less[j], force[j]);
        }
        crn_tree_destroy(c.tree);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point),
        cmocka_unit_test(test_com),
        cmocka_unit_test(test_acceleration),
        cmocka_unit_test(test_joint_forces),
    };
    return TEST_RUN(tests, argc, argv);
}
