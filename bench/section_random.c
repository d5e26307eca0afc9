/* section_random.c -- many small random problems of 18 classes, and fresh chains; what is claimed is judged here, by nothing that
 * the library has: residuals in long double, Farkas vectors multiplied out, and every choice of sides tried where it is said that
 * none has a solution. */
#include "sections.h"

#include "gallery.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ORDER_MOST = 10, CHAINS = 1000, CHAINS_FROM = 16 };
static const double most_chain_ms = 4.0;
/* A claim is false if a row misses by more than this part of its terms and, where the data have size 1, than rounding errors of
 * those: a row all of whose terms are 1e-17 misses by as much. */
static const long double MISS = 1e-7L, NOISE = 1e-12L;
/* Seconds after which a solve of this size hangs. */
static const double HANG = 5.0;

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- drawing --- */

typedef struct drawn {
    int n;
    double M[ORDER_MOST * ORDER_MOST], q[ORDER_MOST], lower[ORDER_MOST], upper[ORDER_MOST];
    bool is_solvable; /* for certain */
    bool has_units;   /* rows and columns have units of their own, else all data are of size 1 */
    crn_random random;
} drawn;

static double *at(drawn *d, int i, int j)
{
    return &d->M[i + j * d->n];
}

static double normal(drawn *d)
{
    return crn_random_normal(&d->random);
}

static double positive(drawn *d)
{
    return crn_random_uniform(&d->random, 0.1, 1.0);
}

static void fill_normal(drawn *d)
{
    for (int e = 0; e < d->n * d->n; ++e) {
        d->M[e] = normal(d);
    }
}

/* M = B'B of that rank, plus `diagonal` times the identity. */
static void fill_gram(drawn *d, int rank, double diagonal)
{
    double B[ORDER_MOST * ORDER_MOST];
    for (int e = 0; e < rank * d->n; ++e) {
        B[e] = normal(d);
    }
    for (int i = 0; i < d->n; ++i) {
        for (int j = 0; j < d->n; ++j) {
            double sum = i == j ? diagonal : 0.0;
            for (int k = 0; k < rank; ++k) {
                sum += B[k + i * rank] * B[k + j * rank];
            }
            *at(d, i, j) = sum;
        }
    }
}

static void add_skew(drawn *d)
{
    for (int i = 0; i < d->n; ++i) {
        for (int j = 0; j < i; ++j) {
            double v = normal(d);
            *at(d, i, j) += v;
            *at(d, j, i) -= v;
        }
    }
}

/* Off-diagonal entries as drawn, a diagonal that outweighs its row. */
static void dominate(drawn *d)
{
    for (int i = 0; i < d->n; ++i) {
        double sum = 0.1;
        for (int j = 0; j < d->n; ++j) {
            sum += i != j ? fabs(*at(d, i, j)) : 0.0;
        }
        *at(d, i, i) = sum;
    }
}

/* q such that a drawn z >= 0 with half of its entries 0 is a solution. */
static void plant(drawn *d)
{
    double z[ORDER_MOST];
    for (int i = 0; i < d->n; ++i) {
        bool is_basic = crn_random_below(&d->random, 2) == 0;
        z[i] = is_basic ? positive(d) : 0.0;
        d->q[i] = is_basic ? 0.0 : positive(d);
    }
    for (int j = 0; j < d->n; ++j) {
        for (int i = 0; i < d->n; ++i) {
            d->q[i] -= *at(d, i, j) * z[j];
        }
    }
    d->is_solvable = true;
}

static void draw_p(drawn *d)
{
    fill_normal(d);
    dominate(d);
    d->is_solvable = true;
}

static void draw_definite(drawn *d)
{
    fill_gram(d, d->n, 0.01);
    d->is_solvable = true;
}

static void draw_semidefinite(drawn *d)
{
    fill_gram(d, d->n > 1 ? d->n / 2 : 1, 0.0);
    plant(d);
}

static void draw_semidefinite_any(drawn *d)
{
    fill_gram(d, d->n > 1 ? d->n / 2 : 1, 0.0);
}

static void draw_monotone(drawn *d)
{
    fill_gram(d, d->n, 0.1);
    add_skew(d);
    d->is_solvable = true;
}

static void draw_skew(drawn *d)
{
    memset(d->M, 0, sizeof d->M);
    add_skew(d);
    plant(d);
}

static void draw_m_matrix(drawn *d)
{
    for (int e = 0; e < d->n * d->n; ++e) {
        d->M[e] = -positive(d);
    }
    dominate(d);
    d->is_solvable = true;
}

static void draw_positive(drawn *d)
{
    for (int e = 0; e < d->n * d->n; ++e) {
        d->M[e] = positive(d);
    }
    d->is_solvable = true; /* strictly copositive */
}

