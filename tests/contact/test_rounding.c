/* What rounding leaves is no failure, and impulses without bound are no answer: the scale of the certificate where impulses are
 * large. */
#include "solving.h"

/* --- Eight tons on a decigram --- */

typedef struct press {
    crn_contact_body body[2];
    crn_contact_point contact[4];
    double velocity[6];
    crn_contact_problem problem;
} press;

static crn_contact_point press_point(int a, int b, double x, double y)
{
    return (crn_contact_point){
        .a = a, .b = b, .position = {x, y, 0}, .normal = {0, -1, 0}, .mu = 0.36, .directions = 2};
}

static void fill_press(press *p)
{
    memset(p, 0, sizeof *p);
    p->body[0] = (crn_contact_body){
        .kind = CRN_MASS_PLANAR, .dof = 3, .mass = 1e-4, .inertia = {[8] = 7e-7}, .com = {-0.03, 0.115, 0}};
    p->body[1] = (crn_contact_body){
        .kind = CRN_MASS_PLANAR, .dof = 3, .mass = 7942.0, .inertia = {[8] = 150.0}, .com = {-0.006, 0.386, 0}};
    p->contact[0] = press_point(-1, 0, -0.0776, 0.0);
    p->contact[1] = press_point(-1, 0, 0.0892, 0.0);
    p->contact[2] = press_point(0, 1, 0.0892, 0.192);
    p->contact[3] = press_point(0, 1, -0.0776, 0.192);
    const double velocity[6] = {0.045, 0.0032, -0.033, 0.046, -0.0064, -0.041};
    memcpy(p->velocity, velocity, sizeof velocity);
    p->problem = (crn_contact_problem){
        .bodies = 2, .contacts = 4, .body = p->body, .contact = p->contact, .velocity = p->velocity};
}

/* The impulses' last bits move the light body by 1e-8 of U and more: with them the problem is solved, and no digit less. */
static void test_rounding_is_no_failure(void **state)
{
    (void)state;
    press p;
    crn_workspace workspace = {0};
    crn_contact_options options = crn_contact_options_default();
    options.cone = CRN_CONE_ROUND;
    for (int i = 0; i < 50; ++i) {
        fill_press(&p);
        p.velocity[2] *= 1.0 + 0.01 * i;
        p.velocity[0] *= 1.0 - 0.01 * i;
        motion m = move_in(&p.problem, &options, &workspace);
        TEST_CHECK(m.result.outcome == CRN_LCP_SOLVED, "velocity %d: outcome %d, certificate %g", i,
                   (int)m.result.outcome, m.result.certificate.relative);
        crn_contact_certificate certificate;
        m.r[0] *= 1.0 + 1e-12;
        assert_int_equal(crn_contact_certify(&p.problem, &options, m.r, NULL, &workspace, &certificate, NULL), CRN_OK);
        TEST_CHECK(certificate.relative > 1e-8, "velocity %d: an impulse that is wrong by 1e-12 certifies to %g", i,
                   certificate.relative);
        motion_free(&m);
    }
    crn_workspace_free(&workspace);
}

/* --- Hardly any motion --- */

/* Motion that damping has brought down to numbers without digits is at rest. */
static void test_denormal_motion_is_rest(void **state)
{
    (void)state;
    press p;
    crn_workspace workspace = {0};
    for (int cone = 0; cone < 2; ++cone) {
        crn_contact_options options = crn_contact_options_default();
        options.cone = (crn_contact_cone)cone;
        fill_press(&p);
        p.body[1].mass = 3e-4;
        p.body[1].inertia[8] = 3e-6;
        for (int k = 0; k < 6; ++k) {
            p.velocity[k] *= 1e-319;
        }
        motion m = move_in(&p.problem, &options, &workspace);
        TEST_CHECK(m.result.outcome == CRN_LCP_SOLVED, "cone %d: outcome %d, certificate %g", cone,
                   (int)m.result.outcome, m.result.certificate.relative);
        motion_free(&m);
    }
    crn_workspace_free(&workspace);
}

/* --- No solution --- */

/* A motor without bound drives into a stop: impulses grow until their rounding hides that both cannot be. */
static void test_impulses_without_bound_are_no_answer(void **state)
{
    (void)state;
    const double axis[9] = {0.07, -0.49, 0}, back[9] = {-0.07, 0.49, 0}, velocity[3] = {-2.0, -0.3, 0.1};
    crn_contact_body body = {.kind = CRN_MASS_UNIT, .dof = 3};
    crn_contact_point stop = {.a = 0, .b = -1, .jacobian_a = back, .offset = {0.037}};
    crn_contact_row motor = {.a = 0, .b = -1, .jacobian_a = axis, .offset = -0.045};
    crn_contact_problem problem = {1, 1, 1, &body, &stop, &motor, velocity};
    crn_workspace workspace = {0};
    for (int cone = 0; cone < 2; ++cone) {
        crn_contact_options options = crn_contact_options_default();
        options.cone = (crn_contact_cone)cone;
        motion m = move_in(&problem, &options, &workspace);
        TEST_CHECK(m.result.outcome != CRN_LCP_SOLVED && m.result.certificate.relative > 1e-3,
                   "cone %d: outcome %d, certificate %g", cone, (int)m.result.outcome, m.result.certificate.relative);
        crn_contact_certificate certificate;
        double huge[3] = {1e14, 0, 0}, row = 1e14;
        assert_int_equal(crn_contact_certify(&problem, &options, huge, &row, &workspace, &certificate, NULL), CRN_OK);
        TEST_CHECK(certificate.relative > 1e-3, "huge impulses certify to %g", certificate.relative);
        motion_free(&m);
    }
    crn_workspace_free(&workspace);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding_is_no_failure),
        cmocka_unit_test(test_denormal_motion_is_rest),
        cmocka_unit_test(test_impulses_without_bound_are_no_answer),
    };
    return TEST_RUN(tests, argc, argv);
}
