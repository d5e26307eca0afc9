/* A whole file into memory. Works on pipes too: nothing asks for the size beforehand. */
#include "text/source.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* First block; doubled whenever it is full. */
enum { FIRST_BLOCK = 1 << 16 };

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
    }
}

crn_status crn_io_load(const char *path, const crn_allocator *allocator, crn_io_source *source, crn_error *error)
{
    *source = (crn_io_source){.name = path};
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return crn_fail(error, CRN_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    }
    char *block = NULL;
    size_t size = 0;
    crn_status status = read_all(file, path, allocator, &block, &size, error);
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
