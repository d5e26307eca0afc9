/* Cholesky factors of mass matrices  [GVL s4.2], one body at a time. */
#include "contact/mass.h"

#include <math.h>
#include <string.h>

#include "math/lanes.h"
#include "math/triangle.h"

static bool has_factor(const crn_contact_body *body)
{
    return body->kind == CRN_MASS_MATRIX || body->kind == CRN_MASS_OPERATOR;
}

void crn_mass_layout(crn_mass *mass, const crn_contact_body *body, crn_arena *arena)
{
    double *factor = has_factor(body) ? CRN_TAKE_MATRIX(arena, double, body->dof, body->dof) : NULL;
    if (mass) {
        mass->body = body;
        mass->factor = factor;
    }
}

static crn_status factorize_rigid(crn_mass *mass, int i, crn_error *error)
{
    const double *I = mass->body->inertia;
    double A[9];
    memcpy(A, I, sizeof A);
    if (!(I[0] > 0.0 && I[4] > 0.0 && I[8] > 0.0) || crn_triangle_factor(3, A) < 3) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: inertia is not positive definite", i);
    }
    const double packed[7] = {A[0], A[1], A[4], A[2], A[5], A[8], sqrt(mass->body->mass)};
    memcpy(mass->rigid, packed, sizeof packed);
    return CRN_OK;
}

/* The inverse mass matrix by its products with unit vectors, made symmetric. */
static void fill_by_operator(crn_mass *mass, double *work)
{
    const crn_contact_body *body = mass->body;
    size_t n = (size_t)body->dof;
    double *A = mass->factor;
    memset(work, 0, n * sizeof *work);
    for (size_t j = 0; j < n; ++j) {
        work[j] = 1.0;
        body->solve(body->user, work, A + j * n);
        work[j] = 0.0;
    }
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j + 1; i < n; ++i) {
            A[i + j * n] = 0.5 * (A[i + j * n] + A[j + i * n]);
        }
    }
}

static crn_status check_given_factor(const crn_contact_body *body, int i, crn_error *error)
{
    for (int j = 0; j < body->dof; ++j) {
        if (!(body->matrix[(size_t)j * (size_t)(body->ld + 1)] > 0.0)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: factor has no positive diagonal entry in column %d", i,
                            j);
        }
    }
    return CRN_OK;
}

crn_status crn_mass_factorize(crn_mass *mass, int i, double *work, crn_error *error)
{
    const crn_contact_body *body = mass->body;
    size_t n = (size_t)body->dof;
    switch (body->kind) {
    case CRN_MASS_RIGID: return factorize_rigid(mass, i, error);
    case CRN_MASS_PLANAR: /* the check has seen that both are positive */
        mass->rigid[5] = sqrt(body->inertia[8]);
        mass->rigid[6] = sqrt(body->mass);
        return CRN_OK;
    case CRN_MASS_FACTOR: return check_given_factor(body, i, error);
    case CRN_MASS_UNIT: return CRN_OK;
    case CRN_MASS_MATRIX:
        for (size_t j = 0; j < n; ++j) {
            memcpy(mass->factor + j * n, body->matrix + j * (size_t)body->ld, n * sizeof(double));
        }
        break;
    case CRN_MASS_OPERATOR:
    default: fill_by_operator(mass, work); break;
    }
    int column = crn_triangle_factor(body->dof, mass->factor);
    if (column < body->dof) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: %s is not positive definite at velocity %d", i,
                        body->kind == CRN_MASS_MATRIX ? "mass matrix" : "inverse mass operator", column);
    }
    return CRN_OK;
}

/* x = G'x */
static void multiply_transposed(const double *G, size_t ld, size_t n, double *x)
{
    for (size_t j = 0; j < n; ++j) {
        double sum = 0.0;
        for (size_t i = j; i < n; ++i) {
            sum += G[i + j * ld] * x[i];
        }
        x[j] = sum;
    }
}

/* x = G x */
static void multiply(const double *G, size_t ld, size_t n, double *x)
{
    for (size_t i = n; i-- > 0;) {
        double sum = 0.0;
        for (size_t j = 0; j <= i; ++j) {
            sum += G[i + j * ld] * x[j];
        }
        x[i] = sum;
    }
}

/* The dense lower triangular matrix of a body that is not rigid, and its leading dimension. */
static const double *dense(const crn_mass *mass, size_t *ld)
{
    bool is_given = mass->body->kind == CRN_MASS_FACTOR;
    *ld = (size_t)(is_given ? mass->body->ld : mass->body->dof);
    return is_given ? mass->body->matrix : mass->factor;
}

static void rigid_whiten(const double *L, double *x)
{
    x[0] = x[0] / L[0];
    x[1] = (x[1] - L[1] * x[0]) / L[2];
    x[2] = (x[2] - L[3] * x[0] - L[4] * x[1]) / L[5];
    for (int k = 3; k < 6; ++k) {
        x[k] /= L[6];
    }
}

static void rigid_shrink(const double *L, double *v)
{
    v[0] = L[0] * v[0] + L[1] * v[1] + L[3] * v[2];
    v[1] = L[2] * v[1] + L[4] * v[2];
    v[2] = L[5] * v[2];
    for (int k = 3; k < 6; ++k) {
        v[k] *= L[6];
    }
}

