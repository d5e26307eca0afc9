/* Products of padded columns with velocity vectors, inlined into the clones that use them. Lengths are multiples of
 * CRN_PAD; sums run in CRN_PAD lanes that are added pairwise at the end, so the bits do not depend on the machine. */
#ifndef CRN_CONTACT_STATES_KERNELS_H
#define CRN_CONTACT_STATES_KERNELS_H

#include "contact/states.h"

#define CRN_PAD 4

/* Four doubles as one value: a gcc and clang extension that both lower to whatever the machine has. Loops over an array of
 * lanes say the same, but gcc makes five times the instructions of them. */
typedef double crn_lanes __attribute__((vector_size(32), aligned(8), may_alias));

/* Macros, because a vector that is passed or returned would depend on the machine's calling convention. */
#define CRN_LOAD(x)  (*(const crn_lanes *)(x))
#define CRN_STORE(x) (*(crn_lanes *)(x))

#define CRN_FOLD(s) (((s)[0] + (s)[2]) + ((s)[1] + (s)[3]))

static inline double crn_dot_padded(int length, const double *x, const double *v)
{
    crn_lanes s = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < length; i += CRN_PAD) {
        s += CRN_LOAD(x + i) * CRN_LOAD(v + i);
    }
    return CRN_FOLD(s);
}

/* h_j += x_j'v for three columns x_j of that length. */
static inline void crn_dot_three(int length, const double *x, const double *v, double *h)
{
    crn_lanes s0 = {0.0, 0.0, 0.0, 0.0}, s1 = s0, s2 = s0;
    for (int i = 0; i < length; i += CRN_PAD) {
        crn_lanes w = CRN_LOAD(v + i);
        s0 += CRN_LOAD(x + i) * w;
        s1 += CRN_LOAD(x + length + i) * w;
        s2 += CRN_LOAD(x + 2 * length + i) * w;
    }
    h[0] += CRN_FOLD(s0);
    h[1] += CRN_FOLD(s1);
    h[2] += CRN_FOLD(s2);
}

/* v += x_0 p_0 + x_1 p_1 + x_2 p_2 */
static inline void crn_add_three(int length, const double *x, const double *p, double *v)
{
    const double p0 = p[0], p1 = p[1], p2 = p[2];
    for (int i = 0; i < length; i += CRN_PAD) {
        CRN_STORE(v + i) += (p0 * CRN_LOAD(x + i) + p1 * CRN_LOAD(x + length + i)) + p2 * CRN_LOAD(x + 2 * length + i);
    }
}

/* Normal velocity alone. */
static inline double crn_touch_dot_normal(const crn_touch *touch, const double *v)
{
    double sum = 0.0;
    for (int p = 0; p < touch->pieces; ++p) {
        sum += crn_dot_padded(touch->piece[p].length, touch->piece[p].x, v + touch->piece[p].first);
    }
    return sum;
}

/* h = X'v over all pieces of a contact; without friction only the normal matters, the rest is 0. */
static inline void crn_touch_dot(const crn_touch *touch, const double *v, double *h)
{
    h[0] = h[1] = h[2] = 0.0;
    if (touch->d == 0) {
        h[0] = crn_touch_dot_normal(touch, v);
        return;
    }
    for (int p = 0; p < touch->pieces; ++p) {
        crn_dot_three(touch->piece[p].length, touch->piece[p].x, v + touch->piece[p].first, h);
    }
}

/* v += X p */
static inline void crn_touch_add(const crn_touch *touch, const double *impulse, double *v)
{
    for (int p = 0; p < touch->pieces; ++p) {
        const crn_states_piece *piece = &touch->piece[p];
        if (touch->d > 0) {
            crn_add_three(piece->length, piece->x, impulse, v + piece->first);
        } else {
            for (int i = 0; i < piece->length; i += CRN_PAD) {
                CRN_STORE(v + piece->first + i) += impulse[0] * CRN_LOAD(piece->x + i);
            }
        }
    }
}

#endif
