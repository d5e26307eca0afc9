/* Writing a problem that was not solved, so that the solve can be replayed. */
#ifndef CAIRN_CLI_SOLVE_DUMP_H
#define CAIRN_CLI_SOLVE_DUMP_H

#include "solve_job.h"

/* Write M.mtx, q.mtx, bounds and start if there are any, and options.txt (the command that replays) into folder, which
 * is made if it is not there. */
crn_status solve_dump(const char *folder, const solve_job *job, const solve_request *request, crn_error *error);

#endif
