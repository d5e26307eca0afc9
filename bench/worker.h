/* worker.h -- the child's side of runner.h. */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include "runner.h"

/** Words that a worker sends through its pipe, in turn for each problem. */
enum { BENCH_WORD_START = 's', BENCH_WORD_DONE = 'd' };

/** Solves are repeated for the median while they all together take less than this. */
#define BENCH_REPEAT_SECONDS 0.03

typedef struct bench_job {
    const bench_set *set;
    const bench_entrant *entrant;
    int repeat;
    double time_limit;
    double end;            /* on the clock of crn_seconds(): after it no further problem is begun; 0: no end */
    int first;             /* place in set->order to begin with */
    bench_record *records; /* shared with the parent */
    double *z;             /* shared with the parent */
} bench_job;

/** The first place in set->order, from `place` on, whose item this entrant can read; set->count if there is none. */
int bench_job_next(const bench_job *job, int place);

/** Solve from job->first on, then end the process. */
_Noreturn void bench_work(bench_job *job, int pipe_end);

#endif
