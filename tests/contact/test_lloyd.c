/* Lloyd's structural and reduced Lemke: the reduced systems against the assembled matrix, pivots against the textbook's
 * method on that matrix, answers against door 1 and against the definition. */
#include "oracle.h"

#include "base/memory.h"
#include "contact/compile.h"
#include "contact/lloyd.h"

#include "gallery.h"

#include <cairn/lcp.h>

enum { TEST_SEED = 20260502, MAX_ORDER = 400 };

/* --- harness --- */

/* A scene, its islands, and memory for them. */
typedef struct rig {
    scene *s;
    crn_compiled compiled;
    crn_lloyd lloyd;
    crn_workspace workspace, solver;
} rig;

static void rig_open_problem(rig *t, const crn_contact_problem *problem)
{
    crn_arena counting = crn_arena_counting(), arena;
    crn_error error;
    memset(t, 0, sizeof *t);
    crn_compiled_layout(&t->compiled, problem, &counting);
    assert_int_equal(crn_workspace_arena(&t->workspace, counting.used, &arena, NULL), CRN_OK);
    crn_compiled_layout(&t->compiled, problem, &arena);
    crn_status status = crn_contact_check(problem, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(crn_compile(&t->compiled, NULL), CRN_OK);
}

static void rig_open(rig *t, scene *s)
{
    rig_open_problem(t, &s->problem);
    t->s = s;
}

static void rig_close(rig *t)
{
    crn_workspace_free(&t->workspace);
    crn_workspace_free(&t->solver);
    free(t->s);
}

/* Memory for one island: what was counted is exactly what is taken. */
static void rig_layout(rig *t, const crn_system *system)
{
    crn_arena counting = crn_arena_counting(), arena;
    crn_lloyd_layout(&t->lloyd, system, &counting);
    assert_int_equal(crn_workspace_arena(&t->solver, counting.used, &arena, NULL), CRN_OK);
    crn_lloyd_layout(&t->lloyd, system, &arena);
    assert_false(arena.overflow);
    assert_true(arena.used == counting.used);
}

/* Solve all islands; r and l in the caller's order, and as much scratch after l. The outcome is the first that is not
 * solved. */
static crn_run rig_solve_into(rig *t, bool is_reduced, int max_pivots, double *r, double *l)
{
    const crn_contact_problem *problem = t->compiled.problem;
    double *part = l + problem->rows, *rows = part + 3 * problem->contacts;
    crn_run total = {.outcome = CRN_LCP_SOLVED};
    for (int k = 0; k < t->compiled.islands; ++k) {
        const crn_island *island = &t->compiled.island[k];
        crn_run run;
        rig_layout(t, &island->system);
        crn_lloyd_solve(&t->lloyd, &island->system, is_reduced, max_pivots, part, rows, &run);
        for (int i = 0; i < island->system.contacts; ++i) {
            memcpy(r + 3 * island->contact_of[i], part + 3 * i, 3 * sizeof *r);
        }
        for (int i = 0; i < island->system.rows; ++i) {
            l[island->row_of[i]] = rows[i];
        }
        total.outcome = total.outcome == CRN_LCP_SOLVED ? run.outcome : total.outcome;
        total.pivots += run.pivots;
        total.restarts += run.restarts;
        assert_true(run.refactorizations >= run.pivots && run.law == CRN_LAW_COULOMB && !run.is_warm);
    }
    return total;
}

static crn_run rig_solve(rig *t, bool is_reduced, int max_pivots, double *r, double *l)
{
    double all[6 * SCENE_CONTACTS + 2 * SCENE_ROWS] = {0.0};
    int contacts = t->s->problem.contacts, rows = t->s->problem.rows;
    crn_run run = rig_solve_into(t, is_reduced, max_pivots, all, all + 3 * contacts);
    memcpy(r, all, 3 * (size_t)contacts * sizeof *r);
    memcpy(l, all + 3 * contacts, (size_t)rows * sizeof *l);
    return run;
}

/* --- the assembled problem of one island in the solver's scaling --- */

typedef struct scaled_lcp {
    int n, rows;         /* order with the bilateral rows, which come last */
    int pair[MAX_ORDER]; /* of each index: the solver's pair; -1 for a bilateral row, -2 if the solver has none */
    double *M, *q, *c;   /* c: cover */
} scaled_lcp;

/* Contact and pair of each index; the island must hold the whole problem in the caller's order. */
static void number_pairs(const rig *t, scaled_lcp *p, double *factor)
{
    const crn_contact_problem *problem = &t->s->problem;
    const crn_lloyd_basis *b = &t->lloyd.basis;
    int at = 0;
    for (int i = 0; i < problem->contacts; ++i, ++at) {
        assert_int_equal(t->compiled.island[0].contact_of[i], i);
        p->pair[at] = b->first[i];
        p->c[at] = b->cover[3 * i];
        factor[at] = b->scale[i];
    }
    for (int i = 0; i < problem->contacts; ++i) {
        for (int j = 0; j < problem->contact[i].directions; ++j, ++at) {
            p->pair[at] = b->corners[i] > 0 ? b->first[i] + 1 + j : -2;
            p->c[at] = b->cover[3 * i + 1];
            factor[at] = b->scale[i];
        }
    }
    for (int i = 0; i < problem->contacts; ++i) {
        if (problem->contact[i].directions > 0) {
            p->pair[at] = b->corners[i] > 0 ? b->first[i + 1] - 1 : -2;
            p->c[at] = b->cover[3 * i + 2];
            factor[at++] = 1.0;
        }
    }
    for (int i = 0; i < problem->rows; ++i, ++at) {
        p->pair[at] = -1;
        p->c[at] = 0.0;
        factor[at] = b->row_scale[i];
    }
    assert_int_equal(at, p->n);
}

static scaled_lcp scaled_open(const rig *t)
{
    scaled_lcp p = {.n = crn_contact_lcp_size(&t->s->problem), .rows = t->s->problem.rows};
    crn_workspace workspace = {0};
    double factor[MAX_ORDER];
    size_t n = (size_t)p.n;
    assert_true(p.n <= MAX_ORDER && t->compiled.islands == 1);
    p.M = (double *)calloc(n * n, sizeof *p.M);
    p.q = (double *)calloc(2 * n, sizeof *p.q);
    assert_true(p.M && p.q);
    p.c = p.q + n;
    assert_int_equal(crn_contact_assemble(&t->s->problem, &workspace, p.M, p.q, NULL, NULL), CRN_OK);
    crn_workspace_free(&workspace);
    number_pairs(t, &p, factor);
    for (size_t i = 0; i < n; ++i) {
        p.q[i] *= factor[i] / t->lloyd.basis.speed;
        for (size_t j = 0; j < n; ++j) {
            /* The cone blocks are the same in all units; every other entry is a product of two columns. */
            bool is_cone = factor[i] == 1.0 && p.q[i] == 0.0 && p.pair[i] != -1;
            bool is_edge = factor[j] == 1.0 && p.q[j] == 0.0 && p.pair[j] != -1;
            is_cone = is_cone && p.M[i + i * n] == 0.0;
            is_edge = is_edge && p.M[j + j * n] == 0.0;
            p.M[i + j * n] *= is_cone || is_edge ? 1.0 : factor[i] * factor[j];
        }
    }
    return p;
}

static void scaled_close(scaled_lcp *p)
{
    free(p->M);
    free(p->q);
}

/* Column of the augmented matrix [M c]: entry i. */
static double entry(const scaled_lcp *p, int i, int column)
{
    return column == p->n ? p->c[i] : p->M[i + column * p->n];
}

/* Solve M(rows, columns) x = rhs in long double. */
static void solve_block(const scaled_lcp *p, int count, const int *row, const int *column, real *x)
{
    real *A = (real *)calloc((size_t)(count * count + 1), sizeof *A);
    assert_non_null(A);
    for (int v = 0; v < count; ++v) {
        for (int u = 0; u < count; ++u) {
            A[u + v * count] = entry(p, row[u], column[v]);
        }
    }
    solve_dense(count, A, x);
    free(A);
}

/* --- reduced systems --- */

/* Basic variables of all pairs in `value`, bilateral impulses in `l`, and z0, from the assembled matrix. */
static void oracle_basis(const scaled_lcp *p, const crn_lloyd_basis *b, crn_lloyd_source source, real *value, real *l,
                         real *z0)
{
    int row[MAX_ORDER] = {0}, column[MAX_ORDER] = {0}, rows = 0, columns = 0, r = -1;
    real x[MAX_ORDER] = {0.0L};
    for (int i = 0; i < p->n; ++i) {
        bool is_basic = p->pair[i] == -1 || (p->pair[i] >= 0 && b->is_basic[p->pair[i]]);
        r = b->r >= 0 && p->pair[i] == b->r ? i : r;
        if (is_basic) {
            column[columns++] = i;
        }
        if (is_basic || i == r) {
            row[rows++] = i;
        }
    }
    if (r >= 0) {
        column[columns++] = p->n;
    }
    assert_int_equal(rows, columns);
    real drive[MAX_ORDER] = {0.0L}; /* what is added to w besides the basic z */
    for (int i = 0; i < p->n; ++i) {
        drive[i] = source == CRN_LLOYD_POINT ? p->q[i] : source == CRN_LLOYD_BY_Z ? entry(p, i, r) : 0.0;
    }
    for (int u = 0; u < rows; ++u) {
        x[u] = -drive[row[u]] + (source == CRN_LLOYD_BY_W && row[u] == r ? 1.0 : 0.0);
    }
    solve_block(p, rows, row, column, x);
    *z0 = r >= 0 ? x[columns - 1] : 0.0L;
    int free_row = 0, at = 0;
    for (int i = 0; i < p->n; ++i) {
        bool is_basic = at < columns && column[at] == i;
        real w = drive[i];
        for (int v = 0; v < columns; ++v) {
            w += entry(p, i, column[v]) * x[v];
        }
        if (p->pair[i] >= 0) {
            value[p->pair[i]] = p->pair[i] == b->r ? 0.0L : is_basic ? x[at] : w;
        } else if (p->pair[i] == -1) {
            l[free_row++] = x[at];
        }
        at += is_basic;
    }
}

/* A random basis as Lemke's method can meet it: basic lambda only beside a basic phi, at most two phi of a contact, and not
 * more unknowns than there are velocities. r is of the given kind: 0 nu, 1 sigma, 2 gamma; -1: complementary. */
static bool random_basis(crn_random *random, crn_lloyd_basis *b, int kind)
{
    crn_lloyd_basis_restart(b);
    int budget = 1 + crn_random_below(random, b->system->dof - b->system->rows);
    for (int i = 0; i < 3 * b->system->contacts; ++i) {
        b->cover[i] = crn_random_uniform(random, 0.5, 2.0);
    }
    for (int i = 0; i < b->system->contacts && budget > 0; ++i) {
        int d = b->corners[i], theta = b->first[i], choice = crn_random_below(random, d > 0 ? 7 : 2);
        int j = d > 0 ? crn_random_below(random, d) : 0, next = d > 0 ? (j + 1) % d : 0;
        b->is_basic[theta] = choice != 0 && choice != 6;
        if (choice >= 2) {
            b->is_basic[theta + 1 + j] = 1;
            b->is_basic[theta + 1 + next] = choice == 4 || choice == 5;
            b->is_basic[b->first[i + 1] - 1] = choice == 3 || choice == 5 || choice == 6;
        }
        static const int cost[7] = {0, 1, 2, 1, 3, 2, 0};
        budget -= cost[choice];
    }
    if (kind < 0) {
        return budget >= 0;
    }
    for (int attempt = 0; attempt < 50; ++attempt) {
        int i = crn_random_below(random, b->system->contacts), d = b->corners[i];
        int pair = kind == 0   ? b->first[i]
                   : kind == 1 ? b->first[i] + 1 + crn_random_below(random, d > 0 ? d : 1)
                               : b->first[i + 1] - 1;
        if ((kind == 0 || d > 0) && !b->is_basic[pair]) {
            b->r = pair;
            return budget >= 0;
        }
    }
    return false;
}

/* Condition number of the reduced system in the largest-entry norm times its order. */
static double condition(const crn_lloyd_basis *b)
{
    const int n = b->lu.n;
    double *W = (double *)malloc((size_t)(n * n + 1) * sizeof *W), A = 0.0, inverse = 0.0;
    assert_non_null(W);
    crn_lu_inverse(&b->lu, W, n);
    for (int i = 0; i < n * n; ++i) {
        A = fmax(A, fabs(b->matrix[i]));
        inverse = fmax(inverse, fabs(W[i]));
    }
    free(W);
    return n * A * inverse;
}

static void check_source(rig *t, const scaled_lcp *p, crn_lloyd_source source)
{
    const crn_lloyd_basis *b = &t->lloyd.basis;
    crn_lloyd_point *point = &t->lloyd.point;
    real value[MAX_ORDER] = {0.0L}, l[SCENE_ROWS], z0, size = 1.0L;
    crn_lloyd_basis_solve(&t->lloyd.basis, source, point);
    oracle_basis(p, b, source, value, l, &z0);
    for (int i = 0; i < b->pairs; ++i) {
        size = fmaxl(size, fabsl(value[i]));
    }
    real tolerance = 1e-12L * size;
    for (int i = 0; i < b->pairs; ++i) {
        TEST_CHECK(fabsl(point->value[i] - value[i]) <= tolerance,
                   "source %d, r %d, pair %d: %g, not %Lg (condition %g)", (int)source, b->r, i, point->value[i],
                   value[i], condition(b));
    }
    for (int i = 0; i < b->system->rows; ++i) {
        TEST_CHECK(fabsl(point->row[i] - l[i]) <= tolerance, "row %d: %g, not %Lg", i, point->row[i], l[i]);
    }
    TEST_CHECK(fabsl(point->z0 - z0) <= tolerance, "z0 %g, not %Lg", point->z0, z0);
}

/* All kinds of last rows, with and without bilateral rows. Bases with a condition above 1000 are left out, because they
 * amplify the rounding in the entries of the assembled matrix beyond the tolerance. */
static void reduced_systems_are_those_of_the_matrix(void **state)
{
    (void)state;
    crn_random random = test_random("reduced systems", TEST_SEED);
    int checked[4] = {0};
    for (int t = 0; t < 60; ++t) {
        rig bench;
        rig_open(&bench, scene_random(&random, 1 + t % 3, 6 + t % 4, t % 4 == 3 ? 2 : 0, t % 2 ? 8 : -1, t % 3 == 2));
        if (bench.compiled.islands == 1) {
            const crn_system *system = &bench.compiled.island[0].system;
            crn_lloyd_basis *b = &bench.lloyd.basis;
            rig_layout(&bench, system);
            crn_lloyd_basis_begin(b, system, true);
            for (int k = 0; k < 40; ++k) {
                int kind = k % 4 - 1;
                if (!random_basis(&random, b, kind) || !crn_lloyd_basis_factor(b) || condition(b) > 1e3) {
                    continue;
                }
                scaled_lcp p = scaled_open(&bench);
                check_source(&bench, &p, CRN_LLOYD_POINT);
                if (kind >= 0) {
                    check_source(&bench, &p, CRN_LLOYD_BY_Z);
                    check_source(&bench, &p, CRN_LLOYD_BY_W);
                }
                checked[k % 4]++;
                scaled_close(&p);
            }
        }
        rig_close(&bench);
    }
    print_message("bases: %d complementary, %d nu, %d sigma, %d gamma\n", checked[0], checked[1], checked[2],
                  checked[3]);
    for (int k = 0; k < 4; ++k) {
        TEST_CHECK(checked[k] >= 50, "kind %d: only %d bases", k, checked[k]);
    }
}

/* --- pivots of the textbook's method --- */

/* Lemke's method on the scaled matrix [CPS92 s4.4], every basis solved afresh; the pivots it takes, -1 if it fails. The
 * basis at the end is left in is_basic, by index. */
static int textbook_lemke(const scaled_lcp *p, bool *is_basic)
{
    crn_lloyd_basis b = {.r = -1};
    unsigned char basic[MAX_ORDER] = {0};
    real value[MAX_ORDER], rate[MAX_ORDER], z0, dz0, none[1];
    scaled_lcp own = *p; /* pairs are indices here */
    for (int i = 0; i < p->n; ++i) {
        own.pair[i] = i;
    }
    b.is_basic = basic;
    for (int i = 0; i < p->n; ++i) {
        if (p->q[i] < 0.0 && (b.r < 0 || p->q[i] / p->c[i] < p->q[b.r] / p->c[b.r])) {
            b.r = i;
        }
    }
    if (b.r < 0) {
        memset(is_basic, 0, (size_t)p->n * sizeof *is_basic);
        return 0;
    }
    crn_lloyd_source driving = CRN_LLOYD_BY_Z;
    for (int pivots = 1; pivots < 500; ++pivots) {
        oracle_basis(&own, &b, CRN_LLOYD_POINT, value, none, &z0);
        oracle_basis(&own, &b, driving, rate, none, &dz0);
        real best = dz0 < 0.0L ? z0 / -dz0 : (real)INFINITY, tie = 1e-10L; /* z0 leaves if within 1e-10 of the least */
        int leaving = dz0 < 0.0L ? p->n : -1;
        for (int i = 0; i < p->n; ++i) {
            if (i != b.r && rate[i] < -1e-12L && value[i] / -rate[i] < best - tie) {
                best = value[i] / -rate[i];
                leaving = i;
                tie = 0.0L;
            }
        }
        if (leaving < 0) {
            return -1;
        }
        basic[b.r] = driving == CRN_LLOYD_BY_Z;
        if (leaving == p->n) {
            for (int i = 0; i < p->n; ++i) {
                is_basic[i] = basic[i];
            }
            return pivots + 1;
        }
        driving = basic[leaving] ? CRN_LLOYD_BY_W : CRN_LLOYD_BY_Z;
        basic[leaving] = 0;
        b.r = leaving;
    }
    return -1;
}

static void structural_takes_the_pivots_of_the_textbook(void **state)
{
    (void)state;
    crn_random random = test_random("textbook", TEST_SEED);
    int same = 0, cases = 0;
    for (int t = 0; t < 60; ++t) {
        rig bench;
        double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
        bool is_basic[MAX_ORDER];
        rig_open(&bench, scene_random(&random, 1 + t % 2, 2 + t % 4, 0, 4 + 2 * (t % 3), t % 3 == 2));
        for (int i = 0; i < bench.s->problem.contacts; ++i) {
            bench.s->contact[i].mu += 0.1; /* friction everywhere: the solver leaves out the cone rows of mu = 0 */
        }
        assert_int_equal(crn_compile(&bench.compiled, NULL), CRN_OK);
        if (bench.compiled.islands == 1) {
            crn_run run = rig_solve(&bench, false, 0, r, l);
            scaled_lcp p = scaled_open(&bench);
            int pivots = textbook_lemke(&p, is_basic);
            assert_int_equal(run.outcome, CRN_LCP_SOLVED);
            bool is_same = pivots == run.pivots;
            for (int i = 0; i < p.n; ++i) {
                is_same = is_same && is_basic[i] == (bool)bench.lloyd.basis.is_basic[p.pair[i]];
            }
            same += is_same;
            ++cases;
            scaled_close(&p);
        }
        rig_close(&bench);
    }
    print_message("%d of %d end in the same basis after as many pivots\n", same, cases);
    assert_true(cases >= 40);
    assert_int_equal(same, cases);
}

/* --- answers --- */

/* v of door 1's answer to the assembled problem; false if it has none. */
static bool door_one(const scene *s, double *r, double *l)
{
    crn_workspace workspace = {0};
    crn_lcp_result result;
    int n = crn_contact_lcp_size(&s->problem), at = s->problem.contacts;
    double *M = (double *)malloc(((size_t)n * (size_t)n + 3 * (size_t)n + 1) * sizeof *M);
    assert_non_null(M);
    double *q = M + n * n, *lower = q + n, *z = lower + n;
    assert_int_equal(crn_contact_assemble(&s->problem, &workspace, M, q, lower, NULL), CRN_OK);
    crn_lcp_problem p = {.n = n, .M = M, .ld = n, .q = q, .lower = lower};
    crn_lcp_solution solution = {.z = z};
    assert_int_equal(crn_lcp_solve(&p, NULL, &workspace, &solution, &result, NULL), CRN_OK);
    for (int i = 0; i < s->problem.contacts; ++i) {
        int d = s->contact[i].directions;
        r[3 * i] = z[i];
        r[3 * i + 1] = r[3 * i + 2] = 0.0;
        for (int j = 0; j < d; ++j, ++at) {
            r[3 * i + 1] += z[at] * cos(2.0 * acos(-1.0) * j / d);
            r[3 * i + 2] += d == 2 ? 0.0 : z[at] * sin(2.0 * acos(-1.0) * j / d);
        }
    }
    memcpy(l, z + n - s->problem.rows, (size_t)s->problem.rows * sizeof *l);
    free(M);
    crn_workspace_free(&workspace);
    return result.outcome == CRN_LCP_SOLVED;
}

static real motion_difference(const scene *s, const double *r1, const double *l1, const double *r2, const double *l2)
{
    real v1[SCENE_DOF], v2[SCENE_DOF], u[3 * SCENE_CONTACTS], worst = 0.0L, size = 0.0L;
    oracle_motion(s, r1, l1, v1, u);
    oracle_motion(s, r2, l2, v2, u);
    for (int k = 0; k < scene_dof(s); ++k) {
        worst = fmaxl(worst, fabsl(v1[k] - v2[k]));
        size = fmaxl(size, fmaxl(fabsl(v1[k]), fabs(s->velocity[k])));
    }
    return worst / size;
}

typedef struct tally {
    int cases, solved[2], wrong, other_motion, door_one_only[2];
} tally;

/* Both methods on one scene; where both and door 1 have an answer, is it the same motion? */
static void try_scene(scene *s, tally *count)
{
    rig t;
    double r[3 * SCENE_CONTACTS], l[SCENE_ROWS], r1[3 * SCENE_CONTACTS], l1[SCENE_ROWS];
    rig_open(&t, s);
    bool has_reference = door_one(s, r1, l1);
    count->cases++;
    for (int is_reduced = 0; is_reduced < 2; ++is_reduced) {
        crn_run run = rig_solve(&t, is_reduced, 0, r, l);
        if (run.outcome == CRN_LCP_SOLVED) {
            real error = oracle_error(s, r, l);
            count->solved[is_reduced]++;
            TEST_CHECK(error <= 1e-9L, "case %d, %s: error %Lg", count->cases, is_reduced ? "reduced" : "structural",
                       error);
            count->other_motion += has_reference && motion_difference(s, r, l, r1, l1) > 1e-8L;
        } else {
            count->door_one_only[is_reduced] += has_reference;
        }
    }
    rig_close(&t);
}

static void report(const char *name, const tally *t)
{
    print_message("%s: %d cases, solved %d structural, %d reduced; door 1 alone %d, %d; another motion %d\n", name,
                  t->cases, t->solved[0], t->solved[1], t->door_one_only[0], t->door_one_only[1], t->other_motion);
}

static void frictionless_problems_have_one_motion(void **state)
{
    (void)state;
    crn_random random = test_random("frictionless", TEST_SEED);
    tally count = {0};
    for (int t = 0; t < 60; ++t) {
        try_scene(scene_random(&random, 1 + t % 5, 3 + t % 14, 0, 0, t % 2), &count);
        try_scene(scene_peg(&random, 8 << t % 3, 0), &count);
        try_scene(scene_stack(&random, 1 + t % 5, 0), &count);
    }
    report("frictionless", &count);
    assert_int_equal(count.solved[0], count.cases);
    assert_int_equal(count.solved[1], count.cases);
    assert_int_equal(count.other_motion, 0);
}

/* With redundant normals the friction that they carry, and so the motion, is not unique: answers are judged alone. */
static void pegs_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random("pegs", TEST_SEED);
    tally count = {0};
    for (int t = 0; t < 24; ++t) {
        try_scene(scene_peg(&random, 8 << t % 3, t % 4 == 3 ? 4 : 8), &count);
    }
    report("pegs", &count);
    assert_int_equal(count.solved[0], count.cases);
    assert_int_equal(count.solved[1], count.cases);
}

