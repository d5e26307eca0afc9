/* A row per step: its figures, and the probes of the scene. */
#ifndef CAIRN_CLI_SIM_CSV_H
#define CAIRN_CLI_SIM_CSV_H

#include <cairn/cairn.h>

#include <stdio.h>

typedef struct sim_csv {
    FILE *file; /* NULL: none */
    const char *path;
} sim_csv;

/* Begin a file and write its heading; path NULL: no file. */
crn_status sim_csv_open(sim_csv *csv, const char *path, const crn_model *model, crn_error *error);

void sim_csv_row(const sim_csv *csv, const crn_model *model, const crn_world *world, int step,
                 const crn_step_stats *stats);

/* Close the file and say whether all of it was written. Does nothing if there is none. */
crn_status sim_csv_close(sim_csv *csv, crn_error *error);

#endif
