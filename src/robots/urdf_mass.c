/* Mass, centre of mass and inertia of a body: the sum over its links [F08 ch. 2].
 *
 *   m = sum m_i,   c = sum m_i c_i / m,   I = sum R_i I_i R_i' + m_i (|d_i|^2 1 - d_i d_i'),   d_i = c_i - c
 *
 * A link with mass and without inertia is a point. If no link of the body has an inertia, the body gets none here, which
 * means that of its shapes, scaled to its mass. */
#include "robots/urdf.h"

#include "math/rigid.h"

/* How far moments may miss the triangle inequality, relative to their sum: six printed digits. */
static const double TRIANGLE_SLACK = 1e-6;

static bool has_entries(const crn_mat3 *m)
{
    for (int k = 0; k < 9; ++k) {
        if (m->m[k] != 0.0) {
            return true;
        }
    }
    return false;
}

/* No rigid body has moments of which one exceeds the sum of the others: tr(I)/2 1 - I, the second moments of its mass,
 * must not be negative along any axis. Files have such inertias; they can be stepped, but they are mistakes. */
static void check_triangle(crn_urdf *urdf, const crn_urdf_link *link)
{
    const double *m = link->inertia.m;
    double trace = m[0] + m[4] + m[8], slack = TRIANGLE_SLACK * trace, half = 0.5 * trace + slack;
    double a = half - m[0], b = half - m[4], c = half - m[8], d = -m[1], e = -m[2], f = -m[5];
    double minor = a * b - d * d, whole = c * minor - e * (e * b - d * f) + f * (d * e - a * f);
    double cube = slack * slack * slack;
    if (a < 0.0 || b < 0.0 || c < 0.0 || minor < 0.0 || whole < -cube) {
        crn_robot_warn(&urdf->warnings, urdf->xml, link->node, "link", "triangle",
                       "'%.60s': no rigid body has such an inertia (one moment exceeds the sum of the others)",
                       link->name);
    }
}

static void add_inertia(crn_mat3 *sum, const crn_urdf_link *link, crn_vec3 com)
{
    crn_mat3 turn = crn_quat_matrix(link->in_body.rotation), own = crn_m3_turned(&turn, &link->inertia);
    crn_vec3 at = crn_v3_add(link->in_body.position, crn_quat_turn(link->in_body.rotation, link->com));
    crn_vec3 d = crn_v3_sub(at, com);
    const double x[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double steiner = (i == j ? crn_v3_dot(d, d) : 0.0) - x[i] * x[j];
            sum->m[i + 3 * j] += own.m[i + 3 * j] + link->mass * steiner;
        }
    }
}

crn_mass_properties crn_urdf_add_masses(crn_urdf *urdf, int owner)
{
    crn_mass_properties sum = {.mass = 0.0};
    bool has_inertia = false;
    for (int i = owner; i >= 0; i = urdf->link[i].part) {
        const crn_urdf_link *link = &urdf->link[i];
        crn_vec3 at = crn_v3_add(link->in_body.position, crn_quat_turn(link->in_body.rotation, link->com));
        sum.mass += link->mass;
        sum.com = crn_v3_axpy(sum.com, link->mass, at);
        if (link->mass > 0.0 && has_entries(&link->inertia)) {
            has_inertia = true;
            check_triangle(urdf, link);
        }
    }
    if (!(sum.mass > 0.0)) {
        return (crn_mass_properties){.mass = 0.0};
    }
    sum.com = crn_v3_scale(1.0 / sum.mass, sum.com);
    for (int i = owner; i >= 0 && has_inertia; i = urdf->link[i].part) {
        if (urdf->link[i].mass > 0.0) {
            add_inertia(&sum.inertia, &urdf->link[i], sum.com);
        }
    }
    return sum;
}
