/* Mass and inertia of bodies: from <inertial>, or as the sum over geoms. With parts (m_i, c_i, I_i),
 *
 *     m = sum m_i     c = sum m_i c_i / m     I = sum I_i + m_i (|d_i|^2 1 - d_i d_i'),  d_i = c_i - c
 *
 * Principal moments A <= B <= C of a real body satisfy A + B >= C; what does not is refused, or balanced if the file asks
 * for it. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <string.h>

/* How far A + B may fall short of C, relative to C: flat bodies, for which they are equal, are written with five digits. */
static const double TRIANGLE_TOLERANCE = 1e-4;

/* An inertia with a principal moment below this share of the largest is none: rounding of its entries leaves as much. */
static const double MOMENT_SHARE = 1e-12;

/* Rotations of a 3 x 3 Jacobi iteration; six sweeps reach rounding. */
enum { JACOBI_ROTATIONS = 24 };

/* --- Sums --- */

crn_mass_properties crn_mjcf_place_mass(const crn_mass_properties *mass, const crn_pose *pose)
{
    crn_mat3 r = crn_quat_matrix(pose->rotation);
    return (crn_mass_properties){mass->mass, crn_v3_add(pose->position, crn_m3_times(&r, mass->com)),
                                 crn_m3_turned(&r, &mass->inertia)};
}

void crn_mjcf_add_mass(crn_mass_properties *sum, const crn_mass_properties *part)
{
    double mass = sum->mass + part->mass;
    if (!(mass > 0.0)) {
        return;
    }
    crn_vec3 com = crn_v3_axpy(crn_v3_scale(sum->mass / mass, sum->com), part->mass / mass, part->com);
    crn_mat3 inertia = sum->inertia;
    crn_m3_add_mass(&inertia, sum->mass, crn_v3_sub(sum->com, com));
    crn_m3_add_mass(&inertia, part->mass, crn_v3_sub(part->com, com));
    for (int k = 0; k < 9; ++k) {
        inertia.m[k] += part->inertia.m[k];
    }
    *sum = (crn_mass_properties){mass, com, inertia};
}

/* --- <inertial> --- */

static crn_status read_inertia(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mat3 *inertia)
{
    double d[3] = {0}, f[6] = {0}; /* xx yy zz xy xz yz */
    int diagonal = 0, full = 0;
    crn_status status = crn_mjcf_numbers(mjcf, element, "diaginertia", 3, 3, d, &diagonal);
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, element, "fullinertia", 6, 6, f, &full) : status;
    if (status == CRN_OK && diagonal > 0 && full > 0) {
        status = crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, "has both diaginertia and fullinertia");
    }
    *inertia = full > 0 ? (crn_mat3){{f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]}}
                        : (crn_mat3){{d[0], 0, 0, 0, d[1], 0, 0, 0, d[2]}};
    return status;
}

crn_status crn_mjcf_read_inertial(crn_mjcf *mjcf, crn_xml_node *node, int body, const crn_pose *frame)
{
    crn_mjcf_element element = {.node = node, .owner = {node}, .owners = 1};
    crn_pose read;
    crn_mass_properties mass = {.mass = -1.0};
    crn_status status = crn_mjcf_read_pose(mjcf, &element, &read, NULL);
    status = status == CRN_OK ? crn_mjcf_number(mjcf, &element, "mass", &mass.mass) : status;
    status = status == CRN_OK ? read_inertia(mjcf, &element, &mass.inertia) : status;
    if (status == CRN_OK && !(mass.mass >= 0.0)) {
        status = crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " mass: %s", mass.mass == -1.0 ? "missing" : "must be >= 0");
    }
    if (status == CRN_OK && mjcf->set.inertia != CRN_MJCF_INERTIA_GEOMS && body != 0) {
        crn_pose pose = crn_mjcf_in_body(mjcf, body, frame, &read);
        mjcf->body[body].mass = crn_mjcf_place_mass(&mass, &pose);
    }
    return status;
}

/* --- Principal moments --- */

/* One rotation in the plane of axes p and q that makes entry (p, q) of a zero; the columns of v turn along. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0) {
        return;
    }
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) { /* a := a J */
        double x = a[k][p], y = a[k][q], vx = v[k][p], vy = v[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
        v[k][p] = c * vx - s * vy;
        v[k][q] = s * vx + c * vy;
    }
    for (int k = 0; k < 3; ++k) { /* a := J' a */
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
    a[p][q] = a[q][p] = 0.0;
}

/* inertia = v diag(moment) v' */
static void principal(const crn_mat3 *inertia, double moment[3], double v[3][3])
{
    double a[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            a[i][j] = inertia->m[i + 3 * j];
            v[i][j] = i == j ? 1.0 : 0.0;
        }
    }
    for (int k = 0; k < JACOBI_ROTATIONS; ++k) {
        rotate(a, v, k % 3 == 2 ? 1 : 0, k % 3 == 0 ? 1 : 2);
    }
    for (int i = 0; i < 3; ++i) {
        moment[i] = a[i][i];
    }
}

