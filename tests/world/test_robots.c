/* Robots of others dropped on a floor: NAO, OP3, humanoids, and a mesh with holes.
 *
 * All steps are solved with certificate, nothing goes into the floor, energy is never above that at the start, and
 * contact forces carry the weight of what rests. Energy, weight and the lowest vertex are counted here, not by the world. */
#include <cairn/io.h>

#include "math/rigid.h"
#include "physics_case.h"
#include "test_data.h"

static const double step = 1e-3;         /* [s] */
static const double drop = 0.1;          /* [m] */
static const double above_all = 100.0;   /* [m] */
static const double depth_most = 1e-6;   /* [m]; trees are repaired to 1e-7, without that 2e-4 is met */
static const double tolerance = 1e-8;    /* of certificates: that of the solver for round cones */
static const double rounding = 1e-9;     /* of energies, relative to weight times height */
static const double weight_share = 0.01; /* of the weight that contact forces may lack */
static const double rest_speed = 1e-3;   /* [m/s]: sqrt(2 K / m) of what rests */
enum { STEPS = 1500, LAST = 100, CONVEX_MOST = STEPS / 100 };

enum { BODIES_MOST = 64 };

typedef struct robot {
    crn_world *world;
    bool is_free[BODIES_MOST];
    int bodies;    /* of the file; the floor comes after them */
    double floor;  /* height [m] */
    double mass;   /* of what moves [kg] */
    double height; /* of its centre above the floor at first [m] */
} robot;

/* --- Loading --- */

static void add_floor(crn_model *model)
{
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_PLANE};
    def.kind = CRN_BODY_FIXED;
    def.name = "floor under all";
    def.pose.position.z = above_all;
    def.shape = &shape;
    def.shapes = 1;
    assert_int_equal(crn_model_add_body(model, &def, NULL, NULL), CRN_OK);
}

typedef struct sum {
    double mass, height, kinetic; /* of all that moves; height of the centre, from z = 0 */
    double lift;                  /* vertical contact force on it [N] */
} sum;

/* Summed over the bodies. */
static sum sum_of(const robot *r)
{
    sum s = {0};
    for (int i = 0; i < r->bodies; ++i) {
        double mass = 0.0;
        crn_vec3 com, force, torque;
        crn_mat3 inertia;
        crn_body_id id = crn_world_body(r->world, i + 1);
        if (!r->is_free[i]) {
            continue;
        }
        crn_pose pose = physics_pose(r->world, i);
        crn_twist v = physics_velocity(r->world, i);
        assert_int_equal(crn_body_mass(r->world, id, &mass, &com, &inertia), CRN_OK);
        assert_int_equal(crn_body_contact_force(r->world, id, &force, &torque), CRN_OK);
        crn_vec3 w = crn_quat_turn(crn_quat_conjugate(pose.rotation), v.angular);
        s.mass += mass;
        s.height += mass * (pose.position.z + crn_quat_turn(pose.rotation, com).z);
        s.kinetic += 0.5 * mass * crn_v3_dot(v.linear, v.linear) + 0.5 * crn_v3_dot(w, crn_m3_times(&inertia, w));
        s.lift += force.z;
    }
    s.height /= s.mass;
    return s;
}

/* The floor lies above all at first: how deep all is in it tells the lowest point. */
static void place(robot *r)
{
    double depth = physics_overlap(r->world);
    TEST_CHECK(depth > 0.0 && depth < 2.0 * above_all, "the lowest point is %g below the floor", depth);
    r->floor = above_all - depth - drop;
    crn_pose pose = {{0.0, 0.0, r->floor}, {1.0, 0.0, 0.0, 0.0}};
    assert_int_equal(crn_body_set_pose(r->world, crn_world_body(r->world, r->bodies + 1), &pose), CRN_OK);
}

/* The world of a model that is destroyed, on a floor of its own unless the file has one at z = 0. */
static robot stand(crn_model *model, bool has_floor)
{
    robot r = {.bodies = crn_model_bodies(model)};
    assert_true(r.bodies <= BODIES_MOST);
    for (int i = 0; i < r.bodies; ++i) {
        r.is_free[i] = crn_model_body(model, i)->kind == CRN_BODY_FREE;
    }
    if (!has_floor) {
        add_floor(model);
    }
    r.world = physics_world(model);
    if (!has_floor) {
        place(&r);
    }
    sum at_first = sum_of(&r);
    r.mass = at_first.mass;
    r.height = at_first.height - r.floor;
    return r;
}

/* --- Motion --- */

typedef struct motion {
    double certificate, depth; /* the worst */
    double gain;               /* of energy above the start, in weight times height */
    double lift, speed;        /* over the last steps: mean force in weights; the largest sqrt(2 K / m) */
    int convex;                /* steps by the convex law, where Coulomb's was not reached */
} motion;

static motion move(const char *name, robot *r)
{
    motion m = {0};
    double weight = r->mass * PHYSICS_G, first = weight * (r->height + r->floor);
    for (int k = 0; k < STEPS; ++k) {
        crn_step_stats stats;
        crn_error error = {CRN_OK, ""};
        crn_status status = crn_world_step(r->world, step, &stats, &error);
        TEST_CHECK(status == CRN_OK, "%s, step %d: %s", name, k, error.text);
        TEST_CHECK(stats.outcome == CRN_LCP_SOLVED && !stats.is_relaxed, "%s, step %d: %s%s, certificate %g", name, k,
                   crn_lcp_outcome_name(stats.outcome), stats.is_relaxed ? ", relaxed" : "", stats.certificate);
        sum now = sum_of(r);
        m.certificate = fmax(m.certificate, stats.certificate);
        m.depth = fmax(m.depth, stats.penetration);
        m.gain = fmax(m.gain, (now.kinetic + weight * now.height - first) / (weight * r->height));
        m.convex += stats.law != CRN_LAW_COULOMB;
        if (k >= STEPS - LAST) {
            m.lift += now.lift / (LAST * weight);
            m.speed = fmax(m.speed, sqrt(2.0 * now.kinetic / r->mass));
        }
        TEST_CHECK(isfinite(now.kinetic) && isfinite(now.height), "%s, step %d: not finite", name, k);
    }
    m.depth = fmax(m.depth, physics_overlap(r->world));
    return m;
}

