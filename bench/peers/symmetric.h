/* symmetric.h -- is M symmetric to rounding? Dantzig's method reads one triangle only. */
#ifndef BENCH_SYMMETRIC_H
#define BENCH_SYMMETRIC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool bench_is_symmetric(int n, const double *M)
{
    const double rounding = 1e-12; /* relative to the two diagonal entries or the larger of the pair */
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < j; ++i) {
            double a = M[(size_t)i + (size_t)j * (size_t)n];
            double b = M[(size_t)j + (size_t)i * (size_t)n];
            double pair = fmax(fabs(a), fabs(b));
            double diagonal = sqrt(fabs(M[(size_t)i * (size_t)(n + 1)] * M[(size_t)j * (size_t)(n + 1)]));
            if (fabs(a - b) > rounding * fmax(pair, diagonal)) {
                return false;
            }
        }
    }
    return true;
}

#endif
