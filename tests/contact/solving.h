/* Solving contact problems in tests, and judging the answers by the definitions of cairn/contact.h alone: columns from
 * geometry, masses inverted in long double, the law of contact contact by contact. No code of the library is used. */
#ifndef CRN_TEST_CONTACT_SOLVING_H
#define CRN_TEST_CONTACT_SOLVING_H

#include "../lcp/judge.h"

#include <cairn/contact.h>

typedef long double real;

/* --- motion from impulses --- */

static inline void solving_cross(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

/* Normal and tangents; those that the library chooses: the axis after the normal's largest component, projected; in the
 * plane the normal turned by a quarter. */
static inline void solving_frame(const crn_contact_point *c, bool is_planar, double frame[3][3])
{
    memcpy(frame[0], c->normal, sizeof frame[0]);
    memcpy(frame[1], c->t1, sizeof frame[1]);
    memcpy(frame[2], c->t2, sizeof frame[2]);
    bool is_chosen = c->t1[0] == 0.0 && c->t1[1] == 0.0 && c->t1[2] == 0.0;
    if (is_chosen && is_planar) {
        const double t[2][3] = {{-c->normal[1], c->normal[0], 0.0}, {0.0, 0.0, 1.0}};
        memcpy(frame[1], t, sizeof t);
    } else if (is_chosen) {
        const double *n = c->normal;
        int largest = fabs(n[0]) > fabs(n[1]) ? 0 : 1;
        largest = fabs(n[2]) >= fabs(n[largest]) ? 2 : largest;
        int axis = (largest + 1) % 3;
        double length = 0.0;
        for (int k = 0; k < 3; ++k) {
            frame[1][k] = (k == axis ? 1.0 : 0.0) - n[axis] * n[k];
            length += frame[1][k] * frame[1][k];
        }
        for (int k = 0; k < 3; ++k) {
            frame[1][k] /= sqrt(length);
        }
        solving_cross(n, frame[1], frame[2]);
    }
}

/* Column j (n, t1, t2) of a contact on body a (side 0) or b: dof numbers. */
static inline void solving_column(const crn_contact_problem *p, const crn_contact_point *c, int side, int j,
                                  double *column)
{
    int body = side == 0 ? c->a : c->b, dof = p->body[body].dof;
    if (c->jacobian_a || c->jacobian_b) {
        const double *given = side == 0 ? c->jacobian_a : c->jacobian_b;
        memcpy(column, given + (size_t)j * (size_t)dof, (size_t)dof * sizeof *column);
        return;
    }
    bool is_planar = p->body[body].kind == CRN_MASS_PLANAR;
    double frame[3][3], arm[3], spatial[6], sign = side == 0 ? 1.0 : -1.0;
    solving_frame(c, is_planar, frame);
    for (int k = 0; k < 3; ++k) {
        arm[k] = c->position[k] - p->body[body].com[k];
        spatial[3 + k] = frame[j][k];
    }
    solving_cross(arm, frame[j], spatial);
    for (int k = 0; k < dof; ++k) { /* planar: w_z, v_x, v_y */
        column[k] = sign * spatial[is_planar ? k + 2 : k];
    }
}

/* Mass matrix of a body (of an operator: its inverse), dof x dof. */
static inline real *solving_mass(const crn_contact_body *b)
{
    int n = b->dof;
    real *A = (real *)take((size_t)n * (size_t)n, sizeof *A);
    double *unit = (double *)take((size_t)n, sizeof *unit), *out = (double *)take((size_t)n, sizeof *out);
    for (int j = 0; j < n; ++j) {
        if (b->kind == CRN_MASS_OPERATOR) {
            unit[j] = 1.0;
            b->solve(b->user, unit, out);
            unit[j] = 0.0;
        }
        for (int i = 0; i < n; ++i) {
            real *entry = &A[i + j * n];
            switch (b->kind) {
            case CRN_MASS_RIGID:
                *entry = i < 3 && j < 3 ? (real)b->inertia[i + 3 * j] : i == j ? (real)b->mass : 0.0L;
                break;
            case CRN_MASS_PLANAR: *entry = i != j ? 0.0L : i == 0 ? (real)b->inertia[8] : (real)b->mass; break;
            case CRN_MASS_UNIT: *entry = i == j ? 1.0L : 0.0L; break;
            case CRN_MASS_MATRIX: *entry = b->matrix[i + j * b->ld]; break;
            case CRN_MASS_OPERATOR: *entry = out[i]; break;
            case CRN_MASS_FACTOR:
            default:
                for (int l = 0; l <= (i < j ? i : j); ++l) {
                    *entry += (real)b->matrix[i + l * b->ld] * b->matrix[j + l * b->ld];
                }
                break;
            }
        }
    }
    free(unit);
    free(out);
    return A;
}

/* x = A \ x by elimination with row exchanges; A is destroyed. */
static inline void solving_eliminate(int n, real *A, real *x)
{
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k; i < n; ++i) {
            p = fabsl(A[i + k * n]) > fabsl(A[p + k * n]) ? i : p;
        }
        for (int j = 0; j < n; ++j) {
            real t = A[k + j * n];
            A[k + j * n] = A[p + j * n];
            A[p + j * n] = t;
        }
        real t = x[k];
        x[k] = x[p];
        x[p] = t;
        for (int i = k + 1; i < n; ++i) {
            real factor = A[i + k * n] / A[k + k * n];
            for (int j = k; j < n && factor != 0.0L; ++j) {
                A[i + j * n] -= factor * A[k + j * n];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = n; k-- > 0;) {
        for (int j = k + 1; j < n; ++j) {
            x[k] -= A[k + j * n] * x[j];
        }
        x[k] /= A[k + k * n];
    }
}

/* x = M^-1 x of one body. */
static inline void solving_inverse_mass(const crn_contact_body *b, real *x)
{
    int n = b->dof;
    real *A = solving_mass(b);
    if (b->kind == CRN_MASS_OPERATOR) {
        real *y = (real *)take((size_t)n, sizeof *y);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                y[i] += A[i + j * n] * x[j];
            }
        }
        memcpy(x, y, (size_t)n * sizeof *x);
        free(y);
    } else {
        solving_eliminate(n, A, x);
    }
    free(A);
}

