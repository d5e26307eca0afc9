/* Hulls of many vertices: what faces along a direction is found without looking at all of it, and a pair costs what touches. */
#include "convex_case.h"

#include "collide/convex/facing.h"
#include "math/rigid.h"

#include <stdlib.h>
#include <time.h>

/* A hull of points on a stretched ball. */
static crn_shape *ball_hull(crn_random *random, int count, double stretch)
{
    double *points = (double *)malloc(3 * (size_t)count * sizeof *points);
    for (int k = 0; k < count; ++k) {
        crn_vec3 p = convex_direction(random);
        crn_v3_to(crn_v3(p.x, p.y, stretch * p.z), points + 3 * (ptrdiff_t)k);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = count};
    crn_shape *shape = convex_make(&def);
    free(points);
    return shape;
}

static crn_shape *prism_hull(int sides)
{
    double *points = (double *)malloc(6 * (size_t)sides * sizeof *points);
    for (int k = 0; k < 2 * sides; ++k) {
        double angle = 6.283185307179586 * (k / 2) / sides;
        crn_v3_to(crn_v3(cos(angle), sin(angle), k % 2 == 0 ? -0.5 : 0.5), points + 3 * (ptrdiff_t)k);
    }
    crn_shape_def def = {.kind = CRN_SHAPE_HULL, .points = points, .count = 2 * sides};
    crn_shape *shape = convex_make(&def);
    free(points);
    return shape;
}

/* --- The lists --- */

static bool holds(const int *list, int count, int number)
{
    for (int k = 0; k < count; ++k) {
        if (list[k] == number) {
            return true;
        }
    }
    return false;
}

/* Directions within the slack of d: the vertices farthest along them are listed, unless they are too low. */
static int missing_vertices(const crn_facing_test *test, const crn_facing *found, crn_random *random)
{
    int missing = 0, vertex = 0;
    for (int k = 0; k < 100; ++k) {
        crn_vec3 aside = crn_v3_cross(test->d, convex_direction(random));
        double size = test->slack * crn_random_uniform(random, 0.0, 1.0);
        crn_vec3 d = crn_v3_unit(crn_v3_axpy(test->d, size / crn_v3_length(aside), aside));
        crn_vec3 p = crn_solid_support(test->solid, d, &vertex);
        missing += crn_v3_dot(test->d, p) >= test->least && !holds(found->vertex, found->vertices, vertex);
    }
    return missing;
}

/* Faces whose normal is within the slack and that are not too low. */
static int missing_faces(const crn_facing_test *test, const crn_facing *found)
{
    const crn_solid *s = test->solid;
    int missing = 0;
    for (int f = 0; f < s->faces; ++f) {
        double top = -(double)INFINITY;
        for (int k = s->face_start[f]; k < s->face_start[f + 1]; ++k) {
            top = fmax(top, crn_v3_dot(test->d, crn_v3_of(s->vertex + 3 * (ptrdiff_t)s->face_vertex[k])));
        }
        missing += top >= test->least && crn_facing_face(test, f) && !holds(found->face, found->faces, f);
    }
    return missing;
}

/* Edges between such faces. */
static int missing_edges(const crn_facing_test *test, const crn_facing *found)
{
    const crn_solid *s = test->solid;
    int missing = 0;
    for (int e = 0; e < s->edges; ++e) {
        const int *edge = s->edge + 4 * (ptrdiff_t)e;
        bool is_between = crn_facing_face(test, edge[2]) && crn_facing_face(test, edge[3]);
        missing += is_between && crn_facing_edge(test, e) && !holds(found->edge, found->edges, e);
    }
    return missing;
}

static void test_lists_are_complete(void **state)
{
    (void)state;
    crn_random random = test_random("test_lists_are_complete", 41);
    int missing = 0, listed = 0, sum = 0;
    for (int size = 64; size <= 2048; size *= 2) {
        crn_shape *shape = ball_hull(&random, size, size % 128 == 0 ? 1.0 : 0.4);
        crn_frame frame = convex_frame(0, 0, 0, crn_v3(0, 0, 0));
        crn_solid solid;
        assert_true(crn_solid_of(&solid, shape, &frame, crn_v3(0, 0, 0)));
        for (int k = 0; k < 300; ++k) {
            crn_vec3 d = convex_direction(&random);
            int start = 0;
            double top = crn_v3_dot(d, crn_solid_support(&solid, d, &start));
            double depth = pow(10.0, crn_random_uniform(&random, -3.0, 0.5));
            crn_facing_test test = {&solid, d, top - depth, k % 3 == 0 ? 0.02 : k % 3 == 1 ? 0.05 : 0.2};
            crn_facing found;
            crn_facing_find(&test, start, &found);
            if (found.is_listed) {
                ++listed;
                sum += found.vertices;
                missing += missing_vertices(&test, &found, &random) + missing_faces(&test, &found) +
                           missing_edges(&test, &found);
            }
        }
        crn_shape_destroy(shape);
    }
    print_message("%d sides listed, %.1f vertices on average, %d features missing\n", listed, (double)sum / listed,
                  missing);
    assert_int_equal(missing, 0);
    assert_true(listed > 1500);
}

