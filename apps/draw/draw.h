/* Pictures of recordings, without a browser and without graphics hardware. The same recording and options give the same
 * bits every time.
 *
 * A picture for a card:
 *
 *     draw_options options = draw_options_default();
 *     options.width = 480, options.height = 300;
 *     draw_bytes png;
 *     if (draw_card("out/hoist.crn", &options, &png, &error) == CRN_OK) {
 *         ... png.data, png.size ...
 *         free(png.data);
 *     }
 *
 * Many pictures:
 *
 *     draw_film *film;
 *     draw_open("out/hoist.crn", &options, &film, &error);
 *     for (int i = 0; i < draw_frames(film, fps); ++i) {
 *         const unsigned char *rgb;
 *         draw_at(film, draw_begin_of(film) + i / fps, &rgb, &error);
 *     }
 *     draw_close(film);
 *
 * The camera stands still and sees all that the bodies do during the recording (planes apart); planar motions are seen from
 * the front, x to the right and y up. The sun stands to the left of the camera, so that shadows fall to the right. */
#ifndef CAIRN_CLI_DRAW_H
#define CAIRN_CLI_DRAW_H

#include "draw_png.h"

#include <cairn/io.h>

enum { DRAW_SIZE_LEAST = 16, DRAW_SIZE_MOST = 8192 };

typedef struct draw_options {
    int width, height;  /* [pixels], DRAW_SIZE_LEAST .. DRAW_SIZE_MOST */
    bool is_dark;       /* dark backdrop */
    bool has_forces;    /* contact forces as arrows, drawn over everything */
    const char *follow; /* name or index of a body that the camera goes along with; NULL: it stands still */
    bool is_still; /* for one picture at draw_best_of(): the camera looks at that moment, not at the whole motion */
} draw_options;

draw_options draw_options_default(void); /* 960 x 600, light */

typedef struct draw_film draw_film;

/* Open a recording and find the camera. Fails if it has no frames or its scene cannot be read; the message names the file. */
crn_status draw_open(const char *path, const draw_options *options, draw_film **film, crn_error *error);
void draw_close(draw_film *film); /* NULL is fine */

/* Times of the first and the last frame [s]. */
double draw_begin_of(const draw_film *film);
double draw_end_of(const draw_film *film);

/* A moment that is worth a picture: the last one with half of the greatest kinetic energy. */
double draw_best_of(const draw_film *film);

/* How many pictures a film at this rate has: one at the beginning, then every 1/fps seconds up to the end. */
int draw_frames(const draw_film *film, double fps);

/* The picture at a time [s]; between frames bodies move straight from one to the next, before the first and behind the last
 * they stand still. rgb: rows from the top, 3 bytes per pixel; valid until the next picture. */
crn_status draw_at(draw_film *film, double time, const unsigned char **rgb, crn_error *error);

/* The same as PNG in memory; release with free(png->data). */
crn_status draw_png_at(draw_film *film, double time, draw_bytes *png, crn_error *error);

/* Open, still picture at draw_best_of(), close. */
crn_status draw_card(const char *path, const draw_options *options, draw_bytes *png, crn_error *error);

#endif
