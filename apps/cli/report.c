/* What the lines about a solved problem have in common. */
#include "report.h"

#include <math.h>

void cli_report_contract(cli_json *json, const cli_contract *contract)
{
    cli_json_string(json, "problem", contract->problem);
    cli_json_string(json, "outcome", contract->outcome);
    cli_json_real(json, "residual", contract->residual);
    cli_json_int(json, "pivots", contract->pivots);
    cli_json_fixed(json, "time_us", contract->time_us);
    cli_json_reals(json, "z", contract->z_count, contract->z);
}

void cli_report_error(cli_json *json, const char *problem)
{
    cli_contract contract = {.problem = problem, .outcome = "error", .residual = NAN};
    cli_report_contract(json, &contract);
}
