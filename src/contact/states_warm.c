/* Warm starts: the path from the solution of a problem nearby.
 *
 * Whatever point (p, u*) satisfies the states' rows and inequalities is the solution at z0 = 1 of the problem shifted by
 *
 *     s_i = u*_i - (X_i'(k + X p) + offset_i)
 *
 * so the path begins there with the basis of those states, and z0 falls to 0. If no inequality blocks on the way, which
 * is so when the active set has not changed, the whole solve is one edge. */
#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "contact/states_path.h"
#include "math/vec.h"

/* Contacts that are off begin this far above 0, over the unit, so that resting ones do not all block at once. */
#define LIFT 1e-4

/* A guess beyond this, over the unit, is none: the way from there to the answer would cost as many of its digits. */
#define FAR 1e5

/* Half of the lift to three halves of it; any numbers without pattern do. */
static double lift_of(const crn_states *s, int i)
{
    return LIFT * s->touch[i].lift;
}

/* Shifts that make the targets (kept in shift) the velocities at z0 = 1. */
static void shift_to_targets(crn_states *s)
{
    s->z0_place = -1;
    s->z0 = 0.0;
    crn_states_refresh(s);           /* u and tau of these impulses without any shift */
    for (int i = 0; i < s->n; ++i) { /* with the whole shift the velocities are the targets */
        crn_touch *touch = &s->touch[i];
        if (s->is_off[i] != 0.0) {
            double target = touch->shift[0];
            touch->shift[0] -= s->tau[i];
            s->tau[i] = target;
        } else {
            for (int j = 0; j < 3; ++j) {
                double target = touch->shift[j];
                touch->shift[j] -= touch->u[j];
                touch->u[j] = target;
            }
        }
        s->shift_n[i] = touch->shift[0];
    }
    for (int r = 0; r < s->rows; ++r) {
        s->joint_shift[r] = -(crn_states_joint_dot(s, r, s->v) + s->joint_offset[r]);
    }
    s->z0 = 1.0;
    s->driven = (crn_driven){false, -1, 0};
    s->are_products_of_driven = false;
}

/* A contact that is off keeps its normal velocity, lifted; its slip is wherever the motion leads. */
static void target_off(crn_states *s, int i, double normal)
{
    crn_touch *touch = &s->touch[i];
    touch->shift[0] = crn_max(normal, 0.0) + lift_of(s, i);
    touch->shift[1] = touch->shift[2] = 0.0;
}

void crn_states_begin_kept(crn_states *s)
{
    for (int i = 0; i < s->n; ++i) {
        if (s->is_off[i] != 0.0) {
            target_off(s, i, s->tau[i]);
        }
    }
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        if (s->is_off[s->active[i]] == 0.0) {
            memcpy(touch->shift, touch->u, sizeof touch->shift);
        }
    }
    shift_to_targets(s);
}

/* --- From a guess --- */

/* The slip that belongs to the state: what the guess says where it fits, else the nearest that does. */
static void target_slip(const crn_touch *touch, const double *slip, double *target)
{
    const double typical = 0.1; /* a slip to go on with, over the unit, where the guess has none that fits */
    target[0] = target[1] = 0.0;
    if (touch->kind == CRN_CONTACT_SLIDE) {
        bool fits = crn_polygon_against(touch->polygon, touch->d, slip) == touch->j;
        for (int l = 0; l < 2; ++l) {
            target[l] = fits ? slip[l] : -typical * touch->dj[l];
        }
    } else if (touch->kind == CRN_CONTACT_EDGE && touch->d > 2) { /* along the edge's normal, inwards */
        double middle[2] = {touch->dj[0] + 0.5 * touch->e[0], touch->dj[1] + 0.5 * touch->e[1]};
        double along = (middle[0] * slip[0] + middle[1] * slip[1]) / (middle[0] * middle[0] + middle[1] * middle[1]);
        along = along < 0.0 ? along : -typical;
        target[0] = along * middle[0];
        target[1] = along * middle[1];
    }
}

/* Unknowns (theta, phi, gamma) of an impulse, moved into the cone's part that the state allows. */
static void unknowns_of_guess(const crn_touch *touch, const double *p, double *x)
{
    x[0] = crn_max(p[0], 0.0);
    x[1] = x[2] = 0.0;
    double limit = touch->mu * x[0];
    if (touch->kind == CRN_CONTACT_EDGE) {
        double square = touch->e[0] * touch->e[0] + touch->e[1] * touch->e[1];
        double phi =
            ((p[1] - limit * touch->dj[0]) * touch->e[0] + (p[2] - limit * touch->dj[1]) * touch->e[1]) / square;
        x[1] = crn_min(crn_max(phi, 0.0), limit);
    } else if (touch->kind == CRN_CONTACT_STICK) {
        double most = 0.0;
        for (int l = 0; l < touch->d; ++l) {
            const double *a = crn_polygon_normal(touch->polygon, touch->d, l);
            most = crn_max(most, a[0] * p[1] + a[1] * p[2]);
        }
        double inside = most > limit ? limit / most : 1.0;
        /* f = (limit - gamma) d_j + phi e */
        double f[2] = {inside * p[1], inside * p[2]};
        double inverse = 1.0 / (touch->dj[0] * touch->e[1] - touch->dj[1] * touch->e[0]);
        x[1] = (touch->dj[0] * f[1] - touch->dj[1] * f[0]) * inverse;
        x[2] = limit - (f[0] * touch->e[1] - f[1] * touch->e[0]) * inverse;
    }
}

