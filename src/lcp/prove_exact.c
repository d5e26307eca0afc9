/* Rational solutions of the basic equations by lifting, and their signs  [D82]. Needs GMP.
 *
 * Doubles are integers times powers of two, so each row of A x = b can be multiplied up to integers. With C the inverse of
 * A modulo a prime p, digits of the p-adic expansion of x come one after another:
 *
 *     r_0 = b,   x_t = C r_t mod p,   r_(t+1) = (r_t - A x_t) / p,   x = sum of x_t p^t  modulo p^m
 *
 * From time to time the fractions are guessed from x mod p^m by Euclid's algorithm; the guess is accepted only when
 * A N = b D holds in integers. The check (crn_exact_holds) knows nothing of this. */
#include "lcp/prove.h"

#include "math/vec.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t PRIMES[] = {2305843009213693951u, 2305843009213693921u, 2305843009213693907u}; /* below 2^61 */
enum { PRIME_COUNT = sizeof PRIMES / sizeof PRIMES[0] };

bool crn_proof_has_exact(void)
{
    return true;
}

/* --- doubles as integers --- */

/* x = mantissa 2^exponent, with an integer mantissa; 0 gives 0. */
static long mantissa_of(double x, int *exponent)
{
    double m = frexp(x, exponent);
    *exponent -= 53;
    return (long)ldexp(m, 53);
}

static int lowest_exponent(double x, int lowest)
{
    int e;
    return x != 0.0 && mantissa_of(x, &e) != 0 && e < lowest ? e : lowest;
}

/* sum += a 2^-lowest b; scratch is overwritten. */
static void add_product(mpz_t sum, double a, const mpz_t b, int lowest, mpz_t scratch)
{
    int e;
    long m = mantissa_of(a, &e);
    if (m != 0) {
        mpz_mul_si(scratch, b, m);
        mpz_mul_2exp(scratch, scratch, (mp_bitcnt_t)(e - lowest));
        mpz_add(sum, sum, scratch);
    }
}

/* --- modular arithmetic --- */

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t p)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b % p);
}

static uint64_t power(uint64_t a, uint64_t e, uint64_t p)
{
    uint64_t result = 1;
    for (; e > 0; e >>= 1, a = multiply(a, a, p)) {
        result = (e & 1) != 0 ? multiply(result, a, p) : result;
    }
    return result;
}

/* C (k x k, row-major) := inverse of itself modulo p, by Gauss and Jordan; false if it is singular. */
static bool invert(int k, uint64_t *C, int *swap, uint64_t p)
{
    for (int c = 0; c < k; ++c) {
        int r = c;
        while (r < k && C[(long)r * k + c] == 0) {
            ++r;
        }
        if (r == k) {
            return false;
        }
        swap[c] = r;
        for (int j = 0; r != c && j < k; ++j) {
            uint64_t t = C[(long)r * k + j];
            C[(long)r * k + j] = C[(long)c * k + j];
            C[(long)c * k + j] = t;
        }
        uint64_t inverse = power(C[(long)c * k + c], p - 2, p);
        C[(long)c * k + c] = 1;
        for (int j = 0; j < k; ++j) {
            C[(long)c * k + j] = multiply(C[(long)c * k + j], inverse, p);
        }
        for (int i = 0; i < k; ++i) {
            uint64_t f = C[(long)i * k + c];
            if (i == c || f == 0) {
                continue;
            }
            C[(long)i * k + c] = 0;
            for (int j = 0; j < k; ++j) {
                uint64_t t = multiply(f, C[(long)c * k + j], p);
                uint64_t *entry = &C[(long)i * k + j];
                *entry = *entry >= t ? *entry - t : *entry + p - t;
            }
        }
    }
    for (int c = k - 1; c >= 0; --c) {
        for (int i = 0; swap[c] != c && i < k; ++i) {
            uint64_t t = C[(long)i * k + c];
            C[(long)i * k + c] = C[(long)i * k + swap[c]];
            C[(long)i * k + swap[c]] = t;
        }
    }
    return true;
}

/* --- lifting --- */

