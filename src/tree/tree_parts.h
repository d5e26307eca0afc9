/* What the algorithms on trees are made of: spatial vectors as six numbers, angular first, about a common origin in world
 * axes, so that nothing is ever transformed from link to link [F08 ch. 2]. Not for other rooms.
 *
 * Kernels that depend on a joint's freedom take it as an argument and are inlined with a constant one, which leaves
 * straight lines for it: see CRN_TREE_FREEDOM(). */
#ifndef CRN_TREE_PARTS_H
#define CRN_TREE_PARTS_H

#include "math/rigid.h"
#include "math/simd.h"
#include "tree/tree_room.h"

#if defined(__GNUC__)
#define CRN_TREE_INLINE static inline __attribute__((always_inline))
#else
#define CRN_TREE_INLINE static inline
#endif

/* Call kernel(..., freedom) with a constant freedom; 0 does nothing. */
#define CRN_TREE_FREEDOM(freedom, kernel, ...)                                         \
    do {                                                                               \
        switch (freedom) {                                                             \
        case 1: kernel(__VA_ARGS__, 1); break;                                         \
        case 2: kernel(__VA_ARGS__, 2); break;                                         \
        case 3: kernel(__VA_ARGS__, 3); break;                                         \
        case CRN_JOINT_FREEDOM_MAX: kernel(__VA_ARGS__, CRN_JOINT_FREEDOM_MAX); break; \
        default: break;                                                                \
        }                                                                              \
    } while (0)

/* --- Spatial vectors --- */

/* Two numbers side by side, in one register of any processor; a spatial vector is three of them. */
typedef double crn_pair __attribute__((vector_size(16), aligned(8), may_alias));

