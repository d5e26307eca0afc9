/* From problems to whitened islands: islands against brute force, Gram matrices and motions against dense matrices, and the
 * same problem with every kind of mass. */
#include "scene.h"

#include "contact/compile.h"

enum { TEST_SEED = 20260630 };

typedef struct bench {
    crn_workspace workspace;
    crn_compiled compiled;
} bench;

static void open_bench(bench *b, const crn_contact_problem *p)
{
    crn_error error = {CRN_OK, ""};
    crn_arena arena = crn_arena_counting();
    memset(b, 0, sizeof *b);
    crn_compiled_layout(&b->compiled, p, &arena);
    size_t counted = arena.used;
    assert_int_equal(crn_workspace_arena(&b->workspace, counted, &arena, NULL), CRN_OK);
    crn_compiled_layout(&b->compiled, p, &arena);
    assert_true(arena.used == counted && !arena.overflow);
    TEST_CHECK(crn_compile(&b->compiled, &error) == CRN_OK, "%s", error.text);
}

static void close_bench(bench *b)
{
    crn_workspace_free(&b->workspace);
}

/* --- islands --- */

/* Do bodies i and j hang together? By Warshall's closure. */
static void fill_closure(const scene *s, bool joined[SCENE_BODIES][SCENE_BODIES])
{
    memset(joined, 0, sizeof(bool) * SCENE_BODIES * SCENE_BODIES);
    for (int i = 0; i < s->p.contacts + s->p.rows; ++i) {
        int a = i < s->p.contacts ? s->contact[i].a : s->row[i - s->p.contacts].a;
        int b = i < s->p.contacts ? s->contact[i].b : s->row[i - s->p.contacts].b;
        a = a < 0 ? b : a;
        b = b < 0 ? a : b;
        joined[a][b] = joined[b][a] = joined[a][a] = joined[b][b] = true;
    }
    for (int k = 0; k < s->p.bodies; ++k) {
        for (int i = 0; i < s->p.bodies; ++i) {
            for (int j = 0; j < s->p.bodies; ++j) {
                joined[i][j] = joined[i][j] || (joined[i][k] && joined[k][j]);
            }
        }
    }
}

/* Every body, contact and row once, in increasing order, in the island of its bodies. */
static void check_parts(const scene *s, const crn_compiled *c, int round)
{
    bool joined[SCENE_BODIES][SCENE_BODIES];
    int seen[SCENE_BODIES], bodies = 0, contacts = 0, rows = 0, touched = 0;
    fill_closure(s, joined);
    for (int i = 0; i < s->p.bodies; ++i) {
        seen[i] = -1;
        touched += joined[i][i];
    }
    for (int k = 0; k < c->islands; ++k) {
        const crn_island *island = &c->island[k];
        const crn_system *t = &island->system;
        int dof = 0;
        for (int i = 0; i < t->bodies; ++i) {
            int body = island->body_of[i];
            assert_true(i == 0 || body > island->body_of[i - 1]);
            assert_int_equal(seen[body], -1);
            seen[body] = k;
            assert_int_equal(t->body_start[i], dof);
            dof += s->body[body].dof;
        }
        assert_true(t->dof == dof && t->body_start[t->bodies] == dof);
        for (int i = 0; i < t->contacts; ++i) {
            const crn_contact_point *point = &s->contact[island->contact_of[i]];
            assert_true(i == 0 || island->contact_of[i] > island->contact_of[i - 1]);
            assert_int_equal(seen[point->a >= 0 ? point->a : point->b], k);
            assert_memory_equal(t->offset + 3 * i, point->offset, sizeof point->offset);
            bool has_friction = point->mu > 0.0 && point->directions > 0;
            assert_true(t->mu[i] == (has_friction ? point->mu : 0.0));
            assert_int_equal(t->directions[i], has_friction ? point->directions : 0);
        }
        for (int i = 0; i < t->rows; ++i) {
            const crn_contact_row *row = &s->row[island->row_of[i]];
            assert_true(i == 0 || island->row_of[i] > island->row_of[i - 1]);
            assert_int_equal(seen[row->a >= 0 ? row->a : row->b], k);
            assert_true(t->row_offset[i] == row->offset);
        }
        bodies += t->bodies;
        contacts += t->contacts;
        rows += t->rows;
    }
    TEST_CHECK(bodies == touched && contacts == s->p.contacts && rows == s->p.rows, "round %d: parts are missing",
               round);
    for (int i = 0; i < s->p.bodies; ++i) {
        for (int j = 0; j < s->p.bodies; ++j) {
            bool is_same = seen[i] >= 0 && seen[i] == seen[j];
            TEST_CHECK(is_same == joined[i][j], "round %d: bodies %d and %d", round, i, j);
        }
    }
}

