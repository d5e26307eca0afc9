/* Joints in trees: which are accepted, alone and in a model; links without mass; who follows whom; what a copy keeps. */
#include "model/model_room.h"

#include "check_case.h"

#include <math.h>

/* --- A joint alone --- */

static crn_joint_def joint;

static void fresh_joint(crn_joint_kind kind, int a, int b)
{
    joint = crn_joint_def_default();
    joint.kind = kind;
    joint.a = a;
    joint.b = b;
    joint.in_tree = true;
}

#define WRONG_JOINT(kind_, change, message)                              \
    do {                                                                 \
        fresh_joint(kind_, -1, 0);                                       \
        change;                                                          \
        EXPECT(crn_joint_def_check(&joint, false, "j", error), message); \
    } while (0)
#define GOOD_JOINT(kind_, change)                               \
    do {                                                        \
        fresh_joint(kind_, -1, 0);                              \
        change;                                                 \
        ACCEPT(crn_joint_def_check(&joint, false, "j", error)); \
    } while (0)

static void test_axes(void **state)
{
    (void)state;
    for (int kind = 0; kind < CRN_JOINT_KIND_COUNT; ++kind) {
        if (kind != CRN_JOINT_DISTANCE) {
            GOOD_JOINT((crn_joint_kind)kind, (void)0);
            ACCEPT(crn_joint_def_check(
                &joint, kind != CRN_JOINT_UNIVERSAL && kind != CRN_JOINT_PLANAR && kind != CRN_JOINT_SLIDER, "j",
                error));
        }
    }
    WRONG_JOINT(CRN_JOINT_DISTANCE, joint.length = 1, "j.in_tree: distance joints cannot be in a tree");
    GOOD_JOINT(CRN_JOINT_HINGE, joint.axis[0].stiffness = 1e8; joint.axis[0].damping = 2;
               joint.axis[0].spring_limit = 3; joint.axis[0].armature = 4; joint.axis[0].follows = 9;
               joint.axis[0].force.amplitude = 1);
    GOOD_JOINT(CRN_JOINT_HINGE, joint.in_tree = false; joint.axis[0].force.value = 1);
    GOOD_JOINT(CRN_JOINT_HINGE, joint.axis[0].ratio = NAN); /* it follows none */
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].stiffness = -1, "j.spring.stiffness: must be >= 0, but is -1");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].damping = NAN, "j.spring.damping: must be >= 0, but is nan");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].damping = INFINITY, "j.spring.damping: must be finite, but is inf");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].spring_limit = -1, "j.spring.limit: must be >= 0, but is -1");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].armature = -1, "j.armature: must be >= 0, but is -1");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].force.phase = NAN, "j.force.phase: must be finite, but is nan");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].follows = -1,
                "j.follows: must be 0 or 1 + the index of a joint, but is -1");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[0].follows = 1;
                joint.axis[0].ratio = INFINITY, "j.follows.ratio: must be finite, but is inf");
    WRONG_JOINT(CRN_JOINT_UNIVERSAL, joint.axis[1].follows = 1;
                joint.axis[1].shift = NAN, "j.axes[1].follows.shift: must be finite, but is nan");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.in_tree = false;
                joint.axis[0].damping = 1, "j.spring: is for joints in trees only");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.in_tree = false;
                joint.axis[0].armature = 1, "j.armature: is for joints in trees only");
    WRONG_JOINT(CRN_JOINT_UNIVERSAL, joint.in_tree = false;
                joint.axis[0].follows = 1, "j.axes[0].follows: is for joints in trees only");
    WRONG_JOINT(CRN_JOINT_HINGE, joint.axis[1].armature = 1,
                "j.axes[1]: force, spring, armature or follows, but hinge joints have 1 coordinates");
    WRONG_JOINT(CRN_JOINT_FREE, joint.axis[0].damping = 1,
                "j.axes[0]: force, spring, armature or follows, but free joints have 0 coordinates");
    WRONG_JOINT(CRN_JOINT_DISTANCE, joint.in_tree = false; joint.length = 1;
                joint.axis[0].force.value = 1,
                "j.force: is for distance joints with limits only: this one is held at its length");
}