/* First velocity of a body. */
static inline int solving_start(const crn_contact_problem *p, int body)
{
    int start = 0;
    for (int i = 0; i < body; ++i) {
        start += p->body[i].dof;
    }
    return start;
}

/* v = v_f + M^-1 (J'r + B'l) of all bodies. */
static inline void solving_motion(const crn_contact_problem *p, const double *r, const double *l, double *v)
{
    int dof = solving_start(p, p->bodies);
    real *x = (real *)take((size_t)dof, sizeof *x);
    double *column = (double *)take((size_t)dof, sizeof *column);
    for (int i = 0; i < p->contacts; ++i) {
        for (int side = 0; side < 2; ++side) {
            int body = side == 0 ? p->contact[i].a : p->contact[i].b;
            for (int j = 0; body >= 0 && j < 3; ++j) {
                solving_column(p, &p->contact[i], side, j, column);
                for (int k = 0; k < p->body[body].dof; ++k) {
                    x[solving_start(p, body) + k] += (real)column[k] * r[3 * i + j];
                }
            }
        }
    }
    for (int i = 0; i < p->rows; ++i) {
        const crn_contact_row *row = &p->row[i];
        for (int k = 0; row->a >= 0 && k < p->body[row->a].dof; ++k) {
            x[solving_start(p, row->a) + k] += (real)row->jacobian_a[k] * l[i];
        }
        for (int k = 0; row->b >= 0 && k < p->body[row->b].dof; ++k) {
            x[solving_start(p, row->b) + k] += (real)row->jacobian_b[k] * l[i];
        }
    }
    for (int b = 0, at = 0; b < p->bodies; at += p->body[b].dof, ++b) {
        solving_inverse_mass(&p->body[b], x + at);
        for (int k = 0; k < p->body[b].dof; ++k) {
            v[at + k] = (double)(p->velocity[at + k] + x[at + k]);
        }
    }
    free(x);
    free(column);
}

/* u = J v (+ offset) of contact i. */
static inline void solving_slip(const crn_contact_problem *p, int i, const double *v, bool has_offset, double *u)
{
    const crn_contact_point *c = &p->contact[i];
    double *column = (double *)take((size_t)solving_start(p, p->bodies), sizeof *column);
    for (int j = 0; j < 3; ++j) {
        real sum = has_offset ? c->offset[j] : 0.0;
        for (int side = 0; side < 2; ++side) {
            int body = side == 0 ? c->a : c->b;
            if (body >= 0) {
                solving_column(p, c, side, j, column);
                for (int k = 0; k < p->body[body].dof; ++k) {
                    sum += (real)column[k] * v[solving_start(p, body) + k];
                }
            }
        }
        u[j] = (double)sum;
    }
    free(column);
}

