/* bimatrix.c -- equilibria of two-person games with positive cost matrices A and B  [CPS92 s1.2].
 *
 * M = [0 A; B' 0], q = -e. Every game has an equilibrium, so every problem a solution; Lemke's method with covering
 * vector e may end on a ray all the same. Order by index % 4: 4, 6, 10, 16, half of it for each player; by
 * index / 4 % 2 the costs are real, or whole numbers 1..4 (ties). */
#include "families.h"
#include "gallery_data.h"

crn_status crn_gallery_bimatrix(int index, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    static const int sizes[4] = {4, 6, 10, 16};
    int n = sizes[index % 4];
    bool is_whole = index / 4 % 2 == 1;
    crn_random random = crn_gallery_random("bimatrix", index, seed);
    crn_status status = crn_gallery_dense(data, n, false, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int j = 0; j < n; ++j) {
        crn_gallery_q(data)[j] = -1.0;
        for (int i = 0; i < n; ++i) {
            double cost = is_whole ? 1.0 + crn_random_below(&random, 4) : crn_random_uniform(&random, 1.0, 10.0);
            crn_gallery_set(data, i, j, (i < n / 2) == (j < n / 2) ? 0.0 : cost);
        }
    }
    return CRN_OK;
}
