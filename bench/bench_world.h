/* bench_world.h -- what the parts of bench_world share: options, our own scenes, the comparison with engines. */
#ifndef BENCH_WORLD_H
#define BENCH_WORLD_H

#include <stdbool.h>
#include <stdio.h>

#include <cairn/world.h>

#include "plain.h"
#include "thread.h"

typedef struct bench_world_options {
    const char *scene;  /* only scenes whose name contains this; "": all */
    const char *engine; /* peers: only engines whose name contains this; "": all */
    double duration;    /* of each run [s]; 0: each scene's own */
    double limit;       /* peers: processor seconds of one engine in one scene */
    bool has_peers;     /* the comparison; else ours alone, in more detail */
    FILE *csv;          /* NULL: none */
} bench_world_options;

/* The sections. false: a message was printed. */
bool bench_world_ours(const bench_world_options *options);
bool bench_world_peers(const bench_world_options *options);

/* --- Scenes of the comparison (bench_world_rivals.c) --- */

/** What a scene asks. */
typedef enum bench_question {
    BENCH_ASKS_STICK = 0, /* does the box stay? creep speed */
    BENCH_ASKS_SLIDE,     /* does it slide as it should? error of the acceleration */
    BENCH_ASKS_STAND,     /* does the top stay? way of the top */
    BENCH_ASKS_SHAKE,     /* how far do disks overlap? mean overlap */
    BENCH_ASKS_POUR       /* the same, and do they come to rest inside? */
} bench_question;

typedef struct bench_rival_scene {
    const char *name, *about;
    bench_question asks;
    int size;         /* boxes, balls; of the nut: the seed */
    double h;         /* [s] */
    double duration;  /* [s] */
    double length;    /* overlap is told in per cent of it [m] */
    double parameter; /* incline: angle between downhill and the axes [degrees]; stacks: mass ratio */
    crn_status (*fill)(const struct bench_rival_scene *scene, crn_model *model, crn_error *error);
} bench_rival_scene;

int bench_rival_count(void);
const bench_rival_scene *bench_rival_at(int index);

/** Incline: mu and the exact acceleration of sliding [m/s^2]. */
double bench_incline_friction(bench_question asks);
double bench_incline_acceleration(bench_question asks);

/* --- One judge for all (bench_world_judge.c) --- */

typedef struct bench_world_judge bench_world_judge;

/** A judge of a model's poses. length: touching is told relative to it. NULL: out of memory. */
bench_world_judge *bench_judge_create(const crn_model *model, double length);
void bench_judge_destroy(bench_world_judge *judge);

/** What the judge sees at one time. */
typedef struct bench_sight {
    bool is_finite;
    double deepest; /* overlap of two solids [m], >= 0 */
    double mean;    /* overlap over all points that touch [m] */
    int lost;       /* free bodies whose centre is beyond a plane */
    double speed;   /* of the fastest free body [m/s] */
} bench_sight;

/** Look at the free bodies in the order of the model. */
bench_sight bench_judge_look(bench_world_judge *judge, double time, const bench_plain_state *states);

/* --- A run in a process of its own (bench_world_child.c) --- */

typedef enum bench_run_end { BENCH_RUN_CRASH = 0, BENCH_RUN_DONE, BENCH_RUN_TIMEOUT, BENCH_RUN_REFUSED } bench_run_end;

/** What is known of a run; grows step by step, so that it is good for as much as was stepped. */
typedef struct bench_rival_run {
    bench_run_end end;
    int steps, done; /* asked for; made */
    bool is_finite;
    double seconds, worst;              /* processor time of all steps; of the slowest */
    double deepest, overlap;            /* over all times; sum over times of the mean overlap */
    double start[3], middle[3], now[3]; /* centre of the watched body, the last one of the scene */
    double moved;                       /* its largest distance from its start */
    double moved_late;                  /* its largest distance from the middle, in the second half */
    double final;                       /* deepest overlap at the last time */
    int lost, complaints;
    double speed; /* of the fastest body at the end */
} bench_rival_run;

/** One engine with one setting through one scene. false: the system refused memory or processes. */
bool bench_rival_run_in_child(const bench_rival_scene *scene, const bench_world_peer *peer, int setting,
                              const bench_world_options *options, bench_rival_run *run);

/* --- Figures and verdicts (bench_world_verdict.c) --- */

enum { BENCH_FIGURE_TEXT = 48 };

/** The figure that the scene asks for: [m/s], relative, [m] or per cent; what it is called. */
double bench_rival_figure(const bench_rival_scene *scene, const bench_rival_run *run);
const char *bench_rival_figure_name(bench_question asks);

/** In a few words: "stands", "fell", "NaN", "timeout at 3.2 s", ... */
void bench_rival_verdict(const bench_rival_scene *scene, const bench_rival_run *run, char text[BENCH_FIGURE_TEXT]);

#endif
