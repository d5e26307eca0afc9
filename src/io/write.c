/* Writing Matrix Market files with 17 digits, so that reading them gives the same bits.
 *
 * A file appears whole or not at all: it is written beside its place under another name and then renamed. */
#include "io/io_room.h"
#include "io/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Longest path, and how many names for the unfinished file are tried. */
enum { PATH_SIZE = 4096, NAMES_TRIED = 100 };

/* A file on its way. */
typedef struct draft {
    FILE *file;
    const char *path;
    char unfinished[PATH_SIZE]; /* empty: written in place */
    crn_error *error;
} draft;

static crn_status fail(const draft *d, const char *what)
{
    return crn_fail(d->error, CRN_ERR_IO, "%s: %s: %s", d->path, what, strerror(errno));
}

/* Devices and pipes cannot be replaced by renaming. */
static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* Open a file of a name that does not exist yet. */
static crn_status open_draft(draft *d, const char *path, crn_error *error)
{
    *d = (draft){.path = path, .error = error};
    errno = 0;
    if (is_special(path)) {
        d->file = fopen(path, "wb");
        return d->file != NULL ? CRN_OK : fail(d, "cannot be written");
    }
    if (strlen(path) + 8 > PATH_SIZE) {
        errno = ENAMETOOLONG;
        return fail(d, "cannot be written");
    }
    for (int i = 0; i < NAMES_TRIED && d->file == NULL; ++i) {
        (void)snprintf(d->unfinished, sizeof d->unfinished, "%s.new%d", path, i);
        d->file = fopen(d->unfinished, "wbx");
        if (d->file == NULL && errno != EEXIST) {
            break;
        }
    }
    return d->file != NULL ? CRN_OK : fail(d, "cannot be written");
}

/* Close the file and put it in its place; if anything went wrong, remove it. */
static crn_status close_draft(draft *d)
{
    bool is_good = !ferror(d->file);
    is_good = fclose(d->file) == 0 && is_good;
    if (d->unfinished[0] != '\0') {
        is_good = is_good && rename(d->unfinished, d->path) == 0;
        if (!is_good) {
            int reason = errno;
            (void)remove(d->unfinished);
            errno = reason;
        }
    }
    return is_good ? crn_fail(d->error, CRN_OK, "%s", "") : fail(d, "cannot be written");
}

static void write_value(FILE *file, double value)
{
    char text[CRN_IO_NUMBER_SIZE];
    crn_io_number_write(value, text);
    fprintf(file, "%s\n", text);
}

static void write_dense(FILE *file, const crn_lcp_problem *problem)
{
    fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", problem->n, problem->n);
    for (int j = 0; j < problem->n; ++j) {
        for (int i = 0; i < problem->n; ++i) {
            write_value(file, problem->M[(size_t)i + (size_t)j * (size_t)problem->ld]);
        }
    }
}

static void write_sparse(FILE *file, const crn_lcp_problem *problem)
{
    bool is_empty = problem->start == NULL; /* only allowed if n is 0 */
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", problem->n, problem->n,
            is_empty ? 0 : problem->start[problem->n]);
    for (int j = 0; j < problem->n && !is_empty; ++j) {
        for (int k = problem->start[j]; k < problem->start[j + 1]; ++k) {
            fprintf(file, "%d %d ", problem->row[k] + 1, j + 1);
            write_value(file, problem->value[k]);
        }
    }
}

crn_status crn_io_write_matrix(const char *path, const crn_lcp_problem *problem, crn_error *error)
{
    if (path == NULL || problem == NULL || problem->n < 0 ||
        (problem->n > 0 && problem->M == NULL && problem->start == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path, problem or M: NULL or of negative order");
    }
    draft d;
    crn_status status = open_draft(&d, path, error);
    if (status != CRN_OK) {
        return status;
    }
    if (problem->M != NULL) {
        write_dense(d.file, problem);
    } else {
        write_sparse(d.file, problem);
    }
    return close_draft(&d);
}

crn_status crn_io_write_vector(const char *path, int n, const double *values, crn_error *error)
{
    if (path == NULL || n < 0 || (n > 0 && values == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "path, n or values: NULL or negative");
    }
    draft d;
    crn_status status = open_draft(&d, path, error);
    if (status != CRN_OK) {
        return status;
    }
    fprintf(d.file, "%%%%MatrixMarket matrix array real general\n%d 1\n", n);
    for (int i = 0; i < n; ++i) {
        write_value(d.file, values[i]);
    }
    return close_draft(&d);
}
