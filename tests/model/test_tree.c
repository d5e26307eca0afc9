/* The tree of a model's joints: order, frames, masses, roots. */
#include <cairn/model.h>

#include "math/rigid.h"
#include "test_allocator.h"
#include "test_support.h"

static int add_body(crn_model *model, const char *name, double mass, crn_vec3 position)
{
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.mass = mass;
    def.inertia = (crn_mat3){{mass, 0, 0, 0, 2 * mass, 0, 0, 0, 2.5 * mass}};
    def.pose.position = position;
    int index = -1;
    crn_error error;
    crn_status status = crn_model_add_body(model, &def, &index, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return index;
}

static void join(crn_model *model, crn_joint_kind kind, int a, int b, crn_vec3 at, double armature)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = kind;
    def.a = a;
    def.b = b;
    def.in_tree = true;
    def.frame_a.position = at;
    def.axis[0].armature = armature;
    crn_error error;
    crn_status status = crn_model_add_joint(model, &def, NULL, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
}

/* Bodies in an order that no tree could have: leaf, root, another tree, middle. */
static crn_model *scene(void)
{
    crn_model *model = NULL;
    assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
    int leaf = add_body(model, "leaf", 1, crn_v3(3, 0, 0)), root = add_body(model, "root", 4, crn_v3(1, 0, 0));
    int other = add_body(model, "other", 2, crn_v3(0, 9, 0)), middle = add_body(model, "middle", 3, crn_v3(2, 0, 0));
    int loose = add_body(model, "loose", 5, crn_v3(0, 0, 9));
    crn_body_def stand = crn_body_def_default();
    stand.kind = CRN_BODY_FIXED;
    stand.pose = (crn_pose){{0, 8, 0}, crn_quat_exp(crn_v3(0, 0, 0.5))};
    int fixed = -1;
    assert_int_equal(crn_model_add_body(model, &stand, &fixed, NULL), CRN_OK);
    join(model, CRN_JOINT_HINGE, middle, leaf, crn_v3(1, 0, 0), 0.25);
    join(model, CRN_JOINT_BALL, fixed, other, crn_v3(0, 1, 0), 0.5);
    join(model, CRN_JOINT_SLIDER, root, middle, crn_v3(1, 0, 0), 0.0);
    (void)loose;
    return model;
}

static void test_floating(void **state)
{
    (void)state;
    crn_model *model = scene();
    crn_error error;
    for (int body = 0; body < 4; body += body == 1 ? 2 : 1) { /* leaf, root, middle: the same tree */
        crn_tree *tree = NULL;
        int *body_of_link = NULL;
        assert_int_equal(crn_model_tree(model, body, NULL, &tree, &body_of_link, &error), CRN_OK);
        assert_int_equal(crn_tree_links(tree), 3);
        assert_int_equal(crn_tree_velocities(tree), 8);
        assert_int_equal(body_of_link[0], 1);
        assert_int_equal(body_of_link[1], 3);
        assert_int_equal(body_of_link[2], 0);
        double q[9];
        crn_frame frame[3];
        crn_tree_rest(tree, q);
        q[0] = 1.0; /* where the root is */
        crn_tree_kinematics(tree, q, NULL, frame, NULL);
        for (int i = 0; i < 3; ++i) {
            crn_vec3 at = crn_model_body(model, body_of_link[i])->pose.position;
            assert_true(crn_v3_length(crn_v3_sub(frame[i].position, at)) <= 1e-15);
        }
        double H[64];
        crn_tree_mass_matrix(tree, q, H);
        assert_true(fabs(H[3 + 8 * 3] - 8.0) <= 1e-14);          /* all masses fly along x */
        assert_true(fabs(H[6 + 8 * 6] - 4.0) <= 1e-14);          /* the slider carries middle and leaf */
        assert_true(fabs(H[7 + 8 * 7] - (2.5 + 0.25)) <= 1e-14); /* the leaf about z, and its motor */
        crn_tree_destroy(tree);
        free(body_of_link);
    }
    crn_model_destroy(model);
}

static void test_on_a_fixed_body(void **state)
{
    (void)state;
    crn_model *model = scene();
    crn_tree *tree = NULL;
    crn_error error;
    assert_int_equal(crn_model_tree(model, 2, NULL, &tree, NULL, &error), CRN_OK);
    assert_int_equal(crn_tree_links(tree), 1);
    double q[4], H[9];
    crn_frame frame;
    crn_tree_rest(tree, q);
    crn_tree_kinematics(tree, q, NULL, &frame, NULL);
    /* the stand's pose and the joint's place on it */
    crn_vec3 at = {-sin(0.5), 8.0 + cos(0.5), 0.0};
    assert_true(crn_v3_length(crn_v3_sub(frame.position, at)) <= 1e-15);
    crn_tree_mass_matrix(tree, q, H);
    assert_true(fabs(H[8] - (5.0 + 0.5)) <= 1e-14); /* armature counts for all turns of a ball */
    assert_true(fabs(H[0] + H[4] - (6.0 + 1.0)) <= 1e-14);
    crn_tree_destroy(tree);
    crn_model_destroy(model);
}

/* Mass and inertia by density, and inertia of the shapes scaled to the mass. */
static void test_mass_of_shapes(void **state)
{
    (void)state;
    for (int given = 0; given < 2; ++given) {
        crn_model *model = NULL;
        assert_int_equal(crn_model_create(NULL, &model, NULL), CRN_OK);
        crn_body_shape box = crn_body_shape_default();
        box.shape = (crn_shape_def){.kind = CRN_SHAPE_BOX, .size = {0.5, 1.0, 1.5}};
        box.density = 2.0;
        box.pose.position = crn_v3(0, 0, 1);
        crn_body_def def = crn_body_def_default();
        def.shape = &box;
        def.shapes = 1;
        def.mass = given ? 6.0 : 0.0;
        def.com = given ? box.pose.position : def.com;
        assert_int_equal(crn_model_add_body(model, &def, NULL, NULL), CRN_OK);
        crn_tree *tree = NULL;
        crn_error error;
        assert_int_equal(crn_model_tree(model, 0, NULL, &tree, NULL, &error), CRN_OK);
        double q[7], H[36], mass = given ? 6.0 : 12.0;
        crn_tree_rest(tree, q);
        crn_tree_mass_matrix(tree, q, H);
        assert_true(fabs(H[3 + 6 * 3] - mass) <= 1e-13);
        assert_true(fabs(H[0] - mass * ((4.0 + 9.0) / 12.0 + 1.0)) <= 1e-13);
        assert_true(fabs(H[14] - mass * (1.0 + 4.0) / 12.0) <= 1e-13);
        crn_tree_destroy(tree);
        crn_model_destroy(model);
    }
}

static void test_wrong(void **state)
{
    (void)state;
    crn_model *model = scene();
    crn_tree *tree = (crn_tree *)&model;
    crn_error error;
    assert_int_equal(crn_model_tree(NULL, 0, NULL, &tree, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_tree(model, 0, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_tree(model, 5, NULL, &tree, NULL, &error), CRN_ERR_ARGUMENT);
    assert_null(tree);
    assert_string_equal(error.text, "body: 5 is no free body of the model");
    assert_int_equal(crn_model_tree(model, -1, NULL, &tree, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_tree(model, 6, NULL, &tree, NULL, &error), CRN_ERR_ARGUMENT);
    /* a leaf without mass: the message names the body, not the link */
    crn_body_def none = crn_body_def_default();
    none.is_massless = true;
    int index = -1;
    assert_int_equal(crn_model_add_body(model, &none, &index, NULL), CRN_OK);
    join(model, CRN_JOINT_HINGE, 0, index, crn_v3(0, 0, 0), 0.0);
    assert_int_equal(crn_model_tree(model, 0, NULL, &tree, NULL, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strncmp(error.text, "bodies[6]", 9) == 0, "%s", error.text);
    crn_model_destroy(model);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    crn_model *model = scene();
    bool is_done = false;
    for (long k = 1; !is_done; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_tree *tree = NULL;
        int *body_of_link = NULL;
        crn_error error;
        crn_status status = crn_model_tree(model, 0, &hooks, &tree, &body_of_link, &error);
        is_done = counter.calls < k;
        assert_int_equal(status, is_done ? CRN_OK : CRN_ERR_MEMORY);
        assert_true((tree != NULL) == is_done && (body_of_link != NULL) == is_done);
        crn_tree_destroy(tree);
        if (body_of_link != NULL) {
            hooks.release(hooks.user, body_of_link);
        }
        assert_int_equal(counter.live, 0);
    }
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floating),
        cmocka_unit_test(test_on_a_fixed_body),
        cmocka_unit_test(test_mass_of_shapes),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return TEST_RUN(tests, argc, argv);
}