static void rigid_momentum(const double *L, double *x)
{
    x[2] = L[3] * x[0] + L[4] * x[1] + L[5] * x[2];
    x[1] = L[1] * x[0] + L[2] * x[1];
    x[0] = L[0] * x[0];
    for (int k = 3; k < 6; ++k) {
        x[k] *= L[6];
    }
}

static void rigid_velocity(const double *L, double *y)
{
    y[2] = y[2] / L[5];
    y[1] = (y[1] - L[4] * y[2]) / L[2];
    y[0] = (y[0] - L[1] * y[1] - L[3] * y[2]) / L[0];
    for (int k = 3; k < 6; ++k) {
        y[k] /= L[6];
    }
}

/* Planar bodies: the factor is diagonal, and so are all products with it. */
static void planar_divide(const double *L, double *x)
{
    x[0] /= L[5];
    x[1] /= L[6];
    x[2] /= L[6];
}

static void planar_multiply(const double *L, double *x)
{
    x[0] *= L[5];
    x[1] *= L[6];
    x[2] *= L[6];
}

static void copy(const crn_mass *mass, const double *from, double *to)
{
    if (from != to) {
        memcpy(to, from, (size_t)mass->body->dof * sizeof *to);
    }
}

void crn_mass_whiten(const crn_mass *mass, const double *from, double *x)
{
    size_t n = (size_t)mass->body->dof, ld;
    copy(mass, from, x);
    if (mass->body->kind == CRN_MASS_RIGID) {
        rigid_whiten(mass->rigid, x);
    } else if (mass->body->kind == CRN_MASS_PLANAR) {
        planar_divide(mass->rigid, x);
    } else if (mass->body->kind == CRN_MASS_OPERATOR) {
        multiply_transposed(dense(mass, &ld), n, n, x);
    } else if (mass->body->kind != CRN_MASS_UNIT) {
        const double *G = dense(mass, &ld);
        crn_triangle_solve(n, G, ld, x);
    }
}

void crn_mass_shrink(const crn_mass *mass, const double *v, double *y)
{
    size_t n = (size_t)mass->body->dof, ld;
    copy(mass, v, y);
    if (mass->body->kind == CRN_MASS_RIGID) {
        rigid_shrink(mass->rigid, y);
    } else if (mass->body->kind == CRN_MASS_PLANAR) {
        planar_multiply(mass->rigid, y);
    } else if (mass->body->kind == CRN_MASS_OPERATOR) {
        crn_triangle_solve(n, dense(mass, &ld), n, y);
    } else if (mass->body->kind != CRN_MASS_UNIT) {
        const double *G = dense(mass, &ld);
        multiply_transposed(G, ld, n, y);
    }
}

void crn_mass_velocity(const crn_mass *mass, const double *y, double *v)
{
    size_t n = (size_t)mass->body->dof, ld;
    copy(mass, y, v);
    if (mass->body->kind == CRN_MASS_RIGID) {
        rigid_velocity(mass->rigid, v);
    } else if (mass->body->kind == CRN_MASS_PLANAR) {
        planar_divide(mass->rigid, v);
    } else if (mass->body->kind == CRN_MASS_OPERATOR) {
        multiply(dense(mass, &ld), n, n, v);
    } else if (mass->body->kind != CRN_MASS_UNIT) {
        const double *G = dense(mass, &ld);
        crn_triangle_solve_transposed(n, G, ld, v);
    }
}

void crn_mass_momentum(const crn_mass *mass, const double *y, double *p)
{
    size_t n = (size_t)mass->body->dof, ld;
    copy(mass, y, p);
    if (mass->body->kind == CRN_MASS_RIGID) {
        rigid_momentum(mass->rigid, p);
    } else if (mass->body->kind == CRN_MASS_PLANAR) {
        planar_multiply(mass->rigid, p);
    } else if (mass->body->kind == CRN_MASS_OPERATOR) {
        crn_triangle_solve_transposed(n, dense(mass, &ld), n, p);
    } else if (mass->body->kind != CRN_MASS_UNIT) {
        const double *G = dense(mass, &ld);
        multiply(G, ld, n, p);
    }
}

/* --- Several columns --- */

bool crn_body_is_triangular(const crn_contact_body *body)
{
    return body->kind == CRN_MASS_MATRIX || body->kind == CRN_MASS_FACTOR;
}

static void one_by_one(const crn_mass *mass, void (*apply)(const crn_mass *, const double *, double *), double *x,
                       double *work)
{
    for (int lane = 0; lane < CRN_LANES; ++lane) {
        crn_lanes_get(mass->body->dof, x, lane, work);
        apply(mass, work, work);
        crn_lanes_put(mass->body->dof, work, lane, x);
    }
}

void crn_mass_whiten_lanes(const crn_mass *mass, double *x, double *work)
{
    size_t ld = 0;
    if (crn_body_is_triangular(mass->body)) {
        const double *G = dense(mass, &ld);
        crn_lanes_solve_lower(mass->body->dof, (int)ld, G, x);
    } else {
        one_by_one(mass, crn_mass_whiten, x, work);
    }
}

void crn_mass_velocity_lanes(const crn_mass *mass, double *x, double *work)
{
    size_t ld = 0;
    if (crn_body_is_triangular(mass->body)) {
        const double *G = dense(mass, &ld);
        crn_lanes_solve_upper(mass->body->dof, (int)ld, G, x);
    } else {
        one_by_one(mass, crn_mass_velocity, x, work);
    }
}
