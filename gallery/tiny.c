/* tiny.c -- n = 0, every solvable sign pattern of n = 1, and n = 2.
 *
 * Problem by index % 16: 0 is empty, 1..9 have n = 1, 10..15 have n = 2. Magnitudes are random in [1/2, 2). */
#include "families.h"
#include "gallery_data.h"

/* Signs of M and q with the sign of a solution. M = 0 or M < 0 with q < 0 have none and are not here. */
static const int one_signs[9][3] = {{1, -1, 1}, {1, 0, 0},  {1, 1, 0},  {0, 0, 0}, {0, 1, 0},
                                    {-1, 0, 0}, {-1, 1, 0}, {-1, 1, 1}, {1, -1, 1}};

static double magnitude(crn_random *random)
{
    return crn_random_uniform(random, 0.5, 2.0);
}

static void fill_one(crn_lcp_data *data, const int signs[3], double *witness, crn_random *random)
{
    double M = signs[0] * magnitude(random);
    double q = signs[1] * magnitude(random);
    crn_gallery_set(data, 0, 0, M);
    crn_gallery_q(data)[0] = q;
    if (witness) {
        witness[0] = signs[2] ? -q / M : 0.0;
    }
}

/* By kind: definite, triangular P, of ones (rank one), hollow, skew, zero; each with a planted solution. */
static void fill_two(crn_lcp_data *data, int kind, double *witness, crn_random *random)
{
    static const int patterns[6][4] = {{2, 1, 1, 2}, {1, 0, 2, 1},  {1, 1, 1, 1},
                                       {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 0, 0, 0}};
    double scale = magnitude(random);
    for (int i = 0; i < 4; ++i) {
        crn_gallery_set(data, i / 2, i % 2, scale * patterns[kind][i]);
    }
    crn_gallery_plant(data, 0.1, witness, random);
}

crn_status crn_gallery_tiny(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    int which = index % 16;
    crn_random random = crn_gallery_random("tiny", index, seed);
    crn_status status = crn_gallery_dense(data, which == 0 ? 0 : which <= 9 ? 1 : 2, false, error);
    if (status != CRN_OK || which == 0) {
        return status;
    }
    if (which <= 9) {
        fill_one(data, one_signs[which - 1], witness, &random);
    } else {
        fill_two(data, which - 10, witness, &random);
    }
    return CRN_OK;
}
