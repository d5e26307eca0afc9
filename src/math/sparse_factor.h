/* A = L D U of a sparse matrix, without exchanges, on the part of it that belongs to chosen rows and columns.
 *
 * The pattern of A + A' is ordered once (math/block_order.h) and every principal part of A is factorised in that order: its
 * factors have no entries outside those of the whole matrix. L and U' are unit lower triangular and share one pattern, so the
 * unsymmetric case is the symmetric one with a second array of values. A matrix that is symmetric but for signs, A' = S A S
 * with S diagonal of +1 and -1 (conditions of a QP: [P -B'; B 0]), needs no second array either: then U' = S L S, since
 * A' = U' D L' = (S L S) D (S U S) and factors are unique.
 *
 * No pivot is looked for. All leading minors of a positive definite matrix (symmetric or not), of its principal parts and of
 * those of a P-matrix are positive, so that the factors exist; how good they are is told by the residual of a solve. */
#ifndef CRN_MATH_SPARSE_FACTOR_H
#define CRN_MATH_SPARSE_FACTOR_H

#include "base/memory.h"
#include "math/block_order.h"
#include "math/sparse.h"

#include <stdbool.h>

typedef struct crn_sparse_factor {
    int n;
    bool is_symmetric;       /* U = L' but for signs: the upper values are not kept */
    const signed char *sign; /* n: diagonal of S; NULL: all +1 */
    const crn_sparse *A;     /* by columns */
    const crn_sparse *B;     /* A', by columns; A itself if symmetric */
    int *order;              /* node eliminated k-th */
    int count;               /* order of the part that is factorised */
    int *node;               /* which node is the k-th of them */
    int *number;             /* n: which of them a node is, or -1 */
    bool is_analysed;        /* parent, start and needed are those of the chosen ones */
    int *parent, *mark, *stack;
    int *fill;               /* entries in each column so far */
    size_t *start;           /* count + 1 */
    size_t capacity, needed; /* entries of L that there is room for, and that the last part has */
    size_t whole;            /* entries of L of the whole matrix: no part has more */
    size_t entries;          /* of A + A' at most */
    int *row;                /* capacity */
    double *lower, *upper, *diagonal, *x, *y;
} crn_sparse_factor;

/* Take memory for a matrix with so many entries, and for at least `capacity` entries of L. */
void crn_sparse_factor_layout(crn_sparse_factor *factor, int n, size_t entries, size_t capacity, bool is_symmetric,
                              crn_arena *arena);

/* Order the graph of A + A', whose arrays are kept. B is A', or A itself if is_symmetric; then A' = S A S with S = diag(sign),
 * which is kept too (NULL: A' = A). */
void crn_sparse_factor_order(crn_sparse_factor *factor, const crn_sparse *A, const crn_sparse *B,
                             const signed char *sign);

/* What became of a factorisation. */
typedef enum crn_factor_status {
    CRN_FACTOR_OK,
    CRN_FACTOR_SINGULAR, /* a pivot is 0, not finite or, if A = A', not positive */
    CRN_FACTOR_LARGE     /* `needed` entries do not fit into `capacity` */
} crn_factor_status;

/* Factorise A + diag(shift) on the rows and columns with chosen[i] != 0 (NULL: all). shift is NULL, or positive: if x'Ax >= 0
 * no pivot is less than its shift, so that one which rounding has made less is set to it. */
crn_factor_status crn_sparse_factorise(crn_sparse_factor *factor, const unsigned char *chosen, const double *shift);

/* x = (A + diag(shift)) \ x on the chosen rows and columns; other entries are left alone. */
void crn_sparse_factor_solve(crn_sparse_factor *factor, double *x);

#endif
