/* gallery_contact.h -- from contacts in any velocity coordinates to the assembled LCP.
 *
 * Velocities v of dimension `dof` with mass matrix `mass` = G G' (free rigid bodies: 6 per body, angular first; or the
 * joint-space inertia of a tree). Contact i has generalised directions n_i, t1_i, t2_i (columns of the Jacobian's
 * transpose) and friction mu_i. Whitened columns N = G^-1 n, D = G^-1 (cos a_j t1 + sin a_j t2), a_j = 2 pi j / d, and
 * the whitened free velocity k = G^-1 (h f + mass v) give  [L05 s2]
 *
 *     nu    = N'(N theta + D phi + k) + bias_n               >= 0   complementary to theta    (normal)
 *     sigma = D'(N theta + D phi + k) + E lambda + bias_d    >= 0   complementary to phi      (friction direction)
 *     gamma = mu theta - E' phi                              >= 0   complementary to lambda   (cone)
 *
 * that is M = [N'N N'D 0; D'N D'D E; mu -E' 0], q = (N'k + bias_n, D'k + bias_d, 0), in this order: theta of all
 * contacts, phi (d for each contact, contact after contact), lambda. With d = 0 only the first row stays. The bias is a
 * prescribed velocity of the contact point relative to what v gives it (driven joints, moving walls); 0 otherwise. */
#ifndef CAIRN_GALLERY_CONTACT_H
#define CAIRN_GALLERY_CONTACT_H

#include <cairn/base.h>
#include <cairn/io.h>

#include "gallery_vec.h"

/** Directions of the friction polygon in all families  [L05 s5.4]. */
enum { CRN_GALLERY_DIRECTIONS = 8 };

typedef struct crn_gallery_contacts {
    crn_allocator allocator;
    int dof, directions;
    int count, capacity; /* contacts so far, and how many there is room for */
    bool is_overfull;    /* more contacts were added than there is room for */
    double *mass;        /* dof x dof, column-major, symmetric positive definite; assembly overwrites it by G */
    double *momentum;    /* dof: h f + mass v [N s, N m s]; assembly overwrites it by k */
    double *columns;     /* dof x 3 capacity: n, t1, t2 of each contact; assembly whitens them */
    double *friction;    /* capacity */
    double *bias;        /* 3 capacity: prescribed velocity along n, t1, t2 [m/s] */
} crn_gallery_contacts;

/** All zero, with room for `capacity` contacts, through the allocator of data. On failure nothing is held. */
crn_status crn_gallery_contacts_open(crn_gallery_contacts *contacts, int dof, int capacity, int directions,
                                     crn_lcp_data *data, crn_error *error);
void crn_gallery_contacts_close(crn_gallery_contacts *contacts);

/** A new contact with that friction; its three columns, zero so far, or NULL if there is no room. */
double *crn_gallery_contacts_add(crn_gallery_contacts *contacts, double friction);

/** Whiten and assemble into data; contacts are used up (only close is left). On failure data holds nothing. */
crn_status crn_gallery_contacts_assemble(crn_gallery_contacts *contacts, crn_lcp_data *data, crn_error *error);

/** Two unit vectors that form a right-handed frame with the unit normal; (x, y) for the normal z. */
void crn_gallery_tangents(crn_gallery_vec normal, crn_gallery_vec *t1, crn_gallery_vec *t2);

#endif
