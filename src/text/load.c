/* A whole file into memory. Works on pipes too: nothing asks for the size beforehand. Devices are refused (a terminal is none), and
 * there is an end to what is read. */
#include "text/source.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* First block; doubled whenever it is full. */
enum { FIRST_BLOCK = 1 << 16 };

/* Longest file [bytes]: text of all the numbers that indices of 31 bits can reach. */
static const size_t LONGEST = (size_t)1 << 31;

/* Make room for more bytes behind the size ones that are there. */
static crn_status grow(const char *path, const crn_allocator *allocator, char **block, size_t *capacity,
                       crn_error *error)
{
    size_t wanted = *capacity == 0 ? FIRST_BLOCK : *capacity * 2;
    char *grown = wanted > *capacity ? allocator->resize(allocator->user, *block, wanted) : NULL;
    if (grown == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %zu bytes of file", path, wanted);
    }
    *block = grown;
    *capacity = wanted;
    return CRN_OK;
}

/* Read until the end of file; *block belongs to the caller, also on failure. */
static crn_status read_all(FILE *file, const char *path, const crn_allocator *allocator, char **block, size_t *size,
                           crn_error *error)
{
    size_t capacity = 0;
    for (;;) {
        if (*size == capacity) {
            crn_status status = grow(path, allocator, block, &capacity, error);
            if (status != CRN_OK) {
                return status;
            }
        }
        errno = 0;
        size_t got = fread(*block + *size, 1, capacity - *size, file);
        *size += got;
        if (ferror(file)) {
            return crn_fail(error, CRN_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
        }
        if (got == 0) {
            return CRN_OK;
        }
        if (*size >= LONGEST) {
            return crn_fail(error, CRN_ERR_FORMAT, "%s: longer than %zu bytes, which is the limit", path, LONGEST);
        }
    }
}

/* Why such a file is not read, or NULL. Looked at before it is opened: opening some devices does something. */
static const char *refusal(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return NULL; /* opening it tells */
    }
    if (S_ISDIR(about.st_mode)) {
        return "it is a folder";
    }
    return S_ISBLK(about.st_mode) || S_ISSOCK(about.st_mode) ? "it is a device" : NULL;
}

crn_status crn_io_open(const char *path, FILE **file, crn_error *error)
{
    const char *reason = refusal(path);
    struct stat about;
    errno = 0;
    *file = reason == NULL ? fopen(path, "rb") : NULL;
    if (*file != NULL && fstat(fileno(*file), &about) == 0 && S_ISCHR(about.st_mode) && !isatty(fileno(*file))) {
        reason = "it is a device";
        (void)fclose(*file);
        *file = NULL;
    }
    return *file != NULL ? CRN_OK
                         : crn_fail(error, CRN_ERR_IO, "%s: cannot be opened: %s", path,
                                    reason != NULL ? reason : strerror(errno));
}

crn_status crn_io_load(const char *path, const crn_allocator *allocator, crn_io_source *source, crn_error *error)
{
    *source = (crn_io_source){.name = path};
    FILE *file = NULL;
    crn_status status = crn_io_open(path, &file, error);
    if (status != CRN_OK) {
        return status;
    }
    char *block = NULL;
    size_t size = 0;
    status = read_all(file, path, allocator, &block, &size, error);
    fclose(file);
    if (status != CRN_OK) {
        crn_release(allocator, block);
        return status;
    }
    source->text = block;
    source->size = size;
    return CRN_OK;
}

void crn_io_unload(const crn_allocator *allocator, crn_io_source *source)
{
    crn_release(allocator, (void *)(uintptr_t)source->text);
    *source = (crn_io_source){0};
}
