/* Which triangle is seen at each sample: edge functions and a depth per sample.
 *
 * The edge function of p -> q is E(x, y) = (p.y - q.y) x + (q.x - p.x) y + (p.x q.y - q.x p.y); swapping p and q negates each
 * operation exactly, so two triangles that share an edge leave no gap. Inside: all three have the sign of the area. What is
 * linear on the screen, as `near` is, is a plane over it. */
#include "draw_raster.h"

#include <stdlib.h>

const double draw_sample_x[DRAW_SAMPLES_MAX] = {0.5625, 0.4375, 0.8125, 0.3125, 0.1875, 0.0625, 0.6875, 0.9375};
const double draw_sample_y[DRAW_SAMPLES_MAX] = {0.3125, 0.6875, 0.5625, 0.1875, 0.8125, 0.4375, 0.9375, 0.0625};

/* What is drawn on top lies this much nearer than anything else, whose near is at most 1. */
static const double on_top = 2.0;

static draw_slope edge_of(const draw_vertex *p, const draw_vertex *q, double sign)
{
    return (draw_slope){sign * (p->y - q->y), sign * (q->x - p->x), sign * (p->x * q->y - q->x * p->y)};
}

/* --- Preparing --- */

/* Pixels that the corners span; false: none of the picture. */
static bool find_bounds(const draw_vertex *a, const draw_vertex *b, const draw_vertex *c, int width, int height,
                        draw_ready *r)
{
    double x_low = lesser(a->x, lesser(b->x, c->x)), x_high = greater(a->x, greater(b->x, c->x));
    double y_low = lesser(a->y, lesser(b->y, c->y)), y_high = greater(a->y, greater(b->y, c->y));
    if (!(x_high >= 0.0 && x_low < width && y_high >= 0.0 && y_low < height)) {
        return false;
    }
    r->x_low = (int)greater(x_low, 0.0);
    r->x_high = (int)lesser(x_high, width - 1);
    r->y_low = (int)greater(y_low, 0.0);
    r->y_high = (int)lesser(y_high, height - 1);
    return true;
}

static bool prepare(const draw_list *list, int which, const draw_paint *paint, int width, int height, draw_ready *r)
{
    const int *corner = list->triangle[which].corner;
    const draw_vertex *a = &list->vertex[corner[0]], *b = &list->vertex[corner[1]], *c = &list->vertex[corner[2]];
    /* y points down, so what faces us has a negative area. */
    double area = (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y);
    bool is_seen = area < 0.0 || (area > 0.0 && paint->is_two_sided);
    if (!is_seen || !find_bounds(a, b, c, width, height, r)) {
        return false;
    }
    double sign = area > 0.0 ? 1.0 : -1.0, share = sign / area;
    draw_slope *e = r->slope;
    e[0] = edge_of(b, c, sign);
    e[1] = edge_of(c, a, sign);
    e[2] = edge_of(a, b, sign);
    e[3].a = share * (a->near * e[0].a + b->near * e[1].a + c->near * e[2].a);
    e[3].b = share * (a->near * e[0].b + b->near * e[1].b + c->near * e[2].b);
    e[3].c = share * (a->near * e[0].c + b->near * e[1].c + c->near * e[2].c) + (paint->is_on_top ? on_top : 0.0);
    r->which = which;
    return true;
}

bool draw_raster_prepare(draw_raster *raster, const draw_list *list, const draw_paint *paints, int width, int height,
                         bool is_for_shadow)
{
    raster->count = 0;
    if (list->triangles > raster->room) {
        draw_ready *grown = realloc(raster->ready, (size_t)list->triangle_room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        raster->ready = grown;
        raster->room = list->triangle_room;
    }
    for (int i = 0; i < list->triangles; ++i) {
        const draw_paint *paint = &paints[list->triangle[i].paint];
        if (!(is_for_shadow && paint->is_on_top)) {
            raster->count += prepare(list, i, paint, width, height, &raster->ready[raster->count]);
        }
    }
    return true;
}

void draw_raster_free(draw_raster *raster)
{
    free(raster->ready);
    *raster = (draw_raster){NULL, 0, 0};
}

/* --- Filling --- */

/* What a triangle's slopes differ by between the corner of a pixel and its samples, and bounds of it. */
typedef struct offsets {
    double at[4][DRAW_SAMPLES_MAX], least[3], most[3];
} offsets;

static inline void find_offsets(const draw_ready *r, int samples, offsets *o)
{
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < samples; ++i) {
            double x = samples == 1 ? 0.5 : draw_sample_x[i], y = samples == 1 ? 0.5 : draw_sample_y[i];
            o->at[k][i] = r->slope[k].a * x + r->slope[k].b * y;
        }
    }
    for (int k = 0; k < 3; ++k) { /* no sample is farther from the middle than half a pixel each way */
        double a = 0.5 * r->slope[k].a, b = 0.5 * r->slope[k].b, reach = samples == 1 ? 0.0 : fabs(a) + fabs(b);
        o->least[k] = a + b - reach;
        o->most[k] = a + b + reach;
    }
}

