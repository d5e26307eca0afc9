/* Robots that stand by their servos: the ground carries their weight, nothing creeps, and inverse dynamics of the pose, less what the
 * contacts give, are the torques of the servos. A quadruped of the Menagerie (skipped without its data), a small one and a man of our own.
 * What force sensors and Jacobians tell of them. */
#include "tree_case.h"

#include "test_data.h"

#include <cairn/io.h>
#include <cairn/robot.h>

enum { VELOCITIES_MOST = 64 };

/* Four legs of two hinges each, held by servos; 28 kg. */
static const char dog[] = "<mujoco><compiler angle='radian'/><default><geom size='0.03' density='1000'/><position "
                          "kp='400' kv='20'/></default>"
                          "<worldbody><geom type='plane' size='5 5 1'/><body name='trunk' pos='0 0 "
                          "0.5'><freejoint/><geom type='box' size='0.3 0.15 0.06'/>"
#define LEG(name, x, y)                                                                     \
    "<body name='" name "' pos='" x " " y " 0'><joint name='" name                          \
    "_hip' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.25'/><body name='" name  \
    "_shin' pos='0 0 -0.25'><joint name='" name                                             \
    "_knee' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.22'/><site name='" name \
    "_foot' pos='0.01 0.02 -0.2' euler='0.1 0.2 0.3'/></body></body>"
    LEG("fl", "0.25", "0.2") LEG("fr", "0.25", "-0.2") LEG("bl", "-0.25", "0.2")
        LEG("br", "-0.25", "-0.2") "</body></worldbody><actuator>"
#define SERVOS(name) "<position joint='" name "_hip'/><position joint='" name "_knee'/>"
    SERVOS("fl") SERVOS("fr") SERVOS("bl")
        SERVOS("br") "</actuator><keyframe><key name='home' qpos='0 0 0.47 1 0 0 0 "
                     "0.5 -1 0.5 -1 0.5 -1 0.5 -1' ctrl='0.5 -1 0.5 -1 0.5 -1 0.5 -1'/></keyframe></mujoco>";

/* Two legs of hip, knee and ankle, knees bent, arms that hang from shoulders; 41 kg. */
static const char man[] =
    "<mujoco><compiler angle='radian'/><default><geom size='0.04' density='1000'/><position kp='3000' "
    "kv='150'/></default>"
    "<worldbody><geom type='plane' size='5 5 1'/><body name='trunk' pos='0 0 1'><freejoint/>"
    "<geom type='box' size='0.08 0.14 0.22' pos='0 0 0.22'/><geom type='sphere' size='0.1' pos='0 0 0.55'/>"
#define LIMB(name, y)                                                                \
    "<body name='" name "_arm' pos='0 " y " 0.4'><joint name='" name                 \
    "_shoulder' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.5'/></body>" \
    "<body name='" name "_thigh' pos='0 " y " 0'><joint name='" name                 \
    "_hip' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.4'/>"             \
    "<body name='" name "_shin' pos='0 0 -0.4'><joint name='" name                   \
    "_knee' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.4'/>"            \
    "<body name='" name "_foot' pos='0 0 -0.4'><joint name='" name                   \
    "_ankle' axis='0 1 0'/><geom type='box' size='0.13 0.05 0.02' pos='0.04 0 -0.05'/></body></body></body>"
    LIMB("l", "0.18") LIMB("r", "-0.18") "</body></worldbody><actuator>"
#define DRIVES(name)                                                        \
    "<position joint='" name "_shoulder'/><position joint='" name "_hip'/>" \
    "<position joint='" name "_knee'/><position joint='" name "_ankle'/>"
    DRIVES("l") DRIVES(
        "r") "</actuator><keyframe><key name='home' qpos='0 0 0.856 1 0 0 0 "
             "0.1 -0.2 0.4 -0.2 0.1 -0.2 0.4 -0.2' ctrl='0.1 -0.2 0.4 -0.2 0.1 -0.2 0.4 -0.2'/></keyframe></mujoco>";

static crn_model *read_text(const char *text)
{
    crn_model *model = physics_model();
    TREE_CHECK(crn_io_read_mjcf_text(text, strlen(text), "robot.xml", NULL, model, error));
    return model;
}

static crn_model *read_dog(void)
{
    return read_text(dog);
}

