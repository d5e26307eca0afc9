/* gallery.h -- seeded families of problems, shared by tests, benchmarks, examples and the command line. */
#ifndef CAIRN_GALLERY_H
#define CAIRN_GALLERY_H

#include <cairn/base.h>
#include <cairn/contact.h>
#include <cairn/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What theory says about the problems of a family. */
typedef enum crn_gallery_truth {
    CRN_GALLERY_SOLVABLE = 0, /* every problem has a solution */
    CRN_GALLERY_UNSOLVABLE    /* no problem has one */
} crn_gallery_truth;

/** A contact problem that owns its arrays; problem's pointers lead into them. Zero-initialise it (but for the allocator,
 *  if it is not to be the default one), free it with crn_gallery_contact_free(). */
typedef struct crn_gallery_contact_problem {
    crn_contact_problem problem;
    void *storage;
    crn_allocator allocator;
} crn_gallery_contact_problem;

/** Release the arrays; empty afterwards. NULL and empty are fine. */
void crn_gallery_contact_free(crn_gallery_contact_problem *problem);

/** A family: problem `index` of `seed` is a pure function of the two. */
typedef struct crn_gallery_family {
    const char *name; /* "peg", "frames", ... */
    const char *what; /* one line for people */
    crn_gallery_truth truth;
    bool is_contact;   /* contact problem with friction: make gives the assembled LCP of gallery_contact.h */
    int default_count; /* problems per seed in tables */
    /* Build problem `index` (any index >= 0; sizes vary with index) into data. */
    crn_status (*make)(int index, uint64_t seed, crn_lcp_data *data, crn_error *error);
    /* The same problem, with the vector of length n that it was built from: a solution z or, if there is none, a y that
     * proves it (all 0: proved otherwise, see no_solution.c). NULL: the problems were not built from such a vector. */
    crn_status (*make_with_witness)(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error);
    /* The same problem before assembling: free rigid bodies by geometry, mechanisms by mass matrix and Jacobians. The
     * unknowns of `make` are those of crn_contact_assemble(). NULL: not a problem of contacts. */
    crn_status (*make_contact)(int index, uint64_t seed, crn_gallery_contact_problem *out, crn_error *error);
    /* The same in whitened coordinates: all masses are 1 (CRN_MASS_UNIT), Jacobians are whitened columns. */
    crn_status (*make_whitened)(int index, uint64_t seed, crn_gallery_contact_problem *out, crn_error *error);
} crn_gallery_family;

/** All families in the order of tables. */
const crn_gallery_family *crn_gallery_families(int *count);

/** The family of that name, or NULL. */
const crn_gallery_family *crn_gallery_find(const char *name);

/** The same problem in another order and other units. With p = permutation, r = row_scale, c = column_scale (all of
 *  length n, indexed as `in` is; NULL: identity; scales positive):
 *
 *      M_out(i,j) = r[p_i] M(p_i,p_j) c[p_j],   q_out(i) = r[p_i] q(p_i),   bounds_out(i) = bounds(p_i) / c[p_i],
 *
 *  so z solves `out` if and only if z_in[p_i] = c[p_i] z_out[i] solves `in`. Sparse stays sparse.
 *  @param permutation new place i holds the old variable permutation[i]
 *  @param out         zero-initialised but for its allocator; freed with crn_lcp_data_free() */
crn_status crn_gallery_transform(const crn_lcp_problem *in, const int *permutation, const double *row_scale,
                                 const double *column_scale, crn_lcp_data *out, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