static void test_balls(void **state)
{
    (void)state;
    GOOD_JOINT(CRN_JOINT_BALL, joint.axis[0].friction = 1; joint.axis[0].stiffness = 2; joint.axis[0].damping = 3;
               joint.axis[0].spring_limit = 4; joint.axis[0].armature = 5);
    WRONG_JOINT(CRN_JOINT_BALL, joint.axis[0].friction = -1, "j.friction: must be >= 0, but is -1");
    WRONG_JOINT(CRN_JOINT_BALL, joint.axis[0].lower = joint.axis[0].upper = 0,
                "j.limits: needs a coordinate, and ball joints have none");
    WRONG_JOINT(CRN_JOINT_BALL, joint.axis[0].has_motor = true,
                "j.motor: needs a coordinate, and ball joints have none");
    WRONG_JOINT(CRN_JOINT_BALL, joint.axis[0].target.value = 1,
                "j.spring.target: needs a coordinate, and ball joints have none");
    WRONG_JOINT(CRN_JOINT_BALL, joint.axis[0].force.value = 1,
                "j.force: needs a coordinate, and ball joints have none");
    WRONG_JOINT(CRN_JOINT_BALL, joint.axis[0].follows = 1, "j.follows: needs a coordinate, and ball joints have none");
    WRONG_JOINT(CRN_JOINT_BALL, joint.axis[1].friction = 1,
                "j.axes[1]: limits, motor or friction, but ball joints have 0 coordinates");
    WRONG_JOINT(CRN_JOINT_BALL, joint.in_tree = false;
                joint.axis[0].damping = 1,
                "j.axes[0]: force, spring, armature or follows, but ball joints have 0 coordinates");
}

/* --- Links without mass --- */

static crn_body_def massless(void)
{
    crn_body_def body = crn_body_def_default();
    body.is_massless = true;
    return body;
}

#define WRONG_MASSLESS(change, message)                                \
    do {                                                               \
        crn_body_def body = massless();                                \
        change;                                                        \
        EXPECT(crn_body_def_check(&body, false, "b", error), message); \
    } while (0)

static void test_massless(void **state)
{
    (void)state;
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def plain = massless();
    ACCEPT(crn_body_def_check(&plain, false, "b", error));
    ACCEPT(crn_body_def_check(&plain, true, "b", error));
    WRONG_MASSLESS(body.kind = CRN_BODY_FIXED, "b.massless: is for free bodies only");
    WRONG_MASSLESS(body.mass = 1, "b.mass: must be 0 for a massless body, but is 1");
    WRONG_MASSLESS(body.com.x = 1, "b.com: is of use with mass only");
    WRONG_MASSLESS(body.inertia = ((crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}}), "b.inertia: is of use with mass only");
    WRONG_MASSLESS(body.shape = &shape; body.shapes = 1, "b.shapes: a massless body has none");
}

/* --- In a model --- */

/* Bodies 0 .. free-1 free, then a fixed and a driven one. */
static crn_model *model_of(int free)
{
    crn_model *model = NULL;
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def body = crn_body_def_default();
    body.shape = &shape;
    body.shapes = 1;
    ACCEPT(crn_model_create(NULL, &model, error));
    for (int i = 0; i < free + 2; ++i) {
        body.kind = i < free ? CRN_BODY_FREE : i == free ? CRN_BODY_FIXED : CRN_BODY_DRIVEN;
        ACCEPT(crn_model_add_body(model, &body, NULL, error));
    }
    return model;
}

static void join(crn_model *model, crn_joint_kind kind, int a, int b)
{
    fresh_joint(kind, a, b);
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
}

#define REFUSE(kind, a, b, message)                                       \
    do {                                                                  \
        fresh_joint(kind, a, b);                                          \
        EXPECT(crn_model_add_joint(model, &joint, NULL, error), message); \
    } while (0)

