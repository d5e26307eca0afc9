/* Tendons in a step.
 *
 * A tendon has a length L(q), and its rate is J u: pulls are J by body and joint. Forces of actuators go onto bodies and joints as any
 * force does (forces.c); limits are contacts without friction, friction is a bounded row. Spring and damper add J'bJ and J'kJ to the
 * mass matrix of trees_kick.c, which the factor of a tree cannot hold. So they are a row of the problem: with a, c what
 * crn_trees_implicit() says,
 *
 *     impulse = h F - a J u+ + c J u-      is      sqrt(a) J u+ + e = (h F + c J u-)/sqrt(a),    e = impulse / sqrt(a)
 *
 * where e is a velocity of its own, of unit mass, which starts at 0: the tendon's slack, one of the mechanism's whitened velocities. */
#ifndef CRN_STEP_TENDONS_H
#define CRN_STEP_TENDONS_H

#include "step/moment.h"
#include "step/trees.h"

/* Has it a spring or damper? */
static inline bool crn_tendon_is_stiff(const crn_step_tendon *tendon)
{
    return tendon->def.stiffness > 0.0 || tendon->def.damping > 0.0;
}

/* A body that it moves; -1: none. */
int crn_tendon_body(const crn_stepper *s, const crn_step_tendon *tendon);

/* Rate of its length at a moment of the kick: of all that is free. */
double crn_tendon_speed(const crn_stepper *s, const crn_step_tendon *tendon, crn_moment moment);

/* Where everything is: pulls of all tendons, their limits and rows, for a kick of h. False without memory. */
bool crn_tendons_list(crn_stepper *s, double h);

/* Forces of its actuators onto bodies and joints. */
void crn_tendon_push(crn_stepper *s, const crn_step_tendon *tendon);

/* The Jacobian of scale times its rate, as crn_step_sides() has it. */
crn_row_sides crn_tendon_side(crn_stepper *s, const crn_step_tendon *tendon, double scale, int columns, double **space,
                              double *known);

/* The row of its spring and damper. */
crn_contact_row crn_tendon_row(crn_stepper *s, crn_step_row *row, double **space);

/* Bodies on both sides of a row or limit of a joint or tendon (1 + its index; 0: of the joint); -1: the world. */
typedef struct crn_row_bodies {
    int a, b;
} crn_row_bodies;
crn_row_bodies crn_step_row_bodies(const crn_stepper *s, int joint, int tendon);

/* Where the impulse of a limit is kept from step to step. */
double *crn_step_limit_impulse(crn_stepper *s, const crn_step_limit *limit);

#endif
