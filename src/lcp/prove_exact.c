/* Rational solutions of the basic equations by lifting, and their signs  [D82].
 *
 * Doubles are integers times powers of two, so each row of A x = b can be multiplied up to integers. With C the inverse of
 * A modulo a prime p, digits of the p-adic expansion of x come one after another:
 *
 *     r_0 = b,   x_t = C r_t mod p,   r_(t+1) = (r_t - A x_t) / p,   x = sum of x_t p^t  modulo p^m
 *
 * From time to time the fractions are guessed from x mod p^m by Euclid's algorithm; the guess is accepted only when
 * A N = b D holds in integers. The check (crn_exact_holds) knows nothing of this. */
#include "lcp/prove.h"

#include "math/integer.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static const uint32_t PRIMES[] = {2147483647u, 2147483629u, 2147483587u}; /* below 2^31 */
enum { PRIME_COUNT = sizeof PRIMES / sizeof PRIMES[0], PRIME_BITS = 31 };

bool crn_proof_has_exact(void)
{
    return true;
}

/* --- doubles as integers --- */

/* x = mantissa 2^exponent, with an integer mantissa; 0 gives 0. */
static int64_t mantissa_of(double x, int *exponent)
{
    double m = frexp(x, exponent);
    *exponent -= 53;
    return (int64_t)ldexp(m, 53);
}

static int lowest_exponent(double x, int lowest)
{
    int e;
    return x != 0.0 && mantissa_of(x, &e) != 0 && e < lowest ? e : lowest;
}

/* Integers that a step of the computation needs for itself. */
typedef struct rooms {
    crn_integers by;
    crn_integer mantissa, product;
} rooms;

static void free_rooms(rooms *room)
{
    crn_integer_free(&room->by, &room->mantissa);
    crn_integer_free(&room->by, &room->product);
}

/* sum += a 2^-lowest b. */
static void add_product(rooms *room, crn_integer *sum, double a, const crn_integer *b, int lowest)
{
    int e;
    int64_t m = mantissa_of(a, &e);
    if (m != 0) {
        crn_integer_set(&room->by, &room->mantissa, m);
        crn_integer_multiply(&room->by, &room->product, b, &room->mantissa);
        crn_integer_shift(&room->by, &room->product, e - lowest);
        crn_integer_add(&room->by, sum, &room->product, 1, 1);
    }
}

/* sum -= a b. */
static void take_product(rooms *room, crn_integer *sum, const crn_integer *a, const crn_integer *b)
{
    crn_integer_multiply(&room->by, &room->product, a, b);
    crn_integer_add(&room->by, sum, &room->product, 1, -1);
}

/* --- modular arithmetic --- */

static uint32_t multiply(uint32_t a, uint32_t b, uint32_t p)
{
    return (uint32_t)((uint64_t)a * b % p);
}

static uint32_t power(uint32_t a, uint32_t e, uint32_t p)
{
    uint32_t result = 1;
    for (; e > 0; e >>= 1, a = multiply(a, a, p)) {
        result = (e & 1) != 0 ? multiply(result, a, p) : result;
    }
    return result;
}

/* Row c of C times what makes its entry in column c 1; the inverse of that entry takes its place. */
static void scale_row(int k, uint32_t *row, int c, uint32_t p)
{
    uint32_t inverse = power(row[c], p - 2, p);
    row[c] = 1;
    for (int j = 0; j < k; ++j) {
        row[j] = multiply(row[j], inverse, p);
    }
}

/* row -= its entry in column c times the pivot row. */
static void clear_entry(int k, uint32_t *row, const uint32_t *pivot, int c, uint32_t p)
{
    uint32_t f = row[c];
    if (f == 0) {
        return;
    }
    row[c] = 0;
    for (int j = 0; j < k; ++j) {
        row[j] = (uint32_t)((row[j] + (uint64_t)(p - f) * pivot[j]) % p);
    }
}

static void swap_rows(int k, uint32_t *C, int a, int b)
{
    for (int j = 0; a != b && j < k; ++j) {
        uint32_t t = C[(size_t)a * (size_t)k + (size_t)j];
        C[(size_t)a * (size_t)k + (size_t)j] = C[(size_t)b * (size_t)k + (size_t)j];
        C[(size_t)b * (size_t)k + (size_t)j] = t;
    }
}

