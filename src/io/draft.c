/* A file on its way. */
#include "io/draft.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* How many names for the unfinished file are tried. */
enum { NAMES_TRIED = 100 };

static crn_status fail(const crn_io_draft *d, const char *what)
{
    return crn_fail(d->error, CRN_ERR_IO, "%s: %s: %s", d->path, what, strerror(errno));
}

/* Devices and pipes cannot be replaced by renaming. */
static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

crn_status crn_io_draft_open(crn_io_draft *d, const char *path, crn_error *error)
{
    *d = (crn_io_draft){.path = path, .error = error};
    errno = 0;
    if (is_special(path)) {
        d->file = fopen(path, "wb");
        return d->file != NULL ? CRN_OK : fail(d, "cannot be written");
    }
    if (strlen(path) + 8 > CRN_IO_DRAFT_PATH) {
        errno = ENAMETOOLONG;
        return fail(d, "cannot be written");
    }
    for (int i = 0; i < NAMES_TRIED && d->file == NULL; ++i) {
        (void)snprintf(d->unfinished, sizeof d->unfinished, "%s.new%d", path, i);
        d->file = fopen(d->unfinished, "wbx");
        if (d->file == NULL && errno != EEXIST) {
            break;
        }
    }
    return d->file != NULL ? CRN_OK : fail(d, "cannot be written");
}

crn_status crn_io_draft_close(crn_io_draft *d)
{
    bool is_good = !ferror(d->file);
    is_good = fclose(d->file) == 0 && is_good;
    if (d->unfinished[0] != '\0') {
        is_good = is_good && rename(d->unfinished, d->path) == 0;
        if (!is_good) {
            int reason = errno;
            (void)remove(d->unfinished);
            errno = reason;
        }
    }
    return is_good ? crn_fail(d->error, CRN_OK, "%s", "") : fail(d, "cannot be written");
}

void crn_io_draft_drop(crn_io_draft *d)
{
    (void)fclose(d->file);
    if (d->unfinished[0] != '\0') {
        (void)remove(d->unfinished);
    }
}
