/* One-sided derivatives at kinks: contacts there have two states each, and a direction fits one of them.
 *
 *     graze   open: du_n >= 0              pushes: dr_n >= 0, friction against the slip that there is
 *     rim     sticks: stays in its cone    slips: against the friction that there is
 *     bound   held: within its bound       moves: away from it
 *
 * All combinations are tried. None that fits: the solution ends here; two with different motions: it branches. Either way it is not
 * continuous in this direction  [docs/theory/gradients.md]. */
#include <math.h>
#include <string.h>

#include "contact/linearize.h"
#include "contact/polygon.h"
#include "math/vec.h"

/* Of the size of all changes: inequalities that rounding decides count as kept, motions nearer than this are one. */
#define TOL_SIGN   1e-9
#define TOL_MOTION 1e-6

/* A contact or row at a kink, and its two states. */
typedef struct choice {
    int item;
    crn_mode mode[2];
    crn_hold hold[2];
} choice;

typedef struct choices {
    int count;
    choice at[CRN_DIRECTIONAL_KINKS_MOST];
    bool is_covered;
} choices;

/* --- The two states --- */

static void set_kind(const crn_linear_island *k, int i, crn_mode_kind kind, const double *d, double share,
                     crn_mode *mode)
{
    memset(mode, 0, sizeof *mode);
    mode->kind = kind;
    mode->d[0] = d ? d[0] : 0.0;
    mode->d[1] = d ? d[1] : 0.0;
    mode->share = share;
    mode->is_graze = mode->is_rim = false;
    crn_mode_fill(k->system, i, k->scale.law, k->r + 3 * (size_t)i, k->u + 3 * (size_t)i, mode);
}

/* Friction of a contact that slips with u as soon as it pushes. */
static void set_pushing(const crn_linear_island *k, int i, crn_mode *mode)
{
    const double *u = k->u + 3 * (size_t)i;
    int directions = k->system->directions[i];
    double slip = crn_hypot(u[1], u[2]), d[2] = {-u[1] / slip, -u[2] / slip};
    if (k->system->mu[i] == 0.0 || directions == 0) {
        set_kind(k, i, CRN_MODE_SLICK, NULL, 0.0, mode);
        return;
    }
    if (directions == 2) {
        d[0] = u[1] > 0.0 ? -1.0 : 1.0;
        d[1] = 0.0;
    } else if (k->scale.cone == CRN_CONE_POLYGON) {
        double best = INFINITY;
        for (int j = 0; j < directions; ++j) {
            double corner[2];
            crn_corner(directions, j, corner);
            double power = corner[0] * u[1] + corner[1] * u[2];
            if (power < best) {
                best = power;
                memcpy(d, corner, sizeof d);
            }
        }
    }
    set_kind(k, i, CRN_MODE_FIXED, d, 1.0, mode);
}

static bool find_rim(const crn_linear_island *k, int i, choice *c)
{
    const double *r = k->r + 3 * (size_t)i;
    double friction = crn_hypot(r[1], r[2]), d[2] = {r[1] / friction, r[2] / friction};
    if (k->system->directions[i] == 2) {
        d[0] = r[1] < 0.0 ? -1.0 : 1.0;
        d[1] = 0.0;
        set_kind(k, i, CRN_MODE_LINE, NULL, 0.0, &c->mode[0]);
        set_kind(k, i, CRN_MODE_FIXED, d, 1.0, &c->mode[1]);
        return true;
    }
    if (k->scale.cone == CRN_CONE_POLYGON) {
        return false; /* edges and corners: two or four states; not done */
    }
    set_kind(k, i, CRN_MODE_STICK, NULL, 0.0, &c->mode[0]);
    set_kind(k, i, CRN_MODE_SLIP, d, 1.0, &c->mode[1]);
    c->mode[1].is_rim = true;
    memcpy(c->mode[1].d, d, sizeof d);
    crn_mode_fill(k->system, i, k->scale.law, r, k->u + 3 * (size_t)i, &c->mode[1]);
    return true;
}

