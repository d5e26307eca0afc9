/* Proximal Alart-Curnier Newton for Coulomb's law [HA03 eq. 2.9], [AC91]:
 *
 *     p_n = max(0, y_n),  p_t = y_t clipped to the disk of radius mu p_n,   y = r - rho u
 *     F(v) = v - k - X p(y(v)) = 0,    then r := p
 *
 * is Newton's method with the matrix I + sum X A X', A = rho dp/dy: unsymmetric where a contact slides, with the pattern of
 * the convex law's matrix. No function is minimised here, so the step is shortened until |F| falls, and the method is
 * sure only near a solution: warm starts, polish.
 *
 * Where supports are redundant and their gaps contradict one another, the impulses have a long way to go along what balances
 * itself, by kappa times the certificate an outer iteration, while all pieces stay: a plateau. There the penalty has to grow,
 * and the factor is kept.
 *
 * On a plateau v stays, so that sum X rho u = 0 over the contacts that stick: their velocities u, which cannot all be 0, are those
 * with the least sum of rho |u|^2. The certificate asks for the least maximum, which other weights have: those of Lawson's
 * iteration [L61]. */
#include "contact/body_coulomb.h"

#include <math.h>
#include <string.h>

#include "contact/body_check.h"
#include "contact/friction_cone.h"
#include "contact/item_error.h"
#include "math/vec.h"

enum { INNER_MAX = 8, OUTER_MAX = 100, HALVINGS_MAX = 8, STALE_MAX = 8 };
enum { EASY = 2, FAIR = 4 }; /* factorisations of an outer iteration that went well, or fairly so */

/* Penalty kappa = trust / certificate: far from a solution a small one, with which the pieces of few contacts change. */
static const double TRUST_FIRST = 1.0;
static const double TRUST_CUT = 0.1;    /* after a failure */
static const double TRUST_GROWTH = 1.5; /* after an easy iteration */
static const double TRUST_LEAST = 1e-3;
static const double STALE_SHARE = 0.7;
static const double DESCENT = 1e-4; /* |F| must fall by this share of what the full step promises */
static const double INNER_AIM = 0.2, INNER_SHARE = 0.01; /* as in body_newton.c */

/* Along a plateau. */
enum {
    CREEP_MAX = 400, /* outer iterations: those that keep their factor are cheap */
    WINDOW = 4,      /* in which the certificate is to halve, or the factorisations asked for are all, */
    MORE = 4,        /* and else so many times as many */
    HOLD_FIRST = 10  /* that keep the penalty after a failure; twice as many after the next */
};
static const double CREEP_TRUST = 0.01, CREEP_LEAST = 10.0,
                    CREEP_MOST = 1e4;                    /* the first penalty: of the certificate, within these */
static const double CREEP_CUT = 0.2;                     /* after a failure */
static const double CREEP_EASY = 15.0, CREEP_FAIR = 5.0; /* its growth */
static const double CREEP_END = 1.0;                     /* a penalty below it is a failure */
static const double CAP_MORE = 1e3; /* rounding that a penalty above the cap leaves is gone an outer iteration later */
static const double CHORD_SHARE = 0.3; /* a kept factor is good while |F| falls to this share */

/* Errors shared better. */
enum { LEVEL_MAX = 20 }; /* outer iterations: 2 to 10 where it succeeds */
static const double LEVEL_KAPPA =
    1e5;                             /* large enough for the soft modes, and impulses change by 1e-3 U/delta at 1e-8 */
static const double LEVEL_CUT = 0.3; /* after a failure */
static const double LEVEL_SHARE = 0.7; /* an item with this share of the largest error keeps its emphasis; ... */
static const double LEVEL_DOWN = 0.5;  /* ... that of others changes as their errors, by no more than so much a time */
static const double LEVEL_AIM = 0.9;   /* of what will do: room for the dead band */

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

/* Has any contact or row changed its piece since the factor was made? Directions on the rim change slowly: a chord will do. */
static bool is_changed(const crn_bodies *b, bool has_chords)
{
    size_t items = (size_t)(b->system.contacts + (b->system.bounded > 0 ? b->system.rows : 0));
    bool changed = memcmp(b->piece, b->factor_piece, items * sizeof *b->piece) != 0;
    for (int c = 0; c < b->system.contacts && !has_chords && !changed; ++c) {
        changed = b->piece[c] == CRN_CONE_RIM;
    }
    return changed;
}

