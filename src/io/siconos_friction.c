/* Friction problems of Siconos .dat files. Numbers are separated by any white space.
 *
 *     local    d nc, matrix block of W, q, mu                          u = W r + q
 *     global   d nc, matrix block of M, matrix block of H, q, b, mu    M v = H r + q,   u = H'v + b
 *
 * with d components per contact, the normal one first. The files do not say which they are. A global problem is tried
 * first: its second matrix block repeats sizes that are known, which no list of numbers does by chance, whereas the head
 * of that block could pass for the q of a local problem. Behind the mu of a local problem some files have one integer
 * more; two numbers are too many, most likely a global problem that was cut. Other text there is a comment. */
#include "io/cone_data.h"
#include "io/siconos_matrix.h"

#include <limits.h>

/* Components per contact of rolling friction. */
enum { ROLLING = 5 };

/* d and nc. */
static crn_status read_sizes(crn_io_text *text, crn_cone_problem *problem)
{
    crn_status status = crn_io_text_int(text, "components per contact", 2, ROLLING, &problem->dim);
    if (status == CRN_OK && problem->dim == ROLLING) {
        return crn_fail(text->error, CRN_ERR_UNSUPPORTED, "%s:%d: components per contact: rolling friction (5)",
                        text->name, text->line);
    }
    if (status == CRN_OK && problem->dim > 3) {
        return crn_io_text_fail(text, text->line, "components per contact", "%d is not 2 or 3", problem->dim);
    }
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "contacts", 0, INT_MAX / problem->dim, &problem->contacts);
    }
    if (status == CRN_OK && !crn_io_text_could_hold(text, (uint64_t)problem->contacts, problem->dim)) {
        status = crn_io_text_fail(text, text->line, "contacts", "%d claimed, but only %zu bytes follow",
                                  problem->contacts, (size_t)(text->end - text->at));
    }
    return status;
}

/* A matrix block in compressed columns. */
static crn_status read_matrix(crn_io_text *text, crn_io_shape shape, crn_cone_data *data, int slot,
                              crn_cone_matrix *target)
{
    crn_io_matrix matrix;
    crn_status status = crn_io_siconos_matrix(text, shape, &data->allocator, &matrix);
    if (status == CRN_OK) {
        status = crn_io_matrix_compress(&matrix, &data->allocator, text->name, text->error);
    }
    if (status != CRN_OK) {
        crn_io_matrix_free(&matrix, &data->allocator);
        return status;
    }
    crn_io_cone_adopt(data, slot, &matrix, target);
    return CRN_OK;
}

static crn_status read_vector(crn_io_text *text, const char *field, crn_cone_data *data, int slot, int count,
                              const double **target)
{
    double *values = NULL;
    crn_status status = crn_io_cone_reals(data, slot, text->name, (size_t)count, &values, text->error);
    if (status == CRN_OK) {
        status = crn_io_text_reals(text, field, CRN_IO_FINITE, (size_t)count, values);
    }
    *target = values;
    return status;
}

static crn_status read_mu(crn_io_text *text, crn_cone_data *data)
{
    crn_cone_problem *problem = &data->problem;
    crn_status status = read_vector(text, "mu", data, CRN_IO_CONE_MU, problem->contacts, &problem->mu);
    for (int i = 0; i < problem->contacts && status == CRN_OK; ++i) {
        if (problem->mu[i] < 0.0) {
            status = crn_io_text_fail(text, text->line, "mu", "entry %d: %g is negative", i + 1, problem->mu[i]);
        }
    }
    return status;
}

static crn_status read_local(crn_io_text *text, crn_cone_data *data)
{
    crn_cone_problem *problem = &data->problem;
    problem->form = CRN_CONE_LOCAL;
    crn_status status = read_sizes(text, problem);
    int n = status == CRN_OK ? problem->dim * problem->contacts : 0;
    if (status == CRN_OK) {
        crn_io_shape square = {.name = "W", .rows = n, .columns = n};
        status = read_matrix(text, square, data, CRN_IO_CONE_W, &problem->W);
    }
    if (status == CRN_OK) {
        status = read_vector(text, "q", data, CRN_IO_CONE_Q, n, &problem->q);
    }
    return status == CRN_OK ? read_mu(text, data) : status;
}

