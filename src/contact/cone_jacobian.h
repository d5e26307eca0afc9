/* The matrix of a Newton step over the contacts that take part, by the block LU of math.
 *
 * Each contact is a node of d unknowns; two are joined where W has a block. The pattern is made for a set of contacts: those that
 * took part when it was made. As long as all that take part are among them, and not less than half of them do, it is kept; contacts that
 * do not take part have the rows of the identity. */
#ifndef CRN_CONTACT_CONE_JACOBIAN_H
#define CRN_CONTACT_CONE_JACOBIAN_H

#include "contact/cone_blocks.h"
#include "math/block_cholesky.h"

typedef struct crn_cone_jacobian {
    const crn_cone_blocks *W;
    crn_arena room; /* what pattern and values of all contacts take: those of fewer are made in it */
    crn_block_pattern pattern;
    crn_block_matrix matrix;
    int nodes;
    int *node;                             /* contacts: which node, -1 if it is none */
    int *contact;                          /* nodes: which contact */
    int *graph_start, *graph_node, *first; /* of the graph of nodes, see crn_graph and crn_block_pattern_begin() */
    size_t *at;                            /* blocks of W: where among the values */
    double *x;                             /* n */
} crn_cone_jacobian;

/* Take all memory. False if the arena is too small. */
bool crn_cone_jacobian_build(crn_cone_jacobian *J, const crn_cone_blocks *W, crn_arena *arena);

/* Begin a matrix over the contacts with is_active[i]: the identity. */
void crn_cone_jacobian_begin(crn_cone_jacobian *J, const bool *is_active);

/* Where block e of W, (i,j) with both active, has its entries: (k,l) at k down + l across. */
double *crn_cone_jacobian_block(const crn_cone_jacobian *J, int i, int e, int *down, int *across);

/* False if a pivot is 0 or not finite. */
bool crn_cone_jacobian_factor(crn_cone_jacobian *J);

/* x = A \ x over all contacts; entries of contacts that take no part stay as they are. */
void crn_cone_jacobian_solve(const crn_cone_jacobian *J, double *x);

#endif
