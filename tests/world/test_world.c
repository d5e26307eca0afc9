/* The world's interface: ids, forces, contacts, events, settings. Physics has tests of its own. */
#include "world_case.h"

static const double g = 9.81;

static void test_ids_go_stale(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_body_id first = add_box(world, 0.5, (crn_vec3){0, 0, 1}, 1.0),
                second = add_box(world, 0.5, (crn_vec3){5, 0, 1}, 1.0);
    crn_pose pose;
    assert_true(crn_body_is_valid(world, first));
    assert_false(crn_body_is_valid(world, nobody));
    assert_int_equal(crn_body_destroy(world, first, NULL), CRN_OK);
    assert_false(crn_body_is_valid(world, first));
    assert_true(crn_body_is_valid(world, second));
    assert_int_equal(crn_body_pose(world, first, &pose), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_destroy(world, first, NULL), CRN_ERR_ARGUMENT);
    crn_body_id third = add_box(world, 0.5, (crn_vec3){9, 0, 1}, 1.0); /* takes the free slot */
    assert_int_equal(third.index1, first.index1);
    assert_false(crn_body_is_valid(world, first));
    assert_true(crn_body_is_valid(world, third));
    assert_int_equal(crn_world_bodies(world), 2);
    CHECK_NEAR(position_of(world, third).x, 9.0, 0.0);
    crn_world_destroy(world);
}

/* A world without bodies was copied from and to NULL. */
static void test_nothing(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_step_stats stats;
    assert_int_equal(crn_world_step(world, 0.01, &stats, NULL), CRN_OK);
    assert_int_equal(stats.verdict, CRN_VERDICT_CERTIFIED);
    CHECK_NEAR(crn_world_time(world), 0.01, 0.0);
    crn_world_destroy(world);
}

static void test_destroying_a_support(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    add_floor(world);
    crn_body_id low = add_box(world, 0.5, (crn_vec3){0, 0, 0.5}, 1.0),
                high = add_box(world, 0.5, (crn_vec3){0, 0, 1.5}, 1.0);
    step_for(world, 0.01, 0.1);
    CHECK_NEAR(position_of(world, high).z, 1.5, 1e-8);
    assert_int_equal(crn_body_destroy(world, low, NULL), CRN_OK);
    step_for(world, 0.01, 1.0);
    CHECK_NEAR(position_of(world, high).z, 0.5, 1e-6);
    crn_world_destroy(world);
}

/* A second of free fall: x = -g t^2/2, but what is added to it by the integrator. */
static void check_fall(crn_integrator integrator, double added, double within)
{
    crn_world_def def = crn_world_def_default();
    def.integrator = integrator;
    crn_world *world = new_world(&def);
    crn_body_id ball = add_sphere(world, 0.1, (crn_vec3){0, 0, 100}, 2.0);
    crn_step_stats stats = step_for(world, 0.01, 1.0);
    CHECK_NEAR(velocity_of(world, ball).linear.z, -g, 1e-12);
    CHECK_NEAR(position_of(world, ball).z, 100.0 - 0.5 * g + added, within);
    CHECK_NEAR(stats.kinetic, 0.5 * 2.0 * g * g, 1e-10);
    CHECK_NEAR(stats.kinetic + stats.potential, 2.0 * g * (100.0 + added), 1e-10);
    CHECK_NEAR(stats.momentum.z, -2.0 * g, 1e-11);
    CHECK_NEAR(stats.time, 1.0, 1e-12);
    assert_int_equal(stats.bodies, 1);
    assert_int_equal(stats.contacts, 0);
    crn_world_destroy(world);
}

static void test_free_fall(void **state)
{
    (void)state;
    check_fall(CRN_INTEGRATOR_REFLECT, 0.0, 1e-12);
    check_fall(CRN_INTEGRATOR_HART, -g * 0.01 / 2, 1e-10); /* h k g h summed up: g t (t + h)/2 */
}

