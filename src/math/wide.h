/* Integers of 128 bits, two's complement, for exact signs of determinants: the compiler's where it has them (64-bit machines), else
 * two halves. CRN_WIDE_HALVES before the header: halves in any case, for their test. */
#ifndef CRN_MATH_WIDE_H
#define CRN_MATH_WIDE_H

#include <stdint.h>

#if defined(__SIZEOF_INT128__) && !defined(CRN_WIDE_HALVES)

__extension__ typedef __int128 crn_wide;

static inline crn_wide crn_wide_of(int64_t a)
{
    return a;
}

static inline crn_wide crn_wide_add(crn_wide a, crn_wide b)
{
    return a + b;
}

static inline crn_wide crn_wide_scale(crn_wide a, int64_t b)
{
    return a * b;
}

/* -1, 0 or 1: a < b, the same, > */
static inline int crn_wide_compare(crn_wide a, crn_wide b)
{
    return (a > b) - (a < b);
}

#else

typedef struct crn_wide {
    uint64_t low, high;
} crn_wide;

static inline crn_wide crn_wide_of(int64_t a)
{
    return (crn_wide){(uint64_t)a, a < 0 ? UINT64_MAX : 0};
}

static inline crn_wide crn_wide_add(crn_wide a, crn_wide b)
{
    uint64_t low = a.low + b.low;
    return (crn_wide){low, a.high + b.high + (low < a.low)};
}

/* a b of two numbers without sign, from four products of 32 bits. */
static inline crn_wide crn_wide_product(uint64_t a, uint64_t b)
{
    const uint64_t half = UINT32_MAX;
    uint64_t a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & half);
    return (crn_wide){a * b, a1 * b1 + (middle >> 32) + (other >> 32)};
}

/* b < 0 is its bits less 2^64. */
static inline crn_wide crn_wide_scale(crn_wide a, int64_t b)
{
    crn_wide p = crn_wide_product(a.low, (uint64_t)b);
    p.high += a.high * (uint64_t)b - (b < 0 ? a.low : 0);
    return p;
}

/* -1, 0 or 1: a < b, the same, > */
static inline int crn_wide_compare(crn_wide a, crn_wide b)
{
    const uint64_t sign = (uint64_t)1 << 63; /* turned, halves are in the order of numbers without sign */
    uint64_t ah = a.high ^ sign, bh = b.high ^ sign;
    return ah != bh ? (ah > bh) - (ah < bh) : (a.low > b.low) - (a.low < b.low);
}

#endif

/* a b - c d */
static inline crn_wide crn_wide_minor(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return crn_wide_add(crn_wide_scale(crn_wide_of(a), b), crn_wide_scale(crn_wide_of(c), -d));
}

#endif
