/* Pairs of primitives: the properties that every answer must have, over random poses of every pair.
 *
 *   s(n) = gap: the reported normal separates (or overlaps) by exactly the lowest reported gap;
 *   nothing better: no other direction separates by more, so the gap is the signed distance;
 *   the distance found without directions, feature by feature, is the same;
 *   the mirror image on swapping, the same answer when everything moves, no jumps along paths. */
#include "primitive_case.h"

/* --- Pairs --- */

typedef struct pair_case {
    const char *name;
    crn_shape *a, *b;
    double size; /* what tolerances are relative to */
} pair_case;

enum { MOVING_PAIRS = 8, PLANE_PAIRS = 6 };

static void make_pairs(pair_case pair[MOVING_PAIRS + PLANE_PAIRS])
{
    const struct {
        crn_shape_kind kind;
        crn_vec3 size;
    } def[MOVING_PAIRS + PLANE_PAIRS][2] = {
        {{CRN_SHAPE_SPHERE, {0.4, 0, 0}}, {CRN_SHAPE_SPHERE, {0.7, 0, 0}}},
        {{CRN_SHAPE_SPHERE, {0.3, 0, 0}}, {CRN_SHAPE_BOX, {0.5, 0.7, 0.9}}},
        {{CRN_SHAPE_SPHERE, {0.3, 0, 0}}, {CRN_SHAPE_CAPSULE, {0.2, 0.8, 0}}},
        {{CRN_SHAPE_BOX, {0.5, 0.5, 0.5}}, {CRN_SHAPE_BOX, {0.5, 0.5, 0.5}}},
        {{CRN_SHAPE_BOX, {0.2, 0.6, 1.0}}, {CRN_SHAPE_BOX, {0.9, 0.4, 0.1}}},
        {{CRN_SHAPE_BOX, {0.5, 0.7, 0.3}}, {CRN_SHAPE_CAPSULE, {0.2, 0.6, 0}}},
        {{CRN_SHAPE_CAPSULE, {0.2, 0.6, 0}}, {CRN_SHAPE_CAPSULE, {0.2, 0.6, 0}}},
        {{CRN_SHAPE_CAPSULE, {0.1, 0.9, 0}}, {CRN_SHAPE_CAPSULE, {0.3, 0.2, 0}}},
        {{CRN_SHAPE_SPHERE, {0.3, 0, 0}}, {CRN_SHAPE_PLANE, {0, 0, 0}}},
        {{CRN_SHAPE_BOX, {0.5, 0.7, 0.3}}, {CRN_SHAPE_PLANE, {0, 0, 0}}},
        {{CRN_SHAPE_CAPSULE, {0.2, 0.6, 0}}, {CRN_SHAPE_PLANE, {0, 0, 0}}},
        {{CRN_SHAPE_CYLINDER, {0.4, 0.6, 0}}, {CRN_SHAPE_PLANE, {0, 0, 0}}},
        {{CRN_SHAPE_ELLIPSOID, {0.4, 0.6, 0.2}}, {CRN_SHAPE_PLANE, {0, 0, 0}}},
        {{CRN_SHAPE_CONE, {0.4, 0.6, 0}}, {CRN_SHAPE_PLANE, {0, 0, 0}}},
    };
    static const char *const name[MOVING_PAIRS + PLANE_PAIRS] = {
        "sphere-sphere", "sphere-box",      "sphere-capsule",  "box-box, equal", "box-box",
        "box-capsule",   "capsule-capsule", "capsule-capsule", "sphere-plane",   "box-plane",
        "capsule-plane", "cylinder-plane",  "ellipsoid-plane", "cone-plane"};
    for (int k = 0; k < MOVING_PAIRS + PLANE_PAIRS; ++k) {
        crn_vec3 s = def[k][0].size, t = def[k][1].size;
        pair[k] = (pair_case){name[k], case_shape(def[k][0].kind, s.x, s.y, s.z),
                              case_shape(def[k][1].kind, t.x, t.y, t.z), 1.0};
    }
}

static void free_pairs(pair_case pair[MOVING_PAIRS + PLANE_PAIRS])
{
    for (int k = 0; k < MOVING_PAIRS + PLANE_PAIRS; ++k) {
        crn_shape_destroy(pair[k].a);
        crn_shape_destroy(pair[k].b);
    }
}

