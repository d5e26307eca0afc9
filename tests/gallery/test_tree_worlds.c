/* Scenes of trees: as many joints as they say, joints that hold at the start, meshes that are closed, rings that are linked, a robot whose
 * soles stay level, scene files that give the same scene again, starts that nothing overlaps in. */
#include "build_tree.h"
#include "gallery_worlds.h"
#include "robot.h"

#include "test_support.h"

#include <cairn/io.h>
#include <cairn/world.h>

#include <math.h>

static const char *const names[] = {"hoist",   "net",  "net-doubled", "ring2",      "ring3", "double-rings",
                                    "chain25", "arm7", "humanoid",    "humanoid20", "squat", "tap-dance"};
enum { NAMES = sizeof names / sizeof names[0] };

static crn_model *make(const char *name)
{
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_gallery_world(name, &model, &error) == CRN_OK, "%s: %s", name, error.text);
    return model;
}

static crn_world *start(const crn_model *model)
{
    crn_world *world = NULL;
    crn_error error = {CRN_OK, ""};
    TEST_CHECK(crn_world_create_from(model, NULL, &world, &error) == CRN_OK, "%s: %s", crn_model_name(model),
               error.text);
    return world;
}

/* --- Numbers of the paper --- */

typedef struct census {
    int in_tree, freedom, loops, driven, floating;
} census;

static census count(const crn_model *model)
{
    census c = {0};
    for (int j = 0; j < crn_model_joints(model); ++j) {
        const crn_joint_def *joint = crn_model_joint(model, j);
        c.in_tree += joint->in_tree;
        c.freedom += joint->in_tree ? crn_joint_kind_freedom(joint->kind) : 0;
        c.loops += !joint->in_tree && joint->kind != CRN_JOINT_FREE;
        c.driven += joint->axis[0].has_motor && joint->axis[0].is_servo && isinf(joint->axis[0].max_force);
    }
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        bool is_link = crn_model_body(model, i)->kind != CRN_BODY_FREE;
        for (int j = 0; j < crn_model_joints(model); ++j) {
            is_link = is_link || (crn_model_joint(model, j)->in_tree && crn_model_joint(model, j)->b == i);
        }
        c.floating += !is_link;
    }
    return c;
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        census wanted;
        double duration;
    } cases[] = {{"hoist", {25, 75, 0, 0, 0}, 10.0},       {"net", {64, 192, 4, 0, 5}, 2.0},
                 {"net-doubled", {64, 192, 8, 0, 5}, 2.0}, {"ring2", {10, 30, 0, 0, 1}, 4.0},
                 {"ring3", {15, 45, 0, 0, 2}, 4.0},        {"double-rings", {0, 0, 0, 0, 2}, 10.0},
                 {"chain25", {25, 75, 0, 0, 0}, 10.0},     {"arm7", {7, 7, 0, 0, 0}, 10.0},
                 {"humanoid", {14, 21, 0, 0, 1}, 5.0},     {"humanoid20", {20, 20, 0, 20, 1}, 2.0},
                 {"squat", {20, 20, 0, 20, 1}, 1.0},       {"tap-dance", {20, 20, 0, 20, 1}, 9.67}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        crn_model *model = make(cases[i].name);
        const crn_world_def *world = crn_model_world_of(model);
        census got = count(model);
        TEST_CHECK(memcmp(&got, &cases[i].wanted, sizeof got) == 0, "%s: %d %d %d %d %d", cases[i].name, got.in_tree,
                   got.freedom, got.loops, got.driven, got.floating);
        TEST_CHECK(fabs(world->duration - cases[i].duration) < 1e-9, "%s: %g s", cases[i].name, world->duration);
        assert_true(world->dt == 1e-3 && world->directions == 8 && world->cone == CRN_CONE_POLYGON);
        assert_true(world->reduce_distance == 1e-3);
        crn_model_destroy(model);
    }
}

/* --- Joints hold at the start --- */

