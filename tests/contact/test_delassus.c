/* Contact space: its matrix against products with the columns; small problems of all classes solved there, judged by the public
 * certificate; loads of equal legs; impulses that are not found stay as they were. */
#include "test_support.h"

#include <math.h>
#include <string.h>

#include "contact/compile.h"
#include "contact/delassus.h"
#include "gallery_classes.h"

enum { PROBLEMS = 40 };

typedef struct bench {
    crn_workspace workspace;
    crn_compiled compiled;
    crn_gallery_contact_problem g;
    double *r, *l, *u, *y;
    int contacts, rows;
} bench;

static bool open_bench(bench *b, int number, int index)
{
    crn_arena arena = crn_arena_counting();
    memset(b, 0, sizeof *b);
    assert_int_equal(crn_gallery_class_make(number, index, 7, &b->g, NULL), CRN_OK);
    crn_compiled_layout(&b->compiled, &b->g.problem, &arena);
    assert_int_equal(crn_workspace_arena(&b->workspace, arena.used, &arena, NULL), CRN_OK);
    crn_compiled_layout(&b->compiled, &b->g.problem, &arena);
    assert_int_equal(crn_compile(&b->compiled, NULL), CRN_OK);
    b->contacts = b->g.problem.contacts;
    b->rows = b->g.problem.rows;
    b->r = calloc(3 * (size_t)b->contacts + 1, sizeof *b->r);
    b->l = calloc((size_t)b->rows + 1, sizeof *b->l);
    b->u = calloc(3 * (size_t)b->contacts + (size_t)b->rows + 1, sizeof *b->u);
    b->y = calloc((size_t)b->compiled.dof + 1, sizeof *b->y);
    return b->compiled.islands == 1;
}

static void close_bench(bench *b)
{
    free(b->r);
    free(b->l);
    free(b->u);
    free(b->y);
    crn_workspace_free(&b->workspace);
    crn_gallery_contact_free(&b->g);
}

static crn_workspace place(crn_delassus *d, const crn_system *system)
{
    crn_arena arena = crn_arena_counting();
    crn_workspace memory = {0};
    crn_delassus_layout(d, system, &arena);
    assert_int_equal(crn_workspace_arena(&memory, arena.used, &arena, NULL), CRN_OK);
    crn_delassus_layout(d, system, &arena);
    assert_false(arena.overflow);
    return memory;
}

/* u of the impulses in b->r and b->l, by products with columns. */
static void velocities(bench *b, const crn_system *s)
{
    crn_system_motion(s, b->r, b->l, b->y);
    crn_system_contact_velocity(s, b->y, b->u);
    crn_system_row_velocity(s, b->y, b->u + 3 * (size_t)s->contacts);
}

static void the_matrix_gives_velocities(void **state)
{
    crn_random random = crn_random_seed(5);
    (void)state;
    for (int number = 0; number < CRN_GALLERY_CLASS_COUNT; ++number) {
        bench b;
        crn_delassus d;
        if (!open_bench(&b, number, 1) || !crn_delassus_fits(&b.compiled.island[0].system)) {
            close_bench(&b);
            continue;
        }
        const crn_system *s = &b.compiled.island[0].system;
        crn_workspace memory = place(&d, s);
        crn_delassus_load(&d, 1.0, 0.0);
        for (int i = 0; i < s->contacts; ++i) {
            double three[3] = {0.0, 0.0, 0.0};
            for (int k = 0; k < crn_system_columns(s, i); ++k) {
                three[k] = b.r[3 * i + k] = crn_random_uniform(&random, -1.0, 1.0);
            }
            crn_delassus_put(&d, i, three, d.r);
        }
        for (int i = 0; i < s->rows; ++i) {
            d.r[d.first[s->contacts + i]] = b.l[i] = crn_random_uniform(&random, -1.0, 1.0);
        }
        velocities(&b, s);
        crn_delassus_velocity(&d, d.r, d.u);
        for (int i = 0; i < d.items; ++i) {
            const double *u = i < s->contacts ? b.u + 3 * (size_t)i : b.u + 2 * (size_t)s->contacts + i;
            for (int k = d.first[i]; k < d.first[i + 1]; ++k) {
                double size = fabs(u[k - d.first[i]]) + d.delta[i] + 1.0;
                assert_true(fabs(d.u[k] - u[k - d.first[i]]) <= 1e-12 * size * d.n);
            }
        }
        crn_workspace_free(&memory);
        close_bench(&b);
    }
}

