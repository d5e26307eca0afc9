/* Sums and worst figures of a run. */
#ifndef CAIRN_CLI_SIM_TOTALS_H
#define CAIRN_CLI_SIM_TOTALS_H

#include <cairn/cairn.h>

/* The largest value of a figure and the step that had it. */
typedef struct sim_worst {
    double value;
    int step; /* 1, 2, ...; 0: none */
} sim_worst;

typedef struct sim_totals {
    int steps;
    int certified; /* steps whose problem was solved */
    int convex;    /* of all: solved by the convex law */
    int relaxed;   /* of all: overlap left where it is */
    int first_unsolved;
    crn_lcp_outcome unsolved; /* outcome of that step */
    double contacts, active;  /* sums */
    int contacts_max;
    long long pivots, iterations;
    sim_worst certificate, penetration, joint_error, seconds;
    double penetration_mean; /* sum over the steps with contacts */
    int touching;            /* steps with contacts */
    double seconds_all, seconds_collide, seconds_solve;
    crn_step_stats last; /* of the last step */
} sim_totals;

void sim_totals_add(sim_totals *totals, const crn_step_stats *stats);

/* sum / count, 0 without any. */
double sim_mean(double sum, int count);

#endif
