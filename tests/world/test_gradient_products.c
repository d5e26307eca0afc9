/* Products with the derivative of a step, and derivatives by parameters: tapes, steps that are kept. */
#include "gradient_case.h"

/* --- Tapes --- */

static void add_height(void *user, const crn_world *world, int step, double *q, double *v)
{
    (void)user;
    (void)world;
    (void)v;
    q[5] += 0.01 * step;
}

/* Gradients of a sum over many steps, with snapshots of all steps and of few, to the bit; and against one product per step. */
static void checkpoints_change_nothing(void **state)
{
    enum { STEPS = 500 };
    double g[2][12], friction[2][STEPS];
    crn_gradient_status worst[2];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        crn_body_id body;
        crn_world *world = make_scene(&scenes[1], 0.0, &body);
        crn_gradient_options options = crn_gradient_options_default();
        crn_parameter mu = {.kind = CRN_PARAMETER_FRICTION, .body = body};
        crn_tape *tape;
        options.parameter = &mu;
        options.parameters = 1;
        assert_int_equal(crn_tape_create(world, &options, k ? 7 : 1, 0, &tape, NULL), CRN_OK);
        for (int step = 0; step < STEPS; ++step) {
            if (step % 5 == 0) {
                assert_int_equal(crn_body_apply_torque(world, body, (crn_vec3){0, 0.01 * step, 0}), CRN_OK);
            }
            assert_int_equal(crn_tape_step(tape, 0.01, NULL, NULL), CRN_OK);
        }
        uint64_t hash = crn_world_hash(world);
        crn_world_change before = {.q = g[k], .v = g[k] + 6};
        double q[6] = {0, 0, 0, 1, 0, 0};
        crn_world_change after = {.q = q};
        assert_int_equal(crn_tape_backward(tape, add_height, NULL, &after, &before, friction[k], &worst[k], NULL, NULL),
                         CRN_OK);
        assert_true(crn_world_hash(world) == hash);
        crn_tape_destroy(tape);
        crn_world_destroy(world);
    }
    assert_memory_equal(g[0], g[1], sizeof g[0]);
    assert_memory_equal(friction[0], friction[1], sizeof friction[0]);
    double sum = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        assert_true(isfinite(friction[0][i]));
        sum += friction[0][i];
    }
    assert_true(sum < 0.0); /* more friction, less way */
}

/* --- Parameters and products --- */