static void stacks_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random("stacks", TEST_SEED);
    tally count = {0};
    for (int t = 0; t < 30; ++t) {
        try_scene(scene_stack(&random, 1 + t % 5, 4 + 2 * (t % 3)), &count);
    }
    report("stacks", &count);
    assert_int_equal(count.solved[0], count.cases);
    assert_int_equal(count.solved[1], count.cases);
}

static void random_bodies_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random("random", TEST_SEED);
    static const int directions[6] = {8, -1, 4, 6, 2, -1};
    tally count = {0};
    for (int t = 0; t < 120; ++t) {
        try_scene(scene_random(&random, 1 + t % 5, 3 + t % 11, 0, directions[t % 6], t % 2), &count);
    }
    report("random", &count);
    assert_int_equal(count.solved[0], count.cases);
    assert_int_equal(count.solved[1], count.cases);
    TEST_CHECK(count.other_motion <= 4, "%d other motions",
               count.other_motion); /* mu up to 0.9: v need not be unique */
}

/* Random rows and offsets make some problems infeasible, and rays possible where they are not. */
static void bilateral_rows_hold(void **state)
{
    (void)state;
    crn_random random = test_random("rows", TEST_SEED);
    tally count = {0};
    for (int t = 0; t < 80; ++t) {
        try_scene(scene_random(&random, 2 + t % 3, 2 + t % 7, 1 + t % 4, t % 2 ? 6 : -1, t % 4 == 3), &count);
    }
    report("rows", &count);
    assert_true(count.solved[0] >= 60 && count.solved[1] >= 60);
    assert_true(count.door_one_only[0] <= 2 && count.door_one_only[1] <= 2);
}

