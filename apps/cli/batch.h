/* A list of problems, one line of output each. */
#ifndef CAIRN_CLI_BATCH_H
#define CAIRN_CLI_BATCH_H

#include "list.h"

/* How a command treats one line of the list; user is its own business. */
typedef struct cli_batch {
    const char *path; /* of the list */
    void *user;
    /* Read and solve the problem of a line; number counts from 1. Prints nothing. */
    crn_status (*attempt)(void *user, const list_item *item, int number, crn_error *error);
    /* Print the line about it, whatever attempt returned, and release what attempt took. True: it was solved. */
    bool (*tell)(void *user, const list_item *item, crn_status status, const crn_error *error);
} cli_batch;

/* Every line of the list; returns the exit code. A line that cannot be read is told in its place, and the batch goes
 * on. */
int cli_batch_run(const cli_batch *batch);

#endif
