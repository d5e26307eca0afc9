/* progress.c -- a bar on standard error, if that is a terminal. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 30 };

void bench_progress(const char *what, const char *who, int done, int total)
{
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    int filled = total > 0 ? (int)((long long)WIDTH * done / total) : WIDTH;
    fprintf(stderr, "\r\033[K[%.*s%.*s] %d/%d %s, %s", filled, "##############################", WIDTH - filled,
            "..............................", done, total, what, who);
    fflush(stderr);
}

void bench_progress_clear(void)
{
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