/* The system A x = b in integers, and the expansion of its solution. */
typedef struct lifting {
    int k;
    mpz_t *A, *b, *r, *x; /* k x k (row-major), k, k, k */
    mpz_t *N, D;          /* the guess: x = N / D */
    uint64_t *C, *digit, p;
    int *swap;
    mpz_t modulus, s, t, u, v;
} lifting;

static mpz_t *take_integers(size_t count)
{
    mpz_t *x = malloc((count + 1) * sizeof *x);
    for (size_t i = 0; x != NULL && i < count; ++i) {
        mpz_init(x[i]);
    }
    return x;
}

static void free_integers(mpz_t *x, size_t count)
{
    for (size_t i = 0; x != NULL && i < count; ++i) {
        mpz_clear(x[i]);
    }
    free(x);
}

static bool open_lifting(lifting *l, int k)
{
    const size_t n = (size_t)k;
    *l = (lifting){.k = k};
    l->A = take_integers(n * n);
    l->b = take_integers(n);
    l->r = take_integers(n);
    l->x = take_integers(n);
    l->N = take_integers(n);
    l->C = malloc((n * n + 1) * sizeof *l->C);
    l->digit = malloc((n + 1) * sizeof *l->digit);
    l->swap = malloc((n + 1) * sizeof *l->swap);
    mpz_inits(l->D, l->modulus, l->s, l->t, l->u, l->v, NULL);
    return l->A != NULL && l->b != NULL && l->r != NULL && l->x != NULL && l->N != NULL && l->C != NULL &&
           l->digit != NULL && l->swap != NULL;
}

static void close_lifting(lifting *l)
{
    const size_t n = (size_t)l->k;
    free_integers(l->A, n * n);
    free_integers(l->b, n);
    free_integers(l->r, n);
    free_integers(l->x, n);
    free_integers(l->N, n);
    free(l->C);
    free(l->digit);
    free(l->swap);
    mpz_clears(l->D, l->modulus, l->s, l->t, l->u, l->v, NULL);
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
    mpz_set_si(l->u, 1);
    mpz_set_ui(l->b[a], 0);
    add_product(l->b[a], -p->q[i], l->u, lowest, l->t);
    for (int j = 0, b = 0; j < p->n; ++j) {
        double m = entry_of(p, i, j);
        if (proof->basis[j] == CRN_LCP_BASIC) {
            mpz_set_ui(l->A[(long)a * l->k + b], 0);
            add_product(l->A[(long)a * l->k + b], m, l->u, lowest, l->t);
            ++b;
        } else if (m != 0.0 && proof->z[j] != 0.0) {
            int e;
            mpz_set_si(l->s, mantissa_of(proof->z[j], &e));
            add_product(l->b[a], -m, l->s, lowest - e, l->t);
        }
    }
}

/* C := A^-1 mod p for the first prime for which there is one. */
static bool find_inverse(lifting *l)
{
    for (int t = 0; t < PRIME_COUNT; ++t) {
        l->p = PRIMES[t];
        for (long e = 0; e < (long)l->k * l->k; ++e) {
            l->C[e] = mpz_fdiv_ui(l->A[e], l->p);
        }
        if (invert(l->k, l->C, l->swap, l->p)) {
            return true;
        }
    }
    return false;
}

/* One more digit of every unknown. */
static void lift(lifting *l)
{
    const int k = l->k;
    for (int i = 0; i < k; ++i) { /* residues first: C needs them all */
        l->digit[i] = 0;
    }
    for (int j = 0; j < k; ++j) {
        uint64_t residue = mpz_fdiv_ui(l->r[j], l->p);
        for (int i = 0; residue != 0 && i < k; ++i) {
            uint64_t sum = l->digit[i] + multiply(l->C[(long)i * k + j], residue, l->p);
            l->digit[i] = sum >= l->p ? sum - l->p : sum;
        }
    }
    for (int i = 0; i < k; ++i) {
        for (int j = 0; j < k; ++j) {
            if (l->digit[j] != 0) {
                mpz_submul_ui(l->r[i], l->A[(long)i * k + j], l->digit[j]);
            }
        }
        mpz_divexact_ui(l->r[i], l->r[i], l->p);
        mpz_addmul_ui(l->x[i], l->modulus, l->digit[i]);
    }
    mpz_mul_ui(l->modulus, l->modulus, l->p);
}

