/* Numbers in attributes, and messages that name file, line and element. */
#include "text/xml_tree.h"

#include "text/number.h"
#include "text/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What messages show of a word from the file: cut, printable. */
static const char *show(const char *text, char shown[CRN_IO_WORD_SHOWN + 4])
{
    crn_io_word word = {.text = text, .length = strlen(text)};
    return crn_io_word_show(&word, shown);
}

crn_status crn_xml_fail(const crn_xml *xml, const crn_xml_node *node, crn_status status, crn_error *error,
                        const char *format, ...)
{
    char what[200], element[CRN_IO_WORD_SHOWN + 4];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (char *c = what; *c != '\0'; ++c) { /* names of the file may hold line ends, written as &#10; */
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    }
    return crn_fail(error, status, "%s:%d: <%s>%s%s", xml->shown, node->line, show(node->name, element),
                    what[0] == ' ' ? "" : ": ", what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Exactly count finite numbers and nothing else? */
static bool read_numbers(const char *text, int count, double *to)
{
    for (int i = 0; i <= count; ++i) {
        while (is_space(*text)) {
            ++text;
        }
        if (i == count) {
            return *text == '\0';
        }
        size_t length = 0;
        while (text[length] != '\0' && !is_space(text[length])) {
            ++length;
        }
        double value = 0.0;
        if (length == 0 || !crn_io_number_read(text, length, &value) || !isfinite(value)) {
            return false;
        }
        to[i] = value;
        text += length;
    }
    return true;
}

crn_status crn_xml_numbers(const crn_xml *xml, crn_xml_node *node, const char *name, int count, double *to,
                           bool *is_there, crn_error *error)
{
    const char *text = crn_xml_get(node, name);
    if (is_there != NULL) {
        *is_there = text != NULL;
    }
    if (text == NULL) {
        return CRN_OK;
    }
    /* Into a copy first: a wrong attribute leaves `to` as it is. Counts are small: 10 is the largest of both formats. */
    enum { COUNT_MOST = 32 };
    double values[COUNT_MOST];
    if (count > COUNT_MOST || !read_numbers(text, count, values)) {
        char shown[CRN_IO_WORD_SHOWN + 4];
        return crn_xml_fail(xml, node, CRN_ERR_FORMAT, error, " %s: needs %d number%s, but is '%s'", name, count,
                            count == 1 ? "" : "s", show(text, shown));
    }
    memcpy(to, values, (size_t)count * sizeof *to);
    return CRN_OK;
}
