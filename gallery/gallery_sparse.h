/* gallery_sparse.h -- large sparse problems, for tests and benchmarks of the methods that are made for them. */
#ifndef CAIRN_GALLERY_SPARSE_H
#define CAIRN_GALLERY_SPARSE_H

#include <cairn/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A kind of problem of any order; problem `n` of `seed` is a pure function of the two. */
typedef struct crn_gallery_sparse_kind {
    const char *name; /* "obstacle-2d" */
    const char *what; /* one line for people */
    /* Build a problem of about order n into data (compressed columns). */
    crn_status (*make)(int n, uint64_t seed, crn_lcp_data *data, crn_error *error);
} crn_gallery_sparse_kind;

/** All kinds in the order of tables. */
const crn_gallery_sparse_kind *crn_gallery_sparse_kinds(int *count);

/** The kind of that name, or NULL. */
const crn_gallery_sparse_kind *crn_gallery_sparse_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