static void test_loops(void **state)
{
    (void)state;
    crn_model *model = model_of(6);
    enum { FIXED = 6, DRIVEN = 7 };
    REFUSE(CRN_JOINT_HINGE, 0, -1, "joints[0].b: must be a free body, as the joint is in a tree");
    REFUSE(CRN_JOINT_HINGE, 0, FIXED, "joints[0].b: must be a free body, as the joint is in a tree");
    REFUSE(CRN_JOINT_HINGE, 0, 0, "joints[0].b: 0 is body a too");
    join(model, CRN_JOINT_HINGE, 1, 2); /* leaves first: 0 - 1 - 2, 1 - 3 */
    join(model, CRN_JOINT_BALL, 1, 3);
    REFUSE(CRN_JOINT_HINGE, 0, 2, "joints[2].b: body 2 is a link by joints[0] already");
    REFUSE(CRN_JOINT_HINGE, 2, 1, "joints[2].in_tree: joints in a tree must not make a loop");
    join(model, CRN_JOINT_FIXED, 0, 1);
    REFUSE(CRN_JOINT_HINGE, 3, 0, "joints[3].in_tree: joints in a tree must not make a loop");
    REFUSE(CRN_JOINT_FREE, 4, 0,
           "joints[3].a: a free joint in a tree begins at the world or at a body that is not free");
    fresh_joint(CRN_JOINT_HINGE, 3, 0);
    joint.in_tree = false;
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error)); /* a loop joint */
    join(model, CRN_JOINT_SLIDER, FIXED, 0);
    REFUSE(CRN_JOINT_HINGE, DRIVEN, 0, "joints[5].b: body 0 is a link by joints[4] already");
    join(model, CRN_JOINT_FREE, DRIVEN, 4);
    join(model, CRN_JOINT_PLANAR, -1, 5);
    assert_int_equal(crn_model_check(model, NULL), CRN_OK);
    crn_model_destroy(model);
}

/* A joint that holds nothing only keeps two bodies from touching. */
static void test_free_joints(void **state)
{
    (void)state;
    crn_model *model = model_of(1);
    fresh_joint(CRN_JOINT_FREE, 1, 2); /* fixed and driven */
    joint.in_tree = false;
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
    joint.a = -1;
    joint.b = 0;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error),
           "joints[1].a: a free joint that is not in a tree is between two bodies");
    joint.a = 0;
    joint.b = -1;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error),
           "joints[1].b: a free joint that is not in a tree is between two bodies");
    crn_model_destroy(model);
}

static void test_follows(void **state)
{
    (void)state;
    crn_model *model = model_of(6);
    fresh_joint(CRN_JOINT_HINGE, 0, 1);
    joint.axis[0].follows = 1;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[0].follows: joint 0 is the joint itself");
    joint.axis[0].follows = 3; /* joint 2, to come */
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
    EXPECT(crn_model_check(model, error), "joints[0].follows: joint 2 does not exist");
    join(model, CRN_JOINT_BALL, 1, 2);
    fresh_joint(CRN_JOINT_HINGE, 1, 3);
    joint.axis[0].follows = 2;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[2].follows: joint 1 has no coordinate");
    fresh_joint(CRN_JOINT_HINGE, 2, 4);
    joint.in_tree = false;
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
    EXPECT(crn_model_check(model, error), "joints[0].follows: joint 2 is not in a tree");
    fresh_joint(CRN_JOINT_UNIVERSAL, 1, 3);
    joint.axis[1].follows = 3;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[3].axes[1].follows: joint 2 is not in a tree");
    joint.axis[1].follows = 1;
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
    crn_model_destroy(model);
}

static void test_massless_links(void **state)
{
    (void)state;
    crn_model *model = model_of(1);
    crn_body_def body = massless();
    ACCEPT(crn_model_add_body(model, &body, NULL, error));
    ACCEPT(crn_model_add_body(model, &body, NULL, error));
    join(model, CRN_JOINT_HINGE, -1, 3);
    EXPECT(crn_model_check(model, error), "bodies[4].massless: is for links only: b of a joint in a tree");
    join(model, CRN_JOINT_HINGE, 3, 4);
    assert_int_equal(crn_model_check(model, NULL), CRN_OK);
    crn_model_destroy(model);
}

