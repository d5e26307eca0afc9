/* Compensated matrix-vector products, column by column. */
#include "math/dd.h"

#include "math/simd.h"

#include <math.h>

CRN_CLONES void crn_dd_axpy(int n, double a, const double *restrict x, double *restrict high, double *restrict low)
{
    for (int i = 0; i < n; ++i) {
        crn_dd sum = {high[i], low[i]};
        crn_dd_add_product(&sum, a, x[i]);
        high[i] = sum.high;
        low[i] = sum.low;
    }
}

CRN_CLONES void crn_dd_axpy_sized(int n, double a, const double *restrict x, double *restrict high,
                                  double *restrict low, double *restrict size)
{
    for (int i = 0; i < n; ++i) {
        crn_dd sum = {high[i], low[i]};
        crn_dd_add_product(&sum, a, x[i]);
        high[i] = sum.high;
        low[i] = sum.low;
        size[i] += fabs(a * x[i]);
    }
}