static void test_contact_forces_carry_the_weight(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_body_id floor = add_floor(world), box = add_box(world, 0.5, (crn_vec3){0.2, 0.1, 0.5}, 3.0);
    step_for(world, 0.01, 0.2);
    crn_vec3 force, torque;
    assert_int_equal(crn_body_contact_force(world, box, &force, &torque), CRN_OK);
    CHECK_NEAR(force.z, 3.0 * g, 1e-7);
    CHECK_NEAR(hypot(force.x, force.y), 0.0, 1e-7);
    CHECK_NEAR(hypot(torque.x, torque.y), 0.0, 1e-7);
    assert_int_equal(crn_body_contact_force(world, floor, &force, NULL), CRN_OK);
    CHECK_NEAR(force.z, -3.0 * g, 1e-7);
    int count;
    const crn_contact *contact = crn_world_contacts(world, &count);
    assert_int_equal(count, 4);
    for (int i = 0; i < count; ++i) {
        double sign = contact[i].a.index1 == box.index1 ? 1.0 : -1.0;
        CHECK_NEAR(sign * contact[i].normal.z, 1.0, 1e-12); /* out of b into a */
        CHECK_NEAR(contact[i].gap, 0.0, 1e-9);
        assert_true(sign * contact[i].impulse.z >= 0.0);
    }
    crn_world_destroy(world);
}

/* Three boxes on a floor, which was added first or last: the sign of impulses turned with that order, as a and b do. */
static void test_forces_on_named_bodies(void **state)
{
    (void)state;
    for (int order = 0; order < 2; ++order) {
        crn_world *world = new_world(NULL);
        crn_body_id box[3], floor = order == 0 ? add_floor(world) : nobody;
        for (int k = 0; k < 3; ++k) {
            box[k] = add_box(world, 0.5, (crn_vec3){0, 0, 0.5 + k}, 1.0);
        }
        floor = order == 1 ? add_floor(world) : floor;
        step_for(world, 0.01, 0.2);
        double on_floor = 0.0, on_lowest = 0.0, on_top = 0.0;
        int count;
        const crn_contact *contact = crn_world_contacts(world, &count);
        for (int i = 0; i < count; ++i) {
            crn_vec3 force, opposite, point;
            crn_body_id other = contact[i].b;
            assert_int_equal(crn_contact_force_on(world, i, contact[i].a, &force, &point), CRN_OK);
            assert_int_equal(crn_contact_force_on(world, i, other, &opposite, NULL), CRN_OK);
            CHECK_NEAR(force.z + opposite.z, 0.0, 0.0);
            CHECK_NEAR(point.z, contact[i].point.z, 0.0);
            on_floor += crn_contact_force_on(world, i, floor, &force, NULL) == CRN_OK ? force.z : 0.0;
            on_lowest += crn_contact_force_on(world, i, box[0], &force, NULL) == CRN_OK ? force.z : 0.0;
            on_top += crn_contact_force_on(world, i, box[2], &force, NULL) == CRN_OK ? force.z : 0.0;
        }
        CHECK_NEAR(on_floor, -3 * 9.81, 1e-6);
        CHECK_NEAR(on_lowest, 9.81, 1e-6);
        CHECK_NEAR(on_top, 9.81, 1e-6);
        assert_int_equal(crn_contact_force_on(world, count, box[0], NULL, NULL), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_contact_force_on(world, -1, box[0], NULL, NULL), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_contact_force_on(world, 0, nobody, NULL, NULL), CRN_ERR_ARGUMENT);
        assert_int_equal(crn_contact_force_on(NULL, 0, box[0], NULL, NULL), CRN_ERR_ARGUMENT);
        crn_world_destroy(world);
    }
}

