/* Lemke's method on a factorised basis, with backtracking and other covering vectors where it fails. */
#ifndef CRN_LCP_SEARCH_H
#define CRN_LCP_SEARCH_H

#include "lcp/basis.h"
#include "lcp/ratio.h"

/* One pivot taken, and what else could have been. */
typedef struct crn_step {
    int enter;
    double direction;
    int taken; /* the alternative in use */
    int count; /* alternatives found */
    crn_block blocks[CRN_MAX_BLOCKS];
} crn_step;

typedef struct crn_search {
    crn_basis *basis;     /* shared with other methods on factorised bases */
    unsigned char *start; /* n: states of the start */
    int *order;           /* n: scratch of the start */
    crn_step *steps;      /* pivots since the start, the first step_count of them */
    int step_count;
    int depth, max_depth; /* pivots since the start, and how many there may be */
    uint64_t *visited;    /* direct-mapped table of basis hashes */
    int visited_mask;
    uint64_t hash;
    double *best; /* n: best point so far, caller's units */
    unsigned char *best_basis;
} crn_search;

void crn_search_layout(crn_search *search, const crn_job *job, crn_basis *basis, crn_arena *arena);
crn_lcp_outcome crn_search_run(crn_search *search, crn_job *job);

#endif
