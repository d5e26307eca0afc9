/* The nearest of some names, by the number of letters to insert, delete or change. */
#include "suggest.h"

#include <cairn/base.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Lists longer than this are not shown. */
enum { MOST_LISTED = 12 };

/* Append to text as snprintf() does. */
static void append(char text[CLI_SUGGEST_SIZE], const char *before, const char *name)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, CLI_SUGGEST_SIZE - used, "%s%s", before, name);
}

const char *cli_suggest(const char *wrong, const char *const *names, int count, char text[CLI_SUGGEST_SIZE])
{
    int best = INT_MAX / 2;
    for (int i = 0; i < count; ++i) {
        int distance = crn_name_distance(wrong, names[i]);
        best = distance < best ? distance : best;
    }
    text[0] = '\0';

    /* All names at the least distance, if that is at most half of what was typed. */
    if (2 * (size_t)best <= strlen(wrong)) {
        const char *before = "; did you mean ";
        for (int i = 0; i < count; ++i) {
            if (crn_name_distance(wrong, names[i]) == best) {
                append(text, before, names[i]);
                before = " or ";
            }
        }
        append(text, "", "?");
    }
    /* All names, if there are few. */
    if (count > MOST_LISTED) {
        append(text, "", text[0] == '\0' ? "; try --help" : "");
        return text;
    }
    for (int i = 0; i < count; ++i) {
        append(text, i == 0 ? " (known: " : ", ", names[i]);
    }
    append(text, "", ")");
    return text;
}