static bool find_states(const crn_linear_island *k, int item, crn_kink kink, choice *c)
{
    c->item = item;
    if (kink == CRN_KINK_BOUND) {
        int row = item - k->system->contacts;
        c->hold[0] = CRN_HOLD_FREE;
        c->hold[1] = k->l[row] > 0.0 ? CRN_HOLD_UPPER : CRN_HOLD_LOWER;
        return true;
    }
    if (kink == CRN_KINK_GRAZE) {
        set_kind(k, item, CRN_MODE_OPEN, NULL, 0.0, &c->mode[0]);
        set_pushing(k, item, &c->mode[1]);
        return true;
    }
    return kink == CRN_KINK_RIM && find_rim(k, item, c);
}

static choices find_choices(const crn_contact_linear *linear, int at)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    int contacts = linear->compiled.problem->contacts;
    choices all = {.is_covered = true};
    for (int item = 0; item < k->system->contacts + k->system->rows; ++item) {
        bool is_row = item >= k->system->contacts;
        int place = is_row ? contacts + island->row_of[item - k->system->contacts] : island->contact_of[item];
        crn_kink kink = linear->branch[place].kink;
        if (kink == CRN_KINK_NONE) {
            continue;
        }
        if (all.count == CRN_DIRECTIONAL_KINKS_MOST || !find_states(k, item, kink, &all.at[all.count])) {
            all.is_covered = false;
            return all;
        }
        all.count++;
    }
    return all;
}

/* --- Does the direction fit? Both tell by how much, >= 0 --- */

static double fits_contact(const crn_linear_island *k, const choice *c, int which, double dmu)
{
    const crn_mode *mode = &c->mode[which];
    const double *dr = k->dr + 3 * (size_t)c->item, *du = k->right + 3 * (size_t)c->item,
                 *r = k->r + 3 * (size_t)c->item;
    double mu = k->system->mu[c->item], delta = k->delta[c->item];
    const double *d = c->mode[1].d;
    switch (mode->kind) {
    case CRN_MODE_OPEN: return du[0];
    case CRN_MODE_SLICK: return delta * dr[0];
    case CRN_MODE_STICK:
    case CRN_MODE_LINE: return delta * (mu * dr[0] + r[0] * dmu - d[0] * dr[1] - d[1] * dr[2]);
    case CRN_MODE_SLIP: return -(d[0] * du[1] + d[1] * du[2]);
    case CRN_MODE_FIXED:
    case CRN_MODE_EDGE:
    default: return c->mode[0].kind == CRN_MODE_LINE ? -d[0] * du[1] : delta * dr[0];
    }
}

static double row_change(const crn_linear_island *k, int item, bool is_impulse)
{
    double speed = 0.0;
    for (int i = 0; i < k->rows && is_impulse; ++i) {
        if (k->row[i].item == item) {
            return k->rho[i];
        }
    }
    crn_linear_look(k->system, item, k->x, &speed);
    return speed;
}

static double fits_row(const crn_linear_island *k, const choice *c, int which, double dbound, double dspeed)
{
    double side = c->hold[1] == CRN_HOLD_UPPER ? 1.0 : -1.0;
    if (which == 0) {
        return dbound - side * row_change(k, c->item, true);
    }
    return -side * (row_change(k, c->item, false) + dspeed);
}

static bool does_fit(const crn_linear_island *k, const crn_island *island, const choices *all, int combination,
                     const crn_contact_change_in *in)
{
    int contacts = k->system->contacts;
    double size = crn_max(crn_max_abs(3 * contacts, k->right), 1e-300);
    for (int i = 0; i < contacts; ++i) {
        size = crn_max(size, k->delta[i] * crn_max_abs(3, k->dr + 3 * (size_t)i));
    }
    for (int i = 0; i < all->count; ++i) {
        const choice *c = &all->at[i];
        int which = combination >> i & 1;
        double fit;
        if (c->item < contacts) {
            fit = fits_contact(k, c, which, in->mu ? in->mu[island->contact_of[c->item]] : 0.0);
        } else {
            int row = island->row_of[c->item - contacts];
            fit = fits_row(k, c, which, in->row_bound ? in->row_bound[row] : 0.0,
                           in->row_velocity ? in->row_velocity[row] : 0.0);
        }
        if (fit < -TOL_SIGN * size) {
            return false;
        }
    }
    return true;
}