static double length_of(const crn_bodies *b, const double *x)
{
    return sqrt(crn_dot(b->system.dof, x, x));
}

/* v += t step with the largest t = 1, 1/2, ... that lets |F| fall; false if none does. */
static bool backtrack(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    double before = length_of(b, b->gradient), t = 1.0, moved = 0.0;
    for (int halving = 0; halving <= HALVINGS_MAX; ++halving, t *= 0.5) {
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
    return backtrack(b);
}

/* A course through outer iterations. */
typedef struct course {
    double kappa;
    int last;            /* factorisation */
    bool has_factor;     /* with this kappa */
    bool has_emphasis;   /* penalties are kappa/delta times the emphasis */
    bool has_chords;     /* the factor is kept while pieces stay and |F| falls fast */
    int hold, holds;     /* outer iterations for which kappa stays; after the next failure */
    double past[WINDOW]; /* certificates */
} course;

/* Solve F = 0 to |F| <= stop, as a speed. */
static bool solve_inner(crn_bodies *b, double stop, course *at)
{
    const crn_body_system *s = &b->system;
    bool is_slow = false;
    evaluate(b);
    for (int inner = 0; crn_body_speed(s, b->gradient) > stop; ++inner) {
        if (inner == INNER_MAX) {
            return false;
        }
        bool is_fresh = !at->has_factor || is_slow || is_changed(b, at->has_chords);
        if (is_fresh) {
            at->has_factor = false;
            if (b->factorizations >= at->last || !factorize(b)) {
                return false;
            }
            memcpy(b->factor_piece, b->piece, (size_t)(s->contacts + s->rows) * sizeof *b->piece);
            at->has_factor = true;
        }
        double before = length_of(b, b->gradient);
        bool is_falling = take_step(b);
        if (!is_falling && (is_fresh || !at->has_chords)) {
            return false;
        }
        is_slow = at->has_chords && (!is_falling || length_of(b, b->gradient) > CHORD_SHARE * before);
    }
    return true;
}

/* One outer iteration from r with certificate `last`: r := p, or r as it was if that failed. The certificate of r. */
static double advance(crn_bodies *b, const crn_newton_plan *plan, double last, course *at, bool *has_failed)
{
    size_t items = (size_t)b->system.length * sizeof *b->r;
    double stop = crn_max(INNER_AIM * plan->aim, INNER_SHARE * last) * b->scale;
    crn_body_set_rho(b, at->kappa);
    for (int i = 0; at->has_emphasis && i < b->system.contacts + b->system.rows; ++i) {
        b->rho[i] *= b->emphasis[i];
    }
    bool is_solved = solve_inner(b, stop, at);
    memcpy(b->held, b->r, items);
    memcpy(b->r, b->p, items);
    double next = crn_body_check(b, CRN_LAW_COULOMB, b->offset);
    *has_failed = !is_solved && !(next <= STALE_SHARE * last);
    if (*has_failed) { /* nearer to r the pieces change less */
        memcpy(b->r, b->held, items);
        next = crn_body_check(b, CRN_LAW_COULOMB, b->offset);
    }
    return next;
}

static double keep_best(crn_bodies *b, double now, double best)
{
    if (now < best) {
        memcpy(b->best, b->r, (size_t)b->system.length * sizeof *b->r);
    }
    return crn_min(now, best);
}

double crn_body_alart_curnier(crn_bodies *b, const crn_newton_plan *plan)
{
    double last = crn_body_check(b, CRN_LAW_COULOMB, b->offset), best = keep_best(b, last, INFINITY);
    double trust = TRUST_FIRST;
    course at = {.last = b->factorizations + plan->max_factorizations};
    int stale = 0;
    for (int outer = 0; outer < OUTER_MAX && last > plan->aim && stale < STALE_MAX; ++outer) {
        int before = b->factorizations;
        bool has_failed;
        at.kappa = crn_min(trust / last, crn_body_kappa_cap(b, plan->accept));
        at.has_factor = false;
        last = advance(b, plan, last, &at, &has_failed);
        if (has_failed) {
            trust *= TRUST_CUT;
            if (b->factorizations >= at.last || trust < TRUST_LEAST) {
                break;
            }
            continue;
        }
        trust *= b->factorizations - before <= EASY ? TRUST_GROWTH : 1.0;
        stale = last <= STALE_SHARE * best ? 0 : stale + 1;
        best = keep_best(b, last, best);
    }
    memcpy(b->r, b->best, (size_t)b->system.length * sizeof *b->r);
    return best;
}

/* --- Along a plateau --- */

/* The penalty after an outer iteration that took so many factorisations. */
static void steer(course *at, bool has_failed, int factorizations)
{
    double growth = 1.0;
    if (has_failed) {
        growth = CREEP_CUT;
        at->hold = at->holds;
        at->holds *= 2;
    } else if (at->hold > 0) {
        --at->hold;
    } else if (factorizations <= FAIR) {
        growth = factorizations <= EASY ? CREEP_EASY : CREEP_FAIR;
    }
    at->kappa *= growth;
    at->has_factor = at->has_factor && growth == 1.0;
}

double crn_body_creep(crn_bodies *b, const crn_newton_plan *plan)
{
    double last = crn_body_check(b, CRN_LAW_COULOMB, b->offset), best = keep_best(b, last, INFINITY);
    course at = {.has_chords = true, .holds = HOLD_FIRST};
    int first = b->factorizations;
    at.kappa = crn_max(CREEP_LEAST, crn_min(CREEP_MOST, CREEP_TRUST / last));
    for (int outer = 0; outer < CREEP_MAX && last > plan->aim && at.kappa >= CREEP_END; ++outer) {
        bool is_gaining = outer >= WINDOW && best <= 0.5 * at.past[outer % WINDOW], has_failed;
        int before = b->factorizations;
        double cap = CAP_MORE * crn_body_kappa_cap(b, plan->accept);
        at.last = first + plan->max_factorizations * (is_gaining ? MORE : 1);
        at.past[outer % WINDOW] = best;
        if (before >= at.last) {
            break;
        }
        at.has_factor = at.has_factor && at.kappa <= cap;
        at.kappa = crn_min(at.kappa, cap);
        last = advance(b, plan, last, &at, &has_failed);
        steer(&at, has_failed, b->factorizations - before);
        best = keep_best(b, last, best);
    }
    memcpy(b->r, b->best, (size_t)b->system.length * sizeof *b->r);
    return best;
}

/* --- The least maximum --- */

/* Lawson's weights: more where the error is large, less where it is small. `largest` is the certificate. */
static void shift_emphasis(crn_bodies *b, double largest)
{
    const crn_body_system *s = &b->system;
    crn_error_scale scale = {b->scale, crn_body_largest_impulse(b)};
    for (int c = 0; c < s->contacts; ++c) {
        const double *r = b->r + 3 * (long)c, *u = b->u + 3 * (long)c;
        double error = crn_contact_item_error(CRN_LAW_COULOMB, s->mu[c], s->delta[c], r, u, &scale);
        b->emphasis[c] *= crn_max(LEVEL_DOWN, error / (LEVEL_SHARE * largest));
    }
}

double crn_body_level(crn_bodies *b, const crn_newton_plan *plan)
{
    double last = crn_body_check(b, CRN_LAW_COULOMB, b->offset), best = keep_best(b, last, INFINITY);
    course at = {.kappa = LEVEL_KAPPA, .last = b->factorizations + plan->max_factorizations, .has_emphasis = true};
    for (int i = 0; i < b->system.contacts + b->system.rows; ++i) {
        b->emphasis[i] = 1.0;
    }
    for (int outer = 0; outer < LEVEL_MAX && last > LEVEL_AIM * plan->accept && b->factorizations < at.last; ++outer) {
        bool has_failed;
        at.has_factor = false;
        shift_emphasis(b, last);
        last = advance(b, plan, last, &at, &has_failed);
        at.kappa *= has_failed ? LEVEL_CUT : 1.0;
        best = keep_best(b, last, best);
    }
    memcpy(b->r, b->best, (size_t)b->system.length * sizeof *b->r);
    return best;
}
