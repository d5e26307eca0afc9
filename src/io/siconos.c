/* Siconos .dat files. Numbers are separated by any white space; text after the last expected number is a comment.
 *
 *     LCP   n, matrix block of M, q
 *     BOX   n, matrix block of M, q, lower, upper: -(M z + q) lies in the normal cone of the box at z, which is our
 *           box problem: w >= 0 at the lower bound, w <= 0 at the upper one
 *     MLCP  see siconos_mlcp.c
 *
 * The files do not say what they hold. LCP and BOX begin alike; a box has 2n more numbers behind q. */
#include "io/siconos_matrix.h"
#include "io/siconos_problem.h"

#include <limits.h>
#include <math.h>

/* Is another pair of bounds allowed? text stands behind the upper one. */
static crn_status check_bounds(const crn_io_text *text, int i, double lower, double upper)
{
    if (lower == INFINITY || upper == -INFINITY || lower > upper) {
        return crn_io_text_fail(text, text->line, "upper", "entry %d: no z is in [%g, %g]", i + 1, lower, upper);
    }
    return CRN_OK;
}

/* lower and upper, each of length n. */
static crn_status read_bounds(crn_io_text *text, crn_lcp_data *data)
{
    size_t n = (size_t)data->problem.n;
    double *lower = NULL, *upper = NULL;
    crn_status status = crn_io_take_reals(data, CRN_IO_SLOT_LOWER, text->name, n, &lower, text->error);
    if (status == CRN_OK) {
        status = crn_io_take_reals(data, CRN_IO_SLOT_UPPER, text->name, n, &upper, text->error);
    }
    if (status == CRN_OK) {
        status = crn_io_text_reals(text, "lower", CRN_IO_MAY_BE_INFINITE, n, lower);
    }
    for (size_t i = 0; i < n && status == CRN_OK; ++i) {
        status = crn_io_text_real(text, "upper", CRN_IO_MAY_BE_INFINITE, &upper[i]);
        if (status == CRN_OK) {
            status = check_bounds(text, (int)i, lower[i], upper[i]);
        }
    }
    data->problem.lower = lower;
    data->problem.upper = upper;
    return status;
}

/* n, M and q: what LCP and BOX have in common. */
static crn_status read_M_and_q(crn_io_text *text, crn_lcp_data *data)
{
    int n = 0;
    crn_status status = crn_io_text_int(text, "n", 0, INT_MAX, &n);
    if (status == CRN_OK && !crn_io_text_could_hold(text, (uint64_t)n, 1)) {
        status = crn_io_text_fail(text, text->line, "n", "%d claimed, but only %zu bytes follow", n,
                                  (size_t)(text->end - text->at));
    }
    if (status == CRN_OK) {
        status = crn_io_siconos_M(text, n, data);
    }
    double *q = NULL;
    if (status == CRN_OK) {
        status = crn_io_take_reals(data, CRN_IO_SLOT_Q, text->name, (size_t)n, &q, text->error);
    }
    if (status == CRN_OK) {
        status = crn_io_text_reals(text, "q", CRN_IO_FINITE, (size_t)n, q);
    }
    data->problem.q = q;
    return status;
}

static crn_status read_box(crn_io_text *text, crn_lcp_data *data)
{
    crn_status status = read_M_and_q(text, data);
    return status == CRN_OK ? read_bounds(text, data) : status;
}

/* LCP or BOX, whichever it is. A few numbers behind q are neither: most likely a box that was cut. */
static crn_status read_lcp_or_box(crn_io_text *text, crn_lcp_data *data)
{
    crn_status status = read_M_and_q(text, data);
    if (status != CRN_OK || data->problem.n == 0) {
        return status;
    }
    size_t needed = 2 * (size_t)data->problem.n;
    size_t found = crn_io_text_count_numbers(text, needed);
    if (found == 0) {
        return CRN_OK;
    }
    if (found < needed) {
        return crn_io_text_fail(text, text->line, "bounds",
                                "%zu numbers follow q: none make an lcp, %zu a box; name the kind", found, needed);
    }
    return read_bounds(text, data);
}

/* Try the kinds in turn. If none fits, the message is that of the attempt that got further. */
static crn_status read_any(const crn_io_source *source, const crn_allocator *allocator, crn_lcp_data *data,
                           crn_error *error)
{
    crn_error reasons[2] = {{.status = CRN_OK}, {.status = CRN_OK}};
    crn_io_text lcp = crn_io_text_begin(source, '\0', &reasons[0]);
    crn_status status = read_lcp_or_box(&lcp, data);
    if (status != CRN_ERR_FORMAT) {
        return status == CRN_OK ? status : crn_fail(error, status, "%s", reasons[0].text);
    }
    crn_lcp_data_free(data);
    crn_io_begin(data, allocator);
    crn_io_text mlcp = crn_io_text_begin(source, '\0', &reasons[1]);
    status = crn_io_siconos_mlcp(&mlcp, data);
    if (status == CRN_OK) {
        return status;
    }
    if (status != CRN_ERR_FORMAT || mlcp.at > lcp.at) {
        return crn_fail(error, status, "%s (read as mlcp)", reasons[1].text);
    }
    return crn_fail(error, status, "%s (read as lcp or box)", reasons[0].text);
}

crn_status crn_io_parse_siconos(const crn_io_source *source, crn_siconos_kind kind, const crn_allocator *allocator,
                                crn_lcp_data *data, crn_error *error)
{
    crn_io_begin(data, allocator);
    crn_io_text text = crn_io_text_begin(source, '\0', error);
    crn_status status;
    switch (kind) {
    case CRN_SICONOS_ANY: status = read_any(source, allocator, data, error); break;
    case CRN_SICONOS_LCP: status = read_M_and_q(&text, data); break;
    case CRN_SICONOS_BOX: status = read_box(&text, data); break;
    case CRN_SICONOS_MLCP: status = crn_io_siconos_mlcp(&text, data); break;
    default: status = crn_fail(error, CRN_ERR_ARGUMENT, "kind: %d is none", (int)kind); break;
    }
    if (status != CRN_OK) {
        crn_lcp_data_free(data);
        return status;
    }
    return crn_fail(error, CRN_OK, "%s", "");
}
