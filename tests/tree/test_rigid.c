/* A rigid body alone against closed solutions (symmetric top, elliptic period of the intermediate axis), against
 * Runge-Kutta on Euler's equations, and against clouds of point masses. */
#include "tree/tree_room.h"

#include "math/rigid.h"
#include "test_support.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

/* --- Bodies --- */

static crn_vec3 random_vector(crn_random *random, double size)
{
    double x = crn_random_uniform(random, -size, size), y = crn_random_uniform(random, -size, size);
    return crn_v3(x, y, crn_random_uniform(random, -size, size));
}

static crn_quat random_rotation(crn_random *random)
{
    double w = crn_random_normal(random), x = crn_random_normal(random), y = crn_random_normal(random);
    return crn_quat_unit((crn_quat){w, x, y, crn_random_normal(random)});
}

static crn_mat3 diagonal(double x, double y, double z)
{
    return (crn_mat3){{x, 0, 0, 0, y, 0, 0, 0, z}};
}

static crn_rigid body_of(crn_mat3 inertia, crn_quat rotation, crn_vec3 w)
{
    crn_rigid body = {.mass = 1.0, .inertia = inertia, .pose = {{0, 0, 0}, rotation}, .w = w};
    crn_rigid_refresh(&body);
    return body;
}

/* Any body: principal moments up to `ratio` apart, oblique in the body's axes. */
static crn_rigid random_body(crn_random *random, double ratio)
{
    double x = crn_random_uniform(random, 1.0, ratio), y = crn_random_uniform(random, 1.0, ratio);
    crn_mat3 moments = diagonal(x, y, crn_random_uniform(random, fabs(x - y) + 0.1, x + y));
    crn_mat3 axes = crn_quat_matrix(random_rotation(random));
    crn_rigid body = body_of(crn_m3_turned(&axes, &moments), random_rotation(random), random_vector(random, 2.0));
    body.mass = crn_random_uniform(random, 0.1, 5.0);
    body.pose.position = random_vector(random, 3.0);
    body.v = random_vector(random, 2.0);
    return body;
}

static crn_vec3 spin_of(const crn_rigid *body)
{
    return crn_m3_times(&body->inertia_world, body->w);
}

/* Angle between two orientations. */
static double angle_between(crn_quat a, crn_quat b)
{
    return crn_v3_length(crn_quat_log(crn_quat_product(a, crn_quat_conjugate(b))));
}

static void move_times(crn_rigid *body, double h, int steps)
{
    for (int k = 0; k < steps; ++k) {
        crn_rigid_move(body, h);
    }
}

/* --- Oracle: Runge-Kutta of order 4 on q' = 1/2 q o, I o' = (I o) x o, body axes, principal moments --- */

typedef struct top {
    double q[4], o[3];
} top;

static top top_rate(const top *s, const double *moment)
{
    const double *q = s->q, *o = s->o;
    top r = {{0.5 * (-q[1] * o[0] - q[2] * o[1] - q[3] * o[2]), 0.5 * (q[0] * o[0] + q[2] * o[2] - q[3] * o[1]),
              0.5 * (q[0] * o[1] + q[3] * o[0] - q[1] * o[2]), 0.5 * (q[0] * o[2] + q[1] * o[1] - q[2] * o[0])},
             {(moment[1] - moment[2]) * o[1] * o[2] / moment[0], (moment[2] - moment[0]) * o[2] * o[0] / moment[1],
              (moment[0] - moment[1]) * o[0] * o[1] / moment[2]}};
    return r;
}

static top top_plus(const top *s, double h, const top *r)
{
    top t = *s;
    for (int i = 0; i < 4; ++i) {
        t.q[i] += h * r->q[i];
    }
    for (int i = 0; i < 3; ++i) {
        t.o[i] += h * r->o[i];
    }
    return t;
}

static top top_run(top s, const double *moment, double time, int steps)
{
    double h = time / steps;
    for (int k = 0; k < steps; ++k) {
        top k1 = top_rate(&s, moment), s2 = top_plus(&s, 0.5 * h, &k1);
        top k2 = top_rate(&s2, moment), s3 = top_plus(&s, 0.5 * h, &k2);
        top k3 = top_rate(&s3, moment), s4 = top_plus(&s, h, &k3);
        top k4 = top_rate(&s4, moment);
        s = top_plus(&s, h / 6, &k1);
        s = top_plus(&s, h / 3, &k2);
        s = top_plus(&s, h / 3, &k3);
        s = top_plus(&s, h / 6, &k4);
    }
    return s;
}

