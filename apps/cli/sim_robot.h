/* Scenes from a robot's file alone: URDF or MJCF. */
#ifndef CAIRN_CLI_SIM_ROBOT_H
#define CAIRN_CLI_SIM_ROBOT_H

#include "sim_request.h"

/* Read the robot; one that floats, in a file without ground, gets a floor that it touches with its lowest point. */
crn_status sim_robot_load(const sim_request *request, crn_model **model, crn_error *error);

/* The same with options of the reader; has_floor: may it get a floor? */
crn_status sim_robot_read(const char *path, const crn_robot_options *options, bool has_floor, crn_model **model,
                          crn_error *error);

/* Print what a reader says without failing. */
void sim_robot_warn(void *user, const char *text);

#endif
