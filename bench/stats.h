/* stats.h -- order statistics. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

/** The share-quantile (0 to 1) of values by the nearest rank; sorts values. Not-a-number if count is 0. */
double bench_quantile(double *values, int count, double share);

/** The median; sorts values. */
double bench_median(double *values, int count);

#endif
