/* Judging any impulses: how far they are from the law, and for which offsets they obey it.
 *
 * The backward error. With y = r - u/delta, contact by contact, let p be y put into its cone as Alart and Curnier do it [AC91],
 *
 *     p_n = max(0, y_n),   p_t = Proj(y_t) onto mu p_n x polygon, disk or segment        (convex law: p = Proj_K(y))
 *
 * Then p and w = delta (p - y) obey the law exactly: that is what a projection is. So p is an exact answer of the problem whose offsets are
 * changed by w - u(p). With e = p - r that is (delta - W) e, W the inverse mass of all contacts together: some times the natural map, and
 * as small as it. Rows with bounds likewise; other rows have w = 0. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/check_parts.h"
#include "contact/natural_map.h"
#include "contact/problem.h"
#include "math/elementary.h"
#include "math/vec.h"

/* --- What obeys the law --- */

/* The nearest point of the segment from a to b. */
static void nearest_on_edge(const double *a, const double *b, const double *y, double *p)
{
    double along[2] = {b[0] - a[0], b[1] - a[1]}, length = along[0] * along[0] + along[1] * along[1];
    double t = length > 0.0 ? ((y[0] - a[0]) * along[0] + (y[1] - a[1]) * along[1]) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    p[0] = a[0] + t * along[0];
    p[1] = a[1] + t * along[1];
}

/* y put onto the polygon with corners (radius, 0), ...: edge by edge. */
static void onto_polygon(int directions, double radius, double *y)
{
    const double step = 2.0 * 3.14159265358979323846 / directions;
    double a[2] = {radius, 0.0}, best[2] = {radius, 0.0}, least = INFINITY;
    bool is_inside = radius > 0.0;
    for (int k = 1; k <= directions; ++k) {
        double b[2] = {radius * crn_cos(step * k), radius * crn_sin(step * k)}, p[2];
        is_inside = is_inside && (b[0] - a[0]) * (y[1] - a[1]) - (b[1] - a[1]) * (y[0] - a[0]) >= 0.0;
        nearest_on_edge(a, b, y, p);
        double square = (p[0] - y[0]) * (p[0] - y[0]) + (p[1] - y[1]) * (p[1] - y[1]);
        if (square < least) {
            least = square;
            memcpy(best, p, sizeof best);
        }
        memcpy(a, b, sizeof a);
    }
    if (!is_inside) {
        memcpy(y, best, sizeof best);
    }
}

static void onto_disk(double radius, double *y)
{
    double length = sqrt(y[0] * y[0] + y[1] * y[1]), share = length > radius ? radius / length : 1.0;
    y[0] *= share;
    y[1] *= share;
}

static void onto_cone(double mu, double *y)
{
    double tangent = sqrt(y[1] * y[1] + y[2] * y[2]);
    if (y[0] >= 0.0 && tangent <= mu * y[0]) {
        return;
    }
    double normal = mu * tangent <= -y[0] ? 0.0 : (y[0] + mu * tangent) / (1.0 + mu * mu);
    double share = tangent > 0.0 ? mu * normal / tangent : 0.0;
    y[0] = normal;
    y[1] *= share;
    y[2] *= share;
}

/* y becomes p. */
static void onto_law(const crn_measure *m, const crn_contact_point *contact, double *y)
{
    int columns = crn_used_columns(contact);
    y[1] = columns > 1 ? y[1] : 0.0;
    y[2] = columns > 2 ? y[2] : 0.0;
    if (m->law == CRN_LAW_CONVEX) {
        onto_cone(columns > 1 ? contact->mu : 0.0, y);
        return;
    }
    y[0] = crn_max(y[0], 0.0);
    if (columns == 3 && m->cone == CRN_CONE_POLYGON) {
        onto_polygon(contact->directions, contact->mu * y[0], y + 1);
    } else if (columns > 1) {
        onto_disk(contact->mu * y[0], y + 1);
    }
}

