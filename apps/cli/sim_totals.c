/* Sums and worst figures of a run. */
#include "sim_totals.h"

#include <math.h>

/* A value that is not a number is the worst of all. */
static void meet(sim_worst *worst, double value, int step)
{
    if (worst->step == 0 || (!isnan(worst->value) && !(value <= worst->value))) {
        *worst = (sim_worst){value, step};
    }
}

static void add_verdict(sim_totals *t, const crn_step_stats *stats, int step)
{
    if (stats->verdict == CRN_VERDICT_CERTIFIED) {
        ++t->certified;
        return;
    }
    sim_fault *fault = &t->fault[stats->verdict];
    t->first_uncertified = t->first_uncertified == 0 ? step : t->first_uncertified;
    fault->first = fault->steps++ == 0 ? step : fault->first;
    meet(&fault->amount, stats->amount, step);
    fault->allowed = fault->amount.step == step ? stats->allowed : fault->allowed;
}

/* value / scale; what has no scale is small. */
static double relative(double value, double scale)
{
    return scale > 0.0 ? fabs(value) / scale : 0.0;
}

static double length(crn_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static void add_ledger(sim_totals *t, const crn_step_stats *stats, int step)
{
    const crn_ledger *l = &stats->ledger;
    for (int i = 0; i < crn_step_figure_count(); ++i) {
        const crn_step_figure *figure = crn_step_figure_at(i);
        if (figure->adds_up) {
            double sum = crn_step_figure_get(figure, &t->sum) + crn_step_figure_get(figure, stats);
            (void)crn_step_figure_set(figure, sum, &t->sum);
        }
    }
    meet(&t->unexplained, relative(l->unexplained, l->scale), step);
    meet(&t->momentum, relative(length(l->momentum), l->momentum_scale), step);
    meet(&t->momentum, relative(length(l->angular_momentum), l->angular_scale), step);
    meet(&t->gained, l->gained, step);
}

void sim_totals_add(sim_totals *t, const crn_step_stats *stats)
{
    int step = ++t->steps;
    bool is_solved = stats->outcome == CRN_LCP_SOLVED;
    if (!is_solved && t->first_unsolved == 0) {
        t->first_unsolved = step;
        t->unsolved = stats->outcome;
    }
    t->unsolved_steps += !is_solved;
    add_verdict(t, stats, step);
    add_ledger(t, stats, step);
    t->convex += stats->law == CRN_LAW_CONVEX;
    t->relaxed += stats->is_relaxed;
    t->contacts += stats->contacts;
    t->active += stats->active;
    t->contacts_max = stats->contacts > t->contacts_max ? stats->contacts : t->contacts_max;
    t->pivots += stats->pivots;
    t->iterations += stats->iterations;
    meet(&t->certificate, stats->certificate, step);
    meet(&t->penetration, stats->penetration, step);
    meet(&t->joint_error, stats->joint_error, step);
    meet(&t->loop_used, stats->loop_clearance > 0.0 ? stats->loop_opening / stats->loop_clearance : 0.0, step);
    meet(&t->seconds, stats->seconds, step);
    t->penetration_mean += stats->contacts > 0 ? stats->penetration_mean : 0.0;
    t->touching += stats->contacts > 0;
    t->seconds_all += stats->seconds;
    t->seconds_collide += stats->seconds_collide;
    t->seconds_solve += stats->seconds_solve;
    t->last = *stats;
}

double sim_mean(double sum, int count)
{
    return count > 0 ? sum / count : 0.0;
}
