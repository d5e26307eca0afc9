/* NumPy's files: .npy arrays in and out, sparse matrices as scipy.sparse.save_npz() writes them. */
#ifndef CAIRN_CLI_NUMPY_H
#define CAIRN_CLI_NUMPY_H

#include <cairn/cairn.h>

/* Does the name end in .npy or .npz? */
bool numpy_is_name(const char *path);

/* A square matrix, .npy (dense) or .npz (csc or csr), into data's problem. */
crn_status numpy_read_matrix(const char *path, crn_lcp_data *data, crn_error *error);

/* The same from bytes in memory; the name tells which of the two, and stands in messages. */
crn_status numpy_parse_matrix(const char *name, unsigned char *text, size_t size, crn_lcp_data *data, crn_error *error);

/* A vector of length n: .npy, or Matrix Market if it is named otherwise. */
crn_status numpy_read_vector(const char *path, int n, double *values, crn_error *error);

/* Write a vector: .npy, or Matrix Market if it is named otherwise. */
crn_status numpy_write_vector(const char *path, int n, const double *values, crn_error *error);

/* M, q and bounds (NULL: none), each NumPy's or Matrix Market by its name. data is zero-initialised. */
crn_status numpy_read_problem(const char *M, const char *q, const char *lower, const char *upper, crn_lcp_data *data,
                              crn_error *error);

#endif