static void swap_columns(int k, uint32_t *C, int a, int b)
{
    for (int i = 0; a != b && i < k; ++i) {
        uint32_t *row = C + (size_t)i * (size_t)k, t = row[a];
        row[a] = row[b];
        row[b] = t;
    }
}

/* C (k x k, row-major) := inverse of itself modulo p, by Gauss and Jordan; false if it is singular. */
static bool invert(int k, uint32_t *C, int *swap, uint32_t p)
{
    for (int c = 0; c < k; ++c) {
        int r = c;
        while (r < k && C[(size_t)r * (size_t)k + (size_t)c] == 0) {
            ++r;
        }
        if (r == k) {
            return false;
        }
        swap[c] = r;
        swap_rows(k, C, r, c);
        uint32_t *pivot = C + (size_t)c * (size_t)k;
        scale_row(k, pivot, c, p);
        for (int i = 0; i < k; ++i) {
            if (i != c) {
                clear_entry(k, C + (size_t)i * (size_t)k, pivot, c, p);
            }
        }
    }
    for (int c = k - 1; c >= 0; --c) {
        swap_columns(k, C, c, swap[c]);
    }
    return true;
}

/* --- lifting --- */

/* The system A x = b in integers, and the expansion of its solution. */
typedef struct lifting {
    int k;
    rooms room;
    crn_integer *A, *b, *r, *x; /* k x k (row-major), k, k, k */
    crn_integer *N, D;          /* the guess: x = N / D */
    uint32_t *C, *digit, p;
    int *swap;
    crn_integer modulus, s, t, u, v, w;
} lifting;

static crn_integer *take_integers(const crn_allocator *allocator, size_t count)
{
    crn_integer *x = crn_allocate(allocator, count + 1, sizeof *x);
    if (x != NULL) {
        memset(x, 0, (count + 1) * sizeof *x);
    }
    return x;
}

static void free_integers(const crn_integers *by, crn_integer *x, size_t count)
{
    for (size_t i = 0; x != NULL && i < count; ++i) {
        crn_integer_free(by, &x[i]);
    }
    crn_release(by->allocator, x);
}

static bool open_lifting(lifting *l, const crn_allocator *allocator, int k)
{
    const size_t n = (size_t)k;
    *l = (lifting){.k = k, .room = {.by = {.allocator = allocator}}};
    l->A = take_integers(allocator, n * n);
    l->b = take_integers(allocator, n);
    l->r = take_integers(allocator, n);
    l->x = take_integers(allocator, n);
    l->N = take_integers(allocator, n);
    l->C = crn_allocate(allocator, n * n + 1, sizeof *l->C);
    l->digit = crn_allocate(allocator, n + 1, sizeof *l->digit);
    l->swap = crn_allocate(allocator, n + 1, sizeof *l->swap);
    return l->A != NULL && l->b != NULL && l->r != NULL && l->x != NULL && l->N != NULL && l->C != NULL &&
           l->digit != NULL && l->swap != NULL;
}

static void close_lifting(lifting *l)
{
    const size_t n = (size_t)l->k;
    const crn_integers *by = &l->room.by;
    free_integers(by, l->A, n * n);
    free_integers(by, l->b, n);
    free_integers(by, l->r, n);
    free_integers(by, l->x, n);
    free_integers(by, l->N, n);
    crn_release(by->allocator, l->C);
    crn_release(by->allocator, l->digit);
    crn_release(by->allocator, l->swap);
    crn_integer *const alone[] = {&l->D, &l->modulus, &l->s, &l->t, &l->u, &l->v, &l->w};
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; ++i) {
        crn_integer_free(by, alone[i]);
    }
    free_rooms(&l->room);
}

/* Entry (i,j) of M. */
static double entry_of(const crn_lcp_problem *p, int i, int j)
{
    crn_column c = crn_column_of(p, j);
    for (int e = 0; c.row != NULL && e < c.count; ++e) {
        if (c.row[e] == i) {
            return c.value[e];
        }
    }
    return c.row == NULL ? c.value[i] : 0.0;
}