/* --- Inertia, energy, momentum --- */

/* A cloud of point masses moving as a rigid body: sums over it are what the functions must give. */
static void test_sums_over_points(void **state)
{
    (void)state;
    enum { POINTS = 12 };
    crn_random random = test_random("sums_over_points", 1);
    for (int trial = 0; trial < 50; ++trial) {
        double mass[POINTS], total = 0.0;
        crn_vec3 place[POINTS], centre = {0, 0, 0};
        for (int i = 0; i < POINTS; ++i) {
            mass[i] = crn_random_uniform(&random, 0.1, 1.0);
            place[i] = random_vector(&random, 1.0);
            total += mass[i];
            centre = crn_v3_axpy(centre, mass[i], place[i]);
        }
        centre = crn_v3_scale(1.0 / total, centre);
        crn_mat3 inertia = {{0}};
        for (int i = 0; i < POINTS; ++i) {
            place[i] = crn_v3_sub(place[i], centre);
            double p[3], square = crn_v3_dot(place[i], place[i]);
            crn_v3_to(place[i], p);
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 3; ++c) {
                    inertia.m[r + 3 * c] += mass[i] * ((r == c ? square : 0.0) - p[r] * p[c]);
                }
            }
        }
        crn_rigid body = body_of(inertia, random_rotation(&random), random_vector(&random, 3.0));
        body.mass = total;
        body.pose.position = random_vector(&random, 2.0);
        body.v = random_vector(&random, 2.0);

        double energy = 0.0;
        crn_vec3 momentum = {0, 0, 0};
        for (int i = 0; i < POINTS; ++i) {
            crn_vec3 arm = crn_quat_turn(body.pose.rotation, place[i]);
            crn_vec3 v = crn_v3_add(body.v, crn_v3_cross(body.w, arm));
            crn_vec3 x = crn_v3_add(body.pose.position, arm);
            energy += 0.5 * mass[i] * crn_v3_dot(v, v);
            momentum = crn_v3_axpy(momentum, mass[i], crn_v3_cross(x, v));
        }
        assert_true(fabs(crn_rigid_kinetic(&body) - energy) < 1e-13 * energy);
        crn_vec3 gap = crn_v3_sub(crn_rigid_angular_momentum(&body), momentum);
        assert_true(crn_v3_length(gap) < 1e-13 * (1.0 + crn_v3_length(momentum)));
        for (int i = 0; i < 9; ++i) { /* exactly symmetric */
            assert_true(body.inertia_world.m[i] == body.inertia_world.m[i / 3 + 3 * (i % 3)]);
        }
    }
}

static void test_push(void **state)
{
    (void)state;
    crn_random random = test_random("push", 2);
    for (int trial = 0; trial < 100; ++trial) {
        crn_rigid body = random_body(&random, 10.0);
        crn_vec3 force = random_vector(&random, 5.0), torque = random_vector(&random, 5.0), w, v;
        double h = 0.01, slow = crn_random_uniform(&random, 0.0, 3.0), calm = crn_random_uniform(&random, 0.0, 3.0);
        crn_rigid before = body;
        crn_rigid_push(&body, h, force, torque, slow, calm, &w, &v);
        assert_memory_equal(&body, &before, sizeof body);

        /* the implicit equations: m (v+ - v) = h (f - slow m v+), I (w+ - w) = h (t - calm I w+) */
        crn_vec3 lost = crn_v3_scale(slow * body.mass, v), moved = crn_v3_scale(body.mass, crn_v3_sub(v, body.v));
        crn_vec3 gap = crn_v3_sub(moved, crn_v3_scale(h, crn_v3_sub(force, lost)));
        assert_true(crn_v3_length(gap) < 1e-14 * body.mass * (1.0 + crn_v3_length(body.v)));
        crn_vec3 turned = crn_m3_times(&body.inertia_world, crn_v3_sub(w, body.w));
        crn_vec3 calmed = crn_v3_scale(calm, crn_m3_times(&body.inertia_world, w));
        gap = crn_v3_sub(turned, crn_v3_scale(h, crn_v3_sub(torque, calmed)));
        assert_true(crn_v3_length(gap) < 1e-12);

        /* nothing acts: the same bits */
        crn_rigid_push(&body, h, crn_v3(0, 0, 0), crn_v3(0, 0, 0), 0.0, 0.0, &w, &v);
        assert_memory_equal(&w, &body.w, sizeof w);
        assert_memory_equal(&v, &body.v, sizeof v);
    }
}

