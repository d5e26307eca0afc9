/* Contact JSON of one mechanism in generalised coordinates:
 *
 *     {"kind": "generalized", "h": 0.01, "d": 8, "mass_matrix": [[..], ..], "jacobian_n_t1_t2": [[..], ..],
 *      "mu": [..], "v_free": [..], "gap": [..], or instead of gap "offset": [[n, t1, t2], ..],
 *      "rows": [[..], ..], "row_offset": [..], "row_bound": [..]}
 *
 * The Jacobian has three rows per contact, n, t1 and t2; "rows" are the rows of the bilateral constraints. "d" and "mu"
 * are a number for all contacts or an array with one per contact. It becomes a problem with one body. */
#include "io/contact_json.h"

#include "base/memory.h"
#include "math/ldl.h"

#include <math.h>
#include <string.h>

/* Smallest pivot of a mass matrix relative to its diagonal entry: smaller ones are rounding. */
static const double mass_singular = 1e-14;

/* A table of rows x columns numbers into a slot of data, row by row; it is NULL if there is no such member. */
static crn_status read_table(const crn_json_place *place, size_t rows, size_t columns, crn_contact_data *data, int slot,
                             double **values)
{
    void *block = NULL;
    crn_status status = crn_json_check_table(place, rows, columns);
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, slot, place->file, rows * columns, sizeof(double), &block, place->error);
    }
    *values = block;
    return status == CRN_OK ? crn_json_table(place, rows, columns, block) : status;
}

/* Is the leading part of that order positive definite? copy: n (n + 1) numbers. */
static bool is_definite(const double *matrix, int n, int order, double *copy)
{
    const size_t size = (size_t)n * (size_t)n;
    memcpy(copy, matrix, size * sizeof *copy);
    crn_ldl ldl = {.n = order, .ld = n, .a = copy, .work = copy + size};
    return crn_ldl_factor(&ldl, mass_singular) && ldl.negative == 0;
}

/* The matrix must have a Cholesky factor. If it has none, the message names the row at which the first part without one ends. */
static crn_status check_definite(const crn_json_place *place, int n, const double *matrix,
                                 const crn_allocator *allocator)
{
    size_t size = (size_t)n * (size_t)n;
    void *copy = NULL;
    int row = 1;
    crn_status status = crn_io_take(allocator, place->file, size + (size_t)n, sizeof(double), &copy, place->error);
    if (status != CRN_OK) {
        return status;
    }
    if (!is_definite(matrix, n, n, copy)) {
        while (row < n && is_definite(matrix, n, row, copy)) {
            ++row;
        }
        status = crn_json_fail(place, "not positive definite at row %d", row);
    }
    crn_release(allocator, copy);
    return status;
}

static crn_status read_body(const crn_json_place *file, crn_contact_data *data)
{
    crn_json_place mass = crn_json_find(file, "mass_matrix"), velocity = crn_json_find(file, "v_free");
    int dof = 0;
    double *matrix = NULL;
    void *block = NULL, *speeds = NULL;
    crn_status status = crn_json_array(&mass, &dof);
    if (status == CRN_OK && dof == 0) {
        status = crn_json_fail(&mass, "empty");
    }
    if (status == CRN_OK) {
        status = read_table(&mass, (size_t)dof, (size_t)dof, data, CRN_IO_CONTACT_MATRIX, &matrix);
    }
    if (status == CRN_OK) {
        status = crn_io_make_symmetric(&mass, (size_t)dof, matrix);
    }
    if (status == CRN_OK) {
        status = check_definite(&mass, dof, matrix, &data->allocator);
    }
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_BODY, file->file, 1, sizeof(crn_contact_body), &block,
                                     file->error);
    }
    if (status == CRN_OK) {
        crn_contact_body *body = block;
        *body = (crn_contact_body){.kind = CRN_MASS_MATRIX, .dof = dof, .matrix = matrix, .ld = dof};
        status = crn_io_contact_take(data, CRN_IO_CONTACT_FREE, file->file, (size_t)dof, sizeof(double), &speeds,
                                     file->error);
    }
    data->problem.bodies = 1;
    data->problem.body = block;
    data->problem.velocity = speeds;
    return status == CRN_OK ? crn_json_reals(&velocity, (size_t)dof, speeds) : status;
}

