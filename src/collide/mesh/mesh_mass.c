/* Mass properties of a closed mesh of density 1, by tetrahedra from the middle o of its bounds to each triangle a, b, c
 * (relative to o), with d = a.(b x c) and s = a + b + c (the same integrals over faces: [Mir96]):
 *
 *   V = sum d / 6,   C = int x = sum d s / 24,   S = int x x' = sum d/120 (a a' + b b' + c c' + s s')
 *   com = o + C / V,   S -> S - C C' / V,   I = tr(S) 1 - S.
 *
 * I_x + I_y >= I_z for the principal moments says that S is not negative: so that is what is checked. */
#include "collide/mesh/mesh_parts.h"

/* Volume relative to surface times size, about the thickness relative to the size: below, a mesh has no inside to speak of
 * and its inertia is noise. The same part as for hulls. */
#define THIN 1e-9

/* How far below 0 rounding may take the smallest eigenvalue of S, relative to its trace. */
#define S_ROUNDING 1e-12

crn_mesh_moments crn_mesh_find_moments(const crn_mesh *mesh)
{
    int exponent;
    (void)frexp(mesh->size, &exponent);
    const crn_mesh_node *root = &mesh->node[0];
    crn_mesh_moments m = {.unit = ldexp(1.0, exponent)};
    m.middle = crn_v3_scale(0.5, crn_v3_add(crn_v3_of(root->low), crn_v3_of(root->high)));
    for (int t = 0; t < mesh->triangles; ++t) {
        crn_vec3 p[4];
        for (int k = 0; k < 3; ++k) {
            crn_vec3 corner = mesh->vertex[mesh->face[3 * (size_t)t + (size_t)k]];
            p[k] = crn_v3_scale(1.0 / m.unit, crn_v3_sub(corner, m.middle));
        }
        p[3] = crn_v3_add(p[0], crn_v3_add(p[1], p[2]));
        double d = crn_v3_dot(p[0], crn_v3_cross(p[1], p[2]));
        m.volume += d / 6.0;
        m.area += 0.5 * crn_v3_length(crn_v3_cross(crn_v3_sub(p[1], p[0]), crn_v3_sub(p[2], p[0])));
        m.first = crn_v3_axpy(m.first, d / 24.0, p[3]);
        for (int i = 0; i < 4; ++i) {
            m.second[0] += d / 120.0 * p[i].x * p[i].x;
            m.second[1] += d / 120.0 * p[i].y * p[i].y;
            m.second[2] += d / 120.0 * p[i].z * p[i].z;
            m.second[3] += d / 120.0 * p[i].x * p[i].y;
            m.second[4] += d / 120.0 * p[i].x * p[i].z;
            m.second[5] += d / 120.0 * p[i].y * p[i].z;
        }
    }
    return m;
}

/* S about the centre of mass. */
static void centre_second(const crn_mesh_moments *m, double second[6])
{
    crn_vec3 c = crn_v3_scale(1.0 / m->volume, m->first);
    const double square[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
    for (int k = 0; k < 6; ++k) {
        second[k] = m->second[k] - m->volume * square[k];
    }
}

crn_mass_properties crn_mesh_mass(const crn_mesh *mesh)
{
    crn_mass_properties none = {0.0, {0, 0, 0}, {{0}}};
    if (!mesh->is_closed) {
        return none;
    }
    crn_mesh_moments m = crn_mesh_find_moments(mesh);
    if (!(m.volume != 0.0)) {
        return none;
    }
    double s[6], cube = m.unit * m.unit * m.unit, fifth = cube * m.unit * m.unit;
    centre_second(&m, s);
    crn_vec3 com = crn_v3_axpy(m.middle, m.unit / m.volume, m.first);
    crn_mat3 inertia = {{s[1] + s[2], -s[3], -s[4], -s[3], s[0] + s[2], -s[5], -s[4], -s[5], s[0] + s[1]}};
    for (int k = 0; k < 9; ++k) {
        inertia.m[k] *= fifth;
    }
    return (crn_mass_properties){m.volume * cube, com, inertia};
}

/* Is the symmetric matrix (xx yy zz xy xz yz) positive? By the pivots of elimination. */
static bool is_positive(const double s[6])
{
    double p0 = s[0];
    if (!(p0 > 0.0)) {
        return false;
    }
    double yy = s[1] - s[3] * s[3] / p0, yz = s[5] - s[3] * s[4] / p0, zz = s[2] - s[4] * s[4] / p0;
    return yy > 0.0 && zz - yz * yz / yy > 0.0;
}

crn_status crn_mesh_check_mass(const crn_mesh *mesh, crn_error *error)
{
    crn_mesh_moments m = crn_mesh_find_moments(mesh);
    double cube = m.unit * m.unit * m.unit;
    if (!(m.volume > THIN * m.area)) { /* the unit is the size, within a factor of 2 */
        return crn_fail(error, CRN_ERR_ARGUMENT, "triangles: their volume is %g, in bounds of %g across",
                        m.volume * cube, mesh->size);
    }
    double s[6];
    centre_second(&m, s);
    double shift = S_ROUNDING * (s[0] + s[1] + s[2]);
    for (int k = 0; k < 3; ++k) {
        s[k] += shift;
    }
    if (!is_positive(s)) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "triangles: no body has their inertia: parts of the mesh must be inside out or cross others");
    }
    return CRN_OK;
}
