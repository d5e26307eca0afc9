/* What a caller must not give: refused when it is given, and nothing has changed. */
#include "world_case.h"

static const double h = 0.01;

/* A floor, a box, a hinged box in a tree and a load: something of each kind. */
typedef struct scene {
    crn_world *world;
    crn_body_id floor, box, arm;
    crn_joint_id hinge;
} scene;

static scene make_scene(void)
{
    scene s = {.world = new_world(NULL)};
    crn_joint_def def = crn_joint_def_default();
    s.floor = add_floor(s.world);
    s.box = add_box(s.world, 0.5, (crn_vec3){0, 0, 0.5}, 1.0);
    s.arm = add_box(s.world, 0.1, (crn_vec3){5, 0, 3}, 1.0);
    def.kind = CRN_JOINT_HINGE;
    def.in_tree = true;
    def.frame_a.position = (crn_vec3){5, 0, 4};
    def.frame_b.position = (crn_vec3){0, 0, 1};
    def.frame_a.rotation = def.frame_b.rotation = (crn_quat){sqrt(0.5), sqrt(0.5), 0, 0};
    s.hinge = add_joint(s.world, &def, nobody, s.arm);
    step_for(s.world, h, 0.1);
    return s;
}

/* All that decides the next step, as bytes. */
typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static bytes state_of(const crn_world *world)
{
    bytes b = {.size = crn_world_snapshot_size(world)};
    b.data = malloc(b.size);
    assert_non_null(b.data);
    assert_int_equal(crn_world_save(world, b.data, b.size, NULL), CRN_OK);
    return b;
}

static void check_unchanged(const crn_world *world, bytes before, const char *what)
{
    bytes after = state_of(world);
    TEST_CHECK(after.size == before.size && memcmp(after.data, before.data, after.size) == 0,
               "%s: it was refused, but has changed the world", what);
    free(after.data);
}

static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e19};
enum { BAD = sizeof bad / sizeof *bad };

/* A vector with a bad number in one place, else small ones. */
static crn_vec3 spoilt(int place, double value)
{
    return (crn_vec3){place == 0 ? value : 0.25, place == 1 ? value : -0.5, place == 2 ? value : 1.0};
}

/* --- Numbers --- */

/* A NaN force was accepted, and every later step said diverged. */
static void test_forces(void **state)
{
    (void)state;
    scene s = make_scene();
    bytes before = state_of(s.world);
    crn_vec3 fine = {1, 2, 3};
    for (int k = 0; k < 3 * BAD; ++k) {
        crn_vec3 v = spoilt(k % 3, bad[k / 3]);
        assert_int_equal(crn_body_apply_force(s.world, s.box, v, fine), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_body_apply_force(s.world, s.box, fine, v), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_body_apply_torque(s.world, s.box, v), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_joint_apply_force(s.world, s.hinge, 0, bad[k / 3]), CRN_ERR_ARGUMENT);
    }
    assert_int_equal(crn_joint_apply_force(s.world, s.hinge, 1, 1.0), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_apply_force(s.world, s.hinge, -1, 1.0), CRN_ERR_ARGUMENT);
    check_unchanged(s.world, before, "forces");
    step_once(s.world, h);
    free(before.data);
    crn_world_destroy(s.world);
}

static void test_poses_and_velocities(void **state)
{
    (void)state;
    scene s = make_scene();
    bytes before = state_of(s.world);
    for (int k = 0; k < 3 * BAD; ++k) {
        crn_vec3 v = spoilt(k % 3, bad[k / 3]), fine = {0, 0, 1};
        crn_pose away = {v, {1, 0, 0, 0}}, turned = {fine, {1, v.x, v.y, v.z}};
        crn_twist fast = {fine, v}, spinning = {v, fine};
        assert_int_equal(crn_body_set_pose(s.world, s.box, &away), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_body_set_pose(s.world, s.box, &turned), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_body_set_velocity(s.world, s.box, &fast), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_body_set_velocity(s.world, s.box, &spinning), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_joint_set_velocity(s.world, s.hinge, &bad[k / 3]), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_joint_set_coordinate(s.world, s.hinge, &bad[k / 3]), CRN_ERR_ARGUMENT);
    }
    crn_pose nowhere = {{0, 0, 1}, {0, 0, 0, 0}};
    assert_int_equal(crn_body_set_pose(s.world, s.box, &nowhere), CRN_ERR_ARGUMENT);
    crn_twist fine = {{0, 0, 0}, {1, 0, 0}};
    assert_int_equal(crn_body_set_velocity(s.world, s.floor, &fine), CRN_ERR_ARGUMENT); /* it does not move */
    check_unchanged(s.world, before, "poses and velocities");
    step_once(s.world, h);
    free(before.data);
    crn_world_destroy(s.world);
}

