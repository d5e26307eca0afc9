/* Texts in memory, whole files as such, and checked allocation for readers. */
#ifndef CAIRN_TEXT_SOURCE_H
#define CAIRN_TEXT_SOURCE_H

#include <cairn/base.h>

#include <stddef.h>
#include <stdio.h>

/** A text in memory; name is what messages call it. */
typedef struct crn_io_source {
    const char *name;
    const char *text; /* size bytes, no terminator needed; NULL: there is no such source */
    size_t size;
} crn_io_source;

/* --- Whole files (load.c) --- */

/** Open a file for reading; folders and devices are refused. */
crn_status crn_io_open(const char *path, FILE **file, crn_error *error);

/** Read a whole file; release with crn_io_unload(). path must outlive the source. */
crn_status crn_io_load(const char *path, const crn_allocator *allocator, crn_io_source *source, crn_error *error);

/** Release what crn_io_load() took. An empty source is fine. */
void crn_io_unload(const crn_allocator *allocator, crn_io_source *source);

/* --- Memory (source.c) --- */

/** The given allocator, or the default one if it is NULL or has no hooks. */
crn_allocator crn_io_allocator(const crn_allocator *given);

/** Take count items of size bytes; name is the file that the message blames. Release with crn_release(). */
crn_status crn_io_take(const crn_allocator *allocator, const char *name, size_t count, size_t size, void **block,
                       crn_error *error);

#endif
