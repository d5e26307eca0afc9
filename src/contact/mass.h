/* The square root of one body's mass matrix: M = G G'. Whitened columns are G^-1 x, whitened velocities G'v. */
#ifndef CRN_CONTACT_MASS_H
#define CRN_CONTACT_MASS_H

#include <cairn/contact.h>

#include "base/memory.h"

typedef struct crn_mass {
    const crn_contact_body *body;
    double rigid[7]; /* rigid: Cholesky factor of the inertia, rows 00 10 11 20 21 22, and the root of the mass; planar:
                        the last two alone, the root of the inertia about z and that of the mass */
    double *factor;  /* matrix: G; operator: L with M^-1 = L L', so G^-1 = L'; factor: the caller's G is used */
} crn_mass;

/* Take memory; mass is NULL while bytes are counted, or where there was none for it. */
void crn_mass_layout(crn_mass *mass, const crn_contact_body *body, crn_arena *arena);

/* Factorise; i names the body in the message if it is not positive definite. work has dof entries. */
crn_status crn_mass_factorize(crn_mass *mass, int i, double *work, crn_error *error);

void crn_mass_whiten(const crn_mass *mass, const double *from, double *x); /* x = G^-1 from, from may be x */
void crn_mass_shrink(const crn_mass *mass, const double *v, double *y);    /* y = G'v */
void crn_mass_velocity(const crn_mass *mass, const double *y, double *v);  /* v = G^-T y */
void crn_mass_momentum(const crn_mass *mass, const double *y, double *p);  /* p = G y */

/* Is its factor a triangular matrix, so that several columns are best whitened at once? */
bool crn_body_is_triangular(const crn_contact_body *body);

/* The same of several columns at once [math/lanes.h], in place; work: dof entries. */
void crn_mass_whiten_lanes(const crn_mass *mass, double *x, double *work);
void crn_mass_velocity_lanes(const crn_mass *mass, double *x, double *work);

#endif