static void compose(crn_mat3 *inertia, const double moment[3], double v[3][3])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
            inertia->m[i + 3 * j] = inertia->m[j + 3 * i] =
                v[i][0] * moment[0] * v[j][0] + v[i][1] * moment[1] * v[j][1] + v[i][2] * moment[2] * v[j][2];
        }
    }
}

/* --- Bodies --- */

static bool is_real(const double moment[3])
{
    double largest = crn_fmax(crn_fmax(moment[0], moment[1]), moment[2]);
    return moment[0] + moment[1] + moment[2] - 2.0 * largest >= -TRIANGLE_TOLERANCE * largest;
}

/* Bounds, balance and checks of a body that moves and has mass. */
static crn_status settle(crn_mjcf *mjcf, crn_mjcf_body *body)
{
    const crn_mjcf_settings *set = &mjcf->set;
    double moment[3], v[3][3];
    body->mass.mass = crn_fmax(body->mass.mass, set->bound_mass);
    principal(&body->mass.inertia, moment, v);
    if (set->bound_inertia > 0.0) {
        for (int i = 0; i < 3; ++i) {
            moment[i] = crn_fmax(moment[i], set->bound_inertia);
        }
        compose(&body->mass.inertia, moment, v);
    }
    double largest = crn_fmax(crn_fmax(moment[0], moment[1]), moment[2]);
    double least = crn_fmin(crn_fmin(moment[0], moment[1]), moment[2]);
    if (!isfinite(body->mass.mass) || !isfinite(largest) || !(least > MOMENT_SHARE * largest)) {
        return crn_mjcf_fail(mjcf, body->node, CRN_ERR_FORMAT,
                             "the inertia must be > 0 about every axis, but has principal moments %.6g, %.6g, %.6g",
                             moment[0], moment[1], moment[2]);
    }
    if (is_real(moment)) {
        return CRN_OK;
    }
    if (!set->balance_inertia) {
        return crn_mjcf_fail(mjcf, body->node, CRN_ERR_FORMAT,
                             "no body has principal moments %.6g, %.6g, %.6g: two must sum up to the third at least",
                             moment[0], moment[1], moment[2]);
    }
    double mean = (moment[0] + moment[1] + moment[2]) / 3.0;
    body->mass.inertia = (crn_mat3){{mean, 0, 0, 0, mean, 0, 0, 0, mean}};
    return CRN_OK;
}

static void sum_geoms(const crn_mjcf *mjcf, crn_mjcf_body *body)
{
    for (int i = 0; i < body->geoms; ++i) {
        crn_mjcf_add_mass(&body->mass, &mjcf->geom[body->first_geom + i].mass);
    }
}

static void scale_total(crn_mjcf *mjcf)
{
    double sum = 0.0;
    for (int i = 1; i < mjcf->bodies; ++i) {
        sum += mjcf->body[i].mass.mass;
    }
    double factor = mjcf->set.total_mass > 0.0 && sum > 0.0 ? mjcf->set.total_mass / sum : 1.0;
    for (int i = 1; i < mjcf->bodies && factor != 1.0; ++i) {
        crn_mass_properties *mass = &mjcf->body[i].mass;
        mass->mass *= factor;
        for (int k = 0; k < 9; ++k) {
            mass->inertia.m[k] *= factor;
        }
    }
}

/* What moves as one must have mass: `heavy` of the first body of a weld is 1 + the first of them that has some. */
static crn_status check_moving(const crn_mjcf *mjcf)
{
    for (int i = 1; i < mjcf->bodies; ++i) {
        const crn_mjcf_body *body = &mjcf->body[i];
        if (body->weld == i && mjcf->body[i].heavy == 0) {
            return crn_mjcf_fail(mjcf, body->node, CRN_ERR_FORMAT,
                                 "has joints, but no mass: it needs an <inertial> or a geom with volume and density");
        }
    }
    return CRN_OK;
}

crn_status crn_mjcf_set_masses(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    for (int i = 1; i < mjcf->bodies && status == CRN_OK; ++i) {
        crn_mjcf_body *body = &mjcf->body[i];
        sum_geoms(mjcf, body);
        bool is_light = body->mass.mass == 0.0 && body->joints == 0;
        if (!body->is_static && !is_light && (body->mass.mass > 0.0 || mjcf->set.bound_mass > 0.0)) {
            status = settle(mjcf, body);
        }
        if (body->mass.mass > 0.0 && mjcf->body[body->weld].heavy == 0) {
            mjcf->body[body->weld].heavy = 1 + i;
        }
    }
    scale_total(mjcf);
    return status == CRN_OK ? check_moving(mjcf) : status;
}
