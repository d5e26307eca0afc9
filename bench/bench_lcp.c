/* bench_lcp.c -- our methods and the peers on the families of the gallery: success, speed, warm start, invariance. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "sections.h"
#include "thread.h"

static void print_head(const bench_options *options)
{
    printf("machine   %s\ncompiler  %s\ncairn     %s\n", bench_machine_cpu(), bench_machine_compiler(), crn_version());
    for (int k = 0; options->with_peers && k < bench_peer_count(); ++k) {
        printf("peer      %s %s\n", bench_peer_at(k)->name, bench_peer_at(k)->version);
    }
    if (options->with_peers && bench_peer_count() == 0) {
        printf("peers     none found when this was built\n");
    }
    printf("settings  seeds");
    for (int k = 0; k < options->seed_count; ++k) {
        printf(" %llu", (unsigned long long)options->seeds[k]);
    }
    printf(", median of %d solves, %.1f s a solve, certificates 1e-9 (peers 1e-6)\n", options->repeat,
           options->time_limit);
    fflush(stdout);
}

static bool write_csv(const bench_results *results, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "bench_lcp: cannot write %s\n", path);
        return false;
    }
    bench_results_write(results, file);
    return fclose(file) == 0;
}

/* Success and speed read the same runs. */
static bool tables(const bench_options *options)
{
    bench_results results;
    bool with_success = options->sections & BENCH_SUCCESS;
    bool is_ok = bench_results_collect(options, with_success ? bench_print_family : NULL, &results);
    if (is_ok && with_success) {
        bench_section_success(&results);
    }
    if (is_ok && (options->sections & BENCH_SPEED)) {
        bench_section_speed(&results);
    }
    if (is_ok && options->csv) {
        is_ok = write_csv(&results, options->csv);
    }
    bench_results_free(&results);
    return is_ok;
}

int main(int argc, char **argv)
{
    bench_options options = bench_options_default();
    int exit_code = 0;
    if (!bench_options_read(argc, argv, &options, &exit_code)) {
        return exit_code;
    }
    if (options.family && !crn_gallery_find(options.family)) {
        fprintf(stderr, "bench_lcp: no family %s\n", options.family);
        return 2;
    }
    bench_use_one_thread(argv);
    print_head(&options);
    bool is_ok = !(options.sections & (BENCH_SUCCESS | BENCH_SPEED)) || tables(&options);
    if (is_ok && (options.sections & BENCH_WARM)) {
        is_ok = bench_section_warm(&options);
    }
    if (is_ok && (options.sections & BENCH_INVARIANCE)) {
        is_ok = bench_section_invariance(&options);
    }
    if (is_ok && (options.sections & BENCH_SPARSE)) {
        is_ok = bench_section_sparse(&options);
    }
    if (is_ok && (options.sections & BENCH_PROOFS)) {
        is_ok = bench_section_proofs(&options);
    }
    if (is_ok && (options.sections & BENCH_RANDOM)) {
        is_ok = bench_section_random(&options);
    }
    return is_ok ? 0 : 1;
}
