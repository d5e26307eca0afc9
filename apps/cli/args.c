/* Options of a command. "--name value" and "--name=value" are the same; "--" ends the options. */
#include "args.h"

#include "cli.h"
#include "outputs.h"
#include "suggest.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More options than any command has, and more names than any option. */
enum { MOST_OPTIONS = 64, MOST_NAMES = 64 };

static void unknown_option(const cli_args *args, const char *name)
{
    const char *names[MOST_OPTIONS];
    for (int i = 0; i < args->option_count; ++i) {
        names[i] = args->options[i].name;
    }
    char nearest[CLI_SUGGEST_SIZE];
    (void)cli_fail("%s: unknown option '%s'%s", args->command, name,
                   cli_suggest(name, names, args->option_count, nearest));
}

/* Index of the option that the argument names; *value is what follows '=' in it, or NULL. -1 if there is none. */
static int find_option(const cli_args *args, const char *argument, const char **value)
{
    for (int i = 0; i < args->option_count; ++i) {
        size_t length = strlen(args->options[i].name);
        if (strncmp(argument, args->options[i].name, length) != 0) {
            continue;
        }
        if (argument[length] == '\0' || argument[length] == '=') {
            *value = argument[length] == '=' ? argument + length + 1 : NULL;
            return i;
        }
    }
    return -1;
}

/* One option; *next is the index of the argument behind it and moves on if that is its value. */
static bool read_option(cli_args *args, int argc, char **argv, int *next)
{
    const char *argument = argv[*next - 1], *value = NULL;
    int option = find_option(args, argument, &value);
    if (option < 0) {
        unknown_option(args, argument);
        return false;
    }
    const cli_option *o = &args->options[option];
    if (o->value == NULL) {
        if (value != NULL) {
            (void)cli_fail("%s: %s takes no value", args->command, o->name);
        }
        args->given[option] = "";
        return value == NULL;
    }
    if (value == NULL && *next < argc) {
        value = argv[(*next)++];
    }
    if (value == NULL) {
        (void)cli_fail("%s: %s: %s is missing", args->command, o->name, o->value);
        return false;
    }
    if (args->given[option] != NULL) {
        (void)cli_fail("%s: %s is given twice", args->command, o->name);
        return false;
    }
    args->given[option] = value;
    return true;
}

bool cli_args_read(cli_args *args, int argc, char **argv)
{
    bool is_option = true;
    for (int next = 1; next < argc;) {
        const char *argument = argv[next++];
        if (is_option && strcmp(argument, "--") == 0) {
            is_option = false;
        } else if (is_option && argument[0] == '-' && argument[1] != '\0') {
            if (!read_option(args, argc, argv, &next)) {
                return false;
            }
        } else if (args->file_count == args->file_limit) {
            (void)cli_fail("%s: unexpected argument '%s'", args->command, argument);
            return false;
        } else {
            args->files[args->file_count++] = argument;
        }
    }
    return cli_outputs_apart(args);
}

/* Say which values an option takes; false. */
static bool wrong_value(const cli_args *args, int option, const char *wanted)
{
    (void)cli_fail("%s: %s: '%s' is not %s", args->command, args->options[option].name, args->given[option], wanted);
    return false;
}

bool cli_args_real(const cli_args *args, int option, double low, double high, double *value)
{
    const char *text = args->given[option];
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    double read = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(read) || read < low || read > high) {
        char wanted[80];
        (void)snprintf(wanted, sizeof wanted, low == DBL_MIN ? "a number > 0, at most %g" : "a number in %g .. %g",
                       low == DBL_MIN ? high : low, high);
        return wrong_value(args, option, wanted);
    }
    *value = read;
    return true;
}

bool cli_args_int(const cli_args *args, int option, int low, int high, int *value)
{
    const char *text = args->given[option];
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    errno = 0;
    long long read = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || read < low || read > high) {
        char wanted[80];
        (void)snprintf(wanted, sizeof wanted, "an integer in %d .. %d", low, high);
        return wrong_value(args, option, wanted);
    }
    *value = (int)read;
    return true;
}

bool cli_args_seed(const cli_args *args, int option, uint64_t *value)
{
    const char *text = args->given[option];
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    errno = 0;
    unsigned long long read = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0) {
        return wrong_value(args, option, "an integer in 0 .. 2^64-1");
    }
    *value = read;
    return true;
}

/* The index of text among names; -1 after a message that calls it what it should be. */
static int find_name(const cli_args *args, const char *what, const char *text, const char *const *names, int count)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    char nearest[CLI_SUGGEST_SIZE];
    (void)cli_fail("%s: unknown %s '%s'%s", args->command, what, text, cli_suggest(text, names, count, nearest));
    return -1;
}

/* All names into an array; returns how many. */
static int collect(cli_name *name, const char *names[MOST_NAMES])
{
    int count = 0;
    while (count < MOST_NAMES && (names[count] = name(count)) != NULL) {
        ++count;
    }
    return count;
}

bool cli_args_choice(const cli_args *args, int option, const char *const *names, int count, int *choice)
{
    if (args->given[option] == NULL) {
        return true;
    }
    int found = find_name(args, args->options[option].name + 2, args->given[option], names, count);
    *choice = found >= 0 ? found : *choice;
    return found >= 0;
}

bool cli_args_name(const cli_args *args, int option, cli_name *name, int *choice)
{
    const char *names[MOST_NAMES];
    int count = collect(name, names);
    return cli_args_choice(args, option, names, count, choice);
}

int cli_args_argument(const cli_args *args, int file, const char *what, cli_name *name)
{
    const char *names[MOST_NAMES];
    int count = collect(name, names);
    return find_name(args, what, args->files[file], names, count);
}
