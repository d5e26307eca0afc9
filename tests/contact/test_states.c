/* The path on contact states from inside: after every pivot the inverse is that of the basis written down from its
 * definition, the lists agree, the rows are 0 at the point and no inequality is violated; every event of the table of
 * states.h occurs, those among them in which the driven unknown takes part in what blocks. */
#include "unique_scene.h"

#include "contact/compile.h"
#include "contact/states.c" /* the walk, step by step: its parts are local to the file */

enum { TEST_SEED = 20260703 };

/* --- polygons --- */

static void polygons_are_regular(void **state)
{
    (void)state;
    static const int all[8] = {2, 4, 6, 8, 10, 12, 64, 4096};
    double *filled = test_doubles(4 * 4096);
    for (int t = 0; t < 8; ++t) {
        int d = all[t];
        crn_polygon_fill(d, filled);
        const double *known = crn_polygon_known(d);
        for (int pass = 0; pass < (known ? 2 : 1); ++pass) {
            const double *table = pass ? known : filled;
            for (int j = 0; j < d; ++j) {
                const double *here = crn_polygon_corner(table, j), *next = crn_polygon_corner(table, (j + 1) % d);
                const double *normal = crn_polygon_normal(table, d, j);
                double angle = 2.0 * SCENE_PI * j / d;
                assert_true(fabs(here[0] - cos(angle)) < 1e-15 && fabs(here[1] - sin(angle)) < 2e-15);
                if (d > 2) {
                    assert_true(fabs(normal[0] * here[0] + normal[1] * here[1] - 1.0) < 1e-14);
                    assert_true(fabs(normal[0] * next[0] + normal[1] * next[1] - 1.0) < 1e-14);
                }
                double slip[2] = {-here[0], -here[1]};
                assert_int_equal(crn_polygon_against(table, d, slip), j);
            }
        }
    }
    free(filled);
}

/* --- one island, loaded --- */

typedef struct island {
    crn_workspace compiled_memory, states_memory;
    crn_compiled compiled;
    crn_states states;
    crn_run run;
} island;

/* The first island of a problem, ready to walk; false if it has no contact. */
static bool island_open(island *t, const crn_contact_problem *p, uint64_t seed)
{
    crn_arena counting = crn_arena_counting(), arena;
    memset(t, 0, sizeof *t);
    crn_compiled_layout(&t->compiled, p, &counting);
    assert_int_equal(crn_workspace_arena(&t->compiled_memory, counting.used, &arena, NULL), CRN_OK);
    crn_compiled_layout(&t->compiled, p, &arena);
    assert_int_equal(crn_compile(&t->compiled, NULL), CRN_OK);
    if (t->compiled.islands == 0 || t->compiled.island[0].system.contacts == 0) {
        return false;
    }
    const crn_system *system = &t->compiled.island[0].system;
    counting = crn_arena_counting();
    crn_states_layout(&t->states, system, &counting);
    assert_int_equal(crn_workspace_arena(&t->states_memory, counting.used, &arena, NULL), CRN_OK);
    crn_states_layout(&t->states, system, &arena);
    crn_states_load(&t->states, system, seed, crn_system_velocity_scale(system));
    t->states.run = &t->run;
    return true;
}

static void island_close(island *t)
{
    crn_workspace_free(&t->compiled_memory);
    crn_workspace_free(&t->states_memory);
}

/* --- the basis from its definition --- */

static void corner_of(const crn_touch *touch, int j, double *corner)
{
    corner[0] = touch->d > 0 ? cos(2.0 * SCENE_PI * j / touch->d) : 0.0;
    corner[1] = touch->d > 2 ? sin(2.0 * SCENE_PI * j / touch->d) : 0.0;
}

/* The row or unknown of a part in the contact's frame: n, e = d_k - d_j, -d_j; theta has n + mu d_j. */
static void frame_vector(const crn_touch *touch, int part, bool is_column, double *q)
{
    double at[2], to[2];
    corner_of(touch, touch->j, at);
    corner_of(touch, touch->k, to);
    q[0] = part == 0;
    for (int l = 0; l < 2; ++l) {
        q[1 + l] = part == 1 ? to[l] - at[l] : part == 2 ? -at[l] : is_column ? touch->mu * at[l] : 0.0;
    }
}

