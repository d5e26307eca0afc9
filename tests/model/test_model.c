/* Models: deep copies, settled forms, names, failing allocations, nothing changed by a failure. */
#include "model/model_room.h"

#include "model_case.h"
#include "test_allocator.h"

#include <float.h>

static void test_empty(void **state)
{
    (void)state;
    crn_model *model = NULL;
    MODEL_GOOD(crn_model_create(NULL, &model, error));
    assert_string_equal(crn_model_name(model), "");
    crn_world_def world = crn_world_def_default();
    same_world(crn_model_world_of(model), &world);
    assert_true(crn_model_world(model) == crn_model_world_of(model));
    MODEL_GOOD(crn_world_def_check(&world, "world", error));
    assert_int_equal(crn_model_bodies(model) + crn_model_joints(model) + crn_model_loads(model), 0);
    assert_null(crn_model_body(model, 0));
    assert_null(crn_model_joint(model, -1));
    assert_null(crn_model_load(model, 0));
    assert_null(crn_model_probe(model, 0));
    assert_int_equal(crn_model_find_body(model, "x"), -1);
    assert_int_equal(crn_model_find_body(model, NULL), -1);
    MODEL_GOOD(crn_model_set_name(model, "one", error));
    MODEL_GOOD(crn_model_set_name(model, "two", error));
    assert_string_equal(crn_model_name(model), "two");
    MODEL_GOOD(crn_model_set_name(model, NULL, error));
    assert_string_equal(crn_model_name(model), "");
    crn_model_destroy(model);
    crn_model_destroy(NULL);
    assert_int_equal(crn_model_create(NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_set_name(NULL, "x", NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_add_body(NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_add_joint(NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_add_load(NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_add_probe(NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
}

static void test_names(void **state)
{
    (void)state;
    crn_body_kind body = CRN_BODY_FREE;
    crn_probe_kind probe = CRN_PROBE_POSITION;
    crn_scheme scheme = CRN_SCHEME_COULOMB;
    crn_friction_rule rule = CRN_FRICTION_GEOMETRIC;
    for (int i = 0; i < CRN_BODY_KIND_COUNT; ++i) {
        assert_true(crn_body_kind_find(crn_body_kind_name((crn_body_kind)i), &body) && (int)body == i);
    }
    for (int i = 0; i < CRN_PROBE_KIND_COUNT; ++i) {
        assert_true(crn_probe_kind_find(crn_probe_kind_name((crn_probe_kind)i), &probe) && (int)probe == i);
    }
    for (int i = 0; i < CRN_SCHEME_COUNT; ++i) {
        assert_true(crn_scheme_find(crn_scheme_name((crn_scheme)i), &scheme) && (int)scheme == i);
    }
    for (int i = 0; i < CRN_FRICTION_RULE_COUNT; ++i) {
        assert_true(crn_friction_rule_find(crn_friction_rule_name((crn_friction_rule)i), &rule) && (int)rule == i);
    }
    assert_null(crn_body_kind_name((crn_body_kind)CRN_BODY_KIND_COUNT));
    assert_null(crn_probe_kind_name((crn_probe_kind)-1));
    assert_null(crn_scheme_name((crn_scheme)CRN_SCHEME_COUNT));
    assert_null(crn_friction_rule_name((crn_friction_rule)CRN_FRICTION_RULE_COUNT));
    assert_false(crn_scheme_find("Coulomb", &scheme));
    assert_false(crn_probe_kind_find(NULL, &probe));
    assert_false(crn_body_kind_find("", &body));
    assert_false(crn_friction_rule_find("mean", &rule));
    assert_string_equal(crn_probe_kind_name(CRN_PROBE_JOINT_COORDINATE), "joint_coordinate");
    assert_string_equal(crn_scheme_name(CRN_SCHEME_PLAIN), "plain");
    assert_string_equal(crn_body_kind_name(CRN_BODY_DRIVEN), "driven");
    assert_string_equal(crn_friction_rule_name(CRN_FRICTION_MAX), "max");
}

/* What was added may be changed or freed: the model has its own. */
static void test_deep_copies(void **state)
{
    (void)state;
    double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, times[] = {0, 1}, values[] = {5, 6};
    char name[] = "rock";
    crn_body_shape shape = crn_body_shape_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_HULL, .points = points, .count = 4};
    crn_body_def def = crn_body_def_default();
    int anything = 0, index = -1;
    def.name = name;
    def.kind = CRN_BODY_DRIVEN;
    def.shape = &shape;
    def.shapes = 1;
    def.motion.y = (crn_profile){.times = times, .values = values, .count = 2};
    def.user = &anything;
    crn_model *model = NULL;
    MODEL_GOOD(crn_model_create(NULL, &model, error));
    MODEL_GOOD(crn_model_add_body(model, &def, &index, error));
    assert_int_equal(index, 0);
    memset(points, 0xFF, sizeof points);
    memset(times, 0xFF, sizeof times);
    memset(values, 0xFF, sizeof values);
    memset(&shape, 0xFF, sizeof shape);
    name[0] = 'l';
    const crn_body_def *kept = crn_model_body(model, 0);
    assert_string_equal(kept->name, "rock");
    assert_null(kept->user);
    assert_true(kept->shape[0].shape.points[3] == 1.0 && kept->shape[0].density == 1000.0);
    assert_true(crn_profile_at(&kept->motion.y, 0.5) == 5.5);
    assert_int_equal(crn_model_find_body(model, "rock"), 0);
    assert_int_equal(crn_model_find_body(model, "lock"), -1);
    crn_model_destroy(model);
}

static void test_settled(void **state)
{
    (void)state;
    crn_model *model = NULL;
    MODEL_GOOD(crn_model_create(NULL, &model, error));
    crn_body_shape shape = crn_body_shape_default();
    shape.shape.size = (crn_vec3){2, 3, 4};
    shape.shape.count = 7;
    crn_body_def def = crn_body_def_default();
    def.shape = &shape;
    def.shapes = 1;
    def.pose.rotation = (crn_quat){0.6000003, 0, 0.8000003, 0};
    def.mass = 1.0;
    def.inertia = (crn_mat3){{2, 1, 0, 1.00000000001, 2, 0, 0, 0, 2.5}};
    MODEL_GOOD(crn_model_add_body(model, &def, NULL, error));
    const crn_body_def *kept = crn_model_body(model, 0);
    crn_quat q = kept->pose.rotation;
    assert_true(fabs(q.w * q.w + q.y * q.y - 1.0) <= 4 * DBL_EPSILON && fabs(q.w - 0.6) < 1e-6);
    assert_true(kept->inertia.m[1] == kept->inertia.m[3] && fabs(kept->inertia.m[1] - 1.0) <= 1e-11);
    assert_true(kept->shape->shape.size.x == 2.0 && kept->shape->shape.size.y == 0.0);
    assert_int_equal(kept->shape->shape.count, 0);

    crn_joint_def joint = crn_joint_def_default();
    joint.kind = CRN_JOINT_HINGE;
    joint.b = 0;
    joint.axis[0].lower = 3.0;
    joint.axis[0].upper = 2.0;
    joint.axis[2].speed.value = 9.0;
    joint.length = 5.0;
    MODEL_GOOD(crn_model_add_joint(model, &joint, NULL, error));
    const crn_joint_def *held = crn_model_joint(model, 0);
    assert_true(held->axis[0].lower == INFINITY && held->axis[0].upper == -INFINITY);
    assert_true(held->axis[2].speed.value == 0.0 && held->length == 0.0);
    crn_model_destroy(model);

    MODEL_GOOD(crn_model_create(NULL, &model, error));
    crn_model_world(model)->is_planar = true;
    shape.shape.kind = CRN_SHAPE_DISK;
    def.kind = CRN_BODY_DRIVEN;
    def.pose.rotation = (crn_quat){0.6, 1e-7, -1e-7, 0.8};
    def.motion.angle.value = 1.0;
    def.motion.axis = (crn_vec3){1e-8, 0, -1.0000001};
    MODEL_GOOD(crn_model_add_body(model, &def, NULL, error));
    kept = crn_model_body(model, 0);
    assert_true(kept->pose.rotation.x == 0.0 && kept->pose.rotation.y == 0.0);
    assert_true(kept->motion.axis.x == 0.0 && kept->motion.axis.z == -1.0);
    assert_true(kept->inertia.m[0] == 0.0 && kept->inertia.m[8] == 2.5);
    crn_model_destroy(model);
}

/* A copy of a model is the same to the bit. */
static void copy_model(const crn_model *model, crn_model *copy)
{
    *crn_model_world(copy) = *crn_model_world_of(model);
    MODEL_GOOD(crn_model_set_name(copy, crn_model_name(model), error));
    int index = -1;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        MODEL_GOOD(crn_model_add_body(copy, crn_model_body(model, i), &index, error));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < crn_model_joints(model); ++i) {
        MODEL_GOOD(crn_model_add_joint(copy, crn_model_joint(model, i), &index, error));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < crn_model_sites(model); ++i) {
        MODEL_GOOD(crn_model_add_site(copy, crn_model_site(model, i), &index, error));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < crn_model_actuators(model); ++i) {
        MODEL_GOOD(crn_model_add_actuator(copy, crn_model_actuator(model, i), &index, error));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < crn_model_keys(model); ++i) {
        MODEL_GOOD(crn_model_add_key(copy, crn_model_key(model, i), &index, error));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < crn_model_loads(model); ++i) {
        MODEL_GOOD(crn_model_add_load(copy, crn_model_load(model, i), &index, error));
        assert_int_equal(index, i);
    }
    for (int i = 0; i < crn_model_probes(model); ++i) {
        MODEL_GOOD(crn_model_add_probe(copy, crn_model_probe(model, i), &index, error));
        assert_int_equal(index, i);
    }
}

static void test_copies_are_the_same(void **state)
{
    (void)state;
    crn_random random = test_random("copies", 2);
    for (int k = 0; k < 500; ++k) {
        crn_model *model = any_model(&random, NULL), *copy = NULL;
        MODEL_GOOD(crn_model_create(NULL, &copy, error));
        copy_model(model, copy);
        same_model(model, copy);
        crn_model_destroy(model);
        crn_model_destroy(copy);
    }
}

/* --- Failing allocations: each call fails cleanly, changes nothing, and succeeds when tried again --- */

/* The call until it succeeds, failing at the first, second ... allocation; between, the model must stay as it was. */
#define WITH_FAILURES(call)                                                                      \
    do {                                                                                         \
        crn_status outcome = CRN_ERR_MEMORY;                                                     \
        for (long k = 1; outcome != CRN_OK; ++k) {                                               \
            crn_error failure = {CRN_OK, ""};                                                    \
            crn_error *error = &failure;                                                         \
            long live = counter.live;                                                            \
            counter.calls = 0;                                                                   \
            counter.fail_at = k;                                                                 \
            outcome = (call);                                                                    \
            counter.fail_at = 0;                                                                 \
            TEST_CHECK(outcome == CRN_OK || outcome == CRN_ERR_MEMORY, "%s", error->text);       \
            assert_true(error->status == outcome && k < 10);                                     \
            if (outcome != CRN_OK) {                                                             \
                assert_true(counter.live <= live + 3); /* a list and its names may have grown */ \
                assert_int_equal(sizes_of(copy), sizes);                                         \
                failures++;                                                                      \
            }                                                                                    \
        }                                                                                        \
        sizes = sizes_of(copy);                                                                  \
    } while (0)

static int sizes_of(const crn_model *model)
{
    return crn_model_bodies(model) + 100 * crn_model_joints(model) + 10000 * crn_model_loads(model) +
           1000000 * crn_model_probes(model);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    crn_random random = test_random("failing allocations", 3);
    int failures = 0;
    for (int round = 0; round < 50; ++round) {
        crn_model *model = any_model(&random, NULL), *copy = NULL;
        test_allocator counter = {.fail_at = 1};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_error refused = {CRN_OK, ""};
        assert_int_equal(crn_model_create(&hooks, &copy, &refused), CRN_ERR_MEMORY);
        assert_null(copy);
        MODEL_GOOD(crn_model_create(&hooks, &copy, error));
        int sizes = 0;
        *crn_model_world(copy) = *crn_model_world_of(model);
        WITH_FAILURES(crn_model_set_name(copy, crn_model_name(model), error));
        for (int i = 0; i < crn_model_bodies(model); ++i) {
            WITH_FAILURES(crn_model_add_body(copy, crn_model_body(model, i), NULL, error));
        }
        for (int i = 0; i < crn_model_joints(model); ++i) {
            WITH_FAILURES(crn_model_add_joint(copy, crn_model_joint(model, i), NULL, error));
        }
        for (int i = 0; i < crn_model_sites(model); ++i) {
            WITH_FAILURES(crn_model_add_site(copy, crn_model_site(model, i), NULL, error));
        }
        for (int i = 0; i < crn_model_actuators(model); ++i) {
            WITH_FAILURES(crn_model_add_actuator(copy, crn_model_actuator(model, i), NULL, error));
        }
        for (int i = 0; i < crn_model_keys(model); ++i) {
            WITH_FAILURES(crn_model_add_key(copy, crn_model_key(model, i), NULL, error));
        }
        for (int i = 0; i < crn_model_loads(model); ++i) {
            WITH_FAILURES(crn_model_add_load(copy, crn_model_load(model, i), NULL, error));
        }
        for (int i = 0; i < crn_model_probes(model); ++i) {
            WITH_FAILURES(crn_model_add_probe(copy, crn_model_probe(model, i), NULL, error));
        }
        same_model(model, copy);
        crn_model_destroy(copy);
        assert_int_equal(counter.live, 0);
        crn_model_destroy(model);
    }
    assert_true(failures > 500);
}

/* Lists grow past their first size and keep what they have. */
static void test_many(void **state)
{
    (void)state;
    crn_model *model = NULL;
    MODEL_GOOD(crn_model_create(NULL, &model, error));
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    def.shape = &shape;
    def.shapes = 1;
    enum { MANY = 1000 };
    for (int i = 0; i < MANY; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "b%d", i);
        def.name = name;
        def.pose.position.x = (double)i;
        MODEL_GOOD(crn_model_add_body(model, &def, NULL, error));
    }
    assert_int_equal(crn_model_bodies(model), MANY);
    for (int i = 0; i < MANY; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "b%d", i);
        assert_int_equal(crn_model_find_body(model, name), i);
        assert_true(crn_model_body(model, i)->pose.position.x == (double)i);
    }
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_deep_copies),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_copies_are_the_same),
        cmocka_unit_test(test_failing_allocations),
    };
    return TEST_RUN(tests, argc, argv);
}
