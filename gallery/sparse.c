/* sparse.c -- obstacle problems on grids, options, random sparse P-matrices, equilibria, least squares and QPs.
 *
 * Grids have m points a side and width h = 1/(m+1); the five-point (seven-point) matrix is not divided by h^2, so q is of the
 * order of h^2. Entries are collected as triplets; builders write each column once, in the order of rows. */
#include "gallery_sparse.h"

#include "gallery_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- collecting entries --- */

typedef struct triplets {
    int n, count, capacity;
    int *row, *column;
    double *value;
    bool is_short; /* no memory */
} triplets;

static void add(triplets *t, int i, int j, double v)
{
    if (t->count == t->capacity && !t->is_short) {
        int capacity = 2 * t->capacity + 1024;
        int *row = realloc(t->row, (size_t)capacity * sizeof *row);
        t->row = row != NULL ? row : t->row;
        int *column = realloc(t->column, (size_t)capacity * sizeof *column);
        t->column = column != NULL ? column : t->column;
        double *value = realloc(t->value, (size_t)capacity * sizeof *value);
        t->value = value != NULL ? value : t->value;
        t->is_short = row == NULL || column == NULL || value == NULL;
        t->capacity = t->is_short ? t->capacity : capacity;
    }
    if (!t->is_short) {
        t->row[t->count] = i;
        t->column[t->count] = j;
        t->value[t->count++] = v;
    }
}

static void free_triplets(triplets *t)
{
    free(t->row);
    free(t->column);
    free(t->value);
}

/* Sort by `key` (stably), carrying everything along. */
static bool sort_by(triplets *t, bool by_row)
{
    triplets s = {.count = t->count, .capacity = t->count, .n = t->n};
    size_t count = (size_t)t->count + 1;
    int *place = calloc((size_t)t->n + 2, sizeof *place);
    s.row = malloc(count * sizeof *s.row);
    s.column = malloc(count * sizeof *s.column);
    s.value = malloc(count * sizeof *s.value);
    bool is_good = place != NULL && s.row != NULL && s.column != NULL && s.value != NULL;
    const int *key = by_row ? t->row : t->column;
    for (int e = 0; is_good && e < t->count; ++e) {
        ++place[key[e] + 1];
    }
    for (int i = 0; is_good && i < t->n; ++i) {
        place[i + 1] += place[i];
    }
    for (int e = 0; is_good && e < t->count; ++e) {
        int to = place[key[e]]++;
        s.row[to] = t->row[e];
        s.column[to] = t->column[e];
        s.value[to] = t->value[e];
    }
    free(place);
    if (!is_good) {
        free_triplets(&s);
        return false;
    }
    free_triplets(t);
    *t = s;
    return true;
}

/* Add up entries that have the same place, which are neighbours. */
static void add_up(triplets *t)
{
    int kept = 0;
    for (int e = 0; e < t->count; ++e) {
        if (kept > 0 && t->row[kept - 1] == t->row[e] && t->column[kept - 1] == t->column[e]) {
            t->value[kept - 1] += t->value[e];
        } else {
            t->row[kept] = t->row[e];
            t->column[kept] = t->column[e];
            t->value[kept++] = t->value[e];
        }
    }
    t->count = kept;
}

