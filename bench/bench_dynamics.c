/* bench_dynamics.c -- forward dynamics of chains of hinges: accelerations from angles, speeds and torques.
 *
 *     bench_dynamics [--links N] [--rounds N] [--csv FILE]
 *
 * Everybody gets the same chain and the same states; setting the state is part of the time, building the model is not. First
 * the accelerations of all states are compared with ours: who differs by more than 1e-8 of the largest is marked. Then
 * everybody's turn comes round after round, and the fastest batch of calls counts: a shared machine makes others slower, by
 * more than these differ. Times are processor time of the thread.
 *
 * Aims: at most 0.2 us a joint, the fastest at every size, and time that grows with the number of joints to at most the power
 * 1.05, from the smallest size to the largest. */
#include "bench_dynamics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/base.h>

#include "machine.h"
#include "thread.h"

static const char usage[] = "bench_dynamics: accelerations of chains of hinges\n"
                            "  --links N     this size only (7, 25, 50, 100, 200, 1000)\n"
                            "  --rounds N    batches of calls of each (40)\n"
                            "  --csv FILE    write the figures there too\n";

static const int sizes[] = {7, 25, 50, 100, 200, 1000};
enum { SIZES = sizeof sizes / sizeof *sizes, ENTRANTS_MOST = 8 };

static const double agree_below = 1e-8; /* of the largest acceleration */
static const double aim_joint = 0.2e-6; /* seconds */
static const double aim_growth = 1.05;
static const double batch_seconds = 2e-3; /* long beside the clock's resolution */

typedef struct options {
    int links, rounds;
    FILE *csv;
} options;

/* An entrant in one chain. */
typedef struct entrant {
    const bench_chain_peer *peer;
    void *model;
    int batch;           /* calls */
    double seconds;      /* of a call; not-a-number: not timed */
    double disagreement; /* largest, relative */
} entrant;

/* --- One size --- */

static void call(const entrant *e, const bench_chain_problem *p, int state, double *a)
{
    size_t from = (size_t)state * (size_t)p->chain.links;
    e->peer->accelerate(e->model, p->q + from, p->u + from, p->torque + from, a);
}

/* The largest difference from ours over all states, relative to the largest acceleration of the state. */
static double disagreement(const entrant *ours, const entrant *other, const bench_chain_problem *p, double *a,
                           double *b)
{
    double worst = 0.0;
    for (int s = 0; s < BENCH_CHAIN_STATES; ++s) {
        double largest = 0.0, gap = 0.0;
        call(ours, p, s, a);
        call(other, p, s, b);
        for (int i = 0; i < p->chain.links; ++i) {
            largest = fmax(largest, fabs(a[i]));
            gap = fmax(gap, fabs(a[i] - b[i]));
            gap = isfinite(b[i]) ? gap : INFINITY;
        }
        worst = fmax(worst, gap / largest);
    }
    return worst;
}

static double batch(const entrant *e, const bench_chain_problem *p, double *a)
{
    double start = bench_thread_seconds();
    for (int k = 0; k < e->batch; ++k) {
        call(e, p, k % BENCH_CHAIN_STATES, a);
    }
    return (bench_thread_seconds() - start) / e->batch;
}

static void measure(entrant *e, int count, const bench_chain_problem *p, int rounds, double *a)
{
    for (int k = 0; k < count; ++k) {
        e[k].batch = 1;
        e[k].seconds = e[k].model ? batch(&e[k], p, a) : (double)NAN;
        for (; e[k].batch * e[k].seconds < batch_seconds; e[k].batch *= 2) {
            e[k].seconds = fmin(e[k].seconds, batch(&e[k], p, a));
        }
    }
    for (int r = 0; r < rounds; ++r) {
        for (int k = 0; k < count; ++k) {
            if (!isnan(e[k].seconds)) {
                e[k].seconds = fmin(e[k].seconds, batch(&e[k], p, a));
            }
        }
    }
}

/* Ours first, then who is installed. */
static int enter(entrant *e, const bench_chain *chain)
{
    int count = 1;
    e[0] = (entrant){.peer = &bench_chain_cairn};
    for (int k = 0; k < bench_chain_known_count(); ++k) {
        bench_chain_known known = bench_chain_known_at(k);
        if (known.peer) {
            e[count++] = (entrant){.peer = known.peer};
        }
    }
    for (int k = 0; k < count; ++k) {
        e[k].model = e[k].peer->create(chain);
        e[k].disagreement = e[k].model ? 0.0 : (double)INFINITY;
    }
    return count;
}

static const char *version_of(const bench_chain_peer *peer)
{
    return peer->version ? peer->version : crn_version();
}

static void print_line(const options *o, const entrant *e, const entrant *ours, int links)
{
    double joint = 1e9 * e->seconds / links;
    printf("%6d  %-8s %11.3f %11.1f %9.2f %12.1e%s\n", links, e->peer->name, 1e6 * e->seconds, joint,
           e->seconds / ours->seconds, e->disagreement,
           !e->model                       ? "  no model"
           : e->disagreement > agree_below ? "  differs"
                                           : "");
    if (o->csv) {
        fprintf(o->csv, "\"%s\",\"%s\",%s,%s,%d,%.6g,%.6g,%.3g\n", bench_machine_cpu(), bench_machine_compiler(),
                e->peer->name, version_of(e->peer), links, 1e6 * e->seconds, joint, e->disagreement);
    }
}

