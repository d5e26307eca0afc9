/* Meshes of round things against the formulas of what they stand for: rings, balls, gears; the same with little reach
 * as with much; and gaps that go through zero without a jump. */
#include "mesh_pair_case.h"

static crn_touch touch[MESH_TOUCHES];

/* --- Rings --- */

#define RING 0.1
#define TUBE 0.02

static crn_vec3 on_circle(const crn_frame *f, double u)
{
    return crn_frame_point(f, crn_v3(RING * cos(u), RING * sin(u), 0));
}

static double to_circle(const crn_frame *f, crn_vec3 p)
{
    crn_vec3 q = crn_frame_local(f, p);
    double s = sqrt(q.x * q.x + q.y * q.y) - RING;
    return sqrt(s * s + q.z * q.z);
}

/* Gap of two rings: the least distance of their circles, less the tubes. */
static double ring_gap(const crn_frame *a, const crn_frame *b)
{
    double best = (double)INFINITY, at = 0.0;
    for (int k = 0; k < 360; ++k) {
        double u = 2.0 * MESH_PI * k / 360, d = to_circle(b, on_circle(a, u));
        at = d < best ? u : at;
        best = d < best ? d : best;
    }
    for (double s = 0.02; s > 1e-11; s *= 0.5) {
        for (int side = -1; side <= 1; side += 2) {
            double d;
            while ((d = to_circle(b, on_circle(a, at + side * s))) < best) {
                best = d;
                at += side * s;
            }
        }
    }
    return best - 2.0 * TUBE;
}

/* One ring hangs in the other, turns about its axis and tilts while the other turns: pose k of 400. */
static void slide(mesh_pair *p, int k, double gap)
{
    double s = k / 400.0, x = 2.0 * (RING - TUBE) - gap;
    crn_quat tilt = crn_quat_exp(crn_v3(MESH_PI / 2 + 0.2 * s, 0.1 * s, 0)), spin = crn_quat_exp(crn_v3(0, 0, 1.3 * s));
    crn_pose pose = {{x, 0.003 * sin(5.0 * s), 0.01 * s}, crn_quat_product(tilt, spin)};
    p->fa = mesh_frame(0, 0, 0, 0, 0, 0.7 * s);
    p->fb = crn_frame_of(&pose);
}

/* Two rings of 1024 triangles: never farther from the torus than the facets are, no jumps, at any depth and any
 * reach. */
static void check_rings(double gap, double reach)
{
    const double sag = 0.87e-3, step = 0.08e-3; /* of one ring; what facets add per pose */
    crn_shape *ring = mesh_ring(RING, TUBE, 32, 16);
    mesh_pair p = {ring, ring, {{{0}}, {0, 0, 0}}, {{{0}}, {0, 0, 0}}};
    double last = 0.0, last_exact = 0.0, worst = 0.0, jump = 0.0;
    for (int k = 0; k < 400; ++k) {
        slide(&p, k, gap);
        double exact = ring_gap(&p.fa, &p.fb);
        int count = mesh_collide(&p, reach, touch);
        TEST_CHECK(count > 0 || exact > reach - 2.0 * sag, "gap %g, reach %g: nothing at pose %d", gap, reach, k);
        if (count == 0) {
            continue;
        }
        double own = mesh_gap(touch, count);
        worst = fmax(worst, fabs(own - exact));
        jump = k > 0 ? fmax(jump, fabs((own - last) - (exact - last_exact))) : 0.0;
        last = own;
        last_exact = exact;
    }
    print_message("rings, gap %g mm, reach %g mm: off by %.3f mm, jumps of %.4f mm\n", 1e3 * gap, 1e3 * reach,
                  1e3 * worst, 1e3 * jump);
    TEST_CHECK(worst <= sag, "gap %g, reach %g: off by %g", gap, reach, worst);
    TEST_CHECK(jump <= step, "gap %g, reach %g: jumps by %g", gap, reach, jump);
    crn_shape_destroy(ring);
}

static void test_rings_follow_the_torus(void **state)
{
    (void)state;
    const double gaps[] = {0.5e-3, -1e-3, -8e-3};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; ++k) {
        check_rings(gaps[k], 1e-3);
        check_rings(gaps[k], 15e-3);
    }
}

