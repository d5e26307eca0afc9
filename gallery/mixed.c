/* mixed.c -- mixed LCPs: some variables are free and their rows are equations, as joints and contacts give together.
 *
 * Order by index % 4: 6, 12, 24, 48; every third variable is free. Kind by index / 4 % 3:
 *     0  positive definite plus skew: one solution
 *     1  saddle [H -A'; A 0] with H definite: free multipliers y of equations A x = b beside x >= 0
 *     2  the same with H of half rank and the last equation a copy of the first: a redundant joint
 * Solvable by a planted solution. */
#include <math.h>

#include "families.h"
#include "gallery_data.h"

static bool is_free(int i)
{
    return i % 3 == 2;
}

static void set_free_bounds(crn_lcp_data *data)
{
    for (int i = 0; i < data->problem.n; ++i) {
        if (is_free(i)) {
            crn_gallery_lower(data)[i] = -(double)INFINITY;
        }
    }
}

static void fill_definite(crn_lcp_data *data, crn_random *random)
{
    int n = data->problem.n;
    crn_gallery_add_gram(data, 0, n, n, 1.0 / n, random);
    crn_gallery_add_skew(data, 0, n, 1.0, random);
    for (int i = 0; i < n; ++i) {
        crn_gallery_M(data)[(size_t)i * ((size_t)data->problem.ld + 1)] += 0.1;
    }
}

/* Rows and columns of the free variables become A, -A' and 0. */
static void fill_saddle(crn_lcp_data *data, int rank, crn_random *random)
{
    int n = data->problem.n;
    crn_gallery_add_gram(data, 0, n, rank, 1.0 / rank, random);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n && is_free(i); ++j) {
            double a = is_free(j) ? 0.0 : crn_random_normal(random);
            crn_gallery_set(data, i, j, a);
            crn_gallery_set(data, j, i, -a);
        }
    }
}

static void copy_first_equation(crn_lcp_data *data)
{
    int n = data->problem.n;
    const double *M = crn_gallery_M(data);
    for (int j = 0; j < n; ++j) {
        double a =
            M[2 + (size_t)j * (size_t)data->problem.ld]; /* the first free variable is number 2, the last n - 1 */
        crn_gallery_set(data, n - 1, j, a);
        crn_gallery_set(data, j, n - 1, -a);
    }
}

static void plant_mixed(crn_lcp_data *data, double *witness, crn_random *random)
{
    for (int j = 0; j < data->problem.n; ++j) {
        double value = crn_random_uniform(random, -2.0, 2.0);
        double z = is_free(j) || value > 0.0 ? value : 0.0;
        double w = !is_free(j) && value < 0.0 ? -value : 0.0;
        crn_gallery_plant_one(data, j, z, w, witness);
    }
}

crn_status crn_gallery_mixed(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    static const int sizes[4] = {6, 12, 24, 48};
    int n = sizes[index % 4];
    crn_random random = crn_gallery_random("mixed", index, seed);
    crn_status status = crn_gallery_dense(data, n, true, error);
    if (status != CRN_OK) {
        return status;
    }
    set_free_bounds(data);
    switch (index / 4 % 3) {
    case 0: fill_definite(data, &random); break;
    case 1: fill_saddle(data, n, &random); break;
    default:
        fill_saddle(data, n / 2, &random);
        copy_first_equation(data);
        break;
    }
    plant_mixed(data, witness, &random);
    return CRN_OK;
}
