/* Robots as views of a world: random mechanisms of all joint kinds, fixed and floating, against the bodies' own poses, velocities
 * and masses, against differences, and against what a step does. */
#include "tree_case.h"

#include "test_allocator.h"

#include <cairn/robot.h>

#include <string.h>

enum { BODIES_MOST = 12, WIDTH = 6 * BODIES_MOST, COORDINATES = 7 * BODIES_MOST, TRIALS = 100 };

static const crn_body_id everything = {0, 0};

/* --- Random mechanisms --- */

static crn_vec3 random_vector(crn_random *random, double size)
{
    double x = crn_random_uniform(random, -size, size), y = crn_random_uniform(random, -size, size);
    return crn_v3(x, y, crn_random_uniform(random, -size, size));
}

static crn_pose random_pose(crn_random *random)
{
    return (crn_pose){random_vector(random, 0.5), crn_quat_exp(random_vector(random, 2.0))};
}

static int random_body(crn_random *random, crn_model *model)
{
    crn_body_def def = crn_body_def_default();
    int index = -1;
    crn_vec3 thick = crn_v3(crn_random_uniform(random, 0.05, 0.1), crn_random_uniform(random, 0.05, 0.1),
                            crn_random_uniform(random, 0.05, 0.1));
    crn_mat3 turn = crn_quat_matrix(random_pose(random).rotation);
    crn_mat3 diagonal = tree_diagonal(thick.y + thick.z, thick.z + thick.x, thick.x + thick.y);
    def.pose = random_pose(random);
    def.mass = crn_random_uniform(random, 0.5, 2.0);
    def.com = random_vector(random, 0.3);
    def.inertia = crn_m3_turned(&turn, &diagonal);
    def.gravity_scale = crn_random_below(random, 3) == 0 ? crn_random_uniform(random, -0.5, 1.5) : 1.0;
    TREE_CHECK(crn_model_add_body(model, &def, &index, error));
    return index;
}

/* Several trees: each body hangs on an earlier one, on the world or a fixed body, or floats. */
static crn_model *random_model(crn_random *random, int bodies)
{
    static const crn_joint_kind kinds[] = {CRN_JOINT_HINGE,     CRN_JOINT_BALL,   CRN_JOINT_SLIDER,
                                           CRN_JOINT_UNIVERSAL, CRN_JOINT_PLANAR, CRN_JOINT_FIXED};
    crn_model *model = tree_model(random_vector(random, 10.0));
    crn_body_def base = crn_body_def_default();
    base.kind = CRN_BODY_FIXED;
    base.pose = random_pose(random);
    TREE_CHECK(crn_model_add_body(model, &base, NULL, error));
    for (int i = 1; i <= bodies; ++i) {
        int body = random_body(random, model), parent = crn_random_below(random, i + 2) - 1;
        if (parent == body) {
            continue; /* floats */
        }
        crn_joint_def def = crn_joint_def_default();
        def.kind =
            parent <= 0 && crn_random_below(random, 6) == 0 ? CRN_JOINT_FREE : kinds[crn_random_below(random, 6)];
        def.a = parent;
        def.b = body;
        def.frame_a = random_pose(random);
        def.frame_b = random_pose(random);
        def.in_tree = true;
        for (int k = 0; k < crn_joint_kind_coordinates(def.kind); ++k) {
            def.axis[k].armature = crn_random_below(random, 4) == 0 ? 0.1 : 0.0;
        }
        tree_add(model, &def);
    }
    return model;
}

typedef struct robot_case {
    crn_world *world;
    crn_robot *robot;
    int links, nq, n;
    double q[COORDINATES], u[WIDTH];
} robot_case;

static void numbers(crn_random *random, int count, double *x)
{
    for (int i = 0; i < count; ++i) {
        x[i] = crn_random_uniform(random, -1.0, 1.0);
    }
}