/* N / D = x modulo l->modulus with both below half its root: Euclid's algorithm, stopped half way. Into l->s and l->t. */
static void guess_fraction(lifting *l, const mpz_t x)
{
    mpz_t a, b, bound;
    mpz_inits(a, b, bound, NULL);
    mpz_fdiv_q_2exp(bound, l->modulus, 1);
    mpz_sqrt(bound, bound);
    mpz_set(a, l->modulus);
    mpz_set(b, x);
    mpz_set_ui(l->u, 0);
    mpz_set_ui(l->t, 1);
    while (mpz_cmpabs(b, bound) > 0) {
        mpz_fdiv_qr(l->v, a, a, b); /* a = a mod b */
        mpz_swap(a, b);
        mpz_submul(l->u, l->v, l->t);
        mpz_swap(l->u, l->t);
    }
    mpz_set(l->s, b);
    if (mpz_sgn(l->t) < 0) {
        mpz_neg(l->s, l->s);
        mpz_neg(l->t, l->t);
    }
    mpz_clears(a, b, bound, NULL);
}

/* Fractions with a common denominator; each unknown is multiplied by what is known of it first. */
static void guess(lifting *l)
{
    mpz_set_ui(l->D, 1);
    for (int i = 0; i < l->k; ++i) {
        mpz_mul(l->v, l->x[i], l->D);
        mpz_fdiv_r(l->v, l->v, l->modulus);
        mpz_set(l->N[i], l->v);
        guess_fraction(l, l->N[i]);
        mpz_set(l->N[i], l->s);
        if (mpz_cmp_ui(l->t, 1) != 0) { /* the denominator grows, and the numerators before it */
            mpz_mul(l->D, l->D, l->t);
            for (int j = 0; j < i; ++j) {
                mpz_mul(l->N[j], l->N[j], l->t);
            }
        }
    }
}

static bool is_solved(lifting *l)
{
    for (int i = 0; i < l->k; ++i) {
        mpz_mul(l->s, l->b[i], l->D);
        for (int j = 0; j < l->k; ++j) {
            mpz_submul(l->s, l->A[(long)i * l->k + j], l->N[j]);
        }
        if (mpz_sgn(l->s) != 0) {
            return false;
        }
    }
    return mpz_sgn(l->D) > 0;
}

/* Digits that surely suffice: numerators and denominator are determinants, bounded by Hadamard. */
static long digits_most(const lifting *l)
{
    size_t bits = 0;
    for (int i = 0; i < l->k; ++i) {
        size_t row = mpz_sizeinbase(l->b[i], 2);
        for (int j = 0; j < l->k; ++j) {
            size_t entry = mpz_sizeinbase(l->A[(long)i * l->k + j], 2);
            row = entry > row ? entry : row;
        }
        bits += row + 32;
    }
    return (long)(2 * bits / 60) + 4;
}

static bool solve(lifting *l)
{
    if (!find_inverse(l)) {
        return false;
    }
    mpz_set_ui(l->modulus, 1);
    for (int i = 0; i < l->k; ++i) {
        mpz_set(l->r[i], l->b[i]);
        mpz_set_ui(l->x[i], 0);
    }
    const long most = digits_most(l);
    long next = 4;
    for (long t = 1; t <= most; ++t) {
        lift(l);
        if (t < next && t < most) {
            continue;
        }
        guess(l);
        if (is_solved(l)) {
            return true;
        }
        next = next + next / 2;
    }
    return false;
}

/* --- proofs --- */

static char *to_text(const crn_allocator *allocator, const mpz_t x)
{
    char *text = crn_allocate(allocator, mpz_sizeinbase(x, 16) + 2, 1);
    return text != NULL ? mpz_get_str(text, 16, x) : NULL;
}