static void test_events(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    add_floor(world);
    crn_body_id ball = add_sphere(world, 0.1, (crn_vec3){0, 0, 0.3}, 1.0);
    int begins = 0, ends = 0;
    for (int k = 0; k < 100; ++k) {
        int count;
        if (k == 60) {
            crn_twist up = {{0, 0, 0}, {0, 0, 1}};
            assert_int_equal(crn_body_set_velocity(world, ball, &up), CRN_OK);
        }
        step_once(world, 0.01);
        const crn_contact_event *event = crn_world_events(world, &count);
        for (int i = 0; i < count; ++i) {
            begins += event[i].is_begin;
            ends += !event[i].is_begin;
        }
        TEST_CHECK(k > 15 || begins == 0, "the ball falls 0.2 s, but touched at step %d", k);
    }
    assert_int_equal(begins, 2);
    assert_int_equal(ends, 1);
    crn_world_destroy(world);
}

static void test_forces_act_for_one_step(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    def.gravity = (crn_vec3){0, 0, 0};
    crn_world *world = new_world(&def);
    crn_body_id box = add_box(world, 0.5, (crn_vec3){0, 0, 0}, 2.0);
    crn_vec3 force = {0, 4, 0}, at = {0.5, 0, 0};
    assert_int_equal(crn_body_apply_force(world, box, force, at), CRN_OK);
    assert_int_equal(crn_body_apply_torque(world, box, (crn_vec3){1, 0, 0}), CRN_OK);
    double inertia = 2.0 / 6.0; /* of a unit cube */
    step_once(world, 0.1);
    crn_twist v = velocity_of(world, box);
    CHECK_NEAR(position_of(world, box).y, 0.5 * 2.0 * 0.01, 1e-15);
    CHECK_NEAR(v.linear.y, 0.2, 1e-14);
    CHECK_NEAR(v.angular.z, 0.1 * 2.0 / inertia, 1e-14);
    step_once(world, 0.1); /* no more of it */
    v = velocity_of(world, box);
    CHECK_NEAR(v.linear.y, 0.2, 1e-14);
    CHECK_NEAR(v.angular.z, 0.1 * 2.0 / inertia, 1e-14);
    CHECK_NEAR(v.angular.x, 0.1 * 1.0 / inertia, 1e-14);
    crn_world_destroy(world);
}

/* A push along the motion, against it and across it that begins, changes and ends, in the air, on a slider and in a mechanism:
 * v = a t of each stretch to rounding, and so the way. */
static void test_pushes_act_at_once(void **state)
{
    (void)state;
    const double h = 0.01, push[8] = {0, 0, -20, -20, 30, 30, 0, 0};
    for (int k = 0; k < 2; ++k) {
        crn_world_def def = crn_world_def_default();
        crn_world *world = new_world(&def);
        crn_body_id box = add_box(world, 0.1, (crn_vec3){0, 0, 0}, 1.0);
        if (k == 1) {
            crn_joint_def slider = crn_joint_def_default();
            slider.kind = CRN_JOINT_SLIDER;
            (void)add_joint(world, &slider, nobody, box);
        }
        double v = 0.0, z = 0.0;
        for (int i = 0; i < 8; ++i) {
            double a = push[i] - 9.81;
            assert_int_equal(crn_body_apply_force(world, box, (crn_vec3){0, 0, push[i]}, position_of(world, box)),
                             CRN_OK);
            (void)step_once(world, h);
            z += h * v + 0.5 * h * h * a;
            v += h * a;
            CHECK_NEAR(velocity_of(world, box).linear.z, v, 1e-13);
            CHECK_NEAR(position_of(world, box).z, z, 1e-14);
        }
        crn_world_destroy(world);
    }
}

/* Two bodies on a slider, afloat, push a third one with a force that changes in every step: by pushes, and by an actuator. The ledger
 * goes on, and momentum stays. */