/* Row or column of that id in velocity space, from the whitened columns of the system. */
static void velocity_vector(const crn_states *s, int id, bool is_column, real *x)
{
    const crn_system *system = s->system;
    for (int l = 0; l < system->dof; ++l) {
        x[l] = 0.0L;
    }
    if (id >= 3 * s->contacts) { /* a row: bilateral, or with a bound, which may be turned round */
        bool is_bounded = id < 3 * s->n;
        int b = id / 3 - s->contacts, row = is_bounded ? s->bound[b].row : id - 3 * s->n;
        double sign = is_bounded ? s->bound[b].sign : 1.0;
        assert_true(!is_bounded || id % 3 == 0);
        for (int p = system->row_piece_start[row]; p < system->row_piece_start[row + 1]; ++p) {
            const crn_piece *piece = &system->row_piece[p];
            for (int l = 0; l < piece->dof; ++l) {
                x[piece->first + l] += (real)piece->x[l] * s->joint_scale[row] * sign;
            }
        }
        return;
    }
    const crn_touch *touch = &s->touch[id / 3];
    double q[3];
    frame_vector(touch, id % 3, is_column, q);
    for (int p = system->piece_start[id / 3]; p < system->piece_start[id / 3 + 1]; ++p) {
        const crn_piece *piece = &system->piece[p];
        for (int j = 0; j < 3; ++j) {
            for (int l = 0; l < piece->dof; ++l) {
                x[piece->first + l] += (real)q[j] * piece->x[l + j * piece->dof] * touch->scale;
            }
        }
    }
}

static real shift_of(const crn_states *s, int id)
{
    if (id >= 3 * s->n) {
        return s->joint_shift[id - 3 * s->n];
    }
    double q[3];
    frame_vector(&s->touch[id / 3], id % 3, false, q);
    const double *shift = s->touch[id / 3].shift;
    return (real)q[0] * shift[0] + (real)q[1] * shift[1] + (real)q[2] * shift[2];
}

static real offset_of(const crn_states *s, int id)
{
    if (id >= 3 * s->n) {
        return (real)s->system->row_offset[id - 3 * s->n] * s->joint_scale[id - 3 * s->n] / s->unit;
    }
    if (id >= 3 * s->contacts) {
        int b = id / 3 - s->contacts, row = s->bound[b].row;
        return (real)s->system->row_offset[row] * s->joint_scale[row] / s->unit * s->bound[b].sign;
    }
    double q[3];
    frame_vector(&s->touch[id / 3], id % 3, false, q);
    const double *offset = s->system->offset + 3 * (id / 3);
    return ((real)q[0] * offset[0] + (real)q[1] * offset[1] + (real)q[2] * offset[2]) * s->touch[id / 3].scale /
           s->unit;
}

static real product(int n, const real *x, const real *y)
{
    real sum = 0.0L;
    for (int l = 0; l < n; ++l) {
        sum += x[l] * y[l];
    }
    return sum;
}

/* max |W Q - I|, and max |rows at the point|: v = k + columns y, row'v + offset + z0 shift. */
static void check_basis(const char *name, const crn_states *s, double tol)
{
    int k = s->inverse.k, dof = s->system->dof;
    real *rows = (real *)take((size_t)(k * dof), sizeof *rows),
         *columns = (real *)take((size_t)(k * dof), sizeof *rows);
    real *Q = (real *)take((size_t)(k * k), sizeof *Q), *v = (real *)take((size_t)dof, sizeof *v);
    double worst = 0.0;
    for (int l = 0; l < dof; ++l) {
        v[l] = (real)s->system->k[l] / s->unit;
    }
    for (int i = s->contacts; i < s->n; ++i) { /* rows at their bounds */
        real column[SCENE_BODIES * SCENE_DOF];
        velocity_vector(s, 3 * i, true, column);
        for (int l = 0; l < dof && s->touch[i].column[0] < 0; ++l) {
            v[l] += column[l] * s->touch[i].low;
        }
    }
    for (int a = 0; a < k; ++a) {
        velocity_vector(s, s->row_id[a], false, rows + a * dof);
        if (s->column_id[a] != CRN_Z0_ID) {
            velocity_vector(s, s->column_id[a], true, columns + a * dof);
        }
        for (int l = 0; l < dof; ++l) {
            v[l] += columns[a * dof + l] * s->y[a];
        }
    }
    for (int a = 0; a < k; ++a) {
        for (int b = 0; b < k; ++b) {
            Q[a + b * k] = s->column_id[b] == CRN_Z0_ID ? shift_of(s, s->row_id[a])
                                                        : product(dof, rows + a * dof, columns + b * dof);
        }
        real at = product(dof, rows + a * dof, v) + offset_of(s, s->row_id[a]) + s->z0 * shift_of(s, s->row_id[a]);
        TEST_CHECK(fabsl(at) <= 1e-8L, "%s: row %d is %Lg at the point", name, s->row_id[a], at);
    }
    for (int i = 0; i < k; ++i) {
        for (int j = 0; j < k; ++j) {
            real sum = i == j ? -1.0L : 0.0L;
            for (int l = 0; l < k; ++l) {
                sum += s->inverse.W[i + l * s->inverse.ld] * Q[l + j * k];
            }
            worst = fmax(worst, (double)fabsl(sum));
        }
    }
    TEST_CHECK(worst <= tol, "%s: |W Q - I| = %g of order %d", name, worst, k);
    free(rows);
    free(columns);
    free(Q);
    free(v);
}

