/* bench_trees.h -- what the parts of bench_trees share: options, scenes, a run. */
#ifndef BENCH_TREES_H
#define BENCH_TREES_H

#include "watch.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct bench_trees_options {
    const char *scene; /* only scenes whose name contains this; "": all */
    int seeds;         /* perturbed starts of each */
    int seed;          /* only this start; 0: the scene's own; -1: all */
    double h;          /* only this step [s]; 0: each scene's own */
    double duration;   /* of each run [s]; 0: each scene's own */
    double speed;      /* of the perturbation [rad/s, m/s] */
    bool is_each;      /* a line for every run */
    FILE *csv;         /* NULL: none */
    /* Scenes made otherwise */
    double friction;  /* of all shapes; < 0: as it is */
    double tolerance; /* repair_tolerance; 0: as it is */
    double turn;      /* drift_turn; 0: as it is */
    double end_mass;  /* hoist: mass of the last link, in links; 0: 1 */
    bool is_round;    /* cones */
    crn_integrator scheme;
} bench_trees_options;

enum { BENCH_TREES_STEPS = 3 };

typedef struct bench_trees_scene {
    const char *name;            /* in the gallery */
    double h[BENCH_TREES_STEPS]; /* steps [s]; 0: no more */
    bool is_free;                /* no trees: the step of rigid bodies, whose overlap and energy have other bounds */
} bench_trees_scene;

int bench_trees_count(void);
const bench_trees_scene *bench_trees_at(int i);

/** One run. */
typedef struct bench_trees_run {
    const bench_trees_scene *scene;
    double h;
    int seed;   /* 0: as the scene is */
    int wanted; /* steps */
    crn_status status;
    char reason[sizeof(((crn_error *)0)->text)];
    crn_gallery_watch watch; /* ended */
} bench_trees_run;

/** Run a scene; seed 0: as it is. false: it could not be made; a message was printed. */
bool bench_trees_run_one(const bench_trees_options *options, const bench_trees_scene *scene, double h, int seed,
                         bench_trees_run *run);

/** What is not as it should be: "ok", or "overlap loops energy ...". */
enum { BENCH_TREES_TEXT = 128 };
void bench_trees_verdict(const bench_trees_run *run, char text[BENCH_TREES_TEXT]);

#endif
