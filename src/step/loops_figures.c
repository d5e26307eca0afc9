/* What loops tell: figures of a step, reports of mechanisms, and how much of it is right. */
#include <math.h>

#include "math/elementary.h"
#include "step/loops.h"

static const double ERROR_MOST = 10.0;   /* repair tolerances: what one more drift of the next step may leave */
static const double OPENING_MOST = 1.01; /* clearances, or as much beyond one as what is held may be off */
static const double REST_SPEED = 1e-6;   /* [1/s] loop sizes: slower it stands */

void crn_loops_figures(const crn_stepper *s, crn_step_stats *stats)
{
    double used = -1.0, unfit = -1.0;
    stats->loop_error = stats->loop_opening = stats->loop_clearance = 0.0;
    stats->loop_misfit = stats->loop_misfit_allowed = 0.0;
    stats->loop_rows = stats->loop_held = stats->loop_loose = 0;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_closure *c = &s->forest.mechanism[i].closure;
        if (c->tightest < 0) {
            continue;
        }
        stats->loop_rows += c->rows;
        stats->loop_held += c->held;
        stats->loop_loose += c->loose;
        stats->loop_error = crn_fmax(stats->loop_error, c->worst);
        if (c->opening > used * c->clearance) {
            used = c->clearance > 0.0 ? c->opening / c->clearance : 0.0;
            stats->loop_opening = c->opening;
            stats->loop_clearance = c->clearance;
        }
        if (c->misfit > unfit * c->misfit_allowed) {
            unfit = c->misfit_allowed > 0.0 ? c->misfit / c->misfit_allowed : 0.0;
            stats->loop_misfit = c->misfit;
            stats->loop_misfit_allowed = c->misfit_allowed;
        }
    }
}

bool crn_loops_hold(const crn_world_def *def, const crn_step_stats *stats, double *amount, double *allowed)
{
    double least = ERROR_MOST * crn_repair_tolerance(def); /* also of loops without clearance */
    const double is[] = {stats->loop_error, stats->loop_opening, stats->loop_misfit};
    const double may[] = {least, crn_fmax(stats->loop_clearance + least, OPENING_MOST * stats->loop_clearance),
                          crn_fmax(least, stats->loop_misfit_allowed)};
    *amount = is[0];
    *allowed = may[0];
    for (int i = 1; i < 3; ++i) {
        if (is[i] * *allowed > *amount * may[i]) {
            *amount = is[i];
            *allowed = may[i];
        }
    }
    return *amount <= *allowed;
}

/* --- Reports --- */

int crn_step_looped(const crn_stepper *s)
{
    int count = 0;
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        count += s->forest.mechanism[i].loops > 0 && s->forest.mechanism[i].whitened > 0;
    }
    return count;
}

static crn_step_mechanism *looped(crn_stepper *s, int which)
{
    crn_step_mechanism *m = s->forest.mechanism;
    for (;; ++m) {
        if (m->loops > 0 && m->whitened > 0 && which-- == 0) {
            return m;
        }
    }
}

/* Does a stop push, and nothing moves? */
static bool is_jammed(const crn_stepper *s, const crn_step_mechanism *m, double size)
{
    bool is_pushed = false;
    for (int i = 0; i < s->forest.stops; ++i) {
        const crn_step_stop *stop = &s->forest.stop[i];
        is_pushed = is_pushed || (&s->forest.mechanism[stop->mechanism] == m && stop->impulse > 0.0);
    }
    double fastest = 0.0;
    for (int t = m->tree; t < m->tree + m->trees && is_pushed; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int k = 0; k < tree->tree->links; ++k) {
            const crn_step_body *body = &s->body[s->forest.body[tree->link + k]];
            fastest = crn_fmax(fastest, crn_fmax(crn_v3_length(body->shown_v) / size, crn_v3_length(body->shown_w)));
        }
    }
    return is_pushed && fastest < REST_SPEED;
}

void crn_step_report_mechanism(crn_stepper *s, int which, crn_mechanism_report *report, int *body, int *joint)
{
    crn_step_mechanism *m = looped(s, which);
    crn_loops_update(s, m);
    const crn_step_closure *c = &m->closure;
    const crn_step_loop *tightest = &s->forest.loop[m->loop + (c->tightest >= 0 ? c->tightest : 0)];
    *report = (crn_mechanism_report){.loops = m->loops,
                                     .rows = c->rows,
                                     .held = c->held,
                                     .loose = c->loose,
                                     .none = c->rows - c->held - c->loose,
                                     .error = c->worst,
                                     .opening = c->opening,
                                     .clearance = c->clearance,
                                     .misfit = c->misfit,
                                     .misfit_allowed = c->misfit_allowed,
                                     .size = tightest->size,
                                     .is_widened = s->joint[tightest->joint].play > 0.0,
                                     .is_jammed = is_jammed(s, m, tightest->size)};
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        report->links += s->forest.tree[t].tree->links;
    }
    *body = s->forest.body[s->forest.tree[m->tree].link];
    *joint = tightest->joint;
}
