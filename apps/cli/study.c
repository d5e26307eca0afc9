/* cairn study -- many runs with different parameters: the Python package does it, this hands over. */
#include "args.h"
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_OUT, OPTION_WORKERS, OPTION_SCHEDULER, OPTION_HELP, OPTION_COUNT };

static const cli_option options[OPTION_COUNT] = {
    [OPTION_OUT] = {"-o", "FOLDER", "of the results (default: the study's name without .toml)"},
    [OPTION_WORKERS] = {"--workers", "N", "processes on this machine; 0: one, without Dask (default: one per core)"},
    [OPTION_SCHEDULER] = {"--scheduler", "ADDRESS", "of a Dask cluster that exists, such as tcp://host:8786"},
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

static int run(int argc, char **argv);

const cli_command cli_study_command = {
    .name = "study",
    .summary = "many runs with different parameters, on all cores or a cluster",
    .usage = "study STUDY.toml [-o FOLDER] [OPTIONS]",
    .about =
        "Run what STUDY.toml describes (docs/guide/studies.md): a scene, robot or function for a grid or samples "
        "of\n"
        "parameters. Rows go to Parquet files as they come; called again it goes on where it was interrupted. The\n"
        "Python package cairn does the work: CAIRN_PYTHON names the interpreter that has it (default: python3).",
    .options = options,
    .option_count = OPTION_COUNT,
    .after = "Exit codes: 0 done, 1 some runs failed, 2 bad usage or bad input.",
    .endings = "toml",
    .run = run,
};

/* The package's own command, or one line on what is missing. */
static const char program[] = "import sys\n"
                              "try:\n"
                              "    from cairn.__main__ import main\n"
                              "except ImportError as why:\n"
                              "    print('cairn: study: the Python package is missing '\n"
                              "          '(pip install \".[study]\"):', why, file=sys.stderr)\n"
                              "    sys.exit(2)\n"
                              "if __name__ == '__main__':\n"
                              "    sys.exit(main(sys.argv[1:]))\n";

static bool read_request(int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL}, *file = NULL;
    cli_args args = {.command = "study",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = &file,
                     .file_limit = 1};
    if (!cli_args_read(&args, argc, argv)) {
        return false;
    }
    if (file == NULL) {
        (void)cli_fail("study: no study given; try 'cairn study --help'");
        return false;
    }
    return true;
}

static int run(int argc, char **argv)
{
    if (!read_request(argc, argv)) {
        return CLI_BAD;
    }
    const char *python = getenv("CAIRN_PYTHON");
    char **words = calloc((size_t)argc + 4, sizeof *words);
    if (words == NULL) {
        return cli_fail("study: out of memory");
    }
    python = python != NULL && python[0] != '\0' ? python : "python3";
    words[0] = (char *)python;
    words[1] = "-c";
    words[2] = (char *)program;
    memcpy(words + 3, argv, (size_t)argc * sizeof *words); /* "study" and what follows it */
    (void)execvp(python, words);
    free(words);
    return cli_fail("study: cannot run '%s': %s", python, strerror(errno));
}
