/* Meshes made up for tests, and oracles that look at every triangle: the nearest point by projecting on each, and the
 * winding number by the sum of solid angles, which knows nothing of normals at edges. */
#ifndef CRN_TEST_MESH_CASE_H
#define CRN_TEST_MESH_CASE_H

#include "test_support.h"

#include "collide/mesh/mesh.h"

#include <math.h>

#define MESH_CASE_POINTS    9000
#define MESH_CASE_TRIANGLES 12000

typedef struct mesh_case {
    double points[3 * MESH_CASE_POINTS];
    int triangles[3 * MESH_CASE_TRIANGLES];
    int count, triangle_count;
} mesh_case;

static inline crn_shape_def mesh_case_def(const mesh_case *m)
{
    return (crn_shape_def){.kind = CRN_SHAPE_MESH,
                           .points = m->points,
                           .count = m->count,
                           .triangles = m->triangles,
                           .triangle_count = m->triangle_count};
}

static inline int mesh_case_point(mesh_case *m, double x, double y, double z)
{
    assert_true(m->count < MESH_CASE_POINTS);
    double *p = m->points + 3 * m->count;
    p[0] = x;
    p[1] = y;
    p[2] = z;
    return m->count++;
}

static inline void mesh_case_triangle(mesh_case *m, int a, int b, int c)
{
    assert_true(m->triangle_count < MESH_CASE_TRIANGLES);
    int *t = m->triangles + 3 * m->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static inline void mesh_case_quad(mesh_case *m, int a, int b, int c, int d)
{
    mesh_case_triangle(m, a, b, c);
    mesh_case_triangle(m, a, c, d);
}

/* A box; is_hole: with its triangles facing inwards. */
static inline void mesh_case_box(mesh_case *m, crn_vec3 centre, crn_vec3 half, bool is_hole)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int first = m->count;
    for (int k = 0; k < 8; ++k) {
        (void)mesh_case_point(m, centre.x + (k & 1 ? half.x : -half.x), centre.y + (k & 2 ? half.y : -half.y),
                              centre.z + (k & 4 ? half.z : -half.z));
    }
    for (int f = 0; f < 6; ++f) {
        int a = first + faces[f][0], b = first + faces[f][1], c = first + faces[f][2], d = first + faces[f][3];
        if (is_hole) {
            mesh_case_quad(m, d, c, b, a);
        } else {
            mesh_case_quad(m, a, b, c, d);
        }
    }
}

/* A ring about z of radius R and tube radius r, `around` x `across` squares. */
static inline void mesh_case_torus(mesh_case *m, double R, double r, int around, int across)
{
    const double turn = 6.283185307179586;
    int first = m->count;
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            double u = turn * i / around, v = turn * j / across, rho = R + r * cos(v);
            (void)mesh_case_point(m, rho * cos(u), rho * sin(u), r * sin(v));
        }
    }
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            int i1 = (i + 1) % around, j1 = (j + 1) % across;
            mesh_case_quad(m, first + i * across + j, first + i1 * across + j, first + i1 * across + j1,
                           first + i * across + j1);
        }
    }
}

/* A prism over a polygon (counter-clockwise, star-shaped from its first point), from z = -half to half. */
static inline void mesh_case_prism(mesh_case *m, const double (*polygon)[2], int corners, double half)
{
    int first = m->count;
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < corners; ++k) {
            (void)mesh_case_point(m, polygon[k][0], polygon[k][1], side == 0 ? -half : half);
        }
    }
    for (int k = 0; k < corners; ++k) {
        int next = (k + 1) % corners;
        mesh_case_quad(m, first + k, first + next, first + corners + next, first + corners + k);
        if (k > 0 && k + 1 < corners) {
            mesh_case_triangle(m, first, first + k + 1, first + k);
            mesh_case_triangle(m, first + corners, first + corners + k, first + corners + k + 1);
        }
    }
}

/* A star: corners of a prism at radius 1 and `inner` in turn; its concave edges are deep. First point: the centre's way. */
static inline void mesh_case_star(mesh_case *m, int spikes, double inner, double half)
{
    const double turn = 6.283185307179586;
    int first = m->count, corners = 2 * spikes;
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < corners; ++k) {
            double radius = k % 2 == 0 ? 1.0 : inner, angle = turn * k / corners;
            (void)mesh_case_point(m, radius * cos(angle), radius * sin(angle), side == 0 ? -half : half);
        }
    }
    int low = mesh_case_point(m, 0, 0, -half), high = mesh_case_point(m, 0, 0, half);
    for (int k = 0; k < corners; ++k) {
        int next = (k + 1) % corners;
        mesh_case_quad(m, first + k, first + next, first + corners + next, first + corners + k);
        mesh_case_triangle(m, low, first + next, first + k);
        mesh_case_triangle(m, high, first + corners + k, first + corners + next);
    }
}

