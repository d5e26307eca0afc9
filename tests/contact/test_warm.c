/* Warm starts: sessions with other velocities, guesses, nonsense. A warm start may save pivots; it never changes what is
 * true. Motions are compared where they are unique. */
#include "unique_scene.h"

#include "gallery.h"

enum { TEST_SEED = 20260704 };

static motion again(crn_contact_session *session, const crn_contact_problem *p, const double *velocity)
{
    motion m = motion_new(p);
    crn_contact_solution solution = motion_solution(&m);
    m.status = crn_contact_again(session, velocity, &solution, &m.result, &m.error);
    return m;
}

static crn_contact_session *prepare(const crn_contact_problem *p, crn_workspace *workspace)
{
    crn_contact_options options = states_options();
    crn_contact_session *session = NULL;
    crn_error error;
    crn_status status = crn_contact_prepare(p, &options, workspace, &session, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    return session;
}

/* The problem from the caller's point of view with another free velocity. */
static crn_contact_problem with_velocity(const crn_contact_problem *p, const double *velocity)
{
    crn_contact_problem other = *p;
    other.velocity = velocity;
    return other;
}

/* --- sessions --- */

/* A sequence of velocities, near and far, large and small: each answer is that of a cold solve. */
static void a_session_gives_the_motion_of_a_cold_solve(void **state)
{
    (void)state;
    crn_random random = test_random("session", TEST_SEED);
    int warm = 0, total = 0;
    for (int t = 0; t < 150; ++t) {
        scene *s = unique_scene(&random, t);
        if (!s) {
            continue;
        }
        crn_workspace workspace = {0};
        crn_contact_session *session = prepare(&s->p, &workspace);
        double velocity[SCENE_BODIES * SCENE_DOF];
        for (int round = 0; round < 12; ++round) {
            static const double change[6] = {0.0, 1e-9, 1e-3, 1e-1, 1.0, 10.0};
            double size = round == 8 ? 1e-9 : round == 10 ? 1e9 : 1.0; /* the unit of velocity changes too */
            for (int k = 0; k < s->dof; ++k) {
                velocity[k] = size * (s->velocity[k] + change[round % 6] * crn_random_normal(&random));
            }
            crn_contact_problem p = with_velocity(&s->p, velocity);
            motion a = again(session, &p, velocity), b = move(&p);
            check_solved("again", &p, &a);
            double apart = motion_distance(&p, a.v, b.v);
            TEST_CHECK(apart <= 1e-9, "scene %d round %d: %g from the cold solve", t, round, apart);
            warm += a.result.is_warm;
            total++;
            motion_free(&a);
            motion_free(&b);
        }
        crn_workspace_free(&workspace);
        scene_free(s);
    }
    print_message("%d of %d solves were warm\n", warm, total);
    assert_true(warm >= total / 2);
}

/* Nothing changes: one edge for each island, and the same motion. */
static void nothing_changes_costs_one_pivot(void **state)
{
    (void)state;
    int count, total = 0, cheap = 0;
    const crn_gallery_family *family = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int k = 0; k < 20 && family[f].make_contact; ++k) {
            crn_gallery_contact_problem g = {0};
            assert_int_equal(family[f].make_contact(k % family[f].default_count, TEST_SEED, &g, NULL), CRN_OK);
            crn_workspace workspace = {0};
            crn_contact_session *session = prepare(&g.problem, &workspace);
            motion a = again(session, &g.problem, NULL), b = again(session, &g.problem, g.problem.velocity);
            check_solved(family[f].name, &g.problem, &a);
            check_solved(family[f].name, &g.problem, &b);
            double apart = motion_distance(&g.problem, a.v, b.v);
            TEST_CHECK(apart <= 1e-9, "%s %d: %g", family[f].name, k, apart);
            total++;
            cheap += b.result.is_warm && b.result.pivots <= b.result.islands;
            motion_free(&a);
            motion_free(&b);
            crn_workspace_free(&workspace);
            crn_gallery_contact_free(&g);
        }
    }
    print_message("%d of %d cost one pivot per island\n", cheap, total);
    assert_true(cheap >= total * 95 / 100); /* the rest ended on z0 that would not leave: no basis was kept */
}

