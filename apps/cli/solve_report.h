/* Telling what a solve found. */
#ifndef CAIRN_CLI_SOLVE_REPORT_H
#define CAIRN_CLI_SOLVE_REPORT_H

#include "solve_job.h"

/* One JSON line for a problem that was solved or not. dump: where it was written, or NULL. */
void solve_report_json(solve_job *job, const solve_request *request, const char *dump);

/* One JSON line for a problem that could not be read or tried. */
void solve_report_json_error(const char *name, const char *message);

/* The same for people. */
void solve_report_text(solve_job *job, const solve_request *request, const char *dump);

#endif