static void test_changing_forces_keep_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        crn_world_def def = crn_world_def_default();
        def.gravity = (crn_vec3){0, 0, 0};
        crn_world *world = new_world(&def);
        crn_body_id box[3];
        for (int i = 0; i < 3; ++i) {
            box[i] = add_box(world, 0.1, (crn_vec3){0, 0, 0.2 * i}, 1.0 + i);
        }
        crn_joint_def slider = crn_joint_def_default();
        slider.kind = CRN_JOINT_SLIDER;
        slider.frame_a.position = (crn_vec3){0, 0, 0.2};
        crn_joint_id joint = add_joint(world, &slider, box[0], box[1]);
        crn_actuator_def motor = crn_actuator_def_default();
        int actuator = -1;
        assert_int_equal(k == 0 ? CRN_OK : crn_actuator_create(world, &motor, joint, &actuator, NULL), CRN_OK);
        for (int i = 0; i < 40; ++i) {
            double force = 10.0 + 5.0 * (7 * i % 11);
            assert_int_equal(k == 0 ? crn_joint_apply_force(world, joint, 0, force)
                                    : crn_world_set_control(world, actuator, force),
                             CRN_OK);
            crn_step_stats stats = step_once(world, 0.01);
            TEST_CHECK(fabs(stats.momentum.z) <= 1e-11, "momentum %g in step %d", stats.momentum.z, i);
            TEST_CHECK(stats.ledger.momentum_scale > 0.0, "the ledger of step %d is empty", i);
        }
        assert_true(velocity_of(world, box[2]).linear.z > 1.0);
        crn_world_destroy(world);
    }
}

static void test_loads(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    def.gravity = (crn_vec3){0, 0, 0};
    crn_world *world = new_world(&def);
    crn_body_id box = add_box(world, 0.5, (crn_vec3){0, 0, 0}, 2.0);
    const double times[] = {0.0, 1.0}, factors[] = {0.0, 1.0};
    crn_load_def load = crn_load_def_default();
    crn_load_id id;
    load.force = (crn_vec3){3, 0, 0};
    load.factor = (crn_profile){.times = times, .values = factors, .count = 2};
    load.from = 0.095;
    load.until = 0.495;
    assert_int_equal(crn_load_create(world, &load, box, &id, NULL), CRN_OK);
    step_for(world, 0.01, 1.0);
    double sum = 0.0; /* steps at t = 0.10 .. 0.49 */
    for (int k = 10; k < 50; ++k) {
        sum += 0.01 * (0.01 * k) * 3.0 / 2.0;
    }
    CHECK_NEAR(velocity_of(world, box).linear.x, sum, 1e-12);
    assert_int_equal(crn_load_destroy(world, id, NULL), CRN_OK);
    assert_int_equal(crn_load_destroy(world, id, NULL), CRN_ERR_ARGUMENT);
    crn_world_destroy(world);
}

static void lift(void *user, double time, crn_pose *pose)
{
    *pose = (crn_pose){{0, 0, *(double *)user * time}, {1, 0, 0, 0}};
}

static void test_driven_bodies_carry(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    double speed = 0.7;
    crn_body_id plate =
        add_shape(world, CRN_BODY_DRIVEN, CRN_SHAPE_BOX, (crn_vec3){1, 1, 0.1}, (crn_vec3){0, 0, 0}, 0.0);
    crn_body_id box = add_box(world, 0.5, (crn_vec3){0.1, 0, 0.6}, 1.0);
    assert_int_equal(crn_body_set_motion(world, plate, lift, &speed), CRN_OK);
    assert_int_equal(crn_body_set_motion(world, box, lift, &speed), CRN_ERR_ARGUMENT);
    step_for(world, 0.01, 1.0);
    CHECK_NEAR(position_of(world, plate).z, 0.7, 1e-12);
    CHECK_NEAR(position_of(world, box).z, 1.3, 1e-8);
    CHECK_NEAR(velocity_of(world, box).linear.z, 0.7, 1e-8);
    crn_world_destroy(world);
}