static crn_status read_global(crn_io_text *text, crn_cone_data *data)
{
    crn_cone_problem *problem = &data->problem;
    problem->form = CRN_CONE_GLOBAL;
    crn_status status = read_sizes(text, problem);
    int n = status == CRN_OK ? problem->dim * problem->contacts : 0;
    if (status == CRN_OK) {
        crn_io_shape square = {.name = "M", .rows = -1, .columns = -1};
        status = read_matrix(text, square, data, CRN_IO_CONE_M, &problem->M);
    }
    problem->dof = problem->M.rows;
    if (status == CRN_OK) {
        crn_io_shape shape = {.name = "H", .rows = problem->dof, .columns = n};
        status = read_matrix(text, shape, data, CRN_IO_CONE_H, &problem->H);
    }
    if (status == CRN_OK) {
        status = read_vector(text, "q", data, CRN_IO_CONE_Q, problem->dof, &problem->f);
    }
    if (status == CRN_OK) {
        status = read_vector(text, "b", data, CRN_IO_CONE_W_VECTOR, n, &problem->w);
    }
    return status == CRN_OK ? read_mu(text, data) : status;
}

/* A local problem with nothing but one number, or a comment, behind it. */
static crn_status read_only_local(crn_io_text *text, crn_cone_data *data)
{
    crn_status status = read_local(text, data);
    if (status == CRN_OK && crn_io_text_count_numbers(text, 2) > 1) {
        status =
            crn_io_text_fail(text, text->line, "mu", "more numbers follow than a local problem has; name the kind");
    }
    return status;
}

/* Try both. If neither fits, the message is that of the attempt that got further. */
static crn_status read_any(const crn_io_source *source, const crn_allocator *allocator, crn_cone_data *data,
                           crn_error *error)
{
    crn_error reasons[2] = {{.status = CRN_OK}, {.status = CRN_OK}};
    crn_io_text global = crn_io_text_begin(source, '\0', &reasons[0]);
    crn_status status = read_global(&global, data);
    if (status != CRN_ERR_FORMAT) {
        return status == CRN_OK ? status : crn_fail(error, status, "%s", reasons[0].text);
    }
    crn_cone_data_free(data);
    crn_io_cone_begin(data, allocator);
    crn_io_text local = crn_io_text_begin(source, '\0', &reasons[1]);
    status = read_only_local(&local, data);
    if (status == CRN_OK) {
        return status;
    }
    bool is_local = status != CRN_ERR_FORMAT || local.at >= global.at;
    return crn_fail(error, status, "%s (read as %s friction)", reasons[is_local].text, is_local ? "local" : "global");
}

crn_status crn_io_parse_siconos_friction(const crn_io_source *source, crn_siconos_friction kind,
                                         const crn_allocator *allocator, crn_cone_data *data, crn_error *error)
{
    crn_io_cone_begin(data, allocator);
    crn_io_text text = crn_io_text_begin(source, '\0', error);
    crn_status status;
    switch (kind) {
    case CRN_SICONOS_FRICTION_ANY: status = read_any(source, allocator, data, error); break;
    case CRN_SICONOS_FRICTION_LOCAL: status = read_local(&text, data); break;
    case CRN_SICONOS_FRICTION_GLOBAL: status = read_global(&text, data); break;
    default: status = crn_fail(error, CRN_ERR_ARGUMENT, "kind: %d is none", (int)kind); break;
    }
    if (status != CRN_OK) {
        crn_cone_data_free(data);
        return status;
    }
    crn_io_cone_look_at_symmetry(data);
    return crn_fail(error, CRN_OK, "%s", "");
}
