/* Sorting by 64-bit keys, byte by byte from the lowest: stable, and the same time for every order. */
#ifndef CRN_MATH_RADIX_H
#define CRN_MATH_RADIX_H

#include "base/shared.h"

#include <stdint.h>
#include <string.h>

/* A number as a key of the same order; -0 and +0 have the same key. x must not be NaN. */
static inline uint64_t crn_radix_key(double x)
{
    uint64_t bits;
    x = x == 0.0 ? 0.0 : x;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Sort the pairs (key[i], item[i]); equal keys keep their order. other_key, other_item: scratch of the same length. */
CRN_SHARED void crn_radix_sort(int count, uint64_t *key, int *item, uint64_t *other_key, int *other_item);

#endif
