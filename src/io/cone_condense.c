/* The local form of a global friction problem: velocities and bilateral multipliers eliminated.
 *
 *     [M -G; G' 0] [v; l] = [H r + f; -b],   u = H'v + w      becomes      u = W r + q
 *
 * Column by column with one dense factorisation. W of a symmetric M is symmetric, and is made so to the bit. */
#include "io/cone_data.h"

#include "base/memory.h"
#include "math/lu.h"

#include <float.h>
#include <string.h>

/* Smallest pivot relative to its column: what is smaller comes from bilateral rows that depend on one another. */
static const double redundant = 1e3 * DBL_EPSILON;

/* Memory of the elimination. */
typedef struct elimination {
    size_t order; /* velocities and rows */
    double *K;    /* order x order */
    double *x;    /* order: right-hand side, then solution */
    int *pivot;
    crn_lu lu;
} elimination;

static void fill_system(const crn_cone_problem *p, elimination *e)
{
    memset(e->K, 0, e->order * e->order * sizeof(double));
    for (int j = 0; j < p->dof; ++j) {
        for (int k = p->M.start[j]; k < p->M.start[j + 1]; ++k) {
            e->K[(size_t)p->M.row[k] + (size_t)j * e->order] = p->M.value[k];
        }
    }
    for (int j = 0; j < p->rows; ++j) {
        size_t border = (size_t)p->dof + (size_t)j;
        for (int k = p->G.start[j]; k < p->G.start[j + 1]; ++k) {
            size_t i = (size_t)p->G.row[k];
            e->K[i + border * e->order] = -p->G.value[k];
            e->K[border + i * e->order] = p->G.value[k];
        }
    }
}

/* u = H'v */
static void contact_velocity(const crn_cone_matrix *H, const double *v, double *u)
{
    for (int j = 0; j < H->columns; ++j) {
        u[j] = 0.0;
        for (int k = H->start[j]; k < H->start[j + 1]; ++k) {
            u[j] += H->value[k] * v[H->row[k]];
        }
    }
}

static void fill_W(const crn_cone_problem *p, const elimination *e, double *W)
{
    size_t n = (size_t)p->H.columns;
    for (int j = 0; j < p->H.columns; ++j) {
        memset(e->x, 0, e->order * sizeof(double));
        for (int k = p->H.start[j]; k < p->H.start[j + 1]; ++k) {
            e->x[p->H.row[k]] = p->H.value[k];
        }
        crn_lu_solve(&e->lu, e->x);
        contact_velocity(&p->H, e->x, W + (size_t)j * n);
    }
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j + 1; i < n; ++i) {
            double mean = 0.5 * (W[i + j * n] + W[j + i * n]);
            W[i + j * n] = W[j + i * n] = mean;
        }
    }
}

static void fill_q(const crn_cone_problem *p, const elimination *e, double *q)
{
    memcpy(e->x, p->f, (size_t)p->dof * sizeof(double));
    for (int j = 0; j < p->rows; ++j) {
        e->x[p->dof + j] = p->b != NULL ? -p->b[j] : 0.0;
    }
    crn_lu_solve(&e->lu, e->x);
    contact_velocity(&p->H, e->x, q);
    for (int i = 0; i < p->H.columns; ++i) {
        q[i] += p->w != NULL ? p->w[i] : 0.0;
    }
}

static crn_status take_memory(const crn_cone_problem *p, const crn_allocator *allocator, elimination *e,
                              crn_error *error)
{
    void *K = NULL, *x = NULL, *pivot = NULL;
    e->order = (size_t)p->dof + (size_t)p->rows;
    crn_status status = e->order > INT32_MAX
                            ? crn_fail(error, CRN_ERR_UNSUPPORTED, "problem: too large for a dense elimination")
                            : crn_io_take(allocator, "problem", e->order, e->order * sizeof(double), &K, error);
    e->K = K;
    if (status == CRN_OK) {
        status = crn_io_take(allocator, "problem", e->order, sizeof(double), &x, error);
    }
    e->x = x;
    if (status == CRN_OK) {
        status = crn_io_take(allocator, "problem", e->order, sizeof(int), &pivot, error);
    }
    e->pivot = pivot;
    return status;
}

/* W, q and mu into data. */
static crn_status fill_local(const crn_cone_problem *p, const elimination *e, crn_cone_data *data, crn_error *error)
{
    size_t n = (size_t)p->H.columns;
    double *q = NULL, *mu = NULL;
    void *W = NULL;
    crn_status status = crn_io_take(&data->allocator, "problem", n, n * sizeof(double), &W, error);
    crn_io_matrix matrix = {.rows = p->H.columns, .columns = p->H.columns, .dense = W};
    if (status == CRN_OK) {
        fill_W(p, e, W);
        status = crn_io_matrix_compress(&matrix, &data->allocator, "problem", error);
    }
    if (status != CRN_OK) {
        crn_io_matrix_free(&matrix, &data->allocator);
        return status;
    }
    crn_io_cone_adopt(data, CRN_IO_CONE_W, &matrix, &data->problem.W);
    status = crn_io_cone_reals(data, CRN_IO_CONE_Q, "problem", n, &q, error);
    if (status == CRN_OK) {
        status = crn_io_cone_reals(data, CRN_IO_CONE_MU, "problem", (size_t)p->contacts, &mu, error);
    }
    if (status == CRN_OK) {
        fill_q(p, e, q);
        memcpy(mu, p->mu, (size_t)p->contacts * sizeof(double));
    }
    data->problem.q = q;
    data->problem.mu = mu;
    return status;
}

static crn_status eliminate(const crn_cone_problem *p, elimination *e, crn_cone_data *data, crn_error *error)
{
    crn_status status = take_memory(p, &data->allocator, e, error);
    if (status != CRN_OK) {
        return status;
    }
    fill_system(p, e);
    e->lu = (crn_lu){.n = (int)e->order, .ld = e->order > 0 ? (int)e->order : 1, .a = e->K, .pivot = e->pivot};
    if (!crn_lu_factor(&e->lu, redundant)) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "problem: M is singular, or bilateral rows depend on one another");
    }
    return fill_local(p, e, data, error);
}

crn_status crn_io_cone_to_local(const crn_cone_problem *problem, const crn_allocator *allocator, crn_cone_data *data,
                                crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_cone_begin(data, allocator);
    crn_status status = crn_cone_check(problem, error);
    if (status == CRN_OK && problem->form != CRN_CONE_GLOBAL) {
        status = crn_fail(error, CRN_ERR_ARGUMENT, "problem: it is local already");
    }
    if (status != CRN_OK) {
        return status;
    }
    data->problem.form = CRN_CONE_LOCAL;
    data->problem.dim = problem->dim;
    data->problem.contacts = problem->contacts;
    elimination e = {0};
    status = eliminate(problem, &e, data, error);
    crn_release(&data->allocator, e.K);
    crn_release(&data->allocator, e.x);
    crn_release(&data->allocator, e.pivot);
    if (status != CRN_OK) {
        crn_cone_data_free(data);
        return status;
    }
    return crn_fail(error, CRN_OK, "%s", "");
}
