/* bench_assembly.c -- assembly-disassembly of chains of hinges beside the articulated-body algorithm and the columns of the
 * square-root factor.
 *
 *     bench_assembly [--threads N] [--rounds N]
 *
 * Two tables, microseconds on the clock, fastest of all rounds (a shared machine makes others slower):
 *
 *     accelerations   crn_tree_forward(); crn_assembly_run() without handles on 1, 2, ... threads
 *     handles         Phi of h handles spread along the chain: columns of the factor and their products, Y'Y, beside
 *                     crn_assembly_run(); of the columns alone too, which is what the contact solver takes
 *
 * More than one thread needs a build with CAIRN_OPENMP and idle cores. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/tree.h>

#include "machine.h"
#include "tree/tree_room.h"

enum { THREADS_MOST = 64, HANDLES_MOST = 32 };

static const char usage[] = "bench_assembly: assembly-disassembly of chains of hinges\n"
                            "  --threads N   up to so many (2)\n"
                            "  --rounds N    calls of each (400)\n";

typedef struct options {
    int threads, rounds;
} options;

/* --- A chain and its state --- */

typedef struct chain {
    crn_tree *tree;
    double *q, *u, *acceleration;
    crn_tree_load load;
} chain;

static void *take(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    if (block == NULL) {
        (void)fprintf(stderr, "bench_assembly: no memory\n");
        exit(1);
    }
    return block;
}

/* Links of 1 kg and 0.2 m, each hinge a quarter turn further about the chain than the last. */
static chain make_chain(int links)
{
    crn_link_def *link = take((size_t)links, sizeof *link);
    crn_error error;
    chain c = {.load = {.gravity = {0.0, 0.0, -9.81}}};
    const double half = sqrt(0.5);
    for (int i = 0; i < links; ++i) {
        link[i] = crn_link_def_default();
        link[i].parent = i - 1;
        link[i].kind = CRN_JOINT_HINGE;
        link[i].frame_a = (crn_pose){{0.0, i == 0 ? 0.0 : 0.2, 0.0}, {half, 0.0, half, 0.0}};
        link[i].mass = 1.0;
        link[i].com = (crn_vec3){0.0, 0.1, 0.0};
        link[i].inertia = (crn_mat3){{0.0035, 0, 0, 0, 0.0004, 0, 0, 0, 0.0035}};
    }
    if (crn_tree_create(link, links, NULL, &c.tree, &error) != CRN_OK) {
        (void)fprintf(stderr, "bench_assembly: %s\n", error.text);
        exit(1);
    }
    free(link);
    c.q = take((size_t)links, sizeof *c.q);
    c.u = take((size_t)links, sizeof *c.u);
    c.acceleration = take((size_t)links, sizeof *c.acceleration);
    crn_random random = crn_random_seed(1);
    for (int i = 0; i < links; ++i) {
        c.q[i] = crn_random_uniform(&random, -1.0, 1.0);
        c.u[i] = crn_random_uniform(&random, -1.0, 1.0);
    }
    return c;
}

static void free_chain(chain *c)
{
    crn_tree_destroy(c->tree);
    free(c->q);
    free(c->u);
    free(c->acceleration);
}

/* --- What is timed --- */

typedef struct job {
    chain *c;
    crn_assembly *assembly;
    int threads, handles, handle[HANDLES_MOST];
    double *Y, *phi, *acceleration; /* whitened x 6 handles; (6 handles)^2; NULL: not wanted */
    bool wants_products;
} job;

static void run_forward(job *j)
{
    crn_tree_forward(j->c->tree, j->c->q, j->c->u, &j->c->load, j->c->acceleration);
}

static void run_assembly(job *j)
{
    crn_assembly_run(j->assembly, j->c->tree, j->c->q, j->c->u, &j->c->load, j->threads, j->handles > 0 ? j->phi : NULL,
                     NULL, j->acceleration);
}

/* Place, factor, six columns per handle; and Phi = Y'Y on the common path. */
static void run_columns(job *j)
{
    crn_tree *tree = j->c->tree;
    size_t n = (size_t)tree->whitened, m = 6 * (size_t)j->handles;
    crn_tree_place(tree, j->c->q);
    (void)crn_tree_factor(tree, NULL);
    for (size_t k = 0; k < m; ++k) {
        double unit[6] = {0};
        unit[k % 6] = 1.0;
        crn_tree_column(tree, j->handle[k / 6], unit, j->Y + k * n);
    }
    for (size_t k = 0; k < m && j->wants_products; ++k) {
        for (size_t l = 0; l <= k; ++l) {
            int end = j->handle[k / 6] < j->handle[l / 6] ? j->handle[k / 6] : j->handle[l / 6];
            const double *a = j->Y + k * n, *b = j->Y + l * n;
            double s[4] = {0};
            int i = 0;
            for (; i + 4 <= end + 1; i += 4) {
                for (int lane = 0; lane < 4; ++lane) {
                    s[lane] += a[i + lane] * b[i + lane];
                }
            }
            for (; i <= end; ++i) {
                s[0] += a[i] * b[i];
            }
            j->phi[k + m * l] = j->phi[l + m * k] = (s[0] + s[1]) + (s[2] + s[3]);
        }
    }
}