/* --- Time --- */

/* Of the processor: others may be at work on it too. */
static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A frame that puts a face of the upper hull on a face of the lower one, their middles over each other, with a gap. */
static crn_frame on_face(const crn_shape *lower, const crn_shape *upper, int f, int g, double gap)
{
    const crn_polyhedron *h[2] = {lower->polyhedron, upper->polyhedron};
    int face[2] = {f, g};
    crn_vec3 middle[2], normal[2];
    for (int k = 0; k < 2; ++k) {
        const int *loop = h[k]->face_vertex + h[k]->face_start[face[k]];
        int count = h[k]->face_start[face[k] + 1] - h[k]->face_start[face[k]];
        middle[k] = crn_v3(0, 0, 0);
        for (int i = 0; i < count; ++i) {
            middle[k] = crn_v3_axpy(middle[k], 1.0 / count, crn_v3_of(h[k]->vertex + 3 * (ptrdiff_t)loop[i]));
        }
        normal[k] = crn_v3_of(h[k]->face_normal + 3 * (ptrdiff_t)face[k]);
    }
    /* turn normal[1] to -normal[0] */
    crn_vec3 to = crn_v3_scale(-1.0, normal[0]), axis = crn_v3_cross(normal[1], to);
    double sine = crn_v3_length(axis), angle = atan2(sine, crn_v3_dot(normal[1], to));
    crn_vec3 across = sine > 1e-9 ? crn_v3_scale(1.0 / sine, axis) : crn_v3_orthogonal(to);
    crn_pose pose = {{0, 0, 0}, crn_quat_exp(crn_v3_scale(angle, across))};
    crn_frame frame = crn_frame_of(&pose);
    frame.position = crn_v3_axpy(crn_v3_sub(middle[0], crn_m3_times(&frame.rotation, middle[1])), gap, normal[0]);
    return frame;
}

/* Median over faces of the mean time of a query of a pair that rests; its touches on average. */
static double time_of(const crn_shape *lower, const crn_shape *upper, double gap, double *touches)
{
    enum { PLACES = 9, REPEATS = 200 };
    double time[PLACES];
    crn_collide_motion rest = {{0, 0, 0}, {0, 0, 0}, 1e-4}; /* gravity, 3 ms */
    crn_collide_scratch scratch = {.is_short = false};
    crn_touch touch[CONVEX_TOUCHES];
    crn_frame still = convex_frame(0, 0, 0, crn_v3(0, 0, 0));
    *touches = 0.0;
    for (int k = 0; k < PLACES; ++k) {
        int f = (7 + 31 * k) % lower->polyhedron->faces, g = (11 + 17 * k) % upper->polyhedron->faces;
        crn_frame frame = on_face(lower, upper, f, g, gap);
        double start = seconds();
        int count = 0;
        for (int i = 0; i < REPEATS; ++i) {
            count = crn_collide_with(&scratch, upper, &frame, lower, &still, 1e-3, &rest, touch, CONVEX_TOUCHES);
        }
        time[k] = (seconds() - start) / REPEATS;
        *touches += (double)count / PLACES;
        double lowest = convex_lowest(touch, count);
        TEST_CHECK(fabs(lowest - gap) < 1e-9 || gap < 0.0, "lowest gap %g, not %g", lowest, gap);
    }
    for (int i = 1; i < PLACES; ++i) {
        for (int j = i; j > 0 && time[j] < time[j - 1]; --j) {
            double other = time[j];
            time[j] = time[j - 1];
            time[j - 1] = other;
        }
    }
    return time[PLACES / 2];
}

static void test_time_of_a_pair(void **state)
{
    (void)state;
    crn_random random = test_random("test_time_of_a_pair", 42);
    for (int size = 128; size <= 8192; size *= 4) {
        crn_shape *a = ball_hull(&random, size, 1.0), *b = ball_hull(&random, size, 1.0);
        double on_rest, on_overlap, rest = time_of(a, b, 0.0, &on_rest), overlap = time_of(a, b, -0.01, &on_overlap);
        print_message(
            "hulls of %d vertices, face on face: %.1f us, %.1f touches; overlapping by 1 %%: %.1f us, %.1f touches\n",
            size, 1e6 * rest, on_rest, 1e6 * overlap, on_overlap);
        crn_shape_destroy(a);
        crn_shape_destroy(b);
    }
    for (int sides = 16; sides <= 1024; sides *= 8) {
        crn_shape *prism = prism_hull(sides);
        double touches, time = time_of(prism, prism, 0.0, &touches);
        print_message("prisms of %d sides: %.1f us, %.1f touches\n", sides, 1e6 * time, touches);
        crn_shape_destroy(prism);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_are_complete),
        cmocka_unit_test(test_time_of_a_pair),
    };
    return TEST_RUN(tests, argc, argv);
}
