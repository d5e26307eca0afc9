/* Certificates of contact problems.
 *
 * From the impulses alone come the motion  v = v_f + M^-1 (J'r + B'l)  and the contact velocities  u = J v + offset, so the
 * dynamics hold to rounding and only the law of contact is left to judge. With delta_i = trace(J_i M^-1 J_i') / columns, an
 * inverse mass, it holds exactly where the natural map e is 0 (normal n, friction f = r_t):
 *
 *     Coulomb   e_n = min(r_n, u_n/delta),   e_t = f - Proj_F(f - u_t/delta),   F = mu max(r_n, 0) x polygon or disk
 *     convex    e = r - Proj_K(r - u/delta),  K = {|r_t| <= mu r_n}                                [HA03 eq. 2.10]
 *
 * A bilateral row has the natural map e = B v + offset as a velocity; with a bound it is that of the box,
 *
 *     e = delta (l - Proj(l - (B v + offset) / delta)),   Proj onto [-bound, bound],   delta = B M^-1 B'
 *
 * Reported is the largest |e| delta / U over the contacts, and |e| / U over the bilateral rows. (The other
 * figure that one might ask for, |e| over the larger of R = max |r| and U/delta, is never more.) U is the velocity scale
 * of system.h, taken from the caller's data: see crn_system_velocity_scale() for what it must and must not count. Where the
 * impulses' own rounding shows at that scale, check_rounding.c has the scale.
 *
 * The motion is in check_motion.c, the natural maps are in natural_map.c.
 *
 * Contacts between rigid bodies are measured without their columns: the points' relative velocity is v + w x arm, and
 *     trace(J M^-1 J') = 3/m + arm' (tr(I^-1) - I^-1) arm
 * whatever the frame. Planar bodies move their points by (v_x - w y, v_y + w x) for an arm (x, y). */
#include "contact/check.h"

#include <math.h>
#include <string.h>

#include "contact/check_parts.h"
#include "contact/natural_map.h"
#include "contact/problem.h"
#include "contact/system.h"
#include "math/vec.h"
#include "math/vec3.h"

enum { SPREAD = 7 }; /* numbers of fill_spread() */

/* x'y; for the few velocities of most bodies a call would cost more than the sum. */
static inline double short_dot(int n, const double *x, const double *y)
{
    if (n == 6) { /* a rigid body in other coordinates */
        return (x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3]) + (x[4] * y[4] + x[5] * y[5]);
    }
    return crn_dot(n, x, y);
}

/* --- Memory and setup --- */

void crn_measure_layout(crn_measure *m, const crn_contact_problem *problem, crn_arena *arena)
{
    size_t contacts = (size_t)problem->contacts, dof = (size_t)crn_contact_dof(problem), largest = 0;
    for (int i = 0; i < problem->bodies; ++i) {
        largest = (size_t)problem->body[i].dof > largest ? (size_t)problem->body[i].dof : largest;
    }
    m->problem = problem;
    m->delta = CRN_TAKE(arena, double, contacts);
    m->frame = CRN_TAKE(arena, double, 9 * contacts);
    m->start = CRN_TAKE(arena, int, (size_t)problem->bodies + 1);
    m->spread = CRN_TAKE(arena, double, SPREAD *(size_t)problem->bodies);
    m->row_factor = CRN_TAKE(arena, double, (size_t)problem->rows);
    m->row_delta = CRN_TAKE(arena, double, (size_t)problem->rows);
    m->p = CRN_TAKE(arena, double, dof);
    m->low = CRN_TAKE(arena, double, dof);
    m->v = CRN_TAKE(arena, double, dof);
    m->pushed = CRN_TAKE(arena, double, (size_t)problem->bodies);
    m->work = CRN_TAKE(arena, double, 3 * largest);
}

/* J of one column on a rigid body, squared in the inverse mass: (arm x n)' I^-1 (arm x n) + n'n / m. L is packed by
 * rows, followed by the root of the mass. */
