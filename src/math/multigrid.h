/* Aggregation multigrid for a sparse symmetric positive definite matrix, on the part of it that belongs to active unknowns.
 *
 * Pairs of pairs of strongly coupled unknowns form the unknowns of the next level, prolongation is constant on each, and
 * the coarse matrix sums the entries of the fine one  [N10 s3]. Aggregates are formed once for the whole matrix; for
 * another set of active unknowns only the sums are formed again, in one pass over the entries. What constant prolongation
 * lacks in quality is made up by two steps of conjugate gradients on each coarse level (K-cycle)  [N10 s4]. */
#ifndef CRN_MATH_MULTIGRID_H
#define CRN_MATH_MULTIGRID_H

#include "base/memory.h"
#include "math/sparse.h"

#include <stdbool.h>

enum { CRN_GRID_LEVELS = 24, CRN_GRID_VECTORS = 7, CRN_GRID_SMALLEST = 128 };

typedef struct crn_grid_level {
    int n;
    crn_sparse A;                     /* by columns, which are its rows */
    unsigned char *active;            /* n */
    double *diagonal;                 /* n: of the active part; 1 where nothing is active */
    int *aggregate;                   /* n: unknown of the next level; not on the last one */
    int *member_start, *member;       /* unknowns of this level by aggregate */
    double *vector[CRN_GRID_VECTORS]; /* n each: scratch */
} crn_grid_level;

typedef struct crn_multigrid {
    int count; /* levels */
    crn_grid_level level[CRN_GRID_LEVELS];
    double *dense, *dense_work; /* L D L' of the last level, if that is small */
    bool has_dense;
    int *mark, *list, *group; /* n: scratch of sums and matching, in vectors of the first level */
    double *weight;           /* n: scratch of the matching */
    unsigned char *pool;      /* memory of the coarse levels */
    size_t pool_size;
} crn_multigrid;

/* Unknowns of all coarse levels together that there is room for. */
size_t crn_multigrid_coarse_unknowns(int n);

/* Take memory for a matrix of order n with so many entries: linear in both. vectors: scratch of the first level,
 * CRN_GRID_VECTORS arrays of length n, the caller's. */
void crn_multigrid_layout(crn_multigrid *grid, int n, size_t nonzeros, double *const *vectors, crn_arena *arena);

/* Form the levels of A, whose arrays are kept: coarsening stops where it no longer pays or the memory is used up. All
 * unknowns are active then. */
void crn_multigrid_build(crn_multigrid *grid, const crn_sparse *A);

/* The matrices below `level` from the active part of that level's matrix. */
void crn_multigrid_fill(crn_multigrid *grid, int level);

/* Solve A x = b on the active unknowns of `level`, x = 0 elsewhere, by at most `steps` steps of conjugate gradients with one
 * cycle each, until the residual has fallen to `reduction` of |b|. b is overwritten with the residual. Returns the steps
 * taken. b and x must be scratch vectors 5 and 6 of the level, or none of them. */
int crn_multigrid_solve(crn_multigrid *grid, int level, double *b, double *x, int steps, double reduction);

#endif
