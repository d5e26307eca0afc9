/* Bilateral rows with bounds: motors and joint friction with known answers, random scenes against the box LCP of door 1, the
 * body level against contact states, warm starts, even impulses. Every answer is judged by solving.h too. */
#include "unique_scene.h"

enum { TEST_SEED = 20260911 };

/* --- one velocity --- */

typedef struct slider {
    crn_contact_problem p;
    crn_contact_body body;
    crn_contact_row row[2];
    crn_contact_point limit;
    double mass, velocity, one[3];
} slider;

/* A mass with one velocity and a row on it. */
static void slider_open(slider *s, double mass, double velocity, double offset, double bound)
{
    memset(s, 0, sizeof *s);
    s->mass = mass;
    s->velocity = velocity;
    s->one[0] = 1.0;
    s->body = (crn_contact_body){.kind = CRN_MASS_MATRIX, .dof = 1, .matrix = &s->mass, .ld = 1};
    s->row[0] = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = s->one, .offset = offset, .bound = bound};
    s->p = (crn_contact_problem){1, 0, 1, &s->body, &s->limit, s->row, &s->velocity};
}

static motion solve_cone(const crn_contact_problem *p, crn_contact_cone cone)
{
    crn_workspace workspace = {0};
    crn_contact_options options = crn_contact_options_default();
    options.cone = cone;
    motion m = move_in(p, &options, &workspace);
    crn_workspace_free(&workspace);
    return m;
}

/* A motor asks for a speed and has so much impulse: v = v_f + clip(m (target - v_f), c) / m. */
static void a_motor_saturates_or_reaches_its_speed(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int at = 0;
    for (int t = 0; t < 400; ++t) {
        slider s;
        double mass = crn_random_uniform(&random, 0.1, 10.0), target = crn_random_normal(&random);
        double velocity = crn_random_normal(&random), bound = pow(10.0, crn_random_uniform(&random, -3.0, 3.0));
        slider_open(&s, mass, velocity, -target, bound);
        double wanted = mass * (target - velocity), l = fmin(fmax(wanted, -bound), bound);
        motion m = solve_cone(&s.p, t % 2 ? CRN_CONE_ROUND : CRN_CONE_POLYGON);
        assert_int_equal(m.status, CRN_OK);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        double tol = (t % 2 ? 1e-10 : 1e-14) * (fabs(velocity) + fabs(target)); /* Newton, pivots */
        TEST_CHECK(fabs(m.l[0] - l) <= tol * mass, "l = %.17g, not %.17g", m.l[0], l);
        TEST_CHECK(fabs(m.v[0] - (velocity + l / mass)) <= tol + 1e-15 * fabs(velocity), "v = %.17g", m.v[0]);
        at += fabs(m.l[0]) == bound;
        assert_true(fabs(m.l[0]) <= bound);
        assert_true((fabs(wanted) > bound) == (fabs(m.l[0]) == bound));
        motion_free(&m);
    }
    assert_true(at > 100 && at < 300);
}

/* Friction of a joint holds a load below its bound: the speed is 0, and the impulse is the load's to the last bit. Above, the
 * load moves against the whole bound. */
static void joint_friction_holds_a_load(void **state)
{
    (void)state;
    const double load = 4.0 * 0.25; /* 4 kg falling at 0.25 m/s */
    for (int k = 0; k < 3; ++k) {
        static const double bound[3] = {2.0, 1.0009765625, 0.5};
        slider s;
        slider_open(&s, 4.0, -0.25, 0.0, bound[k]);
        motion m = move(&s.p);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        if (k < 2) {
            assert_true(m.v[0] == 0.0 && m.l[0] == load);
        } else {
            assert_true(m.v[0] == -0.125 && m.l[0] == 0.5);
        }
        assert_true(m.result.certificate.relative <= 1e-15);
        motion_free(&m);
    }
}

/* Bounds of 0 and infinity are none. */
static void no_bound_is_bilateral(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        slider s;
        slider_open(&s, 2.0, 8.0, -1.0, k ? INFINITY : 0.0);
        motion m = solve_cone(&s.p, k ? CRN_CONE_ROUND : CRN_CONE_POLYGON);
        assert_true(fabs(m.v[0] - 1.0) <= 1e-14 && fabs(m.l[0] + 14.0) <= 1e-13);
        motion_free(&m);
    }
}

