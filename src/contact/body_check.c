/* How well impulses r solve the problem:
 *
 *     v = k + X r,   u = X'v + offset,   u~ = u (convex) or u + mu |u_t| e_n (Coulomb),   e_i = r_i - Proj_K(r_i - u~_i/delta_i)
 *
 * relative: the largest of |e_i| delta_i / U and |e_i| / max(R, U/delta_i), with R the largest impulse and U the speed of
 * the free motion (system.h). A contact far away must not enter U, or it would loosen the test for all; in free flight R
 * tends to 0, hence U/delta. The dynamics hold to rounding because v is made from r. A bilateral row has
 * e = (B'v + offset)/delta, or with a bound e = l - Proj(l - (B'v + offset)/delta); it is measured in units in which the row
 * is as long as the longest normal.
 *
 * Impulses that balance one another may be of any size where a problem has no solution; u then drowns in their rounding
 * and the natural map with it. So epsilon |r_i| delta_i / U, what the velocities are known to, is a lower bound. */
#include "contact/body_check.h"

#include <math.h>

#include "contact/friction_cone.h"
#include "contact/item_error.h"
#include "math/vec.h"

double crn_body_largest_impulse(const crn_bodies *b)
{
    double square = 0.0, row = 0.0;
    for (int c = 0; c < b->system.contacts; ++c) {
        const double *r = b->r + 3 * (long)c;
        square = crn_max(square, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    }
    for (int c = 0; c < b->system.rows; ++c) {
        row = crn_max(row, fabs(b->r[3 * b->system.contacts + c]) / b->system.row_factor[c]);
    }
    return crn_max(row, sqrt(square));
}

double crn_body_check(crn_bodies *b, crn_contact_law law, const double *offset)
{
    const crn_body_system *s = &b->system;
    crn_body_push(s, s->k, b->r, b->v);
    crn_body_slip(s, b->v, offset, b->u);
    crn_error_scale scale = {b->scale, crn_body_largest_impulse(b)};
    double worst = 0.0;
    b->off = 0;
    for (int c = 0; c < s->contacts; ++c) {
        const double *r = b->r + 3 * (long)c, *u = b->u + 3 * (long)c;
        double error = crn_contact_item_error(law, s->mu[c], s->delta[c], r, u, &scale);
        b->off += error > CRN_BODIES_NEAR;
        worst = error > worst || isnan(error) ? error : worst;
    }
    for (int c = 0; c < s->rows; ++c) {
        long at = 3 * (long)s->contacts + c;
        double delta = s->delta[s->contacts + c];
        double error = crn_row_item_error(s->bound[c], delta, s->row_factor[c], b->r[at], b->u[at], &scale);
        b->off += error > CRN_BODIES_NEAR;
        worst = error > worst || isnan(error) ? error : worst;
    }
    return isnan(worst) ? INFINITY : worst;
}

void crn_body_set_offsets(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    double band = CRN_BODIES_BAND * b->tol * b->scale;
    for (int i = 0; i < s->length; ++i) {
        b->offset[i] = fabs(s->offset[i]) < band ? 0.0 : s->offset[i];
    }
}

void crn_body_project(const crn_bodies *b, double *r)
{
    for (int c = 0; c < b->system.contacts; ++c) {
        (void)crn_cone_project(b->system.mu[c], r + 3 * (long)c, r + 3 * (long)c);
    }
    for (int c = 0; c < b->system.rows; ++c) {
        double *l = r + 3 * (long)b->system.contacts + c;
        (void)crn_row_clip(b->system.bound[c], *l, l);
    }
}
