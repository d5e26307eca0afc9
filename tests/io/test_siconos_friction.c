/* Friction problems of Siconos: both forms in every storage on small texts, every way to be wrong, failing allocations,
 * and the files of the collection with their sizes. */
#include "io/io_room.h"

#include "test_allocator.h"
#include "test_data.h"
#include "test_support.h"

#include <math.h>

static crn_status parse(const char *text, crn_siconos_friction kind, crn_cone_data *data, crn_error *error)
{
    crn_io_source source = {.name = "p.dat", .text = text, .size = strlen(text)};
    return crn_io_parse_siconos_friction(&source, kind, NULL, data, error);
}

static double entry(const crn_cone_matrix *matrix, int i, int j)
{
    for (int k = matrix->start[j]; k < matrix->start[j + 1]; ++k) {
        if (matrix->row[k] == i) {
            return matrix->value[k];
        }
    }
    return 0.0;
}

/* Is the matrix this one, given row by row? */
static void expect_matrix(const crn_cone_matrix *matrix, int rows, int columns, const double *values)
{
    assert_int_equal(matrix->rows, rows);
    assert_int_equal(matrix->columns, columns);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            assert_true(entry(matrix, i, j) == values[i * columns + j]);
        }
    }
}

static void expect_vector(const double *vector, int count, const double *values)
{
    for (int i = 0; i < count; ++i) {
        assert_true(vector[i] == values[i]);
    }
}

/* --- Small texts --- */

/* W = [1 2; 3 4] in each storage, one planar contact; M is the same matrix, H = [1 0; 0 2; 3 0] has one row more. */
#define DENSE  "0 2 2 2 2 1 3 2 4\n"
#define BLOCKS "1 2 2 2 2 1 1 2 2 3 2 0 1 2 0 0 0 1 2 1 3 4\n"
#define CSC                                                                            \
    "2 2 2 2\nCSparse Version 3.1.9, some date.\n2-by-2, nzmax: 4 nnz: 4, 1-norm: 6\n" \
    " col 0 : locations 0 to 1\n 1 : 3\n 0 : 1\n col 1 : locations 2 to 3\n 0 : 2\n 1 : 4\n"
#define TRIPLET \
    "2 2 2 1\nCSparse Version\ntriplet: 2-by-2, nzmax: 9 nnz: 5\n0 0 : 1\n0 1 : 1.5\n1 0 : 3\n1 1 : 4\n0 1 : .5\n"
#define M3        "0 3 3 3 3 1 0 0 0 2 0 0 0 3\n"
#define H_DENSE   "0 3 2 3 2 1 0 3 0 2 0\n"
#define H_BLOCKS  "1 3 2 2 2 1 2 3 2 3 2 0 1 2 0 0 0 1 0 0 2 1 3 0\n"
#define H_TRIPLET "2 3 2 1\nCSparse Version\ntriplet: 3-by-2, nzmax: 3 nnz: 3\n0 0 : 1\n2 0 : 3\n1 1 : 2\n"
#define H_CSC                                                        \
    "2 3 2 2\nCSparse Version\n3-by-2, nzmax: 3 nnz: 3, 1-norm: 4\n" \
    "col 0 : locations 0 to 1\n0 : 1\n2 : 3\ncol 1 : locations 2 to 2\n1 : 2\n"
#define GLOBAL "2 1 " M3 H_DENSE "-1 -2 -3 0.5 0.25 0.7\n"

static const double W[] = {1, 2, 3, 4}, H[] = {1, 0, 0, 2, 3, 0}, M[] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
static const double q[] = {-5, -6}, f[] = {-1, -2, -3}, w[] = {0.5, 0.25}, mu[] = {0.7};

