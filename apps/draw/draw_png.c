/* Pictures as PNG. Each row gets the filter with the least sum of absolute differences, as the PNG specification suggests
 * (section 12.8): smooth backgrounds then cost next to nothing. */
#include "draw_png.h"

#include <cairn/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { CHANNELS = 3, FILTERS = 5, LEVEL = 7, CHUNK_EXTRA = 12 /* length, name, checksum */, HEADER_SIZE = 13 };

static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/* --- Filters --- */

static int paeth(int left, int up, int corner)
{
    int guess = left + up - corner;
    int to_left = abs(guess - left), to_up = abs(guess - up), to_corner = abs(guess - corner);
    if (to_left <= to_up && to_left <= to_corner) {
        return left;
    }
    return to_up <= to_corner ? up : corner;
}

/* What filter `kind` expects at byte i of a row; above: the row before it. */
static int predicted(int kind, const unsigned char *row, const unsigned char *above, size_t i)
{
    int left = i >= CHANNELS ? row[i - CHANNELS] : 0, corner = i >= CHANNELS ? above[i - CHANNELS] : 0;
    switch (kind) {
    case 1: return left;
    case 2: return above[i];
    case 3: return (left + above[i]) / 2;
    case 4: return paeth(left, above[i], corner);
    default: return 0;
    }
}

/* Filter a row into out (1 + size bytes); returns the sum of absolute differences. */
static long filter_row(int kind, const unsigned char *row, const unsigned char *above, size_t size, unsigned char *out)
{
    long sum = 0;
    out[0] = (unsigned char)kind;
    for (size_t i = 0; i < size; ++i) {
        unsigned char difference = (unsigned char)(row[i] - predicted(kind, row, above, i));
        out[1 + i] = difference;
        sum += difference < 128 ? difference : 256 - difference;
    }
    return sum;
}

/* All rows with the filters that suit them best. trial: room for 2 rows and a row of zeros above the first. */
static void filter_all(const unsigned char *rgb, size_t size, int height, unsigned char *trial, unsigned char *out)
{
    const unsigned char *above = trial + size + 1;
    memset(trial, 0, 2 * size + 1);
    for (int y = 0; y < height; ++y) {
        const unsigned char *row = rgb + (size_t)y * size;
        unsigned char *best = out + (size_t)y * (size + 1);
        long least = filter_row(0, row, above, size, best);
        for (int kind = 1; kind < FILTERS && least > 0; ++kind) {
            long sum = filter_row(kind, row, above, size, trial);
            if (sum < least) {
                least = sum;
                memcpy(best, trial, size + 1);
            }
        }
        above = row;
    }
}

/* --- Chunks --- */

static unsigned char *put_number(unsigned char *at, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        *at++ = (unsigned char)(value >> shift);
    }
    return at;
}

/* data may already be in its place, 8 bytes behind `at`. */
static unsigned char *put_chunk(unsigned char *at, const char *name, const unsigned char *data, size_t size)
{
    unsigned char *start = put_number(at, (uint32_t)size);
    memcpy(start, name, 4);
    if (size > 0) {
        memmove(start + 4, data, size);
    }
    return put_number(start + 4 + size, (uint32_t)crc32(0, start, (uInt)(size + 4)));
}

static crn_status compress_into(draw_bytes *png, const unsigned char *filtered, size_t size, int width, int height,
                                crn_error *error)
{
    uLongf packed = compressBound((uLong)size);
    png->data = malloc(sizeof signature + HEADER_SIZE + 3 * CHUNK_EXTRA + packed);
    if (png->data == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    unsigned char header[HEADER_SIZE] = {[8] = 8, [9] = 2}; /* 8 bits, RGB */
    put_number(put_number(header, (uint32_t)width), (uint32_t)height);
    memcpy(png->data, signature, sizeof signature);
    unsigned char *at = put_chunk(png->data + sizeof signature, "IHDR", header, HEADER_SIZE);
    if (compress2(at + 8, &packed, filtered, (uLong)size, LEVEL) != Z_OK) {
        free(png->data);
        *png = (draw_bytes){NULL, 0};
        return crn_fail(error, CRN_ERR_MEMORY, "picture: cannot be compressed");
    }
    at = put_chunk(at, "IDAT", at + 8, packed);
    at = put_chunk(at, "IEND", NULL, 0);
    png->size = (size_t)(at - png->data);
    return CRN_OK;
}

crn_status draw_png_encode(const unsigned char *rgb, int width, int height, draw_bytes *png, crn_error *error)
{
    size_t row = CHANNELS * (size_t)width, size = (row + 1) * (size_t)height;
    unsigned char *filtered = malloc(size), *trial = malloc(2 * row + 1);
    crn_status status = CRN_OK;
    *png = (draw_bytes){NULL, 0};
    if (filtered == NULL || trial == NULL) {
        status = crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    } else {
        filter_all(rgb, row, height, trial, filtered);
        status = compress_into(png, filtered, size, width, height, error);
    }
    free(filtered);
    free(trial);
    return status;
}

crn_status draw_png_save(const char *path, const draw_bytes *png, crn_error *error)
{
    crn_io_output output;
    crn_status status = crn_io_output_open(&output, path, error);
    if (status == CRN_OK) {
        (void)fwrite(png->data, 1, png->size, output.file);
        status = crn_io_output_close(&output, CRN_OK, error);
    }
    return status;
}