/* Chains of many links, from the root, from the leaves and from the middle: the last joint would close each. */
static void test_long_chains(void **state)
{
    (void)state;
    enum { LINKS = 2000 };
    for (int way = 0; way < 3; ++way) {
        crn_model *model = model_of(LINKS);
        for (int i = 0; i < LINKS - 1; ++i) {
            int step = way == 0 ? i : way == 1 ? LINKS - 2 - i : (i + LINKS / 2) % (LINKS - 1);
            join(model, CRN_JOINT_BALL, step, step + 1);
        }
        REFUSE(CRN_JOINT_BALL, LINKS - 1, 0, "joints[1999].in_tree: joints in a tree must not make a loop");
        REFUSE(CRN_JOINT_BALL, LINKS / 3, 0, "joints[1999].in_tree: joints in a tree must not make a loop");
        join(model, CRN_JOINT_HINGE, -1, 0);
        crn_model_destroy(model);
    }
}

/* --- What a copy keeps --- */

static void test_copies(void **state)
{
    (void)state;
    crn_model *model = model_of(2);
    double times[] = {0, 1}, values[] = {2, 3};
    fresh_joint(CRN_JOINT_BALL, -1, 0);
    crn_joint_axis *axis = &joint.axis[0];
    axis->friction = 1;
    axis->stiffness = 2;
    axis->damping = 3;
    axis->spring_limit = 4;
    axis->armature = 5;
    axis->ratio = 6;
    axis->max_force = 7;
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
    fresh_joint(CRN_JOINT_HINGE, 0, 1);
    axis->force = (crn_profile){.times = times, .values = values, .count = 2};
    axis->ratio = NAN; /* it follows none */
    axis->shift = 1;
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
    values[1] = 9;
    const crn_joint_axis *ball = &crn_model_joint(model, 0)->axis[0], *hinge = &crn_model_joint(model, 1)->axis[0];
    assert_true(ball->friction == 1 && ball->stiffness == 2 && ball->damping == 3 && ball->spring_limit == 4);
    assert_true(ball->armature == 5 && ball->ratio == 1 && ball->max_force == INFINITY);
    assert_true(crn_model_joint(model, 0)->in_tree && crn_model_joint(model, 1)->in_tree);
    assert_true(crn_profile_at(&hinge->force, 1) == 3 && hinge->ratio == 1 && hinge->shift == 0);
    crn_model_destroy(model);
}

/* Names of schemes, and what a world may say of trees. */
static void test_worlds(void **state)
{
    (void)state;
    for (int i = 0; i < CRN_INTEGRATOR_COUNT; ++i) {
        crn_integrator found = CRN_INTEGRATOR_COUNT;
        assert_true(crn_integrator_find(crn_integrator_name((crn_integrator)i), &found));
        assert_int_equal(found, i);
    }
    assert_null(crn_integrator_name((crn_integrator)CRN_INTEGRATOR_COUNT));
    assert_false(crn_integrator_find("verlet", &(crn_integrator){0}));
    crn_world_def world = crn_world_def_default();
    world.integrator = (crn_integrator)CRN_INTEGRATOR_COUNT;
    EXPECT(crn_world_def_check(&world, "world", error), "world.integrator: 4 is unknown");
    world = crn_world_def_default();
    world.drift_turn = -1;
    EXPECT(crn_world_def_check(&world, "world", error), "world.drift_turn: must be >= 0, but is -1");
    world = crn_world_def_default();
    world.repair_tolerance = INFINITY;
    EXPECT(crn_world_def_check(&world, "world", error), "world.repair_tolerance: must be finite, but is inf");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),           cmocka_unit_test(test_balls),       cmocka_unit_test(test_massless),
        cmocka_unit_test(test_loops),          cmocka_unit_test(test_free_joints), cmocka_unit_test(test_follows),
        cmocka_unit_test(test_massless_links), cmocka_unit_test(test_long_chains), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_worlds),
    };
    return TEST_RUN(tests, argc, argv);
}
