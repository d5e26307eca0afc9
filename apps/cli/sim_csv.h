/* A row per step: its figures, and the probes of the scene. */
#ifndef CAIRN_CLI_SIM_CSV_H
#define CAIRN_CLI_SIM_CSV_H

#include <cairn/cairn.h>

typedef struct sim_csv {
    crn_io_output output; /* not open: none */
} sim_csv;

/* Begin a file and write its heading; path NULL: no file. */
crn_status sim_csv_open(sim_csv *csv, const char *path, const crn_model *model, crn_error *error);

void sim_csv_row(const sim_csv *csv, const crn_model *model, const crn_world *world, int step,
                 const crn_step_stats *stats);

/* Put the file in its place if status is CRN_OK, or drop it; returns the first failure. Does nothing if there is none. */
crn_status sim_csv_close(sim_csv *csv, crn_status status, crn_error *error);

#endif
