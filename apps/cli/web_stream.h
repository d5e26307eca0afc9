/* Bytes on their way into text: deflated (zlib), then base64. */
#ifndef CAIRN_CLI_WEB_STREAM_H
#define CAIRN_CLI_WEB_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct web_stream web_stream;

/* Begin to write to file; NULL: no memory. */
web_stream *web_stream_open(FILE *file);

/* Has the shape of a crn_io_sink; user is the stream. */
bool web_stream_write(void *user, const void *bytes, size_t size);

/* Write what is left and release the stream; false if something could not be written. NULL is fine. */
bool web_stream_close(web_stream *stream);

/* Bytes as base64 at once. */
bool web_base64(FILE *file, const unsigned char *bytes, size_t size);

#endif
