/* Radix sort: one counting sort per byte of the key, the lowest first; bytes that are the same in all keys are skipped, so
 * that small numbers cost few passes. Short lists are sorted by insertion. */
#include "math/radix.h"

enum { SHORT = 48, BYTES = 8, BUCKETS = 256 };

static void insertion_sort(int count, uint64_t *key, int *item)
{
    for (int i = 1; i < count; ++i) {
        uint64_t moved_key = key[i];
        int moved = item[i], at = i;
        for (; at > 0 && key[at - 1] > moved_key; --at) {
            key[at] = key[at - 1];
            item[at] = item[at - 1];
        }
        key[at] = moved_key;
        item[at] = moved;
    }
}

/* From (key, item) to (to_key, to_item), ordered by one byte. */
static void one_pass(int count, int shift, const uint64_t *key, const int *item, uint64_t *to_key, int *to_item)
{
    int start[BUCKETS] = {0}, before = 0;
    for (int i = 0; i < count; ++i) {
        start[key[i] >> shift & (BUCKETS - 1)]++;
    }
    for (int b = 0; b < BUCKETS; ++b) {
        int own = start[b];
        start[b] = before;
        before += own;
    }
    for (int i = 0; i < count; ++i) {
        int at = start[key[i] >> shift & (BUCKETS - 1)]++;
        to_key[at] = key[i];
        to_item[at] = item[i];
    }
}

void crn_radix_sort(int count, uint64_t *key, int *item, uint64_t *other_key, int *other_item)
{
    if (count <= SHORT) {
        insertion_sort(count, key, item);
        return;
    }
    uint64_t *from_key = key, *to_key = other_key, differ = 0;
    int *from = item, *to = other_item;
    for (int i = 1; i < count; ++i) {
        differ |= key[i] ^ key[0];
    }
    for (int b = 0; b < BYTES; ++b) {
        if ((differ >> (8 * b) & (BUCKETS - 1)) == 0) {
            continue;
        }
        one_pass(count, 8 * b, from_key, from, to_key, to);
        uint64_t *swap_key = from_key;
        int *swap = from;
        from_key = to_key;
        from = to;
        to_key = swap_key;
        to = swap;
    }
    if (from != item) {
        memcpy(key, from_key, (size_t)count * sizeof *key);
        memcpy(item, from, (size_t)count * sizeof *item);
    }
}