static double rigid_square(const double *L, const double *arm, const double *n)
{
    double x[3];
    crn_cross(arm, n, x);
    x[0] /= L[0];
    x[1] = (x[1] - L[1] * x[0]) / L[2];
    x[2] = (x[2] - L[3] * x[0] - L[4] * x[1]) / L[5];
    return crn_dot3(x, x) + crn_dot3(n, n) / (L[6] * L[6]);
}

/* The same on a planar body. */
static double planar_square(const double *L, const double *arm, const double *n)
{
    double turn = (arm[0] * n[1] - arm[1] * n[0]) / L[5];
    return turn * turn + (n[0] * n[0] + n[1] * n[1]) / (L[6] * L[6]);
}

/* 3/m and the matrix tr(I^-1) - I^-1 (xx yy zz, twice xy xz yz) of a rigid body, for all three columns together; W = L^-1. */
static void fill_spread(const double *L, double *spread)
{
    double w00 = 1.0 / L[0], w11 = 1.0 / L[2], w22 = 1.0 / L[5];
    double w10 = -L[1] * w00 * w11, w21 = -L[4] * w11 * w22;
    double w20 = -(L[3] * w00 + L[4] * w10) * w22;
    double xx = w00 * w00 + w10 * w10 + w20 * w20, yy = w11 * w11 + w21 * w21, zz = w22 * w22;
    const double filled[SPREAD] = {
        3.0 / (L[6] * L[6]), yy + zz,         xx + zz, xx + yy, -2.0 * (w10 * w11 + w20 * w21),
        -2.0 * w20 * w22,    -2.0 * w21 * w22};
    memcpy(spread, filled, sizeof filled);
}

static double rigid_trace(const double *k, const double *a)
{
    return k[0] + a[0] * (k[1] * a[0] + k[4] * a[1] + k[5] * a[2]) + a[1] * (k[2] * a[1] + k[6] * a[2]) +
           a[2] * (k[3] * a[2]);
}

/* Sum of the squares of a contact's columns on one body. */
static inline double geometric_square(const crn_measure *m, int body, const double *point, const double *frame,
                                      int columns)
{
    if (body < 0) {
        return 0.0;
    }
    const double *com = m->problem->body[body].com, *L = m->mass[body].rigid;
    const double arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
    bool is_planar = m->problem->body[body].kind == CRN_MASS_PLANAR; /* which has at most two columns */
    if (columns == 3) {
        return is_planar ? 0.0 : rigid_trace(m->spread + SPREAD * (size_t)body, arm);
    }
    double total = 0.0;
    for (int j = 0; j < columns; ++j) {
        total += is_planar ? planar_square(L, arm, frame + 3 * j) : rigid_square(L, arm, frame + 3 * j);
    }
    return total;
}

static double geometric_inverse_mass(const crn_measure *m, const crn_contact_point *contact, const double *frame)
{
    int columns = crn_used_columns(contact);
    double total = geometric_square(m, contact->a, contact->position, frame, columns) +
                   geometric_square(m, contact->b, contact->position, frame, columns);
    return total / columns;
}

/* The mean over the columns that are not zero; 0 if all are. */
static double general_inverse_mass(const crn_measure *m, const crn_contact_point *contact)
{
    int columns = crn_used_columns(contact), pair[2] = {contact->a, contact->b}, nonzero = 0;
    double square[3] = {0.0, 0.0, 0.0}, space[18];
    for (int side = 0; side < 2; ++side) {
        if (pair[side] < 0) {
            continue;
        }
        const double *J = crn_contact_columns(m->problem, contact, side, space);
        int dof = m->problem->body[pair[side]].dof;
        for (int j = 0; j < 3 && j < columns; ++j) {
            crn_mass_whiten(&m->mass[pair[side]], J + (size_t)j * (size_t)dof, m->work);
            square[j] += short_dot(dof, m->work, m->work);
        }
    }
    for (int j = 0; j < 3; ++j) {
        nonzero += square[j] > 0.0;
    }
    return nonzero ? (square[0] + square[1] + square[2]) / nonzero : 0.0;
}

/* delta of contact i, computed where it is first needed: open contacts do without. A contact that no impulse can move has
 * u given, and any positive number tells right from wrong: it gets 1. */