static inline double solving_row(const crn_contact_problem *p, int i, const double *v)
{
    const crn_contact_row *row = &p->row[i];
    real sum = row->offset;
    for (int k = 0; row->a >= 0 && k < p->body[row->a].dof; ++k) {
        sum += (real)row->jacobian_a[k] * v[solving_start(p, row->a) + k];
    }
    for (int k = 0; row->b >= 0 && k < p->body[row->b].dof; ++k) {
        sum += (real)row->jacobian_b[k] * v[solving_start(p, row->b) + k];
    }
    return (double)sum;
}

/* --- solving --- */

typedef struct motion {
    crn_status status;
    crn_error error;
    crn_contact_result result;
    double *r, *v, *u, *l; /* 3 per contact, dof, 3 per contact, rows */
    crn_contact_state *state;
} motion;

static inline motion motion_new(const crn_contact_problem *p)
{
    motion m = {.status = CRN_OK};
    size_t contacts = (size_t)p->contacts, dof = (size_t)crn_contact_dof(p);
    m.r = (double *)take(3 * contacts, sizeof(double));
    m.u = (double *)take(3 * contacts, sizeof(double));
    m.v = (double *)take(dof, sizeof(double));
    m.l = (double *)take((size_t)p->rows, sizeof(double));
    m.state = (crn_contact_state *)take(contacts, sizeof(crn_contact_state));
    return m;
}

static inline void motion_free(motion *m)
{
    free(m->r);
    free(m->u);
    free(m->v);
    free(m->l);
    free(m->state);
}

static inline crn_contact_solution motion_solution(const motion *m)
{
    return (crn_contact_solution){m->r, m->v, m->u, m->l, m->state};
}

static inline motion move_in(const crn_contact_problem *p, const crn_contact_options *options, crn_workspace *workspace)
{
    motion m = motion_new(p);
    crn_contact_solution solution = motion_solution(&m);
    m.status = crn_contact_solve(p, options, workspace, &solution, &m.result, &m.error);
    return m;
}

static inline crn_contact_options states_options(void)
{
    crn_contact_options options = crn_contact_options_default();
    options.method = CRN_CONTACT_STATES;
    return options;
}

static inline motion move(const crn_contact_problem *p)
{
    crn_workspace workspace = {0};
    crn_contact_options options = states_options();
    motion m = move_in(p, &options, &workspace);
    crn_workspace_free(&workspace);
    return m;
}

/* --- judging --- */

/* The law of contact from its definition, for impulses and the contact velocities u that belong to them: the largest
 * violation, velocities over `speed`, impulses over `size`.
 *
 *     r_n >= 0,  u_n >= 0,  one of them 0;   f in the polygon mu r_n P;   f'u_t = -mu r_n max_j (-d_j'u_t) */
static inline double solving_violation(const crn_contact_point *c, const double *r, const double *u, double speed,
                                       double size)
{
    const double pi = 3.14159265358979323846;
    double worst = fmax(-r[0] / size, -u[0] / speed);
    worst = fmax(worst, fmin(fabs(r[0]) / size, fabs(u[0]) / speed));
    int d = c->mu > 0.0 ? c->directions : 0;
    double limit = c->mu * r[0], most = 0.0;
    if (d <= 2) {
        worst = fmax(worst, fabs(r[2]) / size);
    }
    if (d == 0) {
        return fmax(worst, fabs(r[1]) / size);
    }
    for (int j = 0; j < d; ++j) {
        double angle = 2.0 * pi * j / d, middle = angle + pi / d, far = d > 2 ? cos(pi / d) : 1.0;
        double corner[2] = {cos(angle), d > 2 ? sin(angle) : 0.0};
        double normal[2] = {d > 2 ? cos(middle) / far : corner[0], d > 2 ? sin(middle) / far : 0.0};
        most = fmax(most, -(corner[0] * u[1] + corner[1] * u[2]));
        worst = fmax(worst, (normal[0] * r[1] + normal[1] * r[2] - limit) / size);
    }
    double power = r[1] * u[1] + r[2] * u[2] + limit * most; /* >= 0 for every f in the polygon; any will do at rest */
    worst = fmax(worst, fmin(power / (size * speed), hypot(u[1], d > 2 ? u[2] : 0.0) / speed));
    return isnan(worst) || !isfinite(r[0] + r[1] + r[2] + u[0] + u[1] + u[2]) ? INFINITY : worst;
}