/* A pose that is near to touching more often than not. */
static void draw_pose(crn_random *random, const pair_case *pair, touching *t)
{
    *t = (touching){.a = pair->a, .b = pair->b};
    double spread = crn_random_uniform(random, 0.05, 1.2);
    t->fa = case_random_frame(random, spread);
    t->fb = case_random_frame(random, spread);
    if (crn_random_below(random, 4) == 0) { /* nearly parallel axes: faces on faces, sides along sides */
        crn_frame small =
            case_frame(0, 0, 0, crn_v3_scale(pow(10.0, crn_random_uniform(random, -14, -0.5)), case_direction(random)));
        t->fb.rotation = crn_m3_product(&t->fa.rotation, &small.rotation);
    }
}

/* The gap may be short by the bias of near ties, which is 4e-9 of the smaller body. */
static const double bias = 2e-8;

/* --- Properties --- */

static void test_separation_equals_gap(void **state)
{
    (void)state;
    crn_random random = test_random("test_separation_equals_gap", 31);
    pair_case pair[MOVING_PAIRS + PLANE_PAIRS];
    make_pairs(pair);
    for (int k = 0; k < MOVING_PAIRS + PLANE_PAIRS; ++k) {
        double worst = 0.0;
        int touching_poses = 0;
        for (int trial = 0; trial < 10000; ++trial) {
            touching t;
            draw_pose(&random, pair + k, &t);
            case_collide(&t, 0.3);
            if (t.count == 0) {
                continue;
            }
            touching_poses++;
            double s = case_separation(t.a, &t.fa, t.b, &t.fb, t.touch[0].normal);
            worst = fmax(worst, fabs(s - t.lowest));
            TEST_CHECK(fabs(s - t.lowest) <= bias, "%s %d: s(n) = %.17g, gap %.17g, %d points", pair[k].name, trial, s,
                       t.lowest, t.count);
            for (int j = 1; j < t.count; ++j) {
                case_close(t.touch[j].normal, t.touch[0].normal, 0.0);
            }
        }
        print_message("%s: %d touching, |s(n) - gap| <= %.2g\n", pair[k].name, touching_poses, worst);
        assert_true(touching_poses > 2000);
    }
    free_pairs(pair);
}

/* The best s(n) over many directions, then around the best found. */
static double best_separation(crn_random *random, const touching *t, crn_vec3 start)
{
    double best = -(double)INFINITY;
    crn_vec3 n = start;
    for (int k = 0; k < 300; ++k) {
        double step = k < 100 ? 1e3 : pow(0.93, (double)(k - 100));
        crn_vec3 m = crn_v3_unit(crn_v3_axpy(n, step, case_direction(random)));
        double s = case_separation(t->a, &t->fa, t->b, &t->fb, m);
        if (s > best) {
            best = s;
            n = m;
        }
    }
    return best;
}

/* Nothing separates better; and if nothing is reported, something separates by more than reach. */
static void test_no_better_direction(void **state)
{
    (void)state;
    crn_random random = test_random("test_no_better_direction", 32);
    pair_case pair[MOVING_PAIRS + PLANE_PAIRS];
    make_pairs(pair);
    for (int k = 0; k < MOVING_PAIRS; ++k) {
        for (int trial = 0; trial < 700; ++trial) {
            touching t;
            draw_pose(&random, pair + k, &t);
            case_collide(&t, 10.0);
            assert_true(t.count > 0);
            double best = fmax(best_separation(&random, &t, t.touch[0].normal),
                               best_separation(&random, &t, case_direction(&random)));
            TEST_CHECK(best <= t.lowest + bias, "%s %d: s = %.17g is better than %.17g", pair[k].name, trial, best,
                       t.lowest);
            double gap = t.lowest;
            if (gap > 1e-3) {
                case_collide(&t, gap * 0.999);
                TEST_CHECK(t.count == 0, "%s %d: gap %g within %g", pair[k].name, trial, t.lowest, gap * 0.999);
                case_collide(&t, gap * 1.001);
                assert_true(t.count > 0);
            }
        }
    }
    free_pairs(pair);
}

