/* FCLIB files with any content: the bytes say which datasets an HDF5 file has, of which type and length, and what is in
 * them. HDF5 makes the file and HDF5 opens it, so that our reader is tried and not the parser of HDF5.
 *
 * Nothing may crash or leak, a failure must leave data empty and a message of one line, and what the reader accepts the
 * library must accept too; but a global problem may have an M that is not symmetric, which is the library's to refuse. */
#include "base/memory.h"
#include "io/hdf5.h"
#include "io/io_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { LONGEST = 64 };

/* What is left of the bytes. */
typedef struct supply {
    const uint8_t *at, *end;
} supply;

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

static int next(supply *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

/* Mostly small, now and then any. */
static int next_int(supply *s)
{
    int byte = next(s);
    if (byte < 250) {
        return byte - 3;
    }
    unsigned value = 0;
    for (int k = 0; k < 4; ++k) {
        value = value << 8 | (unsigned)next(s);
    }
    int result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static double next_real(supply *s)
{
    int byte = next(s);
    if (byte < 250) {
        return 0.25 * (byte - 100);
    }
    double value = 0.0;
    if (s->end - s->at >= (ptrdiff_t)sizeof value) {
        memcpy(&value, s->at, sizeof value);
        s->at += sizeof value;
    }
    return value;
}

/* One dataset, as a list of its proper type unless a byte says otherwise. */
static void add_list(supply *s, const crn_hdf5 *file, const char *path, bool is_real)
{
    int kind = next(s);
    if (kind == 255) {
        return; /* missing */
    }
    if (kind == 254) {
        (void)crn_hdf5_add_group(file, path, NULL);
        return;
    }
    if (kind == 253) {
        (void)crn_hdf5_add_string(file, path, "text", NULL);
        return;
    }
    is_real = kind == 252 ? !is_real : is_real;
    size_t count = (size_t)(kind % LONGEST);
    int ints[LONGEST];
    double reals[LONGEST];
    for (size_t k = 0; k < count; ++k) {
        ints[k] = is_real ? 0 : next_int(s);
        reals[k] = is_real ? next_real(s) : 0.0;
    }
    (void)(is_real ? crn_hdf5_add_reals(file, path, count, reals, NULL)
                   : crn_hdf5_add_ints(file, path, count, ints, NULL));
}

static void add_matrix(supply *s, const crn_hdf5 *file, const char *root, const char *group)
{
    static const char *const names[] = {"m", "n", "nz", "p", "i", "x"};
    char path[80];
    if (next(s) > 240) {
        return;
    }
    (void)snprintf(path, sizeof path, "%s/%s", root, group);
    (void)crn_hdf5_add_group(file, path, NULL);
    for (int k = 0; k < 6; ++k) {
        (void)snprintf(path, sizeof path, "%s/%s/%s", root, group, names[k]);
        if (k < 3) {
            int value = next_int(s);
            (void)crn_hdf5_add_ints(file, path, 1, &value, NULL);
        } else {
            add_list(s, file, path, k == 5);
        }
    }
}

static void fill(supply *s, const crn_hdf5 *file)
{
    static const char *const vectors[] = {"mu", "q", "f", "w", "b"};
    static const char *const matrices[] = {"W", "M", "H", "G", "V"};
    const char *root = next(s) % 2 == 0 ? "/fclib_local" : "/fclib_global";
    bool is_local = strcmp(root, "/fclib_local") == 0;
    char path[80];
    (void)crn_hdf5_add_group(file, root, NULL);
    (void)snprintf(path, sizeof path, "%s/vectors", root);
    (void)crn_hdf5_add_group(file, path, NULL);
    (void)snprintf(path, sizeof path, "%s/spacedim", root);
    add_list(s, file, path, false);
    for (int k = 0; k < 5; ++k) {
        if (k == 0 || is_local == (k == 1)) {
            (void)snprintf(path, sizeof path, "%s/vectors/%s", root, vectors[k]);
            add_list(s, file, path, true);
        }
    }
    for (int k = 0; k < 5; ++k) {
        if (is_local == (k == 0 || k == 4)) {
            add_matrix(s, file, root, matrices[k]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    supply s = {.at = bytes, .end = bytes + size};
    crn_allocator hooks = crn_allocator_default();
    crn_hdf5 file;
    void *image = NULL;
    size_t image_size = 0;
    demand(crn_hdf5_create(&file, "p.hdf5", NULL) == CRN_OK);
    fill(&s, &file);
    demand(crn_hdf5_bytes(&file, &hooks, &image, &image_size, NULL) == CRN_OK);
    crn_hdf5_close(&file);

    crn_io_source source = {.name = "p.hdf5", .text = image, .size = image_size};
    crn_cone_data data = {.problem = {.dof = 0}};
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_io_parse_fclib(&source, NULL, &data, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(crn_cone_check(&data.problem, &error) == CRN_OK || data.problem.form == CRN_CONE_GLOBAL);
    } else {
        demand(data.storage[0] == NULL && data.problem.mu == NULL);
        demand(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    }
    crn_cone_data_free(&data);
    crn_release(&hooks, image);
    return 0;
}
