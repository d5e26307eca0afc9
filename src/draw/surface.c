/* A surface that grows: points, triangles, fans. */
#include "draw/surface.h"

#include "math/elementary.h"

#include <math.h>

static bool make_room(crn_surface *s, int which, void **array, int needed, size_t item_size)
{
    s->is_short = s->is_short || !crn_reserve(&s->to->allocator, array, &s->room[which], needed, item_size);
    return !s->is_short;
}

int crn_surface_point(crn_surface *surface, crn_vec3 point, crn_vec3 normal)
{
    crn_triangles *to = surface->to;
    void *points = to->points, *normals = to->normals;
    int index = to->count;
    bool fits = make_room(surface, 0, &points, index + 1, 3 * sizeof(double)) &&
                make_room(surface, 1, &normals, index + 1, 3 * sizeof(double));
    to->points = (double *)points;
    to->normals = (double *)normals;
    if (!fits) {
        return 0;
    }
    crn_v3_to(point, to->points + 3 * (size_t)index);
    crn_v3_to(normal, to->normals + 3 * (size_t)index);
    return to->count++;
}

void crn_surface_triangle(crn_surface *surface, int a, int b, int c)
{
    crn_triangles *to = surface->to;
    void *triangles = to->triangles;
    bool fits = make_room(surface, 2, &triangles, to->triangle_count + 1, 3 * sizeof(int));
    to->triangles = (int *)triangles;
    if (fits) {
        int *corner = to->triangles + 3 * (size_t)to->triangle_count++;
        corner[0] = a;
        corner[1] = b;
        corner[2] = c;
    }
}

void crn_surface_quad(crn_surface *surface, int a, int b, int c, int d)
{
    crn_surface_triangle(surface, a, b, c);
    crn_surface_triangle(surface, a, c, d);
}

void crn_surface_fan(crn_surface *surface, int first, int count, bool is_back)
{
    for (int k = first + 1; k + 1 < first + count; ++k) {
        crn_surface_triangle(surface, first, is_back ? k + 1 : k, is_back ? k : k + 1);
    }
}

crn_vec3 crn_surface_unit(crn_vec3 v)
{
    double largest = crn_fmax(fabs(v.x), crn_fmax(fabs(v.y), fabs(v.z)));
    if (!(largest > 0.0)) {
        return crn_v3(0, 0, 1);
    }
    return crn_v3_unit(crn_v3(v.x / largest, v.y / largest, v.z / largest));
}

crn_vec3 crn_surface_turn(int k, int n)
{
    double angle = 6.283185307179586 * (k % n) / n;
    return crn_v3(crn_cos(angle), crn_sin(angle), 0.0);
}