static crn_pose frame_of(const crn_model *model, int body, crn_pose frame)
{
    return body >= 0 ? crn_build_compose(crn_model_body(model, body)->pose, frame) : frame;
}

static void test_joints_hold(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; ++i) {
        crn_model *model = make(names[i]);
        for (int j = 0; j < crn_model_joints(model); ++j) {
            const crn_joint_def *joint = crn_model_joint(model, j);
            if (joint->kind == CRN_JOINT_FREE) {
                continue;
            }
            crn_pose a = frame_of(model, joint->a, joint->frame_a), b = frame_of(model, joint->b, joint->frame_b);
            crn_pose off = crn_build_compose(crn_build_invert(a), b);
            double distance = fabs(off.position.x) + fabs(off.position.y) + fabs(off.position.z);
            TEST_CHECK(distance < 1e-14, "%s: joint %d is %g m apart", names[i], j, distance);
            TEST_CHECK(fabs(fabs(off.rotation.w) - 1.0) < 1e-14, "%s: joint %d is turned", names[i], j);
            TEST_CHECK(fabs(crn_profile_at(&joint->axis[0].target, 0.0)) < 1e-12, "%s: joint %d begins at %g", names[i],
                       j, crn_profile_at(&joint->axis[0].target, 0.0));
        }
        crn_model_destroy(model);
    }
}

static void test_nothing_overlaps(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; ++i) {
        crn_model *model = make(names[i]);
        crn_world *world = start(model);
        double deepest = 1.0;
        assert_int_equal(crn_world_overlap(world, &deepest, NULL, NULL), CRN_OK);
        TEST_CHECK(deepest <= 1e-12, "%s: %g m deep", names[i], deepest);
        crn_world_destroy(world);
        crn_model_destroy(model);
    }
}

/* --- Meshes --- */

/* Every edge is there once each way; returns the volume. */
static double check_mesh(const crn_shape_def *mesh)
{
    double volume = 0.0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int *c = mesh->triangles + 3 * t;
        const double *p = mesh->points + 3 * c[0], *q = mesh->points + 3 * c[1], *r = mesh->points + 3 * c[2];
        volume += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                   p[2] * (q[0] * r[1] - q[1] * r[0])) /
                  6.0;
        for (int e = 0; e < 3; ++e) {
            int from = c[e], to = c[(e + 1) % 3], same = 0, back = 0;
            for (int k = 0; k < 3 * mesh->triangle_count; ++k) {
                int next = mesh->triangles[k - k % 3 + (k + 1) % 3];
                same += mesh->triangles[k] == from && next == to;
                back += mesh->triangles[k] == to && next == from;
            }
            TEST_CHECK(same == 1 && back == 1, "edge %d %d: %d, %d", from, to, same, back);
        }
    }
    return volume;
}

static void test_ring_mesh(void **state)
{
    (void)state;
    enum { AROUND = 48, ACROSS = 16 };
    const double R = 0.1, r = 0.02, pi = 3.14159265358979323846;
    double points[3 * AROUND * ACROSS];
    int triangles[6 * AROUND * ACROSS];
    crn_shape_def ring = crn_build_ring(R, r, AROUND, ACROSS, points, triangles);
    double smooth = 2.0 * pi * pi * R * r * r, volume = check_mesh(&ring);
    TEST_CHECK(volume < smooth && volume > 0.96 * smooth, "%g of %g", volume, smooth);
    assert_int_equal(ring.triangle_count, 2 * AROUND * ACROSS);
}

static void test_prism_mesh(void **state)
{
    (void)state;
    const double outline[8] = {0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0};
    double points[30];
    int triangles[48];
    crn_shape_def prism = crn_build_prism(outline, 4, -1.0, 2.0, points, triangles);
    assert_true(fabs(check_mesh(&prism) - 6.0) < 1e-14);
    assert_int_equal(prism.count, 10);
}

