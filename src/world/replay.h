/* A step that is made once and recorded, and made again from states nearby: derivatives are differences of such steps [docs/theory/gradients.md]. */
#ifndef CRN_WORLD_REPLAY_H
#define CRN_WORLD_REPLAY_H

#include "world/gradient.h"

/* world, dt, change and options are the caller's, who clears the rest. */
typedef struct crn_replay {
    crn_world *world;
    double dt, change;
    const crn_gradient_options *options;
    crn_step_branch branch;
    crn_step_chain chain;   /* its derivative by the state, if that is covered */
    crn_step_solver solver; /* the world's own */
    void *solver_user;
    unsigned char *snapshot;
    size_t size;
    crn_parameter_kept kept;
    int n;
    double *place;            /* where the step ends */
    double *origin;           /* 3n: the state there, likewise */
    double *side[2];          /* 3n: positions since place, velocities shown and carried */
    double *wide, *narrow;    /* differences, and what they are extrapolated to: 3n for each level; 3n */
    double *result, *product; /* 3n each: the caller's */
    double *input, *gradient; /* 2n + p: likewise */
    double *pushes; /* by parameter: which forces along velocities of trees, and which targets, one of it changes */
    bool *is_push;  /* by parameter: it does nothing else, and the chain knows that */
    crn_chain_input pushed; /* at work */
    double noise;           /* rounding of a step's end, measured */
    bool is_event, is_single;
    bool is_parting; /* steps from nearby do not stay on the branch */
    crn_step_stats stats;
} crn_replay;

bool crn_replay_open(crn_replay *replay); /* false without memory; close it in any case */
void crn_replay_close(crn_replay *replay);

/* Make the step that the world is about to make, and keep its choices. CRN_ERR_UNSUPPORTED: it is not certified. */
crn_status crn_replay_record(crn_replay *replay, crn_step_stats *stats, crn_error *error);

/* Do steps from both sides make the same choices? Sets is_parting. */
crn_status crn_replay_check_sides(crn_replay *replay, crn_error *error);

/* The derivative of the step's end (3n) along input (2n + p), whose largest entry is about 1. */
crn_status crn_replay_differentiate(crn_replay *replay, const double *input, double *to, crn_error *error);

/* What one of a parameter with is_push does. */
crn_chain_input crn_replay_push(const crn_replay *replay, int parameter);

/* Is the derivative by all of its inputs known without further steps? With or without parameters. */
bool crn_replay_is_known(const crn_replay *replay, bool with_parameters);

/* The world as it was, parameters too. */
crn_status crn_replay_go_back(crn_replay *replay, crn_error *error);

#endif
