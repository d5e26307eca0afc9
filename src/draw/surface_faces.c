/* Box, hull and plane as triangles: each face has points of its own, so that its edges are sharp. */
#include "draw/surface.h"

void crn_surface_hull(crn_surface *s, const crn_shape *shape)
{
    const crn_polyhedron *hull = crn_shape_polyhedron(shape);
    for (int f = 0; f < hull->faces; ++f) {
        int first = s->to->count, corners = hull->face_start[f + 1] - hull->face_start[f];
        const int *loop = hull->face_vertex + hull->face_start[f];
        for (int k = 0; k < corners; ++k) {
            (void)crn_surface_point(s, crn_v3_of(hull->vertex + 3 * (size_t)loop[k]),
                                    crn_v3_of(hull->face_normal + 3 * (size_t)f));
        }
        crn_surface_fan(s, first, corners, false);
    }
}

/* The face with normal out, between the half sides right and up, which are counter-clockwise seen from outside. */
static void add_rectangle(crn_surface *s, crn_vec3 middle, crn_vec3 right, crn_vec3 up, crn_vec3 out)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    int first = s->to->count;
    for (int k = 0; k < 4; ++k) {
        crn_vec3 p = crn_v3_axpy(crn_v3_axpy(middle, corner[k][0], right), corner[k][1], up);
        (void)crn_surface_point(s, p, out);
    }
    crn_surface_fan(s, first, 4, false);
}

void crn_surface_box(crn_surface *s, const crn_shape *shape)
{
    const crn_vec3 half = crn_shape_definition(shape)->size;
    const crn_vec3 side[3] = {{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}};
    for (int k = 0; k < 3; ++k) {
        crn_vec3 right = side[(k + 1) % 3], up = side[(k + 2) % 3];
        crn_vec3 out = crn_v3(k == 0, k == 1, k == 2);
        add_rectangle(s, side[k], right, up, out);
        add_rectangle(s, crn_v3_scale(-1, side[k]), up, right, crn_v3_scale(-1, out));
    }
}

void crn_surface_plane(crn_surface *s, const crn_shape *shape)
{
    (void)shape;
    add_rectangle(s, crn_v3(0, 0, 0), crn_v3(s->reach, 0, 0), crn_v3(0, s->reach, 0), crn_v3(0, 0, 1));
}
