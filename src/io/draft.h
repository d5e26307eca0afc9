/* A file on its way: it appears whole or not at all, because it is written beside its place under another name and then
 * renamed. */
#ifndef CAIRN_IO_DRAFT_H
#define CAIRN_IO_DRAFT_H

#include "io/io_room.h"

#include <stdio.h>

/** Longest path. */
enum { CRN_IO_DRAFT_PATH = 4096 };

typedef struct crn_io_draft {
    FILE *file;
    const char *path;
    char unfinished[CRN_IO_DRAFT_PATH]; /* empty: written in place */
    crn_error *error;
} crn_io_draft;

/** Open a file of a name that does not exist yet; path must stay until it is closed. */
crn_status crn_io_draft_open(crn_io_draft *draft, const char *path, crn_error *error);

/** Close the file and put it in its place; if anything went wrong, remove it. */
crn_status crn_io_draft_close(crn_io_draft *draft);

/** Close the file and remove it: what was to be written cannot be. */
void crn_io_draft_drop(crn_io_draft *draft);

#endif
