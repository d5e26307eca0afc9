/* Sparse matrices in compressed columns (CSC): column j is entries start[j] .. start[j+1]-1, rows increasing. */
#ifndef CRN_MATH_SPARSE_H
#define CRN_MATH_SPARSE_H

#include <stddef.h>

typedef struct crn_sparse {
    int rows, columns;
    int *start;    /* columns + 1 */
    int *index;    /* row of each entry */
    double *value; /* value of each entry */
} crn_sparse;

/* y += a A(:,j) */
void crn_sparse_axpy(const crn_sparse *A, int j, double a, double *y);

/* At = A', whose arrays must hold as many entries; At->start needs A->rows + 1. Rows come out sorted. */
void crn_sparse_transpose(const crn_sparse *A, crn_sparse *At);

/* Compress a dense rows x columns matrix without its zeros. A's arrays must be large enough. */
void crn_sparse_from_dense(int rows, int columns, const double *M, int ld, crn_sparse *A);

/* Where A(i,j) is stored, NULL if it is not; bisection in column j. */
const double *crn_sparse_find(const crn_sparse *A, int i, int j);

/* A(i,j), 0 where nothing is stored. */
double crn_sparse_entry(const crn_sparse *A, int i, int j);

#endif
