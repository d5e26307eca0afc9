/* Block-sparse factorisations on one pattern: A = L L' of a positive definite matrix, and A = L U of an unsymmetric one
 * whose pattern is symmetric, without exchanges between blocks.
 *
 * The values are filled by the owner at the places that crn_block_locate() tells, then factorised in place. Vectors are
 * in the order of places: the unknowns of place k begin at first[k]. */
#ifndef CRN_MATH_BLOCK_CHOLESKY_H
#define CRN_MATH_BLOCK_CHOLESKY_H

#include <stdbool.h>

#include "math/block_pattern.h"

typedef struct crn_block_matrix {
    const crn_block_pattern *pattern;
    double *lower; /* panels of the lower triangle, diagonal blocks on top */
    double *upper; /* of the upper triangle, each panel the transpose of a block row; NULL if only Cholesky is needed */
    double *inverse; /* dim: reciprocals of the diagonal of the factors */
    int *pivot;      /* dim: exchanges within diagonal blocks */
    double *gather;  /* dim */
    int hands;       /* how many may factorise together; for each of them ... */
    double *buffer;  /* ... height_most x size_most */
    int *position;   /* ... n: where a block row begins in the panel at work */
} crn_block_matrix;

/* Take memory for a pattern that has been laid out (in the same mode). */
void crn_block_matrix_layout(crn_block_matrix *matrix, const crn_block_pattern *pattern, bool has_upper,
                             crn_arena *arena);

/* lower (and upper) = 0 but for `diagonal` on the diagonal. */
void crn_block_clear(crn_block_matrix *matrix, double diagonal, bool with_upper);

/* Large factorisations run on as many threads as OpenMP offers (omp_set_num_threads, OMP_NUM_THREADS), small ones and those
 * of builds without it on the caller's; the answer has the same bits on any number.
 *
 * A = L L' from the lower panels; of diagonal blocks only the lower triangle is read. False if a pivot is not positive. */
bool crn_block_cholesky(crn_block_matrix *matrix);

/* x = A \ x */
void crn_block_cholesky_solve(const crn_block_matrix *matrix, double *x);

/* A = L U from both panels, diagonal blocks (full) in the lower ones. Rows are exchanged within diagonal blocks only.
 * False if a pivot is 0 or not finite. */
bool crn_block_lu(crn_block_matrix *matrix);

/* Sign of the determinant of what was factorised: 1 or -1. */
int crn_block_lu_sign(const crn_block_matrix *matrix);

/* x = A \ x */
void crn_block_lu_solve(const crn_block_matrix *matrix, double *x);

#endif
