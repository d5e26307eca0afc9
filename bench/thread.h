/* thread.h -- one thread for everybody, and its time. */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

/** Processor time of this thread [s]. */
double bench_thread_seconds(void);

/** One core for everybody. Peers that use a threaded BLAS read the number of threads when they are loaded, before main: set it
 * and begin anew. Call it before anything is opened. */
void bench_use_one_thread(char **argv);

#endif
