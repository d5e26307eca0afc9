/* The assembled problem against the definition: velocities of contact points from kinematics, mass matrices inverted in
 * long double, and the way back from impulses to z. */
#include "oracle.h"

#include <cairn/lcp.h>

enum { TEST_SEED = 20260501 };

/* --- entries --- */

typedef struct assembled {
    int n;
    double *M, *q, *lower;
} assembled;

static assembled assemble(const scene *s)
{
    crn_workspace workspace = {0};
    crn_error error;
    assembled a = {.n = crn_contact_lcp_size(&s->problem)};
    assert_true(a.n >= 0);
    size_t n = (size_t)a.n;
    a.M = (double *)malloc((n * n + 1) * sizeof *a.M);
    a.q = (double *)malloc((n + 1) * sizeof *a.q);
    a.lower = (double *)malloc((n + 1) * sizeof *a.lower);
    assert_true(a.M && a.q && a.lower);
    crn_status status = crn_contact_assemble(&s->problem, &workspace, a.M, a.q, a.lower, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    crn_workspace_free(&workspace);
    return a;
}

static void assembled_free(assembled *a)
{
    free(a->M);
    free(a->q);
    free(a->lower);
}

/* What the blocks E, mu and -E' add at (i, j). */
static double cone_entry(const scene *s, int i, int j)
{
    int n = s->problem.contacts, phis = 0;
    for (int c = 0; c < n; ++c) {
        phis += s->contact[c].directions;
    }
    int phi = n, lambda = n + phis;
    for (int c = 0; c < n; ++c) {
        int d = s->contact[c].directions;
        bool is_phi_j = j >= phi && j < phi + d, is_phi_i = i >= phi && i < phi + d;
        if (d > 0 && i == lambda) {
            return j == c ? s->contact[c].mu : is_phi_j ? -1.0 : 0.0;
        }
        if (d > 0 && j == lambda) {
            return is_phi_i ? 1.0 : 0.0;
        }
        phi += d;
        lambda += d > 0;
    }
    return 0.0;
}

static void check_entries(const scene *s)
{
    assembled a = assemble(s);
    const int dof = scene_dof(s), n = a.n;
    real *J = (real *)calloc((size_t)(n * dof + 1), sizeof *J);
    double *offset = (double *)calloc((size_t)n + 1, sizeof *offset);
    assert_true(J && offset);
    assert_int_equal(all_rows(s, J, offset), n);
    for (int j = 0; j < n; ++j) {
        real column[SCENE_DOF], speed = offset[j], length = 0.0L;
        memcpy(column, J + j * dof, (size_t)dof * sizeof *column);
        apply_inverse_mass(s, column);
        for (int l = 0; l < dof; ++l) {
            speed += J[j * dof + l] * s->velocity[l];
            length += fabsl(J[j * dof + l] * column[l]);
        }
        TEST_CHECK(fabsl(a.q[j] - speed) <= 1e-14L * (1.0L + fabsl(speed)), "q(%d) = %g, not %Lg", j, a.q[j], speed);
        for (int i = 0; i < n; ++i) {
            real expected = cone_entry(s, i, j), size = 0.0L;
            for (int l = 0; l < dof; ++l) {
                expected += J[i * dof + l] * column[l];
                size += fabsl(J[i * dof + l] * column[l]);
            }
            TEST_CHECK(fabsl(a.M[i + j * n] - expected) <= 1e-13L * (1.0L + size + length), "M(%d,%d) = %g, not %Lg", i,
                       j, a.M[i + j * n], expected);
        }
    }
    for (int i = 0; i < n; ++i) {
        double expected = i < n - s->problem.rows ? 0.0 : -INFINITY;
        assert_true(a.lower[i] == expected);
    }
    free(J);
    free(offset);
    assembled_free(&a);
}

static void entries_are_those_of_the_definition(void **state)
{
    (void)state;
    crn_random random = test_random("entries", TEST_SEED);
    static const int directions[5] = {8, 4, 6, 2, -1};
    for (int t = 0; t < 30; ++t) {
        int bodies = 1 + t % 4, contacts = t % 9;
        scene *s = scene_random(&random, bodies, contacts, t % 3, directions[t % 5], t % 2 == 1);
        check_entries(s);
        free(s);
    }
}

static void frictionless_contacts_have_no_cone_rows(void **state)
{
    (void)state;
    crn_random random = test_random("frictionless", TEST_SEED);
    scene *s = scene_random(&random, 2, 5, 0, 0, false);
    assert_int_equal(crn_contact_lcp_size(&s->problem), 5);
    s->contact[3].directions = 4; /* mu = 0 with corners keeps all its rows */
    s->contact[3].mu = 0.0;
    assert_int_equal(crn_contact_lcp_size(&s->problem), 10);
    check_entries(s);
    free(s);
}

static void empty_problems_are_fine(void **state)
{
    (void)state;
    crn_workspace workspace = {0};
    crn_contact_problem none = {0};
    assert_int_equal(crn_contact_lcp_size(&none), 0);
    assert_int_equal(crn_contact_assemble(&none, &workspace, NULL, NULL, NULL, NULL), CRN_OK);
    assert_int_equal(crn_contact_to_lcp(&none, NULL, NULL, NULL, NULL, NULL), CRN_OK);
    crn_workspace_free(&workspace);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    crn_random random = test_random("bad calls", TEST_SEED);
    crn_workspace workspace = {0};
    crn_error error;
    scene *s = scene_random(&random, 1, 2, 1, 4, false);
    double M[13 * 13], q[13], z[13], six[6] = {0};
    assert_int_equal(crn_contact_lcp_size(&s->problem), 13);
    assert_int_equal(crn_contact_assemble(NULL, &workspace, M, q, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_assemble(&s->problem, NULL, M, q, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_assemble(&s->problem, &workspace, NULL, q, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_assemble(&s->problem, &workspace, M, q, NULL, &error), CRN_OK);
    assert_int_equal(crn_contact_to_lcp(&s->problem, six, six, NULL, z, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_to_lcp(&s->problem, six, NULL, six, z, &error), CRN_ERR_ARGUMENT);
    s->body[0].inertia[0] = -1.0;
    assert_int_equal(crn_contact_assemble(&s->problem, &workspace, M, q, NULL, &error), CRN_ERR_ARGUMENT);
    s->contact[1].mu = -1.0;
    assert_int_equal(crn_contact_to_lcp(&s->problem, six, six, six, z, &error), CRN_ERR_ARGUMENT);
    crn_workspace_free(&workspace);
    free(s);
}

static void sizes_beyond_int_are_refused(void **state)
{
    (void)state;
    enum { COUNT = 600000 };
    crn_contact_point *contact = (crn_contact_point *)calloc(COUNT, sizeof *contact);
    assert_non_null(contact);
    for (int i = 0; i < COUNT; ++i) {
        contact[i].directions = 4096;
    }
    crn_contact_problem problem = {.contacts = COUNT, .contact = contact};
    assert_int_equal(crn_contact_lcp_size(&problem), -1);
    free(contact);
}

/* --- from impulses to z --- */

static void friction_splits_into_two_neighbours(void **state)
{
    (void)state;
    crn_random random = test_random("split", TEST_SEED);
    static const int all[5] = {2, 4, 6, 8, 16};
    for (int t = 0; t < 100; ++t) {
        scene *s = scene_random(&random, 1, 1, 0, all[t % 5], false);
        int d = all[t % 5], j = crn_random_below(&random, d);
        double angle = 2.0 * acos(-1.0) / d, a = crn_random_uniform(&random, 0.0, 1.0);
        double b = d == 2 || t % 4 == 0 ? 0.0 : crn_random_uniform(&random, 0.0, 1.0);
        double r[3] = {5.0, a * cos(j * angle) + b * cos((j + 1) * angle),
                       d == 2 ? 0.0 : a * sin(j * angle) + b * sin((j + 1) * angle)};
        double u[3] = {0.0, 0.0, 0.0}, z[18];
        s->contact[0].mu = 1.0;
        assert_int_equal(crn_contact_to_lcp(&s->problem, r, u, NULL, z, NULL), CRN_OK);
        assert_true(z[0] == 5.0 && z[1 + d] == 0.0);
        for (int l = 0; l < d; ++l) {
            double expected = l == j ? a : l == (j + 1) % d ? b : 0.0;
            TEST_CHECK(fabs(z[1 + l] - expected) <= 1e-14 && z[1 + l] >= 0.0, "d %d: phi(%d) = %g, not %g", d, l,
                       z[1 + l], expected);
        }
        free(s);
    }
}

static void lambda_is_the_slip_against_the_friction(void **state)
{
    (void)state;
    crn_random random = test_random("slip", TEST_SEED);
    scene *s = scene_random(&random, 1, 1, 0, 4, false);
    s->contact[0].mu = 0.5;
    double z[6];
    const double slide[3] = {2.0, -1.0, 0.0}, u[3] = {0.0, 0.3, 0.1};
    assert_int_equal(crn_contact_to_lcp(&s->problem, slide, u, NULL, z, NULL), CRN_OK);
    const double expected[6] = {2.0, 0.0, 0.0, 1.0, 0.0, 0.3};
    for (int i = 0; i < 6; ++i) {
        assert_true(fabs(z[i] - expected[i]) <= 1e-15);
    }
    const double noise[3] = {0.0, 1e-17, -2e-17}, stick[3] = {2.0, -0.9, 0.0}, off[3] = {0.0, 0.0, 0.0};
    assert_int_equal(crn_contact_to_lcp(&s->problem, stick, noise, NULL, z, NULL), CRN_OK);
    assert_true(z[5] <= 2e-17);
    assert_int_equal(crn_contact_to_lcp(&s->problem, off, u, NULL, z, NULL), CRN_OK);
    assert_true(z[5] == 0.3);
    free(s);
}

/* A solution z of the assembled problem, turned into impulses and contact velocities. */
static void impulses_of(const scene *s, const double *z, const double *w, double *impulse, double *u)
{
    int n = s->problem.contacts, phi = n, phis = 0;
    for (int i = 0; i < n; ++i) {
        phis += s->contact[i].directions;
    }
    int lambda = n + phis;
    for (int i = 0; i < n; ++i) {
        int d = s->contact[i].directions;
        double f[2] = {0.0, 0.0};
        for (int j = 0; j < d; ++j) {
            f[0] += z[phi + j] * cos(2.0 * acos(-1.0) * j / d);
            f[1] += d == 2 ? 0.0 : z[phi + j] * sin(2.0 * acos(-1.0) * j / d);
        }
        impulse[3 * i] = z[i];
        impulse[3 * i + 1] = f[0];
        impulse[3 * i + 2] = f[1];
        u[3 * i] = w[i];
        u[3 * i + 1] = d > 0 ? w[phi] - z[lambda] : 0.0; /* sigma_0 = t1'v + lambda */
        u[3 * i + 2] = 0.0;
        if (d >= 4) { /* sigma_1 = cos t1'v + sin t2'v + lambda */
            double angle = 2.0 * acos(-1.0) / d;
            u[3 * i + 2] = (w[phi + 1] - z[lambda] - cos(angle) * u[3 * i + 1]) / sin(angle);
        }
        phi += d;
        lambda += d > 0;
    }
}

static void the_way_back_is_a_solution(void **state)
{
    (void)state;
    crn_random random = test_random("way back", TEST_SEED);
    crn_workspace workspace = {0};
    int solved = 0;
    for (int t = 0; t < 40; ++t) {
        scene *s = t % 2 ? scene_stack(&random, 1 + t % 3, 4 + 2 * (t % 3))
                         : scene_random(&random, 1 + t % 3, 3 + t % 5, t % 3 == 0, -1, t % 4 == 0);
        assembled a = assemble(s);
        double z[200], w[200], back[200], impulse[3 * SCENE_CONTACTS], u[3 * SCENE_CONTACTS];
        assert_true(a.n <= 200);
        crn_lcp_problem p = {.n = a.n, .M = a.M, .ld = a.n, .q = a.q, .lower = a.lower};
        crn_lcp_solution solution = {.z = z, .w = w};
        crn_lcp_result result;
        assert_int_equal(crn_lcp_solve(&p, NULL, &workspace, &solution, &result, NULL), CRN_OK);
        if (result.outcome == CRN_LCP_SOLVED) {
            crn_lcp_certificate certificate;
            crn_error error;
            impulses_of(s, z, w, impulse, u);
            crn_status status = crn_contact_to_lcp(&s->problem, impulse, u, z + a.n - s->problem.rows, back, &error);
            TEST_CHECK(status == CRN_OK, "%s", error.text);
            assert_int_equal(crn_lcp_certify(&p, back, &workspace, &certificate, NULL), CRN_OK);
            TEST_CHECK(certificate.relative <= 1e-9, "case %d: %g after %g", t, certificate.relative,
                       result.certificate.relative);
            ++solved;
        }
        assembled_free(&a);
        free(s);
    }
    TEST_CHECK(solved >= 36, "only %d of 40 were solved", solved);
    crn_workspace_free(&workspace);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_those_of_the_definition),
        cmocka_unit_test(frictionless_contacts_have_no_cone_rows),
        cmocka_unit_test(empty_problems_are_fine),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(sizes_beyond_int_are_refused),
        cmocka_unit_test(friction_splits_into_two_neighbours),
        cmocka_unit_test(lambda_is_the_slip_against_the_friction),
        cmocka_unit_test(the_way_back_is_a_solution),
    };
    return TEST_RUN(tests, argc, argv);
}
