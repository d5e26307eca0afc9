/* cairn/tree.h -- joints: what each kind lets move and what it holds; trees of links, and their dynamics.
 *
 * A joint connects a frame on body a with a frame on body b; its motion is that of b's frame seen from a's. Axes below
 * are those of a's joint frame. */
#ifndef CAIRN_TREE_H
#define CAIRN_TREE_H

#include <cairn/base.h>
#include <cairn/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a joint lets move. */
typedef enum crn_joint_kind {
    CRN_JOINT_BALL = 0,  /* the origins coincide; no coordinate */
    CRN_JOINT_HINGE,     /* turns about z: coordinate 0 is the angle [rad] (several turns count) */
    CRN_JOINT_SLIDER,    /* moves along z: coordinate 0 is the displacement [m] */
    CRN_JOINT_UNIVERSAL, /* turns about a's x, then about b's y: coordinates 0 and 1 are the angles [rad] */
    CRN_JOINT_FIXED,     /* nothing moves */
    CRN_JOINT_DISTANCE,  /* the distance of the origins: coordinate 0 [m]. Held at length, or between its limits */
    CRN_JOINT_PLANAR,    /* b moves in a's plane z = 0: coordinates x, y [m] and the angle about z [rad] */
    CRN_JOINT_FREE       /* nothing is held; no coordinate. Between bodies it only keeps their shapes from touching */
} crn_joint_kind;
#define CRN_JOINT_KIND_COUNT      8 /* how many there are */
#define CRN_JOINT_COORDINATES_MAX 3 /* of any kind */
#define CRN_JOINT_FREEDOM_MAX     6 /* of any kind, inside a tree */

CRN_API const char *crn_joint_kind_name(crn_joint_kind kind);             /* "ball", "hinge", ...; NULL if none */
CRN_API bool crn_joint_kind_find(const char *name, crn_joint_kind *kind); /* false if there is none of that name */

/** How many coordinates a kind has: 0 to CRN_JOINT_COORDINATES_MAX. */
CRN_API int crn_joint_kind_coordinates(crn_joint_kind kind);

/** How many numbers q has of a kind inside a tree: its degrees of freedom, one more of ball and free joints; -1 for distance
 *  joints. */
CRN_API int crn_joint_kind_numbers(crn_joint_kind kind);

/** Degrees of freedom of a kind inside a tree: ball 3, hinge 1, slider 1, universal 2, fixed 0, planar 3, free 6; -1 for
 *  distance joints, which cannot be in a tree. */
CRN_API int crn_joint_kind_freedom(crn_joint_kind kind);

/* --- A tree of links in joint coordinates: H(q) u' + C(q, u) = tau + sum J'w ---
 *
 * Coordinates q, joint after joint, and velocities u:
 *
 *     hinge, slider  1 | 1   angle or displacement; its rate
 *     universal      2 | 2   angles; their rates
 *     planar         3 | 3   x, y, angle; their rates
 *     ball           4 | 3   quaternion of b's frame in a's; angular velocity of b against a, a's axes
 *     free           7 | 6   position of b's origin in a, quaternion; angular velocity, velocity of b's origin, a's axes
 *     fixed          0 | 0
 *
 * a is the joint's frame on the parent, b that on the link. Functions take no memory; one thread at a time per tree. */

/** A link, and the joint that holds it to its parent. */
typedef struct crn_link_def {
    int parent; /* an earlier link; -1: the base, which is the world */
    crn_joint_kind kind;
    crn_pose frame_a;                       /* joint frame in the parent's frame (base: in the world) */
    crn_pose frame_b;                       /* joint frame in the link's frame */
    double mass;                            /* [kg], >= 0 */
    crn_vec3 com;                           /* in the link's frame */
    crn_mat3 inertia;                       /* about com, axes of the link's frame [kg m^2] */
    double armature[CRN_JOINT_FREEDOM_MAX]; /* added to the diagonal of H */
} crn_link_def;

CRN_API crn_link_def crn_link_def_default(void); /* free joint to the base, identity frames, no mass */

/** A tree ready for use, with the scratch memory of its functions. */
typedef struct crn_tree crn_tree;

/** Check and prepare. The message names the link and field: "links[3].mass: ...". A link whose joint can move without
 *  moving any mass is refused. allocator NULL: the default one. */
CRN_API crn_status crn_tree_create(const crn_link_def *link, int links, const crn_allocator *allocator, crn_tree **tree,
                                   crn_error *error);
CRN_API void crn_tree_destroy(crn_tree *tree); /* NULL is fine */

CRN_API int crn_tree_links(const crn_tree *tree);                      /* how many there are */
CRN_API int crn_tree_coordinates(const crn_tree *tree);                /* length of q */
CRN_API int crn_tree_velocities(const crn_tree *tree);                 /* length of u */
CRN_API int crn_tree_first_coordinate(const crn_tree *tree, int link); /* where in q those of its joint begin */
CRN_API int crn_tree_first_velocity(const crn_tree *tree, int link);   /* where in u */

