/* Input of a friction problem given by matrices: sizes, order, ranges, finiteness, signs. Every message names the matrix or
 * vector and the entry, counted from 1. */
#include <cairn/cone.h>

#include "math/elementary.h"

#include <limits.h>
#include <math.h>

/* M may be unsymmetric by this share of its largest entry: files print six digits. */
#define SYMMETRY 2e-6

static crn_status check_matrix(const crn_cone_matrix *A, const char *name, int rows, int columns, crn_error *error)
{
    if (A->rows != rows || A->columns != columns) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: is %d x %d, must be %d x %d", name, A->rows, A->columns, rows,
                        columns);
    }
    if (columns == 0) {
        return CRN_OK;
    }
    if (A->start == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: absent", name);
    }
    if (A->start[0] != 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: start[0] is %d instead of 0", name, A->start[0]);
    }
    for (int j = 0; j < columns; ++j) {
        if (A->start[j + 1] < A->start[j]) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "%s: start[%d] is less than start[%d]", name, j + 1, j);
        }
    }
    if (A->start[columns] > 0 && (A->row == NULL || A->value == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: row or value is NULL", name);
    }
    for (int j = 0; j < columns; ++j) {
        for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
            if (A->row[e] < 0 || A->row[e] >= rows) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "%s: row %d in column %d is out of range", name, A->row[e] + 1,
                                j + 1);
            }
            if (e > A->start[j] && A->row[e] <= A->row[e - 1]) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "%s: row %d in column %d is out of order", name, A->row[e] + 1,
                                j + 1);
            }
            if (!isfinite(A->value[e])) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "%s(%d,%d): %g is not a finite number", name, A->row[e] + 1,
                                j + 1, A->value[e]);
            }
        }
    }
    return CRN_OK;
}

static double entry(const crn_cone_matrix *A, int i, int j)
{
    int low = A->start[j], high = A->start[j + 1] - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (A->row[middle] == i) {
            return A->value[middle];
        }
        if (A->row[middle] < i) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return 0.0;
}

static crn_status check_symmetry(const crn_cone_matrix *M, crn_error *error)
{
    double largest = 0.0;
    for (int e = 0; M->columns > 0 && e < M->start[M->columns]; ++e) {
        largest = crn_fmax(largest, fabs(M->value[e]));
    }
    for (int j = 0; j < M->columns; ++j) {
        for (int e = M->start[j]; e < M->start[j + 1]; ++e) {
            const int i = M->row[e];
            if (fabs(M->value[e] - entry(M, j, i)) > SYMMETRY * largest) {
                return crn_fail(error, CRN_ERR_ARGUMENT, "M(%d,%d): %g differs from M(%d,%d) = %g", i + 1, j + 1,
                                M->value[e], j + 1, i + 1, entry(M, j, i));
            }
        }
    }
    return CRN_OK;
}

/* is_needed: NULL is an error where count > 0. */
static crn_status check_vector(const double *x, const char *name, int count, bool is_needed, crn_error *error)
{
    if (count > 0 && x == NULL) {
        return is_needed ? crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", name) : CRN_OK;
    }
    for (int i = 0; i < count; ++i) {
        if (!isfinite(x[i])) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "%s(%d): %g is not a finite number", name, i + 1, x[i]);
        }
    }
    return CRN_OK;
}

static crn_status check_sizes(const crn_cone_problem *p, crn_error *error)
{
    if (p->form != CRN_CONE_LOCAL && p->form != CRN_CONE_GLOBAL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "form: %d is unknown", (int)p->form);
    }
    if (p->dim != 2 && p->dim != 3) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "dim: %d is neither 2 nor 3", p->dim);
    }
    if (p->contacts < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "contacts: %d is negative", p->contacts);
    }
    if (p->contacts > INT_MAX / 16) {
        return crn_fail(error, CRN_ERR_MEMORY, "contacts: %d is more than %d", p->contacts, INT_MAX / 16);
    }
    if (p->form == CRN_CONE_GLOBAL && (p->dof < 0 || p->rows < 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: %d is negative", p->dof < 0 ? "dof" : "rows",
                        p->dof < 0 ? p->dof : p->rows);
    }
    return CRN_OK;
}

static crn_status check_global(const crn_cone_problem *p, crn_error *error)
{
    const int n = p->dim * p->contacts;
    crn_status status = check_matrix(&p->M, "M", p->dof, p->dof, error);
    if (status == CRN_OK) {
        status = check_symmetry(&p->M, error);
    }
    if (status == CRN_OK && n > 0) {
        status = check_matrix(&p->H, "H", p->dof, n, error);
    }
    if (status == CRN_OK && p->rows > 0) {
        status = check_matrix(&p->G, "G", p->dof, p->rows, error);
    }
    if (status == CRN_OK) {
        status = check_vector(p->f, "f", p->dof, true, error);
    }
    if (status == CRN_OK) {
        status = check_vector(p->w, "w", n, false, error);
    }
    return status == CRN_OK ? check_vector(p->b, "b", p->rows, false, error) : status;
}

crn_status crn_cone_check(const crn_cone_problem *p, crn_error *error)
{
    if (p == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "problem: NULL");
    }
    crn_status status = check_sizes(p, error);
    if (status != CRN_OK) {
        return status;
    }
    const int n = p->dim * p->contacts;
    if (p->form == CRN_CONE_GLOBAL) {
        status = check_global(p, error);
    } else if (n > 0) {
        status = check_matrix(&p->W, "W", n, n, error);
        status = status == CRN_OK ? check_vector(p->q, "q", n, true, error) : status;
    }
    status = status == CRN_OK ? check_vector(p->mu, "mu", p->contacts, true, error) : status;
    for (int i = 0; status == CRN_OK && i < p->contacts; ++i) {
        if (p->mu[i] < 0.0) {
            status = crn_fail(error, CRN_ERR_ARGUMENT, "mu(%d): %g is negative", i + 1, p->mu[i]);
        }
    }
    if (status == CRN_OK) {
        crn_clear(error);
    }
    return status;
}
