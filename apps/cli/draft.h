/* A file that appears under its name when it is whole; until then one of that name stays as it is. */
#ifndef CAIRN_CLI_DRAFT_H
#define CAIRN_CLI_DRAFT_H

#include "folder.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_draft {
    FILE *file; /* to be written to */
    const char *path;
    char unfinished[CLI_PATH_SIZE]; /* where it grows; "": in place, as devices and pipes need it */
} cli_draft;

/* path must stay until the draft is closed. */
crn_status cli_draft_open(cli_draft *draft, const char *path, crn_error *error);

/* Give the file its name, or leave nothing if it is not wanted or could not be written. Returns status if that is a failure,
 * which error tells already. */
crn_status cli_draft_close(cli_draft *draft, crn_status status, crn_error *error);

#endif