static inline void mesh_case_turn_inside_out(mesh_case *m, int first_triangle)
{
    for (int t = first_triangle; t < m->triangle_count; ++t) {
        int swap = m->triangles[3 * t + 1];
        m->triangles[3 * t + 1] = m->triangles[3 * t + 2];
        m->triangles[3 * t + 2] = swap;
    }
}

/* --- Oracles --- */

static inline crn_vec3 mesh_corner(const crn_mesh *m, int t, int k)
{
    return m->vertex[m->face[3 * t + k]];
}

/* Nearest point on a segment. */
static inline crn_vec3 near_segment(crn_vec3 p, crn_vec3 a, crn_vec3 b)
{
    crn_vec3 ab = crn_v3_sub(b, a);
    double s = crn_v3_dot(ab, crn_v3_sub(p, a)) / crn_v3_dot(ab, ab);
    return s <= 0.0 ? a : s >= 1.0 ? b : crn_v3_axpy(a, s, ab);
}

/* By projection on the plane and the three sides: another way than the library's. */
static inline double near_triangle(crn_vec3 p, crn_vec3 a, crn_vec3 b, crn_vec3 c)
{
    crn_vec3 n = crn_v3_cross(crn_v3_sub(b, a), crn_v3_sub(c, a));
    const crn_vec3 corner[4] = {a, b, c, a};
    bool is_inside = true;
    double nearest = INFINITY;
    for (int k = 0; k < 3; ++k) {
        crn_vec3 side = crn_v3_sub(corner[k + 1], corner[k]);
        is_inside = is_inside && crn_v3_dot(crn_v3_cross(side, crn_v3_sub(p, corner[k])), n) > 0.0;
        nearest = fmin(nearest, crn_v3_length(crn_v3_sub(p, near_segment(p, corner[k], corner[k + 1]))));
    }
    return is_inside ? fabs(crn_v3_dot(crn_v3_sub(p, a), crn_v3_unit(n))) : nearest;
}

static inline double mesh_brute_distance(const crn_mesh *m, crn_vec3 p)
{
    double nearest = INFINITY;
    for (int t = 0; t < m->triangles; ++t) {
        nearest = fmin(nearest, near_triangle(p, mesh_corner(m, t, 0), mesh_corner(m, t, 1), mesh_corner(m, t, 2)));
    }
    return nearest;
}

/* How many times does the surface go round p? Sum of solid angles over 4 pi. */
static inline double mesh_winding(const crn_mesh *m, crn_vec3 p)
{
    double sum = 0.0;
    for (int t = 0; t < m->triangles; ++t) {
        crn_vec3 a = crn_v3_sub(mesh_corner(m, t, 0), p), b = crn_v3_sub(mesh_corner(m, t, 1), p),
                 c = crn_v3_sub(mesh_corner(m, t, 2), p);
        double la = crn_v3_length(a), lb = crn_v3_length(b), lc = crn_v3_length(c);
        double top = crn_v3_dot(a, crn_v3_cross(b, c));
        double bottom = la * lb * lc + crn_v3_dot(a, b) * lc + crn_v3_dot(b, c) * la + crn_v3_dot(c, a) * lb;
        sum += 2.0 * atan2(top, bottom);
    }
    return sum / 12.566370614359172;
}

static inline crn_mesh *mesh_case_build(const mesh_case *m)
{
    crn_shape_def def = mesh_case_def(m);
    crn_mesh *mesh = NULL;
    crn_error error;
    crn_clear(&error);
    crn_status status = crn_mesh_build(&def, NULL, &mesh, &error);
    TEST_CHECK(status == CRN_OK, "refused: %s", error.text);
    return mesh;
}

static inline crn_vec3 random_point(crn_random *random, const crn_mesh *m, double grow)
{
    crn_vec3 low = crn_v3_of(m->node[0].low), high = crn_v3_of(m->node[0].high);
    double by = grow * m->size;
    return crn_v3(crn_random_uniform(random, low.x - by, high.x + by),
                  crn_random_uniform(random, low.y - by, high.y + by),
                  crn_random_uniform(random, low.z - by, high.z + by));
}

/* Distance against every triangle, sign against the winding number. */
static inline void check_distance(const crn_mesh *m, crn_vec3 p, const char *name)
{
    crn_vec3 q;
    double found = crn_mesh_distance(m, p, &q), expected = mesh_brute_distance(m, p);
    TEST_CHECK(fabs(fabs(found) - expected) <= 1e-12 * m->size, "%s at (%.17g, %.17g, %.17g): %.17g, not %.17g", name,
               p.x, p.y, p.z, found, expected);
    TEST_CHECK(fabs(crn_v3_length(crn_v3_sub(p, q)) - expected) <= 1e-12 * m->size, "%s: nearest point", name);
    if (expected > 1e-9 * m->size) {
        bool is_inside = mesh_winding(m, p) > 0.5;
        TEST_CHECK(is_inside == (found < 0.0), "%s at (%.17g, %.17g, %.17g): distance %g, winding number %g", name, p.x,
                   p.y, p.z, found, mesh_winding(m, p));
    }
}

#endif
