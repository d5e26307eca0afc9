/* What the program runs on. */
#ifndef CAIRN_CLI_MACHINE_H
#define CAIRN_CLI_MACHINE_H

#include <stddef.h>

/* Processor and how many are at hand, as "AMD EPYC 7543, 2 cores, Linux"; returns text. */
const char *cli_machine_name(char *text, size_t size);

#endif
