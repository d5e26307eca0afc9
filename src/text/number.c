/* Numbers as text, independent of the locale.
 *
 * strtod() and snprintf() use the decimal point of the locale that the host program has set. The point in force is
 * learned by printing 0.5 and exchanged for "." on the way in and out. */
#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest number read; a double printed in full with "%f" has at most 1077 digits. */
enum { LONGEST = 1200 };

/* Longest decimal point in bytes. */
enum { POINT_SIZE = 16 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Does the text equal the lower-case name, in any case? */
static bool is_name(const char *text, size_t length, const char *name)
{
    if (length != strlen(name)) {
        return false;
    }
    for (size_t i = 0; i < length; ++i) {
        if (lower_case(text[i]) != name[i]) {
            return false;
        }
    }
    return true;
}

/* How many digits stand at text[at]? */
static size_t count_digits(const char *text, size_t length, size_t at)
{
    size_t first = at;
    while (at < length && is_digit(text[at])) {
        ++at;
    }
    return at - first;
}

/* digits [. digits] [e [sign] digits], with at least one digit before the exponent. */
static bool is_decimal(const char *text, size_t length)
{
    size_t at = count_digits(text, length, 0);
    size_t digits = at;
    if (at < length && text[at] == '.') {
        size_t fraction = count_digits(text, length, at + 1);
        digits += fraction;
        at += 1 + fraction;
    }
    if (digits == 0) {
        return false;
    }
    if (at < length && lower_case(text[at]) == 'e') {
        ++at;
        if (at < length && (text[at] == '+' || text[at] == '-')) {
            ++at;
        }
        size_t exponent = count_digits(text, length, at);
        if (exponent == 0) {
            return false;
        }
        at += exponent;
    }
    return at == length;
}

/* The decimal point of the locale in force: what stands between 0 and 5 in one half. */
static void find_point(char point[POINT_SIZE])
{
    char half[POINT_SIZE + 8];
    int length = snprintf(half, sizeof half, "%.1f", 0.5);
    size_t size = length > 2 && length < POINT_SIZE ? (size_t)length - 2 : 1;
    memcpy(point, length > 2 && length < POINT_SIZE ? half + 1 : ".", size);
    point[size] = '\0';
}

/* strtod() of exactly length characters with every '.' replaced by point. */
static bool convert_with(const char *text, size_t length, const char *point, double *value)
{
    char copy[LONGEST + POINT_SIZE];
    size_t size = 0;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '.') {
            memcpy(copy + size, point, strlen(point));
            size += strlen(point);
        } else {
            copy[size++] = text[i];
        }
    }
    copy[size] = '\0';
    char *end = NULL;
    *value = strtod(copy, &end);
    return end == copy + size;
}

/* Convert checked decimal text. Only where "." is not understood is the locale asked for its own point. */
static bool convert(const char *text, size_t length, double *value)
{
    if (length >= LONGEST) {
        return false;
    }
    if (convert_with(text, length, ".", value)) {
        return true;
    }
    char point[POINT_SIZE];
    find_point(point);
    return convert_with(text, length, point, value);
}

bool crn_io_number_read(const char *text, size_t length, double *value)
{
    bool is_negative = length > 0 && text[0] == '-';
    if (length > 0 && (text[0] == '-' || text[0] == '+')) {
        ++text;
        --length;
    }
    if (is_name(text, length, "inf") || is_name(text, length, "infinity")) {
        *value = INFINITY;
    } else if (is_name(text, length, "nan")) {
        *value = NAN;
    } else if (!is_decimal(text, length) || !convert(text, length, value)) {
        return false;
    }
    if (is_negative) {
        *value = -*value;
    }
    return true;
}

void crn_io_number_write(double value, char text[CRN_IO_NUMBER_SIZE])
{
    if (!isfinite(value)) {
        (void)snprintf(text, CRN_IO_NUMBER_SIZE, "%s", isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
        return;
    }
    (void)snprintf(text, CRN_IO_NUMBER_SIZE, "%.17g", value);

    /* Whatever is no digit, sign or exponent is the locale's point. */
    size_t first = strspn(text, "+-0123456789eE");
    if (text[first] != '\0' && text[first] != '.') {
        size_t width = strcspn(text + first, "+-0123456789eE");
        text[first] = '.';
        memmove(text + first + 1, text + first + width, strlen(text + first + width) + 1);
    }
}
