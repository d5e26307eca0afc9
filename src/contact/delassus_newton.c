/* Newton's method on Coulomb's law in contact space, by Alart and Curnier's map [AC91]:
 *
 *     F(r) = r - P(y),   y = a - rho (G r + q),   rho_i = kappa/delta_i
 *     A = dP/dy = 0 (open),  I (stick),  [1 0; mu t  (mu y_n/|y_t|)(I - t t')], t = y_t/|y_t| (slip)
 *
 *     plain        a = r, kappa = 1       J = (I - A) + rho A G       fast where the start is near
 *     proximal     a fixed [R76]          J = I + rho A G             the problem with G + 1/rho; then a := r, and kappa grows
 *
 * Open contacts have the step -F, so that the system has the others' unknowns only. Where supports are redundant G is singular; a
 * small multiple of I keeps the plain step within what changes the motion, so that loads stay near where they were. |F|, each
 * item weighed by the root of its inverse mass, must fall. */
#include <math.h>
#include <string.h>

#include "contact/friction_cone.h"
#include "contact/delassus.h"
#include "contact/proximal.h"
#include "math/vec.h"

enum { HALVINGS = 4 };
static const double NEAR = 0.1; /* a factor is kept while |F| falls to this share */
static const double ENOUGH =
    1e-2; /* of tol: a better certificate is not worth a factor, but worth steps with the one at hand. With 1 a
                                       rolling cylinder would lose 8e-9 of its speed in 2 s */
static const double EVEN =
    1e-7; /* of rho G, which has a diagonal of 1: the multiple of I. Loads are known to 2^-53 of its inverse */

static const double STALLED = 0.5; /* of the certificate: a step that leaves more of what is good enough is the last */

/* Pieces, F and A at d->r; |F|. */
static double evaluate(crn_delassus *d)
{
    const crn_system *s = d->system;
    const double *a = d->is_anchored ? d->anchor : d->r;
    double sum = 0.0;
    crn_delassus_velocity(d, d->r, d->u);
    for (int i = 0; i < s->contacts; ++i) {
        double y[3], u[3], p[3], rho = d->kappa / d->delta[i];
        crn_delassus_take(d, i, a, y);
        crn_delassus_take(d, i, d->u, u);
        for (int k = 0; k < 3; ++k) {
            y[k] -= rho * u[k];
        }
        d->piece[i] = (unsigned char)crn_cone_clip(s->mu[i], y, p);
        crn_cone_clip_derivative(s->mu[i], rho, (crn_cone_piece)d->piece[i], y, d->A + 9 * (size_t)i);
        for (int k = d->first[i]; k < d->first[i + 1]; ++k) {
            d->F[k] = d->r[k] - p[k - d->first[i]];
            sum += d->delta[i] * d->F[k] * d->F[k];
        }
    }
    for (int i = s->contacts; i < d->items; ++i) {
        int at = d->first[i];
        double p;
        bool is_within = crn_row_clip(s->row_bound[i - s->contacts], a[at] - d->kappa / d->delta[i] * d->u[at], &p);
        d->piece[i] = is_within ? CRN_CONE_STICK : CRN_CONE_OPEN;
        d->F[at] = d->r[at] - p;
        sum += d->delta[i] * d->F[at] * d->F[at];
    }
    return sqrt(sum);
}

/* The unknowns of Newton's system: those of items that push. */
static int list_unknowns(crn_delassus *d)
{
    int count = 0;
    for (int i = 0; i < d->items; ++i) {
        for (int k = d->first[i]; k < d->first[i + 1] && d->piece[i] != CRN_CONE_OPEN; ++k) {
            d->unknown[count] = k;
            d->owner[count++] = i;
        }
    }
    return count;
}

/* y = rho A x, all of an item's columns. */
static inline void push(const crn_delassus *d, int item, const double *x, double *y)
{
    const int columns = d->first[item + 1] - d->first[item];
    const double *A = d->A + 9 * (size_t)item;
    if (item >= d->contacts) {
        y[0] = d->kappa / d->delta[item] * x[0];
    } else if (columns == 3) {
        for (int k = 0; k < 3; ++k) {
            y[k] = A[k] * x[0] + A[k + 3] * x[1] + A[k + 6] * x[2];
        }
    } else {
        for (int k = 0; k < columns; ++k) {
            y[k] = A[k] * x[0] + (columns > 1 ? A[k + 3] * x[1] : 0.0);
        }
    }
}

/* The same for all items that push, one after the other: y has the unknowns of Newton's system. */
static void push_all(const crn_delassus *d, const double *x, double *y)
{
    for (int row = 0; row < d->lu.n;) {
        const int item = d->owner[row], first = d->first[item];
        push(d, item, x + first, y + row);
        row += d->first[item + 1] - first;
    }
}

/* rho A G among the unknowns; G is symmetric, so its columns are its rows. */
static void fill(crn_delassus *d)
{
    for (int c = 0; c < d->lu.n; ++c) {
        push_all(d, d->G + (size_t)d->unknown[c] * (size_t)d->n, d->lu.a + (size_t)c * (size_t)d->lu.n);
    }
}

/* What J has besides, among the unknowns of an item: I, and less A on the plain way. */
static void add_identity(crn_delassus *d)
{
    const int n = d->lu.n;
    for (int row = 0; row < n; ++row) {
        const int i = d->owner[row], k = d->unknown[row] - d->first[i];
        double *J = d->lu.a + row;
        J[(size_t)row * (size_t)n] += d->is_anchored ? 1.0 : EVEN + (i < d->contacts ? 1.0 : 0.0);
        for (int j = 0; i < d->contacts && !d->is_anchored && j < d->first[i + 1] - d->first[i]; ++j) {
            J[(size_t)(row - k + j) * (size_t)n] -= d->A[9 * (size_t)i + (size_t)(k + 3 * j)] * d->delta[i] / d->kappa;
        }
    }
}

