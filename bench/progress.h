/* progress.h -- a bar on standard error, if that is a terminal. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

/** Draw the bar: what is being done, and how far it is. */
void bench_progress(const char *what, const char *who, int done, int total);

/** Wipe the bar before something else is printed. */
void bench_progress_clear(void);

#endif
