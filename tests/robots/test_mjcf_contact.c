/* Contacts of MJCF: masks against MuJoCo's rule over random bits, filters of welded bodies, friction rules. */
#include "mjcf_case.h"

#define BALL "<geom type='sphere' size='0.5'/>"

/* --- Masks --- */

enum { GEOMS = 30 };

static void check_bits(crn_random *random, int kinds)
{
    char text[8192] = "<worldbody>";
    unsigned type[GEOMS], affinity[GEOMS];
    for (int i = 0; i < GEOMS; ++i) {
        unsigned k = (unsigned)crn_random_below(random, kinds);
        type[i] = k * 2654435761u >> 28; /* a few bits that differ by kind */
        affinity[i] = (k + 7) * 2246822519u >> 28;
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used,
                       "<body><freejoint/><geom type='sphere' size='1' contype='%u' conaffinity='%u'/></body>", type[i],
                       affinity[i]);
    }
    (void)strcat(text, "</worldbody>");
    crn_model *model = mjcf_read(text);
    assert_int_equal(crn_model_bodies(model), GEOMS);
    for (int i = 0; i < GEOMS; ++i) {
        for (int k = 0; k < i; ++k) {
            bool should = ((type[i] & affinity[k]) | (type[k] & affinity[i])) != 0;
            TEST_CHECK(mjcf_can_touch(model, i, k) == should, "(%u, %u) and (%u, %u)", type[i], affinity[i], type[k],
                       affinity[k]);
        }
    }
    crn_model_destroy(model);
}

static void test_bits(void **state)
{
    (void)state;
    crn_random random = test_random("bits", 1);
    for (int k = 0; k < 50; ++k) {
        check_bits(&random, 2 + k % 24);
    }
}

/* Shapes of another file collide, whatever their bits: the files do not know of each other. */
static void test_two_files(void **state)
{
    (void)state;
    static const char first[] =
        "<worldbody><body><freejoint/><geom type='sphere' size='1' contype='4' conaffinity='8'/></body>"
        "<body><freejoint/><geom type='sphere' size='1' contype='4' conaffinity='8'/></body></worldbody>";
    static const char second[] =
        "<mujoco><worldbody><body><freejoint/><geom type='sphere' size='1'/></body><body><freejoint/>"
        "<geom type='sphere' size='1' contype='0'/></body></worldbody></mujoco>";
    crn_model *model = mjcf_read(first);
    crn_error error;
    assert_false(mjcf_can_touch(model, 0, 1));
    assert_int_equal(crn_io_read_mjcf_text(second, strlen(second), "b.xml", NULL, model, &error), CRN_OK);
    assert_true(mjcf_can_touch(model, 0, 2) && mjcf_can_touch(model, 1, 3) && mjcf_can_touch(model, 2, 3));
    assert_false(mjcf_can_touch(model, 0, 1));
    crn_model_destroy(model);
}

/* --- Filters --- */

/* The world, a post on it, and an arm: a (on the post), its welded tool t; b on a; c on b, with two joints; w welded to c. */
static const char arm[] =
    "<worldbody>" BALL "<body name='post'>" BALL "<body name='a'><joint/>" BALL "<body name='t'>" BALL
    "</body><body name='b'><joint/>" BALL "<body name='c'><joint axis='1 0 0'/><joint axis='1 1 0'/>" BALL
    "<body name='w'>" BALL "</body></body></body></body></body></worldbody>";

/* Who may touch whom, "ab" for a and b, blanks between. */
static void expect_pairs(const crn_model *model, const char *const *name, int count, const char *pairs)
{
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            char pair[8] = {name[k][0], name[i][0], '\0'};
            int a = crn_model_find_body(model, name[i]), b = crn_model_find_body(model, name[k]);
            assert_true(a >= 0 && b >= 0);
            TEST_CHECK(mjcf_can_touch(model, a, b) == (strstr(pairs, pair) != NULL), "%s", pair);
        }
    }
}

static const char *const arm_names[] = {"Wworld", "post", "a", "t", "b", "c", "w"};