/** q with all coordinates 0 and unit quaternions. */
CRN_API void crn_tree_rest(const crn_tree *tree, double *q);

/** q moved by h u: hinges by angles, balls and free joints by the exponential of h w. */
CRN_API void crn_tree_advance(const crn_tree *tree, const double *q, const double *u, double h, double *next);

/** What acts on a tree. Any pointer may be NULL: zeros. */
typedef struct crn_tree_load {
    crn_vec3 gravity;     /* [m/s^2] */
    const double *force;  /* along the velocities, one each [N m or N] */
    const double *wrench; /* 6 per link: torque about the world's origin, then force, world axes */
} crn_tree_load;

/** Acceleration u' (articulated-body algorithm, O(n)) [F08]. */
CRN_API void crn_tree_forward(crn_tree *tree, const double *q, const double *u, const crn_tree_load *load,
                              double *acceleration);

/** Forces tau that make the acceleration (recursive Newton-Euler, O(n)); load->force is not read. */
CRN_API void crn_tree_inverse(crn_tree *tree, const double *q, const double *u, const double *acceleration,
                              const crn_tree_load *load, double *force);

/** How the forces of crn_tree_inverse() change, n x n column-major, column j with velocity or coordinate j: by_q, by_u, and H with the
 *  acceleration. A change of q is one that crn_tree_advance() makes: of balls and free joints turns in a's axes, not quaternions. Wrenches of the
 *  load stay as they are in the world. Any result may be NULL. O(n d), d the depth. */
CRN_API void crn_tree_inverse_derivatives(crn_tree *tree, const double *q, const double *u, const double *acceleration,
                                          const crn_tree_load *load, double *by_q, double *by_u, double *H);

/** The same of the acceleration of crn_tree_forward(), which is written too; by_force is the inverse of H. by_q, by_u and by_force may be
 *  NULL. */
CRN_API void crn_tree_forward_derivatives(crn_tree *tree, const double *q, const double *u, const crn_tree_load *load,
                                          double *acceleration, double *by_q, double *by_u, double *by_force);

/** H(q), n x n column-major (composite rigid bodies). */
CRN_API void crn_tree_mass_matrix(crn_tree *tree, const double *q, double *H);

/** Frames of links in the world; velocity (may be NULL, as may u): 6 per link: w, then v of the link's origin. */
CRN_API void crn_tree_kinematics(crn_tree *tree, const double *q, const double *u, crn_frame *frame, double *velocity);

/** Kinetic energy, and potential of gravity relative to the world's origin [J]; momentum (6: angular about the world's
 *  origin, linear). Any result may be NULL. */
CRN_API void crn_tree_energy(crn_tree *tree, const double *q, const double *u, crn_vec3 gravity, double *kinetic,
                             double *potential, double *momentum);

/** Jacobian of a point of a link (in the link's frame): J is 6 x n column-major, so that J u = (w of the link, v of the point), world
 *  axes. O(n). */
CRN_API void crn_tree_jacobian(crn_tree *tree, const double *q, int link, crn_vec3 point, double *J);

/** Centre of mass of all links, and its Jacobian, 3 x n: J u is its velocity. Returns the mass [kg]. Either may be NULL. O(n). */
CRN_API double crn_tree_com(crn_tree *tree, const double *q, crn_vec3 *com, double *J);

/** Acceleration of a point of a link: a has 6 numbers, w' of the link and v' of the point, world axes; gravity is not part of it.
 *  acceleration NULL: zeros, which leaves what the rate of the Jacobian makes of u. */
CRN_API void crn_tree_acceleration(crn_tree *tree, const double *q, const double *u, const double *acceleration,
                                   int link, crn_vec3 point, double *a);

/** Forces along the velocities that wrenches on links amount to: sum J'w, wrench as in crn_tree_load. O(n). */
CRN_API void crn_tree_joint_forces(crn_tree *tree, const double *q, const double *wrench, double *force);

/** Assembly-disassembly [YN08 s4-B, F99]: with handles k = 0 .. handles-1 on links, accelerations and forces about the
 *  world's origin,
 *
 *      a_k = sum_j Phi_kj f_j + b_k         (a: spatial acceleration of handle[k], f_j: wrench on handle[j])
 *
 *  phi: (6 handles)^2 column-major, bias: 6 handles, acceleration: u' without handle forces. Each may be NULL. The schedule
 *  is a balanced tree, made once by crn_assembly_create(); threads > 1 share the levels (OpenMP builds), same bits. */
typedef struct crn_assembly crn_assembly;
CRN_API crn_status crn_assembly_create(const crn_tree *tree, const int *handle, int handles,
                                       const crn_allocator *allocator, crn_assembly **assembly, crn_error *error);
CRN_API void crn_assembly_destroy(crn_assembly *assembly); /* NULL is fine */
CRN_API void crn_assembly_run(crn_assembly *assembly, crn_tree *tree, const double *q, const double *u,
                              const crn_tree_load *load, int threads, double *phi, double *bias, double *acceleration);

#ifdef __cplusplus
}
#endif
#endif
