/* The derivative of a step as a chain of linear maps, for products with it and with its transpose.
 *
 *     (q, v) --first kick--> (q, v) --drift--> (q', v') --kick--> (q', v''),      shown: (v' + v'')/2,  carried: v''
 *
 * A drift is a map of each body and of each tree by itself. A kick is one complementarity problem, whose derivative is one solve with its
 * factor (linearize.h); what reaches it are changes of its data, each made by one body, by one tree, or by one contact and what it
 * touches. So there are only small matrices, a few for each body, tree and contact, and nothing of the size of the state
 * squared  [docs/theory/gradients.md].
 *
 * They are made while a recorded step is replayed where it was recorded. Steps with loops, tendons that pull, driven joints, motors that are rows,
 * loads, repairs, bounces, clamps, or contacts whose places have kinks are not covered: those are differenced as a whole.
 *
 * Vectors have six numbers for each rigid body of the problem: turn and shift, or angular velocity and velocity; world axes. Then come
 * those of trees, one for each velocity. A link that something touches takes part in contacts like a body: what it does follows from
 * its tree.
 *
 * Part of the door of this room: step_room.h includes it. */
#ifndef CRN_STEP_CHAIN_H
#define CRN_STEP_CHAIN_H

#include "contact/contact_room.h"

enum { CRN_CHAIN_BOTH = 12 }; /* numbers of both bodies of a contact: changes of their places, or of their velocities */
enum { CRN_CHAIN_TOUCHES = 32 }; /* contacts of a pair of shapes that are covered */

typedef struct crn_chain_contact {
    int a, b; /* rigid bodies of the problem, after these links of the kick; -1: none that it moves */
    double impulse[CRN_CHAIN_BOTH][CRN_CHAIN_BOTH]; /* [j]: what acts on a and b, by place j */
    double speed[CRN_CHAIN_BOTH][3];                /* [j]: of the contact velocity, likewise */
    bool rolls;                                     /* only then: */
    double by_velocity[CRN_CHAIN_BOTH][3],
        by_start[CRN_CHAIN_BOTH][3];    /* before the kick; by place where the step begins */
    double by_after[CRN_CHAIN_BOTH][3]; /* by what both do after the kick; links: their places change it */
} crn_chain_contact;

/* A limit of a joint in a tree: its gap changes with a coordinate. */
typedef struct crn_chain_limit {
    int velocity; /* among those of all trees */
    double rate;  /* of the contact velocity, by that coordinate */
} crn_chain_limit;

/* A tree in a kick, n velocities: n x n by columns. */
typedef struct crn_chain_tree {
    int u, n;          /* first velocity among those of all trees */
    double *mass;      /* of the kick: what is implicit of springs and dampers is in it */
    double *by_v;      /* impulses along its velocities, by velocities before the kick; */
    double *by_q;      /* by coordinates, what acts from outside standing still in the world; */
    double *by_target; /* n: by targets of springs, each its own */
} crn_chain_tree;

/* A link in contacts: 6 x n by columns, turn and shift of its centre of mass or their rates. */
typedef struct crn_chain_link {
    int body, tree;
    double *place; /* by coordinates of its tree */
    double *start; /* the same where the step begins */
    double *before,
        *after; /* its velocities before and after the kick by coordinates, those of the tree being what they are */
} crn_chain_link;

/* A body in a kick: what its turn, 3 x 3 by columns, makes of its free velocity and of the impulse on it; what damping leaves. */
typedef struct crn_chain_body {
    crn_mat3 push, spin;
    double angular, linear;
} crn_chain_body;

typedef struct crn_chain_kick {
    crn_contact_problem problem; /* a copy, that the linearisation reads */
    crn_contact_body *problem_body;
    crn_contact_point *point;
    double *velocity, *found, *impulse; /* free velocities, those after the kick, impulses of contacts */
    crn_chain_body *body;
    crn_chain_contact *contact;
    crn_contact_row *row;
    crn_chain_limit *limit;
    crn_chain_tree *tree;
    crn_chain_link *link;
    double *number;      /* of trees, links ... */
    double *jacobian;    /* ... and the problem's Jacobians */
    double time;         /* that forces act */
    int contacts, links; /* contacts: without limits, which come after them */
    crn_contact_linear *linear;
    crn_workspace workspace;
    int problem_body_capacity, point_capacity, velocity_capacity, body_capacity, contact_capacity, row_capacity,
        limit_capacity, tree_capacity, link_capacity, number_capacity, found_capacity, impulse_capacity;
} crn_chain_kick;

/* A body in the drift: turn and angular velocity after it, by both before it. */
typedef struct crn_chain_drift {
    crn_mat3 turn_by_turn, turn_by_w, w_by_turn, w_by_w;
} crn_chain_drift;

struct crn_step_chain {
    crn_stepper *stepper;
    bool is_covered, kick_is_first; /* of the last kick that was added */
    int bodies, kicks;              /* the last kick ends the step */
    int trees, velocities;          /* of all trees */
    double h;
    crn_chain_kick kick[2];
    crn_chain_drift *drift;
    double *tree_drift; /* 2n x 2n of each tree, one after another: coordinates and velocities */
    double *tree_speed; /* velocities of trees that drift */
    double *number;     /* vectors at work */
    int drift_capacity, tree_drift_capacity, tree_speed_capacity, number_capacity;
};

/* Forces that are applied along velocities of trees, and targets of their springs: changes of them, or gradients. */
typedef struct crn_chain_input {
    double *force, *target;
} crn_chain_input;

/* Before the step is replayed: all that the chain does not know. */
crn_status crn_chain_begin(crn_step_chain *chain, crn_stepper *stepper, double h, crn_error *error);

/* Within it: the problem of a kick, and the states that contacts and rows have. */
crn_status crn_chain_add_kick(crn_step_chain *chain, const crn_contact_problem *problem,
                              const crn_linearize_options *options, const crn_contact_hint *hint,
                              const crn_row_hint *row_hint, crn_error *error);

void crn_chain_note_drift(crn_step_chain *chain); /* ... and where trees begin to drift */

/* After it: is everything covered? Trees are then anywhere. */
crn_status crn_chain_end(crn_step_chain *chain, crn_error *error);

/* The drift of a body that has just arrived with its velocity. False: it has a kink there. */
bool crn_chain_drift_of(const crn_step_body *body, double h, crn_chain_drift *drift);

void crn_chain_free(crn_step_chain *chain);

/* Products, tangent numbers (branch.h): after (q, shown, carried) from before (q, v), and gradients the other way, where all of the input is
 * written. All arrays are there; input may be NULL. */
crn_status crn_chain_forward(crn_step_chain *chain, const double *before, const crn_chain_input *input, double *after,
                             crn_error *error);
crn_status crn_chain_adjoint(crn_step_chain *chain, const double *after, double *before, const crn_chain_input *input,
                             crn_error *error);

#endif
