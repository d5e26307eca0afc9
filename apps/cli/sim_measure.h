/* What a recording holds of joints, actuators and probes: numbers with names that tell what of the scene they belong to, by index. */
#ifndef CAIRN_CLI_SIM_MEASURE_H
#define CAIRN_CLI_SIM_MEASURE_H

#include <cairn/cairn.h>

/* Names are "probe.2.0", "joint.3.1", "joint_speed.3.1", "control.0", "actuator.0": what, its index in the scene, and which of its
 * numbers. */
typedef struct sim_measure {
    const crn_model *model;
    int count;
    const char **name;
    char *text;      /* of all names */
    double *value;   /* of the present moment */
    double *scratch; /* controls, or all probes */
} sim_measure;

/* Decide what is measured: probes first, then joints and actuators, as far as a recording has room. Release with
 * sim_measure_close(), also after a failure. */
crn_status sim_measure_open(sim_measure *measure, const crn_model *model, crn_error *error);

/* The values now, in the order of the names; valid until the next call. */
const double *sim_measure_take(sim_measure *measure, const crn_world *world);

void sim_measure_close(sim_measure *measure);

#endif