static void check_arm(const char *extra, const char *pairs)
{
    char text[4096];
    const char *name[7];
    (void)snprintf(text, sizeof text, "%s%s", arm, extra);
    crn_model *model = mjcf_read(text);
    for (int i = 0; i < 7; ++i) {
        name[i] = i == 0 ? "world" : arm_names[i];
    }
    /* "world" and "w" begin alike: the world is fixed and counts as W below */
    for (int i = 1; i < 7; ++i) {
        char pair[4] = {'W', name[i][0], '\0'};
        int a = crn_model_find_body(model, "world"), b = crn_model_find_body(model, name[i]);
        TEST_CHECK(mjcf_can_touch(model, a, b) == (strstr(pairs, pair) != NULL), "%s", pair);
    }
    expect_pairs(model, name + 1, 6, pairs);
    crn_model_destroy(model);
}

static void test_filters(void **state)
{
    (void)state;
    /* The world and the post are one weld that filters nothing; {a, t} - b - {c, w} filter in pairs. */
    check_arm("", "Wa Wt Wb Wc Ww pa pt pb pc pw ac aw tc tw");
    check_arm("<contact><exclude body1='a' body2='w'/><exclude body1='world' body2='c'/></contact>",
              "Wa Wt Wb Ww pa pt pb pc pw ac tc tw");
    check_arm("<option><flag filterparent='disable'/></option>",
              "Wa Wt Wb Wc Ww pa pt pb pc pw ac aw tc tw ab tb bc bw");
    check_arm("<option><flag filterparent='disable'/></option><contact><exclude body1='b' body2='a'/></contact>",
              "Wa Wt Wb Wc Ww pa pt pb pc pw ac aw tc tw tb bc bw");
}

/* --- <pair> --- */

/* Geoms that touch nothing by their bits, and random pairs of them: those touch, by the friction of their pair, and no others. */
static void check_pairs(crn_random *random, int pairs)
{
    enum { BODIES = 8 };
    char text[8192] = "<worldbody>";
    double mu[BODIES][BODIES] = {{0}};
    for (int i = 0; i < BODIES; ++i) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used,
                       "<body><freejoint/><geom name='g%d' size='1' contype='0' conaffinity='0'/></body>", i);
    }
    (void)strcat(text, "</worldbody><contact>");
    for (int k = 0; k < pairs; ++k) {
        int a = (int)crn_random_below(random, BODIES), b = (int)crn_random_below(random, BODIES);
        size_t used = strlen(text);
        if (a != b && mu[a][b] == 0.0) {
            mu[a][b] = mu[b][a] = 0.25 * (1 + k % 5);
            (void)snprintf(text + used, sizeof text - used, "<pair geom1='g%d' geom2='g%d' friction='%g'/>", a, b,
                           mu[a][b]);
        }
    }
    (void)strcat(text, "</contact>");
    crn_model *model = mjcf_read(text);
    int found = 0;
    for (int a = 0; a < BODIES; ++a) {
        for (int b = 0; b < a; ++b) {
            TEST_CHECK(mjcf_can_touch(model, a, b) == (mu[a][b] > 0.0), "%d pairs: %d and %d", pairs, a, b);
        }
    }
    for (int i = 0; i < crn_model_pairs(model); ++i, ++found) {
        const crn_pair_def *pair = crn_model_pair(model, i);
        mjcf_expect_number(pair->friction, mu[pair->a][pair->b]);
    }
    assert_true(found > 0);
    crn_model_destroy(model);
}

/* A forearm and its parent touch by a pair; a third geom of the parent's, by its bits, would too: that is told. */
static void check_parent(const char *third, int warned)
{
    char text[2048];
    mjcf_warnings warnings = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.warn = mjcf_warn;
    options.user = &warnings;
    (void)snprintf(text, sizeof text,
                   "<worldbody><body name='a'><joint/><geom name='g' size='1'/>%s<body name='b'><joint/><geom name='h' "
                   "size='1'/></body></body></worldbody><contact><pair geom1='g' geom2='h' condim='1'/></contact>",
                   third);
    crn_model *model = mjcf_read_with(text, &options);
    assert_true(mjcf_can_touch(model, crn_model_find_body(model, "a"), crn_model_find_body(model, "b")));
    assert_int_equal(crn_model_pairs(model), 1);
    mjcf_expect_number(crn_model_pair(model, 0)->friction, 0.0);
    TEST_CHECK(warnings.count == warned, "%d: %s", warnings.count, warnings.text);
    crn_model_destroy(model);
}

static void test_pairs(void **state)
{
    (void)state;
    crn_random random = test_random("pairs", 1);
    for (int k = 0; k < 30; ++k) {
        check_pairs(&random, 2 + k);
    }
    check_parent("", 0);
    check_parent("<geom size='1'/>", 1);
}