/* Give data the matrix, and q = 0; bounds 0 and inf if is_bounded. Frees the triplets. */
static crn_status finish(triplets *t, bool is_bounded, crn_lcp_data *data, crn_error *error)
{
    const size_t n = (size_t)t->n;
    bool is_good = !t->is_short && sort_by(t, true) && sort_by(t, false);
    if (is_good) {
        add_up(t);
    }
    (void)crn_gallery_allocator(data);
    int *start = is_good ? crn_gallery_take(data, CRN_GALLERY_SLOT_M, (n + 1) * sizeof *start) : NULL;
    int *row = is_good ? crn_gallery_take(data, CRN_GALLERY_SLOT_ROW, (size_t)t->count * sizeof *row) : NULL;
    double *value = is_good ? crn_gallery_take(data, CRN_GALLERY_SLOT_VALUE, (size_t)t->count * sizeof *value) : NULL;
    double *q = is_good ? crn_gallery_take(data, CRN_GALLERY_SLOT_Q, n * sizeof *q) : NULL;
    double *lower = is_good && is_bounded ? crn_gallery_take(data, CRN_GALLERY_SLOT_LOWER, n * sizeof *lower) : NULL;
    double *upper = is_good && is_bounded ? crn_gallery_take(data, CRN_GALLERY_SLOT_UPPER, n * sizeof *upper) : NULL;
    is_good = start != NULL && row != NULL && value != NULL && q != NULL && (!is_bounded || (lower && upper));
    if (is_good) {
        memset(start, 0, (n + 1) * sizeof *start);
        for (int e = 0; e < t->count; ++e) {
            ++start[t->column[e] + 1];
        }
        for (size_t j = 0; j < n; ++j) {
            start[j + 1] += start[j];
        }
        memcpy(row, t->row, (size_t)t->count * sizeof *row);
        memcpy(value, t->value, (size_t)t->count * sizeof *value);
        memset(q, 0, n * sizeof *q);
        for (size_t i = 0; is_bounded && i < n; ++i) {
            lower[i] = 0.0;
            upper[i] = INFINITY;
        }
        data->problem = (crn_lcp_problem){
            .n = t->n, .start = start, .row = row, .value = value, .q = q, .lower = lower, .upper = upper};
    }
    free_triplets(t);
    if (!is_good) {
        crn_lcp_data_free(data);
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for a sparse problem of order %zu", n);
    }
    return CRN_OK;
}

static double *q_of(const crn_lcp_data *data)
{
    return data->storage[CRN_GALLERY_SLOT_Q];
}

static double *lower_of(const crn_lcp_data *data)
{
    return data->storage[CRN_GALLERY_SLOT_LOWER];
}

static double *upper_of(const crn_lcp_data *data)
{
    return data->storage[CRN_GALLERY_SLOT_UPPER];
}

/* --- grids --- */

/* Conductance between the points x and x + 1 of a row, of which there are m. */
typedef double conductance(int x, int m);

static double constant(int x, int m)
{
    (void)x;
    (void)m;
    return 1.0;
}

/* Cube of the film of oil between shaft and bearing, eccentricity 0.8. */
static double film(int x, int m)
{
    double gap = 1.0 + 0.8 * cos(6.283185307179586 * (x + 1.5) / (m + 1));
    return gap * gap * gap;
}

static int side_of(int n, int dimension)
{
    int side = (int)floor(pow(n, 1.0 / dimension) + 0.5);
    return side > 1 ? side : 2;
}

/* The matrix of a grid with m points a side: conductances along x, their mean across. */
static crn_status make_grid(int m, int dimension, conductance *c, bool is_bounded, crn_lcp_data *data, crn_error *error)
{
    triplets t = {.n = dimension == 3 ? m * m * m : m * m};
    for (int i = 0; i < t.n; ++i) {
        const int x = i % m, y = i / m % m, z = i / (m * m);
        const double left = c(x - 1, m), right = c(x, m), across = 0.5 * (left + right);
        add(&t, i, i, left + right + 2.0 * (dimension - 1) * across);
        if (x > 0) {
            add(&t, i, i - 1, -left);
        }
        if (x < m - 1) {
            add(&t, i, i + 1, -right);
        }
        if (y > 0) {
            add(&t, i, i - m, -across);
        }
        if (y < m - 1) {
            add(&t, i, i + m, -across);
        }
        if (dimension == 3 && z > 0) {
            add(&t, i, i - m * m, -across);
        }
        if (dimension == 3 && z < m - 1) {
            add(&t, i, i + m * m, -across);
        }
    }
    return finish(&t, is_bounded, data, error);
}

/* A membrane under load over an obstacle with bumps. */
static crn_status make_obstacle(int n, int dimension, crn_lcp_data *data, crn_error *error)
{
    const int m = side_of(n, dimension);
    const double h = 1.0 / (m + 1);
    crn_status status = make_grid(m, dimension, constant, true, data, error);
    for (int i = 0; status == CRN_OK && i < data->problem.n; ++i) {
        double x = h * (i % m + 1), y = h * (i / m % m + 1), z = dimension == 3 ? h * (i / (m * m) + 1) : 0.5;
        q_of(data)[i] = 20.0 * h * h;
        lower_of(data)[i] = sin(9.0 * x) * sin(9.0 * y) * sin(3.0 * z) - 0.5;
    }
    return status;
}

static crn_status make_obstacle_2d(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    return make_obstacle(n, 2, data, error);
}

static crn_status make_obstacle_3d(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    return make_obstacle(n, 3, data, error);
}

