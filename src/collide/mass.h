/* Mass, centre and inertia of solids of density 1:  m = int dV,  I = int (|x|^2 1 - x x') dV  about the centre. What closed
 * forms share; hulls, meshes and polygons have files of their own. */
#ifndef CRN_COLLIDE_MASS_H
#define CRN_COLLIDE_MASS_H

#include <cairn/collide.h>

#define CRN_MASS_PI 3.14159265358979323846

/* Symmetric about the frame's planes. */
static inline crn_mass_properties crn_mass_diagonal(double mass, double xx, double yy, double zz)
{
    return (crn_mass_properties){mass, {0, 0, 0}, {{xx, 0, 0, 0, yy, 0, 0, 0, zz}}};
}

static inline crn_mass_properties crn_mass_planar(double mass, double zz)
{
    return crn_mass_diagonal(mass, 0.0, 0.0, zz);
}

/* A brick of half sides h has int x^2 = m h_x^2 / 3, an ellipsoid of half axes h m h_x^2 / 5. */
static inline crn_mass_properties crn_mass_of_half_sides(double mass, crn_vec3 h, double divisor)
{
    double x = h.x * h.x, y = h.y * h.y, z = h.z * h.z;
    return crn_mass_diagonal(mass, mass * (y + z) / divisor, mass * (z + x) / divisor, mass * (x + y) / divisor);
}

/* Of radius r and half height l along z. */
static inline crn_mass_properties crn_mass_of_cylinder(double r, double l)
{
    double mass = 2.0 * CRN_MASS_PI * r * r * l;
    double across = mass * (r * r / 4.0 + l * l / 3.0);
    return crn_mass_diagonal(mass, across, across, mass * r * r / 2.0);
}

#endif
