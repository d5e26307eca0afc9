/* Zobrist hashing: a random word per variable; the hash of a set is the exclusive or of its words, so that a pivot
 * updates it in two operations. */
#ifndef CRN_LCP_HASH_H
#define CRN_LCP_HASH_H

#include <limits.h>
#include <stdint.h>

static inline uint64_t crn_hash_word(int variable)
{
    uint64_t x = (uint64_t)(int64_t)variable * UINT64_C(0x9E3779B97F4A7C15) + UINT64_C(0xD1B54A32D192ED03);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* The word for "z_i stands at its upper bound". */
static inline uint64_t crn_hash_upper(int i)
{
    return crn_hash_word(INT_MAX - i);
}

#endif