/* Every family through a session, the velocities changed by a hundredth to all of their size. */
static void families_are_solved_again_and_again(void **state)
{
    (void)state;
    crn_random random = test_random("again", TEST_SEED);
    int count;
    const crn_gallery_family *family = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        long cold = 0, warm = 0;
        for (int k = 0; k < 12 && family[f].make_contact; ++k) {
            crn_gallery_contact_problem g = {0};
            assert_int_equal(family[f].make_contact(k % family[f].default_count, TEST_SEED, &g, NULL), CRN_OK);
            crn_workspace workspace = {0};
            crn_contact_session *session = prepare(&g.problem, &workspace);
            int dof = crn_contact_dof(&g.problem);
            double *velocity = (double *)take((size_t)dof, sizeof *velocity);
            memcpy(velocity, g.problem.velocity, (size_t)dof * sizeof *velocity);
            for (int round = 0; round < 6; ++round) {
                crn_contact_problem p = with_velocity(&g.problem, velocity);
                motion a = again(session, &p, velocity);
                char name[64];
                (void)snprintf(name, sizeof name, "%s %d round %d", family[f].name, k, round);
                check_solved(name, &p, &a);
                *(round == 0 ? &cold : &warm) += a.result.pivots;
                motion_free(&a);
                double change = round == 4 ? 1.0 : 0.01;
                for (int i = 0; i < dof; ++i) {
                    velocity[i] *= 1.0 + change * crn_random_normal(&random);
                }
            }
            free(velocity);
            crn_workspace_free(&workspace);
            crn_gallery_contact_free(&g);
        }
        if (family[f].make_contact) {
            print_message("%s: %ld pivots cold, %ld in each warm round\n", family[f].name, cold, warm / 5);
        }
    }
}

/* NULL is the problem's velocity, also after another one; a velocity that is no number is refused, and does no harm. */
static void no_velocity_is_the_problems(void **state)
{
    (void)state;
    crn_random random = test_random("null", TEST_SEED);
    scene *s = NULL;
    for (int t = 0; !s; ++t) {
        s = unique_scene(&random, t);
    }
    crn_workspace workspace = {0};
    crn_contact_session *session = prepare(&s->p, &workspace);
    double *other = (double *)take((size_t)s->dof, sizeof *other);
    for (int k = 0; k < s->dof; ++k) {
        other[k] = crn_random_normal(&random);
    }
    motion cold = move(&s->p), a = again(session, &s->p, NULL);
    assert_true(motion_distance(&s->p, a.v, cold.v) <= 1e-9);
    motion_free(&a);
    a = again(session, &s->p, other);
    assert_true(motion_distance(&s->p, a.v, cold.v) > 1e-3);
    motion_free(&a);
    memset(other, 0x5A, (size_t)s->dof * sizeof *other); /* the caller may do so once the call has returned */
    a = again(session, &s->p, NULL);
    check_solved("null", &s->p, &a);
    assert_true(motion_distance(&s->p, a.v, cold.v) <= 1e-9);
    motion_free(&a);
    other[0] = NAN;
    a = again(session, &s->p, other);
    assert_int_equal(a.status, CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(a.error.text, "velocity"), "%s", a.error.text);
    motion_free(&a);
    a = again(session, &s->p, NULL);
    assert_true(motion_distance(&s->p, a.v, cold.v) <= 1e-9);
    motion_free(&a);
    motion_free(&cold);
    free(other);
    crn_workspace_free(&workspace);
    scene_free(s);
}

/* --- guesses --- */

static motion move_from(const crn_contact_problem *p, const crn_contact_state *start, const double *r, const double *u)
{
    crn_workspace workspace = {0};
    crn_contact_options options = states_options();
    options.start = start;
    options.start_impulse = r;
    options.start_velocity = u;
    motion m = move_in(p, &options, &workspace);
    crn_workspace_free(&workspace);
    return m;
}

