/* What is open of the clearances, and stops where they end.
 *
 * A joint of a loop is a pin in a hole: it may be open by the clearance g (in loop sizes), whichever way. With e the errors of
 * all rows, what counts is
 *
 *     x = e - sum_held w (w'e),      y = x + sum_loose (1/phi - 1) w (w'e),      gap of joint j = g - max(|x_j|, |y_j|)
 *
 * Held directions are repaired apart; loose ones that have only a share phi of the clearance count for 1/phi in y. Of joints that
 * open against the rest of a direction, y is less than x, which is what the hole sees. x has all that is open, not only its parts
 * along the present loose directions: w turns as the mechanism moves, and what was opened along older ones stays. A joint with
 * little left gets one stop, along its present opening:
 *
 *     rate of the gap = t'(G u),     t = - sum_loose (w . y_j/|y_j|) w / phi,   or with x for y and 1 for phi      */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "step/loops.h"

static const double NEAR_STOP = 0.2;    /* of the clearance: less open, no step reaches the end of it unseen */
static const double HELD_LENGTH = 1e-6; /* of a stop's column: what is left of one that is held, under springs */

/* Length of what rows of one joint have. */
static double length_of(const crn_step_loop *loop, const double *row)
{
    double square = 0.0;
    for (int r = loop->first; r < loop->first + loop->count; ++r) {
        square += row[r] * row[r];
    }
    return sqrt(square);
}

/* --- Errors, by directions --- */

/* Largest error of a row in metres or radians. */
static double worst_of(const crn_step_closure *c, const double *error)
{
    double worst = 0.0;
    for (int r = 0; r < c->rows; ++r) {
        worst = crn_max(worst, fabs(error[r]) * c->unit[r]);
    }
    return worst;
}

/* Held directions that are rows: these are not open; the others are by the misfit. */
static void open_of_rows(crn_step_closure *c)
{
    double *z = c->scratch;
    memcpy(c->open, c->error, (size_t)c->rows * sizeof *c->open);
    for (int i = 0; i < c->held; ++i) {
        const double *R = c->W + (size_t)i * (size_t)c->rows;
        z[i] = c->open[c->order[i]] / R[c->order[i]];
        for (int j = i; j < c->rows; ++j) {
            c->open[c->order[j]] -= z[i] * R[c->order[j]];
        }
    }
}

static void open_of_directions(crn_step_closure *c)
{
    memcpy(c->open, c->error, (size_t)c->rows * sizeof *c->open);
    for (int i = 0; i < c->held; ++i) {
        const double *w = c->W + (size_t)i * (size_t)c->rows;
        crn_axpy(c->rows, -crn_dot(c->rows, w, c->error), w, c->open);
    }
}

/* Errors of held directions: what is off but not open. */
static void find_worst(crn_step_closure *c)
{
    double *held = c->scratch;
    for (int r = 0; r < c->rows; ++r) {
        held[r] = c->error[r] - c->open[r];
    }
    c->worst = worst_of(c, held);
}

/* What no motion closes is what neither held nor loose directions have. */
static void find_misfit(crn_step_closure *c, double clearance)
{
    double *rest = c->scratch;
    memcpy(rest, c->open, (size_t)c->rows * sizeof *rest);
    for (int i = c->held; i < c->held + c->loose; ++i) {
        const double *w = c->W + (size_t)i * (size_t)c->rows;
        crn_axpy(c->rows, -crn_dot(c->rows, w, c->error), w, rest);
    }
    c->misfit = c->misfit_allowed = 0.0;
    double most = -1.0;
    for (int r = 0; r < c->rows; ++r) {
        if (fabs(rest[r]) > most) {
            most = fabs(rest[r]);
            c->misfit = most * c->unit[r];
            c->misfit_allowed = clearance * c->unit[r];
        }
    }
}

/* Loose directions that have a share of the clearance only count for more. */
static void weigh_loose(crn_step_closure *c)
{
    memcpy(c->weighed, c->open, (size_t)c->rows * sizeof *c->weighed);
    for (int i = c->held; i < c->held + c->loose; ++i) {
        const double *w = c->W + (size_t)i * (size_t)c->rows;
        if (c->share[i] < 1.0) {
            crn_axpy(c->rows, (1.0 / c->share[i] - 1.0) * crn_dot(c->rows, w, c->error), w, c->weighed);
        }
    }
}

/* The joint that is most open of its clearance. */
static void find_tightest(const crn_stepper *s, const crn_step_mechanism *m, crn_step_closure *c)
{
    double most = -1.0;
    c->tightest = -1;
    c->opening = c->clearance = 0.0;
    for (int i = 0; i < m->loops; ++i) {
        const crn_step_loop *loop = &s->forest.loop[m->loop + i];
        double open = length_of(loop, c->open), clearance = crn_loops_clearance_of(s, loop);
        double used = clearance > 0.0 ? open / clearance : open;
        if (loop->count > 0 && used > most) {
            most = used;
            c->tightest = i;
            c->opening = open * loop->size;
            c->clearance = clearance * loop->size;
        }
    }
}