/* --- All combinations --- */

static void take_states(crn_linear_island *k, const choices *all, int combination)
{
    for (int i = 0; i < all->count; ++i) {
        const choice *c = &all->at[i];
        int which = combination >> i & 1;
        if (c->item < k->system->contacts) {
            k->mode[c->item] = c->mode[which];
        } else {
            k->hold[c->item - k->system->contacts] = c->hold[which];
        }
    }
    crn_linear_factor(k);
}

static bool is_other_motion(const crn_linear_island *k, const double *motion)
{
    double off = 0.0, size = crn_max(crn_max_abs(k->system->dof, motion), crn_max_abs(k->system->dof, k->x));
    for (int i = 0; i < k->system->dof; ++i) {
        off = crn_max(off, fabs(k->x[i] - motion[i]));
    }
    return off > TOL_MOTION * size;
}

/* Try them; the first that fits is left in the island. Returns how many motions fit: 0, 1 or 2. */
static int try_all(crn_contact_linear *linear, int at, const choices *all, const crn_contact_change_in *in,
                   crn_gradient_word *word)
{
    crn_linear_island *k = &linear->island[at];
    int motions = 0, first = 0;
    for (int combination = 0; combination < 1 << all->count && motions < 2; ++combination) {
        crn_gradient_word mine = {CRN_GRADIENT_SMOOTH, 0.0};
        take_states(k, all, combination);
        crn_linearize_island(linear, at, in, &mine);
        bool is_fit = !k->is_singular && mine.status == CRN_GRADIENT_SMOOTH &&
                      does_fit(k, &linear->compiled.island[at], all, combination, in);
        if (is_fit && (motions == 0 || is_other_motion(k, linear->second))) {
            memcpy(linear->second, k->x, (size_t)k->system->dof * sizeof *k->x);
            first = motions == 0 ? combination : first;
            word->residual = crn_max(word->residual, mine.residual);
            motions++;
        }
    }
    take_states(k, all, first);
    return motions;
}

static void keep_states(const crn_linear_island *k, const choices *all, choice *kept)
{
    for (int i = 0; i < all->count; ++i) {
        int item = all->at[i].item;
        if (item < k->system->contacts) {
            kept[i].mode[0] = k->mode[item];
        } else {
            kept[i].hold[0] = k->hold[item - k->system->contacts];
        }
        kept[i].item = item;
    }
}

/* One island; false if it is not covered. */
static bool direct_island(crn_contact_linear *linear, int at, const crn_contact_change_in *in,
                          const crn_contact_change_out *out, crn_gradient_word *word)
{
    crn_linear_island *k = &linear->island[at];
    choices all = find_choices(linear, at), before = {0};
    if (all.count == 0 || !all.is_covered) {
        crn_linearize_island(linear, at, in, word);
        crn_linearize_tell(linear, at, in, out);
        return all.is_covered;
    }
    before.count = all.count;
    keep_states(k, &all, before.at);
    int motions = try_all(linear, at, &all, in, word);
    crn_gradient_word ignored = {CRN_GRADIENT_SMOOTH, 0.0};
    crn_linearize_island(linear, at, in, &ignored);
    crn_linearize_tell(linear, at, in, out);
    if (motions != 1) {
        word->status = CRN_GRADIENT_JUMP;
    }
    take_states(k, &before, 0);
    return true;
}

crn_status crn_contact_directional(crn_contact_linear *k, const crn_contact_change_in *in,
                                   const crn_contact_change_out *out, crn_gradient_word *word, crn_error *error)
{
    crn_clear(error);
    if (!k || !in || !out) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "linear, its change or where to is NULL");
    }
    bool is_kink = k->report.status == CRN_GRADIENT_KINK, is_covered = true;
    crn_gradient_word mine = {is_kink ? CRN_GRADIENT_SMOOTH : k->report.status, 0.0};
    for (int i = 0; i < k->compiled.islands; ++i) {
        is_covered = direct_island(k, i, in, out, &mine) && is_covered;
    }
    crn_linearize_loose(k, in, out);
    mine.status = is_covered ? mine.status : CRN_GRADIENT_UNCOVERED;
    if (word) {
        *word = mine;
    }
    return CRN_OK;
}
