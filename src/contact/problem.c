/* Is the caller's problem well formed? Every message names body, contact or row, and field. */
#include "contact/problem.h"
#include "math/elementary.h"
#include "math/vec3.h"

#include <limits.h>
#include <math.h>

/* Unit vectors may be this far from length 1 (they are normalised), and frames this far from orthogonal. */
#define TOL_UNIT     1e-6
#define TOL_SYMMETRY 1e-9 /* relative asymmetry of an inertia that still counts as rounding */

int crn_contact_dof(const crn_contact_problem *problem)
{
    if (problem == NULL || (problem->bodies > 0 && problem->body == NULL)) {
        return -1;
    }
    long total = 0;
    for (int i = 0; i < problem->bodies; ++i) {
        if (problem->body[i].dof <= 0) {
            return -1;
        }
        total += problem->body[i].dof;
        if (total > INT_MAX / 4) {
            return -1;
        }
    }
    return (int)total;
}

bool crn_all_finite(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += x[i] * 0.0; /* 0 for a finite number, NaN otherwise */
    }
    return sum == 0.0;
}

static crn_status check_size(const crn_contact_body *body, int i, const char *kind, int dof, crn_error *error)
{
    if (body->dof != dof) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: dof is %d, but a %s body has %d", i, body->dof, kind, dof);
    }
    if (!(body->mass > 0.0) || !isfinite(body->mass)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: mass %g is not positive", i, body->mass);
    }
    return CRN_OK;
}

static crn_status check_planar(const crn_contact_body *body, int i, crn_error *error)
{
    crn_status status = check_size(body, i, "planar", 3, error);
    if (status == CRN_OK && !(body->inertia[8] > 0.0 && isfinite(body->inertia[8]))) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "body %d: inertia[8] %g is not positive", i, body->inertia[8]);
    }
    if (status == CRN_OK && !crn_all_finite(body->com, 2)) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "body %d: com is not finite", i);
    }
    return status;
}

static crn_status check_rigid(const crn_contact_body *body, int i, crn_error *error)
{
    crn_status status = check_size(body, i, "rigid", 6, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!crn_all_finite(body->inertia, 9) || !crn_all_finite(body->com, 3)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: inertia or com is not finite", i);
    }
    const double *I = body->inertia;
    double size = fabs(I[0]) + fabs(I[4]) + fabs(I[8]);
    if (fabs(I[1] - I[3]) + fabs(I[2] - I[6]) + fabs(I[5] - I[7]) > TOL_SYMMETRY * size) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: inertia is not symmetric", i);
    }
    return CRN_OK; /* whether it is positive definite shows when it is factorised */
}

/* The lower triangle of a factor is finite; a mass matrix is finite and symmetric. */
static crn_status check_matrix(const crn_contact_body *body, int i, crn_error *error)
{
    size_t ld = (size_t)body->ld, n = (size_t)body->dof;
    bool is_factor = body->kind == CRN_MASS_FACTOR;
    double largest = 0.0, asymmetry = 0.0;
    for (size_t j = 0; j < n; ++j) {
        size_t first = is_factor ? j : 0;
        if (!crn_all_finite(body->matrix + first + j * ld, (int)(n - first))) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: matrix is not finite in column %zu", i, j);
        }
    }
    for (size_t j = 0; j < n && !is_factor; ++j) {
        largest = crn_fmax(largest, fabs(body->matrix[j + j * ld]));
        for (size_t l = j + 1; l < n; ++l) {
            asymmetry = crn_fmax(asymmetry, fabs(body->matrix[l + j * ld] - body->matrix[j + l * ld]));
        }
    }
    if (asymmetry > TOL_SYMMETRY * largest) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: mass matrix is not symmetric", i);
    }
    return CRN_OK;
}

static crn_status check_body(const crn_contact_body *body, int i, crn_error *error)
{
    if (body->kind == CRN_MASS_RIGID) {
        return check_rigid(body, i, error);
    }
    if (body->kind == CRN_MASS_PLANAR) {
        return check_planar(body, i, error);
    }
    if (body->dof <= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: dof is %d", i, body->dof);
    }
    switch (body->kind) {
    case CRN_MASS_MATRIX:
    case CRN_MASS_FACTOR:
        if (!body->matrix || body->ld < body->dof) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: matrix is missing, or its ld %d is below dof %d", i,
                            body->ld, body->dof);
        }
        return check_matrix(body, i, error);
    case CRN_MASS_UNIT: return CRN_OK;
    case CRN_MASS_OPERATOR:
        if (!body->solve) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: solve is NULL", i);
        }
        return CRN_OK;
    default: return crn_fail(error, CRN_ERR_ARGUMENT, "body %d: kind %d is unknown", i, (int)body->kind);
    }
}

/* Bodies a and b exist, are not the same, and not both the world. */
static crn_status check_pair(const crn_contact_problem *problem, const char *what, int i, int a, int b,
                             crn_error *error)
{
    if (a < -1 || a >= problem->bodies) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s %d: a = %d is no body (there are %d)", what, i, a,
                        problem->bodies);
    }
    if (b < -1 || b >= problem->bodies) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s %d: b = %d is no body (there are %d)", what, i, b,
                        problem->bodies);
    }
    if (a == b) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s %d: a and b are both %d", what, i, a);
    }
    return CRN_OK;
}