/* Largest coefficient of a bilateral row: its unit. */
static inline double solving_row_size(const crn_contact_problem *p, int i)
{
    const crn_contact_row *row = &p->row[i];
    double size = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? row->a : row->b;
        const double *J = side == 0 ? row->jacobian_a : row->jacobian_b;
        for (int k = 0; body >= 0 && k < p->body[body].dof; ++k) {
            size = fmax(size, fabs(J[k]));
        }
    }
    return size > 0.0 ? size : 1.0;
}

/* The law of a row, from its impulse and its speed e over `speed`: e = 0, or with a bound the sign that is allowed there. */
static inline double solving_row_violation(const crn_contact_row *row, double l, double e)
{
    double c = row->bound;
    if (!isfinite(l) || !isfinite(e)) {
        return INFINITY;
    }
    if (!(c > 0.0 && c < INFINITY)) {
        return fabs(e);
    }
    double outside = fmax(fabs(l) - c, 0.0) / c, way = (e > 0.0 ? l + c : c - l) / c; /* to the bound that e asks for */
    return fmax(outside, fmin(fabs(e), fabs(way)));
}

/* The same over all contacts and rows; u and v are computed here from the impulses. speed: what counts as 1, at least
 * the fastest closing contact of the free motion. */
static inline double solving_judge(const crn_contact_problem *p, const double *r, const double *l)
{
    int dof = solving_start(p, p->bodies);
    double *v = (double *)take((size_t)dof, sizeof *v), worst = 0.0, speed = 0.0, size = 0.0, u[3];
    for (int i = 0; i < p->contacts; ++i) {
        solving_slip(p, i, p->velocity, true, u);
        double closing = fmax(-u[0], 0.0);
        solving_slip(p, i, p->velocity, false, u);
        speed = fmax(speed, fmax(closing, 1e-3 * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])));
        size = fmax(size, fabs(r[3 * i]));
    }
    speed = speed > 0.0 ? speed : 1.0;
    size = size > 0.0 ? size : 1.0;
    solving_motion(p, r, l, v);
    for (int i = 0; i < p->contacts; ++i) {
        solving_slip(p, i, v, true, u);
        worst = fmax(worst, solving_violation(&p->contact[i], r + 3 * i, u, speed, size));
    }
    for (int i = 0; i < p->rows; ++i) {
        double e = solving_row(p, i, v) / (speed * solving_row_size(p, i));
        worst = fmax(worst, solving_row_violation(&p->row[i], l[i], e));
    }
    free(v);
    return worst;
}

/* "Solved" is false above this figure of solving_judge(): the library promises 1e-9 of a natural map, which weighs
 * impulses against velocities by the contact's own inverse mass, ours by the largest impulse. */
#define SOLVING_TOL 1e-7

/* What the state says of impulse and contact velocity. */
static inline void check_state(const char *name, const crn_contact_problem *p, const motion *m, int i, double speed,
                               double size, double tol)
{
    const double pi = 3.14159265358979323846;
    const crn_contact_point *c = &p->contact[i];
    const double *r = m->r + 3 * i, *u = m->u + 3 * i;
    int kind = m->state[i].kind, j = m->state[i].corner, d = c->directions;
    double limit = c->mu * r[0], slip = hypot(u[1], d == 2 ? 0.0 : u[2]);
    bool has_friction = c->mu > 0.0 && d > 0;
    TEST_CHECK(kind >= CRN_CONTACT_OFF && kind <= CRN_CONTACT_STICK, "%s: contact %d has kind %d", name, i, kind);
    TEST_CHECK(j >= 0 && (j == 0 || j < d), "%s: contact %d has corner %d of %d", name, i, j, d);
    if (kind == CRN_CONTACT_OFF) {
        TEST_CHECK(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0, "%s: contact %d is off with impulse %g", name, i, r[0]);
        return;
    }
    TEST_CHECK(fabs(u[0]) <= tol * speed, "%s: contact %d of kind %d parts at %g", name, i, kind, u[0]);
    TEST_CHECK((kind == CRN_CONTACT_ON) == !has_friction, "%s: contact %d has kind %d, mu %g", name, i, kind, c->mu);
    TEST_CHECK(!(kind == CRN_CONTACT_EDGE && d == 2), "%s: contact %d is on the edge of a segment", name, i);
    if (kind == CRN_CONTACT_STICK) {
        TEST_CHECK(slip <= tol * speed, "%s: contact %d sticks and slips by %g", name, i, slip);
    } else if (has_friction) { /* on the rim: at the corner, or between it and the next */
        double from[2] = {cos(2.0 * pi * j / d), d > 2 ? sin(2.0 * pi * j / d) : 0.0};
        double to[2] = {cos(2.0 * pi * (j + 1) / d), d > 2 ? sin(2.0 * pi * (j + 1) / d) : 0.0};
        double step[2] = {to[0] - from[0], to[1] - from[1]}, square = step[0] * step[0] + step[1] * step[1];
        double f[2] = {r[1] - limit * from[0], r[2] - limit * from[1]};
        double along = kind == CRN_CONTACT_EDGE ? (f[0] * step[0] + f[1] * step[1]) / square : 0.0;
        double off = hypot(f[0] - along * step[0], f[1] - along * step[1]);
        TEST_CHECK(off <= tol * size, "%s: contact %d of kind %d is %g off its corner %d", name, i, kind, off, j);
        TEST_CHECK(along >= -tol * size && along <= limit + tol * size, "%s: contact %d is beyond its edge", name, i);
        TEST_CHECK(from[0] * u[1] + from[1] * u[2] <= tol * speed, "%s: contact %d slides with its friction", name, i);
        if (kind == CRN_CONTACT_EDGE) {
            TEST_CHECK(fabs(step[0] * u[1] + step[1] * u[2]) <= tol * speed, "%s: contact %d slips along its edge",
                       name, i);
        }
    }
}