static motion judge(const char *name, robot *r)
{
    motion m = move(name, r);
    print_message("%s: %.4g kg, forces %.6f of the weight, %.1e m/s, %d steps by the convex law\n", name, r->mass,
                  m.lift, m.speed, m.convex);
    physics_at_most(name, "certificate", m.certificate, tolerance);
    physics_at_most(name, "penetration [m]", m.depth, depth_most);
    physics_at_most(name, "energy gained", m.gain, rounding);
    TEST_CHECK(m.convex <= CONVEX_MOST, "%s: %d steps by the convex law", name, m.convex);
    if (m.speed < rest_speed) {
        physics_figure(name, "force of what rests", m.lift, 1.0, weight_share);
    }
    return m;
}

/* --- The robots --- */

/* mass: what the file's links add up to; 0: its geometry decides. */
static motion drop_robot(const char *file, double mass, bool has_floor)
{
    char path[1024];
    crn_error error = {CRN_OK, ""};
    crn_model *model = physics_model();
    crn_robot_options options = crn_robot_options_default();
    options.skip_missing_meshes = true;
    if (test_data_path(file, path, sizeof path) == NULL) {
        crn_model_destroy(model);
        skip();
    }
    TEST_CHECK(crn_io_read_robot(path, &options, model, &error) == CRN_OK, "%s", error.text);
    robot r = stand(model, has_floor);
    if (mass > 0.0) {
        physics_figure(file, "mass [kg]", r.mass, mass, 0.005 * mass);
    }
    motion m = judge(file, &r);
    crn_world_destroy(r.world);
    return m;
}

static void test_nao(void **state)
{
    (void)state;
    motion m = drop_robot("robots/nao/nao.urdf", 5.197, false);
    TEST_CHECK(m.speed < rest_speed, "NAO has not come to rest: %g m/s", m.speed);
}

static void test_op3(void **state)
{
    (void)state;
    (void)drop_robot("mjcf/robotis_op3/op3.xml", 0.0, false);
}

static void test_mujoco_humanoid(void **state)
{
    (void)state;
    (void)drop_robot("mjcf/mujoco/humanoid.xml", 0.0, true);
}

static void test_bullet_humanoid(void **state)
{
    (void)state;
    (void)drop_robot("robots/bullet_simple/humanoid.urdf", 40.84, false);
}

static void test_simple_humanoid(void **state)
{
    (void)state;
    (void)drop_robot("robots/simple_humanoid/simple_humanoid.urdf", 130.8, false);
}

/* --- The mesh --- */

static double lowest_vertex(const crn_world *world, const crn_mesh_data *mesh)
{
    crn_pose pose = physics_pose(world, 0);
    double lowest = INFINITY;
    for (int i = 0; i < mesh->count; ++i) {
        lowest = fmin(lowest, pose.position.z + crn_quat_turn(pose.rotation, crn_v3_of(mesh->points + 3 * i)).z);
    }
    return lowest;
}

/* Turned, so that it falls on a corner. */
static void test_shape_sorter(void **state)
{
    (void)state;
    char path[1024];
    crn_error error = {CRN_OK, ""};
    crn_mesh_data mesh = {0};
    crn_model *model = physics_model();
    crn_body_shape shape = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    if (test_data_path("meshes/bullet/shape_sorter.obj", path, sizeof path) == NULL) {
        crn_model_destroy(model);
        skip();
    }
    TEST_CHECK(crn_io_read_mesh(path, crn_v3(1.0, 1.0, 1.0), NULL, &mesh, &error) == CRN_OK, "%s", error.text);
    shape.shape = (crn_shape_def){.kind = CRN_SHAPE_MESH,
                                  .points = mesh.points,
                                  .count = mesh.count,
                                  .triangles = mesh.triangles,
                                  .triangle_count = mesh.triangle_count};
    def.shape = &shape;
    def.shapes = 1;
    def.pose.rotation = crn_quat_exp(crn_v3(0.5, 0.3, 0.2));
    TEST_CHECK(crn_model_add_body(model, &def, NULL, &error) == CRN_OK, "%s", error.text);
    robot r = stand(model, false);
    physics_figure("shape_sorter", "drop, by its vertices [m]", lowest_vertex(r.world, &mesh) - r.floor, drop, 1e-12);
    motion m = judge("shape_sorter", &r);
    physics_at_most("shape_sorter", "vertices below the floor [m]", r.floor - lowest_vertex(r.world, &mesh), 1e-6);
    TEST_CHECK(m.speed < rest_speed, "shape_sorter has not come to rest: %g m/s", m.speed);
    crn_world_destroy(r.world);
    crn_mesh_data_free(&mesh);
}

int main(void)
{
    if (!crn_io_has_xml()) {
        (void)printf("skipped: built without XML\n");
        return TEST_SKIPPED;
    }
    test_data_require("robots/nao/nao.urdf");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nao),
        cmocka_unit_test(test_op3),
        cmocka_unit_test(test_mujoco_humanoid),
        cmocka_unit_test(test_bullet_humanoid),
        cmocka_unit_test(test_simple_humanoid),
        cmocka_unit_test(test_shape_sorter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
