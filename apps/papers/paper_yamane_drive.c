/* A world driven by a method of the paper: each step's impulses are those that the method finds.
 *
 * As in the paper, a frictionless LCP comes first; if the one with friction fails, its answer is applied, "although it causes
 * slipping" [YN08 s5-A]. If both fail nothing pushes in that step. The motion follows from the impulses r of the contacts and l of the
 * bilateral rows: M (v - v_f) = J'r + B'l. */
#include "paper_yamane.h"

#include "paper_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;
static const double e_max = 1e-3; /* [N]: smaller forces do not count as active */

/* --- From forces to the motion --- */

/* Add a contact's impulse (n, t1, t2) on one of its bodies to the impulse along the body's velocities. */
static void push_contact(const crn_contact_problem *problem, int i, bool is_a, const double *r, double *push)
{
    const crn_contact_point *c = &problem->contact[i];
    const crn_contact_body *body = &problem->body[is_a ? c->a : c->b];
    const double *jacobian = is_a ? c->jacobian_a : c->jacobian_b;
    if (jacobian) {
        for (int k = 0; k < 3 * body->dof; ++k) {
            push[k % body->dof] += jacobian[k] * r[k / body->dof];
        }
        return;
    }
    double f[3], arm[3], sign = is_a ? 1.0 : -1.0;
    for (int k = 0; k < 3; ++k) {
        f[k] = sign * (r[0] * c->normal[k] + r[1] * c->t1[k] + r[2] * c->t2[k]);
        arm[k] = c->position[k] - body->com[k];
        push[3 + k] += f[k];
    }
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        push[k] += arm[u] * f[v] - arm[v] * f[u];
    }
}

static void push_row(const double *jacobian, int dof, double l, double *push)
{
    for (int k = 0; k < dof; ++k) {
        push[k] += jacobian[k] * l;
    }
}

/* x := A^-1 x for a symmetric positive definite matrix of order 3. */
static void solve_3(const double *A, double *x)
{
    double c[9], b[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) { /* cofactors */
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            c[i + 3 * j] = A[p + 3 * r] * A[q + 3 * s] - A[p + 3 * s] * A[q + 3 * r];
        }
    }
    double det = A[0] * c[0] + A[1] * c[1] + A[2] * c[2];
    for (int i = 0; i < 3; ++i) {
        x[i] = (c[i] * b[0] + c[i + 3] * b[1] + c[i + 6] * b[2]) / det;
    }
}

/* push := M^-1 push of one body; false for kinds that worlds in space do not have. */
static bool apply_inverse(const crn_contact_body *body, double *push, double *scratch)
{
    const int n = body->dof;
    switch (body->kind) {
    case CRN_MASS_RIGID:
        solve_3(body->inertia, push);
        for (int k = 3; k < 6; ++k) {
            push[k] /= body->mass;
        }
        return true;
    case CRN_MASS_UNIT: return true;
    case CRN_MASS_FACTOR:
        for (int i = 0; i < n; ++i) { /* G y = push, G'v = y */
            for (int j = 0; j < i; ++j) {
                push[i] -= body->matrix[i + (long)j * body->ld] * push[j];
            }
            push[i] /= body->matrix[i + (long)i * body->ld];
        }
        for (int i = n - 1; i >= 0; --i) {
            for (int j = i + 1; j < n; ++j) {
                push[i] -= body->matrix[j + (long)i * body->ld] * push[j];
            }
            push[i] /= body->matrix[i + (long)i * body->ld];
        }
        return true;
    case CRN_MASS_OPERATOR:
        body->solve(body->user, push, scratch);
        memcpy(push, scratch, (size_t)n * sizeof *push);
        return true;
    case CRN_MASS_MATRIX:
    case CRN_MASS_PLANAR: return false;
    }
    return false;
}

/* First velocity of each body by summing; small problems. */
static int first_of(const crn_contact_problem *problem, int body)
{
    int first = 0;
    for (int i = 0; i < body; ++i) {
        first += problem->body[i].dof;
    }
    return first;
}

static bool move(yamane_driver *driver, const crn_contact_problem *problem, const crn_contact_solution *solution)
{
    int dof = crn_contact_dof(problem);
    if (2 * dof > driver->push_capacity) {
        free(driver->push);
        driver->push = malloc(2 * (size_t)dof * sizeof *driver->push);
        driver->push_capacity = driver->push ? 2 * dof : 0;
    }
    double *push = driver->push;
    bool ok = push != NULL;
    if (ok) {
        memset(push, 0, (size_t)dof * sizeof *push);
    }
    for (int i = 0; i < problem->contacts && ok; ++i) {
        const crn_contact_point *c = &problem->contact[i];
        if (c->a >= 0) {
            push_contact(problem, i, true, solution->impulse + 3 * i, push + first_of(problem, c->a));
        }
        if (c->b >= 0) {
            push_contact(problem, i, false, solution->impulse + 3 * i, push + first_of(problem, c->b));
        }
    }
    for (int i = 0; i < problem->rows && ok; ++i) {
        const crn_contact_row *row = &problem->row[i];
        if (row->a >= 0) {
            push_row(row->jacobian_a, problem->body[row->a].dof, solution->row_impulse[i],
                     push + first_of(problem, row->a));
        }
        if (row->b >= 0) {
            push_row(row->jacobian_b, problem->body[row->b].dof, solution->row_impulse[i],
                     push + first_of(problem, row->b));
        }
    }
    for (int i = 0, first = 0; i < problem->bodies && ok; first += problem->body[i].dof, ++i) {
        ok = apply_inverse(&problem->body[i], push + first, push + dof);
    }
    for (int k = 0; k < dof && ok; ++k) {
        solution->velocity[k] = problem->velocity[k] + push[k];
    }
    return ok;
}

