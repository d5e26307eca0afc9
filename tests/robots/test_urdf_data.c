/* Every URDF of the collection loads, or says why not. Links, freedoms and masses are those of the collection's README,
 * which were counted by another program. Inverse dynamics undoes forward dynamics on every robot. */
#include "urdf_case.h"

#include "math/rigid.h"
#include "test_data.h"

typedef struct robot {
    const char *file;
    int freedom;  /* of its joints */
    double mass;  /* of the README, 4 digits [kg] */
    double fixed; /* of it, what stands still */
    int bodies;   /* a moving link each, and a fixed one if something could touch it */
    int massless; /* of them */
    int shapes;   /* of the README, less those without a file */
    int warnings;
} robot;

static const robot robots[] = {
    {"atlas/atlas_v5_no_head.urdf", 29, 157.1, 0, 30, 0, 0, 29},
    {"bullet_simple/TwoJointRobot_w_fixedJoints.urdf", 2, 2, 0, 3, 0, 7, 1},
    {"bullet_simple/TwoJointRobot_wo_fixedJoints.urdf", 2, 1.4, 0, 3, 0, 4, 1},
    {"bullet_simple/cartpole.urdf", 2, 11, 0, 2, 0, 2, 1},
    {"bullet_simple/cube.urdf", 0, 1, 0, 1, 0, 1, 3},
    {"bullet_simple/door.urdf", 1, 2, 1, 2, 0, 5, 0},
    {"bullet_simple/hinge.urdf", 4, 2, 0, 3, 0, 3, 1},
    {"bullet_simple/humanoid.urdf", 21, 40.84, 0, 22, 9, 19, 0},
    {"bullet_simple/pantilt.urdf", 2, 7, 0, 3, 0, 0, 0},
    {"bullet_simple/plane.urdf", 0, 0, 0, 1, 0, 1, 1},
    {"bullet_simple/prismatic.urdf", 1, 10, 0, 2, 0, 2, 1},
    {"bullet_simple/r2d2.urdf", 8, 65.25, 0, 9, 0, 16, 3},
    {"bullet_simple/sphere2.urdf", 0, 10, 0, 1, 0, 1, 2},
    {"bullet_simple/test_joints_MB.urdf", 2, 3, 0, 3, 0, 3, 1},
    {"double_pendulum/double_pendulum_continuous.urdf", 2, 0.701, 0, 3, 0, 2, 1},
    {"double_pendulum/double_pendulum_simple.urdf", 2, 0.6, 0, 3, 0, 3, 0},
    {"franka_panda/panda.urdf", 9, 17.96, 0, 10, 0, 11, 6},
    {"hyq/hyq_no_sensors.urdf", 12, 86.77, 0, 13, 0, 8, 9},
    {"kuka_iiwa/model.urdf", 7, 17.5, 0, 8, 0, 8, 9},
    {"minitaur/minitaur.urdf", 16, 6, 0, 17, 0, 30, 4},
    {"nao/nao.urdf", 24, 5.197, 0, 25, 0, 24, 3},
    {"simple_humanoid/simple_humanoid.urdf", 29, 130.8, 0, 30, 0, 2, 1},
    {"simple_humanoid/simple_humanoid_classical.urdf", 29, 130.8, 0, 30, 0, 0, 0},
    {"simple_quadruped/quadruped.urdf", 8, 2.772, 0, 9, 0, 13, 1},
    {"solo12/solo12.urdf", 12, 2.5, 0, 13, 0, 0, 10},
    {"wam/wam.urdf", 7, 29.43, 9.970, 8, 0, 8, 0},
};

enum { ROBOTS = sizeof robots / sizeof robots[0] };

static crn_model *load(const char *name, said *all, crn_error *error, crn_status *status)
{
    char file[256], path[1024];
    (void)snprintf(file, sizeof file, "robots/%s", name);
    TEST_CHECK(test_data_path(file, path, sizeof path) != NULL, "no %s", file);
    crn_robot_options options = crn_robot_options_default();
    options.skip_missing_meshes = true;
    options.warn = listen_to;
    options.user = all;
    crn_model *model = new_model();
    *status = crn_io_read_urdf(path, &options, model, error);
    return model;
}

static crn_model *load_good(const robot *r, said *all)
{
    crn_error error;
    crn_status status;
    crn_model *model = load(r->file, all, &error, &status);
    TEST_CHECK(status == CRN_OK, "%s: %s", r->file, error.text);
    return model;
}