/* --- Memory --- */

typedef struct certifier {
    crn_measure measure;
    crn_mass *mass;
    double *r, *l, *u, *w, *row_w; /* of the backward error: p, and the velocities that obey the law with it */
} certifier;

static void layout(certifier *c, const crn_contact_problem *problem, bool is_backward, crn_arena *arena)
{
    c->mass = CRN_TAKE(arena, crn_mass, (size_t)problem->bodies);
    for (int i = 0; i < problem->bodies; ++i) {
        crn_mass_layout(c->mass ? &c->mass[i] : NULL, &problem->body[i], arena);
    }
    crn_measure_layout(&c->measure, problem, arena);
    if (is_backward) {
        c->r = CRN_TAKE(arena, double, 3 * (size_t)problem->contacts);
        c->u = CRN_TAKE(arena, double, 3 * (size_t)problem->contacts);
        c->w = CRN_TAKE(arena, double, 3 * (size_t)problem->contacts);
        c->l = CRN_TAKE(arena, double, (size_t)problem->rows);
        c->row_w = CRN_TAKE(arena, double, (size_t)problem->rows);
    }
}

static crn_status check_call(const crn_contact_problem *problem, const crn_contact_options *options,
                             const double *impulse, const double *row_impulse, const crn_workspace *workspace,
                             const void *judgement, crn_error *error)
{
    crn_status status = crn_contact_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!workspace || !judgement) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "workspace, or where the judgement goes, is NULL");
    }
    if ((problem->contacts && !impulse) || (problem->rows && !row_impulse)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "impulse or row_impulse is NULL");
    }
    if (options && options->law == CRN_LAW_CONVEX && options->cone != CRN_CONE_ROUND) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "the convex law is for round cones only");
    }
    return CRN_OK;
}