/* Little reach finds the depth that much reach finds. */
static void test_depth_does_not_depend_on_reach(void **state)
{
    (void)state;
    crn_random random = test_random("reach", 9);
    crn_shape *shape[3] = {mesh_ring(RING, TUBE, 12, 8), mesh_ring(RING, TUBE, 32, 16), mesh_box(0.06, 0.05, 0.04)};
    int compared = 0, wrong = 0;
    for (int k = 0; k < 800; ++k) {
        mesh_pair p = {shape[k % 3], shape[k % 2], mesh_random_frame(&random, 0.08), mesh_random_frame(&random, 0.08)};
        double wide = mesh_gap(touch, mesh_collide(&p, 0.015, touch));
        double narrow = mesh_gap(touch, mesh_collide(&p, 0.001, touch));
        if (wide < -1e-4 && wide > -8e-3) {
            compared += 1;
            wrong += fabs(narrow - wide) > 0.05 * fabs(wide);
        }
    }
    print_message("%d of %d overlaps differ by more than 5 %%\n", wrong, compared);
    assert_true(compared > 40 && wrong * 50 <= compared);
    for (int k = 0; k < 3; ++k) {
        crn_shape_destroy(shape[k]);
    }
}

/* --- Balls --- */

static void test_balls_lie_within_their_facets(void **state)
{
    (void)state;
    crn_random random = test_random("balls", 12);
    crn_shape *ball = mesh_ball(0.1, 48, 24);
    /* rows of 7.5 degrees, columns of the same: the middle of a square at the equator */
    double sag = 0.1 * (1.0 - cos(MESH_PI / 48) * cos(MESH_PI / 48));
    for (int k = 0; k < 300; ++k) {
        mesh_pair p = {ball, ball, mesh_random_frame(&random, 0.0), mesh_random_frame(&random, 0.0)};
        crn_vec3 d = {crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random)};
        double gap = crn_random_uniform(&random, -4e-3, 2e-3);
        p.fa.position = crn_v3_scale((0.2 + gap) / crn_v3_length(d), d);
        int count = mesh_collide(&p, 0.004, touch);
        double own = mesh_gap(touch, count);
        TEST_CHECK(own >= gap - 1e-12 && own <= gap + 2.0 * sag + 1e-12, "pose %d: gap %g, the balls' is %g", k, own,
                   gap);
    }
    crn_shape_destroy(ball);
}

/* --- Gears --- */

#define TEETH 12

static crn_shape *gear(double *xy)
{
    for (int k = 0; k < 4 * TEETH; ++k) {
        static const double at[4] = {0.0, 0.28, 0.42, 0.78}, radius[4] = {0.08, 0.08, 0.1, 0.1};
        double u = 2.0 * MESH_PI * (k / 4 + at[k % 4]) / TEETH;
        xy[2 * k] = radius[k % 4] * cos(u);
        xy[2 * k + 1] = radius[k % 4] * sin(u);
    }
    return mesh_prism(xy, 4 * TEETH, 0.01);
}

static double point_to_segment(const double *p, const double *a, const double *b)
{
    double ux = b[0] - a[0], uy = b[1] - a[1], x = p[0] - a[0], y = p[1] - a[1];
    double s = fmin(1.0, fmax(0.0, (x * ux + y * uy) / (ux * ux + uy * uy)));
    return hypot(x - s * ux, y - s * uy);
}

/* Least distance of two outlines that do not meet. */
static double outline_gap(const double *p, const double *q, int count)
{
    double best = (double)INFINITY;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            int i1 = (i + 1) % count, k1 = (k + 1) % count;
            best = fmin(best, point_to_segment(p + 2 * i, q + 2 * k, q + 2 * k1));
            best = fmin(best, point_to_segment(q + 2 * k, p + 2 * i, p + 2 * i1));
        }
    }
    return best;
}

static void turn_outline(const double *xy, int count, const crn_frame *f, double *to)
{
    for (int k = 0; k < count; ++k) {
        crn_vec3 p = crn_frame_point(f, crn_v3(xy[2 * k], xy[2 * k + 1], 0.0));
        to[2 * k] = p.x;
        to[2 * k + 1] = p.y;
    }
}

