/* Times of repeated solves, and their median. */
#include "times.h"

#include <stdio.h>
#include <stdlib.h>

bool cli_times_take(cli_times *times, int count)
{
    times->seconds = calloc(count > 0 ? (size_t)count : 1, sizeof(double));
    times->count = count;
    return times->seconds != NULL;
}

void cli_times_free(cli_times *times)
{
    free(times->seconds);
    *times = (cli_times){.seconds = NULL};
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cli_times_median(cli_times *times)
{
    int half = times->count / 2;
    qsort(times->seconds, (size_t)times->count, sizeof(double), compare_reals);
    return times->count % 2 == 1 ? times->seconds[half] : 0.5 * (times->seconds[half - 1] + times->seconds[half]);
}

void cli_times_print(cli_times *times)
{
    double seconds = cli_times_median(times);
    const char *unit = seconds < 1e-3 ? "us" : seconds < 1.0 ? "ms" : "s";
    double scale = seconds < 1e-3 ? 1e6 : seconds < 1.0 ? 1e3 : 1.0;
    printf("time         %.4g %s", scale * seconds, unit);
    if (times->count > 1) {
        printf(" (median of %d)", times->count);
    }
    printf("\n");
}