/* At a random place, with random velocities. */
static void make_case(crn_random *random, robot_case *c)
{
    crn_model *model = random_model(random, 1 + crn_random_below(random, BODIES_MOST - 1));
    c->world = tree_world(model);
    crn_model_destroy(model);
    TREE_CHECK(crn_robot_create(c->world, everything, &c->robot, error));
    c->links = crn_robot_links(c->robot);
    c->nq = crn_robot_coordinates(c->robot);
    c->n = crn_robot_velocities(c->robot);
    numbers(random, c->nq, c->q);
    numbers(random, c->n, c->u);
    assert_int_equal(crn_robot_set_state(c->robot, c->q, c->u), CRN_OK);
    assert_int_equal(crn_robot_state(c->robot, c->q, c->u), CRN_OK); /* quaternions are unit now */
}

static void end_case(robot_case *c)
{
    crn_robot_destroy(c->robot);
    crn_world_destroy(c->world);
}

static double largest(int count, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* --- State --- */

static void test_state(void **state)
{
    (void)state;
    crn_random random = test_random("state", 71);
    for (int trial = 0; trial < TRIALS; ++trial) {
        robot_case c;
        double q[COORDINATES], u[WIDTH], V[6 * BODIES_MOST];
        crn_frame frame[BODIES_MOST];
        make_case(&random, &c);
        assert_int_equal(crn_robot_set_state(c.robot, c.q, c.u), CRN_OK);
        assert_int_equal(crn_robot_state(c.robot, q, u), CRN_OK);
        for (int i = 0; i < c.nq; ++i) {
            TEST_CHECK(fabs(q[i] - c.q[i]) < 1e-14, "q[%d] is %.17g, not %.17g", i, q[i], c.q[i]);
        }
        for (int i = 0; i < c.n; ++i) {
            TEST_CHECK(fabs(u[i] - c.u[i]) < 1e-13, "u[%d] is %.17g, not %.17g", i, u[i], c.u[i]);
        }
        /* where the tree puts the links is where the bodies are */
        crn_tree_kinematics(crn_robot_tree(c.robot), q, u, frame, V);
        for (int k = 0; k < c.links; ++k) {
            crn_body_id id = crn_robot_body(c.robot, k);
            crn_pose pose = physics_pose(c.world, (int)id.index1 - 1);
            crn_twist twist = physics_velocity(c.world, (int)id.index1 - 1);
            crn_mat3 turn = crn_quat_matrix(pose.rotation);
            crn_vec3 com;
            assert_int_equal(crn_body_mass(c.world, id, NULL, &com, NULL), CRN_OK);
            crn_vec3 w = crn_v3_of(V + 6 * k), v = crn_v3_of(V + 6 * k + 3);
            crn_vec3 v_com = crn_v3_add(v, crn_v3_cross(w, crn_m3_times(&frame[k].rotation, com)));
            assert_true(physics_distance(frame[k].position, pose.position) < 1e-13);
            assert_true(physics_distance(w, twist.angular) < 1e-12 && physics_distance(v_com, twist.linear) < 1e-12);
            for (int i = 0; i < 9; ++i) {
                assert_true(fabs(turn.m[i] - frame[k].rotation.m[i]) < 1e-13);
            }
            assert_int_equal(crn_robot_find_body(c.robot, id), k);
        }
        end_case(&c);
    }
}

/* --- Dynamics --- */

/* H u' + C is the force of which forward dynamics makes u'. */
static void test_dynamics(void **state)
{
    (void)state;
    crn_random random = test_random("dynamics", 72);
    static double H[WIDTH * WIDTH];
    double worst = 0.0, worst_inverse = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        robot_case c;
        double force[WIDTH], bias[WIDTH], acceleration[WIDTH], back[WIDTH];
        make_case(&random, &c);
        numbers(&random, c.n, force);
        assert_int_equal(crn_robot_mass_matrix(c.robot, H), CRN_OK);
        assert_int_equal(crn_robot_bias(c.robot, bias), CRN_OK);
        assert_int_equal(crn_robot_forward(c.robot, force, acceleration), CRN_OK);
        assert_int_equal(crn_robot_inverse(c.robot, acceleration, back), CRN_OK);
        double scale = fmax(1.0, largest(c.n, bias));
        for (int i = 0; i < c.n; ++i) {
            double sum = bias[i] - force[i];
            for (int j = 0; j < c.n; ++j) {
                sum += H[i + c.n * j] * acceleration[j];
            }
            worst = fmax(worst, fabs(sum) / scale);
            worst_inverse = fmax(worst_inverse, fabs(back[i] - force[i]) / scale);
        }
        end_case(&c);
    }
    print_message("H u' + C - tau: %.1e, inverse of forward: %.1e\n", worst, worst_inverse);
    assert_true(worst < 1e-9 && worst_inverse < 1e-9);
}