/* Meshing gears whose end faces lie in one plane: the gap of the outlines, normals in the plane. */
static void test_gears_follow_their_outlines(void **state)
{
    (void)state;
    double xy[8 * TEETH], p2[8 * TEETH], q2[8 * TEETH];
    crn_shape *g = gear(xy);
    int met = 0;
    for (int k = 0; k < 1000; ++k) {
        /* a tooth of one in a gap of the other, rattling */
        double pitch = 2.0 * MESH_PI / TEETH, turn = pitch * k / 250.0, rattle = 0.03 * sin(0.37 * k);
        mesh_pair p = {g, g, mesh_frame(0, 0, 0, 0, 0, turn - 0.6 * pitch),
                       mesh_frame(0.19, 0, 0, 0, 0, rattle - turn - 0.14 * pitch)};
        turn_outline(xy, 4 * TEETH, &p.fa, p2);
        turn_outline(xy, 4 * TEETH, &p.fb, q2);
        int count = mesh_collide(&p, 0.004, touch);
        double gap = mesh_gap(touch, count), exact = outline_gap(p2, q2, 4 * TEETH);
        if (gap <= 0.0 || exact > 0.004) {
            continue;
        }
        met += 1;
        TEST_CHECK(fabs(gap - exact) < 1e-15, "pose %d: gap %.17g instead of %.17g", k, gap, exact);
        for (int i = 0; i < count; ++i) {
            TEST_CHECK(fabs(touch[i].normal.z) < 1e-14, "pose %d: a normal out of the plane", k);
        }
    }
    assert_true(met > 300);
    crn_shape_destroy(g);
}

/* --- Through zero --- */

/* Approach along random lines: the gap never changes by more than twice the motion. */
static void check_approach(const crn_shape *a, const crn_shape *b, crn_random *random, double reach, int *steps,
                           int *jumps)
{
    crn_vec3 d = crn_v3_unit(crn_v3(crn_random_normal(random), crn_random_normal(random), crn_random_normal(random)));
    mesh_pair p = {a, b, mesh_random_frame(random, 0.0), mesh_random_frame(random, 0.0)};
    const double motion = 1e-4;
    double last = (double)INFINITY;
    for (double x = 0.35; x > 0.0; x -= motion) {
        p.fa.position = crn_v3_scale(x, d);
        if (last == (double)INFINITY && x > 0.02) { /* jump near the first contact: rings may pass through the hole */
            double far = mesh_gap(touch, mesh_collide(&p, 0.03, touch));
            if (far > 0.02) {
                x -= 0.01;
                continue;
            }
        }
        double gap = mesh_gap(touch, mesh_collide(&p, reach, touch));
        if (gap < -2e-3) {
            return;
        }
        if (last < (double)INFINITY && gap < (double)INFINITY) {
            *steps += 1;
            *jumps += fabs(gap - last) > 2.0 * motion;
        }
        TEST_CHECK(!(last < 0.5 * reach) || gap < (double)INFINITY, "contact lost at gap %g", last);
        last = gap;
    }
}

static void test_gap_goes_through_zero_without_a_jump(void **state)
{
    (void)state;
    crn_random random = test_random("approach", 31);
    crn_shape *shape[3] = {mesh_box(0.05, 0.05, 0.05), mesh_ring(RING, TUBE, 16, 8), mesh_spike(0.03, 0.12)};
    int steps = 0, jumps = 0;
    for (int k = 0; k < 42; ++k) {
        check_approach(shape[k % 3], shape[k / 3 % 2], &random, 0.015, &steps, &jumps);
    }
    print_message("%d jumps in %d steps\n", jumps, steps);
    assert_true(steps > 3000 && jumps == 0);
    for (int k = 0; k < 3; ++k) {
        crn_shape_destroy(shape[k]);
    }
}

/* --- Bare touches --- */

/* Edges that meet along the normal of a face, up to 0.1 rad off their own, are told too near: by 1 - cos(0.1) at most. */
static const double NEARER = 0.005;

/* Move a by the gap along the normal of what is nearest, until nothing is left. */
static void bring_to_touch(mesh_pair *p, crn_touch nearest)
{
    for (int round = 0; round < 5; ++round) {
        const double most = NEARER * nearest.gap + 1e-11;
        p->fa.position = crn_v3_axpy(p->fa.position, -nearest.gap, nearest.normal);
        int count = mesh_collide(p, 1e-3, touch);
        TEST_CHECK(count > 0, "lost in round %d", round);
        nearest = touch[mesh_lowest(touch, count)];
        TEST_CHECK(nearest.gap > -1e-11 && nearest.gap < most, "gap %g after round %d", nearest.gap, round);
    }
}

