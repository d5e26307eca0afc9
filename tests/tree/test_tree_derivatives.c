/* Derivatives of inverse and forward dynamics against centred differences along crn_tree_advance(), on random trees of all joint kinds,
 * with gravity and wrenches from outside. */
#include "tree_case.h"

#include <math.h>

enum { LINKS_MOST = 14, WIDTH = 6 * LINKS_MOST, COORDINATES = 7 * LINKS_MOST, TRIALS = 200 };

static const double difference_step = 1e-5, difference_error = 1e-7; /* of the largest entry */

typedef struct derivative_case {
    crn_tree *tree;
    int n, links;
    double q[COORDINATES], u[WIDTH], a[WIDTH], force[WIDTH], wrench[6 * LINKS_MOST];
    crn_tree_load load;
} derivative_case;

static void make_case(crn_random *random, derivative_case *c)
{
    c->links = 1 + crn_random_below(random, LINKS_MOST);
    c->tree = tree_random(random, c->links);
    c->n = crn_tree_velocities(c->tree);
    tree_random_coordinates(random, c->tree, c->q);
    tree_random_numbers(random, c->n, c->u);
    tree_random_numbers(random, c->n, c->a);
    tree_random_numbers(random, c->n, c->force);
    tree_random_numbers(random, 6 * c->links, c->wrench);
    c->load = (crn_tree_load){{0.3, -0.2, -9.8}, c->force, c->wrench};
}

/* What is differentiated: forces of inverse dynamics, or accelerations of forward dynamics. */
typedef void (*dynamics)(const derivative_case *c, const double *q, const double *u, const double *x, double *out);

static void inverse(const derivative_case *c, const double *q, const double *u, const double *x, double *out)
{
    crn_tree_inverse(c->tree, q, u, x, &c->load, out);
}

static void forward(const derivative_case *c, const double *q, const double *u, const double *x, double *out)
{
    crn_tree_load load = c->load;
    load.force = x;
    crn_tree_forward(c->tree, q, u, &load, out);
}

/* Column j of the differences by q (0), u (1) or x (2). */
static void difference(const derivative_case *c, dynamics f, const double *x, int by, int j, double *column)
{
    double side[2][WIDTH], unit[WIDTH] = {0};
    unit[j] = 1.0;
    for (int k = 0; k < 2; ++k) {
        double h = k ? -difference_step : difference_step, q[COORDINATES], u[WIDTH], y[WIDTH];
        memcpy(q, c->q, sizeof q);
        memcpy(u, c->u, sizeof u);
        memcpy(y, x, sizeof y);
        if (by == 0) {
            crn_tree_advance(c->tree, c->q, unit, h, q);
        }
        u[j] += by == 1 ? h : 0.0;
        y[j] += by == 2 ? h : 0.0;
        f(c, q, u, y, side[k]);
    }
    for (int i = 0; i < c->n; ++i) {
        column[i] = (side[0][i] - side[1][i]) / (2.0 * difference_step);
    }
}

static void compare(const derivative_case *c, dynamics f, const double *x, int by, const double *table, int trial,
                    double *worst)
{
    double size = 1.0, off = 0.0;
    for (int j = 0; j < c->n; ++j) {
        double column[WIDTH];
        difference(c, f, x, by, j, column);
        for (int i = 0; i < c->n; ++i) {
            size = fmax(size, fabs(column[i]));
            off = fmax(off, fabs(column[i] - table[i + c->n * j]));
        }
    }
    *worst = fmax(*worst, off / size);
    TEST_CHECK(off <= difference_error * size, "trial %d, by %d: %g of %g", trial, by, off, size);
}

static double by_q[WIDTH * WIDTH], by_u[WIDTH * WIDTH], by_x[WIDTH * WIDTH];