double crn_measure_inverse_mass(const crn_measure *m, int i)
{
    if (m->delta[i] == 0.0) {
        const crn_contact_point *contact = &m->problem->contact[i];
        double delta = crn_has_geometry(contact) ? geometric_inverse_mass(m, contact, m->frame + 9 * (size_t)i)
                                                 : general_inverse_mass(m, contact);
        m->delta[i] = delta > 0.0 ? delta : 1.0;
    }
    return m->delta[i];
}

/* Square of a column's whitened length on one body. */
static double column_square(const crn_measure *m, int body, const double *column)
{
    crn_mass_whiten(&m->mass[body], column, m->work);
    return short_dot(m->problem->body[body].dof, m->work, m->work);
}

/* Factors that bring bilateral rows to the whitened length of the longest normal (to 1 without contacts): rows have units
 * of the caller's own, and the certificate must not depend on them. */
static void fill_row_factors(crn_measure *m)
{
    const crn_contact_problem *problem = m->problem;
    double longest = problem->contacts > 0 ? 0.0 : 1.0, space[18];
    for (int i = 0; i < problem->contacts && problem->rows > 0; ++i) {
        const crn_contact_point *contact = &problem->contact[i];
        double square = 0.0;
        for (int side = 0; side < 2; ++side) {
            int body = side == 0 ? contact->a : contact->b;
            square += body >= 0 ? column_square(m, body, crn_contact_columns(problem, contact, side, space)) : 0.0;
        }
        longest = crn_max(square, longest);
    }
    for (int i = 0; i < problem->rows; ++i) {
        double square = 0.0;
        for (int side = 0; side < 2; ++side) {
            int body;
            const double *J = crn_row_side(&problem->row[i], side, &body);
            square += J ? column_square(m, body, J) : 0.0;
        }
        m->row_delta[i] = square > 0.0 ? square : 1.0;
        m->row_factor[i] = square > 0.0 && longest > 0.0 ? sqrt(longest / square) : 1.0;
    }
}

static void fill_frames(crn_measure *m)
{
    for (int i = 0; i < m->problem->contacts; ++i) {
        const crn_contact_point *contact = &m->problem->contact[i];
        if (crn_has_geometry(contact)) {
            crn_contact_frame(m->problem, contact, m->frame + 9 * (size_t)i);
        }
    }
}

void crn_measure_prepare(crn_measure *m, const crn_mass *mass)
{
    const crn_contact_problem *p = m->problem;
    m->mass = mass;
    m->cone = CRN_CONE_POLYGON;
    m->law = CRN_LAW_COULOMB;
    m->start[0] = 0;
    for (int i = 0; i < p->bodies; ++i) {
        m->start[i + 1] = m->start[i] + p->body[i].dof;
        if (p->body[i].kind == CRN_MASS_RIGID) {
            fill_spread(mass[i].rigid, m->spread + SPREAD * (size_t)i);
        }
    }
    if (p->contacts) {
        memset(m->delta, 0, (size_t)p->contacts * sizeof *m->delta);
    }
    fill_frames(m);
    fill_row_factors(m);
    crn_measure_set_free(m, p->velocity);
}

/* --- Products with the caller's columns --- */

/* Velocity of a rigid or planar body at a point, world axes: v + w x arm. 0 for the world. */
static inline void velocity_at(const crn_measure *m, int body, const double *point, const double *v, double *u)
{
    u[0] = u[1] = u[2] = 0.0;
    if (body < 0) {
        return;
    }
    const double *com = m->problem->body[body].com, *of = v + m->start[body];
    if (m->problem->body[body].kind == CRN_MASS_PLANAR) {
        u[0] = of[1] - of[0] * (point[1] - com[1]);
        u[1] = of[2] + of[0] * (point[0] - com[0]);
        return;
    }
    const double arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
    u[0] = of[3] + (of[1] * arm[2] - of[2] * arm[1]);
    u[1] = of[4] + (of[2] * arm[0] - of[0] * arm[2]);
    u[2] = of[5] + (of[0] * arm[1] - of[1] * arm[0]);
}

