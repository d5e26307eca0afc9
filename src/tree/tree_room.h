/* The door of this room: rigid bodies as trees of one link, and joints between bodies as rows.
 *
 * A joint type is one file with the same functions in the same order, gathered in a crn_joint_type. Spatial vectors are
 * angular first; a body's velocity is (w, v) in world axes with v at its centre of mass. */
#ifndef CRN_TREE_ROOM_H
#define CRN_TREE_ROOM_H

#include <cairn/tree.h>

/* --- A rigid body --- */

typedef struct crn_rigid {
    bool is_planar;         /* moves in z = 0 and turns about z */
    double mass;            /* [kg] */
    crn_mat3 inertia;       /* about the centre of mass, body axes [kg m^2] */
    crn_pose pose;          /* of the centre of mass: position is the com, rotation that of the body */
    crn_vec3 w, v;          /* angular velocity; velocity of the centre of mass; world axes */
    crn_mat3 rotation;      /* pose.rotation as a matrix ... */
    crn_mat3 inertia_world; /* ... and the inertia in world axes: crn_rigid_refresh() */
} crn_rigid;

/* rotation and inertia_world from pose. */
void crn_rigid_refresh(crn_rigid *body);

/* Move by h with the velocity (w, v), no forces: position += h v; the body turns so that its angular momentum I w in world
 * axes and its energy stay what they are, to rounding (implicit midpoint, second order), which changes w. A body without
 * gyroscopic torque (planar, w along a principal direction to rounding) keeps w to the bit, one with w = 0 also its
 * rotation. Expects rotation and inertia_world to be those of pose; refreshes them. */
void crn_rigid_move(crn_rigid *body, double h);

/* Velocity after forces have acted for h, contacts apart: w + h I^-1 torque, v + h force/mass, damped by rates (1/s),
 * implicitly. Gyroscopic terms are in crn_rigid_move(). */
void crn_rigid_push(const crn_rigid *body, double h, crn_vec3 force, crn_vec3 torque, double linear_damping,
                    double angular_damping, crn_vec3 *w, crn_vec3 *v);

double crn_rigid_kinetic(const crn_rigid *body);
crn_vec3 crn_rigid_angular_momentum(const crn_rigid *body); /* about the world's origin */

/* --- Joints --- */

/* Both joint frames in the world, and the centres of mass that rows refer to. */
typedef struct crn_joint_sides {
    crn_frame a, b;
    crn_vec3 com_a, com_b;
    double length; /* distance joints: crn_joint_def.length */
} crn_joint_sides;

/* One row: speed = a . (w_a, v_a) + b . (w_b, v_b) is the rate of value: exactly so, also where the joint is not closed. A
 * row is 0 on rigid motions of a and b together. Rows are along the axes of a's frame: in a planar world those of one whose
 * z is the world's z (slider: lies in the plane, x or y being the world's z) are each in the plane or out of it. */
typedef struct crn_joint_row {
    double a[6], b[6]; /* angular, then linear at the centre of mass */
    double value;      /* position error of what is held, or the coordinate */
} crn_joint_row;

#define CRN_JOINT_ROWS_MAX 6

typedef struct crn_joint_type {
    const char *name;
    int coordinates; /* what limits and motors act on: freedom, but none of a ball joint and one of a distance joint */
    int rows;        /* of hold, columns of T: 6 - freedom */
    /* Motion columns S (6 x freedom, of b relative to a, about b's joint origin, world axes) and their complement T (6 x
     * rows, T'S = 0; column i is row i of hold on a closed joint): what inside a tree gives degrees of freedom. Coordinate i
     * is the one that column i of S moves. Column-major. NULL for distance joints. */
    void (*motion)(const crn_joint_sides *sides, double *S);
    void (*complement)(const crn_joint_sides *sides, double *T);
    int freedom; /* columns of S; distance joints: 5 */
    /* What is held, as rows with position errors (metres, radians): at value = 0 the joint is closed. */
    void (*hold)(const crn_joint_sides *sides, crn_joint_row *row);
    /* Coordinates as rows. Angles are in (-pi, pi]; NULL if there are none. */
    void (*coordinate)(const crn_joint_sides *sides, crn_joint_row *row);
    unsigned angles; /* bit i: coordinate i is an angle, to be continued over turns */
} crn_joint_type;

const crn_joint_type *crn_joint_type_of(crn_joint_kind kind);

/* The value of an angle near `last` that equals `angle` up to whole turns. */
double crn_joint_unwind(double angle, double last);

#endif
