/* URDF: what each element becomes, by hand-worked numbers. */
#include "urdf_case.h"

#include "math/rigid.h"
#include "test_allocator.h"

#define ROBOT(inside) "<robot name='r'>\n" inside "</robot>\n"
#define INERTIAL      "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define LINK(name)    "<link name='" name "'>" INERTIAL "</link>\n"
#define JOINT(name, type, parent, child, inside) \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" inside "</joint>\n"

static void same_turn(crn_quat a, crn_quat b)
{
    double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0 ? -1.0 : 1.0;
    near_to(a.w, sign * b.w, 1e-14);
    near_to(a.x, sign * b.x, 1e-14);
    near_to(a.y, sign * b.y, 1e-14);
    near_to(a.z, sign * b.z, 1e-14);
}

/* Both frames of every joint in a tree, seen from the world: apart by the joint's motion alone. */
static void expect_closed(const crn_model *model)
{
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        if (!joint->in_tree) {
            continue;
        }
        crn_pose a = joint->frame_a;
        if (joint->a >= 0) {
            a = crn_pose_product(&crn_model_body(model, joint->a)->pose, &a);
        }
        crn_pose b = crn_pose_product(&crn_model_body(model, joint->b)->pose, &joint->frame_b);
        crn_vec3 z_a = crn_quat_turn(a.rotation, crn_v3(0, 0, 1)), z_b = crn_quat_turn(b.rotation, crn_v3(0, 0, 1));
        crn_vec3 between = crn_v3_sub(b.position, a.position);
        if (joint->kind == CRN_JOINT_HINGE || joint->kind == CRN_JOINT_SLIDER) {
            near_vector(crn_v3_sub(z_a, z_b), 0, 0, 0);
        }
        double along = joint->kind == CRN_JOINT_SLIDER ? crn_v3_dot(between, z_a) : 0.0;
        near_vector(crn_v3_axpy(between, -along, z_a), 0, 0, 0);
    }
}

/* --- Links --- */

static void test_inertial(void **state)
{
    (void)state;
    /* axes turned by 90 degrees about z: x and y change places */
    crn_model *model = robot_of(ROBOT("<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
                                      "<mass value='2.5'/><inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' "
                                      "izz='2.5'/></inertial></link>"),
                                NULL);
    assert_int_equal(crn_model_bodies(model), 1);
    assert_int_equal(crn_model_joints(model), 0);
    const crn_body_def *a = body_of(model, "a");
    assert_int_equal(a->kind, CRN_BODY_FREE);
    near_to(a->mass, 2.5, 0.0);
    near_vector(a->com, 1, 2, 3);
    const double expected[9] = {2, -0.1, -0.3, -0.1, 1, 0.2, -0.3, 0.2, 2.5};
    for (int k = 0; k < 9; ++k) {
        near_to(a->inertia.m[k], expected[k], 1e-15);
    }
    crn_model_destroy(model);
}

static void test_shapes(void **state)
{
    (void)state;
    crn_robot_options options = crn_robot_options_default();
    options.friction = 0.7;
    crn_model *model =
        robot_of(ROBOT("<link name='a'>" INERTIAL
                       "<collision><origin xyz='0 0 1'/><geometry><box size='2 4 6'/></geometry></collision>"
                       "<collision><geometry><sphere radius='3'/></geometry></collision>"
                       "<collision><geometry><cylinder radius='1' length='5'/></geometry></collision>"
                       "<collision><geometry><capsule radius='1' length='7'/></geometry></collision>"
                       "<contact><restitution value='0.25'/></contact></link>"),
                 &options);
    const crn_body_def *a = body_of(model, "a");
    assert_int_equal(a->shapes, 4);
    const crn_shape_kind kinds[4] = {CRN_SHAPE_BOX, CRN_SHAPE_SPHERE, CRN_SHAPE_CYLINDER, CRN_SHAPE_CAPSULE};
    const crn_vec3 sizes[4] = {{1, 2, 3}, {3, 0, 0}, {1, 2.5, 0}, {1, 3.5, 0}};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(a->shape[i].shape.kind, kinds[i]);
        near_vector(a->shape[i].shape.size, sizes[i].x, sizes[i].y, sizes[i].z);
        near_vector(a->shape[i].pose.position, 0, 0, i == 0 ? 1 : 0);
        near_to(a->shape[i].friction, 0.7, 0.0);
        near_to(a->shape[i].restitution, 0.25, 0.0);
    }
    crn_model_destroy(model);

    model = robot_of(ROBOT("<link name='a'>" INERTIAL "<contact><lateral_friction value='0.9'/></contact>"
                           "<collision><geometry><sphere radius='3'/></geometry></collision></link>"),
                     &options);
    near_to(body_of(model, "a")->shape[0].friction, 0.9, 0.0);
    crn_model_destroy(model);
}

