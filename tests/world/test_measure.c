/* Probes: each kind against what the world, or geometry, says; all of them as one vector. */
#include "tree_case.h"

/* A rod on a hinge about y through the origin, turning, with a site at its tip that looks along -x of the rod; a wall beside it. */
static crn_model *arm_model(void)
{
    crn_model *model = tree_model(tree_nothing);
    int wall = tree_shape(model, CRN_BODY_FIXED, CRN_SHAPE_BOX, crn_v3(0.5, 5, 5), crn_v3(3.5, 0, 0), 0.5, 0.0);
    int arm = tree_body(model, crn_pose_identity(), 2.0, tree_diagonal(1, 1, 1));
    crn_actuator_def motor = crn_actuator_def_default();
    motor.joint = tree_join(model, CRN_JOINT_HINGE, -1, arm, tree_nothing, tree_y);
    motor.gain = 3.0;
    motor.control = 2.0;
    TREE_CHECK(crn_model_add_actuator(model, &motor, NULL, error));
    crn_tendon_part part = crn_tendon_part_default();
    part.joint = motor.joint;
    part.factor = 2.5;
    crn_tendon_def tendon = crn_tendon_def_default();
    tendon.part = &part;
    tendon.parts = 1;
    TREE_CHECK(crn_model_add_tendon(model, &tendon, NULL, error));
    crn_site_def tip = crn_site_def_default();
    tip.name = "tip";
    tip.body = arm;
    tip.pose = (crn_pose){{1, 0, 0}, tree_turn_to(tree_x)};
    TREE_CHECK(crn_model_add_site(model, &tip, NULL, error));
    assert_int_equal(wall, 0);
    for (int kind = 0; kind < CRN_PROBE_KIND_COUNT; ++kind) {
        bool is_body = crn_probe_kind_target((crn_probe_kind)kind) == CRN_PROBE_OF_BODY;
        crn_probe_def probe = {.kind = (crn_probe_kind)kind, .target = is_body ? arm : 0};
        probe.name = crn_probe_kind_name(probe.kind);
        TREE_CHECK(crn_model_add_probe(model, &probe, NULL, error));
    }
    return model;
}

static void expect(const crn_model *model, const double *values, const char *name, int count, const double *right)
{
    int probe = crn_model_find_probe(model, name), first = crn_model_probe_first(model, probe);
    assert_int_equal(crn_model_probe_size(model, probe), count);
    for (int i = 0; i < count; ++i) {
        TEST_CHECK(fabs(values[first + i] - right[i]) < 1e-12, "%s[%d] is %.17g, not %.17g", name, i, values[first + i],
                   right[i]);
    }
}

static void test_all(void **state)
{
    (void)state;
    crn_model *model = arm_model();
    crn_world *world = tree_world(model);
    const double angle = 0.3, speed = 2.0;
    crn_joint_id hinge = crn_world_joint(world, 1);
    assert_int_equal(crn_joint_set_coordinate(world, hinge, &angle), CRN_OK);
    assert_int_equal(crn_joint_set_velocity(world, hinge, &speed), CRN_OK);
    double values[128];
    assert_true(crn_model_probe_first(model, crn_model_probes(model)) <= 128);
    assert_int_equal(crn_world_measure(world, model, values), CRN_OK);
    /* a turn about y by 0.3 takes x to (c, 0, -s); the tip moves along the derivative */
    double c = cos(angle), s = sin(angle);
    crn_pose tip;
    assert_int_equal(crn_site_pose(world, crn_world_find_site(world, "tip"), &tip), CRN_OK);
    const double zero[3] = {0}, turn[3] = {0, speed, 0}, at[3] = {c, 0, -s}, moves[3] = {-s * speed, 0, -c * speed};
    const double quaternion[4] = {tip.rotation.w, tip.rotation.x, tip.rotation.y, tip.rotation.z}, force = 6.0;
    const double half[4] = {cos(0.5 * angle), 0, sin(0.5 * angle), 0}, range = (3.0 - c) / c;
    crn_quat back = crn_quat_conjugate(tip.rotation);
    double own[3], spin[3];
    crn_v3_to(crn_quat_turn(back, crn_v3_of(moves)), own);
    crn_v3_to(crn_quat_turn(back, crn_v3_of(turn)), spin);
    const double length = 2.5 * angle, rate = 2.5 * speed;
    expect(model, values, "tendon_length", 1, &length);
    expect(model, values, "tendon_speed", 1, &rate);
    assert_true(fabs(own[2]) < 1e-15); /* across the rod, along which the site looks */
    expect(model, values, "position", 3, zero);
    expect(model, values, "rotation", 4, half);
    expect(model, values, "velocity", 3, zero);
    expect(model, values, "angular", 3, turn);
    expect(model, values, "contact_force", 3, zero);
    expect(model, values, "joint_coordinate", 1, &angle);
    expect(model, values, "joint_speed", 1, &speed);
    expect(model, values, "actuator_force", 1, &force);
    expect(model, values, "site_position", 3, at);
    expect(model, values, "site_rotation", 4, quaternion);
    expect(model, values, "site_velocity", 3, moves);
    expect(model, values, "site_angular", 3, turn);
    expect(model, values, "velocimeter", 3, own);
    expect(model, values, "gyro", 3, spin);
    expect(model, values, "range", 1, &range);
    expect(model, values, "force", 3, zero); /* no step yet */
    expect(model, values, "torque", 3, zero);
    expect(model, values, "subtree_centre", 3, zero);
    expect(model, values, "subtree_velocity", 3, zero);
    expect(model, values, "site_z", 3, at); /* looks along the rod */
    expect(model, values, "touch", 1, zero);
    const double other = 3.0; /* looks away from the wall */
    assert_int_equal(crn_joint_set_coordinate(world, hinge, &other), CRN_OK);
    assert_int_equal(crn_world_measure(world, model, values), CRN_OK);
    const double none = -1.0;
    expect(model, values, "range", 1, &none);
    crn_world_destroy(world);
    crn_model_destroy(model);
}

