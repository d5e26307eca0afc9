/* Block rows of the local friction problem: scaling, products, error. */
#include "contact/cone_blocks.h"

#include "contact/cone_law.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>

double crn_cone_speed(int d, int contacts, const double *q)
{
    double closing = 0.0, largest = 0.0;
    for (int i = 0; i < contacts; ++i) {
        const double *qi = q + d * i;
        closing = crn_max(closing, -qi[0]);
        largest = crn_max(largest, crn_hypot(qi[0], crn_cone_tangent(d, qi)));
    }
    const double speed = crn_max(closing, CRN_CONE_SLIP_SHARE * largest);
    return speed > 0.0 ? speed : 1.0;
}

double crn_cone_size(int n, const double *x)
{
    const double largest = crn_max_abs(n, x);
    if (!(largest > 0.0)) {
        return 1.0;
    }
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += (x[i] / largest) * (x[i] / largest);
    }
    return largest * sqrt(sum);
}

void crn_cone_mend_masses(int contacts, double *delta)
{
    double sum = 0.0;
    int counted = 0;
    for (int i = 0; i < contacts; ++i) {
        if (delta[i] > 0.0) {
            sum += delta[i];
            ++counted;
        }
    }
    const double mean = counted > 0 ? sum / counted : 1.0;
    for (int i = 0; i < contacts; ++i) {
        delta[i] = delta[i] > 0.0 ? delta[i] : mean;
    }
}

void crn_cone_blocks_layout(crn_cone_blocks *W, int d, int contacts, int blocks, crn_arena *arena)
{
    *W = (crn_cone_blocks){.d = d, .contacts = contacts, .n = d * contacts};
    W->start = CRN_TAKE(arena, int, contacts + 1);
    W->column = CRN_TAKE(arena, int, blocks);
    W->diagonal = CRN_TAKE(arena, int, contacts);
    W->block = CRN_TAKE_MATRIX(arena, double, blocks, (d * d));
    W->q = CRN_TAKE(arena, double, W->n);
    W->s = CRN_TAKE(arena, double, contacts);
}

void crn_cone_blocks_finish(crn_cone_blocks *W, double *delta)
{
    const int d = W->d, dd = d * d;
    W->speed = crn_cone_speed(d, W->contacts, W->q);
    W->q_norm = crn_cone_size(W->n, W->q);
    for (int i = 0; i < W->contacts; ++i) {
        int e = W->start[i];
        while (W->column[e] != i) {
            ++e;
        }
        W->diagonal[i] = e;
        delta[i] = 0.0;
        for (int k = 0; k < d; ++k) {
            delta[i] += W->block[(size_t)dd * (size_t)e + (size_t)(k + k * d)] / d;
        }
    }
    crn_cone_mend_masses(W->contacts, delta);
    for (int i = 0; i < W->contacts; ++i) {
        W->s[i] = 1.0 / sqrt(delta[i]);
    }
    for (int i = 0; i < W->contacts; ++i) {
        for (int e = W->start[i]; e < W->start[i + 1]; ++e) {
            crn_scal(dd, W->s[i] * W->s[W->column[e]], W->block + (size_t)dd * (size_t)e);
        }
        crn_scal(d, W->s[i] / W->speed, W->q + d * i);
    }
}

static void row2(const crn_cone_blocks *W, int i, const double *x, double *y)
{
    double y0 = 0.0, y1 = 0.0;
    for (int e = W->start[i]; e < W->start[i + 1]; ++e) {
        const double *b = W->block + 4 * (size_t)e, *xj = x + 2 * W->column[e];
        y0 += b[0] * xj[0] + b[2] * xj[1];
        y1 += b[1] * xj[0] + b[3] * xj[1];
    }
    y[0] = y0;
    y[1] = y1;
}

static void row3(const crn_cone_blocks *W, int i, const double *x, double *y)
{
    double y0 = 0.0, y1 = 0.0, y2 = 0.0;
    for (int e = W->start[i]; e < W->start[i + 1]; ++e) {
        const double *b = W->block + 9 * (size_t)e, *xj = x + 3 * W->column[e];
        y0 += b[0] * xj[0] + b[3] * xj[1] + b[6] * xj[2];
        y1 += b[1] * xj[0] + b[4] * xj[1] + b[7] * xj[2];
        y2 += b[2] * xj[0] + b[5] * xj[1] + b[8] * xj[2];
    }
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
}

void crn_cone_blocks_row(const crn_cone_blocks *W, int i, const double *x, double *y)
{
    if (W->d == 2) {
        row2(W, i, x, y);
    } else {
        row3(W, i, x, y);
    }
}

void crn_cone_blocks_product(const crn_cone_blocks *W, const double *x, double *y)
{
    for (int i = 0; i < W->contacts; ++i) {
        crn_cone_blocks_row(W, i, x, y + W->d * i);
    }
}

crn_cone_error crn_cone_blocks_error(const crn_cone_blocks *W, const double *r, const double *u)
{
    const int d = W->d;
    double largest = 0.0, sum = 0.0, scaled = 0.0;
    for (int i = 0; i < W->contacts; ++i) {
        const double *ri = r + d * i;
        largest = crn_max(largest, W->s[i] * crn_hypot(ri[0], crn_cone_tangent(d, ri)));
    }
    for (int i = 0; i < W->contacts; ++i) {
        const double *ri = r + d * i, *ui = u + d * i;
        const double s = W->s[i], mu = W->mu[i];
        double e[CRN_CONE_DIM], rp[CRN_CONE_DIM], up[CRN_CONE_DIM];
        /* as an impulse over the largest impulse, and as a velocity over U; in units of U */
        const double size = crn_cone_natural_map(d, mu, 1.0, ri, ui, e);
        scaled = crn_max(scaled, crn_max(size / s, s * size / crn_max(largest, s * s)));
        for (int k = 0; k < d; ++k) {
            rp[k] = s * ri[k];
            up[k] = ui[k] / s;
        }
        const double plain = crn_cone_natural_map(d, mu, 1.0, rp, up, e);
        sum += plain * plain;
    }
    crn_cone_error error = {W->speed * sqrt(sum) / W->q_norm, scaled, 0.0};
    error.worst = error.plain > error.scaled ? error.plain : error.scaled;
    if (isnan(error.plain) || isnan(error.scaled)) {
        error.plain = error.scaled = error.worst = INFINITY;
    }
    return error;
}