bool crn_exact_solve(const crn_prover *prover, crn_proof *proof)
{
    lifting l;
    bool is_good = open_lifting(&l, prover->k);
    for (int a = 0; is_good && a < prover->k; ++a) {
        fill_row(&l, prover, proof, a);
    }
    is_good = is_good && solve(&l);
    for (int b = 0; is_good && b <= prover->k; ++b) {
        if (b < prover->k) {
            mpq_t z; /* rounded, for people */
            mpq_init(z);
            mpz_set(mpq_numref(z), l.N[b]);
            mpz_set(mpq_denref(z), l.D);
            mpq_canonicalize(z);
            proof->z[prover->index[b]] = mpq_get_d(z);
            mpq_clear(z);
            proof->number[b] = to_text(&proof->allocator, l.N[b]);
        } else {
            proof->number[b] = to_text(&proof->allocator, l.D);
        }
        is_good = proof->number[b] != NULL;
    }
    close_lifting(&l);
    return is_good;
}

/* Sign of N - bound D; an infinite bound is never reached. */
static int compare(const mpz_t N, double bound, const mpz_t D, mpz_t s, mpz_t t)
{
    if (isinf(bound)) {
        return bound > 0.0 ? -1 : 1;
    }
    const int lowest = lowest_exponent(bound, 0);
    mpz_mul_2exp(s, N, (mp_bitcnt_t)(-lowest));
    add_product(s, -bound, D, lowest, t);
    return mpz_sgn(s);
}

/* Sign of (M z + q)_i, times D > 0. */
static int sign_of_w(const crn_lcp_problem *p, const crn_proof *proof, mpz_t *number, int i, mpz_t s, mpz_t t, mpz_t u)
{
    enum { LOWEST = -2200 }; /* of a product of two doubles */
    mpz_set_ui(s, 0);
    add_product(s, p->q[i], number[proof->k], LOWEST, t);
    for (int j = 0, b = 0; j < p->n; ++j) {
        double m = entry_of(p, i, j);
        const bool is_basic = proof->basis[j] == CRN_LCP_BASIC;
        if (is_basic) {
            add_product(s, m, number[b], LOWEST, t);
        } else if (m != 0.0 && proof->z[j] != 0.0) {
            int e;
            mpz_mul_si(u, number[proof->k], mantissa_of(proof->z[j], &e));
            add_product(s, m, u, LOWEST - e, t);
        }
        b += is_basic;
    }
    return mpz_sgn(s);
}

static bool index_holds(const crn_lcp_problem *p, const crn_proof *proof, mpz_t *number, int i, int b, mpz_t *room)
{
    const double l = crn_lower_bound(p, i), u = crn_upper_bound(p, i);
    const int w = sign_of_w(p, proof, number, i, room[0], room[1], room[2]);
    if (proof->basis[i] == CRN_LCP_BASIC) { /* within its bounds, and z is the number rounded */
        const double least = crn_max(l, nextafter(proof->z[i], -INFINITY));
        const double most = crn_min(u, nextafter(proof->z[i], INFINITY));
        return w == 0 && compare(number[b], least, number[proof->k], room[0], room[1]) >= 0 &&
               compare(number[b], most, number[proof->k], room[0], room[1]) <= 0;
    }
    const bool is_lower = proof->basis[i] == CRN_LCP_AT_LOWER;
    return proof->z[i] == (is_lower ? l : u) && (l == u || (is_lower ? w >= 0 : w <= 0));
}

bool crn_exact_holds(const crn_prover *prover, const crn_proof *proof, crn_error *error)
{
    mpz_t *number = take_integers((size_t)proof->k + 1), *room = take_integers(3);
    bool holds = number != NULL && room != NULL;
    for (int b = 0; holds && b <= proof->k; ++b) {
        holds = proof->number[b] != NULL && mpz_set_str(number[b], proof->number[b], 16) == 0;
    }
    holds = holds && mpz_sgn(number[proof->k]) > 0;
    if (!holds) {
        (void)crn_fail(error, CRN_OK, "the numbers are no hexadecimal integers, or the denominator is not positive");
    }
    for (int i = 0, b = 0; holds && i < proof->n; ++i) {
        holds = index_holds(prover->problem, proof, number, i, b, room);
        b += proof->basis[i] == CRN_LCP_BASIC;
        if (!holds) {
            (void)crn_fail(error, CRN_OK, "index %d is not complementary", i + 1);
        }
    }
    free_integers(number, (size_t)proof->k + 1);
    free_integers(room, 3);
    return holds;
}
