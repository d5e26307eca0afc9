/* What the commands share: their shape, exit codes, and how they fail. */
#ifndef CAIRN_CLI_H
#define CAIRN_CLI_H

/* Exit codes of every command. */
enum {
    CLI_DONE = 0, /* it did its job */
    CLI_NO = 1,   /* it ran, and the answer is no */
    CLI_BAD = 2   /* bad usage or bad input; one line on standard error says what */
};

/* A command and what it tells of itself: help, manual, reference and shell completion come from here. */
typedef struct cli_command {
    const char *name;
    const char *summary;              /* one line for the list of commands */
    const char *usage;                /* what follows "cairn "; several forms on lines of their own */
    const char *about;                /* a paragraph or two: what it does, what its arguments are */
    const struct cli_option *options; /* see args.h */
    int option_count;
    const char *after;   /* what the help says behind the options (methods, exit codes); NULL: nothing */
    const char *endings; /* of files that it takes, for completion: "json urdf xml"; NULL: it takes none */
    int (*run)(int argc, char **argv); /* argv[0] is the name */
} cli_command;

/* A command. argv[0] is its name. */
int cli_solve(int argc, char **argv);
int cli_contact(int argc, char **argv);
int cli_sim(int argc, char **argv);
int cli_showcase(int argc, char **argv);
int cli_demo(int argc, char **argv);
int cli_paper(int argc, char **argv);
int cli_info(int argc, char **argv);

/* Print "cairn: " and one line to standard error; returns CLI_BAD. */
int cli_fail(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

#endif
