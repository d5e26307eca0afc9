/* runner.c -- the parent's side: start workers, watch the clock, have the answers judged. */
#define _DEFAULT_SOURCE
#include "runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "progress.h"
#include "worker.h"

/* Building a problem takes no such time; only a worker that is broken takes longer. */
static const double build_limit = 60.0;

static void *shared_memory(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

/* Wait for the worker's next word. 0: it took longer than the limit, or the pipe was closed (*is_closed). */
static char next_word(int pipe_end, double seconds, bool *is_closed)
{
    struct pollfd watched = {.fd = pipe_end, .events = POLLIN};
    int ready = 0;
    do {
        ready = poll(&watched, 1, (int)(seconds * 1e3) + 1);
    } while (ready < 0 && errno == EINTR);
    char word = 0;
    *is_closed = false;
    if (ready > 0 && read(pipe_end, &word, 1) != 1) {
        *is_closed = true;
    }
    return word;
}

/* Wait until the worker is through with an item. false: it was not, and the record says why. */
static bool await(bench_job *job, int item, int pipe_end)
{
    bool is_closed = false;
    bench_record *record = &job->records[item];
    if (next_word(pipe_end, build_limit, &is_closed) == BENCH_WORD_START) {
        next_word(pipe_end, job->time_limit + BENCH_REPEAT_SECONDS, &is_closed);
    }
    if (record->end == BENCH_NOT_RUN) {
        record->end = is_closed ? BENCH_CRASH : BENCH_TIMEOUT;
        return false;
    }
    return true;
}

/* Follow a worker until it has finished or must be given up. Returns the next place to start with. */
static int follow(bench_job *job, int pipe_end)
{
    int place = job->first;
    while ((place = bench_job_next(job, place)) < job->set->count) {
        if (job->end > 0.0 && crn_seconds() > job->end) {
            return job->set->count;
        }
        bool is_done = await(job, job->set->order[place], pipe_end);
        bench_progress(job->set->family->name, job->entrant->name, ++place, job->set->count);
        if (!is_done) {
            break;
        }
    }
    return place;
}

/* One worker, from job->first until it has finished or must be given up. */
static bool run_worker(bench_job *job)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) {
        return false;
    }
    pid_t worker = fork();
    if (worker < 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (worker == 0) {
        close(ends[0]);
        bench_work(job, ends[1]);
    }
    close(ends[1]);
    job->first = follow(job, ends[0]);
    kill(worker, SIGKILL);
    while (waitpid(worker, NULL, 0) < 0 && errno == EINTR) {
    }
    close(ends[0]);
    return true;
}

/* Where there is a solution: claimed and true is right. Where there is none: right is to say so. */
static void judge_item(const bench_job *job, int item, crn_workspace *workspace)
{
    bench_record *record = &job->records[item];
    bool is_solvable = job->set->family->truth == CRN_GALLERY_SOLVABLE;
    crn_lcp_data data;
    if (record->end != BENCH_RETURNED || !bench_set_build(job->set, item, &data)) {
        return;
    }
    const double *z = job->z + job->set->items[item].z_offset;
    bench_verdict verdict = bench_judge(&data.problem, z, job->entrant->tol, workspace);
    crn_lcp_data_free(&data);
    bool says_none = job->entrant->peer != NULL || record->outcome == CRN_LCP_INFEASIBLE;
    record->relative = verdict.relative;
    record->is_false = record->is_claimed && !verdict.is_solution;
    record->is_silent = !record->is_claimed && verdict.is_solution;
    record->is_right = is_solvable ? record->is_claimed && verdict.is_solution : !record->is_claimed && says_none;
    if (is_solvable && record->outcome == CRN_LCP_INFEASIBLE) {
        record->is_false = true;
    }
}

bool bench_run(const bench_set *set, const bench_entrant *entrant, const bench_limits *limits, bench_record *records)
{
    size_t record_bytes = ((size_t)set->count + 1) * sizeof *records;
    size_t z_bytes = (set->z_total + 1) * sizeof(double);
    bench_job job = {.set = set, .entrant = entrant, .repeat = limits->repeat};
    job.time_limit = limits->time_limit;
    job.end = limits->budget > 0.0 ? crn_seconds() + limits->budget : 0.0;
    job.records = shared_memory(record_bytes);
    job.z = shared_memory(z_bytes);
    bool is_ok = job.records && job.z;
    while (is_ok && bench_job_next(&job, job.first) < set->count) {
        is_ok = run_worker(&job);
    }
    crn_workspace workspace = {0};
    for (int k = 0; is_ok && k < set->count; ++k) {
        judge_item(&job, k, &workspace);
    }
    crn_workspace_free(&workspace);
    if (is_ok) {
        memcpy(records, job.records, (size_t)set->count * sizeof *records);
    }
    if (job.records) {
        munmap(job.records, record_bytes);
    }
    if (job.z) {
        munmap(job.z, z_bytes);
    }
    return is_ok;
}
