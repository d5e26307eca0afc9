/* Lemke's method on a tableau, with two rules for ties. */
#ifndef CRN_LCP_LEMKE_H
#define CRN_LCP_LEMKE_H

#include "lcp/tableau.h"

typedef struct crn_lemke {
    crn_tableau tableau;
    unsigned char *start; /* n */
    uint64_t *visited;    /* hashes of the bases passed, open addressing */
    int visited_mask;
    int *tied; /* n: rows in the lexicographic test */
} crn_lemke;

void crn_lemke_layout(crn_lemke *lemke, const crn_job *job, crn_arena *arena);
crn_lcp_outcome crn_lemke_run(crn_lemke *lemke, crn_job *job);

/* Rows that tie with the least ratio of column e, by the lexicographic order [lemke_lex.c]; returns the row to leave,
 * -1 if none blocks, and how many tied. */
int crn_lemke_lex_row(const crn_tableau *tableau, int e, double direction, double tie_width, int *tied, int *ties);

#endif
