/* cairn paper -- a forward to cairn-papers, the program beside this one. */
#define _GNU_SOURCE
#include "args.h"
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cli_option options[] = {{"--help", NULL, "this text"}};

/* cairn-papers in the folder of this program; its bare name, to be looked for, if that folder cannot be told. */
static const char *program_beside(char *path, size_t size)
{
    static const char name[] = "cairn-papers";
    ssize_t length = readlink("/proc/self/exe", path, size - sizeof name);
    char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
    if (slash == NULL) {
        return name;
    }
    memcpy(slash + 1, name, sizeof name);
    return path;
}

static int run(int argc, char **argv)
{
    char path[1200];
    const char *program = program_beside(path, sizeof path);
    (void)argc;
    fflush(NULL);
    (void)execvp(program, argv);
    return cli_fail("paper: %s is not there: it is built and installed with this program", program);
}

const cli_command cli_paper_command = {
    .name = "paper",
    .summary = "measure a paper's figures again: cairn-papers",
    .usage = "paper NAME [OPTIONS]",
    .about = "Runs cairn-papers, the program beside this one, with these arguments. 'cairn-papers --help' tells more.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run,
};
