/* Joints in motion: what they hold, what they conserve, loops of them, and bodies that are driven; in both orders, as rows that
 * are closed after a step (hart) and in trees and loops.
 *
 * Limits, motors, friction and forces are in test_joint_axes.c. */
#include "joint_scene.h"

static const double h = 0.01;

/* --- A joint of each kind, thrown about --- */

typedef struct thrown {
    crn_world *world;
    crn_body_id a, b;
    crn_joint_id joint;
} thrown;

static bool is_allowed(crn_joint_kind kind, bool is_planar)
{
    return !is_planar || (kind != CRN_JOINT_UNIVERSAL && kind != CRN_JOINT_PLANAR);
}

/* Where the joint is; in the plane its z is that of the world, or, of a slider, in the plane. */
static crn_pose joint_place(crn_random *random, crn_joint_kind kind, bool is_planar)
{
    crn_pose frame = {random_vector(random, 0.3), random_rotation(random)};
    if (is_planar) {
        frame.position.z = 0.0;
        if (kind != CRN_JOINT_BALL && kind != CRN_JOINT_FIXED) { /* these may lie as they like */
            frame.rotation = crn_quat_exp(crn_v3(0, 0, crn_random_uniform(random, -3, 3)));
        }
        if (kind == CRN_JOINT_SLIDER) { /* about the world's x: z lies in the plane; then about its own z by anything */
            crn_quat lie = crn_quat_exp(crn_v3(turn_90, 0, 0));
            crn_quat own = crn_quat_exp(crn_v3(0, 0, crn_random_below(random, 2) ? 0.3 : 0.0));
            frame.rotation = crn_quat_unit(crn_quat_product(frame.rotation, crn_quat_product(lie, own)));
        }
    }
    return frame;
}

static crn_vec3 in_world(crn_vec3 a, bool is_planar, bool is_angular)
{
    return !is_planar ? a : is_angular ? crn_v3(0, 0, a.z) : crn_v3(a.x, a.y, 0);
}

static crn_body_id throw_body(crn_world *world, crn_random *random, double speed)
{
    bool is_planar = crn_world_definition(world)->is_planar;
    crn_pose pose = {in_world(random_vector(random, 0.5), is_planar, false), random_rotation(random)};
    if (is_planar) {
        pose.rotation = crn_quat_exp(crn_v3(0, 0, crn_random_uniform(random, -3, 3)));
    }
    crn_vec3 w = in_world(random_vector(random, speed), is_planar, true);
    return add_lump(world, pose, w, in_world(random_vector(random, speed), is_planar, false));
}

/* Two bodies, or a body and the world, joined and thrown with velocities that know nothing of the joint. */
static thrown throw(crn_random * random, crn_joint_kind kind, const crn_world_def *def, bool is_free, double speed)
{
    thrown t = {.world = new_world(def)};
    t.a = is_free ? throw_body(t.world, random, speed) : nobody;
    t.b = throw_body(t.world, random, speed);
    bool is_turned = !is_free && crn_random_below(random, 2); /* the world may be either side */
    if (is_turned) {
        t.a = t.b;
        t.b = nobody;
    }
    crn_joint_def joint = joint_at(t.world, kind, t.a, t.b, joint_place(random, kind, def->is_planar));
    if (kind == CRN_JOINT_DISTANCE) {
        joint.frame_b.position = crn_v3_add(joint.frame_b.position, crn_v3(0.3, 0.4, 0));
        joint.length = 0.5;
    }
    t.joint = add_joint(t.world, &joint, t.a, t.b);
    assert_true(error_of(t.world, t.joint) < 1e-12);
    return t;
}

#define FOR_EACH_CASE(kind, is_planar, is_free)                                             \
    for (int case_ = 0; case_ < 4 * CRN_JOINT_KIND_COUNT; ++case_)                          \
        for (int kind = case_ / 4, is_planar = case_ / 2 % 2, is_free = case_ % 2, go_ = 1; \
             go_ && is_allowed((crn_joint_kind)kind, is_planar); go_ = 0)

static const char *case_name(int kind, int is_planar, int is_free)
{
    static char text[80];
    (void)snprintf(text, sizeof text, "%s, %s, %s", crn_joint_kind_name((crn_joint_kind)kind),
                   is_planar ? "planar" : "in space", is_free ? "two bodies" : "body and world");
    return text;
}

