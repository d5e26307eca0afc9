/* The ratio test: how far the entering variable can go, and who may stop it. */
#ifndef CRN_LCP_RATIO_H
#define CRN_LCP_RATIO_H

#include "lcp/basis.h"

typedef struct crn_block {
    int leave;           /* variable that reaches its bound; the entering one itself if it crosses its box */
    unsigned char state; /* where a leaving z comes to stand */
    double rate;         /* |speed| towards the bound: the pivot */
    double step;         /* length of the edge */
} crn_block;

enum { CRN_MAX_BLOCKS = 6 }; /* candidates kept, best first */

/* Returned instead of a count when a variable is so far beyond its bound that the path is lost. */
enum { CRN_RATIO_LOST = -1 };

/* Candidates along the edge that crn_basis_direction() computed, in order of preference: z0 alone whenever it ties,
 * otherwise by the size of the pivot. Harris' two passes [H73]: the first finds the longest step that keeps every
 * variable above -slack, the second takes all that block within that step. None: the edge is a ray. */
int crn_ratio_test(const crn_basis *basis, int enter, double direction, crn_block blocks[CRN_MAX_BLOCKS]);

#endif
