/* Sums and worst figures of a run. */
#ifndef CAIRN_CLI_SIM_TOTALS_H
#define CAIRN_CLI_SIM_TOTALS_H

#include <cairn/cairn.h>

/* The largest value of a figure and the step that had it. */
typedef struct sim_worst {
    double value;
    int step; /* 1, 2, ...; 0: none */
} sim_worst;

/* Steps that are not certified for one reason: the first in the order of crn_verdict that is wrong with them. */
typedef struct sim_fault {
    int steps;
    int first;        /* 1, 2, ...; 0: none */
    sim_worst amount; /* of what is wrong, in the unit of the reason */
    double allowed;   /* at the worst step */
} sim_fault;

typedef struct sim_totals {
    int steps;
    int certified;                      /* steps with nothing wrong */
    sim_fault fault[CRN_VERDICT_COUNT]; /* the others, by verdict */
    int first_uncertified;
    int unsolved_steps; /* steps whose problem was not solved */
    int convex;         /* of all: solved by the convex law */
    int relaxed;        /* of all: overlap left where it is */
    int first_unsolved;
    crn_lcp_outcome unsolved; /* outcome of that step */
    double contacts, active;  /* sums */
    int contacts_max;
    long long pivots, iterations;
    sim_worst certificate, penetration, joint_error, seconds;
    sim_worst loop_used;     /* what was open of a loop's clearance */
    double penetration_mean; /* sum over the steps with contacts */
    int touching;            /* steps with contacts */
    double seconds_all, seconds_collide, seconds_solve;
    sim_worst unexplained; /* energy that nothing explains, relative to the ledger's scale */
    sim_worst momentum;    /* momentum or angular momentum that nothing explains, relative to its scale */
    sim_worst gained;      /* energy above that of the beginning and all work [J] */
    crn_step_stats sum;    /* of the figures that add up */
    crn_step_stats last;   /* of the last step */
} sim_totals;

void sim_totals_add(sim_totals *totals, const crn_step_stats *stats);

/* sum / count, 0 without any. */
double sim_mean(double sum, int count);

#endif