/* --- From the LCP's variables to impulses --- */

/* theta, phi -> impulses; nu, sigma = d'u_t + lambda -> velocities: d directions sum to d/2 times the identity. */
static void take_contacts(const yamane_lcp *lcp, const crn_contact_problem *problem, const double *z, const double *w,
                          const crn_contact_solution *solution)
{
    int phi = problem->contacts, lambda = phi;
    for (int i = 0; i < problem->contacts; ++i) {
        lambda += problem->contact[i].directions;
    }
    for (int i = 0; i < problem->contacts; ++i) {
        int d = problem->contact[i].directions;
        double *r = solution->impulse + 3 * i, *u = solution->contact_velocity + 3 * i;
        r[0] = lcp->h * z[i];
        u[0] = w[i];
        r[1] = r[2] = u[1] = u[2] = 0.0;
        for (int j = 0; j < d; ++j) {
            double c = cos(two_pi * j / d), s = sin(two_pi * j / d), share = (d == 2 ? 1.0 : 2.0) / d;
            r[1] += lcp->h * z[phi + j] * c;
            r[2] += lcp->h * z[phi + j] * s;
            u[1] += share * (w[phi + j] - z[lambda]) * c;
            u[2] += share * (w[phi + j] - z[lambda]) * s;
        }
        solution->state[i] = (crn_contact_state){r[0] > 0.0 ? CRN_CONTACT_STICK : CRN_CONTACT_OFF, 0};
        phi += d;
        lambda += d > 0;
    }
    for (int i = 0; i < problem->rows; ++i) {
        solution->row_impulse[i] = lcp->h * z[lcp->n - problem->rows + i];
    }
}

/* What the method found, or the frictionless answer, or nothing, as a full z. */
static void settle(yamane_driver *driver, bool has_friction, bool has_small)
{
    yamane_lcp *lcp = &driver->lcp;
    if (!has_friction) {
        memset(lcp->z, 0, (size_t)lcp->n * sizeof *lcp->z);
        driver->failures++;
        driver->fallbacks += !has_small;
        for (int i = 0; i < lcp->small_n && has_small; ++i) {
            lcp->z[i < lcp->contacts ? i : i + lcp->n - lcp->small_n] = lcp->small_z[i];
        }
    }
    for (int i = 0; i < lcp->n; ++i) {
        double sum = lcp->q[i];
        for (int j = 0; j < lcp->n; ++j) {
            sum += lcp->M[i + (long)j * lcp->n] * lcp->z[j];
        }
        lcp->w[i] = sum;
    }
}

static int count_active(const yamane_lcp *lcp)
{
    int active = 0;
    for (int i = 0; i < lcp->contacts; ++i) {
        active += lcp->z[i] > e_max;
    }
    return active;
}

/* The world's own solver, timed. */
static crn_status drive_states(yamane_driver *driver, const crn_contact_problem *problem,
                               const crn_contact_options *options, const crn_contact_solution *solution,
                               crn_contact_result *result, crn_error *error)
{
    double begin = paper_thread_seconds();
    crn_status status = crn_contact_solve(problem, options, &driver->work, solution, result, error);
    double seconds = paper_thread_seconds() - begin;
    if (status == CRN_OK && problem->contacts > 0) {
        yamane_try answer = {.verdict = result->outcome == CRN_LCP_SOLVED ? YAMANE_SUCCESS : YAMANE_ERROR,
                             .is_strict = result->outcome == CRN_LCP_SOLVED,
                             .relative = result->certificate.relative,
                             .pivots = result->pivots,
                             .seconds = seconds};
        yamane_count(&driver->tally, &answer);
        driver->tally.contacts += problem->contacts;
        for (int i = 0; i < problem->contacts; ++i) {
            driver->tally.active += solution->impulse[3 * i] > e_max * driver->h;
        }
    }
    return status;
}

crn_status yamane_drive(void *user, const crn_contact_problem *problem, const crn_contact_options *options,
                        const crn_contact_solution *solution, crn_contact_result *result, crn_error *error)
{
    yamane_driver *driver = user;
    yamane_try answer;
    if (driver->kind == YAMANE_STATES || problem->contacts == 0) {
        return drive_states(driver, problem, options, solution, result, error);
    }
    if (!yamane_lcp_load(&driver->lcp, problem, driver->h, error)) {
        return error->status;
    }
    bool has_small = yamane_start(&driver->lcp, driver->kind, error);
    if (!yamane_solve(&driver->lcp, problem, driver->kind, has_small, &answer, error)) {
        return error->status;
    }
    yamane_count(&driver->tally, &answer);
    settle(driver, answer.verdict == YAMANE_SUCCESS, has_small);
    driver->tally.contacts += problem->contacts;
    driver->tally.active += count_active(&driver->lcp);
    take_contacts(&driver->lcp, problem, driver->lcp.z, driver->lcp.w, solution);
    *result = (crn_contact_result){.outcome = CRN_LCP_SOLVED, .method = options->method, .law = options->law};
    result->certificate.relative = answer.relative;
    result->pivots = answer.pivots;
    return move(driver, problem, solution)
               ? CRN_OK
               : crn_fail(error, CRN_ERR_UNSUPPORTED, "a body whose inertia this command does not know");
}

void yamane_driver_free(yamane_driver *driver)
{
    yamane_lcp_free(&driver->lcp);
    crn_workspace_free(&driver->work);
    free(driver->push);
    driver->push = NULL;
}