/* --- What must stay to the bit --- */

static void test_rest_keeps_bits(void **state)
{
    (void)state;
    crn_random random = test_random("rest_keeps_bits", 3);
    for (int trial = 0; trial < 100; ++trial) {
        crn_rigid body = random_body(&random, 10.0);
        body.w = crn_v3(0, 0, 0);
        body.pose.rotation.w *= 1.0 + trial * DBL_EPSILON; /* also if it is not quite unit */
        crn_rigid_refresh(&body);
        crn_rigid before = body;
        move_times(&body, 0.01, 10);
        assert_memory_equal(&body.pose.rotation, &before.pose.rotation, sizeof before.pose.rotation);
        assert_memory_equal(&body.rotation, &before.rotation, sizeof before.rotation);
        assert_memory_equal(&body.inertia_world, &before.inertia_world, sizeof before.inertia_world);
        assert_memory_equal(&body.w, &before.w, sizeof before.w);

        /* nor does a turn below the last digit change anything */
        body.w = crn_v3(1e-25, -2e-25, 1e-26);
        move_times(&body, 0.01, 10);
        assert_memory_equal(&body.pose.rotation, &before.pose.rotation, sizeof before.pose.rotation);
    }
}

static void test_position_is_exact(void **state)
{
    (void)state;
    crn_rigid body = body_of(diagonal(1, 2, 3), (crn_quat){1, 0, 0, 0}, crn_v3(0, 0, 0));
    body.pose.position = crn_v3(1, 2, 3);
    body.v = crn_v3(4, -2, 0.5);
    move_times(&body, 0.25, 4);
    assert_true(body.pose.position.x == 5 && body.pose.position.y == 0 && body.pose.position.z == 3.5);
}

/* Without gyroscopic torque w stays, to the bit if slack = 0, and the body turns by exactly h w. */
static void check_even_turn(crn_rigid body, int steps, double slack)
{
    crn_rigid before = body;
    double h = 0.01;
    move_times(&body, h, steps);
    assert_true(crn_v3_length(crn_v3_sub(body.w, before.w)) <= slack * crn_v3_length(before.w));
    crn_quat expected = crn_quat_product(crn_quat_exp(crn_v3_scale(h * steps, before.w)), before.pose.rotation);
    assert_true(angle_between(body.pose.rotation, expected) < 1e-15 * steps);
}

static void test_even_turns_keep_bits(void **state)
{
    (void)state;
    crn_random random = test_random("even_turns_keep_bits", 4);
    for (int trial = 0; trial < 50; ++trial) {
        crn_quat q = random_rotation(&random);
        crn_vec3 w = random_vector(&random, 5.0), moments = random_vector(&random, 1.0);
        check_even_turn(body_of(diagonal(0.7, 0.7, 0.7), q, w), 1000, 0.0); /* a cube */

        /* about the world's z and the body's; in a random orientation directions are principal to rounding only */
        crn_mat3 axes = crn_quat_matrix(q), inertia = diagonal(2 + moments.x, 2 + moments.y, 2 + moments.z);
        check_even_turn(body_of(inertia, crn_quat_exp(crn_v3(0, 0, w.y)), crn_v3(0, 0, w.x)), 1000, 0.0);
        for (int i = 0; i < 3; ++i) {
            check_even_turn(body_of(inertia, q, crn_v3_scale(w.x, crn_m3_column(&axes, i))), 10, 1e-14);
        }
    }
}