static void test_all_load(void **state)
{
    (void)state;
    for (int i = 0; i < ROBOTS; ++i) {
        const robot *r = &robots[i];
        said all = {.count = 0};
        crn_model *model = load_good(r, &all);
        double mass = 0.0;
        int freedom = 0, massless = 0, shapes = 0;
        for (int k = 0; k < crn_model_bodies(model); ++k) {
            const crn_body_def *body = crn_model_body(model, k);
            mass += body->kind == CRN_BODY_FREE ? body->mass : 0.0;
            massless += body->is_massless;
            shapes += body->shapes;
        }
        for (int k = 0; k < crn_model_joints(model); ++k) {
            freedom += crn_joint_kind_freedom(crn_model_joint(model, k)->kind);
        }
        TEST_CHECK(freedom == r->freedom && crn_model_bodies(model) == r->bodies && massless == r->massless &&
                       shapes == r->shapes,
                   "%s: freedom %d bodies %d massless %d shapes %d", r->file, freedom, crn_model_bodies(model),
                   massless, shapes);
        TEST_CHECK(fabs(mass + r->fixed - r->mass) <= 6e-4 * r->mass, "%s: mass %.6g", r->file, mass);
        TEST_CHECK(all.count == r->warnings, "%s: %d warnings, the last '%s'", r->file, all.count,
                   all.count > 0 ? all.text[(all.count - 1) % 200] : "");
        crn_model_destroy(model);
    }
}

/* Those that do not load say why, and where. */
static void test_others_say_why(void **state)
{
    (void)state;
    const char *wrong[][2] = {
        {"bullet_simple/biped2d_pybullet.urdf", ":4: syntax: XML or text declaration not at start of entity"},
        {"bullet_simple/humanoid_spherical.urdf", ":288: syntax: not well-formed (invalid token)"}};
    for (int i = 0; i < 2; ++i) {
        said all = {.count = 0};
        crn_error error;
        crn_status status;
        crn_model *model = load(wrong[i][0], &all, &error, &status);
        assert_int_equal(status, CRN_ERR_FORMAT);
        TEST_CHECK(strstr(error.text, wrong[i][1]) != NULL, "%s", error.text);
        crn_model_destroy(model);
    }
}

/* One whose limits are the wrong way round loads, and that is told once. */
static void test_limits_are_told(void **state)
{
    (void)state;
    said all = {.count = 0};
    crn_error error;
    crn_status status;
    crn_model *model = load("bullet_simple/Pendulum_Tendon_1_Cart_Rail.urdf", &all, &error, &status);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_true(all.count >= 1);
    assert_non_null(strstr(all.text[0], ":116: <limit>: lower is above upper: 1 and 0: the joint has no limits"));
    crn_model_destroy(model);
}

/* A mesh that is not there is an error unless it may be left out. */
static void test_missing_meshes(void **state)
{
    (void)state;
    char path[1024];
    crn_error error;
    assert_non_null(test_data_path("robots/atlas/atlas_v5_no_head.urdf", path, sizeof path));
    crn_model *model = new_model();
    assert_int_equal(crn_io_read_urdf(path, NULL, model, &error), CRN_ERR_IO);
    assert_non_null(strstr(error.text, ":261: <mesh>: there is no file 'meshes_unplugged/pelvis.dae'"));
    crn_model_destroy(model);
}

/* --- Dynamics --- */

static void randomise(const crn_tree *tree, crn_random *random, double *q, double *u, double *tau)
{
    int n = crn_tree_velocities(tree);
    for (int i = 0; i < n; ++i) {
        u[i] = crn_random_normal(random);
        tau[i] = crn_random_normal(random);
    }
    crn_tree_rest(tree, q);
    crn_tree_advance(tree, q, u, 1.0, q); /* a long way from rest, quaternions unit */
    for (int i = 0; i < n; ++i) {
        u[i] = crn_random_normal(random);
    }
}

/* Largest miss of RNEA(ABA(tau)) against tau, relative to the largest force that inverse dynamics met. */
static double round_trip(crn_tree *tree, crn_random *random)
{
    int n = crn_tree_velocities(tree), m = crn_tree_coordinates(tree);
    double *q = calloc((size_t)m + 1, sizeof *q), *u = calloc(5 * (size_t)n + 1, sizeof *u);
    assert_true(q != NULL && u != NULL);
    double *tau = u + n, *a = tau + n, *back = a + n, *bias = back + n, worst = 0.0;
    for (int round = 0; round < 10; ++round) {
        randomise(tree, random, q, u, tau);
        crn_tree_load load = {.gravity = {0.0, 0.0, -9.81}, .force = tau};
        crn_tree_forward(tree, q, u, &load, a);
        crn_tree_inverse(tree, q, u, a, &load, back);
        memset(a, 0, (size_t)n * sizeof *a);
        crn_tree_inverse(tree, q, u, a, &load, bias);
        double scale = 1.0;
        for (int i = 0; i < n; ++i) {
            scale = fmax(scale, fabs(bias[i]));
        }
        for (int i = 0; i < n; ++i) {
            worst = fmax(worst, fabs(back[i] - tau[i]) / scale);
        }
    }
    free(u);
    free(q);
    return worst;
}