/* The same row twice, once in other units: the second copy has no impulse, and nothing else changes. */
static void dependent_rows_are_left_out(void **state)
{
    (void)state;
    crn_random random = test_random("dependent rows", TEST_SEED);
    for (int t = 0; t < 10; ++t) {
        rig bench;
        double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
        scene *s = scene_random(&random, 2, 5, 3, 8, false);
        s->row[2] = s->row[0];
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; k < 6; ++k) {
                s->jacobian[7][side][k] = 3.0 * s->jacobian[5][side][k];
            }
        }
        s->row[2].jacobian_a = s->jacobian[7][0];
        s->row[2].jacobian_b = s->jacobian[7][1];
        s->row[2].offset = 3.0 * s->row[0].offset;
        rig_open(&bench, s);
        for (int is_reduced = 0; is_reduced < 2; ++is_reduced) {
            crn_run run = rig_solve(&bench, is_reduced, 0, r, l);
            assert_int_equal(run.outcome, CRN_LCP_SOLVED);
            assert_true(l[2] == 0.0 && l[0] != 0.0);
            assert_true(oracle_error(s, r, l) <= 1e-9L);
        }
        rig_close(&bench);
    }
}

/* Problem `index` of a family of the gallery; solved, judged by the certificate from unassembled data. */
static crn_run solve_gallery(const crn_gallery_family *family, int index, uint64_t seed, bool is_reduced)
{
    crn_gallery_contact_problem g = {0};
    crn_workspace workspace = {0};
    crn_contact_certificate certificate;
    rig bench;
    assert_int_equal(family->make_contact(index, seed, &g, NULL), CRN_OK);
    double *r = (double *)calloc((size_t)(6 * g.problem.contacts + 2 * g.problem.rows + 1), sizeof *r);
    double *l = r + 3 * g.problem.contacts;
    assert_non_null(r);
    rig_open_problem(&bench, &g.problem);
    crn_run run = rig_solve_into(&bench, is_reduced, 0, r, l);
    assert_int_equal(crn_contact_certify(&g.problem, NULL, r, l, &workspace, &certificate, NULL), CRN_OK);
    TEST_CHECK(run.outcome == CRN_LCP_SOLVED && certificate.relative <= 1e-9, "%s %d %s: %s, %g", family->name, index,
               is_reduced ? "reduced" : "structural", crn_lcp_outcome_name(run.outcome), certificate.relative);
    rig_close(&bench);
    free(r);
    crn_workspace_free(&workspace);
    crn_gallery_contact_free(&g);
    return run;
}