static void test_planar(void **state)
{
    (void)state;
    crn_random random = test_random("planar", 5);
    crn_rigid body = body_of(diagonal(0, 0, 0.3), crn_quat_exp(crn_v3(0, 0, 0.4)), crn_v3(0, 0, 2.5));
    body.is_planar = true;
    body.mass = 2.0;
    body.pose.position = crn_v3(1, 2, 0);
    body.v = crn_v3(0.5, -1, 0);
    crn_rigid before = body;
    move_times(&body, 0.01, 1000);
    assert_memory_equal(&body.w, &before.w, sizeof before.w);
    assert_true(body.pose.rotation.x == 0.0 && body.pose.rotation.y == 0.0 && body.pose.position.z == 0.0);
    assert_true(angle_between(body.pose.rotation, crn_quat_exp(crn_v3(0, 0, 0.4 + 25.0))) < 1e-13);
    assert_true(fabs(body.pose.position.x - 6) < 1e-12 && fabs(body.pose.position.y + 8) < 1e-12);
    assert_true(fabs(crn_rigid_kinetic(&before) - (0.5 * 2 * 1.25 + 0.5 * 0.3 * 6.25)) < 1e-14);
    crn_vec3 momentum = crn_rigid_angular_momentum(&before);
    assert_true(momentum.x == 0.0 && momentum.y == 0.0);
    assert_true(fabs(momentum.z - (0.3 * 2.5 + 2 * (1 * -1 - 2 * 0.5))) < 1e-15);

    crn_vec3 w, v, force = random_vector(&random, 1.0), torque = random_vector(&random, 1.0);
    crn_rigid_push(&before, 0.1, force, torque, 0.0, 2.0, &w, &v);
    assert_true(w.x == 0.0 && w.y == 0.0 && v.z == 0.0);
    assert_true(fabs(w.z - (2.5 + 0.1 * torque.z / 0.3) / 1.2) < 1e-15);
    assert_true(fabs(v.x - (0.5 + 0.1 * force.x / 2)) < 1e-15 && fabs(v.y - (-1 + 0.1 * force.y / 2)) < 1e-15);
}

/* --- What must be conserved --- */

static void test_angular_momentum_each_step(void **state)
{
    (void)state;
    crn_random random = test_random("angular_momentum_each_step", 6);
    double worst = 0.0;
    for (int trial = 0; trial < 2000; ++trial) {
        crn_rigid body = random_body(&random, 4.0);
        double h = pow(10.0, crn_random_uniform(&random, -4.0, 0.0));
        crn_vec3 before = spin_of(&body);
        crn_rigid_move(&body, h);
        worst = fmax(worst, crn_v3_length(crn_v3_sub(spin_of(&body), before)) / crn_v3_length(before));
    }
    print_message("largest change of L in a step: %.2e of it\n", worst);
    assert_true(worst < 1e-15);
}

/* Nearly about an axis of its own: below rounding the body keeps w, above it the tilt must be seen. Roundings of 1000 steps
 * add up to 1e-14 with any w; keeping it must not add more than as much again. */
static void test_angular_momentum_near_axes(void **state)
{
    (void)state;
    crn_random random = test_random("angular_momentum_near_axes", 10);
    double worst = 0.0;
    for (int trial = 0; trial < 300; ++trial) {
        crn_vec3 tilt = random_vector(&random, pow(10.0, crn_random_uniform(&random, -17.0, -1.0)));
        crn_rigid body = body_of(diagonal(1, 2, 2.5), random_rotation(&random), crn_v3(0, 0, 0));
        body.w = crn_v3_add(crn_m3_column(&body.rotation, trial % 3), tilt);
        crn_vec3 before = spin_of(&body);
        for (int k = 0; k < 1000; ++k) {
            crn_rigid_move(&body, 0.1);
            worst = fmax(worst, crn_v3_length(crn_v3_sub(spin_of(&body), before)) / crn_v3_length(before));
        }
    }
    print_message("largest change of L in 1000 steps: %.2e of it\n", worst);
    assert_true(worst < 4e-14);
}

static void test_energy_over_many_steps(void **state)
{
    (void)state;
    static const struct {
        double moment[3];
        crn_vec3 w;
        double h;
    } runs[] = {{{1, 2, 3}, {1, 0.7, -0.5}, 0.01},
                {{1, 2, 3}, {0.01, 1, 0.01}, 0.1},
                {{1, 1.1, 0.02}, {5, 7, 0.3}, 0.01},
                {{1, 1, 1.9}, {0.3, 0.2, 40}, 0.01}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
        const double *moment = runs[i].moment;
        crn_rigid body = body_of(diagonal(moment[0], moment[1], moment[2]), (crn_quat){0.5, 0.5, -0.5, 0.5}, runs[i].w);
        double energy = crn_rigid_kinetic(&body), worst = 0.0;
        crn_vec3 spin = spin_of(&body);
        for (int k = 0; k < 100000; ++k) {
            crn_rigid_move(&body, runs[i].h);
            worst = fmax(worst, fabs(crn_rigid_kinetic(&body) - energy));
        }
        double turned = crn_v3_length(crn_v3_sub(spin_of(&body), spin)) / crn_v3_length(spin);
        crn_quat q = body.pose.rotation;
        double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        print_message("1e5 steps of %g: energy within %.1e, L %.1e, |q|^2 - 1 %.1e\n", runs[i].h, worst / energy,
                      turned, norm - 1);
        assert_true(worst < 1e-11 * energy);
        assert_true(turned < 1e-11);
        assert_true(fabs(norm - 1.0) < 4 * DBL_EPSILON);
    }
}