/* Elastic and plastic torsion of a square bar: |z| <= distance to the boundary. */
static crn_status make_torsion(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    const int m = side_of(n, 2);
    const double h = 1.0 / (m + 1);
    crn_status status = make_grid(m, 2, constant, true, data, error);
    for (int i = 0; status == CRN_OK && i < data->problem.n; ++i) {
        double x = h * (i % m + 1), y = h * (i / m + 1);
        double distance = fmin(fmin(x, 1.0 - x), fmin(y, 1.0 - y));
        q_of(data)[i] = -5.0 * h * h;
        upper_of(data)[i] = distance;
        lower_of(data)[i] = -distance;
    }
    return status;
}

/* Pressure of the oil in a journal bearing: it cavitates where it would be negative. */
static crn_status make_bearing(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    const int m = side_of(n, 2);
    const double h = 1.0 / (m + 1);
    crn_status status = make_grid(m, 2, film, false, data, error);
    for (int i = 0; status == CRN_OK && i < data->problem.n; ++i) {
        q_of(data)[i] = -0.8 * h * h * sin(6.283185307179586 * (i % m + 1) * h);
    }
    return status;
}

/* --- options --- */

/* One implicit step of an American option on n log prices from exp(-3) to exp(3) of the strike: z = value - payoff. */
static crn_status make_option(int n, bool is_put, crn_lcp_data *data, crn_error *error)
{
    const double rate = 0.05, dividend = is_put ? 0.0 : 0.08, spread = 0.3, dt = 0.25;
    const double dx = 6.0 / (n + 1), diffusion = 0.5 * spread * spread / (dx * dx);
    const double drift = (rate - dividend - 0.5 * spread * spread) / (2.0 * dx);
    triplets t = {.n = n};
    for (int i = 0; i < n; ++i) {
        add(&t, i, i, 1.0 + dt * (2.0 * diffusion + rate));
        if (i > 0) {
            add(&t, i, i - 1, -dt * (diffusion - drift));
        }
        if (i < n - 1) {
            add(&t, i, i + 1, -dt * (diffusion + drift));
        }
    }
    crn_status status = finish(&t, false, data, error);
    double sign = is_put ? -1.0 : 1.0;
    for (int i = 0; status == CRN_OK && i < n; ++i) { /* q = M payoff - payoff of the end */
        double pay[3];
        for (int k = 0; k < 3; ++k) {
            pay[k] = fmax(0.0, sign * (exp(-3.0 + dx * (i + k)) - 1.0));
        }
        q_of(data)[i] =
            dt * ((2.0 * diffusion + rate) * pay[1] - (diffusion - drift) * pay[0] - (diffusion + drift) * pay[2]);
    }
    return status;
}

static crn_status make_put(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    return make_option(n, true, data, error);
}

static crn_status make_call(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    return make_option(n, false, data, error);
}

/* --- random --- */

static void draw_q(crn_lcp_data *data, crn_random *random)
{
    for (int i = 0; i < data->problem.n; ++i) {
        q_of(data)[i] = crn_random_uniform(random, -1.0, 1.0);
    }
}

/* Random entries near the diagonal, which outweighs its row: a P-matrix of no symmetry. */
static crn_status make_sparse_p(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    enum { NEAR = 30, A_ROW = 6 };
    crn_random random = crn_gallery_random("sparse-P", n, seed);
    triplets t = {.n = n};
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int k = 0; k < A_ROW; ++k) {
            int j = i - NEAR + crn_random_below(&random, 2 * NEAR + 1);
            if (j >= 0 && j < n && j != i) {
                double v = crn_random_uniform(&random, -1.0, 1.0);
                add(&t, i, j, v);
                sum += fabs(v);
            }
        }
        add(&t, i, i, 1.05 * sum + 0.1);
    }
    crn_status status = finish(&t, false, data, error);
    if (status == CRN_OK) {
        draw_q(data, &random);
    }
    return status;
}

