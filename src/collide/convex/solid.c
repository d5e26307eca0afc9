/* Convex solids and their support functions.
 *
 * Of a polyhedron with many vertices the farthest one is found by climbing from neighbour to neighbour: on a convex body a
 * vertex without a higher neighbour is the highest. */
#include "collide/convex/drum.h"
#include "math/elementary.h"

#include <string.h>

bool crn_solid_of(crn_solid *solid, const crn_shape *shape, const crn_frame *frame, crn_vec3 origin)
{
    if (shape->type->core == NULL) {
        return false;
    }
    solid->rotation = frame->rotation;
    solid->centre = crn_v3_sub(frame->position, origin);
    solid->size = shape->def.size;
    solid->radius = 0.0;
    solid->extent = shape->radius;
    solid->motion = crn_collide_motion_unknown();
    shape->type->core(shape, solid);
    return true;
}

void crn_solid_moves(crn_solid *solid, const crn_collide_motion *motion, const crn_mat3 *axes)
{
    solid->motion = *motion;
    if (axes != NULL) {
        solid->motion.turn = crn_m3_transposed_times(axes, motion->turn);
        solid->motion.shift = crn_m3_transposed_times(axes, motion->shift);
    }
}

void crn_solid_point(crn_solid *solid, crn_vec3 p)
{
    solid->kind = CRN_CORE_POINT;
    solid->rotation = (crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    solid->centre = p;
    solid->size = crn_v3(0, 0, 0);
    solid->radius = solid->extent = 0.0;
    solid->motion = crn_collide_motion_unknown();
}

void crn_solid_segment(crn_solid *solid, crn_vec3 p, crn_vec3 q)
{
    crn_vec3 along = crn_v3_sub(q, p);
    double length = crn_v3_length(along);
    crn_vec3 z = crn_v3_scale(1.0 / length, along), x = crn_v3_orthogonal(z);
    crn_solid_point(solid, crn_v3_scale(0.5, crn_v3_add(p, q)));
    solid->kind = CRN_CORE_SEGMENT;
    crn_v3_to(x, solid->rotation.m);
    crn_v3_to(crn_v3_cross(z, x), solid->rotation.m + 3);
    crn_v3_to(z, solid->rotation.m + 6);
    solid->size.y = solid->extent = 0.5 * length;
}

void crn_solid_triangle(crn_solid *solid, crn_vec3 p, crn_vec3 q, crn_vec3 r)
{
    crn_solid_point(solid, crn_v3(0, 0, 0));
    solid->kind = CRN_CORE_POLYHEDRON;
    solid->vertices = 3;
    solid->faces = solid->edges = 0;
    solid->guide = NULL;
    solid->vertex = solid->corner;
    crn_v3_to(p, solid->corner);
    crn_v3_to(q, solid->corner + 3);
    crn_v3_to(r, solid->corner + 6);
    solid->extent = crn_fmax(crn_v3_length(p), crn_fmax(crn_v3_length(q), crn_v3_length(r)));
}

/* --- Support --- */

/* With fewer vertices looking at each is faster than climbing. */
#define CLIMB_FROM 24

static int highest_of_all(const crn_solid *s, crn_vec3 d)
{
    int best = 0;
    double most = crn_v3_dot(d, crn_v3_of(s->vertex));
    for (int k = 1; k < s->vertices; ++k) {
        double own = crn_v3_dot(d, crn_v3_of(s->vertex + 3 * (ptrdiff_t)k));
        if (own > most) {
            most = own;
            best = k;
        }
    }
    return best;
}

static int climb(const crn_solid *s, crn_vec3 d, int from)
{
    int near_by = s->guide[crn_guide_cell(d)];
    crn_vec3 gain =
        crn_v3_sub(crn_v3_of(s->vertex + 3 * (ptrdiff_t)near_by), crn_v3_of(s->vertex + 3 * (ptrdiff_t)from));
    from = crn_v3_dot(d, gain) > 0.0 ? near_by : from;
    double most = crn_v3_dot(d, crn_v3_of(s->vertex + 3 * (ptrdiff_t)from));
    for (int best = from;; from = best) {
        for (int k = s->around_start[from]; k < s->around_start[from + 1]; ++k) {
            double own = crn_v3_dot(d, crn_v3_of(s->vertex + 3 * (ptrdiff_t)s->around[k]));
            if (own > most) {
                most = own;
                best = s->around[k];
            }
        }
        if (best == from) {
            return best;
        }
    }
}

crn_vec3 crn_solid_support(const crn_solid *s, crn_vec3 direction, int *vertex)
{
    crn_vec3 d = crn_m3_transposed_times(&s->rotation, direction), p = crn_v3(0, 0, 0);
    switch (s->kind) {
    case CRN_CORE_POINT: return s->centre;
    case CRN_CORE_SEGMENT: p.z = d.z < 0.0 ? -s->size.y : s->size.y; break;
    case CRN_CORE_DRUM: {
        int cap = crn_drum_rise(s, d) >= 0.0;
        double across = sqrt(d.x * d.x + d.y * d.y), scale = across > 0.0 ? crn_drum_radius(s, cap) / across : 0.0;
        p = crn_v3(scale * d.x, scale * d.y, cap == 0 ? -s->size.y : s->size.y);
        break;
    }
    case CRN_CORE_SMOOTH: p = s->smooth->support(s->size, d); break;
    case CRN_CORE_POLYHEDRON:
        *vertex = s->vertices < CLIMB_FROM ? highest_of_all(s, d) : climb(s, d, *vertex);
        return crn_solid_vertex(s, *vertex);
    }
    *vertex = 0;
    return crn_v3_add(s->centre, crn_m3_times(&s->rotation, p));
}