/* Two links at a fixed joint are one body: the sums, with Steiner's terms, worked by hand. */
static void test_fixed_joints_make_one_body(void **state)
{
    (void)state;
    crn_model *model = robot_of(
        ROBOT("<link name='a'><inertial><mass value='3'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
              "<link name='b'><inertial><origin xyz='0 1 0'/><mass value='1'/><inertia ixx='0.5' iyy='0.25' izz='0.5'/>"
              "</inertial><collision><origin xyz='1 0 0'/><geometry><sphere radius='1'/></geometry></collision></link>"
              "<link name='c'/>" JOINT("f", "fixed", "a", "b", "<origin xyz='4 0 0' rpy='0 0 1.5707963267948966'/>")
                  JOINT("g", "fixed", "b", "c", "<origin xyz='0 0 1'/>") LINK("d")
                      JOINT("h", "continuous", "c", "d", "<origin xyz='1 0 0'/><axis xyz='0 0 1'/>")),
        NULL);
    assert_int_equal(crn_model_bodies(model), 2);
    assert_int_equal(crn_model_joints(model), 1);
    const crn_body_def *a = body_of(model, "a");
    near_to(a->mass, 4.0, 1e-15);
    /* b's centre: (4,0,0) + Rz(90) (0,1,0) = (3,0,0); together (3*0 + 1*3) / 4 */
    near_vector(a->com, 0.75, 0, 0);
    /* about it: a 3 * 0.75^2, b 1 * 2.25^2 for y and z; b's own moments with x and y changed */
    near_to(a->inertia.m[0], 1.0 + 0.25, 1e-14);
    near_to(a->inertia.m[4], 1.0 + 0.5 + 3.0 * 0.5625 + 5.0625, 1e-14);
    near_to(a->inertia.m[8], 1.0 + 0.5 + 3.0 * 0.5625 + 5.0625, 1e-14);
    near_to(a->inertia.m[1], 0.0, 1e-14);
    near_vector(a->shape[0].pose.position, 4, 1, 0);
    /* d hangs on c, which stands on b: (4,0,0) + Rz(90) ((0,0,1) + (1,0,0)) */
    near_vector(body_of(model, "d")->pose.position, 4, 1, 1);
    expect_closed(model);
    assert_int_equal(crn_model_find_body(model, "b"), -1);
    /* frames of b and c are sites of a */
    assert_int_equal(crn_model_sites(model), 2);
    const crn_site_def *c = crn_model_site(model, crn_model_find_site(model, "c"));
    assert_true(c != NULL && crn_model_find_site(model, "b") >= 0);
    assert_int_equal(c->body, crn_model_find_body(model, "a"));
    near_vector(c->pose.position, 4, 0, 1);
    near_to(c->pose.rotation.z, 0.70710678118654752, 1e-14);
    crn_model_destroy(model);
}

static void test_inertia_from_shapes(void **state)
{
    (void)state;
    crn_model *model = robot_of(
        ROBOT("<link name='a'><inertial><mass value='3'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/>"
              "</inertial><collision><geometry><box size='1 2 3'/></geometry></collision></link>"),
        NULL);
    crn_tree *tree = NULL;
    crn_error error;
    assert_int_equal(crn_model_tree(model, 0, NULL, &tree, NULL, &error), CRN_OK);
    double q[7], H[36];
    crn_tree_rest(tree, q);
    crn_tree_mass_matrix(tree, q, H);
    near_to(H[0], 3.0 / 12.0 * (4.0 + 9.0), 1e-14);
    near_to(H[7], 3.0 / 12.0 * (1.0 + 9.0), 1e-14);
    near_to(H[14], 3.0 / 12.0 * (1.0 + 4.0), 1e-14);
    near_to(H[21], 3.0, 1e-14);
    crn_tree_destroy(tree);
    crn_model_destroy(model);
}

