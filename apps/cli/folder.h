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

/* A file for a while, beside another one: made empty under a name that nothing had, BESIDE.scratch0ENDING or the next, so that
 * removing it takes nothing of anybody else. */
crn_status cli_folder_scratch(const char *beside, const char *ending, char path[CLI_PATH_SIZE], crn_error *error);

#endif
