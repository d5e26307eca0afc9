/* The field's friction problems in the plain text copies of FCLIB files: each solved to 1e-8, by both residuals. */
#include "cone_case.h"
#include "test_data.h"

typedef struct file {
    crn_cone_problem problem;
    int count;
    void *block[32];
} file;

static void *keep(file *f, void *block)
{
    assert_true(f->count < 32);
    f->block[f->count++] = block;
    return block;
}

/* Entries in any order, to compressed columns. */
static crn_cone_matrix read_matrix(FILE *in, file *f, int rows, int columns, int entries)
{
    double *dense = cone_doubles(rows * columns);
    for (int k = 0; k < entries; ++k) {
        int i, j;
        double value;
        assert_int_equal(fscanf(in, "%d %d %lf", &i, &j, &value), 3);
        dense[i + j * rows] += value;
    }
    int *start = keep(f, cone_memory((size_t)columns + 1, sizeof *start));
    int *row = keep(f, cone_memory((size_t)entries, sizeof *row));
    double *value = keep(f, cone_doubles(entries));
    int found = 0;
    for (int j = 0; j < columns; ++j) {
        for (int i = 0; i < rows; ++i) {
            if (dense[i + j * rows] != 0.0) {
                row[found] = i;
                value[found++] = dense[i + j * rows];
            }
        }
        start[j + 1] = found;
    }
    free(dense);
    return (crn_cone_matrix){rows, columns, start, row, value};
}

static void read_item(FILE *in, file *f, const char *what)
{
    crn_cone_problem *p = &f->problem;
    char name[32];
    int rows, columns, entries;
    if (strcmp(what, "matrix") == 0) {
        assert_int_equal(fscanf(in, "%31s %d %d %d", name, &rows, &columns, &entries), 4);
        const crn_cone_matrix A = read_matrix(in, f, rows, columns, entries);
        *(name[0] == 'W' ? &p->W : name[0] == 'M' ? &p->M : name[0] == 'H' ? &p->H : &p->G) = A;
        p->dof = name[0] == 'M' ? rows : p->dof;
    } else {
        assert_int_equal(fscanf(in, "%31s %d", name, &entries), 2);
        double *x = keep(f, cone_doubles(entries));
        for (int k = 0; k < entries; ++k) {
            assert_int_equal(fscanf(in, "%lf", &x[k]), 1);
        }
        *(strcmp(name, "q") == 0    ? &p->q
          : strcmp(name, "mu") == 0 ? &p->mu
          : strcmp(name, "f") == 0  ? &p->f
                                    : &p->w) = x;
    }
}

static file read_text(const char *path)
{
    file f = {.problem = {.form = CRN_CONE_LOCAL}};
    FILE *in = fopen(path, "r");
    char word[32], kind[32];
    assert_non_null(in);
    assert_int_equal(fscanf(in, "fct 1 kind %31s spacedim %d nc %d", kind, &f.problem.dim, &f.problem.contacts), 3);
    f.problem.form = kind[0] == 'g' ? CRN_CONE_GLOBAL : CRN_CONE_LOCAL;
    while (fscanf(in, "%31s", word) == 1 && strcmp(word, "end") != 0) {
        read_item(in, &f, word);
    }
    (void)fclose(in);
    return f;
}

static void test_text_files(void **state)
{
    (void)state;
    static const char *const names[] = {"Box_Stacks-i0122-82-5", "Capsules-i125-1213",
                                        "LMGC_100_PR_PerioBox-i00361-60-03000", "local_problem_test"};
    crn_workspace workspace = {0};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        char name[128], path[1024];
        (void)snprintf(name, sizeof name, "fclib/text/%s.fct", names[k]);
        assert_non_null(test_data_path(name, path, sizeof path));
        file f = read_text(path);
        const int n = f.problem.dim * f.problem.contacts;
        double *r = cone_doubles(n), *u = cone_doubles(n);
        crn_cone_solution solution = {.r = r, .u = u};
        crn_cone_result result;
        crn_error error;
        TEST_CHECK(crn_cone_solve(&f.problem, NULL, &workspace, &solution, &result, &error) == CRN_OK, "%s",
                   error.text);
        print_message("%s: %s, %.1e and %.1e, %d steps, %.1f ms\n", names[k], crn_lcp_outcome_name(result.outcome),
                      result.residual, result.residual_cone, result.iterations, 1e3 * result.seconds);
        assert_int_equal(result.outcome, CRN_LCP_SOLVED);
        assert_true(result.residual <= 1e-8 && result.residual_cone <= 1e-8);
        /* u is what the law is about: by its clauses, with no projection */
        assert_true(cone_worst(&f.problem, f.problem.form == CRN_CONE_LOCAL ? f.problem.q : u, r, u) <= 1e-6);
        free(r);
        free(u);
        for (int b = 0; b < f.count; ++b) {
            free(f.block[b]);
        }
    }
    crn_workspace_free(&workspace);
}

int main(int argc, char **argv)
{
    test_data_require("fclib/text/local_problem_test.fct");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text_files)};
    return TEST_RUN(tests, argc, argv);
}