/* A frame that is orthonormal within TOL_UNIT. */
static crn_status check_frame(const crn_contact_point *contact, int i, crn_error *error)
{
    const double *n = contact->normal, *t1 = contact->t1, *t2 = contact->t2;
    if (!(fabs(crn_dot3(n, n) - 1.0) <= 2.0 * TOL_UNIT)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: normal has length %g, not 1", i, sqrt(crn_dot3(n, n)));
    }
    double length1 = crn_dot3(t1, t1), length2 = crn_dot3(t2, t2);
    if (length1 == 0.0 && length2 == 0.0) {
        return CRN_OK;
    }
    if (!(fabs(length1 - 1.0) <= 2.0 * TOL_UNIT)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: t1 has length %g, not 1", i, sqrt(length1));
    }
    if (!(fabs(length2 - 1.0) <= 2.0 * TOL_UNIT)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: t2 has length %g, not 1", i, sqrt(length2));
    }
    if (!(fabs(crn_dot3(n, t1)) <= TOL_UNIT && fabs(crn_dot3(n, t2)) <= TOL_UNIT &&
          fabs(crn_dot3(t1, t2)) <= TOL_UNIT)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: normal, t1 and t2 are not orthogonal", i);
    }
    return CRN_OK;
}

/* A contact of planar bodies by geometry stays in the plane: its normal, its friction (none, or along t1), and t1. */
static crn_status check_in_plane(const crn_contact_point *contact, int i, crn_error *error)
{
    if (!(fabs(contact->normal[2]) <= TOL_UNIT)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: normal leaves the plane of its bodies, n_z = %g", i,
                        contact->normal[2]);
    }
    if (!(fabs(contact->t1[2]) <= TOL_UNIT)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: t1 leaves the plane of its bodies, t1_z = %g", i,
                        contact->t1[2]);
    }
    if (contact->directions != 0 && contact->directions != 2) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: directions %d, but planar bodies have 0 or 2", i,
                        contact->directions);
    }
    return CRN_OK;
}

/* The Jacobian of one side: there and finite, or NULL where it is not needed. */
static crn_status check_jacobian(const crn_contact_problem *problem, const char *what, int i, const char *side,
                                 int body, const double *jacobian, int width, crn_error *error)
{
    if (body < 0) {
        return CRN_OK;
    }
    if (!jacobian) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s %d: jacobian_%s is missing", what, i, side);
    }
    if (!crn_all_finite(jacobian, width * problem->body[body].dof)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s %d: jacobian_%s is not finite", what, i, side);
    }
    return CRN_OK;
}

bool crn_contact_is_geometric(const crn_contact_problem *problem, const crn_contact_point *contact)
{
    if (contact->jacobian_a || contact->jacobian_b) {
        return false;
    }
    crn_mass_kind kind = problem->body[contact->a >= 0 ? contact->a : contact->b].kind;
    bool is_alike = contact->a < 0 || contact->b < 0 || problem->body[contact->b].kind == kind;
    return is_alike && (kind == CRN_MASS_RIGID || kind == CRN_MASS_PLANAR);
}

/* Is it a contact by geometry of a rigid body with a planar one? Which plane that happens in only Jacobians can tell. */
static bool is_mixed(const crn_contact_problem *problem, const crn_contact_point *contact)
{
    if (contact->jacobian_a || contact->jacobian_b || contact->a < 0 || contact->b < 0) {
        return false;
    }
    crn_mass_kind a = problem->body[contact->a].kind, b = problem->body[contact->b].kind;
    return (a == CRN_MASS_RIGID && b == CRN_MASS_PLANAR) || (a == CRN_MASS_PLANAR && b == CRN_MASS_RIGID);
}

static crn_status check_contact(const crn_contact_problem *problem, int i, crn_error *error)
{
    const crn_contact_point *contact = &problem->contact[i];
    crn_status status = check_pair(problem, "contact", i, contact->a, contact->b, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!(contact->mu >= 0.0) || !isfinite(contact->mu)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: mu %g is not a friction coefficient", i, contact->mu);
    }
    if (contact->mu > CRN_CONTACT_MU_MOST) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: mu %g is more than %g", i, contact->mu,
                        CRN_CONTACT_MU_MOST);
    }
    int d = contact->directions;
    if (d < 0 || d % 2 != 0 || d > CRN_DIRECTIONS_MAX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: directions %d is not 0, 2 or an even number up to %d", i,
                        d, CRN_DIRECTIONS_MAX);
    }
    if (!crn_all_finite(contact->offset, 3)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: offset is not finite", i);
    }
    if (crn_contact_is_geometric(problem, contact)) {
        if (!crn_all_finite(contact->position, 3)) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "contact %d: position is not finite", i);
        }
        status = check_frame(contact, i, error);
        return status == CRN_OK && crn_contact_is_planar(problem, contact) ? check_in_plane(contact, i, error) : status;
    }
    if (is_mixed(problem, contact)) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "contact %d: of bodies %d and %d one is rigid, one planar: it needs "
                        "Jacobians",
                        i, contact->a, contact->b);
    }
    status = check_jacobian(problem, "contact", i, "a", contact->a, contact->jacobian_a, 3, error);
    if (status == CRN_OK) {
        status = check_jacobian(problem, "contact", i, "b", contact->b, contact->jacobian_b, 3, error);
    }
    return status;
}