/* A limit of a joint is a contact with Jacobians and without friction; a motor pushes into it with all it has. */
static void a_limit_stops_a_motor(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        slider s;
        double bound = k % 2 ? 3.0 : 1.0;
        slider_open(&s, 2.0, -1.0, 4.0, bound); /* wants -4 m/s */
        s.limit = (crn_contact_point){.a = 0, .b = -1, .jacobian_a = s.one, .offset = {2.0, 0.0, 0.0}}; /* v >= -2 */
        s.p.contacts = 1;
        motion m = solve_cone(&s.p, k < 2 ? CRN_CONE_POLYGON : CRN_CONE_ROUND);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        double v = bound == 3.0 ? -2.0 : -1.5, r = bound == 3.0 ? 1.0 : 0.0;
        TEST_CHECK(fabs(m.v[0] - v) <= 1e-12, "v = %g, not %g", m.v[0], v);
        TEST_CHECK(fabs(m.r[0] - r) <= 1e-12 && m.r[1] == 0.0 && m.r[2] == 0.0, "r = %g, not %g", m.r[0], r);
        TEST_CHECK(m.l[0] == -bound, "l = %g", m.l[0]);
        assert_int_equal(m.state[0].kind, bound == 3.0 ? CRN_CONTACT_ON : CRN_CONTACT_OFF);
        motion_free(&m);
    }
}

/* Motor and friction on the same axis: two rows that depend on one another and contradict. */
static void a_motor_against_friction(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        slider s;
        double motor = k & 1 ? 1e9 : 3.0, friction = k & 2 ? 1.0 : 5.0;
        int first = k & 4 ? 1 : 0;
        slider_open(&s, 1.0, 0.0, 0.0, 0.0);
        s.p.rows = 2;
        s.row[first] = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = s.one, .offset = -1.5, .bound = motor};
        s.row[1 - first] = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = s.one, .bound = friction};
        motion m = move(&s.p);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        double v = motor > 1e6 || friction < 2.0 ? 1.5 : 0.0; /* 3 against 1 leaves 2 for 1 kg, more than enough */
        double of_motor = m.l[first], of_friction = m.l[1 - first];
        TEST_CHECK(fabs(m.v[0] - v) <= 1e-14, "%d: v = %g", k, m.v[0]);
        TEST_CHECK(v == 0.0 ? of_motor == motor && of_friction == -motor : of_friction == -friction, "%d: %g, %g", k,
                   of_motor, of_friction);
        assert_true(m.result.certificate.relative <= 1e-14);
        motion_free(&m);
    }
}

/* A joint that is locked, and a motor on it that never gives in: with a speed to reach it pushes with all it has, without
 * one it need not do anything, whatever its bound. */
static void a_motor_on_a_locked_joint(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        slider s;
        double bound = k & 1 ? 1e6 : 1e12, speed = k & 2 ? 1.0 : 0.0;
        int first = k & 4 ? 1 : 0;
        if (bound > 1e9 && speed > 0.0) {
            continue; /* impulses of 1e12 that balance to 2 leave no digits for the certificate, and none is given */
        }
        slider_open(&s, 1.0, 2.0, 0.0, 0.0);
        s.p.rows = 2;
        s.row[first] = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = s.one};
        s.row[1 - first] = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = s.one, .offset = -speed, .bound = bound};
        motion m = move(&s.p);
        TEST_CHECK(m.result.outcome == CRN_LCP_SOLVED, "%d: %g", k, m.result.certificate.relative);
        double of_joint = m.l[first], of_motor = m.l[1 - first];
        TEST_CHECK(fabs(m.v[0]) <= 1e-9 && fabs(of_joint + of_motor + 2.0) <= 1e-9, "%d: v = %g", k, m.v[0]);
        TEST_CHECK(speed > 0.0 ? of_motor == bound : fabs(of_motor) <= 1e4, "%d: %g, %g", k, of_joint, of_motor);
        motion_free(&m);
    }
}

/* --- random scenes --- */

/* Random bounds for most rows, from without effect to hardly any impulse; sometimes a row twice. Rows that stay bilateral
 * have no offset, so that there is a motion which fulfils everything. */
static int bound_rows(scene *s, crn_random *random)
{
    int bounded = 0;
    for (int i = 0; i < s->p.rows; ++i) {
        crn_contact_row *row = &s->row[i];
        bool has_bound = crn_random_below(random, 5) > 0;
        row->bound = has_bound ? pow(10.0, crn_random_uniform(random, -2.5, 1.5)) : 0.0;
        row->offset = has_bound && crn_random_below(random, 3) ? row->offset : 0.0;
        if (i > 0 && crn_random_below(random, 4) == 0) { /* the same row as the one before, scaled */
            double factor = crn_random_below(random, 2) ? 1.0 : -3.0;
            row->a = s->row[i - 1].a;
            row->b = s->row[i - 1].b;
            for (int k = 0; k < 2 * SCENE_DOF; ++k) {
                s->row_jacobian[i][k / SCENE_DOF][k % SCENE_DOF] =
                    factor * s->row_jacobian[i - 1][k / SCENE_DOF][k % SCENE_DOF];
            }
            row->jacobian_a = row->a >= 0 ? s->row_jacobian[i][0] : NULL;
            row->jacobian_b = row->b >= 0 ? s->row_jacobian[i][1] : NULL;
            row->bound = row->bound > 0.0 ? row->bound : 0.1; /* bilateral rows that contradict have no solution */
            has_bound = true;
        }
        bounded += has_bound;
    }
    scene_dense(s);
    return bounded;
}