/* --- Rings through rings: the linking number of their centre lines by Gauss's double integral --- */

static void centre_line(const crn_body_def *body, double radius, int count, crn_vec3 *point)
{
    for (int i = 0; i < count; ++i) {
        double a = 6.28318530717958647692 * i / count;
        crn_pose at = {{radius * cos(a), radius * sin(a), 0.0}, {1.0, 0.0, 0.0, 0.0}};
        point[i] = crn_build_compose(body->pose, at).position;
    }
}

static double linking(const crn_vec3 *p, const crn_vec3 *q, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        crn_vec3 a = p[i], b = p[(i + 1) % count], du = {b.x - a.x, b.y - a.y, b.z - a.z};
        for (int j = 0; j < count; ++j) {
            crn_vec3 c = q[j], d = q[(j + 1) % count], dv = {d.x - c.x, d.y - c.y, d.z - c.z};
            crn_vec3 r = {0.5 * (a.x + b.x - c.x - d.x), 0.5 * (a.y + b.y - c.y - d.y), 0.5 * (a.z + b.z - c.z - d.z)};
            double n = sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
            sum += (r.x * (du.y * dv.z - du.z * dv.y) + r.y * (du.z * dv.x - du.x * dv.z) +
                    r.z * (du.x * dv.y - du.y * dv.x)) /
                   (n * n * n);
        }
    }
    return fabs(sum) / (4.0 * 3.14159265358979323846);
}

static void test_rings_are_linked(void **state)
{
    (void)state;
    enum { POINTS = 200, RINGS_MAX = 6 };
    static const struct {
        const char *name;
        int rings, links;
    } cases[] = {{"ring2", 4, 1}, {"ring3", 6, 2}, {"double-rings", 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        static crn_vec3 line[RINGS_MAX][POINTS];
        crn_model *model = make(cases[i].name);
        int rings = 0, links = 0;
        for (int k = 0; k < crn_model_bodies(model); ++k) {
            const crn_body_def *body = crn_model_body(model, k);
            if (body->shape[0].shape.kind == CRN_SHAPE_MESH) {
                assert_true(rings < RINGS_MAX);
                const double *p = body->shape[0].shape.points; /* first and opposite vertex of the first section */
                double radius = 0.5 * (p[0] + p[9]);
                centre_line(body, radius, POINTS, line[rings++]);
            }
        }
        for (int a = 0; a < rings; ++a) {
            for (int b = 0; b < a; ++b) {
                double number = linking(line[a], line[b], POINTS);
                TEST_CHECK(fabs(number - round(number)) < 0.02, "%s: %g", cases[i].name, number);
                links += (int)lround(number);
            }
        }
        TEST_CHECK(rings == cases[i].rings && links == cases[i].links, "%s: %d rings, %d links", cases[i].name, rings,
                   links);
        crn_model_destroy(model);
    }
}

/* --- The bodies --- */

static void test_masses(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double least, most;
    } cases[] = {{"humanoid", 40.0, 80.0}, {"squat", 5.0, 10.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        crn_model *model = make(cases[i].name);
        crn_world *world = start(model);
        double sum = 0.0;
        for (int k = 0; k < crn_model_bodies(model); ++k) {
            double mass = 0.0;
            if (crn_model_body(model, k)->kind == CRN_BODY_FREE) {
                assert_int_equal(crn_body_mass(world, crn_world_body(world, k + 1), &mass, NULL, NULL), CRN_OK);
            }
            sum += mass;
        }
        TEST_CHECK(sum > cases[i].least && sum < cases[i].most, "%s: %g kg", cases[i].name, sum);
        crn_world_destroy(world);
        crn_model_destroy(model);
    }
}

/* Walk down the leg: hip roll about x, then pitches about y; the foot must be where it was asked for, level. */
static void test_reach(void **state)
{
    (void)state;
    crn_random random = test_random("test_reach", 1);
    for (int n = 0; n < 100; ++n) {
        double aside = crn_random_uniform(&random, -0.05, 0.05), down = crn_random_uniform(&random, 0.15, 0.21);
        double angle[CRN_ROBOT_LEG_JOINTS];
        crn_robot_reach(aside, down, angle);
        double thigh = angle[CRN_ROBOT_HIP_PITCH] - CRN_ROBOT_BEND,
               shin = thigh + angle[CRN_ROBOT_KNEE] + 2.0 * CRN_ROBOT_BEND;
        double x = -CRN_ROBOT_BONE * (sin(thigh) + sin(shin)), length = CRN_ROBOT_BONE * (cos(thigh) + cos(shin));
        double roll = angle[CRN_ROBOT_HIP_ROLL];
        assert_true(fabs(x) < 1e-14);
        assert_true(fabs(length * sin(roll) - aside) < 1e-14 && fabs(length * cos(roll) - down) < 1e-14);
        assert_true(fabs(shin + angle[CRN_ROBOT_ANKLE_PITCH] - CRN_ROBOT_BEND) < 1e-14);
        assert_true(fabs(roll + angle[CRN_ROBOT_ANKLE_ROLL]) < 1e-14);
    }
}

/* --- Files --- */

static void test_files(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; ++i) {
        crn_model *model = make(names[i]), *again = NULL;
        crn_error error = {CRN_OK, ""};
        char *text = NULL, *text_again = NULL;
        size_t length = 0, length_again = 0;
        TEST_CHECK(crn_io_write_scene_text(model, NULL, &text, &length, &error) == CRN_OK, "%s: %s", names[i],
                   error.text);
        TEST_CHECK(crn_io_read_scene_text(text, length, names[i], NULL, &again, &error) == CRN_OK, "%s", error.text);
        assert_int_equal(crn_io_write_scene_text(again, NULL, &text_again, &length_again, &error), CRN_OK);
        TEST_CHECK(length == length_again && memcmp(text, text_again, length) == 0, "%s: another scene", names[i]);
        free(text);
        free(text_again);
        crn_model_destroy(model);
        crn_model_destroy(again);
    }
}

