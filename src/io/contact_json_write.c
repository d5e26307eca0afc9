/* Writing contact JSON with 17 digits: the layout is in contact_rigid.c and contact_generalized.c. Problems of rigid bodies
 * and contact points are written as such, all others (planar bodies among them) in generalised coordinates. */
#include "io/cone_data.h"
#include "io/contact_data.h"
#include "text/number.h"

#include "base/memory.h"
#include "contact/contact_room.h"

#include <math.h>
#include <string.h>

/* --- Pieces --- */

static void write_real(FILE *file, double value)
{
    char text[CRN_IO_NUMBER_SIZE];
    crn_io_number_write(value, text);
    fputs(text, file);
}

static void write_reals(FILE *file, size_t count, const double *values)
{
    fputc('[', file);
    for (size_t i = 0; i < count; ++i) {
        fputs(i == 0 ? "" : ", ", file);
        write_real(file, values[i]);
    }
    fputc(']', file);
}

/* A spatial vector, which is linear first in files. */
static void write_spatial(FILE *file, const double values[6])
{
    double linear_first[6];
    crn_io_swap_halves(values, linear_first);
    write_reals(file, 6, linear_first);
}

/* What comes before item i of a list. */
static void write_separator(FILE *file, int i)
{
    fputs(i == 0 ? "\n  " : ",\n  ", file);
}

static void write_step(FILE *file, double h)
{
    if (h > 0.0) {
        fputs(", \"h\": ", file);
        write_real(file, h);
    }
}

/* Is the offset what the gap makes of it, so that the gap can be written instead? */
static bool is_gap(const crn_contact_data *data, int i)
{
    const double *offset = data->problem.contact[i].offset;
    return data->gap != NULL && !isnan(data->gap[i]) && offset[1] == 0.0 && offset[2] == 0.0 &&
           offset[0] == (data->gap[i] != 0.0 ? data->gap[i] / data->h : 0.0);
}

static bool has_offset(const crn_contact_point *contact)
{
    return contact->offset[0] != 0.0 || contact->offset[1] != 0.0 || contact->offset[2] != 0.0;
}

/* --- Rigid --- */

static void write_body(FILE *file, const crn_contact_body *body, const double velocity[6])
{
    fputs("{\"mass\": ", file);
    write_real(file, body->mass);
    fputs(", \"inertia_world\": [", file);
    for (int j = 0; j < 3; ++j) {
        fputs(j == 0 ? "" : ", ", file);
        write_reals(file, 3, body->inertia + 3 * j); /* symmetric: columns are rows */
    }
    fputs("], \"com\": ", file);
    write_reals(file, 3, body->com);
    fputs(", \"velocity\": ", file);
    write_spatial(file, velocity);
    fputc('}', file);
}

static void write_vector(FILE *file, const char *key, const double vector[3])
{
    fprintf(file, ", \"%s\": ", key);
    write_reals(file, 3, vector);
}

static void write_contact(FILE *file, const crn_contact_data *data, int i)
{
    const crn_contact_point *contact = &data->problem.contact[i];
    fprintf(file, "{\"a\": %d, \"b\": %d", contact->a, contact->b);
    write_vector(file, "point", contact->position);
    write_vector(file, "normal", contact->normal);
    if (contact->t1[0] != 0.0 || contact->t1[1] != 0.0 || contact->t1[2] != 0.0) {
        write_vector(file, "t1", contact->t1);
        write_vector(file, "t2", contact->t2);
    }
    fputs(", \"mu\": ", file);
    write_real(file, contact->mu);
    fprintf(file, ", \"d\": %d", contact->directions);
    if (is_gap(data, i)) {
        fputs(", \"gap\": ", file);
        write_real(file, data->gap[i]);
    } else if (has_offset(contact)) {
        write_vector(file, "offset", contact->offset);
    }
    fputc('}', file);
}

static void write_row(FILE *file, const crn_contact_row *row)
{
    fprintf(file, "{\"a\": %d, \"b\": %d", row->a, row->b);
    if (row->a >= 0) {
        fputs(", \"jacobian_a\": ", file);
        write_spatial(file, row->jacobian_a);
    }
    if (row->b >= 0) {
        fputs(", \"jacobian_b\": ", file);
        write_spatial(file, row->jacobian_b);
    }
    fputs(", \"offset\": ", file);
    write_real(file, row->offset);
    if (crn_row_is_bounded(row)) {
        fputs(", \"bound\": ", file);
        write_real(file, row->bound);
    }
    fputc('}', file);
}

