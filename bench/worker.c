/* worker.c -- build, solve and time one problem after another. */
#define _DEFAULT_SOURCE
#include "worker.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "stats.h"

enum { MAX_REPEAT = 101, MAX_IN_A_ROW = 50 };

/* What one solve needs; built once per problem. */
typedef struct task {
    const bench_entrant *entrant;
    const crn_lcp_problem *problem;
    crn_workspace *workspace;
    double *dense; /* peers: M with leading dimension n */
    double *z;
    bench_record *record;
} task;

int bench_job_next(const bench_job *job, int place)
{
    const bench_set *set = job->set;
    for (; place < set->count; ++place) {
        const bench_item *item = &set->items[set->order[place]];
        if (!job->entrant->peer || (item->is_plain && item->n > 0)) {
            break;
        }
    }
    return place;
}

static void be_quiet(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

/* A copy of M, dense or sparse, with leading dimension n; NULL if there is no memory. */
static double *dense_copy(const crn_lcp_problem *problem)
{
    size_t n = (size_t)problem->n;
    double *copy = calloc(n * n, sizeof *copy);
    for (size_t j = 0; copy && j < n; ++j) {
        if (problem->M) {
            memcpy(copy + j * n, problem->M + j * (size_t)problem->ld, n * sizeof *copy);
            continue;
        }
        for (int k = problem->start[j]; k < problem->start[j + 1]; ++k) {
            copy[(size_t)problem->row[k] + j * n] = problem->value[k];
        }
    }
    return copy;
}

static void solve_peer(const task *t)
{
    int answer = t->entrant->peer->solve(t->problem->n, t->dense, t->problem->q, t->z);
    t->record->is_claimed = answer == BENCH_PEER_SOLVED;
    t->record->outcome = t->record->is_claimed ? CRN_LCP_SOLVED : CRN_LCP_UNSOLVED;
    t->record->seconds = answer == BENCH_PEER_DECLINED ? -1.0 : 0.0;
}

static void solve_ours(const task *t)
{
    crn_lcp_solution solution = {.z = t->z};
    crn_lcp_result result = {0};
    crn_lcp_solve(t->problem, &t->entrant->options, t->workspace, &solution, &result, NULL);
    t->record->is_claimed = result.outcome == CRN_LCP_SOLVED;
    t->record->outcome = result.outcome;
    t->record->proof = result.proof;
    t->record->pivots = result.pivots;
}

/* Seconds of one solve; several in a row are timed together where the clock is too coarse for one. */
static double timed_solve(const task *t, int in_a_row)
{
    double start = crn_seconds();
    for (int k = 0; k < in_a_row; ++k) {
        if (t->entrant->peer) {
            solve_peer(t);
        } else {
            solve_ours(t);
        }
    }
    return (crn_seconds() - start) / in_a_row;
}

static int solves_in_a_row(double seconds)
{
    const double clock_seconds = 5e-6; /* so long a time is measured to a per cent */
    return seconds < clock_seconds / MAX_IN_A_ROW ? MAX_IN_A_ROW : (int)ceil(clock_seconds / seconds);
}

/* The first solve warms up caches and workspace; its time is kept only if it leaves none for others. What failed is
 * not repeated: only times of right answers are reported. */
static void solve_repeatedly(const task *t, int repeat)
{
    double times[MAX_REPEAT];
    double begin = crn_seconds();
    times[0] = timed_solve(t, 1);
    int in_a_row = solves_in_a_row(times[0]);
    bool is_declined = t->record->seconds < 0.0;
    bool is_answer = t->record->is_claimed || t->record->outcome == CRN_LCP_INFEASIBLE;
    int count = 0;
    while (is_answer && count < repeat && count < MAX_REPEAT &&
           crn_seconds() - begin + times[0] < BENCH_REPEAT_SECONDS) {
        times[count++] = timed_solve(t, in_a_row);
    }
    t->record->seconds = bench_median(times, count > 0 ? count : 1);
    t->record->end = is_declined ? BENCH_DECLINED : BENCH_RETURNED;
}

static void send_word(int pipe_end, char word)
{
    if (write(pipe_end, &word, 1) != 1) {
        _exit(1);
    }
}

static void work_on(bench_job *job, int item, crn_workspace *workspace, int pipe_end)
{
    crn_lcp_data data;
    if (!bench_set_build(job->set, item, &data)) {
        _exit(1);
    }
    task t = {.entrant = job->entrant,
              .problem = &data.problem,
              .workspace = workspace,
              .z = job->z + job->set->items[item].z_offset,
              .record = &job->records[item]};
    t.dense = job->entrant->peer ? dense_copy(&data.problem) : NULL;
    if (job->entrant->peer && !t.dense) {
        _exit(1);
    }
    send_word(pipe_end, BENCH_WORD_START);
    solve_repeatedly(&t, job->repeat);
    send_word(pipe_end, BENCH_WORD_DONE);
    free(t.dense);
    crn_lcp_data_free(&data);
}

_Noreturn void bench_work(bench_job *job, int pipe_end)
{
    crn_workspace workspace = {0};
    be_quiet();
    for (int k = bench_job_next(job, job->first); k < job->set->count; k = bench_job_next(job, k + 1)) {
        work_on(job, job->set->order[k], &workspace, pipe_end);
    }
    crn_workspace_free(&workspace);
    _exit(0);
}
