/* What the lines about a solved problem have in common. */
#ifndef CAIRN_CLI_REPORT_H
#define CAIRN_CLI_REPORT_H

#include "json.h"

#include <cairn/lcp.h>

/* The first keys of every JSON line, in their order: problem, outcome, residual, pivots, time_us, z. */
typedef struct cli_contract {
    const char *problem;
    const char *outcome;
    double residual;
    int pivots;
    double time_us;
    int z_count;
    const double *z;
} cli_contract;

void cli_report_contract(cli_json *json, const cli_contract *contract);

/* The same of a problem that could not be read or tried: its outcome is "error", which no other has. */
void cli_report_error(cli_json *json, const char *problem);

#endif
