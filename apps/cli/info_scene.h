/* What a scene or robot consists of. */
#ifndef CAIRN_CLI_INFO_SCENE_H
#define CAIRN_CLI_INFO_SCENE_H

#include <stdbool.h>

/* Print the bodies as a tree, joints, sites, actuators, keys and what is measured of a file, or of "gallery:NAME". The exit code. */
int info_scene(const char *scene, bool is_json);

#endif
