/* The contact problem as an explicit LCP  [L05 eq. 8], with free variables l for bilateral rows B v + offset = 0:
 *
 *     nu    = N'N theta + N'D phi            + N'B l + n v_f + offset_n     >= 0   complementary to theta
 *     sigma = D'N theta + D'D phi + E lambda + D'B l + d v_f + offset_d     >= 0   complementary to phi
 *     gamma = mu theta  - E' phi                                            >= 0   complementary to lambda
 *     0     = B'N theta + B'D phi            + B'B l + B v_f + offset                (e)
 *
 * A row with a bound has -bound <= l <= bound and e >= 0 at the lower, <= 0 at the upper bound: a box LCP.
 *
 * N, D, B are whitened columns. Made for checks and export, so plain dense algebra in the caller's order, without the
 * islands and sparse columns that the solvers use: the "base" columns n, t1, t2 of every contact and one per bilateral
 * row are whitened, their Gram matrix is formed once, and since d_j = cos a_j t1 + sin a_j t2 every entry of M is a
 * combination of at most four of its entries. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "contact/mass.h"
#include "contact/problem.h"
#include "math/vec.h"

/* A row and column of M as a combination of base columns; `first` is -1 for cones, b is 0 if one column is enough. */
typedef struct term {
    int first, second;
    double a, b;
} term;

typedef struct assembly {
    const crn_contact_problem *problem;
    int dof, base, order; /* base columns: 3 per contact and 1 per row; order of M */
    int *start;           /* bodies: first velocity */
    crn_mass *mass;       /* bodies */
    term *term;           /* order */
    double *J;            /* dof x base: columns as given; whitened in place */
    double *gram;         /* base x base */
    double *speed;        /* base: J'v_f + offset */
    double *work;         /* dof */
} assembly;

int crn_contact_lcp_size(const crn_contact_problem *problem)
{
    if (problem == NULL || (problem->contacts > 0 && problem->contact == NULL)) {
        return -1;
    }
    long long total = (long long)problem->contacts + problem->rows;
    for (int i = 0; i < problem->contacts; ++i) {
        int d = problem->contact[i].directions;
        total += d > 0 ? (long long)d + 1 : 0;
        if (total > INT_MAX) {
            return -1;
        }
    }
    return total <= INT_MAX ? (int)total : -1;
}

static void layout(assembly *a, crn_arena *arena)
{
    const crn_contact_problem *p = a->problem;
    size_t dof = (size_t)a->dof, base = (size_t)a->base;
    a->start = CRN_TAKE(arena, int, p->bodies);
    a->mass = CRN_TAKE(arena, crn_mass, p->bodies);
    for (int i = 0; i < p->bodies; ++i) {
        crn_mass_layout(a->mass ? &a->mass[i] : NULL, &p->body[i], arena);
    }
    a->term = CRN_TAKE(arena, term, a->order);
    a->J = CRN_TAKE_MATRIX(arena, double, dof, base);
    a->gram = CRN_TAKE_MATRIX(arena, double, base, base);
    a->speed = CRN_TAKE(arena, double, base);
    a->work = CRN_TAKE(arena, double, dof);
}

static crn_status open_assembly(assembly *a, crn_workspace *workspace, crn_error *error)
{
    crn_arena counting = crn_arena_counting(), arena;
    layout(a, &counting);
    if (counting.overflow) {
        return crn_fail(error, CRN_ERR_MEMORY, "the assembled problem does not fit into memory");
    }
    crn_status status = crn_workspace_arena(workspace, counting.used, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    layout(a, &arena);
    int velocity = 0;
    for (int i = 0; i < a->problem->bodies && status == CRN_OK; ++i) {
        a->start[i] = velocity;
        velocity += a->problem->body[i].dof;
        status = crn_mass_factorize(&a->mass[i], i, a->work, error);
    }
    return status;
}

/* --- Base columns --- */

/* Columns `column` to `column + width - 1` on one body. */
static void put_columns(assembly *a, int body, const double *given, int column, int width)
{
    size_t dof = (size_t)a->problem->body[body].dof;
    for (int j = 0; j < width; ++j) {
        memcpy(a->J + (size_t)(column + j) * (size_t)a->dof + a->start[body], given + (size_t)j * dof,
               dof * sizeof *given);
    }
}

static void put_contact(assembly *a, int i)
{
    const crn_contact_point *contact = &a->problem->contact[i];
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? contact->a : contact->b;
        if (body >= 0) {
            double space[18];
            put_columns(a, body, crn_contact_columns(a->problem, contact, side, space), 3 * i, 3);
        }
    }
}

static void put_row(assembly *a, int i)
{
    const crn_contact_row *row = &a->problem->row[i];
    int column = 3 * a->problem->contacts + i;
    if (row->a >= 0) {
        put_columns(a, row->a, row->jacobian_a, column, 1);
    }
    if (row->b >= 0) {
        put_columns(a, row->b, row->jacobian_b, column, 1);
    }
}

static double base_offset(const crn_contact_problem *p, int column)
{
    return column < 3 * p->contacts ? p->contact[column / 3].offset[column % 3]
                                    : p->row[column - 3 * p->contacts].offset;
}

