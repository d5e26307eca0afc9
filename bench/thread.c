/* thread.c -- one thread for everybody, and its time. */
#define _POSIX_C_SOURCE 200809L
#include "thread.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double bench_thread_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bench_use_one_thread(char **argv)
{
    if (!getenv("OPENBLAS_NUM_THREADS")) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        setenv("OMP_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", argv);
    }
}
