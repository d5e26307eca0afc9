/* How symmetric the matrix of a friction file is. W and M are symmetric by mechanics, but for a W of an implicit integrator; digits
 * that were lost in printing or in single precision show as differences between W(i,j) and W(j,i). */
#include "io/cone_data.h"
#include "math/elementary.h"

#include <math.h>

/* Relative to the largest entry: differences below are rounding and mean nothing; those up to the next two are lost digits, and are
 * taken out; a W that differs by more is meant so, an M is refused by crn_cone_check(), which has the same limit. */
static const double rounding = 1e-14, lost_digits_W = 1e-7, lost_digits_M = 2e-6;

/* Place of (i,j) among the entries, or -1: bisection in column j. */
static int find_entry(const crn_cone_matrix *A, int i, int j)
{
    int low = A->start[j], high = A->start[j + 1] - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (A->row[middle] == i) {
            return middle;
        }
        if (A->row[middle] < i) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

/* The largest |A(i,j) - A(j,i)|, and where. */
static double find_asymmetry(const crn_cone_matrix *A, int *row, int *column)
{
    double most = 0.0;
    for (int j = 0; j < A->columns; ++j) {
        for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
            const int other = find_entry(A, j, A->row[e]);
            const double difference = fabs(A->value[e] - (other >= 0 ? A->value[other] : 0.0));
            if (difference > most) {
                most = difference;
                *row = A->row[e];
                *column = j;
            }
        }
    }
    return most;
}

/* Both entries become their mean; one without the other becomes 0. */
static void make_symmetric(const crn_cone_matrix *A, double *value)
{
    for (int j = 0; j < A->columns; ++j) {
        for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
            const int other = find_entry(A, j, A->row[e]);
            const double mean = other >= 0 ? 0.5 * value[e] + 0.5 * value[other] : 0.0;
            value[e] = mean;
            if (other >= 0) {
                value[other] = mean;
            }
        }
    }
}

void crn_io_cone_look_at_symmetry(crn_cone_data *data)
{
    const bool is_local = data->problem.form == CRN_CONE_LOCAL;
    const crn_cone_matrix *A = is_local ? &data->problem.W : &data->problem.M;
    double *value = data->storage[(is_local ? CRN_IO_CONE_W : CRN_IO_CONE_M) + 2], largest = 0.0;
    for (int e = 0; A->columns > 0 && e < A->start[A->columns]; ++e) {
        largest = crn_fmax(largest, fabs(value[e]));
    }
    if (!(largest > 0.0)) {
        return;
    }
    data->asymmetry = find_asymmetry(A, &data->asymmetry_row, &data->asymmetry_column) / largest;
    if (data->asymmetry > rounding && data->asymmetry <= (is_local ? lost_digits_W : lost_digits_M)) {
        make_symmetric(A, value);
        data->is_symmetrised = true;
    }
}
