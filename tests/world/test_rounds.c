/* Contacts that the margin missed are found and the kick is made again: a row of balls, struck so fast that each meets the next
 * within the step. Every round starts from what the round before found. */
#include "world_case.h"

#include <string.h>

enum { BALLS = 4, POINTS = 16 };

typedef struct rounds {
    crn_workspace workspace;
    int points;
    double x[POINTS], answer[3 * POINTS]; /* of the call before: where a contact is, and its impulse */
    int pushing, started;                 /* contacts that pushed then and are there in the next call; that begin so */
} rounds;

/* The library's solver, beside which starts are compared with the answers before. */
static crn_status solve(void *user, const crn_contact_problem *problem, const crn_contact_options *options,
                        const crn_contact_solution *solution, crn_contact_result *result, crn_error *error)
{
    rounds *r = user;
    for (int i = 0; i < problem->contacts && problem->contacts > r->points; ++i) {
        for (int j = 0; j < r->points; ++j) {
            double start = options->start_impulse[3 * i], answer = r->answer[3 * j];
            bool is_here = answer > 0.0 && fabs(problem->contact[i].position[0] - r->x[j]) < 1e-9;
            r->pushing += is_here;
            r->started += is_here && fabs(start - answer) <= 1e-12 * answer;
        }
    }
    crn_status status = crn_contact_solve(problem, options, &r->workspace, solution, result, error);
    r->points = problem->contacts;
    for (int i = 0; i < problem->contacts; ++i) {
        r->x[i] = problem->contact[i].position[0];
    }
    memcpy(r->answer, solution->impulse, 3 * (size_t)problem->contacts * sizeof *r->answer);
    return status;
}

static void test_each_round_starts_from_the_one_before(void **state)
{
    (void)state;
    const double radius = 0.1, gap = 0.05, speed = 50.0, h = 0.01;
    crn_world_def def = crn_world_def_default();
    def.gravity = (crn_vec3){0, 0, 0};
    crn_world *world = new_world(&def);
    crn_body_id ball[BALLS];
    for (int i = 0; i < BALLS; ++i) {
        double x = i == 0 ? 0.0 : 2 * radius * i + 1e-3 + gap * (i - 1);
        ball[i] = add_sphere(world, radius, (crn_vec3){x, 0, 0}, i == 0 ? 1000.0 : 1.0);
    }
    crn_twist start = {{0, 0, 0}, {speed, 0, 0}};
    assert_int_equal(crn_body_set_velocity(world, ball[0], &start), CRN_OK);
    rounds r = {.workspace = crn_workspace_with(crn_allocator_default())};
    assert_int_equal(crn_world_set_solver(world, solve, &r), CRN_OK);
    for (int i = 0; i < 3; ++i) {
        crn_step_stats stats = step_once(world, h);
        assert_true(stats.unseen == 0 && stats.verdict == CRN_VERDICT_CERTIFIED);
    }
    TEST_CHECK(r.pushing >= 2 && r.started == r.pushing, "%d of %d contacts began as they were", r.started, r.pushing);
    crn_workspace_free(&r.workspace);
    crn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_round_starts_from_the_one_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
