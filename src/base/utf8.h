/* Characters of UTF-8. */
#ifndef CRN_BASE_UTF8_H
#define CRN_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at text, of which `left` are there; 0 if it is none: wrong bytes, a longer form than needed, a surrogate, or
 * beyond 0x10FFFF. */
static inline size_t crn_utf8_size(const char *text, size_t left)
{
    static const unsigned char masks[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const unsigned lowest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = left == 0         ? 0
                  : byte[0] < 0x80  ? 1
                  : byte[0] >= 0xF0 ? 4
                  : byte[0] >= 0xE0 ? 3
                  : byte[0] >= 0xC0 ? 2
                                    : 0;
    if (size == 0 || size > left || byte[0] >= 0xF8) {
        return 0;
    }
    unsigned code = byte[0] & masks[size];
    for (size_t i = 1; i < size; ++i) {
        if ((byte[i] & 0xC0U) != 0x80U) {
            return 0;
        }
        code = code << 6 | (byte[i] & 0x3FU);
    }
    bool is_good = code >= lowest[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return is_good ? size : 0;
}

/* Write the character of a code of at most 0x10FFFF; returns where it ends. */
static inline char *crn_utf8_put(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char)(0xC0U | code >> 6);
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0U | code >> 12);
        *to++ = (char)(0x80U | (code >> 6 & 0x3FU));
    } else {
        *to++ = (char)(0xF0U | code >> 18);
        *to++ = (char)(0x80U | (code >> 12 & 0x3FU));
        *to++ = (char)(0x80U | (code >> 6 & 0x3FU));
    }
    *to++ = (char)(0x80U | (code & 0x3FU));
    return to;
}

#endif
