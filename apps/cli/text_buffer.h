/* Text that grows: JSON put together in memory that is used again and again. */
#ifndef CAIRN_CLI_TEXT_BUFFER_H
#define CAIRN_CLI_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *data; /* ends with a 0 once something was put in */
    size_t length, capacity;
    bool is_full; /* there was no memory: what follows is dropped */
} text_buffer;

/* Empty; the memory stays. */
void text_clear(text_buffer *text);
void text_free(text_buffer *text);

void text_put(text_buffer *text, const char *string);
void text_put_int(text_buffer *text, long long value);
void text_put_real(text_buffer *text, double value); /* 6 significant digits; null if it is not finite */

#endif
