/* Random numbers: xoshiro256** (Blackman, Vigna 2018), seeded by splitmix64. Integer arithmetic and exact scaling
 * only, so every machine draws the same numbers; the normal deviates use libm's log, sqrt and cos. */
#include <cairn/base.h>

#include "math/elementary.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t x = (*state += UINT64_C(0x9E3779B97F4A7C15));
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static uint64_t rotate_left(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

crn_random crn_random_seed(uint64_t seed)
{
    crn_random random;
    for (int i = 0; i < 4; ++i) {
        random.state[i] = splitmix64(&seed);
    }
    return random;
}

uint64_t crn_random_bits(crn_random *random)
{
    if (random == NULL) {
        return 0;
    }
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double crn_random_uniform(crn_random *random, double low, double high)
{
    double unit = (double)(crn_random_bits(random) >> 11) * 0x1p-53; /* 53 bits in [0, 1) */
    double x = low + (high - low) * unit;
    return x < high ? x : low; /* the sum may round up to high */
}

double crn_random_normal(crn_random *random)
{
    const double two_pi = 6.283185307179586;
    double u = 1.0 - crn_random_uniform(random, 0.0, 1.0); /* in (0, 1], so the logarithm is finite */
    double v = crn_random_uniform(random, 0.0, 1.0);
    return sqrt(-2.0 * crn_log(u)) * crn_cos(two_pi * v); /* Box-Muller */
}

int crn_random_below(crn_random *random, int count)
{
    count = count > 0 ? count : 0;
    /* The high bits times count: the bias is below 2^-32 for any int count. */
    return (int)(((crn_random_bits(random) >> 32) * (uint64_t)count) >> 32);
}