/* Microseconds of the fastest call. */
static double fastest(const options *o, void (*run)(job *), job *j)
{
    double best = INFINITY;
    run(j);
    for (int r = 0; r < o->rounds; ++r) {
        double start = crn_seconds();
        run(j);
        best = fmin(best, crn_seconds() - start);
    }
    return 1e6 * best;
}

static void make_assembly(job *j)
{
    crn_error error;
    if (crn_assembly_create(j->c->tree, j->handle, j->handles, NULL, &j->assembly, &error) != CRN_OK) {
        (void)fprintf(stderr, "bench_assembly: %s\n", error.text);
        exit(1);
    }
}

/* --- Tables --- */

static void print_accelerations(const options *o)
{
    static const int sizes[] = {25, 100, 400, 1000, 4000};
    printf("\naccelerations, us\n  hinges  articulated bodies   assembly on 1");
    for (int t = 2; t <= o->threads; t *= 2) {
        printf("%8d", t);
    }
    printf(" threads   1/articulated   1/%d\n", o->threads);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        chain c = make_chain(sizes[s]);
        job j = {.c = &c, .acceleration = c.acceleration};
        make_assembly(&j);
        double forward = fastest(o, run_forward, &j), one = 0.0, last = 0.0;
        printf("%8d%20.1f", sizes[s], forward);
        for (j.threads = 1; j.threads <= o->threads; j.threads *= 2) {
            last = fastest(o, run_assembly, &j);
            one = j.threads == 1 ? last : one;
            printf(j.threads == 1 ? "%16.1f" : "%8.1f", last);
        }
        printf("%24.2f%8.2f\n", one / forward, one / last);
        crn_assembly_destroy(j.assembly);
        free_chain(&c);
    }
}

static void print_handles(const options *o)
{
    static const int sizes[] = {7, 25, 100, 400, 1000}, handles[] = {1, 2, 5, 10, 20};
    printf("\nPhi of handles, us\n  hinges  handles   columns   with products   assembly on 1       %d threads\n",
           o->threads);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        chain c = make_chain(sizes[s]);
        for (size_t h = 0; h < sizeof handles / sizeof *handles && handles[h] <= sizes[s]; ++h) {
            size_t m = 6 * (size_t)handles[h];
            job j = {.c = &c, .threads = 1, .handles = handles[h]};
            for (int k = 0; k < j.handles; ++k) {
                j.handle[k] = (k + 1) * sizes[s] / j.handles - 1;
            }
            j.Y = take(m * (size_t)sizes[s], sizeof *j.Y);
            j.phi = take(m * m, sizeof *j.phi);
            make_assembly(&j);
            double columns = fastest(o, run_columns, &j);
            j.wants_products = true;
            double products = fastest(o, run_columns, &j), one = fastest(o, run_assembly, &j);
            j.threads = o->threads;
            printf("%8d%9d%10.1f%16.1f%16.1f%16.1f\n", sizes[s], j.handles, columns, products, one,
                   fastest(o, run_assembly, &j));
            crn_assembly_destroy(j.assembly);
            free(j.Y);
            free(j.phi);
        }
        free_chain(&c);
    }
}

static int number_after(int argc, char **argv, int *i, int most)
{
    int value = *i + 1 < argc ? atoi(argv[*i + 1]) : 0;
    if (value < 1 || value > most) {
        (void)fprintf(stderr, "bench_assembly: %s needs a number from 1 to %d\n", argv[*i], most);
        exit(2);
    }
    ++*i;
    return value;
}

int main(int argc, char **argv)
{
    options o = {.threads = 2, .rounds = 400};
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--threads") == 0) {
            o.threads = number_after(argc, argv, &i, THREADS_MOST);
        } else if (strcmp(argv[i], "--rounds") == 0) {
            o.rounds = number_after(argc, argv, &i, 1000000);
        } else {
            printf("%s", usage);
            return strcmp(argv[i], "--help") == 0 ? 0 : 2;
        }
    }
    printf("%s, %s\n", bench_machine_cpu(), bench_machine_compiler());
    print_accelerations(&o);
    print_handles(&o);
    return 0;
}
