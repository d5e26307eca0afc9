/* How a run begins: a key of the scene, controls of its actuators. */
#ifndef CAIRN_CLI_SIM_CONTROL_H
#define CAIRN_CLI_SIM_CONTROL_H

#include "sim_request.h"

#include <cairn/cairn.h>

/* --key and --ctrl, as far as they are given. */
crn_status sim_control_apply(const sim_request *request, const crn_model *model, crn_world *world, crn_error *error);

#endif
