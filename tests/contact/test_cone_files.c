/* The friction problems of the collection, read from their files: each is solved, judged here from W and q alone, and in
 * time for a test. Residuals are those of the collection's README: natural map with de Saxce's term over |q|. */
#include "test_data.h"
#include "test_support.h"

#include <dirent.h>
#include <math.h>

#include <cairn/cone.h>
#include <cairn/io.h>

#define TOL 1e-8

/* Every file of the folder that ends with `ending`, in any order; how many. */
static int for_files(const char *folder, const char *ending, void (*check)(const char *path))
{
    char path[1024];
    const char *manifest = test_data_path("MANIFEST.tsv", path, sizeof path);
    assert_non_null(manifest);
    char name[1024];
    (void)snprintf(name, sizeof name, "%.*s%s", (int)(strlen(path) - strlen("MANIFEST.tsv")), path, folder);
    DIR *listing = opendir(name);
    assert_non_null(listing);
    int count = 0;
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        size_t length = strlen(entry->d_name), tail = strlen(ending);
        if (length > tail && strcmp(entry->d_name + length - tail, ending) == 0) {
            char file[2048];
            (void)snprintf(file, sizeof file, "%s/%s", name, entry->d_name);
            check(file);
            ++count;
        }
    }
    (void)closedir(listing);
    return count;
}

/* |r - Proj_K(r - (u + mu |u_t| e_n))| over |q|, in long double, of a local problem. */
static long double natural_map(const crn_cone_problem *p, const double *r)
{
    int n = p->dim * p->contacts;
    long double *u = (long double *)calloc((size_t)n + 1, sizeof *u), sum = 0.0L, scale = 0.0L;
    assert_non_null(u);
    for (int i = 0; i < n; ++i) {
        u[i] = p->q[i];
        scale += (long double)p->q[i] * p->q[i];
    }
    for (int j = 0; j < n; ++j) {
        for (int k = p->W.start[j]; k < p->W.start[j + 1]; ++k) {
            u[p->W.row[k]] += (long double)p->W.value[k] * r[j];
        }
    }
    for (int c = 0; c < p->contacts; ++c) {
        const long double *v = u + p->dim * c;
        const double *f = r + p->dim * c;
        long double t1 = v[1], t2 = p->dim == 3 ? v[2] : 0.0L, mu = p->mu[c];
        long double y[3] = {f[0] - (v[0] + mu * sqrtl(t1 * t1 + t2 * t2)), f[1] - t1, p->dim == 3 ? f[2] - t2 : 0.0L};
        long double length = sqrtl(y[1] * y[1] + y[2] * y[2]), x[3] = {y[0], y[1], y[2]};
        if (mu * length <= -y[0]) {
            x[0] = x[1] = x[2] = 0.0L;
        } else if (length > mu * y[0]) {
            long double alpha = (y[0] + mu * length) / (1.0L + mu * mu);
            x[0] = alpha;
            x[1] = mu * alpha * y[1] / length;
            x[2] = mu * alpha * y[2] / length;
        }
        for (int k = 0; k < p->dim; ++k) {
            sum += (f[k] - x[k]) * (f[k] - x[k]);
        }
    }
    free(u);
    return scale > 0.0L ? sqrtl(sum / scale) : sqrtl(sum);
}

static void check_problem(const char *path, const crn_cone_problem *problem)
{
    crn_workspace work = {0};
    crn_cone_result result;
    crn_error error;
    double *r = (double *)calloc((size_t)(problem->dim * problem->contacts) + 1, sizeof *r);
    assert_non_null(r);
    crn_cone_solution solution = {.r = r};
    TEST_CHECK(crn_cone_solve(problem, NULL, &work, &solution, &result, &error) == CRN_OK, "%s: %s", path, error.text);
    TEST_CHECK(result.outcome == CRN_LCP_SOLVED && result.residual <= TOL, "%s: %s, residual %g", path,
               crn_lcp_outcome_name(result.outcome), result.residual);
    if (problem->form == CRN_CONE_LOCAL) {
        long double own = natural_map(problem, r);
        TEST_CHECK(own <= TOL, "%s: residual %Lg by the test's own judge, %g told", path, own, result.residual);
    }
    print_message("  %-60.60s %5d contacts %9.1e %9.1e %4d steps %9.3f ms\n", strrchr(path, '/') + 1, problem->contacts,
                  result.residual, result.residual_cone, result.iterations, 1e3 * result.seconds);
    free(r);
    crn_workspace_free(&work);
}

static void check_siconos(const char *path)
{
    crn_cone_data data = {0};
    crn_error error;
    TEST_CHECK(crn_io_read_siconos_friction(path, CRN_SICONOS_FRICTION_ANY, NULL, &data, &error) == CRN_OK, "%s",
               error.text);
    check_problem(path, &data.problem);
    crn_cone_data_free(&data);
}

static void check_fclib(const char *path)
{
    crn_cone_data data = {0};
    crn_error error;
    crn_status status = crn_io_read_fclib(path, NULL, &data, &error);
    if (status == CRN_ERR_UNSUPPORTED) {
        return; /* built without HDF5 */
    }
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    check_problem(path, &data.problem);
    crn_cone_data_free(&data);
}

static void local_problems_are_solved(void **state)
{
    (void)state;
    assert_int_equal(for_files("friction_local", ".dat", check_siconos), 31);
}

static void global_problems_are_solved(void **state)
{
    (void)state;
    assert_int_equal(for_files("friction_global", ".dat", check_siconos), 9);
}

static void fclib_problems_are_solved(void **state)
{
    (void)state;
    assert_int_equal(for_files("fclib", ".hdf5", check_fclib), 4);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_problems_are_solved),
        cmocka_unit_test(global_problems_are_solved),
        cmocka_unit_test(fclib_problems_are_solved),
    };
    test_data_require("MANIFEST.tsv");
    return TEST_RUN(tests, argc, argv);
}
