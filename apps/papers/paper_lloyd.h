/* What `cairn-papers lloyd` measures: curves of four methods over the number of contacts, and towers of blocks. */
#ifndef CAIRN_CLI_PAPER_LLOYD_H
#define CAIRN_CLI_PAPER_LLOYD_H

#include "paper.h"

/* Methods of the figures, in the order of their legends. */
enum { LLOYD_STANDARD, LLOYD_STRUCTURAL, LLOYD_REDUCED, LLOYD_STATES, LLOYD_METHODS };

enum { LLOYD_POINTS_MAX = 10, LLOYD_RUNS_MAX = 20 };

/* One problem with several random wrenches, by all methods. */
typedef struct lloyd_point {
    const char *label;
    int contacts, bodies;
    int runs[LLOYD_METHODS], solved[LLOYD_METHODS];
    double seconds[LLOYD_METHODS], pivots[LLOYD_METHODS]; /* means over the solved runs; not-a-number: none */
    double solving;                                       /* of contact states: without checks, copying and islands */
    double run_seconds[LLOYD_METHODS][LLOYD_RUNS_MAX];
} lloyd_point;

typedef struct lloyd_curve {
    int count;
    lloyd_point point[LLOYD_POINTS_MAX];
} lloyd_curve;

/* A tower: contact states cold and warm (from its own answer), and the solver at body level. */
enum { LLOYD_COLD, LLOYD_WARM, LLOYD_BODIES, LLOYD_WAYS };
typedef struct lloyd_tower {
    int blocks, contacts;
    int runs, solved[LLOYD_WAYS];
    double seconds[LLOYD_WAYS], pivots[LLOYD_WAYS];
    int warm_factorisations; /* most of a run */
} lloyd_tower;

typedef struct lloyd_data {
    lloyd_curve peg, single, stacks;
    int tower_count;
    lloyd_tower tower[LLOYD_POINTS_MAX];
} lloyd_data;

/* Measure a peg of the sizes that were given; false likewise. */
bool lloyd_measure_own(paper *p, lloyd_data *data);

/* Measure everything; false if something broke (p->error). */
bool lloyd_measure(paper *p, lloyd_data *data);

#endif
