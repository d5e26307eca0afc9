/* bench_piles.h -- piles as worlds: what is poured, shaken or packed between walls. */
#ifndef BENCH_PILES_H
#define BENCH_PILES_H

#include <cairn/model.h>

/* Fill an empty model; every seed is another pile. */
crn_status pile_pour(crn_model *model, int spheres, double ratio, uint64_t seed,
                     crn_error *error); /* every second has `ratio` of the density */
crn_status pile_solids(crn_model *model, int bodies, bool is_mixed, uint64_t seed,
                       crn_error *error); /* boxes; mixed: spheres and capsules too */
crn_status pile_wall(crn_model *model, int disks, uint64_t seed, crn_error *error); /* planar */

#endif