static void expect_local(const char *text, crn_siconos_friction kind)
{
    crn_cone_data data = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = parse(text, kind, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    const crn_cone_problem *p = &data.problem;
    assert_int_equal(p->form, CRN_CONE_LOCAL);
    assert_int_equal(p->dim, 2);
    assert_int_equal(p->contacts, 1);
    expect_matrix(&p->W, 2, 2, W);
    expect_vector(p->q, 2, q);
    expect_vector(p->mu, 1, mu);
    assert_int_equal(crn_cone_check(p, &error), CRN_OK);
    crn_cone_data_free(&data);
}

static void expect_global(const char *text, crn_siconos_friction kind)
{
    crn_cone_data data = {0};
    crn_error error = {CRN_OK, ""};
    crn_status status = parse(text, kind, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    const crn_cone_problem *p = &data.problem;
    assert_int_equal(p->form, CRN_CONE_GLOBAL);
    assert_int_equal(p->dof, 3);
    assert_int_equal(p->rows, 0);
    expect_matrix(&p->M, 3, 3, M);
    expect_matrix(&p->H, 3, 2, H);
    expect_vector(p->f, 3, f);
    expect_vector(p->w, 2, w);
    expect_vector(p->mu, 1, mu);
    assert_int_equal(crn_cone_check(p, &error), CRN_OK);
    crn_cone_data_free(&data);
}

static void test_local(void **state)
{
    (void)state;
    const char *texts[] = {"2 1 " DENSE "-5 -6 0.7", "2 1 " BLOCKS "-5 -6 0.7\n1\n", "2 1 " CSC "-5 -6 0.7\n0\n",
                           "2 1 " TRIPLET "-5 -6 0.7\nA remark with 4 numbers 1 2 3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        expect_local(texts[i], CRN_SICONOS_FRICTION_ANY);
        expect_local(texts[i], CRN_SICONOS_FRICTION_LOCAL);
    }
    expect_local("2 1 " DENSE "-5 -6 0.7 1 2 3", CRN_SICONOS_FRICTION_LOCAL);
}

static void test_global(void **state)
{
    (void)state;
    const char *texts[] = {GLOBAL, "2 1 " M3 H_BLOCKS "-1 -2 -3 0.5 0.25 0.7\n1\n",
                           "2 1 " M3 H_TRIPLET "-1 -2 -3 0.5 0.25 0.7 and a remark",
                           "2 1 " M3 H_CSC "-1 -2 -3 0.5 0.25 0.7"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        expect_global(texts[i], CRN_SICONOS_FRICTION_ANY);
        expect_global(texts[i], CRN_SICONOS_FRICTION_GLOBAL);
    }
}

static void test_no_contact(void **state)
{
    (void)state;
    crn_cone_data data = {0};
    crn_error error = {CRN_OK, ""};
    assert_int_equal(parse("3 0 0 0 0 0 0", CRN_SICONOS_FRICTION_ANY, &data, &error), CRN_OK);
    assert_int_equal(data.problem.form, CRN_CONE_LOCAL);
    assert_int_equal(data.problem.contacts, 0);
    crn_cone_data_free(&data);
    assert_int_equal(parse("3 0 0 1 1 1 1 5 0 1 0 1 0 -7", CRN_SICONOS_FRICTION_ANY, &data, &error), CRN_OK);
    assert_int_equal(data.problem.form, CRN_CONE_GLOBAL);
    assert_int_equal(data.problem.dof, 1);
    assert_true(data.problem.f[0] == -7.0);
    crn_cone_data_free(&data);
}

/* --- Wrong files --- */

typedef struct wrong {
    crn_siconos_friction kind;
    const char *text;
    const char *message; /* how the message must begin */
    crn_status status;
} wrong;

#define ANY         CRN_SICONOS_FRICTION_ANY
#define LOCAL       CRN_SICONOS_FRICTION_LOCAL
#define GLOBAL_KIND CRN_SICONOS_FRICTION_GLOBAL

static const wrong wrongs[] = {
    {ANY, "", "p.dat:1: components per contact: missing", CRN_ERR_FORMAT},
    {ANY, "{}", "p.dat:1: components per contact: '{}' is not an integer", CRN_ERR_FORMAT},
    {ANY, "1 1", "p.dat:1: components per contact: 1 is not in 2 .. 5", CRN_ERR_FORMAT},
    {ANY, "4 1", "p.dat:1: components per contact: 4 is not 2 or 3", CRN_ERR_FORMAT},
    {ANY, "5 1", "p.dat:1: components per contact: rolling friction", CRN_ERR_UNSUPPORTED},
    {ANY, "3\n-2", "p.dat:2: contacts: -2 is negative", CRN_ERR_FORMAT},
    {ANY, "3 2000000000", "p.dat:1: contacts: 2000000000 is not in", CRN_ERR_FORMAT},
    {ANY, "3 700000000 1", "p.dat:1: contacts: 700000000 claimed, but only", CRN_ERR_FORMAT},
    {LOCAL, "2 1 7 3 3 1 1 1", "p.dat:1: storage of W: 7 is not in 0 .. 2", CRN_ERR_FORMAT},
    {LOCAL, "2 1 0 3 3 1 1 1", "p.dat:1: W: 3 x 3, but 2 x 2 is needed", CRN_ERR_FORMAT},
    {LOCAL, "2 1 0 2 3 1 1 1", "p.dat:1: W: not square: 2 rows and 3 columns", CRN_ERR_FORMAT},
    {LOCAL, "2 1 " DENSE "-5 -6", "p.dat:2: mu: missing", CRN_ERR_FORMAT},
    {LOCAL, "2 1 " DENSE "-5 nan 0.7", "p.dat:2: q: 'nan' is not allowed", CRN_ERR_FORMAT},
    {LOCAL, "2 1 " DENSE "-5 -6 -0.7", "p.dat:2: mu: entry 1: -0.7 is negative", CRN_ERR_FORMAT},
    {LOCAL, "2 1 " DENSE "-5 -6 inf", "p.dat:2: mu: 'inf' is not finite", CRN_ERR_FORMAT},
    {GLOBAL_KIND, "2 1 0 3 2 1 1 1", "p.dat:1: M: not square: 3 rows and 2 columns", CRN_ERR_FORMAT},
    {GLOBAL_KIND, "2 1 2 2000000000 2000000000 1", "p.dat:1: M: 2000000000 x 2000000000 claimed", CRN_ERR_FORMAT},
    {GLOBAL_KIND, "2 1 " M3 "0 2 2 1 1 1 1", "p.dat:2: H: 2 x 2, but 3 x 2 is needed", CRN_ERR_FORMAT},
    {GLOBAL_KIND, "2 1 " M3 "0 3 2 3 2 1 0 3", "p.dat:2: H: 3 x 2 values claimed", CRN_ERR_FORMAT},
    {GLOBAL_KIND, "2 1 " M3 "2 3 2 4\n 1 2 3 4 5 6", "p.dat:2: origin of H: one triangle", CRN_ERR_FORMAT},
    {GLOBAL_KIND, "2 1 " M3 "1 3 2 1 1 1 3 2 2 1 0 1 7 0 1", "p.dat:2: block column indices of H: 7", CRN_ERR_FORMAT},
    {GLOBAL_KIND, "2 1 " M3 H_DENSE "-1 -2 -3 0.5", "p.dat:3: b: missing", CRN_ERR_FORMAT},
    /* Told by the attempt that got further. */
    {ANY, "2 1 " DENSE "-5 -6 -0.7", "p.dat:2: mu: entry 1: -0.7 is negative (read as local", CRN_ERR_FORMAT},
    {ANY, "2 1 " M3 "0 3 2 3 2 1 0 3 nan 2 0 1 2 3 4 5 6", "p.dat:2: H: 'nan' is not allowed (read as global",
     CRN_ERR_FORMAT},
    {ANY, "2 1 " DENSE "-5 -6 0.7 1 2", "p.dat:2: mu: more numbers follow", CRN_ERR_FORMAT},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; ++i) {
        const wrong *wr = &wrongs[i];
        crn_cone_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_status status = parse(wr->text, wr->kind, &data, &error);
        TEST_CHECK(status == wr->status, "case %zu has status %d: %s", i, (int)status, wr->message);
        TEST_CHECK(strncmp(error.text, wr->message, strlen(wr->message)) == 0, "case %zu: '%s' instead of '%s'", i,
                   error.text, wr->message);
        for (size_t k = 0; k < sizeof data.storage / sizeof data.storage[0]; ++k) {
            assert_null(data.storage[k]);
        }
    }
    crn_cone_data data = {0};
    assert_int_equal(parse(GLOBAL, (crn_siconos_friction)9, &data, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_siconos_friction(NULL, ANY, NULL, &data, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_siconos_friction("p", ANY, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_siconos_friction("/no/such/file", ANY, NULL, &data, NULL), CRN_ERR_IO);
}

/* Every prefix of a good file is refused as that kind. Nothing crashes. */
static void test_truncated_files(void **state)
{
    (void)state;
    const char *texts[] = {"2 1 " DENSE "-5 -6 0.70",
                           "2 1 " BLOCKS "-5 -6 0.70",
                           "2 1 " CSC "-5 -6 0.70",
                           "2 1 " TRIPLET "-5 -6 0.70",
                           "2 1 " M3 H_BLOCKS "-1 -2 -3 0.5 0.25 0.70",
                           "2 1 " M3 H_CSC "-1 -2 -3 0.5 0.25 0.70"};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        crn_siconos_friction kind = t < 4 ? LOCAL : GLOBAL_KIND;
        size_t whole = strlen(texts[t]);
        for (size_t size = 0; size + 4 < whole; ++size) {
            crn_io_source cut = {.name = "p.dat", .text = texts[t], .size = size};
            crn_cone_data data = {0};
            crn_error error = {CRN_OK, ""};
            crn_status status = crn_io_parse_siconos_friction(&cut, kind, NULL, &data, &error);
            TEST_CHECK(status == CRN_ERR_FORMAT, "text %zu cut at %zu: status %d", t, size, (int)status);
            (void)crn_io_parse_siconos_friction(&cut, ANY, NULL, &data, &error);
            crn_cone_data_free(&data);
        }
    }
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const char *texts[] = {"2 1 " DENSE "-5 -6 0.7", "2 1 " BLOCKS "-5 -6 0.7", "2 1 " CSC "-5 -6 0.7", GLOBAL,
                           "2 1 " M3 H_TRIPLET "-1 -2 -3 0.5 0.25 0.7"};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        crn_io_source source = {.name = "p.dat", .text = texts[t], .size = strlen(texts[t])};
        crn_status status = CRN_ERR_MEMORY;
        for (long k = 1; status != CRN_OK; ++k) {
            test_allocator counter = {.fail_at = k};
            crn_allocator hooks = test_allocator_hooks(&counter);
            crn_cone_data data = {0};
            crn_error error = {CRN_OK, ""};
            status = crn_io_parse_siconos_friction(&source, ANY, &hooks, &data, &error);
            TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "text %zu, k %ld: %s", t, k, error.text);
            crn_cone_data_free(&data);
            assert_int_equal(counter.live, 0);
        }
    }
}

/* --- The collection --- */

typedef struct fact {
    const char *name;
    int dim, contacts, dof; /* dof 0: local */
} fact;

static const fact facts[] = {
    {"friction_local/BoxesStack1-i100000-32.dat", 3, 52, 0},
    {"friction_local/Capsules-i100-1090.dat", 3, 276, 0},
    {"friction_local/Capsules-i101-404.dat", 3, 225, 0},
    {"friction_local/Capsules-i122-1617.dat", 3, 296, 0},
    {"friction_local/Confeti-ex03-Fc3D-SBM.dat", 3, 54, 0},
    {"friction_local/Confeti-ex13-4contact-Fc3D-SBM.dat", 3, 4, 0},
    {"friction_local/Confeti-ex13-Fc3D-SBM.dat", 3, 107, 0},
    {"friction_local/FC2D_SliderCrankLagrangian00000.dat", 2, 2, 0},
    {"friction_local/FC3D_Example1.dat", 3, 3, 0},
    {"friction_local/FC3D_Example1_SBM.dat", 3, 3, 0},
    {"friction_local/FrictionContact3D_1c.dat", 3, 1, 0},
    {"friction_local/FrictionContact3D_RR_1c.dat", 3, 1, 0},
    {"friction_local/FrictionContactProblem00031.dat", 2, 11, 0},
    {"friction_local/FrictionContactProblem00071.dat", 2, 89, 0},
    {"friction_local/FrictionContactProblem00237.dat", 2, 376, 0},
    {"friction_local/FrictionContactProblem00374.dat", 2, 28, 0},
    {"friction_local/FrictionContactProblem00394.dat", 2, 6, 0},
    {"friction_local/GFC3D_TwoRods1-condensed.dat", 3, 3, 0},
    {"friction_local/NESpheres_10_1.dat", 3, 9, 0},
    {"friction_local/OneObject-i100000-316.dat", 3, 25, 0},
    {"friction_local/OneObject-i1028-138.dat", 3, 23, 0},
    {"friction_local/RockPile_tob1.dat", 3, 463, 0},
    {"friction_local/Rover1039.dat", 3, 4, 0},
    {"friction_local/Rover1040.dat", 3, 5, 0},
    {"friction_local/Rover11035.dat", 3, 1, 0},
    {"friction_local/Rover3865.dat", 3, 5, 0},
    {"friction_local/Rover4144.dat", 3, 4, 0},
    {"friction_local/Rover4396.dat", 3, 2, 0},
    {"friction_local/Rover4493.dat", 3, 4, 0},
    {"friction_local/fc2d_granularflowonwall_00667_00000.dat", 2, 667, 0},
    {"friction_local/fc2d_granularflowonwall_02020_00213.dat", 2, 2020, 0},
    {"friction_global/GFC3D_Example0.dat", 3, 1, 9},
    {"friction_global/GFC3D_Example00.dat", 3, 1, 3},
    {"friction_global/GFC3D_Example00_badly_scaled.dat", 3, 1, 3},
    {"friction_global/GFC3D_Example0_SBM.dat", 3, 1, 9},
    {"friction_global/GFC3D_Example1.dat", 3, 1, 3},
    {"friction_global/GFC3D_OneContact.dat", 3, 1, 39},
    {"friction_global/GFC3D_TwoRods1.dat", 3, 3, 54},
    {"friction_global/gfc2d_granularflowonwall_00000_00117.dat", 2, 0, 900},
    {"friction_global/gfc2d_granularflowonwall_00069_00350.dat", 2, 69, 900},
};

/* Read a file of the collection; false if the collection is not there. */
static bool load(const char *name, crn_siconos_friction kind, crn_cone_data *data)
{
    char path[1024];
    crn_error error = {CRN_OK, ""};
    if (test_data_path(name, path, sizeof path) == NULL) {
        return false;
    }
    crn_status status = crn_io_read_siconos_friction(path, kind, NULL, data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return true;
}

static void test_every_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; ++i) {
        const fact *e = &facts[i];
        crn_cone_data data = {0};
        if (!load(e->name, ANY, &data)) {
            skip();
        }
        const crn_cone_problem *p = &data.problem;
        crn_error error;
        TEST_CHECK(p->form == (e->dof > 0 ? CRN_CONE_GLOBAL : CRN_CONE_LOCAL), "%s: wrong form", e->name);
        TEST_CHECK(p->dim == e->dim && p->contacts == e->contacts && p->dof == e->dof, "%s: %d %d %d", e->name, p->dim,
                   p->contacts, p->dof);
        TEST_CHECK(crn_cone_check(p, &error) == CRN_OK, "%s: %s", e->name, error.text);
        crn_cone_data_free(&data);
    }
}