/* Potential of gravity, each body with its own share. */
static double potential(const robot_case *c, const double *scale)
{
    double sum = 0.0;
    crn_vec3 gravity = crn_world_definition(c->world)->gravity;
    for (int k = 0; k < c->links; ++k) {
        crn_body_id id = crn_robot_body(c->robot, k);
        crn_pose pose = physics_pose(c->world, (int)id.index1 - 1);
        double mass;
        crn_vec3 com;
        assert_int_equal(crn_body_mass(c->world, id, &mass, &com, NULL), CRN_OK);
        crn_vec3 at = crn_v3_add(pose.position, crn_quat_turn(pose.rotation, com));
        sum -= scale[k] * mass * crn_v3_dot(gravity, at);
    }
    return sum;
}

/* Gravity's forces are the gradient of the potential; the Jacobian is that of where points are. */
static void test_gravity_and_jacobian(void **state)
{
    (void)state;
    crn_random random = test_random("gravity_and_jacobian", 73);
    const double h = 1e-5;
    double worst = 0.0, worst_point = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        crn_random again = random; /* gravity_scale is not told by the world */
        crn_model *model = random_model(&again, 1 + crn_random_below(&again, BODIES_MOST - 1));
        crn_model_destroy(model);
        robot_case c;
        double force[WIDTH], J[6 * WIDTH], scale[BODIES_MOST], gap[2], moved[COORDINATES], still[WIDTH] = {0};
        crn_vec3 at[2], point = {0.1, -0.2, 0.3};
        crn_random copy = random;
        model = random_model(&copy, 1 + crn_random_below(&copy, BODIES_MOST - 1));
        make_case(&random, &c);
        for (int k = 0; k < c.links; ++k) {
            const crn_body_def *def = crn_model_body(model, (int)crn_robot_body(c.robot, k).index1 - 1);
            scale[k] = def ? def->gravity_scale : 1.0;
        }
        crn_model_destroy(model);
        int link = crn_random_below(&random, c.links);
        crn_body_id id = crn_robot_body(c.robot, link);
        assert_int_equal(crn_robot_gravity(c.robot, force), CRN_OK);
        assert_int_equal(crn_robot_jacobian(c.robot, id, point, J), CRN_OK);
        double most = fmax(1.0, largest(c.n, force));
        for (int j = 0; j < c.n; ++j) {
            still[j] = 1.0;
            for (int side = 0; side < 2; ++side) {
                crn_tree_advance(crn_robot_tree(c.robot), c.q, still, side ? h : -h, moved);
                assert_int_equal(crn_robot_set_state(c.robot, moved, NULL), CRN_OK);
                crn_pose pose = physics_pose(c.world, (int)id.index1 - 1);
                gap[side] = potential(&c, scale);
                at[side] = crn_v3_add(pose.position, crn_quat_turn(pose.rotation, point));
            }
            still[j] = 0.0;
            crn_vec3 v = crn_v3_scale(0.5 / h, crn_v3_sub(at[1], at[0]));
            worst = fmax(worst, fabs(0.5 / h * (gap[1] - gap[0]) - force[j]) / most);
            worst_point = fmax(worst_point, physics_distance(v, crn_v3_of(J + 6 * j + 3)));
        }
        end_case(&c);
    }
    print_message("gravity against the potential: %.1e, Jacobian against differences: %.1e\n", worst, worst_point);
    assert_true(worst < 1e-7 && worst_point < 1e-7);
}

