/* Reading scenes: every field against a value on paper, defaults, materials, joints by point and axis, references. */
#include "io/io_room.h"

#include "math/rigid.h"
#include "model_case.h"

static crn_model *parse(const char *text)
{
    crn_model *model = NULL;
    crn_error error = {CRN_ERR_IO, "old"};
    crn_status status = crn_io_read_scene_text(text, strlen(text), "s.json", NULL, &model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_true(error.status == CRN_OK && error.text[0] == '\0');
    return model;
}

static void expect_vector(crn_vec3 v, double x, double y, double z)
{
    TEST_CHECK(v.x == x && v.y == y && v.z == z, "(%.17g, %.17g, %.17g) instead of (%g, %g, %g)", v.x, v.y, v.z, x, y,
               z);
}

static void expect_near(crn_vec3 v, double x, double y, double z)
{
    double apart = crn_v3_length(crn_v3_sub(v, crn_v3(x, y, z)));
    TEST_CHECK(apart <= 1e-14, "(%.17g, %.17g, %.17g) instead of (%g, %g, %g)", v.x, v.y, v.z, x, y, z);
}

static void test_empty(void **state)
{
    (void)state;
    crn_model *model = parse("{}");
    crn_world_def world = crn_world_def_default();
    same_world(crn_model_world_of(model), &world);
    assert_int_equal(crn_model_bodies(model), 0);
    crn_model_destroy(model);
    model = parse(" {\"planar\": true, \"comment\": \"nothing\", \"$schema\": \"x\", \"bodies\": [], \"joints\": [], "
                  "\"loads\": [], \"measure\": [], \"materials\": {}, \"solver\": {}}\n");
    world.is_planar = true;
    world.gravity = (crn_vec3){0, -9.81, 0};
    same_world(crn_model_world_of(model), &world);
    crn_model_destroy(model);
}

static void test_world(void **state)
{
    (void)state;
    crn_model *model = parse(
        "{\"name\": \"all\", \"gravity\": [1, 2, 3], \"dt\": 0.25, \"duration\": 7, \"solver\": {\"scheme\": "
        "\"plain\", "
        "\"stabilised\": false, \"cone\": \"polygon\", \"directions\": 12, \"method\": \"states\", \"tol\": 1e-7, "
        "\"even\": true, \"margin\": 0.5, \"friction_rule\": \"max\", \"restitution_speed\": 2, "
        "\"recovery_speed\": \"inf\", \"reduce_distance\": 0.125, \"joint_tolerance\": 6, \"sleep_time\": 3, "
        "\"sleep_speed\": 4}}");
    const crn_world_def *w = crn_model_world_of(model);
    assert_string_equal(crn_model_name(model), "all");
    assert_false(w->is_planar);
    expect_vector(w->gravity, 1, 2, 3);
    assert_true(w->dt == 0.25 && w->duration == 7 && w->scheme == CRN_SCHEME_PLAIN && w->is_unstabilised);
    assert_true(w->cone == CRN_CONE_POLYGON && w->directions == 12 && w->method == CRN_CONTACT_STATES);
    assert_true(w->tol == 1e-7 && w->even && w->margin == 0.5 && w->friction_rule == CRN_FRICTION_MAX);
    assert_true(w->restitution_speed == 2 && w->recovery_speed == INFINITY && w->reduce_distance == 0.125);
    assert_true(w->sleep_time == 3 && w->sleep_speed == 4 && w->joint_tolerance == 6);
    crn_model_destroy(model);
}

static void test_bodies(void **state)
{
    (void)state;
    crn_model *model =
        parse("{\"bodies\": [{\"name\": \"one\", \"position\": [1, 2, 3], \"rotation\": [0.6, 0, 0.8, 0], "
              "\"velocity\": [4, 5, "
              "6], \"angular\": [7, 8, 9], \"mass\": 2, \"com\": [0.1, 0.2, 0.3], \"inertia\": [1, 2, 3], "
              "\"linear_damping\": 0.5, \"angular_damping\": 0.25, \"gravity_scale\": -1},\n"
              "{\"mass\": 1, \"inertia\": [2, 1, 0, 1, 3, 0, 0, 0, 4], \"axis_angle\": [0, 0, 1, 1.0]},\n"
              "{\"kind\": \"fixed\"},\n"
              "{\"kind\": \"driven\", \"motion\": {\"x\": 3, \"y\": {\"value\": 1, \"amplitude\": 2, \"frequency\": 3, "
              "\"phase\": 4}, \"z\": {\"times\": [0, 1], \"values\": [5, 6]}, \"axis\": [1, 0, 0], \"angle\": -0}}]}");
    assert_int_equal(crn_model_bodies(model), 4);
    const crn_body_def *one = crn_model_body(model, 0), *two = crn_model_body(model, 1);
    assert_string_equal(one->name, "one");
    expect_vector(one->pose.position, 1, 2, 3);
    assert_true(one->pose.rotation.w == 0.6 && one->pose.rotation.y == 0.8);
    expect_vector(one->velocity, 4, 5, 6);
    expect_vector(one->angular, 7, 8, 9);
    expect_vector(one->com, 0.1, 0.2, 0.3);
    assert_true(one->mass == 2 && one->inertia.m[0] == 1 && one->inertia.m[4] == 2 && one->inertia.m[8] == 3);
    assert_true(one->linear_damping == 0.5 && one->angular_damping == 0.25 && one->gravity_scale == -1);
    assert_true(two->inertia.m[1] == 1 && two->inertia.m[3] == 1 && two->inertia.m[4] == 3);
    assert_true(fabs(two->pose.rotation.w - cos(0.5)) <= 1e-16 && fabs(two->pose.rotation.z - sin(0.5)) <= 1e-16);
    assert_true(two->gravity_scale == 1.0 && two->name == NULL);
    assert_int_equal(crn_model_body(model, 2)->kind, CRN_BODY_FIXED);
    const crn_motion *motion = &crn_model_body(model, 3)->motion;
    assert_int_equal(crn_model_body(model, 3)->kind, CRN_BODY_DRIVEN);
    assert_true(motion->x.value == 3 && motion->x.amplitude == 0 && motion->x.times == NULL);
    assert_true(motion->y.value == 1 && motion->y.amplitude == 2 && motion->y.frequency == 3 && motion->y.phase == 4);
    assert_true(motion->z.count == 2 && motion->z.times[1] == 1 && motion->z.values[1] == 6 && motion->z.value == 0);
    assert_true(motion->axis.x == 1 && signbit(motion->angle.value) != 0);
    crn_model_destroy(model);
}

static void test_shapes(void **state)
{
    (void)state;
    crn_model *model = parse(
        "{\"bodies\": [{\"kind\": \"fixed\", \"shapes\": [{\"kind\": \"sphere\", \"radius\": 2},"
        "{\"kind\": \"box\", \"half\": [1, 2, 3]}, {\"kind\": \"capsule\", \"radius\": 4, \"half_length\": 5},"
        "{\"kind\": \"cylinder\", \"radius\": 4, \"half_length\": 5}, {\"kind\": \"ellipsoid\", \"half\": [1, 2, 3]},"
        "{\"kind\": \"hull\", \"points\": [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]}, {\"kind\": \"plane\"},"
        "{\"kind\": \"height_field\", \"spacing\": [0.5, 0.25], \"heights\": [[1, 2, 3], [4, 5, 6]]},"
        "{\"kind\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 2, 0]], \"triangles\": [[2, 1, 0]]},"
        "{\"kind\": \"plane\", \"position\": [1, 2, 3], \"rotation\": [0, 1, 0, 0], \"friction\": 0.1, "
        "\"restitution\": 0.2, \"density\": 0.3, \"group\": 5, \"mask\": 4294967295}]}]}");
    const crn_body_shape *s = crn_model_body(model, 0)->shape;
    assert_int_equal(crn_model_body(model, 0)->shapes, 10);
    assert_true(s[8].shape.kind == CRN_SHAPE_MESH && s[8].shape.count == 3 && s[8].shape.triangle_count == 1);
    assert_true(s[8].shape.points[7] == 2 && s[8].shape.triangles[0] == 2 && s[8].shape.triangles[1] == 1);
    expect_vector(s[0].shape.size, 2, 0, 0);
    expect_vector(s[1].shape.size, 1, 2, 3);
    expect_vector(s[2].shape.size, 4, 5, 0);
    expect_vector(s[3].shape.size, 4, 5, 0);
    expect_vector(s[4].shape.size, 1, 2, 3);
    assert_true(s[5].shape.kind == CRN_SHAPE_HULL && s[5].shape.count == 4);
    for (int k = 0; k < 12; ++k) {
        assert_true(s[5].shape.points[k] == k);
    }
    assert_int_equal(s[6].shape.kind, CRN_SHAPE_PLANE);
    assert_true(s[7].shape.rows == 2 && s[7].shape.columns == 3 && s[7].shape.size.y == 0.25);
    const double by_columns[6] = {1, 4, 2, 5, 3, 6};
    assert_memory_equal(s[7].shape.points, by_columns, sizeof by_columns);
    assert_true(s[0].friction == 0.5 && s[0].density == 1000 && s[0].group == UINT32_MAX);
    expect_vector(s[9].pose.position, 1, 2, 3);
    assert_true(s[9].pose.rotation.x == 1 && s[9].friction == 0.1 && s[9].restitution == 0.2 && s[9].density == 0.3);
    assert_true(s[9].group == 5 && s[9].mask == UINT32_MAX);
    crn_model_destroy(model);

    model =
        parse("{\"planar\": true, \"bodies\": [{\"kind\": \"fixed\", \"shapes\": [{\"kind\": \"disk\", \"radius\": 2},"
              "{\"kind\": \"ellipse\", \"half\": [1, 2]}, {\"kind\": \"polygon\", \"points\": [[0, 1], [2, 3], [4, "
              "5]]}, {\"kind\": \"segment\", \"half_length\": 3}, {\"kind\": \"segment\", \"half_length\": 3, "
              "\"radius\": 1}, {\"kind\": \"half_plane\", \"angle\": 1}]}]}");
    s = crn_model_body(model, 0)->shape;
    expect_vector(s[0].shape.size, 2, 0, 0);
    expect_vector(s[1].shape.size, 1, 2, 0);
    assert_true(s[2].shape.count == 3 && s[2].shape.points[5] == 5);
    expect_vector(s[3].shape.size, 3, 0, 0);
    expect_vector(s[4].shape.size, 3, 1, 0);
    assert_true(s[5].pose.rotation.z == sin(0.5));
    crn_model_destroy(model);
}

static void test_materials(void **state)
{
    (void)state;
    crn_model *model =
        parse("{\"materials\": {\"steel\": {\"friction\": 0.2, \"density\": 7800}, \"rubber\": {\"friction\": 1.5, "
              "\"restitution\": 0.75}}, \"bodies\": [{\"material\": \"steel\", \"restitution\": 0.5, \"group\": 2, "
              "\"shapes\": ["
              "{\"kind\": \"sphere\", \"radius\": 1}, {\"kind\": \"sphere\", \"radius\": 1, \"material\": \"rubber\", "
              "\"density\": 9, \"group\": 4}]}, {\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}]}");
    const crn_body_shape *s = crn_model_body(model, 0)->shape, *plain = crn_model_body(model, 1)->shape;
    assert_true(s[0].friction == 0.2 && s[0].density == 7800 && s[0].restitution == 0.5 && s[0].group == 2);
    assert_true(s[1].friction == 1.5 && s[1].density == 9 && s[1].restitution == 0.75 && s[1].group == 4);
    assert_true(plain->friction == 0.5 && plain->density == 1000 && plain->restitution == 0);
    crn_model_destroy(model);
}

static void test_planar(void **state)
{
    (void)state;
    crn_model *model = parse("{\"planar\": true, \"gravity\": [0, -1], \"bodies\": [{\"position\": [1, 2], \"angle\": "
                             "0.5, \"velocity\": [3, "
                             "4], \"angular\": 5, \"mass\": 2, \"inertia\": 7}, {\"position\": [1, 2, 0], \"angular\": "
                             "[0, 0, 6], \"mass\": 1, "
                             "\"inertia\": [1, 1, 9]}, {\"kind\": \"driven\", \"motion\": {\"angle\": 2}}], "
                             "\"loads\": [{\"body\": 0, \"force\": [1, 2], \"torque\": 3}]}");
    const crn_body_def *a = crn_model_body(model, 0), *b = crn_model_body(model, 1);
    expect_vector(crn_model_world_of(model)->gravity, 0, -1, 0);
    expect_vector(a->pose.position, 1, 2, 0);
    assert_true(a->pose.rotation.w == cos(0.25) && a->pose.rotation.z == sin(0.25));
    expect_vector(a->velocity, 3, 4, 0);
    expect_vector(a->angular, 0, 0, 5);
    assert_true(a->inertia.m[8] == 7 && b->inertia.m[8] == 9 && b->inertia.m[0] == 0);
    expect_vector(b->angular, 0, 0, 6);
    expect_vector(crn_model_load(model, 0)->torque, 0, 0, 3);
    crn_model_destroy(model);
}

/* --- Joints --- */

#define TWO                                                                                             \
    "{\"bodies\": [{\"name\": \"left\", \"position\": [1, 0, 0], \"rotation\": [0.5, 0.5, 0.5, 0.5], "  \
    "\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}, {\"name\": \"right\", \"position\": [3, 4, " \
    "5], \"axis_angle\": [0, 0.6, 0.8, 2], \"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}]}], \"joints\": ["

/* Where the joint frames of a and b are in the world. */
static void frames_of(const crn_model *model, const crn_joint_def *joint, crn_pose world[2])
{
    crn_pose identity = crn_pose_identity();
    world[0] = crn_pose_product(joint->a < 0 ? &identity : &crn_model_body(model, joint->a)->pose, &joint->frame_a);
    world[1] = crn_pose_product(joint->b < 0 ? &identity : &crn_model_body(model, joint->b)->pose, &joint->frame_b);
}

static void test_joint_fields(void **state)
{
    (void)state;
    crn_model *model = parse(
        TWO
        "{\"name\": \"j\", \"kind\": \"hinge\", \"a\": \"left\", \"b\": \"right\", \"frame_a\": {\"position\": [1, 2, "
        "3], \"rotation\": [0, 0, 1, 0]}, \"frame_b\": {\"axis_angle\": [1, 0, 0, 0]}, \"limits\": [-1, \"inf\"], "
        "\"motor\": {\"speed\": 3, \"max_force\": 4}, \"friction\": 0.5, \"collide\": true},"
        "{\"kind\": \"universal\", \"b\": 1, \"frame_b\": {}, \"axes\": [{}, {\"limits\": [1, 2], \"motor\": "
        "{\"target\": {\"amplitude\": 2}}}]},"
        "{\"kind\": \"slider\", \"a\": 0, \"b\": \"world\", \"frame_a\": {}, \"motor\": {\"target\": 1, \"speed\": "
        "2, \"servo\": false, \"enabled\": false}},"
        "{\"kind\": \"distance\", \"a\": 0, \"b\": 1, \"length\": 2.5},"
        "{\"kind\": \"distance\", \"a\": 0, \"b\": 1, \"frame_b\": {\"position\": [0, 0, 0]}},"
        "{\"kind\": \"distance\", \"a\": 0, \"b\": 1, \"limits\": [0, 9]}, {\"kind\": \"planar\", \"a\": -1, "
        "\"b\": 1, \"frame_b\": {}, \"axes\": [{}, {}, {\"friction\": 2}]}]}");
    const crn_joint_def *j = crn_model_joint(model, 0);
    assert_string_equal(j->name, "j");
    assert_true(j->kind == CRN_JOINT_HINGE && j->a == 0 && j->b == 1 && j->bodies_collide);
    expect_vector(j->frame_a.position, 1, 2, 3);
    assert_true(j->frame_a.rotation.y == 1 && j->frame_b.rotation.w == 1);
    const crn_joint_axis *axis = &j->axis[0];
    assert_true(axis->lower == -1 && axis->upper == INFINITY && axis->friction == 0.5);
    assert_true(axis->has_motor && !axis->is_servo && axis->speed.value == 3 && axis->max_force == 4);
    j = crn_model_joint(model, 1);
    assert_true(j->a == -1 && j->b == 1 && !j->bodies_collide && j->axis[0].lower > j->axis[0].upper);
    assert_true(j->axis[1].lower == 1 && j->axis[1].upper == 2 && j->axis[1].is_servo && j->axis[1].has_motor);
    assert_true(j->axis[1].target.amplitude == 2 && j->axis[1].max_force == INFINITY);
    j = crn_model_joint(model, 2);
    assert_true(j->a == 0 && j->b == -1 && !j->axis[0].has_motor && !j->axis[0].is_servo);
    assert_true(j->axis[0].target.value == 1 && j->axis[0].speed.value == 2);
    assert_true(crn_model_joint(model, 3)->length == 2.5);
    assert_true(fabs(crn_model_joint(model, 4)->length - sqrt(4.0 + 16 + 25)) <= 1e-15);
    assert_true(crn_model_joint(model, 5)->length == 0 && crn_model_joint(model, 5)->axis[0].upper == 9);
    assert_true(crn_model_joint(model, 6)->axis[2].friction == 2);
    crn_model_destroy(model);
}

/* A joint by point and axis: both frames are there, and their z is the axis. */
static void test_joint_point(void **state)
{
    (void)state;
    crn_random random = test_random("joint point", 1);
    for (int k = 0; k < 200; ++k) {
        crn_vec3 axis = crn_v3(crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random));
        axis = k == 0 ? crn_v3(0, 0, 1) : k == 1 ? crn_v3(0, 0, -1) : k == 2 ? crn_v3(1, 0, 0) : crn_v3_unit(axis);
        char text[1024];
        (void)snprintf(text, sizeof text,
                       TWO
                       "{\"kind\": \"%s\", \"a\": \"left\", \"b\": \"right\", \"point\": [7, 8, 9], \"axis\": [%.17g, "
                       "%.17g, %.17g]}]}",
                       k % 3 == 0   ? "hinge"
                       : k % 3 == 1 ? "slider"
                                    : "planar",
                       axis.x, axis.y, axis.z);
        crn_model *model = parse(text);
        crn_pose world[2];
        frames_of(model, crn_model_joint(model, 0), world);
        for (int side = 0; side < 2; ++side) {
            expect_near(world[side].position, 7, 8, 9);
            crn_vec3 z = crn_quat_turn(world[side].rotation, crn_v3(0, 0, 1));
            expect_near(z, axis.x, axis.y, axis.z);
        }
        /* The frames coincide: the coordinate begins at 0. */
        crn_vec3 x0 = crn_quat_turn(world[0].rotation, crn_v3(1, 0, 0));
        crn_vec3 x1 = crn_quat_turn(world[1].rotation, crn_v3(1, 0, 0));
        expect_near(x1, x0.x, x0.y, x0.z);
        crn_model_destroy(model);
    }
}

