/* Products with whitened columns against dense matrices; the scales of velocities and inverse masses. */
#include "scene.h"

#include "contact/compile.h"

enum { TEST_SEED = 20260640, BODIES = 5, CONTACTS = 9, ROWS = 3 };

typedef struct bench {
    crn_workspace workspace;
    crn_compiled compiled;
} bench;

static void open_bench(bench *b, const crn_contact_problem *p)
{
    crn_arena arena = crn_arena_counting();
    memset(b, 0, sizeof *b);
    crn_compiled_layout(&b->compiled, p, &arena);
    assert_int_equal(crn_workspace_arena(&b->workspace, arena.used, &arena, NULL), CRN_OK);
    crn_compiled_layout(&b->compiled, p, &arena);
    assert_int_equal(crn_compile(&b->compiled, NULL), CRN_OK);
}

#define CHECK_NEAR(a, b, tol, what) \
    TEST_CHECK(fabs((a) - (b)) <= (tol) * (1.0 + fabs(b)), "%s is %.17g, not %.17g", what, a, b)

/* Motion, contact velocities and row velocities of random impulses, island by island. */
static void products_are_those_of_dense_matrices(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int round = 0; round < 200; ++round) {
        scene *s = scene_random(&random, BODIES, CONTACTS, ROWS, round % 2 == 1);
        double r[3 * CONTACTS], l[ROWS], v[BODIES * SCENE_DOF], mine[BODIES * SCENE_DOF];
        bench b;
        for (int j = 0; j < 3 * CONTACTS; ++j) {
            r[j] = crn_random_normal(&random);
        }
        for (int j = 0; j < ROWS; ++j) {
            l[j] = crn_random_normal(&random);
        }
        scene_motion(s, r, l, v);
        open_bench(&b, &s->p);
        for (int k = 0; k < b.compiled.islands; ++k) {
            const crn_island *island = &b.compiled.island[k];
            const crn_system *t = &island->system;
            double rk[3 * CONTACTS], lk[ROWS], u[3 * CONTACTS], e[ROWS], y[BODIES * SCENE_DOF];
            for (int i = 0; i < t->contacts; ++i) {
                memcpy(rk + 3 * i, r + 3 * island->contact_of[i], 3 * sizeof *r);
            }
            for (int i = 0; i < t->rows; ++i) {
                lk[i] = l[island->row_of[i]];
            }
            crn_system_motion(t, rk, lk, y);
            crn_system_contact_velocity(t, y, u);
            crn_system_row_velocity(t, y, e);
            crn_compiled_velocity(&b.compiled, island, y, mine);
            for (int i = 0; i < 3 * t->contacts; ++i) {
                int j = 3 * island->contact_of[i / 3] + i % 3;
                CHECK_NEAR(u[i], scene_slip(s, j, v) + s->contact[j / 3].offset[j % 3], 1e-11, "u");
            }
            for (int i = 0; i < t->rows; ++i) {
                CHECK_NEAR(e[i], scene_row_speed(s, island->row_of[i], v), 1e-11, "row velocity");
            }
            for (int i = 0; i < t->bodies; ++i) {
                for (int q = s->start[island->body_of[i]]; q < s->start[island->body_of[i] + 1]; ++q) {
                    CHECK_NEAR(mine[q], v[q], 1e-11, "velocity");
                }
            }
        }
        crn_workspace_free(&b.workspace);
        scene_free(s);
    }
}

static void inverse_masses_are_mean_diagonals(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    for (int round = 0; round < 100; ++round) {
        scene *s = scene_random(&random, BODIES, CONTACTS, 0, true);
        bench b;
        double delta[CONTACTS];
        for (int i = 0; round % 2 && i < CONTACTS; ++i) { /* a column of zeros does not count */
            memset(s->jacobian[i][0] + 2 * (s->contact[i].a >= 0 ? s->body[s->contact[i].a].dof : 0), 0,
                   SCENE_DOF * sizeof(double));
            memset(s->jacobian[i][1] + 2 * (s->contact[i].b >= 0 ? s->body[s->contact[i].b].dof : 0), 0,
                   SCENE_DOF * sizeof(double));
        }
        scene_dense(s);
        open_bench(&b, &s->p);
        for (int k = 0; k < b.compiled.islands; ++k) {
            const crn_island *island = &b.compiled.island[k];
            crn_system_inverse_mass(&island->system, delta);
            for (int i = 0; i < island->system.contacts; ++i) {
                double sum = 0.0;
                int columns = 0;
                for (int j = 0; j < 3; ++j) {
                    const double *x = s->J + (size_t)(3 * island->contact_of[i] + j) * (size_t)s->dof;
                    double square = scene_gram(s, x, x);
                    sum += square;
                    columns += square > 0.0;
                }
                CHECK_NEAR(delta[i], columns ? sum / columns : 0.0, 1e-11, "delta");
            }
        }
        crn_workspace_free(&b.workspace);
        scene_free(s);
    }
}

/* One body on the ground: what enters the scale and what does not. */
static void the_scale_is_how_fast_contacts_close(void **state)
{
    (void)state;
    double velocity[6] = {0.0, 0.0, 0.0, 3.0, 4.0, -2.0};
    crn_contact_body body = {.kind = CRN_MASS_RIGID, .dof = 6, .mass = 2.0};
    body.inertia[0] = body.inertia[4] = body.inertia[8] = 1.0;
    crn_contact_point contact = {.a = 0, .b = -1, .normal = {0.0, 0.0, 1.0}};
    crn_contact_problem p = {1, 1, 0, &body, &contact, NULL, velocity};
    static const struct {
        double fall, offset, scale;
    } cases[5] = {
        {-2.0, 0.0, 2.0},
        {-2.0, 0.5, 1.5},                                /* the gap takes some of it */
        {-2.0, 1e9, CRN_SCALE_SLIP * 5.385164807134504}, /* a wide gap does not count */
        {0.0, 0.0, CRN_SCALE_SLIP * 5.0},                /* slips along the ground */
        {0.5, -3.0, 2.5},                                /* penetrates */
    };
    for (int k = 0; k < 5; ++k) {
        bench b;
        velocity[5] = cases[k].fall;
        contact.offset[0] = cases[k].offset;
        open_bench(&b, &p);
        CHECK_NEAR(crn_system_velocity_scale(&b.compiled.island[0].system), cases[k].scale, 1e-14, "scale");
        crn_workspace_free(&b.workspace);
    }
    memset(velocity, 0, sizeof velocity);
    contact.offset[0] = 0.0;
    bench b;
    open_bench(&b, &p);
    assert_true(crn_system_velocity_scale(&b.compiled.island[0].system) == 1.0);
    crn_workspace_free(&b.workspace);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_dense_matrices),
        cmocka_unit_test(inverse_masses_are_mean_diagonals),
        cmocka_unit_test(the_scale_is_how_fast_contacts_close),
    };
    return TEST_RUN(tests, argc, argv);
}
