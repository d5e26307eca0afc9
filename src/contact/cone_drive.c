/* Rounds of (sweeps; a path of proximal Newton steps).
 *
 * Gauss-Seidel sweeps find out cheaply which contacts are open, and solve small problems outright. A path then repeats
 *
 *     r <- zero of F with anchor r (cone_newton.h)      rho: proximal.h
 *
 * The best r by its certificate is kept, so nothing is lost by an attempt that goes astray. A path ends when it has
 * brought nothing for a while; the next round begins elsewhere. */
#include "contact/cone_drive.h"

#include "contact/friction_cone.h"
#include "contact/proximal.h"
#include "contact/cone_sweep.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

/* Where a start is given it is thought good, and a larger penalty is tried at once. */
#define RHO_COLD 1.0
#define RHO_WARM 1e3
/* A path ends after this many attempts in which the least error fell by less than a tenth altogether. It takes patience:
 * from 1e-6 a path may climb to 1e-3 and still arrive. Refusing such climbs, going back to the best point, or patience for
 * 60 attempts only, each left one in four of the permuted rock piles unsolved; patience for 120 none of them. */
#define STALE_ATTEMPTS 200
#define STALE_SHARE    0.9
/* Own bound on Newton steps: MAX_STEPS, or SMALL_STEPS / n if that is more. The hardest pile of the collections takes some
 * 400; a small problem can afford to begin again more often. */
#define MAX_STEPS   4000
#define SMALL_STEPS 1e6
/* Where a round begins, and how it goes on. After the fixed ones come random starts from a fixed seed, each with its own
 * fate: of the random problems that the first rounds leave, one start in twenty to one in two leads to an answer. */
typedef enum origin { AT_ZERO, AT_END, AT_RANDOM } origin;

typedef struct plan {
    origin from;
    int sweeps;
    double rho;
} plan;

static const plan rounds[] = {
    {AT_ZERO, 20, RHO_COLD}, {AT_END, 200, RHO_COLD}, {AT_ZERO, 1000, RHO_COLD}, {AT_RANDOM, 0, RHO_WARM}};
enum { FIXED_ROUNDS = sizeof rounds / sizeof rounds[0] - 1, ALL_ROUNDS = 50 };
#define SEED 1
/* Sweeps between two looks at the error. */
#define SWEEPS_PER_LOOK 10

bool crn_cone_drive_build(crn_cone_drive *s, const crn_cone_blocks *W, crn_arena *arena)
{
    *s = (crn_cone_drive){.W = W};
    s->r = CRN_TAKE(arena, double, W->n);
    s->u = CRN_TAKE(arena, double, W->n);
    s->anchor = CRN_TAKE(arena, double, W->n);
    s->best = CRN_TAKE(arena, double, W->n);
    s->inside = CRN_TAKE(arena, double, W->n);
    return crn_cone_newton_build(&s->newton, W, arena);
}

static void copy(const crn_cone_drive *s, const double *from, double *to)
{
    memcpy(to, from, (size_t)s->W->n * sizeof *to);
}

static void put_inside(int d, double mu, const double *r, double *inside)
{
    double y[3], p[3];
    crn_cone_three(d, r, y);
    (void)crn_cone_project(mu, y, p);
    crn_cone_first(d, p, inside);
}

/* Judge s->r, put into its cones, and keep it if it is the best so far. The path itself goes on from r as it is. */
static void look(crn_cone_drive *s, const char *route)
{
    const int d = s->W->d;
    for (int i = 0; i < s->W->contacts; ++i) {
        put_inside(d, s->W->mu[i], s->r + d * i, s->inside + d * i);
    }
    crn_cone_blocks_product(s->W, s->inside, s->u);
    crn_axpy(s->W->n, 1.0, s->W->q, s->u);
    const double error = crn_cone_blocks_error(s->W, s->inside, s->u).worst;
    if (error < s->error) {
        s->error = error;
        s->route = route;
        copy(s, s->inside, s->best);
    }
}

static bool is_done(const crn_cone_drive *s)
{
    return s->error <= s->goal || s->newton.steps >= s->max_steps;
}

static void sweep(crn_cone_drive *s, int count)
{
    for (int k = 0; k < count && !is_done(s); k += SWEEPS_PER_LOOK) {
        crn_cone_sweep(s->W, SWEEPS_PER_LOOK, s->r);
        s->sweeps += SWEEPS_PER_LOOK;
        look(s, "sweeps");
    }
}

static void path(crn_cone_drive *s, double rho)
{
    crn_proximal proximal = crn_proximal_from(rho);
    double mark = s->error;
    int stale = 0;
    while (!is_done(s) && crn_proximal_goes_on(&proximal) && stale < STALE_ATTEMPTS) {
        copy(s, s->r, s->anchor);
        const int before = s->newton.steps, left = s->max_steps - before;
        const int most = left < CRN_PROXIMAL_MOST ? left : CRN_PROXIMAL_MOST;
        const bool is_good = crn_cone_newton_run(&s->newton, s->anchor, proximal.rho, s->r, most);
        look(s, "newton");
        if (!is_good) {
            copy(s, s->anchor, s->r);
        }
        crn_proximal_steer(&proximal, is_good, s->newton.steps - before);
        ++stale;
        if (s->error < STALE_SHARE * mark) {
            mark = s->error;
            stale = 0;
        }
    }
}

/* Random impulses inside the cones, of the size of the best so far. */
static void scatter(crn_cone_drive *s, crn_random *random)
{
    const int d = s->W->d;
    const double largest = crn_max_abs(s->W->n, s->best), size = largest > 0.0 ? largest : 1.0;
    for (int i = 0; i < s->W->contacts; ++i) {
        double *ri = s->r + d * i;
        ri[0] = crn_random_uniform(random, 0.0, size);
        for (int k = 1; k < d; ++k) {
            ri[k] = crn_random_uniform(random, -1.0, 1.0) * s->W->mu[i] * ri[0];
        }
        put_inside(d, s->W->mu[i], ri, ri);
    }
}

void crn_cone_drive_run(crn_cone_drive *s, const double *start, double goal, int max_steps)
{
    s->goal = goal;
    s->max_steps = max_steps > 0 ? max_steps : (int)crn_max(MAX_STEPS, SMALL_STEPS / crn_max(s->W->n, 1));
    s->newton.steps = s->sweeps = 0;
    s->error = INFINITY;
    s->route = "zero";
    memset(s->r, 0, (size_t)s->W->n * sizeof *s->r);
    copy(s, s->r, s->best);
    look(s, "zero");
    if (start != NULL) {
        copy(s, start, s->r);
        look(s, "start");
        path(s, RHO_WARM);
    }
    crn_random random = crn_random_seed(SEED);
    for (int k = 0; k < ALL_ROUNDS && !is_done(s); ++k) {
        const plan *now = &rounds[k < FIXED_ROUNDS ? k : FIXED_ROUNDS];
        if (now->from == AT_ZERO) {
            memset(s->r, 0, (size_t)s->W->n * sizeof *s->r);
        } else if (now->from == AT_RANDOM) {
            scatter(s, &random);
        }
        sweep(s, now->sweeps);
        path(s, now->rho);
    }
}
