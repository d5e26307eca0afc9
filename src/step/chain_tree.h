/* Trees in the chain of a step's linear maps: chain_tree.c. */
#ifndef CRN_STEP_CHAIN_TREE_H
#define CRN_STEP_CHAIN_TREE_H

#include "step/trees.h"

/* Numbers of a rigid body in the tangent space and in the problem: in the plane the middle three of six. */
static inline int crn_chain_width(const crn_stepper *stepper)
{
    return stepper->def.is_planar ? 3 : 6;
}

/* Is all that trees do in a step known to the chain, contacts apart? */
bool crn_chain_covers_trees(const crn_stepper *stepper);

/* Trees of a kick, their masses and what velocities do; and the links that contacts touch. What acts on them is known later. False without
 * memory. */
bool crn_chain_take_trees(crn_step_chain *chain, crn_chain_kick *kick);

/* chain_problem.c: the problem at hand, of these trees. False without memory. */
bool crn_chain_take_problem(crn_step_chain *chain, crn_chain_kick *kick, const crn_contact_problem *problem);

/* The rest, from impulses and velocities after the kick, of all trees. */
void crn_chain_finish_trees(crn_step_chain *chain, crn_chain_kick *kick, const double *impulse, const double *after);

/* The kick's number of a body in contacts: a rigid body's own, of links after these; -1: the problem does not move it. */
int crn_chain_number_of(const crn_stepper *stepper, const crn_chain_kick *kick, int body);

/* Where links were when the step began, and drifts of all trees. False: one has a kink there. */
bool crn_chain_drift_trees(crn_step_chain *chain);

#endif
