/* A contact problem as the global friction problem of all bodies together:
 *
 *     M = diag(M_body),   H = [J_1' J_2' ...],   G = [B_1' B_2' ...],   f = M v_f,   w = offsets,   b = row offsets */
#include "io/cone_data.h"
#include "io/triplets.h"

#include "base/memory.h"
#include "contact/contact_room.h"

#include <limits.h>
#include <string.h>

/* What is built, and from what. */
typedef struct builder {
    const crn_contact_problem *problem;
    int dim;                  /* components per contact that are kept */
    int dof;                  /* velocities of all bodies */
    int *first;               /* first velocity of each body */
    const crn_io_text *text;  /* for messages */
    crn_io_triplets triplets; /* of the matrix under work */
} builder;

/* --- Mass matrix --- */

/* Entry (i, j) of a body's mass matrix. */
static double mass_entry(const crn_contact_body *body, int i, int j)
{
    const double *matrix = body->matrix;
    size_t ld = (size_t)body->ld;
    double sum = 0.0;
    switch (body->kind) {
    case CRN_MASS_RIGID:
        if (i < 3 && j < 3) {
            return body->inertia[i + 3 * j];
        }
        return i == j ? body->mass : 0.0;
    case CRN_MASS_PLANAR: return i != j ? 0.0 : i == 0 ? body->inertia[8] : body->mass;
    case CRN_MASS_MATRIX: return matrix[(size_t)i + (size_t)j * ld];
    case CRN_MASS_FACTOR:
        for (int k = 0; k <= (i < j ? i : j); ++k) {
            sum += matrix[(size_t)i + (size_t)k * ld] * matrix[(size_t)j + (size_t)k * ld];
        }
        return sum;
    default: return i == j ? 1.0 : 0.0;
    }
}

static void add_masses(builder *b)
{
    for (int k = 0; k < b->problem->bodies; ++k) {
        const crn_contact_body *body = &b->problem->body[k];
        for (int j = 0; j < body->dof; ++j) {
            for (int i = 0; i < body->dof; ++i) {
                double value = mass_entry(body, i, j);
                if (value != 0.0) {
                    crn_io_triplets_add(&b->triplets, b->first[k] + i, b->first[k] + j, value, 0);
                }
            }
        }
    }
}

/* f = M v, from the entries of M. */
static void multiply(const crn_cone_matrix *M, const double *v, double *f)
{
    memset(f, 0, (size_t)M->rows * sizeof(double));
    for (int j = 0; j < M->columns; ++j) {
        for (int k = M->start[j]; k < M->start[j + 1]; ++k) {
            f[M->row[k]] += M->value[k] * v[j];
        }
    }
}

/* --- Contacts and rows --- */

static void add_column(builder *b, int body, int column, const double *values)
{
    for (int i = 0; i < b->problem->body[body].dof; ++i) {
        if (values[i] != 0.0) {
            crn_io_triplets_add(&b->triplets, b->first[body] + i, column, values[i], 0);
        }
    }
}

static void add_contact(builder *b, int i)
{
    const crn_contact_point *contact = &b->problem->contact[i];
    const int bodies[2] = {contact->a, contact->b};
    for (int side = 0; side < 2; ++side) {
        if (bodies[side] < 0) {
            continue;
        }
        double space[18];
        const double *columns = crn_contact_columns(b->problem, contact, side, space);
        size_t dof = (size_t)b->problem->body[bodies[side]].dof;
        for (int c = 0; c < b->dim; ++c) {
            add_column(b, bodies[side], b->dim * i + c, columns + (size_t)c * dof);
        }
    }
}

static void add_row(builder *b, int i)
{
    const crn_contact_row *row = &b->problem->row[i];
    if (row->a >= 0) {
        add_column(b, row->a, i, row->jacobian_a);
    }
    if (row->b >= 0) {
        add_column(b, row->b, i, row->jacobian_b);
    }
}

/* --- How large --- */

