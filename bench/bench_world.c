/* bench_world.c -- steps of whole worlds: ours, and the same scenes in every engine that is installed. */
#include "bench_world.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "bench_world: steps of whole worlds\n"
                            "  --peers          beside foreign engines; without it: ours only, in more detail\n"
                            "  --scene TEXT     only scenes whose name contains TEXT\n"
                            "  --engine TEXT    peers: only engines whose name contains TEXT\n"
                            "  --time S         seconds of each run (each scene's own)\n"
                            "  --time-limit S   peers: processor seconds of an engine in a scene (60)\n"
                            "  --csv FILE       write the figures there too\n";

static bool read_seconds(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && !*end && *value > 0.0 && *value < 86400.0;
}

static bool read_pair(const char *name, const char *value, bench_world_options *options, const char **csv)
{
    if (strcmp(name, "--scene") == 0) {
        options->scene = value;
    } else if (strcmp(name, "--engine") == 0) {
        options->engine = value;
    } else if (strcmp(name, "--csv") == 0) {
        *csv = value;
    } else {
        return (strcmp(name, "--time") == 0 && read_seconds(value, &options->duration)) ||
               (strcmp(name, "--time-limit") == 0 && read_seconds(value, &options->limit));
    }
    return true;
}

/* false: a message was printed, or the help; *exit_code says how to end. */
static bool read_options(int argc, char **argv, bench_world_options *options, const char **csv, int *exit_code)
{
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            *exit_code = 0;
            return false;
        }
        if (strcmp(argv[k], "--peers") == 0) {
            options->has_peers = true;
        } else if (k + 1 < argc && read_pair(argv[k], argv[k + 1], options, csv)) {
            ++k;
        } else {
            fprintf(stderr, "bench_world: bad argument %s %s\n%s", argv[k], k + 1 < argc ? argv[k + 1] : "", usage);
            *exit_code = 2;
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    bench_world_options options = {.scene = "", .engine = "", .limit = 60.0};
    const char *csv = NULL;
    int exit_code = 0;
    if (!read_options(argc, argv, &options, &csv, &exit_code)) {
        return exit_code;
    }
    bench_use_one_thread(argv);
    options.csv = csv ? fopen(csv, "w") : NULL;
    if (csv && !options.csv) {
        perror(csv);
        return 2;
    }
    bool is_ok = options.has_peers ? bench_world_peers(&options) : bench_world_ours(&options);
    is_ok = (!options.csv || fclose(options.csv) == 0) && is_ok;
    return is_ok ? 0 : 1;
}
