/* The motion on its way into a recording and into a trajectory. */
#ifndef CAIRN_CLI_SIM_RECORD_H
#define CAIRN_CLI_SIM_RECORD_H

#include "sim_measure.h"
#include "sim_note.h"

#include <cairn/cairn.h>

/* Moments of the motion, kept for the report. */
typedef struct sim_trajectory {
    int count, capacity;
    int *step;
    double *time;
    crn_pose *pose; /* bodies of each moment */
} sim_trajectory;

typedef struct sim_record {
    const crn_model *model;
    int bodies;
    crn_pose *pose;         /* where all are now */
    crn_pose *before;       /* where all were before the step */
    bool is_carried;        /* contacts are found where a step begins, and go along with the bodies to its end */
    crn_recorder *recorder; /* NULL: no recording */
    crn_recording_contact *contact; /* of the last step */
    int contact_capacity;
    int frames;
    bool is_thin;   /* of many contacts, those that carry nothing are left out of frames without a note */
    int note_every; /* frames of steps 0, note_every, ... have a note; 0: none have */
    sim_note note;
    sim_measure measure; /* joints, actuators and probes */
    bool has_trajectory;
    sim_trajectory trajectory;
} sim_record;

/* Begin; output NULL: no recording. Release with sim_record_close(), also after a failure. */
crn_status sim_record_open(sim_record *record, const crn_model *model, const char *output, int every,
                           bool has_trajectory, crn_error *error);

/* The same with a recording whose bytes go into a sink. */
crn_status sim_record_open_into(sim_record *record, const crn_model *model, crn_io_sink sink, void *user, int every,
                                crn_error *error);

/* Find where all bodies are. */
crn_status sim_record_look(sim_record *record, const crn_world *world, crn_error *error);

/* Before a step whose end is to be taken: where contacts will be found. */
crn_status sim_record_before(sim_record *record, const crn_world *world, crn_error *error);

/* Take the present moment; stats NULL: the start. */
crn_status sim_record_take(sim_record *record, const crn_world *world, int step, const crn_step_stats *stats,
                           crn_error *error);

/* Close the recording, with its end mark. */
crn_status sim_record_finish(sim_record *record, crn_error *error);

/* Release everything; a recording that is not finished ends where it is. */
void sim_record_close(sim_record *record);

#endif