CRN_TREE_INLINE double crn_sp_dot(const double *a, const double *b)
{
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

CRN_TREE_INLINE void crn_sp_copy(const double *a, double *to)
{
    for (int i = 0; i < 6; ++i) {
        to[i] = a[i];
    }
}

/* to += s a */
CRN_TREE_INLINE void crn_sp_add(double s, const double *a, double *to)
{
    for (int i = 0; i < 6; ++i) {
        to[i] += s * a[i];
    }
}

/* Rate of the motion m carried along by the motion v: (w x m_w; w x m_v + v x m_w). */
CRN_TREE_INLINE void crn_sp_cross(const double *v, const double *m, double *rate)
{
    crn_vec3 w = crn_v3_of(v), l = crn_v3_of(v + 3), mw = crn_v3_of(m), ml = crn_v3_of(m + 3);
    crn_v3_to(crn_v3_cross(w, mw), rate);
    crn_v3_to(crn_v3_add(crn_v3_cross(w, ml), crn_v3_cross(l, mw)), rate + 3);
}

/* Rate of the force f carried along by the motion v: (w x f_w + v x f_v; w x f_v). */
CRN_TREE_INLINE void crn_sp_cross_force(const double *v, const double *f, double *rate)
{
    crn_vec3 w = crn_v3_of(v), l = crn_v3_of(v + 3), t = crn_v3_of(f), n = crn_v3_of(f + 3);
    crn_v3_to(crn_v3_add(crn_v3_cross(w, t), crn_v3_cross(l, n)), rate);
    crn_v3_to(crn_v3_cross(w, n), rate + 3);
}

/* --- Small triangles: l is d x d, column-major, lower --- */

/* l with a = l l' from the lower triangle of a, in place. False if a is not positive. */
CRN_TREE_INLINE bool crn_tree_cholesky(double *a, int d)
{
    bool is_positive = true;
    for (int j = 0; j < d; ++j) {
        double pivot = a[j + d * j];
        for (int k = 0; k < j; ++k) {
            pivot -= a[j + d * k] * a[j + d * k];
        }
        is_positive = is_positive && pivot > 0.0;
        a[j + d * j] = sqrt(pivot);
        double scale = 1.0 / a[j + d * j];
        for (int i = j + 1; i < d; ++i) {
            double s = a[i + d * j];
            for (int k = 0; k < j; ++k) {
                s -= a[i + d * k] * a[j + d * k];
            }
            a[i + d * j] = s * scale;
        }
    }
    return is_positive;
}

/* 1 over the diagonal of l: who solves often divides once. */
CRN_TREE_INLINE void crn_tree_set_scale(const double *l, double *scale, int d)
{
    for (int i = 0; i < d; ++i) {
        scale[i] = 1.0 / l[i + d * i];
    }
}

/* x = l^-1 x */
CRN_TREE_INLINE void crn_tree_lower(const double *l, const double *scale, double *x, int d)
{
    for (int i = 0; i < d; ++i) {
        for (int k = 0; k < i; ++k) {
            x[i] -= l[i + d * k] * x[k];
        }
        x[i] *= scale[i];
    }
}

/* x = l^-T x */
CRN_TREE_INLINE void crn_tree_upper(const double *l, const double *scale, double *x, int d)
{
    for (int i = d; i-- > 0;) {
        for (int k = i + 1; k < d; ++k) {
            x[i] -= l[k + d * i] * x[k];
        }
        x[i] *= scale[i];
    }
}

/* The same two for who solves once. */
CRN_TREE_INLINE void crn_tree_solve_lower(const double *l, double *x, int d)
{
    double scale[CRN_JOINT_FREEDOM_MAX];
    crn_tree_set_scale(l, scale, d);
    crn_tree_lower(l, scale, x, d);
}

CRN_TREE_INLINE void crn_tree_solve_upper(const double *l, double *x, int d)
{
    double scale[CRN_JOINT_FREEDOM_MAX];
    crn_tree_set_scale(l, scale, d);
    crn_tree_upper(l, scale, x, d);
}

/* --- Between the files of this room --- */

/* Check the definition of link i, fields and parents. */
crn_status crn_tree_check(const crn_link_def *link, int i, crn_error *error);

/* Is the joint of some link able to move without mass? Places and factorises at coordinates without symmetry. The link's
 * number, or -1. */
int crn_tree_find_massless(crn_tree *tree);

/* The frame of b in a at a joint's own coordinates. */
crn_frame crn_tree_joint_frame(crn_joint_kind kind, const double *q);

/* 6 x 6 inertia of the link about the tree's origin, at the present place. */
void crn_tree_link_inertia(const crn_tree *tree, const crn_link *link, double *inertia);

/* --- Dynamics of <cairn/tree.h> ---
 *
 * Vectors are in world axes, and about the joint's own origin on the link: lever arms stay short, so that long chains lose
 * no digits, and S of most joints is half zeros. Accelerations are those of the origin as a point of the link, not spatial
 * ones: no linear velocity is needed. */

/* What is constant of a link, in the axes of its joint frame b; a's frame in those of the parent's. */
typedef struct crn_tree_part {
    int parent, q, u;
    crn_joint_kind kind;
    crn_frame a;       /* joint frame a in the parent's joint frame b (base: in the base) */
    crn_vec3 com;      /* from the joint's origin */
    double inertia[6]; /* about the centre of mass: xx, xy, xz, yy, yz, zz */
    double mass;
    double armature; /* of the first velocity; of further ones see crn_link */
} crn_tree_part;

/* Inertia about a point: (torque; force) = (A H; H' M) (angular; linear). A, M: as inertia above; H: column-major. */
typedef struct crn_tree_inertia {
    double A[6], H[9], M[6];
} crn_tree_inertia;

/* What a pass leaves for the next. */
typedef struct crn_tree_state {
    crn_mat3 axes;             /* of joint frame b */
    crn_vec3 at, from_parent;  /* the joint's origin in the world; from the parent's */
    crn_vec3 w, turning, pace; /* angular velocity; angular and linear acceleration */
    crn_vec3 torque, force;    /* that make them, less what acts from outside */
    union {
        crn_tree_inertia inertia; /* of the link and all that hangs on it */
        struct {
            crn_vec3 U_torque, U_force; /* hinges, sliders, once eliminated: I S / D, (tau - S'p) / D */
            double y;
        };
    };
} crn_tree_state;

/* For each velocity of joints with more than one: S, U l^-T, l, 1 over its diagonal, y. */
enum { CRN_TREE_WIDE = 6 + 6 + CRN_JOINT_FREEDOM_MAX + 1 + 1 };

/* Parts and states of a tree, and where its scratch has them. */
void crn_tree_fill_parts(crn_tree *tree);
size_t crn_tree_scratch_size(int links, int velocities);
size_t crn_tree_derivatives_size(int links, int velocities); /* of tree_derivatives.c */
crn_tree_state *crn_tree_states(const crn_tree *tree);
double *crn_tree_wide(const crn_tree *tree, int velocity);

/* Base to leaves: axes, velocities, accelerations (acceleration NULL: 0), and the wrenches that make them, gravity being an
 * acceleration of the base. With wants_inertia also the inertia of each link. */
void crn_tree_outward(const crn_tree *tree, const double *q, const double *u, const double *acceleration,
                      const crn_tree_load *load, bool wants_inertia);

#endif
