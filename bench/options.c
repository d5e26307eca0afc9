/* options.c -- the command line of bench_lcp. */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "bench_lcp: our methods and the peers on the families of the gallery\n"
    "  --family NAME       only this family\n"
    "  --seeds a,b,c       seeds of the families (1,2,3)\n"
    "  --count N           problems per seed (the family's own number)\n"
    "  --repeat N          solves whose median is the time of a problem (5)\n"
    "  --time-limit S      seconds that a single solve may take (2)\n"
    "  --budget S          seconds that a peer or one of our slower methods gets for a family (6)\n"
    "  --changes N         invariance: permutations, and permutations with scaling, per problem (100)\n"
    "  --change-count N    invariance: problems per seed, spread over the family (3)\n"
    "  --random N          random: problems of all classes, drawn from the first of the seeds (100000)\n"
    "  --no-peers          ours only\n"
    "  --section NAME      success, speed, warm, invariance, sparse, proofs, random or all (all); may be given more "
    "than once\n"
    "  --csv FILE          write the figures there too\n";

bench_options bench_options_default(void)
{
    return (bench_options){
        .seeds = {1, 2, 3},
        .seed_count = 3,
        .repeat = 5,
        .change_count = 3,
        .changes = 100,
        .random_count = 100000,
        .time_limit = 2.0,
        .budget = 6.0,
        .with_peers = true,
    };
}

bool bench_read_int(const char *text, int least, int *value)
{
    char *end = NULL;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < least || number > INT_MAX) {
        return false;
    }
    *value = (int)number;
    return true;
}

static bool read_seconds(const char *text, double *value)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end || !(number > 0.0) || number > 86400.0) {
        return false;
    }
    *value = number;
    return true;
}

static bool read_seeds(const char *text, bench_options *options)
{
    int count = 0;
    while (count < BENCH_MAX_SEEDS) {
        char *end = NULL;
        errno = 0;
        unsigned long long seed = strtoull(text, &end, 10);
        if (end == text || *text == '-' || errno || (*end && *end != ',')) {
            return false;
        }
        options->seeds[count++] = seed;
        if (!*end) {
            options->seed_count = count;
            return true;
        }
        text = end + 1;
    }
    return false;
}

static bool read_section(const char *text, unsigned *sections)
{
    static const struct {
        const char *name;
        unsigned bits;
    } known[] = {{"success", BENCH_SUCCESS},       {"speed", BENCH_SPEED},   {"warm", BENCH_WARM},
                 {"invariance", BENCH_INVARIANCE}, {"sparse", BENCH_SPARSE}, {"proofs", BENCH_PROOFS},
                 {"random", BENCH_RANDOM},         {"all", BENCH_ALL}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
        if (strcmp(text, known[k].name) == 0) {
            *sections |= known[k].bits;
            return true;
        }
    }
    return false;
}

bool bench_options_pair(const char *name, const char *value, bench_options *options)
{
    if (strcmp(name, "--family") == 0) {
        options->family = value;
        return true;
    }
    if (strcmp(name, "--csv") == 0) {
        options->csv = value;
        return true;
    }
    return (strcmp(name, "--seeds") == 0 && read_seeds(value, options)) ||
           (strcmp(name, "--count") == 0 && bench_read_int(value, 1, &options->count)) ||
           (strcmp(name, "--repeat") == 0 && bench_read_int(value, 1, &options->repeat)) ||
           (strcmp(name, "--changes") == 0 && bench_read_int(value, 1, &options->changes)) ||
           (strcmp(name, "--change-count") == 0 && bench_read_int(value, 1, &options->change_count)) ||
           (strcmp(name, "--random") == 0 && bench_read_int(value, 1, &options->random_count)) ||
           (strcmp(name, "--time-limit") == 0 && read_seconds(value, &options->time_limit)) ||
           (strcmp(name, "--budget") == 0 && read_seconds(value, &options->budget)) ||
           (strcmp(name, "--section") == 0 && read_section(value, &options->sections));
}

bool bench_options_read(int argc, char **argv, bench_options *options, int *exit_code)
{
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            *exit_code = 0;
            return false;
        }
        if (strcmp(argv[k], "--no-peers") == 0) {
            options->with_peers = false;
            continue;
        }
        if (k + 1 >= argc || !bench_options_pair(argv[k], argv[k + 1], options)) {
            fprintf(stderr, "bench_lcp: bad argument %s %s\n%s", argv[k], k + 1 < argc ? argv[k + 1] : "", usage);
            *exit_code = 2;
            return false;
        }
        ++k;
    }
    if (!options->sections) {
        options->sections = BENCH_ALL;
    }
    return true;
}