static void gallery_families_are_solved(void **state)
{
    (void)state;
    int families, solved = 0;
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (int f = 0; f < families; ++f) {
        for (int index = 0; index < 10 && family[f].make_contact && family[f].default_count > 10; ++index) {
            (void)solve_gallery(&family[f], index, TEST_SEED, false);
            (void)solve_gallery(&family[f], index, TEST_SEED, true);
            ++solved;
        }
    }
    print_message("%d problems of the gallery\n", solved);
    assert_true(solved >= 60);
}

/* Near-duplicate contacts tie: with all covering values 1 the structural path of these two goes round. */
static void another_cover_breaks_a_cycle(void **state)
{
    (void)state;
    const crn_gallery_family *family = crn_gallery_find("duplicates");
    assert_non_null(family);
    assert_int_equal(solve_gallery(family, 15, 1, false).restarts, 1);
    assert_int_equal(solve_gallery(family, 23, 1, false).restarts, 1);
}

/* --- ends that are no solutions, and other corners --- */

/* One point mass, pressed between two walls that both move inwards: no impulse can satisfy both. */
static void impossible_walls_end_on_a_ray(void **state)
{
    (void)state;
    for (int is_reduced = 0; is_reduced < 2; ++is_reduced) {
        scene *s = scene_new(1, 2, 0);
        rig bench;
        double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
        s->body[0] = (crn_contact_body){.kind = CRN_MASS_UNIT, .dof = 3};
        for (int i = 0; i < 2; ++i) {
            double sign = i == 0 ? 1.0 : -1.0, *J = s->jacobian[i][0];
            s->contact[i] = (crn_contact_point){.a = 0, .b = -1, .mu = 0.5, .directions = 4, .offset = {-1.0}};
            J[0] = sign;
            J[3 + 1] = 1.0;
            J[6 + 2] = 1.0;
            s->contact[i].jacobian_a = J;
        }
        rig_open(&bench, s);
        crn_run run = rig_solve(&bench, is_reduced, 0, r, l);
        assert_int_equal(run.outcome, CRN_LCP_RAY);
        rig_close(&bench);
    }
}