/* --- Friction --- */

static double friction_of(const crn_model *model, int a, int b)
{
    double x = crn_model_body(model, a)->shape[0].friction, y = crn_model_body(model, b)->shape[0].friction;
    crn_friction_rule rule = crn_model_world_of(model)->friction_rule;
    return rule == CRN_FRICTION_MAX ? fmax(x, y) : rule == CRN_FRICTION_MIN ? fmin(x, y) : sqrt(x * y);
}

/* Attributes of the floor, of two bodies' geoms; friction of floor-1, floor-2, 1-2. */
static void check_friction(const char *floor, const char *one, const char *two, double f1, double f2, double f12,
                           bool is_exact)
{
    char text[2048];
    mjcf_warnings warnings = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.warn = mjcf_warn;
    options.user = &warnings;
    (void)snprintf(text, sizeof text,
                   "<worldbody><geom type='plane' %s/><body><freejoint/><geom type='sphere' size='1' %s/></body><body>"
                   "<freejoint/><geom type='sphere' size='1' %s/></body></worldbody>",
                   floor, one, two);
    crn_model *model = mjcf_read_with(text, &options);
    mjcf_expect_number(friction_of(model, 0, 1), f1);
    mjcf_expect_number(friction_of(model, 0, 2), f2);
    mjcf_expect_number(friction_of(model, 1, 2), f12);
    TEST_CHECK((warnings.count == 0) == is_exact, "%s", warnings.text);
    crn_model_destroy(model);
}

static void test_friction(void **state)
{
    (void)state;
    check_friction("", "", "", 1, 1, 1, true);
    check_friction("friction='0.5'", "friction='0.25'", "friction='2'", 0.5, 2, 2, true);
    /* condim 1 with something rough is rough, among themselves smooth */
    check_friction("", "friction='0.7' condim='1'", "friction='0.7' condim='1'", 1, 1, 0, true);
    /* a caster: by its priority smooth on everything */
    check_friction("", "condim='1' priority='1'", "", 0, 1, 0, true);
    check_friction("priority='2' friction='0.25'", "friction='2'", "friction='0.25'", 0.25, 0.25, 0.25, false);
    /* no rule fits: the floor matters more */
    check_friction("", "friction='2' condim='1'", "friction='0.5' condim='1'", 2, 1, 2, false);
}

/* Torsional and rolling friction are told, and refused by name where the options are strict; pictures and solvers' parameters are
 * not. */
static void check_strict(const char *geom, const char *refused)
{
    crn_robot_options options = crn_robot_options_default();
    for (int k = 0; k < 2; ++k) {
        crn_error error = {.status = CRN_OK};
        char text[600];
        (void)snprintf(text, sizeof text,
                       "<mujoco>\n<worldbody><body name='b'><freejoint/><geom type='sphere' size='1' %s/></body>"
                       "</worldbody></mujoco>",
                       geom);
        crn_model *model = NULL;
        options.is_strict = k == 1;
        assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
        crn_status status = crn_io_read_mjcf_text(text, strlen(text), "m.xml", &options, model, &error);
        if (k == 1 && refused != NULL) {
            assert_int_equal(status, CRN_ERR_UNSUPPORTED);
            assert_string_equal(error.text, refused);
        } else {
            assert_int_equal(status, CRN_OK);
            assert_int_equal(error.status, CRN_OK);
        }
        crn_model_destroy(model);
    }
}

static void test_strict(void **state)
{
    (void)state;
    check_strict("condim='3'", NULL);
    check_strict("condim='3' rgba='1 0 0 1' solref='0.01 1'", NULL);
    check_strict("condim='6' contype='0' conaffinity='0'", NULL);
    check_strict("condim='4'",
                 "m.xml:2: <geom> condim: 4: torsional and rolling friction are not supported, taken as 3: refused, "
                 "since options are strict");
    check_strict("condim='6'",
                 "m.xml:2: <geom> condim: 6: torsional and rolling friction are not supported, taken as 3: refused, "
                 "since options are strict");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),  cmocka_unit_test(test_two_files), cmocka_unit_test(test_filters),
        cmocka_unit_test(test_pairs), cmocka_unit_test(test_friction),  cmocka_unit_test(test_strict),
    };
    return TEST_RUN(tests, argc, argv);
}