/* A box of 2 kg stands on four corners. Zones round one corner, along one side, above the box, below the floor and everywhere. */
static void test_touch(void **state)
{
    (void)state;
    static const struct {
        crn_shape_kind kind;
        crn_vec3 at, size;
        double share; /* of the weight */
    } zone[] = {
        {CRN_SHAPE_SPHERE, {0.3, 0.2, -0.1}, {0.01, 0, 0}, 0.25},
        {CRN_SHAPE_BOX, {0.3, 0, -0.1}, {0.01, 0.3, 0.01}, 0.5},
        {CRN_SHAPE_CYLINDER, {0, 0, -0.1}, {0.5, 0.01, 0}, 1.0},
        {CRN_SHAPE_CYLINDER, {0, 0, -0.1}, {0.3, 0.01, 0}, 0.0},
        {CRN_SHAPE_ELLIPSOID, {-0.3, 0, -0.1}, {0.1, 0.3, 0.1}, 0.5},
        {CRN_SHAPE_CAPSULE, {-0.3, -0.2, -0.15}, {0.02, 0.03, 0}, 0.25},
        {CRN_SHAPE_BOX, {0, 0, 0.1}, {1, 1, 0.05}, 0.0},  /* above: normals lead down, out of the box */
        {CRN_SHAPE_BOX, {0, 0, -0.5}, {1, 1, 0.05}, 1.0}, /* below */
        {CRN_SHAPE_SPHERE, {0, 0, 0}, {0, 0, 0}, 1.0},
    };
    enum { ZONES = sizeof zone / sizeof *zone };
    crn_model *model = tree_model(tree_down);
    (void)tree_floor(model, 0.5);
    int box = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_BOX, crn_v3(0.3, 0.2, 0.1), crn_v3(0, 0, 0.1), 0.5, 2.0);
    for (int i = 0; i < ZONES; ++i) {
        crn_site_def site = crn_site_def_default();
        crn_probe_def probe = {.kind = CRN_PROBE_TOUCH};
        site.body = box;
        site.pose.position = zone[i].at;
        site.zone = zone[i].kind;
        site.zone_size = zone[i].size;
        TREE_CHECK(crn_model_add_site(model, &site, &probe.target, error));
        TREE_CHECK(crn_model_add_probe(model, &probe, NULL, error));
    }
    crn_world *world = tree_world(model);
    double values[ZONES];
    for (int k = 0; k < 50; ++k) {
        (void)tree_step(world, 0.01);
    }
    assert_int_equal(crn_world_measure(world, model, values), CRN_OK);
    for (int i = 0; i < ZONES; ++i) {
        double right = zone[i].share * 2.0 * PHYSICS_G;
        TEST_CHECK(fabs(values[i] - right) < 1e-6, "zone %d feels %.12g N, not %.12g", i, values[i], right);
    }
    crn_world_destroy(world);
    crn_model_destroy(model);
}

