/* Small random problems of 14 classes, solvable by construction: solved by Coulomb's law with either cone. bench_contact
 * --section classes runs 100,000 of them beside a judge of its own. */
#include "test_support.h"

#include "gallery_classes.h"

enum { PROBLEMS = 100 };

static void check_solved(int number, int index, crn_contact_cone cone, crn_workspace *work)
{
    crn_gallery_contact_problem g = {0};
    crn_contact_options options = crn_contact_options_default();
    crn_contact_certificate certificate;
    crn_contact_result result;
    crn_error error;
    options.cone = cone;
    assert_int_equal(crn_gallery_class_make(number, index, 1, &g, &error), CRN_OK);
    double *impulse = calloc(3 * (size_t)g.problem.contacts, sizeof *impulse);
    double *row_impulse = calloc((size_t)g.problem.rows + 1, sizeof *row_impulse);
    crn_contact_solution solution = {.impulse = impulse, .row_impulse = row_impulse};
    TEST_CHECK(crn_contact_solve(&g.problem, &options, work, &solution, &result, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(result.outcome == CRN_LCP_SOLVED && result.law == CRN_LAW_COULOMB,
               "class %s, problem %d, cone %d: %s, law %d", crn_gallery_class_name(number), index, cone,
               crn_lcp_outcome_name(result.outcome), result.law);
    assert_int_equal(crn_contact_certify(&g.problem, &options, impulse, row_impulse, work, &certificate, &error),
                     CRN_OK);
    assert_true(certificate.relative <= (cone == CRN_CONE_ROUND ? 1e-8 : 1e-9));
    free(impulse);
    free(row_impulse);
    crn_gallery_contact_free(&g);
}

static void every_class_is_solved(void **state)
{
    crn_workspace work = {0};
    (void)state;
    for (int number = 0; number < CRN_GALLERY_CLASS_COUNT; ++number) {
        for (int k = 0; k < 2 * PROBLEMS; ++k) {
            check_solved(number, k / 2, k % 2 ? CRN_CONE_ROUND : CRN_CONE_POLYGON, &work);
        }
    }
    crn_workspace_free(&work);
}

/* Whoever looks at the outcome alone must not take the convex law's answer for solved: it was called so, with another `law`. Of
 * nearly opposed contacts, solved in haste, some are left to the convex law. */
static void solved_means_by_the_law_asked_for(void **state)
{
    enum { NEARLY_OPPOSED = 5, SEED = 81 };
    const int hard[] = {1077, 1601};
    crn_workspace work = {0};
    (void)state;
    for (int k = 0; k < PROBLEMS + 2; ++k) {
        crn_gallery_contact_problem g = {0};
        crn_contact_options options = crn_contact_options_default();
        crn_contact_certificate certificate;
        crn_contact_result result;
        crn_error error;
        options.cone = CRN_CONE_ROUND;
        options.is_brief = true;
        assert_int_equal(crn_gallery_class_make(NEARLY_OPPOSED, k < 2 ? hard[k] : k, SEED, &g, &error), CRN_OK);
        double *impulse = calloc(3 * (size_t)g.problem.contacts, sizeof *impulse), row = 0.0;
        crn_contact_solution solution = {.impulse = impulse};
        assert_int_equal(crn_contact_solve(&g.problem, &options, &work, &solution, &result, &error), CRN_OK);
        assert_int_equal(crn_contact_certify(&g.problem, &options, impulse, &row, &work, &certificate, &error), CRN_OK);
        TEST_CHECK((result.outcome == CRN_LCP_SOLVED) == (certificate.relative <= 1e-8),
                   "problem %d: %s, %g by Coulomb", k, crn_lcp_outcome_name(result.outcome), certificate.relative);
        assert_true((result.outcome == CRN_LCP_CONVEX) == (result.law == CRN_LAW_CONVEX));
        free(impulse);
        crn_gallery_contact_free(&g);
    }
    crn_workspace_free(&work);
}

static void classes_have_names(void **state)
{
    (void)state;
    assert_string_equal(crn_gallery_class_name(0), "random");
    assert_string_equal(crn_gallery_class_name(CRN_GALLERY_CLASS_COUNT - 1), "all");
    assert_null(crn_gallery_class_name(CRN_GALLERY_CLASS_COUNT));
    assert_null(crn_gallery_class_name(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_class_is_solved),
                                       cmocka_unit_test(solved_means_by_the_law_asked_for),
                                       cmocka_unit_test(classes_have_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
