/* Folders that results are written into. */
#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

crn_status cli_folder_make(const char *folder, crn_error *error)
{
    char part[CLI_PATH_SIZE];
    size_t length = strlen(folder);
    struct stat about;
    for (size_t i = 1; i <= length && i < sizeof part; ++i) {
        if (folder[i] == '/' || folder[i] == '\0') {
            memcpy(part, folder, i);
            part[i] = '\0';
            (void)mkdir(part, 0777); /* the last look tells whether all went well */
        }
    }
    int reason = errno;
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode)) {
        return crn_fail(error, CRN_ERR_IO, "%s: cannot make this folder: %s", folder, strerror(reason));
    }
    return CRN_OK;
}

const char *cli_folder_path(const char *folder, const char *name, char path[CLI_PATH_SIZE])
{
    (void)snprintf(path, CLI_PATH_SIZE, "%s/%s", folder, name);
    return path;
}
