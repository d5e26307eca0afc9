/* Hoist: a chain of 25 ball joints falls over a rod, whips round it and hangs. Beside what holds of all mechanisms, the
 * chain's winding about the rod's axis, which a link that goes through the rod changes by a whole turn at once. */
#include "mechanism_case.h"

enum { LINKS = CRN_GALLERY_HOIST_LINKS, ROD = 0 };
static const double JUMP_MOST = 0.5 * PHYSICS_PI; /* of the winding in a step; through the rod: 2 pi */

/* Ends of a link's axis. */
static crn_vec3 end_of(const mechanism *m, int body, double side)
{
    const crn_body_shape *shape = &crn_model_body(m->model, body)->shape[0];
    crn_pose pose = physics_pose(m->world, body);
    pose = crn_pose_product(&pose, &shape->pose);
    return crn_v3_axpy(pose.position, side * shape->shape.size.y, crn_quat_turn(pose.rotation, tree_z));
}

/* Sum of the angles, about the rod's axis y, from the lower to the upper end of each link: where it lies beside the rod. */
static double winding(const mechanism *m)
{
    double sum = 0.0;
    for (int i = 1; i <= LINKS; ++i) {
        crn_vec3 p = end_of(m, i, -1.0), q = end_of(m, i, 1.0);
        sum += atan2(p.z * q.x - p.x * q.z, p.x * q.x + p.z * q.z);
    }
    return sum;
}

/* Distance of two segments: least over the corners and the inside of the square of their parameters. */
static double segment_distance(crn_vec3 p, crn_vec3 q, crn_vec3 r, crn_vec3 s)
{
    crn_vec3 u = crn_v3_sub(q, p), v = crn_v3_sub(s, r), w = crn_v3_sub(p, r);
    double a = crn_v3_dot(u, u), b = crn_v3_dot(u, v), c = crn_v3_dot(v, v), d = crn_v3_dot(u, w), e = crn_v3_dot(v, w);
    double best = INFINITY, square = a * c - b * b;
    for (int k = 0; k < 5; ++k) {
        double x = k < 2 ? k : k < 4 ? NAN : (b * e - c * d) / square, y = k < 2 ? NAN : k < 4 ? k - 2 : 0.0;
        y = k < 2 ? fmin(fmax((b * x + e) / c, 0.0), 1.0) : k == 4 ? (a * e - b * d) / square : y;
        x = k >= 2 && k < 4 ? fmin(fmax((b * y - d) / a, 0.0), 1.0) : x;
        if (x >= 0.0 && x <= 1.0 && y >= 0.0 && y <= 1.0) {
            crn_vec3 apart = crn_v3_sub(crn_v3_axpy(w, x, u), crn_v3_scale(y, v));
            best = fmin(best, crn_v3_length(apart));
        }
    }
    return best;
}

/* How far the nearest link is from the rod. */
static double rod_gap(const mechanism *m)
{
    crn_vec3 r = end_of(m, ROD, -1.0), s = end_of(m, ROD, 1.0);
    double radii =
        crn_model_body(m->model, ROD)->shape[0].shape.size.x + crn_model_body(m->model, 1)->shape[0].shape.size.x;
    double least = INFINITY;
    for (int i = 1; i <= LINKS; ++i) {
        least = fmin(least, segment_distance(end_of(m, i, -1.0), end_of(m, i, 1.0), r, s) - radii);
    }
    return least;
}

static void run(double h, double seconds, int start)
{
    mechanism m;
    mechanism_start(&m, physics_scene("hoist"), "hoist", h, start);
    double turn = winding(&m), least = INFINITY, jump = 0.0;
    for (int k = 0; k < (int)lround(seconds / h); ++k) {
        mechanism_step(&m);
        double now = winding(&m);
        jump = fmax(jump, fabs(now - turn));
        turn = now;
        least = fmin(least, rod_gap(&m));
    }
    print_message("%s: winding %.3g rad at the end\n", m.name, turn);
    mechanism_judge(&m, true);
    physics_at_most(m.name, "winding, most in a step [rad]", jump, JUMP_MOST);
    physics_at_most(m.name, "links in the rod, by [m]", -least, 1e-6);
    mechanism_end(&m);
}

static void test_whole(void **state)
{
    (void)state;
    run(0.01, 10.0, 0);
}

static void test_fine(void **state)
{
    (void)state;
    run(0.001, 2.0, 0);
}

static void test_perturbed(void **state)
{
    (void)state;
    for (int start = 1; start <= 3; ++start) {
        run(0.01, 10.0, start);
    }
    run(0.001, 1.0, 4);
}

/* A last link of 100 and 1000 links: stable, joints and contacts as before. */
static void test_heavy_end(void **state)
{
    (void)state;
    static const double masses[2] = {1e2, 1e3};
    for (int i = 0; i < 2; ++i) {
        crn_model *model;
        mechanism m;
        PHYSICS_FILL(model, crn_gallery_hoist_of(model, masses[i], &error));
        mechanism_start(&m, model, i == 0 ? "hoist, end of 100 links" : "hoist, end of 1000 links", 0.01, 0);
        for (int k = 0; k < 300; ++k) {
            mechanism_step(&m);
        }
        mechanism_judge(&m, true);
        mechanism_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_fine),
        cmocka_unit_test(test_perturbed),
        cmocka_unit_test(test_heavy_end),
    };
    return TEST_RUN(tests, argc, argv);
}
