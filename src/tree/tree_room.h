/* The door of this room: rigid bodies as trees of one link, and joints between bodies as rows.
 *
 * A joint type is one file with the same functions in the same order, gathered in a crn_joint_type. Spatial vectors are
 * angular first; a body's velocity is (w, v) in world axes with v at its centre of mass. */
#ifndef CRN_TREE_ROOM_H
#define CRN_TREE_ROOM_H

#include <cairn/tree.h>

#include "math/rigid.h"

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

/* Angular velocity in body axes after h without forces, from o: the energy stays what it is, to rounding (midpoint rule, second
 * order). Some or all moments of the inertia may be 0. */
crn_vec3 crn_rigid_precess(const crn_mat3 *inertia, crn_vec3 o, double h);

/* Velocity after forces have acted for h, contacts apart: w + h I^-1 torque, v + h force/mass, damped by rates (1/s),
 * implicitly. Gyroscopic terms are in crn_rigid_move(). */
void crn_rigid_push(const crn_rigid *body, double h, crn_vec3 force, crn_vec3 torque, double linear_damping,
                    double angular_damping, crn_vec3 *w, crn_vec3 *v);

double crn_rigid_kinetic(const crn_rigid *body);
crn_vec3 crn_rigid_angular_momentum(const crn_rigid *body); /* about the world's origin */

/* The same if it had this velocity; in the header because every body of every step is asked several times. */

/* I w, world axes. */
static inline crn_vec3 crn_rigid_spin(const crn_rigid *body, crn_vec3 w)
{
    return body->is_planar ? crn_v3(0, 0, body->inertia.m[8] * w.z) : crn_m3_times(&body->inertia_world, w);
}

static inline double crn_rigid_kinetic_of(const crn_rigid *body, crn_vec3 w, crn_vec3 v)
{
    double turning =
        body->is_planar ? body->inertia.m[8] * w.z * w.z : crn_v3_dot(w, crn_m3_times(&body->inertia_world, w));
    return 0.5 * (body->mass * crn_v3_dot(v, v) + turning);
}

static inline crn_vec3 crn_rigid_angular_momentum_of(const crn_rigid *body, crn_vec3 w, crn_vec3 v)
{
    return crn_v3_axpy(crn_rigid_spin(body, w), body->mass, crn_v3_cross(body->pose.position, v));
}

/* --- A tree of many links ---
 *
 * Spatial vectors are about the tree's origin, world axes, angular first. The link's frame is that of its centre of mass. H
 * is the mass matrix of the velocities that are not driven, armature included, and H = L'L with the root's velocities last
 * eliminated, so that column y of a wrench on a link,
 *
 *     y = L^-T J',     J H^-1 J' = Y'Y,
 *
 * is not 0 on the link's path to the root only (notes in docs/theory/trees.md). Whitened velocities are nu = L u. */

typedef struct crn_link {
    int parent; /* -1: the base */
    crn_joint_kind kind;
    int coordinates, freedom;
    int q, u, w;                /* first coordinate, velocity, whitened velocity (driven: of the next one) */
    bool is_wheel;              /* a wheel: tree_wheel.c */
    bool is_driven;             /* its velocities are known and have no place among the whitened ones */
    crn_frame frame_a, frame_b; /* joint on the parent (base: in the base's frame), joint on the link */
    crn_frame from_b;           /* the link's frame in the joint's: frame_b backwards */
    double mass;                /* [kg] */
    crn_mat3 inertia;           /* about the centre of mass, axes of the link's frame */
    double armature[CRN_JOINT_FREEDOM_MAX]; /* per velocity */

    /* at the coordinates of the last crn_tree_place() */
    crn_frame frame;                     /* of the centre of mass, in the world */
    crn_vec3 arm;                        /* from the joint to the centre of mass, world axes */
    crn_mat3 inertia_world;              /* about the centre of mass, world axes */
    double S[6 * CRN_JOINT_FREEDOM_MAX]; /* motion columns about the tree's origin */

    /* of the last crn_tree_factor() */
    double articulated[36];                                  /* inertia of the link and all that hangs on it */
    double l[CRN_JOINT_FREEDOM_MAX * CRN_JOINT_FREEDOM_MAX]; /* D = l l', lower triangle */
    double U[6 * CRN_JOINT_FREEDOM_MAX];                     /* I^A S l^-T */
    double scale[CRN_JOINT_FREEDOM_MAX];                     /* 1 over the diagonal of l */
} crn_link;

struct crn_tree {
    crn_allocator allocator;
    int links, coordinates, velocities;
    int whitened;               /* velocities that are not driven */
    crn_link *link;             /* parents before children */
    crn_frame *body;            /* frame of each link's centre of mass in the frame of its definition */
    crn_frame base;             /* where the base is; identity after creation */
    crn_vec3 origin;            /* of spatial vectors: set by crn_tree_place(), the first link's joint */
    double *scratch;            /* of the functions below and of those in <cairn/tree.h> */
    struct crn_tree_part *part; /* the links as the dynamics of <cairn/tree.h> read them, one after another */
    void *memory;               /* the block that all arrays are in */
};

/* Which links are wheels: tree_wheel.c. */
void crn_tree_find_wheels(crn_tree *tree);

/* Take other joints as driven: w and whitened are counted again. */
void crn_tree_number(crn_tree *tree);

/* Frames, motion columns, inertias at q. */
void crn_tree_place(crn_tree *tree, const double *q);

/* The same to the last bit, where only the root's position has changed since: no link has turned, and no joint moved. */
void crn_tree_move_root(crn_tree *tree, const double *q);

/* L at the present place, with extra (one per velocity, NULL: zeros) added to the diagonal of H. False if some D is not
 * positive. */
bool crn_tree_factor(crn_tree *tree, const double *extra);

/* V_i = V_parent + S_i u_i of all links, 6 each; base: velocity of the base, 6 (NULL: 0). u NULL: zeros. With only_driven
 * velocities that are not driven count as 0: the known part of the motion. */
void crn_tree_spread(const crn_tree *tree, const double *u, bool only_driven, const double *base, double *V);

/* nu = L^-T (S'p + force): p, 6 per link, wrenches (or momenta) on links; it is used up. force (NULL: zeros): one per
 * velocity; entries of driven ones do not count. */
void crn_tree_whiten(const crn_tree *tree, double *p, const double *force, double *nu);

/* u = L^-1 nu, and the velocities V of the links (6 each) that go with it, without the known part. Driven velocities in u
 * are left as they are. */
void crn_tree_unwhiten(const crn_tree *tree, const double *nu, double *u, double *V);

/* y = L^-T J' of one wrench on a link: tree->whitened numbers, zeros off the path. */
void crn_tree_column(const crn_tree *tree, int link, const double *wrench, double *y);

/* The same of a unit force along velocity k of a link's joint; 0 if it is driven. */
void crn_tree_joint_column(const crn_tree *tree, int link, int k, double *y);

/* Of one link at the present place, 6 x velocities each: J, its velocity (angular, linear of the centre of mass) by u; B, how that
 * velocity changes with coordinates, as crn_tree_advance() changes them, u staying what it is; NULL: not wanted.
 * tree_derivatives.c */
void crn_tree_link_motion(const crn_tree *tree, int link, const double *u, double *J, double *B);

/* Coordinates of one link's joint from its joint frames on both sides, world. q: those of this joint only
 * (link->coordinates numbers); angles and the sign of quaternions are taken near what is there. */
void crn_tree_measure(const crn_tree *tree, int link, const crn_frame *side_a, const crn_frame *side_b, double *q);

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