/* Forces of springs and dampers, controls included, along the velocities; friction: how much that of the joint may add. */
static void servo_forces(const crn_model *model, crn_world *world, const crn_robot *robot, const double *q,
                         const double *u, double *force, double *friction)
{
    for (int link = 0; link < crn_robot_links(robot); ++link) {
        crn_joint_id id = crn_robot_joint(robot, link);
        int at_q, at_u, freedom = crn_robot_place(robot, link, &at_q, &at_u);
        const crn_joint_def *joint = crn_model_joint(model, (int)id.index1 - 1);
        for (int k = 0; k < freedom; ++k) {
            const crn_joint_axis *axis = joint != NULL ? &joint->axis[k] : NULL;
            friction[at_u + k] = axis != NULL ? axis->friction : 0.0;
            force[at_u + k] =
                axis != NULL ? axis->stiffness * (axis->target.value - q[at_q + k]) - axis->damping * u[at_u + k] : 0.0;
        }
    }
    for (int i = 0; i < crn_world_actuators(world); ++i) {
        int at_u, link = crn_robot_find_joint(robot, crn_actuator_joint(world, i));
        double made;
        assert_true(crn_robot_place(robot, link, NULL, &at_u) > 0);
        assert_int_equal(crn_actuator_force(world, i, &made), CRN_OK);
        force[at_u + crn_model_actuator(model, i)->coordinate] += made;
    }
}

