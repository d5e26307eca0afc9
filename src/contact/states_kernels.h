/* Products of padded columns with velocity vectors, inlined into the clones that use them. Lengths are multiples of
 * CRN_PAD; sums run in CRN_PAD lanes that are added pairwise at the end, so the bits do not depend on the machine. */
#ifndef CRN_CONTACT_STATES_KERNELS_H
#define CRN_CONTACT_STATES_KERNELS_H

#include "contact/states.h"

#define CRN_PAD 4

static inline double crn_fold(const double *s)
{
    return (s[0] + s[2]) + (s[1] + s[3]);
}

static inline double crn_dot_padded(int length, const double *restrict x, const double *restrict v)
{
    double s[CRN_PAD] = {0};
    for (int i = 0; i < length; i += CRN_PAD) {
        for (int l = 0; l < CRN_PAD; ++l) {
            s[l] += x[i + l] * v[i + l];
        }
    }
    return crn_fold(s);
}

/* h_j += x_j'v for three columns x_j of that length. */
static inline void crn_dot_three(int length, const double *restrict x, const double *restrict v, double *h)
{
    double s[3][CRN_PAD] = {{0}};
    for (int i = 0; i < length; i += CRN_PAD) {
        for (int l = 0; l < CRN_PAD; ++l) {
            s[0][l] += x[i + l] * v[i + l];
            s[1][l] += x[length + i + l] * v[i + l];
            s[2][l] += x[2 * length + i + l] * v[i + l];
        }
    }
    for (int j = 0; j < 3; ++j) {
        h[j] += crn_fold(s[j]);
    }
}

/* v += x_0 p_0 + x_1 p_1 + x_2 p_2 */
static inline void crn_add_three(int length, const double *restrict x, const double *p, double *restrict v)
{
    const double p0 = p[0], p1 = p[1], p2 = p[2];
    for (int i = 0; i < length; ++i) {
        v[i] += (p0 * x[i] + p1 * x[length + i]) + p2 * x[2 * length + i];
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
static inline void crn_touch_add(const crn_touch *touch, const double *impulse, double *restrict v)
{
    for (int p = 0; p < touch->pieces; ++p) {
        const crn_states_piece *piece = &touch->piece[p];
        if (touch->d > 0) {
            crn_add_three(piece->length, piece->x, impulse, v + piece->first);
        } else {
            const double p0 = impulse[0], *restrict x = piece->x;
            double *restrict to = v + piece->first;
            for (int i = 0; i < piece->length; ++i) {
                to[i] += p0 * x[i];
            }
        }
    }
}

#endif