static void draw_copositive(drawn *d)
{
    for (int e = 0; e < d->n * d->n; ++e) {
        d->M[e] = crn_random_below(&d->random, 2) == 0 ? 0.0 : positive(d);
    }
    plant(d);
}

static void draw_game(drawn *d)
{
    d->n = d->n > 1 ? d->n / 2 * 2 : 2;
    memset(d->M, 0, sizeof d->M);
    for (int i = 0; i < d->n / 2; ++i) {
        for (int j = d->n / 2; j < d->n; ++j) {
            *at(d, i, j) = positive(d);
            *at(d, j, i) = positive(d);
        }
    }
    for (int i = 0; i < d->n; ++i) {
        d->q[i] = -1.0;
    }
    d->is_solvable = true;
}

/* [P -A'; A 0] with a point that is optimal. */
static void draw_programme(drawn *d)
{
    const int m = d->n / 2;
    fill_gram(d, d->n - m, 0.0);
    for (int i = d->n - m; i < d->n; ++i) {
        for (int j = 0; j < d->n; ++j) {
            double v = j < d->n - m ? normal(d) : 0.0;
            *at(d, i, j) = v;
            *at(d, j, i) = -v;
        }
    }
    plant(d);
}

static void draw_box(drawn *d)
{
    for (int i = 0; i < d->n; ++i) {
        d->lower[i] = -positive(d);
        d->upper[i] = positive(d);
    }
    d->is_solvable = true; /* continuous on a compact set */
}

static void draw_box_definite(drawn *d)
{
    fill_gram(d, d->n, 0.01);
    draw_box(d);
}

static void draw_box_any(drawn *d)
{
    fill_normal(d);
    draw_box(d);
}

static void draw_mixed(drawn *d)
{
    draw_monotone(d);
    for (int i = 0; i < d->n; i += 2) {
        d->lower[i] = -INFINITY;
    }
}

/* Small integers: ties, zeros, singular blocks, with and without solutions. */
static void draw_integer(drawn *d)
{
    for (int e = 0; e < d->n * d->n; ++e) {
        d->M[e] = crn_random_below(&d->random, 5) - 2;
    }
    for (int i = 0; i < d->n; ++i) {
        d->q[i] = crn_random_below(&d->random, 5) - 2;
    }
}

static void draw_units(drawn *d)
{
    draw_definite(d);
    d->has_units = true;
    for (int i = 0; i < d->n; ++i) {
        const double r = ldexp(1.0, crn_random_below(&d->random, 41) - 20),
                     c = ldexp(1.0, crn_random_below(&d->random, 41) - 20);
        d->q[i] *= r;
        for (int j = 0; j < d->n; ++j) {
            *at(d, i, j) *= r;
            *at(d, j, i) *= c;
        }
    }
}

static void draw_planted(drawn *d)
{
    fill_normal(d);
    plant(d);
}

static void draw_bad_row(drawn *d)
{
    fill_normal(d);
    const int i = crn_random_below(&d->random, d->n);
    for (int j = 0; j < d->n; ++j) {
        *at(d, i, j) = -positive(d);
    }
    d->q[i] = -positive(d);
}

