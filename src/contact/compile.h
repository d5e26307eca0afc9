/* From the caller's problem to whitened systems, one per island. */
#ifndef CRN_CONTACT_COMPILE_H
#define CRN_CONTACT_COMPILE_H

#include "contact/mass.h"
#include "contact/system.h"

/* An island, and where its parts are in the caller's problem. */
typedef struct crn_island {
    crn_system system;
    const int *contact_of; /* caller's index of each contact */
    const int *row_of;     /* caller's index of each bilateral row */
    const int *body_of;    /* caller's index of each body */
    double *k;             /* the system's k, to be filled again for another free velocity */
} crn_island;

/* Columns of one body that follow one another, still to be whitened: many at once. */
typedef struct crn_column_run {
    const crn_mass *mass;
    double *x;
    int columns;
    double *lanes; /* scratch */
} crn_column_run;

typedef struct crn_compiled {
    const crn_contact_problem *problem;
    int dof;             /* of all bodies */
    int *velocity_start; /* bodies + 1: first velocity of each of the caller's bodies */
    crn_mass *mass;      /* one per body */
    int islands;         /* bodies without contacts and rows are in none */
    crn_island *island;
    int *label; /* per body: its island, -1 for none */
    int *next;  /* scratch of the placement, 5 per island */
    int *place; /* per body: its index in its island, -1 if it is in none */
    int turn;   /* order of contacts within their islands (canonical.h): to be set before columns */
    int *order; /* 2 contacts: that order, and scratch */
    int *contact_of, *row_of, *body_of, *body_start, *piece_start, *row_piece_start, *directions;
    crn_piece *piece, *row_piece;
    double *x; /* whitened columns */
    crn_column_run run;
    double *mu, *offset, *row_offset, *row_bound, *k, *work;
} crn_compiled;

/* Take memory for a problem whose indices and sizes have been checked. */
void crn_compiled_layout(crn_compiled *compiled, const crn_contact_problem *problem, crn_arena *arena);

/* Factorise masses, find islands, whiten columns and free velocity. The problem has passed crn_contact_check(). */
crn_status crn_compile(crn_compiled *compiled, crn_error *error);

/* The same in parts: masses; how many islands there are; islands, columns and free velocity. */
crn_status crn_compile_masses(crn_compiled *compiled, crn_error *error);
int crn_compile_islands(crn_compiled *compiled);
void crn_compile_columns(crn_compiled *compiled);

/* Another free velocity, all else as before. */
void crn_compiled_set_velocity(crn_compiled *compiled, const double *velocity);

/* The caller's velocities of the island's bodies from whitened ones. */
void crn_compiled_velocity(const crn_compiled *compiled, const crn_island *island, const double *y, double *velocity);

#endif