/* Velocities of body k; 0 for the world. */
static uint64_t dof_of(const crn_contact_problem *problem, int k)
{
    return k >= 0 ? (uint64_t)problem->body[k].dof : 0;
}

static uint64_t count_masses(const crn_contact_problem *problem)
{
    uint64_t count = 0;
    for (int k = 0; k < problem->bodies; ++k) {
        count += dof_of(problem, k) * dof_of(problem, k);
    }
    return count;
}

static uint64_t count_contacts(const crn_contact_problem *problem, int dim)
{
    uint64_t count = 0;
    for (int i = 0; i < problem->contacts; ++i) {
        count += dof_of(problem, problem->contact[i].a) + dof_of(problem, problem->contact[i].b);
    }
    return count * (uint64_t)dim;
}

static uint64_t count_rows(const crn_contact_problem *problem)
{
    uint64_t count = 0;
    for (int i = 0; i < problem->rows; ++i) {
        count += dof_of(problem, problem->row[i].a) + dof_of(problem, problem->row[i].b);
    }
    return count;
}

/* --- The matrices --- */

typedef enum part { MASSES, CONTACTS, ROWS } part;

static void add_part(builder *b, part p)
{
    if (p == MASSES) {
        add_masses(b);
    }
    for (int i = 0; p == CONTACTS && i < b->problem->contacts; ++i) {
        add_contact(b, i);
    }
    for (int i = 0; p == ROWS && i < b->problem->rows; ++i) {
        add_row(b, i);
    }
}

/* Build one of the matrices and hand it over to data. */
static crn_status build(builder *b, part p, int columns, uint64_t room, crn_cone_data *data, int slot,
                        crn_cone_matrix *target)
{
    if (room > INT_MAX) {
        return crn_fail(b->text->error, CRN_ERR_UNSUPPORTED, "%s: a matrix with more than %d entries is too large",
                        b->text->name, INT_MAX);
    }
    crn_io_matrix matrix = {0};
    crn_status status = crn_io_triplets_take(&b->triplets, &data->allocator, b->text->name, (int)room, b->text->error);
    if (status == CRN_OK) {
        add_part(b, p);
        status = crn_io_triplets_compress(&b->triplets, b->dof, columns, CRN_IO_DUPLICATES_ADD, b->text,
                                          &data->allocator, &matrix);
    }
    crn_io_triplets_free(&b->triplets, &data->allocator);
    if (status != CRN_OK) {
        crn_io_matrix_free(&matrix, &data->allocator);
        return status;
    }
    crn_io_cone_adopt(data, slot, &matrix, target);
    return CRN_OK;
}

