/* Integers of any size. */
#include "math/integer.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { LIMB_BITS = 32, HEX_OF_LIMB = 8 };

static void trim(crn_integer *x)
{
    while (x->size > 0 && x->limb[x->size - 1] == 0) {
        --x->size;
    }
    x->sign = x->size > 0 ? x->sign : 0;
}

/* Room for size limbs; what is there stays. False, with x = 0: there is no memory. */
static bool reserve(crn_integers *by, crn_integer *x, int size)
{
    if (by->has_failed || !crn_reserve(by->allocator, (void **)&x->limb, &x->capacity, size, sizeof *x->limb)) {
        by->has_failed = true;
        x->size = x->sign = 0;
    }
    return !by->has_failed;
}

void crn_integer_free(const crn_integers *by, crn_integer *x)
{
    crn_release(by->allocator, x->limb);
    *x = (crn_integer){.size = 0};
}

void crn_integer_set(crn_integers *by, crn_integer *x, int64_t value)
{
    if (reserve(by, x, 2)) {
        uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
        x->limb[0] = (uint32_t)size;
        x->limb[1] = (uint32_t)(size >> LIMB_BITS);
        x->size = 2;
        x->sign = value < 0 ? -1 : 1;
        trim(x);
    }
}

void crn_integer_copy(crn_integers *by, crn_integer *x, const crn_integer *a)
{
    if (x != a && reserve(by, x, a->size)) {
        if (a->size > 0) {
            memcpy(x->limb, a->limb, (size_t)a->size * sizeof *a->limb);
        }
        x->size = a->size;
        x->sign = a->sign;
    }
}

void crn_integer_swap(crn_integer *a, crn_integer *b)
{
    crn_integer t = *a;
    *a = *b;
    *b = t;
}

void crn_integer_multiply(crn_integers *by, crn_integer *x, const crn_integer *a, const crn_integer *b)
{
    if (!reserve(by, x, a->size + b->size)) {
        return;
    }
    x->size = a->size + b->size;
    x->sign = a->sign * b->sign;
    for (int i = 0; i < x->size; ++i) {
        x->limb[i] = 0;
    }
    for (int i = 0; i < a->size; ++i) {
        uint64_t carry = 0, f = a->limb[i];
        for (int j = 0; j < b->size; ++j) {
            carry += f * b->limb[j] + x->limb[i + j];
            x->limb[i + j] = (uint32_t)carry;
            carry >>= LIMB_BITS;
        }
        x->limb[i + b->size] = (uint32_t)carry;
    }
    trim(x);
}

/* |x| += factor |a|; x has one limb more than both need. */
static void add_size(crn_integer *x, const crn_integer *a, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < x->size; ++i) {
        carry += x->limb[i] + (i < a->size ? (uint64_t)factor * a->limb[i] : 0);
        x->limb[i] = (uint32_t)carry;
        carry >>= LIMB_BITS;
    }
}

/* |x| -= factor |a|, and x changes its sign if that is negative; x has one limb more than both need. */
static void subtract_size(crn_integer *x, const crn_integer *a, uint32_t factor)
{
    uint64_t borrow = 0;
    for (int i = 0; i < x->size; ++i) {
        borrow += i < a->size ? (uint64_t)factor * a->limb[i] : 0;
        uint32_t low = (uint32_t)borrow;
        borrow = (borrow >> LIMB_BITS) + (x->limb[i] < low);
        x->limb[i] -= low;
    }
    if (borrow == 0) {
        return;
    }
    uint64_t carry = 1; /* two's complement */
    for (int i = 0; i < x->size; ++i) {
        carry += (uint32_t)~x->limb[i];
        x->limb[i] = (uint32_t)carry;
        carry >>= LIMB_BITS;
    }
    x->sign = -x->sign;
}

void crn_integer_add(crn_integers *by, crn_integer *x, const crn_integer *a, uint32_t factor, int sign)
{
    int size = (x->size > a->size + 1 ? x->size : a->size + 1) + 1;
    if (a->sign == 0 || factor == 0 || !reserve(by, x, size)) {
        return;
    }
    for (int i = x->size; i < size; ++i) {
        x->limb[i] = 0;
    }
    x->size = size;
    x->sign = x->sign != 0 ? x->sign : sign * a->sign;
    if (x->sign == sign * a->sign) {
        add_size(x, a, factor);
    } else {
        subtract_size(x, a, factor);
    }
    trim(x);
}