/* --- Distance without directions --- */

/* Core of a shape as points and segments between them, in the world. */
typedef struct skeleton {
    crn_vec3 point[8];
    int edge[12][2];
    int points, edges;
    double radius;
} skeleton;

static skeleton skeleton_of(const crn_shape *shape, const crn_frame *frame)
{
    const crn_shape_def *def = crn_shape_definition(shape);
    skeleton s = {.points = 1, .radius = def->size.x};
    s.point[0] = frame->position;
    if (def->kind == CRN_SHAPE_CAPSULE) {
        s.points = 2;
        s.edges = 1;
        s.edge[0][1] = 1;
        s.point[0] = crn_frame_point(frame, crn_v3(0, 0, -def->size.y));
        s.point[1] = crn_frame_point(frame, crn_v3(0, 0, def->size.y));
    } else if (def->kind == CRN_SHAPE_BOX) {
        s.points = 8;
        s.radius = 0.0;
        for (int k = 0; k < 8; ++k) {
            crn_vec3 c = {k & 1 ? def->size.x : -def->size.x, k & 2 ? def->size.y : -def->size.y,
                          k & 4 ? def->size.z : -def->size.z};
            s.point[k] = crn_frame_point(frame, c);
            for (int j = 0; j < 3; ++j) {
                if (!(k >> j & 1)) {
                    s.edge[s.edges][0] = k;
                    s.edge[s.edges++][1] = k | 1 << j;
                }
            }
        }
    }
    return s;
}

static double point_to_segment(crn_vec3 p, crn_vec3 c, crn_vec3 v)
{
    double y = fmin(fmax(crn_v3_dot(crn_v3_sub(p, c), v) / crn_v3_dot(v, v), 0.0), 1.0);
    return crn_v3_length(crn_v3_sub(p, crn_v3_axpy(c, y, v)));
}

/* Distance of two segments: the distance of a point of the one to the other is convex, so thirds close in on the least. */
static double segment_distance(crn_vec3 a, crn_vec3 b, crn_vec3 c, crn_vec3 d)
{
    crn_vec3 u = crn_v3_sub(b, a), v = crn_v3_sub(d, c);
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 100; ++k) {
        double x = low + (high - low) / 3.0, y = high - (high - low) / 3.0;
        if (point_to_segment(crn_v3_axpy(a, x, u), c, v) < point_to_segment(crn_v3_axpy(a, y, u), c, v)) {
            high = y;
        } else {
            low = x;
        }
    }
    return point_to_segment(crn_v3_axpy(a, 0.5 * (low + high), u), c, v);
}

/* Corners of each to the other body, edges to edges; right for bodies that are apart. */
static double feature_distance(const touching *t)
{
    skeleton a = skeleton_of(t->a, &t->fa), b = skeleton_of(t->b, &t->fb);
    double best = (double)INFINITY;
    for (int k = 0; k < a.points; ++k) {
        best = fmin(best, case_outside(t->b, &t->fb, a.point[k]) - a.radius);
    }
    for (int k = 0; k < b.points; ++k) {
        best = fmin(best, case_outside(t->a, &t->fa, b.point[k]) - b.radius);
    }
    for (int k = 0; k < a.edges; ++k) {
        for (int j = 0; j < b.edges; ++j) {
            double d = segment_distance(a.point[a.edge[k][0]], a.point[a.edge[k][1]], b.point[b.edge[j][0]],
                                        b.point[b.edge[j][1]]);
            best = fmin(best, d - a.radius - b.radius);
        }
    }
    return best;
}

static void test_gap_is_distance(void **state)
{
    (void)state;
    crn_random random = test_random("test_gap_is_distance", 33);
    pair_case pair[MOVING_PAIRS + PLANE_PAIRS];
    make_pairs(pair);
    for (int k = 0; k < MOVING_PAIRS; ++k) {
        int apart = 0;
        double worst = 0.0;
        for (int trial = 0; trial < 500; ++trial) {
            touching t;
            draw_pose(&random, pair + k, &t);
            case_collide(&t, 10.0);
            if (t.lowest < 1e-3) {
                continue;
            }
            apart++;
            double distance = feature_distance(&t);
            worst = fmax(worst, fabs(distance - t.lowest));
            TEST_CHECK(fabs(t.lowest - distance) <= bias, "%s %d: gap %.17g, distance %.17g", pair[k].name, trial,
                       t.lowest, distance);
        }
        print_message("%s: %d apart, error %.2g\n", pair[k].name, apart, worst);
        assert_true(apart > 50);
    }
    free_pairs(pair);
}

