/* What a command writes must not be what it reads: files are the same if the system says so, whatever they are called. */
#include "outputs.h"

#include "cli.h"
#include "folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Options that write, by command: a file (files NULL), or files of these names in a folder. */
static const struct {
    const char *command, *option, *files;
} outputs[] = {
    {"sim", "-o", NULL},
    {"sim", "--csv", NULL},
    {"sim", "--html", NULL},
    {"sim", "--write", NULL},
    {"view", "-o", NULL},
    {"export", "-o", NULL},
    {"prove", "-o", NULL},
    {"solve", "-o", NULL},
    {"solve", "--basis-out", NULL},
    {"solve", "--dump", "M.mtx q.mtx lower.mtx upper.mtx start.mtx"},
    {"contact", "-o", NULL},
    {"contact", "--export-json", NULL},
    {"contact", "--export-fclib", NULL},
    {"contact", "--export-lcp", "M.mtx q.mtx"},
};
enum { OUTPUT_COUNT = sizeof outputs / sizeof outputs[0] };

/* The entry of an option, or -1: it writes nothing. */
static int output_of(const cli_args *args, int option)
{
    for (int i = 0; i < OUTPUT_COUNT; ++i) {
        if (strcmp(outputs[i].command, args->command) == 0 &&
            strcmp(outputs[i].option, args->options[option].name) == 0) {
            return i;
        }
    }
    return -1;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool folder_about(const char *path, struct stat *about)
{
    char folder[CLI_PATH_SIZE];
    int length = snprintf(folder, sizeof folder, "%.*s.", (int)(base_of(path) - path), path);
    return length > 0 && (size_t)length < sizeof folder && stat(folder, about) == 0;
}

/* Files that exist are compared by what they are, others by folder and name. */
static bool is_same(const char *a, const char *b)
{
    struct stat x, y;
    bool has_a = stat(a, &x) == 0, has_b = stat(b, &y) == 0;
    if (has_a != has_b) {
        return false;
    }
    if (!has_a && (strcmp(base_of(a), base_of(b)) != 0 || !folder_about(a, &x) || !folder_about(b, &y))) {
        return false;
    }
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Robots and meshes: a scene may have read them without their being named on the command line. */
static bool is_only_read(const char *path)
{
    static const char *const endings[] = {".urdf", ".xml", ".mjcf", ".obj", ".stl", ".ply", ".dae"};
    struct stat about;
    const char *dot = strrchr(base_of(path), '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; ++i) {
        if (strcmp(dot, endings[i]) == 0) {
            return stat(path, &about) == 0;
        }
    }
    return false;
}

static bool is_input(const cli_args *args, int option)
{
    const char *value = args->options[option].value;
    return value != NULL && (strcmp(value, "FILE") == 0 || strcmp(value, "LIST") == 0) && output_of(args, option) < 0;
}

/* The input that is this file, or NULL. */
static const char *input_at(const cli_args *args, const char *path)
{
    for (int i = 0; i < args->file_count; ++i) {
        if (is_same(args->files[i], path)) {
            return args->files[i];
        }
    }
    for (int i = 0; i < args->option_count; ++i) {
        if (args->given[i] != NULL && is_input(args, i) && is_same(args->given[i], path)) {
            return args->given[i];
        }
    }
    return NULL;
}

/* One file that an option writes. */
static bool file_is_apart(const cli_args *args, int option, const char *path)
{
    const char *name = args->options[option].name, *input = input_at(args, path);
    if (input != NULL) {
        (void)cli_fail("%s: %s: '%s' is an input of this command", args->command, name, input);
        return false;
    }
    if (is_only_read(path)) {
        (void)cli_fail("%s: %s: '%s' exists, and files of its kind are never written", args->command, name, path);
        return false;
    }
    for (int i = 0; i < option; ++i) {
        int other = args->given[i] != NULL ? output_of(args, i) : -1;
        if (other >= 0 && outputs[other].files == NULL && is_same(args->given[i], path)) {
            (void)cli_fail("%s: %s and %s name the same file", args->command, args->options[i].name, name);
            return false;
        }
    }
    return true;
}

/* The files that an option writes into its folder. */
static bool folder_is_apart(const cli_args *args, int option, const char *files)
{
    const char *next = files;
    while (*next != '\0') {
        char path[CLI_PATH_SIZE];
        int length = (int)strcspn(next, " ");
        int size = snprintf(path, sizeof path, "%s/%.*s", args->given[option], length, next);
        if (size > 0 && (size_t)size < sizeof path && !file_is_apart(args, option, path)) {
            return false;
        }
        next += length;
        next += strspn(next, " ");
    }
    return true;
}

bool cli_outputs_apart(const cli_args *args)
{
    bool is_apart = true;
    for (int i = 0; i < args->option_count && is_apart; ++i) {
        int output = args->given[i] != NULL ? output_of(args, i) : -1;
        if (output >= 0) {
            const char *files = outputs[output].files;
            is_apart = files == NULL ? file_is_apart(args, i, args->given[i]) : folder_is_apart(args, i, files);
        }
    }
    return is_apart;
}
