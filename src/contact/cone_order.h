/* An order of elimination for the contact graph, and tiles: runs of contacts in that order that are factorised together.
 *
 * Minimum degree on the quotient graph [GL89], elimination tree and postorder [L90]; then whole small subtrees, and
 * chains of the tree whose columns have the same shape, become one tile. */
#ifndef CRN_CONTACT_CONE_ORDER_H
#define CRN_CONTACT_CONE_ORDER_H

#include "base/memory.h"

typedef struct crn_cone_order {
    int nodes, tiles; /* contacts; tiles of them */
    int *sequence;    /* nodes: contacts in order of elimination */
    int *tile_start;  /* nodes + 1 (tiles + 1 used): tile t is sequence[tile_start[t]] .. */
    int *tile_of;     /* nodes: tile of a contact */
    int *row_start;   /* nodes + 1 (tiles + 1 used): tiles J < I with L_IJ not 0 are row[row_start[I]] .. */
    int *row;         /* increasing within I; taken when their number is known */
    int *col_start;   /* the transpose: tiles I > J with L_IJ not 0, as col, and where in row they stand: col_place */
    int *col, *col_place;
    int *scratch; /* CRN_CONE_ORDER_SCRATCH nodes */
    int *pool;    /* lists of the quotient graph */
    int pool_size;
} crn_cone_order;

#define CRN_CONE_ORDER_SCRATCH 8

/* Arrays whose size is known beforehand: nodes, and `edges` entries in the adjacency (diagonal included). */
void crn_cone_order_layout(crn_cone_order *o, int nodes, int edges, crn_arena *arena);

/* Order the graph with rows start, column (symmetric, diagonal allowed) and cut it into tiles of at most `largest`
 * contacts. Takes row, col, col_place from the arena; false if that is too small. */
bool crn_cone_order_run(crn_cone_order *o, const int *start, const int *column, int largest, crn_arena *arena);

#endif
