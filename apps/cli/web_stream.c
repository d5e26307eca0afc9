/* Deflate and base64, a block at a time. */
#include "web_stream.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum {
    BLOCK = 3 * 8192, /* deflated bytes at a time: a multiple of 3, so that only the last block ends with '=' */
    LEVEL = 6         /* 9 takes three times as long for 1 % */
};

struct web_stream {
    FILE *file;
    z_stream deflate;
    unsigned char block[BLOCK]; /* full up to BLOCK - deflate.avail_out */
    bool has_failed;
};

bool web_base64(FILE *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t there = size - i < 3 ? size - i : 3;
        unsigned bits = (unsigned)bytes[i] << 16 | (there > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (there > 2 ? (unsigned)bytes[i + 2] : 0);
        char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], there > 1 ? digits[bits >> 6 & 63] : '=',
                        there > 2 ? digits[bits & 63] : '='};
        if (fwrite(text, 1, sizeof text, file) != sizeof text) {
            return false;
        }
    }
    return true;
}

web_stream *web_stream_open(FILE *file)
{
    web_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || deflateInit(&stream->deflate, LEVEL) != Z_OK) {
        free(stream);
        return NULL;
    }
    stream->file = file;
    stream->deflate.next_out = stream->block;
    stream->deflate.avail_out = BLOCK;
    return stream;
}

/* Hand the block over, full or not, and begin the next one. */
static void empty(web_stream *stream)
{
    if (!web_base64(stream->file, stream->block, BLOCK - stream->deflate.avail_out)) {
        stream->has_failed = true;
    }
    stream->deflate.next_out = stream->block;
    stream->deflate.avail_out = BLOCK;
}

/* Deflate all that is at next_in; with Z_FINISH, to the end. */
static void run(web_stream *stream, int flush)
{
    for (int status = Z_OK; status == Z_OK && !stream->has_failed;) {
        status = deflate(&stream->deflate, flush);
        if (stream->deflate.avail_out == 0 || status == Z_STREAM_END) {
            empty(stream);
        } else if (flush != Z_FINISH && stream->deflate.avail_in == 0) {
            return;
        }
    }
}

bool web_stream_write(void *user, const void *bytes, size_t size)
{
    web_stream *stream = user;
    const unsigned char *at = bytes;
    while (size > 0 && !stream->has_failed) {
        uInt part = size < UINT_MAX ? (uInt)size : UINT_MAX;
        stream->deflate.next_in = (z_const Bytef *)at;
        stream->deflate.avail_in = part;
        run(stream, Z_NO_FLUSH);
        at += part;
        size -= part;
    }
    return !stream->has_failed;
}

bool web_stream_close(web_stream *stream)
{
    if (stream == NULL) {
        return true;
    }
    stream->deflate.avail_in = 0;
    run(stream, Z_FINISH);
    bool is_good = !stream->has_failed;
    (void)deflateEnd(&stream->deflate);
    free(stream);
    return is_good;
}
