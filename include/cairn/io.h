/* cairn/io.h -- reading and writing problems. Every message names file, line and field; on failure nothing is left. */
#ifndef CAIRN_IO_H
#define CAIRN_IO_H

#include <cairn/base.h>
#include <cairn/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A problem that owns its arrays; problem's pointers lead into them. Zero-initialise, free with
 *  crn_lcp_data_free(). Not to be copied by assignment while both copies are in use. */
typedef struct crn_lcp_data {
    crn_lcp_problem problem;
    void *storage[7];        /* M or start, row, value; q; lower; upper */
    crn_allocator allocator; /* what took them */
} crn_lcp_data;

/** Release the arrays; data is empty afterwards. NULL and empty are fine. */
CRN_API void crn_lcp_data_free(crn_lcp_data *data);

/** Read an LCP from a pair of Matrix Market files: M (array or coordinate; real, integer or pattern; general,
 *  symmetric or skew-symmetric) and q (a single column, array or coordinate). lower_path and upper_path, bounds as
 *  Matrix Market vectors ("inf" and "-inf" allowed), may be NULL. */
CRN_API crn_status crn_io_read_matrix_market(const char *M_path, const char *q_path, const char *lower_path,
                                             const char *upper_path, const crn_allocator *allocator, crn_lcp_data *data,
                                             crn_error *error);

/** Read a Matrix Market vector of length n ("inf" and "-inf" allowed) into values, the caller's array: bounds, a basis
 *  for a warm start, a z to be certified. allocator (NULL: the default) is used during the call only. */
CRN_API crn_status crn_io_read_vector(const char *path, int n, double *values, const crn_allocator *allocator,
                                      crn_error *error);

/** What a Siconos .dat file holds. The files do not say, so ANY tries the kinds in this order. */
typedef enum crn_siconos_kind {
    CRN_SICONOS_ANY = 0,
    CRN_SICONOS_LCP,
    CRN_SICONOS_BOX, /* relay: lower and upper bounds follow q */
    CRN_SICONOS_MLCP /* mixed: free variables have infinite bounds */
} crn_siconos_kind;

/** Read a Siconos .dat file (dense, block-sparse, or CSparse print). */
CRN_API crn_status crn_io_read_siconos(const char *path, crn_siconos_kind kind, const crn_allocator *allocator,
                                       crn_lcp_data *data, crn_error *error);

/** Write a matrix or vector as Matrix Market with 17 digits: dense as array, sparse as coordinate. */
CRN_API crn_status crn_io_write_matrix(const char *path, const crn_lcp_problem *problem, crn_error *error);
CRN_API crn_status crn_io_write_vector(const char *path, int n, const double *values, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
