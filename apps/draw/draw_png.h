/* Pictures as PNG: 8 bits per channel, RGB, no alpha. */
#ifndef CAIRN_CLI_DRAW_PNG_H
#define CAIRN_CLI_DRAW_PNG_H

#include <cairn/base.h>

/* Bytes that belong to whoever holds them; release with free(data). */
typedef struct draw_bytes {
    unsigned char *data;
    size_t size;
} draw_bytes;

/* rgb: rows from the top, 3 bytes per pixel. On failure png is empty. */
crn_status draw_png_encode(const unsigned char *rgb, int width, int height, draw_bytes *png, crn_error *error);

/* Write bytes to a file; if that fails the file is removed. */
crn_status draw_png_save(const char *path, const draw_bytes *png, crn_error *error);

#endif
