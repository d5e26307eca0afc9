/* options.h -- the command line of bench_lcp. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MAX_SEEDS 16

/** Sections, as bits. */
enum {
    BENCH_SUCCESS = 1,
    BENCH_SPEED = 2,
    BENCH_WARM = 4,
    BENCH_INVARIANCE = 8,
    BENCH_SPARSE = 16,
    BENCH_PROOFS = 32,
    BENCH_RANDOM = 64,
    BENCH_ALL = 127
};

typedef struct bench_options {
    const char *family; /* NULL: all */
    uint64_t seeds[BENCH_MAX_SEEDS];
    int seed_count;
    int count;         /* problems per seed; 0: the family's own number */
    int repeat;        /* the time of a problem is the median of so many solves */
    int change_count;  /* invariance: problems per seed that are changed, spread over the family */
    int changes;       /* invariance: permutations, and permutations with scaling, of each */
    int random_count;  /* random: problems of all classes */
    double time_limit; /* seconds that a single solve may take */
    double budget;     /* seconds that a peer or one of our slower methods gets for a family */
    bool with_peers;
    unsigned sections;
    const char *csv; /* NULL: none */
} bench_options;

bench_options bench_options_default(void);

/** An option with a value. false: there is no such option, or its value is not allowed. */
bool bench_options_pair(const char *name, const char *value, bench_options *options);

/** A whole number of at least `least`. false: it is none. */
bool bench_read_int(const char *text, int least, int *value);

/** Read the arguments. false: a message was printed, or the help; *exit_code says how to end. */
bool bench_options_read(int argc, char **argv, bench_options *options, int *exit_code);

#endif