static void write_rigid(FILE *file, const crn_contact_data *data)
{
    const crn_contact_problem *problem = &data->problem;
    const double *velocity = data->velocity != NULL ? data->velocity : problem->velocity;
    fputs("{\"kind\": \"rigid\"", file);
    write_step(file, data->h);
    fputs(",\n \"bodies\": [", file);
    for (int i = 0; i < problem->bodies; ++i) {
        write_separator(file, i);
        write_body(file, &problem->body[i], velocity + 6 * (size_t)i);
    }
    fputs("],\n \"contacts\": [", file);
    for (int i = 0; i < problem->contacts; ++i) {
        write_separator(file, i);
        write_contact(file, data, i);
    }
    if (problem->rows > 0) {
        fputs("],\n \"rows\": [", file);
    }
    for (int i = 0; i < problem->rows; ++i) {
        write_separator(file, i);
        write_row(file, &problem->row[i]);
    }
    if (data->velocity != NULL && data->wrench != NULL) {
        fputs("],\n \"wrench\": [", file);
        for (int i = 0; i < problem->bodies; ++i) {
            write_separator(file, i);
            write_spatial(file, data->wrench + 6 * (size_t)i);
        }
    }
    fputs("]}\n", file);
}

/* --- Generalised --- */

/* Where the rows of the tables come from: straight from the only body, to the last bit (the sign of a zero), or from the
 * matrices of all bodies together. */
typedef struct tables {
    const crn_contact_problem *problem;
    int dof;
    bool is_single;
    crn_cone_data matrices; /* empty if is_single */
    double *dense;          /* one row */
} tables;

/* A column of a compressed matrix, zeros included. */
static const double *spread_column(const tables *t, const crn_cone_matrix *matrix, int j)
{
    memset(t->dense, 0, (size_t)matrix->rows * sizeof(double));
    for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k) {
        t->dense[matrix->row[k]] = matrix->value[k];
    }
    return t->dense;
}

/* The mass matrix is symmetric: its columns are its rows. */
static const double *mass_row(const tables *t, int j)
{
    const crn_contact_body *body = t->problem->body;
    return t->is_single ? body->matrix + (size_t)j * (size_t)body->ld : spread_column(t, &t->matrices.problem.M, j);
}

static const double *contact_row(const tables *t, int j)
{
    if (!t->is_single) {
        return spread_column(t, &t->matrices.problem.H, j);
    }
    const crn_contact_point *contact = &t->problem->contact[j / 3];
    return (contact->a == 0 ? contact->jacobian_a : contact->jacobian_b) + (size_t)(j % 3) * (size_t)t->dof;
}

static const double *bilateral_row(const tables *t, int j)
{
    if (!t->is_single) {
        return spread_column(t, &t->matrices.problem.G, j);
    }
    const crn_contact_row *row = &t->problem->row[j];
    return row->a == 0 ? row->jacobian_a : row->jacobian_b;
}

static void write_table(FILE *file, const char *key, const tables *t, const double *(*row)(const tables *t, int j),
                        int rows)
{
    fprintf(file, ",\n \"%s\": [", key);
    for (int j = 0; j < rows; ++j) {
        write_separator(file, j);
        write_reals(file, (size_t)t->dof, row(t, j));
    }
    fputc(']', file);
}

static void write_offsets(FILE *file, const crn_contact_data *data)
{
    const crn_contact_problem *problem = &data->problem;
    bool are_gaps = true, are_zero = true;
    for (int i = 0; i < problem->contacts; ++i) {
        are_gaps = are_gaps && is_gap(data, i);
        are_zero = are_zero && !has_offset(&problem->contact[i]);
    }
    if (are_zero) {
        return;
    }
    fputs(are_gaps ? ",\n \"gap\": [" : ",\n \"offset\": [", file);
    for (int i = 0; i < problem->contacts; ++i) {
        fputs(i == 0 ? "" : ", ", file);
        if (are_gaps) {
            write_real(file, data->gap[i]);
        } else {
            write_reals(file, 3, problem->contact[i].offset);
        }
    }
    fputc(']', file);
}

