/* What the user of `cairn sim` asked for. */
#ifndef CAIRN_CLI_SIM_REQUEST_H
#define CAIRN_CLI_SIM_REQUEST_H

#include <cairn/cairn.h>

typedef struct sim_request {
    const char *scene;        /* a file of a scene or robot, or "gallery:NAME" */
    const char *output;       /* recording, or NULL */
    const char *csv;          /* or NULL */
    const char *page;         /* HTML, or NULL */
    bool is_live;             /* the page begins with the simulation, not with the film */
    bool has_notes;           /* frames of the recording tell how their problems are solved */
    const char *home;         /* address of the index page that the page leads back to, or NULL */
    const char *write;        /* where the scene goes instead of running it, or NULL */
    const char *dump;         /* folder for the problems of steps that are not solved, or NULL */
    double dt, time;          /* 0: as the scene says */
    double clearance;         /* of loops; 0: as the scene says */
    int every;                /* steps per frame and per entry of the trajectory; 0: not given */
    int scheme, method, cone; /* -1: as the scene says */
    bool is_json, is_strict, is_list;
    const char *key;                                      /* of the scene, to start from, or NULL */
    const char *controls;                                 /* "name=value,...", or NULL */
    const char *changes;                                  /* "place=value,...", or NULL */
    const char *packages;                                 /* of robots: what package://NAME/ stands for, or NULL */
    bool is_fixed, no_floor, self_collision, skip_meshes; /* of robots */
} sim_request;

/* Read the command line; false after a message. */
bool sim_request_read(sim_request *request, int argc, char **argv);

/* Read the command line and do what it says. */
int sim_command_run(int argc, char **argv);

/* Change what the scene says to what was asked for. */
void sim_request_apply(const sim_request *request, crn_world_def *def);

#endif