/* --- Joints --- */

static void test_kinds(void **state)
{
    (void)state;
    crn_model *model = robot_of(
        ROBOT(LINK("a") LINK("b") LINK("c") LINK("d") LINK("e") LINK("f") LINK("g")
                  JOINT("turn", "revolute", "a", "b",
                        "<limit lower='-1' upper='2' effort='5' velocity='3'/><dynamics damping='0.1' friction='0.2'/>")
                      JOINT("wheel", "continuous", "b", "c", "<axis xyz='0 -3 0'/><limit effort='0' velocity='3'/>")
                          JOINT("slide", "prismatic", "c", "d", "<axis xyz='0 0 -1'/><limit lower='0' upper='1'/>")
                              JOINT("ball", "spherical", "d", "e", "<dynamics damping='0.5'/>")
                                  JOINT("plane", "planar", "e", "f", "<axis xyz='0 0.6 0.8'/>")
                                      JOINT("loose", "floating", "f", "g", "")),
        NULL);
    assert_int_equal(crn_model_bodies(model), 7);
    assert_int_equal(crn_model_joints(model), 5);
    const crn_joint_def *turn = joint_of(model, "turn"), *wheel = joint_of(model, "wheel"),
                        *slide = joint_of(model, "slide"), *ball = joint_of(model, "ball"),
                        *plane = joint_of(model, "plane");
    assert_int_equal(turn->kind, CRN_JOINT_HINGE);
    near_to(turn->axis[0].lower, -1, 0);
    near_to(turn->axis[0].upper, 2, 0);
    near_to(turn->axis[0].max_force, 5, 0);
    near_to(turn->axis[0].damping, 0.1, 0);
    near_to(turn->axis[0].friction, 0.2, 0);
    assert_false(turn->axis[0].has_motor);
    near_vector(crn_quat_turn(turn->frame_a.rotation, crn_v3(0, 0, 1)), 1, 0, 0); /* the default axis */
    assert_int_equal(wheel->kind, CRN_JOINT_HINGE);
    assert_true(wheel->axis[0].lower > wheel->axis[0].upper && wheel->axis[0].max_force == INFINITY);
    near_vector(crn_quat_turn(wheel->frame_a.rotation, crn_v3(0, 0, 1)), 0, -1, 0);
    assert_int_equal(slide->kind, CRN_JOINT_SLIDER);
    near_vector(crn_quat_turn(slide->frame_b.rotation, crn_v3(0, 0, 1)), 0, 0, -1);
    assert_int_equal(ball->kind, CRN_JOINT_BALL);
    near_to(ball->axis[0].damping, 0.5, 0);
    assert_int_equal(plane->kind, CRN_JOINT_PLANAR);
    near_vector(crn_quat_turn(plane->frame_b.rotation, crn_v3(0, 0, 1)), 0, 0.6, 0.8);
    for (int i = 0; i < 5; ++i) {
        assert_true(crn_model_joint(model, i)->in_tree);
    }
    crn_model_destroy(model);
}

static void test_axes_of_all_directions(void **state)
{
    (void)state;
    crn_random random = test_random("test_axes_of_all_directions", 5);
    for (int round = 0; round < 300; ++round) {
        crn_vec3 axis = {crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random)};
        if (round < 26) { /* corners, edges and sides of a cube */
            int code = round < 13 ? round : round + 1;
            axis = crn_v3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
        }
        char text[1024];
        (void)snprintf(text, sizeof text,
                       ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b",
                                                       "<origin rpy='0.3 -0.4 2'/><axis xyz='%.17g %.17g %.17g'/>")),
                       axis.x, axis.y, axis.z);
        crn_model *model = robot_of(text, NULL);
        const crn_joint_def *joint = joint_of(model, "j");
        crn_vec3 unit = crn_v3_unit(axis);
        near_vector(crn_quat_turn(joint->frame_b.rotation, crn_v3(0, 0, 1)), unit.x, unit.y, unit.z);
        expect_closed(model);
        /* all coordinates 0: the whole of both frames, not only z */
        crn_pose a = crn_pose_product(&crn_model_body(model, 0)->pose, &joint->frame_a),
                 b = crn_pose_product(&crn_model_body(model, 1)->pose, &joint->frame_b);
        same_turn(a.rotation, b.rotation);
        crn_model_destroy(model);
    }
}