/* Random pairs brought to touch exactly, or by 1e-12: no overlap is made of it, and no contact lost. */
static void test_touch_is_no_overlap(void **state)
{
    (void)state;
    crn_random random = test_random("touch", 3);
    const double xy[] = {-0.2, -0.2, 0.2, -0.2, 0.2, 0.1, 0.1, 0.1, 0.0, 0.0, -0.1, 0.1, -0.2, 0.1};
    crn_shape *shape[6] = {mesh_ring(0.1, 0.02, 24, 12), mesh_box(0.1, 0.07, 0.05),       mesh_ball(0.08, 16, 10),
                           mesh_spike(0.03, 0.12),       mesh_slab(0.3, 0.3, 0.05, 6, 6), mesh_prism(xy, 7, 0.2)};
    int met = 0;
    for (int k = 0; k < 3000; ++k) {
        mesh_pair p = {shape[k % 6], shape[k / 6 % 6], mesh_random_frame(&random, 0.3),
                       mesh_random_frame(&random, 0.05)};
        if (k % 3 == 0) { /* faces and edges that are parallel */
            p.fb = mesh_frame(0, 0, 0, 0, 0, 0);
            p.fa.rotation = p.fb.rotation;
        }
        int count = mesh_collide(&p, 0.05, touch);
        const crn_touch first = touch[mesh_lowest(touch, count)];
        if (count == 0 || first.gap < 0.0) {
            continue;
        }
        met += 1;
        double off = k % 2 == 0 ? 1e-12 * (k % 5 - 2) : 0.0;
        bring_to_touch(&p, first);
        p.fa.position = crn_v3_axpy(p.fa.position, off, first.normal);
        double gap = mesh_gap(touch, mesh_collide(&p, k % 4 == 0 ? 0.02 : 1e-3, touch));
        TEST_CHECK(fabs(gap) < 1e-11, "pose %d (%d on %d): gap %g", k, k % 6, k / 6 % 6, gap);
    }
    assert_true(met > 250);
    for (int k = 0; k < 6; ++k) {
        crn_shape_destroy(shape[k]);
    }
}

/* --- Thinning out --- */

/* Least gap over the plane tilted by (p, q). */
static double tilted(const crn_touch *list, int count, double p, double q)
{
    double least = (double)INFINITY;
    for (int k = 0; k < count; ++k) {
        least = fmin(least, list[k].gap + p * list[k].point.x + q * list[k].point.y);
    }
    return least;
}

/* A ball of many facets on a plane: all points are on the hull; with little turning few of them can be met first. */
static void test_round_cap_is_thinned_by_the_turn(void **state)
{
    (void)state;
    static crn_touch left[MESH_TOUCHES];
    crn_shape *ball = mesh_ball(0.1, 48, 24), *plane = NULL;
    crn_shape_def def = {.kind = CRN_SHAPE_PLANE};
    assert_int_equal(crn_shape_create(&def, NULL, &plane, NULL), CRN_OK);
    mesh_pair p = {ball, plane, mesh_frame(0, 0, 0.1, 1.1, 0.4, 0), mesh_frame(0, 0, 0, 0, 0, 0)};
    int count = mesh_collide(&p, 0.005, touch), last = count;
    const double slopes[] = {0.3, 0.1, 0.03};
    for (int i = 0; i < 3; ++i) {
        double s = slopes[i];
        memcpy(left, touch, sizeof *touch * (size_t)count);
        int kept = crn_touch_reduce_within(left, count, 1e-5, s);
        print_message("turn %g: %d of %d points\n", s, kept, count);
        assert_true(kept <= last && kept >= 1);
        for (int k = 0; k < 200; ++k) {
            double u = 0.1 * k, r = s * (k % 10) / 10.0;
            assert_true(fabs(tilted(left, kept, r * cos(u), r * sin(u)) -
                             tilted(touch, count, r * cos(u), r * sin(u))) <= 2e-5 * s + 1e-12);
        }
        last = kept;
    }
    assert_true(last <= 10);
    crn_shape_destroy(ball);
    crn_shape_destroy(plane);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings_follow_the_torus),
        cmocka_unit_test(test_depth_does_not_depend_on_reach),
        cmocka_unit_test(test_balls_lie_within_their_facets),
        cmocka_unit_test(test_gears_follow_their_outlines),
        cmocka_unit_test(test_gap_goes_through_zero_without_a_jump),
        cmocka_unit_test(test_touch_is_no_overlap),
        cmocka_unit_test(test_round_cap_is_thinned_by_the_turn),
    };
    return TEST_RUN(tests, argc, argv);
}