/* Memory, masses and whatever depends on geometry alone. */
static crn_status open_certifier(certifier *c, const crn_contact_problem *problem, const crn_contact_options *options,
                                 bool is_backward, crn_workspace *workspace, crn_error *error)
{
    crn_arena arena = crn_arena_counting();
    layout(c, problem, is_backward, &arena);
    if (arena.overflow) {
        return crn_fail(error, CRN_ERR_MEMORY, "the problem's size does not fit size_t");
    }
    crn_status status = crn_workspace_arena(workspace, arena.used, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    layout(c, problem, is_backward, &arena);
    if (!c->mass) {
        return crn_fail(error, CRN_ERR_MEMORY, "the problem does not fit into memory");
    }
    for (int i = 0; i < problem->bodies && status == CRN_OK; ++i) {
        status = crn_mass_factorize(&c->mass[i], i, c->measure.work, error);
    }
    if (status == CRN_OK) {
        crn_measure_prepare(&c->measure, c->mass);
        c->measure.cone = options ? options->cone : CRN_CONE_POLYGON;
        c->measure.law = options ? options->law : CRN_LAW_COULOMB;
    }
    return status;
}

crn_status crn_contact_certify(const crn_contact_problem *problem, const crn_contact_options *options,
                               const double *impulse, const double *row_impulse, crn_workspace *workspace,
                               crn_contact_certificate *certificate, crn_error *error)
{
    certifier c;
    crn_status status = check_call(problem, options, impulse, row_impulse, workspace, certificate, error);
    if (status == CRN_OK) {
        status = open_certifier(&c, problem, options, false, workspace, error);
    }
    if (status == CRN_OK) {
        crn_contact_measure(&c.measure, impulse, row_impulse, NULL, NULL, certificate);
    }
    return status;
}

/* --- The backward error --- */

/* p, and the velocities w with which it obeys the law. */
static void find_nearby(certifier *c, const double *r, const double *l)
{
    const crn_contact_problem *problem = c->measure.problem;
    crn_contact_measure(&c->measure, r, l, NULL, c->u, NULL);
    for (int i = 0; i < problem->contacts; ++i) {
        double delta = crn_measure_inverse_mass(&c->measure, i), y[3];
        for (int k = 0; k < 3; ++k) {
            y[k] = c->r[3 * i + k] = r[3 * i + k] - c->u[3 * i + k] / delta;
        }
        onto_law(&c->measure, &problem->contact[i], c->r + 3 * (size_t)i);
        for (int k = 0; k < 3; ++k) {
            c->w[3 * i + k] = delta * (c->r[3 * i + k] - y[k]);
        }
    }
    for (int i = 0; i < problem->rows; ++i) {
        const crn_contact_row *row = &problem->row[i];
        double delta = c->measure.row_delta[i];
        double y = l[i] - crn_measure_row_velocity(&c->measure, row, c->measure.v) / delta;
        bool is_at_bound = crn_row_is_bounded(row) && fabs(y) > row->bound;
        c->l[i] = is_at_bound ? copysign(row->bound, y) : crn_row_is_bounded(row) ? y : l[i];
        c->row_w[i] = is_at_bound ? delta * (c->l[i] - y) : 0.0;
    }
}

static void write_nearby(const certifier *c, const double *velocity, const crn_contact_solution *nearby)
{
    size_t contacts = (size_t)c->measure.problem->contacts, rows = (size_t)c->measure.problem->rows;
    if (nearby->impulse) {
        crn_copy_numbers(nearby->impulse, c->r, (int)(3 * contacts));
    }
    if (nearby->contact_velocity) {
        crn_copy_numbers(nearby->contact_velocity, c->w, (int)(3 * contacts));
    }
    if (nearby->row_impulse) {
        crn_copy_numbers(nearby->row_impulse, c->l, (int)rows);
    }
    if (nearby->velocity) {
        crn_copy_numbers(nearby->velocity, velocity, crn_contact_dof(c->measure.problem));
    }
}

crn_status crn_contact_backward_error(const crn_contact_problem *problem, const crn_contact_options *options,
                                      const double *impulse, const double *row_impulse, crn_workspace *workspace,
                                      const crn_contact_solution *nearby, crn_contact_backward *backward,
                                      crn_error *error)
{
    certifier c;
    crn_status status = check_call(problem, options, impulse, row_impulse, workspace, backward, error);
    if (status == CRN_OK) {
        status = open_certifier(&c, problem, options, true, workspace, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_contact_certificate found;
    find_nearby(&c, impulse, row_impulse);
    crn_contact_measure(&c.measure, c.r, c.l, NULL, c.u, &found);
    bool is_right = isfinite(found.relative); /* else p, or a factor of a mass, is no good */
    crn_contact_backward b = {.normal = is_right ? 0.0 : INFINITY};
    for (int i = 0; i < problem->contacts; ++i) {
        const double *u = c.u + 3 * (size_t)i, *w = c.w + 3 * (size_t)i;
        int columns = crn_used_columns(&problem->contact[i]);
        double rounding = DBL_EPSILON * crn_measure_inverse_mass(&c.measure, i) * c.r[3 * i]; /* what w is known to */
        double across = columns > 2 ? w[2] - u[2] : 0.0;
        b.normal = crn_larger(b.normal, fabs(w[0] - u[0]) + rounding);
        if (columns > 1 && c.r[3 * i] > 0.0) {
            b.slip = crn_larger(b.slip, crn_hypot(w[1] - u[1], across) + rounding);
        }
    }
    for (int i = 0; i < problem->rows; ++i) {
        double v = crn_measure_row_velocity(&c.measure, &problem->row[i], c.measure.v);
        b.row = crn_larger(b.row, c.measure.row_factor[i] * fabs(c.row_w[i] - v));
    }
    if (nearby) {
        write_nearby(&c, c.measure.v, nearby);
    }
    *backward = b;
    return CRN_OK;
}