/* mu, w, f and b. */
static crn_status fill_vectors(const builder *b, crn_cone_data *data)
{
    const crn_contact_problem *problem = b->problem;
    const char *name = b->text->name;
    crn_error *error = b->text->error;
    size_t contacts = (size_t)problem->contacts, rows = (size_t)problem->rows, dim = (size_t)b->dim;
    double *mu = NULL, *w = NULL, *f = NULL, *offset = NULL;
    crn_status status = crn_io_cone_reals(data, CRN_IO_CONE_MU, name, contacts, &mu, error);
    if (status == CRN_OK) {
        status = crn_io_cone_reals(data, CRN_IO_CONE_W_VECTOR, name, dim * contacts, &w, error);
    }
    if (status == CRN_OK) {
        status = crn_io_cone_reals(data, CRN_IO_CONE_Q, name, (size_t)b->dof, &f, error);
    }
    if (status == CRN_OK && rows > 0) {
        status = crn_io_cone_reals(data, CRN_IO_CONE_B, name, rows, &offset, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    for (size_t i = 0; i < contacts; ++i) {
        mu[i] = problem->contact[i].directions > 0 ? problem->contact[i].mu : 0.0;
        memcpy(w + dim * i, problem->contact[i].offset, dim * sizeof(double));
    }
    for (size_t i = 0; i < rows; ++i) {
        offset[i] = problem->row[i].offset;
    }
    multiply(&data->problem.M, problem->velocity, f);
    data->problem.mu = mu;
    data->problem.w = w;
    data->problem.f = f;
    data->problem.b = offset;
    return CRN_OK;
}

static crn_status fill(builder *b, crn_cone_data *data)
{
    const crn_contact_problem *problem = b->problem;
    crn_cone_problem *cone = &data->problem;
    crn_status status = build(b, MASSES, b->dof, count_masses(problem), data, CRN_IO_CONE_M, &cone->M);
    if (status == CRN_OK) {
        status = build(b, CONTACTS, cone->dim * cone->contacts, count_contacts(problem, b->dim), data, CRN_IO_CONE_H,
                       &cone->H);
    }
    if (status == CRN_OK && problem->rows > 0) {
        status = build(b, ROWS, problem->rows, count_rows(problem), data, CRN_IO_CONE_G, &cone->G);
    }
    return status == CRN_OK ? fill_vectors(b, data) : status;
}

crn_status crn_io_contact_matrices(const crn_contact_problem *problem, int dim, crn_cone_data *data, crn_error *error)
{
    crn_io_text text = {.name = "problem", .error = error};
    builder b = {.problem = problem, .dim = dim, .dof = crn_contact_dof(problem), .text = &text};
    for (int k = 0; k < problem->bodies; ++k) {
        if (problem->body[k].kind == CRN_MASS_OPERATOR) {
            return crn_fail(error, CRN_ERR_UNSUPPORTED, "body %d: its mass matrix is known by a callback only", k);
        }
    }
    if (problem->contacts > INT_MAX / dim) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "%d contacts are too many", problem->contacts);
    }
    void *first = NULL;
    crn_status status = crn_io_take(&data->allocator, text.name, (size_t)problem->bodies, sizeof(int), &first, error);
    if (status != CRN_OK) {
        return status;
    }
    b.first = first;
    for (int k = 0, sum = 0; k < problem->bodies; ++k) {
        b.first[k] = sum;
        sum += problem->body[k].dof;
    }
    data->problem = (crn_cone_problem){
        .form = CRN_CONE_GLOBAL, .dim = dim, .contacts = problem->contacts, .dof = b.dof, .rows = problem->rows};
    status = fill(&b, data);
    crn_release(&data->allocator, first);
    return status;
}

/* Do all contacts with friction have it along t1 only? Fails if only some do. */
static crn_status choose_dim(const crn_contact_problem *problem, int *dim, crn_error *error)
{
    int planar = -1, spatial = -1;
    for (int i = 0; i < problem->contacts; ++i) {
        if (problem->contact[i].directions > 0) {
            *(problem->contact[i].directions == 2 ? &planar : &spatial) = i;
        }
    }
    *dim = planar >= 0 ? 2 : 3;
    if (planar >= 0 && spatial >= 0) {
        return crn_fail(
            error, CRN_ERR_UNSUPPORTED,
            "contact %d has friction along t1 only, contact %d in the plane: a friction problem has one kind", planar,
            spatial);
    }
    return CRN_OK;
}

crn_status crn_io_contact_to_cone(const crn_contact_problem *problem, const crn_allocator *allocator,
                                  crn_cone_data *data, crn_error *error)
{
    if (data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "data: NULL");
    }
    crn_io_cone_begin(data, allocator);
    int dim = 3;
    crn_status status = crn_contact_check(problem, error);
    for (int i = 0; status == CRN_OK && i < problem->rows; ++i) {
        if (crn_row_is_bounded(&problem->row[i])) {
            status = crn_fail(error, CRN_ERR_UNSUPPORTED, "row %d has a bound: friction problems have none", i);
        }
    }
    if (status == CRN_OK) {
        status = choose_dim(problem, &dim, error);
    }
    if (status == CRN_OK) {
        status = crn_io_contact_matrices(problem, dim, data, error);
    }
    if (status != CRN_OK) {
        crn_cone_data_free(data);
        return status;
    }
    return crn_fail(error, CRN_OK, "%s", "");
}