static void expect_same_matrix(const crn_cone_matrix *a, const crn_cone_matrix *b, double tolerance)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (int j = 0; j < a->columns; ++j) {
        for (int i = 0; i < a->rows; ++i) {
            double x = entry(a, i, j), y = entry(b, i, j);
            TEST_CHECK(fabs(x - y) <= tolerance, "(%d, %d): %.17g and %.17g", i, j, x, y);
        }
    }
}

/* Blocks and dense storage of the same problem give the same matrices. */
static void test_blocks_equal_dense(void **state)
{
    (void)state;
    crn_cone_data a = {0}, b = {0};
    if (!load("friction_local/FC3D_Example1.dat", ANY, &a) || !load("friction_local/FC3D_Example1_SBM.dat", ANY, &b)) {
        skip();
    }
    expect_same_matrix(&a.problem.W, &b.problem.W, 0.0);
    expect_vector(a.problem.q, 9, b.problem.q);
    crn_cone_data_free(&a);
    crn_cone_data_free(&b);
    (void)load("friction_global/GFC3D_Example0.dat", ANY, &a);
    (void)load("friction_global/GFC3D_Example0_SBM.dat", ANY, &b);
    expect_same_matrix(&a.problem.M, &b.problem.M, 0.0);
    expect_same_matrix(&a.problem.H, &b.problem.H, 0.0);
    crn_cone_data_free(&a);
    crn_cone_data_free(&b);
}

