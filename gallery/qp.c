/* qp.c -- optimality conditions of convex quadratic programs  min x'Hx/2 + c'x,  A x >= b,  x >= 0.
 *
 * z = (x, y) with multipliers y:  M = [H -A'; A 0], q = (c, -b)  [CPS92 s1.2]. Order by index % 5: 6, 12, 20, 40, 60, a
 * third of it constraints. By index / 5 % 2 H has full rank (x is unique) or half of it. A solution is planted. */
#include "families.h"
#include "gallery_data.h"

crn_status crn_gallery_qp(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    static const int sizes[5] = {6, 12, 20, 40, 60};
    int n = sizes[index % 5];
    int variables = n - n / 3;
    int rank = index / 5 % 2 == 0 ? variables : variables / 2;
    crn_random random = crn_gallery_random("qp", index, seed);
    crn_status status = crn_gallery_dense(data, n, false, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_gallery_add_gram(data, 0, variables, rank, 1.0 / rank, &random);
    for (int i = variables; i < n; ++i) {
        for (int j = 0; j < variables; ++j) {
            double a = crn_random_normal(&random);
            crn_gallery_set(data, i, j, a);
            crn_gallery_set(data, j, i, -a);
        }
    }
    crn_gallery_plant(data, 0.0, witness, &random);
    return CRN_OK;
}