static void test_a_conveyor_drags(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def belt = crn_body_def_default();
    const double times[] = {0.0, 10.0}, way[] = {0.0, 20.0};
    shape.shape.kind = CRN_SHAPE_PLANE;
    belt.kind = CRN_BODY_DRIVEN;
    belt.shape = &shape;
    belt.shapes = 1;
    belt.motion.x = (crn_profile){.times = times, .values = way, .count = 2};
    belt.motion.axis = (crn_vec3){0, 0, 1};
    add_body(world, &belt);
    crn_body_id box = add_box(world, 0.1, (crn_vec3){0, 0, 0.1}, 1.0);
    step_for(world, 0.01, 0.2);
    CHECK_NEAR(velocity_of(world, box).linear.x, 0.5 * g * 0.2, 1e-7); /* mu g t while it slips */
    step_for(world, 0.01, 1.0);
    CHECK_NEAR(velocity_of(world, box).linear.x, 2.0, 1e-8);
    crn_world_destroy(world);
}

static void test_groups(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def ghost = crn_body_def_default();
    add_floor(world);
    shape.mask = 0; /* meets nothing */
    ghost.shape = &shape;
    ghost.shapes = 1;
    ghost.mass = 1.0;
    ghost.pose.position = (crn_vec3){0, 0, 2};
    crn_body_id body = add_body(world, &ghost);
    step_for(world, 0.01, 1.0);
    CHECK_NEAR(velocity_of(world, body).linear.z, -g, 1e-11);
    crn_world_destroy(world);
}

static void test_sleeping(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    def.sleep_time = 0.2;
    crn_world *world = new_world(&def);
    add_floor(world);
    crn_body_id low = add_box(world, 0.5, (crn_vec3){0, 0, 0.5}, 1.0);
    add_box(world, 0.5, (crn_vec3){0, 0, 1.5}, 1.0);
    crn_step_stats stats = step_for(world, 0.01, 0.5);
    assert_int_equal(stats.bodies, 0);
    crn_body_id ball = add_sphere(world, 0.2, (crn_vec3){0.1, 0, 2.5}, 1.0);
    stats = step_for(world, 0.01, 0.1);
    assert_int_equal(stats.bodies, 1); /* it falls, the stack sleeps */
    stats = step_for(world, 0.01, 0.3);
    assert_int_equal(stats.bodies, 3); /* it has hit the stack */
    TEST_CHECK(position_of(world, ball).z > 2.1, "the ball fell through the sleeping stack: z = %g",
               position_of(world, ball).z);
    CHECK_NEAR(position_of(world, low).z, 0.5, 1e-6);
    crn_world_destroy(world);
}

static void test_user_data_and_mass(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    int mine = 7;
    crn_body_id box = add_box(world, 0.5, (crn_vec3){0, 0, 0}, 6.0);
    assert_null(crn_body_user(world, box));
    assert_int_equal(crn_body_set_user(world, box, &mine), CRN_OK);
    assert_ptr_equal(crn_body_user(world, box), &mine);
    double mass;
    crn_vec3 com;
    crn_mat3 inertia;
    assert_int_equal(crn_body_mass(world, box, &mass, &com, &inertia), CRN_OK);
    CHECK_NEAR(mass, 6.0, 0.0);
    CHECK_NEAR(inertia.m[0], 1.0, 1e-14);
    CHECK_NEAR(inertia.m[1], 0.0, 1e-14);
    crn_world_destroy(world);
}

