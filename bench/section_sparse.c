/* section_sparse.c -- large sparse problems: time, certificate, growth with n, memory, beside an active set on scipy. */
#include "sections.h"

#include "gallery_sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 3, PEER_SECONDS = 60 };
static const int orders[SIZES] = {10000, 100000, 1000000};
static const double most_seconds = 30.0, most_exponent = 1.5, least_gain = 5.0, most_memory = 3.0;

/* One problem by us and by scipy. */
typedef struct sparse_run {
    int n;
    double seconds, certificate, memory; /* CPU; relative; bytes taken over those of the matrix */
    bool is_solved;
    const char *method;
    double peer_seconds; /* NaN: not run; infinite: it found no answer in PEER_SECONDS */
} sparse_run;

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A Python that has scipy, or NULL: the distribution's package is for the distribution's Python. */
static const char *find_scipy(void)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    char command[96];
    for (size_t k = 0; k < sizeof pythons / sizeof *pythons; ++k) {
        (void)snprintf(command, sizeof command, "%s -c 'import scipy' 2>/dev/null", pythons[k]);
        if (system(command) == 0) {
            return pythons[k];
        }
    }
    return NULL;
}

/* The problem as raw arrays for the peer. */
static void write_problem(int handle, const crn_lcp_problem *p)
{
    FILE *file = fdopen(handle, "wb");
    if (file == NULL) {
        return;
    }
    const size_t n = (size_t)p->n, entries = (size_t)p->start[p->n];
    const int64_t sizes[2] = {p->n, p->start[p->n]};
    (void)fwrite(sizes, sizeof *sizes, 2, file);
    (void)fwrite(p->start, sizeof *p->start, n + 1, file);
    (void)fwrite(p->row, sizeof *p->row, entries, file);
    (void)fwrite(p->value, sizeof *p->value, entries, file);
    (void)fwrite(p->q, sizeof *p->q, n, file);
    for (size_t i = 0; i < n; ++i) {
        const double lower = p->lower != NULL ? p->lower[i] : 0.0;
        (void)fwrite(&lower, sizeof lower, 1, file);
    }
    for (size_t i = 0; i < n; ++i) {
        const double upper = p->upper != NULL ? p->upper[i] : INFINITY;
        (void)fwrite(&upper, sizeof upper, 1, file);
    }
    (void)fclose(file);
}

/* Start a process that writes the problem into a pipe; returns the end to read from, or -1. */
static int send_problem(const crn_lcp_problem *p, pid_t *writer)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    *writer = fork();
    if (*writer == 0) {
        (void)close(ends[0]);
        write_problem(ends[1], p);
        _exit(0);
    }
    (void)close(ends[1]);
    return ends[0];
}

/* Seconds that scipy's active set takes; infinite if it finds no answer, NaN if it could not be run. */
static double run_scipy(const char *python, const crn_lcp_problem *p, double limit)
{
    char command[512], outcome[16];
    double seconds = NAN;
    pid_t writer = -1;
    const int problem = send_problem(p, &writer);
    if (problem < 0) {
        return NAN;
    }
    (void)snprintf(command, sizeof command, "%s %s/bench/peers/scipy/active_set.py /dev/fd/%d %g 2>/dev/null", python,
                   CAIRN_SOURCE_DIR, problem, limit);
    FILE *pipe = popen(command, "r");
    if (pipe != NULL) {
        if (fscanf(pipe, "%15s %lf", outcome, &seconds) == 2 && strcmp(outcome, "ok") != 0) {
            seconds = INFINITY;
        }
        (void)pclose(pipe);
    }
    (void)close(problem);
    if (writer > 0) {
        (void)waitpid(writer, NULL, 0);
    }
    return seconds;
}

static bool run_one(const crn_gallery_sparse_kind *kind, int n, const char *python, double limit, sparse_run *run)
{
    crn_lcp_data data = {0};
    crn_error error = {CRN_OK, ""};
    if (kind->make(n, 1, &data, &error) != CRN_OK) {
        fprintf(stderr, "bench_lcp: %s: %s\n", kind->name, error.text);
        return false;
    }
    const crn_lcp_problem *p = &data.problem;
    crn_workspace workspace = {0};
    crn_lcp_solution solution = {.z = malloc((size_t)p->n * sizeof(double))};
    crn_lcp_result result = {0};
    double begin = cpu_seconds();
    crn_status status = crn_lcp_solve(p, NULL, &workspace, &solution, &result, &error);
    *run = (sparse_run){.n = p->n,
                        .seconds = cpu_seconds() - begin,
                        .certificate = result.certificate.relative,
                        .memory = (double)workspace.size / (12.0 * p->start[p->n] + 4.0 * p->n),
                        .is_solved = status == CRN_OK && result.outcome == CRN_LCP_SOLVED,
                        .method = crn_lcp_method_name(result.method),
                        .peer_seconds = NAN};
    crn_workspace_free(&workspace);
    free(solution.z);
    if (python != NULL && n <= orders[1]) {
        run->peer_seconds = run_scipy(python, p, limit);
    }
    crn_lcp_data_free(&data);
    return true;
}

