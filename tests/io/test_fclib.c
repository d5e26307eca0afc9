/* FCLIB files: against their text copies, written and read back, every way to be wrong, failing allocations. */
#include "io/hdf5.h"
#include "io/io_room.h"

#include "base/memory.h"
#include "test_allocator.h"
#include "test_data.h"
#include "test_support.h"

#include <hdf5.h>
#include <math.h>
#include <unistd.h>

/* --- Comparing --- */

static double entry(const crn_cone_matrix *matrix, int i, int j)
{
    for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k) {
        if (matrix->row[k] == i) {
            return matrix->value[k];
        }
    }
    return 0.0;
}

static void expect_same_reals(const char *name, const double *a, const double *b, size_t count)
{
    TEST_CHECK((a == NULL) == (b == NULL), "%s: one is absent", name);
    TEST_CHECK(a == NULL || memcmp(a, b, count * sizeof(double)) == 0, "%s: differs", name);
}

static void expect_same_matrix(const char *name, const crn_cone_matrix *a, const crn_cone_matrix *b)
{
    TEST_CHECK((a->start == NULL) == (b->start == NULL), "%s: one is absent", name);
    if (a->start == NULL) {
        return;
    }
    TEST_CHECK(a->rows == b->rows && a->columns == b->columns, "%s: sizes differ", name);
    size_t columns = (size_t)a->columns, entries = (size_t)a->start[columns];
    assert_memory_equal(a->start, b->start, (columns + 1) * sizeof(int));
    assert_memory_equal(a->row, b->row, entries * sizeof(int));
    expect_same_reals(name, a->value, b->value, entries);
}

/* The same problem to the bit. */
static void expect_same(const crn_cone_problem *a, const crn_cone_problem *b)
{
    assert_int_equal(a->form, b->form);
    assert_int_equal(a->dim, b->dim);
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->dof, b->dof);
    assert_int_equal(a->rows, b->rows);
    size_t n = (size_t)a->dim * (size_t)a->contacts;
    expect_same_reals("mu", a->mu, b->mu, (size_t)a->contacts);
    expect_same_reals("q", a->q, b->q, n);
    expect_same_reals("f", a->f, b->f, (size_t)a->dof);
    expect_same_reals("w", a->w, b->w, n);
    expect_same_reals("b", a->b, b->b, (size_t)a->rows);
    expect_same_matrix("W", &a->W, &b->W);
    expect_same_matrix("M", &a->M, &b->M);
    expect_same_matrix("H", &a->H, &b->H);
    expect_same_matrix("G", &a->G, &b->G);
}

/* --- Against the text copies: a reader of its own, for dense matrices --- */

/* Compare the parts of a .fct file with the problem one after another. */
static void compare_with_text(const char *path, const crn_cone_problem *problem)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char word[64], name[64], kind[64];
    int version = 0, dim = 0, contacts = 0, parts = 0;
    assert_int_equal(fscanf(file, "fct %d kind %63s spacedim %d nc %d", &version, kind, &dim, &contacts), 4);
    assert_int_equal(problem->form, strcmp(kind, "local") == 0 ? CRN_CONE_LOCAL : CRN_CONE_GLOBAL);
    assert_int_equal(problem->dim, dim);
    assert_int_equal(problem->contacts, contacts);
    while (fscanf(file, "%63s", word) == 1 && strcmp(word, "end") != 0) {
        ++parts;
        if (strcmp(word, "vector") == 0) {
            int length = 0;
            assert_int_equal(fscanf(file, "%63s %d", name, &length), 2);
            const double *values = name[0] == 'm'   ? problem->mu
                                   : name[0] == 'q' ? problem->q
                                   : name[0] == 'f' ? problem->f
                                                    : problem->w;
            for (int i = 0; i < length; ++i) {
                double value = 0.0;
                assert_int_equal(fscanf(file, "%lf", &value), 1);
                TEST_CHECK(value == values[i], "%s[%d]: %.17g and %.17g", name, i, value, values[i]);
            }
            continue;
        }
        int rows = 0, columns = 0, entries = 0;
        assert_string_equal(word, "matrix");
        assert_int_equal(fscanf(file, "%63s %d %d %d", name, &rows, &columns, &entries), 4);
        const crn_cone_matrix *matrix = name[0] == 'W' ? &problem->W : name[0] == 'M' ? &problem->M : &problem->H;
        assert_int_equal(matrix->rows, rows);
        assert_int_equal(matrix->columns, columns);
        double *dense = calloc((size_t)rows * (size_t)columns, sizeof(double));
        for (int k = 0; k < entries; ++k) {
            int i = 0, j = 0;
            double value = 0.0;
            assert_int_equal(fscanf(file, "%d %d %lf", &i, &j, &value), 3);
            dense[i + j * rows] += value;
        }
        int filled = 0;
        for (int k = 0; k < rows * columns; ++k) {
            filled += dense[k] != 0.0;
            TEST_CHECK(dense[k] == 0.0 || dense[k] == entry(matrix, k % rows, k / rows), "%s(%d, %d) differs", name,
                       k % rows, k / rows);
        }
        assert_int_equal(filled, matrix->start[columns]);
        free(dense);
    }
    fclose(file);
    assert_int_equal(parts, problem->form == CRN_CONE_LOCAL ? 3 : 5);
}