static scene *bounded_scene(crn_random *random, int t)
{
    scene *s = scene_random(random, 1 + t % 4, t % 7, 1 + t % 5, t % 2 == 1);
    clear_offsets(s);
    for (int i = 0; i < s->p.rows; ++i) {
        s->row[i].offset = crn_random_normal(random);
    }
    for (int i = 0; i < s->p.contacts; ++i) { /* door 1 has to solve it too */
        s->contact[i].directions = s->contact[i].directions > 8 ? 8 : s->contact[i].directions;
    }
    (void)bound_rows(s, random);
    return s;
}

static void random_scenes_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int inside = 0, at = 0, alike = 0, solved = 0;
    for (int t = 0; t < 600; ++t) {
        scene *s = bounded_scene(&random, t);
        char name[32];
        (void)snprintf(name, sizeof name, "scene %d", t);
        motion m = move(&s->p);
        check_solved(name, &s->p, &m);
        check_assembled(name, &s->p, &m);
        for (int i = 0; i < s->p.rows; ++i) {
            bool is_at = fabs(m.l[i]) == s->row[i].bound;
            inside += s->row[i].bound > 0.0 && !is_at;
            at += is_at;
        }
        double *v = test_doubles((size_t)s->dof);
        if (motion_by_lcp(&s->p, v)) {
            ++solved;
            alike += motion_distance(&s->p, v, m.v) < 1e-6;
        }
        free(v);
        motion_free(&m);
        scene_free(s);
    }
    print_message("%d rows inside, %d at their bounds; door 1: %d solved, %d with the same motion\n", inside, at,
                  solved, alike);
    assert_true(inside > 200 && at > 200 && solved > 550 && alike > 0.9 * solved);
}

/* Without friction the motion is unique: door 1 must find the same, and so must the body level. */
static void the_motion_without_friction_is_that_of_the_box_lcp(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int t = 0; t < 300; ++t) {
        scene *s = bounded_scene(&random, t);
        for (int i = 0; i < s->p.contacts; ++i) {
            s->contact[i].directions = 0;
        }
        motion m = move(&s->p), round = solve_cone(&s->p, CRN_CONE_ROUND);
        double *v = test_doubles((size_t)s->dof);
        check_solved("frictionless", &s->p, &m);
        TEST_CHECK(motion_by_lcp(&s->p, v), "scene %d: door 1 fails", t);
        TEST_CHECK(motion_distance(&s->p, v, m.v) <= 1e-8, "scene %d: %g apart", t, motion_distance(&s->p, v, m.v));
        TEST_CHECK(round.result.outcome == CRN_LCP_SOLVED, "scene %d: body level %g", t,
                   round.result.certificate.relative);
        TEST_CHECK(motion_distance(&s->p, v, round.v) <= 1e-6, "scene %d: body level %g apart", t,
                   motion_distance(&s->p, v, round.v));
        free(v);
        motion_free(&m);
        motion_free(&round);
        scene_free(s);
    }
}

/* Round cones, both laws, with and without contact states to start from. */
static void round_cones_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int coulomb = 0, count = 0;
    for (int t = 0; t < 300; ++t) {
        scene *s = bounded_scene(&random, t);
        crn_workspace workspace = {0};
        crn_contact_options options = crn_contact_options_default();
        options.cone = CRN_CONE_ROUND;
        options.method = t % 3 == 0 ? CRN_CONTACT_AUTO : CRN_CONTACT_BODIES;
        options.law = t % 3 == 2 ? CRN_LAW_CONVEX : CRN_LAW_COULOMB;
        motion m = move_in(&s->p, &options, &workspace);
        TEST_CHECK(m.result.outcome == CRN_LCP_SOLVED, "scene %d: %s, %g", t, crn_lcp_outcome_name(m.result.outcome),
                   m.result.certificate.relative);
        crn_contact_certificate certificate;
        options.law = m.result.law;
        assert_int_equal(crn_contact_certify(&s->p, &options, m.r, m.l, &workspace, &certificate, NULL), CRN_OK);
        assert_true(certificate.relative == m.result.certificate.relative);
        for (int i = 0; i < s->p.rows; ++i) {
            double e = solving_row(&s->p, i, m.v) / (certificate.scale * solving_row_size(&s->p, i));
            double bad = solving_row_violation(&s->row[i], m.l[i], e);
            TEST_CHECK(bad <= 1e-5, "scene %d: row %d is wrong by %g", t, i, bad);
        }
        count += t % 3 != 2;
        coulomb += t % 3 != 2 && m.result.law == CRN_LAW_COULOMB;
        crn_workspace_free(&workspace);
        motion_free(&m);
        scene_free(s);
    }
    print_message("Coulomb's law reached in %d of %d\n", coulomb, count);
    assert_true(coulomb > 0.95 * count);
}

