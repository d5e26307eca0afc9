/* Yamane and Nakamura's search for a pivot sequence, as printed. */
#ifndef CRN_LCP_YAMANE_H
#define CRN_LCP_YAMANE_H

#include "lcp/basis.h"

typedef struct crn_node {
    double cost;      /* total cost of the pivots from the root */
    double direction; /* of the driving variable */
    uint64_t hash;    /* of the pivot set */
    int parent;
    int leave;                 /* variable that left in this node's pivot */
    unsigned char leave_state; /* where it stands, if a z */
    int drive;                 /* variable that drives next; n: z0 has left, a goal */
    int extra;                 /* equation in force whose z is not basic; -1 at a goal */
    int children;              /* that it queued */
    double cover;              /* z0 after this node's pivot, scaled */
} crn_node;

typedef struct crn_yamane {
    crn_basis *basis;
    int max_nodes, count;
    crn_node *nodes;
    unsigned char *sets;    /* n per node: states, to settle equal hashes and to rebuild a tableau */
    int *heap, heap_size;   /* the queue Q, least cost first */
    int *table, table_mask; /* nodes by hash */
    unsigned char *start;
    bool has_ray;  /* a branch ended on a ray */
    double *z, *w; /* n + 1, n: a candidate's point, caller's units */
} crn_yamane;

void crn_yamane_layout(crn_yamane *yamane, const crn_job *job, crn_basis *basis, crn_arena *arena);
crn_lcp_outcome crn_yamane_run(crn_yamane *yamane, crn_job *job);

#endif