static double largest(int count, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Columns of a point's Jacobian along joints against differences of its place. */
static double jacobian_off(crn_world *world, crn_robot *robot, crn_body_id body)
{
    const double step = 1e-5;
    double q[VELOCITIES_MOST], J[6 * VELOCITIES_MOST], worst = 0.0;
    int n = crn_robot_velocities(robot);
    crn_vec3 point = crn_v3(0.01, 0.02, -0.05);
    assert_int_equal(crn_robot_state(robot, q, NULL), CRN_OK);
    assert_int_equal(crn_robot_jacobian(robot, body, point, J), CRN_OK);
    for (int i = 6; i < n; ++i) { /* behind the free joint q is one behind u */
        crn_vec3 at[2];
        for (int side = 0; side < 2; ++side) {
            crn_pose pose;
            double other[VELOCITIES_MOST];
            memcpy(other, q, sizeof other);
            other[i + 1] += side == 0 ? -step : step;
            assert_int_equal(crn_robot_set_state(robot, other, NULL), CRN_OK);
            assert_int_equal(crn_body_pose(world, body, &pose), CRN_OK);
            at[side] = crn_v3_add(pose.position, crn_quat_turn(pose.rotation, point));
        }
        crn_vec3 rate = crn_v3_scale(0.5 / step, crn_v3_sub(at[1], at[0]));
        worst = fmax(worst, crn_v3_length(crn_v3_sub(rate, crn_v3_of(J + 6 * i + 3))));
    }
    assert_int_equal(crn_robot_set_state(robot, q, NULL), CRN_OK);
    return worst;
}

/* 12 s from the key "home" at a step; the last 4 s must be still. The dog sways on its feet for 6 s before: that dies by e a second. */
static void stand(const char *name, const crn_model *model, double h)
{
    crn_world *world = tree_world(model);
    TREE_CHECK(crn_world_set_key(world, crn_model_key(model, crn_model_find_key(model, "home")), error));
    crn_robot *robot = NULL;
    TREE_CHECK(crn_robot_create(world, (crn_body_id){0, 0}, &robot, error));
    int steps = (int)lround(12.0 / h), n = crn_robot_velocities(robot);
    double half[VELOCITIES_MOST], q[VELOCITIES_MOST], u[VELOCITIES_MOST], gravity[VELOCITIES_MOST];
    double contact[VELOCITIES_MOST], servo[VELOCITIES_MOST], gap[VELOCITIES_MOST], creep = 0.0, mass;
    double friction[VELOCITIES_MOST];
    assert_true(crn_robot_coordinates(robot) <= VELOCITIES_MOST);
    for (int i = 0; i < steps; ++i) {
        (void)tree_step(world, h);
        if (i == steps * 8 / 12) {
            assert_int_equal(crn_robot_state(robot, half, NULL), CRN_OK);
        }
    }
    assert_int_equal(crn_robot_state(robot, q, u), CRN_OK);
    for (int i = 0; i < crn_robot_coordinates(robot); ++i) {
        creep = fmax(creep, fabs(q[i] - half[i]));
    }
    assert_int_equal(crn_robot_com(robot, &mass, NULL, NULL, NULL), CRN_OK);
    assert_int_equal(crn_robot_gravity(robot, gravity), CRN_OK);
    assert_int_equal(crn_robot_contact_force(robot, contact), CRN_OK);
    servo_forces(model, world, robot, q, u, servo, friction);
    for (int i = 0; i < n; ++i) {
        gap[i] = fmax(0.0, fabs(gravity[i] - contact[i] - servo[i]) - friction[i]);
    }
    double carried = contact[5] / (mass * PHYSICS_G), off = largest(n, gap) / largest(n, gravity);
    print_message(
        "%s, %g ms: %d velocities, %.4g kg, ground force / weight - 1 = %.1e, creep in 4 s %.1e, torques off by %.1e\n",
        name, 1e3 * h, n, mass, carried - 1.0, creep, off);
    assert_true(fabs(carried - 1.0) < 1e-6);
    assert_true(creep < 1e-9);
    assert_true(off < 1e-9);
    double jacobian = jacobian_off(world, robot, crn_robot_body(robot, crn_robot_links(robot) - 1));
    print_message("%s: Jacobian of a point against differences %.1e\n", name, jacobian);
    assert_true(jacobian < 1e-7);
    crn_robot_destroy(robot);
    crn_world_destroy(world);
}

/* Force and torque at a foot against contacts and weight of the shin: what stands still is in balance. */
static void test_force_at_feet(void **state)
{
    (void)state;
    crn_model *model = read_dog();
    crn_world *world = tree_world(model);
    TREE_CHECK(crn_world_set_key(world, crn_model_key(model, crn_model_find_key(model, "home")), error));
    for (int i = 0; i < 8000; ++i) {
        (void)tree_step(world, 1e-3);
    }
    static const char *const legs[] = {"fl", "fr", "bl", "br"};
    double worst = 0.0, worst_torque = 0.0;
    for (int i = 0; i < 4; ++i) {
        char shin[20], foot[20];
        (void)snprintf(shin, sizeof shin, "%s_shin", legs[i]);
        (void)snprintf(foot, sizeof foot, "%s_foot", legs[i]);
        crn_body_id body = crn_world_find_body(world, shin);
        crn_pose pose, there;
        crn_vec3 contact, turn, com;
        double force[3], torque[3], mass;
        int site = crn_model_find_site(model, foot);
        const crn_probe_def probes[2] = {{.kind = CRN_PROBE_FORCE, .target = site},
                                         {.kind = CRN_PROBE_TORQUE, .target = site}};
        assert_int_equal(crn_world_probe(world, &probes[0], force), 3);
        assert_int_equal(crn_world_probe(world, &probes[1], torque), 3);
        assert_int_equal(crn_body_contact_force(world, body, &contact, &turn), CRN_OK);
        assert_int_equal(crn_body_mass(world, body, &mass, &com, NULL), CRN_OK);
        assert_int_equal(crn_site_pose(world, crn_world_find_site(world, foot), &pose), CRN_OK);
        assert_int_equal(crn_body_pose(world, body, &there), CRN_OK);
        crn_vec3 arm = crn_v3_sub(crn_v3_add(there.position, crn_quat_turn(there.rotation, com)), pose.position);
        crn_vec3 acts = crn_v3_axpy(contact, mass, crn_v3(0, 0, -PHYSICS_G));
        crn_vec3 turns = crn_v3_add(turn, crn_v3_cross(arm, acts)); /* about the site */
        crn_vec3 felt = crn_quat_turn(pose.rotation, crn_v3_of(force)),
                 twist = crn_quat_turn(pose.rotation, crn_v3_of(torque));
        worst = fmax(worst, crn_v3_length(crn_v3_add(felt, acts)) / crn_v3_length(acts));
        worst_torque = fmax(worst_torque, crn_v3_length(crn_v3_add(twist, turns)) / crn_v3_length(acts));
    }
    print_message("force at feet against contacts and weight: %.1e of it, torque %.1e m\n", worst, worst_torque);
    assert_true(worst < 1e-9 && worst_torque < 1e-9);
    crn_world_destroy(world);
    crn_model_destroy(model);
}

static void test_dog(void **state)
{
    (void)state;
    crn_model *model = read_dog();
    stand("dog", model, 1e-3);
    stand("dog", model, 5e-3);
    crn_model_destroy(model);
}

static void test_man(void **state)
{
    (void)state;
    crn_model *model = read_text(man);
    stand("man", model, 1e-3);
    stand("man", model, 5e-3);
    crn_model_destroy(model);
}

static void test_barkour(void **state)
{
    (void)state;
    char path[1024];
    if (test_data_path("mjcf/menagerie/google_barkour_vb/scene.xml", path, sizeof path) == NULL) {
        skip();
    }
    crn_model *model = physics_model();
    TREE_CHECK(crn_io_read_mjcf(path, NULL, model, error));
    stand("barkour", model, 1e-3);
    stand("barkour", model, 5e-3);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dog), cmocka_unit_test(test_man),
                                       cmocka_unit_test(test_force_at_feet), cmocka_unit_test(test_barkour)};
    return TEST_RUN(tests, argc, argv);
}
