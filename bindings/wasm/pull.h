/* Pulling at a body with a spring, as with a hand: what the page does when a body is dragged. */
#ifndef CAIRN_WASM_PULL_H
#define CAIRN_WASM_PULL_H

#include <cairn/cairn.h>

typedef struct pull {
    crn_body_id body;             /* {0}: nothing is pulled */
    crn_vec3 grip;                /* where it is held, in the body's frame [m] */
    crn_vec3 target;              /* where the grip is wanted, world [m] */
    double stiffness;             /* [N/m] */
    double damping;               /* [N s/m] */
    double force_most, force_now; /* [N] */
} pull;

/* Take hold of a body at a world point. Fails for bodies that are not free. */
crn_status pull_begin(pull *p, const crn_model *model, const crn_world *world, int body, crn_vec3 point, double dt);

/* The spring's force for the next step. */
void pull_apply(pull *p, crn_world *world);

#endif