void crn_integer_shift(crn_integers *by, crn_integer *x, int bits)
{
    const int limbs = bits / LIMB_BITS, rest = bits % LIMB_BITS, size = x->size + limbs + 1;
    if (x->sign == 0 || !reserve(by, x, size)) {
        return;
    }
    x->limb[x->size] = 0;
    for (int i = size - 1; i >= 0; --i) { /* from above: limbs are read before they are overwritten */
        uint64_t high = i >= limbs ? x->limb[i - limbs] : 0, low = i > limbs ? x->limb[i - limbs - 1] : 0;
        x->limb[i] = (uint32_t)(((high << LIMB_BITS | low) << rest) >> LIMB_BITS);
    }
    x->size = size;
    trim(x);
}

/* --- division --- */

void crn_integer_divide_small(crn_integer *x, uint32_t d)
{
    uint64_t rest = 0;
    for (int i = x->size - 1; i >= 0; --i) {
        rest = rest << LIMB_BITS | x->limb[i];
        x->limb[i] = (uint32_t)(rest / d);
        rest %= d;
    }
    trim(x);
}

uint32_t crn_integer_modulo_small(const crn_integer *x, uint32_t d)
{
    uint64_t rest = 0;
    for (int i = x->size - 1; i >= 0; --i) {
        rest = (rest << LIMB_BITS | x->limb[i]) % d;
    }
    return x->sign < 0 && rest > 0 ? d - (uint32_t)rest : (uint32_t)rest;
}

/* The next limb of the quotient: u (n + 1 limbs) by v (n >= 2 limbs, the highest bit set), at most one too large. */
static uint64_t guess_limb(const uint32_t *u, const uint32_t *v, int n)
{
    uint64_t top = (uint64_t)u[n] << LIMB_BITS | u[n - 1];
    uint64_t q = top / v[n - 1], rest = top % v[n - 1];
    while (q > UINT32_MAX || q * v[n - 2] > (rest << LIMB_BITS | u[n - 2])) {
        --q;
        rest += v[n - 1];
        if (rest > UINT32_MAX) {
            break;
        }
    }
    return q;
}

/* u -= q v; true if that is negative. */
static bool take_off(uint32_t *u, const uint32_t *v, int n, uint64_t q)
{
    uint64_t borrow = 0;
    for (int i = 0; i <= n; ++i) {
        borrow += i < n ? q * v[i] : 0;
        uint32_t low = (uint32_t)borrow;
        borrow = (borrow >> LIMB_BITS) + (u[i] < low);
        u[i] -= low;
    }
    return borrow != 0;
}

static void put_back(uint32_t *u, const uint32_t *v, int n)
{
    uint64_t carry = 0;
    for (int i = 0; i <= n; ++i) {
        carry += (uint64_t)u[i] + (i < n ? v[i] : 0);
        u[i] = (uint32_t)carry;
        carry >>= LIMB_BITS;
    }
}

/* Shift right by less than a limb. */
static void shift_down(crn_integer *x, int bits)
{
    for (int i = 0; i < x->size; ++i) {
        uint64_t high = i + 1 < x->size ? x->limb[i + 1] : 0;
        x->limb[i] = (uint32_t)((high << LIMB_BITS | x->limb[i]) >> bits);
    }
    trim(x);
}

/* Divisors of one limb. */
static void divide_by_limb(crn_integers *by, crn_integer *quotient, crn_integer *remainder, const crn_integer *a,
                           uint32_t d)
{
    crn_integer_copy(by, quotient, a);
    crn_integer_set(by, remainder, crn_integer_modulo_small(a, d));
    crn_integer_divide_small(quotient, d);
}

void crn_integer_divide(crn_integers *by, crn_integer *quotient, crn_integer *remainder, const crn_integer *a,
                        const crn_integer *b)
{
    if (b->sign <= 0 || by->has_failed) {
        by->has_failed = true;
        return;
    }
    if (b->size == 1) {
        divide_by_limb(by, quotient, remainder, a, b->limb[0]);
        return;
    }
    crn_integer_copy(by, remainder, a);
    crn_integer_set(by, quotient, 0);
    if (crn_integer_compare(a, b) < 0) {
        return;
    }
    const int n = b->size, shift = LIMB_BITS * n - crn_integer_bits(b);
    crn_integer v = {.size = 0};
    crn_integer_copy(by, &v, b);
    crn_integer_shift(by, &v, shift); /* the highest bit of the divisor is set: guesses are then nearly right */
    crn_integer_shift(by, remainder, shift);
    const int m = remainder->size - n;
    if (reserve(by, remainder, remainder->size + 1) && reserve(by, quotient, m + 1)) {
        remainder->limb[remainder->size++] = 0;
        for (int j = m; j >= 0; --j) {
            uint64_t q = guess_limb(remainder->limb + j, v.limb, n);
            if (take_off(remainder->limb + j, v.limb, n, q)) {
                put_back(remainder->limb + j, v.limb, n);
                --q;
            }
            quotient->limb[j] = (uint32_t)q;
        }
        quotient->size = m + 1;
        quotient->sign = 1;
        trim(quotient);
        trim(remainder);
        shift_down(remainder, shift);
    }
    crn_integer_free(by, &v);
}

