/* Compressed columns. */
#include "math/sparse.h"

#include <string.h>

void crn_sparse_axpy(const crn_sparse *A, int j, double a, double *y)
{
    for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
        y[A->index[e]] += a * A->value[e];
    }
}

void crn_sparse_transpose(const crn_sparse *A, crn_sparse *At)
{
    At->rows = A->columns;
    At->columns = A->rows;
    memset(At->start, 0, ((size_t)A->rows + 1) * sizeof *At->start);
    for (int e = 0; e < A->start[A->columns]; ++e) {
        ++At->start[A->index[e] + 1];
    }
    for (int i = 0; i < A->rows; ++i) {
        At->start[i + 1] += At->start[i];
    }
    /* Fill with start[i] as the cursor of row i, then shift the cursors back by one place. */
    for (int j = 0; j < A->columns; ++j) {
        for (int e = A->start[j]; e < A->start[j + 1]; ++e) {
            int place = At->start[A->index[e]]++;
            At->index[place] = j;
            At->value[place] = A->value[e];
        }
    }
    for (int i = A->rows; i > 0; --i) {
        At->start[i] = At->start[i - 1];
    }
    At->start[0] = 0;
}

void crn_sparse_from_dense(int rows, int columns, const double *M, int ld, crn_sparse *A)
{
    A->rows = rows;
    A->columns = columns;
    int count = 0;
    for (int j = 0; j < columns; ++j) {
        A->start[j] = count;
        for (int i = 0; i < rows; ++i) {
            double v = M[i + (long)j * ld];
            if (v != 0.0) {
                A->index[count] = i;
                A->value[count++] = v;
            }
        }
    }
    A->start[columns] = count;
}

const double *crn_sparse_find(const crn_sparse *A, int i, int j)
{
    int low = A->start[j], high = A->start[j + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (A->index[middle] < i) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < A->start[j + 1] && A->index[low] == i ? &A->value[low] : NULL;
}

double crn_sparse_entry(const crn_sparse *A, int i, int j)
{
    const double *entry = crn_sparse_find(A, i, j);
    return entry ? *entry : 0.0;
}