static bool factorize(crn_delassus *d)
{
    d->lu.n = d->lu.ld = list_unknowns(d);
    fill(d);
    add_identity(d);
    memcpy(d->factored, d->piece, (size_t)d->items);
    d->factorizations++;
    return crn_lu_factor(&d->lu, 0.0);
}

/* step: J step = -F. Items that are open, or at their bounds, go to where they shall be. */
static void solve(crn_delassus *d)
{
    double *right = d->from; /* not in use yet */
    for (int i = 0; i < d->n; ++i) {
        d->step[i] = -d->F[i];
    }
    for (int c = 0; c < d->lu.n; ++c) {
        d->step[d->unknown[c]] = 0.0;
    }
    memset(d->w, 0, (size_t)d->n * sizeof *d->w);
    crn_gemv_columns(d->n, d->n, d->G, d->n, NULL, d->step, d->w);
    push_all(d, d->w, right);
    for (int c = 0; c < d->lu.n; ++c) {
        right[c] = -d->F[d->unknown[c]] - right[c];
    }
    crn_lu_solve(&d->lu, right);
    for (int c = 0; c < d->lu.n; ++c) {
        d->step[d->unknown[c]] = right[c];
    }
}

/* r += t step with the largest t = 1, 1/2, ... that lets |F| fall from `before`; |F| there. */
static double advance(crn_delassus *d, double before, int halvings)
{
    double t = 1.0, now = before;
    memcpy(d->from, d->r, (size_t)d->n * sizeof *d->r);
    for (int halving = 0; halving <= halvings; ++halving, t *= 0.5) {
        for (int i = 0; i < d->n; ++i) {
            d->r[i] = d->from[i] + t * d->step[i];
        }
        now = evaluate(d);
        if (now <= (1.0 - CRN_PROXIMAL_DESCENT * t) * before) {
            break;
        }
    }
    return now;
}

static double take_back(crn_delassus *d)
{
    memcpy(d->r, d->from, (size_t)d->n * sizeof *d->r);
    return evaluate(d);
}

/* Newton's steps until |F| is at most `share` of what it was; false if it does not fall that far. The first `whole` of them are taken
 * whatever |F| does: where loads are not unique it rises before it is 0. A factor serves as long as each step with it is as good
 * as NEAR and no item changes its piece; only steps with a factor of their own are counted. */
static bool descend(crn_delassus *d, double share, int whole, int steps)
{
    double before = evaluate(d), goal = share * before;
    bool is_near = false; /* the factor at hand is nearly that of r */
    for (int i = 0; before > goal;) {
        bool is_enough = !d->is_anchored && d->reached <= ENOUGH * d->tol; /* not worth a factor */
        if (!is_near && (is_enough || i++ == steps || !factorize(d))) {
            return is_enough;
        }
        bool is_whole = i <= whole && d->reached > d->tol;
        solve(d);
        d->iterations++;
        double now = advance(d, before, is_near || is_whole ? 0 : HALVINGS);
        if (is_near && !(now <= NEAR * before)) {
            before = take_back(d);
            is_near = false;
            continue;
        }
        if (!is_whole && !(now <= CRN_PROXIMAL_SLOW * before)) {
            return false;
        }
        if (!d->is_anchored && crn_delassus_check(d) <= d->aim) {
            return true;
        }
        is_near = now <= NEAR * before && memcmp(d->piece, d->factored, (size_t)d->items) == 0;
        before = now;
    }
    return true;
}

/* A step with the factor at hand, down to rounding: EVEN leaves its share of every step. It counts if it certifies better. */
static void polish(crn_delassus *d)
{
    solve(d);
    crn_axpy(d->n, 1.0, d->step, d->r);
    (void)crn_delassus_check(d);
}

void crn_delassus_newton(crn_delassus *d, int whole, int steps)
{
    d->is_anchored = false;
    d->kappa = 1.0;
    int before = d->factorizations;
    if (descend(d, 0.0, whole, steps) && d->factorizations > before) {
        polish(d);
    }
}

void crn_delassus_proximal(crn_delassus *d, int steps)
{
    const size_t size = (size_t)d->n * sizeof *d->r;
    const int last = d->iterations + steps;
    crn_proximal proximal = crn_proximal_from(1.0);
    d->is_anchored = true;
    while (d->reached > d->aim && crn_proximal_goes_on(&proximal) && d->iterations < last) {
        const int before = d->iterations, left = last - before;
        const double reached = d->reached;
        memcpy(d->anchor, d->r, size);
        d->kappa = proximal.rho;
        bool is_good = descend(d, CRN_PROXIMAL_INNER, 0, left < CRN_PROXIMAL_MOST ? left : CRN_PROXIMAL_MOST);
        const int taken = d->iterations - before;
        (void)crn_delassus_check(d);
        bool is_stalled = d->reached <= d->tol && d->reached > STALLED * reached;
        if (taken == 0 ||
            is_stalled) { /* a fixed point to the last bit, or redundant supports drift among themselves */
            return;
        }
        if (!is_good) {
            memcpy(d->r, d->anchor, size);
        }
        crn_proximal_steer(&proximal, is_good, taken);
    }
}