/* Friction on a plane, by hand: a mass of 2 hits the floor at speed 3 and slides at speed (4, 0); mu = 0.5. The normal
 * impulse is 6, friction 3, the speed after it 4 - 1.5; at speed 1 it sticks, with friction 2. */
static void a_block_slides_and_sticks(void **state)
{
    (void)state;
    static const double speed[2] = {4.0, 1.0}, friction[2] = {-3.0, -2.0};
    for (int k = 0; k < 4; ++k) {
        scene *s = scene_new(1, 1, 0);
        rig bench;
        double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
        s->body[0] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 2.0};
        for (int i = 0; i < 3; ++i) {
            s->body[0].inertia[4 * i] = 1.0;
        }
        s->contact[0] = (crn_contact_point){.a = 0, .b = -1, .mu = 0.5, .directions = 8, .normal = {0.0, 0.0, 1.0}};
        s->contact[0].t1[0] = s->contact[0].t2[1] = 1.0;
        s->velocity[3] = speed[k % 2];
        s->velocity[5] = -3.0;
        rig_open(&bench, s);
        crn_run run = rig_solve(&bench, k / 2, 0, r, l);
        assert_int_equal(run.outcome, CRN_LCP_SOLVED);
        assert_true(fabs(r[0] - 6.0) <= 1e-13 && fabs(r[1] - friction[k % 2]) <= 1e-13 && fabs(r[2]) <= 1e-13);
        rig_close(&bench);
    }
}