/* Row a of the system: M on the basic variables, and minus q and what stands at bounds, times a power of two. */
static void fill_row(lifting *l, const crn_prover *prover, const crn_proof *proof, int a)
{
    const crn_lcp_problem *p = prover->problem;
    const int i = prover->index[a];
    int lowest = lowest_exponent(p->q[i], 0);
    for (int j = 0; j < p->n; ++j) {
        double m = entry_of(p, i, j);
        bool is_basic = proof->basis[j] == CRN_LCP_BASIC;
        if (m != 0.0 && (is_basic || proof->z[j] != 0.0)) {
            int e = lowest_exponent(m, 0) + (is_basic ? 0 : lowest_exponent(proof->z[j], 0));
            lowest = e < lowest ? e : lowest;
        }
    }
    crn_integers *by = &l->room.by;
    crn_integer_set(by, &l->u, 1);
    crn_integer_set(by, &l->b[a], 0);
    add_product(&l->room, &l->b[a], -p->q[i], &l->u, lowest);
    for (int j = 0, b = 0; j < p->n; ++j) {
        double m = entry_of(p, i, j);
        if (proof->basis[j] == CRN_LCP_BASIC) {
            crn_integer *entry = &l->A[(size_t)a * (size_t)l->k + (size_t)b++];
            crn_integer_set(by, entry, 0);
            add_product(&l->room, entry, m, &l->u, lowest);
        } else if (m != 0.0 && proof->z[j] != 0.0) {
            int e;
            crn_integer_set(by, &l->s, mantissa_of(proof->z[j], &e));
            add_product(&l->room, &l->b[a], -m, &l->s, lowest - e);
        }
    }
}

/* C := A^-1 mod p for the first prime for which there is one. */
static bool find_inverse(lifting *l)
{
    for (int t = 0; t < PRIME_COUNT; ++t) {
        l->p = PRIMES[t];
        for (size_t e = 0; e < (size_t)l->k * (size_t)l->k; ++e) {
            l->C[e] = crn_integer_modulo_small(&l->A[e], l->p);
        }
        if (invert(l->k, l->C, l->swap, l->p)) {
            return true;
        }
    }
    return false;
}

/* l->digit := C r mod p. */
static void find_digits(lifting *l)
{
    const size_t k = (size_t)l->k;
    memset(l->digit, 0, k * sizeof *l->digit);
    for (size_t j = 0; j < k; ++j) {
        uint32_t residue = crn_integer_modulo_small(&l->r[j], l->p);
        for (size_t i = 0; residue != 0 && i < k; ++i) {
            l->digit[i] = (uint32_t)((l->digit[i] + (uint64_t)l->C[i * k + j] * residue) % l->p);
        }
    }
}

/* One more digit of every unknown. */
static void lift(lifting *l)
{
    const size_t k = (size_t)l->k;
    crn_integers *by = &l->room.by;
    find_digits(l);
    for (size_t i = 0; i < k; ++i) {
        for (size_t j = 0; j < k; ++j) {
            crn_integer_add(by, &l->r[i], &l->A[i * k + j], l->digit[j], -1);
        }
        crn_integer_divide_small(&l->r[i], l->p);
        crn_integer_add(by, &l->x[i], &l->modulus, l->digit[i], 1);
    }
    crn_integer_copy(by, &l->s, &l->modulus);
    crn_integer_add(by, &l->modulus, &l->s, l->p - 1, 1);
}

/* Bits of numerators and denominators that digits so far can tell: below the root of half the modulus. */
static int bits_known(const lifting *l)
{
    return (crn_integer_bits(&l->modulus) - 2) / 2;
}

/* N / D = x modulo l->modulus with both of bits_known(): Euclid's algorithm, stopped half way. Into l->s and l->t. */
static void guess_fraction(lifting *l, const crn_integer *x)
{
    crn_integers *by = &l->room.by;
    crn_integer a = {.size = 0}, b = {.size = 0}, rest = {.size = 0};
    const int most = bits_known(l);
    crn_integer_copy(by, &a, &l->modulus);
    crn_integer_copy(by, &b, x);
    crn_integer_set(by, &l->u, 0);
    crn_integer_set(by, &l->t, 1);
    while (crn_integer_bits(&b) > most && !by->has_failed) {
        crn_integer_divide(by, &l->v, &rest, &a, &b);
        crn_integer_swap(&a, &b);
        crn_integer_swap(&b, &rest); /* a, b = b, a mod b */
        take_product(&l->room, &l->u, &l->v, &l->t);
        crn_integer_swap(&l->u, &l->t);
    }
    crn_integer_copy(by, &l->s, &b);
    l->s.sign *= l->t.sign < 0 ? -1 : 1;
    l->t.sign *= l->t.sign;
    crn_integer_free(by, &a);
    crn_integer_free(by, &b);
    crn_integer_free(by, &rest);
}

