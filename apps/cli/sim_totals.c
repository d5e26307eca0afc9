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

void sim_totals_add(sim_totals *t, const crn_step_stats *stats)
{
    int step = ++t->steps;
    bool is_solved = stats->outcome == CRN_LCP_SOLVED;
    if (!is_solved && t->first_unsolved == 0) {
        t->first_unsolved = step;
        t->unsolved = stats->outcome;
    }
    t->certified += is_solved;
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
