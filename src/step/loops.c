/* Loops of a mechanism: when their directions are found, what is held, and what they tell.
 *
 * With Q the orthonormal basis of held directions and z what they are to be, velocities are
 *
 *     nu = shift + P nu,   shift = Q z,   P = 1 - Q Q',
 *
 * so that the contact problem has no rows for loops; stops are rows of it. One decomposition serves everything at one place: the
 * projection of the drift, repairs and the kick. Where the kick has another factor, because of springs, the same directions are
 * held in its metric. */
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec.h"
#include "step/loops.h"

/* --- Memory --- */

enum { VECTORS = 8 }; /* one per row: error, given, unit, open, weighed, share, scratch, trees */

size_t crn_loops_numbers(int rows, int velocities)
{
    size_t r = (size_t)rows, n = (size_t)velocities, k = r < n ? r : n;
    return 2 * r * n + k * r + k * r + VECTORS * r;
}

static double *cut(double **number, size_t count)
{
    double *from = *number;
    *number += count;
    return from;
}

void crn_loops_take_memory(crn_step_closure *c, int velocities, double *number, int *order)
{
    size_t r = (size_t)c->most, n = (size_t)velocities, k = r < n ? r : n;
    c->Y = cut(&number, r * n);
    c->Q = cut(&number, r * n);
    c->W = cut(&number, k * r);
    c->T = cut(&number, k * r);
    c->error = cut(&number, r);
    c->given = cut(&number, r);
    c->unit = cut(&number, r);
    c->open = cut(&number, r);
    c->weighed = cut(&number, r);
    c->share = cut(&number, r);
    c->scratch = cut(&number, r);
    c->trees = (uint64_t *)(void *)cut(&number, r);
    c->order = order;
    c->is_angle = order + r;
    c->tightest = -1;
}

/* --- Directions --- */

void crn_loops_update(crn_stepper *s, crn_step_mechanism *m)
{
    if (m->closure.is_current || m->loops == 0 || m->whitened == 0) {
        return;
    }
    if (!m->has_factor) {
        (void)crn_trees_factor(s, m, NULL);
    }
    crn_loops_list_rows(s, m);
    crn_loops_list_columns(s, m);
    crn_loops_rank(s, m);
    crn_loops_list_open(s, m);
    m->closure.is_current = true;
}

/* Of what is open at the start: the pin must not lie at the edge of its hole, where it could only move inwards. */
static const double PLAY = 1.05;

void crn_loops_widen(crn_stepper *s, crn_step_mechanism *m)
{
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        s->joint[s->forest.loop[i].joint].play = 0.0;
    }
    crn_loops_update(s, m);
    double clearance = crn_loops_clearance(&s->def);
    for (int i = m->loop; i < m->loop + m->loops && m->whitened > 0 && clearance > 0.0; ++i) {
        const crn_step_loop *loop = &s->forest.loop[i];
        double open = crn_loops_open_of(&m->closure, loop);
        s->joint[loop->joint].play = open > clearance ? PLAY * open : 0.0;
    }
    m->closure.is_current = false;
}

void crn_loops_refactor(crn_stepper *s, crn_step_mechanism *m)
{
    if (m->loops > 0 && m->whitened > 0) {
        crn_loops_list_columns(s, m);
        crn_loops_turn_metric(m);
    }
}

void crn_loops_share(crn_stepper *s, crn_step_mechanism *m)
{
    const crn_step_closure *c = &m->closure;
    if (m->loops > 0 && m->whitened > 0 && !c->is_turned && c->held < c->rows) {
        crn_loops_list_rows(s, m);
        crn_loops_list_columns(s, m);
        crn_loops_turn(m);
    }
}

/* --- What held directions demand --- */

/* shift := Q z with T'z = -(what held directions have of row) */
static void take_back(crn_stepper *s, crn_step_mechanism *m, const double *row)
{
    const crn_step_closure *c = &m->closure;
    double *z = c->scratch, *shift = s->forest.shift + m->w;
    memset(shift, 0, (size_t)m->whitened * sizeof *shift);
    for (int i = 0; i < c->held; ++i) {
        double value = -crn_loops_along(c, i, row);
        for (int j = 0; j < i; ++j) {
            value -= c->T[(size_t)j * (size_t)c->most + (size_t)i] * z[j];
        }
        z[i] = value / c->T[(size_t)i * (size_t)c->most + (size_t)i];
        crn_axpy(m->whitened, z[i], c->Q + (size_t)i * (size_t)m->whitened, shift);
    }
}

/* Is part of the motion of a loop given? */
static bool has_given(const crn_stepper *s, const crn_step_mechanism *m)
{
    bool is_given = m->is_driven;
    for (int i = m->loop; i < m->loop + m->loops && !is_given; ++i) {
        const crn_step_joint *joint = &s->joint[s->forest.loop[i].joint];
        is_given = (joint->a >= 0 && s->body[joint->a].kind == CRN_BODY_DRIVEN) ||
                   (joint->b >= 0 && s->body[joint->b].kind == CRN_BODY_DRIVEN);
    }
    return is_given;
}

void crn_loops_shift_speeds(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    if (has_given(s, m)) {
        crn_loops_list_given(s, m);
        take_back(s, m, c->given);
        return;
    }
    memset(s->forest.shift + m->w, 0, (size_t)m->whitened * sizeof *s->forest.shift);
    memset(c->given, 0, (size_t)c->rows * sizeof *c->given);
}

void crn_loops_shift_errors(crn_stepper *s, crn_step_mechanism *m)
{
    take_back(s, m, m->closure.error);
}

/* --- Stops --- */

void crn_loops_list_all_stops(crn_stepper *s)
{
    s->forest.stops = 0;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->loops > 0 && m->whitened > 0 && crn_is_awake(s, m)) {
            crn_loops_update(s, m);
            crn_loops_list_stops(s, i);
        }
    }
}

double crn_loops_repairable(const crn_stepper *s)
{
    double worst = 0.0;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->at >= 0 && m->loops > 0) {
            worst = crn_fmax(worst, m->closure.worst);
        }
    }
    for (int i = 0; i < s->forest.stops; ++i) {
        worst = crn_fmax(worst, s->forest.stop[i].excess);
    }
    return worst;
}
