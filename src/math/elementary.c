/* Elementary functions from the four operations and the square root.
 *
 * Each argument is brought near 0 by an identity, with what rounding took away kept beside it (crn_dd); there a Taylor series
 * is summed, until the next term is below 2^-58 of the sum; the last addition is the only one whose rounding counts fully.
 *
 *   sin, cos   x = n pi/2 + r,  |r| <= pi/4
 *   atan2      atan(y/x) = atan(c) + atan((y - c x) / (x + c y)),  c = 0, 1/8, .. 1 nearest to y/x <= 1
 *   exp        x = n log 2 + r,  |r| <= log(2)/2
 *   log        x = 2^n (1 + f),  log(1 + f) = f - (f^2/2 - s (f^2/2 + R)),  s = f / (2 + f),  R = 2 (s^2/3 + s^4/5 + ..)
 */
#include "math/elementary.h"

#include "math/dd.h"

#include <stdbool.h>
#include <stdint.h>

/* Adding and subtracting it rounds to a whole number: |x| < 2^51. */
static const double whole = 0x1.8p52;

static const crn_dd half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

static crn_dd normal(double high, double low)
{
    return crn_two_sum(high, low);
}

/* --- n pi/2 + r --- */

/* Below 2^10 the products n part[0] and n part[1] are exact: 43 bits and 10. All three parts are 139 bits of pi/2, and no double
 * below 2^10 is nearer to a multiple of it than 2^-60. */
static int reduce_small(double x, crn_dd *r)
{
    static const double part[3] = {0x1.921fb54442c00p+0, 0x1.18469898cc400p-44, 0x1.1701b839a2520p-88};
    const double two_over_pi = 0x1.45f306dc9c883p-1;
    double n = (x * two_over_pi + whole) - whole;
    crn_dd d = crn_two_sum(x - n * part[0], -(n * part[1]));
    *r = normal(d.high, d.low - n * part[2]);
    return (int)n & 3;
}

/* 2/pi, 32 bits a word, the highest first: as many as the largest double can ask for. */
static const uint32_t two_over_pi_bits[] = {
    0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561,
    0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
    0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F,
    0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B,
    0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB};

enum {
    WINDOW = 7,
    PRODUCT = WINDOW + 2
}; /* words of 2/pi that count; with the 53 bits of a double, those of the product */

/* product = m times the window of 2/pi that begins at word `first`; highest word first. */
static void multiply(uint64_t m, int first, uint32_t product[PRODUCT])
{
    const uint64_t half[2] = {m & 0xFFFFFFFF, m >> 32};
    for (int i = 0; i < PRODUCT; ++i) {
        product[i] = 0;
    }
    for (int h = 0; h < 2; ++h) {
        uint64_t carry = 0;
        for (int i = WINDOW - 1; i >= -1; --i) {
            int at = i + 2 - h;
            uint64_t word = i >= 0 ? two_over_pi_bits[first + i] : 0;
            carry += half[h] * word + product[at];
            product[at] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* 32 bits of the product from bit `place` on, the highest of all being 0; beyond the end are zeros. */
static uint32_t word_at(const uint32_t product[PRODUCT], int place)
{
    int at = place / 32, shift = place % 32;
    uint64_t two = at < PRODUCT ? (uint64_t)product[at] << 32 : 0;
    two |= at + 1 < PRODUCT ? product[at + 1] : 0;
    return (uint32_t)(two << shift >> 32);
}

/* x = m 2^e, m whole: m 2^e 2/pi modulo 4, from those bits of 2/pi that are neither multiples of 4 nor below 2^-138
 * (Payne and Hanek). */
static int reduce_large(double x, crn_dd *r)
{
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
    uint32_t product[PRODUCT];
    e -= 53;
    int first = e >= 2 ? (e - 2) / 32 : 0;
    multiply(m, first, product);
    int point = 32 * (PRODUCT - WINDOW - first) + e; /* bits before the binary point */
    uint32_t n = word_at(product, point - 2) >> 30;
    bool is_above = word_at(product, point) >> 31; /* nearer to n + 1 */
    crn_dd sum = {is_above ? -1.0 : 0.0, 0.0};
    for (int k = 0; k < 6; ++k) {
        crn_dd next = crn_two_sum(sum.high, ldexp((double)word_at(product, point + 32 * k), -32 * (k + 1)));
        sum = normal(next.high, sum.low + next.low);
    }
    crn_dd p = crn_two_product(sum.high, half_pi.high);
    *r = normal(p.high, p.low + (sum.high * half_pi.low + sum.low * half_pi.high));
    n += is_above ? 1 : 0;
    if (x < 0.0) {
        *r = (crn_dd){-r->high, -r->low};
        n = 4 - n;
    }
    return (int)(n & 3);
}

/* Quadrant of an angle and the rest, |r| <= pi/4; NaN for infinities. */
static int reduce(double x, crn_dd *r)
{
    double size = fabs(x);
    if (size <= 0.78539816339744828) {
        *r = (crn_dd){x, 0.0};
        return 0;
    }
    if (size < 1024.0) {
        return reduce_small(x, r);
    }
    if (size < INFINITY) {
        return reduce_large(x, r);
    }
    *r = (crn_dd){NAN, NAN};
    return 0;
}

static double sin_near_0(crn_dd r)
{
    if (fabs(r.high) < 0x1p-28) {
        return r.high; /* a zero with its sign among them */
    }
    double z = r.high * r.high;
    double series = 1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z / 355687428096000.0);
    series = 1.0 / 362880.0 + z * (-1.0 / 39916800.0 + z * series);
    series = -1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * series));
    return r.high + (r.high * z * series + r.low * (1.0 - 0.5 * z));
}

