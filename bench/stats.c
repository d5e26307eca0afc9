/* stats.c -- order statistics. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

double bench_quantile(double *values, int count, double share)
{
    if (count < 1) {
        return (double)NAN;
    }
    qsort(values, (size_t)count, sizeof *values, compare);
    int rank = (int)ceil(share * count);
    return values[rank < 1 ? 0 : rank - 1];
}

double bench_median(double *values, int count)
{
    return bench_quantile(values, count, 0.5);
}
