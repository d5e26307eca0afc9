/* Input checks: every field that can be wrong is named; what is allowed passes; columns from geometry are the textbook's. */
#include "scene.h"

#include "contact/problem.h"

enum { TEST_SEED = 20260620 };

/* Two rigid bodies and a mechanism, a contact by geometry, one by Jacobians, and a row. */
typedef struct good {
    crn_contact_body body[3];
    crn_contact_point contact[2];
    crn_contact_row row[1];
    double velocity[14], matrix[4], jacobian_a[18], jacobian_b[6], row_jacobian[6];
    crn_contact_problem p;
} good;

static void set_good(good *g)
{
    memset(g, 0, sizeof *g);
    for (int i = 0; i < 2; ++i) {
        g->body[i] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0};
        g->body[i].inertia[0] = g->body[i].inertia[4] = g->body[i].inertia[8] = 1.0;
    }
    g->matrix[0] = g->matrix[3] = 2.0;
    g->matrix[1] = g->matrix[2] = 1.0;
    g->body[2] = (crn_contact_body){.kind = CRN_MASS_MATRIX, .dof = 2, .matrix = g->matrix, .ld = 2};
    for (int k = 0; k < 18; ++k) {
        g->jacobian_a[k] = k + 1.0;
        g->jacobian_b[k % 6] = k - 1.0;
        g->row_jacobian[k % 6] = 1.0;
    }
    g->contact[0] = (crn_contact_point){.a = 0, .b = 1, .normal = {0.0, 0.0, 1.0}, .mu = 0.5, .directions = 8};
    g->contact[1] = (crn_contact_point){
        .a = 1, .b = 2, .jacobian_a = g->jacobian_a, .jacobian_b = g->jacobian_b, .mu = 0.5, .directions = 4};
    g->row[0] = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = g->row_jacobian};
    g->p = (crn_contact_problem){3, 2, 1, g->body, g->contact, g->row, g->velocity};
}

/* Solve, so that what only shows when masses are factorised shows too; 0 pivots are needed for a good problem. */
static crn_status solve(const crn_contact_problem *p, crn_error *error)
{
    crn_workspace workspace = {0};
    crn_contact_result result;
    crn_status status = crn_contact_solve(p, NULL, &workspace, NULL, &result, error);
    crn_workspace_free(&workspace);
    return status;
}

/* The problem is refused by both, and the message has all of `words` (separated by |). */
static void expect(const good *g, const char *words, bool by_check)
{
    crn_error error;
    char copy[128];
    if (by_check) {
        TEST_CHECK(crn_contact_check(&g->p, &error) == CRN_ERR_ARGUMENT, "\"%s\" passed the check", words);
    }
    TEST_CHECK(solve(&g->p, &error) == CRN_ERR_ARGUMENT, "\"%s\" was solved", words);
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|")) {
        TEST_CHECK(strstr(error.text, word) != NULL, "\"%s\" does not name %s", error.text, word);
    }
}

#define BAD(words, ...)          \
    do {                         \
        good g;                  \
        set_good(&g);            \
        __VA_ARGS__;             \
        expect(&g, words, true); \
    } while (0)

static void good_problems_pass(void **state)
{
    (void)state;
    good g;
    crn_error error;
    set_good(&g);
    assert_int_equal(crn_contact_check(&g.p, &error), CRN_OK);
    assert_string_equal(error.text, "");
    assert_int_equal(solve(&g.p, NULL), CRN_OK);
    crn_contact_problem nothing = {0};
    assert_int_equal(crn_contact_check(&nothing, NULL), CRN_OK);
    assert_int_equal(crn_contact_dof(&nothing), 0);
    g.p.contacts = g.p.rows = 0; /* bodies that touch nothing */
    assert_int_equal(solve(&g.p, NULL), CRN_OK);
    assert_int_equal(crn_contact_dof(&g.p), 14);
}

static void bodies_are_checked(void **state)
{
    (void)state;
    BAD("body 1|mass", g.body[1].mass = -1.0);
    BAD("body 1|mass", g.body[1].mass = 0.0);
    BAD("body 0|mass", g.body[0].mass = NAN);
    BAD("body 0|mass", g.body[0].mass = INFINITY);
    BAD("body 1|dof", g.body[1].dof = 5);
    BAD("body 2|dof", g.body[2].dof = 0);
    BAD("body 0|inertia", g.body[0].inertia[4] = NAN);
    BAD("body 0|com", g.body[0].com[2] = INFINITY);
    BAD("body 1|inertia|symmetric", g.body[1].inertia[1] = 0.5);
    BAD("body 2|matrix", g.body[2].matrix = NULL);
    BAD("body 2|ld", g.body[2].ld = 1);
    BAD("body 2|matrix|finite", g.matrix[1] = NAN);
    BAD("body 2|kind", g.body[2].kind = (crn_mass_kind)17);
    BAD("body 2|solve", g.body[2].kind = CRN_MASS_OPERATOR);
}