/* roll, pitch, yaw about fixed axes: Rz Ry Rx, against matrices. */
static void test_rpy(void **state)
{
    (void)state;
    crn_model *model = robot_of(
        ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<origin xyz='1 2 3' rpy='0.3 -0.7 1.9'/>")),
        NULL);
    double r = 0.3, p = -0.7, y = 1.9;
    crn_mat3 x = {{1, 0, 0, 0, cos(r), sin(r), 0, -sin(r), cos(r)}},
             pitch = {{cos(p), 0, -sin(p), 0, 1, 0, sin(p), 0, cos(p)}},
             z = {{cos(y), sin(y), 0, -sin(y), cos(y), 0, 0, 0, 1}};
    crn_mat3 zy = crn_m3_product(&z, &pitch), whole = crn_m3_product(&zy, &x);
    crn_mat3 found = crn_quat_matrix(body_of(model, "b")->pose.rotation);
    for (int k = 0; k < 9; ++k) {
        near_to(found.m[k], whole.m[k], 1e-15);
    }
    near_vector(body_of(model, "b")->pose.position, 1, 2, 3);
    crn_model_destroy(model);
}

/* Limits that 0 is outside of: the joint starts at the nearest; what hangs on it goes along. */
static void test_starts_inside_limits(void **state)
{
    (void)state;
    crn_model *model =
        robot_of(ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "revolute", "a", "b",
                                                           "<axis xyz='0 0 1'/><limit lower='0.5' upper='2'/>")
                           JOINT("k", "prismatic", "b", "c", "<origin xyz='1 0 0'/><limit lower='-3' upper='-2'/>")),
                 NULL);
    same_turn(body_of(model, "b")->pose.rotation, crn_quat_exp(crn_v3(0, 0, 0.5)));
    near_vector(body_of(model, "c")->pose.position, -cos(0.5), -sin(0.5), 0);
    expect_closed(model);
    crn_model_destroy(model);
}

static void test_mimic(void **state)
{
    (void)state;
    crn_model *model =
        robot_of(ROBOT(LINK("a") LINK("b") LINK("c") LINK("d")
                           JOINT("third", "revolute", "a", "d",
                                 "<limit lower='-9' upper='9'/><mimic joint='second' multiplier='-1' offset='2'/>")
                               JOINT("second", "revolute", "a", "c",
                                     "<limit lower='-9' upper='9'/><mimic joint='first' multiplier='3' offset='0.5'/>")
                                   JOINT("first", "revolute", "a", "b", "<limit lower='0.25' upper='9'/>")),
                 NULL);
    int first = crn_model_find_joint(model, "first");
    const crn_joint_axis *second = &joint_of(model, "second")->axis[0], *third = &joint_of(model, "third")->axis[0];
    assert_int_equal(second->follows, 1 + first);
    near_to(second->ratio, 3, 0);
    near_to(second->shift, 0.5, 0);
    assert_int_equal(third->follows, 1 + first); /* not of the follower between them */
    near_to(third->ratio, -3, 0);
    near_to(third->shift, 1.5, 0);
    same_turn(body_of(model, "c")->pose.rotation, crn_quat_exp(crn_v3(1.25, 0, 0)));
    same_turn(body_of(model, "d")->pose.rotation, crn_quat_exp(crn_v3(0.75, 0, 0)));
    assert_int_equal(joint_of(model, "first")->axis[0].follows, 0);
    crn_model_destroy(model);
}

/* --- The base, names, who touches whom --- */

#define BALL "<collision><geometry><sphere radius='1'/></geometry></collision>"

