/* What a seam asks of convex shapes: how far they reach along a direction, which faces meet at a point, and where round ones
 * touch. Planar shapes too: of them only what lies in the plane counts. */
#include "collide/convex/seam.h"

#include "collide/convex/drum.h"

bool crn_shape_is_convex(const crn_shape *shape)
{
    return shape->type->seam != NULL;
}

bool crn_shape_is_smooth(const crn_shape *shape)
{
    const crn_seam_type *seam = shape->type->seam;
    return seam != NULL && seam->is_smooth != NULL && seam->is_smooth(shape);
}

bool crn_shape_is_round(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis)
{
    const crn_seam_type *seam = shape->type->seam;
    *axis = crn_v3(0, 0, 0);
    return seam != NULL && seam->is_round != NULL && seam->is_round(shape, frame, d, axis);
}

double crn_shape_support(const crn_shape *shape, const crn_frame *frame, crn_vec3 d)
{
    const crn_seam_type *seam = shape->type->seam;
    crn_solid solid;
    if (seam != NULL && seam->support != NULL) {
        return crn_v3_dot(d, frame->position) + seam->support(shape, crn_m3_transposed_times(&frame->rotation, d));
    }
    if (!crn_solid_of(&solid, shape, frame, frame->position)) {
        return (double)INFINITY;
    }
    int vertex = 0;
    crn_vec3 p = crn_solid_support(&solid, d, &vertex);
    return crn_v3_dot(d, frame->position) + crn_v3_dot(d, p) + solid.radius;
}

crn_vec3 crn_shape_support_point(const crn_shape *shape, crn_vec3 d)
{
    const crn_frame here = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
    crn_solid solid;
    int vertex = 0;
    if (!crn_solid_of(&solid, shape, &here, here.position)) {
        return here.position;
    }
    return crn_v3_axpy(crn_solid_support(&solid, d, &vertex), solid.radius, d);
}

int crn_shape_face_normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    const crn_seam_type *seam = shape->type->seam;
    if (seam == NULL || seam->normals == NULL) {
        return 0;
    }
    crn_vec3 local = crn_frame_local(frame, p), along = crn_m3_transposed_times(&frame->rotation, d);
    int count = seam->normals(shape, frame, local, along, normal);
    for (int k = 0; k < count; ++k) {
        normal[k] = crn_m3_times(&frame->rotation, normal[k]);
    }
    return count;
}

bool crn_shape_round_point(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    const crn_seam_type *seam = shape->type->seam;
    crn_vec3 local = crn_frame_local(frame, p), along = crn_m3_transposed_times(&frame->rotation, d), found;
    if (seam == NULL || seam->round_point == NULL || !seam->round_point(shape, along, local, &found)) {
        return false;
    }
    *point = crn_frame_point(frame, found);
    return true;
}

/* --- Smooth cores --- */

bool crn_seam_always(const crn_shape *shape)
{
    (void)shape;
    return true;
}

bool crn_seam_is_ball(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis)
{
    (void)shape;
    (void)frame;
    (void)d;
    (void)axis;
    return true;
}

static bool smooth_point(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    (void)p;
    *point = shape->type->smooth->support(shape->def.size, d);
    return true;
}

const crn_seam_type crn_seam_smooth = {
    .is_smooth = crn_seam_always, .is_round = crn_seam_is_ball, .round_point = smooth_point};

/* --- Drums --- */

/* Cosine beyond which the direction looks out of a cap. */
#define OUT_OF_CAP 0.7

static crn_solid drum_of(const crn_shape *shape)
{
    crn_solid drum = {.size = shape->def.size};
    shape->type->core(shape, &drum);
    return drum;
}

/* Straight along its axis if the caps are alike. */
static bool drum_is_round(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis)
{
    crn_solid drum = drum_of(shape);
    crn_vec3 z = crn_m3_column(&frame->rotation, 2);
    if (drum.size.x == drum.size.z) {
        *axis = z;
    }
    return fabs(crn_v3_dot(d, z)) <= OUT_OF_CAP;
}

static bool drum_point(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    crn_solid drum = drum_of(shape);
    if (fabs(d.z) > OUT_OF_CAP) {
        return false;
    }
    double across = sqrt(d.x * d.x + d.y * d.y), z = crn_seam_within(p.z, drum.size.y),
           width = crn_drum_width(&drum, z);
    *point = crn_v3(width * d.x / across, width * d.y / across, z);
    return true;
}

/* Caps; the side is round and has a normal for each direction. */
static int drum_normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    (void)frame;
    (void)d;
    crn_solid drum = drum_of(shape);
    if (!(crn_drum_radius(&drum, p.z > 0.0) > 0.0)) {
        return 0;
    }
    normal[0] = crn_v3(0, 0, crn_seam_sign(p.z));
    return 1;
}

const crn_seam_type crn_seam_drum = {.is_round = drum_is_round, .round_point = drum_point, .normals = drum_normals};
