/* Answers that are not solved as well as was asked for: certified where they are exact for surfaces that stand elsewhere by at most
 * CRN_SHIFT_MOST of a body, told else. */
#include "world_case.h"

typedef struct sloppy {
    crn_workspace workspace;
    double error; /* of all impulses, relative */
} sloppy;

/* The library's solver, whose impulses are then spoiled: it says that it did not get there, as it would. */
static crn_status solve_sloppily(void *user, const crn_contact_problem *problem, const crn_contact_options *options,
                                 const crn_contact_solution *solution, crn_contact_result *result, crn_error *error)
{
    sloppy *s = (sloppy *)user;
    crn_status status = crn_contact_solve(problem, options, &s->workspace, solution, result, error);
    for (int i = 0; i < 3 * problem->contacts; ++i) {
        solution->impulse[i] *= 1.0 + (i % 2 == 0 ? s->error : -s->error);
    }
    if (status == CRN_OK && s->error > 0.0) {
        status = crn_contact_certify(problem, options, solution->impulse, solution->row_impulse, &s->workspace,
                                     &result->certificate, error);
        result->outcome = CRN_LCP_LIMIT;
    }
    return status;
}

/* A box that slides on a floor, by impulses that are off: one step. */
static crn_step_stats slide(double h, double error)
{
    crn_world_def def = crn_world_def_default();
    sloppy s = {crn_workspace_with(crn_allocator_default()), 0.0};
    crn_step_stats stats;
    def.cone = CRN_CONE_ROUND;
    crn_world *world = new_world(&def);
    add_floor(world);
    crn_body_id box = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
    crn_twist start = {{0, 0, 0}, {2, 0.3, 0}};
    assert_int_equal(crn_body_set_velocity(world, box, &start), CRN_OK);
    assert_int_equal(crn_world_set_solver(world, solve_sloppily, &s), CRN_OK);
    for (int k = 0; k < 3; ++k) {
        s.error = k == 2 ? error : 0.0;
        assert_int_equal(crn_world_step(world, h, &stats, NULL), CRN_OK);
    }
    crn_world_destroy(world);
    crn_workspace_free(&s.workspace);
    return stats;
}

static void test_small_shifts_are_certified(void **state)
{
    (void)state;
    const double steps[3] = {1e-2, 1e-3, 1e-4};
    for (int k = 0; k < 3; ++k) {
        /* a step that fails is tried in parts, with less of both;
         * impulses of g h, off by e, change speeds by e g h and so places by e g h^2 */
        double h = steps[k], edge = 0.1 * CRN_SHIFT_MOST / (9.81 * h * h);
        crn_step_stats fine = slide(h, 0.1 * edge), coarse = slide(h, 1e4 * edge), good = slide(h, 0.0);
        TEST_CHECK(fine.failed == 0 && fine.outcome == CRN_LCP_SOLVED, "h = %g: not certified, %s %g of %g", h,
                   crn_verdict_name(fine.verdict), fine.amount, fine.allowed);
        TEST_CHECK(fine.shift > 0.0 && fine.shift <= 0.1 * CRN_SHIFT_MOST, "h = %g: shifted by %g", h, fine.shift);
        TEST_CHECK(coarse.failed >> CRN_VERDICT_PROBLEM & 1U, "h = %g: certified with an error of %g", h, 1e4 * edge);
        TEST_CHECK(coarse.shift == 0.0 && good.shift == 0.0 && good.failed == 0, "h = %g: %g and %g told", h,
                   coarse.shift, good.shift);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_shifts_are_certified)};
    return TEST_RUN(tests, argc, argv);
}
