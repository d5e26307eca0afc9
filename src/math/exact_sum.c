/* Growing an expansion by one number at a time  [S97 s2.4]: each two-sum leaves its rounding error as a part of its own. */
#include "math/exact_sum.h"

#include "math/dd.h"

#include <math.h>

/* Products below this have rounding errors that are no doubles; above LARGEST splitting them overflows. */
static const double SMALLEST = 0x1p-960, LARGEST = 0x1p990;

void crn_exact_add(crn_exact_sum *sum, double x)
{
    int kept = 0;
    for (int k = 0; k < sum->count; ++k) {
        crn_dd s = crn_two_sum(x, sum->part[k]);
        if (s.low != 0.0) {
            sum->part[kept++] = s.low;
        }
        x = s.high;
    }
    sum->is_lost = sum->is_lost || !isfinite(x) || kept == CRN_EXACT_PARTS;
    sum->count = kept;
    if (x != 0.0 && !sum->is_lost) {
        sum->part[sum->count++] = x;
    }
}

void crn_exact_add_product(crn_exact_sum *sum, double a, double b)
{
    if (a == 0.0 || b == 0.0) {
        return;
    }
    double size = fabs(a * b);
    sum->is_lost = sum->is_lost || !(size > SMALLEST && fabs(a) < LARGEST && fabs(b) < LARGEST && size < LARGEST);
    crn_dd p = crn_two_product(a, b);
    crn_exact_add(sum, p.low);
    crn_exact_add(sum, p.high);
}

void crn_exact_add_scaled(crn_exact_sum *sum, double a, const crn_exact_sum *other)
{
    sum->is_lost = sum->is_lost || other->is_lost;
    for (int k = 0; k < other->count; ++k) {
        crn_exact_add_product(sum, a, other->part[k]);
    }
}

int crn_exact_sign(const crn_exact_sum *sum)
{
    if (sum->count == 0) {
        return 0;
    }
    return sum->part[sum->count - 1] > 0.0 ? 1 : -1;
}

double crn_exact_value(const crn_exact_sum *sum)
{
    double value = 0.0;
    for (int k = 0; k < sum->count; ++k) {
        value += sum->part[k];
    }
    return value;
}