static void islands_are_the_parts_that_share_no_body(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int most = 0;
    for (int round = 0; round < 600; ++round) {
        int bodies = 1 + crn_random_below(&random, SCENE_BODIES - 1);
        int contacts = crn_random_below(&random, bodies + 1);
        int rows = crn_random_below(&random, 1 + bodies / 3);
        scene *s = scene_random(&random, bodies, contacts, rows, round % 2 == 1);
        bench b;
        open_bench(&b, &s->p);
        check_parts(s, &b.compiled, round);
        most = b.compiled.islands > most ? b.compiled.islands : most;
        close_bench(&b);
        scene_free(s);
    }
    assert_true(most > 4);
}

/* --- whitened columns --- */

/* Column `item` (3 i + j, or 3 contacts + row) of the caller's order as a whitened vector over all islands' velocities; false
 * if it is not in island k. */
static bool whitened(const crn_island *island, int contacts, int item, double *x)
{
    const crn_system *t = &island->system;
    memset(x, 0, (size_t)t->dof * sizeof *x);
    for (int i = 0; i < t->contacts; ++i) {
        for (int p = t->piece_start[i];
             island->contact_of[i] == item / 3 && item < 3 * contacts && p < t->piece_start[i + 1]; ++p) {
            const crn_piece *piece = &t->piece[p];
            assert_true(piece->width == 3 && piece->first == t->body_start[piece->body]);
            memcpy(x + piece->first, piece->x + (item % 3) * piece->dof, (size_t)piece->dof * sizeof *x);
        }
        if (item < 3 * contacts && island->contact_of[i] == item / 3) {
            return true;
        }
    }
    for (int i = 0; i < t->rows && item >= 3 * contacts; ++i) {
        for (int p = t->row_piece_start[i]; island->row_of[i] == item - 3 * contacts && p < t->row_piece_start[i + 1];
             ++p) {
            const crn_piece *piece = &t->row_piece[p];
            assert_int_equal(piece->width, 1);
            memcpy(x + piece->first, piece->x, (size_t)piece->dof * sizeof *x);
        }
        if (island->row_of[i] == item - 3 * contacts) {
            return true;
        }
    }
    return false;
}

static void gram_matrices_are_those_of_dense_assembly(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    for (int round = 0; round < 60; ++round) {
        scene *s = scene_random(&random, 4, 6, 3, round % 3 != 0);
        int items = 3 * 6 + 3;
        bench b;
        double x[SCENE_BODIES * SCENE_DOF], y[SCENE_BODIES * SCENE_DOF];
        open_bench(&b, &s->p);
        for (int i = 0; i < items; ++i) {
            const double *Ji = i < 18 ? s->J + (size_t)i * (size_t)s->dof : s->B + (size_t)(i - 18) * (size_t)s->dof;
            for (int j = 0; j < items; ++j) {
                const double *Jj =
                    j < 18 ? s->J + (size_t)j * (size_t)s->dof : s->B + (size_t)(j - 18) * (size_t)s->dof;
                double mine = 0.0, dense = scene_gram(s, Ji, Jj),
                       size = sqrt(scene_gram(s, Ji, Ji) * scene_gram(s, Jj, Jj));
                for (int k = 0; k < b.compiled.islands; ++k) {
                    const crn_island *island = &b.compiled.island[k];
                    if (whitened(island, 6, i, x) && whitened(island, 6, j, y)) {
                        for (int l = 0; l < island->system.dof; ++l) {
                            mine += x[l] * y[l];
                        }
                    }
                }
                TEST_CHECK(fabs(mine - dense) <= 1e-12 * size, "round %d: (%d,%d) is %.17g, not %.17g", round, i, j,
                           mine, dense);
            }
        }
        close_bench(&b);
        scene_free(s);
    }
}

/* --- the same body in every kind --- */