/* A dumbbell of two spheres off the body's origin: mass, centre and inertia by hand. */
static void test_compound_bodies(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_body_shape shape[2] = {crn_body_shape_default(), crn_body_shape_default()};
    crn_body_def def = crn_body_def_default();
    const double pi = 3.14159265358979323846, r = 0.1, m = 4.0 / 3.0 * pi * r * r * r * 1000.0;
    for (int i = 0; i < 2; ++i) {
        shape[i].shape.size = (crn_vec3){r, 0, 0};
        shape[i].pose.position = (crn_vec3){1.0 + i, 0, 0};
    }
    shape[1].density = 3000.0;
    def.shape = shape;
    def.shapes = 2;
    def.pose.position = (crn_vec3){0, 0, 5};
    crn_body_id body = add_body(world, &def);
    double mass;
    crn_vec3 com;
    crn_mat3 inertia;
    assert_int_equal(crn_body_mass(world, body, &mass, &com, &inertia), CRN_OK);
    CHECK_NEAR(mass, 4.0 * m, 1e-12);
    CHECK_NEAR(com.x, 1.75, 1e-14);
    CHECK_NEAR(inertia.m[0], 0.4 * 4.0 * m * r * r, 1e-12);
    CHECK_NEAR(inertia.m[4], 0.4 * 4.0 * m * r * r + m * 0.75 * 0.75 + 3.0 * m * 0.25 * 0.25, 1e-12);
    crn_pose pose;
    assert_int_equal(crn_body_pose(world, body, &pose), CRN_OK);
    CHECK_NEAR(pose.position.x, 0.0, 1e-15); /* of the body's frame, not of its centre of mass */
    crn_world_destroy(world);
}

static void test_deep_overlap_does_not_explode(void **state)
{
    (void)state;
    const double depth[] = {0.02, 0.2, 0.45}, h[] = {0.01, 0.001};
    for (int i = 0; i < 6; ++i) {
        crn_world *world = new_world(NULL);
        add_floor(world);
        crn_body_id box = add_box(world, 0.5, (crn_vec3){0, 0, 0.5 - depth[i / 2]}, 1.0), a, b;
        double deepest, fastest = 0.0;
        assert_int_equal(crn_world_overlap(world, &deepest, &a, &b), CRN_OK);
        CHECK_NEAR(deepest, depth[i / 2], 1e-12);
        for (double t = 0.0; t < 1.0; t += h[i % 2]) {
            step_once(world, h[i % 2]);
            fastest = fmax(fastest, fabs(velocity_of(world, box).linear.z));
        }
        double bound = 2.0 * sqrt(g * 0.5 * sqrt(3.0));
        TEST_CHECK(fastest < bound, "overlap %g, h %g: %g m/s, more than %g", depth[i / 2], h[i % 2], fastest, bound);
        assert_int_equal(crn_world_overlap(world, &deepest, NULL, NULL), CRN_OK);
        CHECK_NEAR(deepest, 0.0, 1e-8);
        crn_world_destroy(world);
    }
}

static void check_jam(crn_integrator integrator)
{
    crn_world_def world_def = crn_world_def_default();
    world_def.integrator = integrator;
    crn_world *world = new_world(&world_def);
    crn_body_def def = crn_body_def_default();
    crn_body_shape wall[2] = {crn_body_shape_default(), crn_body_shape_default()};
    wall[0].shape.kind = wall[1].shape.kind = CRN_SHAPE_PLANE; /* a gap of 0.18 m for a sphere of 0.2 m */
    wall[1].pose.position = (crn_vec3){0, 0, 0.18};
    wall[1].pose.rotation = (crn_quat){0, 1, 0, 0};
    def.kind = CRN_BODY_FIXED;
    def.shape = wall;
    def.shapes = 2;
    add_body(world, &def);
    crn_body_id ball = add_sphere(world, 0.1, (crn_vec3){0, 0, 0.085}, 1.0);
    crn_step_stats stats = {0};
    for (int k = 0; k < 50; ++k) {
        stats = step_once(world, 0.01);
    }
    CHECK_NEAR(position_of(world, ball).z, 0.09, 5e-3); /* between the walls, wherever */
    TEST_CHECK(fabs(velocity_of(world, ball).linear.z) < 1.0, "it shakes: %g m/s", velocity_of(world, ball).linear.z);
    TEST_CHECK(stats.penetration > 0.01 - 5e-3, "an overlap of 0.02 m in all, %g is told", stats.penetration);
    TEST_CHECK(stats.is_relaxed, "%s: a ball that is jammed is not told of", crn_integrator_name(integrator));
    crn_world_destroy(world);
}

