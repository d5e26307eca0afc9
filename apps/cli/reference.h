/* cairn reference: the command line told in other forms, from what the commands tell of themselves. */
#ifndef CAIRN_CLI_REFERENCE_H
#define CAIRN_CLI_REFERENCE_H

#include "args.h"
#include "cli.h"

/* What may follow an option or stand as argument. */
typedef enum reference_kind {
    REFERENCE_NOTHING,
    REFERENCE_FILE,
    REFERENCE_FOLDER,
    REFERENCE_NAME, /* one of a list: reference_names_of() */
    REFERENCE_TEXT  /* a number, or what nobody can guess */
} reference_kind;

reference_kind reference_kind_of(const cli_command *command, const cli_option *option);

/* The names that an option takes (NULL: the arguments of the command), or NULL. */
const cli_names *reference_names_of(const cli_command *command, const char *option);

/* The same, if they must be told beside the option: NULL if its help or a list of its own names them. */
const cli_names *reference_choices(const cli_command *command, const cli_option *option);

/* "gallery:a gallery:b": every name with its prefix. */
void reference_print_names(const cli_names *names, const char *between);

/* The first of some endings into ending. Returns where the next one begins, or NULL if there is none: begin with
 * command->endings. */
enum { REFERENCE_ENDING_SIZE = 16 };
const char *reference_ending(const char *endings, char ending[REFERENCE_ENDING_SIZE]);

/* The first line of a text into line, likewise. */
enum { REFERENCE_LINE_SIZE = 256 };
const char *reference_line(const char *text, char line[REFERENCE_LINE_SIZE]);

/* The forms, on standard output. */
void reference_markdown(void);
void reference_man(void);
void reference_bash(void);
void reference_zsh(void);
void reference_fish(void);

#endif
