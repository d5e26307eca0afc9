/* Energy of one body: its own, and that of the joint above it in a tree. */
#ifndef CRN_STEP_ENERGY_H
#define CRN_STEP_ENERGY_H

#include "step/trees.h"

/* Does it count: is it free? */
static inline bool crn_has_energy(const crn_step_body *body)
{
    return body->id.index1 != 0 && body->kind == CRN_BODY_FREE;
}

/* Kinetic, with the rotor of its joint turning as speeds (of all joints in trees) say. */
double crn_energy_kinetic(const crn_stepper *s, int body, const crn_twist *twist, const double *speeds);

/* Potential of gravity, with its zero at the origin; what the springs of its joint hold. */
double crn_energy_height(const crn_stepper *s, int body);
double crn_energy_springs(const crn_stepper *s, int body);

#endif