static void test_com_and_momentum(void **state)
{
    (void)state;
    crn_random random = test_random("com_and_momentum", 74);
    for (int trial = 0; trial < TRIALS; ++trial) {
        robot_case c;
        double mass, sum = 0.0, momentum[6], J[3 * WIDTH];
        crn_vec3 com, velocity, first = {0, 0, 0}, linear = {0, 0, 0}, angular = {0, 0, 0}, by_J = {0, 0, 0};
        make_case(&random, &c);
        assert_int_equal(crn_robot_com(c.robot, &mass, &com, &velocity, J), CRN_OK);
        assert_int_equal(crn_robot_momentum(c.robot, momentum), CRN_OK);
        for (int k = 0; k < c.links; ++k) {
            crn_body_id id = crn_robot_body(c.robot, k);
            crn_pose pose = physics_pose(c.world, (int)id.index1 - 1);
            crn_twist twist = physics_velocity(c.world, (int)id.index1 - 1);
            crn_mat3 inertia, turn = crn_quat_matrix(pose.rotation);
            double m;
            crn_vec3 x;
            assert_int_equal(crn_body_mass(c.world, id, &m, &x, &inertia), CRN_OK);
            x = crn_v3_add(pose.position, crn_quat_turn(pose.rotation, x));
            inertia = crn_m3_turned(&turn, &inertia);
            sum += m;
            first = crn_v3_axpy(first, m, x);
            linear = crn_v3_axpy(linear, m, twist.linear);
            angular = crn_v3_add(angular, crn_m3_times(&inertia, twist.angular));
            angular = crn_v3_axpy(angular, m, crn_v3_cross(x, twist.linear));
        }
        for (int j = 0; j < c.n; ++j) {
            by_J = crn_v3_axpy(by_J, c.u[j], crn_v3_of(J + 3 * j));
        }
        assert_true(fabs(mass - sum) < 1e-13 * sum);
        assert_true(physics_distance(com, crn_v3_scale(1.0 / sum, first)) < 1e-12);
        assert_true(physics_distance(velocity, crn_v3_scale(1.0 / sum, linear)) < 1e-11);
        assert_true(physics_distance(velocity, by_J) < 1e-11);
        assert_true(physics_distance(crn_v3_of(momentum), angular) < 1e-10);
        assert_true(physics_distance(crn_v3_of(momentum + 3), linear) < 1e-10);
        end_case(&c);
    }
}

/* Forces act on every kind of joint: after a short step velocities have changed by h u' of forward dynamics. The first step from
 * a state that was set has half a kick; the velocity shown is that at its moment. */
static void test_apply(void **state)
{
    (void)state;
    crn_random random = test_random("apply", 75);
    const double h = 1e-4;
    double worst = 0.0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        robot_case c;
        double force[WIDTH], pushed[WIDTH], without[WIDTH], a[WIDTH], b[WIDTH], none[WIDTH] = {0};
        make_case(&random, &c);
        numbers(&random, c.n, force);
        assert_int_equal(crn_robot_set_state(c.robot, c.q, none), CRN_OK);
        assert_int_equal(crn_robot_forward(c.robot, force, a), CRN_OK);
        assert_int_equal(crn_robot_forward(c.robot, NULL, b), CRN_OK);
        for (int side = 0; side < 2; ++side) {
            assert_int_equal(crn_robot_set_state(c.robot, c.q, none), CRN_OK);
            assert_int_equal(side ? crn_robot_apply(c.robot, force) : CRN_OK, CRN_OK);
            for (int k = 0; k < 2; ++k) { /* one push has acted in full after the second step */
                TREE_CHECK(crn_world_step(c.world, h, NULL, error));
            }
            assert_int_equal(crn_robot_state(c.robot, NULL, side ? pushed : without), CRN_OK);
        }
        double scale = fmax(1.0, largest(c.n, a));
        for (int j = 0; j < c.n; ++j) {
            worst = fmax(worst, fabs((pushed[j] - without[j]) / h - (a[j] - b[j])) / scale);
        }
        end_case(&c);
    }
    print_message("a push of one step: %.1e\n", worst);
    assert_true(worst < 1e-5);
}

/* --- Contacts --- */

