/* Axis-aligned bounds: along each world axis the support of the shape both ways. A box of half sides h turned by R
 * reaches  sum_k |R_ik| h_k  along axis i; a capsule is a segment grown by its radius, a mesh counts as the box around it. */
#include "collide/mesh.h"

#include <float.h>
#include <math.h>

static crn_bounds around(crn_vec3 centre, double x, double y, double z)
{
    return (crn_bounds){{centre.x - x, centre.y - y, centre.z - z}, {centre.x + x, centre.y + y, centre.z + z}};
}

static crn_bounds of_box(const crn_frame *f, crn_vec3 h)
{
    const double *r = f->rotation.m;
    return around(f->position, fabs(r[0]) * h.x + fabs(r[3]) * h.y + fabs(r[6]) * h.z,
                  fabs(r[1]) * h.x + fabs(r[4]) * h.y + fabs(r[7]) * h.z,
                  fabs(r[2]) * h.x + fabs(r[5]) * h.y + fabs(r[8]) * h.z);
}

/* Of the box around the mesh in its own frame: wider than the mesh where it is turned, but found at once. */
static crn_bounds of_mesh(const crn_frame *f, const crn_mesh *mesh)
{
    crn_vec3 low = crn_v3_of(mesh->node[0].low), high = crn_v3_of(mesh->node[0].high);
    crn_frame centred = {f->rotation, crn_frame_point(f, crn_v3_scale(0.5, crn_v3_add(low, high)))};
    return of_box(&centred, crn_v3_scale(0.5, crn_v3_sub(high, low)));
}

static crn_bounds of_capsule(const crn_frame *f, double radius, double half)
{
    const double *z = f->rotation.m + 6;
    return around(f->position, radius + half * fabs(z[0]), radius + half * fabs(z[1]), radius + half * fabs(z[2]));
}

/* A normal counts as a world axis if its other components are no more than the rounding of a turned frame: the half-space
 * is then cut off at its surface, too low by at most LEVEL times the distance, 1e-9 m at a distance of 1000 km. */
#define LEVEL (4.0 * DBL_EPSILON)

static crn_bounds of_plane(const crn_frame *f)
{
    const double *n = f->rotation.m + 6;
    const double at[3] = {f->position.x, f->position.y, f->position.z};
    const double inf = (double)INFINITY;
    crn_bounds bounds = {{-inf, -inf, -inf}, {inf, inf, inf}};
    for (int k = 0; k < 3; ++k) {
        if (fabs(n[(k + 1) % 3]) <= LEVEL && fabs(n[(k + 2) % 3]) <= LEVEL) {
            double *side = n[k] > 0.0 ? bounds.high : bounds.low;
            side[k] = at[k];
        }
    }
    return bounds;
}

static crn_bounds tight_bounds(const crn_shape *shape, const crn_frame *frame)
{
    crn_vec3 s = shape->def.size;
    switch (shape->def.kind) {
    case CRN_SHAPE_SPHERE: return around(frame->position, s.x, s.x, s.x);
    case CRN_SHAPE_BOX: return of_box(frame, s);
    case CRN_SHAPE_CAPSULE: return of_capsule(frame, s.x, s.y);
    case CRN_SHAPE_PLANE: return of_plane(frame);
    case CRN_SHAPE_MESH: return of_mesh(frame, shape->mesh);
    case CRN_SHAPE_CYLINDER:
    case CRN_SHAPE_CONE:
    case CRN_SHAPE_ELLIPSOID:
    case CRN_SHAPE_HULL:
    case CRN_SHAPE_HEIGHT_FIELD: return crn_convex_bounds(shape, frame);
    default: return crn_planar_bounds(shape, frame);
    }
}

crn_bounds crn_shape_bounds(const crn_shape *shape, const crn_frame *frame, double grow)
{
    crn_bounds bounds = tight_bounds(shape, frame);
    for (int k = 0; k < 3; ++k) {
        bounds.low[k] -= grow;
        bounds.high[k] += grow;
    }
    return bounds;
}