/* A bound beyond what a row carries changes nothing, and hardly ever costs a pivot, even where rows are redundant. */
static void a_wide_bound_is_none(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int pivots[2] = {0, 0};
    for (int t = 0; t < 200; ++t) {
        scene *s = scene_random(&random, 1 + t % 4, 1 + t % 8, 1 + t % 3, t % 2 == 1);
        clear_offsets(s);
        motion without = move(&s->p);
        for (int i = 0; i < s->p.rows; ++i) {
            s->row[i].bound = 1e12;
        }
        motion with = move(&s->p);
        check_solved("wide", &s->p, &with);
        check_solved("none", &s->p, &without);
        pivots[0] += without.result.pivots;
        pivots[1] += with.result.pivots;
        motion_free(&without);
        motion_free(&with);
        scene_free(s);
    }
    print_message("pivots: without bounds %d, with %d\n", pivots[0], pivots[1]);
    assert_true(pivots[1] <= 1.05 * pivots[0]);
}

/* --- large islands --- */

enum { LINKS = 60 };

/* A chain of rigid bodies on a plane, joined by three bilateral rows each, with friction in every joint and on the ground. */
static void a_long_chain_is_solved_at_body_level(void **state)
{
    (void)state;
    static crn_contact_body body[LINKS];
    static crn_contact_point contact[LINKS];
    static crn_contact_row row[4 * LINKS];
    static double J[4 * LINKS][2][6], velocity[6 * LINKS];
    crn_contact_problem p = {LINKS, LINKS, 0, body, contact, row, velocity};
    memset(J, 0, sizeof J);
    memset(velocity, 0, sizeof velocity);
    for (int i = 0; i < LINKS; ++i) {
        body[i] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0, .com = {i, 0.0, 0.1}};
        body[i].inertia[0] = body[i].inertia[4] = body[i].inertia[8] = 0.1;
        contact[i] = (crn_contact_point){
            .a = i, .b = -1, .position = {i, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .mu = 0.5, .directions = 8};
        velocity[6 * i + 5] = -0.0981;
        velocity[6 * i + 1] = i == LINKS / 2 ? 5.0 : 0.01;
        for (int k = 0; k < 4 && i > 0; ++k) { /* the point between the links, and their rotation about y */
            double *a = J[p.rows][0], *b = J[p.rows][1], arm[2][3] = {{-0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}}, axis[3] = {0};
            axis[k % 3] = 1.0;
            for (int side = 0; side < 2 && k < 3; ++side) {
                solving_cross(arm[side], axis, side ? b : a);
                memcpy((side ? b : a) + 3, axis, sizeof axis);
                for (int j = 0; j < 6 && side; ++j) {
                    b[j] = -b[j];
                }
            }
            if (k == 3) {
                a[1] = 1.0;
                b[1] = -1.0;
            }
            row[p.rows++] =
                (crn_contact_row){.a = i, .b = i - 1, .jacobian_a = a, .jacobian_b = b, .bound = k == 3 ? 0.02 : 0};
        }
    }
    for (int cone = 0; cone < 2; ++cone) {
        motion m = solve_cone(&p, cone ? CRN_CONE_ROUND : CRN_CONE_POLYGON);
        int at = 0;
        TEST_CHECK(m.result.outcome == CRN_LCP_SOLVED, "%s, %g", crn_lcp_outcome_name(m.result.outcome),
                   m.result.certificate.relative);
        for (int i = 0; i < p.rows; ++i) {
            at += p.row[i].bound > 0.0 && fabs(m.l[i]) >= 0.02 * (1.0 - 1e-9);
        }
        print_message("method %s, %d pivots, %d iterations, %d of %d joints at their bounds, %.0f us\n",
                      crn_contact_method_name(m.result.method), m.result.pivots, m.result.iterations, at, LINKS - 1,
                      1e6 * m.result.seconds);
        assert_true(at > 0 && at < LINKS - 1);
        if (cone == 0) {
            check_honest("chain", &p, &m);
        }
        motion_free(&m);
    }
}

/* --- again, and warm --- */