/* x := x times y. */
static void multiply_by(lifting *l, crn_integer *x, const crn_integer *y)
{
    crn_integer_multiply(&l->room.by, &l->w, x, y);
    crn_integer_swap(x, &l->w);
}

/* Fractions with a common denominator; each unknown is multiplied by what is known of it first. False: there are too few digits. */
static bool guess(lifting *l)
{
    crn_integers *by = &l->room.by;
    crn_integer_set(by, &l->D, 1);
    for (int i = 0; i < l->k; ++i) {
        crn_integer_multiply(by, &l->w, &l->x[i], &l->D);
        crn_integer_divide(by, &l->v, &l->N[i], &l->w, &l->modulus);
        crn_integer_copy(by, &l->w, &l->N[i]);
        guess_fraction(l, &l->w);
        crn_integer_copy(by, &l->N[i], &l->s);
        if (crn_integer_bits(&l->t) > 1) { /* the denominator grows, and the numerators before it */
            multiply_by(l, &l->D, &l->t);
            for (int j = 0; j < i; ++j) {
                multiply_by(l, &l->N[j], &l->t);
            }
        }
        if (crn_integer_bits(&l->D) > bits_known(l)) {
            return false;
        }
    }
    return true;
}

static bool is_solved(lifting *l)
{
    const size_t k = (size_t)l->k;
    for (size_t i = 0; i < k; ++i) {
        crn_integer_multiply(&l->room.by, &l->s, &l->b[i], &l->D);
        for (size_t j = 0; j < k; ++j) {
            take_product(&l->room, &l->s, &l->A[i * k + j], &l->N[j]);
        }
        if (l->s.sign != 0) {
            return false;
        }
    }
    return l->D.sign > 0 && !l->room.by.has_failed;
}

/* Digits that surely suffice: numerators and denominator are determinants, bounded by Hadamard. */
static long digits_most(const lifting *l)
{
    const size_t k = (size_t)l->k;
    long bits = 0;
    for (size_t i = 0; i < k; ++i) {
        int row = crn_integer_bits(&l->b[i]);
        for (size_t j = 0; j < k; ++j) {
            int entry = crn_integer_bits(&l->A[i * k + j]);
            row = entry > row ? entry : row;
        }
        bits += row + 32;
    }
    return 2 * bits / (PRIME_BITS - 1) + 4;
}

static bool solve(lifting *l)
{
    if (l->room.by.has_failed || !find_inverse(l)) {
        return false;
    }
    crn_integer_set(&l->room.by, &l->modulus, 1);
    for (int i = 0; i < l->k; ++i) {
        crn_integer_copy(&l->room.by, &l->r[i], &l->b[i]);
        crn_integer_set(&l->room.by, &l->x[i], 0);
    }
    const long most = digits_most(l);
    long next = 8;
    for (long t = 1; t <= most && !l->room.by.has_failed; ++t) {
        lift(l);
        if (t < next && t < most) {
            continue;
        }
        if (guess(l) && is_solved(l)) {
            return true;
        }
        next = next + next / 2;
    }
    return false;
}

/* --- proofs --- */

static char *to_text(const crn_allocator *allocator, const crn_integer *x)
{
    char *text = crn_allocate(allocator, crn_integer_text_size(x), 1);
    if (text != NULL) {
        crn_integer_write(x, text);
    }
    return text;
}

bool crn_exact_solve(const crn_prover *prover, crn_proof *proof)
{
    lifting l;
    bool is_good = open_lifting(&l, &proof->allocator, prover->k);
    for (int a = 0; is_good && a < prover->k; ++a) {
        fill_row(&l, prover, proof, a);
    }
    is_good = is_good && solve(&l);
    for (int b = 0; is_good && b < prover->k; ++b) {
        proof->z[prover->index[b]] = crn_integer_ratio(&l.room.by, &l.N[b], &l.D); /* rounded, for people */
    }
    for (int b = 0; is_good && b <= prover->k; ++b) {
        proof->number[b] = to_text(&proof->allocator, b < prover->k ? &l.N[b] : &l.D);
        is_good = proof->number[b] != NULL && !l.room.by.has_failed;
    }
    close_lifting(&l);
    return is_good;
}