static void nothing_to_do_takes_no_pivots(void **state)
{
    (void)state;
    crn_random random = test_random("nothing", TEST_SEED);
    rig bench;
    double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
    rig_open(&bench, scene_stack(&random, 1, 8));
    for (int k = 0; k < 6; ++k) {
        bench.s->velocity[k] = k == 5 ? 1.0 : 0.0; /* flies off */
    }
    crn_compiled_set_velocity(&bench.compiled, bench.s->velocity);
    for (int is_reduced = 0; is_reduced < 2; ++is_reduced) {
        crn_run run = rig_solve(&bench, is_reduced, 0, r, l);
        assert_int_equal(run.outcome, CRN_LCP_SOLVED);
        assert_int_equal(run.pivots, 0);
        for (int i = 0; i < 12; ++i) {
            assert_true(r[i] == 0.0);
        }
    }
    rig_close(&bench);
}

static void a_limit_is_told(void **state)
{
    (void)state;
    crn_random random = test_random("limit", TEST_SEED);
    rig bench;
    double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
    rig_open(&bench, scene_peg(&random, 16, 8));
    for (int is_reduced = 0; is_reduced < 2; ++is_reduced) {
        crn_run run = rig_solve(&bench, is_reduced, 4, r, l);
        assert_int_equal(run.outcome, CRN_LCP_LIMIT);
        assert_int_equal(run.pivots, 4);
    }
    rig_close(&bench);
}