/* Solving again with other velocities gives what a fresh solve gives, by fewer pivots. */
static void sessions_keep_rows(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int again_pivots = 0, fresh_pivots = 0, turned = 0;
    for (int t = 0; t < 60; ++t) {
        scene *s = bounded_scene(&random, t);
        crn_workspace workspace = {0};
        crn_contact_session *session = NULL;
        crn_contact_options options = states_options();
        assert_int_equal(crn_contact_prepare(&s->p, &options, &workspace, &session, NULL), CRN_OK);
        motion m = motion_new(&s->p);
        crn_contact_solution solution = motion_solution(&m);
        double *before = test_doubles((size_t)s->p.rows + 1);
        for (int step = 0; step < 8; ++step) {
            memcpy(before, m.l, (size_t)s->p.rows * sizeof *before);
            for (int k = 0; k < s->dof; ++k) {
                s->velocity[k] += (step == 5 ? -2.0 * s->velocity[k] : 0.02 * crn_random_normal(&random));
            }
            assert_int_equal(crn_contact_again(session, s->velocity, &solution, &m.result, NULL), CRN_OK);
            check_solved("again", &s->p, &m);
            motion fresh = move(&s->p);
            again_pivots += step > 0 ? m.result.pivots : 0;
            fresh_pivots += step > 0 ? fresh.result.pivots : 0;
            for (int i = 0; i < s->p.rows; ++i) {
                turned += step > 0 && s->row[i].bound > 0.0 && m.l[i] == -before[i] && fabs(m.l[i]) == s->row[i].bound;
            }
            motion_free(&fresh);
        }
        free(before);
        crn_workspace_free(&workspace);
        motion_free(&m);
        scene_free(s);
    }
    print_message("%d pivots again, %d afresh; %d rows went from one bound to the other\n", again_pivots, fresh_pivots,
                  turned);
    assert_true(again_pivots < fresh_pivots && turned > 5);
}

/* A guess, with and without row impulses, sensible or not, leads to an answer. */
static void guesses_are_used_or_ignored(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int pivots[4] = {0}, warm = 0;
    for (int t = 0; t < 150; ++t) {
        scene *s = bounded_scene(&random, t);
        motion m = move(&s->p);
        check_solved("cold", &s->p, &m);
        for (int k = 0; k < s->dof; ++k) {
            s->velocity[k] *= 1.01;
        }
        double *noise = test_doubles((size_t)s->p.rows + 1);
        for (int i = 0; i < s->p.rows; ++i) {
            noise[i] = crn_random_below(&random, 4) ? 10.0 * crn_random_normal(&random) : NAN;
        }
        for (int k = 0; k < 4; ++k) {
            crn_workspace workspace = {0};
            crn_contact_options options = states_options();
            if (k > 0) {
                options.start = m.state;
                options.start_impulse = m.r;
                options.start_velocity = m.u;
                options.start_row_impulse = k == 1 ? m.l : k == 2 ? NULL : noise;
            } else {
                options.frictionless_first = true;
            }
            motion again = move_in(&s->p, &options, &workspace);
            check_solved("guess", &s->p, &again);
            pivots[k] += again.result.pivots;
            warm += k == 1 && again.result.is_warm;
            crn_workspace_free(&workspace);
            motion_free(&again);
        }
        free(noise);
        motion_free(&m);
        scene_free(s);
    }
    print_message("pivots: frictionless first %d, with row impulses %d, without %d, with nonsense %d; %d of 150 warm\n",
                  pivots[0], pivots[1], pivots[2], pivots[3], warm);
    assert_true(pivots[1] < pivots[2] && pivots[1] < pivots[0] / 2 && warm > 140);
}

/* At the body level a solution is a start that needs next to nothing, if its row impulses come with it. */
static void solutions_are_starts_of_round_cones(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    int iterations[2] = {0, 0};
    for (int t = 0; t < 60; ++t) {
        scene *s = bounded_scene(&random, t);
        crn_workspace workspace = {0};
        crn_contact_options options = crn_contact_options_default();
        options.cone = CRN_CONE_ROUND;
        motion m = move_in(&s->p, &options, &workspace);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        options.start = m.state;
        options.start_impulse = m.r;
        options.start_velocity = m.u;
        for (int k = 0; k < 2; ++k) {
            options.start_row_impulse = k ? m.l : NULL;
            motion again = move_in(&s->p, &options, &workspace);
            assert_int_equal(again.result.outcome, CRN_LCP_SOLVED);
            iterations[k] += again.result.iterations;
            motion_free(&again);
        }
        crn_workspace_free(&workspace);
        motion_free(&m);
        scene_free(s);
    }
    print_message("iterations: without row impulses %d, with %d\n", iterations[0], iterations[1]);
    assert_true(10 * iterations[1] < iterations[0]);
}

/* Rows that move fast on an island of their own, and a contact that hardly moves on another: the certificate measures both
 * by the contact's speed, and so must the body level, which sees one island at a time. */
