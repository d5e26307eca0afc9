/* Derivatives of steps of trees: random robots of two to five links in flight, landing, sliding, with springs, dampers, friction and limits in their
 * joints, beside differences of steps; and that they come from the chain of linear maps, whose adjoint is exact. */
#include "gradient_case.h"

#include "joint_scene.h"

enum { LINKS_MOST = 5, ROBOTS = 40, STEPS = 6 };

typedef struct robot {
    crn_world *world;
    crn_joint_id joint[LINKS_MOST];
    crn_joint_kind kind[LINKS_MOST];
    int links;
} robot;

static crn_quat random_turn(crn_random *random)
{
    crn_quat q = {crn_random_normal(random), crn_random_normal(random), crn_random_normal(random),
                  crn_random_normal(random)};
    return crn_quat_unit(q);
}

/* What acts in a joint: each of these in some. */
static void set_axes(crn_random *random, crn_joint_def *def)
{
    bool has_coordinates = def->kind != CRN_JOINT_BALL;
    int axes = def->kind == CRN_JOINT_UNIVERSAL ? 2 : 1;
    for (int k = 0; k < axes; ++k) {
        crn_joint_axis *axis = &def->axis[k];
        axis->stiffness = crn_random_below(random, 2) ? crn_random_uniform(random, 1, 30) : 0.0;
        axis->damping = crn_random_below(random, 2) ? crn_random_uniform(random, 0.01, 0.5) : 0.0;
        axis->armature = has_coordinates && crn_random_below(random, 2) ? 0.01 : 0.0;
        axis->friction = has_coordinates && crn_random_below(random, 3) == 0 ? 0.05 : 0.0;
        axis->target.value = has_coordinates ? crn_random_uniform(random, -0.3, 0.3) : 0.0;
        if (def->kind == CRN_JOINT_HINGE && crn_random_below(random, 2)) {
            axis->lower = -0.012; /* it is met within some steps */
            axis->upper = 0.02;
        }
    }
}

/* Spheres in a row from low to high, or from high to low, joined between them. The lowest is so far above the floor that the first step ends
 * with a kick by which it lands in the second: then it touches, which is a kink. */
static robot make_robot(uint64_t seed)
{
    static const crn_joint_kind kinds[] = {CRN_JOINT_HINGE, CRN_JOINT_BALL, CRN_JOINT_UNIVERSAL, CRN_JOINT_SLIDER};
    crn_random random = crn_random_seed(seed);
    crn_world_def def = crn_world_def_default();
    def.tol = tol;
    def.repair_tolerance = tol_repairs;
    robot r = {.world = new_world(&def), .links = 2 + crn_random_below(&random, LINKS_MOST - 1)};
    crn_body_id before = {0, 0};
    add_surface(r.world, FLOOR_PLANE, 0.4);
    for (int i = 0; i < r.links; ++i) {
        crn_shape_def ball = {.kind = CRN_SHAPE_SPHERE, .size = {0.1, 0, 0}};
        crn_vec3 at = {0.3 * i, 0.05 * i, 0.1075 + 0.15 * (seed % 2 ? i : r.links - 1 - i)};
        crn_body_id body;
        surface_body(r.world, &ball, CRN_BODY_FREE, surface_pose(at.x, at.y, at.z), 0.4, &body);
        r.kind[i] = kinds[crn_random_below(&random, 4)];
        if (i > 0) {
            crn_pose frame = {{at.x - 0.15, at.y, at.z}, random_turn(&random)};
            crn_joint_def joint = joint_at(r.world, r.kind[i], before, body, frame);
            joint.in_tree = true;
            set_axes(&random, &joint);
            r.joint[i] = add_joint(r.world, &joint, before, body);
        }
        before = body;
    }
    int n = crn_world_tangent(r.world);
    double dq[SIZE_MOST], dv[SIZE_MOST];
    for (int i = 0; i < n; ++i) {
        dq[i] = i < 6 ? 0.0 : crn_random_uniform(&random, -0.01, 0.01);
        dv[i] = crn_random_uniform(&random, -0.8, 0.8) * (seed % 2 ? 1.0 : 0.2);
    }
    dv[5] = -1.0;
    assert_int_equal(crn_world_move(r.world, 1.0, dq, dv, NULL), CRN_OK);
    return r;
}