/* Solve in contact space; the public certificate judges. */
static bool solve_and_judge(bench *b, int number, int index)
{
    const crn_system *s = &b->compiled.island[0].system;
    const double scale = crn_system_velocity_scale(s), tol = 1e-8;
    crn_contact_options options = crn_contact_options_default();
    crn_contact_certificate certificate;
    crn_workspace work = {0};
    crn_delassus d;
    crn_run run;
    crn_workspace memory = place(&d, s);
    double *impulse = calloc(3 * (size_t)b->contacts, sizeof *impulse);
    double *row_impulse = calloc((size_t)b->rows + 1, sizeof *row_impulse);
    bool is_solved = crn_delassus_solve(&d, scale, tol, 0.0, b->r, b->l, &run);
    assert_int_equal(is_solved, run.outcome == CRN_LCP_SOLVED);
    for (int i = 0; i < b->contacts; ++i) {
        memcpy(impulse + 3 * (size_t)b->compiled.island[0].contact_of[i], b->r + 3 * (size_t)i, 3 * sizeof *impulse);
    }
    for (int i = 0; i < b->rows; ++i) {
        row_impulse[b->compiled.island[0].row_of[i]] = b->l[i];
    }
    options.cone = CRN_CONE_ROUND;
    assert_int_equal(crn_contact_certify(&b->g.problem, &options, impulse, row_impulse, &work, &certificate, NULL),
                     CRN_OK);
    TEST_CHECK(!is_solved || certificate.relative <= 1.01 * tol, "class %d, problem %d: certificate %g", number, index,
               certificate.relative);
    for (int i = 0; i < 3 * b->contacts && !is_solved; ++i) {
        assert_true(b->r[i] == 0.0);
    }
    crn_workspace_free(&work);
    free(impulse);
    free(row_impulse);
    crn_workspace_free(&memory);
    return is_solved;
}

/* It is an attempt, but one that is seldom in vain. */
static void most_small_problems_are_solved_there(void **state)
{
    int tried = 0, solved = 0;
    (void)state;
    for (int number = 0; number < CRN_GALLERY_CLASS_COUNT; ++number) {
        for (int index = 0; index < PROBLEMS; ++index) {
            bench b;
            if (open_bench(&b, number, index) && crn_delassus_fits(&b.compiled.island[0].system)) {
                tried++;
                solved += solve_and_judge(&b, number, index);
            }
            close_bench(&b);
        }
    }
    print_message("solved in contact space: %d of %d\n", solved, tried);
    assert_true(tried > 100 && solved >= 0.8 * tried);
}

/* A table on n legs, seen as a body of three velocities (down, two tilts): the loads of equal legs are equal. */
static void equal_legs_carry_equal_loads(void **state)
{
    enum { LEGS = 8 };
    (void)state;
    for (int legs = 3; legs <= LEGS; ++legs) {
        double velocity[3] = {-1.0, 0.0, 0.0}, column[LEGS][9], impulse[3 * LEGS];
        crn_contact_body body = {.kind = CRN_MASS_UNIT, .dof = 3};
        crn_contact_point point[LEGS];
        memset(column, 0, sizeof column);
        for (int i = 0; i < legs; ++i) {
            double angle = 6.283185307179586 * i / legs;
            column[i][0] = 1.0;
            column[i][1] = cos(angle);
            column[i][2] = sin(angle);
            point[i] = (crn_contact_point){.a = 0, .b = -1, .mu = 0.0, .directions = 0, .jacobian_a = column[i]};
        }
        crn_contact_problem problem = {
            .bodies = 1, .body = &body, .contacts = legs, .contact = point, .velocity = velocity};
        crn_contact_options options = crn_contact_options_default();
        crn_contact_solution solution = {.impulse = impulse};
        crn_contact_result result;
        crn_workspace work = {0};
        crn_error error = {CRN_OK, ""};
        options.cone = CRN_CONE_ROUND;
        TEST_CHECK(crn_contact_solve(&problem, &options, &work, &solution, &result, &error) == CRN_OK, "%s",
                   error.text);
        for (int i = 0; i < legs; ++i) {
            TEST_CHECK(fabs(impulse[3 * i] - 1.0 / legs) < 1e-8, "%d legs, leg %d carries %.12g", legs, i,
                       impulse[3 * i]);
        }
        crn_workspace_free(&work);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_matrix_gives_velocities),
                                       cmocka_unit_test(most_small_problems_are_solved_there),
                                       cmocka_unit_test(equal_legs_carry_equal_loads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
