/* section_sparse.c -- large sparse problems: time, certificate, growth with n, memory, beside an active set on scipy. */
#include "sections.h"

#include "gallery_sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 3 };
static const int orders[SIZES] = {10000, 100000, 1000000};
static const double most_seconds = 30.0, most_exponent = 1.5, least_gain = 5.0, most_memory = 3.0;

/* One problem by us and by scipy. */
typedef struct sparse_run {
    int n;
    double seconds, certificate, memory; /* CPU; relative; bytes taken over those of the matrix */
    bool is_solved;
    const char *method;
    double peer_seconds; /* NaN: it did not end, or is not installed */
} sparse_run;

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool has_scipy(void)
{
    return system("python3 -c 'import scipy' 2>/dev/null") == 0;
}

/* The problem as raw arrays for the peer. */
static bool write_problem(const char *path, const crn_lcp_problem *p)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    const size_t n = (size_t)p->n, entries = (size_t)p->start[p->n];
    const int64_t sizes[2] = {p->n, p->start[p->n]};
    (void)fwrite(sizes, sizeof *sizes, 2, file);
    (void)fwrite(p->start, sizeof *p->start, n + 1, file);
    (void)fwrite(p->row, sizeof *p->row, entries, file);
    (void)fwrite(p->value, sizeof *p->value, entries, file);
    (void)fwrite(p->q, sizeof *p->q, n, file);
    for (int side = 0; side < 2; ++side) {
        const double *bound = side == 0 ? p->lower : p->upper, none = side == 0 ? 0.0 : INFINITY;
        for (size_t i = 0; i < n; ++i) {
            (void)fwrite(bound != NULL ? &bound[i] : &none, sizeof none, 1, file);
        }
    }
    bool is_good = !ferror(file);
    return fclose(file) == 0 && is_good;
}

/* Seconds that scipy's active set takes; NaN if it does not end. */
static double run_scipy(const crn_lcp_problem *p, double limit)
{
    char path[] = "/tmp/bench_sparse_XXXXXX", command[512], outcome[16];
    double seconds = NAN;
    int handle = mkstemp(path);
    if (handle < 0 || close(handle) != 0 || !write_problem(path, p)) {
        return NAN;
    }
    (void)snprintf(command, sizeof command, "python3 %s/bench/peers/scipy/active_set.py %s %g 2>/dev/null",
                   CAIRN_SOURCE_DIR, path, limit);
    FILE *pipe = popen(command, "r");
    if (pipe != NULL) {
        if (fscanf(pipe, "%15s %lf", outcome, &seconds) != 2 || strcmp(outcome, "ok") != 0) {
            seconds = NAN;
        }
        (void)pclose(pipe);
    }
    (void)remove(path);
    return seconds;
}

static bool run_one(const crn_gallery_sparse_kind *kind, int n, bool with_scipy, double limit, sparse_run *run)
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
    if (with_scipy && n <= orders[1]) {
        run->peer_seconds = run_scipy(p, limit);
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
        printf(" %10s %8s\n", "-", "-");
    }
    fflush(stdout);
}

bool bench_section_sparse(const bench_options *options)
{
    int count, unsolved = 0, slow = 0, steep = 0, large = 0, lost = 0, small_gain = 0;
    const crn_gallery_sparse_kind *kind = crn_gallery_sparse_kinds(&count);
    const bool with_scipy = options->with_peers && has_scipy();
    printf("\n=== Sparse ===\n\nCPU seconds of `auto`, cold; memory is what the solve takes over what the matrix "
           "takes; growth is the "
           "exponent\nfrom the size before%s\n\n",
           with_scipy ? "; scipy: active set on its sparse solver, same problem, same run" : "; without scipy");
    printf("  %-14s %8s %-12s %9s %9s %7s %7s %10s %8s\n", "problem", "n", "method", "seconds", "cert", "memory",
           "growth", "scipy", "gain");
    for (int k = 0; k < count; ++k) {
        sparse_run runs[SIZES];
        for (int s = 0; s < SIZES; ++s) {
            if (!run_one(&kind[k], orders[s], with_scipy, 60.0, &runs[s])) {
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
    if (with_scipy) {
        printf("  slower than scipy: %d: %s\n", lost, bench_verdict_name(lost == 0));
        printf("  grids and options less than %g times as fast as scipy: %d: %s\n", least_gain, small_gain,
               bench_verdict_name(small_gain == 0));
    }
    return true;
}