/* Two boxes, one on the other, and a leg on a hinge beside them: the floor carries all, pair forces sum up. */
static void test_contact_force(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    const crn_vec3 half = {0.5, 0.5, 0.5};
    int ground = tree_floor(model, 0.5);
    int low = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_BOX, half, crn_v3(0, 0, 0.5), 0.5, 2.0);
    int high = tree_shape(model, CRN_BODY_FREE, CRN_SHAPE_BOX, half, crn_v3(0, 0, 1.5), 0.5, 3.0);
    crn_world *world = physics_world(model);
    crn_robot *robot = NULL;
    crn_body_id id[3];
    for (int i = 0; i < 3; ++i) {
        id[i] = crn_world_body(world, i + 1);
    }
    TREE_CHECK(crn_robot_create(world, everything, &robot, error));
    physics_run(world, 0.01, 50);
    crn_vec3 on_low, on_high, all;
    assert_int_equal(crn_pair_contact_force(world, id[low], id[ground], &on_low, NULL), CRN_OK);
    assert_int_equal(crn_pair_contact_force(world, id[high], id[low], &on_high, NULL), CRN_OK);
    assert_int_equal(crn_body_contact_force(world, id[low], &all, NULL), CRN_OK);
    physics_figure("two boxes", "floor on the lower", on_low.z, 5.0 * PHYSICS_G, 1e-8);
    physics_figure("two boxes", "lower on the upper", on_high.z, 3.0 * PHYSICS_G, 1e-8);
    physics_figure("two boxes", "sum on the lower", all.z, 2.0 * PHYSICS_G, 1e-8);
    double contact[12], gravity[12];
    assert_int_equal(crn_robot_contact_force(robot, contact), CRN_OK);
    assert_int_equal(crn_robot_gravity(robot, gravity), CRN_OK);
    for (int i = 0; i < 12; ++i) {
        TEST_CHECK(fabs(contact[i] - gravity[i]) < 1e-7, "velocity %d: contacts %g, gravity %g", i, contact[i],
                   gravity[i]);
    }
    assert_int_equal(crn_pair_contact_force(world, id[low], id[low], &all, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_pair_contact_force(world, id[low], everything, &all, NULL), CRN_ERR_ARGUMENT);
    crn_robot_destroy(robot);
    crn_world_destroy(world);
}

/* --- Planar worlds, names, bad input, memory --- */

static void test_planar(void **state)
{
    (void)state;
    crn_model *model = physics_model();
    crn_model_world(model)->is_planar = true;
    crn_model_world(model)->gravity = crn_v3(0, -PHYSICS_G, 0);
    crn_body_def def = crn_body_def_default();
    def.mass = 2.0;
    def.inertia.m[8] = 0.3;
    def.com = crn_v3(0.2, 0.1, 0);
    def.pose.position = crn_v3(1, 2, 0);
    TREE_CHECK(crn_model_add_body(model, &def, NULL, error));
    crn_world *world = physics_world(model);
    crn_robot *robot = NULL;
    TREE_CHECK(crn_robot_create(world, everything, &robot, error));
    const double q[3] = {3.0, 4.0, 0.5}, u[3] = {1.0, -1.0, 2.0};
    double q_back[3], u_back[3], gravity[3];
    assert_int_equal(crn_robot_velocities(robot), 3);
    assert_int_equal(crn_robot_set_state(robot, q, u), CRN_OK);
    assert_int_equal(crn_robot_state(robot, q_back, u_back), CRN_OK);
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(q[i] - q_back[i]) < 1e-15 && fabs(u[i] - u_back[i]) < 1e-15);
    }
    assert_int_equal(crn_robot_gravity(robot, gravity), CRN_OK);
    physics_figure("planar", "force y", gravity[1], 2.0 * PHYSICS_G, 1e-12);
    physics_figure("planar", "torque", gravity[2], 2.0 * PHYSICS_G * (0.2 * cos(0.5) - 0.1 * sin(0.5)), 1e-12);
    crn_robot_destroy(robot);
    crn_world_destroy(world);
}

