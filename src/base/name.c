/* How near two names are: the least number of letters to insert, delete or change, row by row of the usual table. */
#include <cairn/base.h>

#include <string.h>

/* Longest name that is compared, and the distance of longer ones. */
enum { LONGEST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const char *a, size_t size_a, const char *b, size_t size_b)
{
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

int crn_name_distance(const char *typed, const char *name)
{
    if (typed == NULL || name == NULL) {
        return LONGEST;
    }
    size_t size_a = strlen(typed), size_b = strlen(name);
    if (size_a > LONGEST || size_b > LONGEST) {
        return LONGEST;
    }
    if (size_a > 0 && size_a < size_b && strncmp(typed, name, size_a) == 0) {
        return 1;
    }
    return edit_distance(typed, size_a, name, size_b);
}
