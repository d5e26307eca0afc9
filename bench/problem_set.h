/* problem_set.h -- the problems of one family that a run is about. They are built when needed, never all at once. */
#ifndef BENCH_PROBLEM_SET_H
#define BENCH_PROBLEM_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gallery.h"

typedef struct bench_item {
    uint64_t seed;
    int index; /* within the family */
    int n;
    bool is_plain;   /* no bounds but z >= 0: peers can read it */
    size_t z_offset; /* where z of this problem begins in a common array */
} bench_item;

typedef struct bench_set {
    const crn_gallery_family *family;
    int count_per_seed;
    int seed_count;
    int count; /* count_per_seed * seed_count */
    bench_item *items;
    int *order;     /* items in an order of which every beginning is spread over the sizes and seeds */
    size_t z_total; /* sum of all n */
    int n_least, n_most;
    bool is_plain; /* all items are */
} bench_set;

/** Look at every problem once for its size. count_per_seed 0: the family's own number. false: a message was printed. */
bool bench_set_open(const crn_gallery_family *family, const uint64_t *seeds, int seed_count, int count_per_seed,
                    bench_set *set);

void bench_set_close(bench_set *set);

/** Build a problem; free it with crn_lcp_data_free(). false: a message was printed. */
bool bench_set_build(const bench_set *set, int item, crn_lcp_data *data);

/** Is the item among about `sample` problems per seed, spread evenly over the family? sample 0: all are. */
bool bench_set_in_sample(const bench_set *set, int item, int sample);

#endif
