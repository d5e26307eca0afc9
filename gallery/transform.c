/* transform.c -- the same problem in another order and other units, for tests of invariance. */
#include <math.h>

#include "gallery.h"
#include "gallery_data.h"

/* The wish, with NULL meaning identity. */
typedef struct change {
    const int *permutation;
    const double *row_scale, *column_scale;
} change;

static int old_place(const change *c, int i)
{
    return c->permutation ? c->permutation[i] : i;
}

static double row_factor(const change *c, int old)
{
    return c->row_scale ? c->row_scale[old] : 1.0;
}

static double column_factor(const change *c, int old)
{
    return c->column_scale ? c->column_scale[old] : 1.0;
}

/* new_place[old] = new, and a check that the permutation is one. */
static bool invert(const change *c, int n, int *new_place)
{
    for (int i = 0; i < n; ++i) {
        new_place[i] = -1;
    }
    for (int i = 0; i < n; ++i) {
        int old = old_place(c, i);
        if (old < 0 || old >= n || new_place[old] >= 0) {
            return false;
        }
        new_place[old] = i;
    }
    return true;
}

static bool are_positive(const double *scale, int n)
{
    for (int i = 0; i < n && scale; ++i) {
        if (!(scale[i] > 0.0) || !isfinite(scale[i])) {
            return false;
        }
    }
    return true;
}

static void change_dense(const crn_lcp_problem *in, const change *c, double *M)
{
    for (int j = 0; j < in->n; ++j) {
        int old_j = old_place(c, j);
        for (int i = 0; i < in->n; ++i) {
            int old_i = old_place(c, i);
            double entry = in->M[(size_t)old_i + (size_t)old_j * (size_t)in->ld];
            M[(size_t)i + (size_t)j * (size_t)in->n] = row_factor(c, old_i) * entry * column_factor(c, old_j);
        }
    }
}

/* Put (row, value) where it belongs among the entries first .. last-1 of a column. */
static void insert_entry(int *row, double *value, int first, int last, int new_row, double new_value)
{
    int place = last;
    for (; place > first && row[place - 1] > new_row; --place) {
        row[place] = row[place - 1];
        value[place] = value[place - 1];
    }
    row[place] = new_row;
    value[place] = new_value;
}

static void change_sparse(const crn_lcp_problem *in, const change *c, const int *new_place, int *start, int *row,
                          double *value)
{
    int count = 0;
    for (int j = 0; j < in->n; ++j) {
        int old_j = old_place(c, j);
        start[j] = count;
        for (int k = in->start[old_j]; k < in->start[old_j + 1]; ++k) {
            double entry = row_factor(c, in->row[k]) * in->value[k] * column_factor(c, old_j);
            insert_entry(row, value, start[j], count++, new_place[in->row[k]], entry);
        }
    }
    start[in->n] = count;
}

static void change_vectors(const crn_lcp_problem *in, const change *c, crn_lcp_data *out)
{
    for (int i = 0; i < in->n; ++i) {
        int old = old_place(c, i);
        crn_gallery_q(out)[i] = row_factor(c, old) * in->q[old];
        if (in->lower) {
            crn_gallery_lower(out)[i] = in->lower[old] / column_factor(c, old);
        }
        if (in->upper) {
            crn_gallery_upper(out)[i] = in->upper[old] / column_factor(c, old);
        }
    }
}

/* Arrays like those of `in`; false: no memory (the caller frees out). */
static bool take_like(const crn_lcp_problem *in, crn_lcp_data *out)
{
    size_t n = (size_t)in->n;
    size_t entries = in->M ? n * n : (size_t)in->start[in->n];
    crn_lcp_problem problem = {.n = in->n};
    if (in->M) {
        problem.ld = in->n > 0 ? in->n : 1;
        problem.M = crn_gallery_take(out, CRN_GALLERY_SLOT_M, entries * sizeof(double));
    } else {
        problem.start = crn_gallery_take(out, CRN_GALLERY_SLOT_M, (n + 1) * sizeof(int));
        problem.row = crn_gallery_take(out, CRN_GALLERY_SLOT_ROW, entries * sizeof(int));
        problem.value = crn_gallery_take(out, CRN_GALLERY_SLOT_VALUE, entries * sizeof(double));
    }
    problem.q = crn_gallery_take(out, CRN_GALLERY_SLOT_Q, n * sizeof(double));
    problem.lower = in->lower ? crn_gallery_take(out, CRN_GALLERY_SLOT_LOWER, n * sizeof(double)) : NULL;
    problem.upper = in->upper ? crn_gallery_take(out, CRN_GALLERY_SLOT_UPPER, n * sizeof(double)) : NULL;
    out->problem = problem;
    bool has_matrix = problem.M || (problem.start && problem.row && problem.value);
    return has_matrix && problem.q && (problem.lower || !in->lower) && (problem.upper || !in->upper);
}

crn_status crn_gallery_transform(const crn_lcp_problem *in, const int *permutation, const double *row_scale,
                                 const double *column_scale, crn_lcp_data *out, crn_error *error)
{
    change c = {permutation, row_scale, column_scale};
    crn_allocator allocator = crn_gallery_allocator(out);
    if (!are_positive(row_scale, in->n) || !are_positive(column_scale, in->n)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: a scale is not positive and finite");
    }
    int *new_place = allocator.resize(allocator.user, NULL, ((size_t)in->n + 1) * sizeof *new_place);
    if (!new_place || !take_like(in, out)) {
        allocator.release(allocator.user, new_place);
        crn_lcp_data_free(out);
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory to transform a problem of order %d", in->n);
    }
    if (!invert(&c, in->n, new_place)) {
        allocator.release(allocator.user, new_place);
        crn_lcp_data_free(out);
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: not a permutation of 0 .. %d", in->n - 1);
    }
    if (in->M) {
        change_dense(in, &c, crn_gallery_M(out));
    } else {
        change_sparse(in, &c, new_place, out->storage[CRN_GALLERY_SLOT_M], out->storage[CRN_GALLERY_SLOT_ROW],
                      out->storage[CRN_GALLERY_SLOT_VALUE]);
    }
    change_vectors(in, &c, out);
    allocator.release(allocator.user, new_place);
    return CRN_OK;
}