/* Relative velocity of the two points of a contact between rigid bodies, world axes. */
static inline void point_velocity(const crn_measure *m, const crn_contact_point *contact, const double *v, double *w)
{
    double other[3];
    velocity_at(m, contact->a, contact->position, v, w);
    velocity_at(m, contact->b, contact->position, v, other);
    for (int k = 0; k < 3; ++k) {
        w[k] -= other[k];
    }
}

/* The first `columns` of u = J v without the offset, by Jacobians. */
static inline void general_velocity(const crn_measure *m, const crn_contact_point *contact, const double *v,
                                    int columns, double *u)
{
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? contact->a : contact->b;
        if (body < 0) {
            continue;
        }
        const double *J = side == 0 ? contact->jacobian_a : contact->jacobian_b;
        int dof = m->problem->body[body].dof;
        for (int j = 0; j < columns; ++j) {
            u[j] += short_dot(dof, J + (size_t)j * (size_t)dof, v + m->start[body]);
        }
    }
}

/* Are there impulses whose rounding would show in the certificate? Bodies clamped between contacts that are nearly, but
 * not quite, opposed are held by impulses that cancel in all but their last digits. */
static bool are_huge(const crn_measure *m, const double *r)
{
    const double much = 1e4; /* over U / delta: rounding is then 1e-12 of U */
    int largest = -1;
    double most = 0.0;
    for (int i = 0; i < m->problem->contacts; ++i) {
        if (fabs(r[3 * (size_t)i]) > most) {
            most = fabs(r[3 * (size_t)i]);
            largest = i;
        }
    }
    return largest >= 0 && most * crn_measure_inverse_mass(m, largest) > much * m->scale;
}

/* Sum of the magnitudes that a row's speed is made of. */
static double row_terms(const crn_measure *m, const crn_contact_row *row, const double *v)
{
    double sum = fabs(row->offset);
    for (int side = 0; side < 2; ++side) {
        int body;
        const double *J = crn_row_side(row, side, &body);
        for (int l = 0; J && l < m->problem->body[body].dof; ++l) {
            sum += fabs(J[l] * v[m->start[body] + l]);
        }
    }
    return sum;
}

double crn_measure_row_velocity(const crn_measure *m, const crn_contact_row *row, const double *v)
{
    double e = row->offset;
    for (int side = 0; side < 2; ++side) {
        int body;
        const double *J = crn_row_side(row, side, &body);
        if (J) {
            e += crn_dot(m->problem->body[body].dof, J, v + m->start[body]);
        }
    }
    return e;
}

/* --- The certificate --- */

/* Is what the law needs to know of the contact its normal velocity alone? */
static bool needs_normal_only(const crn_measure *m, const crn_contact_point *contact, const double *r)
{
    return m->law == CRN_LAW_COULOMB && ((r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0) || crn_used_columns(contact) == 1);
}

/* u = J v, the first `columns` components (1 or 3), offset not included. */
static inline void contact_motion(const crn_measure *m, int i, const double *v, int columns, double *u)
{
    const crn_contact_point *contact = &m->problem->contact[i];
    u[0] = u[1] = u[2] = 0.0;
    if (!crn_has_geometry(contact)) {
        general_velocity(m, contact, v, columns, u);
        return;
    }
    const double *frame = m->frame + 9 * (size_t)i;
    double w[3];
    point_velocity(m, contact, v, w);
    u[0] = crn_dot3(frame, w);
    if (columns > 1) {
        u[1] = crn_dot3(frame + 3, w);
        u[2] = crn_dot3(frame + 6, w);
    }
}

/* What one contact adds to the scale. */
typedef struct free_motion {
    double normal; /* J_n v_f */
    double square; /* |J v_f|^2 */
    double terms;  /* sum of the magnitudes that the normal velocity is made of */
} free_motion;