static double cos_near_0(crn_dd r)
{
    double z = r.high * r.high, half = 0.5 * z, rest = 1.0 - half;
    double series = 1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 + z / 20922789888000.0);
    series = 1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0 + z * series)));
    return rest + (((1.0 - rest) - half) + (z * z * series - r.high * r.low));
}

crn_turn crn_sin_cos(double angle)
{
    crn_dd r;
    int quadrant = reduce(angle, &r);
    double s = sin_near_0(r), c = cos_near_0(r);
    switch (quadrant) {
    case 0: return (crn_turn){s, c};
    case 1: return (crn_turn){c, -s};
    case 2: return (crn_turn){-s, -c};
    default: return (crn_turn){-c, s};
    }
}

double crn_sin(double angle)
{
    crn_dd r;
    int quadrant = reduce(angle, &r);
    double value = quadrant & 1 ? cos_near_0(r) : sin_near_0(r);
    return quadrant & 2 ? -value : value;
}

double crn_cos(double angle)
{
    crn_dd r;
    int quadrant = reduce(angle, &r) + 1;
    double value = quadrant & 1 ? cos_near_0(r) : sin_near_0(r);
    return quadrant & 2 ? -value : value;
}

/* --- Angles --- */

/* a + c b for a c of few bits. */
static crn_dd add_scaled(crn_dd a, double c, crn_dd b)
{
    crn_dd p = crn_two_product(c, b.high), sum = crn_two_sum(a.high, p.high);
    return normal(sum.high, sum.low + (p.low + (a.low + c * b.low)));
}

/* atan(y/x), 0 <= y <= x, none of the squares out of range. */
static crn_dd atan_below_1(crn_dd y, crn_dd x)
{
    static const crn_dd of_eighths[] = {{0.0, 0.0},
                                        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    int k = (int)(8.0 * (y.high / x.high) + 0.5);
    double c = 0.125 * k;
    crn_dd top = add_scaled(y, -c, x), bottom = add_scaled(x, c, y);
    double t = top.high / bottom.high, z = t * t;
    crn_dd back = crn_two_product(t, bottom.high);
    double left = (((top.high - back.high) - back.low) + (top.low - t * bottom.low)) / bottom.high;
    double series = 1.0 / 9.0 + z * (-1.0 / 11.0 + z * (1.0 / 13.0 - z / 15.0));
    series = -1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * series));
    crn_dd sum = crn_two_sum(of_eighths[k].high, t);
    return normal(sum.high, sum.low + (of_eighths[k].low + (left + t * z * series)));
}

/* Angle of (x, y), y >= 0, 0 to pi: (x, y) is turned into the first eighth of the circle. */
static double angle_of(crn_dd y, crn_dd x)
{
    bool is_left = x.high < 0.0;
    crn_dd across = is_left ? (crn_dd){-x.high, -x.low} : x;
    bool is_steep = y.high > across.high;
    crn_dd a = is_steep ? atan_below_1(across, y) : atan_below_1(y, across);
    if (!is_steep && !is_left) {
        return a.high; /* normal */
    }
    double quarters = is_steep ? 1.0 : 2.0, sign = is_steep == is_left ? 1.0 : -1.0;
    crn_dd sum = crn_two_sum(quarters * half_pi.high, sign * a.high);
    return sum.high + (sum.low + (quarters * half_pi.low + sign * a.low));
}