static const double EXACT = 1e-12; /* [m, rad] rounding of what is in a tree, tens of metres away */

static void check_joints_hold(crn_integrator order)
{
    crn_random random = test_random("joints_hold", 1);
    FOR_EACH_CASE(kind, is_planar, is_free)
    {
        crn_world_def def = joint_world_in(order, is_planar, 9.81);
        thrown t = throw(&random, (crn_joint_kind)kind, &def, is_free, 8.0);
        double worst = 0.0, fastest = 0.0;
        for (int k = 0; k < 300; ++k) {
            crn_step_stats stats = step_once(t.world, h);
            worst = fmax(worst, worst_error(t.world));
            fastest = fmax(fastest, stats.kinetic);
        }
        double within = is_in_tree(t.world, t.joint) ? EXACT : sqrt(3.0) * def.joint_tolerance;
        TEST_CHECK(worst <= within, "%s, %s: open by %g", crn_integrator_name(order),
                   case_name(kind, is_planar, is_free), worst);
        TEST_CHECK(fastest > 1.0 || kind == CRN_JOINT_FIXED, "%s: hardly moved", case_name(kind, is_planar, is_free));
        crn_world_destroy(t.world);
    }
}

static void test_joints_hold(void **state)
{
    (void)state;
    check_joints_hold(CRN_INTEGRATOR_HART);
    check_joints_hold(CRN_INTEGRATOR_REFLECT);
}

/* Largest error of rows in 2 s without closing, after one step in which the velocities come together. */
static double drift(uint64_t seed, crn_joint_kind kind, bool is_planar, bool is_free, double dt)
{
    crn_random random = crn_random_seed(seed);
    crn_world_def def = joint_world_in(CRN_INTEGRATOR_HART, is_planar, 9.81);
    def.joint_tolerance = 0.0;
    thrown t = throw(&random, kind, &def, is_free, 2.0);
    double worst = 0.0;
    for (int k = 0; k < (int)lround(2.0 / dt); ++k) {
        step_once(t.world, dt);
        worst = fmax(worst, error_of(t.world, t.joint));
    }
    crn_world_destroy(t.world);
    return worst;
}

static void test_errors_without_closing(void **state)
{
    (void)state;
    FOR_EACH_CASE(kind, is_planar, is_free)
    {
        const char *name = case_name(kind, is_planar, is_free);
        double coarse = drift(7, (crn_joint_kind)kind, is_planar, is_free, 0.004);
        double fine = drift(7, (crn_joint_kind)kind, is_planar, is_free, 0.001);
        TEST_CHECK(coarse < 0.02, "%s: off by %g with h = 4 ms", name, coarse);
        TEST_CHECK(fine <= coarse / 8.0 || coarse < 1e-12, "%s: off by %g with h = 4 ms, %g with 1 ms: not h^2", name,
                   coarse, fine); /* 16 if the motion were the same */
    }
}

/* --- Momentum --- */

static void check_momentum(crn_integrator order, double tolerance)
{
    crn_random random = test_random("momentum", 3);
    int wrong = 0;
    for (int kind = 0; kind < CRN_JOINT_KIND_COUNT; ++kind) {
        crn_world_def def = joint_world_in(order, false, 0.0);
        def.joint_tolerance = tolerance;
        thrown t = throw(&random, (crn_joint_kind)kind, &def, true, 4.0);
        crn_step_stats first = step_once(t.world, h), last = first;
        for (int k = 0; k < 300; ++k) {
            last = step_once(t.world, h);
        }
        double linear = crn_v3_length(crn_v3_sub(last.momentum, first.momentum));
        double angular = crn_v3_length(crn_v3_sub(last.angular_momentum, first.angular_momentum));
        double arm = 1.0 + crn_v3_length(first.momentum) / 4.0 * last.time; /* it flies away from the origin */
        if (!(linear < 1e-12 * crn_v3_length(first.momentum) && angular < 1e-12 * arm * 20.0)) {
            print_error("%s, %s, tolerance %g: momentum changed by %g, angular momentum by %g\n",
                        crn_integrator_name(order), crn_joint_kind_name((crn_joint_kind)kind), tolerance, linear,
                        angular);
            ++wrong;
        }
        crn_world_destroy(t.world);
    }
    assert_int_equal(wrong, 0);
}

