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
/* Of loads that are mixed: what is left of them where none can be shifted is rounding. */
#define LOAD_LEAST 1e-6

static bool can_shift(const crn_linear_island *k)
{
    bool leans = false;
    for (int i = 0; i < k->system->contacts; ++i) {
        leans = leans || k->mode[i].kind >= CRN_MODE_FIXED;
    }
    return leans && (k->is_sparse || k->rank < k->hard) && !k->is_singular;
}

/* The motion that a push x makes, in x; its length. rho: what hard rows add to it. */
static double move(crn_linear_island *k, double *x, double *rho)
{
    memset(k->b, 0, (size_t)k->rows * sizeof *k->b);
    (void)crn_linear_solve(k, x, k->b, rho);
    return sqrt(crn_dot(k->system->dof, x, x));
}

/* Shift a load as far as others do not hold it: z (rows), and in x what it pushes with. Returns the largest push of a row. Loads are those of hard
 * rows, one after the other; of a large island, whose products are dear, one in which all are mixed: what is felt is felt in it. */
static int loads(const crn_linear_island *k)
{
    return k->is_sparse ? 1 : k->hard;
}

static double shift(const crn_linear_island *k, int load, double *z, double *x)
{
    crn_random random = crn_random_seed(1);
    double size = 0.0;
    memset(z, 0, (size_t)k->rows * sizeof *z);
    memset(x, 0, (size_t)k->system->dof * sizeof *x);
    z[load] = 1.0;
    for (int i = 0; i < k->hard && k->is_sparse; ++i) {
        z[i] = crn_random_uniform(&random, -1.0, 1.0);
    }
    crn_linear_keep_null(k, z);
    if (k->is_sparse && crn_max_abs(k->hard, z) < LOAD_LEAST) {
        memset(z, 0, (size_t)k->hard * sizeof *z);
    }
    crn_linear_add_rows(k, CRN_LINEAR_PUSHED, z, x);
    for (int i = 0; i < k->hard; ++i) {
        size = crn_max(size, fabs(z[i]) * crn_linear_length(k, CRN_LINEAR_PUSHED, i));
    }
    return size;
}

bool crn_linear_is_shift_felt(crn_linear_island *k)
{
    for (int i = 0; i < loads(k) && can_shift(k); ++i) {
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
    for (int i = 0; i < loads(k) && can_shift(k); ++i) {
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