/* The answer itself as a guess costs one pivot per island; the answer of a problem nearby leads to the right motion. */
static void a_good_guess_is_cheap(void **state)
{
    (void)state;
    crn_random random = test_random("guess", TEST_SEED);
    int cheap = 0, total = 0, warm = 0;
    for (int t = 0; t < 200; ++t) {
        scene *s = unique_scene(&random, t);
        if (!s) {
            continue;
        }
        motion cold = move(&s->p), same = move_from(&s->p, cold.state, cold.r, cold.u);
        check_solved("same", &s->p, &same);
        assert_true(motion_distance(&s->p, same.v, cold.v) <= 1e-9);
        cheap += same.result.is_warm && same.result.pivots <= same.result.islands;
        total++;
        for (int k = 0; k < s->dof; ++k) {
            s->velocity[k] += 0.01 * crn_random_normal(&random);
        }
        for (int i = 0; i < s->p.contacts && !s->contact[i].jacobian_a && !s->contact[i].jacobian_b; ++i) {
            for (int k = 0; k < 3; ++k) { /* the geometry has changed too */
                s->contact[i].position[k] += 1e-4 * crn_random_normal(&random);
            }
        }
        motion near = move_from(&s->p, cold.state, cold.r, cold.u), fresh = move(&s->p);
        check_solved("near", &s->p, &near);
        TEST_CHECK(motion_distance(&s->p, near.v, fresh.v) <= 1e-9, "scene %d: %g", t,
                   motion_distance(&s->p, near.v, fresh.v));
        warm += near.result.is_warm;
        motion_free(&cold);
        motion_free(&same);
        motion_free(&near);
        motion_free(&fresh);
        scene_free(s);
    }
    print_message("%d of %d cost one pivot per island, %d of them warm on the problem nearby\n", cheap, total, warm);
    assert_true(cheap >= total * 9 / 10 && warm >= total * 9 / 10);
}

/* A number of any kind. */
static double nonsense(crn_random *random, int kind)
{
    static const double odd[6] = {NAN, INFINITY, -INFINITY, 1e300, -1e-300, 0.0};
    int choice = crn_random_below(random, 12);
    return kind > 0 && choice < 6 ? odd[choice]
                                  : pow(10.0, crn_random_uniform(random, -3.0, 3.0)) * crn_random_normal(random);
}

/* Whatever the guess says the answer is right. */
static void nonsense_does_no_harm(void **state)
{
    (void)state;
    crn_random random = test_random("nonsense", TEST_SEED);
    for (int t = 0; t < 600; ++t) {
        scene *s = unique_scene(&random, t);
        if (!s) {
            continue;
        }
        crn_contact_state start[SCENE_CONTACTS];
        double r[3 * SCENE_CONTACTS], u[3 * SCENE_CONTACTS];
        for (int i = 0; i < s->p.contacts; ++i) {
            start[i].kind = crn_random_below(&random, t % 3 ? 5 : 9) - (t % 3 ? 0 : 2);
            start[i].corner = t % 3 ? crn_random_below(&random, 8) : crn_random_below(&random, 200) - 100;
            for (int j = 0; j < 3; ++j) {
                r[3 * i + j] = nonsense(&random, t % 2);
                u[3 * i + j] = nonsense(&random, t % 2);
            }
        }
        motion cold = move(&s->p), a = move_from(&s->p, start, r, u);
        check_solved("nonsense", &s->p, &a);
        double apart = motion_distance(&s->p, a.v, cold.v);
        TEST_CHECK(apart <= 1e-9, "scene %d: %g from the cold solve", t, apart);
        motion_free(&a);
        motion_free(&cold);
        scene_free(s);
    }
}

/* The same for problems with many redundant contacts: guesses with more rows than velocities, singular bases. */
static void check_wrong_guess(crn_random *random, const char *name, const crn_contact_problem *p)
{
    size_t n = (size_t)p->contacts;
    crn_contact_state *start = (crn_contact_state *)take(n, sizeof *start);
    double *r = (double *)take(3 * n, sizeof *r), *u = (double *)take(3 * n, sizeof *u);
    int kind = crn_random_below(random, 6); /* all of one kind, or any */
    for (size_t i = 0; i < n; ++i) {
        start[i].kind = kind < 5 ? kind : crn_random_below(random, 5);
        start[i].corner = crn_random_below(random, 8);
        for (int j = 0; j < 3; ++j) {
            r[3 * i + (size_t)j] = crn_random_normal(random);
            u[3 * i + (size_t)j] = crn_random_normal(random);
        }
    }
    motion a = move_from(p, start, r, u);
    check_solved(name, p, &a);
    motion_free(&a);
    free(start);
    free(r);
    free(u);
}