/* One frame is enough: the other follows from where the bodies are. Balls, welds and universal joints need no axis. */
static void test_joint_one_frame(void **state)
{
    (void)state;
    static const char *const joints[] = {
        "\"kind\": \"fixed\", \"a\": 0, \"b\": 1, \"frame_a\": {\"position\": [1, 2, 3], \"rotation\": [0.6, 0, 0, "
        "0.8]}",
        "\"kind\": \"hinge\", \"a\": 0, \"b\": 1, \"frame_b\": {\"position\": [1, 2, 3], \"rotation\": [0.6, 0, 0.8, "
        "0]}",
        "\"kind\": \"ball\", \"b\": 1, \"point\": [1, 1, 1]",
        "\"kind\": \"universal\", \"b\": 1, \"point\": [1, 1, 1]",
        "\"kind\": \"fixed\", \"b\": 1, \"point\": [1, 1, 1]",
        "\"kind\": \"ball\", \"a\": 1, \"frame_b\": {\"position\": [1, 1, 1]}",
    };
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; ++k) {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s{%s}]}", TWO, joints[k]);
        crn_model *model = parse(text);
        crn_pose world[2];
        frames_of(model, crn_model_joint(model, 0), world);
        expect_near(world[0].position, world[1].position.x, world[1].position.y, world[1].position.z);
        crn_vec3 turn = crn_quat_log(crn_quat_product(crn_quat_conjugate(world[0].rotation), world[1].rotation));
        expect_near(turn, 0, 0, 0);
        crn_model_destroy(model);
    }
}

