/* Block Gauss-Seidel: contacts one after another, each solved exactly with the others held. */
#ifndef CRN_CONTACT_CONE_SWEEP_H
#define CRN_CONTACT_CONE_SWEEP_H

#include "contact/cone_blocks.h"

/* `count` sweeps over r, forth and back in turn. */
void crn_cone_sweep(const crn_cone_blocks *W, int count, double *r);

#endif
