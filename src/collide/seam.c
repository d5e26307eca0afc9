/* What a seam asks of convex shapes: how far they reach along a direction, which faces meet at a point, and where round ones
 * touch. Planar shapes too: of them only what lies in the plane counts. */
#include "collide/drum.h"

#include <math.h>

/* How much the place on the surface decides which of equally far vertices is meant, against the direction. */
#define BY_PLACE 0.05

bool crn_shape_is_convex(const crn_shape *shape)
{
    switch (shape->def.kind) {
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HALF_PLANE:
    case CRN_SHAPE_HEIGHT_FIELD:
    case CRN_SHAPE_MESH: return false;
    default: return true;
    }
}

bool crn_shape_is_smooth(const crn_shape *shape)
{
    switch (shape->def.kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_CAPSULE:
    case CRN_SHAPE_ELLIPSOID:
    case CRN_SHAPE_DISK:
    case CRN_SHAPE_ELLIPSE: return true;
    case CRN_SHAPE_SEGMENT: return shape->def.size.y > 0.0;
    default: return false;
    }
}

/* Cosine beyond which the direction looks out of a cap. */
#define OUT_OF_CAP 0.7

bool crn_shape_is_round(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis)
{
    *axis = crn_v3(0, 0, 0);
    switch (shape->def.kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_ELLIPSOID:
    case CRN_SHAPE_DISK:
    case CRN_SHAPE_ELLIPSE: return true;
    case CRN_SHAPE_CAPSULE: *axis = crn_m3_column(&frame->rotation, 2); return true;
    case CRN_SHAPE_SEGMENT: *axis = crn_m3_column(&frame->rotation, 0); return shape->def.size.y > 0.0;
    case CRN_SHAPE_CYLINDER:
        *axis = crn_m3_column(&frame->rotation, 2);
        return fabs(crn_v3_dot(d, *axis)) <= OUT_OF_CAP;
    case CRN_SHAPE_CONE: return fabs(crn_v3_dot(d, crn_m3_column(&frame->rotation, 2))) <= OUT_OF_CAP;
    default: return false;
    }
}

/* --- Support --- */

static crn_vec3 polygon_point(const crn_shape *shape, int k)
{
    return crn_v3(shape->def.points[2 * (ptrdiff_t)k], shape->def.points[2 * (ptrdiff_t)k + 1], 0.0);
}

static int polygon_farthest(const crn_shape *shape, crn_vec3 local)
{
    int best = 0;
    for (int k = 1; k < shape->def.count; ++k) {
        if (crn_v3_dot(local, crn_v3_sub(polygon_point(shape, k), polygon_point(shape, best))) > 0.0) {
            best = k;
        }
    }
    return best;
}

static double planar_support(const crn_shape *shape, crn_vec3 d)
{
    crn_vec3 s = shape->def.size;
    switch (shape->def.kind) {
    case CRN_SHAPE_DISK: return s.x;
    case CRN_SHAPE_ELLIPSE: return sqrt(s.x * s.x * d.x * d.x + s.y * s.y * d.y * d.y);
    case CRN_SHAPE_SEGMENT: return s.x * fabs(d.x) + s.y;
    case CRN_SHAPE_POLYGON: return crn_v3_dot(d, polygon_point(shape, polygon_farthest(shape, d)));
    default: return (double)INFINITY;
    }
}

double crn_shape_support(const crn_shape *shape, const crn_frame *frame, crn_vec3 d)
{
    crn_solid solid;
    if (crn_shape_kind_is_planar(shape->def.kind)) {
        return crn_v3_dot(d, frame->position) + planar_support(shape, crn_m3_transposed_times(&frame->rotation, d));
    }
    if (!crn_solid_of(&solid, shape, frame, frame->position)) {
        return (double)INFINITY;
    }
    int vertex = 0;
    crn_vec3 p = crn_solid_support(&solid, d, &vertex);
    return crn_v3_dot(d, frame->position) + crn_v3_dot(d, p) + solid.radius;
}

/* --- Faces --- */

static double sign_of(double x)
{
    return x < 0.0 ? -1.0 : 1.0;
}

/* In local axes, at the local point p. */
static int box_normals(crn_vec3 p, crn_vec3 *normal)
{
    normal[0] = crn_v3(sign_of(p.x), 0, 0);
    normal[1] = crn_v3(0, sign_of(p.y), 0);
    normal[2] = crn_v3(0, 0, sign_of(p.z));
    return 3;
}

/* Caps; the side is round and has a normal for each direction. */
static int drum_normals(const crn_solid *drum, crn_vec3 p, crn_vec3 *normal)
{
    if (!(crn_drum_radius(drum, p.z > 0.0) > 0.0)) {
        return 0;
    }
    normal[0] = crn_v3(0, 0, sign_of(p.z));
    return 1;
}

