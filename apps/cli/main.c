/* cairn -- the command line: finds the command and runs it. */
#include "cli.h"

#include "suggest.h"

#include <cairn/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} command;

static const command commands[] = {
    {"solve", cli_solve, "solve linear complementarity problems, with a certificate"},
    {"contact", cli_contact, "solve contact problems with friction, without forming a matrix"},
    {"sim", cli_sim, "simulate a scene of bodies, joints, contact and friction"},
    {"showcase", cli_showcase, "simulate the best scenes of the gallery and print the table"},
    {"demo", cli_demo, "solve the gallery's families with every method and print the table"},
    {"paper", cli_paper, "measure a paper's figures again, with the published numbers beside"},
    {"info", cli_info, "version, build and methods"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

int cli_fail(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* One line, whatever a file name holds. */
    for (char *c = text; *c != '\0'; ++c) {
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    fprintf(stderr, "cairn: %s\n", text);
    return CLI_BAD;
}

static int print_help(void)
{
    printf("cairn %s: bodies in hard contact, and the complementarity problems underneath, certified\n\n",
           crn_version());
    printf("usage: cairn COMMAND [ARGUMENTS]\n\n");
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        printf("  %-8s %s\n", commands[i].name, commands[i].help);
    }
    printf("\n'cairn COMMAND --help' tells more. Every command takes --json.\n");
    printf("Exit codes: 0 done, 1 the answer is no, 2 bad usage or bad input.\n");
    return CLI_DONE;
}

static int unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        names[i] = commands[i].name;
    }
    char nearest[CLI_SUGGEST_SIZE];
    return cli_fail("unknown command '%s'%s", name, cli_suggest(name, names, COMMAND_COUNT, nearest));
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        return cli_fail("no command given; try 'cairn --help'");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        return print_help();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("cairn %s\n", crn_version());
        return CLI_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    int code = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code != CLI_BAD) {
        return cli_fail("standard output cannot be written");
    }
    return code;
}
