/* Options of a command: a table, what was given, and checked conversions. */
#ifndef CAIRN_CLI_ARGS_H
#define CAIRN_CLI_ARGS_H

#include "cli.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_option {
    const char *name;  /* "--tol" */
    const char *value; /* what follows it: "FILE", "LIST" (a file too), "DIR" or "FOLDER", "NAME", "X"; NULL: nothing */
    const char *help;
} cli_option;

/* What was given on the command line. */
typedef struct cli_args {
    const char *command;       /* for messages */
    const cli_option *options; /* the table */
    int option_count;
    const char **given; /* option_count values: NULL if absent, "" for an option without value */
    const char **files; /* arguments that are no options */
    int file_count, file_limit;
} cli_args;

/* Sort argv[1..] into given and files; false (after a message) if something is unknown, lacks its value or is given
 * twice, or if an output would replace an input or another output. */
bool cli_args_read(cli_args *args, int argc, char **argv);

/* The given value of an option as a number; *value is unchanged if it is absent. False (after a message) if it is no
 * number of low .. high. */
bool cli_args_real(const cli_args *args, int option, double low, double high, double *value);
bool cli_args_int(const cli_args *args, int option, int low, int high, int *value);
bool cli_args_seed(const cli_args *args, int option, uint64_t *value);

/* The given value as one of some names; *choice is unchanged if it is absent. */
bool cli_args_name(const cli_args *args, int option, cli_name *name, int *choice);
bool cli_args_choice(const cli_args *args, int option, const char *const *names, int count, int *choice);

/* An argument as one of some names: which, or -1 after a message that calls it by what it should be. */
int cli_args_argument(const cli_args *args, int file, const char *what, cli_name *name);

#endif