static void robots_agree_with_differences(void **state)
{
    double worst = 0.0;
    int smooth = 0, landing = 0, exact = 0;
    (void)state;
    for (int i = 0; i < ROBOTS; ++i) {
        robot r = make_robot(4000 + (uint64_t)i);
        crn_gradient_report report;
        int column = -1;
        double off = worst_column_error(r.world, 0.005, true, &report, &column);
        smooth += report.status == CRN_GRADIENT_SMOOTH;
        landing += report.step.contacts > 0;
        worst = fmax(worst, off);
        TEST_CHECK(off <= error_most, "robot %d: off by %g in column %d", i, off, column);
        for (int step = 0; step < STEPS; ++step) {
            exact += compare_kept(r.world, 0.005);
            assert_int_equal(crn_world_step(r.world, 0.005, NULL, NULL), CRN_OK);
        }
        crn_world_destroy(r.world);
    }
    print_message("robots: %d, %d land, %d smooth, off by %.2g at most; %d of %d steps by their chains\n", ROBOTS,
                  landing, smooth, worst, exact, ROBOTS * STEPS);
    assert_true(landing > ROBOTS / 2 && smooth > ROBOTS / 2 && exact > ROBOTS * STEPS * 7 / 8);
}

/* State after a step with a force along a coordinate. */
static void step_pushed(const oracle *o, crn_joint_id joint, double force, double *to)
{
    restore(o);
    assert_int_equal(crn_world_move(o->world, 0.0, NULL, NULL, NULL), CRN_OK);
    assert_int_equal(crn_joint_apply_force(o->world, joint, 0, force), CRN_OK);
    assert_int_equal(crn_world_step(o->world, o->h, NULL, NULL), CRN_OK);
    assert_int_equal(crn_world_change_since(o->world, o->after, o->after_size, to, to + o->n, NULL), CRN_OK);
}

/* Forces along joints, and the adjoint by them. */
static void forces_along_joints_agree(void **state)
{
    const double by = 1e-4;
    double worst = 0.0, apart = 0.0;
    int compared = 0;
    (void)state;
    for (int i = 0; i < ROBOTS; ++i) {
        robot r = make_robot(5000 + (uint64_t)i);
        crn_parameter parameter = {.kind = CRN_PARAMETER_JOINT_FORCE, .joint = r.joint[1], .index = 0};
        crn_gradient_options options = crn_gradient_options_default();
        int n = crn_world_tangent(r.world);
        double B[2 * SIZE_MOST], side[2][2 * SIZE_MOST], gradient = 0.0, product = 0.0, size = 1.0;
        crn_world_jacobian to = {.by_parameter = B};
        crn_gradient_report report;
        options.parameter = &parameter;
        options.parameters = 1;
        if (r.kind[1] != CRN_JOINT_BALL) {
            crn_world_change after = {.q = side[0], .v = side[0] + n}, before = {.parameter = &gradient};
            assert_int_equal(crn_world_linearize(r.world, 0.005, &options, &to, &report, NULL), CRN_OK);
            for (int k = 0; k < 2 * n; ++k) {
                side[0][k] = 1.0 / (1 + k);
                product += side[0][k] * B[k];
                size = fmax(size, fabs(B[k]));
            }
            assert_int_equal(crn_world_vjp(r.world, 0.005, &options, &after, &before, NULL, NULL), CRN_OK);
            apart = fmax(apart, fabs(gradient - product) / size);
        }
        if (r.kind[1] != CRN_JOINT_BALL && report.status == CRN_GRADIENT_SMOOTH) {
            oracle o = open_oracle(r.world, 0.005);
            step_pushed(&o, r.joint[1], by, side[0]);
            step_pushed(&o, r.joint[1], -by, side[1]);
            for (int k = 0; k < 2 * n; ++k) {
                worst = fmax(worst, fabs((side[0][k] - side[1][k]) / (2 * by) - B[k]) / size);
            }
            close_oracle(&o);
            ++compared;
        }
        crn_world_destroy(r.world);
    }
    print_message("forces along joints: %d compared, off by %.2g; adjoint and column differ by %.2g\n", compared, worst,
                  apart);
    assert_true(compared > ROBOTS / 4 && worst <= error_most && apart <= 1e-12);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(robots_agree_with_differences),
                                       cmocka_unit_test(forces_along_joints_agree)};
    return TEST_RUN(tests, argc, argv);
}