static int hull_normals(const crn_solid *hull, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    crn_vec3 towards = crn_v3_axpy(d, BY_PLACE / hull->extent, p);
    int vertex = 0, count = 0;
    (void)crn_solid_support(hull, crn_m3_times(&hull->rotation, towards), &vertex);
    for (int k = hull->around_start[vertex]; k < hull->around_start[vertex + 1] && count < CRN_FACE_NORMALS; ++k) {
        const int *edge = hull->edge + 4 * (ptrdiff_t)hull->around_edge[k];
        int face = edge[0] == vertex ? edge[2] : edge[3];
        normal[count++] = crn_v3_of(hull->face_normal + 3 * (ptrdiff_t)face);
    }
    return count;
}

static int polygon_normals(const crn_shape *shape, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    int count = shape->def.count, k = polygon_farthest(shape, crn_v3_axpy(d, BY_PLACE / shape->radius, p));
    for (int side = 0; side < 2; ++side) {
        int from = side == 0 ? k : (k + count - 1) % count;
        crn_vec3 e = crn_v3_sub(polygon_point(shape, (from + 1) % count), polygon_point(shape, from));
        normal[side] = crn_v3_unit(crn_v3(e.y, -e.x, 0.0));
    }
    return 2;
}

static int local_normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    crn_solid solid;
    switch (shape->def.kind) {
    case CRN_SHAPE_BOX: return box_normals(p, normal);
    case CRN_SHAPE_POLYGON: return polygon_normals(shape, crn_v3_sub(p, shape->mass.com), d, normal);
    case CRN_SHAPE_SEGMENT:
        normal[0] = crn_v3(0, 1, 0);
        normal[1] = crn_v3(0, -1, 0);
        return 2;
    case CRN_SHAPE_HULL:
    case CRN_SHAPE_CYLINDER:
    case CRN_SHAPE_CONE: break;
    default: return 0;
    }
    (void)crn_solid_of(&solid, shape, frame, frame->position);
    return shape->def.kind == CRN_SHAPE_HULL ? hull_normals(&solid, crn_v3_sub(p, shape->mass.com), d, normal)
                                             : drum_normals(&solid, p, normal);
}

int crn_shape_face_normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    crn_vec3 local = crn_frame_local(frame, p), along = crn_m3_transposed_times(&frame->rotation, d);
    int count = local_normals(shape, frame, local, along, normal);
    for (int k = 0; k < count; ++k) {
        normal[k] = crn_m3_times(&frame->rotation, normal[k]);
    }
    return count;
}

/* --- Where round shapes touch --- */

static double within(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

/* Local point, with d and p local too. */
static bool round_point(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    crn_vec3 s = shape->def.size;
    crn_solid drum;
    switch (shape->def.kind) {
    case CRN_SHAPE_SPHERE:
    case CRN_SHAPE_DISK: *point = crn_v3_scale(s.x, d); return true;
    case CRN_SHAPE_ELLIPSOID:
    case CRN_SHAPE_ELLIPSE: {
        crn_vec3 stretched = crn_v3(s.x * d.x, s.y * d.y, s.z * d.z);
        double scale = 1.0 / crn_v3_length(stretched);
        *point = crn_v3(scale * s.x * stretched.x, scale * s.y * stretched.y, scale * s.z * stretched.z);
        return true;
    }
    case CRN_SHAPE_CAPSULE: *point = crn_v3_axpy(crn_v3(0, 0, within(p.z, s.y)), s.x, d); return true;
    case CRN_SHAPE_SEGMENT: *point = crn_v3_axpy(crn_v3(within(p.x, s.x), 0, 0), s.y, d); return s.y > 0.0;
    case CRN_SHAPE_CYLINDER:
    case CRN_SHAPE_CONE: {
        double across = sqrt(d.x * d.x + d.y * d.y), z = within(p.z, s.y);
        (void)crn_solid_of(&drum, shape, frame, frame->position);
        double width = crn_drum_width(&drum, z);
        if (fabs(d.z) > OUT_OF_CAP) {
            return false;
        }
        *point = crn_v3(width * d.x / across, width * d.y / across, z);
        return true;
    }
    default: return false;
    }
}

bool crn_shape_round_point(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    crn_vec3 local = crn_frame_local(frame, p), along = crn_m3_transposed_times(&frame->rotation, d), found;
    if (!round_point(shape, frame, along, local, &found)) {
        return false;
    }
    *point = crn_frame_point(frame, found);
    return true;
}
