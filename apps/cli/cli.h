/* What the commands share: their shape, exit codes, and how they fail. */
#ifndef CAIRN_CLI_H
#define CAIRN_CLI_H

/* Exit codes of every command. */
enum {
    CLI_DONE = 0, /* it did its job */
    CLI_NO = 1,   /* it ran, and the answer is no */
    CLI_BAD = 2   /* bad usage or bad input; one line on standard error says what */
};

/* The i-th of some names, and NULL behind the last. */
typedef const char *cli_name(int i);

/* Names that an option or the arguments of a command may take. */
typedef struct cli_names {
    const char *option; /* "--method"; NULL: the command's arguments */
    const char *prefix; /* what stands before each name, "gallery:"; NULL: nothing */
    cli_name *name;
    const char *title; /* of the list that the help has of them, "methods"; NULL: it has none */
    cli_name *about;   /* a line on each, for that list; NULL if there is no list */
} cli_names;

/* A command and what it tells of itself: help, manual, reference and shell completion come from here. */
typedef struct cli_command {
    const char *name;
    const char *summary;              /* one line for the list of commands */
    const char *usage;                /* what follows the program's name; several forms on lines of their own */
    const char *about;                /* a paragraph or two: what it does, what its arguments are */
    const struct cli_option *options; /* see args.h */
    int option_count;
    const char *after;   /* what the help says behind the options (exit codes); NULL: nothing */
    const char *endings; /* of files that it takes, for completion: "json urdf xml"; NULL: it takes none */
    int (*run)(int argc, char **argv); /* argv[0] is the name; never called with --help among the options */
    const cli_names *names;
    int name_count;
} cli_command;

extern const cli_command cli_solve_command, cli_prove_command, cli_contact_command, cli_sim_command, cli_view_command,
    cli_export_command, cli_showcase_command, cli_demo_command, cli_paper_command, cli_study_command, cli_info_command,
    cli_reference_command;

/* All commands, in the order of the help. */
const cli_command *const *cli_commands(int *count);

/* Print what the command tells of itself: --help. */
void cli_command_help(const cli_command *command);

/* What the program is called: each main file says it. */
extern const char cli_program[];

/* Print the program's name and one line to standard error; returns CLI_BAD. */
int cli_fail(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

#endif
