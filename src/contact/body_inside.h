/* What the methods share that go through the inside of the cones (body_ipm.c, body_path.c): a point, its residuals, the linear
 * system there, and moves.
 *
 * With D = diag(1, mu, mu): s = D u and z, where r = D z, both lie in the Lorentz cone (also for mu = 0), and
 *
 *     r_d = v - k - X D z - B l = 0,    r_p = D (X'v + offset) - s = 0,    s'z = 0
 *
 * A step asks that s change by E X'dv + r and s o z by what `c` says (body_lorentz.h: lambda o c):
 *
 *     (I + sum X D W^-2 E X') dv = -r_d + sum X D (W^-1 c - W^-2 r)
 *     ds = E X'dv + r,   dz = W^-1 c - W^-2 ds
 *
 * where E = D for the convex law. Coulomb's law has s = D u + mu |u_t| e_n, so that E = D + mu e_n (0, u_t/|u_t|)', and the matrix
 * needs LU. |u_t| is convex: what it exceeds its tangent by after a step is added to s_n, which keeps s in the cone and lets r_p
 * fall as if it were linear.
 *
 * With a proximal term s follows the law but for (delta/kappa) dz, so that z moves by what the law is off by, kappa times at most:
 *
 *     dz = B (W c - E X'dv - r),   ds = E X'dv + r + (delta/kappa) dz,   B = (W^2 + delta/kappa)^-1 in the place of W^-2
 *
 * A bilateral row has its multiplier updated as in the proximal method, dl = -rho (e + B'dv), which adds rho B B'; a row with
 * a bound is a pair of half-lines (body_box.c). */
#ifndef CRN_CONTACT_BODY_INSIDE_H
#define CRN_CONTACT_BODY_INSIDE_H

#include "contact/body_drive.h"

#define CRN_INSIDE_STEP_SHARE 0.99 /* of the way to the boundary that a step takes at most */

/* Gaps at which Newton's method is tried from a way on Coulomb's law: the first, each next as a share of the one before, and the
 * last, below which rounding has the way; and the gap below which a way that does not advance is worth a trial too. All as shares of U's energy. */
#define CRN_INSIDE_AIM       1e-10
#define CRN_INSIDE_RESIDUAL  1e-6 /* and what residuals may be there, as a share of U */
#define CRN_INSIDE_AIM_SHARE 0.03
#define CRN_INSIDE_AIM_LEAST 1e-14
#define CRN_INSIDE_SLOW_GAP  1e-6

typedef struct crn_inside_progress {
    double gap;           /* mean s'z, as a share of U^2/mean(delta); rows with bounds count twice */
    double residual;      /* of r_p, r_d and the rows, as a share of U */
    double infeasibility; /* of r_p alone */
    double unit;          /* U^2/mean(delta): what gaps are a share of */
} crn_inside_progress;

/* Set s, z, v for the law bodies->inside. Cold: at the free motion, with slacks of this share of U. */
void crn_inside_start_cold(crn_bodies *bodies, double share);

/* Near bodies->r, as near as their certificate allows, but no nearer than `least`: at the boundary steps are short. Cold if
 * they are far off. */
void crn_inside_start_near(crn_bodies *bodies, double least);

/* r = (D z, l), u, residuals and scaling at the present point. */
crn_inside_progress crn_inside_look(crn_bodies *bodies);

/* The matrix at the present point, factorised. */
bool crn_inside_factorize(crn_bodies *bodies);

/* The step for the right-hand sides c of all cones and boxes: with r = r_p and the residuals of rows, or with r = (bow, 0, 0)
 * and none. */
void crn_inside_solve(crn_bodies *bodies, bool with_residuals);

/* Mean s'z after a step t. */
double crn_inside_gap(const crn_bodies *bodies, double t);

/* Largest t <= 1 / CRN_INSIDE_STEP_SHARE at which all is still inside; t again, or less where rounding would leave it. */
double crn_inside_way(const crn_bodies *bodies);
double crn_inside_safe_step(const crn_bodies *bodies, double t);

void crn_inside_move(crn_bodies *bodies, double t);

/* Keep the present point; come back to it. */
void crn_inside_keep(const crn_bodies *bodies, crn_body_direction *point);
void crn_inside_return(crn_bodies *bodies, const crn_body_direction *point);

/* No step is at hand: no second-order part of one. */
void crn_inside_forget(crn_bodies *bodies);

#endif
