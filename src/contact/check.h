/* The certificate of a contact problem, and the motion that belongs to impulses: from the caller's data.
 *
 * What is shared with the solvers is the setup only: the factors of mass.h, and each use of one is verified by a product
 * with the caller's own inertia. Whitened columns, islands and bases are not looked at. */
#ifndef CRN_CONTACT_CHECK_H
#define CRN_CONTACT_CHECK_H

#include "contact/mass.h"

typedef struct crn_measure {
    const crn_contact_problem *problem;
    const crn_mass *mass;  /* one per body, factorised */
    const double *free;    /* free velocity of all bodies */
    double scale;          /* U of that motion */
    crn_contact_cone cone; /* set by the driver */
    crn_contact_law law;   /* set by the driver; CRN_LAW_CONVEX means the round cone */
    double *delta;         /* contacts: mean inverse mass of the columns that the contact uses; 0: not computed yet */
    double *frame;         /* 9 per contact: unit normal and tangents; of contacts with Jacobians not filled */
    int *start;            /* bodies + 1: first velocity of each body */
    double *spread;        /* 7 per body: how far a rigid body's inverse mass grows with the arm */
    double *row_factor;    /* rows: what brings each to the whitened length of the longest normal */
    double *row_delta;     /* rows: inverse mass, the square of the whitened length; 1 where that is 0 */
    double *p;             /* dof: impulse on each body */
    double *low;           /* dof: what p lost in rounding, where impulses are huge */
    double *v;             /* dof: motion, where the caller wants none */
    double *pushed;        /* bodies: sum of the impulses' whitened sizes, where has_pushed */
    bool has_pushed;       /* for the impulses at hand */
    double *work;          /* three columns of the body with most velocities */
} crn_measure;

/* Take memory for a problem whose indices and sizes have been checked; fills nothing but problem. */
void crn_measure_layout(crn_measure *measure, const crn_contact_problem *problem, crn_arena *arena);

/* Whatever depends on geometry and masses alone. cone and law become polygon and Coulomb, free the problem's. */
void crn_measure_prepare(crn_measure *measure, const crn_mass *mass);

/* Another free velocity than the problem's; it must stay as long as it is used. */
void crn_measure_set_free(crn_measure *measure, const double *velocity);

/* The motion of all bodies, the contact velocities and the certificate of impulses (3 per contact; 1 per row, NULL if
 * there are none). velocity, u and certificate may be NULL. */
void crn_contact_measure(crn_measure *measure, const double *impulse, const double *row_impulse, double *velocity,
                         double *u, crn_contact_certificate *certificate);

/* Is the relative error of impulses, without rows, at most this? If it is not, what is measured ends at the first item that is beyond. */
bool crn_contact_is_within(crn_measure *measure, const double *impulse, double most, double *u,
                           crn_contact_certificate *certificate);

#endif
