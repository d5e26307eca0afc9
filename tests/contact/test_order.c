/* Where redundant contacts slide, Coulomb's law leaves the motion open; the order of the contacts must not decide it. A box that slides
 * and spins on four corners had 24 motions in the 24 orders of its contacts, 1.4e-2 rad/s apart, all certified. */
#include "test_support.h"

#include <cairn/contact.h>

#include <math.h>
#include <string.h>

enum { POINTS_MAX = 8, PROBLEMS = 1000, ORDERS = 100 };

/* One body on a plane, sliding and spinning: normals of rank 3 at four points and more. */
typedef struct slide {
    crn_contact_body body;
    crn_contact_point point[POINTS_MAX];
    double velocity[6];
    crn_contact_problem problem;
} slide;

static void add_point(slide *s, double x, double y, double mu)
{
    s->point[s->problem.contacts++] = (crn_contact_point){.a = 0,
                                                          .b = -1,
                                                          .position = {x, y, 0.0},
                                                          .normal = {0.0, 0.0, 1.0},
                                                          .t1 = {1.0, 0.0, 0.0},
                                                          .t2 = {0.0, 1.0, 0.0},
                                                          .mu = mu,
                                                          .directions = 8};
}

/* The body, without points. h g is the speed that gravity gives it in a step. */
static void open_slide(slide *s, double height, double vx, double vy, double spin)
{
    memset(s, 0, sizeof *s);
    s->body = (crn_contact_body){.kind = CRN_MASS_RIGID,
                                 .dof = 6,
                                 .mass = 1.0,
                                 .inertia = {0.1, 0, 0, 0, 0.12, 0, 0, 0, 0.15},
                                 .com = {0, 0, height}};
    const double velocity[6] = {0.0, 0.0, spin, vx, vy, -0.0981};
    memcpy(s->velocity, velocity, sizeof velocity);
}

static const crn_contact_problem *close_slide(slide *s)
{
    s->problem.bodies = 1;
    s->problem.body = &s->body;
    s->problem.contact = s->point;
    s->problem.velocity = s->velocity;
    return &s->problem;
}

static void solve(const crn_contact_problem *problem, crn_contact_cone cone, crn_workspace *work, double *velocity,
                  double *impulse, crn_contact_result *result)
{
    crn_contact_options options = crn_contact_options_default();
    crn_contact_solution solution = {.velocity = velocity, .impulse = impulse};
    crn_error error;
    options.cone = cone;
    TEST_CHECK(crn_contact_solve(problem, &options, work, &solution, result, &error) == CRN_OK, "%s", error.text);
    assert_int_equal(result->outcome, CRN_LCP_SOLVED);
    assert_int_equal(result->law, CRN_LAW_COULOMB);
}

/* How far the motions of the problem in two orders are apart. */
static double distance_in_order(slide *s, const int *order, crn_contact_cone cone, const double *velocity,
                                crn_workspace *work)
{
    slide other = *s;
    crn_contact_result result;
    double moved[6], most = 0.0;
    for (int i = 0; i < s->problem.contacts; ++i) {
        other.point[i] = s->point[order[i]];
    }
    solve(close_slide(&other), cone, work, moved, NULL, &result);
    for (int k = 0; k < 6; ++k) {
        most = fmax(most, fabs(moved[k] - velocity[k]));
    }
    return most;
}

static void swap(int *order, int a, int b)
{
    int held = order[a];
    order[a] = order[b];
    order[b] = held;
}

/* The next permutation in the order of the dictionary; false after the last. */
static bool permute(int n, int *order)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && order[i] > order[i + 1]) {
        --i;
    }
    if (i < 0) {
        return false;
    }
    while (order[j] < order[i]) {
        --j;
    }
    swap(order, i, j);
    for (int a = i + 1, b = n - 1; a < b; ++a, --b) {
        swap(order, a, b);
    }
    return true;
}

