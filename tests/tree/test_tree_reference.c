/* Dynamics against published numbers: cases of the RBDL library's own tests (to 1e-12) and the Puma 560 of the Robotics
 * Toolbox (to its four decimals). Files of reference/; skipped without them. */
#include "tree_case.h"

#include "test_data.h"

#include <jansson.h>
#include <math.h>

static const double pi = 3.14159265358979323846;
static const char *const rbdl_file = "reference/rbdl_dynamics.json", *const puma_file = "reference/puma560.json";

static json_t *load(const char *name)
{
    char path[1024];
    json_error_t error;
    TEST_CHECK(test_data_path(name, path, sizeof path) != NULL, "no %s", name);
    json_t *root = json_load_file(path, 0, &error);
    TEST_CHECK(root != NULL, "%s:%d: %s", path, error.line, error.text);
    return root;
}

/* The numbers of an array, how many; missing: none. */
static int numbers(const json_t *array, double *x)
{
    for (size_t k = 0; k < json_array_size(array); ++k) {
        x[k] = json_number_value(json_array_get(array, k));
    }
    return (int)json_array_size(array);
}

static crn_vec3 vector(const json_t *object, const char *key)
{
    double x[3] = {0, 0, 0};
    (void)numbers(json_object_get(object, key), x);
    return crn_v3(x[0], x[1], x[2]);
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* --- RBDL: joint axes are x, y or z; ours is z --- */

/* A rotation that takes z to the axis. */
static crn_quat z_to(crn_vec3 axis)
{
    return axis.z == 1.0   ? (crn_quat){1, 0, 0, 0}
           : axis.y == 1.0 ? crn_quat_exp(crn_v3(-pi / 2, 0, 0))
                           : crn_quat_exp(crn_v3(0, pi / 2, 0));
}

static crn_link_def axis_link(int parent, crn_joint_kind kind, crn_vec3 origin, crn_vec3 axis)
{
    crn_link_def def = crn_link_def_default();
    def.parent = parent;
    def.kind = kind;
    def.frame_a = (crn_pose){origin, z_to(axis)};
    def.frame_b.rotation = def.frame_a.rotation;
    return def;
}

static crn_tree *made(const crn_link_def *def, int links, const char *name)
{
    crn_tree *tree;
    crn_error error;
    crn_status status = crn_tree_create(def, links, NULL, &tree, &error);
    TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
    return tree;
}

static void test_rbdl_forward(void **state)
{
    (void)state;
    json_t *root = load(rbdl_file);
    const json_t *cases = json_object_get(root, "forward_dynamics");
    assert_int_equal(json_array_size(cases), 7);
    for (size_t k = 0; k < json_array_size(cases); ++k) {
        const json_t *one = json_array_get(cases, k), *bodies = json_object_get(one, "bodies");
        const char *name = json_string_value(json_object_get(one, "name"));
        crn_link_def def[8];
        double q[8] = {0}, u[8] = {0}, expected[8], ours[8];
        int links = (int)json_array_size(bodies);
        for (int i = 0; i < links; ++i) {
            const json_t *body = json_array_get(bodies, (size_t)i);
            crn_vec3 inertia = vector(body, "inertia_diag");
            assert_string_equal(json_string_value(json_object_get(body, "joint")), "revolute");
            def[i] =
                axis_link((int)number(body, "parent"), CRN_JOINT_HINGE, vector(body, "origin"), vector(body, "axis"));
            def[i].mass = number(body, "mass");
            def[i].com = vector(body, "com");
            def[i].inertia = (crn_mat3){{inertia.x, 0, 0, 0, inertia.y, 0, 0, 0, inertia.z}};
        }
        crn_tree *tree = made(def, links, name);
        crn_tree_load load_ = {vector(one, "gravity"), NULL, NULL};
        (void)numbers(json_object_get(one, "q"), q);
        assert_int_equal(numbers(json_object_get(one, "qddot"), expected), links);
        crn_tree_forward(tree, q, u, &load_, ours);
        for (int i = 0; i < links; ++i) {
            TEST_CHECK(fabs(ours[i] - expected[i]) < 1e-12, "%s: acceleration %d is %.15g, not %.15g", name, i, ours[i],
                       expected[i]);
        }
        crn_tree_destroy(tree);
    }
    json_decref(root);
}

/* A floating body as six joints: slides along x, y, z, then turns about z, y, x. */
static crn_tree *six_joints(void)
{
    static const crn_vec3 axis[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    crn_link_def def[6];
    for (int i = 0; i < 6; ++i) {
        def[i] = axis_link(i - 1, i < 3 ? CRN_JOINT_SLIDER : CRN_JOINT_HINGE, crn_v3(0, 0, 0), axis[i]);
        def[i].mass = 1.0;
        def[i].inertia = (crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    }
    return made(def, 6, "six joints");
}

/* Velocity of a point of the last link. */
static crn_vec3 point_velocity(crn_tree *tree, const double *q, const double *u, crn_vec3 point, crn_vec3 *at)
{
    crn_frame frame[6];
    double V[36];
    crn_tree_kinematics(tree, q, u, frame, V);
    *at = crn_frame_point(&frame[5], point);
    return crn_v3_add(crn_v3_of(V + 33), crn_v3_cross(crn_v3_of(V + 30), crn_v3_sub(*at, frame[5].position)));
}

static void check_vector(const json_t *one, const char *key, crn_vec3 ours, double tolerance)
{
    if (json_object_get(one, key) != NULL) {
        double error = crn_v3_length(crn_v3_sub(ours, vector(one, key)));
        TEST_CHECK(error < tolerance, "%s is off by %g", key, error);
    }
}

/* Accelerations by differences of fourth order: those of points are no result of ours. */
static void test_rbdl_points(void **state)
{
    (void)state;
    json_t *root = load(rbdl_file);
    const json_t *cases = json_object_get(json_object_get(root, "point_kinematics"), "cases");
    assert_int_equal(json_array_size(cases), 4);
    crn_tree *tree = six_joints();
    for (size_t k = 0; k < 4; ++k) {
        const json_t *one = json_array_get(cases, k);
        double q[6] = {0.1, 1.1, 1.2, 1.3, 1.5, 1.7}, u[6] = {0.1, 1.1, 1.2, 1.3, 1.5, 1.7}, a[6] = {0};
        const double t = 1e-3;
        (void)numbers(json_object_get(one, "q"), q);
        (void)numbers(json_object_get(one, "qdot"), u);
        (void)numbers(json_object_get(one, "qddot"), a);
        crn_vec3 point = vector(one, "body_point"), at, v[4];
        check_vector(one, "velocity", point_velocity(tree, q, u, point, &at), 1e-12);
        check_vector(one, "position", at, 1e-12);
        for (int m = 0; m < 4; ++m) {
            double moved[6], faster[6], h = t * (m < 2 ? m - 2 : m - 1);
            for (int i = 0; i < 6; ++i) {
                moved[i] = q[i] + h * (u[i] + 0.5 * h * a[i]);
                faster[i] = u[i] + h * a[i];
            }
            v[m] = point_velocity(tree, moved, faster, point, &at);
        }
        crn_vec3 inner = crn_v3_sub(v[2], v[1]), outer = crn_v3_sub(v[3], v[0]);
        crn_vec3 rate = crn_v3_scale(1.0 / (12 * t), crn_v3_axpy(crn_v3_scale(-1.0, outer), 8.0, inner));
        check_vector(one, "acceleration", rate, 1e-9);
    }
    crn_tree_destroy(tree);
    json_decref(root);
}

/* --- Puma 560: A_i = Rz(theta) Tz(d) Tx(a) Rx(alpha) in standard Denavit-Hartenberg parameters --- */

enum { JOINTS = 6 };
static const double puma_tolerance = 1.5e-4; /* what the source itself asks for */

typedef struct puma {
    json_t *root;
    crn_tree *tree;
    double q[JOINTS];
    double viscous[JOINTS], dry[JOINTS][2]; /* friction on the joint's side of the gear */
} puma;

static crn_pose backwards(crn_pose pose)
{
    crn_quat back = crn_quat_conjugate(pose.rotation);
    return (crn_pose){crn_v3_scale(-1.0, crn_quat_turn(back, pose.position)), back};
}

static puma puma_load(void)
{
    puma p = {.root = load(puma_file)};
    crn_link_def def[JOINTS];
    for (int i = 0; i < JOINTS; ++i) {
        const json_t *link = json_array_get(json_object_get(p.root, "links"), (size_t)i);
        double m[6], gear = number(link, "G");
        crn_pose to_link = {{number(link, "a"), 0, number(link, "d")},
                            crn_quat_exp(crn_v3(number(link, "alpha"), 0, 0))};
        assert_int_equal(numbers(json_object_get(link, "I"), m), 6);
        def[i] = crn_link_def_default();
        def[i].parent = i - 1;
        def[i].kind = CRN_JOINT_HINGE;
        def[i].frame_b = backwards(to_link);
        def[i].mass = number(link, "m");
        def[i].com = vector(link, "r");
        def[i].inertia = (crn_mat3){{m[0], m[3], m[5], m[3], m[1], m[4], m[5], m[4], m[2]}};
        def[i].armature[0] = gear * gear * number(link, "Jm");
        p.viscous[i] = gear * gear * number(link, "B");
        (void)numbers(json_object_get(link, "Tc"), p.dry[i]);
        p.dry[i][0] *= fabs(gear);
        p.dry[i][1] *= fabs(gear);
    }
    p.tree = made(def, JOINTS, "puma");
    assert_int_equal(numbers(json_object_get(p.root, "q_n"), p.q), JOINTS);
    return p;
}

static void puma_free(puma *p)
{
    crn_tree_destroy(p->tree);
    json_decref(p->root);
}

static double friction(const puma *p, int i, double u)
{
    return p->viscous[i] * u + (u > 0.0 ? p->dry[i][0] : u < 0.0 ? p->dry[i][1] : 0.0);
}

static void check_numbers(const double *ours, const double *expected, int count, const char *what)
{
    for (int i = 0; i < count; ++i) {
        TEST_CHECK(fabs(ours[i] - expected[i]) <= puma_tolerance, "%s: %d is %.6g, not %.6g", what, i, ours[i],
                   expected[i]);
    }
}

/* The hand pushes with a wrench (force, torque) given in its own frame, at its origin. */
static void set_push(puma *p, const json_t *push, double *wrench)
{
    double given[6];
    crn_frame frame[JOINTS];
    if (numbers(push, given) == 6) {
        crn_tree_kinematics(p->tree, p->q, NULL, frame, NULL);
        crn_vec3 force = crn_m3_times(&frame[5].rotation, crn_v3_of(given));
        crn_vec3 torque = crn_m3_times(&frame[5].rotation, crn_v3_of(given + 3));
        torque = crn_v3_add(torque, crn_v3_cross(frame[5].position, force));
        crn_v3_to(crn_v3_scale(-1.0, torque), wrench + 30); /* the world pushes back */
        crn_v3_to(crn_v3_scale(-1.0, force), wrench + 33);
    }
}

static void test_puma_inverse(void **state)
{
    (void)state;
    puma p = puma_load();
    const json_t *cases = json_object_get(p.root, "rne_at_qn");
    assert_int_equal(json_array_size(cases), 6);
    for (size_t k = 0; k < json_array_size(cases); ++k) {
        const json_t *one = json_array_get(cases, k);
        double u[JOINTS], a[JOINTS], expected[JOINTS], tau[JOINTS], wrench[36] = {0};
        crn_tree_load load_ = {crn_v3(0, 0, -9.81), NULL, wrench};
        if (json_object_get(one, "gravity") != NULL) {
            load_.gravity = crn_v3_scale(-1.0, vector(one, "gravity"));
        }
        (void)numbers(json_object_get(one, "qd"), u);
        (void)numbers(json_object_get(one, "qdd"), a);
        (void)numbers(json_object_get(one, "tau"), expected);
        set_push(&p, json_object_get(one, "fext"), wrench);
        crn_tree_inverse(p.tree, p.q, u, a, &load_, tau);
        for (int i = 0; i < JOINTS; ++i) {
            tau[i] += friction(&p, i, u[i]);
        }
        check_numbers(tau, expected, JOINTS, "inverse dynamics");
    }
    puma_free(&p);
}

static void test_puma_inertia(void **state)
{
    (void)state;
    puma p = puma_load();
    const json_t *rows = json_object_get(p.root, "inertia_at_qn"), *torque = json_object_get(p.root, "itorque_at_qn");
    double H[JOINTS * JOINTS], expected[JOINTS], a[JOINTS], tau[JOINTS] = {0};
    crn_tree_mass_matrix(p.tree, p.q, H);
    (void)numbers(json_object_get(torque, "qdd"), a);
    for (int i = 0; i < JOINTS; ++i) {
        assert_int_equal(numbers(json_array_get(rows, (size_t)i), expected), JOINTS);
        check_numbers(H + JOINTS * i, expected, JOINTS, "mass matrix");
        for (int j = 0; j < JOINTS; ++j) {
            tau[j] += H[j + JOINTS * i] * a[i];
        }
    }
    (void)numbers(json_object_get(torque, "tau"), expected);
    check_numbers(tau, expected, JOINTS, "inertia torque");
    puma_free(&p);
}

/* Torques of one or two unit velocities, without gravity and friction. */
static void unit_bias(const puma *p, int j, int k, double *tau)
{
    double u[JOINTS] = {0};
    u[j] = 1.0;
    u[k] = 1.0;
    crn_tree_inverse(p->tree, p->q, u, NULL, NULL, tau);
}

/* C with C u the velocity products, each product of two velocities shared evenly between their columns. */
static void test_puma_coriolis(void **state)
{
    (void)state;
    puma p = puma_load();
    const json_t *given = json_object_get(p.root, "coriolis_at_qn");
    double u[JOINTS], square[JOINTS][JOINTS], both[JOINTS], C[JOINTS][JOINTS] = {{0}}, expected[JOINTS];
    (void)numbers(json_object_get(given, "qd"), u);
    for (int j = 0; j < JOINTS; ++j) {
        unit_bias(&p, j, j, square[j]);
    }
    for (int j = 0; j < JOINTS; ++j) {
        for (int k = 0; k < JOINTS; ++k) {
            unit_bias(&p, j, k, both);
            for (int i = 0; i < JOINTS; ++i) {
                C[i][j] += j == k ? square[j][i] * u[j] : 0.5 * (both[i] - square[j][i] - square[k][i]) * u[k];
            }
        }
    }
    for (int i = 0; i < JOINTS; ++i) {
        (void)numbers(json_array_get(json_object_get(given, "C"), (size_t)i), expected);
        check_numbers(C[i], expected, JOINTS, "velocity products");
    }
    puma_free(&p);
}

static void test_puma_forward(void **state)
{
    (void)state;
    puma p = puma_load();
    const json_t *given = json_object_get(p.root, "forward_dynamics_at_qn");
    double u[JOINTS], tau[JOINTS], expected[JOINTS], ours[JOINTS];
    (void)numbers(json_object_get(given, "qd"), u);
    (void)numbers(json_object_get(given, "tau"), tau);
    (void)numbers(json_object_get(given, "qdd"), expected);
    for (int i = 0; i < JOINTS; ++i) {
        tau[i] -= friction(&p, i, u[i]);
    }
    crn_tree_load load_ = {crn_v3(0, 0, -9.81), tau, NULL};
    crn_tree_forward(p.tree, p.q, u, &load_, ours);
    check_numbers(ours, expected, JOINTS, "forward dynamics");
    puma_free(&p);
}

int main(int argc, char **argv)
{
    test_data_require(rbdl_file);
    test_data_require(puma_file);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rbdl_forward), cmocka_unit_test(test_rbdl_points),   cmocka_unit_test(test_puma_inverse),
        cmocka_unit_test(test_puma_inertia), cmocka_unit_test(test_puma_coriolis), cmocka_unit_test(test_puma_forward),
    };
    return TEST_RUN(tests, argc, argv);
}