/* Problem 93 of this series: after its last friction rows the reduced path goes round in 22 pivots, without any ties
 * (z0 is another in each): it does not come from the primary ray. */
static void a_closed_path_is_left(void **state)
{
    (void)state;
    crn_random random = crn_random_seed(7);
    scene *s = NULL;
    for (int t = 0; t <= 93; ++t) {
        free(s);
        s = scene_random(&random, 1 + t % 4, 4 + t % 12, 1 + t % 3, 6, true);
    }
    rig bench;
    double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
    rig_open(&bench, s);
    crn_run run = rig_solve(&bench, true, 0, r, l);
    assert_int_equal(run.outcome, CRN_LCP_SOLVED);
    assert_int_equal(run.restarts, 1);
    assert_true(oracle_error(s, r, l) <= 1e-9L);
    rig_close(&bench);
}

/* Fewer pivots is what the reduced method is for [L05 s5.3]. */
static void reduced_takes_fewer_pivots_on_pegs(void **state)
{
    (void)state;
    crn_random random = test_random("pivots", TEST_SEED);
    int pivots[2] = {0, 0};
    for (int t = 0; t < 20; ++t) {
        rig bench;
        double r[3 * SCENE_CONTACTS], l[SCENE_ROWS];
        rig_open(&bench, scene_peg(&random, 32, 8));
        for (int is_reduced = 0; is_reduced < 2; ++is_reduced) {
            pivots[is_reduced] += rig_solve(&bench, is_reduced, 0, r, l).pivots;
        }
        rig_close(&bench);
    }
    print_message("pivots per peg of 32 contacts: structural %.1f, reduced %.1f\n", pivots[0] / 20.0, pivots[1] / 20.0);
    assert_true(3 * pivots[1] < pivots[0]);
}

