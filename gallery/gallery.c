/* gallery.c -- the table of families. */
#include "gallery.h"

#include <string.h>

#include "families.h"

/* make of a family that has a make_with_witness. */
#define WITHOUT_WITNESS(name)                                                                     \
    static crn_status make_##name(int index, uint64_t seed, crn_lcp_data *data, crn_error *error) \
    {                                                                                             \
        return crn_gallery_##name(index, seed, NULL, data, error);                                \
    }

WITHOUT_WITNESS(random_p)
WITHOUT_WITNESS(psd_lowrank)
WITHOUT_WITNESS(copositive)
WITHOUT_WITNESS(qp)
WITHOUT_WITNESS(murty_exp)
WITHOUT_WITNESS(fathi_exp)
WITHOUT_WITNESS(textbook)
WITHOUT_WITNESS(mixed)
WITHOUT_WITNESS(box_bounds)
WITHOUT_WITNESS(tiny)
WITHOUT_WITNESS(no_solution)

static const crn_gallery_family families[] = {
    {"peg", "peg in a hole, 8 to 32 contacts", CRN_GALLERY_SOLVABLE, true, 100, crn_gallery_peg, NULL},
    {"single", "one body in ten situations, 1 to 16 contacts", CRN_GALLERY_SOLVABLE, true, 100, crn_gallery_single,
     NULL},
    {"stacks", "1 to 5 blocks, 4 to 32 contacts", CRN_GALLERY_SOLVABLE, true, 100, crn_gallery_stacks, NULL},
    {"stacks-tall", "10 to 20 blocks, 40 to 80 contacts", CRN_GALLERY_SOLVABLE, true, 6, crn_gallery_stacks_tall, NULL},
    {"chain", "25 joints on the ground, 30 to 60 contacts", CRN_GALLERY_SOLVABLE, true, 16, crn_gallery_chain, NULL},
    {"humanoid", "driven joints, 12 to 18 contacts, near-duplicates", CRN_GALLERY_SOLVABLE, true, 90,
     crn_gallery_humanoid, NULL},
    {"duplicates", "contacts 1e-3 to 1e-9 m apart, or equal", CRN_GALLERY_SOLVABLE, true, 96, crn_gallery_duplicates,
     NULL},
    {"mass-ratio", "2 to 5 blocks, masses 1:10 to 1:10000", CRN_GALLERY_SOLVABLE, true, 64, crn_gallery_mass_ratio,
     NULL},
    {"frames", "frictionless frames with 3 to 64 legs", CRN_GALLERY_SOLVABLE, false, 144, crn_gallery_frames, NULL},
    {"random-P", "P-matrices, not symmetric, order 5 to 100", CRN_GALLERY_SOLVABLE, false, 90, make_random_p,
     crn_gallery_random_p},
    {"psd-lowrank", "semidefinite of low rank, order 5 to 80", CRN_GALLERY_SOLVABLE, false, 100, make_psd_lowrank,
     crn_gallery_psd_lowrank},
    {"copositive", "copositive-plus, order 5 to 40", CRN_GALLERY_SOLVABLE, false, 80, make_copositive,
     crn_gallery_copositive},
    {"qp", "convex quadratic programs, order 6 to 60", CRN_GALLERY_SOLVABLE, false, 80, make_qp, crn_gallery_qp},
    {"murty-exp", "Murty's exponential examples, order 2 to 16", CRN_GALLERY_SOLVABLE, false, 45, make_murty_exp,
     crn_gallery_murty_exp},
    {"fathi-exp", "the same, symmetric positive definite", CRN_GALLERY_SOLVABLE, false, 45, make_fathi_exp,
     crn_gallery_fathi_exp},
    {"textbook", "small examples with known solutions", CRN_GALLERY_SOLVABLE, false, 13, make_textbook,
     crn_gallery_textbook},
    {"bimatrix", "equilibria of two-person games, order 4 to 16", CRN_GALLERY_SOLVABLE, false, 80, crn_gallery_bimatrix,
     NULL},
    {"mixed", "free variables and equations, order 6 to 48", CRN_GALLERY_SOLVABLE, false, 72, make_mixed,
     crn_gallery_mixed},
    {"box", "bounds of all kinds, order 5 to 50", CRN_GALLERY_SOLVABLE, false, 80, make_box_bounds,
     crn_gallery_box_bounds},
    {"tiny", "order 0, 1 and 2", CRN_GALLERY_SOLVABLE, false, 48, make_tiny, crn_gallery_tiny},
    {"bad-scale", "rows and columns scaled by 1e-8 to 1e8", CRN_GALLERY_SOLVABLE, false, 80, crn_gallery_bad_scale,
     NULL},
    {"no-solution", "problems without a solution, order 1 to 30", CRN_GALLERY_UNSOLVABLE, false, 80, make_no_solution,
     crn_gallery_no_solution},
};

const crn_gallery_family *crn_gallery_families(int *count)
{
    *count = (int)(sizeof families / sizeof families[0]);
    return families;
}

const crn_gallery_family *crn_gallery_find(const char *name)
{
    int count;
    const crn_gallery_family *all = crn_gallery_families(&count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return NULL;
}
