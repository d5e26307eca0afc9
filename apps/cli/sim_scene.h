/* Where scenes come from: files and the gallery. */
#ifndef CAIRN_CLI_SIM_SCENE_H
#define CAIRN_CLI_SIM_SCENE_H

#include "sim_request.h"

/* Read the file that is asked for, or make the scene of "gallery:NAME"; the caller destroys the model. */
crn_status sim_scene_load(const sim_request *request, crn_model **model, crn_error *error);

/* A sentence on a scene of the gallery; "" for files. */
const char *sim_scene_about(const char *scene);

/* Print the scenes of the gallery. */
void sim_scene_list(bool is_json);

/* Room for what messages call a body. */
enum { SIM_NAME_SIZE = 80 };

/* "'box'", or "3" if body 3 has no name; "the world" for -1. Returns text. */
const char *sim_scene_body(const crn_model *model, int body, char text[SIM_NAME_SIZE]);

#endif