static inline double largest_normal(const crn_contact_problem *p, const double *r)
{
    double size = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        size = fmax(size, r[3 * i]);
    }
    return size > 0.0 ? size : 1.0;
}

/* The answer is what it claims to be. If it is called solved: motion and contact velocities belong to the impulses, they
 * fulfil the law, states agree with impulses and velocities. */
static inline void check_honest(const char *name, const crn_contact_problem *p, const motion *m)
{
    const crn_contact_result *result = &m->result;
    int dof = solving_start(p, p->bodies);
    TEST_CHECK(m->status == CRN_OK, "%s: %s", name, m->error.text);
    TEST_CHECK(result->outcome > CRN_LCP_UNSOLVED && result->outcome <= CRN_LCP_STALLED, "%s: outcome %d", name,
               (int)result->outcome);
    TEST_CHECK((result->outcome == CRN_LCP_SOLVED) == (result->certificate.relative <= 1e-9), "%s: %s with %g", name,
               crn_lcp_outcome_name(result->outcome), result->certificate.relative);
    if (result->outcome != CRN_LCP_SOLVED) {
        return;
    }
    double *v = (double *)take((size_t)dof, sizeof *v), speed = result->certificate.scale, fastest = speed;
    solving_motion(p, m->r, m->l, v);
    for (int k = 0; k < dof; ++k) {
        fastest = fmax(fastest, fmax(fabs(v[k]), fabs(p->velocity[k])));
    }
    for (int k = 0; k < dof; ++k) {
        TEST_CHECK(fabs(v[k] - m->v[k]) <= 1e-10 * fastest, "%s: v(%d) = %g, not %g", name, k, m->v[k], v[k]);
    }
    for (int i = 0; i < p->contacts; ++i) {
        double u[3];
        solving_slip(p, i, m->v, true, u);
        for (int j = 0; j < 3; ++j) {
            TEST_CHECK(fabs(u[j] - m->u[3 * i + j]) <= 1e-11 * fmax(fastest, fabs(u[j])), "%s: u(%d,%d) = %g, not %g",
                       name, i, j, m->u[3 * i + j], u[j]);
        }
    }
    double worst = solving_judge(p, m->r, m->l);
    TEST_CHECK(worst <= SOLVING_TOL, "%s: false solved, %g where %g is claimed", name, worst,
               result->certificate.relative);
    for (int i = 0; i < p->contacts; ++i) {
        check_state(name, p, m, i, speed, largest_normal(p, m->r), 1e-7);
    }
    free(v);
}

static inline void check_solved(const char *name, const crn_contact_problem *p, const motion *m)
{
    check_honest(name, p, m);
    TEST_CHECK(m->result.outcome == CRN_LCP_SOLVED, "%s: %s, certificate %g", name,
               crn_lcp_outcome_name(m->result.outcome), m->result.certificate.relative);
}

/* --- the assembled problem --- */

typedef struct lcp_of {
    crn_lcp_problem p;
    double *M, *q, *lower, *upper;
} lcp_of;

