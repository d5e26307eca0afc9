/* What the files of derivatives share. */
#ifndef CRN_WORLD_GRADIENT_H
#define CRN_WORLD_GRADIENT_H

#include <cairn/gradient.h>

#include "world/world.h"

/* parameter.c: check a list of them; the message names the number. */
crn_status crn_parameters_check(const crn_world *world, const crn_parameter *parameter, int count, crn_error *error);

/* Change one of them; `by` and then -`by` leaves all but rounding as it was. Forces and controls belong to the state and come back with a
 * snapshot; of the others crn_parameter_value() and crn_parameter_restore() keep the bits. */
void crn_parameter_add(crn_world *world, const crn_parameter *parameter, double by);

/* Which change of it moves velocities by about as much as `change` does of positions; dt: of the step. */
double crn_parameter_unit(const crn_world *world, const crn_parameter *parameter, double dt);

/* What parameters change beside the state, to be put back to the bit. */
typedef struct crn_parameter_kept {
    double *
        number; /* of bodies: mass, inertia; of shapes: friction, restitution, size, place; of joints: frames, values of profiles */
    crn_vec3 gravity;
} crn_parameter_kept;

bool crn_parameters_keep(const crn_world *world, crn_parameter_kept *kept); /* false without memory */
void crn_parameters_restore(crn_world *world, const crn_parameter_kept *kept);
void crn_parameters_free(const crn_world *world, crn_parameter_kept *kept);

#endif