static void test_momentum_is_conserved(void **state)
{
    (void)state;
    check_momentum(CRN_INTEGRATOR_HART, 0.0);
    check_momentum(CRN_INTEGRATOR_HART, 1e-9);
    check_momentum(CRN_INTEGRATOR_REFLECT, 1e-9);
}

/* Closing the joints of what spins once took half of its energy within a second: positions went back, velocities stayed. */
static void test_spinning_goes_on(void **state)
{
    (void)state;
    const crn_joint_kind kinds[] = {CRN_JOINT_FIXED, CRN_JOINT_HINGE, CRN_JOINT_BALL, CRN_JOINT_DISTANCE};
    for (int i = 0; i < 8; ++i) {
        crn_integrator order = both_orders[i / 4];
        crn_joint_kind kind = kinds[i % 4];
        crn_world_def def = joint_world_in(order, false, 0.0);
        crn_world *world = new_world(&def);
        crn_body_def ball = crn_body_def_default();
        crn_body_id id[2];
        ball.mass = 1.0;
        ball.inertia = (crn_mat3){{0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}};
        for (int k = 0; k < 2; ++k) {
            double side = k == 0 ? -1.0 : 1.0;
            ball.pose.position = crn_v3(0.5 * side, 0, 0);
            ball.velocity = crn_v3(0, 5.0 * side, 0);
            ball.angular = crn_v3(0, 0, 10);
            id[k] = add_body(world, &ball);
        }
        crn_joint_def joint = joint_at(world, kind, id[0], id[1], crn_pose_identity());
        if (kind == CRN_JOINT_DISTANCE) {
            joint.frame_a = joint.frame_b = crn_pose_identity();
            joint.length = 1.0;
        }
        add_joint(world, &joint, id[0], id[1]);
        double before = step_for(world, h, 0.1).kinetic, after = step_for(world, h, 10.0).kinetic;
        TEST_CHECK(fabs(after / before - 1.0) < 1e-6, "%s, %s: energy %g J, after 10 s %g J",
                   crn_integrator_name(order), crn_joint_kind_name(kind), before, after);
        crn_world_destroy(world);
    }
}

/* A pendulum of a bar: its energy comes back, and the period is the physical one [large swings: complete elliptic
 * integral by the arithmetic-geometric mean]. */
static void check_pendulum(crn_integrator order, double period_within, double highest_within)
{
    crn_world_def def = joint_world_in(order, true, 9.81);
    crn_world *world = new_world(&def);
    crn_body_id bar = add_bar(world, crn_v3(0, 0, 0), crn_v3(1, 0, 0));
    crn_joint_id pivot = add_hinge_z(world, nobody, bar, crn_v3(0, 0, 0));
    double x = 1.0, y = cos(0.25 * 2 * turn_90), dt = 0.002; /* amplitude of 90 degrees: AGM(1, cos 45) */
    for (int k = 0; k < 8; ++k) {
        double mean = 0.5 * (x + y);
        y = sqrt(x * y);
        x = mean;
    }
    double period = 4 * turn_90 / x * sqrt(2.0 / 3.0 / 9.81), last = 0.0, crossed = 0.0, highest = -9.0;
    int crossings = 0;
    for (int k = 0; k < 10000 && crossings < 9; ++k) {
        step_once(world, dt);
        double angle = coordinate_of(world, pivot, 0) + turn_90; /* from hanging */
        if (last > 0.0 && angle <= 0.0) {                        /* on its way to the left: once a period */
            crossings++;
            crossed = crossings == 1 ? crn_world_time(world) : crossed;
        }
        highest = crossings == 8 ? fmax(highest, fabs(angle)) : highest;
        last = angle;
    }
    CHECK_NEAR((crn_world_time(world) - crossed) / 8.0, period, period_within * dt);
    CHECK_NEAR(highest, turn_90, highest_within); /* after eight periods, about 14 s */
    crn_world_destroy(world);
}

/* A crossing is seen up to a step late, so that the mean of eight periods is off by dt/8 however exact the motion is; the
 * highest point is missed by 3/4 g (dt/2)^2, 7e-6 rad. */