/* Numbers of a proof, read, and room to compute with them. */
typedef struct checking {
    const crn_lcp_problem *problem;
    const crn_proof *proof;
    rooms room;
    crn_integer *number; /* k + 1 */
    crn_integer s, u;
} checking;

/* Sign of number[b] - bound D; an infinite bound is never reached. */
static int compare(checking *c, int b, double bound)
{
    if (isinf(bound)) {
        return bound > 0.0 ? -1 : 1;
    }
    const int lowest = lowest_exponent(bound, 0);
    crn_integer_copy(&c->room.by, &c->s, &c->number[b]);
    crn_integer_shift(&c->room.by, &c->s, -lowest);
    add_product(&c->room, &c->s, -bound, &c->number[c->proof->k], lowest);
    return c->s.sign;
}

/* Sign of (M z + q)_i, times D > 0. */
static int sign_of_w(checking *c, int i)
{
    enum { LOWEST = -2200 }; /* of a product of two doubles */
    const crn_proof *proof = c->proof;
    crn_integer_set(&c->room.by, &c->s, 0);
    add_product(&c->room, &c->s, c->problem->q[i], &c->number[proof->k], LOWEST);
    for (int j = 0, b = 0; j < proof->n; ++j) {
        double m = entry_of(c->problem, i, j);
        const bool is_basic = proof->basis[j] == CRN_LCP_BASIC;
        if (is_basic) {
            add_product(&c->room, &c->s, m, &c->number[b], LOWEST);
        } else if (m != 0.0 && proof->z[j] != 0.0) {
            int e;
            crn_integer_set(&c->room.by, &c->room.mantissa, mantissa_of(proof->z[j], &e));
            crn_integer_multiply(&c->room.by, &c->u, &c->number[proof->k], &c->room.mantissa);
            add_product(&c->room, &c->s, m, &c->u, LOWEST - e);
        }
        b += is_basic;
    }
    return c->s.sign;
}

/* Is index i, the b-th basic one if it is basic, complementary? */
static bool index_holds(checking *c, int i, int b)
{
    const crn_proof *proof = c->proof;
    const double l = crn_lower_bound(c->problem, i), u = crn_upper_bound(c->problem, i);
    const int w = sign_of_w(c, i);
    if (proof->basis[i] == CRN_LCP_BASIC) { /* within its bounds, and z is the number rounded */
        const double least = crn_max(l, nextafter(proof->z[i], -INFINITY));
        const double most = crn_min(u, nextafter(proof->z[i], INFINITY));
        return w == 0 && compare(c, b, least) >= 0 && compare(c, b, most) <= 0;
    }
    const bool is_lower = proof->basis[i] == CRN_LCP_AT_LOWER;
    return proof->z[i] == (is_lower ? l : u) && (l == u || (is_lower ? w >= 0 : w <= 0));
}

static bool numbers_hold(checking *c, crn_error *error)
{
    bool holds = true;
    for (int i = 0, b = 0; holds && i < c->proof->n; ++i) {
        holds = index_holds(c, i, b) && !c->room.by.has_failed;
        b += c->proof->basis[i] == CRN_LCP_BASIC;
        if (!holds) {
            (void)crn_fail(error, CRN_OK,
                           c->room.by.has_failed ? "index %d: out of memory" : "index %d is not complementary", i + 1);
        }
    }
    return holds;
}

bool crn_exact_holds(const crn_prover *prover, const crn_proof *proof, crn_error *error)
{
    checking c = {.problem = prover->problem, .proof = proof, .room = {.by = {.allocator = &proof->allocator}}};
    c.number = take_integers(&proof->allocator, (size_t)proof->k + 1);
    bool holds = c.number != NULL;
    for (int b = 0; holds && b <= proof->k; ++b) {
        holds = proof->number[b] != NULL && crn_integer_read(&c.room.by, &c.number[b], proof->number[b]);
    }
    holds = holds && c.number[proof->k].sign > 0;
    if (!holds) {
        (void)crn_fail(error, CRN_OK, "the numbers are no hexadecimal integers, or the denominator is not positive");
    }
    holds = holds && numbers_hold(&c, error);
    free_integers(&c.room.by, c.number, (size_t)proof->k + 1);
    crn_integer_free(&c.room.by, &c.s);
    crn_integer_free(&c.room.by, &c.u);
    free_rooms(&c.room);
    return holds;
}
