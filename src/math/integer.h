/* Integers of any size: sign and magnitude, in limbs of 32 bits, the same on every machine. For proofs by rational numbers, whose
 * integers have some thousand bits: products and quotients by the school's methods  [K97 s4.3.1].
 *
 * Memory comes from the allocator of a crn_integers, which remembers that it said no: from then on results are 0 and mean nothing,
 * so that a computation checks once, at its end. */
#ifndef CAIRN_MATH_INTEGER_H
#define CAIRN_MATH_INTEGER_H

#include <cairn/base.h>

/** Zero-initialised it is 0. */
typedef struct crn_integer {
    uint32_t *limb; /* size of them, the lowest first; the highest is not 0 */
    int size, capacity;
    int sign; /* -1, 0, 1 */
} crn_integer;

typedef struct crn_integers {
    const crn_allocator *allocator;
    bool has_failed;
} crn_integers;

void crn_integer_free(const crn_integers *by, crn_integer *x);

void crn_integer_set(crn_integers *by, crn_integer *x, int64_t value);
void crn_integer_copy(crn_integers *by, crn_integer *x, const crn_integer *a);
void crn_integer_swap(crn_integer *a, crn_integer *b);

/** x := a b; x is neither of them. */
void crn_integer_multiply(crn_integers *by, crn_integer *x, const crn_integer *a, const crn_integer *b);

/** x := x + sign factor a, where sign is -1 or 1; x is not a. */
void crn_integer_add(crn_integers *by, crn_integer *x, const crn_integer *a, uint32_t factor, int sign);

/** x := x 2^bits, bits >= 0. */
void crn_integer_shift(crn_integers *by, crn_integer *x, int bits);

/** quotient and remainder of a by b, both >= 0 and b > 0; all four are different. */
void crn_integer_divide(crn_integers *by, crn_integer *quotient, crn_integer *remainder, const crn_integer *a,
                        const crn_integer *b);

/** x := x / d, which leaves no rest. */
void crn_integer_divide_small(crn_integer *x, uint32_t d);

/** x modulo d, in 0 .. d-1. */
uint32_t crn_integer_modulo_small(const crn_integer *x, uint32_t d);

/** -1, 0 or 1: |a| < |b|, the same, >. */
int crn_integer_compare(const crn_integer *a, const crn_integer *b);

/** Bits of |x|; 0 has none. */
int crn_integer_bits(const crn_integer *x);

/** a / b as a double, b > 0, within a unit of its last place. */
double crn_integer_ratio(crn_integers *by, const crn_integer *a, const crn_integer *b);

/** Hexadecimal digits, '-' before them if x < 0: characters that they take with '\0', the text, and back (false: no such number). */
size_t crn_integer_text_size(const crn_integer *x);
void crn_integer_write(const crn_integer *x, char *text);
bool crn_integer_read(crn_integers *by, crn_integer *x, const char *text);

#endif