static const struct {
    const char *name;
    crn_cone_form form;
    int dof, contacts;
} facts[] = {
    {"Capsules-i125-1213", CRN_CONE_LOCAL, 0, 286},
    {"LMGC_100_PR_PerioBox-i00361-60-03000", CRN_CONE_LOCAL, 0, 60},
    {"Box_Stacks-i0122-82-5", CRN_CONE_GLOBAL, 450, 82},
    {"local_problem_test", CRN_CONE_LOCAL, 0, 48},
};
enum { FACT_COUNT = sizeof facts / sizeof facts[0] };

/* Read one of the four files; false if the collection is not there. */
static bool load(int i, crn_cone_data *data)
{
    char name[200], path[1024];
    crn_error error = {CRN_OK, ""};
    (void)snprintf(name, sizeof name, "fclib/%s.hdf5", facts[i].name);
    if (test_data_path(name, path, sizeof path) == NULL) {
        return false;
    }
    crn_status status = crn_io_read_fclib(path, NULL, data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return true;
}

static void test_every_file(void **state)
{
    (void)state;
    for (int i = 0; i < FACT_COUNT; ++i) {
        crn_cone_data data = {0};
        if (!load(i, &data)) {
            skip();
        }
        char name[200], path[1024];
        crn_error error;
        (void)snprintf(name, sizeof name, "fclib/text/%s.fct", facts[i].name);
        assert_non_null(test_data_path(name, path, sizeof path));
        assert_int_equal(data.problem.form, facts[i].form);
        assert_int_equal(data.problem.dof, facts[i].dof);
        assert_int_equal(data.problem.contacts, facts[i].contacts);
        compare_with_text(path, &data.problem);
        assert_int_equal(crn_cone_check(&data.problem, &error), CRN_OK);
        crn_cone_data_free(&data);
    }
}

/* --- Written and read back --- */

static const char *scratch_path(char path[64])
{
    (void)snprintf(path, 64, "test_fclib_%ld.hdf5", (long)getpid());
    return path;
}

/* Write, read, compare; returns the bytes of the file, for free(). */
static char *round_trip(const crn_cone_problem *problem, const char *title, size_t *size)
{
    char path[64];
    crn_cone_data again = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_io_write_fclib(scratch_path(path), problem, title, NULL, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    status = crn_io_read_fclib(path, NULL, &again, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    expect_same(problem, &again.problem);
    crn_cone_data_free(&again);
    crn_io_source source;
    crn_allocator hooks = crn_allocator_default();
    assert_int_equal(crn_io_load(path, &hooks, &source, &error), CRN_OK);
    (void)remove(path);
    *size = source.size;
    return (char *)(uintptr_t)source.text;
}

static void test_round_trip_of_every_file(void **state)
{
    (void)state;
    for (int i = 0; i < FACT_COUNT; ++i) {
        crn_cone_data data = {0};
        if (!load(i, &data)) {
            skip();
        }
        size_t size = 0;
        free(round_trip(&data.problem, facts[i].name, &size));
        crn_cone_data_free(&data);
    }
}

/* A small global problem with a bilateral row: M = diag(1, 2, 4), H = [1 0; 0 2; 3 0], G = (1, 0, -1). */
static const int diagonal[] = {0, 1, 2, 3}, H_start[] = {0, 2, 3}, H_row[] = {0, 2, 1}, G_start[] = {0, 2};
static const int G_row[] = {0, 2};
static const double M_value[] = {1, 2, 4}, H_value[] = {1, 3, 2}, G_value[] = {1, -1};
static const double mu[] = {0.1}, f[] = {1.0 / 3.0, -2, 0}, w[] = {0.5, -0.0}, b[] = {0.25};

static crn_cone_problem small_problem(void)
{
    return (crn_cone_problem){.form = CRN_CONE_GLOBAL,
                              .dim = 2,
                              .contacts = 1,
                              .mu = mu,
                              .dof = 3,
                              .rows = 1,
                              .M = {3, 3, diagonal, diagonal, M_value},
                              .H = {3, 2, H_start, H_row, H_value},
                              .G = {3, 1, G_start, G_row, G_value},
                              .f = f,
                              .w = w,
                              .b = b};
}

/* Bilateral rows, no contact at all, and the same bytes again. */
static void test_round_trip(void **state)
{
    (void)state;
    crn_cone_problem problem = small_problem();
    size_t size = 0, size_again = 0;
    char *bytes = round_trip(&problem, NULL, &size);
    char *again = round_trip(&problem, NULL, &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, again, size);
    free(bytes);
    free(again);

    problem.rows = 0;
    problem.b = NULL;
    problem.G = (crn_cone_matrix){0};
    free(round_trip(&problem, "without rows", &size));
    problem.contacts = 0;
    problem.H = (crn_cone_matrix){3, 0, H_start, H_row, H_value};
    free(round_trip(&problem, "no contact", &size));

    /* Offsets that are left out in memory are zeros in the file. */
    problem = small_problem();
    problem.w = NULL;
    char path[64];
    crn_error error = {CRN_OK, ""};
    crn_cone_data data = {0};
    assert_int_equal(crn_io_write_fclib(scratch_path(path), &problem, NULL, NULL, &error), CRN_OK);
    assert_int_equal(crn_io_read_fclib(path, NULL, &data, &error), CRN_OK);
    assert_true(data.problem.w[0] == 0.0 && data.problem.w[1] == 0.0);
    crn_cone_data_free(&data);
    (void)remove(path);
    assert_int_equal(crn_io_write_fclib(NULL, &problem, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_write_fclib("/no/such/folder/p", &problem, NULL, NULL, &error), CRN_ERR_IO);
}

/* The local form: checked against u = W r + q computed with r = e_j through the bordered system by hand.
 * M v = H r + G l + f and G'v + b = 0 with v1 - v3 = -b. */
static void test_local_form(void **state)
{
    (void)state;
    crn_cone_problem problem = small_problem();
    crn_cone_data local = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_io_cone_to_local(&problem, NULL, &local, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    /* v1 = (h1 + l), v2 = h2 / 2, v3 = (h3 - l) / 4 with h = H r + f; v1 - v3 = -b gives l = (h3/4 - h1 - b) 4/5. */
    for (int column = -1; column < 2; ++column) {
        double r[2] = {column == 0, column == 1}, h[3], offset = column < 0 ? b[0] : 0.0;
        h[0] = r[0] + (column < 0 ? f[0] : 0.0);
        h[1] = 2 * r[1] + (column < 0 ? f[1] : 0.0);
        h[2] = 3 * r[0] + (column < 0 ? f[2] : 0.0);
        double l = (h[2] / 4 - h[0] - offset) * 0.8;
        double v[3] = {h[0] + l, h[1] / 2, (h[2] - l) / 4};
        double u[2] = {v[0] + 3 * v[2], 2 * v[1]};
        for (int i = 0; i < 2; ++i) {
            double found = column < 0 ? local.problem.q[i] - w[i] : entry(&local.problem.W, i, column);
            TEST_CHECK(fabs(found - u[i]) <= 1e-15, "(%d, %d): %.17g and %.17g", i, column, found, u[i]);
        }
    }
    crn_cone_data_free(&local);
    assert_int_equal(crn_io_cone_to_local(&problem, NULL, NULL, &error), CRN_ERR_ARGUMENT);
    problem.M.value = (const double[]){1, 2, 0};
    problem.rows = 0;
    assert_int_equal(crn_io_cone_to_local(&problem, NULL, &local, &error), CRN_ERR_UNSUPPORTED);
}

/* --- Files made here, right and wrong --- */

/* What a file holds; counts of 0 leave a dataset out. */
typedef struct content {
    const char *root;
    int dim;
    int m, n, nz;
    int p_count, i_count, x_count, q_count, mu_count;
    int p[8], i[8];
    double x[8], q[8], mu[4];
    bool is_q_int;          /* q of an integer type */
    bool is_group;          /* q is a group */
    const char *extra;      /* another group */
    bool has_matrix, is_2d; /* q of rank 2 */
} content;

/* W = [1 2; 3 4] as triplets, one planar contact. */
static content good(void)
{
    return (content){.root = "/fclib_local",
                     .dim = 2,
                     .m = 2,
                     .n = 2,
                     .nz = 5,
                     .p_count = 5,
                     .i_count = 5,
                     .x_count = 5,
                     .q_count = 2,
                     .mu_count = 1,
                     .p = {0, 1, 0, 1, 1},
                     .i = {0, 0, 1, 1, 0},
                     .x = {1, 1.5, 3, 4, 0.5},
                     .q = {-5, -6},
                     .mu = {0.7},
                     .has_matrix = true};
}

static char *path_in(const content *c, const char *name, char path[100])
{
    (void)snprintf(path, 100, "%s/%s", c->root, name);
    return path;
}

/* q as it should be, or not. */
static void add_q(const content *c, const crn_hdf5 *file)
{
    char path[100];
    path_in(c, "vectors/q", path);
    if (c->is_group) {
        assert_int_equal(crn_hdf5_add_group(file, path, NULL), CRN_OK);
    } else if (c->is_q_int) {
        assert_int_equal(crn_hdf5_add_ints(file, path, 2, c->p, NULL), CRN_OK);
    } else if (c->is_2d) {
        hsize_t sizes[2] = {1, 2};
        hid_t space = H5Screate_simple(2, sizes, NULL);
        hid_t set = H5Dcreate2(file->file, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(set >= 0);
        (void)H5Dclose(set);
        (void)H5Sclose(space);
    } else if (c->q_count > 0) {
        assert_int_equal(crn_hdf5_add_reals(file, path, (size_t)c->q_count, c->q, NULL), CRN_OK);
    }
}

/* The bytes of such a file, for free(). */
static char *make(const content *c, size_t *size)
{
    crn_hdf5 file;
    char path[100];
    crn_allocator hooks = crn_allocator_default();
    assert_int_equal(crn_hdf5_create(&file, "made", NULL), CRN_OK);
    assert_int_equal(crn_hdf5_add_group(&file, c->root, NULL), CRN_OK);
    assert_int_equal(crn_hdf5_add_ints(&file, path_in(c, "spacedim", path), 1, &c->dim, NULL), CRN_OK);
    assert_int_equal(crn_hdf5_add_group(&file, path_in(c, "vectors", path), NULL), CRN_OK);
    add_q(c, &file);
    if (c->mu_count > 0) {
        (void)crn_hdf5_add_reals(&file, path_in(c, "vectors/mu", path), (size_t)c->mu_count, c->mu, NULL);
    }
    if (c->has_matrix) {
        (void)crn_hdf5_add_group(&file, path_in(c, "W", path), NULL);
        (void)crn_hdf5_add_ints(&file, path_in(c, "W/m", path), 1, &c->m, NULL);
        (void)crn_hdf5_add_ints(&file, path_in(c, "W/n", path), 1, &c->n, NULL);
        (void)crn_hdf5_add_ints(&file, path_in(c, "W/nz", path), 1, &c->nz, NULL);
    }
    if (c->p_count > 0) {
        (void)crn_hdf5_add_ints(&file, path_in(c, "W/p", path), (size_t)c->p_count, c->p, NULL);
    }
    if (c->i_count > 0) {
        (void)crn_hdf5_add_ints(&file, path_in(c, "W/i", path), (size_t)c->i_count, c->i, NULL);
    }
    if (c->x_count > 0) {
        (void)crn_hdf5_add_reals(&file, path_in(c, "W/x", path), (size_t)c->x_count, c->x, NULL);
    }
    if (c->extra != NULL) {
        (void)crn_hdf5_add_group(&file, path_in(c, c->extra, path), NULL);
    }
    void *bytes = NULL;
    assert_int_equal(crn_hdf5_bytes(&file, &hooks, &bytes, size, NULL), CRN_OK);
    crn_hdf5_close(&file);
    return bytes;
}

static crn_status parse(const char *bytes, size_t size, const crn_allocator *allocator, crn_cone_data *data,
                        crn_error *error)
{
    crn_io_source source = {.name = "p.hdf5", .text = bytes, .size = size};
    return crn_io_parse_fclib(&source, allocator, data, error);
}

static crn_status read_content(const content *c, crn_cone_data *data, crn_error *error)
{
    size_t size = 0;
    char *bytes = make(c, &size);
    crn_status status = parse(bytes, size, NULL, data, error);
    free(bytes);
    return status;
}

/* Triplets, compressed columns and compressed rows of [1 2; 3 4] are the same matrix. */
static void test_storages(void **state)
{
    (void)state;
    content contents[3] = {good(), good(), good()};
    const content columns = {.nz = -1, .p = {0, 2, 4}, .i = {1, 0, 0, 1}, .x = {3, 1, 2, 4}};
    const content rows = {.nz = -2, .p = {0, 2, 4}, .i = {0, 1, 0, 1}, .x = {1, 2, 3, 4}};
    for (int k = 1; k < 3; ++k) {
        const content *other = k == 1 ? &columns : &rows;
        contents[k].nz = other->nz;
        contents[k].p_count = 3;
        memcpy(contents[k].p, other->p, sizeof other->p);
        memcpy(contents[k].i, other->i, sizeof other->i);
        memcpy(contents[k].x, other->x, sizeof other->x);
    }
    for (int k = 0; k < 3; ++k) {
        crn_cone_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_status status = read_content(&contents[k], &data, &error);
        TEST_CHECK(status == CRN_OK, "%s", error.text);
        for (int i = 0; i < 4; ++i) {
            assert_true(entry(&data.problem.W, i / 2, i % 2) == i + 1.0);
        }
        assert_true(data.problem.q[1] == -6.0 && data.problem.mu[0] == 0.7);
        crn_cone_data_free(&data);
    }
}

static void expect_wrong(const content *c, const char *message, crn_status wanted)
{
    crn_cone_data data = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = read_content(c, &data, &error);
    TEST_CHECK(status == wanted, "status %d instead of: %s", (int)status, message);
    TEST_CHECK(strncmp(error.text, message, strlen(message)) == 0, "'%s' instead of '%s'", error.text, message);
    for (size_t k = 0; k < sizeof data.storage / sizeof data.storage[0]; ++k) {
        assert_null(data.storage[k]);
    }
}

/* expect_wrong() of the good file after one change. */
#define WRONG(change, message)                     \
    do {                                           \
        content c = good();                        \
        change;                                    \
        expect_wrong(&c, message, CRN_ERR_FORMAT); \
    } while (0)

static void test_wrong_files(void **state)
{
    (void)state;
    WRONG(c.root = "/other", "p.hdf5: no group /fclib_local or /fclib_global");
    WRONG(c.dim = 1, "p.hdf5: /fclib_local/spacedim: 1 is not in 2 .. 3");
    WRONG(c.dim = 5, "p.hdf5: /fclib_local/spacedim: 5 is not in 2 .. 3");
    WRONG(c.mu_count = 0, "p.hdf5: /fclib_local/vectors/mu: missing");
    WRONG(c.q_count = 0, "p.hdf5: /fclib_local/vectors/q: missing");
    WRONG(c.is_group = true, "p.hdf5: /fclib_local/vectors/q: not a dataset");
    WRONG(c.is_q_int = true, "p.hdf5: /fclib_local/vectors/q: not of a floating-point type");
    WRONG(c.is_2d = true, "p.hdf5: /fclib_local/vectors/q: not a list of numbers");
    WRONG(c.q_count = 3, "p.hdf5: /fclib_local/vectors/q: 3 numbers, but 2 are needed");
    WRONG(c.mu_count = 2, "p.hdf5: /fclib_local/vectors/q: 2 numbers, but 4 are needed");
    WRONG(c.mu[0] = -1, "p.hdf5: /fclib_local/vectors/mu: entry 0: -1 is negative");
    WRONG(c.mu[0] = (double)NAN, "p.hdf5: /fclib_local/vectors/mu: entry 0: nan is not finite");
    WRONG(c.q[1] = (double)INFINITY, "p.hdf5: /fclib_local/vectors/q: entry 1: inf is not finite");
    WRONG((c.has_matrix = false, c.p_count = c.i_count = c.x_count = 0), "p.hdf5: /fclib_local/W/m: missing");
    WRONG(c.m = -2, "p.hdf5: /fclib_local/W/m: -2 is not in 0 .. ");
    WRONG(c.m = 3, "p.hdf5: /fclib_local/W: 3 x 2, but 2 x 2 is needed");
    WRONG(c.n = 2000000000, "p.hdf5: /fclib_local/W: 2 x 2000000000, but 2 x 2 is needed");
    WRONG(c.nz = -3, "p.hdf5: /fclib_local/W/nz: -3 is not in -2 .. ");
    WRONG(c.nz = 2000000000, "p.hdf5: /fclib_local/W/p: 5 numbers, but at least 2000000000 are needed");
    WRONG(c.p_count = 0, "p.hdf5: /fclib_local/W/p: missing");
    WRONG(c.i_count = 4, "p.hdf5: /fclib_local/W/i: 4 numbers, but at least 5 are needed");
    WRONG(c.x_count = 2, "p.hdf5: /fclib_local/W/x: 2 numbers, but at least 5 are needed");
    WRONG(c.i[2] = 2, "p.hdf5: /fclib_local/W/i: entry 2: 2 is out of range");
    WRONG(c.p[3] = -1, "p.hdf5: /fclib_local/W/p: entry 3: -1 is out of range");
    WRONG(c.x[4] = (double)NAN, "p.hdf5: /fclib_local/W/x: entry 4: nan is not finite");
    WRONG((c.x[1] = 1e308, c.x[4] = 1e308), "p.hdf5: entry of W: the sum at (1, 2) is not finite");
    WRONG((c.nz = -1, c.p_count = 2), "p.hdf5: /fclib_local/W/p: 2 numbers, but at least 3 are needed");
    WRONG((c.nz = -1, c.p[1] = 9, c.p[2] = 9), "p.hdf5: /fclib_local/W/p: entry 1: 9 is no place");
    WRONG((c.nz = -1, c.p[0] = 1), "p.hdf5: /fclib_local/W/p: entry 0: 1 is no place");
    WRONG((c.nz = -2, c.p[1] = 3, c.p[2] = 1), "p.hdf5: /fclib_local/W/p: entry 2: 1 is no place");
    content c = good();
    c.extra = "V";
    expect_wrong(&c, "p.hdf5: /fclib_local/V: bilateral rows", CRN_ERR_UNSUPPORTED);
    c = good();
    c.root = "/fclib_global_rolling";
    expect_wrong(&c, "p.hdf5: /fclib_global_rolling: rolling friction", CRN_ERR_UNSUPPORTED);
    c = good();
    c.root = "/fclib_global";
    expect_wrong(&c, "p.hdf5: /fclib_global/vectors/f: missing", CRN_ERR_FORMAT);
}

/* Bytes that are no HDF5, and a good file cut anywhere. */
static void test_damaged_files(void **state)
{
    (void)state;
    content c = good();
    size_t size = 0;
    char *bytes = make(&c, &size);
    crn_cone_data data = {0};
    crn_error error = {CRN_OK, ""};
    assert_int_equal(parse("not this", 8, NULL, &data, &error), CRN_ERR_FORMAT);
    assert_string_equal(error.text, "p.hdf5: not an HDF5 file");
    assert_int_equal(parse(NULL, 0, NULL, &data, &error), CRN_ERR_FORMAT);
    for (size_t cut = 0; cut < size; cut += 61) {
        crn_status status = parse(bytes, cut, NULL, &data, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT, "cut at %zu of %zu: status %d", cut, size, (int)status);
        TEST_CHECK(error.text[0] != '\0' && strchr(error.text, '\n') == NULL, "'%s'", error.text);
    }
    free(bytes);
    assert_int_equal(crn_io_read_fclib("/no/such/file", NULL, &data, &error), CRN_ERR_IO);
    assert_int_equal(crn_io_read_fclib(NULL, NULL, &data, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_fclib("x", NULL, NULL, &error), CRN_ERR_ARGUMENT);
}

/* A dataset that claims a terabyte, in chunks that nobody wrote; one that lives in another file; a link to one. */
static void test_hostile_files(void **state)
{
    (void)state;
    static const char *const messages[] = {"p.hdf5: /fclib_local/vectors/q: claims more numbers",
                                           "p.hdf5: /fclib_local/vectors/q: claims more numbers",
                                           "p.hdf5: /fclib_local/vectors/q: missing"};
    for (int kind = 0; kind < 3; ++kind) {
        content c = good();
        c.q_count = 0;
        size_t size = 0;
        char *bytes = make(&c, &size);
        hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
        char path[64];
        (void)scratch_path(path);
        FILE *out = fopen(path, "wb");
        assert_int_equal(fwrite(bytes, 1, size, out), size);
        fclose(out);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
        assert_true(file >= 0);
        hsize_t length = kind == 0 ? (hsize_t)1 << 37 : 2, chunk = 1 << 16;
        hid_t space = H5Screate_simple(1, &length, NULL);
        if (kind == 0) {
            assert_true(H5Pset_chunk(creation, 1, &chunk) >= 0);
        } else if (kind == 1) {
            assert_true(H5Pset_external(creation, "/etc/hostname", 0, 16) >= 0);
        }
        if (kind == 2) {
            assert_true(H5Lcreate_external("elsewhere.hdf5", "/q", file, "/fclib_local/vectors/q", H5P_DEFAULT,
                                           H5P_DEFAULT) >= 0);
        } else {
            hid_t set =
                H5Dcreate2(file, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
            assert_true(set >= 0);
            (void)H5Dclose(set);
        }
        (void)H5Sclose(space);
        (void)H5Fclose(file);
        (void)H5Pclose(creation);
        (void)H5Pclose(access);
        free(bytes);
        crn_cone_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_io_source source;
        crn_allocator hooks = crn_allocator_default();
        assert_int_equal(crn_io_load(path, &hooks, &source, &error), CRN_OK);
        (void)remove(path);
        crn_status status = parse(source.text, source.size, NULL, &data, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT, "kind %d: status %d", kind, (int)status);
        TEST_CHECK(strncmp(error.text, messages[kind], strlen(messages[kind])) == 0, "'%s'", error.text);
        crn_io_unload(&hooks, &source);
    }
}

/* HDF5 says nothing on standard error, and prints again afterwards for whoever wants it. */
static void test_error_handler_is_restored(void **state)
{
    (void)state;
    H5E_auto2_t before = NULL, after = NULL;
    void *data_before = NULL, *data_after = NULL;
    (void)H5Eget_auto2(H5E_DEFAULT, &before, &data_before);
    content c = good();
    c.q_count = 0;
    expect_wrong(&c, "p.hdf5: /fclib_local/vectors/q: missing", CRN_ERR_FORMAT);
    (void)H5Eget_auto2(H5E_DEFAULT, &after, &data_after);
    assert_true(before == after && data_before == data_after);
    assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    content c = good();
    size_t size = 0;
    char *bytes = make(&c, &size);
    crn_status status = CRN_ERR_MEMORY;
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_cone_data data = {0};
        crn_error error = {CRN_OK, ""};
        status = parse(bytes, size, &hooks, &data, &error);
        TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "k %ld: %s", k, error.text);
        crn_cone_data_free(&data);
        assert_int_equal(counter.live, 0);
    }
    free(bytes);

    /* Writing, and the local form. */
    crn_cone_problem problem = small_problem();
    problem.b = NULL;
    char path[64];
    status = CRN_ERR_MEMORY;
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        status = crn_io_write_fclib(scratch_path(path), &problem, NULL, &hooks, NULL);
        assert_true(status == CRN_OK || status == CRN_ERR_MEMORY);
        assert_int_equal(counter.live, 0);
    }
    (void)remove(path);
    status = CRN_ERR_MEMORY;
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_cone_data local = {0};
        status = crn_io_cone_to_local(&problem, &hooks, &local, NULL);
        assert_true(status == CRN_OK || status == CRN_ERR_MEMORY);
        crn_cone_data_free(&local);
        assert_int_equal(counter.live, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_file),
        cmocka_unit_test(test_round_trip_of_every_file),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_local_form),
        cmocka_unit_test(test_storages),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_hostile_files),
        cmocka_unit_test(test_error_handler_is_restored),
        cmocka_unit_test(test_failing_allocations),
    };
    return TEST_RUN(tests, argc, argv);
}