static void a_box_has_one_motion_in_24_orders(void **state)
{
    (void)state;
    for (int cone = 0; cone < 2; ++cone) {
        slide s;
        double velocity[6], spread = 0.0;
        int order[4] = {0, 1, 2, 3}, orders = 0;
        crn_workspace work = {0};
        crn_contact_result result;
        open_slide(&s, 0.5, 1.0, 0.2, 1.0);
        for (int k = 0; k < 4; ++k) {
            add_point(&s, k % 2 ? 0.5 : -0.5, k / 2 ? 0.5 : -0.5, 0.5);
        }
        solve(close_slide(&s), (crn_contact_cone)cone, &work, velocity, NULL, &result);
        do {
            spread = fmax(spread, distance_in_order(&s, order, (crn_contact_cone)cone, velocity, &work));
            ++orders;
        } while (permute(4, order));
        print_message("cone %d: %d orders, %g apart\n", cone, orders, spread);
        assert_int_equal(orders, 24);
        assert_true(spread <= 1e-9);
        crn_workspace_free(&work);
    }
}

/* That there was a choice is told. Straight sliding leaves none: the slip is the same at every corner. */
static void a_choice_is_told(void **state)
{
    (void)state;
    for (int spin = 0; spin < 2; ++spin) {
        slide s;
        double velocity[6], impulse[12];
        crn_workspace work = {0};
        crn_contact_result result;
        crn_contact_uniqueness unique;
        crn_error error;
        open_slide(&s, 0.5, 1.0, 0.2, spin);
        for (int k = 0; k < 4; ++k) {
            add_point(&s, k % 2 ? 0.5 : -0.5, k / 2 ? 0.5 : -0.5, 0.5);
        }
        solve(close_slide(&s), CRN_CONE_POLYGON, &work, velocity, impulse, &result);
        TEST_CHECK(crn_contact_uniqueness_of(&s.problem, impulse, NULL, &work, &unique, &error) == CRN_OK, "%s",
                   error.text);
        assert_int_equal(unique.is_motion_unique == CRN_NO, spin);
        crn_workspace_free(&work);
    }
}

static void draw_slide(crn_random *random, slide *s)
{
    open_slide(s, crn_random_uniform(random, 0.2, 1.0), crn_random_uniform(random, -2.0, 2.0),
               crn_random_uniform(random, -2.0, 2.0), crn_random_uniform(random, -5.0, 5.0));
    for (int count = 4 + crn_random_below(random, POINTS_MAX - 3), k = 0; k < count; ++k) {
        double angle = 6.283185307179586 * (k + crn_random_uniform(random, 0.0, 0.9)) / count;
        add_point(s, 0.6 * cos(angle), 0.6 * sin(angle), crn_random_uniform(random, 0.1, 0.8));
    }
}

static void shuffle(crn_random *random, int n, int *order)
{
    for (int i = 0; i < n; ++i) {
        int k = crn_random_below(random, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

static void random_sliders_have_one_motion_in_every_order(void **state)
{
    crn_random random = crn_random_seed(1);
    crn_workspace work = {0};
    double spread = 0.0;
    (void)state;
    for (int p = 0; p < PROBLEMS; ++p) {
        slide s;
        double velocity[6];
        int order[POINTS_MAX];
        crn_contact_result result;
        const crn_contact_cone cone = p % 2 ? CRN_CONE_ROUND : CRN_CONE_POLYGON;
        draw_slide(&random, &s);
        solve(close_slide(&s), cone, &work, velocity, NULL, &result);
        for (int k = 0; k < ORDERS; ++k) {
            shuffle(&random, s.problem.contacts, order);
            spread = fmax(spread, distance_in_order(&s, order, cone, velocity, &work));
        }
    }
    print_message("%d problems in %d orders each: %g apart\n", PROBLEMS, ORDERS, spread);
    assert_true(spread <= 1e-9);
    crn_workspace_free(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_has_one_motion_in_24_orders),
                                       cmocka_unit_test(a_choice_is_told),
                                       cmocka_unit_test(random_sliders_have_one_motion_in_every_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
