/* What a command writes must not be what it reads. */
#ifndef CAIRN_CLI_OUTPUTS_H
#define CAIRN_CLI_OUTPUTS_H

#include "args.h"

/* Does every output have a place that is no input of the command, no other output, and no file of a kind that
 * Cairn reads and never writes? False after a message. */
bool cli_outputs_apart(const cli_args *args);

#endif