static void test_planar_joints(void **state)
{
    (void)state;
    crn_model *model = parse(
        "{\"planar\": true, \"bodies\": [{\"position\": [1, 2], \"angle\": 0.7, \"shapes\": [{\"kind\": \"disk\", "
        "\"radius\": 1}]}], \"joints\": [{\"kind\": \"hinge\", \"b\": 0, \"point\": [3, 4]}, {\"kind\": \"slider\", "
        "\"b\": 0, \"point\": [0, 0], \"axis\": [0.6, 0.8]}, {\"kind\": \"ball\", \"b\": 0, \"point\": [3, 4, 0]}, "
        "{\"kind\": \"hinge\", \"b\": 0, \"point\": [3, 4], \"axis\": [0, 0, -1]}]}");
    crn_pose world[2];
    frames_of(model, crn_model_joint(model, 0), world);
    expect_near(world[1].position, 3, 4, 0);
    expect_near(crn_quat_turn(world[1].rotation, crn_v3(0, 0, 1)), 0, 0, 1);
    frames_of(model, crn_model_joint(model, 1), world);
    expect_near(crn_quat_turn(world[1].rotation, crn_v3(0, 0, 1)), 0.6, 0.8, 0);
    frames_of(model, crn_model_joint(model, 3), world);
    expect_near(crn_quat_turn(world[1].rotation, crn_v3(0, 0, 1)), 0, 0, -1);
    crn_model_destroy(model);
}

