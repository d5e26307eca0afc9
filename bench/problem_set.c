/* problem_set.c -- the problems of one family that a run is about. */
#include "problem_set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool bench_set_build(const bench_set *set, int item, crn_lcp_data *data)
{
    const bench_item *it = &set->items[item];
    crn_error error = {0};
    *data = (crn_lcp_data){0};
    if (set->family->make(it->index, it->seed, data, &error) != CRN_OK) {
        fprintf(stderr, "bench_lcp: %s %d, seed %llu: %s\n", set->family->name, it->index, (unsigned long long)it->seed,
                error.text);
        return false;
    }
    return true;
}

static bool look_at(bench_set *set, int item)
{
    bench_item *it = &set->items[item];
    crn_lcp_data data;
    if (!bench_set_build(set, item, &data)) {
        return false;
    }
    it->n = data.problem.n;
    it->is_plain = !data.problem.lower && !data.problem.upper;
    it->z_offset = set->z_total;
    set->z_total += (size_t)it->n;
    set->n_least = item == 0 || it->n < set->n_least ? it->n : set->n_least;
    set->n_most = it->n > set->n_most ? it->n : set->n_most;
    set->is_plain = set->is_plain && it->is_plain;
    crn_lcp_data_free(&data);
    return true;
}

/* Place of a number in [0, 1); numbers in a row land far from each other, whatever the period of the sizes. */
static double spread_place(int number)
{
    const double golden = 0.6180339887498949;
    double multiple = golden * number;
    return multiple - floor(multiple);
}

static int compare_places(const void *left, const void *right)
{
    double a = spread_place(*(const int *)left);
    double b = spread_place(*(const int *)right);
    return (a > b) - (a < b);
}

static void spread_order(bench_set *set)
{
    for (int k = 0; k < set->count; ++k) {
        set->order[k] = k;
    }
    qsort(set->order, (size_t)set->count, sizeof *set->order, compare_places);
}

bool bench_set_open(const crn_gallery_family *family, const uint64_t *seeds, int seed_count, int count_per_seed,
                    bench_set *set)
{
    int per_seed = count_per_seed > 0 ? count_per_seed : family->default_count;
    *set = (bench_set){.family = family,
                       .count_per_seed = per_seed,
                       .seed_count = seed_count,
                       .count = per_seed * seed_count,
                       .is_plain = true};
    set->items = calloc((size_t)set->count + 1, sizeof *set->items);
    set->order = calloc((size_t)set->count + 1, sizeof *set->order);
    if (!set->items || !set->order) {
        fprintf(stderr, "bench_lcp: no memory\n");
        bench_set_close(set);
        return false;
    }
    spread_order(set);
    for (int k = 0; k < set->count; ++k) {
        set->items[k].seed = seeds[k / per_seed];
        set->items[k].index = k % per_seed;
        if (!look_at(set, k)) {
            bench_set_close(set);
            return false;
        }
    }
    return true;
}

void bench_set_close(bench_set *set)
{
    free(set->items);
    free(set->order);
    *set = (bench_set){0};
}

bool bench_set_in_sample(const bench_set *set, int item, int sample)
{
    int count = set->count_per_seed;
    return sample <= 0 || sample >= count || spread_place(item % count) * count < sample;
}