/* Narrow a row to the pixels where the edge may be positive; row: its value at x = 0 at the best sample of the row. */
static void narrow(double a, double row, int *low, int *high)
{
    if (a > 0.0) {
        double from = -row / a - 1.0;
        *low = from > *low ? (from < *high ? (int)from : *high + 1) : *low;
    } else if (a < 0.0) {
        double until = -row / a + 1.0;
        *high = until < *high ? (until > *low ? (int)until : *low - 1) : *high;
    } else if (row < 0.0) {
        *high = *low - 1;
    }
}

/* Test and write the samples of one pixel; value: of the slopes at its corner. Without branches, so that several samples
 * are done at once. */
static inline void fill_pixel(const draw_ready *r, const double value[4], const offsets *o, int samples,
                              draw_band *band, size_t at)
{
    float *near = band->near + at;
    int32_t hit[DRAW_SAMPLES_MAX];
    for (int i = 0; i < samples; ++i) {
        float here = (float)(value[3] + o->at[3][i]);
        bool is_inside = (value[0] + o->at[0][i] >= 0.0) & (value[1] + o->at[1][i] >= 0.0) &
                         (value[2] + o->at[2][i] >= 0.0) & (here > near[i]);
        hit[i] = is_inside;
        near[i] = is_inside ? here : near[i];
    }
    if (band->which != NULL) {
        int32_t *which = band->which + at;
        for (int i = 0; i < samples; ++i) {
            which[i] = hit[i] != 0 ? r->which : which[i];
        }
    }
}

/* The same where all samples are inside. */
static inline void fill_whole_pixel(const draw_ready *r, double value, const double *offset, int samples,
                                    draw_band *band, size_t at)
{
    for (int i = 0; i < samples; ++i) {
        float here = (float)(value + offset[i]);
        bool is_nearer = here > band->near[at + (size_t)i];
        band->near[at + (size_t)i] = is_nearer ? here : band->near[at + (size_t)i];
        if (band->which != NULL) {
            int32_t *which = &band->which[at + (size_t)i];
            *which = is_nearer ? r->which : *which;
        }
    }
}

/* samples is band->samples: a constant of each caller, so that loops over it unroll. */
static inline void fill_triangle(const draw_ready *r, int samples, draw_band *band)
{
    int top = r->y_low > band->top ? r->y_low : band->top, end = band->top + band->height - 1;
    int bottom = r->y_high < end ? r->y_high : end;
    offsets o;
    find_offsets(r, samples, &o);
    for (int y = top; y <= bottom; ++y) {
        int low = r->x_low, high = r->x_high;
        double row[4];
        for (int k = 0; k < 4; ++k) {
            row[k] = r->slope[k].b * y + r->slope[k].c;
            if (k < 3) {
                narrow(r->slope[k].a, row[k] + o.most[k], &low, &high);
            }
        }
        size_t start = (size_t)(y - band->top) * (size_t)band->width;
        for (int x = low; x <= high; ++x) {
            double value[4];
            bool is_out = false, is_whole = true;
            for (int k = 0; k < 4; ++k) {
                value[k] = r->slope[k].a * x + row[k];
            }
            for (int k = 0; k < 3; ++k) {
                is_out |= value[k] + o.most[k] < 0.0;
                is_whole &= value[k] + o.least[k] >= 0.0;
            }
            size_t at = (start + (size_t)x) * (size_t)samples;
            if (is_whole) {
                fill_whole_pixel(r, value[3], o.at[3], samples, band, at);
            } else if (!is_out) {
                fill_pixel(r, value, &o, samples, band, at);
            }
        }
    }
}

void draw_raster_fill(const draw_raster *raster, draw_band *band)
{
    for (int i = 0; i < raster->count; ++i) {
        const draw_ready *r = &raster->ready[i];
        if (r->y_high >= band->top && r->y_low < band->top + band->height) {
            if (band->samples == 1) {
                fill_triangle(r, 1, band);
            } else {
                fill_triangle(r, DRAW_SAMPLES_MAX, band);
            }
        }
    }
}

void draw_weights(const draw_list *list, int triangle, double x, double y, double weight[3])
{
    const int *corner = list->triangle[triangle].corner;
    const draw_vertex *v[3] = {&list->vertex[corner[0]], &list->vertex[corner[1]], &list->vertex[corner[2]]};
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        draw_slope e = edge_of(v[(i + 1) % 3], v[(i + 2) % 3], 1.0);
        weight[i] = (e.a * x + e.b * y + e.c) * v[i]->near;
        sum += weight[i];
    }
    for (int i = 0; i < 3; ++i) {
        weight[i] = sum != 0.0 ? weight[i] / sum : 1.0 / 3.0;
    }
}
