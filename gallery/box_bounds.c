/* box_bounds.c -- box LCPs with finite, one-sided, missing and coinciding bounds.
 *
 * Order by index % 4: 5, 10, 25, 50. Kind by index / 4 % 5:
 *     0  positive definite plus skew, finite bounds: one solution
 *     1  positive definite plus skew, bounds of all kinds: one solution
 *     2  positive semidefinite of half rank, finite bounds
 *     3  random and indefinite, finite bounds: solvable whatever M is (a continuous map on a box)
 *     4  positive semidefinite of half rank, bounds of all kinds, some with l = u
 * All have a planted solution with about equal numbers at the lower bound, at the upper one and between. */
#include <math.h>

#include "families.h"
#include "gallery_data.h"

static void fill_indefinite(crn_lcp_data *data, crn_random *random)
{
    for (int j = 0; j < data->problem.n; ++j) {
        for (int i = 0; i < data->problem.n; ++i) {
            crn_gallery_set(data, i, j, crn_random_normal(random));
        }
    }
}

static void fill_matrix(crn_lcp_data *data, int kind, crn_random *random)
{
    int n = data->problem.n;
    if (kind <= 1) {
        crn_gallery_fill_definite(data, random);
    } else if (kind == 3) {
        fill_indefinite(data, random);
    } else {
        crn_gallery_add_gram(data, 0, n, n / 2, 2.0 / n, random);
    }
}

/* Finite bounds, then with is_varied one kind in turn: finite, no lower, no upper, none, and with has_fixed l = u. */
static void set_bounds(crn_lcp_data *data, bool is_varied, bool has_fixed, crn_random *random)
{
    for (int i = 0; i < data->problem.n; ++i) {
        double *lower = &crn_gallery_lower(data)[i], *upper = &crn_gallery_upper(data)[i];
        int shape = is_varied ? crn_random_below(random, has_fixed ? 5 : 4) : 0;
        *lower = crn_random_uniform(random, -2.0, 0.0);
        *upper = *lower + crn_random_uniform(random, 0.5, 2.0);
        if (shape == 1 || shape == 3) {
            *lower = -(double)INFINITY;
        }
        if (shape == 2 || shape == 3) {
            *upper = (double)INFINITY;
        }
        if (shape == 4) {
            *upper = *lower;
        }
    }
}

/* z at a bound with w of the right sign, or between the bounds with w = 0. */
static void plant_within_bounds(crn_lcp_data *data, double *witness, crn_random *random)
{
    for (int j = 0; j < data->problem.n; ++j) {
        double lower = crn_gallery_lower(data)[j], upper = crn_gallery_upper(data)[j];
        int place = crn_random_below(random, 3);
        double size = crn_random_uniform(random, 0.1, 2.0), share = crn_random_uniform(random, 0.1, 0.9);
        double from = isfinite(lower) ? lower : isfinite(upper) ? upper - 2.0 : -1.0;
        double to = isfinite(upper) ? upper : from + 2.0;
        double z = from + share * (to - from), w = 0.0;
        if (place == 0 && isfinite(lower)) {
            z = lower;
            w = size;
        } else if (place == 1 && isfinite(upper)) {
            z = upper;
            w = -size;
        }
        crn_gallery_plant_one(data, j, z, w, witness);
    }
}

crn_status crn_gallery_box_bounds(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    static const int sizes[4] = {5, 10, 25, 50};
    int kind = index / 4 % 5;
    crn_random random = crn_gallery_random("box", index, seed);
    crn_status status = crn_gallery_dense(data, sizes[index % 4], true, error);
    if (status != CRN_OK) {
        return status;
    }
    fill_matrix(data, kind, &random);
    set_bounds(data, kind == 1 || kind == 4, kind == 4, &random);
    plant_within_bounds(data, witness, &random);
    return CRN_OK;
}
