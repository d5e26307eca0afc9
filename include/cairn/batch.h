/* cairn/batch.h -- many worlds at once: copies or variants of a model, stepped by all cores in one call.
 *
 * The numbers of all worlds lie in arrays of the caller's, world after world. Worlds share nothing, so that each moves as it would
 * alone, to the last bit, on any number of threads. A call takes no memory once every world has met as many contacts before.
 *
 * The state of a world is a vector, laid out as MuJoCo lays out a full physics state:
 *
 *     time | q | u | activations of the actuators that have a time constant
 *
 * with q and u as crn_robot_state() gives them for all bodies of the world (tree.h). Not in worlds with the integrator hart, nor with
 * links on driven bodies. One thread at a time per batch. */
#ifndef CAIRN_BATCH_H
#define CAIRN_BATCH_H

#include <cairn/model.h>
#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Worlds side by side, and the threads that step them. */
typedef struct crn_batch crn_batch;

/** What a batch is made of. */
typedef struct crn_batch_def {
    const crn_model *const *model; /* variants: world i is made from model[i % models]. Not needed afterwards */
    int models;                    /* at least 1; their states, controls and sensors have the same sizes */
    int worlds;                    /* at least 1 */
    int threads;                   /* that step them, the caller's included; 0: as many as there are processors */
} crn_batch_def;

/** How many there are of everything; the same for all worlds. */
typedef struct crn_batch_size {
    int worlds, models, threads;
    int state; /* 1 + coordinates + velocities + activations */
    int coordinates, velocities, activations;
    int controls; /* actuators */
    int sensors;  /* numbers of all probes: the layout of crn_world_measure() */
} crn_batch_size;

/** Make the worlds. allocator NULL: the default one; one of your own is called by several threads at once. */
CRN_API crn_status crn_batch_create(const crn_batch_def *def, const crn_allocator *allocator, crn_batch **batch,
                                    crn_error *error);
CRN_API void crn_batch_destroy(crn_batch *batch); /* NULL is fine */

/** Sizes; all 0 without a batch. */
CRN_API crn_batch_size crn_batch_size_of(const crn_batch *batch);

/** One of the worlds, to be looked at, pushed or measured between steps; NULL outside. It belongs to the batch. */
CRN_API crn_world *crn_batch_world(const crn_batch *batch, int world);

/** Put worlds back to where they began, whatever they did since, and then into states.
 *  @param world which ones; NULL: worlds 0 .. count-1
 *  @param state count vectors; NULL: they stay at the beginning. The time of worlds with driven bodies cannot be another one
 *  @return CRN_ERR_ARGUMENT if a state is not possible; the message names it, and those before it are set */
CRN_API crn_status crn_batch_reset(crn_batch *batch, const int *world, int count, const double *state,
                                   crn_error *error);

/** States, and what sensors show, of all worlds now. Either may be NULL. */
CRN_API crn_status crn_batch_look(crn_batch *batch, double *state, double *sensor);

/** What to do with the worlds, and what to write down. Arrays have a row per world and moment; any may be NULL. */
typedef struct crn_batch_run {
    double dt;             /* [s]; 0: each model's own */
    int moments;           /* >= 1: how often controls are set and numbers are written down ... */
    int hold;              /* ... with so many steps from one to the next; 0: 1 */
    const double *control; /* worlds x moments x controls; NULL: as they are */
    double *state;         /* worlds x moments x state: at the end of each */
    double *sensor;        /* worlds x moments x sensors */
    crn_step_stats *stats; /* worlds: of the last step */
    int *certified;        /* worlds: steps that were certified */
    unsigned char *status; /* worlds: crn_status; one whose step fails stays there, with CRN_OK for the call itself */
} crn_batch_run;

/** Step all worlds, each `moments * hold` times. Controls that are not finite are refused before anything moves. */
CRN_API crn_status crn_batch_step(crn_batch *batch, const crn_batch_run *run, crn_error *error);

/** Motions from given states: motion i begins like a world of model[i % models] at its beginning, put into state i. Arrays of run
 *  have a row per motion. Needs as many worlds as models times threads; where they are afterwards is not told. */
CRN_API crn_status crn_batch_rollout(crn_batch *batch, int motions, const double *state, const crn_batch_run *run,
                                     crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
