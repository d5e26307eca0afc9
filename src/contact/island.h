/* The solvers of one island, and which of them answer for which options. */
#ifndef CRN_CONTACT_ISLAND_H
#define CRN_CONTACT_ISLAND_H

#include "contact/aim.h"
#include "contact/body_drive.h"
#include "contact/delassus.h"
#include "contact/even.h"
#include "contact/lloyd.h"
#include "contact/states.h"

typedef struct crn_island_solver {
    const crn_system *system;
    const crn_contact_options *options;
    bool has_states, has_lloyd, has_bodies; /* solvers that the options ask for */
    bool has_delassus;                      /* round cones: contact space comes first */
    bool has_aim;                           /* aimed polygons may be needed: states have memory, and are loaded then */
    bool has_others;                        /* polygons: other ways may be needed where the path of states fails */
    bool has_tried;                         /* these, with the present free velocity */
    bool is_loaded;                         /* states are */
    bool has_rest;                          /* all but contact space has memory ... */
    crn_arena *room;                        /* ... else it takes it from here when it is needed */
    bool is_short;                          /* which was not enough: there is no answer */
    double scale;                           /* U of the free motion */
    double tol_share;                       /* of the tolerance: what the body level is held to; 1 unless set */
    crn_contact_law law;                    /* that the last answer obeys */
    bool is_answered;                       /* round cones: r and l hold the last answer, to start from */
    crn_contact_method method;              /* the one that gave the last answer */
    crn_states states;
    crn_lloyd lloyd;
    crn_bodies bodies;
    crn_even even;
    crn_aim aim;
    crn_delassus delassus;
    double *other, *other_row; /* impulses of an answer that may not come to be ... */
    crn_contact_state *other_state;
    double *y, *u; /* motion and contact velocities, for even impulses */
} crn_island_solver;

/* Choose solvers and take the memory of contact space, which answers nearly always; and that of all others. */
void crn_island_layout(crn_island_solver *solver, const crn_system *system, const crn_contact_options *options,
                       crn_arena *arena);
void crn_island_layout_rest(crn_island_solver *solver, crn_arena *arena);

/* Read columns and free velocity; the free velocity alone; other random shifts. scale: U of the free motion. */
void crn_island_load(crn_island_solver *solver, double scale);
void crn_island_set_velocity(crn_island_solver *solver, double scale);
void crn_island_reseed(crn_island_solver *solver, uint64_t seed);

/* Impulses r (3 per contact), l (1 per row) and states. guess: NULL if the caller has none. */
void crn_island_solve(crn_island_solver *solver, const crn_states_guess *guess, double *r, double *l,
                      crn_contact_state *state, crn_run *run);

/* Round cones: from the answer that r and l hold, the one of the convex law. */
void crn_island_solve_convex(crn_island_solver *solver, double *r, double *l, crn_contact_state *state, crn_run *run);

/* The caller's start made fit for a contact: nothing along tangents that take no part, no pull; round cones: in the cone. */
void crn_island_fit(const crn_contact_point *contact, crn_contact_cone cone, const double *start, double *r);

/* What a contact does, told from its impulse. */
crn_contact_state crn_island_state(const crn_contact_point *contact, crn_contact_cone cone, const double *r);

/* Make the impulses of a solution even; noise: its certificate's velocity_error. The states become what the impulses
 * tell: more contacts carry than a basis has rows for. */
void crn_island_even(crn_island_solver *solver, double noise, double *r, double *l, crn_contact_state *state);

#endif
