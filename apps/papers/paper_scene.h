/* Scenes of the gallery as worlds, stepped for a measurement: every step must be solved, by Coulomb's law, without giving in. */
#ifndef CAIRN_CLI_PAPER_SCENE_H
#define CAIRN_CLI_PAPER_SCENE_H

#include "paper.h"

#include "gallery_worlds.h"

#include <cairn/world.h>

#define SCENE_G  9.81
#define SCENE_PI 3.14159265358979323846

/* An empty model to be filled; NULL: p->error. */
crn_model *scene_model(paper *p);

/* A world from a filled model, which is destroyed; is_filled false: NULL, as when it fails. */
crn_world *scene_world(paper *p, crn_model *model, bool is_filled);

/* A scene by its name in the gallery. */
crn_world *scene_named(paper *p, const char *name);

/* Steps; false, with p->error, if one is not solved. stats may be NULL. */
bool scene_step(paper *p, crn_world *world, double h, crn_step_stats *stats);
bool scene_run(paper *p, crn_world *world, double h, int steps);

/* Bodies and joints by index 0, 1, ... of the model. */
crn_pose scene_pose(const crn_world *world, int body);
crn_twist scene_velocity(const crn_world *world, int body);
double scene_coordinate(const crn_world *world, int joint);

/* The worst error of all joints [m, rad]. */
double scene_joint_error(const crn_world *world);

/* The deepest overlap where the bodies are now [m]. */
double scene_overlap(crn_world *world);

double scene_length(crn_vec3 v);
double scene_distance(crn_vec3 a, crn_vec3 b);

#endif
