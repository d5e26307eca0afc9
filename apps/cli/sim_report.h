/* Telling what a run gave: aligned text, or one JSON object. */
#ifndef CAIRN_CLI_SIM_REPORT_H
#define CAIRN_CLI_SIM_REPORT_H

#include "sim_run.h"

void sim_report_text(const sim_run *run);
void sim_report_json(const sim_run *run);

#endif