static void islands_are_held_to_one_tolerance(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int t = 0; t < 200; ++t) {
        scene *s = scene_random(&random, 3, 1, 3, false);
        clear_offsets(s);
        scene_contact(s, &random, 0, 2, -1);
        memset(s->contact[0].offset, 0, sizeof s->contact[0].offset);
        for (int k = 12; k < 18; ++k) {
            s->velocity[k] *= 1e-2;
        }
        for (int i = 0; i < s->p.rows; ++i) {
            scene_row(s, &random, i, i % 2, i == 2 ? 1 : -1);
            s->row[i].bound = pow(10.0, crn_random_uniform(&random, -2.0, 2.0));
        }
        crn_workspace workspace = {0};
        crn_contact_options options = crn_contact_options_default();
        options.cone = CRN_CONE_ROUND;
        options.method = CRN_CONTACT_BODIES; /* without contact states to start from, which would be exact */
        motion m = move_in(&s->p, &options, &workspace);
        crn_workspace_free(&workspace);
        assert_int_equal(m.result.islands, 2);
        TEST_CHECK(m.result.outcome == CRN_LCP_SOLVED, "scene %d: %g", t, m.result.certificate.relative);
        motion_free(&m);
        scene_free(s);
    }
}

/* --- judging --- */

/* The certificate sees an impulse beyond its bound, one that does not reach it, and a row that moves. */
static void certificates_see_wrong_rows(void **state)
{
    (void)state;
    slider s;
    crn_workspace workspace = {0};
    crn_contact_certificate c;
    slider_open(&s, 2.0, 3.0, 0.0, 4.0); /* l = -4, v = 1 */
    static const double l[6] = {-4.0, -4.4, -3.6, 4.0, 0.0, NAN};
    static const double velocity[6] = {0.0, 0.2, 0.2, 4.0, 2.0, INFINITY}; /* natural map as a velocity: |l + 4| / m */
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(crn_contact_certify(&s.p, NULL, NULL, &l[k], &workspace, &c, NULL), CRN_OK);
        TEST_CHECK(k == 5 ? isinf(c.row_error) : fabs(c.row_error - velocity[k]) <= 1e-15, "%g: %g", l[k], c.row_error);
        assert_int_equal(c.worst, k == 0 ? -1 : 0);
        assert_true((c.relative <= 1e-9) == (k == 0));
    }
    slider_open(&s, 2.0, 3.0, 0.0, 8.0); /* l = -6, v = 0 */
    static const double inside[3] = {-6.0, -5.0, -8.0};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(crn_contact_certify(&s.p, NULL, NULL, &inside[k], &workspace, &c, NULL), CRN_OK);
        TEST_CHECK(fabs(c.row_error - 0.5 * fabs(inside[k] + 6.0)) <= 1e-15, "%g: %g", inside[k], c.row_error);
    }
    crn_workspace_free(&workspace);
}

/* Units of mass, length and of the rows change nothing that counts. */
static void units_do_not_matter(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int t = 0; t < 60; ++t) {
        scene *s = bounded_scene(&random, 2 * t); /* rigid bodies */
        motion m = move(&s->p);
        for (int i = 0; i < s->p.rows; ++i) { /* a row times 1024: its impulse over 1024 */
            for (int k = 0; k < 2 * SCENE_DOF; ++k) {
                s->row_jacobian[i][k / SCENE_DOF][k % SCENE_DOF] *= 1024.0;
            }
            s->row[i].offset *= 1024.0;
            s->row[i].bound /= 1024.0;
        }
        for (int b = 0; b < s->p.bodies; ++b) { /* grams */
            s->body[b].mass *= 1024.0;
            for (int k = 0; k < 9; ++k) {
                s->body[b].inertia[k] *= 1024.0;
            }
        }
        for (int i = 0; i < s->p.rows; ++i) {
            s->row[i].bound *= 1024.0;
        }
        motion other = move(&s->p);
        assert_int_equal(m.result.pivots, other.result.pivots);
        for (int k = 0; k < s->dof; ++k) {
            assert_true(m.v[k] == other.v[k]);
        }
        for (int i = 0; i < s->p.rows; ++i) {
            assert_true(m.l[i] == other.l[i]);
        }
        motion_free(&m);
        motion_free(&other);
        scene_free(s);
    }
}

/* --- even impulses, uniqueness --- */

/* A table on four legs that may turn about one of two axes only against friction of a joint. */
typedef struct table {
    crn_contact_problem p;
    crn_contact_body body;
    crn_contact_point leg[4];
    crn_contact_row row;
    double velocity[6], J[6];
} table;