/* Cournot firms on a line of markets: positive definite, not symmetric. */
static crn_status make_cournot(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    crn_random random = crn_gallery_random("cournot", n, seed);
    triplets t = {.n = n};
    for (int i = 0; i < n; ++i) {
        double slope = crn_random_uniform(&random, 0.5, 2.0);
        add(&t, i, i, 3.0 * slope + crn_random_uniform(&random, 0.0, 0.5));
        for (int k = -2; k <= 2; ++k) {
            if (k != 0 && i + k >= 0 && i + k < n) {
                add(&t, i, i + k, slope * (k > 0 ? 0.6 : 0.2) / abs(k));
            }
        }
    }
    crn_status status = finish(&t, false, data, error);
    for (int i = 0; status == CRN_OK && i < n; ++i) {
        q_of(data)[i] = crn_random_uniform(&random, -10.0, 2.0);
    }
    return status;
}

/* Nonnegative least squares, M = A'A + 1e-6 I: A has n + n/2 rows of four entries near each other. */
static crn_status make_least_squares(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    enum { A_ROW = 4, NEAR = 20 };
    crn_random random = crn_gallery_random("least-squares", n, seed);
    triplets t = {.n = n};
    for (int i = 0; i < n; ++i) {
        add(&t, i, i, 1e-6);
    }
    for (int r = 0; r < n + n / 2; ++r) {
        int column[A_ROW];
        double v[A_ROW];
        for (int k = 0; k < A_ROW; ++k) {
            column[k] = (int)((long)r * n / (n + n / 2) + crn_random_below(&random, NEAR)) % n;
            v[k] = crn_random_uniform(&random, -1.0, 1.0);
        }
        for (int a = 0; a < A_ROW; ++a) {
            for (int b = 0; b < A_ROW; ++b) {
                add(&t, column[a], column[b], v[a] * v[b]);
            }
        }
    }
    crn_status status = finish(&t, false, data, error);
    if (status == CRN_OK) {
        draw_q(data, &random);
    }
    return status;
}

/* Conditions of min x'Px/2 + c'x, A x >= b, x >= 0: M = [P -A'; A 0], half of the rows constraints. P is singular. */
static crn_status make_qp(int n, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    enum { A_ROW = 5, NEAR = 25 };
    const int variables = (n + 1) / 2;
    crn_random random = crn_gallery_random("qp", n, seed);
    triplets t = {.n = n};
    for (int i = 0; i + 1 < variables; i += 2) { /* (x_i - x_(i+1))^2 for every other one */
        double v = crn_random_uniform(&random, 0.5, 2.0);
        add(&t, i, i, v);
        add(&t, i + 1, i + 1, v);
        add(&t, i, i + 1, -v);
        add(&t, i + 1, i, -v);
    }
    for (int r = variables; r < n; ++r) {
        for (int k = 0; k < A_ROW; ++k) {
            int j = (int)((long)(r - variables) + crn_random_below(&random, NEAR)) % variables;
            double v = crn_random_uniform(&random, 0.1, 1.0);
            add(&t, r, j, v);
            add(&t, j, r, -v);
        }
    }
    crn_status status = finish(&t, false, data, error);
    for (int i = 0; status == CRN_OK && i < n; ++i) { /* costs are positive, so that the problem is bounded */
        q_of(data)[i] = i < variables ? crn_random_uniform(&random, 0.1, 1.0) : -crn_random_uniform(&random, 0.5, 2.0);
    }
    return status;
}

/* --- the table --- */

static const crn_gallery_sparse_kind kinds[] = {
    {"obstacle-2d", "membrane over an obstacle, five-point grid", make_obstacle_2d},
    {"obstacle-3d", "the same in space, seven-point grid", make_obstacle_3d},
    {"torsion", "elastic and plastic torsion, bounds on both sides", make_torsion},
    {"bearing", "journal bearing that cavitates", make_bearing},
    {"put", "American put, tridiagonal", make_put},
    {"call", "American call with dividends, tridiagonal", make_call},
    {"sparse-p", "random rows outweighed by their diagonal, unsymmetric", make_sparse_p},
    {"cournot", "Cournot equilibrium, monotone and unsymmetric", make_cournot},
    {"least-squares", "nonnegative least squares, A'A", make_least_squares},
    {"qp", "conditions of a quadratic programme with singular blocks", make_qp},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const crn_gallery_sparse_kind *crn_gallery_sparse_kinds(int *count)
{
    *count = KIND_COUNT;
    return kinds;
}

const crn_gallery_sparse_kind *crn_gallery_sparse_find(const char *name)
{
    for (int k = 0; k < KIND_COUNT; ++k) {
        if (strcmp(kinds[k].name, name) == 0) {
            return &kinds[k];
        }
    }
    return NULL;
}