static void test_loads_and_probes(void **state)
{
    (void)state;
    crn_model *model = parse(
        TWO
        "{\"name\": \"h\", \"kind\": \"hinge\", \"b\": 0, \"frame_b\": {}}], \"loads\": [{\"body\": \"right\"}, "
        "{\"name\": \"wind\", \"body\": 0, \"force\": [1, 2, 3], \"torque\": [4, 5, 6], \"point\": [7, 8, 9], "
        "\"local\": true, \"factor\": {\"amplitude\": 2, \"frequency\": 3}, \"from\": 1, \"until\": 2}, {\"body\": 0, "
        "\"from\": \"-inf\", \"until\": \"inf\"}], \"measure\": [{\"kind\": \"position\", \"body\": \"right\"}, "
        "{\"kind\": \"joint_coordinate\", \"joint\": \"h\", \"name\": \"angle\"}, {\"kind\": \"contact_force\", "
        "\"body\": 1}, {\"kind\": \"joint_coordinate\", \"joint\": 0}]}");
    const crn_load_def plain = crn_load_def_default(), *load = crn_model_load(model, 0);
    assert_true(load->body == 1 && load->factor.value == 1 && load->from == plain.from && load->until == plain.until);
    load = crn_model_load(model, 1);
    assert_string_equal(load->name, "wind");
    expect_vector(load->force, 1, 2, 3);
    expect_vector(load->torque, 4, 5, 6);
    expect_vector(load->point, 7, 8, 9);
    assert_true(load->is_local && load->factor.value == 0 && load->factor.amplitude == 2 &&
                load->factor.frequency == 3);
    assert_true(load->from == 1 && load->until == 2);
    assert_true(crn_model_load(model, 2)->from == -INFINITY && crn_model_load(model, 2)->until == INFINITY);
    assert_true(crn_model_probe(model, 0)->target == 1 && crn_model_probe(model, 0)->name == NULL);
    const crn_probe_def *probe = crn_model_probe(model, 1);
    assert_true(probe->kind == CRN_PROBE_JOINT_COORDINATE && probe->target == 0);
    assert_string_equal(probe->name, "angle");
    assert_int_equal(crn_model_probe(model, 2)->kind, CRN_PROBE_CONTACT_FORCE);
    assert_int_equal(crn_model_probe(model, 3)->target, 0);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_world),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_joint_fields),
        cmocka_unit_test(test_joint_point),
        cmocka_unit_test(test_joint_one_frame),
        cmocka_unit_test(test_planar_joints),
        cmocka_unit_test(test_loads_and_probes),
    };
    return TEST_RUN(tests, argc, argv);
}