/* Columns as given, their speeds in the free motion, then columns whitened and their Gram matrix. */
static void fill_base(assembly *a)
{
    const crn_contact_problem *p = a->problem;
    size_t dof = (size_t)a->dof, base = (size_t)a->base;
    memset(a->J, 0, dof * base * sizeof *a->J);
    for (int i = 0; i < p->contacts; ++i) {
        put_contact(a, i);
    }
    for (int i = 0; i < p->rows; ++i) {
        put_row(a, i);
    }
    for (size_t j = 0; j < base; ++j) {
        double *column = a->J + j * dof;
        a->speed[j] = crn_dot(a->dof, column, p->velocity) + base_offset(p, (int)j);
        for (int i = 0; i < p->bodies; ++i) {
            crn_mass_whiten(&a->mass[i], column + a->start[i], column + a->start[i]);
        }
    }
    for (size_t j = 0; j < base; ++j) { /* each product once: symmetric to the last bit */
        for (size_t i = 0; i <= j; ++i) {
            double product = crn_dot(a->dof, a->J + i * dof, a->J + j * dof);
            a->gram[i + j * base] = a->gram[j + i * base] = product;
        }
    }
}

/* --- The matrix --- */

static double gram_of(const assembly *a, const term *row, const term *column)
{
    size_t base = (size_t)a->base;
    const double *G = a->gram + (size_t)column->first * base;
    double sum = row->a * G[row->first];
    sum += row->b != 0.0 ? row->b * G[row->second] : 0.0;
    sum *= column->a;
    if (column->b != 0.0) {
        G = a->gram + (size_t)column->second * base;
        double other = row->a * G[row->first];
        other += row->b != 0.0 ? row->b * G[row->second] : 0.0;
        sum += column->b * other;
    }
    return sum;
}

/* In the order of the LCP: theta, phi, lambda, free variables. */
static void fill_terms(const assembly *a)
{
    const crn_contact_problem *p = a->problem;
    term *to = a->term;
    for (int i = 0; i < p->contacts; ++i) {
        *to++ = (term){3 * i, 3 * i, 1.0, 0.0};
    }
    for (int i = 0; i < p->contacts; ++i) {
        for (int j = 0; j < p->contact[i].directions; ++j) {
            double corner[2];
            crn_corner(p->contact[i].directions, j, corner);
            *to++ = (term){3 * i + 1, 3 * i + 2, corner[0], corner[1]};
        }
    }
    for (int i = 0; i < p->contacts; ++i) {
        if (p->contact[i].directions > 0) {
            *to++ = (term){-1, -1, 0.0, 0.0};
        }
    }
    for (int i = 3 * p->contacts; i < a->base; ++i) {
        *to++ = (term){i, i, 1.0, 0.0};
    }
}

static void fill_gram(const assembly *a, double *M, double *q)
{
    size_t n = (size_t)a->order;
    for (size_t j = 0; j < n; ++j) {
        const term *column = &a->term[j];
        for (size_t i = 0; i <= j; ++i) {
            const term *row = &a->term[i];
            double entry = row->first < 0 || column->first < 0 ? 0.0 : gram_of(a, row, column);
            M[i + j * n] = M[j + i * n] = entry;
        }
        q[j] = column->first < 0 ? 0.0 : column->a * a->speed[column->first];
        q[j] += column->b != 0.0 ? column->b * a->speed[column->second] : 0.0;
    }
}

/* Number of phi. */
static int count_phi(const crn_contact_problem *p)
{
    int total = 0;
    for (int i = 0; i < p->contacts; ++i) {
        total += p->contact[i].directions;
    }
    return total;
}

/* The blocks E, mu and -E'. */
static void fill_cones(const assembly *a, double *M)
{
    const crn_contact_problem *p = a->problem;
    size_t n = (size_t)a->order, phi = (size_t)p->contacts, lambda = phi + (size_t)count_phi(p);
    for (int i = 0; i < p->contacts; ++i) {
        size_t d = (size_t)p->contact[i].directions;
        if (d == 0) {
            continue;
        }
        M[lambda + (size_t)i * n] = p->contact[i].mu;
        for (size_t j = phi; j < phi + d; ++j) {
            M[j + lambda * n] = 1.0;
            M[lambda + j * n] = -1.0;
        }
        phi += d;
        lambda++;
    }
}

/* Bounds of z, rows last. */
static void fill_bounds(const crn_contact_problem *problem, int order, double *lower, double *upper)
{
    int first = order - problem->rows;
    for (int j = 0; j < order; ++j) {
        const crn_contact_row *row = j < first ? NULL : &problem->row[j - first];
        double bound = row && crn_row_is_bounded(row) ? row->bound : INFINITY;
        if (lower) {
            lower[j] = row ? -bound : 0.0;
        }
        if (upper) {
            upper[j] = bound;
        }
    }
}

