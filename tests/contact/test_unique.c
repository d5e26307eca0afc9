/* Uniqueness: tables whose answer is known, frames against every basic solution, joints given twice, and no "yes" for a
 * motion that another order of the contacts changes. */
#include "scene.h"

enum { TEST_SEED = 20260610, LEGS = 16 };

static crn_contact_uniqueness ask(const crn_contact_problem *p, const double *r, const double *l)
{
    crn_workspace workspace = {0};
    crn_contact_uniqueness answer;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_contact_uniqueness_of(p, r, l, &workspace, &answer, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    crn_contact_uniqueness counts; /* the same but for motions that are looked for */
    assert_int_equal(crn_contact_redundancy_of(p, r, l, &workspace, &counts, NULL), CRN_OK);
    assert_true(counts.active == answer.active && counts.redundant == answer.redundant);
    assert_true(counts.is_impulse_unique == answer.is_impulse_unique && counts.is_motion_unique != CRN_NO);
    assert_true((counts.is_motion_unique == CRN_YES) == (answer.is_motion_unique == CRN_YES));
    crn_workspace_free(&workspace);
    return answer;
}

static bool solve(const crn_contact_problem *p, double *r, double *l, double *v)
{
    crn_workspace workspace = {0};
    crn_contact_result result;
    crn_contact_solution solution = {.impulse = r, .row_impulse = l, .velocity = v};
    assert_int_equal(crn_contact_solve(p, NULL, &workspace, &solution, &result, NULL), CRN_OK);
    crn_workspace_free(&workspace);
    return result.outcome == CRN_LCP_SOLVED;
}

/* --- frames without friction --- */

typedef struct frame {
    crn_contact_body body;
    crn_contact_point leg[LEGS];
    double velocity[6];
    crn_contact_problem p;
} frame;

/* Unit mass and inertia, centre of mass above (x, y): the load that the legs share, 1, acts there. */
static void set_frame(frame *f, int legs, double x, double y)
{
    memset(f, 0, sizeof *f);
    f->body = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0, .com = {x, y, 1.0}};
    f->body.inertia[0] = f->body.inertia[4] = f->body.inertia[8] = 1.0;
    f->velocity[5] = -1.0;
    f->p = (crn_contact_problem){1, legs, 0, &f->body, f->leg, NULL, f->velocity};
}

static void set_leg(frame *f, int i, double x, double y)
{
    f->leg[i] = (crn_contact_point){.a = 0, .b = -1, .position = {x, y, 0.0}, .normal = {0.0, 0.0, 1.0}};
}

static void square_tables(void **state)
{
    (void)state;
    static const struct {
        double x, y, r[4];
        crn_answer is_unique;
    } cases[5] = {
        {0.0, 0.0, {0.25, 0.25, 0.25, 0.25}, CRN_NO}, /* inside: any leg can be spared */
        {0.0, 0.0, {0.5, 0.0, 0.0, 0.5}, CRN_NO},     /* the same from a corner of the set */
        {1.0, 1.0, {0.0, 0.0, 0.0, 1.0}, CRN_YES},    /* above one leg: no other can help */
        {0.5, 1.0, {0.0, 0.0, 0.25, 0.75}, CRN_YES},  /* above one side */
        {0.5, 0.5, {0.0, 0.25, 0.25, 0.5}, CRN_NO},
    };
    for (int k = 0; k < 5; ++k) {
        frame f;
        double r[12] = {0};
        set_frame(&f, 4, cases[k].x, cases[k].y);
        for (int i = 0; i < 4; ++i) {
            set_leg(&f, i, i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0);
            r[3 * i] = cases[k].r[i];
        }
        crn_contact_uniqueness a = ask(&f.p, r, NULL);
        TEST_CHECK(a.is_motion_unique == CRN_YES && a.is_impulse_unique == cases[k].is_unique, "case %d: %d, %d", k,
                   (int)a.is_motion_unique, (int)a.is_impulse_unique);
        assert_true(a.active == 4 && a.redundant == 1);
    }
}