/* The same for any lengths: one that is 2^-60 of the other or less leaves its axis by the quotient alone. */
static double angle_of_any(double y, double x)
{
    const double little = 0x1p-60;
    double across = fabs(x), longer = y > across ? y : across;
    if (y <= little * across && x > 0.0) {
        return y / x;
    }
    if (y <= little * across) {
        return 2.0 * half_pi.high;
    }
    if (across <= little * y) {
        return half_pi.high;
    }
    double scale = 1.0;
    if (longer > 0x1p400) {
        scale = 0x1p-500;
    } else if (longer < 0x1p-400) {
        scale = 0x1p600;
    }
    return angle_of((crn_dd){scale * y, 0.0}, (crn_dd){scale * x, 0.0});
}

double crn_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) {
        return NAN;
    }
    double up = fabs(y), along = x;
    if (isinf(up)) { /* of equal infinities the angle is that of (1, 1) */
        along = isinf(x) ? copysign(1.0, x) : 0.0;
        up = 1.0;
    } else if (isinf(x)) {
        along = copysign(1.0, x);
        up = 0.0;
    }
    if (up == 0.0 && along == 0.0) {
        along = copysign(1.0, along);
    }
    return copysign(angle_of_any(up, along), y);
}

double crn_acos(double x)
{
    if (!(fabs(x) <= 1.0)) {
        return NAN;
    }
    crn_dd square = crn_two_product(x, x), rest = crn_two_sum(1.0, -square.high); /* 1 - x^2 */
    rest.low -= square.low;
    double root = sqrt(rest.high + rest.low);
    if (root == 0.0) {
        return x > 0.0 ? 0.0 : 2.0 * half_pi.high;
    }
    crn_dd back = crn_two_product(root, root);
    double left = (((rest.high - back.high) - back.low) + rest.low) / (2.0 * root);
    return angle_of((crn_dd){root, left}, (crn_dd){x, 0.0});
}

/* --- Exponential and logarithm --- */

/* log 2; n times the first part is exact for |n| < 2^11. */
static const double log_2[2] = {0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45};

double crn_exp(double x)
{
    const double most = 709.79, least = -745.2, one_over_log_2 = 0x1.71547652b82fep+0;
    if (!(x < most)) {
        return x >= most ? INFINITY : NAN;
    }
    if (x < least) {
        return 0.0;
    }
    double n = (x * one_over_log_2 + whole) - whole;
    crn_dd r = crn_two_sum(x - n * log_2[0], -(n * log_2[1]));
    double t = r.high, series = 1.0 / 3628800.0 + t * (1.0 / 39916800.0 + t * (1.0 / 479001600.0 + t / 6227020800.0));
    series = 1.0 / 720.0 + t * (1.0 / 5040.0 + t * (1.0 / 40320.0 + t * (1.0 / 362880.0 + t * series)));
    series = 0.5 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * series)));
    return ldexp(1.0 + (t + (r.low + t * t * series)), (int)n);
}

double crn_log(double x)
{
    if (x == 0.0) {
        return -INFINITY;
    }
    if (!(x > 0.0 && x < INFINITY)) {
        return x > 0.0 ? x : NAN;
    }
    int n;
    double m = frexp(x, &n);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        --n;
    }
    double f = m - 1.0, s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double series = 2.0 / 15.0 + z * (2.0 / 17.0 + z * (2.0 / 19.0 + z * (2.0 / 21.0 + z * (2.0 / 23.0))));
    series = 2.0 / 7.0 + z * (2.0 / 9.0 + z * (2.0 / 11.0 + z * (2.0 / 13.0 + z * series)));
    double R = z * (2.0 / 3.0 + z * (2.0 / 5.0 + z * series));
    crn_dd sum = crn_two_sum(n * log_2[0], f);
    return sum.high + (sum.low + (n * log_2[1] - (half - s * (half + R))));
}

/* --- Length --- */

double crn_hypot(double x, double y)
{
    double longer = fabs(x) > fabs(y) ? fabs(x) : fabs(y), shorter = fabs(x) > fabs(y) ? fabs(y) : fabs(x), scale = 1.0;
    if (isinf(x) || isinf(y)) {
        return INFINITY;
    }
    if (shorter <= 0x1p-30 * longer) {
        return longer;
    }
    if (longer > 0x1p400) {
        scale = 0x1p-600;
    } else if (longer < 0x1p-400) {
        scale = 0x1p600;
    }
    longer *= scale;
    shorter *= scale;
    crn_dd a = crn_two_product(longer, longer), b = crn_two_product(shorter, shorter);
    crn_dd sum = crn_two_sum(a.high, b.high);
    double root = sqrt(sum.high);
    crn_dd back = crn_two_product(root, root);
    double left = (((sum.high - back.high) - back.low) + (sum.low + (a.low + b.low))) / (2.0 * root);
    return (root + left) / scale;
}