/* Backward by the same step arrives where it began. */
static void test_reversible(void **state)
{
    (void)state;
    crn_random random = test_random("reversible", 7);
    for (int trial = 0; trial < 200; ++trial) {
        crn_rigid body = random_body(&random, 4.0), before = body;
        crn_rigid_move(&body, 0.05);
        assert_true(angle_between(body.pose.rotation, before.pose.rotation) > 1e-3);
        crn_rigid_move(&body, -0.05);
        assert_true(angle_between(body.pose.rotation, before.pose.rotation) < 1e-14);
        assert_true(crn_v3_length(crn_v3_sub(body.w, before.w)) < 1e-14 * (1 + crn_v3_length(before.w)));
    }
}

/* The same motion seen from axes turned otherwise, in the world and in the body. */
static void test_does_not_depend_on_axes(void **state)
{
    (void)state;
    crn_random random = test_random("does_not_depend_on_axes", 8);
    crn_quat t = random_rotation(&random), s = random_rotation(&random);
    crn_mat3 turn = crn_quat_matrix(crn_quat_conjugate(s)), inertia = diagonal(1, 2, 2.5);
    crn_rigid body = body_of(inertia, random_rotation(&random), crn_v3(1, 2, 3));
    crn_quat q = crn_quat_product(crn_quat_product(t, body.pose.rotation), s);
    crn_rigid other = body_of(crn_m3_turned(&turn, &inertia), q, crn_quat_turn(t, body.w));
    move_times(&body, 0.02, 100);
    move_times(&other, 0.02, 100);
    q = crn_quat_product(crn_quat_product(t, body.pose.rotation), s);
    assert_true(angle_between(q, other.pose.rotation) < 1e-12);
}

/* --- How accurate it is --- */

/* Orientation error at `time` with `steps` steps against Runge-Kutta with 20000. */
static double error_of(const double *moment, crn_vec3 w, double time, int steps)
{
    crn_rigid body = body_of(diagonal(moment[0], moment[1], moment[2]), (crn_quat){1, 0, 0, 0}, w);
    top s = {{1, 0, 0, 0}, {w.x, w.y, w.z}};
    s = top_run(s, moment, time, 20000);
    move_times(&body, time / steps, steps);
    return angle_between(body.pose.rotation, crn_quat_unit((crn_quat){s.q[0], s.q[1], s.q[2], s.q[3]}));
}

static void check_order(const double *moment, crn_vec3 w, double time, int steps)
{
    double error = error_of(moment, w, time, steps);
    for (int k = 0; k < 3; ++k) {
        double finer = error_of(moment, w, time, steps *= 2), order = log2(error / finer);
        print_message("%d steps: error %.2e, order %.3f\n", steps, finer, order);
        assert_true(order > 1.95 && order < 2.05);
        error = finer;
    }
    assert_true(error < 1e-3);
}

static void test_second_order(void **state)
{
    (void)state;
    check_order((double[]){1, 2, 3}, crn_v3(1, 0.7, -0.5), 5.0, 100);
    check_order((double[]){1, 2, 3}, crn_v3(0.01, 1, 0.01), 10.0, 200); /* through a flip */
    check_order((double[]){1, 1.1, 0.02}, crn_v3(0.5, 0.7, 3), 2.0, 100);
}

/* Symmetric top: R(t) = exp(t L/I1) exp(t (1 - I3/I1) o3 e3) in closed form. */
static void test_symmetric_top(void **state)
{
    (void)state;
    crn_vec3 w = {0.6, -0.3, 2.0};
    double error[2], time = 3.0;
    for (int k = 0; k < 2; ++k) {
        int steps = 300 << k;
        crn_rigid body = body_of(diagonal(1, 1, 1.6), (crn_quat){1, 0, 0, 0}, w);
        move_times(&body, time / steps, steps);
        crn_quat carried = crn_quat_exp(crn_v3(time * w.x, time * w.y, time * 1.6 * w.z));
        crn_quat expected = crn_quat_product(carried, crn_quat_exp(crn_v3(0, 0, time * (1 - 1.6) * w.z)));
        error[k] = angle_between(body.pose.rotation, expected);
    }
    print_message("symmetric top: error %.2e, then %.2e\n", error[0], error[1]);
    assert_true(error[0] < 1e-3 && fabs(log2(error[0] / error[1]) - 2.0) < 0.05);
}