/* The rows' bounds, 0 where there is none; nothing if no row has one. */
static void write_bounds(FILE *file, const crn_contact_problem *problem)
{
    bool has_bounds = false;
    for (int i = 0; i < problem->rows; ++i) {
        has_bounds = has_bounds || crn_row_is_bounded(&problem->row[i]);
    }
    if (!has_bounds) {
        return;
    }
    fputs(",\n \"row_bound\": [", file);
    for (int i = 0; i < problem->rows; ++i) {
        fputs(i == 0 ? "" : ", ", file);
        write_real(file, crn_row_is_bounded(&problem->row[i]) ? problem->row[i].bound : 0.0);
    }
    fputc(']', file);
}

static void write_generalized(FILE *file, const crn_contact_data *data, const tables *t)
{
    const crn_contact_problem *problem = &data->problem;
    fputs("{\"kind\": \"generalized\"", file);
    write_step(file, data->h);
    fputs(",\n \"d\": [", file);
    for (int i = 0; i < problem->contacts; ++i) {
        fprintf(file, "%s%d", i == 0 ? "" : ", ", problem->contact[i].directions);
    }
    fputs("],\n \"mu\": [", file);
    for (int i = 0; i < problem->contacts; ++i) {
        fputs(i == 0 ? "" : ", ", file);
        write_real(file, problem->contact[i].mu);
    }
    fputs("],\n \"v_free\": ", file);
    write_reals(file, (size_t)t->dof, problem->velocity);
    write_table(file, "mass_matrix", t, mass_row, t->dof);
    write_table(file, "jacobian_n_t1_t2", t, contact_row, 3 * problem->contacts);
    write_offsets(file, data);
    if (problem->rows > 0) {
        write_table(file, "rows", t, bilateral_row, problem->rows);
        fputs(",\n \"row_offset\": [", file);
        for (int i = 0; i < problem->rows; ++i) {
            fputs(i == 0 ? "" : ", ", file);
            write_real(file, problem->row[i].offset);
        }
        fputc(']', file);
        write_bounds(file, problem);
    }
    fputs("}\n", file);
}

/* --- Files --- */

/* Rigid bodies throughout, and contacts by geometry? */
static bool is_rigid(const crn_contact_problem *problem)
{
    bool is_good = true;
    for (int i = 0; i < problem->bodies; ++i) {
        is_good = is_good && problem->body[i].kind == CRN_MASS_RIGID;
    }
    for (int i = 0; i < problem->contacts; ++i) {
        is_good = is_good && problem->contact[i].jacobian_a == NULL && problem->contact[i].jacobian_b == NULL;
    }
    return is_good;
}

/* Prepare the tables; release with free_tables(), also after a failure. */
static crn_status take_tables(const crn_contact_problem *problem, const crn_allocator *allocator, tables *t,
                              crn_error *error)
{
    t->problem = problem;
    t->dof = crn_contact_dof(problem);
    t->is_single = problem->bodies == 1 && problem->body->kind == CRN_MASS_MATRIX;
    crn_io_cone_begin(&t->matrices, allocator);
    if (t->is_single) {
        return CRN_OK;
    }
    void *dense = NULL;
    crn_status status = crn_io_contact_matrices(problem, 3, &t->matrices, error);
    if (status == CRN_OK) {
        status = crn_io_take(&t->matrices.allocator, "problem", (size_t)t->dof, sizeof(double), &dense, error);
    }
    t->dense = dense;
    return status;
}

static void free_tables(tables *t)
{
    crn_release(&t->matrices.allocator, t->dense);
    crn_cone_data_free(&t->matrices);
}

crn_status crn_io_write_contact_json(const char *path, const crn_contact_data *data, const crn_allocator *allocator,
                                     crn_error *error)
{
    if (path == NULL || data == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "data");
    }
    crn_status status = crn_contact_check(&data->problem, error);
    if (status != CRN_OK) {
        return status;
    }
    tables t = {.dof = 0};
    bool is_of_bodies = is_rigid(&data->problem);
    if (!is_of_bodies) {
        status = take_tables(&data->problem, allocator, &t, error);
    }
    crn_io_output output;
    if (status == CRN_OK) {
        status = crn_io_output_open(&output, path, error);
    }
    if (status == CRN_OK) {
        if (is_of_bodies) {
            write_rigid(output.file, data);
        } else {
            write_generalized(output.file, data, &t);
        }
        status = crn_io_output_close(&output, CRN_OK, error);
    }
    free_tables(&t);
    return status;
}
