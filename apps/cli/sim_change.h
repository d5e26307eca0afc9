/* Values of the scene that the command line changes. */
#ifndef CAIRN_CLI_SIM_CHANGE_H
#define CAIRN_CLI_SIM_CHANGE_H

#include "sim_request.h"

/* --set, if it is given: *model is replaced by a changed one; on failure it stays. */
crn_status sim_change_apply(const sim_request *request, crn_model **model, crn_error *error);

#endif
