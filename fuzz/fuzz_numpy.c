/* Any bytes as a NumPy file: the first says whether they are an array or an archive with a sparse matrix.
 *
 * Nothing may crash or leak, a failure must have a message of one line, and a matrix that is taken must have entries in order. */
#include "../apps/cli/numpy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_columns(const crn_lcp_problem *p)
{
    for (int j = 0; p->start != NULL && j < p->n; ++j) {
        for (int e = p->start[j]; e < p->start[j + 1]; ++e) {
            demand(p->row[e] >= 0 && p->row[e] < p->n && (e == p->start[j] || p->row[e] > p->row[e - 1]));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) {
        return 0;
    }
    unsigned char *copy = malloc(size); /* of the exact size, so that reading past the end is seen */
    demand(copy != NULL);
    memcpy(copy, bytes + 1, size - 1);
    crn_lcp_data data = {0};
    crn_error error = {.status = CRN_OK};
    crn_status status = numpy_parse_matrix(bytes[0] % 2 == 0 ? "M.npy" : "M.npz", copy, size - 1, &data, &error);
    if (status == CRN_OK) {
        check_columns(&data.problem);
    } else {
        demand(error.status == status && error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    }
    crn_lcp_data_free(&data);
    free(copy);
    return 0;
}
