/* A planar bar of half length l along x with round ends of radius r; without radius it is thin and has 1 kg/m. */
#include "collide/mass.h"
#include "collide/planar/planar.h"
#include "collide/ray.h"
#include "collide/convex/seam.h"
#include "collide/shape_types.h"

static double radius(const crn_shape_def *def)
{
    return def->size.x + def->size.y;
}

/* As of a capsule, but with halves of a disk, whose centres of mass are 4/(3 pi) r from their flat sides. */
static crn_mass_properties mass(const crn_shape *shape)
{
    double l = shape->def.size.x, r = shape->def.size.y;
    if (r == 0.0) {
        return crn_mass_planar(2.0 * l, 2.0 * l * l * l / 3.0);
    }
    double straight = 4.0 * l * r, disk = CRN_MASS_PI * r * r;
    double inertia = straight * (l * l + r * r) / 3.0 + disk * (r * r / 2.0 + l * (l + 8.0 / (3.0 * CRN_MASS_PI) * r));
    return crn_mass_planar(straight + disk, inertia);
}

/* The union of a rectangle and two disks. */
static void cast(const crn_shape *shape, crn_cut *cut)
{
    double half = shape->def.size.x, r = shape->def.size.y;
    crn_cut best = *cut, bar = *cut;
    crn_cut_nothing(&best);
    crn_cut_slab(&bar, crn_v3(1, 0, 0), half);
    crn_cut_slab(&bar, crn_v3(0, 1, 0), r);
    crn_cut_first(&best, &bar);
    for (int end = -1; end < 2; end += 2) {
        crn_cut disk = *cut;
        crn_cut_quadric(&disk, crn_v3(1, 1, 0), r * r, crn_v3(end * half, 0, 0));
        crn_cut_first(&best, &disk);
    }
    *cut = best;
}

static double support(const crn_shape *shape, crn_vec3 d)
{
    return shape->def.size.x * fabs(d.x) + shape->def.size.y;
}

static bool is_smooth(const crn_shape *shape)
{
    return shape->def.size.y > 0.0;
}

static bool is_round(const crn_shape *shape, const crn_frame *frame, crn_vec3 d, crn_vec3 *axis)
{
    (void)d;
    *axis = crn_m3_column(&frame->rotation, 0);
    return shape->def.size.y > 0.0;
}

static bool round_point(const crn_shape *shape, crn_vec3 d, crn_vec3 p, crn_vec3 *point)
{
    crn_vec3 s = shape->def.size;
    *point = crn_v3_axpy(crn_v3(crn_seam_within(p.x, s.x), 0, 0), s.y, d);
    return s.y > 0.0;
}

static int normals(const crn_shape *shape, const crn_frame *frame, crn_vec3 p, crn_vec3 d, crn_vec3 *normal)
{
    (void)shape;
    (void)frame;
    (void)p;
    (void)d;
    normal[0] = crn_v3(0, 1, 0);
    normal[1] = crn_v3(0, -1, 0);
    return 2;
}

static const crn_seam_type seam = {
    .is_smooth = is_smooth, .is_round = is_round, .round_point = round_point, .normals = normals, .support = support};

const crn_shape_type crn_shape_segment = {
    .traits = {.name = "segment",
               .size = {{"half_length", 0, 1, false, false}, {"radius", 1, 1, true, true}},
               .is_planar = true},
    .radius = radius,
    .mass = mass,
    .bounds = crn_bounds_of_outline,
    .cast = cast,
    .seam = &seam};