/* Places and ids are inverse to each other, and each state has the rows and unknowns of its table. */
static void check_lists(const char *name, const crn_states *s)
{
    static const int parts[5] = {0, 1, 1, 2, 3}; /* OFF, ON, SLIDE, EDGE, STICK */
    int rows = 0, columns = 0;
    for (int i = 0; i < s->n; ++i) {
        const crn_touch *touch = &s->touch[i];
        bool is_driven = s->driven.contact == i;
        for (int part = 0; part < 3; ++part) {
            int row = touch->row[part], column = touch->column[part];
            bool is_in = part < parts[touch->kind], is_this = is_driven && s->driven.part == part;
            rows += row >= 0;
            columns += column >= 0;
            TEST_CHECK(row < 0 || s->row_id[row] == 3 * i + part, "%s: row list", name);
            TEST_CHECK(column < 0 || s->column_id[column] == 3 * i + part, "%s: column list", name);
            TEST_CHECK((row >= 0) == (is_in || (is_this && s->driven.is_row)), "%s: contact %d of kind %d, row %d",
                       name, i, touch->kind, part);
            TEST_CHECK((column >= 0) == (is_in && !(is_this && !s->driven.is_row)),
                       "%s: contact %d of kind %d, unknown %d", name, i, touch->kind, part);
        }
        TEST_CHECK((s->is_off[i] != 0.0) == (touch->kind == CRN_CONTACT_OFF), "%s: contact %d is off, or not", name, i);
        TEST_CHECK(touch->place < 0 || s->active[touch->place] == i, "%s: active list", name);
    }
    for (int r = 0; r < s->rows; ++r) {
        TEST_CHECK((s->joint_row[r] >= 0) == (s->joint_column[r] >= 0), "%s: bilateral row %d", name, r);
        rows += s->joint_row[r] >= 0;
        columns += s->joint_column[r] >= 0;
    }
    columns += s->z0_place >= 0;
    TEST_CHECK(rows == s->inverse.k && columns == s->inverse.k, "%s: %d rows, %d unknowns, order %d", name, rows,
               columns, s->inverse.k);
}

/* --- events --- */

enum {
    EVENT_CLOSE,
    EVENT_OPEN,
    EVENT_NEIGHBOUR,
    EVENT_PHI,
    EVENT_REST,
    EVENT_STICK,
    EVENT_FACET,
    EVENT_OWN_REST,        /* phi is driven and mu theta - phi blocks */
    EVENT_OWN_FACET,       /* gamma is driven and an edge of the same contact blocks */
    EVENT_OWN_RIGHT_ANGLE, /* the same with an edge whose normal is at right angles to the corner: d = 6 */
    EVENT_HIGH,            /* a bounded row reaches its upper bound */
    EVENT_OWN_HIGH         /* the same with its impulse driven: from one bound to the other */
};
#define EVENTS 12

static const char *const event_names[EVENTS] = {"close", "open",    "neighbour", "phi",       "rest",
                                                "stick", "facet",   "own rest",  "own facet", "own facet at 90 degrees",
                                                "high",  "own high"};

static int event_of(const crn_states *s, int block)
{
    static const int of[7] = {EVENT_OPEN, EVENT_PHI, EVENT_REST, EVENT_STICK, EVENT_NEIGHBOUR, EVENT_FACET, EVENT_HIGH};
    if (block < s->n_padded) {
        return EVENT_CLOSE;
    }
    crn_watch watch = s->watch[block - s->n_padded];
    int event = of[watch.what];
    bool is_own = !s->driven.is_row && s->driven.contact == watch.contact;
    if (is_own && event == EVENT_HIGH) {
        return EVENT_OWN_HIGH;
    }
    if (is_own && event == EVENT_REST && s->driven.part == CRN_PART_EDGE) {
        return EVENT_OWN_REST;
    }
    if (is_own && event == EVENT_FACET && s->driven.part == CRN_PART_CORNER) {
        const crn_touch *touch = &s->touch[watch.contact];
        const double *a = crn_polygon_normal(touch->polygon, touch->d, watch.corner);
        return fabs(a[0] * touch->dj[0] + a[1] * touch->dj[1]) < 1e-9 ? EVENT_OWN_RIGHT_ANGLE : EVENT_OWN_FACET;
    }
    return event;
}

