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

crn_status cli_folder_scratch(const char *beside, const char *ending, char path[CLI_PATH_SIZE], crn_error *error)
{
    enum { NAMES_TRIED = 100 };
    errno = 0;
    for (int i = 0; i < NAMES_TRIED && (i == 0 || errno == EEXIST); ++i) {
        int length = snprintf(path, CLI_PATH_SIZE, "%s.scratch%d%s", beside, i, ending);
        FILE *file = length > 0 && length < CLI_PATH_SIZE ? fopen(path, "wbx") : NULL;
        if (file != NULL) {
            (void)fclose(file);
            return CRN_OK;
        }
        errno = length < CLI_PATH_SIZE ? errno : ENAMETOOLONG;
    }
    return crn_fail(error, CRN_ERR_IO, "%s: cannot be written: %s", beside, strerror(errno));
}