/* Parts that a state has in the basis. */
static int parts_of(int kind)
{
    return kind == CRN_CONTACT_OFF ? 0 : kind == CRN_CONTACT_EDGE ? 2 : kind == CRN_CONTACT_STICK ? 3 : 1;
}

/* The guess's kind, made one that this contact can have. */
static int kind_of(const crn_touch *touch, const crn_contact_state *state)
{
    if (state->kind == CRN_CONTACT_OFF || state->kind < 0 || state->kind > CRN_CONTACT_STICK) {
        return CRN_CONTACT_OFF;
    }
    if (touch->mu == 0.0) {
        return CRN_CONTACT_ON;
    }
    if (touch->d == 2 && state->kind == CRN_CONTACT_STICK) {
        return CRN_CONTACT_EDGE;
    }
    return state->kind == CRN_CONTACT_ON ? CRN_CONTACT_SLIDE : state->kind;
}

static bool place_guess(crn_states *s, int i, const crn_states_guess *guess)
{
    crn_touch *touch = &s->touch[i];
    const double *r = guess->impulse + 3 * (size_t)i, *u = guess->velocity + 3 * (size_t)i;
    double to_velocity = touch->scale / s->unit, to_impulse = 1.0 / (touch->scale * s->unit);
    double velocity[3] = {to_velocity * u[0], to_velocity * u[1], to_velocity * u[2]};
    double impulse[3] = {to_impulse * r[0], to_impulse * r[1], to_impulse * r[2]};
    touch->kind = kind_of(touch, &guess->state[i]);
    double far = touch->kind == CRN_CONTACT_OFF ? INFINITY : FAR; /* over a wide gap any velocity is right */
    for (int j = 0; j < 3; ++j) {
        if (!(fabs(velocity[j]) < far && fabs(impulse[j]) <= FAR)) { /* or it is no number */
            return false;
        }
    }
    touch->place = -1;
    for (int part = 0; part < 3; ++part) {
        touch->row[part] = touch->column[part] = -1;
    }
    s->is_off[i] = touch->kind == CRN_CONTACT_OFF ? 1.0 : 0.0;
    s->tau[i] = 1.0;
    if (touch->kind == CRN_CONTACT_OFF) {
        target_off(s, i, velocity[0]);
        return true;
    }
    int d = touch->d > 0 ? touch->d : 1, j = guess->state[i].corner;
    j = j >= 0 && j < d ? j : 0;
    bool is_pair = touch->kind == CRN_CONTACT_EDGE || touch->kind == CRN_CONTACT_STICK;
    crn_states_set_corners(touch, j, is_pair ? (j + 1) % d : j);
    double x[3];
    unknowns_of_guess(touch, impulse, x);
    touch->shift[0] = 0.0;
    target_slip(touch, velocity + 1, touch->shift + 1);
    crn_states_activate(s, i);
    for (int part = 0; part < parts_of(touch->kind); ++part) {
        int place = s->inverse.k;
        if (place + 2 >= s->capacity) {
            return false; /* more rows than velocities: they cannot be independent */
        }
        s->inverse.k = place + 1;
        crn_states_put_row(s, place, 3 * i + part);
        crn_states_put_column(s, place, 3 * i + part, x[part]);
    }
    return true;
}

bool crn_states_begin_guess(crn_states *s, const crn_states_guess *guess)
{
    const double too_large = 1e8; /* entries of the inverse: the guessed rows are dependent */
    s->actives = 0;
    s->z0_place = -1;
    crn_states_begin_joints(s);
    crn_states_guess_bounds(s, guess->row);
    for (int i = 0; i < s->contacts; ++i) {
        if (!place_guess(s, i, guess)) {
            return false;
        }
    }
    if (!crn_states_refactor(s)) {
        return false;
    }
    for (int b = 0; b < s->inverse.k; ++b) {
        if (!(crn_max_abs(s->inverse.k, s->inverse.W + (size_t)b * (size_t)s->inverse.ld) < too_large)) {
            return false;
        }
    }
    shift_to_targets(s);
    return true;
}

/* --- From the frictionless solution [YN08 s4-C] --- */

void crn_states_set_friction(crn_states *s, bool is_on)
{
    for (int i = 0; i < s->contacts; ++i) {
        s->touch[i].mu = is_on ? s->system->mu[i] : 0.0;
    }
}

void crn_states_guess_friction(crn_states *s, crn_states_guess *guess)
{
    for (int i = 0; i < s->contacts; ++i) {
        crn_touch *touch = &s->touch[i];
        double velocity = s->unit / touch->scale, impulse = s->unit * touch->scale;
        double *r = s->first_impulse + 3 * (size_t)i, *u = s->first_velocity + 3 * (size_t)i;
        s->first_state[i] = (crn_contact_state){touch->kind, 0};
        memset(r, 0, 3 * sizeof *r);
        memset(u, 0, 3 * sizeof *u);
        if (s->is_off[i] != 0.0) {
            u[0] = velocity * s->tau[i];
        } else {
            r[0] = impulse * crn_max(s->y[touch->column[CRN_PART_NORMAL]], 0.0);
            u[1] = velocity * touch->u[1];
            u[2] = velocity * touch->u[2];
            if (touch->d > 0) { /* friction against the slip, at the corner that opposes it most */
                s->first_state[i] =
                    (crn_contact_state){CRN_CONTACT_SLIDE, crn_polygon_against(touch->polygon, touch->d, touch->u + 1)};
            }
        }
    }
    *guess = (crn_states_guess){s->first_state, s->first_impulse, s->first_velocity, NULL};
    if (s->bounded > 0) {
        crn_states_row_impulses(s, s->first_row);
        guess->row = s->first_row;
    }
}
