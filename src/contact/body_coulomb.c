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

enum {
    INNER_MAX = 8,
    OUTER_MAX = 400, /* those that keep their factor are cheap */
    HALVINGS_MAX = 8,
    WINDOW = 4, /* outer iterations in which the certificate is to halve, or the factorisations asked for are all */
    MORE = 4,   /* ... and else so many times as many */
    HOLD_FIRST = 10, /* outer iterations that keep the penalty after a failure; twice as many after the next */
    EASY = 2,
    FAIR = 4 /* factorisations of an outer iteration after which the penalty grows fast, grows */
};

/* Penalty kappa = trust / certificate to begin with: far from a solution a small one, with which the pieces of few contacts
 * change. On the way to the answer it has to grow: where supports are redundant and their gaps contradict one another, the
 * impulses have a long way to go along what balances itself, by kappa times the certificate an outer iteration. */
static const double TRUST = 0.01;
static const double KAPPA_LEAST = 10.0, KAPPA_MOST = 1e4; /* of the first penalty */
static const double KAPPA_CUT = 0.2;                      /* after a failure */
static const double KAPPA_EASY = 15.0, KAPPA_FAIR = 5.0;
static const double KAPPA_END = 1.0; /* a penalty below it is a failure */
/* Rounding that a penalty above the cap leaves is gone an outer iteration later, but what of it balances itself stays: not where
 * a start is to be kept. There the penalty is no larger than the certificate asks for. */
static const double CAP_MORE = 1e3;
static const double STALE_SHARE = 0.7;
static const double CHORD_SHARE = 0.3; /* a kept factor is good while |F| falls to this share */
static const double DESCENT = 1e-4;    /* |F| must fall by this share of what the full step promises */
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

/* Has any contact or row changed its piece since the factor was made? Directions on the rim change slowly: a chord. */
static bool is_changed(const crn_bodies *b)
{
    size_t items = (size_t)(b->system.contacts + (b->system.bounded > 0 ? b->system.rows : 0));
    return memcmp(b->piece, b->factor_piece, items * sizeof *b->piece) != 0;
}

static double length_of(const crn_bodies *b, const double *x)
{
    return sqrt(crn_dot(b->system.dof, x, x));
}

/* v += t step with the largest t = 1, 1/2, ... that lets |F| fall; false if none does. */
static bool backtrack(crn_bodies *b, int halvings)
{
    const crn_body_system *s = &b->system;
    double before = length_of(b, b->gradient), t = 1.0, moved = 0.0;
    for (int halving = 0; halving <= halvings; ++halving, t *= 0.5) {
        crn_axpy(s->dof, t - moved, b->step, b->v);
        crn_axpy(s->length, t - moved, b->w, b->u);
        moved = t;
        evaluate(b);
        if (length_of(b, b->gradient) <= (1.0 - DESCENT * t) * before) {
            return true;
        }
    }
    return false;
}

/* One Newton step with the factor at hand. */
static bool take_step(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int l = 0; l < s->dof; ++l) {
        b->step[l] = -b->gradient[l];
    }
    crn_block_lu_solve(&b->matrix, b->step);
    crn_body_slip(s, b->step, NULL, b->w);
    b->iterations++;
    return backtrack(b, HALVINGS_MAX);
}

/* Solve F = 0 to |F| <= stop, as a speed. The factor is kept while kappa and pieces stay and |F| falls fast. */
static bool solve_inner(crn_bodies *b, double kappa, double stop, int last_factorization, double *factor_kappa)
{
    const crn_body_system *s = &b->system;
    evaluate(b);
    bool is_slow = false;
    for (int inner = 0; crn_body_speed(s, b->gradient) > stop; ++inner) {
        if (inner == INNER_MAX) {
            return false;
        }
        bool is_fresh = *factor_kappa != kappa || is_slow || is_changed(b);
        if (is_fresh) {
            *factor_kappa = 0.0;
            if (b->factorizations >= last_factorization || !factorize(b)) {
                return false;
            }
            memcpy(b->factor_piece, b->piece, (size_t)(s->contacts + s->rows) * sizeof *b->piece);
            *factor_kappa = kappa;
        }
        double before = length_of(b, b->gradient);
        bool is_falling = take_step(b);
        if (!is_falling && is_fresh) {
            return false;
        }
        is_slow = !is_falling || length_of(b, b->gradient) > CHORD_SHARE * before;
    }
    return true;
}

typedef struct course {
    double kappa, factor_kappa;
    int hold, holds;     /* outer iterations for which kappa stays; after the next failure */
    double past[WINDOW]; /* certificates */
} course;

/* Another outer iteration, which took so many factorisations and may have failed. */
static void steer(course *at, bool has_failed, int factorizations)
{
    if (has_failed) {
        at->kappa *= KAPPA_CUT;
        at->hold = at->holds;
        at->holds *= 2;
    } else if (at->hold > 0) {
        --at->hold;
    } else {
        at->kappa *= factorizations <= EASY ? KAPPA_EASY : factorizations <= FAIR ? KAPPA_FAIR : 1.0;
    }
}

static double first_kappa(double certificate)
{
    return crn_max(KAPPA_LEAST, crn_min(KAPPA_MOST, TRUST / certificate));
}

static double most_kappa(const crn_bodies *b, const crn_newton_plan *plan, double certificate)
{
    double cap = crn_body_kappa_cap(b, plan->accept);
    return plan->kappa > 0.0 ? crn_min(cap, crn_max(plan->kappa, 1.0 / certificate)) : CAP_MORE * cap;
}

double crn_body_alart_curnier(crn_bodies *b, const crn_newton_plan *plan)
{
    size_t items = (size_t)b->system.length * sizeof *b->r;
    double last = crn_body_check(b, CRN_LAW_COULOMB, b->offset), best = last;
    course at = {.kappa = plan->kappa > 0.0 ? plan->kappa : first_kappa(last), .holds = HOLD_FIRST};
    int first = b->factorizations;
    memcpy(b->best, b->r, items);
    for (int outer = 0; outer < OUTER_MAX && last > plan->aim && at.kappa >= KAPPA_END; ++outer) {
        bool is_gaining = outer >= WINDOW && best <= 0.5 * at.past[outer % WINDOW];
        int limit = first + plan->max_factorizations * (is_gaining ? MORE : 1);
        at.past[outer % WINDOW] = best;
        if (b->factorizations >= limit) {
            break;
        }
        double stop = crn_max(INNER_AIM * plan->aim, INNER_SHARE * last) * b->scale;
        at.kappa = crn_min(at.kappa, most_kappa(b, plan, last));
        int before = b->factorizations;
        crn_body_set_rho(b, at.kappa);
        bool is_solved = solve_inner(b, at.kappa, stop, limit, &at.factor_kappa);
        memcpy(b->held, b->r, items);
        memcpy(b->r, b->p, items);
        double next = crn_body_check(b, CRN_LAW_COULOMB, b->offset);
        bool has_failed = !is_solved && !(next <= STALE_SHARE * last);
        steer(&at, has_failed, b->factorizations - before);
        if (has_failed) {
            memcpy(b->r, b->held, items);
            next = crn_body_check(b, CRN_LAW_COULOMB, b->offset);
        }
        last = next;
        if (last < best) {
            best = last;
            memcpy(b->best, b->r, items);
        }
    }
    memcpy(b->r, b->best, items);
    return best;
}
