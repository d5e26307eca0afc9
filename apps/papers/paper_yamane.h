/* The scenes of [YN08 s5] run step by step, and each step's LCP by several methods. */
#ifndef CAIRN_CLI_PAPER_YAMANE_H
#define CAIRN_CLI_PAPER_YAMANE_H

#include "paper.h"

#include <cairn/world.h>

/* --- One frame's LCP in the paper's units [YN08 eq. 25]: forces [N] and velocities [m/s] --- */

typedef struct yamane_lcp {
    int n, contacts;
    double h;
    double *M, *q, *lower, *upper, *z, *w;
    unsigned char *start, *basis;
    double *small_M, *small_q, *small_lower, *small_upper, *small_z; /* the frictionless LCP */
    unsigned char *small_basis;
    int small_n;
    double *impulse, *speed, *row; /* of door 2's answer */
    size_t capacity;               /* numbers at M */
    int order_capacity;
    double *memory;
    unsigned char *bytes;
    crn_workspace work;
} yamane_lcp;

/* Assemble the problem of a step of h. False, with error, if that failed. */
bool yamane_lcp_load(yamane_lcp *lcp, const crn_contact_problem *problem, double h, crn_error *error);
void yamane_lcp_free(yamane_lcp *lcp);

/* --- Methods --- */

typedef enum yamane_kind {
    YAMANE_LEMKE = 0,
    YAMANE_LEX_0, /* lexicographic, Delta = 0 */
    YAMANE_LEX_10,
    YAMANE_LEX_8,
    YAMANE_LEX_6,
    YAMANE_LEX_4,
    YAMANE_PRINTED, /* the paper's search as printed */
    YAMANE_AUTHORS, /* in the order of the authors' own program */
    YAMANE_SEARCH,  /* ours on the assembled LCP */
    YAMANE_STATES   /* ours on contact states: what the world uses */
} yamane_kind;
enum { YAMANE_KINDS = YAMANE_STATES + 1 };

extern const char *const yamane_kind_name[YAMANE_KINDS];

/* How it ended, in the paper's words. */
typedef enum yamane_verdict { YAMANE_SUCCESS = 0, YAMANE_NO_SOLUTION, YAMANE_CYCLE, YAMANE_ERROR } yamane_verdict;
enum { YAMANE_VERDICTS = YAMANE_ERROR + 1 };

typedef struct yamane_try {
    yamane_verdict verdict; /* error above e_max = 1e-3 is an error */
    bool is_strict;         /* certified to 1e-9, relative */
    double relative;        /* certificate */
    int pivots;
    double seconds; /* processor time of the solve; the frictionless one is not counted */
} yamane_try;

/* Solve the frictionless LCP by a method and make it the start [YN08 s4-C]; false if it was not solved. Cold: the start is z = 0. */
bool yamane_start(yamane_lcp *lcp, yamane_kind kind, crn_error *error);
void yamane_start_cold(yamane_lcp *lcp);

/* Solve from the start into lcp->z and ->w. problem is read by YAMANE_STATES alone. is_warm: yamane_start() was called. False,
 * with error, if a call failed. */
bool yamane_solve(yamane_lcp *lcp, const crn_contact_problem *problem, yamane_kind kind, bool is_warm,
                  yamane_try *answer, crn_error *error);

/* --- Counting --- */

typedef struct yamane_tally {
    int frames, verdict[YAMANE_VERDICTS];
    int strict;   /* certified to 1e-9 */
    double worst; /* certificate of the successes */
    double contacts, active;
    long long pivots;
    double seconds;
} yamane_tally;

void yamane_count(yamane_tally *tally, const yamane_try *answer);

/* --- Runs --- */

typedef struct yamane_request {
    const char *scene;
    double dt, seconds; /* 0: the scene's */
    yamane_kind kind;   /* who solves the world's problems; YAMANE_STATES: the world itself */
    uint64_t seed;      /* 0: as it is; else from random joint velocities up to 0.2 rad/s */
    bool is_compared;   /* try all methods on this run's frames */
    int every;          /* ... on every so many of them */
} yamane_request;

typedef struct yamane_run {
    char scene[24];
    double dt;
    int steps, frames; /* all; with contact */
    int failures;      /* frames that were not solved */
    int fallbacks;     /* of them without any solution, frictionless neither */
    yamane_tally own;
    yamane_tally same[YAMANE_KINDS][2]; /* on the same frames: cold, from the frictionless solution */
    int compared;
    double contacts, active;                           /* means over frames */
    double lcp_ms, step_ms, worst_ms;                  /* means over frames, all steps; processor time */
    double certificate;                                /* the worst of the world's own */
    double overlap, loop, joint;                       /* worst [m] */
    double start_energy, most_energy;                  /* [J] */
    double lowest;                                     /* height of the lowest free body at the end [m] */
    double least_up;                                   /* of the trunk: cosine of its tilt; 1 without one */
    double weight;                                     /* of all free bodies [N] */
    double *time, *force, *number, *frame_ms, *lex_ms; /* per step: vertical force of both feet [N], contacts, ms */
    double *memory;
} yamane_run;

/* Run it; steps of the progress are hundredths of the scene. False, with p->error, if something failed. */
bool yamane_run_make(paper *p, const yamane_request *request, yamane_run *run);
void yamane_run_free(yamane_run *run);

/* --- A method that drives a world --- */

typedef struct yamane_driver {
    yamane_kind kind;
    double h;
    yamane_lcp lcp;
    crn_workspace work;
    yamane_tally tally;
    int failures, fallbacks; /* frames without a solution with friction; without any */
    double *push;            /* scratch: impulses on the bodies */
    int push_capacity;
} yamane_driver;

/* For crn_world_set_solver(); user is a yamane_driver. What fails with friction is solved without [YN08 s5-A]. */
crn_status yamane_drive(void *user, const crn_contact_problem *problem, const crn_contact_options *options,
                        const crn_contact_solution *solution, crn_contact_result *result, crn_error *error);
void yamane_driver_free(yamane_driver *driver);

/* --- All runs, and the page about them --- */

enum { YAMANE_TABLE_3 = 10, YAMANE_OWN = 9, YAMANE_STARTS = 10 };

/* Who drives a squat of its own; the first is the world itself. */
extern const yamane_kind yamane_own[YAMANE_OWN];

/* A row of [YN08 table 3] and the scene that stands for it; without published figures they are 0. */
typedef struct yamane_scene {
    const char *name;
    double dt;
    double contacts, active;
    int frames;
    double lcp_ms, step_ms;
} yamane_scene;
extern const yamane_scene yamane_scenes[YAMANE_TABLE_3];

/* The worst of several starts of a scene. */
typedef struct yamane_starts {
    int runs, frames, failures;
    double overlap, loop, joint; /* [m] */
    double gain;                 /* of energy, relative to what the scene has at first */
    double lowest;               /* height of a body at the end [m] */
} yamane_starts;

typedef struct yamane_all {
    yamane_run squat[YAMANE_OWN];
    yamane_run dance, dance_lex, dance_authors;
    yamane_run scene[YAMANE_TABLE_3];
    yamane_starts starts[YAMANE_TABLE_3];
} yamane_all;

/* Largest gain of energy of a run, relative to its energy at the start; 0 if there was none. */
double yamane_gain(const yamane_run *run);

/* Mean solve time of a tally's frames [ms]; NaN without frames. */
double yamane_mean_ms(const yamane_tally *tally);
int yamane_failures(const yamane_tally *tally);

/* Rows, tables and plots. */
void yamane_show(paper *p, const yamane_all *all);

#endif