static void parameters_and_products_agree(void **state)
{
    crn_body_id body;
    crn_world *world = make_scene(&scenes[1], 0.0, &body);
    crn_parameter list[] = {{.kind = CRN_PARAMETER_FRICTION, .body = body},
                            {.kind = CRN_PARAMETER_MASS, .body = body},
                            {.kind = CRN_PARAMETER_FORCE, .body = body, .index = 3},
                            {.kind = CRN_PARAMETER_GRAVITY, .index = 2}};
    crn_gradient_options options = crn_gradient_options_default();
    double P[12 * 4], A[144], seed[12], gq[6], gv[6], gp[4], out[12], dq[6], dv[6], dp[4];
    crn_world_jacobian to = {.state = A, .by_parameter = P};
    crn_random random = test_random("products", 5);
    (void)state;
    options.parameter = list;
    options.parameters = 4;
    assert_int_equal(crn_world_linearize(world, 0.01, &options, &to, NULL, NULL), CRN_OK);
    double mass, weight;
    assert_int_equal(crn_body_mass(world, body, &mass, NULL, NULL), CRN_OK);
    weight = 9.81 * 0.01;
    assert_true(fabs(P[12 * 2 + 9] - 0.01 / mass) <
                0.01 * P[12 * 2 + 9]);       /* but for friction, which turns with the slip */
    assert_true(P[9] < -0.5 * weight * 0.9); /* friction brakes */
    for (int i = 0; i < 12; ++i) {
        seed[i] = crn_random_normal(&random);
        *(i < 6 ? &dq[i] : &dv[i - 6]) = crn_random_normal(&random);
    }
    for (int i = 0; i < 4; ++i) {
        dp[i] = crn_random_normal(&random);
    }
    crn_world_change after = {.q = seed, .v = seed + 6}, before = {.q = gq, .v = gv, .parameter = gp};
    assert_int_equal(crn_world_vjp(world, 0.01, &options, &after, &before, NULL, NULL), CRN_OK);
    crn_world_change in = {.q = dq, .v = dv, .parameter = dp}, result = {.q = out, .v = out + 6};
    assert_int_equal(crn_world_jvp(world, 0.01, &options, &in, &result, NULL, NULL), CRN_OK);
    double forward = 0.0, backward = 0.0, dense = 0.0;
    for (int i = 0; i < 12; ++i) {
        double row = 0.0;
        for (int j = 0; j < 12; ++j) {
            row += A[12 * j + i] * (j < 6 ? dq[j] : dv[j - 6]);
        }
        for (int j = 0; j < 4; ++j) {
            row += P[12 * j + i] * dp[j];
        }
        dense += seed[i] * row;
        forward += seed[i] * out[i];
        backward += i < 6 ? gq[i] * dq[i] + gv[i] * dv[i] : 0.0;
    }
    for (int j = 0; j < 4; ++j) {
        backward += gp[j] * dp[j];
    }
    assert_int_equal(crn_world_vjp(world, 0.01, NULL, &after, &before, NULL, NULL), CRN_OK);
    in.parameter = NULL;
    assert_int_equal(crn_world_jvp(world, 0.01, NULL, &in, &result, NULL, NULL), CRN_OK);
    double by_state[2] = {0.0, 0.0};
    for (int i = 0; i < 12; ++i) {
        by_state[0] += seed[i] * out[i];
        by_state[1] += i < 6 ? gq[i] * dq[i] + gv[i] * dv[i] : 0.0;
    }
    print_message("products by the state: forward and adjoint differ by %.3g of %.3g\n",
                  fabs(by_state[0] - by_state[1]), fabs(by_state[0]));
    assert_true(fabs(by_state[0] - by_state[1]) < 1e-12 * fabs(by_state[0]));
    print_message("products: adjoint %.3g, forward %.3g of %.3g\n", fabs(backward - dense), fabs(forward - dense),
                  fabs(dense));
    assert_true(fabs(backward - dense) < 1e-12 * fabs(dense) + 1e-12);
    assert_true(fabs(forward - dense) < 1e-6 * fabs(dense) + 1e-6);
    crn_world_destroy(world);
}

/* --- Sizes, places and frames: against worlds that are made so --- */

typedef struct made {
    crn_world *world;
    crn_body_id body;
    crn_joint_id joint;
} made;

