/* Function clones per instruction set.
 *
 * A function marked CRN_CLONES is compiled twice, for the baseline and for AVX2, and the loader picks. Both give the
 * same bits: contraction to fused multiply-add is off (and FMA is not enabled in the clone), elementwise loops do not
 * depend on the vector width, and sums run in CRN_LANES explicit partial sums whose order is written down. */
#ifndef CRN_MATH_SIMD_H
#define CRN_MATH_SIMD_H

/* Partial sums of a dot product: eight doubles are one 64-byte line, two AVX2 or four SSE2 registers. */
#define CRN_LANES 8

/* gcc only: clang 14 defines the clones but not the name that other files call. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CRN_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CRN_CLONES
#endif

#endif