/* Half a gap up and down from the lowest touches are the two surfaces. Faces may be left by the slack of box.h; the touches
 * at the ends of nearly parallel cores and edges lie between two circles that are a little aside. */
static void test_points_lie_midway(void **state)
{
    (void)state;
    crn_random random = test_random("test_points_lie_midway", 34);
    pair_case pair[MOVING_PAIRS + PLANE_PAIRS];
    make_pairs(pair);
    for (int k = 0; k < MOVING_PAIRS; ++k) {
        double worst = 0.0, allowed = k >= 5 ? 5e-4 : k >= 3 ? 1e-4 : 2e-6;
        for (int trial = 0; trial < 2000; ++trial) {
            touching t;
            draw_pose(&random, pair + k, &t);
            case_collide(&t, 0.05);
            for (int j = 0; j < t.count; ++j) {
                const crn_touch *c = t.touch + j;
                double on_a = case_outside(t.a, &t.fa, crn_v3_axpy(c->point, 0.5 * c->gap, c->normal));
                double on_b = case_outside(t.b, &t.fb, crn_v3_axpy(c->point, -0.5 * c->gap, c->normal));
                if (c->gap <= t.lowest + 1e-9) {
                    worst = fmax(worst, fmax(on_a, on_b));
                    TEST_CHECK(fmax(on_a, on_b) < allowed, "%s %d: %g, %g off the surfaces", pair[k].name, trial, on_a,
                               on_b);
                }
            }
        }
        print_message("%s: at most %.2g off the surfaces\n", pair[k].name, worst);
    }
    free_pairs(pair);
}

/* --- Symmetry --- */

static void test_swap_mirrors(void **state)
{
    (void)state;
    crn_random random = test_random("test_swap_mirrors", 35);
    pair_case pair[MOVING_PAIRS + PLANE_PAIRS];
    make_pairs(pair);
    for (int k = 0; k < MOVING_PAIRS + PLANE_PAIRS; ++k) {
        for (int trial = 0; trial < 1000; ++trial) {
            touching t;
            draw_pose(&random, pair + k, &t);
            touching u = {.a = t.b, .b = t.a, .fa = t.fb, .fb = t.fa};
            case_collide(&t, 0.3);
            case_collide(&u, 0.3);
            assert_int_equal(t.count, u.count);
            for (int j = 0; j < t.count; ++j) {
                assert_int_equal(t.touch[j].key, u.touch[j].key);
                case_near(t.touch[j].gap, u.touch[j].gap, 0.0);
                case_close(t.touch[j].point, u.touch[j].point, 0.0);
                case_close(t.touch[j].normal, crn_v3_scale(-1.0, u.touch[j].normal), 0.0);
            }
        }
    }
    free_pairs(pair);
}

