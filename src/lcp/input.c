/* Input: sizes, order, finiteness, bounds. Every message names the entry. */
#include "lcp/input.h"

#include "base/memory.h"
#include "lcp/view.h"

#include <math.h>

static crn_status check_structure(const crn_lcp_problem *p, crn_error *error)
{
    if (p == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "problem: NULL");
    }
    if (p->n < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "n: %d is negative", p->n);
    }
    if (p->n > CRN_MAX_ORDER) {
        return crn_fail(error, CRN_ERR_MEMORY, "n: %d is more than %d", p->n, CRN_MAX_ORDER);
    }
    if (p->n == 0) {
        return CRN_OK;
    }
    if (p->q == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "q: NULL");
    }
    if (p->M != NULL) {
        return p->ld >= p->n ? CRN_OK : crn_fail(error, CRN_ERR_ARGUMENT, "ld: %d is less than n = %d", p->ld, p->n);
    }
    if (p->start == NULL || p->row == NULL || p->value == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "M: neither a dense matrix nor start, row and value are given");
    }
    if (p->start[0] != 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "start[0]: %d instead of 0", p->start[0]);
    }
    for (int j = 0; j < p->n; ++j) {
        if (p->start[j + 1] < p->start[j]) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "start[%d]: %d is less than start[%d] = %d", j + 1,
                            p->start[j + 1], j, p->start[j]);
        }
        for (int e = p->start[j]; e < p->start[j + 1]; ++e) {
            int before = e > p->start[j] ? p->row[e - 1] : -1;
            if (p->row[e] <= before || p->row[e] >= p->n) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "row[%d]: %d in column %d is out of range or out of order", e,
                                p->row[e], j);
            }
        }
    }
    return CRN_OK;
}

static crn_status check_vectors(const crn_lcp_problem *p, crn_error *error)
{
    for (int i = 0; i < p->n; ++i) {
        double l = crn_lower_bound(p, i);
        double u = crn_upper_bound(p, i);
        if (!isfinite(p->q[i])) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "q(%d): %g is not a finite number", i + 1, p->q[i]);
        }
        if (isnan(l) || l == INFINITY) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "lower(%d): %g is not a lower bound", i + 1, l);
        }
        if (isnan(u) || u == -INFINITY) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "upper(%d): %g is not an upper bound", i + 1, u);
        }
        if (l > u) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "lower(%d): %g is over upper(%d) = %g", i + 1, l, i + 1, u);
        }
    }
    return CRN_OK;
}

static crn_status check_matrix(const crn_lcp_problem *p, crn_error *error)
{
    for (int j = 0; j < p->n; ++j) {
        int entries = p->M != NULL ? p->n : p->start[j + 1] - p->start[j];
        const double *column = p->M != NULL ? p->M + (long)j * p->ld : p->value + p->start[j];
        for (int e = 0; e < entries; ++e) {
            if (!isfinite(column[e])) {
                int i = p->M != NULL ? e : p->row[p->start[j] + e];
                return crn_fail(error, CRN_ERR_ARGUMENT, "M(%d,%d): %g is not a finite number", i + 1, j + 1,
                                column[e]);
            }
        }
    }
    return CRN_OK;
}

crn_status crn_input_check(const crn_lcp_problem *problem, crn_error *error)
{
    crn_status status = check_structure(problem, error);
    return status == CRN_OK ? check_vectors(problem, error) : status;
}

crn_status crn_lcp_check(const crn_lcp_problem *problem, crn_error *error)
{
    crn_status status = crn_input_check(problem, error);
    return status == CRN_OK ? check_matrix(problem, error) : status;
}

crn_status crn_input_check_options(const crn_lcp_options *o, int n, crn_error *error)
{
    if (o->cookie != CRN_COOKIE) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "options: not made by crn_lcp_options_default()");
    }
    if ((int)o->method < 0 || o->method >= CRN_LCP_METHOD_COUNT) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "method: %d is unknown", (int)o->method);
    }
    if (!(o->tol > 0.0) || !isfinite(o->tol)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tol: %g is not a positive number", o->tol);
    }
    if (!(o->time_limit >= 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "time_limit: %g is no number of seconds", o->time_limit);
    }
    if (o->max_pivots < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "max_pivots: %d is negative", o->max_pivots);
    }
    if (!(o->tie_width >= 0.0) || !(o->epsilon >= 0.0) || !(o->error_max >= 0.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tie_width, epsilon, error_max: one is negative or NaN");
    }
    if (!(o->relaxation > 0.0 && o->relaxation < 2.0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "relaxation: %g is not between 0 and 2", o->relaxation);
    }
    for (int i = 0; o->start != NULL && i < n; ++i) {
        if (o->start[i] > CRN_LCP_AT_UPPER) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "start(%d): %d is not a state", i + 1, o->start[i]);
        }
    }
    return CRN_OK;
}