static void masses_must_be_positive_definite(void **state)
{
    (void)state;
    good g;
    set_good(&g);
    g.body[1].inertia[4] = -1.0;
    expect(&g, "body 1|inertia|definite", false);
    set_good(&g);
    g.body[0].inertia[1] = g.body[0].inertia[3] = 1.0; /* singular */
    expect(&g, "body 0|inertia|definite", false);
    set_good(&g);
    g.matrix[1] = g.matrix[2] = 3.0;
    expect(&g, "body 2|definite", false);
    set_good(&g);
    g.body[2].kind = CRN_MASS_FACTOR;
    g.matrix[3] = 0.0;
    expect(&g, "body 2|factor", false);
}

static void contacts_are_checked(void **state)
{
    (void)state;
    BAD("contact 0|a = 3", g.contact[0].a = 3);
    BAD("contact 0|b = -2", g.contact[0].b = -2);
    BAD("contact 1|both 1", g.contact[1].b = 1);
    BAD("contact 0|both -1", g.contact[0].a = g.contact[0].b = -1);
    BAD("contact 0|mu", g.contact[0].mu = -0.1);
    BAD("contact 0|mu", g.contact[0].mu = NAN);
    BAD("contact 0|mu", g.contact[0].mu = 2.0 * CRN_CONTACT_MU_MOST);
    BAD("contact 0|mu", g.contact[0].mu = INFINITY);
    BAD("contact 1|directions", g.contact[1].directions = 3);
    BAD("contact 1|directions", g.contact[1].directions = -2);
    BAD("contact 1|directions", g.contact[1].directions = 1 << 20);
    BAD("contact 1|offset", g.contact[1].offset[2] = NAN);
    BAD("contact 0|position", g.contact[0].position[1] = INFINITY);
    BAD("contact 0|normal", g.contact[0].normal[2] = 1.0 + 1e-5);
    BAD("contact 0|normal", g.contact[0].normal[2] = 0.0);
    BAD("contact 0|normal", g.contact[0].normal[0] = NAN);
    BAD("contact 0|t2", g.contact[0].t1[0] = 1.0);
    BAD("contact 0|t1", g.contact[0].t2[1] = 1.0);
    BAD("contact 0|t1", g.contact[0].t1[0] = 2.0, g.contact[0].t2[1] = 1.0);
    BAD("contact 0|orthogonal", g.contact[0].t1[0] = 1.0, g.contact[0].t2[0] = 1.0);
    BAD("contact 0|orthogonal", g.contact[0].t1[2] = 1.0, g.contact[0].t2[1] = 1.0);
    BAD("contact 1|jacobian_b", g.contact[1].jacobian_b = NULL);
    BAD("contact 1|jacobian_a", g.contact[1].jacobian_a = NULL);
    BAD("contact 1|jacobian_a|finite", g.jacobian_a[17] = NAN);
    BAD("contact 1|jacobian_a", g.contact[1].jacobian_a = g.contact[1].jacobian_b = NULL);
}

static void rows_and_counts_are_checked(void **state)
{
    (void)state;
    BAD("row 0|a = 7", g.row[0].a = 7);
    BAD("row 0|both 0", g.row[0].b = 0);
    BAD("row 0|jacobian_a", g.row[0].jacobian_a = NULL);
    BAD("row 0|jacobian_a|finite", g.row_jacobian[3] = INFINITY);
    BAD("row 0|offset", g.row[0].offset = NAN);
    BAD("velocity", g.velocity[13] = NAN);
    BAD("negative", g.p.bodies = -1);
    BAD("negative", g.p.contacts = -1);
    BAD("negative", g.p.rows = -5);
    BAD("NULL", g.p.body = NULL);
    BAD("NULL", g.p.contact = NULL);
    BAD("NULL", g.p.row = NULL);
    BAD("NULL", g.p.velocity = NULL);
    BAD("more than", g.p.contacts = 1 << 25);
    crn_error error;
    assert_int_equal(crn_contact_check(NULL, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "problem"));
}

