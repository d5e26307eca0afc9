/* Folders that results are written into. */
#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

crn_status cli_folder_make(const char *folder, crn_error *error)
{
    struct stat about;
    if (mkdir(folder, 0777) != 0 && (errno != EEXIST || stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))) {
        return crn_fail(error, CRN_ERR_IO, "%s: cannot make this folder: %s", folder, strerror(errno));
    }
    return CRN_OK;
}

const char *cli_folder_path(const char *folder, const char *name, char path[CLI_PATH_SIZE])
{
    (void)snprintf(path, CLI_PATH_SIZE, "%s/%s", folder, name);
    return path;
}
