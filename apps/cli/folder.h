/* Folders that results are written into. */
#ifndef CAIRN_CLI_FOLDER_H
#define CAIRN_CLI_FOLDER_H

#include <cairn/base.h>

/* Longest path that is written to. */
enum { CLI_PATH_SIZE = 4096 };

/* Make a folder and those above it; what is there already is fine. */
crn_status cli_folder_make(const char *folder, crn_error *error);

/* folder/name, cut if it is too long; returns path. */
const char *cli_folder_path(const char *folder, const char *name, char path[CLI_PATH_SIZE]);

#endif
