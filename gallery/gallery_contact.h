/* gallery_contact.h -- a list of contacts that a family fills, and its outlets.
 *
 * Velocities are those of `bodies` bodies of `body_dof` each (free rigid bodies: 6, angular first; or the generalised
 * coordinates of one mechanism). Each body has a mass matrix and a momentum h f + mass v; contact i has directions
 * n_i, t1_i, t2_i (columns of the Jacobian's transpose, in pieces, one on each of its two bodies) and friction mu_i. The
 * bias is a prescribed velocity of the contact point relative to what v gives it (driven joints, moving walls).
 *
 * One list, three outlets:
 *     crn_gallery_contacts_problem()   the contact problem as a simulator has it: bodies, points, normals
 *     crn_gallery_contacts_whitened()  the same in coordinates in which all masses are 1
 *     crn_gallery_contacts_assemble()  the LCP  [L05 s2]
 *
 * With mass = G G', whitened columns N = G^-1 n, D = G^-1 (cos a_j t1 + sin a_j t2), a_j = 2 pi j / d, and the whitened
 * free velocity k = G^-1 (h f + mass v) the LCP is
 *
 *     nu    = N'(N theta + D phi + k) + bias_n               >= 0   complementary to theta    (normal)
 *     sigma = D'(N theta + D phi + k) + E lambda + bias_d    >= 0   complementary to phi      (friction direction)
 *     gamma = mu theta - E' phi                              >= 0   complementary to lambda   (cone)
 *
 * that is M = [N'N N'D 0; D'N D'D E; mu -E' 0], q = (N'k + bias_n, D'k + bias_d, 0), in this order: theta of all
 * contacts, phi (d for each contact, contact after contact), lambda. With d = 0 only the first row stays. */
#ifndef CAIRN_GALLERY_CONTACT_H
#define CAIRN_GALLERY_CONTACT_H

#include <cairn/base.h>
#include <cairn/io.h>

#include "gallery.h"
#include "gallery_vec.h"

enum {
    CRN_GALLERY_GROUND = -1,   /* the fixed world as partner of a contact */
    CRN_GALLERY_DIRECTIONS = 8 /* of the friction polygon in most families  [L05 s5.4] */
};

/** A free rigid body. */
typedef struct crn_gallery_body {
    double mass;             /* [kg] */
    crn_gallery_vec centre;  /* centre of mass, world [m] */
    crn_gallery_vec inertia; /* diagonal, about the centre of mass [kg m^2] */
} crn_gallery_body;

/** Where two bodies touch. */
typedef struct crn_gallery_touching {
    int body[2];             /* the normal points from body[0] to body[1]; CRN_GALLERY_GROUND: the world */
    crn_gallery_vec point;   /* world [m] */
    crn_gallery_vec axes[3]; /* n, t1, t2: unit vectors, right-handed */
    double friction;
    double bias[3]; /* prescribed velocity along n, t1, t2 [m/s] */
} crn_gallery_touching;

/** The list. Zero-initialise it but for its allocator (all NULL: the default one). */
typedef struct crn_gallery_contacts {
    crn_allocator allocator;
    int bodies, body_dof, directions;
    int count, capacity;            /* contacts so far, and how many there is room for */
    bool is_overfull;               /* more contacts were added than there is room for */
    bool is_rigid;                  /* the bodies are free rigid ones, placed by crn_gallery_place_body() */
    void *storage;                  /* all arrays below */
    crn_gallery_touching *touching; /* capacity */
    crn_gallery_body *shape;        /* bodies; of rigid ones */
    double *mass;     /* body_dof x body_dof for each body, symmetric positive definite; whitening leaves G there */
    double *momentum; /* body_dof for each body: h f + mass v [N s, N m s]; whitening leaves k there */
    double *columns;  /* body_dof x 3 for each contact and each of its two bodies; whitening leaves N, T there */
} crn_gallery_contacts;

/** All zero, with room for `capacity` contacts. On failure nothing is held. */
crn_status crn_gallery_contacts_open(crn_gallery_contacts *contacts, int bodies, int body_dof, int capacity,
                                     int directions, crn_error *error);
void crn_gallery_contacts_close(crn_gallery_contacts *contacts);

/** A new contact, zero so far but for its bodies, frame and friction; NULL if there is no room. */
crn_gallery_touching *crn_gallery_contacts_add(crn_gallery_contacts *contacts, int a, int b, crn_gallery_vec point,
                                               crn_gallery_vec normal, double friction);

/** The columns n, t1, t2 (body_dof x 3) of contact i on its body of that side, 0 or 1. */
double *crn_gallery_contacts_columns(const crn_gallery_contacts *contacts, int i, int side);

/** Mass matrix of a body, body_dof x body_dof. */
double *crn_gallery_contacts_mass(const crn_gallery_contacts *contacts, int body);

/** Check the list, then overwrite masses by G, momentum by k = G^-1 momentum and columns by G^-1 column. */
crn_status crn_gallery_contacts_whiten(crn_gallery_contacts *contacts, crn_error *error);

/* --- Outlets: each uses the list up, also when it fails. out and data are zero but for their allocator. --- */

/** The contact problem as a simulator has it, as make_contact of a family. */
crn_status crn_gallery_contacts_problem(crn_gallery_contacts *contacts, crn_gallery_contact_problem *out,
                                        crn_error *error);
/** Whitened, as make_whitened of a family. */
crn_status crn_gallery_contacts_whitened(crn_gallery_contacts *contacts, crn_gallery_contact_problem *out,
                                         crn_error *error);
/** The LCP, as make of a family. */
crn_status crn_gallery_contacts_assemble(crn_gallery_contacts *contacts, crn_lcp_data *data, crn_error *error);

/** Two unit vectors that form a right-handed frame with the unit normal; (x, y) for the normal z. */
void crn_gallery_tangents(crn_gallery_vec normal, crn_gallery_vec *t1, crn_gallery_vec *t2);

#endif