static void test_pendulum(void **state)
{
    (void)state;
    check_pendulum(CRN_INTEGRATOR_HART, 2.5, 0.01);
    check_pendulum(CRN_INTEGRATOR_REFLECT, 0.15, 1e-4);
}

/* --- Loops --- */

typedef struct linkage {
    crn_world *world;
    crn_body_id coupler;
} linkage;

/* Parallel bars, 1 m, hinged to the ground at (i, 0) and to a coupler at (i, 1), turned by `angle`; each joint `times`
 * times. */
static linkage add_linkage(crn_integrator order, bool is_planar, int bars, int times, double angle, double tolerance)
{
    crn_world_def def = joint_world_in(order, is_planar, 9.81);
    def.joint_tolerance = tolerance;
    def.gravity = crn_v3(0, -9.81, 0);
    linkage l = {.world = new_world(&def)};
    crn_vec3 up = crn_v3(cos(angle), sin(angle), 0);
    l.coupler = add_bar(l.world, up, crn_v3_add(crn_v3(bars - 1, 0, 0), up));
    for (int i = 0; i < bars; ++i) {
        crn_vec3 foot = crn_v3(i, 0, 0), head = crn_v3_add(foot, up);
        crn_body_id bar = add_bar(l.world, foot, head);
        for (int k = 0; k < times; ++k) {
            add_hinge_z(l.world, nobody, bar, foot);
            add_hinge_z(l.world, bar, l.coupler, head);
        }
    }
    return l;
}

static double linkage_energy(const crn_step_stats *stats)
{
    return stats->kinetic + stats->potential;
}

static void check_parallel(crn_integrator order)
{
    const int bars[] = {2, 3, 5};
    int wrong = 0;
    for (int i = 0; i < 6; ++i) {
        bool is_planar = i % 2 == 0;
        linkage l = add_linkage(order, is_planar, bars[i / 2], 1, 0.4, 1e-9);
        double worst = 0.0, used = 0.0, low = INFINITY, high = -INFINITY, deepest = 0.0, begin = crn_seconds();
        for (int k = 0; k < 6000; ++k) {
            crn_step_stats stats = step_once(l.world, h);
            if (order == CRN_INTEGRATOR_HART) {
                worst = fmax(worst, worst_error(l.world));
            } else {
                worst = fmax(worst, stats.loop_error); /* where bars are in line, more is open within the clearance */
                used = fmax(used, stats.loop_opening / stats.loop_clearance);
            }
            low = fmin(low, linkage_energy(&stats));
            high = fmax(high, linkage_energy(&stats));
            deepest = fmin(deepest, position_of(l.world, l.coupler).y);
        }
        double coupler = position_of(l.world, l.coupler).x - 0.5 * (bars[i / 2] - 1);
        double reach = hypot(coupler, position_of(l.world, l.coupler).y);
        print_message("%s, %d bars, %s: open by %.2g, energy between %.4g and %.4g J, down to %.4g m, %.1f us a step\n",
                      crn_integrator_name(order), bars[i / 2], is_planar ? "planar" : "in space", worst, low, high,
                      deepest, (crn_seconds() - begin) / 6000 * 1e6);
        wrong += !(worst < 1e-6 && used <= 1.01 && high - low < 0.1 * 9.81 * bars[i / 2] && fabs(reach - 1.0) <= 1e-6);
        wrong += !(deepest < -0.99); /* it swings through */
        crn_world_destroy(l.world);
    }
    assert_int_equal(wrong, 0);
}

static void test_parallel_linkages(void **state)
{
    (void)state;
    check_parallel(CRN_INTEGRATOR_HART);
    check_parallel(CRN_INTEGRATOR_REFLECT);
}

static void test_doubled_joints_change_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        bool is_planar = i % 2 == 0;
        int bars = 2 + i / 2 % 2;
        crn_integrator order = both_orders[i / 4];
        linkage one = add_linkage(order, is_planar, bars, 1, 0.4, 1e-9);
        linkage two = add_linkage(order, is_planar, bars, 2, 0.4, 1e-9);
        double worst = 0.0;
        for (int k = 0; k < 200; ++k) {
            step_once(one.world, h);
            step_once(two.world, h);
            crn_vec3 apart = crn_v3_sub(position_of(one.world, one.coupler), position_of(two.world, two.coupler));
            worst = fmax(worst, crn_v3_length(apart));
        }
        TEST_CHECK(worst < 1e-6, "%s, %d bars, planar %d: doubled joints move it by %g", crn_integrator_name(order),
                   bars, is_planar, worst);
        crn_world_destroy(one.world);
        crn_world_destroy(two.world);
    }
}

