/* The local form, u = W r + q with W in compressed columns, brought into block rows. */
#ifndef CRN_CONTACT_CONE_LOCAL_H
#define CRN_CONTACT_CONE_LOCAL_H

#include <cairn/cone.h>

#include "contact/cone_blocks.h"

/* Blocks of a checked local problem, scaled. False if the arena is too small: it has then counted what is known to be
 * needed so far. */
bool crn_cone_local_build(crn_cone_blocks *W, const crn_cone_problem *problem, crn_arena *arena);

#endif