static void test_names(void **state)
{
    (void)state;
    crn_model *model = tree_model(tree_down);
    crn_body_def body = crn_body_def_default();
    body.mass = 1.0;
    body.inertia = tree_diagonal(1, 1, 1);
    body.name = "arm";
    TREE_CHECK(crn_model_add_body(model, &body, NULL, error));
    body.name = NULL;
    TREE_CHECK(crn_model_add_body(model, &body, NULL, error));
    crn_joint_def joint = tree_joint(model, CRN_JOINT_HINGE, -1, 0, tree_nothing, tree_y);
    joint.name = "elbow";
    tree_add(model, &joint);
    crn_world *world = physics_world(model); /* the model is gone: names are the world's */
    crn_body_id arm = crn_world_find_body(world, "arm");
    crn_joint_id elbow = crn_world_find_joint(world, "elbow");
    assert_int_equal(arm.index1, 1);
    assert_int_equal(elbow.index1, 1);
    assert_string_equal(crn_body_name(world, arm), "arm");
    assert_string_equal(crn_joint_name(world, elbow), "elbow");
    assert_null(crn_body_name(world, crn_world_body(world, 2)));
    assert_int_equal(crn_world_find_body(world, "elbow").index1, 0);
    assert_int_equal(crn_world_find_body(world, NULL).index1, 0);
    assert_int_equal(crn_world_find_body(NULL, "arm").index1, 0);
    assert_int_equal(crn_world_find_joint(NULL, "elbow").index1, 0);
    crn_robot *robot = NULL;
    TREE_CHECK(crn_robot_create(world, arm, &robot, error));
    int q = -1, u = -1;
    assert_int_equal(crn_robot_links(robot), 1); /* the other body is not of it */
    assert_int_equal(crn_robot_find_joint(robot, elbow), 0);
    assert_int_equal(crn_robot_place(robot, 0, &q, &u), 1);
    assert_true(q == 0 && u == 0);
    assert_int_equal(crn_robot_place(robot, 1, NULL, NULL), -1);
    crn_robot_destroy(robot);
    assert_int_equal(crn_body_destroy(world, arm, NULL), CRN_OK);
    assert_int_equal(crn_world_find_body(world, "arm").index1, 0);
    assert_int_equal(crn_world_find_joint(world, "elbow").index1, 0);
    crn_world_destroy(world);
}

static void refuse(crn_world *world, crn_body_id body, const char *text)
{
    crn_robot *robot = NULL;
    crn_error reason;
    assert_int_not_equal(crn_robot_create(world, body, &robot, &reason), CRN_OK);
    assert_string_equal(reason.text, text);
    assert_null(robot);
}