/* An accelerometer at the end of a chain of three rods, and on a body that tumbles, against differences of its velocity: how far off. */
static double acceleration_off(double h)
{
    crn_model *model = tree_chain(3, 1.0, 1.0);
    crn_pose pose = crn_pose_identity();
    pose.position = crn_v3(5, 0, 0);
    int tumbles = tree_body(model, pose, 2.0, tree_diagonal(0.1, 0.2, 0.25));
    const int on[2] = {2, tumbles};
    crn_probe_def probe[2];
    for (int i = 0; i < 2; ++i) {
        crn_site_def site = crn_site_def_default();
        site.body = on[i];
        site.pose.position = crn_v3(0.3, 0.1, -0.2);
        probe[i] = (crn_probe_def){.kind = CRN_PROBE_ACCELEROMETER};
        TREE_CHECK(crn_model_add_site(model, &site, &probe[i].target, error));
    }
    crn_world *world = tree_world(model);
    crn_twist spin = {{2.0, -1.0, 3.0}, {0.1, 0.2, 0.3}};
    assert_int_equal(crn_body_set_velocity(world, crn_world_body(world, tumbles + 1), &spin), CRN_OK);
    crn_vec3 before[2], felt[2];
    double worst = 0.0;
    for (int k = 0; k <= (int)lround(0.3 / h) + 1; ++k) {
        for (int i = 0; i < 2; ++i) {
            crn_site_id site = crn_world_site(world, probe[i].target + 1);
            crn_twist v;
            crn_pose at;
            assert_int_equal(crn_site_velocity(world, site, &v), CRN_OK);
            if (k == (int)lround(0.3 / h) + 1) {
                crn_vec3 rate = crn_v3_scale(0.5 / h, crn_v3_sub(v.linear, before[i]));
                worst = fmax(worst,
                             crn_v3_length(crn_v3_sub(crn_v3_sub(rate, crn_model_world_of(model)->gravity), felt[i])));
            } else if (k == (int)lround(0.3 / h)) {
                double values[3];
                assert_int_equal(crn_world_probe(world, &probe[i], values), 3);
                assert_int_equal(crn_site_pose(world, site, &at), CRN_OK);
                felt[i] = crn_quat_turn(at.rotation, crn_v3_of(values));
            } else {
                before[i] = v.linear;
            }
        }
        (void)tree_step(world, h);
    }
    crn_world_destroy(world);
    crn_model_destroy(model);
    return worst;
}

static void test_accelerometer(void **state)
{
    (void)state;
    double coarse = acceleration_off(2e-3), fine = acceleration_off(5e-4);
    print_message("accelerometer against differences: %.1e m/s^2 at 2 ms, %.1e at 0.5 ms\n", coarse, fine);
    assert_true(fine < 1e-3 && fine < coarse / 12.0);
}

static void test_bad_input(void **state)
{
    (void)state;
    crn_model *model = arm_model();
    crn_world *world = tree_world(model);
    double values[64];
    crn_error reason;
    crn_probe_def probe = {.kind = CRN_PROBE_JOINT_SPEED, .only = 2};
    assert_int_equal(crn_model_add_probe(model, &probe, NULL, &reason), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(reason.text, ".coordinate: is 1, but hinge joints have 1 coordinates"));
    probe = (crn_probe_def){.kind = CRN_PROBE_GYRO, .target = 1};
    assert_int_equal(crn_model_add_probe(model, &probe, NULL, &reason), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(reason.text, ".site: 1 is not in 0 .. 0"));
    assert_int_equal(crn_world_probe(world, &probe, values), 0);
    probe = (crn_probe_def){.kind = (crn_probe_kind)99};
    assert_int_equal(crn_world_probe(world, &probe, values), 0);
    assert_int_equal(crn_world_measure(world, NULL, values), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_measure(NULL, model, values), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_model_probe_size(model, 99), -1);
    assert_int_equal(crn_model_probe_first(model, 99), -1);
    crn_world_destroy(world);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_touch),
                                       cmocka_unit_test(test_accelerometer), cmocka_unit_test(test_bad_input)};
    return TEST_RUN(tests, argc, argv);
}