static void table_open(table *t, double bound)
{
    memset(t, 0, sizeof *t);
    t->body = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 2.0, .com = {0.0, 0.0, 0.5}};
    t->body.inertia[0] = t->body.inertia[4] = t->body.inertia[8] = 0.3;
    for (int i = 0; i < 4; ++i) {
        t->leg[i] = (crn_contact_point){.a = 0, .b = -1, .normal = {0.0, 0.0, 1.0}};
        t->leg[i].position[0] = i & 1 ? 0.4 : -0.4;
        t->leg[i].position[1] = i & 2 ? 0.4 : -0.4;
    }
    t->velocity[5] = -1.0;
    t->velocity[3] = 1.0; /* a row along x, across all normals */
    t->J[3] = 1.0;
    t->row = (crn_contact_row){.a = 0, .b = -1, .jacobian_a = t->J, .bound = bound};
    t->p = (crn_contact_problem){1, 4, 1, &t->body, t->leg, &t->row, t->velocity};
}

static void even_impulses_respect_bounds(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        table t;
        double bound = k ? 0.5 : 5.0;
        table_open(&t, bound);
        crn_workspace workspace = {0};
        crn_contact_options options = crn_contact_options_default();
        options.even = true;
        motion m = move_in(&t.p, &options, &workspace);
        check_solved("table", &t.p, &m);
        for (int i = 0; i < 4; ++i) {
            assert_true(fabs(m.r[3 * i] - 0.5) <= 1e-14);
        }
        TEST_CHECK(fabs(m.l[0] + (k ? 0.5 : 2.0)) <= 1e-14, "l = %g", m.l[0]);
        crn_contact_uniqueness unique;
        assert_int_equal(crn_contact_uniqueness_of(&t.p, m.r, m.l, &workspace, &unique, NULL), CRN_OK);
        assert_int_equal(unique.is_motion_unique, CRN_YES);
        assert_int_equal(unique.is_impulse_unique, CRN_NO);
        assert_int_equal(unique.active, k ? 4 : 5);
        assert_int_equal(unique.redundant, 1);
        crn_workspace_free(&workspace);
        motion_free(&m);
    }
}

static void even_impulses_of_random_scenes(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int t = 0; t < 150; ++t) {
        scene *s = bounded_scene(&random, t);
        crn_workspace workspace = {0};
        crn_contact_options options = crn_contact_options_default();
        options.even = true;
        motion plain = move(&s->p), m = move_in(&s->p, &options, &workspace);
        check_solved("even", &s->p, &m);
        TEST_CHECK(motion_distance(&s->p, plain.v, m.v) <= 1e-8, "scene %d: %g", t,
                   motion_distance(&s->p, plain.v, m.v));
        double squares[2] = {0.0, 0.0};
        for (int k = 0; k < 3 * s->p.contacts; ++k) {
            squares[0] += k % 3 == 0 ? plain.r[k] * plain.r[k] : 0.0;
            squares[1] += k % 3 == 0 ? m.r[k] * m.r[k] : 0.0;
        }
        if (s->p.contacts > 0 && s->contact[0].directions == 0) {
            TEST_CHECK(squares[1] <= squares[0] * (1.0 + 1e-9) || s->p.contacts > 1, "scene %d", t);
        }
        crn_contact_uniqueness unique;
        crn_error error;
        TEST_CHECK(crn_contact_uniqueness_of(&s->p, plain.r, plain.l, &workspace, &unique, &error) == CRN_OK, "%s",
                   error.text);
        crn_workspace_free(&workspace);
        motion_free(&plain);
        motion_free(&m);
        scene_free(s);
    }
}

/* Two rows on one axis: one inside, one at its bound. Inside both, the impulses are not unique; a row at its bound whose
 * speed is not 0 is a constant. */
static void rows_at_bounds_are_constants(void **state)
{
    (void)state;
    static const double bound[3][2] = {{4.0, 5.0}, {1.0, 9.0}, {1.0, 2.0}};
    for (int k = 0; k < 3; ++k) {
        slider s;
        crn_workspace workspace = {0};
        crn_contact_uniqueness unique;
        slider_open(&s, 1.0, 6.0, 0.0, bound[k][0]);
        s.p.rows = 2;
        s.row[1] = s.row[0];
        s.row[1].bound = bound[k][1];
        double l[2] = {k == 0 ? -2.0 : -1.0, k == 0 ? -4.0 : k == 1 ? -5.0 : -2.0};
        assert_int_equal(crn_contact_uniqueness_of(&s.p, NULL, l, &workspace, &unique, NULL), CRN_OK);
        assert_int_equal(unique.is_motion_unique, CRN_YES);
        static const crn_answer expected[3] = {CRN_NO, CRN_UNDECIDED,
                                               CRN_YES}; /* in the second l may become -0.5, -5.5 */
        assert_int_equal(unique.is_impulse_unique, expected[k]);
        assert_int_equal(unique.active, k == 0 ? 2 : k == 1 ? 1 : 0);
        crn_workspace_free(&workspace);
    }
}