/* Somebody else has eliminated the velocities of TwoRods1: our local form of it is theirs, to the seven digits that the
 * blocks of both files have. */
static void test_local_form(void **state)
{
    (void)state;
    crn_cone_data global = {0}, theirs = {0}, ours = {0};
    crn_error error = {CRN_OK, ""};
    if (!load("friction_global/GFC3D_TwoRods1.dat", ANY, &global) ||
        !load("friction_local/GFC3D_TwoRods1-condensed.dat", ANY, &theirs)) {
        skip();
    }
    crn_status status = crn_io_cone_to_local(&global.problem, NULL, &ours, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    double largest = 0.0, largest_q = 0.0;
    for (int i = 0; i < 9; ++i) {
        largest = fmax(largest, fabs(entry(&theirs.problem.W, i, i)));
        largest_q = fmax(largest_q, fabs(theirs.problem.q[i]));
    }
    expect_same_matrix(&ours.problem.W, &theirs.problem.W, 1e-5 * largest);
    for (int i = 0; i < 9; ++i) {
        TEST_CHECK(fabs(ours.problem.q[i] - theirs.problem.q[i]) <= 1e-5 * largest_q, "q[%d]: %g and %g", i,
                   ours.problem.q[i], theirs.problem.q[i]);
    }
    crn_cone_data_free(&global);
    crn_cone_data_free(&theirs);
    crn_cone_data_free(&ours);
}

/* --- Symmetry --- */

/* W = [1 2; 2 4] but for `other` in place of W(2,1): what became of it. */
static void check_symmetry_of_W(double other, bool is_symmetrised, double expected)
{
    char text[200];
    crn_cone_data data = {0};
    crn_error error;
    (void)snprintf(text, sizeof text, "2 1\n0 2 2 2 2 1 %.17g 2 4\n1 0\n0.5\n", other);
    TEST_CHECK(parse(text, CRN_SICONOS_FRICTION_LOCAL, &data, &error) == CRN_OK, "%s", error.text);
    assert_true(fabs(data.asymmetry - fabs(other - 2.0) / 4.0) <= 1e-15);
    assert_int_equal(data.is_symmetrised, is_symmetrised);
    assert_true(entry(&data.problem.W, 1, 0) == expected);
    assert_true(entry(&data.problem.W, 0, 1) == (is_symmetrised ? expected : 2.0));
    if (other != 2.0) {
        assert_int_equal(data.asymmetry_row + data.asymmetry_column, 1);
    }
    crn_cone_data_free(&data);
}

/* Lost digits are taken out, a W of an implicit integrator is not. */
static void test_lost_digits_of_W(void **state)
{
    (void)state;
    check_symmetry_of_W(2.0, false, 2.0);
    check_symmetry_of_W(2.0 + 4e-8, true, 0.5 * (2.0 + (2.0 + 4e-8)));
    check_symmetry_of_W(2.0 + 4e-15, false, 2.0 + 4e-15);
    check_symmetry_of_W(2.001, false, 2.001);
}

/* An M that is not symmetric is refused when it is used, with the place. */
static void test_lost_digits_of_M(void **state)
{
    static const char good[] = "2 1\n0 3 3 3 3 1 1e-7 0 0 2 0 0 0 3\n" H_DENSE "1 2 3\n0 0\n0.5\n";
    static const char bad[] = "2 1\n0 3 3 3 3 1 0.1 0 0 2 0 0 0 3\n" H_DENSE "1 2 3\n0 0\n0.5\n";
    crn_cone_data data = {0};
    crn_error error;
    (void)state;
    TEST_CHECK(parse(good, CRN_SICONOS_FRICTION_GLOBAL, &data, &error) == CRN_OK, "%s", error.text);
    assert_true(data.is_symmetrised && entry(&data.problem.M, 1, 0) == 0.0); /* one entry without the other */
    assert_int_equal(crn_cone_check(&data.problem, &error), CRN_OK);
    crn_cone_data_free(&data);
    TEST_CHECK(parse(bad, CRN_SICONOS_FRICTION_GLOBAL, &data, &error) == CRN_OK, "%s", error.text);
    assert_false(data.is_symmetrised);
    assert_int_equal(crn_cone_check(&data.problem, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "M(2,1)"));
    crn_cone_data_free(&data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_no_contact),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_every_file),
        cmocka_unit_test(test_blocks_equal_dense),
        cmocka_unit_test(test_local_form),
        cmocka_unit_test(test_lost_digits_of_W),
        cmocka_unit_test(test_lost_digits_of_M),
    };
    return TEST_RUN(tests, argc, argv);
}
