/* The scenes of [HA03], run step by step: what every step told, frames, and pictures of them. */
#ifndef CAIRN_CLI_PAPER_HART_H
#define CAIRN_CLI_PAPER_HART_H

#include "paper.h"

#include <cairn/world.h>

enum { HART_FRAMES_MAX = 10, HART_WALLS_MAX = 3 };

typedef enum hart_variant {
    HART_STABILISED = 0, /* the scene's own scheme */
    HART_UNSTABILISED,   /* [HA03 eq. 2.11] with Upsilon = Delta = 0 */
    HART_PLAIN           /* gaps enter only while positive */
} hart_variant;

/* What to run. */
typedef struct hart_request {
    const char *scene; /* of the gallery; NULL: the Brazil nut with dt and seed below */
    hart_variant variant;
    double dt;
    uint64_t seed;
    double seconds;            /* 0: the scene's */
    const double *frame_times; /* increasing; a frame is taken at the step's end that is nearest */
    int frames;
} hart_request;

/* A free body as it is drawn. */
typedef struct hart_body {
    double x, y, angle;
    double rx, ry; /* half axes; equal for a disk */
    bool is_large; /* the nut */
} hart_body;

/* A half-plane that is filled: the points p with normal'p <= offset. */
typedef struct hart_wall {
    double nx, ny, offset;
} hart_wall;

typedef struct hart_frame {
    double time;
    hart_wall wall[HART_WALLS_MAX];
    int walls;
    hart_body *body;
    int bodies;
} hart_frame;

/* What came out: one number per step in each array. Release with hart_run_free(). */
typedef struct hart_run {
    double dt;
    int steps, bodies;
    double *time;      /* at the end of the step [s] */
    double *overlap;   /* the deepest at the end of the step [m]: the paper's infeasibility */
    double *ms;        /* processor time of the thread */
    double *contacts;  /* in the problem */
    double *active;    /* of them with an impulse */
    double *large_top; /* height of the nut's highest point over the box's floor [m]; 0 without a nut */
    double *small_top; /* of the highest of all small disks */
    double *above;     /* how many small disks reach higher than the nut */
    int certified, relaxed, most_problems;
    double certificate;  /* the worst */
    int shaken;          /* steps while the box is shaken, which the means are over; all steps without a nut */
    double mean_overlap; /* mean over steps of the mean over touching contacts [m] */
    double deepest;      /* [m] */
    double small_radius; /* the largest of the small disks [m]; 0 without a nut */
    double mean_ms, p99_ms, worst_ms; /* worst: of all steps */
    double whole_ms;                  /* mean over all steps, rest included */
    hart_frame frame[HART_FRAMES_MAX];
    int frames;
    double *memory;
} hart_run;

/* Run it; steps of the progress are seconds of the scene. False, with p->error, if something failed. */
bool hart_run_make(paper *p, const hart_request *request, hart_run *run);
void hart_run_free(hart_run *run);

/* The largest overlap at times in (from, until]. */
double hart_largest(const hart_run *run, double from, double until);

/* Frames side by side, for paper_picture(). */
typedef struct hart_picture {
    const char *title;
    const hart_frame *frame;
    int frames, columns;
    double x0, x1, y0; /* window [m]; it grows to show all bodies, upward as far as it takes */
} hart_picture;
void hart_draw(FILE *file, const void *what); /* what: a hart_picture */

#endif
