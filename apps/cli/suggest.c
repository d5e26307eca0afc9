/* The nearest of some names, by the number of letters to insert, delete or change. */
#include "suggest.h"

#include <stdio.h>
#include <string.h>

/* Names longer than the first are not compared; lists longer than the second are not shown. */
enum { LONGEST = 63, MOST_LISTED = 10 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance; LONGEST if either name is too long. */
static int distance(const char *a, const char *b)
{
    size_t size_a = strlen(a), size_b = strlen(b);
    if (size_a > LONGEST || size_b > LONGEST) {
        return LONGEST;
    }
    int row[LONGEST + 1];
    for (size_t j = 0; j <= size_b; ++j) {
        row[j] = (int)j;
    }
    for (size_t i = 1; i <= size_a; ++i) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= size_b; ++j) {
            int above = row[j];
            int change = diagonal + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(above, row[j - 1]) + 1);
            diagonal = above;
        }
    }
    return row[size_b];
}

/* How far the name is from what was typed; a name that begins so counts as near. */
static int closeness(const char *wrong, const char *name)
{
    size_t length = strlen(wrong);
    return length > 0 && strncmp(wrong, name, length) == 0 ? 1 : distance(wrong, name);
}

/* Append to text as snprintf() does. */
static void append(char text[CLI_SUGGEST_SIZE], const char *before, const char *name)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, CLI_SUGGEST_SIZE - used, "%s%s", before, name);
}

const char *cli_suggest(const char *wrong, const char *const *names, int count, char text[CLI_SUGGEST_SIZE])
{
    int best = LONGEST;
    for (int i = 0; i < count; ++i) {
        best = least(best, closeness(wrong, names[i]));
    }
    text[0] = '\0';

    /* All names at the least distance, if that is at most half of what was typed. */
    if (2 * (size_t)best <= strlen(wrong)) {
        const char *before = "; did you mean ";
        for (int i = 0; i < count; ++i) {
            if (closeness(wrong, names[i]) == best) {
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