/* Without closing, errors of a loop's rows contradict one another: they are reconciled, the step is solved all the same. The
 * linkage hangs and swings by less than a quarter turn: bars in line with the coupler are another matter. */
static void test_loops_without_closing(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        bool is_planar = i % 2 == 0;
        int bars = 3 + i / 2;
        linkage l = add_linkage(CRN_INTEGRATOR_HART, is_planar, bars, 2, -0.7, 0.0);
        double worst = 0.0;
        for (int k = 0; k < 1000; ++k) {
            step_once(l.world, h);
            worst = fmax(worst, worst_error(l.world));
        }
        TEST_CHECK(worst < 2e-3 && worst > 1e-6, "%d bars, planar %d: open by %g", bars, is_planar, worst);
        crn_world_destroy(l.world);
    }
}

/* Fixed twice, 0.1 mm and 0.1 mrad apart: no velocity takes back what both have drifted. The steps are solved all the
 * same, with what can be taken back, and the body rests between both. */
static void test_joints_that_contradict(void **state)
{
    (void)state;
    const double misfit = 1e-4;
    for (int i = 0; i < 6; ++i) {
        crn_world_def def = joint_world_in(both_orders[i / 4], i % 2 == 0, 9.81);
        def.joint_tolerance = i < 2 ? 0.0 : 1e-9;
        crn_world *world = new_world(&def);
        crn_body_id bar = add_bar(world, crn_v3(0, 0, 0), crn_v3(1, 0, 0));
        crn_joint_def joint = joint_at(world, CRN_JOINT_FIXED, nobody, bar, crn_pose_identity());
        add_joint(world, &joint, nobody, bar);
        joint.frame_b.position.x += misfit;
        joint.frame_b.rotation = crn_quat_exp(crn_v3(0, 0, misfit));
        add_joint(world, &joint, nobody, bar);
        step_for(world, h, 1.0);
        crn_vec3 before = position_of(world, bar);
        step_for(world, h, 5.0);
        CHECK_NEAR3(position_of(world, bar), before, 1e-9);
        CHECK_NEAR3(before, crn_v3(0.5, 0, 0), 2.0 * misfit);
        TEST_CHECK(worst_error(world) > 0.4 * misfit && worst_error(world) < misfit, "open by %g", worst_error(world));
        crn_world_destroy(world);
    }
}

/* --- Driven --- */

static void circle(void *user, double time, crn_pose *pose)
{
    double w = *(const double *)user;
    *pose = (crn_pose){{0.3 * cos(w * time), 0.3 * sin(w * time), 2.0}, crn_quat_exp(crn_v3(0, 0, w * time))};
}

static void check_driven_chain(crn_integrator order)
{
    enum { LINKS = 6 };
    const crn_joint_kind kind[LINKS] = {CRN_JOINT_BALL,  CRN_JOINT_UNIVERSAL, CRN_JOINT_BALL,
                                        CRN_JOINT_HINGE, CRN_JOINT_FIXED,     CRN_JOINT_DISTANCE};
    crn_world_def def = joint_world_in(order, false, 9.81);
    crn_world *world = new_world(&def);
    crn_body_def hand = crn_body_def_default();
    double w = 6.0;
    hand.kind = CRN_BODY_DRIVEN;
    hand.pose.position = crn_v3(0.3, 0, 2.0);
    crn_body_id last = add_body(world, &hand);
    assert_int_equal(crn_body_set_motion(world, last, circle, &w), CRN_OK);
    for (int i = 0; i < LINKS; ++i) {
        crn_pose pose = {crn_v3(0.3, 0, 1.9 - 0.2 * i), {1, 0, 0, 0}},
                 at = {crn_v3(0.3, 0, 2.0 - 0.2 * i), {1, 0, 0, 0}};
        crn_body_def link = lump_def(false);
        link.com = crn_v3(0, 0, 0);
        link.pose = pose;
        crn_body_id next = add_body(world, &link);
        crn_joint_def joint = joint_at(world, kind[i], last, next, at);
        if (kind[i] == CRN_JOINT_DISTANCE) {
            joint.frame_b.position = crn_v3_sub(joint.frame_b.position, crn_v3(0, 0, 0.1));
            joint.length = 0.1;
        }
        add_joint(world, &joint, last, next);
        last = next;
    }
    double worst = 0.0, widest = 0.0;
    for (int k = 0; k < 500; ++k) {
        step_once(world, h);
        worst = fmax(worst, worst_error(world));
        crn_vec3 end = position_of(world, last);
        widest = fmax(widest, hypot(end.x, end.y));
        crn_vec3 reach = crn_v3_sub(end, position_of(world, crn_world_body(world, 1)));
        TEST_CHECK(crn_v3_length(reach) <= 0.2 * LINKS + 1e-6, "the chain is %g m long", crn_v3_length(reach));
    }
    TEST_CHECK(worst < 2e-9, "%s: open by %g", crn_integrator_name(order), worst);
    TEST_CHECK(widest > 0.35, "%s: the end did not swing out: %g m", crn_integrator_name(order), widest);
    crn_world_destroy(world);
}