/* A capsule that lands, of mass 1, its shape off its centre of mass; or a pendulum on a hinge about y, which turns with 3 rad/s. */
static made make_with(crn_parameter_kind kind, int index, double by)
{
    crn_world_def def = crn_world_def_default();
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def body = crn_body_def_default();
    made m = {0};
    double change[6] = {0};
    change[index] = by;
    def.tol = tol;
    def.repair_tolerance = tol_repairs;
    m.world = new_world(&def);
    body.mass = 1.0;
    body.inertia = (crn_mat3){{0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.01}};
    if (kind == CRN_PARAMETER_FRAME) {
        crn_joint_def joint = crn_joint_def_default();
        crn_vec3 a = {change[0], change[1], 2.0 + change[2]}, b = {0.1 + change[3], change[4], 0.3 + change[5]};
        body.pose.position = (crn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
        body.angular = (crn_vec3){0, 3, 0};
        body.velocity = (crn_vec3){-3 * b.z, 0, 3 * b.x}; /* w x (centre - joint) */
        m.body = add_body(m.world, &body);
        joint.kind = CRN_JOINT_HINGE;
        joint.in_tree = true;
        joint.frame_a = (crn_pose){a, {0.70710678118654757, 0.70710678118654757, 0, 0}}; /* its z is -y */
        joint.frame_b = (crn_pose){b, joint.frame_a.rotation};
        assert_int_equal(crn_joint_create(m.world, &joint, (crn_body_id){0, 0}, m.body, &m.joint, NULL), CRN_OK);
        return m;
    }
    bool is_size = kind == CRN_PARAMETER_SIZE;
    add_surface(m.world, FLOOR_PLANE, 0.5);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_CAPSULE, .size = {0.1, 0.2, 0}};
    shape.shape.size.x += is_size ? change[0] : 0.0;
    shape.shape.size.y += is_size ? change[1] : 0.0;
    shape.pose.position =
        is_size ? (crn_vec3){0.02, 0, 0.01} : (crn_vec3){0.02 + change[0], change[1], 0.01 + change[2]};
    body.pose = surface_pose(0, 0, 0.2945);
    body.pose.rotation = (crn_quat){0.99, 0.0, 0.141067359796659, 0.0};
    body.velocity = (crn_vec3){0.5, 0.2, -1};
    body.angular = (crn_vec3){1, 1, 0};
    body.shape = &shape;
    body.shapes = 1;
    m.body = add_body(m.world, &body);
    return m;
}

/* Where the body is after a step: turn from where it usually ends, place, velocities. */
static void step_and_read(const made *m, crn_quat from, double *to)
{
    crn_pose pose;
    crn_twist twist;
    assert_int_equal(crn_world_step(m->world, 0.01, NULL, NULL), CRN_OK);
    assert_int_equal(crn_body_pose(m->world, m->body, &pose), CRN_OK);
    assert_int_equal(crn_body_velocity(m->world, m->body, &twist), CRN_OK);
    crn_v3_to(crn_quat_log(crn_quat_product(pose.rotation, crn_quat_conjugate(from))), to);
    crn_v3_to(pose.position, to + 3);
    crn_v3_to(twist.angular, to + 6);
    crn_v3_to(twist.linear, to + 9);
}

/* How far a column is off a centred difference; size: its largest entry. Of the hinge: its turn about -y and the speed of that. */
static double parameter_error(crn_parameter_kind kind, int index, double by, crn_quat from, const double *column,
                              double *size)
{
    bool is_hinge = kind == CRN_PARAMETER_FRAME;
    double side[2][12], off = 0.0;
    for (int i = 0; i < 2; ++i) {
        made other = make_with(kind, index, i ? -by : by);
        step_and_read(&other, from, side[i]);
        crn_world_destroy(other.world);
    }
    for (int i = 0; i < (is_hinge ? 2 : 12); ++i) {
        int at = is_hinge ? 1 + 6 * i : i;
        double slope = (side[0][at] - side[1][at]) / (2 * by) * (is_hinge ? -1.0 : 1.0);
        off = fmax(off, fabs(slope - column[i]));
        *size = fmax(*size, fabs(column[i]));
    }
    return off;
}

static void sizes_places_and_frames_agree(void **state)
{
    static const struct {
        crn_parameter_kind kind;
        int count;
    } kinds[] = {{CRN_PARAMETER_SIZE, 2}, {CRN_PARAMETER_PLACE, 3}, {CRN_PARAMETER_FRAME, 6}};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        for (int index = 0; index < kinds[k].count; ++index) {
            double P[12], off, size = 0.0;
            crn_pose pose;
            made m = make_with(kinds[k].kind, index, 0.0);
            crn_parameter parameter = {.kind = kinds[k].kind, .body = m.body, .joint = m.joint, .index = index};
            crn_gradient_options options = crn_gradient_options_default();
            crn_gradient_report report;
            crn_world_jacobian to = {.by_parameter = P};
            options.parameter = &parameter;
            options.parameters = 1;
            assert_true(crn_world_tangent(m.world) > 0); /* trees are planted */
            uint64_t hash = crn_world_hash(m.world);
            assert_int_equal(crn_world_linearize(m.world, 0.01, &options, &to, &report, NULL), CRN_OK);
            assert_true(crn_world_hash(m.world) == hash);
            assert_int_equal(crn_world_step(m.world, 0.01, NULL, NULL), CRN_OK);
            assert_int_equal(crn_body_pose(m.world, m.body, &pose), CRN_OK);
            double best = INFINITY;
            for (double by = 1e-4; by > 0.9e-7; by *= 0.1) {
                best = fmin(best, parameter_error(kinds[k].kind, index, by, pose.rotation, P, &size));
            }
            off = best;
            print_message("%s %d: off by %.2g of %.3g, %s\n", crn_parameter_kind_name(kinds[k].kind), index, off, size,
                          crn_gradient_status_name(report.status));
            assert_true(off <= error_most * fmax(size, 1.0));
            crn_world_destroy(m.world);
        }
    }
}

