/* `cairn solve --batch`: one JSON line per problem of a list. */
#ifndef CAIRN_CLI_SOLVE_BATCH_H
#define CAIRN_CLI_SOLVE_BATCH_H

#include "solve_request.h"

/* Solve every problem of request->batch; returns the exit code. A line that cannot be read is told in its place, and
 * the batch goes on. */
int solve_batch(const solve_request *request);

#endif
