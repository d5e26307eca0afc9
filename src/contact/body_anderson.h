/* Anderson acceleration of a fixed point iteration r <- g(r)  [A65]. */
#ifndef CRN_CONTACT_BODY_ANDERSON_H
#define CRN_CONTACT_BODY_ANDERSON_H

#include "base/memory.h"

enum { CRN_ANDERSON_DEPTH = 4 };

typedef struct crn_anderson {
    int length, count;                 /* length of the vectors; pairs stored */
    double *r[CRN_ANDERSON_DEPTH + 1]; /* points, oldest first */
    double *g[CRN_ANDERSON_DEPTH + 1]; /* their images */
} crn_anderson;

void crn_anderson_layout(crn_anderson *anderson, int length, crn_arena *arena);
void crn_anderson_reset(crn_anderson *anderson);

/* Note that g is the image of r. */
void crn_anderson_note(crn_anderson *anderson, const double *r, const double *g);

/* The combination of images whose residual is least in the metric `weight` (one per entry); false if there are fewer
 * than two pairs or they are dependent. */
bool crn_anderson_combine(const crn_anderson *anderson, const double *weight, double *to);

#endif