static void test_base(void **state)
{
    (void)state;
    const char *text = ROBOT("<link name='a'>" INERTIAL BALL "</link>" LINK("b")
                                 JOINT("j", "continuous", "a", "b", "<origin xyz='1 0 0'/>"));
    crn_robot_options options = crn_robot_options_default();
    options.pose = (crn_pose){{0, 0, 5}, crn_quat_exp(crn_v3(0, 0, 0.5))};
    crn_model *model = robot_of(text, &options);
    assert_int_equal(body_of(model, "a")->kind, CRN_BODY_FREE);
    near_vector(body_of(model, "a")->pose.position, 0, 0, 5);
    near_vector(body_of(model, "b")->pose.position, cos(0.5), sin(0.5), 5);
    crn_model_destroy(model);

    options.is_fixed = true;
    model = robot_of(text, &options);
    assert_int_equal(body_of(model, "a")->kind, CRN_BODY_FIXED);
    assert_int_equal(body_of(model, "b")->kind, CRN_BODY_FREE);
    assert_int_equal(joint_of(model, "j")->a, 0);
    expect_closed(model);
    crn_model_destroy(model);

    /* a root that nothing can touch leaves no body */
    model = robot_of(ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<origin xyz='1 0 0'/>")), &options);
    assert_int_equal(crn_model_bodies(model), 1);
    assert_int_equal(joint_of(model, "j")->a, -1);
    near_vector(joint_of(model, "j")->frame_a.position, cos(0.5), sin(0.5), 5);
    expect_closed(model);
    crn_model_destroy(model);
}

static void test_world_is_the_world(void **state)
{
    (void)state;
    crn_model *model = robot_of(ROBOT("<link name='world'/><link name='stand'>" BALL "</link>" LINK("b")
                                          JOINT("f", "fixed", "world", "stand", "<origin xyz='0 0 1'/>")
                                              JOINT("j", "continuous", "stand", "b", "")),
                                NULL);
    assert_int_equal(crn_model_bodies(model), 2);
    assert_int_equal(body_of(model, "stand")->kind, CRN_BODY_FIXED);
    near_vector(body_of(model, "b")->pose.position, 0, 0, 1);
    expect_closed(model);
    crn_model_destroy(model);

    /* a floor on the world is not of the robot: links touch it */
    model = robot_of(ROBOT("<link name='world'>" BALL "</link><link name='b'>" INERTIAL BALL
                           "</link>" JOINT("j", "floating", "world", "b", "<origin xyz='0 0 3'/>")),
                     NULL);
    assert_int_equal(crn_model_bodies(model), 2);
    assert_int_equal(crn_model_joints(model), 0);
    const crn_body_shape *floor = &crn_model_body(model, 0)->shape[0], *ball = &body_of(model, "b")->shape[0];
    assert_null(crn_model_body(model, 0)->name); /* "world" means something else in scene files */
    assert_true((floor->group & ball->mask) != 0 && (ball->group & floor->mask) != 0);
    near_vector(body_of(model, "b")->pose.position, 0, 0, 3);
    crn_model_destroy(model);
}

static void test_massless_root_is_fixed_and_said(void **state)
{
    (void)state;
    said all = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.warn = listen_to;
    options.user = &all;
    crn_model *model =
        robot_of(ROBOT("<link name='a'>" BALL "</link>" LINK("b") JOINT("j", "continuous", "a", "b", "")), &options);
    assert_int_equal(body_of(model, "a")->kind, CRN_BODY_FIXED);
    assert_int_equal(all.count, 1);
    assert_string_equal(all.text[0], "r.urdf:2: <link>: 'a' is the root and has no mass: it is fixed to the world");
    crn_model_destroy(model);
    /* with mass behind a fixed joint it floats */
    model =
        robot_of(ROBOT("<link name='a'/>" LINK("b") JOINT("j", "fixed", "a", "b", "<origin xyz='0 0 1'/>")), &options);
    assert_int_equal(crn_model_bodies(model), 1);
    assert_int_equal(body_of(model, "a")->kind, CRN_BODY_FREE);
    near_vector(body_of(model, "a")->com, 0, 0, 1);
    assert_int_equal(all.count, 1);
    crn_model_destroy(model);
}

/* Two joints with nothing between them: a link without mass, which trees can have. */
static void test_massless_link_between_joints(void **state)
{
    (void)state;
    crn_model *model =
        robot_of(ROBOT(LINK("a") "<link name='x'/>" LINK("b") JOINT("j", "continuous", "a", "x", "<axis xyz='1 0 0'/>")
                           JOINT("k", "continuous", "x", "b", "<axis xyz='0 1 0'/>")),
                 NULL);
    assert_int_equal(crn_model_bodies(model), 3);
    assert_true(body_of(model, "x")->is_massless);
    crn_model_destroy(model);
}

static bool touch(const crn_body_def *a, const crn_body_def *b)
{
    return (a->shape[0].group & b->shape[0].mask) != 0 && (b->shape[0].group & a->shape[0].mask) != 0;
}

static void test_who_touches_whom(void **state)
{
    (void)state;
    const char *text = ROBOT("<link name='a'>" INERTIAL BALL "</link><link name='b'>" INERTIAL BALL
                             "</link>" JOINT("j", "continuous", "a", "b", ""));
    crn_model *model = new_model();
    crn_robot_options options = crn_robot_options_default();
    crn_error error;
    char prefix[16];
    options.prefix = prefix;
    for (int i = 0; i < 40; ++i) { /* more robots than bits */
        (void)snprintf(prefix, sizeof prefix, "r%d/", i);
        crn_status status = crn_io_read_urdf_text(text, strlen(text), "r.urdf", &options, model, &error);
        TEST_CHECK(status == CRN_OK, "%s", error.text);
    }
    crn_body_shape usual = crn_body_shape_default();
    crn_body_def other = crn_body_def_default();
    other.shape = &usual;
    other.shapes = 1;
    for (int i = 0; i < 80; ++i) {
        assert_true(touch(crn_model_body(model, i), &other));
        for (int j = 0; j < i; ++j) {
            bool is_same = i / 2 == j / 2, has_bit = i < 64;
            assert_true(touch(crn_model_body(model, i), crn_model_body(model, j)) == !(is_same && has_bit));
        }
    }
    /* where bits have run out, joints that hold nothing keep links apart */
    int apart = 0;
    for (int i = 0; i < crn_model_joints(model); ++i) {
        apart += crn_model_joint(model, i)->kind == CRN_JOINT_FREE;
    }
    assert_int_equal(apart, 8);
    assert_int_equal(crn_model_find_body(model, "r7/b"), 15);
    assert_int_equal(joint_of(model, "r7/j")->b, 15);
    crn_model_destroy(model);

    options.self_collision = true;
    model = robot_of(text, &options);
    assert_true(touch(crn_model_body(model, 0), crn_model_body(model, 1)));
    assert_false(crn_model_joint(model, 0)->bodies_collide);
    crn_model_destroy(model);
}

/* --- Warnings --- */

static void test_warnings_are_said_once(void **state)
{
    (void)state;
    said all = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.warn = listen_to;
    options.user = &all;
    crn_model *model = robot_of("<robot name='r' xmlns:xacro='x'>\n<gazebo/><gazebo reference='a'/>\n<material "
                                "name='m'><color rgba='1'/></material>\n"
                                "<link name='a' odd='1'>" INERTIAL "<visual/><sensor/></link>\n<transmission/>\n" LINK(
                                    "b") "<joint name='j' type='revolute'><parent link='a'/><child "
                                         "link='b'/>\n<safety_controller k='1'/><calibration/></joint>"
                                         "</robot>",
                                &options);
    const char *expected[] = {"r.urdf:4: <sensor>: is not supported and left out",
                              "r.urdf:4: <link> odd: is not supported and left out",
                              "r.urdf:7: <joint>: 'j' has no <limit>: it turns or slides without end",
                              "r.urdf:8: <safety_controller>: is not supported and left out",
                              "r.urdf:8: <calibration>: is not supported and left out",
                              "r.urdf:2: <gazebo>: is not supported and left out",
                              "r.urdf:5: <transmission>: is not supported and left out"};
    for (int i = 0; i < all.count && i < 7; ++i) {
        assert_string_equal(all.text[i], expected[i]);
    }
    assert_int_equal(all.count, 7);
    crn_model_destroy(model);

    /* many different things: a hundred of them, and that there are more */
    char *text = malloc(200 * 16 + 200);
    assert_non_null(text);
    int at = sprintf(text, "<robot>" LINK("a"));
    for (int i = 0; i < 200; ++i) {
        at += sprintf(text + at, "<x%d/>", i);
    }
    (void)sprintf(text + at, "</robot>");
    all.count = 0;
    model = robot_of(text, &options);
    assert_int_equal(all.count, 101);
    assert_non_null(strstr(all.text[100], "there is more to say"));
    crn_model_destroy(model);
    free(text);
}

/* --- Memory --- */

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    const char *text =
        ROBOT("<link name='a'>" INERTIAL BALL BALL "</link><link name='b'>" INERTIAL BALL
              "</link>" JOINT("j", "continuous", "a", "b", "") "<link name='c'/>" JOINT("f", "fixed", "b", "c", ""));
    bool is_done = false;
    for (long k = 1; !is_done; ++k) {
        test_allocator counter = {0};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_model *model = NULL;
        crn_error error;
        assert_int_equal(crn_model_create(&hooks, &model, NULL), CRN_OK);
        long before = counter.calls;
        counter.fail_at = before + k;
        crn_status status = crn_io_read_urdf_text(text, strlen(text), "r.urdf", NULL, model, &error);
        is_done = counter.calls < before + k;
        TEST_CHECK(status == (is_done ? CRN_OK : CRN_ERR_MEMORY), "%ld: %s", k, error.text);
        assert_true(is_done || error.text[0] != '\0');
        crn_model_destroy(model);
        assert_int_equal(counter.live, 0);
    }
}

