/* Large contact problems with round cones, at body level.
 *
 * Unknown is the velocity of the bodies; the matrix I + sum X A X' has a block per body and per touching pair and is
 * positive definite whatever the rank of the contacts. Two methods share it: a proximal semi-smooth Newton (body_newton.c),
 * fast and exact near a solution, and an interior point (body_ipm.c), which comes near from anywhere. Coulomb's law has
 * unsymmetric versions of both (body_coulomb.c, body_ipm.c), and where the second stops its central path is followed (body_path.c).
 * docs/theory/bodies.md. */
#ifndef CRN_CONTACT_BODY_DRIVE_H
#define CRN_CONTACT_BODY_DRIVE_H

#include "contact/body_anderson.h"
#include "contact/body_system.h"
#include "contact/run.h"

/* What the interior point keeps per contact. */
typedef struct crn_body_cone_state {
    double s[3], z[3];           /* in the Lorentz cone: s = D u, r = D z, D = diag(1, mu, mu) */
    double ds[3], dz[3];         /* step */
    double lambda[3], w[3], eta; /* scaling: W z = W^-1 s = lambda; w, eta: [body_lorentz.h] */
    double c[3];                 /* lambda o c: what s o z is to change by */
    double rp[3], bow,
        right[3];   /* residual; second-order part of mu |u_t|; the one of them that a step is solved for */
    double lift[2]; /* derivative of mu |u_t| by u_t; 0 for the convex law */
} crn_body_cone_state;

/* And per row with a bound c: p = c + l, q = c - l, and the speeds s_p, s_q that they are complementary to. */
typedef struct crn_body_box_state {
    int row;
    double p, q, sp, sq;
    double dl, dsp, dsq; /* step: dp = dl, dq = -dl */
    double cp, cq, e;    /* right-hand sides of p s_p and q s_q; s_p - s_q less the row's speed */
} crn_body_box_state;

/* A direction inside the cones, or a point there. */
typedef struct crn_body_direction {
    double *v, *s, *z;       /* dof; 3 per contact */
    double *w;               /* items: X'v of a direction, impulses of a point's rows */
    crn_body_box_state *box; /* rows with bounds */
} crn_body_direction;

typedef struct crn_bodies {
    crn_body_system system;
    crn_block_matrix matrix;
    bool is_loaded; /* the columns have been read */

    /* The problem at hand */
    double reached;      /* best certificate of Coulomb's law so far: of `coulomb` */
    double tol, scale;   /* scale: U of the certificate [m/s] */
    double start_share;  /* of tol: a start that certifies to this is the answer; 1 after the layout */
    int paths;           /* central paths, one after the other; 1 after the layout */
    bool is_brief;       /* interior points on Coulomb's law are not long tried; false after the layout */
    bool is_for_coulomb; /* the convex law is solved on the way to Coulomb's: impulses shall stay near their start */
    double *offset;      /* length: offsets that the methods work with: with the dead band */
    double *mu;          /* contacts: a copy, while the system's are 0 */

    /* Iterates: item vectors and velocities */
    double *r, *u, *v;        /* impulses; contact velocities and motion that belong to them */
    double *y, *p, *w, *held; /* items: argument of the projection, its value, change of u along the step, a copy */
    double *best, *convex, *coulomb; /* items: best impulses so far; certified ones of the convex law; Coulomb's */
    double *ray;                     /* items: last change of r, or the proof of infeasibility */
    double *gradient, *step, *held_v;
    double *rho, *A, *weight;                      /* contacts + rows; 9 per contact; 1 per row */
    double *emphasis;                              /* contacts + rows: by what rho is multiplied on a plateau */
    unsigned char *piece, *factor_piece;           /* contacts; with bounds rows too: inside or not */
    crn_contact_law inside;                        /* that the interior point works on ... */
    double lift_share;                             /* ... with so much of mu |u_t|: 1, and 0 is the convex law */
    double kappa;                                  /* proximal term of its steps; infinite: none */
    crn_body_cone_state *cone;                     /* contacts */
    crn_body_box_state *box;                       /* rows with bounds */
    double *share;                                 /* contacts: what s o z is along the path, as a share of sigma e */
    crn_body_direction tangent, curve, correction; /* of body_path.c, at the present point ... */
    crn_body_direction kept[3];                    /* ... and at `from` */
    crn_body_direction from;                       /* a point: body_inside.h */
    crn_body_direction mark;                       /* another, that a descent has passed and ... */
    bool is_marked;                                /* ... the path may be taken up at */
    crn_body_direction lap;                        /* another, that a path which is a loop comes back to */
    crn_anderson anderson;

    /* Kept from call to call */
    double factor_kappa; /* of the factor in `matrix`; 0: it holds something else */

    int off;                                     /* items whose error was above CRN_BODIES_NEAR at the last check */
    int iterations, factorizations, unsymmetric; /* unsymmetric: of the factorisations, those by LU */
    double factor_cost, step_cost;               /* what each of them takes, in floating-point operations */
    double limit;                                /* crn_bodies_work() at which attempts at Coulomb's law end */
    bool is_infeasible;                          /* `ray` proves that the convex law has no solution; see body_ray.c */
} crn_bodies;

/* Take memory. With memory in the arena this also orders the bodies and finds the pattern of the factor, whose size is
 * not known before: a counting arena gets a bound instead (crn_block_pattern_layout), never less than what is taken. The
 * structure of the system must be valid (pieces, dof, directions); values are not read. The struct keeps state for later
 * solves of the same structure; all of it is forgotten here. */
void crn_bodies_layout(crn_bodies *bodies, const crn_system *system, crn_arena *arena);

/* Read columns and friction coefficients. The first solve after the layout does it; later only needed if they changed. */
void crn_bodies_load(crn_bodies *bodies, const crn_system *system);

/* Offsets smaller than this share of tol U count as 0 while iterating: rounding in the positions makes the gaps of
 * redundant contacts contradict one another, and the proximal method would answer with impulses that grow until one
 * opens. The answer is judged with the offsets as given. A caller that knows the size of its positions may round gaps
 * to 0 itself, in a wider band. */
#define CRN_BODIES_BAND 0.1

/* A certificate from which Newton's method is near enough: below it a warm start is tried with Newton alone. */
#define CRN_BODIES_NEAR 1e-3

/* Solve for the system's free velocity and offsets.
 *   start  impulses to start from, 3 per contact; NULL: cold
 *   l      rows; read as the start's if `start` is given
 * Outcome CRN_LCP_SOLVED: the certificate is at most tol for run->law, which is CONVEX where Coulomb's law was asked for
 * but not reached. CRN_LCP_INFEASIBLE: bodies->ray proves it. CRN_LCP_LIMIT: r is the best found. */
void crn_bodies_solve(crn_bodies *bodies, const crn_system *system, crn_contact_law law, double tol,
                      const double *start, double *r, double *l, crn_run *run);

/* From r and l, which are near: Newton's method on Coulomb's law alone. True, and they are the answer, if it is reached; else
 * they stay. */
bool crn_bodies_finish(crn_bodies *bodies, const crn_system *system, double tol, double *r, double *l, crn_run *run);

#endif