/* Grids and options are where the aims about scipy and growth are. */
static bool is_grid(const crn_gallery_sparse_kind *kind)
{
    static const char *const grids[] = {"obstacle-2d", "obstacle-3d", "torsion", "bearing"};
    for (size_t k = 0; k < sizeof grids / sizeof *grids; ++k) {
        if (strcmp(kind->name, grids[k]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_option(const crn_gallery_sparse_kind *kind)
{
    return strcmp(kind->name, "put") == 0 || strcmp(kind->name, "call") == 0;
}

static void print_run(const crn_gallery_sparse_kind *kind, const sparse_run *runs, int size)
{
    const sparse_run *run = &runs[size];
    printf("  %-14s %8d %-12s %9.4f %9.1e %7.2f", kind->name, run->n, run->is_solved ? run->method : "NOT SOLVED",
           run->seconds, run->certificate, run->memory);
    if (size > 0) {
        printf(" %7.2f", log(run->seconds / runs[size - 1].seconds) / log((double)run->n / runs[size - 1].n));
    } else {
        printf(" %7s", "");
    }
    if (isfinite(run->peer_seconds)) {
        printf(" %10.3f %8.1f\n", run->peer_seconds, run->peer_seconds / run->seconds);
    } else {
        printf(" %10s %8s\n", isinf(run->peer_seconds) ? "no answer" : "-", "-");
    }
    fflush(stdout);
}

bool bench_section_sparse(const bench_options *options)
{
    int count, unsolved = 0, slow = 0, steep = 0, large = 0, lost = 0, small_gain = 0;
    const crn_gallery_sparse_kind *kind = crn_gallery_sparse_kinds(&count);
    const char *python = options->with_peers ? find_scipy() : NULL;
    printf("\n=== Sparse ===\n\nCPU seconds of `auto`, cold; memory is what the solve takes over what the matrix "
           "takes; growth is the "
           "exponent\nfrom the size before%s\n\n",
           python != NULL ? "; scipy: active set on its sparse solver, same problem, same run" : "; without scipy");
    printf("  %-14s %8s %-12s %9s %9s %7s %7s %10s %8s\n", "problem", "n", "method", "seconds", "cert", "memory",
           "growth", "scipy", "gain");
    for (int k = 0; k < count; ++k) {
        sparse_run runs[SIZES];
        for (int s = 0; s < SIZES; ++s) {
            if (!run_one(&kind[k], orders[s], python, PEER_SECONDS, &runs[s])) {
                return false;
            }
            print_run(&kind[k], runs, s);
            unsolved += !runs[s].is_solved || !(runs[s].certificate <= 1e-9);
            slow += runs[s].seconds > most_seconds;
            large += s == SIZES - 1 && runs[s].memory > most_memory;
            lost += runs[s].peer_seconds < runs[s].seconds;
            small_gain +=
                (is_grid(&kind[k]) || is_option(&kind[k])) && runs[s].peer_seconds < least_gain * runs[s].seconds;
        }
        steep += is_grid(&kind[k]) &&
                 log(runs[2].seconds / runs[1].seconds) / log((double)runs[2].n / runs[1].n) > most_exponent;
    }
    printf("\nVerdicts\n  not solved to 1e-9: %d: %s\n", unsolved, bench_verdict_name(unsolved == 0));
    printf("  longer than %g s: %d: %s\n", most_seconds, slow, bench_verdict_name(slow == 0));
    printf("  grids that grow faster than n^%g from 10^5 to 10^6: %d: %s\n", most_exponent, steep,
           bench_verdict_name(steep == 0));
    printf("  more than %g times the matrix's memory at 10^6: %d: %s\n", most_memory, large,
           bench_verdict_name(large == 0));
    if (python != NULL) {
        printf("  slower than scipy: %d: %s\n", lost, bench_verdict_name(lost == 0));
        printf("  grids and options less than %g times as fast as scipy: %d: %s\n", least_gain, small_gain,
               bench_verdict_name(small_gain == 0));
    }
    return true;
}