/* Mistakes of exporters that leave no doubt what is meant: taken, and told. */
static void test_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
        int bodies, joints, sites;
    } list[] = {
        {LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit lower='1' upper='0'/>"),
         "<limit>: lower is above upper: 1 and 0: the joint has no limits", 2, 1, 0},
        {LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "<mimic joint='j'/>"),
         "<mimic>: 'j' is fixed, and follows nothing: left out", 1, 0, 1},
        {LINK("a") LINK("b") LINK("c") JOINT("j", "continuous", "a", "b", "<mimic joint='k' offset='0.5'/>")
             JOINT("k", "fixed", "a", "c", ""),
         "<mimic> joint: 'k' is fixed: the joint is held at its offset", 2, 1, 1},
        {LINK("a") "<link name='b'/>" JOINT("j", "continuous", "a", "b", ""),
         "<joint>: 'j' moves nothing that has mass: it is taken as fixed", 1, 0, 1},
        {LINK("a") "<link name='b'/><link name='c'><inertial><mass value='0'/></inertial></link>" JOINT(
             "j", "continuous", "a", "b", "") JOINT("k", "continuous", "b", "c", ""),
         "<joint>: 'k' moves nothing that has mass: it is taken as fixed", 1, 0, 2},
        {LINK("a") "<link name='x'/>" LINK("b") JOINT("j", "continuous", "a", "x", "")
             JOINT("k", "floating", "x", "b", ""),
         "<joint>: 'j' moves nothing that has mass: it is taken as fixed", 2, 0, 1},
        {"<link name='a'><inertial><mass value='1'/><inertia ixx='-5e-20' iyy='1' izz='1'/></inertial></link>",
         "<inertia> ixx: -5e-20 is taken as 0", 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        said all = {.count = 0};
        crn_robot_options options = crn_robot_options_default();
        options.warn = listen_to;
        options.user = &all;
        char text[4000];
        (void)snprintf(text, sizeof text, "<robot name='r'>%s</robot>", list[i].text);
        if (i == 6) { /* an inertia about one axis less is no body's, unless another link adds some */
            (void)snprintf(text, sizeof text, "<robot name='r'>%s%s%s</robot>", list[i].text, LINK("b"),
                           JOINT("f", "fixed", "a", "b", ""));
        }
        crn_model *model = robot_of(text, &options);
        TEST_CHECK(all.count >= 1 && strstr(all.text[0], list[i].told) != NULL, "%zu: '%s'", i, all.text[0]);
        assert_int_equal(crn_model_bodies(model), list[i].bodies);
        assert_int_equal(crn_model_joints(model), list[i].joints);
        assert_int_equal(crn_model_sites(model), list[i].sites + (i == 6 ? 1 : 0));
        crn_model_destroy(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inertial),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_fixed_joints_make_one_body),
        cmocka_unit_test(test_inertia_from_shapes),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_axes_of_all_directions),
        cmocka_unit_test(test_rpy),
        cmocka_unit_test(test_starts_inside_limits),
        cmocka_unit_test(test_mimic),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_base),
        cmocka_unit_test(test_world_is_the_world),
        cmocka_unit_test(test_massless_root_is_fixed_and_said),
        cmocka_unit_test(test_massless_link_between_joints),
        cmocka_unit_test(test_who_touches_whom),
        cmocka_unit_test(test_warnings_are_said_once),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return TEST_RUN(tests, argc, argv);
}