/* Lengths within 1e-6 of 1 are accepted, and mean the same as the unit vector. */
static void nearly_unit_normals_are_normalised(void **state)
{
    (void)state;
    const crn_contact_body rigid = {.kind = CRN_MASS_RIGID, .dof = 6};
    const crn_contact_problem problem = {.bodies = 1, .body = &rigid};
    crn_contact_point c = {.a = 0, .b = -1, .normal = {0.0, 0.0, 1.0}, .t1 = {1.0, 0.0, 0.0}, .t2 = {0.0, 1.0, 0.0}};
    for (int k = 0; k < 5; ++k) {
        static const double factor[5] = {1.0, 1.0 + 9e-7, 1.0 - 9e-7, 1.0 + 1e-9, 1.0 - 1e-12};
        double frame[9];
        c.normal[2] = c.t1[0] = c.t2[1] = factor[k];
        crn_contact_frame(&problem, &c, frame);
        assert_true(fabs(frame[2] - 1.0) <= 3e-16 && fabs(frame[3] - 1.0) <= 3e-16 && fabs(frame[7] - 1.0) <= 3e-16);
    }
}

/* Where no tangents are given the frame is orthonormal and right-handed, whatever the normal. */
static void chosen_tangents_are_orthonormal(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    const crn_contact_body rigid = {.kind = CRN_MASS_RIGID, .dof = 6};
    const crn_contact_problem problem = {.bodies = 1, .body = &rigid};
    for (int round = 0; round < 1000; ++round) {
        crn_contact_point c = {.a = 0, .b = -1};
        double frame[9], across[3];
        if (round < 6) { /* along the axes */
            c.normal[round % 3] = round < 3 ? 1.0 : -1.0;
        } else if (round < 20) { /* ties */
            double share = round % 2 ? sqrt(0.5) : sqrt(1.0 / 3.0);
            for (int k = 0; k < 3; ++k) {
                c.normal[k] = (round >> k) & 1 ? share : -share;
            }
            c.normal[round % 3] = round % 2 ? 0.0 : c.normal[round % 3];
        } else {
            scene_unit(&random, c.normal);
        }
        crn_contact_frame(&problem, &c, frame);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                double dot = 0.0;
                for (int k = 0; k < 3; ++k) {
                    dot += frame[3 * i + k] * frame[3 * j + k];
                }
                assert_true(fabs(dot - (i == j)) <= 1e-15);
            }
        }
        scene_cross(frame, frame + 3, across);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(across[k] - frame[6 + k]) <= 1e-15);
        }
    }
}

/* The columns against the dense ones of scene.h, and against the velocity of a point by finite rotation. */
static void columns_are_those_of_the_geometry(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    for (int round = 0; round < 200; ++round) {
        scene *s = scene_random(&random, 3, 6, 0, round % 2 == 1);
        for (int i = 0; i < 6; ++i) {
            for (int side = 0; side < 2; ++side) {
                int body = side == 0 ? s->contact[i].a : s->contact[i].b;
                double space[18];
                if (body < 0) {
                    continue;
                }
                const double *x = crn_contact_columns(&s->p, &s->contact[i], side, space);
                for (int j = 0; j < 3; ++j) {
                    for (int k = 0; k < s->body[body].dof; ++k) {
                        double dense = s->J[(size_t)(3 * i + j) * (size_t)s->dof + (size_t)(s->start[body] + k)];
                        assert_true(fabs(x[j * s->body[body].dof + k] - dense) <= 1e-14 * (1.0 + fabs(dense)));
                    }
                }
            }
        }
        scene_free(s);
    }
}

/* Memory of exactly the size that is asked for is enough, wherever it begins. */
static void workspace_of_the_told_size_is_enough(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    for (int round = 0; round < 40; ++round) {
        scene *s = scene_random(&random, 3, 5, 0, false);
        size_t bytes = crn_contact_workspace_size(&s->p, NULL);
        unsigned char *block = (unsigned char *)malloc(bytes + 64);
        crn_contact_result result;
        crn_error error;
        assert_true(bytes > 0 && block != NULL);
        crn_workspace fixed = crn_workspace_fixed(block + round % 64, bytes);
        crn_status status = crn_contact_solve(&s->p, NULL, &fixed, NULL, &result, &error);
        TEST_CHECK(status == CRN_OK, "%s", error.text);
        fixed = crn_workspace_fixed(block + round % 64, bytes / 2);
        assert_int_equal(crn_contact_solve(&s->p, NULL, &fixed, NULL, &result, &error), CRN_ERR_WORKSPACE);
        free(block);
        scene_free(s);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_problems_pass),
        cmocka_unit_test(bodies_are_checked),
        cmocka_unit_test(masses_must_be_positive_definite),
        cmocka_unit_test(contacts_are_checked),
        cmocka_unit_test(rows_and_counts_are_checked),
        cmocka_unit_test(nearly_unit_normals_are_normalised),
        cmocka_unit_test(chosen_tangents_are_orthonormal),
        cmocka_unit_test(columns_are_those_of_the_geometry),
        cmocka_unit_test(workspace_of_the_told_size_is_enough),
    };
    return TEST_RUN(tests, argc, argv);
}