/* false: no memory, or ours failed. *seconds: ours; *is_fastest: of those that were timed. */
static bool run_size(const options *o, int links, double *seconds, bool *is_fastest)
{
    bench_chain_problem p = {0};
    entrant e[ENTRANTS_MOST];
    double *a = calloc((size_t)links, sizeof *a), *b = calloc((size_t)links, sizeof *b);
    bool is_ok = bench_chain_make(links, (uint64_t)links, &p) && a && b;
    int count = is_ok ? enter(e, &p.chain) : 0;
    is_ok = is_ok && e[0].model;
    for (int k = 1; k < count && is_ok; ++k) {
        e[k].disagreement = e[k].model ? disagreement(&e[0], &e[k], &p, a, b) : e[k].disagreement;
    }
    if (is_ok) {
        measure(e, count, &p, o->rounds, a);
        *seconds = e[0].seconds;
        *is_fastest = true;
        for (int k = 0; k < count; ++k) {
            print_line(o, &e[k], &e[0], links);
            *is_fastest = *is_fastest && !(e[k].seconds < e[0].seconds);
        }
        fflush(stdout);
    }
    for (int k = 0; k < count; ++k) {
        if (e[k].model) {
            e[k].peer->destroy(e[k].model);
        }
    }
    bench_chain_free(&p);
    free(a);
    free(b);
    return is_ok;
}

/* --- The program --- */

static void print_head(void)
{
    printf("%s, %s; thread CPU time\n", bench_machine_cpu(), bench_machine_compiler());
    printf("Cairn %s: %s\n", crn_version(), bench_chain_cairn.method);
    for (int k = 0; k < bench_chain_known_count(); ++k) {
        bench_chain_known known = bench_chain_known_at(k);
        printf("%s %s: %s\n", known.name, known.peer ? known.peer->version : "",
               known.peer ? known.peer->method : "not installed");
    }
    printf("\n%6s  %-8s %11s %11s %9s %12s\n", "links", "library", "call [us]", "joint [ns]", "to ours", "differs by");
}

static void print_aims(const double *seconds, const bool *is_fastest)
{
    double worst = 0.0;
    bool is_first = true;
    for (int s = 0; s < SIZES; ++s) {
        worst = fmax(worst, seconds[s] / sizes[s]);
        is_first = is_first && is_fastest[s];
    }
    double growth = log(seconds[SIZES - 1] / seconds[0]) / log((double)sizes[SIZES - 1] / sizes[0]);
    printf("\nworst %.3f us a joint, aim %.1f: %s\n", 1e6 * worst, 1e6 * aim_joint,
           worst <= aim_joint ? "met" : "MISSED");
    printf("fastest at every size: %s\n", is_first ? "met" : "MISSED");
    printf("time grows as joints to the power %.3f, aim %.2f: %s\n", growth, aim_growth,
           growth <= aim_growth ? "met" : "MISSED");
}

static bool run(const options *o)
{
    double seconds[SIZES] = {0};
    bool is_fastest[SIZES] = {false};
    print_head();
    if (o->csv) {
        fputs("machine,compiler,library,version,links,call_us,joint_ns,differs\n", o->csv);
    }
    for (int s = 0; s < SIZES; ++s) {
        if ((o->links == 0 || o->links == sizes[s]) && !run_size(o, sizes[s], &seconds[s], &is_fastest[s])) {
            fprintf(stderr, "bench_dynamics: a chain of %d links failed\n", sizes[s]);
            return false;
        }
    }
    if (o->links == 0) {
        print_aims(seconds, is_fastest);
    }
    return true;
}

/* -1: go on; else the program's exit code. */
static int read_options(int argc, char **argv, options *o, const char **csv)
{
    for (int k = 1; k < argc; k += 2) {
        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        const char *value = k + 1 < argc ? argv[k + 1] : "";
        if (strcmp(argv[k], "--links") == 0 && atoi(value) > 0) {
            o->links = atoi(value);
        } else if (strcmp(argv[k], "--rounds") == 0 && atoi(value) > 0) {
            o->rounds = atoi(value);
        } else if (strcmp(argv[k], "--csv") == 0 && *value) {
            *csv = value;
        } else {
            fprintf(stderr, "bench_dynamics: bad argument %s %s\n%s", argv[k], value, usage);
            return 2;
        }
    }
    return -1;
}

int main(int argc, char **argv)
{
    options o = {.rounds = 40};
    const char *csv = NULL;
    int exit_code = read_options(argc, argv, &o, &csv);
    if (exit_code >= 0) {
        return exit_code;
    }
    bench_use_one_thread(argv);
    o.csv = csv ? fopen(csv, "w") : NULL;
    if (csv && !o.csv) {
        perror(csv);
        return 2;
    }
    bool is_ok = run(&o);
    is_ok = (!o.csv || fclose(o.csv) == 0) && is_ok;
    return is_ok ? 0 : 1;
}