static void test_a_driven_body_pulls_a_chain(void **state)
{
    (void)state;
    check_driven_chain(CRN_INTEGRATOR_HART);
    check_driven_chain(CRN_INTEGRATOR_REFLECT);
}

/* A crank at a constant rate drives a slider over a rod: its place is known at every time. */
static void check_slider_crank(crn_integrator order)
{
    crn_world_def def = joint_world_in(order, true, 9.81);
    crn_world *world = new_world(&def);
    crn_body_id crank = add_bar(world, crn_v3(0, 0, 0), crn_v3(0.5, 0, 0));
    crn_body_id rod = add_bar(world, crn_v3(0.5, 0, 0), crn_v3(2.0, 0, 0));
    crn_body_id piston = add_lump(world, (crn_pose){{2, 0, 0}, {1, 0, 0, 0}}, crn_v3(0, 0, 0), crn_v3(0, 0, 0));
    crn_joint_def motor = joint_at(world, CRN_JOINT_HINGE, nobody, crank, crn_pose_identity());
    motor.axis[0].has_motor = true;
    motor.axis[0].speed.value = 7.0;
    crn_joint_id drive = add_joint(world, &motor, nobody, crank);
    add_hinge_z(world, crank, rod, crn_v3(0.5, 0, 0));
    add_hinge_z(world, rod, piston, crn_v3(2, 0, 0));
    crn_pose rail = {{0, 0, 0}, crn_quat_exp(crn_v3(0, turn_90, 0))}; /* z along the world's x */
    crn_joint_def slide = joint_at(world, CRN_JOINT_SLIDER, nobody, piston, rail);
    slide.frame_b.position = crn_v3(0, 0, 0);
    crn_joint_id slider = add_joint(world, &slide, nobody, piston);
    for (int k = 1; k <= 500; ++k) {
        step_once(world, h);
        double angle = coordinate_of(world, drive, 0), y = 0.5 * sin(angle);
        CHECK_NEAR(coordinate_of(world, slider, 0), 0.5 * cos(angle) + sqrt(1.5 * 1.5 - y * y), 1e-8);
        CHECK_NEAR(angle, 7.0 * h * k, 1e-7);
        assert_true(worst_error(world) < 2e-9);
    }
    crn_world_destroy(world);
}

static void test_slider_crank(void **state)
{
    (void)state;
    check_slider_crank(CRN_INTEGRATOR_HART);
    check_slider_crank(CRN_INTEGRATOR_REFLECT);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_hold),
        cmocka_unit_test(test_errors_without_closing),
        cmocka_unit_test(test_momentum_is_conserved),
        cmocka_unit_test(test_spinning_goes_on),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_parallel_linkages),
        cmocka_unit_test(test_doubled_joints_change_nothing),
        cmocka_unit_test(test_loops_without_closing),
        cmocka_unit_test(test_joints_that_contradict),
        cmocka_unit_test(test_a_driven_body_pulls_a_chain),
        cmocka_unit_test(test_slider_crank),
    };
    return TEST_RUN(tests, argc, argv);
}