/* --- memory --- */

/* The size that is asked for is enough, whatever the method. */
static void the_workspace_is_large_enough(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int t = 0; t < 60; ++t) {
        scene *s = bounded_scene(&random, t);
        crn_contact_options options = crn_contact_options_default();
        options.even = t % 2 == 0;
        options.cone = t % 3 == 0 ? CRN_CONE_ROUND : CRN_CONE_POLYGON;
        size_t bytes = crn_contact_workspace_size(&s->p, &options);
        assert_true(bytes > 0);
        unsigned char *block = (unsigned char *)malloc(bytes);
        assert_non_null(block);
        crn_workspace workspace = crn_workspace_fixed(block, bytes);
        motion m = move_in(&s->p, &options, &workspace);
        TEST_CHECK(m.status == CRN_OK, "%s", m.error.text);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        free(block);
        motion_free(&m);
        scene_free(s);
    }
}

/* --- bad input, methods without bounds, the assembled bounds --- */

static void bad_bounds_are_refused(void **state)
{
    (void)state;
    static const double bad[3] = {-1.0, NAN, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        slider s;
        crn_error error;
        slider_open(&s, 1.0, 1.0, 0.0, bad[k]);
        assert_int_equal(crn_contact_check(&s.p, &error), CRN_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "row 0: bound"));
    }
    for (int k = 0; k < 2; ++k) {
        slider s;
        crn_workspace workspace = {0};
        crn_contact_options options = crn_contact_options_default();
        options.method = k ? CRN_CONTACT_STRUCTURAL : CRN_CONTACT_REDUCED;
        slider_open(&s, 1.0, 1.0, 0.0, 2.0);
        motion m = move_in(&s.p, &options, &workspace);
        assert_int_equal(m.status, CRN_ERR_UNSUPPORTED);
        assert_non_null(strstr(m.error.text, "row 0"));
        assert_int_equal(crn_contact_workspace_size(&s.p, &options), 0);
        motion_free(&m);
        crn_workspace_free(&workspace);
    }
}

static void bounds_of_the_lcp(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    scene *s = scene_random(&random, 2, 2, 3, false);
    s->contact[0].directions = 4;
    s->contact[1].directions = 0;
    s->row[0].bound = 0.0;
    s->row[1].bound = 2.5;
    s->row[2].bound = INFINITY;
    const int n = crn_contact_lcp_size(&s->p);
    assert_int_equal(n, 2 + 4 + 1 + 3);
    double lower[10], upper[10];
    assert_int_equal(crn_contact_lcp_bounds(&s->p, lower, upper, NULL), CRN_OK);
    for (int i = 0; i < n; ++i) {
        assert_true(lower[i] == (i < 7 ? 0.0 : i == 8 ? -2.5 : -INFINITY));
        assert_true(upper[i] == (i == 8 ? 2.5 : INFINITY));
    }
    assert_int_equal(crn_contact_lcp_bounds(&s->p, NULL, NULL, NULL), CRN_OK);
    assert_int_equal(crn_contact_lcp_bounds(NULL, lower, upper, NULL), CRN_ERR_ARGUMENT);
    scene_free(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_saturates_or_reaches_its_speed),
        cmocka_unit_test(joint_friction_holds_a_load),
        cmocka_unit_test(no_bound_is_bilateral),
        cmocka_unit_test(a_limit_stops_a_motor),
        cmocka_unit_test(a_motor_against_friction),
        cmocka_unit_test(a_motor_on_a_locked_joint),
        cmocka_unit_test(random_scenes_are_solved),
        cmocka_unit_test(the_motion_without_friction_is_that_of_the_box_lcp),
        cmocka_unit_test(round_cones_are_solved),
        cmocka_unit_test(a_wide_bound_is_none),
        cmocka_unit_test(a_long_chain_is_solved_at_body_level),
        cmocka_unit_test(sessions_keep_rows),
        cmocka_unit_test(guesses_are_used_or_ignored),
        cmocka_unit_test(solutions_are_starts_of_round_cones),
        cmocka_unit_test(islands_are_held_to_one_tolerance),
        cmocka_unit_test(certificates_see_wrong_rows),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(even_impulses_respect_bounds),
        cmocka_unit_test(even_impulses_of_random_scenes),
        cmocka_unit_test(rows_at_bounds_are_constants),
        cmocka_unit_test(the_workspace_is_large_enough),
        cmocka_unit_test(bad_bounds_are_refused),
        cmocka_unit_test(bounds_of_the_lcp),
    };
    return TEST_RUN(tests, argc, argv);
}
