/* A number over time: p(t) = value + amplitude sin(2 pi frequency t + phase) + table(t), the table linear between its
 * times and constant outside. At its times the table gives exactly its values. */
#include <cairn/model.h>

#include "math/elementary.h"

#include <math.h>

static const double two_pi = 6.283185307179586476925286766559;

/* Last i of 0 .. count-1 with times[i] <= time, which is at least times[0]. */
static int interval(const double *times, int count, double time)
{
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double table_at(const crn_profile *profile, double time)
{
    const double *times = profile->times, *values = profile->values;
    if (!(time > times[0])) {
        return values[0];
    }
    int i = interval(times, profile->count, time);
    if (i == profile->count - 1) {
        return values[i];
    }
    double share = (time - times[i]) / (times[i + 1] - times[i]);
    return values[i] + share * (values[i + 1] - values[i]);
}

double crn_profile_at(const crn_profile *profile, double time)
{
    if (profile == NULL) {
        return 0.0;
    }
    double sum = profile->value;
    if (profile->amplitude != 0.0) {
        sum += profile->amplitude * crn_sin(two_pi * profile->frequency * time + profile->phase);
    }
    if (profile->times != NULL && profile->count > 0) {
        sum += table_at(profile, time);
    }
    return sum;
}
