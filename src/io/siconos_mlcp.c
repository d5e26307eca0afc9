/* Mixed problems of Siconos files: HAS_M HAS_PARTS n m, with n equalities (free u) and m complementarity pairs.
 *
 *     0 = A u + C v + a,   w = D u + B v + b,   0 <= v  perp  w >= 0
 *
 *     if HAS_M:     ends of blocks of rows, from 0 until n+m; a flag per block (1: pairs, 0: equalities);
 *                   matrix block of M; q
 *     if HAS_PARTS: A (n n), B (m m), C (n m), D (m n), row by row; a; b
 *
 * It becomes one problem in the order of M, or (u, v) where only the parts are given: equalities get infinite bounds,
 * pairs the bounds 0 and +inf. If the file has both forms they must agree. */
#include "io/siconos_matrix.h"
#include "io/siconos_problem.h"

#include "base/memory.h"
#include "math/elementary.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* How far the two forms may differ, relative to the larger of two entries. Dense numbers are printed in full in both;
 * sparse ones have 6 or 7 digits. */
static const double agree_dense = 1e-12;
static const double agree_sparse = 1e-5;

typedef struct sizes {
    int has_M, has_parts;
    int n, m;     /* equalities, pairs */
    int order;    /* n + m */
    size_t count; /* order, for counting */
} sizes;

static crn_status read_sizes(crn_io_text *text, sizes *s)
{
    crn_status status = crn_io_text_int(text, "first flag of mlcp", 0, 1, &s->has_M);
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "second flag of mlcp", 0, 1, &s->has_parts);
    }
    if (status == CRN_OK && !s->has_M && !s->has_parts) {
        status = crn_io_text_fail(text, text->line, "flags of mlcp", "both forms are absent");
    }
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "n", 0, INT_MAX, &s->n);
    }
    if (status == CRN_OK) {
        status = crn_io_text_int(text, "m", 0, INT_MAX - s->n, &s->m);
    }
    s->order = s->n + s->m;
    s->count = (size_t)s->order;
    if (status == CRN_OK && !crn_io_text_could_hold(text, s->count, 1)) {
        status = crn_io_text_fail(text, text->line, "n, m", "%d variables claimed, but only %zu bytes follow", s->order,
                                  (size_t)(text->end - text->at));
    }
    return status;
}

/* Bounds of (u, v): the first n variables are free. */
static crn_status take_bounds(const crn_io_text *text, const sizes *s, crn_lcp_data *data, double **lower)
{
    double *upper = NULL;
    crn_status status = crn_io_take_reals(data, CRN_IO_SLOT_LOWER, text->name, s->count, lower, text->error);
    if (status == CRN_OK) {
        status = crn_io_take_reals(data, CRN_IO_SLOT_UPPER, text->name, s->count, &upper, text->error);
    }
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < s->order; ++i) {
        (*lower)[i] = i < s->n ? -INFINITY : 0.0;
        upper[i] = INFINITY;
    }
    data->problem.lower = *lower;
    data->problem.upper = upper;
    return CRN_OK;
}

/* --- The form with M --- */

/* The list of ends, from 0 until the order is reached; *blocks is one less than its length. */
static crn_status skip_ends(crn_io_text *text, int order, int *blocks)
{
    int end = 0;
    crn_status status = crn_io_text_int(text, "block ends of mlcp", 0, 0, &end);
    for (*blocks = 0; status == CRN_OK && end < order; ++*blocks) {
        status = crn_io_text_int(text, "block ends of mlcp", end, order, &end);
    }
    return status;
}

