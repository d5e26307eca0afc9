/* Proximal Alart-Curnier Newton for Coulomb's law [HA03 eq. 2.9], [AC91]:
 *
 *     p_n = max(0, y_n),  p_t = y_t clipped to the disk of radius mu p_n,   y = r - rho u
 *     F(v) = v - k - X p(y(v)) = 0,    then r := p
 *
 * is Newton's method with the matrix I + sum X A X', A = rho dp/dy: unsymmetric where a contact slides, with the pattern of
 * the convex law's matrix. No function is minimised here, so the step is shortened until |F| falls, and the method is
 * sure only near a solution: warm starts, polish. */
#include "contact/body_coulomb.h"

#include <math.h>
#include <string.h>

#include "contact/body_check.h"
#include "contact/body_cone.h"
#include "math/vec.h"

enum { INNER_MAX = 8, OUTER_MAX = 100, HALVINGS_MAX = 8, STALE_MAX = 8, EASY = 2 };

/* Penalty kappa = trust / certificate: far from a solution a small one, with which the pieces of few contacts change. */
static const double TRUST_FIRST = 1.0;
static const double TRUST_CUT = 0.1;    /* after a failure */
static const double TRUST_GROWTH = 1.5; /* after at most EASY factorisations */
static const double TRUST_LEAST = 1e-3;
static const double STALE_SHARE = 0.7;
static const double DESCENT = 1e-4; /* |F| must fall by this share of what the full step promises */
static const double INNER_AIM = 0.2, INNER_SHARE = 0.01; /* as in body_newton.c */

/* y, p, pieces and F (in `gradient`) from r and u. */
static void evaluate(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int c = 0; c < s->contacts; ++c) {
        const double *r = b->r + 3 * (long)c, *u = b->u + 3 * (long)c;
        double *y = b->y + 3 * (long)c, rho = b->rho[c];
        for (int j = 0; j < 3; ++j) {
            y[j] = r[j] - rho * u[j];
        }
        b->piece[c] = (unsigned char)crn_cone_clip(s->mu[c], y, b->p + 3 * (long)c);
    }
    crn_body_evaluate_rows(b);
    crn_body_push(s, s->k, b->p, b->gradient);
    for (int l = 0; l < s->dof; ++l) {
        b->gradient[l] = b->v[l] - b->gradient[l];
    }
}

static bool factorize(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int c = 0; c < s->contacts; ++c) {
        crn_cone_clip_derivative(s->mu[c], b->rho[c], (crn_cone_piece)b->piece[c], b->y + 3 * (long)c,
                                 b->A + 9 * (long)c);
    }
    crn_body_weigh_rows(b);
    crn_body_assemble_unsymmetric(s, b->A, b->weight, &b->matrix);
    b->factor_kappa = 0.0;
    b->factorizations++;
    b->unsymmetric++;
    return crn_block_lu(&b->matrix);
}

/* Has any contact or row changed its piece since `factor_piece` was noted, or does one slide? */
static bool is_changed(const crn_bodies *b)
{
    bool changed = false;
    for (int c = 0; c < b->system.contacts && !changed; ++c) {
        changed = b->piece[c] != b->factor_piece[c] || b->piece[c] == CRN_CONE_RIM;
    }
    for (int c = b->system.contacts; b->system.bounded > 0 && c < b->system.contacts + b->system.rows; ++c) {
        changed = changed || b->piece[c] != b->factor_piece[c];
    }
    return changed;
}

/* v += t step with the largest t = 1, 1/2, ... that lets |F| fall; false if none does. */
static bool backtrack(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    double before = sqrt(crn_dot(s->dof, b->gradient, b->gradient)), t = 1.0, moved = 0.0;
    for (int halving = 0; halving <= HALVINGS_MAX; ++halving, t *= 0.5) {
        crn_axpy(s->dof, t - moved, b->step, b->v);
        crn_axpy(s->length, t - moved, b->w, b->u);
        moved = t;
        evaluate(b);
        double after = sqrt(crn_dot(s->dof, b->gradient, b->gradient));
        if (after <= (1.0 - DESCENT * t) * before) {
            return true;
        }
    }
    return false;
}

/* Solve F = 0 to |F| <= stop, as a speed. */
static bool solve_inner(crn_bodies *b, double stop, int last_factorization)
{
    const crn_body_system *s = &b->system;
    bool has_factor = false;
    evaluate(b);
    for (int inner = 0; crn_body_speed(s, b->gradient) > stop; ++inner) {
        if (inner == INNER_MAX) {
            return false;
        }
        if (!has_factor || is_changed(b)) {
            if (b->factorizations >= last_factorization || !factorize(b)) {
                return false;
            }
            memcpy(b->factor_piece, b->piece, (size_t)(s->contacts + s->rows) * sizeof *b->piece);
            has_factor = true;
        }
        for (int l = 0; l < s->dof; ++l) {
            b->step[l] = -b->gradient[l];
        }
        crn_block_lu_solve(&b->matrix, b->step);
        crn_body_slip(s, b->step, NULL, b->w);
        b->iterations++;
        if (!backtrack(b)) {
            return false;
        }
    }
    return true;
}

double crn_body_alart_curnier(crn_bodies *b, const crn_newton_plan *plan)
{
    size_t items = (size_t)b->system.length * sizeof *b->r;
    double last = crn_body_check(b, CRN_LAW_COULOMB, b->offset), best = last, trust = TRUST_FIRST;
    int limit = b->factorizations + plan->max_factorizations, stale = 0;
    memcpy(b->best, b->r, items);
    for (int outer = 0; outer < OUTER_MAX && last > plan->aim && stale < STALE_MAX; ++outer) {
        double stop = crn_max(INNER_AIM * plan->aim, INNER_SHARE * last) * b->scale;
        double kappa = crn_min(trust / last, crn_body_kappa_cap(b, plan->accept));
        int before = b->factorizations;
        crn_body_set_rho(b, kappa);
        bool is_solved = solve_inner(b, stop, limit);
        memcpy(b->held, b->r, items);
        memcpy(b->r, b->p, items);
        double next = crn_body_check(b, CRN_LAW_COULOMB, b->offset);
        if (!is_solved && !(next <= STALE_SHARE * last)) { /* nearer to r the pieces change less */
            memcpy(b->r, b->held, items);
            last = crn_body_check(b, CRN_LAW_COULOMB, b->offset);
            trust *= TRUST_CUT;
            if (b->factorizations >= limit || trust < TRUST_LEAST) {
                break;
            }
            continue;
        }
        last = next;
        trust *= b->factorizations - before <= EASY ? TRUST_GROWTH : 1.0;
        stale = last <= STALE_SHARE * best ? 0 : stale + 1;
        if (last < best) {
            best = last;
            memcpy(b->best, b->r, items);
        }
    }
    memcpy(b->r, b->best, items);
    return best;
}
