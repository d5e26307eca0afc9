/* A file on its way. */
#include "draft.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static crn_status cannot_write(const cli_draft *draft, crn_error *error)
{
    return crn_fail(error, CRN_ERR_IO, "%s: cannot be written: %s", draft->path,
                    errno != 0 ? strerror(errno) : "unknown reason");
}

crn_status cli_draft_open(cli_draft *draft, const char *path, crn_error *error)
{
    struct stat about;
    bool is_special = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    *draft = (cli_draft){.path = path};
    if (!is_special) {
        int length = snprintf(draft->unfinished, sizeof draft->unfinished, "%s.part", path);
        if (length < 0 || (size_t)length >= sizeof draft->unfinished) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "%.80s...: the name is too long", path);
        }
    }
    errno = 0;
    draft->file = fopen(is_special ? path : draft->unfinished, "wb");
    return draft->file != NULL ? CRN_OK : cannot_write(draft, error);
}

crn_status cli_draft_close(cli_draft *draft, crn_status status, crn_error *error)
{
    errno = 0;
    bool is_written = !ferror(draft->file);
    is_written = fclose(draft->file) == 0 && is_written;
    bool is_good = status == CRN_OK && is_written, has_draft = draft->unfinished[0] != '\0';
    if (is_good && has_draft) {
        is_good = rename(draft->unfinished, draft->path) == 0;
    }
    if (status == CRN_OK && !is_good) {
        status = cannot_write(draft, error);
    }
    if (status != CRN_OK && has_draft) {
        (void)remove(draft->unfinished);
    }
    return status;
}
