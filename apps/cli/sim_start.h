/* What a world is like before its first step. */
#ifndef CAIRN_CLI_SIM_START_H
#define CAIRN_CLI_SIM_START_H

#include <cairn/cairn.h>

typedef struct sim_start {
    double kinetic, potential; /* of the free bodies [J], as crn_step_stats counts them */
    crn_vec3 momentum;         /* [kg m/s] */
    int free_bodies;
    double overlap; /* deepest, >= 0 [m] */
    int a, b;       /* bodies that overlap so, -1: none */
    bool is_deep;   /* the overlap is large against the bodies */
} sim_start;

/* Look at a world that has just been made from the model. */
crn_status sim_start_look(const crn_model *model, crn_world *world, sim_start *start, crn_error *error);

/* What there is to tell about a mesh; false if nothing, or if it is none. */
bool sim_start_mesh(const crn_shape_def *shape, char *text, size_t size);

#endif