/* Everything moved together: the same touches, moved. Equal bodies may change their order, and with it their names. */
static void test_rigid_motion(void **state)
{
    (void)state;
    crn_random random = test_random("test_rigid_motion", 36);
    pair_case pair[MOVING_PAIRS + PLANE_PAIRS];
    make_pairs(pair);
    for (int k = 0; k < MOVING_PAIRS + PLANE_PAIRS; ++k) {
        int other_set = 0;
        bool is_equal = k == 3 || k == 6;
        for (int trial = 0; trial < 1000; ++trial) {
            touching t;
            draw_pose(&random, pair + k, &t);
            crn_frame motion = case_random_frame(&random, 2.0);
            touching u = {.a = t.a, .b = t.b};
            u.fa = crn_frame_product(&motion, &t.fa);
            u.fb = crn_frame_product(&motion, &t.fb);
            case_collide(&t, 0.3);
            case_collide(&u, 0.3);
            TEST_CHECK((t.count == 0) == (u.count == 0) || fabs(fmin(t.lowest, u.lowest) - 0.3) < bias,
                       "%s %d: %d and %d", pair[k].name, trial, t.count, u.count);
            if (t.count == 0 || u.count == 0) {
                continue;
            }
            case_near(t.lowest, u.lowest, bias);
            bool is_same = t.count == u.count;
            for (int j = 0; is_same && j < t.count; ++j) {
                crn_vec3 n = crn_m3_times(&motion.rotation, t.touch[j].normal),
                         p = crn_frame_point(&motion, t.touch[j].point);
                double best = (double)INFINITY;
                for (int i = 0; i < u.count; ++i) {
                    if (is_equal || u.touch[i].key == t.touch[j].key) {
                        best = fmin(best, crn_v3_length(crn_v3_sub(p, u.touch[i].point)));
                    }
                }
                is_same = best < 1e-5 && crn_v3_length(crn_v3_sub(n, u.touch[j].normal)) < 1e-3;
            }
            other_set += !is_same;
        }
        print_message("%s: %d of 1000 chose another of two equally good sets\n", pair[k].name, other_set);
        assert_true(other_set <= 3);
    }
    free_pairs(pair);
}

/* --- Continuity --- */

/* Small random motions: the gap follows the motion, and while the bodies are apart so does the normal. With p the shortest
 * vector between two convex bodies and m how far points have moved, |p - p'|^2 <= m (|p| + |p'|). */
static void test_no_jumps(void **state)
{
    (void)state;
    crn_random random = test_random("test_no_jumps", 37);
    pair_case pair[MOVING_PAIRS + PLANE_PAIRS];
    make_pairs(pair);
    const double slide_step = 4e-4, turn_step = 2e-4;
    for (int k = 0; k < MOVING_PAIRS; ++k) {
        double worst_gap = 0.0, worst_normal = 0.0;
        for (int trial = 0; trial < 40; ++trial) {
            touching t;
            draw_pose(&random, pair + k, &t);
            crn_vec3 slide = crn_v3_scale(slide_step, case_direction(&random));
            crn_quat turn = crn_quat_exp(crn_v3_scale(turn_step, case_direction(&random)));
            crn_pose pose = {t.fa.position, crn_quat_exp(crn_v3_scale(1.5, case_direction(&random)))};
            double most = slide_step + turn_step * crn_shape_radius(t.a);
            t.fa = crn_frame_of(&pose);
            case_collide(&t, 10.0);
            for (int j = 0; j < 2000; ++j) {
                touching before = t;
                pose.rotation = crn_quat_unit(crn_quat_product(turn, pose.rotation));
                pose.position = crn_v3_add(pose.position, slide);
                t.fa = crn_frame_of(&pose);
                case_collide(&t, 10.0);
                double jump = fabs(t.lowest - before.lowest);
                worst_gap = fmax(worst_gap, jump / most);
                TEST_CHECK(jump <= most + bias, "%s %d %d: gap from %g to %g", pair[k].name, trial, j, before.lowest,
                           t.lowest);
                double apart = fmin(t.lowest, before.lowest);
                if (apart > 1e-3) {
                    crn_vec3 p = crn_v3_scale(t.lowest, t.touch[0].normal);
                    crn_vec3 q = crn_v3_scale(before.lowest, before.touch[0].normal);
                    double moved = crn_v3_length(crn_v3_sub(p, q)), bound = sqrt(most * (t.lowest + before.lowest));
                    worst_normal = fmax(worst_normal, moved / bound);
                    TEST_CHECK(moved <= bound + 1e-6, "%s %d %d: shortest vector moves by %g, bound %g", pair[k].name,
                               trial, j, moved, bound);
                }
            }
        }
        print_message("%s: gap moves %.2f, shortest vector %.2f of its bound\n", pair[k].name, worst_gap, worst_normal);
    }
    free_pairs(pair);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separation_equals_gap),
        cmocka_unit_test(test_no_better_direction),
        cmocka_unit_test(test_gap_is_distance),
        cmocka_unit_test(test_points_lie_midway),
        cmocka_unit_test(test_swap_mirrors),
        cmocka_unit_test(test_rigid_motion),
        cmocka_unit_test(test_no_jumps),
    };
    return TEST_RUN(tests, argc, argv);
}