/* Out of the plane there is nothing. */
static void test_planar(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    def.is_planar = true;
    def.gravity = (crn_vec3){0, -9.81, 0};
    crn_world *world = new_world(&def);
    crn_body_id disk = add_shape(world, CRN_BODY_FREE, CRN_SHAPE_DISK, (crn_vec3){0.5, 0, 0}, (crn_vec3){0, 2, 0}, 1.0);
    const crn_pose off = {{0, 2, 0.1}, {1, 0, 0, 0}}, tilted = {{0, 2, 0}, {sqrt(0.5), sqrt(0.5), 0, 0}};
    const crn_twist up = {{0, 0, 0}, {0, 0, 1}}, roll = {{1, 0, 0}, {0, 0, 0}};
    bytes before = state_of(world);
    assert_int_equal(crn_body_set_pose(world, disk, &off), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_pose(world, disk, &tilted), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_velocity(world, disk, &up), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_velocity(world, disk, &roll), CRN_ERR_ARGUMENT);
    check_unchanged(world, before, "out of the plane");
    const crn_pose turned = {{1, 2, 0}, {sqrt(0.5), 0, 0, sqrt(0.5)}};
    const crn_twist spin = {{0, 0, 3}, {1, 1, 0}};
    assert_int_equal(crn_body_set_pose(world, disk, &turned), CRN_OK);
    assert_int_equal(crn_body_set_velocity(world, disk, &spin), CRN_OK);
    step_once(world, h);
    free(before.data);
    crn_world_destroy(world);
}

static void check_body_refused(crn_world *world, const crn_body_def *def, const char *field)
{
    crn_body_id id = {7, 7};
    crn_error error;
    int bodies = crn_world_bodies(world);
    assert_int_equal(crn_body_create(world, def, &id, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, field) != NULL, "the message does not name %s: %s", field, error.text);
    assert_int_equal(crn_world_bodies(world), bodies);
}

