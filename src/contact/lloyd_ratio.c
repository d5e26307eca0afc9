/* Harris' ratio test [H73] in three passes over all pairs, the two without a choice in lanes. */
#include "contact/lloyd_ratio.h"

#include <math.h>

#include "math/simd.h"
#include "math/vec.h"

/* Rates below this fraction of the largest are noise of the data, not pivots. */
static const double TOL_PIVOT = 1e-9;

/* Longest step that keeps every variable above -CRN_LLOYD_SLACK. */
CRN_CLONES static double longest_step(int n, const double *restrict value, const double *restrict rate,
                                      double floor_rate)
{
    double least[CRN_LANES];
    for (int l = 0; l < CRN_LANES; ++l) {
        least[l] = INFINITY;
    }
    int i = 0;
    for (; i + CRN_LANES <= n; i += CRN_LANES) {
        for (int l = 0; l < CRN_LANES; ++l) {
            double speed = -rate[i + l], room = (value[i + l] > 0.0 ? value[i + l] : 0.0) + CRN_LLOYD_SLACK;
            double ratio = room / speed;
            ratio = speed > floor_rate ? ratio : INFINITY;
            least[l] = ratio < least[l] ? ratio : least[l];
        }
    }
    for (; i < n; ++i) {
        if (-rate[i] > floor_rate) {
            least[0] = crn_min((crn_max(value[i], 0.0) + CRN_LLOYD_SLACK) / -rate[i], least[0]);
        }
    }
    for (int l = 1; l < CRN_LANES; ++l) {
        least[0] = crn_min(least[l], least[0]);
    }
    return least[0];
}

int crn_lloyd_ratio(int pairs, const crn_lloyd_point *point, const crn_lloyd_point *rate, double *length)
{
    const double largest = crn_max(crn_max(crn_max_abs(pairs, rate->value), fabs(rate->z0)), 1.0);
    const double floor_rate = TOL_PIVOT * largest;
    const double step = longest_step(pairs, point->value, rate->value, floor_rate);
    const double z0_speed = -rate->z0, z0 = crn_max(point->z0, 0.0);
    if (z0_speed > floor_rate && z0 <= step * z0_speed) {
        *length = z0 / z0_speed;
        return CRN_LLOYD_Z0;
    }
    int best = CRN_LLOYD_NONE;
    double fastest = floor_rate;
    for (int pair = 0; pair < pairs; ++pair) {
        double speed = -rate->value[pair];
        if (speed > fastest && crn_max(point->value[pair], 0.0) <= step * speed) {
            fastest = speed;
            best = pair;
            *length = crn_max(point->value[pair], 0.0) / speed;
        }
    }
    return best;
}