/* Sum of the magnitudes that the velocity of a body at a point is made of. */
static inline double terms_at(const crn_measure *m, int body, const double *point, const double *v)
{
    if (body < 0) {
        return 0.0;
    }
    const double *com = m->problem->body[body].com, *of = v + m->start[body];
    double x = fabs(point[0] - com[0]), y = fabs(point[1] - com[1]), z = fabs(point[2] - com[2]);
    double turn[3] = {fabs(of[0]), fabs(of[1]), fabs(of[2])};
    if (m->problem->body[body].kind == CRN_MASS_PLANAR) {
        return turn[1] + turn[2] + turn[0] * (x + y);
    }
    return (fabs(of[3]) + fabs(of[4]) + fabs(of[5])) + turn[0] * (y + z) + (turn[1] * (x + z) + turn[2] * (x + y));
}

/* Between rigid bodies the length of J v_f is that of the points' relative velocity: no tangents are needed. */
static inline free_motion geometric_free(const crn_measure *m, const crn_contact_point *contact, const double *normal,
                                         const double *v)
{
    double w[3];
    point_velocity(m, contact, v, w);
    double terms = terms_at(m, contact->a, contact->position, v) + terms_at(m, contact->b, contact->position, v);
    return (free_motion){crn_dot3(normal, w), crn_dot3(w, w), terms};
}

static free_motion general_free(const crn_measure *m, const crn_contact_point *contact, const double *v)
{
    double u[3] = {0.0, 0.0, 0.0}, terms = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? contact->a : contact->b;
        if (body < 0) {
            continue;
        }
        int dof = m->problem->body[body].dof;
        const double *n = side == 0 ? contact->jacobian_a : contact->jacobian_b, *t1 = n + dof, *t2 = t1 + dof;
        const double *w = v + m->start[body];
        for (int l = 0; l < dof; ++l) {
            double term = n[l] * w[l];
            u[0] += term;
            u[1] += t1[l] * w[l];
            u[2] += t2[l] * w[l];
            terms += fabs(term);
        }
    }
    return (free_motion){u[0], crn_dot3(u, u), terms};
}

/* U as crn_system_velocity_scale() has it, from the caller's columns. */
void crn_measure_set_free(crn_measure *m, const double *velocity)
{
    double closing = 0.0, square = 0.0, terms = 0.0;
    m->free = velocity;
    for (int i = 0; i < m->problem->contacts; ++i) {
        const crn_contact_point *contact = &m->problem->contact[i];
        free_motion f = crn_has_geometry(contact) ? geometric_free(m, contact, m->frame + 9 * (size_t)i, velocity)
                                                  : general_free(m, contact, velocity);
        square = crn_max(f.square, square);
        closing = crn_max(-(f.normal + contact->offset[0]), closing);
        terms = crn_max(f.terms, terms);
    }
    double rows = 0.0;
    for (int i = 0; i < m->problem->rows; ++i) {
        rows = crn_max(m->row_factor[i] * fabs(crn_measure_row_velocity(m, &m->problem->row[i], velocity)), rows);
        terms = crn_max(m->row_factor[i] * row_terms(m, &m->problem->row[i], velocity), terms);
    }
    double U = crn_max(closing, crn_max(CRN_SCALE_SLIP * crn_max(sqrt(square), rows), CRN_SCALE_TERMS * terms));
    U = m->problem->contacts == 0 ? crn_max(rows, CRN_SCALE_TERMS * terms) : U;
    m->scale = U > CRN_SCALE_LEAST && isfinite(U) ? U : 1.0;
}

/* Impulses that are judged. */
typedef struct judged {
    const double *r, *l;
} judged;

/* Count a violation of size e as a velocity, over U or over what the impulses' rounding asks for. */
static void count_violation(crn_measure *m, const judged *j, crn_contact_certificate *c, double e, int index)
{
    const double small = 1e-10; /* of U: nobody asks for less, and what rounding asks for need not be known */
    double share = e / m->scale;
    if (share > small && isfinite(share)) {
        share = e / crn_measure_item_scale(m, j->r, j->l, index);
    }
    if (!(share <= c->relative)) { /* or it is NaN */
        c->relative = isfinite(share) ? share : INFINITY;
        c->worst = index;
    }
}

/* A contact without impulse is right unless it closes. What is rounding of the motion's size is not turned into an
 * impulse: that would need delta, and with a body at rest half of all open contacts close by rounding. */
