/* Mass, centre and inertia of solids of density 1:  m = int dV,  I = int (|x|^2 1 - x x') dV  about the centre.
 *
 * Closed forms; com = 0 but for a cone, as the shapes are symmetric about their origin. A round-ended body is a straight part and
 * two halves of a ball (disk) whose flat sides lie at distance l from the centre; with c the distance of a half's
 * centre of mass from its flat side (3/8 r of a half ball, 4/(3 pi) r of a half disk) the two halves of mass m together
 * have, about an axis across,  I = I_ball + m (l^2 + 2 l c).  */
#include "collide/mass.h"
#include "collide/mesh.h"

static const double pi = 3.14159265358979323846;

static crn_mass_properties with_inertia(double mass, double xx, double yy, double zz)
{
    return (crn_mass_properties){mass, {0, 0, 0}, {{xx, 0, 0, 0, yy, 0, 0, 0, zz}}};
}

static crn_mass_properties planar(double mass, double zz)
{
    return with_inertia(mass, 0.0, 0.0, zz);
}

/* A brick of half sides h has int x^2 = m h_x^2 / 3, an ellipsoid of half axes h m h_x^2 / 5. */
static crn_mass_properties of_half_sides(double mass, crn_vec3 h, double divisor)
{
    double x = h.x * h.x, y = h.y * h.y, z = h.z * h.z;
    return with_inertia(mass, mass * (y + z) / divisor, mass * (z + x) / divisor, mass * (x + y) / divisor);
}

static crn_mass_properties of_cylinder(double r, double l)
{
    double mass = 2.0 * pi * r * r * l;
    double across = mass * (r * r / 4.0 + l * l / 3.0);
    return with_inertia(mass, across, across, mass * r * r / 2.0);
}

static crn_mass_properties of_capsule(double r, double l)
{
    crn_mass_properties straight = of_cylinder(r, l);
    double ball = 4.0 / 3.0 * pi * r * r * r;
    double across = straight.inertia.m[0] + ball * (0.4 * r * r + l * (l + 0.75 * r));
    return with_inertia(straight.mass + ball, across, across, straight.inertia.m[8] + ball * 0.4 * r * r);
}

/* Of height 2 l; its centre is a quarter of that above the base. */
static crn_mass_properties of_cone(double r, double l)
{
    double mass = 2.0 / 3.0 * pi * r * r * l, across = 0.15 * mass * (r * r + l * l);
    crn_mass_properties made = with_inertia(mass, across, across, 0.3 * mass * r * r);
    made.com.z = -0.5 * l;
    return made;
}

/* A bar of half length l with round ends of radius r; without radius it has 1 kg/m. */
static crn_mass_properties of_segment(double l, double r)
{
    if (r == 0.0) {
        return planar(2.0 * l, 2.0 * l * l * l / 3.0);
    }
    double straight = 4.0 * l * r, disk = pi * r * r;
    double inertia = straight * (l * l + r * r) / 3.0 + disk * (r * r / 2.0 + l * (l + 8.0 / (3.0 * pi) * r));
    return planar(straight + disk, inertia);
}

crn_mass_properties crn_mass_of(const crn_shape *shape)
{
    crn_vec3 s = shape->def.size;
    switch (shape->def.kind) {
    case CRN_SHAPE_SPHERE: return of_half_sides(4.0 / 3.0 * pi * s.x * s.x * s.x, crn_v3(s.x, s.x, s.x), 5.0);
    case CRN_SHAPE_BOX: return of_half_sides(8.0 * s.x * s.y * s.z, s, 3.0);
    case CRN_SHAPE_ELLIPSOID: return of_half_sides(4.0 / 3.0 * pi * s.x * s.y * s.z, s, 5.0);
    case CRN_SHAPE_CAPSULE: return of_capsule(s.x, s.y);
    case CRN_SHAPE_CYLINDER: return of_cylinder(s.x, s.y);
    case CRN_SHAPE_CONE: return of_cone(s.x, s.y);
    case CRN_SHAPE_HULL: return crn_hull_mass(shape->polyhedron);
    case CRN_SHAPE_MESH: return crn_mesh_mass(shape->mesh);
    case CRN_SHAPE_DISK: return planar(pi * s.x * s.x, pi * s.x * s.x * s.x * s.x / 2.0);
    case CRN_SHAPE_ELLIPSE: return planar(pi * s.x * s.y, pi * s.x * s.y * (s.x * s.x + s.y * s.y) / 4.0);
    case CRN_SHAPE_POLYGON: return crn_polygon_mass(shape->def.points, shape->def.count);
    case CRN_SHAPE_SEGMENT: return of_segment(s.x, s.y);
    case CRN_SHAPE_PLANE:
    case CRN_SHAPE_HEIGHT_FIELD:
    case CRN_SHAPE_HALF_PLANE: break;
    }
    return planar(0.0, 0.0);
}