/* --- Contacts --- */

/* The place of contact i's number: an item of an array with one per contact, or the one number for all. */
static crn_json_place own_or_common(const crn_json_place *list, size_t i)
{
    bool is_array = list->value != NULL && crn_json_kind_of(list->value) == CRN_JSON_ARRAY;
    return is_array ? crn_json_at(list, i) : *list;
}

/* If it is an array, it must have one item per contact. */
static crn_status check_length(const crn_json_place *list, int contacts)
{
    int count = contacts;
    if (list->value != NULL && crn_json_kind_of(list->value) == CRN_JSON_ARRAY) {
        crn_status status = crn_json_array(list, &count);
        if (status != CRN_OK) {
            return status;
        }
    }
    return count == contacts ? CRN_OK : crn_json_fail(list, "%d items, but there are %d contacts", count, contacts);
}

/* Where the numbers of all contacts stand. */
typedef struct lists {
    crn_json_place d, mu, gap, offset;
} lists;

static crn_status check_lists(const lists *l, int contacts)
{
    crn_status status = check_length(&l->d, contacts);
    if (status == CRN_OK) {
        status = check_length(&l->mu, contacts);
    }
    if (status == CRN_OK && l->gap.value != NULL) {
        status = crn_json_need(&l->gap, CRN_JSON_ARRAY);
    }
    if (status == CRN_OK) {
        status = check_length(&l->gap, contacts);
    }
    if (status == CRN_OK && l->offset.value != NULL) {
        status = l->gap.value != NULL ? crn_json_fail(&l->offset, "given beside gap: only one of them may be")
                                      : crn_json_check_table(&l->offset, (size_t)contacts, 3);
    }
    return status;
}

static crn_status read_contact(const lists *l, size_t i, double h, crn_contact_point *contact, double *gap)
{
    crn_json_place d = own_or_common(&l->d, i), mu = own_or_common(&l->mu, i);
    crn_status status = crn_io_read_directions(&d, &contact->directions);
    if (status == CRN_OK && (contact->directions > 0 || mu.value != NULL)) {
        status = crn_io_read_mu(&mu, &contact->mu);
    }
    if (status == CRN_OK && l->gap.value != NULL) {
        crn_json_place item = crn_json_at(&l->gap, i);
        status = crn_io_read_gap(&item, h, gap, &contact->offset[0]);
    }
    if (status == CRN_OK && l->offset.value != NULL) {
        crn_json_place item = crn_json_at(&l->offset, i);
        *gap = NAN;
        status = crn_json_reals(&item, 3, contact->offset);
    }
    return status;
}

static crn_status take_contacts(const crn_json_place *file, crn_contact_data *data, int count, const double *jacobian)
{
    size_t dof = (size_t)data->problem.body->dof;
    void *contacts = NULL, *gaps = NULL;
    crn_status status = crn_io_contact_take(data, CRN_IO_CONTACT_POINT, file->file, (size_t)count,
                                            sizeof(crn_contact_point), &contacts, file->error);
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_GAP, file->file, (size_t)count, sizeof(double), &gaps,
                                     file->error);
    }
    lists l = {.d = crn_json_find(file, "d"),
               .mu = crn_json_find(file, "mu"),
               .gap = crn_json_find(file, "gap"),
               .offset = crn_json_find(file, "offset")};
    if (status == CRN_OK) {
        status = check_lists(&l, count);
    }
    for (size_t i = 0; i < (size_t)count && status == CRN_OK; ++i) {
        crn_contact_point *contact = (crn_contact_point *)contacts + i;
        *contact = (crn_contact_point){.a = 0, .b = -1, .jacobian_a = jacobian + 3 * dof * i};
        status = read_contact(&l, i, data->h, contact, (double *)gaps + i);
    }
    data->problem.contacts = count;
    data->problem.contact = contacts;
    data->gap = gaps;
    return status;
}

