/* psd_lowrank.c -- positive semidefinite matrices of low rank with a planted, often degenerate solution.
 *
 * Order by index % 5: 5, 10, 20, 40, 80. Kind by index / 5 % 4:
 *     0  symmetric, rank about n/2
 *     1  symmetric, rank about n/4, entries whole numbers and a planted solution of whole numbers: exact ties
 *     2  symmetric part of rank about n/2, plus a skew part of full size
 *     3  symmetric, rank about n/4, half of the indices with z_i = w_i = 0
 * z is not unique in general; for symmetric M the vector w is  [CPS92 s3.1]. */
#include "families.h"
#include "gallery_data.h"

/* M += b b' with b in {-1, 0, 1}; rank times. Uses q as scratch and leaves it 0. */
static void add_whole_gram(crn_lcp_data *data, int rank, crn_random *random)
{
    int n = data->problem.n;
    double *M = crn_gallery_M(data);
    double *b = crn_gallery_q(data);
    for (int k = 0; k < rank; ++k) {
        for (int i = 0; i < n; ++i) {
            b[i] = crn_random_below(random, 3) - 1;
        }
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                M[(size_t)i + (size_t)j * (size_t)data->problem.ld] += b[i] * b[j];
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        b[i] = 0.0;
    }
}

static void plant_whole(crn_lcp_data *data, double *witness, crn_random *random)
{
    for (int j = 0; j < data->problem.n; ++j) {
        int value = crn_random_below(random, 7) - 3; /* > 0: z, < 0: w, 0: neither */
        crn_gallery_plant_one(data, j, value > 0 ? value : 0.0, value < 0 ? -value : 0.0, witness);
    }
}

crn_status crn_gallery_psd_lowrank(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    static const int sizes[5] = {5, 10, 20, 40, 80};
    int n = sizes[index % 5];
    int kind = index / 5 % 4;
    int rank = kind == 0 || kind == 2 ? n / 2 : (n + 3) / 4;
    crn_random random = crn_gallery_random("psd-lowrank", index, seed);
    crn_status status = crn_gallery_dense(data, n, false, error);
    if (status != CRN_OK) {
        return status;
    }
    if (kind == 1) {
        add_whole_gram(data, rank, &random);
        plant_whole(data, witness, &random);
        return CRN_OK;
    }
    crn_gallery_add_gram(data, 0, n, rank, 1.0 / rank, &random);
    if (kind == 2) {
        crn_gallery_add_skew(data, 0, n, 0.5, &random);
    }
    crn_gallery_plant(data, kind == 3 ? 0.5 : 0.1, witness, &random);
    return CRN_OK;
}