static crn_status check_row(const crn_contact_problem *problem, int i, crn_error *error)
{
    const crn_contact_row *row = &problem->row[i];
    crn_status status = check_pair(problem, "row", i, row->a, row->b, error);
    if (status == CRN_OK) {
        status = check_jacobian(problem, "row", i, "a", row->a, row->jacobian_a, 1, error);
    }
    if (status == CRN_OK) {
        status = check_jacobian(problem, "row", i, "b", row->b, row->jacobian_b, 1, error);
    }
    if (status == CRN_OK && !isfinite(row->offset)) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "row %d: offset is not finite", i);
    }
    if (status == CRN_OK && !(row->bound >= 0.0)) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "row %d: bound %g is negative or no number", i, row->bound);
    }
    return status;
}

static crn_status check_counts(const crn_contact_problem *problem, crn_error *error)
{
    if (problem->bodies < 0 || problem->contacts < 0 || problem->rows < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "a count is negative: %d bodies, %d contacts, %d rows",
                        problem->bodies, problem->contacts, problem->rows);
    }
    if (problem->contacts > CRN_CONTACTS_MAX || problem->rows > CRN_CONTACTS_MAX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%d contacts, %d rows: more than %d", problem->contacts, problem->rows,
                        CRN_CONTACTS_MAX);
    }
    if ((problem->bodies && (!problem->body || !problem->velocity)) || (problem->contacts && !problem->contact) ||
        (problem->rows && !problem->row)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "an array of the problem is NULL: body, velocity, contact or row");
    }
    return CRN_OK;
}

crn_status crn_contact_check(const crn_contact_problem *problem, crn_error *error)
{
    crn_clear(error);
    if (!problem) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "problem is NULL");
    }
    crn_status status = check_counts(problem, error);
    for (int i = 0; i < problem->bodies && status == CRN_OK; ++i) {
        status = check_body(&problem->body[i], i, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    int dof = crn_contact_dof(problem);
    if (dof < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "too many velocities");
    }
    if (!crn_all_finite(problem->velocity, dof)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "velocity is not finite");
    }
    for (int i = 0; i < problem->contacts && status == CRN_OK; ++i) {
        status = check_contact(problem, i, error);
    }
    for (int i = 0; i < problem->rows && status == CRN_OK; ++i) {
        status = check_row(problem, i, error);
    }
    return status;
}

/* --- Finite numbers alone: a sum is finite only if all terms are --- */

static bool is_finite(double sum)
{
    return sum - sum == 0.0;
}

static double sum3(const double *x)
{
    return x[0] + x[1] + x[2];
}

static double sum_of_body(const crn_contact_body *body)
{
    const double *I = body->inertia;
    bool is_rigid = body->kind == CRN_MASS_RIGID || body->kind == CRN_MASS_PLANAR;
    return is_rigid ? body->mass + sum3(body->com) + (sum3(I) + sum3(I + 3) + sum3(I + 6)) : 0.0;
}

static bool is_contact_finite(const crn_contact_problem *problem, const crn_contact_point *contact)
{
    double sum = contact->mu + sum3(contact->offset);
    if (!contact->jacobian_a && !contact->jacobian_b) {
        return is_finite(sum + sum3(contact->position) + (sum3(contact->normal) + sum3(contact->t1)));
    }
    bool is_a = contact->a < 0 || crn_all_finite(contact->jacobian_a, 3 * problem->body[contact->a].dof);
    bool is_b = contact->b < 0 || crn_all_finite(contact->jacobian_b, 3 * problem->body[contact->b].dof);
    return is_a && is_b && is_finite(sum);
}

static bool is_row_finite(const crn_contact_problem *problem, const crn_contact_row *row)
{
    bool is_a = row->a < 0 || crn_all_finite(row->jacobian_a, problem->body[row->a].dof);
    bool is_b = row->b < 0 || crn_all_finite(row->jacobian_b, problem->body[row->b].dof);
    return is_a && is_b && is_finite(row->offset) && row->bound >= 0.0;
}

bool crn_contact_is_finite(const crn_contact_problem *problem)
{
    double sum = 0.0;
    bool all = crn_all_finite(problem->velocity, crn_contact_dof(problem));
    for (int i = 0; i < problem->bodies; ++i) {
        sum += sum_of_body(&problem->body[i]);
    }
    for (int i = 0; i < problem->contacts && all; ++i) {
        all = is_contact_finite(problem, &problem->contact[i]);
    }
    for (int i = 0; i < problem->rows && all; ++i) {
        all = is_row_finite(problem, &problem->row[i]);
    }
    return all && is_finite(sum);
}
