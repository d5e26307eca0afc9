/* Minimum degree: in which order to eliminate the nodes of a graph so that few new edges arise. */
#ifndef CRN_MATH_BLOCK_ORDER_H
#define CRN_MATH_BLOCK_ORDER_H

#include "base/memory.h"

/* A symmetric graph without loops and doubled edges: neighbours of i are node[start[i]] .. node[start[i+1]-1]. */
typedef struct crn_graph {
    int n;
    const int *start, *node;
} crn_graph;

/* Scratch of the ordering. */
typedef struct crn_order_room {
    int *value, *next;            /* cells of all linked lists: one per entry of the graph */
    int *variables, *elements;    /* n: lists of each node (elements: of an eliminated node, its clique) */
    int *kind, *degree, *size;    /* n */
    int *mark, *outside;          /* n */
    int *bucket, *after, *before; /* n: nodes by degree */
} crn_order_room;

void crn_order_layout(crn_order_room *room, int n, size_t entries, crn_arena *arena);

/* order[k] is the node to eliminate as the k-th. Nodes of degree 0, 1 and 2 go as soon as they arise; the choice depends
 * on nothing but the graph. */
void crn_order_minimum_degree(const crn_graph *graph, crn_order_room *room, int *order);

#endif