/* The flags, which say whose variables are free. The ends are read a second time beside them. */
static crn_status read_flags(crn_io_text *text, const sizes *s, double *lower)
{
    crn_io_text ends = *text;
    int blocks = 0, begin = 0, equalities = 0;
    crn_status status = skip_ends(text, s->order, &blocks);
    if (status == CRN_OK) {
        status = crn_io_text_int(&ends, "block ends of mlcp", 0, 0, &begin);
    }
    for (int k = 0; k < blocks && status == CRN_OK; ++k) {
        int is_pair = 0, end = 0;
        status = crn_io_text_int(text, "block flags of mlcp", 0, 1, &is_pair);
        if (status == CRN_OK) {
            status = crn_io_text_int(&ends, "block ends of mlcp", begin, s->order, &end);
        }
        for (; status == CRN_OK && begin < end; ++begin) {
            lower[begin] = is_pair ? 0.0 : -INFINITY;
            equalities += !is_pair;
        }
    }
    if (status == CRN_OK && equalities != s->n) {
        status =
            crn_io_text_fail(text, text->line, "block flags of mlcp", "%d equalities, but n is %d", equalities, s->n);
    }
    return status;
}

static crn_status read_M_form(crn_io_text *text, const sizes *s, crn_lcp_data *data, double *lower)
{
    crn_status status = read_flags(text, s, lower);
    if (status == CRN_OK) {
        status = crn_io_siconos_M(text, s->order, data);
    }
    double *q = NULL;
    if (status == CRN_OK) {
        status = crn_io_take_reals(data, CRN_IO_SLOT_Q, text->name, s->count, &q, text->error);
    }
    if (status == CRN_OK) {
        status = crn_io_text_reals(text, "q", CRN_IO_FINITE, s->count, q);
    }
    data->problem.q = q;
    return status;
}

/* --- The form with parts --- */

/* A rows x columns part, row by row, whose corner is at M. */
static crn_status read_part(crn_io_text *text, const char *field, int rows, int columns, double *M, size_t ld)
{
    for (size_t i = 0; i < (size_t)rows; ++i) {
        for (size_t j = 0; j < (size_t)columns; ++j) {
            crn_status status = crn_io_text_real(text, field, CRN_IO_FINITE, &M[i + j * ld]);
            if (status != CRN_OK) {
                return status;
            }
        }
    }
    return CRN_OK;
}

/* Can the text hold the parts? */
static crn_status check_parts(const crn_io_text *text, const sizes *s)
{
    uint64_t order = (uint64_t)s->order;
    if (order > UINT32_MAX - 1 || !crn_io_text_could_hold(text, order * order + order, 1)) {
        return crn_io_text_fail(text, text->line, "A, B, C, D", "%d x %d values claimed, but only %zu bytes follow",
                                s->order, s->order, (size_t)(text->end - text->at));
    }
    return CRN_OK;
}

/* M = [A C; D B] and q = (a, b), in the order (u, v). */
static crn_status read_parts(crn_io_text *text, const sizes *s, double *M, double *q)
{
    size_t n = (size_t)s->n, ld = s->count;
    crn_status status = read_part(text, "A", s->n, s->n, M, ld);
    if (status == CRN_OK) {
        status = read_part(text, "B", s->m, s->m, M + n + n * ld, ld);
    }
    if (status == CRN_OK) {
        status = read_part(text, "C", s->n, s->m, M + n * ld, ld);
    }
    if (status == CRN_OK) {
        status = read_part(text, "D", s->m, s->n, M + n, ld);
    }
    if (status == CRN_OK) {
        status = crn_io_text_reals(text, "a", CRN_IO_FINITE, n, q);
    }
    if (status == CRN_OK) {
        status = crn_io_text_reals(text, "b", CRN_IO_FINITE, (size_t)s->m, q + n);
    }
    return status;
}

static crn_status read_parts_form(crn_io_text *text, const sizes *s, crn_lcp_data *data)
{
    double *M = NULL, *q = NULL;
    crn_status status = check_parts(text, s);
    if (status == CRN_OK) {
        status = crn_io_take_reals(data, CRN_IO_SLOT_M, text->name, s->count * s->count, &M, text->error);
    }
    if (status == CRN_OK) {
        status = crn_io_take_reals(data, CRN_IO_SLOT_Q, text->name, s->count, &q, text->error);
    }
    if (status == CRN_OK) {
        status = read_parts(text, s, M, q);
    }
    data->problem.n = s->order;
    data->problem.ld = s->order > 0 ? s->order : 1;
    data->problem.M = M;
    data->problem.q = q;
    return status;
}

