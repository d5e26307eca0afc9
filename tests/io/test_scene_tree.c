/* Trees in scene files: every field against a value on paper, joints that follow later ones, wrong ones with their line, and
 * what is written for them. */
#include "io/io_room.h"

#include "model_case.h"
#include "test_allocator.h"

static crn_model *parse(const char *text)
{
    crn_model *model = NULL;
    crn_error error = {CRN_ERR_IO, "old"};
    crn_status status = crn_io_read_scene_text(text, strlen(text), "s.json", NULL, &model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return model;
}

#define BODIES                                                                                                        \
    "{\"bodies\": [{\"name\": \"a\", \"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}, "                          \
    "{\"name\": \"b\", \"massless\": true}, {\"name\": \"c\", \"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}, " \
    "{\"name\": \"d\", \"kind\": \"fixed\"}],\n\"joints\": ["                                                         \
    "{\"name\": \"one\", \"kind\": \"hinge\", \"a\": \"a\", \"b\": \"b\", \"frame_b\": {}, \"in_tree\": true"

static void test_fields(void **state)
{
    (void)state;
    crn_model *model = parse(
        BODIES ", \"force\": 7, \"armature\": 8, \"spring\": {\"stiffness\": 1, \"damping\": 2, \"limit\": 3, "
               "\"target\": {\"amplitude\": 4}}, \"follows\": {\"joint\": \"two\", \"ratio\": 5, \"shift\": 6}},\n"
               "{\"name\": \"two\", \"kind\": \"universal\", \"a\": 1, \"b\": 2, \"frame_a\": {}, \"in_tree\": true, "
               "\"axes\": [{}, {\"follows\": {\"joint\": 0}, \"armature\": 9}]},\n"
               "{\"kind\": \"free\", \"a\": 0, \"b\": 3}], \"solver\": {\"integrator\": \"rk4\", \"drift_turn\": 0.1, "
               "\"repair_tolerance\": 1e-6, \"clamped\": false}}");
    const crn_world_def *world = crn_model_world_of(model);
    assert_true(world->integrator == CRN_INTEGRATOR_RK4 && world->drift_turn == 0.1 && world->repair_tolerance == 1e-6);
    assert_true(world->is_unclamped);
    assert_true(crn_model_body(model, 1)->is_massless && !crn_model_body(model, 0)->is_massless);
    const crn_joint_def *one = crn_model_joint(model, 0), *two = crn_model_joint(model, 1);
    const crn_joint_axis *axis = &one->axis[0];
    assert_true(one->in_tree && two->in_tree && !crn_model_joint(model, 2)->in_tree);
    assert_true(axis->force.value == 7 && axis->armature == 8 && axis->stiffness == 1 && axis->damping == 2);
    assert_true(axis->spring_limit == 3 && axis->target.amplitude == 4 && !axis->has_motor && !axis->is_servo);
    assert_true(axis->follows == 2 && axis->ratio == 5 && axis->shift == 6);
    assert_true(two->axis[0].follows == 0 && two->axis[1].follows == 1 && two->axis[1].ratio == 1);
    assert_true(two->axis[1].shift == 0 && two->axis[1].armature == 9);
    assert_int_equal(crn_model_joint(model, 2)->kind, CRN_JOINT_FREE);
    crn_model_destroy(model);
}

/* A motor beside a spring: one target for both. */
static void test_motor_and_spring(void **state)
{
    (void)state;
    crn_model *model = parse(BODIES ", \"spring\": {\"damping\": 2}, \"motor\": {\"target\": 3}}]}");
    const crn_joint_axis *axis = &crn_model_joint(model, 0)->axis[0];
    assert_true(axis->damping == 2 && axis->target.value == 3 && axis->has_motor && axis->is_servo);
    crn_model_destroy(model);
    model = parse(BODIES ", \"spring\": {\"target\": 3}, \"motor\": {\"speed\": 4}}]}");
    axis = &crn_model_joint(model, 0)->axis[0];
    assert_true(axis->target.value == 3 && axis->speed.value == 4 && axis->has_motor && !axis->is_servo);
    crn_model_destroy(model);
}

static void test_balls(void **state)
{
    (void)state;
    crn_model *model = parse(BODIES "}, {\"kind\": \"ball\", \"a\": 1, \"b\": 2, \"frame_a\": {}, \"in_tree\": true, "
                                    "\"spring\": {\"damping\": 2}, \"friction\": 3, \"armature\": 4}]}");
    const crn_joint_axis *axis = &crn_model_joint(model, 1)->axis[0];
    assert_true(axis->damping == 2 && axis->friction == 3 && axis->armature == 4);
    crn_model_destroy(model);
}

typedef struct wrong {
    const char *text, *message;
} wrong;

static const wrong scenes[] = {
    {BODIES ", \"spring\": 1}]}", "s.json:2: joints[0].spring: not an object"},
    {BODIES ", \"spring\": {\"stifness\": 1}}]}",
     "s.json:2: joints[0].spring.stifness: unknown field 'stifness'; did you mean 'stiffness'?"},
    {BODIES ",\n\"spring\": {\"stiffness\": -1}}]}", "s.json:3: joints[0].spring.stiffness: must be >= 0, but is -1"},
    {BODIES ", \"spring\": {\"limit\": \"inf\"}}]}", "s.json:2: joints[0].spring.limit: not a number"},
    {BODIES ", \"motor\": {\"target\": 1},\n\"spring\": {\"target\": 1}}]}",
     "s.json:3: joints[0].spring.target: given by the motor too"},
    {BODIES ", \"armature\": -1}]}", "s.json:2: joints[0].armature: must be >= 0, but is -1"},
    {BODIES ", \"force\": \"x\"}]}", "s.json:2: joints[0].force: not a number or an object"},
    {BODIES ", \"follows\": 1}]}", "s.json:2: joints[0].follows: not an object"},
    {BODIES ", \"follows\": {}}]}", "s.json:2: joints[0].follows.joint: missing"},
    {BODIES ", \"follows\": {\"joint\": true}}]}", "s.json:2: joints[0].follows.joint: not a name or a number"},
    {BODIES ", \"follows\": {\"joint\": 1}}]}", "s.json:2: joints[0].follows.joint: 1 is not in 0 .. 0"},
    {BODIES ", \"follows\": {\"joint\": \"three\"}}]}", "s.json:2: joints[0].follows.joint: unknown joint 'three'"},
    {BODIES ", \"follows\": {\"joint\": 0}}]}", "s.json:2: joints[0].follows: joint 0 is the joint itself"},
    {BODIES
     ",\n\"follows\": {\"joint\": 1}},\n{\"kind\": \"ball\", \"a\": 1, \"b\": 2, \"frame_a\": {}, \"in_tree\": true}]}",
     "s.json:3: joints[0].follows: joint 1 has no coordinate"},
    {BODIES "},\n{\"kind\": \"hinge\", \"a\": 1, \"b\": 2, \"frame_a\": {}, \"spring\": {}, \"armature\": 1}]}",
     "s.json:3: joints[1].armature: is for joints in trees only"},
    {BODIES "},\n{\"kind\": \"hinge\", \"a\": 1, \"b\": 0, \"frame_a\": {}, \"in_tree\": true}]}",
     "s.json:3: joints[1].in_tree: joints in a tree must not make a loop"},
    {BODIES "},\n{\"kind\": \"hinge\", \"a\": 2, \"b\": 1, \"frame_a\": {}, \"in_tree\": true}]}",
     "s.json:3: joints[1].b: body 1 is a link by joints[0] already"},
    {BODIES "},\n{\"kind\": \"distance\", \"a\": 1, \"b\": 2, \"length\": 1, \"in_tree\": true}]}",
     "s.json:3: joints[1].in_tree: distance joints cannot be in a tree"},
    {BODIES "},\n{\"kind\": \"ball\", \"a\": 1, \"b\": 2, \"frame_a\": {}, \"in_tree\": true, \"limits\": [0, 1]}]}",
     "s.json:3: joints[1].limits: needs a coordinate, and ball joints have none"},
    {BODIES "},\n{\"kind\": \"free\", \"b\": 2}]}",
     "s.json:3: joints[1].a: a free joint that is not in a tree is between two bodies"},
    {"{\"bodies\": [\n{\"massless\": true}]}",
     "s.json:2: bodies[0].massless: is for links only: b of a joint in a tree"},
    {"{\"bodies\": [\n{\"massless\": true, \"mass\": 1}]}",
     "s.json:2: bodies[0].mass: must be 0 for a massless body, but is 1"},
    {"{\"solver\": {\n\"integrator\": \"verlet\"}}",
     "s.json:2: solver.integrator: unknown value 'verlet'; did you mean 'reflect'?"},
    {"{\"solver\": {\n\"drift_turn\": -1}}", "s.json:2: solver.drift_turn: must be >= 0, but is -1"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        test_allocator counter = {0};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_model *model = NULL;
        crn_error error = {CRN_OK, ""};
        crn_status status =
            crn_io_read_scene_text(scenes[i].text, strlen(scenes[i].text), "s.json", &hooks, &model, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT && model == NULL, "status %d: %s", (int)status, scenes[i].message);
        TEST_CHECK(strcmp(error.text, scenes[i].message) == 0, "'%s' instead of '%s'", error.text, scenes[i].message);
        assert_int_equal(counter.live, 0);
    }
}

/* Defaults are left out; the target stands with the spring if there is no motor. */
static void test_written(void **state)
{
    (void)state;
    crn_model *model = parse(BODIES ", \"spring\": {\"stiffness\": 1, \"target\": 2}, \"follows\": {\"joint\": 1}},\n"
                                    "{\"kind\": \"slider\", \"a\": 1, \"b\": 2, \"frame_a\": {}, \"in_tree\": true, "
                                    "\"spring\": {\"damping\": 1}, \"motor\": {\"target\": 3}}]}");
    char *text = NULL;
    MODEL_GOOD(crn_io_write_scene_text(model, NULL, &text, NULL, error));
    static const char *const pieces[] = {
        "\"in_tree\": true, \"spring\": {\"stiffness\": 1, \"target\": 2}, \"follows\": {\"joint\": 1}}",
        "\"motor\": {\"target\": 3}, \"spring\": {\"damping\": 1}}", "\"massless\": true", "\"solver\": {}"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; ++i) {
        TEST_CHECK(strstr(text, pieces[i]) != NULL, "%s is not in %s", pieces[i], text);
    }
    crn_model *again = parse(text);
    same_model(model, again);
    free(text);
    crn_model_destroy(model);
    crn_model_destroy(again);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields), cmocka_unit_test(test_motor_and_spring), cmocka_unit_test(test_balls),
        cmocka_unit_test(test_wrong),  cmocka_unit_test(test_written),
    };
    return TEST_RUN(tests, argc, argv);
}