/* r on three legs, or on fewer, that carries the load: 1 if all are >= 0. */
static bool carries(const frame *f, const int *leg, double *r)
{
    double A[9], b[3] = {1.0, f->body.com[0], f->body.com[1]};
    int pivot[3];
    for (int k = 0; k < 3; ++k) {
        A[3 * k] = 1.0;
        A[3 * k + 1] = f->leg[leg[k]].position[0];
        A[3 * k + 2] = f->leg[leg[k]].position[1];
    }
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, 3, 1, A, 3, pivot, b, 3) != 0 || fabs(A[8]) < 1e-9) {
        return false;
    }
    memset(r, 0, LEGS * sizeof *r);
    for (int k = 0; k < 3; ++k) {
        r[leg[k]] = b[k];
    }
    return b[0] >= -1e-12 && b[1] >= -1e-12 && b[2] >= -1e-12;
}

/* Are all basic solutions the same point? Legs lie in general position but for what the caller made. */
static bool has_one_basic_solution(const frame *f, double *first)
{
    int n = f->p.contacts, found = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            for (int k = j + 1; k < n; ++k) {
                double r[LEGS], difference = 0.0;
                const int legs[3] = {i, j, k};
                if (!carries(f, legs, r)) {
                    continue;
                }
                if (found++ == 0) {
                    memcpy(first, r, sizeof r);
                }
                for (int l = 0; l < n; ++l) {
                    difference = fmax(difference, fabs(r[l] - first[l]));
                }
                if (difference > 1e-8) {
                    return false;
                }
            }
        }
    }
    assert_true(found > 0);
    return true;
}

static void frames_agree_with_all_basic_solutions(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int unique = 0;
    for (int round = 0; round < 400; ++round) {
        frame f;
        int n = 3 + crn_random_below(&random, 6);
        double x[LEGS], y[LEGS], weight[LEGS], sum = 0.0, r[3 * LEGS] = {0}, first[LEGS];
        int carrying = round % 2 ? n : 1 + crn_random_below(&random, 2); /* inside, or above a leg or a side */
        for (int i = 0; i < n; ++i) {
            double angle = 2.0 * SCENE_PI * (i + crn_random_uniform(&random, 0.0, 0.8)) / n;
            x[i] = cos(angle);
            y[i] = sin(angle);
            weight[i] = i < carrying ? crn_random_uniform(&random, 0.1, 1.0) : 0.0;
            sum += weight[i];
        }
        double cx = 0.0, cy = 0.0;
        for (int i = 0; i < n; ++i) {
            cx += x[i] * weight[i] / sum;
            cy += y[i] * weight[i] / sum;
            r[3 * i] = weight[i] / sum;
        }
        set_frame(&f, n, cx, cy);
        for (int i = 0; i < n; ++i) {
            set_leg(&f, i, x[i], y[i]);
        }
        bool is_unique = has_one_basic_solution(&f, first);
        crn_contact_uniqueness a = ask(&f.p, r, NULL);
        TEST_CHECK(a.is_impulse_unique == (is_unique ? CRN_YES : CRN_NO), "round %d: %d legs, %d", round, n,
                   (int)a.is_impulse_unique);
        assert_true(a.is_motion_unique == CRN_YES && a.active == n && a.redundant == n - 3);
        unique += is_unique;
    }
    assert_true(unique > 100 && unique < 300);
}

/* --- friction and joints --- */

static void set_friction(frame *f, double mu, int d)
{
    for (int i = 0; i < f->p.contacts; ++i) {
        f->leg[i].t1[0] = f->leg[i].t2[1] = 1.0;
        f->leg[i].mu = mu;
        f->leg[i].directions = d;
    }
}

