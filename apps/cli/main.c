/* cairn -- the command line: finds the command and runs it. */
#include "cli.h"

#include "suggest.h"

#include <cairn/base.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char cli_program[] = "cairn";

static const cli_command *const commands[] = {
    &cli_solve_command, &cli_prove_command,  &cli_contact_command,  &cli_sim_command,
    &cli_view_command,  &cli_export_command, &cli_showcase_command, &cli_demo_command,
    &cli_paper_command, &cli_study_command,  &cli_info_command,     &cli_reference_command,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const cli_command *const *cli_commands(int *count)
{
    *count = COMMAND_COUNT;
    return commands;
}

static int print_help(void)
{
    printf("cairn %s: bodies in hard contact, and the complementarity problems underneath, certified\n\n",
           crn_version());
    printf("usage: cairn COMMAND [ARGUMENTS]\n\n");
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    printf("\n'cairn COMMAND --help' tells more. Commands that report take --json.\n");
    printf("Exit codes: 0 done, 1 the answer is no, 2 bad usage or bad input.\n");
    return CLI_DONE;
}

static bool asks_for_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* The command of that name; NULL after a message if there is none. */
static const cli_command *find_command(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        names[i] = commands[i]->name;
        if (strcmp(name, names[i]) == 0) {
            return commands[i];
        }
    }
    char nearest[CLI_SUGGEST_SIZE];
    (void)cli_fail("unknown command '%s'%s", name, cli_suggest(name, names, COMMAND_COUNT, nearest));
    return NULL;
}

static int help_on(const char *name)
{
    const cli_command *command = find_command(name);
    if (command == NULL) {
        return CLI_BAD;
    }
    cli_command_help(command);
    return CLI_DONE;
}

/* argv[0] is the name of the command. */
static int run_command(int argc, char **argv)
{
    const cli_command *command = find_command(argv[0]);
    for (int i = 1; command != NULL && i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (asks_for_help(argv[i])) {
            return help_on(argv[0]);
        }
    }
    return command != NULL ? command->run(argc, argv) : CLI_BAD;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        return cli_fail("no command given; try 'cairn --help'");
    }
    if (asks_for_help(argv[1]) || strcmp(argv[1], "help") == 0) {
        return argc == 3 ? help_on(argv[2]) : print_help();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("cairn %s\n", crn_version());
        return CLI_DONE;
    }
    return run_command(argc - 1, argv + 1);
}

/* A standard stream that is closed would give its number to the next file that is opened, and what is printed would go into that
 * file. A place holder takes it: one that cannot be written, so that the loss of what is printed is told. */
static void hold_standard_streams(void)
{
    for (int stream = 0; stream <= 2; ++stream) {
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            (void)open("/dev/null", O_RDONLY); /* the lowest free number: this one */
        }
    }
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    int code = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code != CLI_BAD) {
        return cli_fail("standard output cannot be written");
    }
    return code;
}
