/* A capsule: a segment along z, of half length l, grown by a radius r. Without length it is a ball. */
#include "collide/convex/bounds.h"
#include "collide/mass.h"
#include "collide/mesh/mesh_shapes.h"
#include "collide/plane.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static double radius(const crn_shape_def *def)
{
    return def->size.x + def->size.y;
}

/* A cylinder and two halves of a ball whose flat sides lie at distance l from the centre; with c = 3/8 r the distance of a half's
 * centre of mass from its flat side the two halves of mass m together have, about an axis across,
 * I = I_ball + m (l^2 + 2 l c). */
static crn_mass_properties mass(const crn_shape *shape)
{
    double r = shape->def.size.x, l = shape->def.size.y;
    crn_mass_properties straight = crn_mass_of_cylinder(r, l);
    double ball = 4.0 / 3.0 * CRN_MASS_PI * r * r * r;
    double across = straight.inertia.m[0] + ball * (0.4 * r * r + l * (l + 0.75 * r));
    return crn_mass_diagonal(straight.mass + ball, across, across, straight.inertia.m[8] + ball * 0.4 * r * r);
}

static crn_bounds bounds(const crn_shape *shape, const crn_frame *frame)
{
    const double *z = frame->rotation.m + 6;
    double r = shape->def.size.x, half = shape->def.size.y;
    return crn_bounds_around(frame->position, r + half * fabs(z[0]), r + half * fabs(z[1]), r + half * fabs(z[2]));
}

/* The union of a cylinder without caps and two balls. */
static void cast(const crn_shape *shape, crn_cut *cut)
{
    double r = shape->def.size.x, half = shape->def.size.y;
    crn_cut best = *cut, bar = *cut;
    crn_cut_nothing(&best);
    crn_cut_slab(&bar, crn_v3(0, 0, 1), half);
    crn_cut_quadric(&bar, crn_v3(1, 1, 0), r * r, crn_v3(0, 0, 0));
    crn_cut_first(&best, &bar);
    for (int end = -1; end < 2; end += 2) {
        crn_cut ball = *cut;
        crn_cut_quadric(&ball, crn_v3(1, 1, 1), r * r, crn_v3(0, 0, end * half));
        crn_cut_first(&best, &ball);
    }
    *cut = best;
}

static void core(const crn_shape *shape, crn_solid *solid)
{
    crn_vec3 size = shape->def.size;
    solid->kind = size.y > 0.0 ? CRN_CORE_SEGMENT : CRN_CORE_POINT;
    solid->radius = size.x;
    solid->extent = size.y;
}

static void on_plane(const crn_query *query, crn_touches *out)
{
    crn_ground g = crn_ground_of(query);
    crn_vec3 size = query->a->def.size, axis = crn_m3_column(&query->frame_a->rotation, 2);
    crn_ground_meet(&g, crn_v3_axpy(query->frame_a->position, -size.y, axis), size.x, 0, out);
    if (size.y > 0.0) {
        crn_ground_meet(&g, crn_v3_axpy(query->frame_a->position, size.y, axis), size.x, 1, out);
    }
}

static bool is_round(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis)
{
    (void)shape;
    (void)d;
    *axis = crn_m3_column(&frame->rotation, 2);
    return true;
}

static bool round_point(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    crn_vec3 s = shape->def.size;
    *point = crn_v3_axpy(crn_v3(0, 0, crn_seam_within(p.z, s.y)), s.x, d);
    return true;
}

static const crn_seam_type seam = {.is_smooth = crn_seam_always, .is_round = is_round, .round_point = round_point};

const crn_shape_type crn_shape_capsule = {
    .traits = {.name = "capsule", .size = {{"radius", 0, 1, false, false}, {"half_length", 1, 1, false, true}}},
    .radius = radius,
    .mass = mass,
    .bounds = bounds,
    .cast = cast,
    .core = core,
    .seam = &seam,
    .on_plane = on_plane,
    .on_mesh = crn_core_mesh};
