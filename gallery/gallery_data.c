/* gallery_data.c -- arrays for a dense problem, random streams, planted solutions. */
#include "gallery_data.h"

#include <math.h>
#include <string.h>

crn_random crn_gallery_random(const char *family, int index, uint64_t seed)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a over the name keeps the families apart */
    for (const char *c = family; *c; ++c) {
        hash = (hash ^ (uint64_t)(unsigned char)*c) * 0x100000001b3u;
    }
    hash ^= seed * 0x9e3779b97f4a7c15u;
    hash ^= ((uint64_t)index + 1u) * 0xd1b54a32d192ed03u;
    return crn_random_seed(hash);
}

double crn_gallery_random_power(crn_random *random, double low, double high)
{
    return pow(10.0, crn_random_uniform(random, low, high));
}

crn_allocator crn_gallery_allocator(crn_lcp_data *data)
{
    if (!data->allocator.resize) {
        data->allocator = crn_allocator_default();
    }
    return data->allocator;
}

void *crn_gallery_take(crn_lcp_data *data, int slot, size_t bytes)
{
    crn_allocator allocator = crn_gallery_allocator(data);
    data->storage[slot] = allocator.resize(allocator.user, NULL, bytes ? bytes : 1);
    return data->storage[slot];
}

static double *take_filled(crn_lcp_data *data, int slot, size_t count, double value)
{
    double *block = crn_gallery_take(data, slot, count * sizeof *block);
    for (size_t i = 0; block && i < count; ++i) {
        block[i] = value;
    }
    return block;
}

crn_status crn_gallery_dense(crn_lcp_data *data, int n, bool is_bounded, crn_error *error)
{
    size_t order = (size_t)n;
    crn_lcp_problem problem = {.n = n, .ld = n > 0 ? n : 1};
    problem.M = take_filled(data, CRN_GALLERY_SLOT_M, order * order, 0.0);
    problem.q = take_filled(data, CRN_GALLERY_SLOT_Q, order, 0.0);
    bool is_complete = problem.M && problem.q;
    if (is_bounded) {
        problem.lower = take_filled(data, CRN_GALLERY_SLOT_LOWER, order, 0.0);
        problem.upper = take_filled(data, CRN_GALLERY_SLOT_UPPER, order, (double)INFINITY);
        is_complete = is_complete && problem.lower && problem.upper;
    }
    if (!is_complete) {
        crn_lcp_data_free(data);
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for a dense problem of order %d", n);
    }
    data->problem = problem;
    return CRN_OK;
}

double *crn_gallery_M(const crn_lcp_data *data)
{
    return data->storage[CRN_GALLERY_SLOT_M];
}

double *crn_gallery_q(const crn_lcp_data *data)
{
    return data->storage[CRN_GALLERY_SLOT_Q];
}

double *crn_gallery_lower(const crn_lcp_data *data)
{
    return data->storage[CRN_GALLERY_SLOT_LOWER];
}

double *crn_gallery_upper(const crn_lcp_data *data)
{
    return data->storage[CRN_GALLERY_SLOT_UPPER];
}

void crn_gallery_set(crn_lcp_data *data, int i, int j, double value)
{
    crn_gallery_M(data)[(size_t)i + (size_t)j * (size_t)data->problem.ld] = value;
}

void crn_gallery_add_gram(crn_lcp_data *data, int first, int size, int rank, double scale, crn_random *random)
{
    size_t ld = (size_t)data->problem.ld;
    double *block = crn_gallery_M(data) + (size_t)first * (ld + 1);
    double *b = crn_gallery_q(data);
    for (int k = 0; k < rank; ++k) {
        for (int i = 0; i < size; ++i) {
            b[i] = crn_random_normal(random);
        }
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) {
                block[(size_t)i + (size_t)j * ld] += scale * (b[i] * b[j]);
            }
        }
    }
    memset(b, 0, (size_t)data->problem.n * sizeof *b);
}

void crn_gallery_add_skew(crn_lcp_data *data, int first, int size, double scale, crn_random *random)
{
    size_t ld = (size_t)data->problem.ld;
    double *block = crn_gallery_M(data) + (size_t)first * (ld + 1);
    for (int j = 0; j < size; ++j) {
        for (int i = 0; i < j; ++i) {
            double s = crn_random_uniform(random, -scale, scale);
            block[(size_t)i + (size_t)j * ld] += s;
            block[(size_t)j + (size_t)i * ld] -= s;
        }
    }
}

void crn_gallery_plant_one(crn_lcp_data *data, int j, double z, double w, double *witness)
{
    double *q = crn_gallery_q(data);
    const double *column = data->problem.M + (size_t)j * (size_t)data->problem.ld;
    q[j] += w;
    for (int i = 0; i < data->problem.n && z != 0.0; ++i) {
        q[i] -= column[i] * z;
    }
    if (witness) {
        witness[j] = z;
    }
}

void crn_gallery_plant(crn_lcp_data *data, double degenerate, double *witness, crn_random *random)
{
    for (int j = 0; j < data->problem.n; ++j) {
        bool is_degenerate = crn_random_uniform(random, 0.0, 1.0) < degenerate;
        bool is_positive = crn_random_below(random, 2) == 1;
        double size = is_degenerate ? 0.0 : crn_random_uniform(random, 0.1, 2.0);
        crn_gallery_plant_one(data, j, is_positive ? size : 0.0, is_positive ? 0.0 : size, witness);
    }
}

void crn_gallery_fill_definite(crn_lcp_data *data, crn_random *random)
{
    int n = data->problem.n;
    crn_gallery_add_gram(data, 0, n, n, 1.0 / n, random);
    crn_gallery_add_skew(data, 0, n, 1.0, random);
    for (int i = 0; i < n; ++i) {
        crn_gallery_M(data)[(size_t)i * ((size_t)data->problem.ld + 1)] += 0.1;
    }
}
