/* random_p.c -- random P-matrices, not symmetric: one solution each, and it is known.
 *
 * Order by index % 5: 5, 10, 20, 50, 100. Kind by index / 5 % 3: positive definite plus skew; strictly diagonally
 * dominant by rows with a positive diagonal; triangular with a positive diagonal, in a random order (P, but in general
 * not positive definite)  [CPS92 s3.3]. */
#include "families.h"
#include "gallery_data.h"

static void fill_dominant(crn_lcp_data *data, crn_random *random)
{
    int n = data->problem.n;
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j) {
            double entry = i == j ? 0.0 : crn_random_normal(random);
            sum += entry < 0.0 ? -entry : entry;
            crn_gallery_set(data, i, j, entry);
        }
        crn_gallery_set(data, i, i, sum * crn_random_uniform(random, 1.01, 1.5));
    }
}

/* Entry (i, j) is kept if i comes before j in a random order, which the random weights in q stand for. */
static void fill_triangular(crn_lcp_data *data, crn_random *random)
{
    int n = data->problem.n;
    double *weight = crn_gallery_q(data);
    for (int i = 0; i < n; ++i) {
        weight[i] = crn_random_uniform(random, 0.0, 1.0);
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            double entry = crn_random_uniform(random, -6.0, 6.0) / n; /* 6/n keeps the inverse from growing */
            crn_gallery_set(data, i, j, i == j ? 1.0 : weight[i] < weight[j] ? entry : 0.0);
        }
    }
    for (int i = 0; i < n; ++i) {
        weight[i] = 0.0;
    }
}

crn_status crn_gallery_random_p(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    static const int sizes[5] = {5, 10, 20, 50, 100};
    crn_random random = crn_gallery_random("random-P", index, seed);
    crn_status status = crn_gallery_dense(data, sizes[index % 5], false, error);
    if (status != CRN_OK) {
        return status;
    }
    switch (index / 5 % 3) {
    case 0: crn_gallery_fill_definite(data, &random); break;
    case 1: fill_dominant(data, &random); break;
    default: fill_triangular(data, &random); break;
    }
    crn_gallery_plant(data, 0.0, witness, &random);
    return CRN_OK;
}