/* Dzhanibekov: turning about the intermediate axis, a body flips at even intervals 2 K(k)/r: K by arithmetic-geometric
 * means, from the closed solution of Euler's equations by elliptic functions. */
static void test_flips_in_time(void **state)
{
    (void)state;
    const double I1 = 3, I2 = 2, I3 = 1; /* the closed solution counts moments downwards */
    crn_vec3 o = {0.01, 1, 0.01};
    double T2 = I1 * o.x * o.x + I2 * o.y * o.y + I3 * o.z * o.z; /* twice the energy */
    double L2 = I1 * I1 * o.x * o.x + I2 * I2 * o.y * o.y + I3 * I3 * o.z * o.z;
    double r, k2;
    if (L2 > T2 * I2) {
        r = sqrt((I1 - I2) * (L2 - T2 * I3) / (I1 * I2 * I3));
        k2 = (I2 - I3) * (T2 * I1 - L2) / ((I1 - I2) * (L2 - T2 * I3));
    } else {
        r = sqrt((I2 - I3) * (T2 * I1 - L2) / (I1 * I2 * I3));
        k2 = (I1 - I2) * (L2 - T2 * I3) / ((I2 - I3) * (T2 * I1 - L2));
    }
    double a = 1.0, g = sqrt(1.0 - k2);
    while (fabs(a - g) > 1e-15) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    double expected = 2.0 * (pi / (2.0 * a)) / r; /* o2 passes 0 at this interval */

    crn_rigid body = body_of(diagonal(I1, I2, I3), (crn_quat){1, 0, 0, 0}, o);
    double h = 0.002, last = o.y, first = 0.0, passed = 0.0;
    int flips = 0;
    for (int k = 1; flips < 5; ++k) {
        crn_rigid_move(&body, h);
        double now = crn_m3_transposed_times(&body.rotation, body.w).y;
        if (now * last < 0.0) {
            passed = h * (k - now / (now - last));
            first = flips++ == 0 ? passed : first;
        }
        last = now;
        assert_true(k < 100000);
    }
    double interval = (passed - first) / 4;
    print_message("flips every %.6f s, expected %.6f\n", interval, expected);
    assert_true(fabs(interval - expected) < 1e-4 * expected);
}

/* Very fast bodies: L stays, energy stays in its range, nothing is lost. */
static void test_fast_bodies(void **state)
{
    (void)state;
    crn_random random = test_random("fast_bodies", 9);
    for (int trial = 0; trial < 60; ++trial) {
        double speed = pow(10.0, trial % 6);
        crn_mat3 moments = trial % 2 == 0 ? diagonal(1, 2, 2.5) : diagonal(1, 1.01, 0.02);
        crn_rigid body = body_of(moments, random_rotation(&random), random_vector(&random, speed));
        crn_vec3 spin = spin_of(&body);
        double square = crn_v3_dot(spin, spin), energy = crn_rigid_kinetic(&body), least = trial % 2 == 0 ? 1 : 0.02;
        for (int k = 0; k < 20; ++k) {
            crn_rigid_move(&body, 0.01);
        }
        assert_true(crn_v3_length(crn_v3_sub(spin_of(&body), spin)) < 1e-12 * crn_v3_length(spin));
        double after = crn_rigid_kinetic(&body);
        assert_true(after > 0.999 * square / (2 * 2.5) && after < 1.001 * square / (2 * least));
        if (speed <= 100.0) {
            assert_true(fabs(after - energy) < 1e-11 * energy);
        }
    }
}

