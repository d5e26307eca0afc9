/* Primal-dual interior point for the convex law, with Nesterov and Todd's scaling  [NT97], [M92]: steps of body_steps.h at a point
 * inside (body_inside.h).
 *
 * Far along, W spreads over more decades than the arithmetic has, and Cholesky breaks down; so the method hands over when
 * it is near, when it no longer advances, or at the first pivot that is not positive. */
#include "contact/body_ipm.h"

#include "contact/body_inside.h"
#include "contact/body_steps.h"

enum { WINDOW = 4 };
static const double SLOW_SHARE =
    0.5; /* no progress: gap and residuals above this share of those WINDOW iterations ago */

/* The step's length, 0 if the matrix cannot be factorised or the step has none: the point stays. */
static double iterate(crn_bodies *b)
{
    double t = crn_inside_factorize(b) ? crn_body_step_towards(b, crn_body_predict(b)) : 0.0;
    if (t > 0.0) {
        crn_inside_move(b, t);
        b->iterations++;
    }
    return t;
}

static bool is_there(const crn_ipm_plan *plan, const crn_inside_progress *now)
{
    return plan->gap > 0.0 ? now->residual < plan->gap && now->gap < plan->gap
                           : now->residual < CRN_INSIDE_RESIDUAL && now->gap < CRN_INSIDE_AIM;
}

static bool is_slow(const crn_inside_progress *now, const crn_inside_progress *then)
{
    return !(now->gap < SLOW_SHARE * then->gap) && !(now->residual < SLOW_SHARE * then->residual);
}

bool crn_body_interior_point(crn_bodies *b, const crn_ipm_plan *plan)
{
    b->inside = CRN_LAW_CONVEX;
    if (plan->is_cold) {
        crn_inside_start_cold(b, 1.0);
    } else {
        crn_inside_start_near(b, plan->least);
    }
    crn_inside_progress past[WINDOW];
    for (int k = 0; k < plan->most; ++k) {
        crn_inside_progress now = crn_inside_look(b), *then = &past[k % WINDOW];
        if (is_there(plan, &now) || (k >= WINDOW && is_slow(&now, then))) {
            return true;
        }
        *then = now;
        if (!(iterate(b) > 0.0)) {
            return k > 0;
        }
    }
    return true;
}