/* --- size --- */

int crn_integer_compare(const crn_integer *a, const crn_integer *b)
{
    if (a->size != b->size) {
        return a->size < b->size ? -1 : 1;
    }
    for (int i = a->size - 1; i >= 0; --i) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

int crn_integer_bits(const crn_integer *x)
{
    int bits = x->size * LIMB_BITS;
    for (uint32_t top = x->size > 0 ? x->limb[x->size - 1] : UINT32_MAX; top < (uint32_t)1 << 31; top <<= 1) {
        --bits;
    }
    return bits;
}

/* The highest three limbs of |x|, 65 bits or more, and in *exponent the power of two that they are multiplied by. */
static double leading(const crn_integer *x, int *exponent)
{
    double sum = 0.0;
    *exponent = x->size > 3 ? (x->size - 3) * LIMB_BITS : 0;
    for (int i = x->size - 1; i >= 0 && i >= x->size - 3; --i) {
        sum = 4294967296.0 * sum + x->limb[i];
    }
    return sum;
}

double crn_integer_ratio(crn_integers *by, const crn_integer *a, const crn_integer *b)
{
    enum { BITS = 96 }; /* of the quotient: more than leading() looks at */
    int lifted = BITS + crn_integer_bits(b) - crn_integer_bits(a), exponent = 0;
    crn_integer size = {.size = 0}, down = {.size = 0}, quotient = {.size = 0}, rest = {.size = 0};
    crn_integer_copy(by, &size, a);
    crn_integer_copy(by, &down, b);
    size.sign = size.sign != 0 ? 1 : 0;
    crn_integer_shift(by, lifted > 0 ? &size : &down, lifted > 0 ? lifted : -lifted);
    crn_integer_divide(by, &quotient, &rest, &size, &down);
    double value = leading(&quotient, &exponent);
    crn_integer_free(by, &size);
    crn_integer_free(by, &down);
    crn_integer_free(by, &quotient);
    crn_integer_free(by, &rest);
    return a->sign * ldexp(value, exponent - lifted);
}

/* --- text --- */

size_t crn_integer_text_size(const crn_integer *x)
{
    return HEX_OF_LIMB * (size_t)x->size + 3;
}

void crn_integer_write(const crn_integer *x, char *text)
{
    static const char digits[] = "0123456789abcdef";
    bool is_begun = false;
    if (x->sign < 0) {
        *text++ = '-';
    }
    for (int i = HEX_OF_LIMB * x->size - 1; i >= 0; --i) {
        uint32_t digit = x->limb[i / HEX_OF_LIMB] >> (4 * (i % HEX_OF_LIMB)) & 15U;
        is_begun = is_begun || digit != 0;
        if (is_begun) {
            *text++ = digits[digit];
        }
    }
    if (!is_begun) {
        *text++ = '0';
    }
    *text = '\0';
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool crn_integer_read(crn_integers *by, crn_integer *x, const char *text)
{
    const bool is_negative = text[0] == '-';
    text += is_negative ? 1 : 0;
    const size_t length = strlen(text);
    if (length == 0 || length > INT_MAX / 8 || !reserve(by, x, (int)(length / HEX_OF_LIMB) + 1)) {
        return false;
    }
    x->size = (int)(length / HEX_OF_LIMB) + 1;
    memset(x->limb, 0, (size_t)x->size * sizeof *x->limb);
    for (size_t i = 0; i < length; ++i) {
        int digit = digit_of(text[length - 1 - i]);
        if (digit < 0) {
            x->size = x->sign = 0;
            return false;
        }
        x->limb[i / HEX_OF_LIMB] |= (uint32_t)digit << (4 * (i % HEX_OF_LIMB));
    }
    x->sign = is_negative ? -1 : 1;
    trim(x);
    return true;
}