/* Slender bodies: tumbling, which is stiff, and turning fast about the thin axis. L is known to the rounding of I w. */
static void test_slender_bodies(void **state)
{
    (void)state;
    crn_random random = test_random("slender_bodies", 25);
    for (int trial = 0; trial < 700; ++trial) {
        double thin = 0.3 * pow(10.0, -(trial % 7)), h = 0.01, slack = 1e-15 * (10 + 1 / thin);
        crn_rigid body = body_of(diagonal(1, 1.1, thin), random_rotation(&random), random_vector(&random, 1.0));
        if (trial % 7 == 0) {
            body = body_of(diagonal(1, 1.1, 0.02), (crn_quat){1, 0, 0, 0}, random_vector(&random, 2.0));
            body.w.z = 2 + trial % 50;
            h = 1.0;
            slack = 1e-12; /* up to 100 turns of 0.5 rad */
        }
        crn_vec3 before = spin_of(&body);
        double energy = crn_rigid_kinetic(&body), speed = crn_v3_length(body.w);
        crn_rigid_move(&body, h);
        speed = fmax(speed, crn_v3_length(body.w));
        double gap = crn_v3_length(crn_v3_sub(spin_of(&body), before)), gain = crn_rigid_kinetic(&body) / energy - 1.0;
        TEST_CHECK(gap < 1e-15 * 2.1 * speed, "trial %d: L changes by %g of its size", trial, gap / (2.1 * speed));
        TEST_CHECK(fabs(gain) < slack, "trial %d: energy changes by %g", trial, gain);
    }
}

/* Precession by itself against the body that also turns: the same o, to second order, and the same energy, to rounding. */
static void test_precession(void **state)
{
    (void)state;
    crn_random random = test_random("precession", 21);
    for (int n = 0; n < 200; ++n) {
        crn_rigid body = random_body(&random, 5.0);
        crn_vec3 o = crn_m3_transposed_times(&body.rotation, body.w);
        double energy = crn_v3_dot(o, crn_m3_times(&body.inertia, o)), off[2];
        for (int k = 0; k < 2; ++k) {
            double h = 0.02 / (1 << k);
            crn_vec3 after = crn_rigid_precess(&body.inertia, o, h);
            crn_rigid other = body;
            for (int i = 0; i < 100; ++i) {
                crn_rigid_move(&other, h / 100);
            }
            off[k] = crn_v3_length(crn_v3_sub(after, crn_m3_transposed_times(&other.rotation, other.w)));
            assert_true(fabs(crn_v3_dot(after, crn_m3_times(&body.inertia, after)) / energy - (1.0)) <= 1e-14);
        }
        TEST_CHECK(off[1] <= 0.2 * off[0] + 1e-9, "off by %g, then %g", off[0], off[1]);
    }
    crn_mat3 rod =
        diagonal(2.0, 2.0, 0.0); /* seen from itself its momentum turns back as fast as it turns about itself */
    crn_vec3 after = crn_rigid_precess(&rod, crn_v3(1.0, 0.0, 10.0), 0.01);
    assert_true(fabs(atan2(after.y, after.x) - (-0.1)) <= 1e-4);
    assert_true(fabs(hypot(after.x, after.y) - (1.0)) <= 1e-14);
    assert_true(fabs(after.z - (10.0)) <= 1e-14);
}

static void test_not_a_number_ends(void **state)
{
    (void)state;
    crn_rigid body = body_of(diagonal(1, 2, 3), (crn_quat){1, 0, 0, 0}, crn_v3(NAN, 1, 1));
    crn_rigid_move(&body, 0.01);
    assert_true(body.w.x != body.w.x);
    body = body_of(diagonal(1, 2, 3), (crn_quat){1, 0, 0, 0}, crn_v3(INFINITY, 1, 1));
    crn_rigid_move(&body, 0.01);
    assert_true(!(fabs(body.w.x) < INFINITY));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_over_points),
        cmocka_unit_test(test_push),
        cmocka_unit_test(test_rest_keeps_bits),
        cmocka_unit_test(test_position_is_exact),
        cmocka_unit_test(test_even_turns_keep_bits),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_angular_momentum_each_step),
        cmocka_unit_test(test_angular_momentum_near_axes),
        cmocka_unit_test(test_energy_over_many_steps),
        cmocka_unit_test(test_reversible),
        cmocka_unit_test(test_does_not_depend_on_axes),
        cmocka_unit_test(test_second_order),
        cmocka_unit_test(test_symmetric_top),
        cmocka_unit_test(test_flips_in_time),
        cmocka_unit_test(test_fast_bodies),
        cmocka_unit_test(test_slender_bodies),
        cmocka_unit_test(test_precession),
        cmocka_unit_test(test_not_a_number_ends),
    };
    return TEST_RUN(tests, argc, argv);
}