void crn_loops_list_open(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_closure *c = &m->closure;
    if (c->is_turned) {
        open_of_directions(c);
    } else {
        open_of_rows(c);
    }
    find_worst(c);
    find_misfit(c, crn_loops_clearance(&s->def));
    find_tightest(s, m, c);
    weigh_loose(c);
}

/* What counts of a joint's opening: as it is, or weighed, whichever is more. */
typedef struct opening {
    const double *row;
    bool is_weighed;
    double length;
} opening;

static opening opening_of(const crn_step_closure *c, const crn_step_loop *loop)
{
    double plain = length_of(loop, c->open), weighed = length_of(loop, c->weighed);
    return weighed > plain ? (opening){c->weighed, true, weighed} : (opening){c->open, false, plain};
}

double crn_loops_open_of(const crn_step_closure *c, const crn_step_loop *loop)
{
    return opening_of(c, loop).length;
}

/* --- Stops --- */

/* By how much a joint with this gap is open beyond its clearance [m]. A loose direction that has a small share of the clearance
 * counts for more in the gap; what repairs are to reach is a length. */
static double excess_of(const crn_step_closure *c, const crn_step_loop *loop, double gap)
{
    return gap >= 0.0 ? 0.0 : -gap * loop->size * length_of(loop, c->open) / opening_of(c, loop).length;
}

void crn_loops_list_stops(crn_stepper *s, int mechanism)
{
    crn_step_forest *f = &s->forest;
    const crn_step_mechanism *m = &f->mechanism[mechanism];
    for (int i = m->loop; i < m->loop + m->loops && m->closure.loose > 0; ++i) {
        double clearance = crn_loops_clearance_of(s, &f->loop[i]);
        double open = opening_of(&m->closure, &f->loop[i]).length, gap = clearance - open;
        if (open > NEAR_STOP * clearance) {
            double excess = excess_of(&m->closure, &f->loop[i], gap);
            f->stop[f->stops++] = (crn_step_stop){.mechanism = mechanism, .loop = i, .gap = gap, .excess = excess};
        }
    }
}

/* What loose direction i has of the stop: t = sum of these times w. */
static double part_of(const crn_step_closure *c, const crn_step_loop *loop, const opening *x, int i)
{
    const double *w = c->W + (size_t)i * (size_t)c->rows;
    double part = crn_dot(loop->count, w + loop->first, x->row + loop->first);
    return -part / ((x->is_weighed ? c->share[i] : 1.0) * x->length);
}

bool crn_loops_stop_column(crn_stepper *s, crn_step_stop *stop, bool is_velocity, double *y, double *given)
{
    const crn_step_mechanism *m = &s->forest.mechanism[stop->mechanism];
    const crn_step_closure *c = &m->closure;
    const crn_step_loop *loop = &s->forest.loop[stop->loop];
    const opening x = opening_of(c, loop);
    int n = m->whitened;
    memset(y, 0, (size_t)n * sizeof *y);
    *given = 0.0;
    for (int i = c->held; i < c->held + c->loose; ++i) {
        double part = part_of(c, loop, &x, i);
        crn_axpy(n, part, c->Q + (size_t)i * (size_t)n, y);
        *given += is_velocity ? part * crn_loops_along(c, i, c->given) : 0.0;
    }
    double whole = sqrt(crn_dot(n, y, y));
    *given += c->held > 0 ? crn_dot(n, y, s->forest.shift + m->w) : 0.0;
    crn_loops_reduce(m, y);
    stop->length = sqrt(crn_dot(n, y, y));
    if (!(stop->length > HELD_LENGTH * whole)) {
        memset(y, 0, (size_t)n * sizeof *y);
        stop->length = 0.0;
        return false;
    }
    crn_scal(n, 1.0 / stop->length, y);
    *given /= stop->length;
    return true;
}

void crn_loops_add_stop(const crn_stepper *s, const crn_step_stop *stop, double scale, double *row)
{
    const crn_step_mechanism *m = &s->forest.mechanism[stop->mechanism];
    const crn_step_closure *c = &m->closure;
    const crn_step_loop *loop = &s->forest.loop[stop->loop];
    const opening x = opening_of(c, loop);
    for (int i = c->held; i < c->held + c->loose && stop->length > 0.0; ++i) {
        double part = part_of(c, loop, &x, i);
        crn_axpy(c->rows, scale * part / stop->length, c->W + (size_t)i * (size_t)c->rows, row);
    }
}

double crn_loops_stop_speed(const crn_stepper *s, const crn_step_stop *stop, const crn_twist *twist, const double *u)
{
    const crn_step_mechanism *m = &s->forest.mechanism[stop->mechanism];
    double *combination = m->closure.scratch;
    memset(combination, 0, (size_t)m->closure.rows * sizeof *combination);
    crn_loops_add_stop(s, stop, 1.0, combination);
    return crn_loops_speed(s, m, combination, twist, u);
}
