/* Telling how the loops of mechanisms are held. */
#ifndef CAIRN_CLI_SIM_LOOPS_H
#define CAIRN_CLI_SIM_LOOPS_H

#include "json.h"
#include "sim_run.h"

/* Before the run: mechanisms that are over-constrained or do not fit, a line each. */
void sim_loops_start(const sim_run *run);

/* After it: how far loops were open, and mechanisms that are jammed. */
void sim_loops_end(const sim_run *run);
void sim_loops_json(cli_json *json, const sim_run *run);

#endif
