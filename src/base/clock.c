/* A monotonic clock. */
#include <cairn/base.h>

#include <time.h>

double crn_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
