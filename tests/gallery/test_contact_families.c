/* The assembled contact LCPs have the blocks that gallery_contact.h promises: a symmetric positive semidefinite Gram
 * matrix whose rank is at most the number of degrees of freedom, cone rows, and q = 0 there. Judged by LAPACK. */
#include "test_support.h"

#include <lapacke.h>
#include <math.h>

#include "gallery.h"

enum { TEST_SEED = 20260102, DIRECTIONS = 8, ROWS_PER_CONTACT = 2 + DIRECTIONS };

static crn_lcp_data make(const char *name, int index)
{
    crn_error error = {0};
    crn_lcp_data data = {0};
    crn_status status = crn_gallery_find(name)->make(index, TEST_SEED, &data, &error);
    TEST_CHECK(status == CRN_OK, "%s %d: %s", name, index, error.text);
    return data;
}

static double at(const crn_lcp_problem *p, int i, int j)
{
    return p->M[i + j * p->ld];
}

/* Eigenvalues, increasing, of the leading block(order); it must be symmetric to the last bit. Release with free(). */
static double *eigenvalues(const crn_lcp_problem *p, int order)
{
    double *block = malloc((size_t)order * (size_t)order * sizeof *block);
    double *values = malloc((size_t)order * sizeof *values);
    assert_true(block && values);
    for (int j = 0; j < order; ++j) {
        for (int i = 0; i < order; ++i) {
            assert_true(at(p, i, j) == at(p, j, i));
            block[i + j * order] = at(p, i, j);
        }
    }
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', order, block, order, values), 0);
    free(block);
    return values;
}

/* Semidefinite with rank at most `rank`, up to rounding of the Gram matrix. */
static void check_gram(const crn_lcp_problem *p, int order, int rank, const char *name, int index)
{
    double *values = eigenvalues(p, order);
    double noise = 1e-12 * values[order - 1];
    int above = 0;
    for (int i = 0; i < order; ++i) {
        above += values[i] > noise;
    }
    TEST_CHECK(values[0] >= -noise, "%s %d: eigenvalue %g", name, index, values[0]);
    TEST_CHECK(above <= rank, "%s %d: rank %d, more than %d", name, index, above, rank);
    free(values);
}

/* The blocks 0, E, mu, -E', 0 around the Gram matrix, and q = 0 in the cone rows. */
static void check_cones(const crn_lcp_problem *p, const char *name, int index)
{
    int contacts = p->n / ROWS_PER_CONTACT, lambda = contacts * (1 + DIRECTIONS);
    bool is_fine = contacts * ROWS_PER_CONTACT == p->n;
    for (int i = 0; i < contacts; ++i) {
        is_fine = is_fine && p->q[lambda + i] == 0.0 && at(p, lambda + i, i) > 0.0;
        for (int j = 0; j < p->n; ++j) {
            bool is_own_direction = j >= contacts && j < lambda && (j - contacts) / DIRECTIONS == i;
            is_fine = is_fine && at(p, j, lambda + i) == (is_own_direction ? 1.0 : 0.0);
            is_fine = is_fine && (j == i || at(p, lambda + i, j) == (is_own_direction ? -1.0 : 0.0));
        }
    }
    TEST_CHECK(is_fine, "%s %d: wrong cone rows", name, index);
}

static int degrees_of_freedom(const char *name, int index)
{
    static const int blocks[10] = {1, 2, 2, 3, 3, 4, 4, 5, 5, 5};
    if (strcmp(name, "stacks") == 0) {
        return 6 * blocks[index % 10];
    }
    if (strcmp(name, "stacks-tall") == 0) {
        return 60 + 30 * (index % 3);
    }
    if (strcmp(name, "mass-ratio") == 0) {
        return 6 * (2 + index / 4 % 4);
    }
    if (strcmp(name, "chain") == 0) {
        return index / 4 % 2 == 0 ? 31 : 25;
    }
    return 6;
}

static void contact_problems_have_their_blocks(void **state)
{
    (void)state;
    int count;
    const crn_gallery_family *families = crn_gallery_families(&count);
    print_message("seed %d\n", TEST_SEED);
    for (int f = 0; f < count; ++f) {
        int most = strcmp(families[f].name, "stacks-tall") == 0 ? 1 : families[f].default_count < 20 ? 8 : 20;
        /* contact-random has other directions in each problem; test_contact_problem.c looks at it */
        bool has_eight = families[f].is_contact && strcmp(families[f].name, "contact-random") != 0;
        for (int index = 0; index < most && has_eight; ++index) {
            crn_lcp_data data = make(families[f].name, index);
            int gram = data.problem.n / ROWS_PER_CONTACT * (1 + DIRECTIONS);
            check_cones(&data.problem, families[f].name, index);
            check_gram(&data.problem, gram, degrees_of_freedom(families[f].name, index), families[f].name, index);
            crn_lcp_data_free(&data);
        }
    }
}

static void frames_have_rank_three(void **state)
{
    (void)state;
    for (int index = 0; index < 36; ++index) {
        crn_lcp_data data = make("frames", index);
        check_gram(&data.problem, data.problem.n, 3, "frames", index);
        crn_lcp_data_free(&data);
    }
}

/* One block of 1 kg on four corners: the normal responses are known in closed form. */
static void a_block_on_the_ground_responds_as_computed_by_hand(void **state)
{
    (void)state;
    /* Half extents (0.1, 0.07, 0.05), m = 1: n_i' M^-1 n_i = 1/m + y^2/Ixx + x^2/Iyy at every corner. */
    double ixx = (0.07 * 0.07 + 0.05 * 0.05) / 3.0, iyy = (0.1 * 0.1 + 0.05 * 0.05) / 3.0;
    double expected = 1.0 + 0.07 * 0.07 / ixx + 0.1 * 0.1 / iyy;
    crn_lcp_data data = make("single", 3);
    for (int i = 0; i < 4; ++i) {
        assert_true(fabs(at(&data.problem, i, i) - expected) < 1e-13 * expected);
    }
    crn_lcp_data_free(&data);
}

static void exact_duplicates_have_equal_rows(void **state)
{
    (void)state;
    crn_lcp_data data = make("duplicates", 0);
    int contacts = data.problem.n / ROWS_PER_CONTACT;
    for (int i = 0; i < contacts / 2; ++i) {
        for (int j = 0; j < data.problem.n - contacts; ++j) {
            assert_true(at(&data.problem, i, j) == at(&data.problem, i + contacts / 2, j));
        }
    }
    crn_lcp_data_free(&data);
}

/* Normal rows of a pair differ by about distance times the lever arm's share of M. */
static void near_duplicates_are_as_near_as_told(void **state)
{
    (void)state;
    for (int fineness = 1; fineness < 8; ++fineness) {
        double distance = pow(10.0, -2.0 - fineness), difference = 0.0;
        crn_lcp_data data = make("duplicates", fineness);
        int half = data.problem.n / ROWS_PER_CONTACT / 2;
        for (int i = 0; i < half; ++i) {
            difference = fmax(difference, fabs(at(&data.problem, i, i) - at(&data.problem, i + half, i)));
        }
        TEST_CHECK(difference < 1e3 * distance && difference > distance, "%g: rows differ by %g", distance, difference);
        crn_lcp_data_free(&data);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_problems_have_their_blocks),
        cmocka_unit_test(frames_have_rank_three),
        cmocka_unit_test(a_block_on_the_ground_responds_as_computed_by_hand),
        cmocka_unit_test(exact_duplicates_have_equal_rows),
        cmocka_unit_test(near_duplicates_are_as_near_as_told),
    };
    return TEST_RUN(tests, argc, argv);
}