static crn_status read_contacts(const crn_json_place *file, crn_contact_data *data)
{
    crn_json_place table = crn_json_find(file, "jacobian_n_t1_t2");
    int rows = 0;
    double *jacobian = NULL;
    crn_status status = crn_json_array(&table, &rows);
    if (status == CRN_OK && rows % 3 != 0) {
        status = crn_json_fail(&table, "%d rows, but each contact has three: n, t1, t2", rows);
    }
    if (status == CRN_OK) {
        status =
            read_table(&table, (size_t)rows, (size_t)data->problem.body->dof, data, CRN_IO_CONTACT_JACOBIAN, &jacobian);
    }
    return status == CRN_OK ? take_contacts(file, data, rows / 3, jacobian) : status;
}

/* --- Bilateral rows --- */

/* An array with one number per row, or nothing. */
static crn_status check_row_list(const crn_json_place *list, int rows)
{
    if (list->value == NULL) {
        return CRN_OK;
    }
    crn_status status = crn_json_need(list, CRN_JSON_ARRAY);
    if (status == CRN_OK && crn_json_count(list->value) != (size_t)rows) {
        status = crn_json_fail(list, "%zu items, but there are %d rows", crn_json_count(list->value), rows);
    }
    return status;
}

static crn_status read_rows(const crn_json_place *file, crn_contact_data *data)
{
    crn_json_place table = crn_json_find(file, "rows"), offsets = crn_json_find(file, "row_offset"),
                   bounds = crn_json_find(file, "row_bound");
    if (table.value == NULL && (offsets.value != NULL || bounds.value != NULL)) {
        return crn_json_fail(&table, "missing, although %s is given", offsets.value ? "row_offset" : "row_bound");
    }
    if (table.value == NULL) {
        return CRN_OK;
    }
    size_t dof = (size_t)data->problem.body->dof;
    int count = 0;
    double *jacobian = NULL;
    void *rows = NULL;
    crn_status status = crn_json_array(&table, &count);
    if (status == CRN_OK) {
        status = read_table(&table, (size_t)count, dof, data, CRN_IO_CONTACT_ROW_JACOBIAN, &jacobian);
    }
    if (status == CRN_OK) {
        status = check_row_list(&offsets, count);
    }
    if (status == CRN_OK) {
        status = check_row_list(&bounds, count);
    }
    if (status == CRN_OK) {
        status = crn_io_contact_take(data, CRN_IO_CONTACT_ROW, file->file, (size_t)count, sizeof(crn_contact_row),
                                     &rows, file->error);
    }
    for (size_t i = 0; i < (size_t)count && status == CRN_OK; ++i) {
        crn_contact_row *row = (crn_contact_row *)rows + i;
        *row = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = jacobian + dof * i};
        if (offsets.value != NULL) {
            crn_json_place item = crn_json_at(&offsets, i);
            status = crn_json_real(&item, &row->offset);
        }
        if (status == CRN_OK && bounds.value != NULL) {
            crn_json_place item = crn_json_at(&bounds, i);
            status = crn_io_read_bound(&item, &row->bound);
        }
    }
    data->problem.rows = count;
    data->problem.row = rows;
    return status;
}

crn_status crn_io_read_generalized(const crn_json_place *file, crn_contact_data *data)
{
    static const char *const keys[] = {"kind",   "h",   "d",      "mass_matrix", "jacobian_n_t1_t2", "mu",
                                       "v_free", "gap", "offset", "rows",        "row_offset",       "row_bound"};
    crn_status status = crn_json_check_keys(file, keys, sizeof keys / sizeof keys[0]);
    if (status == CRN_OK) {
        status = crn_io_read_step(file, &data->h);
    }
    if (status == CRN_OK) {
        status = read_body(file, data);
    }
    if (status == CRN_OK) {
        status = read_contacts(file, data);
    }
    return status == CRN_OK ? read_rows(file, data) : status;
}