static const struct {
    const char *name;
    void (*draw)(drawn *d);
} classes[] = {
    {"P, dominant", draw_p},
    {"definite", draw_definite},
    {"semidefinite, planted", draw_semidefinite},
    {"semidefinite, any q", draw_semidefinite_any},
    {"monotone", draw_monotone},
    {"skew, planted", draw_skew},
    {"M-matrix", draw_m_matrix},
    {"positive", draw_positive},
    {"nonnegative, planted", draw_copositive},
    {"bimatrix game", draw_game},
    {"QP, planted", draw_programme},
    {"box, definite", draw_box_definite},
    {"box, no class", draw_box_any},
    {"free variables", draw_mixed},
    {"small integers", draw_integer},
    {"random units", draw_units},
    {"no class, planted", draw_planted},
    {"a row that cannot be", draw_bad_row},
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

static void draw(int kind, uint64_t seed, drawn *d)
{
    memset(d, 0, sizeof *d);
    d->random = crn_random_seed(seed);
    d->n = 1 + crn_random_below(&d->random, ORDER_MOST);
    for (int i = 0; i < ORDER_MOST; ++i) {
        d->q[i] = normal(d);
        d->upper[i] = INFINITY;
    }
    classes[kind].draw(d);
}

/* --- the judge --- */

/* Does z solve the problem? w_i may miss 0 by MISS of the sum of its terms, or by NOISE where data are of size 1, and z_i its
 * bound by what changes w_i as little. */
static bool is_solution(const drawn *d, const long double *z)
{
    for (int i = 0; i < d->n; ++i) {
        long double w = d->q[i], size = fabsl(w), reach = 0.0L;
        for (int j = 0; j < d->n; ++j) {
            const long double m = d->M[i + j * d->n];
            w += m * z[j];
            size += fabsl(m * z[j]);
            reach = fmaxl(reach, fabsl(m));
        }
        const long double noise = d->has_units ? 0.0L : NOISE, allowed = MISS * size + noise,
                          unit = reach > 0.0L ? reach : 1.0L;
        const long double distance = w > 0.0L ? z[i] - d->lower[i] : d->upper[i] - z[i];
        const bool is_out = (d->lower[i] - z[i]) * unit > allowed || (z[i] - d->upper[i]) * unit > allowed;
        if (is_out || (fabsl(w) > allowed && distance * unit > allowed)) {
            return false;
        }
    }
    return true;
}

/* Is y a Farkas vector, M'y to MISS of its terms? */
static bool is_farkas(const drawn *d, const double *y)
{
    long double value = 0.0L, scale = 0.0L;
    for (int i = 0; i < d->n; ++i) {
        const bool may_rise = isfinite(d->lower[i]), may_fall = isfinite(d->upper[i]);
        if ((may_rise && y[i] < 0.0) || (may_fall && y[i] > 0.0)) {
            return false;
        }
        value += (long double)y[i] * d->q[i];
        scale += fabsl((long double)y[i] * d->q[i]);
    }
    for (int j = 0; j < d->n; ++j) {
        long double v = 0.0L, size = 0.0L;
        for (int i = 0; i < d->n; ++i) {
            v += (long double)d->M[i + j * d->n] * y[i];
            size += fabsl((long double)d->M[i + j * d->n] * y[i]);
        }
        const double best = v > 0.0L ? d->upper[j] : d->lower[j];
        if (isfinite(best)) {
            value += v * best;
        } else if (fabsl(v) > MISS * size) {
            return false;
        }
    }
    return value < -MISS * scale;
}

/* Solve the equations of the basic rows by elimination with complete pivoting; false if they are singular. */
static bool solve_block(const drawn *d, const bool *is_basic, long double *z)
{
    int index[ORDER_MOST], k = 0;
    long double a[ORDER_MOST][ORDER_MOST + 1];
    for (int i = 0; i < d->n; ++i) {
        index[k] = i;
        k += is_basic[i];
    }
    for (int r = 0; r < k; ++r) {
        for (int c = 0; c < k; ++c) {
            a[r][c] = d->M[index[r] + index[c] * d->n];
        }
        a[r][k] = -d->q[index[r]];
    }
    for (int s = 0; s < k; ++s) {
        int row = s;
        for (int r = s; r < k; ++r) {
            row = fabsl(a[r][s]) > fabsl(a[row][s]) ? r : row;
        }
        if (fabsl(a[row][s]) < 1e-12L) {
            return false;
        }
        for (int c = 0; c <= k; ++c) {
            const long double kept = a[s][c];
            a[s][c] = a[row][c];
            a[row][c] = kept;
        }
        for (int r = 0; r < k; ++r) {
            const long double factor = r != s ? a[r][s] / a[s][s] : 0.0L;
            for (int c = s; c <= k; ++c) {
                a[r][c] -= factor * a[s][c];
            }
        }
    }
    for (int s = 0; s < k; ++s) {
        z[index[s]] = a[s][k] / a[s][s];
    }
    return true;
}

/* Has some choice of sides a solution, by a margin? (For problems with z >= 0 only; singular blocks are passed over.) */
static bool some_sides_solve(const drawn *d)
{
    for (unsigned sides = 0; sides < 1u << d->n; ++sides) {
        bool is_basic[ORDER_MOST];
        long double z[ORDER_MOST] = {0.0L};
        for (int i = 0; i < d->n; ++i) {
            is_basic[i] = (sides >> i & 1u) != 0;
        }
        bool is_good = solve_block(d, is_basic, z);
        for (int i = 0; is_good && i < d->n; ++i) {
            long double w = d->q[i];
            for (int j = 0; j < d->n; ++j) {
                w += (long double)d->M[i + j * d->n] * z[j];
            }
            is_good = is_basic[i] ? z[i] >= 0.0L : w >= 0.0L;
        }
        if (is_good) {
            return true;
        }
    }
    return false;
}

/* Also if z is not finite, whatever is claimed. */
static bool is_false(const drawn *d, const crn_lcp_result *result, const double *z, const double *ray)
{
    long double point[ORDER_MOST] = {0.0L};
    for (int i = 0; i < d->n; ++i) {
        point[i] = z[i];
        if (!isfinite(z[i])) {
            return true;
        }
    }
    if (result->outcome == CRN_LCP_SOLVED) {
        return !is_solution(d, point);
    }
    if (result->outcome != CRN_LCP_INFEASIBLE) {
        return false;
    }
    const bool is_refuted = result->proof == CRN_LCP_FARKAS ? is_farkas(d, ray) : !some_sides_solve(d);
    return d->is_solvable || !is_refuted;
}

/* --- the section --- */

/* The first seed, 1, draws what it always drew. */
static void judge_classes(int problems, uint64_t seed)
{
    const uint64_t first = (seed - 1) << 32;
    crn_workspace workspace = {0};
    int wrong = 0, hung = 0, undecided = 0;
    printf("  %-24s %9s %9s %11s %9s %6s %6s %10s\n", "class, n <= 10", "problems", "solved", "infeasible", "neither",
           "false", "hung", "worst ms");
    for (int kind = 0; kind < CLASSES; ++kind) {
        int count = problems / CLASSES + (kind < problems % CLASSES), solved = 0, infeasible = 0, false_here = 0,
            slow = 0;
        double worst = 0.0;
        for (int k = 0; k < count; ++k) {
            drawn d;
            double z[ORDER_MOST], ray[ORDER_MOST];
            draw(kind, first + (uint64_t)kind * (uint64_t)problems + (uint64_t)k, &d);
            crn_lcp_problem p = {.n = d.n, .M = d.M, .ld = d.n, .q = d.q, .lower = d.lower, .upper = d.upper};
            crn_lcp_solution solution = {.z = z, .ray = ray};
            crn_lcp_result result = {0};
            const double begin = cpu_seconds();
            (void)crn_lcp_solve(&p, NULL, &workspace, &solution, &result, NULL);
            const double seconds = cpu_seconds() - begin;
            worst = fmax(worst, seconds);
            slow += seconds > HANG;
            solved += result.outcome == CRN_LCP_SOLVED;
            infeasible += result.outcome == CRN_LCP_INFEASIBLE;
            false_here += is_false(&d, &result, z, ray);
        }
        printf("  %-24s %9d %9d %11d %9d %6d %6d %10.2f\n", classes[kind].name, count, solved, infeasible,
               count - solved - infeasible, false_here, slow, 1e3 * worst);
        fflush(stdout);
        wrong += false_here;
        hung += slow;
        undecided += count - solved - infeasible;
    }
    crn_workspace_free(&workspace);
    printf("\n  false claims among %d: %d: %s; longer than %g s: %d: %s; not decided: %d\n\n", problems, wrong,
           bench_verdict_name(wrong == 0), HANG, hung, bench_verdict_name(hung == 0), undecided);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Chains on the ground, each with a matrix of its own. */
static bool run_chains(uint64_t seed)
{
    static double milliseconds[CHAINS];
    crn_workspace workspace = {0};
    int solved = 0;
    for (int k = 0; k < CHAINS; ++k) {
        crn_lcp_data data = {0};
        if (crn_gallery_find("chain")->make(CHAINS_FROM + k, seed, &data, NULL) != CRN_OK) {
            return false;
        }
        double *z = calloc((size_t)data.problem.n, sizeof *z);
        crn_lcp_solution solution = {.z = z};
        crn_lcp_result result = {0};
        const double begin = cpu_seconds();
        (void)crn_lcp_solve(&data.problem, NULL, &workspace, &solution, &result, NULL);
        milliseconds[k] = 1e3 * (cpu_seconds() - begin);
        solved += result.outcome == CRN_LCP_SOLVED && result.certificate.relative <= 1e-9;
        free(z);
        crn_lcp_data_free(&data);
    }
    crn_workspace_free(&workspace);
    qsort(milliseconds, CHAINS, sizeof *milliseconds, by_size);
    printf("  fresh chains of 25 to 60 contacts, seed %llu: %d of %d solved: %s; median %.2f ms, 99 %% %.2f, worst "
           "%.2f: %s\n",
           (unsigned long long)seed, solved, CHAINS, bench_verdict_name(solved == CHAINS), milliseconds[CHAINS / 2],
           milliseconds[CHAINS * 99 / 100], milliseconds[CHAINS - 1],
           bench_verdict_name(milliseconds[CHAINS / 2] <= most_chain_ms));
    return true;
}

bool bench_section_random(const bench_options *options)
{
    printf("\n=== Random ===\n\n`auto` on problems of %d classes, judged by long double arithmetic, Farkas vectors "
           "multiplied "
           "out, and all sides\ntried where none is said to have a solution\n\n",
           CLASSES);
    judge_classes(options->random_count, options->seeds[0]);
    return run_chains(options->seeds[0]);
}
