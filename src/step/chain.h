/* The derivative of a step of free bodies as a chain of linear maps, for products with it and with its transpose.
 *
 *     (q, v) --first kick--> (q, v) --drift--> (q', v') --kick--> (q', v''),      shown: (v' + v'')/2,  carried: v''
 *
 * A drift is a map of each body by itself. A kick is one complementarity problem, whose derivative is one solve with its factor
 * (linearize.h); what reaches it are changes of its data, each made by one body or by one contact and its two bodies. So there are
 * only small matrices, a few for each body and each contact, and nothing of the size of the state squared  [docs/theory/gradients.md].
 *
 * They are made while a recorded step is replayed where it was recorded. Steps with joints, loads, repairs, bounces, clamps, or contacts whose
 * places have kinks are not covered: those are differenced as a whole.
 *
 * Vectors have six numbers for each body of the problem: turn and shift, or angular velocity and velocity; world axes.
 *
 * Part of the door of this room: step_room.h includes it. */
#ifndef CRN_STEP_CHAIN_H
#define CRN_STEP_CHAIN_H

#include "contact/contact_room.h"

enum { CRN_CHAIN_BOTH = 12 }; /* numbers of both bodies of a contact: changes of their places, or of their velocities */
enum { CRN_CHAIN_TOUCHES = 32 }; /* contacts of a pair of shapes that are covered */

typedef struct crn_chain_contact {
    int a, b;                                       /* bodies of the problem; -1: none that it moves */
    double impulse[CRN_CHAIN_BOTH][CRN_CHAIN_BOTH]; /* [j]: what acts on a and b, by place j */
    double speed[CRN_CHAIN_BOTH][3];                /* [j]: of the contact velocity, likewise */
    bool rolls;                                     /* only then: */
    double by_velocity[CRN_CHAIN_BOTH][3],
        by_start[CRN_CHAIN_BOTH][3]; /* before the kick; by place where the step begins */
} crn_chain_contact;

/* A body in a kick: what its turn, 3 x 3 by columns, makes of its free velocity and of the impulse on it; what damping leaves. */
typedef struct crn_chain_body {
    crn_mat3 push, spin;
    double angular, linear;
} crn_chain_body;

typedef struct crn_chain_kick {
    crn_contact_problem problem; /* a copy, that the linearisation reads */
    crn_contact_body *problem_body;
    crn_contact_point *point;
    double *velocity;
    crn_chain_body *body;
    crn_chain_contact *contact;
    crn_contact_linear *linear;
    crn_workspace workspace;
    int problem_body_capacity, point_capacity, velocity_capacity, body_capacity, contact_capacity;
} crn_chain_kick;

/* A body in the drift: turn and angular velocity after it, by both before it. */
typedef struct crn_chain_drift {
    crn_mat3 turn_by_turn, turn_by_w, w_by_turn, w_by_w;
} crn_chain_drift;

struct crn_step_chain {
    crn_stepper *stepper;
    bool is_covered, kick_is_first; /* of the last kick that was added */
    int bodies, kicks;              /* the last kick ends the step */
    double h;
    crn_chain_kick kick[2];
    crn_chain_drift *drift;
    double *number; /* vectors at work */
    int drift_capacity, number_capacity;
};

/* Before the step is replayed: all that the chain does not know. */
void crn_chain_begin(crn_step_chain *chain, crn_stepper *stepper, double h);

/* Within it: the problem of a kick, solved. */
crn_status crn_chain_add_kick(crn_step_chain *chain, const crn_contact_problem *problem,
                              const crn_linearize_options *options, const crn_contact_solution *solution,
                              crn_error *error);

/* After it: is everything covered? */
crn_status crn_chain_end(crn_step_chain *chain, crn_error *error);

/* The drift of a body that has just arrived with its velocity. False: it has a kink there. */
bool crn_chain_drift_of(const crn_step_body *body, double h, crn_chain_drift *drift);

void crn_chain_free(crn_step_chain *chain);

/* Products, tangent numbers (branch.h): after (q, shown, carried) from before (q, v), and gradients the other way. All arrays are there. */
crn_status crn_chain_forward(crn_step_chain *chain, const double *before, double *after, crn_error *error);
crn_status crn_chain_adjoint(crn_step_chain *chain, const double *after, double *before, crn_error *error);

#endif
