/* Products of padded columns with velocity vectors, inlined into the clones that use them. Lengths are multiples of
 * CRN_PAD; sums run in CRN_PAD lanes that are added pairwise at the end, so the bits do not depend on the machine. */
#ifndef CRN_CONTACT_STATES_KERNELS_H
#define CRN_CONTACT_STATES_KERNELS_H

#include "contact/states.h"

#define CRN_PAD 4

/* Four doubles as one value: a gcc and clang extension that both lower to whatever the machine has. Loops over an array of
 * lanes say the same, but gcc makes five times the instructions of them. */
typedef double crn_lanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long crn_mask __attribute__((vector_size(32))); /* of comparisons: -1 where true */

/* Macros, because a vector that is passed or returned would depend on the machine's calling convention. */
#define CRN_LOAD(x)  (*(const crn_lanes *)(x))
#define CRN_STORE(x) (*(crn_lanes *)(x))

#define CRN_FOLD(s) (((s)[0] + (s)[2]) + ((s)[1] + (s)[3]))

/* x'v for one column. */
static inline double crn_dot_padded(int length, const double *x, const double *v)
{
    crn_lanes s = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < length; i += CRN_PAD) {
        s += CRN_LOAD(x + i) * CRN_LOAD(v + i);
    }
    return CRN_FOLD(s);
}

/* Loop over the lanes of one piece. A free rigid body has two steps: told the compiler, they cost no loop. */
#define CRN_PIECE_LOOP(length, step)                      \
    do {                                                  \
        if ((length) == 2 * CRN_PAD) {                    \
            step(0) step(CRN_PAD)                         \
        } else {                                          \
            for (int i = 0; i < (length); i += CRN_PAD) { \
                step(i)                                   \
            }                                             \
        }                                                 \
    } while (0)

/* Normal velocity of a contact: over all pieces of its columns. */
static inline double crn_touch_dot_normal(const crn_touch *touch, const double *v)
{
    crn_lanes s = {0.0, 0.0, 0.0, 0.0};
    for (int p = 0; p < touch->pieces; ++p) {
        const double *x = touch->piece[p].x, *w = v + touch->piece[p].first;
#define STEP(i) s += CRN_LOAD(x + (i)) * CRN_LOAD(w + (i));
        CRN_PIECE_LOOP(touch->piece[p].length, STEP);
#undef STEP
    }
    return CRN_FOLD(s);
}

/* h = X'v; without friction only the normal matters, the rest is 0. */
static inline void crn_touch_dot(const crn_touch *touch, const double *v, double *h)
{
    crn_lanes s0 = {0.0, 0.0, 0.0, 0.0}, s1 = s0, s2 = s0;
    if (touch->d == 0) {
        h[0] = crn_touch_dot_normal(touch, v);
        h[1] = h[2] = 0.0;
        return;
    }
    for (int p = 0; p < touch->pieces; ++p) {
        const int length = touch->piece[p].length;
        const double *x = touch->piece[p].x, *t1 = x + length, *t2 = t1 + length, *w = v + touch->piece[p].first;
#define STEP(i)                          \
    {                                    \
        crn_lanes c = CRN_LOAD(w + (i)); \
        s0 += CRN_LOAD(x + (i)) * c;     \
        s1 += CRN_LOAD(t1 + (i)) * c;    \
        s2 += CRN_LOAD(t2 + (i)) * c;    \
    }
        CRN_PIECE_LOOP(length, STEP);
#undef STEP
    }
    h[0] = CRN_FOLD(s0);
    h[1] = CRN_FOLD(s1);
    h[2] = CRN_FOLD(s2);
}

/* v += X p */
static inline void crn_touch_add(const crn_touch *touch, const double *impulse, double *v)
{
    const double p0 = impulse[0], p1 = impulse[1], p2 = impulse[2];
    for (int p = 0; p < touch->pieces; ++p) {
        const int length = touch->piece[p].length;
        const double *x = touch->piece[p].x, *t1 = x + length, *t2 = t1 + length;
        double *to = v + touch->piece[p].first;
        if (touch->d > 0) {
#define STEP(i) CRN_STORE(to + (i)) += (p0 * CRN_LOAD(x + (i)) + p1 * CRN_LOAD(t1 + (i))) + p2 * CRN_LOAD(t2 + (i));
            CRN_PIECE_LOOP(length, STEP);
#undef STEP
        } else {
#define STEP(i) CRN_STORE(to + (i)) += p0 * CRN_LOAD(x + (i));
            CRN_PIECE_LOOP(length, STEP);
#undef STEP
        }
    }
}

#endif
