/* bench_contact.c -- contact problems by contact states: success, speed, random and nearly repeated contacts. */
#include "bench_contact.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "peers/peer.h"
#include "thread.h"

static const char usage[] =
    "bench_contact: contact states on the contact families of the gallery\n"
    "  --family NAME       only this family (success, speed)\n"
    "  --seeds a,b,c       seeds of the families (1,2,3,4,5,6; speed uses the first three)\n"
    "  --count N           problems per seed (the family's own number)\n"
    "  --repeat N          solves whose median is the time of a problem (5)\n"
    "  --time-limit S      seconds that a single solve of a peer may take (2)\n"
    "  --budget S          seconds that a peer gets for a family (6)\n"
    "  --random N          problems of the section on random contacts (100000)\n"
    "  --near N            problems of each misalignment (10000)\n"
    "  --classes N         problems of each of 14 classes, with each cone (3600: 100800 in all)\n"
    "  --no-peers          ours only\n"
    "  --section NAME      success, speed, random, near, classes or all (all); may be given more than once\n"
    "  --csv FILE          write the figures there too\n";

static bool read_section(const char *text, unsigned *sections)
{
    static const char *const names[] = {"success", "speed", "random", "near", "classes"};
    const unsigned count = sizeof names / sizeof *names;
    if (strcmp(text, "all") == 0) {
        *sections |= (1u << count) - 1u;
        return true;
    }
    for (unsigned k = 0; k < count; ++k) {
        if (strcmp(text, names[k]) == 0) {
            *sections |= 1u << k;
            return true;
        }
    }
    return false;
}

static bool read_pair(const char *name, const char *value, bench_contact_options *options)
{
    if (strcmp(name, "--section") == 0) {
        return read_section(value, &options->sections);
    }
    if (strcmp(name, "--random") == 0) {
        return bench_read_int(value, 1, &options->random_count);
    }
    if (strcmp(name, "--near") == 0) {
        return bench_read_int(value, 1, &options->near_count);
    }
    if (strcmp(name, "--classes") == 0) {
        return bench_read_int(value, 1, &options->class_count);
    }
    return bench_options_pair(name, value, &options->common);
}

/* false: a message was printed, or the help; *exit_code says how to end. */
static bool read_options(int argc, char **argv, bench_contact_options *options, int *exit_code)
{
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            return false;
        }
        if (strcmp(argv[k], "--no-peers") == 0) {
            options->common.with_peers = false;
        } else if (k + 1 < argc && read_pair(argv[k], argv[k + 1], options)) {
            ++k;
        } else {
            fprintf(stderr, "bench_contact: bad argument %s %s\n%s", argv[k], k + 1 < argc ? argv[k + 1] : "", usage);
            *exit_code = 2;
            return false;
        }
    }
    if (options->sections == 0) {
        (void)read_section("all", &options->sections);
    }
    const crn_gallery_family *family = options->common.family ? crn_gallery_find(options->common.family) : NULL;
    if (options->common.family && (!family || !family->make_contact)) {
        fprintf(stderr, "bench_contact: no contact family %s\n", options->common.family);
        *exit_code = 2;
        return false;
    }
    return true;
}

static bool open_csv(bench_contact_options *options)
{
    if (!options->common.csv) {
        return true;
    }
    options->csv = fopen(options->common.csv, "w");
    if (!options->csv) {
        fprintf(stderr, "bench_contact: cannot write %s\n", options->common.csv);
        return false;
    }
    fprintf(options->csv, "machine,compiler,section,family,figure,value\n");
    return true;
}

void bench_contact_note(const bench_contact_options *options, const char *section, const char *family,
                        const char *figure, double value)
{
    if (options->csv) {
        fprintf(options->csv, "\"%s\",\"%s\",%s,\"%s\",%s,%.6g\n", bench_machine_cpu(), bench_machine_compiler(),
                section, family, figure, value);
    }
}

static void print_head(const bench_contact_options *options)
{
    printf("machine   %s\ncompiler  %s\ncairn     %s\n", bench_machine_cpu(), bench_machine_compiler(), crn_version());
    printf("settings  seeds");
    for (int k = 0; k < options->common.seed_count; ++k) {
        printf(" %llu", (unsigned long long)options->common.seeds[k]);
    }
    printf(", median of %d solves, certificates 1e-9 (peers 1e-6), %d peers\n", options->common.repeat,
           options->common.with_peers ? bench_peer_count() : 0);
    fflush(stdout);
}

static bool run_sections(const bench_contact_options *options)
{
    return (!(options->sections & BENCH_CONTACT_SUCCESS) || bench_contact_success(options)) &&
           (!(options->sections & BENCH_CONTACT_SPEED) || bench_contact_speed(options)) &&
           (!(options->sections & BENCH_CONTACT_RANDOM) || bench_contact_random(options)) &&
           (!(options->sections & BENCH_CONTACT_NEAR) || bench_contact_near(options)) &&
           (!(options->sections & BENCH_CONTACT_CLASSES) || bench_contact_classes(options));
}

int main(int argc, char **argv)
{
    bench_contact_options options = {
        .common = bench_options_default(), .random_count = 100000, .near_count = 10000, .class_count = 3600};
    int exit_code = 0;
    options.common.seed_count = 6;
    for (int k = 0; k < 6; ++k) {
        options.common.seeds[k] = (uint64_t)k + 1;
    }
    if (!read_options(argc, argv, &options, &exit_code)) {
        return exit_code;
    }
    bench_use_one_thread(argv);
    if (!open_csv(&options)) {
        return 1;
    }
    print_head(&options);
    bool is_ok = run_sections(&options);
    is_ok = (!options.csv || fclose(options.csv) == 0) && is_ok;
    return is_ok ? 0 : 1;
}
