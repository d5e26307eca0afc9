/* How redundant rows share their loads is a choice: do motions, or their derivatives, depend on it?
 *
 * Loads z outside of the range of A' may be shifted among the hard rows. Sticking ones move nothing, F z = 0. Forces of sliders lean, each in
 * its own direction, and then even the motion may depend on z: a box that slides and spins. Where it does not, its derivative still may,
 * since a load carries friction, which changes with mu and with the direction of slip:
 *
 *     d(r_t) = z (dmu d - mu/|u_t| e (e.du)),      as of two contacts in one place whose frictions change by different amounts */
#include <math.h>
#include <string.h>

#include "contact/linear.h"
#include "math/vec.h"

/* Relative change of the motion with loads that are shifted; rounding gives 1e-15, a spinning box 0.1. */
#define TOL_SHIFT 1e-9
/* The same of a derivative, if all of the largest load is shifted: contacts 1e-9 apart are in one place. */
#define TOL_SHARING 1e-8

static bool can_shift(const crn_linear_island *k)
{
    bool leans = false;
    for (int i = 0; i < k->system->contacts; ++i) {
        leans = leans || k->mode[i].kind >= CRN_MODE_FIXED;
    }
    return leans && k->rank < k->hard && !k->is_singular;
}

/* The motion that a push x makes, in x; its length. rho: what hard rows add to it. */
static double move(crn_linear_island *k, double *x, double *rho)
{
    memset(k->b, 0, (size_t)k->rows * sizeof *k->b);
    (void)crn_linear_solve(k, x, k->b, rho);
    return sqrt(crn_dot(k->system->dof, x, x));
}

/* Shift load i as far as others do not hold it: z (rows), and in x what it pushes with. Returns the largest push of a row. */
static double shift(const crn_linear_island *k, int i, double *z, double *x)
{
    int dof = k->system->dof, hard = k->hard;
    double size = 0.0;
    memset(z, 0, (size_t)k->rows * sizeof *z);
    memset(x, 0, (size_t)dof * sizeof *x);
    z[i] = 1.0;
    for (int j = 0; j < k->rank; ++j) {
        const double *q = k->Q + (size_t)j * (size_t)hard;
        crn_axpy(hard, -q[i], q, z);
    }
    for (int j = 0; j < hard; ++j) {
        const double *f = k->F + (size_t)j * (size_t)dof;
        crn_axpy(dof, z[j], f, x);
        size = crn_max(size, fabs(z[j]) * sqrt(crn_dot(dof, f, f)));
    }
    return size;
}

bool crn_linear_is_shift_felt(crn_linear_island *k)
{
    for (int i = 0; i < k->hard && can_shift(k); ++i) {
        double size = shift(k, i, k->shifted, k->x);
        if (move(k, k->x, k->rho) > TOL_SHIFT * size) {
            return true;
        }
    }
    return false;
}

/* What friction of contact i changes by with its load, along a direction that changes mu by dmu and its velocity by du. */
static void friction_of_load(const crn_linear_island *k, int i, double dmu, const double *du, double *to)
{
    const crn_mode *mode = &k->mode[i];
    const double *u = k->u + 3 * (size_t)i, *d = mode->d;
    double slip = sqrt(u[1] * u[1] + u[2] * u[2]), across = d[0] * du[2] - d[1] * du[1];
    bool turns = mode->kind == CRN_MODE_SLIP && !mode->is_rim && slip > 0.0;
    double turn = turns ? k->system->mu[i] * across / slip : 0.0;
    bool leans = mode->kind >= CRN_MODE_FIXED;
    to[0] = 0.0;
    to[1] = leans ? mode->share * dmu * d[0] + turn * d[1] : 0.0;
    to[2] = leans ? mode->share * dmu * d[1] - turn * d[0] : 0.0;
}

bool crn_linear_is_sharing_felt(crn_linear_island *k, const double *dmu, const double *du, double size)
{
    const crn_system *s = k->system;
    for (int i = 0; i < k->hard && can_shift(k); ++i) {
        (void)shift(k, i, k->shifted, k->x);
        (void)move(k, k->x, k->rho);
        memset(k->x, 0, (size_t)s->dof * sizeof *k->x);
        for (int j = 0; j < k->hard; ++j) {
            int item = k->row[j].item;
            double push[3];
            if (item < s->contacts && k->row[j].part == 0) {
                friction_of_load(k, item, dmu ? dmu[item] : 0.0, du + 3 * (size_t)item, push);
                crn_scal(3, k->shifted[j] + k->rho[j], push);
                crn_linear_push(s, item, push, k->x);
            }
        }
        if (move(k, k->x, k->rho) * k->scale.impulse > TOL_SHARING * size) {
            return true;
        }
    }
    return false;
}
