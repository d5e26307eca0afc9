/* Text that grows. */
#include "text_buffer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 4096, NUMBER_SIZE = 32 };

void text_clear(text_buffer *text)
{
    text->length = 0;
    text->is_full = false;
    if (text->data != NULL) {
        text->data[0] = '\0';
    }
}

void text_free(text_buffer *text)
{
    free(text->data);
    *text = (text_buffer){.data = NULL};
}

/* Room for so many characters more and the 0. */
static bool reserve(text_buffer *text, size_t more)
{
    size_t wanted = text->length + more + 1;
    if (wanted <= text->capacity) {
        return true;
    }
    size_t capacity = text->capacity > 0 ? text->capacity : FIRST_CAPACITY;
    while (capacity < wanted) {
        capacity *= 2;
    }
    char *grown = realloc(text->data, capacity);
    if (grown == NULL) {
        text->is_full = true;
        return false;
    }
    text->data = grown;
    text->capacity = capacity;
    return true;
}

static void append(text_buffer *text, const char *string, size_t length)
{
    if (!text->is_full && reserve(text, length)) {
        memcpy(text->data + text->length, string, length + 1);
        text->length += length;
    }
}

void text_put(text_buffer *text, const char *string)
{
    append(text, string, strlen(string));
}

void text_put_int(text_buffer *text, long long value)
{
    char number[NUMBER_SIZE];
    append(text, number, (size_t)snprintf(number, sizeof number, "%lld", value));
}

void text_put_real(text_buffer *text, double value)
{
    char number[NUMBER_SIZE];
    value = value == 0.0 ? 0.0 : value; /* no -0 */
    append(text, number, (size_t)snprintf(number, sizeof number, isfinite(value) ? "%.6g" : "null", value));
}
