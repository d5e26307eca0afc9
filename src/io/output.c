/* Files that appear whole. One mechanism for everything that the library and the program write:
 *
 *     open    the place must be a regular file that may be written, or free; PATH.part (or .part1, .part2, ...) is made beside it
 *             and must not have existed, so that two runs never share one
 *     close   what was written reaches the disk (fsync), then takes its place (rename), which other programs see as one act
 *     drop    the part file goes; nothing else is ever removed
 *
 * A run that is killed leaves PATH as it was, and its part file. Links are followed first: the file they lead to is replaced, not
 * the link. */
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PARTS_TRIED = 100, /* part files beside one place */
    LINKS_TRIED = 16   /* links that lead to links */
};

static crn_status cannot_write(const char *path, const char *reason, crn_error *error)
{
    return crn_fail(error, CRN_ERR_IO, "%s: cannot be written: %s", path, reason);
}

/* One link: path becomes what it leads to, seen from the link's folder. False, with errno, if it cannot. */
static bool follow_link(char path[CRN_IO_PATH])
{
    char target[CRN_IO_PATH];
    ssize_t length = readlink(path, target, sizeof target);
    const char *slash = strrchr(path, '/');
    size_t folder = length > 0 && target[0] != '/' && slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (length < 0 || folder + (size_t)length >= CRN_IO_PATH) {
        errno = length < 0 ? errno : ENAMETOOLONG;
        return false;
    }
    memcpy(path + folder, target, (size_t)length);
    path[folder + (size_t)length] = '\0';
    return true;
}

/* The place at the end of all links, into output->path. */
static bool find_place(crn_io_output *output, const char *path)
{
    size_t size = strlen(path) + 1;
    if (size > CRN_IO_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(output->path, path, size);
    struct stat about;
    for (int i = 0; lstat(output->path, &about) == 0 && S_ISLNK(about.st_mode); ++i) {
        if (i == LINKS_TRIED) {
            errno = ELOOP;
            return false;
        }
        if (!follow_link(output->path)) {
            return false;
        }
    }
    return true;
}

/* Why what is at this place must not be replaced, or NULL; *mode becomes that of the file, if there is one. */
static const char *refusal(const char *path, unsigned *mode)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return NULL; /* free, or opening the part file tells what is wrong */
    }
    if (S_ISDIR(about.st_mode)) {
        return "it is a folder";
    }
    if (!S_ISREG(about.st_mode)) {
        return "it is a device, a pipe or a socket, not a file";
    }
    *mode = (unsigned)about.st_mode & 0777U;
    return access(path, W_OK) == 0 ? NULL : strerror(errno);
}

/* Make the part file; no file that is there already is touched. */
static bool open_part(crn_io_output *output)
{
    for (int i = 0; i < PARTS_TRIED; ++i) {
        char number[8] = "";
        if (i > 0) {
            (void)snprintf(number, sizeof number, "%d", i);
        }
        int length = snprintf(output->part, sizeof output->part, "%s.part%s", output->path, number);
        if (length < 0 || (size_t)length >= sizeof output->part) {
            errno = ENAMETOOLONG;
            return false;
        }
        output->file = fopen(output->part, "wbx");
        if (output->file != NULL || errno != EEXIST) {
            return output->file != NULL;
        }
    }
    return false;
}

crn_status crn_io_output_open(crn_io_output *output, const char *path, crn_error *error)
{
    if (output == NULL || path == NULL || path[0] == '\0') {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s", output == NULL ? "output: NULL" : "path: NULL or empty");
    }
    *output = (crn_io_output){.mode = 0};
    errno = 0;
    if (!find_place(output, path)) {
        return cannot_write(path, strerror(errno), error);
    }
    const char *reason = refusal(output->path, &output->mode);
    if (reason != NULL) {
        return cannot_write(path, reason, error);
    }
    if (!open_part(output)) {
        return cannot_write(
            path, errno == EEXIST ? "there are 100 unfinished files (.part) beside it" : strerror(errno), error);
    }
    crn_clear(error);
    return CRN_OK;
}

/* Everything on the disk? Some file systems cannot tell. */
static bool reaches_disk(FILE *file)
{
    return fflush(file) == 0 && !ferror(file) && (fsync(fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP);
}

/* The new name on the disk, too; that it could not be written is no reason to fail, since the file is there. */
static void settle_folder(const char *path)
{
    char folder[CRN_IO_PATH];
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    memcpy(folder, path, length);
    folder[length] = '\0';
    int opened = open(length > 0 ? folder : ".", O_RDONLY);
    if (opened >= 0) {
        (void)fsync(opened);
        (void)close(opened);
    }
}

/* Write what is left, close, rename; false with errno. */
static bool take_place(crn_io_output *output)
{
    bool is_good = reaches_disk(output->file);
    if (is_good && output->mode != 0) {
        (void)fchmod(fileno(output->file), (mode_t)output->mode);
    }
    int reason = errno;
    bool is_closed = fclose(output->file) == 0;
    errno = is_good ? errno : reason;
    output->file = NULL;
    if (!is_good || !is_closed || rename(output->part, output->path) != 0) {
        return false;
    }
    settle_folder(output->path);
    return true;
}

crn_status crn_io_output_place(crn_io_output *output, crn_error *error)
{
    errno = 0;
    if (!take_place(output)) {
        return cannot_write(output->path, errno != 0 ? strerror(errno) : "unknown reason", error);
    }
    crn_clear(error);
    return CRN_OK;
}

void crn_io_output_keep(crn_io_output *output)
{
    if (output->file != NULL) {
        (void)fclose(output->file);
        output->file = NULL;
    }
}

crn_status crn_io_output_close(crn_io_output *output, crn_status status, crn_error *error)
{
    if (output == NULL || output->file == NULL) {
        return status != CRN_OK ? status : crn_fail(error, CRN_ERR_ARGUMENT, "output: NULL or not open");
    }
    if (status == CRN_OK) {
        status = crn_io_output_place(output, error);
    }
    if (status != CRN_OK) {
        crn_io_output_keep(output);
        (void)remove(output->part);
    }
    return status;
}