/* Trees of the model: one per free body that no free body holds. */
static bool starts_tree(const crn_model *model, int body)
{
    if (crn_model_body(model, body)->kind != CRN_BODY_FREE) {
        return false;
    }
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        if (joint->in_tree && joint->b == body) {
            return joint->a < 0 || crn_model_body(model, joint->a)->kind != CRN_BODY_FREE;
        }
    }
    return true;
}

static void test_inverse_undoes_forward(void **state)
{
    (void)state;
    crn_random random = test_random("test_inverse_undoes_forward", 17);
    double worst = 0.0;
    int trees = 0;
    for (int i = 0; i < ROBOTS; ++i) {
        said all = {.count = 0};
        crn_model *model = load_good(&robots[i], &all);
        for (int body = 0; body < crn_model_bodies(model); ++body) {
            if (!starts_tree(model, body)) {
                continue;
            }
            crn_tree *tree = NULL;
            crn_error error;
            crn_status status = crn_model_tree(model, body, NULL, &tree, NULL, &error);
            TEST_CHECK(status == CRN_OK, "%s: %s", robots[i].file, error.text);
            double miss = round_trip(tree, &random);
            TEST_CHECK(miss <= 1e-9, "%s: RNEA(ABA(tau)) misses tau by %.3g", robots[i].file, miss);
            worst = fmax(worst, miss);
            ++trees;
            crn_tree_destroy(tree);
        }
        crn_model_destroy(model);
    }
    print_message("%d trees, worst miss %.3g\n", trees, worst);
    assert_true(trees >= 24);
}

/* Coordinates of the start, by the limits, lead to the poses that the bodies have. */
static void test_poses_are_those_of_the_tree(void **state)
{
    (void)state;
    for (int i = 0; i < ROBOTS; ++i) {
        said all = {.count = 0};
        crn_model *model = load_good(&robots[i], &all);
        for (int body = 0; body < crn_model_bodies(model); ++body) {
            if (!starts_tree(model, body)) {
                continue;
            }
            crn_tree *tree = NULL;
            int *body_of_link = NULL;
            crn_error error;
            assert_int_equal(crn_model_tree(model, body, NULL, &tree, &body_of_link, &error), CRN_OK);
            int links = crn_tree_links(tree);
            double *q = calloc((size_t)crn_tree_coordinates(tree) + 1, sizeof *q);
            crn_frame *frame = calloc((size_t)links, sizeof *frame);
            assert_true(q != NULL && frame != NULL);
            crn_tree_rest(tree, q);
            for (int k = 0; k < crn_model_joints(model); ++k) {
                const crn_joint_def *joint = crn_model_joint(model, k);
                const crn_joint_axis *axis = &joint->axis[0];
                for (int l = 0; l < links; ++l) {
                    if (body_of_link[l] == joint->b && joint->in_tree && axis->lower <= axis->upper) {
                        q[crn_tree_first_coordinate(tree, l)] = fmin(fmax(0.0, axis->lower), axis->upper);
                    }
                }
            }
            crn_tree_kinematics(tree, q, NULL, frame, NULL);
            for (int l = 0; l < links; ++l) {
                crn_frame pose = crn_frame_of(&crn_model_body(model, body_of_link[l])->pose);
                for (int e = 0; e < 9; ++e) {
                    near_to(frame[l].rotation.m[e], pose.rotation.m[e], 1e-12);
                }
                near_to(crn_v3_length(crn_v3_sub(frame[l].position, pose.position)), 0.0, 1e-12);
            }
            free(frame);
            free(q);
            free(body_of_link);
            crn_tree_destroy(tree);
        }
        crn_model_destroy(model);
    }
}

int main(int argc, char **argv)
{
    test_data_require("robots/nao/nao.urdf");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_load),
        cmocka_unit_test(test_others_say_why),
        cmocka_unit_test(test_limits_are_told),
        cmocka_unit_test(test_missing_meshes),
        cmocka_unit_test(test_inverse_undoes_forward),
        cmocka_unit_test(test_poses_are_those_of_the_tree),
    };
    return TEST_RUN(tests, argc, argv);
}