static void test_absurd_definitions(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_body_def def = crn_body_def_default(), good;
    def.mass = 1.0;
    def.inertia = (crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    good = def;
    for (int k = 0; k < BAD; ++k) {
        def = good;
        def.pose.position.y = bad[k];
        check_body_refused(world, &def, "body.position");
        def = good;
        def.velocity.z = bad[k];
        check_body_refused(world, &def, "body.velocity");
        def = good;
        def.angular.x = bad[k];
        check_body_refused(world, &def, "body.angular");
    }
    add_body(world, &good);
    step_once(world, h);
    crn_world_destroy(world);
}

/* --- NULL --- */

static void test_null_arguments(void **state)
{
    (void)state;
    scene s = make_scene();
    bytes before = state_of(s.world);
    crn_error error;
    assert_int_equal(crn_body_pose(s.world, s.box, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_pose(s.world, s.box, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_velocity(s.world, s.box, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_velocity(s.world, s.box, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_create(s.world, NULL, &s.box, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_create(s.world, NULL, s.box, nobody, &s.hinge, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_load_create(s.world, NULL, s.box, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_velocity(s.world, s.hinge, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_set_velocity(s.world, s.hinge, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_set_coordinate(s.world, s.hinge, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_set_axis(s.world, s.hinge, 0, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_configure(s.world, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_save(s.world, NULL, 0, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_restore(s.world, NULL, 0, &error), CRN_ERR_ARGUMENT);
    /* These are optional. */
    assert_int_equal(crn_body_mass(s.world, s.box, NULL, NULL, NULL), CRN_OK);
    assert_int_equal(crn_body_contact_force(s.world, s.box, NULL, NULL), CRN_OK);
    assert_int_equal(crn_joint_coordinate(s.world, s.hinge, NULL, NULL), CRN_OK);
    assert_int_equal(crn_joint_error(s.world, s.hinge, NULL, NULL), CRN_OK);
    assert_int_equal(crn_joint_force(s.world, s.hinge, NULL, NULL), CRN_OK);
    assert_int_equal(crn_world_overlap(s.world, NULL, NULL, NULL), CRN_OK);
    (void)crn_world_contacts(s.world, NULL);
    (void)crn_world_events(s.world, NULL);
    check_unchanged(s.world, before, "NULL");
    free(before.data);
    crn_world_destroy(s.world);
}

static void check_no_world_bodies(void)
{
    crn_body_id id = {1, 1};
    crn_body_def def = crn_body_def_default();
    crn_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    crn_twist twist = {{0, 0, 0}, {0, 0, 0}};
    crn_vec3 v = {0, 0, 0};
    double mass;
    assert_int_equal(crn_body_create(NULL, &def, &id, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_destroy(NULL, id, NULL), CRN_ERR_ARGUMENT);
    assert_false(crn_body_is_valid(NULL, id));
    assert_int_equal(crn_world_bodies(NULL), 0);
    assert_int_equal(crn_world_body(NULL, 1).index1, 0);
    assert_int_equal(crn_body_pose(NULL, id, &pose), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_pose(NULL, id, &pose), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_velocity(NULL, id, &twist), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_velocity(NULL, id, &twist), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_mass(NULL, id, &mass, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_apply_force(NULL, id, v, v), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_apply_torque(NULL, id, v), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_contact_force(NULL, id, &v, &v), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_set_user(NULL, id, NULL), CRN_ERR_ARGUMENT);
    assert_null(crn_body_user(NULL, id));
    assert_int_equal(crn_body_set_motion(NULL, id, NULL, NULL), CRN_ERR_ARGUMENT);
}

static void check_no_world_joints(void)
{
    crn_joint_id id = {1, 1};
    crn_load_id load = {1, 1};
    crn_joint_def def = crn_joint_def_default();
    crn_load_def load_def = crn_load_def_default();
    crn_vec3 v;
    double x = 0.0;
    assert_int_equal(crn_joint_create(NULL, &def, nobody, nobody, &id, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_destroy(NULL, id, NULL), CRN_ERR_ARGUMENT);
    assert_false(crn_joint_is_valid(NULL, id));
    assert_int_equal(crn_world_joints(NULL), 0);
    assert_int_equal(crn_world_joint(NULL, 1).index1, 0);
    assert_int_equal(crn_joint_coordinate(NULL, id, &x, &x), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_force(NULL, id, &v, &v), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_error(NULL, id, &x, &x), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_set_axis(NULL, id, 0, &def.axis[0], NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_apply_force(NULL, id, 0, 1.0), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_velocity(NULL, id, &x), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_set_velocity(NULL, id, &x), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_joint_set_coordinate(NULL, id, &x), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_load_create(NULL, &load_def, nobody, &load, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_load_destroy(NULL, load, NULL), CRN_ERR_ARGUMENT);
}

static void test_no_world(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    crn_body_id a;
    unsigned char data[64] = {0};
    int count = 5;
    double depth;
    check_no_world_bodies();
    check_no_world_joints();
    assert_int_equal(crn_world_create(NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_create_from(NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    crn_world_destroy(NULL);
    assert_null(crn_world_definition(NULL));
    assert_int_equal(crn_world_configure(NULL, &def, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_step(NULL, h, NULL, NULL), CRN_ERR_ARGUMENT);
    CHECK_NEAR(crn_world_time(NULL), 0.0, 0.0);
    assert_int_equal(crn_world_overlap(NULL, &depth, &a, &a), CRN_ERR_ARGUMENT);
    assert_null(crn_world_contacts(NULL, &count));
    assert_int_equal(count, 0);
    count = 5;
    assert_null(crn_world_events(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(crn_world_problem(NULL));
    assert_int_equal(crn_world_set_solver(NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_true(crn_world_snapshot_size(NULL) == 0);
    assert_int_equal(crn_world_save(NULL, data, sizeof data, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_restore(NULL, data, sizeof data, NULL), CRN_ERR_ARGUMENT);
    assert_true(crn_world_hash(NULL) == 0);
}

/* --- Worlds in which nothing can move --- */

static const crn_integrator integrators[] = {CRN_INTEGRATOR_REFLECT, CRN_INTEGRATOR_RK4, CRN_INTEGRATOR_EULER,
                                             CRN_INTEGRATOR_HART};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

/* Steps, looks and comes back. */
static void check_goes(crn_world *world)
{
    crn_error error;
    crn_step_stats stats;
    double depth;
    for (int k = 0; k < 3; ++k) {
        TEST_CHECK(crn_world_step(world, h, &stats, &error) == CRN_OK, "%s", error.text);
        assert_int_equal(stats.bodies, 0);
        assert_int_equal(stats.contacts, 0);
    }
    CHECK_NEAR(crn_world_time(world), 3 * h, 1e-15);
    assert_int_equal(crn_world_overlap(world, &depth, NULL, NULL), CRN_OK);
    bytes b = state_of(world);
    TEST_CHECK(crn_world_restore(world, b.data, b.size, &error) == CRN_OK, "%s", error.text);
    TEST_CHECK(crn_world_step(world, h, &stats, &error) == CRN_OK, "%s", error.text);
    free(b.data);
}

static void test_worlds_without_free_bodies(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * INTEGRATORS; ++i) {
        crn_world_def def = crn_world_def_default();
        def.integrator = integrators[i / 2];
        def.sleep_time = i % 2 ? 0.5 : 0.0;
        crn_world *world = new_world(&def);
        check_goes(world); /* empty */
        crn_world_destroy(world);
        world = new_world(&def);
        crn_body_id floor = add_floor(world);
        crn_body_id wall = add_shape(world, CRN_BODY_FIXED, CRN_SHAPE_BOX, (crn_vec3){1, 1, 1}, (crn_vec3){0, 0, 1}, 0);
        crn_body_id driven =
            add_shape(world, CRN_BODY_DRIVEN, CRN_SHAPE_BOX, (crn_vec3){1, 1, 1}, (crn_vec3){9, 0, 1}, 0);
        check_goes(world);
        crn_world_destroy(world);
        world = new_world(&def);
        floor = add_floor(world);
        wall = add_shape(world, CRN_BODY_FIXED, CRN_SHAPE_BOX, (crn_vec3){1, 1, 1}, (crn_vec3){0, 0, 1}, 0);
        driven = add_shape(world, CRN_BODY_DRIVEN, CRN_SHAPE_BOX, (crn_vec3){1, 1, 1}, (crn_vec3){9, 0, 1}, 0);
        for (int k = 0; k < CRN_JOINT_KIND_COUNT; ++k) { /* joints that hold nothing that moves */
            crn_joint_def joint = crn_joint_def_default();
            joint.kind = (crn_joint_kind)k;
            joint.length = 1.0;
            (void)add_joint(world, &joint, floor, wall);
            (void)add_joint(world, &joint, nobody, wall);
            (void)add_joint(world, &joint, wall, driven);
        }
        check_goes(world);
        crn_vec3 force, torque;
        double distance;
        for (int k = 1; k <= crn_world_joints(world); ++k) {
            crn_joint_id id = crn_world_joint(world, k);
            assert_int_equal(crn_joint_force(world, id, &force, &torque), CRN_OK);
            assert_int_equal(crn_joint_error(world, id, &distance, NULL), CRN_OK);
        }
        crn_world_destroy(world);
    }
}

/* --- Joints --- */

static void check_joint_refused(crn_world *world, const crn_joint_def *def, crn_body_id a, crn_body_id b,
                                const char *field)
{
    crn_joint_id joint = {0, 0};
    crn_error error;
    int joints = crn_world_joints(world);
    assert_int_equal(crn_joint_create(world, def, a, b, &joint, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, field) != NULL, "the message does not name %s: %s", field, error.text);
    assert_int_equal(crn_world_joints(world), joints);
}

/* A joint from a body to itself was accepted. */
static void test_joints_to_oneself(void **state)
{
    (void)state;
    scene s = make_scene();
    crn_model *model;
    crn_error error;
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    crn_body_def body = crn_body_def_default();
    body.mass = 1.0;
    body.inertia = (crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    assert_int_equal(crn_model_add_body(model, &body, NULL, &error), CRN_OK);
    for (int k = 0; k < 2 * CRN_JOINT_KIND_COUNT; ++k) {
        crn_joint_def def = crn_joint_def_default();
        def.kind = (crn_joint_kind)(k / 2);
        def.length = 1.0;
        def.in_tree = k % 2 == 1 && def.kind != CRN_JOINT_DISTANCE;
        check_joint_refused(s.world, &def, s.box, s.box, "joint.b");
        check_joint_refused(s.world, &def, nobody, nobody, "joint.b");
        def.a = def.b = 0;
        assert_int_equal(crn_model_add_joint(model, &def, NULL, &error), CRN_ERR_ARGUMENT);
        TEST_CHECK(strstr(error.text, "joints[0].b") != NULL, "message: %s", error.text);
    }
    crn_model_destroy(model);
    crn_world_destroy(s.world);
}

/* A coordinate that follows a joint which is not there read outside of the list. */
static void test_following_nobody(void **state)
{
    (void)state;
    scene s = make_scene();
    crn_error error;
    crn_joint_axis axis = crn_joint_def_default().axis[0];
    axis.ratio = 1.0;
    axis.follows = 1; /* itself */
    assert_int_equal(crn_joint_set_axis(s.world, s.hinge, 0, &axis, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, "joint.follows") != NULL, "message: %s", error.text);
    axis.follows = 1000; /* it may still come */
    assert_int_equal(crn_joint_set_axis(s.world, s.hinge, 0, &axis, &error), CRN_OK);
    TEST_CHECK(crn_world_step(s.world, h, NULL, &error) == CRN_OK, "%s", error.text);
    axis.follows = 2;
    assert_int_equal(crn_joint_set_axis(s.world, s.hinge, 0, &axis, &error), CRN_OK);
    crn_joint_def def = crn_joint_def_default(); /* a fixed joint has no coordinate */
    check_joint_refused(s.world, &def, s.floor, s.box, "joint.kind");
    crn_world_destroy(s.world);
}

/* --- Inertia --- */

static void test_impossible_inertias(void **state)
{
    (void)state;
    const crn_mat3 impossible[] = {
        {{1, 0, 0, 0, 1, 0, 0, 0, 2.2}},             /* 1 + 1 < 2.2 */
        {{5, 0, 0, 0, 1, 0, 0, 0, 1}},               /* the same about x */
        {{1.75, 1.25, 0, 1.25, 1.75, 0, 0, 0, 0.5}}, /* moments 3, 0.5, 0.5, turned about z */
        {{1, 0.5, 0, 0, 1, 0, 0, 0, 1}},             /* not symmetric */
        {{-1, 0, 0, 0, 1, 0, 0, 0, 1}},              /* negative */
        {{1, 0, 0, 0, 1, 0, 0, 0, 0}},               /* none about z */
        {{NAN, 0, 0, 0, 1, 0, 0, 0, 1}},             /* not finite */
        {{0, 0, 0, 0, 0, 0, 0, 0, 0}},               /* mass without any, and no shape to tell */
    };
    crn_world *world = new_world(NULL);
    crn_model *model;
    crn_error error;
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    crn_body_def def = crn_body_def_default();
    def.mass = 1.0;
    for (size_t k = 0; k < sizeof impossible / sizeof *impossible; ++k) {
        def.inertia = impossible[k];
        check_body_refused(world, &def, "body.inertia");
        assert_int_equal(crn_model_add_body(model, &def, NULL, &error), CRN_ERR_ARGUMENT);
        TEST_CHECK(strstr(error.text, "bodies[0].inertia") != NULL, "message: %s", error.text);
    }
    const crn_mat3 possible[] = {
        {{1, 0, 0, 0, 1, 0, 0, 0, 2}},               /* a thin disk */
        {{1, 0, 0, 0, 1, 0, 0, 0, 2.004}},           /* the same in three digits */
        {{1.75, 1.25, 0, 1.25, 1.75, 0, 0, 0, 2.6}}, /* moments 3, 0.5, 2.6 */
        {{1, 0, 0, 0, 1, 0, 0, 0, 1e-9}},            /* a thin rod */
    };
    for (size_t k = 0; k < sizeof possible / sizeof *possible; ++k) {
        def.inertia = possible[k];
        add_body(world, &def);
        TEST_CHECK(crn_model_add_body(model, &def, NULL, &error) == CRN_OK, "%s", error.text);
    }
    crn_model_destroy(model);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_poses_and_velocities),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_absurd_definitions),
        cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_no_world),
        cmocka_unit_test(test_worlds_without_free_bodies),
        cmocka_unit_test(test_joints_to_oneself),
        cmocka_unit_test(test_following_nobody),
        cmocka_unit_test(test_impossible_inertias),
    };
    return TEST_RUN(tests, argc, argv);
}