/* A ball on the ground: one contact never has two motions, and the bound knows up to mu = 2 / sqrt(1 + r^2 / I). */
static void one_contact_with_little_friction_is_unique(void **state)
{
    (void)state;
    frame f;
    double r[3], v[6];
    for (int k = 0; k < 2; ++k) {
        set_frame(&f, 1, 0.0, 0.0);
        set_leg(&f, 0, 0.0, 0.0);
        set_friction(&f, k == 0 ? 1.41 : 1.42, 8);
        f.velocity[3] = 0.3;
        assert_true(solve(&f.p, r, NULL, v));
        crn_contact_uniqueness a = ask(&f.p, r, NULL);
        assert_true(a.is_motion_unique == (k == 0 ? CRN_YES : CRN_UNDECIDED));
        assert_true(a.is_impulse_unique == CRN_YES && a.active == 3 && a.redundant == 0);
    }
}

/* Two sticking contacts on a line can push against each other: friction along the line is not determined. */
static void friction_between_two_feet_is_not_determined(void **state)
{
    (void)state;
    frame f;
    double r[6] = {0.5, 0.0, 0.0, 0.5, 0.0, 0.0};
    set_frame(&f, 2, 0.0, 0.0);
    set_leg(&f, 0, -1.0, 0.0);
    set_leg(&f, 1, 1.0, 0.0);
    set_friction(&f, 0.5, 4);
    crn_contact_uniqueness a = ask(&f.p, r, NULL);
    assert_true(a.is_impulse_unique == CRN_NO && a.active == 6 && a.redundant == 1);
    /* along the other axis alone nothing can be pushed */
    for (int i = 0; i < 2; ++i) {
        f.leg[i].directions = 2;
        f.leg[i].t1[0] = f.leg[i].t2[1] = 0.0;
        f.leg[i].t1[1] = 1.0;
        f.leg[i].t2[0] = -1.0;
    }
    a = ask(&f.p, r, NULL);
    assert_true(a.is_impulse_unique == CRN_YES && a.active == 4 && a.redundant == 0);
}

/* The same two feet pushed along their line: at the limit of both there is one way, below it the feet may share at will, also
 * when one of them is at its limit. */
static void friction_at_its_limit_is_determined(void **state)
{
    (void)state;
    static const struct {
        double share[2];
        crn_answer is_unique;
    } cases[3] = {{{1.0, 1.0}, CRN_YES}, {{0.5, 0.5}, CRN_NO}, {{1.0, 0.0}, CRN_NO}};
    static const int directions[3] = {2, 4, 8};
    for (int k = 0; k < 9; ++k) {
        const double *share = cases[k / 3].share, mu = 0.4, push = 0.5 * mu * (share[0] + share[1]);
        double r[6] = {0.5, 0.5 * mu * share[0], 0.0, 0.5, 0.5 * mu * share[1], 0.0};
        frame f;
        set_frame(&f, 2, 0.0, 0.0);
        set_leg(&f, 0, -1.0, 0.0);
        set_leg(&f, 1, 1.0, 0.0);
        set_friction(&f, mu, directions[k % 3]);
        f.velocity[3] = -push; /* stopped by the feet, together with the turn that friction below the centre makes */
        f.velocity[1] = push;
        crn_contact_uniqueness a = ask(&f.p, r, NULL);
        TEST_CHECK(a.is_impulse_unique == cases[k / 3].is_unique, "case %d: %d", k, (int)a.is_impulse_unique);
        assert_int_equal(a.redundant, 1);
    }
}

