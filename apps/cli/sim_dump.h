/* Writing the contact problem of a step that was not solved, so that `cairn contact` can replay it. */
#ifndef CAIRN_CLI_SIM_DUMP_H
#define CAIRN_CLI_SIM_DUMP_H

#include "folder.h"

#include <cairn/cairn.h>

typedef struct sim_dump {
    const char *folder; /* or NULL */
    const char *output; /* recording that the dump of a run that diverged stands beside, or NULL */
    int written;
    char path[CLI_PATH_SIZE]; /* of the last one; empty: none */
    crn_error error;          /* of the last one that could not be written */
} sim_dump;

/* A step was not solved: write its problem if a folder was given and few have been written. */
void sim_dump_unsolved(sim_dump *dump, const crn_world *world, double dt, int step);

/* The motion diverged: write the step's problem to the folder, else beside the output, else to cairn-dump.json. */
void sim_dump_diverged(sim_dump *dump, const crn_world *world, double dt, int step);

#endif