/* One edge of the path as walk() has it. False at the end: z0 has left, or the path has. */
static bool one_edge(crn_states *s, int *events)
{
    double step = 0.0;
    if (s->z0 <= TOL_Z0 || !crn_states_direction(s)) {
        return false;
    }
    crn_states_watch_active(s);
    for (int i = 0; i < s->n_padded + s->watches; ++i) {
        TEST_CHECK(s->tau[i] >= -1e-8, "inequality %d is %g", i, s->tau[i]);
    }
    int block = crn_states_ratio(s, &step);
    if (block == CRN_BLOCK_Z0) {
        finish(s, step);
        return false;
    }
    TEST_CHECK(block >= 0, "the path ends with %d at z0 = %g", block, s->z0);
    events[event_of(s, block)]++;
    crn_states_advance(s, step);
    TEST_CHECK(pivot(s, block, step), "no pivot");
    for (int i = 0; i < s->actives; ++i) {
        crn_touch *touch = &s->touch[s->active[i]];
        for (int part = 0; part < 3; ++part) {
            double least = part == CRN_PART_NORMAL ? touch->low : 0.0;
            touch->value[part] = touch->column[part] >= 0 ? s->y[touch->column[part]] : least;
        }
    }
    return true;
}

/* The inverse that updates have led to is the one of a fresh factorisation. */
static void check_refactor(const char *name, crn_states *s)
{
    int k = s->inverse.k;
    double *W = test_doubles((size_t)(k * k)), size = 0.0;
    for (int j = 0; j < k; ++j) {
        memcpy(W + j * k, s->inverse.W + j * s->inverse.ld, (size_t)k * sizeof *W);
        size = fmax(size, crn_max_abs(k, W + j * k));
    }
    TEST_CHECK(crn_states_refactor(s), "%s: the basis is singular", name);
    for (int j = 0; j < k; ++j) {
        for (int i = 0; i < k; ++i) {
            double other = s->inverse.W[i + j * s->inverse.ld];
            TEST_CHECK(fabs(other - W[i + j * k]) <= 1e-9 * size * size, "%s: W(%d,%d) = %g, afresh %g", name, i, j,
                       W[i + j * k], other);
        }
    }
    free(W);
}

static int walk_checked(const char *name, island *t, int *events, bool refactors)
{
    crn_states *s = &t->states;
    int first = begin(s), pivots = 0;
    if (first < 0) {
        return 0;
    }
    memset(s->dy, 0, (size_t)s->inverse.k * sizeof *s->dy);
    s->tau_rate[first] = -s->shift_n[first];
    events[EVENT_CLOSE]++;
    assert_true(pivot(s, first, 0.0));
    do {
        check_lists(name, s);
        check_basis(name, s, 1e-7);
        if (refactors && ++pivots % 3 == 0) {
            check_refactor(name, s);
        }
        assert_true(pivots < 5000);
    } while (one_edge(s, events));
    if (s->is_kept) { /* complementary: no z0, nothing driven */
        s->driven = (crn_driven){false, -1, 0};
        check_lists(name, s);
        check_basis(name, s, 1e-7);
    }
    assert_true(s->z0 <= TOL_Z0);
    assert_true(violation(s) <= 1e-9);
    return pivots;
}

