/* The order of attempts in contact space. */
#include <math.h>
#include <string.h>

#include "contact/delassus.h"

enum {
    WHOLE_STEPS = 4,
    FIRST_STEPS = 8, /* of the plain way: it is right soon or never */
    SWEEPS = 5,
    PROXIMAL_STEPS = 200
};

/* Of U/delta: larger impulses balance one another. Whether there is an answer then, and which, is the body level's matter. */
static const double LARGE = 1e4;

/* The first attempt has no sweeps: of redundant supports it leaves those alike that were alike. */
static void attempt(crn_delassus *d, double start_tol)
{
    if (crn_delassus_check(d) > start_tol) {
        crn_delassus_newton(d, WHOLE_STEPS, FIRST_STEPS);
    }
    if (d->reached > d->tol) {
        memcpy(d->r, d->best, (size_t)d->n * sizeof *d->r);
        crn_delassus_sweep(d, SWEEPS);
        crn_delassus_newton(d, 0, FIRST_STEPS);
    }
    if (d->reached > d->tol) {
        crn_delassus_proximal(d, PROXIMAL_STEPS);
    }
}

static void set_start(crn_delassus *d, bool is_start, const double *r, const double *l)
{
    memset(d->r, 0, (size_t)d->n * sizeof *d->r);
    for (int i = 0; i < d->contacts && is_start; ++i) {
        crn_delassus_put(d, i, r + 3 * (size_t)i, d->r);
    }
    for (int i = 0; i < d->rows && is_start; ++i) {
        d->r[d->first[d->contacts + i]] = l[i];
    }
}

static void tell(const crn_delassus *d, double *r, double *l)
{
    for (int i = 0; i < d->contacts; ++i) {
        crn_delassus_take(d, i, d->best, r + 3 * (size_t)i);
    }
    for (int i = 0; i < d->rows; ++i) {
        l[i] = d->best[d->first[d->contacts + i]];
    }
}

static bool is_moderate(const crn_delassus *d)
{
    bool is_fine = true;
    for (int i = 0; i < d->items; ++i) {
        is_fine = is_fine && fabs(d->best[d->first[i]]) * d->delta[i] <= LARGE * d->scale;
    }
    return is_fine;
}

bool crn_delassus_solve(crn_delassus *d, double scale, double tol, double start_share, double *r, double *l,
                        crn_run *run)
{
    const bool is_start = start_share > 0.0;
    crn_delassus_load(d, scale, tol);
    set_start(d, is_start, r, l);
    attempt(d, start_share * tol);
    bool is_solved = d->reached <= tol && is_moderate(d);
    *run = (crn_run){.outcome = is_solved ? CRN_LCP_SOLVED : CRN_LCP_LIMIT,
                     .law = CRN_LAW_COULOMB,
                     .iterations = d->iterations,
                     .refactorizations = d->factorizations,
                     .is_warm = is_start && is_solved};
    if (is_solved) {
        tell(d, r, l);
    }
    return is_solved;
}
