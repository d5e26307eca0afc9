/* Mass, centre of mass and inertia of a body: what the definition says, the rest from its shapes. */
#include "model/model_room.h"

#include "math/rigid.h"

#include <string.h>

static void add_scaled(crn_mat3 *to, double scale, const crn_mat3 *from)
{
    for (int i = 0; i < 9; ++i) {
        to->m[i] += scale * from->m[i];
    }
}

/* Of all shapes at their densities, in the body's frame. */
static crn_mass_properties sum_shapes(const crn_body_def *def, crn_shape *const *shape)
{
    crn_mass_properties sum = {0};
    for (int i = 0; i < def->shapes; ++i) {
        crn_mass_properties part = crn_shape_mass(shape[i]);
        double mass = def->shape[i].density * part.mass;
        const crn_pose *pose = &def->shape[i].pose;
        crn_vec3 com = crn_v3_add(pose->position, crn_quat_turn(pose->rotation, part.com));
        sum.mass += mass;
        sum.com = crn_v3_axpy(sum.com, mass, com);
    }
    if (!(sum.mass > 0.0)) {
        return sum;
    }
    sum.com = crn_v3_scale(1.0 / sum.mass, sum.com);
    for (int i = 0; i < def->shapes; ++i) {
        crn_mass_properties part = crn_shape_mass(shape[i]);
        double density = def->shape[i].density;
        const crn_pose *pose = &def->shape[i].pose;
        crn_vec3 com = crn_v3_add(pose->position, crn_quat_turn(pose->rotation, part.com));
        crn_mat3 turn = crn_quat_matrix(pose->rotation);
        crn_mat3 turned = crn_m3_turned(&turn, &part.inertia);
        add_scaled(&sum.inertia, density, &turned);
        crn_m3_add_mass(&sum.inertia, density * part.mass, crn_v3_sub(com, sum.com));
    }
    return sum;
}

bool crn_body_has_inertia(const crn_body_def *def)
{
    for (int i = 0; i < 9; ++i) {
        if (def->inertia.m[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* Pivots of the Cholesky factorisation, relative to the largest entry, must not vanish. */
static bool is_positive(const crn_mat3 *a)
{
    const double pivot_least = 1e-12;
    const double *m = a->m;
    double largest = crn_fmax(m[0], crn_fmax(m[4], m[8]));
    double d0 = m[0], d1 = m[4] - m[1] * m[1] / d0;
    if (!(d0 > pivot_least * largest) || !(d1 > pivot_least * largest)) {
        return false;
    }
    double l21 = (m[5] - m[1] * m[2] / d0) / d1;
    return m[8] - m[2] * m[2] / d0 - l21 * l21 * d1 > pivot_least * largest;
}

/* Of a planar body only the turn about z counts; the rest is set so that the matrix can be inverted. */
static void make_planar(crn_mass_properties *mass)
{
    double inertia = mass->inertia.m[8];
    mass->com.z = 0.0;
    mass->inertia = (crn_mat3){{inertia, 0, 0, 0, inertia, 0, 0, 0, inertia}};
}

crn_status crn_body_mass_of(const crn_body_def *def, bool is_planar, crn_shape *const *shape, crn_mass_properties *mass,
                            crn_error *error)
{
    crn_mass_properties shapes = sum_shapes(def, shape);
    *mass = shapes;
    if (def->kind != CRN_BODY_FREE) {
        *mass = (crn_mass_properties){.mass = 1.0, .com = def->com, .inertia = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}};
        return CRN_OK;
    }
    if (def->mass > 0.0) {
        mass->mass = def->mass;
        mass->com = def->com;
        memset(&mass->inertia, 0, sizeof mass->inertia);
        if (crn_body_has_inertia(def)) {
            mass->inertia = def->inertia;
        } else if (shapes.mass > 0.0) {
            add_scaled(&mass->inertia, def->mass / shapes.mass, &shapes.inertia);
            crn_m3_add_mass(&mass->inertia, def->mass, crn_v3_sub(shapes.com, def->com));
        }
    }
    if (def->is_massless) {
        *mass = (crn_mass_properties){.com = def->com};
        return CRN_OK;
    }
    if (is_planar) {
        make_planar(mass);
    }
    if (!(mass->mass > 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "body.mass: a free body needs mass, or shapes with density and volume");
    }
    if (!is_positive(&mass->inertia)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body.inertia: must be positive definite, or come from solid shapes");
    }
    return CRN_OK;
}
