/* Polygons that are aimed, solved by pivoting, aimed again; see aim.h. */
#include "contact/aim.h"

#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "math/elementary.h"
#include "math/vec.h"

enum {
    CORNERS = CRN_STATES_CORNERS,
    NEAR = 2,          /* corners drawn together on each side of the one that is aimed */
    FAR_CORNER = NEAR, /* the edge after it is wide */
    ROUNDS = 8,        /* of aiming: the last width is WIDEST NARROWER^7 */
    ATTEMPTS = 3       /* at each round's polygons */
};

static const double TWO_PI = 6.283185307179586;
static const double WIDEST = TWO_PI * NEAR / CORNERS; /* [rad] corners are even */
static const double NARROWER = 0.25;                  /* width from round to round, where the aim was within it */

void crn_aim_layout(crn_aim *a, const crn_system *system, crn_arena *arena)
{
    size_t contacts = (size_t)system->contacts;
    a->angle = CRN_TAKE(arena, double, contacts);
    a->width = CRN_TAKE(arena, double, contacts);
    a->delta = CRN_TAKE(arena, double, contacts);
    a->tables = CRN_TAKE(arena, double, 4 * CORNERS * contacts);
    a->r = CRN_TAKE(arena, double, 3 * contacts);
    a->l = CRN_TAKE(arena, double, (size_t)system->rows);
    a->u = CRN_TAKE(arena, double, 3 * contacts);
    a->y = CRN_TAKE(arena, double, (size_t)system->dof);
    a->state = CRN_TAKE(arena, crn_contact_state, contacts);
    a->is_held = CRN_TAKE(arena, bool, (size_t)system->rows);
    crn_active_layout(&a->active, system, arena);
}

/* Corner j: the aim itself, NEAR corners up to `width` after it, the others evenly, NEAR corners before it. */
static double corner_angle(double angle, double width, int j)
{
    double step = width / NEAR, rest = (TWO_PI - 2.0 * width) / (CORNERS - 2 * NEAR);
    if (j <= NEAR) {
        return angle + j * step;
    }
    if (j >= CORNERS - NEAR) {
        return angle + TWO_PI - (CORNERS - j) * step;
    }
    return angle + width + (j - NEAR) * rest;
}

static void set_polygons(const crn_aim *a, crn_states *states)
{
    for (int i = 0; i < states->contacts; ++i) {
        double angle[CORNERS];
        for (int j = 0; j < CORNERS; ++j) {
            angle[j] = corner_angle(a->angle[i], a->width[i], j);
        }
        crn_polygon_fill_at(CORNERS, angle, a->tables + 4 * CORNERS * (size_t)i);
    }
    crn_states_set_polygons(states, CORNERS, a->tables);
}

static double between(double angle, double other)
{
    return fabs(remainder(angle - other, TWO_PI));
}

/* Aim contact i by the answer: friction points where r_t - u_t / delta does, at the rim as within. */
static void aim_contact(crn_aim *a, int i)
{
    const double *r = a->r + 3 * (size_t)i, *u = a->u + 3 * (size_t)i;
    double inverse = a->delta[i] > 0.0 ? 1.0 / a->delta[i] : 0.0;
    double x = r[1] - u[1] * inverse, y = r[2] - u[2] * inverse;
    if (a->state[i].kind == CRN_CONTACT_OFF || (x == 0.0 && y == 0.0)) {
        return;
    }
    double angle = crn_atan2(y, x);
    bool is_within = between(angle, a->angle[i]) <= a->width[i];
    a->width[i] = is_within ? NARROWER * a->width[i] : crn_fmin(a->width[i] / NARROWER, WIDEST);
    a->angle[i] = angle;
}

/* The state to begin with, now that the polygon is aimed: slip at the corner that is aimed; no slip with a wide edge. */
static void begin_contact(crn_aim *a, const crn_system *system, int i)
{
    crn_contact_state *state = &a->state[i];
    if (system->directions[i] > 2 && (state->kind == CRN_CONTACT_SLIDE || state->kind == CRN_CONTACT_EDGE)) {
        *state = (crn_contact_state){CRN_CONTACT_SLIDE, 0};
    } else if (system->directions[i] > 2 && state->kind == CRN_CONTACT_STICK) {
        state->corner = FAR_CORNER;
    }
}

static void aim(crn_aim *a, const crn_system *system)
{
    crn_system_motion(system, a->r, a->l, a->y);
    crn_system_contact_velocity(system, a->y, a->u);
    for (int i = 0; i < system->contacts; ++i) {
        aim_contact(a, i);
        begin_contact(a, system, i);
    }
}

static void begin(crn_aim *a, const crn_system *system)
{
    crn_system_inverse_mass(system, a->delta);
    for (int i = 0; i < system->contacts; ++i) {
        a->angle[i] = 0.0;
        a->width[i] = WIDEST;
    }
}

static void add_work(const crn_run *from, crn_run *to)
{
    to->pivots += from->pivots;
    to->iterations += from->iterations;
    to->refactorizations += from->refactorizations;
    to->restarts += from->restarts;
}

/* From the polygons' answer to that of the disks. */
static bool finish(crn_aim *a, const crn_states *states, crn_bodies *bodies, double tol, double *r, double *l,
                   crn_run *run)
{
    const crn_system *system = states->system;
    memcpy(r, a->r, 3 * (size_t)system->contacts * sizeof *r);
    memcpy(l, a->l, (size_t)system->rows * sizeof *l);
    for (int row = 0; row < system->rows; ++row) {
        a->is_held[row] = crn_states_holds(states, row);
    }
    crn_active_solve(&a->active, system, a->state, a->is_held, r, l);
    return crn_bodies_finish(bodies, system, tol, r, l, run);
}

bool crn_aim_solve(crn_aim *a, crn_states *states, crn_bodies *bodies, double tol, double *r, double *l, crn_run *run)
{
    const crn_system *system = states->system;
    crn_states_guess guess = {a->state, a->r, a->u, a->l};
    bool is_reached = false, is_lost = false;
    memset(run, 0, sizeof *run);
    begin(a, system);
    for (int round = 0; round < ROUNDS && !is_reached && !is_lost; ++round) {
        crn_states_begin from = {round > 0 ? &guess : NULL, false, ATTEMPTS};
        crn_run part;
        set_polygons(a, states);
        crn_states_solve(states, &from, 0, a->r, a->l, a->state, &part);
        add_work(&part, run);
        is_lost = part.outcome != CRN_LCP_SOLVED;
        if (!is_lost) {
            is_reached = finish(a, states, bodies, tol, r, l, &part);
            add_work(&part, run);
            aim(a, system);
        }
    }
    crn_states_set_polygons(states, 0, NULL);
    run->law = CRN_LAW_COULOMB;
    run->outcome = is_reached ? CRN_LCP_SOLVED : CRN_LCP_LIMIT;
    return is_reached;
}