static void the_inverse_follows_every_pivot(void **state)
{
    (void)state;
    crn_random random = test_random("walk", TEST_SEED);
    int events[EVENTS] = {0};
    for (int t = 0; t < 600; ++t) {
        int bodies = 1 + t % 4;
        scene *s = scene_random(&random, bodies, 1 + crn_random_below(&random, 3 * bodies + 2),
                                t % 5 == 4 ? 1 + t % 3 : 0, t % 2 == 1);
        clear_offsets(s);
        for (int i = 0; i < s->p.contacts && t % 3 == 0; ++i) {
            s->contact[i].directions = 6;
        }
        for (int i = 0; i < s->p.rows && t % 2 == 0; ++i) { /* bounds about the impulses that rows carry */
            s->row[i].bound = crn_random_below(&random, 4) ? crn_random_uniform(&random, 0.01, 0.5) : 0.0;
            s->row[i].offset = s->row[i].bound > 0.0 ? crn_random_normal(&random) : 0.0;
        }
        island here;
        char name[32];
        (void)snprintf(name, sizeof name, "scene %d", t);
        if (island_open(&here, &s->p, (uint64_t)t)) {
            walk_checked(name, &here, events, t % 2 == 0);
        }
        island_close(&here);
        scene_free(s);
    }
    for (int e = 0; e < EVENTS; ++e) {
        print_message("%6d %s\n", events[e], event_names[e]);
        TEST_CHECK(events[e] > 0, "no event '%s'", event_names[e]);
    }
}

/* --- the ratio test --- */

/* A ratio test on inequalities given here. */
static int ratio_of(int m, const double *tau, const double *rate, double z0, double z0_rate, double *step)
{
    double values[16], rates[16];
    assert_true(m <= 16);
    for (int i = 0; i < 16; ++i) { /* what fills whole lanes is never a candidate */
        values[i] = i < m ? tau[i] : 1.0;
        rates[i] = i < m ? rate[i] : 0.0;
    }
    crn_states s;
    memset(&s, 0, sizeof s);
    s.n = s.n_padded = s.tests = 16;
    s.tau = values;
    s.tau_rate = rates;
    s.z0 = z0;
    s.z0_rate = z0_rate;
    return crn_states_ratio(&s, step);
}

static void the_ratio_test_finds_what_blocks(void **state)
{
    (void)state;
    double step;
    const double tau[4] = {1.0, 2.0, 3.0, 0.5}, rate[4] = {-1.0, -4.0, -1.0, 1.0}, up[4] = {1.0, 0.0, 2.0, 3.0};
    assert_int_equal(ratio_of(4, tau, rate, 10.0, -1.0, &step), 1);
    assert_true(step == 0.5);
    assert_int_equal(ratio_of(4, tau, rate, 0.25, -1.0, &step), CRN_BLOCK_Z0);
    assert_true(step == 0.25);
    assert_int_equal(ratio_of(4, tau, rate, 0.5, -1.0, &step), CRN_BLOCK_Z0); /* a tie: z0 leaves */
    assert_int_equal(ratio_of(4, tau, up, 1.0, 0.5, &step), CRN_BLOCK_NONE);
    assert_int_equal(ratio_of(4, tau, up, 1.0, -0.5, &step), CRN_BLOCK_Z0);
    const double lost[4] = {1.0, -0.1, 1.0, 1.0}, tied[4] = {1e-12, 0.0, 1.0, 1.0};
    assert_int_equal(ratio_of(4, lost, rate, 1.0, -1.0, &step), CRN_BLOCK_LOST);
    assert_int_equal(ratio_of(4, tied, rate, 1.0, -1.0, &step), 1); /* the steeper of two within the slack */
    const double below[4] = {-1e-12, 1.0, 1.0, 1.0};
    assert_int_equal(ratio_of(4, below, rate, 1.0, -1.0, &step), 0);
    assert_true(step == 0.0); /* never backwards */
}

/* What blocks may be far away: then the slack is below the rounding of the quotient, and it must be found all the same. */
static void the_ratio_test_reaches_far(void **state)
{
    (void)state;
    crn_random random = test_random("far", TEST_SEED);
    for (int t = 0; t < 20000; ++t) {
        double tau[5], rate[5], step, least = INFINITY;
        int expected = -1;
        double size = pow(10.0, crn_random_uniform(&random, 0.0, 15.0));
        for (int i = 0; i < 5; ++i) {
            tau[i] = size * crn_random_uniform(&random, 0.1, 1.0);
            rate[i] = -crn_random_uniform(&random, 0.1, 1.0);
            if (tau[i] / -rate[i] < least) {
                least = tau[i] / -rate[i];
                expected = i;
            }
        }
        int block = ratio_of(5, tau, rate, 1.0, 0.0, &step);
        TEST_CHECK(block == expected, "%d blocks, not %d, at %g", block, expected, size);
        assert_true(fabs(step - least) <= 1e-14 * least);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_are_regular),
        cmocka_unit_test(the_inverse_follows_every_pivot),
        cmocka_unit_test(the_ratio_test_finds_what_blocks),
        cmocka_unit_test(the_ratio_test_reaches_far),
    };
    return TEST_RUN(tests, argc, argv);
}
