/* Which triangle is seen at each sample of a picture. */
#ifndef CAIRN_CLI_DRAW_RASTER_H
#define CAIRN_CLI_DRAW_RASTER_H

#include "draw_list.h"

#include <stdint.h>

enum { DRAW_SAMPLES_MAX = 8, DRAW_NOTHING = -1 };

/* Rows top .. top + height - 1 of a picture, `samples` in each pixel: 1 in the middle, or 8 spread so that no two share a
 * row or a column, which makes nearly level and nearly upright edges smooth. */
typedef struct draw_band {
    int width, height, top;
    int samples;
    float *near;    /* of what is seen; 0: nothing */
    int32_t *which; /* triangle, DRAW_NOTHING, or what the caller put there; NULL: not wanted */
} draw_band;

/* Where the samples lie in a pixel, from its corner. */
extern const double draw_sample_x[DRAW_SAMPLES_MAX], draw_sample_y[DRAW_SAMPLES_MAX];

/* a x + b y + c on the screen */
typedef struct draw_slope {
    double a, b, c;
} draw_slope;

/* A triangle ready to be drawn: three edges, positive inside, and near. */
typedef struct draw_ready {
    draw_slope slope[4];
    int x_low, x_high, y_low, y_high; /* pixels, inclusive */
    int which;
} draw_ready;

/* The triangles of a list that may be seen on a picture. Keeps its memory. */
typedef struct draw_raster {
    draw_ready *ready;
    int count, room;
} draw_raster;

/* Find those that face us on a picture of this size. What is drawn on top is left out for shadows. False: no memory. */
bool draw_raster_prepare(draw_raster *raster, const draw_list *list, const draw_paint *paints, int width, int height,
                         bool is_for_shadow);
void draw_raster_free(draw_raster *raster);

/* Draw them into a band of that picture. */
void draw_raster_fill(const draw_raster *raster, draw_band *band);

/* Weights of the corners of a triangle at a place on the screen, corrected for perspective; they sum to 1. */
void draw_weights(const draw_list *list, int triangle, double x, double y, double weight[3]);

#endif
