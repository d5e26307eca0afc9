/* gallery.c -- the table of families. */
#include "gallery.h"

#include <string.h>

#include "families.h"
#include "gallery_data.h"

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

crn_status crn_gallery_make_assembled(crn_gallery_list_fn *fill, int index, uint64_t seed, crn_lcp_data *data,
                                      crn_error *error)
{
    crn_gallery_contacts contacts = {.allocator = crn_gallery_allocator(data)};
    crn_status status = fill(index, seed, &contacts, error);
    return status == CRN_OK ? crn_gallery_contacts_assemble(&contacts, data, error) : status;
}

/* The three forms of a family of contacts, and how a row of the table names them. */
#define FROM_CONTACTS(name)                                                                                        \
    static crn_status make_##name(int index, uint64_t seed, crn_lcp_data *data, crn_error *error)                  \
    {                                                                                                              \
        return crn_gallery_make_assembled(crn_gallery_##name, index, seed, data, error);                           \
    }                                                                                                              \
    static crn_status contact_##name(int index, uint64_t seed, crn_gallery_contact_problem *out, crn_error *error) \
    {                                                                                                              \
        crn_gallery_contacts contacts = {.allocator = out->allocator};                                             \
        crn_status status = crn_gallery_##name(index, seed, &contacts, error);                                     \
        return status == CRN_OK ? crn_gallery_contacts_problem(&contacts, out, error) : status;                    \
    }                                                                                                              \
    static crn_status white_##name(int index, uint64_t seed, crn_gallery_contact_problem *out, crn_error *error)   \
    {                                                                                                              \
        crn_gallery_contacts contacts = {.allocator = out->allocator};                                             \
        crn_status status = crn_gallery_##name(index, seed, &contacts, error);                                     \
        return status == CRN_OK ? crn_gallery_contacts_whitened(&contacts, out, error) : status;                   \
    }
#define FORMS(name) make_##name, NULL, contact_##name, white_##name

FROM_CONTACTS(peg)
FROM_CONTACTS(single)
FROM_CONTACTS(stacks)
FROM_CONTACTS(stacks_tall)
FROM_CONTACTS(mass_ratio)
FROM_CONTACTS(frames)
FROM_CONTACTS(chain)
FROM_CONTACTS(humanoid)
FROM_CONTACTS(duplicates)
FROM_CONTACTS(contact_random)

static const crn_gallery_family families[] = {
    {"peg", "peg in a hole, 8 to 32 contacts", CRN_GALLERY_SOLVABLE, true, 100, FORMS(peg)},
    {"single", "one body in ten situations, 1 to 16 contacts", CRN_GALLERY_SOLVABLE, true, 100, FORMS(single)},
    {"stacks", "1 to 5 blocks, 4 to 32 contacts", CRN_GALLERY_SOLVABLE, true, 100, FORMS(stacks)},
    {"stacks-tall", "10 to 20 blocks, 40 to 80 contacts", CRN_GALLERY_SOLVABLE, true, 6, FORMS(stacks_tall)},
    {"chain", "25 joints on the ground, 30 to 60 contacts", CRN_GALLERY_SOLVABLE, true, 16, FORMS(chain)},
    {"humanoid", "driven joints, 12 to 18 contacts, near-duplicates", CRN_GALLERY_SOLVABLE, true, 90, FORMS(humanoid)},
    {"duplicates", "contacts 1e-3 to 1e-9 m apart, or equal", CRN_GALLERY_SOLVABLE, true, 96, FORMS(duplicates)},
    {"mass-ratio", "2 to 5 blocks, masses 1:10 to 1:10000", CRN_GALLERY_SOLVABLE, true, 64, FORMS(mass_ratio)},
    {"contact-random", "1 to 6 bodies, lattices, clamps, repeated contacts", CRN_GALLERY_SOLVABLE, true, 60,
     FORMS(contact_random)},
    {"frames", "frictionless frames with 3 to 64 legs", CRN_GALLERY_SOLVABLE, false, 144, FORMS(frames)},
    {"random-P", "P-matrices, not symmetric, order 5 to 100", CRN_GALLERY_SOLVABLE, false, 90, make_random_p,
     crn_gallery_random_p, NULL, NULL},
    {"psd-lowrank", "semidefinite of low rank, order 5 to 80", CRN_GALLERY_SOLVABLE, false, 100, make_psd_lowrank,
     crn_gallery_psd_lowrank, NULL, NULL},
    {"copositive", "copositive-plus, order 5 to 40", CRN_GALLERY_SOLVABLE, false, 80, make_copositive,
     crn_gallery_copositive, NULL, NULL},
    {"qp", "convex quadratic programs, order 6 to 60", CRN_GALLERY_SOLVABLE, false, 80, make_qp, crn_gallery_qp, NULL,
     NULL},
    {"murty-exp", "Murty's exponential examples, order 2 to 16", CRN_GALLERY_SOLVABLE, false, 45, make_murty_exp,
     crn_gallery_murty_exp, NULL, NULL},
    {"fathi-exp", "the same, symmetric positive definite", CRN_GALLERY_SOLVABLE, false, 45, make_fathi_exp,
     crn_gallery_fathi_exp, NULL, NULL},
    {"textbook", "small examples with known solutions", CRN_GALLERY_SOLVABLE, false, 13, make_textbook,
     crn_gallery_textbook, NULL, NULL},
    {"bimatrix", "equilibria of two-person games, order 4 to 16", CRN_GALLERY_SOLVABLE, false, 80, crn_gallery_bimatrix,
     NULL, NULL, NULL},
    {"mixed", "free variables and equations, order 6 to 48", CRN_GALLERY_SOLVABLE, false, 72, make_mixed,
     crn_gallery_mixed, NULL, NULL},
    {"box", "bounds of all kinds, order 5 to 50", CRN_GALLERY_SOLVABLE, false, 80, make_box_bounds,
     crn_gallery_box_bounds, NULL, NULL},
    {"tiny", "order 0, 1 and 2", CRN_GALLERY_SOLVABLE, false, 48, make_tiny, crn_gallery_tiny, NULL, NULL},
    {"bad-scale", "rows and columns scaled by 1e-8 to 1e8", CRN_GALLERY_SOLVABLE, false, 80, crn_gallery_bad_scale,
     NULL, NULL, NULL},
    {"no-solution", "problems without a solution, order 1 to 30", CRN_GALLERY_UNSOLVABLE, false, 80, make_no_solution,
     crn_gallery_no_solution, NULL, NULL},
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
