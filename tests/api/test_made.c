/* Definitions and options that were not made by their *_default() function are refused, and the message names it. */
#include "test_support.h"

#include <cairn/cairn.h>

static void refused(crn_status status, const crn_error *error, const char *maker)
{
    assert_int_equal(status, CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error->text, maker) != NULL, "%s: %s", maker, error->text);
}

static void test_definitions(void **state)
{
    (void)state;
    crn_error e;
    crn_world_def world = {.dt = 0.01, .directions = 8};
    crn_body_def body = {.pose = {.rotation = {1, 0, 0, 0}}};
    crn_joint_def joint = {.a = -1};
    crn_site_def site = {.body = -1};
    crn_tendon_def tendon = {.parts = 0};
    crn_actuator_def actuator = {.joint = 0};
    crn_load_def load = {.until = 1.0};
    crn_pair_def pair = {.collides = true};
    refused(crn_world_def_check(&world, NULL, &e), &e, "not made by crn_world_def_default()");
    refused(crn_body_def_check(&body, false, "bodies[3]", &e), &e, "bodies[3]: not made by crn_body_def_default()");
    refused(crn_joint_def_check(&joint, false, NULL, &e), &e, "not made by crn_joint_def_default()");
    refused(crn_site_def_check(&site, false, NULL, &e), &e, "not made by crn_site_def_default()");
    refused(crn_tendon_def_check(&tendon, false, NULL, &e), &e, "not made by crn_tendon_def_default()");
    refused(crn_actuator_def_check(&actuator, NULL, NULL, NULL, &e), &e, "not made by crn_actuator_def_default()");
    refused(crn_load_def_check(&load, NULL, &e), &e, "not made by crn_load_def_default()");
    refused(crn_pair_def_check(&pair, NULL, &e), &e, "not made by crn_pair_def_default()");
    world = crn_world_def_default();
    assert_int_equal(crn_world_def_check(&world, NULL, &e), CRN_OK);
}

static void test_options(void **state)
{
    (void)state;
    const double M[1] = {1}, q[1] = {-1};
    double z[1];
    crn_error e;
    crn_lcp_problem problem = {.n = 1, .ld = 1, .M = M, .q = q};
    crn_lcp_solution solution = {.z = z};
    crn_lcp_options options = {.tol = 1e-9, .relaxation = 1.0};
    crn_contact_problem contact = {.bodies = 0};
    crn_contact_solution impulses = {.impulse = z};
    crn_contact_options contact_options = {.seed = 1};
    crn_workspace workspace = {0};
    refused(crn_lcp_solve(&problem, &options, &workspace, &solution, NULL, &e), &e,
            "not made by crn_lcp_options_default()");
    refused(crn_contact_solve(&contact, &contact_options, &workspace, &impulses, NULL, &e), &e,
            "not made by crn_contact_options_default()");
    crn_workspace_free(&workspace);
}

static void test_version(void **state)
{
    (void)state;
    char text[32];
    (void)snprintf(text, sizeof text, "%d.%d.%d", CRN_VERSION_MAJOR, CRN_VERSION_MINOR, CRN_VERSION_PATCH);
    assert_string_equal(crn_version(), text);
    assert_int_equal(crn_version_number(), CRN_VERSION);
}

/* Names in messages must not command a terminal. */
static void test_messages(void **state)
{
    (void)state;
    crn_error e;
    char shown[16];
    (void)crn_fail(&e, CRN_ERR_FORMAT, "body '%s': no",
                   "a\033[31mb\n\xc2\x9b"
                   "c\xc3\xa9");
    assert_string_equal(e.text, "body 'a\\x1b[31mb\\x0a\\xc2\\x9bc\xc3\xa9': no");
    assert_int_equal(crn_show("0123456789abcdefgh", shown, sizeof shown), 15);
    assert_string_equal(shown, "0123456789abcde");
    assert_int_equal(crn_show("0123456789abc\033", shown, sizeof shown), 13); /* no half of an escape */
    assert_int_equal(crn_show(NULL, shown, sizeof shown), 0);
    assert_int_equal(crn_show("x", NULL, 5), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions), cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_version), cmocka_unit_test(test_messages)};
    return TEST_RUN(tests, argc, argv);
}