/* --- Other starts --- */

static void test_perturb(void **state)
{
    (void)state;
    crn_model *model = make("hoist");
    crn_world *world = start(model), *same = start(model), *other = start(model);
    uint64_t at_rest = crn_world_hash(world);
    double most = 0.0;
    assert_int_equal(crn_gallery_perturb(model, world, 1, 0.2), CRN_OK);
    assert_int_equal(crn_gallery_perturb(model, same, 1, 0.2), CRN_OK);
    assert_int_equal(crn_gallery_perturb(model, other, 2, 0.2), CRN_OK);
    assert_true(crn_world_hash(world) == crn_world_hash(same));
    assert_true(crn_world_hash(world) != crn_world_hash(other) && crn_world_hash(world) != at_rest);
    for (int j = 0; j < crn_model_joints(model); ++j) {
        double speed[CRN_JOINT_FREEDOM_MAX] = {0};
        assert_int_equal(crn_joint_velocity(world, crn_world_joint(world, j + 1), speed), CRN_OK);
        for (int k = 0; k < 3; ++k) {
            TEST_CHECK(fabs(speed[k]) <= 0.2 + 1e-12, "joint %d: %g", j, speed[k]);
            most = fmax(most, fabs(speed[k]));
        }
    }
    assert_true(most > 0.15);
    crn_world_destroy(world);
    crn_world_destroy(same);
    crn_world_destroy(other);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_joints_hold), cmocka_unit_test(test_nothing_overlaps),
        cmocka_unit_test(test_ring_mesh), cmocka_unit_test(test_prism_mesh),  cmocka_unit_test(test_rings_are_linked),
        cmocka_unit_test(test_masses),    cmocka_unit_test(test_reach),       cmocka_unit_test(test_files),
        cmocka_unit_test(test_perturb),
    };
    return TEST_RUN(tests, argc, argv);
}
