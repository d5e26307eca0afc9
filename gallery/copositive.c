/* copositive.c -- copositive-plus matrices that are not positive semidefinite, with a planted solution.
 *
 * z'Mz >= 0 for z >= 0, and z'Mz = 0 implies (M + M')z = 0; then feasible means solvable, and Lemke's method finds a
 * solution or proves that there is none  [CPS92 s4.4]. Order by index % 4: 5, 10, 20, 40. Kind by index / 4 % 4:
 *     0  entries >= 0, diagonal > 0: strictly copositive
 *     1  [A -B'; B 0] with A as in 0: the second half gives z'Mz nothing
 *     2  low-rank positive semidefinite plus [A 0; 0 0]
 *     3  as 0, plus a skew part */
#include "families.h"
#include "gallery_data.h"

/* Leading block(size) += A with diagonal near 1 and off-diagonal entries in [0, 4): far from definite. */
static void add_nonnegative(crn_lcp_data *data, int size, crn_random *random)
{
    double *M = crn_gallery_M(data);
    for (int j = 0; j < size; ++j) {
        for (int i = 0; i < size; ++i) {
            double entry = i == j ? crn_random_uniform(random, 0.5, 1.5) : crn_random_uniform(random, 0.0, 4.0);
            M[(size_t)i + (size_t)j * (size_t)data->problem.ld] += entry;
        }
    }
}

/* M(i,j) = b, M(j,i) = -b for i in the second part, j in the first. */
static void set_coupling(crn_lcp_data *data, int first, crn_random *random)
{
    for (int j = 0; j < first; ++j) {
        for (int i = first; i < data->problem.n; ++i) {
            double b = crn_random_normal(random);
            crn_gallery_set(data, i, j, b);
            crn_gallery_set(data, j, i, -b);
        }
    }
}

crn_status crn_gallery_copositive(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    static const int sizes[4] = {5, 10, 20, 40};
    int n = sizes[index % 4];
    crn_random random = crn_gallery_random("copositive", index, seed);
    crn_status status = crn_gallery_dense(data, n, false, error);
    if (status != CRN_OK) {
        return status;
    }
    switch (index / 4 % 4) {
    case 0: add_nonnegative(data, n, &random); break;
    case 1:
        add_nonnegative(data, n - n / 2, &random);
        set_coupling(data, n - n / 2, &random);
        break;
    case 2:
        crn_gallery_add_gram(data, 0, n, n / 2, 1.0 / n, &random);
        add_nonnegative(data, n - n / 2, &random);
        break;
    default:
        add_nonnegative(data, n, &random);
        crn_gallery_add_skew(data, 0, n, 2.0, &random);
        break;
    }
    crn_gallery_plant(data, 0.1, witness, &random);
    return CRN_OK;
}