/* Units of mass, length and time change nothing but units. */
static void units_do_not_matter(void **state)
{
    (void)state;
    crn_random random = test_random("units", TEST_SEED);
    for (int t = 0; t < 10; ++t) {
        rig bench;
        double r[2][3 * SCENE_CONTACTS], l[SCENE_ROWS];
        int pivots[2];
        rig_open(&bench, scene_stack(&random, 1 + t % 3, 8));
        scene *s = bench.s;
        for (int k = 0; k < 2; ++k) {
            crn_run run = rig_solve(&bench, t % 2, 0, r[k], l);
            assert_int_equal(run.outcome, CRN_LCP_SOLVED);
            pivots[k] = run.pivots;
            for (int i = 0; i < s->problem.bodies; ++i) { /* powers of 4, so that the roots are exact */
                s->body[i].mass *= 0x1p40;
                for (int j = 0; j < 9; ++j) {
                    s->body[i].inertia[j] *= 0x1p40;
                }
            }
            for (int i = 0; i < scene_dof(s); ++i) {
                s->velocity[i] *= 0x1p-60;
            }
            assert_int_equal(crn_compile(&bench.compiled, NULL), CRN_OK);
        }
        assert_int_equal(pivots[0], pivots[1]);
        for (int i = 0; i < 3 * s->problem.contacts; ++i) {
            assert_true(r[1][i] == 0x1p-20 * r[0][i]);
        }
        rig_close(&bench);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_systems_are_those_of_the_matrix),
        cmocka_unit_test(structural_takes_the_pivots_of_the_textbook),
        cmocka_unit_test(frictionless_problems_have_one_motion),
        cmocka_unit_test(pegs_are_solved),
        cmocka_unit_test(stacks_are_solved),
        cmocka_unit_test(random_bodies_are_solved),
        cmocka_unit_test(bilateral_rows_hold),
        cmocka_unit_test(dependent_rows_are_left_out),
        cmocka_unit_test(gallery_families_are_solved),
        cmocka_unit_test(another_cover_breaks_a_cycle),
        cmocka_unit_test(impossible_walls_end_on_a_ray),
        cmocka_unit_test(a_block_slides_and_sticks),
        cmocka_unit_test(nothing_to_do_takes_no_pivots),
        cmocka_unit_test(a_limit_is_told),
        cmocka_unit_test(a_closed_path_is_left),
        cmocka_unit_test(reduced_takes_fewer_pivots_on_pegs),
        cmocka_unit_test(units_do_not_matter),
    };
    return TEST_RUN(tests, argc, argv);
}