static void joints_given_twice_are_redundant(void **state)
{
    (void)state;
    frame f;
    const double along[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    crn_contact_row row[2] = {{.a = 0, .b = -1, .jacobian_a = along}, {.a = 0, .b = -1, .jacobian_a = along}};
    double r[9] = {0.5, 0.0, 0.0, 0.25, 0.0, 0.0, 0.25, 0.0, 0.0}, l[2] = {0.0, 0.0};
    set_frame(&f, 3, 0.0, 0.0);
    set_leg(&f, 0, 1.0, 0.0);
    set_leg(&f, 1, -1.0, 1.0);
    set_leg(&f, 2, -1.0, -1.0);
    f.p.row = row;
    f.p.rows = 1;
    crn_contact_uniqueness a = ask(&f.p, r, l);
    assert_true(a.is_motion_unique == CRN_YES && a.is_impulse_unique == CRN_YES && a.active == 4 && a.redundant == 0);
    f.p.rows = 2;
    a = ask(&f.p, r, l);
    assert_true(a.is_motion_unique == CRN_YES && a.is_impulse_unique == CRN_NO && a.active == 5 && a.redundant == 1);
}

/* Solve in another order; the contact order back in place for v is not needed. */
static bool solve_reordered(const crn_contact_problem *p, crn_random *random, double *v)
{
    crn_contact_point contact[LEGS];
    crn_contact_problem other = *p;
    double r[3 * LEGS];
    memcpy(contact, p->contact, (size_t)p->contacts * sizeof *contact);
    for (int i = p->contacts - 1; i > 0; --i) {
        int j = crn_random_below(random, i + 1);
        crn_contact_point held = contact[i];
        contact[i] = contact[j];
        contact[j] = held;
    }
    other.contact = contact;
    return solve(&other, r, NULL, v);
}

/* Frames that fall with a tilt: some have two motions. Never may such a motion be called unique. */
static void two_motions_are_never_called_one(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    int answers[3] = {0, 0, 0};
    for (int round = 0; round < 300; ++round) {
        frame f;
        int n = 1 + crn_random_below(&random, 6);
        double r[3 * LEGS], v[6], w[6];
        set_frame(&f, n, 0.0, 0.0);
        for (int i = 0; i < n; ++i) {
            double x = crn_random_uniform(&random, -1, 1), y = crn_random_uniform(&random, -1, 1);
            set_leg(&f, i, x, y);
        }
        set_friction(&f, round % 2 ? 0.6 : 0.1, 8);
        for (int k = 0; k < 5; ++k) {
            f.velocity[k] = crn_random_uniform(&random, -0.5, 0.5);
        }
        if (!solve(&f.p, r, NULL, v)) {
            continue;
        }
        crn_contact_uniqueness a = ask(&f.p, r, NULL);
        answers[a.is_motion_unique]++;
        for (int k = 0; a.is_motion_unique == CRN_YES && k < 5; ++k) {
            assert_true(solve_reordered(&f.p, &random, w));
            for (int i = 0; i < 6; ++i) {
                TEST_CHECK(fabs(v[i] - w[i]) <= 1e-8, "round %d: called unique, but differs by %g", round, v[i] - w[i]);
            }
        }
    }
    print_message("undecided %d, no %d, yes %d\n", answers[0], answers[1], answers[2]);
    assert_true(answers[CRN_NO] > 0 && answers[CRN_YES] > 20);
}

static void bad_calls_are_named(void **state)
{
    (void)state;
    frame f;
    crn_workspace workspace = {0};
    crn_contact_uniqueness a;
    crn_error error;
    double r[9] = {0};
    set_frame(&f, 3, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        set_leg(&f, i, i, i * i);
    }
    assert_int_equal(crn_contact_uniqueness_of(&f.p, r, NULL, &workspace, &a, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "not a solution"));
    assert_int_equal(crn_contact_uniqueness_of(&f.p, NULL, NULL, &workspace, &a, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_uniqueness_of(NULL, r, NULL, &workspace, &a, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_uniqueness_of(&f.p, r, NULL, NULL, &a, &error), CRN_ERR_ARGUMENT);
    crn_contact_problem nothing = {0};
    assert_int_equal(crn_contact_uniqueness_of(&nothing, NULL, NULL, &workspace, &a, &error), CRN_OK);
    assert_true(a.is_motion_unique == CRN_YES && a.is_impulse_unique == CRN_YES && a.active == 0);
    crn_workspace_free(&workspace);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_tables),
        cmocka_unit_test(frames_agree_with_all_basic_solutions),
        cmocka_unit_test(one_contact_with_little_friction_is_unique),
        cmocka_unit_test(friction_between_two_feet_is_not_determined),
        cmocka_unit_test(friction_at_its_limit_is_determined),
        cmocka_unit_test(joints_given_twice_are_redundant),
        cmocka_unit_test(two_motions_are_never_called_one),
        cmocka_unit_test(bad_calls_are_named),
    };
    return TEST_RUN(tests, argc, argv);
}
