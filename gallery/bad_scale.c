/* bad_scale.c -- problems of other families, every row and every column in its own unit from 1e-8 to 1e8.
 *
 * Family by index % 4: random-P, psd-lowrank, peg, single; problem index / 4 of it, so the sizes are that family's. The
 * scales are powers of two nearest to random powers of ten: they change no digit, so the problem is exactly the old one
 * in other units. */
#include <math.h>

#include "families.h"
#include "gallery.h"
#include "gallery_data.h"

static const double log2_of_10 = 3.321928094887362;

static crn_status make_unscaled(int index, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    switch (index % 4) {
    case 0: return crn_gallery_random_p(index / 4, seed, NULL, data, error);
    case 1: return crn_gallery_psd_lowrank(index / 4, seed, NULL, data, error);
    case 2: return crn_gallery_make_assembled(crn_gallery_peg, index / 4, seed, data, error);
    default: return crn_gallery_make_assembled(crn_gallery_single, index / 4, seed, data, error);
    }
}

static crn_status scale_badly(const crn_lcp_problem *unscaled, crn_random *random, crn_lcp_data *data, crn_error *error)
{
    size_t n = (size_t)unscaled->n;
    crn_allocator allocator = crn_gallery_allocator(data);
    double *scale = allocator.resize(allocator.user, NULL, (2 * n + 1) * sizeof *scale);
    if (!scale) {
        return crn_fail(error, CRN_ERR_MEMORY, "gallery: no memory for %d scales", 2 * unscaled->n);
    }
    for (size_t i = 0; i < 2 * n; ++i) {
        scale[i] = ldexp(1.0, (int)lround(crn_random_uniform(random, -8.0, 8.0) * log2_of_10));
    }
    crn_status status = crn_gallery_transform(unscaled, NULL, scale, scale + n, data, error);
    allocator.release(allocator.user, scale);
    return status;
}

crn_status crn_gallery_bad_scale(int index, uint64_t seed, crn_lcp_data *data, crn_error *error)
{
    crn_lcp_data unscaled = {.allocator = crn_gallery_allocator(data)};
    crn_random random = crn_gallery_random("bad-scale", index, seed);
    crn_status status = make_unscaled(index, seed, &unscaled, error);
    if (status == CRN_OK) {
        status = scale_badly(&unscaled.problem, &random, data, error);
        crn_lcp_data_free(&unscaled);
    }
    return status;
}