static void inverse_dynamics_agree_with_differences(void **state)
{
    crn_random random = test_random("inverse", 61);
    double worst[3] = {0};
    (void)state;
    for (int trial = 0; trial < TRIALS; ++trial) {
        derivative_case c;
        make_case(&random, &c);
        crn_tree_inverse_derivatives(c.tree, c.q, c.u, c.a, &c.load, by_q, by_u, by_x);
        compare(&c, inverse, c.a, 0, by_q, trial, &worst[0]);
        compare(&c, inverse, c.a, 1, by_u, trial, &worst[1]);
        compare(&c, inverse, c.a, 2, by_x, trial, &worst[2]);
        crn_tree_destroy(c.tree);
    }
    print_message("inverse dynamics: by q %.1e, by u %.1e, by u' %.1e\n", worst[0], worst[1], worst[2]);
}

static void forward_dynamics_agree_with_differences(void **state)
{
    crn_random random = test_random("forward", 62);
    double worst[3] = {0};
    (void)state;
    for (int trial = 0; trial < TRIALS; ++trial) {
        derivative_case c;
        double acceleration[WIDTH];
        make_case(&random, &c);
        crn_tree_forward_derivatives(c.tree, c.q, c.u, &c.load, acceleration, by_q, by_u, by_x);
        compare(&c, forward, c.force, 0, by_q, trial, &worst[0]);
        compare(&c, forward, c.force, 1, by_u, trial, &worst[1]);
        compare(&c, forward, c.force, 2, by_x, trial, &worst[2]);
        crn_tree_destroy(c.tree);
    }
    print_message("forward dynamics: by q %.1e, by u %.1e, by force %.1e\n", worst[0], worst[1], worst[2]);
}

/* Velocity of a link: angular, linear of the centre of mass. */
static void velocity_of(const derivative_case *c, int link, const double *q, const double *u, double *out)
{
    double V[6 * LINKS_MOST];
    crn_tree_place(c->tree, q);
    crn_tree_spread(c->tree, u, false, NULL, V);
    const double *mine = V + 6 * link;
    crn_vec3 arm = crn_v3_sub(c->tree->link[link].frame.position, c->tree->origin);
    crn_v3_to(crn_v3_of(mine), out);
    crn_v3_to(crn_v3_add(crn_v3_of(mine + 3), crn_v3_cross(crn_v3_of(mine), arm)), out + 3);
}

static double off_in_column(const derivative_case *c, int link, int j, const double *J, const double *B)
{
    double side[4][6], unit[WIDTH] = {0}, q[COORDINATES], u[WIDTH], off = 0.0;
    unit[j] = 1.0;
    for (int k = 0; k < 2; ++k) {
        double h = k ? -difference_step : difference_step;
        crn_tree_advance(c->tree, c->q, unit, h, q);
        velocity_of(c, link, q, c->u, side[k]);
        memcpy(u, c->u, sizeof u);
        u[j] += h;
        velocity_of(c, link, c->q, u, side[2 + k]);
    }
    for (int i = 0; i < 6; ++i) {
        off = fmax(off, fabs((side[0][i] - side[1][i]) / (2.0 * difference_step) - B[6 * j + i]));
        off = fmax(off, fabs((side[2][i] - side[3][i]) / (2.0 * difference_step) - J[6 * j + i]));
    }
    return off;
}

static void link_motion_agrees_with_differences(void **state)
{
    crn_random random = test_random("link", 63);
    double worst = 0.0;
    (void)state;
    for (int trial = 0; trial < TRIALS; ++trial) {
        derivative_case c;
        double J[6 * WIDTH], B[6 * WIDTH], size = 1.0;
        make_case(&random, &c);
        int link = crn_random_below(&random, c.links);
        crn_tree_place(c.tree, c.q);
        crn_tree_link_motion(c.tree, link, c.u, J, B);
        for (int i = 0; i < 6 * c.n; ++i) {
            size = fmax(size, fmax(fabs(J[i]), fabs(B[i])));
        }
        for (int j = 0; j < c.n; ++j) {
            worst = fmax(worst, off_in_column(&c, link, j, J, B) / size);
        }
        crn_tree_destroy(c.tree);
    }
    print_message("velocity of a link by coordinates and velocities: %.1e\n", worst);
    TEST_CHECK(worst <= difference_error, "%g", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(link_motion_agrees_with_differences),
                                       cmocka_unit_test(inverse_dynamics_agree_with_differences),
                                       cmocka_unit_test(forward_dynamics_agree_with_differences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