crn_status crn_contact_assemble(const crn_contact_problem *problem, crn_workspace *workspace, double *M, double *q,
                                double *lower, crn_error *error)
{
    crn_status status = crn_contact_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    assembly a = {.problem = problem, .dof = crn_contact_dof(problem), .order = crn_contact_lcp_size(problem)};
    if (a.order < 0) {
        return crn_fail(error, CRN_ERR_MEMORY, "the assembled problem does not fit into memory");
    }
    if (!workspace || (a.order > 0 && (!M || !q))) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "workspace, M or q is NULL");
    }
    a.base = 3 * problem->contacts + problem->rows; /* both are limited by CRN_CONTACTS_MAX */
    status = open_assembly(&a, workspace, error);
    if (status == CRN_OK) {
        fill_base(&a);
        fill_terms(&a);
        fill_gram(&a, M, q);
        fill_cones(&a, M);
        fill_bounds(problem, a.order, lower, NULL);
    }
    return status;
}

crn_status crn_contact_lcp_bounds(const crn_contact_problem *problem, double *lower, double *upper, crn_error *error)
{
    crn_status status = crn_contact_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    int order = crn_contact_lcp_size(problem);
    if (order < 0) {
        return crn_fail(error, CRN_ERR_MEMORY, "the assembled problem does not fit into memory");
    }
    fill_bounds(problem, order, lower, upper);
    return CRN_OK;
}

/* --- From impulses to z --- */

/* phi of one contact: f lies between two neighbouring corners l and l + 1, whose facet has the largest a_l'f (a_l its
 * normal), and is their sum with weights phi >= 0; these have the least sum of all phi that give f. */
static double split_friction(int d, const double *f, double *phi)
{
    memset(phi, 0, (size_t)d * sizeof *phi);
    if (d == 2) {
        phi[f[0] < 0.0 ? 1 : 0] = fabs(f[0]);
        return fabs(f[0]);
    }
    double best = -INFINITY, at[2] = {0.0, 0.0}, to[2] = {0.0, 0.0};
    int facet = 0;
    for (int l = 0; l < d; ++l) {
        double here[2], next[2];
        crn_corner(d, l, here);
        crn_corner(d, (l + 1) % d, next);
        double along = (here[0] + next[0]) * f[0] + (here[1] + next[1]) * f[1]; /* a_l'f but for a common factor */
        if (along > best) {
            best = along;
            facet = l;
            memcpy(at, here, sizeof at);
            memcpy(to, next, sizeof to);
        }
    }
    double area = at[0] * to[1] - at[1] * to[0];
    double first = crn_max((f[0] * to[1] - f[1] * to[0]) / area, 0.0); /* below 0 only by rounding, at a corner */
    double second = crn_max((at[0] * f[1] - at[1] * f[0]) / area, 0.0);
    phi[facet] = first;
    phi[(facet + 1) % d] = second;
    return first + second;
}

/* -min_j d_j'u_t, or 0 */
static double slip(int d, const double *u)
{
    double most = 0.0;
    for (int j = 0; j < d; ++j) {
        double corner[2];
        crn_corner(d, j, corner);
        most = crn_max(most, -(corner[0] * u[1] + corner[1] * u[2]));
    }
    return most;
}

/* Sticking or slipping? gamma and lambda are complementary; of an answer with rounding the one that is smaller beside
 * its scale is 0: gamma beside mu theta, lambda beside the fastest contact. */
static bool is_sticking(const crn_contact_point *contact, double theta, double phi, double lambda, double speed)
{
    double limit = contact->mu * theta, gamma = limit - phi;
    return gamma > 0.0 && gamma * speed > lambda * limit;
}

crn_status crn_contact_to_lcp(const crn_contact_problem *problem, const double *impulse, const double *contact_velocity,
                              const double *row_impulse, double *z, crn_error *error)
{
    crn_status status = crn_contact_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    int order = crn_contact_lcp_size(problem);
    if (order < 0) {
        return crn_fail(error, CRN_ERR_MEMORY, "the assembled problem does not fit into memory");
    }
    if ((problem->contacts > 0 && (!impulse || !contact_velocity)) || (problem->rows > 0 && !row_impulse) ||
        (order > 0 && !z)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "impulse, contact_velocity, row_impulse or z is NULL");
    }
    if (order == 0) {
        return CRN_OK;
    }
    double speed = crn_max_abs(3 * problem->contacts, contact_velocity);
    double *phi = z + problem->contacts, *lambda = phi + count_phi(problem);
    for (int i = 0; i < problem->contacts; ++i) {
        const crn_contact_point *contact = &problem->contact[i];
        const double *r = impulse + 3 * (size_t)i;
        int d = contact->directions;
        z[i] = r[0];
        if (d > 0) {
            double sum = split_friction(d, r + 1, phi);
            *lambda = slip(d, contact_velocity + 3 * (size_t)i);
            *lambda = is_sticking(contact, r[0], sum, *lambda, speed) ? 0.0 : *lambda;
            phi += d;
            lambda++;
        }
    }
    if (problem->rows > 0) {
        memcpy(lambda, row_impulse, (size_t)problem->rows * sizeof *lambda);
    }
    return CRN_OK;
}
