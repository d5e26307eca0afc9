/* A run: steps from the start to the end, what they give, and where it goes. */
#ifndef CAIRN_CLI_SIM_RUN_H
#define CAIRN_CLI_SIM_RUN_H

#include "sim_csv.h"
#include "sim_dump.h"
#include "sim_page.h"
#include "sim_record.h"
#include "sim_request.h"
#include "sim_start.h"
#include "sim_totals.h"

/* The worst that happened: nothing, a step not certified although its problem is solved, a problem not solved, no end. */
typedef enum sim_outcome { SIM_SOLVED, SIM_UNCERTIFIED, SIM_UNSOLVED, SIM_DIVERGED } sim_outcome;

typedef struct sim_run {
    const sim_request *request;
    crn_model *model;
    crn_world *world;
    int steps; /* that were asked for */
    int every; /* steps from one frame to the next */
    sim_start start;
    sim_totals totals;
    sim_record record;
    sim_csv csv;
    sim_dump dump;
    sim_page page;
    sim_outcome outcome;
    crn_error divergence; /* what the step said */
    int frames;           /* in the recording */
} sim_run;

/* Load the scene and build the world. Release with sim_run_free(), also after a failure. */
crn_status sim_run_prepare(sim_run *run, const sim_request *request, crn_error *error);

/* Step to the end. CRN_OK also if steps are not certified or the motion diverged: run->outcome tells. */
crn_status sim_run_go(sim_run *run, crn_error *error);

void sim_run_free(sim_run *run);

/* "bodies 'a' and 'b' overlap by 0.12 m at the start"; returns text. */
enum { SIM_OVERLAP_SIZE = 256 };
const char *sim_run_overlap(const sim_run *run, char text[SIM_OVERLAP_SIZE]);

#endif