static inline lcp_of assemble(const crn_contact_problem *p)
{
    crn_workspace workspace = {0};
    crn_error error;
    lcp_of a;
    int n = crn_contact_lcp_size(p);
    assert_true(n >= 0);
    a.M = (double *)take((size_t)n * (size_t)n, sizeof *a.M);
    a.q = (double *)take((size_t)n, sizeof *a.q);
    a.lower = (double *)take((size_t)n, sizeof *a.lower);
    a.upper = (double *)take((size_t)n, sizeof *a.upper);
    crn_status status = crn_contact_assemble(p, &workspace, a.M, a.q, a.lower, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(crn_contact_lcp_bounds(p, NULL, a.upper, &error), CRN_OK);
    a.p = (crn_lcp_problem){.n = n, .M = a.M, .ld = n, .q = a.q, .lower = a.lower, .upper = a.upper};
    crn_workspace_free(&workspace);
    return a;
}

static inline void lcp_of_free(lcp_of *a)
{
    free(a->M);
    free(a->q);
    free(a->lower);
    free(a->upper);
}

/* z of the answer passes the judge of LCPs on the assembled problem. */
static inline void check_assembled(const char *name, const crn_contact_problem *p, const motion *m)
{
    lcp_of a = assemble(p);
    double *z = (double *)take((size_t)a.p.n, sizeof *z);
    crn_error error;
    crn_status status = crn_contact_to_lcp(p, m->r, m->u, m->l, z, &error);
    TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
    real worst = a.p.n > 0 ? judge_point(&a.p, z) : 0.0L;
    TEST_CHECK(worst <= JUDGE_TOL, "%s: %Lg by the judge of the assembled problem", name, worst);
    free(z);
    lcp_of_free(&a);
}

/* Impulses of a solution of the assembled problem. */
static inline void impulses_of_lcp(const crn_contact_problem *p, const double *z, double *r, double *l)
{
    const double pi = 3.14159265358979323846;
    int phi = p->contacts, n = crn_contact_lcp_size(p);
    for (int i = 0; i < p->contacts; ++i) {
        int d = p->contact[i].directions;
        r[3 * i] = z[i];
        r[3 * i + 1] = r[3 * i + 2] = 0.0;
        for (int j = 0; j < d; ++j) {
            r[3 * i + 1] += z[phi + j] * cos(2.0 * pi * j / d);
            r[3 * i + 2] += d > 2 ? z[phi + j] * sin(2.0 * pi * j / d) : 0.0;
        }
        phi += d;
    }
    for (int i = 0; i < p->rows; ++i) {
        l[i] = z[n - p->rows + i];
    }
}

/* Solve the assembled problem by door 1: the motion; false if it was not solved. */
static inline bool motion_by_lcp(const crn_contact_problem *p, double *v)
{
    lcp_of a = assemble(p);
    answer by = solve(&a.p, NULL);
    bool is_solved = by.status == CRN_OK && by.result.outcome == CRN_LCP_SOLVED;
    if (is_solved) {
        motion m = motion_new(p);
        impulses_of_lcp(p, by.z, m.r, m.l);
        solving_motion(p, m.r, m.l, v);
        motion_free(&m);
    }
    answer_free(&by);
    lcp_of_free(&a);
    return is_solved;
}

/* sqrt((v - w)'M(v - w)) over sqrt of the larger energy: how far two motions are apart, whatever the units. */
static inline double motion_distance(const crn_contact_problem *p, const double *v, const double *w)
{
    real apart = 0.0L, energy = 0.0L;
    for (int b = 0, at = 0; b < p->bodies; at += p->body[b].dof, ++b) {
        int n = p->body[b].dof;
        real *A = solving_mass(&p->body[b]);
        for (int i = 0; i < n && p->body[b].kind != CRN_MASS_OPERATOR; ++i) {
            for (int j = 0; j < n; ++j) {
                real f = p->velocity[at + i] * (real)p->velocity[at + j];
                apart += A[i + j * n] * ((real)v[at + i] - w[at + i]) * ((real)v[at + j] - w[at + j]);
                energy += A[i + j * n] * f;
            }
        }
        for (int i = 0; i < n && p->body[b].kind == CRN_MASS_OPERATOR; ++i) {
            apart += ((real)v[at + i] - w[at + i]) * ((real)v[at + i] - w[at + i]);
            energy += (real)p->velocity[at + i] * p->velocity[at + i];
        }
        free(A);
    }
    return energy > 0.0L ? (double)sqrtl(apart / energy) : (double)sqrtl(apart);
}

#endif