static void judge_open(crn_measure *m, const judged *j, int i, double u_n, crn_contact_certificate *c)
{
    const double rounding = 1e-14; /* over U */
    double e = isfinite(u_n) ? -u_n : INFINITY;
    if (e <= 0.0) {
        return;
    }
    c->velocity_error = crn_larger(c->velocity_error, e);
    if (e > rounding * m->scale) {
        c->impulse_error = crn_larger(c->impulse_error, e / crn_measure_inverse_mass(m, i));
    }
    count_violation(m, j, c, e, i);
}

static void judge_contact(crn_measure *m, crn_map_polygon *g, const judged *j, int i, const double *u,
                          crn_contact_certificate *c)
{
    const double *r = j->r + 3 * (size_t)i;
    double delta = crn_measure_inverse_mass(m, i), inverse = 1.0 / delta;
    double w[3] = {u[0] * inverse, u[1] * inverse, u[2] * inverse};
    double length = sqrt(crn_natural_square(m->cone, m->law, g, &m->problem->contact[i], r, w));
    if (!isfinite(crn_dot3(r, r) + w[0])) { /* comparisons lose a NaN; tangential ones keep it in the length */
        length = INFINITY;
    }
    c->velocity_error = crn_larger(c->velocity_error, length * delta);
    c->impulse_error = crn_larger(c->impulse_error, length);
    count_violation(m, j, c, length * delta, i);
}

/* The natural map of a row as a velocity, from its speed e: |e| itself but where the projection ends at a bound. */
static double row_map(const crn_measure *m, int i, double l, double e)
{
    const crn_contact_row *row = &m->problem->row[i];
    double y = l - e / m->row_delta[i];
    if (!isfinite(l) || !isfinite(e)) {
        return INFINITY;
    }
    if (!crn_row_is_bounded(row) || fabs(y) <= row->bound) {
        return fabs(e);
    }
    return m->row_delta[i] * fabs(l - copysign(row->bound, y));
}

/* All of it, or until the relative error is more than `most`. */
static void measure(crn_measure *m, const judged *j, double most, double *velocity, double *u,
                    crn_contact_certificate *certificate)
{
    const crn_contact_problem *problem = m->problem;
    double *v = velocity ? velocity : m->v, space[3] = {0.0, 0.0, 0.0};
    crn_map_polygon g = {0};
    crn_contact_certificate c = {.worst = -1};
    m->has_pushed = false;
    bool is_right = crn_measure_motion(m, are_huge(m, j->r), j->r, j->l, v);
    for (int i = 0; i < problem->contacts && c.relative <= most; ++i) {
        const double *r = j->r + 3 * (size_t)i;
        double *to = u ? u + 3 * (size_t)i : space;
        const crn_contact_point *contact = &problem->contact[i];
        contact_motion(m, i, v, !u && needs_normal_only(m, contact, r) ? 1 : 3, to);
        for (int k = 0; k < 3; ++k) {
            to[k] += contact->offset[k];
        }
        if (m->law == CRN_LAW_COULOMB && r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0) {
            judge_open(m, j, i, to[0], &c);
        } else {
            judge_contact(m, &g, j, i, to, &c);
        }
    }
    for (int i = 0; i < problem->rows && c.relative <= most; ++i) {
        double e = row_map(m, i, j->l[i], crn_measure_row_velocity(m, &problem->row[i], v));
        c.row_error = crn_larger(c.row_error, e);
        count_violation(m, j, &c, e < INFINITY ? m->row_factor[i] * e : e, problem->contacts + i);
    }
    c.scale = m->scale;
    c.relative = is_right ? c.relative : INFINITY;
    *certificate = c;
}

void crn_contact_measure(crn_measure *m, const double *impulse, const double *row_impulse, double *velocity, double *u,
                         crn_contact_certificate *certificate)
{
    crn_contact_certificate mine;
    measure(m, &(judged){impulse, row_impulse}, INFINITY, velocity, u, certificate ? certificate : &mine);
}

bool crn_contact_is_within(crn_measure *m, const double *impulse, double most, double *u,
                           crn_contact_certificate *certificate)
{
    measure(m, &(judged){impulse, NULL}, most, NULL, u, certificate);
    return certificate->relative <= most;
}