static void test_bad_input(void **state)
{
    (void)state;
    crn_model *model = tree_chain(2, 1.0, 1.0);
    crn_body_def def = crn_body_def_default();
    def.kind = CRN_BODY_DRIVEN;
    TREE_CHECK(crn_model_add_body(model, &def, NULL, error));
    int carried = tree_rod(model, tree_nothing, tree_x, 1.0);
    tree_join(model, CRN_JOINT_HINGE, 2, carried, tree_nothing, tree_y);
    crn_world *world = physics_world(model);
    crn_robot *robot = NULL;
    refuse(world, (crn_body_id){9, 1}, "robot: the body's id is stale");
    refuse(world, crn_world_body(world, 3), "robot: body 3 is not free");
    refuse(world, crn_world_body(world, 4), "robot: body 3, which carries it, is driven");
    refuse(NULL, everything, "world or robot is NULL");
    TREE_CHECK(crn_robot_create(world, crn_world_body(world, 2), &robot, error));
    double q[8] = {1, 0, 0, 0, 1, 0, 0, 0}, u[6] = {0}, H[36], before[8], after[8];
    assert_int_equal(crn_robot_coordinates(robot), 8);
    assert_int_equal(crn_robot_state(robot, before, NULL), CRN_OK);
    for (int i = 0; i < 3; ++i) {
        q[5] = i == 0 ? NAN : i == 1 ? INFINITY : 1e13;
        assert_int_equal(crn_robot_set_state(robot, q, NULL), CRN_ERR_ARGUMENT);
        u[5] = q[5];
        assert_int_equal(crn_robot_set_state(robot, NULL, u), CRN_ERR_ARGUMENT);
        u[5] = i == 2 ? 1e19 : q[5];
        assert_int_equal(crn_robot_apply(robot, u), CRN_ERR_ARGUMENT);
    }
    memset(q, 0, sizeof q); /* quaternions of length 0 */
    assert_int_equal(crn_robot_set_state(robot, q, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_robot_state(robot, after, NULL), CRN_OK);
    assert_memory_equal(before, after, sizeof after); /* nothing has changed */
    assert_int_equal(crn_robot_mass_matrix(robot, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_robot_mass_matrix(NULL, H), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_robot_bias(robot, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_robot_jacobian(robot, crn_world_body(world, 4), tree_nothing, H), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_robot_jacobian(robot, crn_world_body(world, 1), crn_v3(NAN, 0, 0), H), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_robot_links(NULL), 0);
    /* another body elsewhere changes nothing; one that hangs on the robot makes it stale */
    crn_body_id ball, hung;
    crn_joint_id joint;
    def = crn_body_def_default();
    def.mass = 1.0;
    def.inertia = tree_diagonal(1, 1, 1);
    TREE_CHECK(crn_body_create(world, &def, &ball, error));
    assert_int_equal(crn_robot_mass_matrix(robot, H), CRN_OK);
    TREE_CHECK(crn_body_create(world, &def, &hung, error));
    crn_joint_def hinge = crn_joint_def_default();
    hinge.kind = CRN_JOINT_HINGE;
    TREE_CHECK(crn_joint_create(world, &hinge, crn_world_body(world, 2), hung, &joint, error));
    assert_int_equal(crn_robot_mass_matrix(robot, H), CRN_ERR_ARGUMENT);
    crn_robot_destroy(robot);
    crn_robot_destroy(NULL);
    crn_world_destroy(world);
    crn_world_def hart = crn_world_def_default();
    hart.integrator = CRN_INTEGRATOR_HART;
    TREE_CHECK(crn_world_create(&hart, NULL, &world, error));
    refuse(world, everything, "robot: joints have no coordinates with the integrator hart");
    crn_world_destroy(world);
    TREE_CHECK(crn_world_create(NULL, NULL, &world, error));
    refuse(world, everything, "robot: the world has no free body");
    crn_world_destroy(world);
}

/* The k-th request fails: nothing is lost; then calls take no memory. */
static void test_memory(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_model *model = tree_chain(3, 1.0, 1.0);
    crn_world *world = NULL;
    crn_robot *robot = NULL;
    TREE_CHECK(crn_world_create_from(model, &hooks, &world, error));
    crn_model_destroy(model);
    long live = counter.live, k = 0;
    do {
        counter.fail_at = counter.calls + ++k;
        crn_error error;
        crn_status status = crn_robot_create(world, everything, &robot, &error);
        TEST_CHECK(status == CRN_OK || (status == CRN_ERR_MEMORY && robot == NULL && counter.live == live),
                   "k = %ld: %s, %ld blocks more", k, error.text, counter.live - live);
    } while (robot == NULL);
    counter.fail_at = 0;
    assert_true(k > 5);
    long calls = counter.calls;
    double q[12], u[9], H[81], J[54];
    assert_int_equal(crn_robot_state(robot, q, u), CRN_OK);
    assert_int_equal(crn_robot_set_state(robot, q, u), CRN_OK);
    assert_int_equal(crn_robot_mass_matrix(robot, H), CRN_OK);
    assert_int_equal(crn_robot_jacobian(robot, crn_world_body(world, 3), tree_nothing, J), CRN_OK);
    assert_int_equal(crn_robot_apply(robot, u), CRN_OK);
    assert_int_equal(crn_robot_contact_force(robot, u), CRN_OK);
    assert_int_equal(counter.calls, calls);
    crn_robot_destroy(robot);
    crn_world_destroy(world);
    assert_int_equal(counter.live, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_dynamics),
        cmocka_unit_test(test_gravity_and_jacobian),
        cmocka_unit_test(test_com_and_momentum),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_contact_force),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
