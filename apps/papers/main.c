/* cairn-papers -- the figures of published papers, measured again: a program of its own. */
#include "paper.h"

#include "cli/cli.h"

#include <cairn/base.h>

#include <stdio.h>
#include <string.h>

const char cli_program[] = "cairn-papers";

static int dispatch(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cli_command_help(&papers_command);
            return CLI_DONE;
        }
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("%s %s\n", cli_program, crn_version());
        return CLI_DONE;
    }
    return papers_command.run(argc, argv);
}

int main(int argc, char **argv)
{
    int code = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code != CLI_BAD) {
        return cli_fail("standard output cannot be written");
    }
    return code;
}