static void all_kinds_of_mass_give_the_same(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    static const crn_mass_kind kinds[4] = {CRN_MASS_RIGID, CRN_MASS_MATRIX, CRN_MASS_FACTOR, CRN_MASS_OPERATOR};
    for (int round = 0; round < 100; ++round) {
        scene *s = scene_random(&random, 1, 5, 2, false);
        double r[15], l[2], u[4][15], v[4][6], inverse[37];
        for (int j = 0; j < 15; ++j) {
            r[j] = crn_random_normal(&random);
        }
        l[0] = crn_random_normal(&random);
        l[1] = crn_random_normal(&random);
        inverse[0] = 6;
        memcpy(inverse + 1, s->inverse[0], 36 * sizeof *inverse);
        for (int k = 0; k < 4; ++k) {
            bench b;
            double y[6];
            s->body[0].kind = kinds[k];
            s->body[0].ld = 6;
            s->body[0].matrix = kinds[k] == CRN_MASS_FACTOR ? s->factor[0] : s->mass[0];
            s->body[0].solve = scene_operator;
            s->body[0].user = inverse + 1;
            for (int i = 0; k == 1 && i < 5; ++i) { /* from here on by Jacobians: the columns of the geometry */
                s->contact[i].jacobian_a = s->contact[i].a == 0 ? s->J + (size_t)(18 * i) : NULL;
                s->contact[i].jacobian_b = s->contact[i].b == 0 ? s->J + (size_t)(18 * i) : NULL;
            }
            open_bench(&b, &s->p);
            assert_int_equal(b.compiled.islands, 1);
            const crn_island *island = &b.compiled.island[0];
            crn_system_motion(&island->system, r, l, y);
            crn_system_contact_velocity(&island->system, y, u[k]);
            crn_compiled_velocity(&b.compiled, island, y, v[k]);
            close_bench(&b);
            for (int j = 0; j < 15; ++j) {
                TEST_CHECK(fabs(u[k][j] - u[0][j]) <= 1e-10 * (1.0 + fabs(u[0][j])),
                           "round %d, kind %d: u differs by %g", round, k, u[k][j] - u[0][j]);
            }
            for (int j = 0; j < 6; ++j) {
                assert_true(fabs(v[k][j] - v[0][j]) <= 1e-10 * (1.0 + fabs(v[0][j])));
            }
        }
        scene_free(s);
    }
}

static void another_velocity_is_as_good_as_another_problem(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 3);
    scene *s = scene_random(&random, 5, 7, 2, true);
    double velocity[SCENE_BODIES * SCENE_DOF], k[2][SCENE_BODIES * SCENE_DOF];
    for (int i = 0; i < s->dof; ++i) {
        velocity[i] = crn_random_normal(&random);
    }
    for (int pass = 0; pass < 2; ++pass) {
        bench b;
        int at = 0;
        s->p.velocity = pass == 0 ? velocity : s->velocity;
        open_bench(&b, &s->p);
        if (pass == 1) {
            crn_compiled_set_velocity(&b.compiled, velocity);
        }
        for (int i = 0; i < b.compiled.islands; ++i) {
            memcpy(k[pass] + at, b.compiled.island[i].system.k,
                   (size_t)b.compiled.island[i].system.dof * sizeof(double));
            at += b.compiled.island[i].system.dof;
        }
        assert_true(pass == 0 || memcmp(k[0], k[1], (size_t)at * sizeof(double)) == 0);
        close_bench(&b);
    }
    scene_free(s);
}

static void indefinite_masses_are_refused(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 4);
    for (int kind = CRN_MASS_MATRIX; kind <= CRN_MASS_OPERATOR; ++kind) {
        scene *s = scene_new();
        scene_bodies(s, &random, 1, false);
        scene_rigid(s, &random, 0);
        bench b = {0};
        crn_error error = {CRN_OK, ""};
        crn_arena arena = crn_arena_counting();
        if (kind == CRN_MASS_UNIT) {
            scene_free(s);
            continue;
        }
        scene_mechanism(s, &random, 0, (crn_mass_kind)kind, 4);
        double *entry = kind == CRN_MASS_MATRIX   ? &s->mass[0][5]
                        : kind == CRN_MASS_FACTOR ? &s->factor[0][5]
                                                  : &s->inverse[0][6];
        *entry = -*entry;
        crn_compiled_layout(&b.compiled, &s->p, &arena);
        assert_int_equal(crn_workspace_arena(&b.workspace, arena.used, &arena, NULL), CRN_OK);
        crn_compiled_layout(&b.compiled, &s->p, &arena);
        assert_int_equal(crn_compile(&b.compiled, &error), CRN_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "body 0"));
        assert_true(kind != CRN_MASS_MATRIX || strstr(error.text, "at velocity 1") != NULL);
        close_bench(&b);
        scene_free(s);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_the_parts_that_share_no_body),
        cmocka_unit_test(gram_matrices_are_those_of_dense_assembly),
        cmocka_unit_test(all_kinds_of_mass_give_the_same),
        cmocka_unit_test(another_velocity_is_as_good_as_another_problem),
        cmocka_unit_test(indefinite_masses_are_refused),
    };
    return TEST_RUN(tests, argc, argv);
}