/* --- Both forms --- */

/* Column j of the problem's matrix, zeros included. */
static void spread_column(const crn_lcp_problem *problem, int j, double *column)
{
    size_t n = (size_t)problem->n;
    if (problem->M != NULL) {
        memcpy(column, problem->M + (size_t)j * (size_t)problem->ld, n * sizeof(double));
        return;
    }
    memset(column, 0, n * sizeof(double));
    for (int k = problem->start[j]; k < problem->start[j + 1]; ++k) {
        column[problem->row[k]] = problem->value[k];
    }
}

/* Where each variable of M stands in (u, v). */
static void find_places(const crn_lcp_problem *problem, const sizes *s, size_t *place)
{
    size_t u = 0, v = (size_t)s->n;
    for (int i = 0; i < s->order; ++i) {
        place[i] = problem->lower[i] == -INFINITY ? u++ : v++;
    }
}

static bool agree(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * crn_fmax(fabs(a), fabs(b));
}

/* Memory in which the second form is read beside the first. */
typedef struct second_form {
    double *M, *q, *column;
    size_t *place;
} second_form;

static crn_status compare(const crn_io_text *text, const crn_lcp_problem *problem, const sizes *s, const second_form *f)
{
    double tolerance = problem->M != NULL ? agree_dense : agree_sparse;
    find_places(problem, s, f->place);
    for (int j = 0; j < s->order; ++j) {
        spread_column(problem, j, f->column);
        for (int i = 0; i < s->order; ++i) {
            double other = f->M[f->place[i] + f->place[j] * s->count];
            if (!agree(f->column[i], other, tolerance)) {
                return crn_io_text_fail(text, text->line, "M", "entry (%d, %d) is %.9g, but %.9g in A, B, C, D", i + 1,
                                        j + 1, f->column[i], other);
            }
        }
        if (!agree(problem->q[j], f->q[f->place[j]], agree_dense)) {
            return crn_io_text_fail(text, text->line, "q", "entry %d is %.9g, but %.9g in a, b", j + 1, problem->q[j],
                                    f->q[f->place[j]]);
        }
    }
    return CRN_OK;
}

/* Read the parts aside and compare them with what data holds already. */
static crn_status check_against_parts(crn_io_text *text, const sizes *s, const crn_lcp_data *data)
{
    const crn_allocator *allocator = &data->allocator;
    size_t n = s->count;
    void *reals = NULL, *places = NULL;
    crn_status status = check_parts(text, s);
    if (status == CRN_OK) {
        status = crn_io_take(allocator, text->name, n * n + 2 * n, sizeof(double), &reals, text->error);
    }
    if (status == CRN_OK) {
        status = crn_io_take(allocator, text->name, n, sizeof(size_t), &places, text->error);
    }
    if (status == CRN_OK) {
        double *M = reals;
        second_form form = {.M = M, .q = M + n * n, .column = M + n * n + n, .place = places};
        status = read_parts(text, s, form.M, form.q);
        if (status == CRN_OK) {
            status = compare(text, &data->problem, s, &form);
        }
    }
    crn_release(allocator, reals);
    crn_release(allocator, places);
    return status;
}

crn_status crn_io_siconos_mlcp(crn_io_text *text, crn_lcp_data *data)
{
    sizes s = {0};
    double *lower = NULL;
    crn_status status = read_sizes(text, &s);
    if (status == CRN_OK) {
        status = take_bounds(text, &s, data, &lower);
    }
    if (status != CRN_OK) {
        return status;
    }
    if (!s.has_M) {
        return read_parts_form(text, &s, data);
    }
    status = read_M_form(text, &s, data, lower);
    return status == CRN_OK && s.has_parts ? check_against_parts(text, &s, data) : status;
}
