/* cairn/robot.h -- a mechanism of a world seen as one thing: H(q) u' + C(q, u) = tau + sum J'w, as a control engineer writes it.
 *
 * A robot is a view: it has no state of its own, and every call looks at the world as it is now. Its coordinates q and velocities
 * u are those of tree.h, joint after joint; a body that floats has a free joint to the world (planar worlds: a planar one), whose
 * frames are the world's and the body's. Loops, limits, motors, springs, dampers, friction and loads of the world are not part of
 * H and C; armature and gravity_scale are. Vectors are the caller's: q and u as long as crn_robot_coordinates() and
 * crn_robot_velocities() say. Calls take no memory. They return CRN_ERR_ARGUMENT if a pointer that they need is NULL, or if links
 * or joints of the robot have come or gone since it was made: make another one then. */
#ifndef CAIRN_ROBOT_H
#define CAIRN_ROBOT_H

#include <cairn/tree.h>
#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A view of links of a world. */
typedef struct crn_robot crn_robot;

/** The links that joints of a tree hold together with a free body; body {0}: all free bodies of the world. The world must live
 *  longer. Not in worlds with the integrator hart, nor on a driven base. */
CRN_API crn_status crn_robot_create(crn_world *world, crn_body_id body, crn_robot **robot, crn_error *error);
CRN_API void crn_robot_destroy(crn_robot *robot); /* NULL is fine */

CRN_API int crn_robot_links(const crn_robot *robot);                       /* how many there are */
CRN_API int crn_robot_coordinates(const crn_robot *robot);                 /* length of q */
CRN_API int crn_robot_velocities(const crn_robot *robot);                  /* length of u */
CRN_API crn_body_id crn_robot_body(const crn_robot *robot, int link);      /* null outside */
CRN_API crn_joint_id crn_robot_joint(const crn_robot *robot, int link);    /* above it; null: the link floats */
CRN_API int crn_robot_find_body(const crn_robot *robot, crn_body_id body); /* its link; -1 if there is none */
CRN_API int crn_robot_find_joint(const crn_robot *robot,
                                 crn_joint_id joint); /* the link below it; -1 if there is none */

/** Where in q and u the joint of a link begins, and how many velocities it has; -1 outside. q and u may be NULL. */
CRN_API int crn_robot_place(const crn_robot *robot, int link, int *q, int *u);

/** The same links for the functions of tree.h, at any q and u. It belongs to the robot. */
CRN_API crn_tree *crn_robot_tree(crn_robot *robot);

/** q and u now; either may be NULL. */
CRN_API crn_status crn_robot_state(crn_robot *robot, double *q, double *u);

/** Put the robot there; NULL: as it is. Quaternions are made unit. Loops that this opens are closed by the next step. */
CRN_API crn_status crn_robot_set_state(crn_robot *robot, const double *q, const double *u);

/** Forces along the velocities that act in the next step, and only then; they add to others. Those of joints with coordinates act as
 *  crn_joint_apply_force() does, those of ball and free joints as forces on the bodies. */
CRN_API crn_status crn_robot_apply(crn_robot *robot, const double *force);

/** H(q) now, n x n column-major. */
CRN_API crn_status crn_robot_mass_matrix(crn_robot *robot, double *H);

/** C(q, u) with gravity: the forces that keep u constant. */
CRN_API crn_status crn_robot_bias(crn_robot *robot, double *force);

/** The part of it that gravity needs: the forces that hold the robot where it is. */
CRN_API crn_status crn_robot_gravity(crn_robot *robot, double *force);

/** Forces that make the acceleration; forces from contacts are not counted. */
CRN_API crn_status crn_robot_inverse(crn_robot *robot, const double *acceleration, double *force);

/** Acceleration that forces make, contacts left out; force NULL: none. */
CRN_API crn_status crn_robot_forward(crn_robot *robot, const double *force, double *acceleration);

/** Jacobian of a point of a body (body's frame): 6 x n, J u = (w, v of the point), world axes. */
CRN_API crn_status crn_robot_jacobian(crn_robot *robot, crn_body_id body, crn_vec3 point, double *J);

/** Acceleration w', v' of a point of a body, 6 numbers, for an acceleration u'; NULL: what J' u is. */
CRN_API crn_status crn_robot_acceleration(crn_robot *robot, const double *acceleration, crn_body_id body,
                                          crn_vec3 point, double *a);

/** Mass, centre of mass, its velocity, its Jacobian (3 x n). Each may be NULL. */
CRN_API crn_status crn_robot_com(crn_robot *robot, double *mass, crn_vec3 *com, crn_vec3 *velocity, double *J);

/** Momentum: angular about the world's origin, then linear, 6 numbers. */
CRN_API crn_status crn_robot_momentum(crn_robot *robot, double *momentum);

/** What the contact forces of the last step are along the velocities: sum J'f. A robot that stands still with forces tau has
 *  gravity = tau + this. */
CRN_API crn_status crn_robot_contact_force(crn_robot *robot, double *force);

#ifdef __cplusplus
}
#endif
#endif