static void test_jammed_bodies(void **state)
{
    (void)state;
    check_jam(CRN_INTEGRATOR_HART);
    check_jam(CRN_INTEGRATOR_REFLECT);
}

/* A force that is too large for the step fails it once: it acted again in every later step before. */
static void test_a_diverging_force_acts_once(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL), *twin = new_world(NULL);
    crn_body_id box = add_box(world, 0.5, (crn_vec3){0, 0, 3}, 1.0);
    add_box(twin, 0.5, (crn_vec3){0, 0, 3}, 1.0);
    crn_error error;
    crn_step_stats stats;
    step_for(world, 0.01, 0.1);
    step_for(twin, 0.01, 0.1);
    uint64_t before = crn_world_hash(world);
    crn_vec3 force = {1e17, 0, 0};
    assert_int_equal(crn_body_apply_force(world, box, force, (crn_vec3){0, 0, 3}), CRN_OK);
    assert_int_equal(crn_world_step(world, 0.01, &stats, &error), CRN_ERR_DIVERGED);
    TEST_CHECK(strstr(error.text, "body 0") != NULL, "message: %s", error.text);
    assert_true(crn_world_hash(world) == before);
    step_for(world, 0.01, 0.1);
    step_for(twin, 0.01, 0.1);
    assert_true(crn_world_hash(world) == crn_world_hash(twin));
    crn_world_destroy(world);
    crn_world_destroy(twin);
}

static void test_bad_calls(void **state)
{
    (void)state;
    crn_world *world = new_world(NULL);
    crn_error error;
    crn_body_id id;
    crn_body_def def = crn_body_def_default();
    assert_int_equal(crn_world_step(world, 0.0, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_step(world, NAN, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_body_create(world, &def, &id, &error), CRN_ERR_ARGUMENT); /* no mass */
    TEST_CHECK(strstr(error.text, "mass") != NULL, "message: %s", error.text);
    def.mass = -1.0;
    assert_int_equal(crn_body_create(world, &def, &id, &error), CRN_ERR_ARGUMENT);
    crn_world_def planar = *crn_world_definition(world);
    planar.is_planar = true;
    assert_int_equal(crn_world_configure(world, &planar, &error), CRN_ERR_ARGUMENT);
    assert_null(crn_world_problem(world));
    crn_world_destroy(world);
    crn_world_destroy(NULL);
}

static void test_convex_scheme_says_so(void **state)
{
    (void)state;
    crn_world_def def = crn_world_def_default();
    def.scheme = CRN_SCHEME_CONVEX;
    crn_world *world = new_world(&def);
    add_floor(world);
    crn_body_id box = add_box(world, 0.05, (crn_vec3){0, 0, 0.05}, 1.0);
    crn_twist fast = {{0, 0, 0}, {2.0, 0, 0}};
    assert_int_equal(crn_body_set_velocity(world, box, &fast), CRN_OK);
    crn_step_stats stats = step_once(world, 0.01);
    assert_int_equal(stats.law, CRN_LAW_CONVEX);
    TEST_CHECK(velocity_of(world, box).linear.z > 0.5, "what starts to slide is thrown up by (2.10), here at %g m/s",
               velocity_of(world, box).linear.z);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_go_stale),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_destroying_a_support),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_contact_forces_carry_the_weight),
        cmocka_unit_test(test_forces_on_named_bodies),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_forces_act_for_one_step),
        cmocka_unit_test(test_pushes_act_at_once),
        cmocka_unit_test(test_changing_forces_keep_momentum),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_driven_bodies_carry),
        cmocka_unit_test(test_a_conveyor_drags),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_sleeping),
        cmocka_unit_test(test_user_data_and_mass),
        cmocka_unit_test(test_compound_bodies),
        cmocka_unit_test(test_deep_overlap_does_not_explode),
        cmocka_unit_test(test_jammed_bodies),
        cmocka_unit_test(test_a_diverging_force_acts_once),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_convex_scheme_says_so),
    };
    return TEST_RUN(tests, argc, argv);
}
