/* Points that go along with a body. */
#ifndef CAIRN_CLI_SIM_CARRY_H
#define CAIRN_CLI_SIM_CARRY_H

#include <cairn/linalg.h>

/* Where a point of a body is after it has moved from one pose to another. */
crn_vec3 sim_carried(const crn_pose *before, const crn_pose *after, crn_vec3 point);

#endif
