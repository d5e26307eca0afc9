/* gallery.h -- seeded families of problems, shared by tests, benchmarks, examples and the command line. */
#ifndef CAIRN_GALLERY_H
#define CAIRN_GALLERY_H

#include <cairn/base.h>
#include <cairn/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What theory says about the problems of a family. */
typedef enum crn_gallery_truth {
    CRN_GALLERY_SOLVABLE = 0, /* every problem has a solution */
    CRN_GALLERY_UNSOLVABLE    /* no problem has one */
} crn_gallery_truth;

/** A family: problem `index` of `seed` is a pure function of the two. */
typedef struct crn_gallery_family {
    const char *name; /* "peg", "frames", ... */
    const char *what; /* one line for people */
    crn_gallery_truth truth;
    bool is_contact;    /* contact problem with friction: the assembled LCP of MATH s5 */
    int default_count;  /* problems per seed in tables */
    /* Build problem `index` (any index >= 0; sizes vary with index) into data. */
    crn_status (*make)(int index, uint64_t seed, crn_lcp_data *data, crn_error *error);
} crn_gallery_family;

/** All families in the order of tables. */
const crn_gallery_family *crn_gallery_families(int *count);

/** The family of that name, or NULL. */
const crn_gallery_family *crn_gallery_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