/* --- A step that is kept --- */

/* Scenes of one body in flight, sliding, rolling and landing, and stacks, after some steps: what rolls knows where it touched before. */
static void kept_steps_agree(void **state)
{
    int exact = 0;
    (void)state;
    for (int i = 0; i < SCENES; ++i) {
        crn_body_id body;
        crn_world *world = make_scene(&scenes[i], 0.0, &body);
        for (int step = 0; step < (i < 4 ? 3 : 1); ++step) { /* the others come to rest on places that are repaired */
            exact += compare_kept(world, scenes[i].h);
            assert_int_equal(crn_world_step(world, scenes[i].h, NULL, NULL), CRN_OK);
        }
        crn_world_destroy(world);
    }
    crn_world *stack = make_stack(0.09);
    exact += compare_kept(stack, 0.01);
    crn_world_destroy(stack);
    made pendulum = make_with(CRN_PARAMETER_FRAME, 0, 0.0);
    (void)compare_kept(pendulum.world, 0.01);
    crn_world_destroy(pendulum.world);
    print_message("%d of 15 steps by their chains\n", exact);
    assert_true(exact >= 10);
}

/* Steps that are made again need the world as it was; a chain does not, and nothing is written where it is missing. */
static void a_changed_world_is_told(void **state)
{
    made m = make_with(CRN_PARAMETER_FRAME, 0, 0.0);
    crn_world_linear *linear = NULL;
    crn_error error;
    double q = 1.0, v = 77.0, out = 77.0;
    crn_world_change before = {.q = &q}, after = {.v = &out}, seed = {.q = &q}, back = {.v = &v};
    (void)state;
    assert_int_equal(crn_world_linear_create(m.world, 0.01, NULL, &linear, NULL, &error), CRN_OK);
    assert_int_equal(crn_world_linear_jvp(linear, &before, &after, &error), CRN_OK);
    assert_true(out != 77.0);
    assert_int_equal(crn_world_step(m.world, 0.01, NULL, NULL), CRN_OK);
    out = 77.0;
    assert_int_equal(crn_world_linear_jvp(linear, &before, &after, &error), CRN_ERR_ARGUMENT);
    assert_string_equal(error.text, "the world has changed since the step was linearised");
    assert_int_equal(crn_world_linear_vjp(linear, &seed, &back, &error), CRN_ERR_ARGUMENT);
    assert_true(out == 77.0 && v == 77.0);
    assert_int_equal(crn_world_linear_jvp(NULL, &before, &after, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_world_linear_create(m.world, 0.01, NULL, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    crn_world_linear_destroy(linear);
    crn_world_linear_destroy(NULL);
    crn_world_destroy(m.world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(checkpoints_change_nothing),
                                       cmocka_unit_test(parameters_and_products_agree),
                                       cmocka_unit_test(sizes_places_and_frames_agree),
                                       cmocka_unit_test(kept_steps_agree), cmocka_unit_test(a_changed_world_is_told)};
    return TEST_RUN(tests, argc, argv);
}