static void wrong_guesses_for_families(void **state)
{
    (void)state;
    crn_random random = test_random("wrong", TEST_SEED);
    int count;
    const crn_gallery_family *family = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int k = 0; k < 40 && family[f].make_contact; ++k) {
            crn_gallery_contact_problem g = {0};
            assert_int_equal(family[f].make_contact(k % family[f].default_count, TEST_SEED, &g, NULL), CRN_OK);
            check_wrong_guess(&random, family[f].name, &g.problem);
            crn_gallery_contact_free(&g);
        }
    }
}

/* A guess serves the first solve of a session; the next one starts from the first one's answer. */
static void a_guess_serves_once(void **state)
{
    (void)state;
    crn_random random = test_random("once", TEST_SEED);
    scene *s = NULL;
    for (int t = 0; !s; ++t) {
        s = unique_scene(&random, t);
    }
    motion cold = move(&s->p);
    crn_contact_options options = states_options();
    crn_workspace workspace = {0};
    crn_contact_session *session = NULL;
    options.start = cold.state;
    options.start_impulse = cold.r;
    options.start_velocity = cold.u;
    assert_int_equal(crn_contact_prepare(&s->p, &options, &workspace, &session, NULL), CRN_OK);
    for (int round = 0; round < 3; ++round) {
        motion a = again(session, &s->p, NULL);
        assert_true(a.result.is_warm && a.result.pivots <= a.result.islands);
        assert_true(motion_distance(&s->p, a.v, cold.v) <= 1e-9);
        motion_free(&a);
    }
    motion_free(&cold);
    crn_workspace_free(&workspace);
    scene_free(s);
}

/* --- frictionless first --- */

static motion move_staged(const crn_contact_problem *p)
{
    crn_workspace workspace = {0};
    crn_contact_options options = states_options();
    options.frictionless_first = true;
    motion m = move_in(p, &options, &workspace);
    crn_workspace_free(&workspace);
    return m;
}

static void frictionless_first_leads_to_the_same_motion(void **state)
{
    (void)state;
    crn_random random = test_random("staged", TEST_SEED);
    for (int t = 0; t < 200; ++t) {
        scene *s = unique_scene(&random, t);
        if (!s) {
            continue;
        }
        motion cold = move(&s->p), a = move_staged(&s->p);
        check_solved("staged", &s->p, &a);
        double apart = motion_distance(&s->p, a.v, cold.v);
        TEST_CHECK(apart <= 1e-9, "scene %d: %g from the cold solve", t, apart);
        motion_free(&a);
        motion_free(&cold);
        scene_free(s);
    }
    int count;
    const crn_gallery_family *family = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int k = 0; k < 30 && family[f].make_contact; ++k) {
            crn_gallery_contact_problem g = {0};
            assert_int_equal(family[f].make_contact(k % family[f].default_count, TEST_SEED, &g, NULL), CRN_OK);
            motion a = move_staged(&g.problem);
            check_solved(family[f].name, &g.problem, &a);
            motion_free(&a);
            crn_gallery_contact_free(&g);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictionless_first_leads_to_the_same_motion),
        cmocka_unit_test(a_session_gives_the_motion_of_a_cold_solve),
        cmocka_unit_test(nothing_changes_costs_one_pivot),
        cmocka_unit_test(families_are_solved_again_and_again),
        cmocka_unit_test(no_velocity_is_the_problems),
        cmocka_unit_test(a_good_guess_is_cheap),
        cmocka_unit_test(nonsense_does_no_harm),
        cmocka_unit_test(wrong_guesses_for_families),
        cmocka_unit_test(a_guess_serves_once),
    };
    return TEST_RUN(tests, argc, argv);
}
