/* gallery_bodies.h -- free rigid bodies in contact with each other and with the fixed world.
 *
 * Body b owns the velocities 6b .. 6b+5: angular (world axes, about the centre of mass), then linear. All axes are the
 * world's; the bodies of the gallery are turned only about axes that leave their inertia diagonal. */
#ifndef CAIRN_GALLERY_BODIES_H
#define CAIRN_GALLERY_BODIES_H

#include "gallery_contact.h"

extern const double crn_gallery_gravity; /* 9.81 m/s^2, along -z */
extern const double crn_gallery_step;    /* h: 10 ms, what turns forces into impulses */

crn_gallery_body crn_gallery_box(double mass, crn_gallery_vec centre, crn_gallery_vec half_extents);
crn_gallery_body crn_gallery_cylinder(double mass, crn_gallery_vec centre, double radius, double length); /* axis z */

/** Write the body's mass into its mass matrix. */
void crn_gallery_place_body(crn_gallery_contacts *contacts, int body, const crn_gallery_body *shape);

/** Add to the momentum of a body: an impulse [N s] and an angular impulse [N m s] at its centre. */
void crn_gallery_push(crn_gallery_contacts *contacts, int body, crn_gallery_vec linear, crn_gallery_vec angular);

/** Gravity's impulse over one step. */
void crn_gallery_weigh(crn_gallery_contacts *contacts, int body, const crn_gallery_body *shape);

/** A random wrench at the centre, h (force, torque): normal with these deviations [N, N m]. */
void crn_gallery_push_randomly(crn_gallery_contacts *contacts, int body, double force, double torque,
                               crn_random *random);

/** A random velocity before the step: normal with these deviations [m/s, rad/s]. */
void crn_gallery_move_randomly(crn_gallery_contacts *contacts, int body, const crn_gallery_body *shape, double linear,
                               double angular, crn_random *random);

/** A contact at a world point; the unit normal points from body a (or the ground) to body b. NULL if there is no room. */
crn_gallery_touching *crn_gallery_touch(crn_gallery_contacts *contacts, const crn_gallery_body *bodies, int a, int b,
                                        crn_gallery_vec point, crn_gallery_vec normal, double friction);

#endif
