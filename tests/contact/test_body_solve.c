/* The body-level solver on problems with known answers, and properties that any solver must have. Every answer is judged by
 * the certificate of body_scene.h. */
#include "body_scene.h"

static const double tol = 1e-8;
static const double g = 9.81;
static const double up[3] = {0.0, 0.0, 1.0};
static const double half[3] = {0.5, 0.5, 0.5};

static void require_solved(const scene *s, crn_contact_law law, const char *what)
{
    TEST_CHECK(s->run.outcome == CRN_LCP_SOLVED, "%s: outcome %d, certificate %g", what, s->run.outcome,
               s->certificate);
    TEST_CHECK(s->run.law == law, "%s: solved for law %d", what, s->run.law);
    TEST_CHECK(s->certificate <= tol, "%s: certificate %g", what, s->certificate);
}

/* --- Round trips: a solution is chosen first, the problem made to fit --- */

typedef struct trip {
    scene s;
    double *jacobian, *impulse, *row_impulse, *motion;
} trip;

static double draw(crn_random *random)
{
    return crn_random_uniform(random, -1.0, 1.0);
}

/* Impulse and contact velocity that obey the law. */
static void draw_pair(crn_random *random, crn_contact_law law, double mu, int used, double *r, double *u)
{
    double angle = 6.283185307179586 * crn_random_uniform(random, 0.0, 1.0),
           size = crn_random_uniform(random, 0.1, 1.0);
    double t[2] = {used == 1 ? 0.0 : used == 2 ? (angle < 3.0 ? 1.0 : -1.0) : cos(angle), used < 3 ? 0.0 : sin(angle)};
    int kind = crn_random_below(random, 3);
    memset(r, 0, 3 * sizeof *r);
    memset(u, 0, 3 * sizeof *u);
    if (kind == 0) { /* open */
        u[0] = mu * 0.5 + size;
        u[1] = 0.5 * t[0];
        u[2] = 0.5 * t[1];
    } else if (kind == 1 || used == 1) { /* stick */
        r[0] = size;
        r[1] = 0.7 * mu * size * t[0];
        r[2] = 0.7 * mu * size * t[1];
    } else { /* slide */
        double speed = crn_random_uniform(random, 0.1, 1.0);
        r[0] = size;
        r[1] = -mu * size * t[0];
        r[2] = -mu * size * t[1];
        u[0] = law == CRN_LAW_CONVEX ? mu * speed : 0.0;
        u[1] = speed * t[0];
        u[2] = speed * t[1];
    }
}

static double *draw_columns(crn_random *random, double *x, int count)
{
    for (int e = 0; e < count; ++e) {
        x[e] = draw(random);
    }
    return x + count;
}

/* Columns n, t1, t2 of a ball of mass 1, whitened, touched where its surface has the normal n: side +1 for a, -1 for b. */
static void ball_columns(const double *n, double side, double *x)
{
    double t[3][3], pick[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0.0}, along = pick[0] * n[0] + pick[1] * n[1], size;
    for (int k = 0; k < 3; ++k) {
        t[0][k] = n[k];
        t[1][k] = pick[k] - along * n[k];
    }
    size = sqrt(t[1][0] * t[1][0] + t[1][1] * t[1][1] + t[1][2] * t[1][2]);
    for (int k = 0; k < 3; ++k) {
        t[1][k] /= size;
    }
    for (int k = 0; k < 3; ++k) {
        t[2][k] = n[(k + 1) % 3] * t[1][(k + 2) % 3] - n[(k + 2) % 3] * t[1][(k + 1) % 3];
    }
    for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) { /* arm = -side radius n, inertia 2/5 radius^2 */
            double turn = n[(k + 1) % 3] * t[j][(k + 2) % 3] - n[(k + 2) % 3] * t[j][(k + 1) % 3];
            x[6 * j + k] = -turn / sqrt(0.4);
            x[6 * j + 3 + k] = side * t[j][k];
        }
    }
}

/* Balls that touch at random points, or bodies of any kind with random columns. */
static trip make_trip(crn_random *random, crn_contact_law law, bool are_balls, int bodies, int contacts, int rows)
{
    enum { DOF_MOST = 9 };
    static const int dofs[6] = {6, 6, 6, 3, 2, DOF_MOST};
    trip t = {0};
    scene *s = &t.s;
    int first[64];
    for (int i = 0; i < bodies; ++i) {
        first[i] = s->dof;
        (void)scene_unit(s, are_balls ? 6 : dofs[crn_random_below(random, 6)]);
    }
    t.motion = calloc((size_t)s->dof, sizeof(double));
    t.impulse = calloc(3 * (size_t)contacts + 1, sizeof(double));
    t.row_impulse = calloc((size_t)rows + 1, sizeof(double));
    t.jacobian = calloc((size_t)((contacts * 6 + rows * 2) * DOF_MOST) + 1, sizeof(double));
    (void)draw_columns(random, t.motion, s->dof);
    memcpy(s->velocity, t.motion, (size_t)s->dof * sizeof(double));
    double *x = t.jacobian;
    for (int i = 0; i < contacts + rows; ++i) {
        int a = crn_random_below(random, bodies), b = crn_random_below(random, bodies + 1) - 1;
        b = b == a ? -1 : b;
        int width = i < contacts ? 3 : 1, da = s->body[a].dof, db = b < 0 ? 0 : s->body[b].dof;
        double *xa = x, *xb = b < 0 ? NULL : x + width * da, r[3] = {0}, u[3] = {0};
        x = draw_columns(random, x, width * (da + db));
        if (are_balls && i < contacts) {
            double n[3] = {draw(random), draw(random), draw(random)},
                   size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            for (int k = 0; k < 3; ++k) {
                n[k] /= size;
            }
            ball_columns(n, 1.0, xa);
            if (b >= 0) {
                ball_columns(n, -1.0, xb);
            }
        }
        if (i < contacts) {
            crn_contact_point *c = scene_contact(s, a, b, (double[3]){0}, (double[3]){0}, 0.0, 0.0);
            c->mu = crn_random_below(random, 5) == 0 ? 0.0 : crn_random_uniform(random, 0.1, 1.2);
            c->directions = crn_random_below(random, 4) == 0 ? 2 : 4;
            c->jacobian_a = xa;
            c->jacobian_b = xb;
            draw_pair(random, law, c->mu, c->mu > 0.0 ? (c->directions == 2 ? 2 : 3) : 1, r, u);
            memcpy(t.impulse + 3 * i, r, sizeof r);
            memcpy(c->offset, u, sizeof u);
        } else {
            s->row = scene_more(s->row, s->rows, sizeof *s->row);
            s->row[s->rows++] = (crn_contact_row){a, b, xa, xb, 0.0, 0.0};
            r[0] = t.row_impulse[i - contacts] = draw(random);
        }
        for (int j = 0; j < width; ++j) { /* offset = u - X'v, free velocity = v - X r */
            double *offset = i < contacts ? &s->contact[i].offset[j] : &s->row[i - contacts].offset;
            for (int l = 0; l < da + db; ++l) {
                const double *column = l < da ? xa + j * da + l : xb + j * db + (l - da);
                int at = l < da ? first[a] + l : first[b] + (l - da);
                *offset -= *column * t.motion[at];
                s->velocity[at] -= *column * r[j];
            }
        }
    }
    scene_compile(s);
    return t;
}

static void free_trip(trip *t)
{
    scene_free(&t->s);
    free(t->jacobian);
    free(t->impulse);
    free(t->row_impulse);
    free(t->motion);
}

static double distance(const scene *s, const double *motion)
{
    double most = 0.0;
    for (int b = 0, at = 0; b < s->bodies; at += s->body[b].dof, ++b) {
        for (int l = at; s->compiled.label[b] >= 0 && l < at + s->body[b].dof; ++l) {
            most = fmax(most, fabs(s->motion[l] - motion[l]));
        }
    }
    return most;
}

/* The convex law's motion is unique: it must be the one chosen. */
static void convex_round_trips(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 201);
    for (int trial = 0; trial < 400; ++trial) {
        trip t = make_trip(&random, CRN_LAW_CONVEX, trial % 2, 1 + crn_random_below(&random, 20),
                           crn_random_below(&random, 60), trial % 3 ? 0 : crn_random_below(&random, 4));
        if (t.s.compiled.islands > 0) {
            scene_solve(&t.s, CRN_LAW_CONVEX, tol, false);
            require_solved(&t.s, CRN_LAW_CONVEX, "round trip");
            /* phi is strongly convex, so |v - v*|^2 is of the order of the certificate */
            TEST_CHECK(distance(&t.s, t.motion) < 1e-4, "trial %d: motion off by %g", trial, distance(&t.s, t.motion));
        }
        free_trip(&t);
    }
}

/* From impulses near a solution of Coulomb's law: the polish of a polygon's answer. */
static void coulomb_polish(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 202);
    int open = 0, stray = 0, trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
        trip t = make_trip(&random, CRN_LAW_COULOMB, trial % 2, 1 + crn_random_below(&random, 8),
                           1 + crn_random_below(&random, 12), trial % 3 ? 0 : 1);
        for (int i = 0; i < 3 * t.s.contacts; ++i) {
            t.s.impulse[i] = t.impulse[i] + 1e-3 * draw(&random) * (t.impulse[3 * (i / 3)] > 0.0);
        }
        memcpy(t.s.row_impulse, t.row_impulse, (size_t)t.s.rows * sizeof(double));
        scene_solve(&t.s, CRN_LAW_COULOMB, tol, true);
        bool is_solved = t.s.run.outcome == CRN_LCP_SOLVED && t.s.run.law == CRN_LAW_COULOMB;
        open += !is_solved;
        stray += is_solved && distance(&t.s, t.motion) > 1e-4;
        free_trip(&t);
    }
    print_message("another solution: %d of %d, open: %d\n", stray, trials, open);
    assert_true(open <= trials / 100 && stray <= trials / 20);
}

/* Cold, and contrived: balls that touch one another from several sides, with friction up to 1.2. Only Coulomb's law is sure
 * to have a solution; for many the convex law has none, and with it no start. An open end must be called one. */
static void coulomb_cold(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 203);
    int fallbacks = 0, open = 0, trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
        trip t = make_trip(&random, CRN_LAW_COULOMB, true, 2 + crn_random_below(&random, 20),
                           1 + crn_random_below(&random, 30), 0);
        scene_solve(&t.s, CRN_LAW_COULOMB, tol, false);
        TEST_CHECK(t.s.run.outcome != CRN_LCP_INFEASIBLE, "trial %d: a problem with a solution is called infeasible",
                   trial);
        open += t.s.run.outcome != CRN_LCP_SOLVED;
        fallbacks += t.s.run.outcome == CRN_LCP_SOLVED && t.s.run.law != CRN_LAW_COULOMB;
        free_trip(&t);
    }
    print_message("convex in place of Coulomb: %d of %d, open: %d\n", fallbacks, trials, open);
    assert_true(fallbacks + open <= trials / 10);
}

/* --- Stacks --- */

static void stacks_are_solved(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 5, 10, 20, 40, 80, 100, 200, 400};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (int kind = 0; kind < 4; ++kind) {
            for (int law = 0; law < 2; ++law) {
                int m = sizes[i];
                scene s = scene_stack(m, kind == 2 ? 1e4 : kind == 3 ? 1e-4 : 1.0, kind == 1 ? 0.05 : 0.0, 0.5, 0.01);
                char what[64];
                (void)snprintf(what, sizeof what, "stack of %d, kind %d, law %d", m, kind, law);
                scene_solve(&s, (crn_contact_law)law, tol, false);
                require_solved(&s, (crn_contact_law)law, what);
                /* at rest, and each interface carries the weight above it */
                double above = 0.0;
                for (int b = m; b-- > 0;) {
                    double carried = 0.0;
                    above += s.body[b].mass * g * 0.01;
                    for (int c = 0; c < 4; ++c) {
                        carried += s.impulse[3 * (4 * b + c)];
                    }
                    TEST_CHECK(fabs(carried - above) <= 1e-6 * above, "%s: box %d carries %.12g of %.12g", what, b,
                               carried, above);
                }
                /* the same again, warm: no factorisation, no change */
                double *before = malloc(3 * (size_t)s.contacts * sizeof *before);
                memcpy(before, s.impulse, 3 * (size_t)s.contacts * sizeof *before);
                scene_solve(&s, (crn_contact_law)law, tol, true);
                require_solved(&s, (crn_contact_law)law, what);
                assert_int_equal(s.run.refactorizations, 0);
                assert_true(s.run.is_warm);
                assert_memory_equal(before, s.impulse, 3 * (size_t)s.contacts * sizeof *before);
                free(before);
                scene_free(&s);
            }
        }
    }
}

/* Disturbed velocities from step to step, warm. */
static void disturbed_stacks_are_solved_warm(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 204);
    for (int m = 10; m <= 40; m += 10) {
        for (int law = 0; law < 2; ++law) {
            scene s = scene_stack(m, 1.0, 0.05, 0.5, 0.01);
            double *velocity = malloc((size_t)s.dof * sizeof *velocity);
            for (int step = 0; step < 20; ++step) {
                for (int l = 0; l < s.dof; ++l) {
                    velocity[l] = s.velocity[l] + 0.02 * draw(&random);
                }
                crn_compiled_set_velocity(&s.compiled, velocity);
                scene_solve(&s, (crn_contact_law)law, tol, step > 0);
                require_solved(&s, (crn_contact_law)law, "disturbed stack");
            }
            free(velocity);
            scene_free(&s);
        }
    }
}

/* Same input, same bits; a fresh solver and one that has worked before agree to the tolerance. */
static void answers_repeat(void **state)
{
    (void)state;
    scene s = scene_stack(30, 1.0, 0.05, 0.5, 0.01), t = scene_stack(30, 1.0, 0.05, 0.5, 0.01);
    scene_solve(&s, CRN_LAW_COULOMB, tol, false);
    scene_solve(&t, CRN_LAW_COULOMB, tol, false);
    assert_memory_equal(s.impulse, t.impulse, 3 * (size_t)s.contacts * sizeof *s.impulse);
    scene_solve(&t, CRN_LAW_CONVEX, tol, false);
    for (int l = 0; l < s.dof; ++l) {
        assert_true(fabs(s.motion[l] - t.motion[l]) < 1e-7);
    }
    scene_free(&s);
    scene_free(&t);
}

/* --- Order and symmetry --- */

/* A box thrown on the floor with many contacts, order permuted: the same motion. */
static void the_order_of_contacts_does_not_matter(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 205);
    for (int trial = 0; trial < 20; ++trial) {
        scene s = scene_stack(8, 1.0, 0.05, 0.4, 0.01);
        for (int l = 0; l < s.dof; ++l) {
            s.velocity[l] += 0.05 * draw(&random);
        }
        scene t = {.bodies = s.bodies, .contacts = s.contacts, .dof = s.dof};
        t.body = malloc((size_t)s.bodies * sizeof *t.body);
        t.contact = malloc((size_t)s.contacts * sizeof *t.contact);
        t.velocity = malloc((size_t)s.dof * sizeof *t.velocity);
        memcpy(t.body, s.body, (size_t)s.bodies * sizeof *t.body);
        memcpy(t.contact, s.contact, (size_t)s.contacts * sizeof *t.contact);
        memcpy(t.velocity, s.velocity, (size_t)s.dof * sizeof *t.velocity);
        for (int i = s.contacts - 1; i > 0; --i) {
            int j = crn_random_below(&random, i + 1);
            crn_contact_point held = t.contact[i];
            t.contact[i] = t.contact[j];
            t.contact[j] = held;
        }
        scene_release(&s);
        scene_compile(&s);
        scene_compile(&t);
        scene_solve(&s, CRN_LAW_CONVEX, 1e-12, false);
        scene_solve(&t, CRN_LAW_CONVEX, 1e-12, false);
        assert_true(s.run.outcome == CRN_LCP_SOLVED && t.run.outcome == CRN_LCP_SOLVED);
        for (int l = 0; l < s.dof; ++l) {
            TEST_CHECK(fabs(s.motion[l] - t.motion[l]) < 1e-10, "trial %d: velocity %d: %.15g, %.15g", trial, l,
                       s.motion[l], t.motion[l]);
        }
        scene_free(&s);
        scene_free(&t);
    }
}

/* Four legs, a central load: equal impulses, and they stay equal for 1000 warm steps. */
static void equal_legs_stay_equal(void **state)
{
    (void)state;
    scene s = scene_stack(1, 1.0, 0.0, 0.5, 0.01);
    for (int step = 0; step < 1000; ++step) {
        double velocity[6] = {0.0, 0.0, 0.0, 0.0, 0.0, -g * 0.01 * (1.0 + 0.5 * (step % 3))};
        crn_compiled_set_velocity(&s.compiled, velocity);
        scene_solve(&s, CRN_LAW_COULOMB, tol, step > 0);
        require_solved(&s, CRN_LAW_COULOMB, "four legs");
        for (int c = 0; c < 4; ++c) {
            double expected = -0.25 * velocity[5];
            TEST_CHECK(fabs(s.impulse[3 * c] - expected) < 1e-7 * expected, "step %d, leg %d: %.12g, not %.12g", step,
                       c, s.impulse[3 * c], expected);
        }
    }
    scene_free(&s);
}

/* --- Sliding --- */

/* A box on the floor that slides along x at `speed`, gap `gap`, for one step h. */
static scene make_slider(double speed, double gap, double mu, double h)
{
    scene s = {0};
    double com[3] = {0.0, 0.0, 0.5}, v[6] = {0.0, 0.0, 0.0, speed, 0.0, -g * h}, thin[3] = {0.5, 0.5, 0.5};
    (void)scene_box(&s, 1.0, com, thin, v);
    for (int c = 0; c < 4; ++c) {
        double position[3] = {c % 2 ? 0.5 : -0.5, c / 2 ? 0.5 : -0.5, 0.5 - 1e-9};
        (void)scene_contact(&s, 0, -1, position, up, mu, gap / h); /* at the height of the centre: no tipping */
    }
    scene_compile(&s);
    return s;
}

/* The convex law holds a slider at the gap h mu |u_t|: at that gap it neither rises nor falls. Its friction is right. */
static void the_convex_law_lifts_sliders(void **state)
{
    (void)state;
    double mu = 0.548, h = 0.01, speed = 2.45, after = speed - mu * g * h;
    scene s = make_slider(speed, h * mu * after, mu, h);
    scene_solve(&s, CRN_LAW_CONVEX, tol, false);
    require_solved(&s, CRN_LAW_CONVEX, "slider");
    assert_true(fabs(s.motion[3] - after) < 1e-7);
    assert_true(fabs(s.motion[5]) < 1e-7);
    scene_free(&s);
    s = make_slider(speed, 0.0, mu, h); /* on the floor it is thrown up */
    scene_solve(&s, CRN_LAW_CONVEX, tol, false);
    assert_true(fabs(s.motion[5] - mu * s.motion[3]) < 1e-7 && s.motion[5] > 0.5);
    scene_free(&s);
}

/* A cube launched at 6 m/s: Coulomb's law keeps it on the floor and brakes it by mu g h, at any heading. */
static void coulomb_does_not_lift(void **state)
{
    (void)state;
    double mu = 0.5, h = 0.005;
    for (int degrees = 0; degrees < 360; degrees += 7) {
        double angle = degrees * 0.017453292519943295, c = cos(angle), d = sin(angle), after = 6.0 - mu * g * h;
        scene s = make_slider(0.0, 0.0, mu, h);
        double velocity[6] = {0.0, 0.0, 0.0, 6.0 * c, 6.0 * d, -g * h};
        crn_compiled_set_velocity(&s.compiled, velocity);
        for (int warm = 0; warm < 2; ++warm) {
            scene_solve(&s, CRN_LAW_COULOMB, tol, warm);
            require_solved(&s, CRN_LAW_COULOMB, "cube");
            TEST_CHECK(fabs(s.motion[5]) < 1e-8, "heading %d: lift %g", degrees, s.motion[5]);
            assert_true(fabs(s.motion[3] - after * c) < 1e-7 && fabs(s.motion[4] - after * d) < 1e-7);
        }
        scene_free(&s);
    }
}

/* No direction of the plane is special: a box pushed at 360 headings begins to slip at the same force. */
static void friction_is_isotropic(void **state)
{
    (void)state;
    double mu = 0.3, h = 0.01, least = INFINITY, most = 0.0;
    scene s = make_slider(0.0, 0.0, mu, h);
    for (int degrees = 0; degrees < 360; ++degrees) {
        double angle = degrees * 0.017453292519943295, low = 0.9, high = 1.1; /* of mu g */
        while (high - low > 1e-8) {
            double push = 0.5 * (low + high), speed = push * mu * g * h;
            double velocity[6] = {0.0, 0.0, 0.0, speed * cos(angle), speed * sin(angle), -g * h};
            crn_compiled_set_velocity(&s.compiled, velocity);
            scene_solve(&s, CRN_LAW_COULOMB, 1e-10, false);
            assert_true(s.run.outcome == CRN_LCP_SOLVED && s.run.law == CRN_LAW_COULOMB);
            bool slips = hypot(s.motion[3], s.motion[4]) > 1e-8 * mu * g * h;
            *(slips ? &high : &low) = push;
        }
        least = fmin(least, low);
        most = fmax(most, high);
    }
    print_message("slips between %.9f and %.9f of mu m g\n", least, most);
    assert_true(least > 1.0 - 1e-6 && most < 1.0 + 1e-6);
    scene_free(&s);
}

/* --- No solution --- */

/* A ball between walls that are closer than it is wide. */
static void jams_are_not_solved(void **state)
{
    (void)state;
    for (int kind = 0; kind < 12; ++kind) {
        for (int law = 0; law < 2; ++law) {
            static const double overlaps[3] = {1e-2, 1e-3, 1e-5};
            double mu = kind % 2 ? 0.5 : 0.0, overlap = overlaps[kind / 4], h = 0.01;
            scene s = {0};
            double v[6] = {0.0, 0.0, 0.0, 0.1, 0.05, -g * h};
            (void)scene_box(&s, 1.0, (double[3]){0.0, 0.0, 0.5}, half, v);
            (void)scene_contact(&s, 0, -1, (double[3]){-0.5, 0.0, 0.5}, (double[3]){1.0, 0.0, 0.0}, mu, -overlap / h);
            (void)scene_contact(&s, 0, -1, (double[3]){0.5, 0.0, 0.5}, (double[3]){-1.0, 0.0, 0.0}, mu, -overlap / h);
            if (kind % 4 > 1) {
                (void)scene_contact(&s, 0, -1, (double[3]){0.0, 0.0, 0.0}, up, mu, 0.0);
            }
            scene_compile(&s);
            scene_solve(&s, (crn_contact_law)law, tol, false);
            TEST_CHECK(s.run.outcome == CRN_LCP_INFEASIBLE, "kind %d, law %d: outcome %d", kind, law, s.run.outcome);
            const crn_bodies *b = &s.solver[0]; /* the proof: both walls press, the floor does not */
            assert_true(b->is_infeasible);
            double pushes = 0.0, value = 0.0;
            for (int c = 0; c < b->system.contacts; ++c) {
                double n = b->ray[3 * c];
                assert_true(hypot(b->ray[3 * c + 1], b->ray[3 * c + 2]) <= mu * n + 1e-15);
                pushes = fmax(pushes, n);
                value += n * b->system.offset[3 * c];
            }
            assert_true(pushes == 1.0 && value < 0.0);
            assert_false(s.run.has_solution);
            scene_free(&s);
        }
    }
}

/* What is not reached is not called hopeless: a motion that parts all contacts proves that there is a solution. Here the tolerance is
 * beyond all digits. */
static void a_solution_is_proved_to_exist(void **state)
{
    (void)state;
    for (int boxes = 2; boxes <= 6; ++boxes) {
        scene s = scene_stack(boxes, 1.0, 0.03, 0.1 + 0.1 * boxes, 0.01);
        scene_solve(&s, CRN_LAW_COULOMB, 1e-22, false);
        TEST_CHECK(s.run.outcome == CRN_LCP_LIMIT && s.run.has_solution, "%d boxes: outcome %d", boxes, s.run.outcome);
        scene_free(&s);
    }
}

/* --- Piles --- */

/* Balls on a jittered grid between walls, falling: near ones have contacts, with gaps. */
static scene make_pile(crn_random *random, int side, int layers, double mu, double h)
{
    scene s = {0};
    int n = side * side * layers;
    double(*x)[3] = malloc((size_t)n * sizeof *x), *radius = malloc((size_t)n * sizeof *radius);
    for (int i = 0; i < n; ++i) {
        radius[i] = 0.5 - 0.03 * crn_random_uniform(random, 0.0, 1.0);
        double at[3] = {i % side, i / side % side, i / side / side + 0.5}, v[6], a[3];
        for (int k = 0; k < 3; ++k) {
            x[i][k] = at[k] + 0.02 * draw(random);
            a[k] = radius[i] * sqrt(0.6); /* the inertia of a ball */
            v[k] = draw(random);
            v[k + 3] = 0.5 * draw(random) - (k == 2 ? 1.0 : 0.0);
        }
        (void)scene_box(&s, 1.0, x[i], a, v);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            double d[3] = {x[i][0] - x[j][0], x[i][1] - x[j][1], x[i][2] - x[j][2]};
            double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), gap = length - radius[i] - radius[j];
            if (gap < 0.1) {
                double normal[3], position[3];
                for (int k = 0; k < 3; ++k) {
                    normal[k] = d[k] / length;
                    position[k] = x[j][k] + normal[k] * radius[j];
                }
                (void)scene_contact(&s, i, j, position, normal, mu, fmax(gap, 0.0) / h);
            }
        }
        for (int wall = 0; wall < 5; ++wall) {
            double normal[3] = {0}, position[3], gap;
            int axis = wall == 4 ? 2 : wall / 2;
            normal[axis] = wall % 2 ? -1.0 : 1.0;
            gap = wall == 4 ? x[i][2] : wall % 2 ? side - 0.5 - x[i][axis] : x[i][axis] + 0.5;
            gap -= radius[i];
            for (int k = 0; k < 3; ++k) {
                position[k] = x[i][k] - normal[k] * radius[i];
            }
            if (gap < 0.1) {
                (void)scene_contact(&s, i, -1, position, normal, mu, fmax(gap, 0.0) / h);
            }
        }
    }
    free(x);
    free(radius);
    scene_compile(&s);
    return s;
}

static void piles_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 206);
    int fallbacks = 0, trials = 12;
    for (int trial = 0; trial < trials; ++trial) {
        scene s = make_pile(&random, 3 + trial % 2, 3, 0.5, trial % 3 ? 0.1 : 0.02);
        scene_solve(&s, CRN_LAW_CONVEX, tol, false);
        require_solved(&s, CRN_LAW_CONVEX, "pile");
        scene_solve(&s, CRN_LAW_COULOMB, tol, false);
        assert_true(s.run.outcome == CRN_LCP_SOLVED);
        fallbacks += s.run.law != CRN_LAW_COULOMB;
        scene_free(&s);
    }
    print_message("convex in place of Coulomb: %d of %d\n", fallbacks, trials);
    assert_true(fallbacks <= 2);
}

/* The next step of a pile: the impulses of the last one are near, and save factorisations. A pile that is turned on its head
 * starts from impulses that are worth nothing: no harm. */
static void piles_go_on_from_the_last_step(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 208);
    int cold = 0, warm = 0;
    for (int trial = 0; trial < 12; ++trial) {
        scene s = make_pile(&random, 4, 3, 0.5, 0.1);
        scene_solve(&s, CRN_LAW_CONVEX, tol, false);
        require_solved(&s, CRN_LAW_CONVEX, "pile");
        cold += s.run.refactorizations;
        for (int l = 0; l < s.dof; ++l) {
            s.velocity[l] = trial % 4 == 3 ? -s.velocity[l] : s.velocity[l] * (1.0 + 1e-3 * draw(&random));
        }
        crn_compiled_set_velocity(&s.compiled, s.velocity);
        scene_solve(&s, CRN_LAW_CONVEX, tol, true);
        require_solved(&s, CRN_LAW_CONVEX, "the next step");
        warm += trial % 4 == 3 ? 0 : s.run.refactorizations;
        cold -= trial % 4 == 3 ? s.run.refactorizations : 0;
        scene_free(&s);
    }
    print_message("factorisations: %d cold, %d warm\n", cold, warm);
    assert_true(warm < cold);
}

/* --- Odd systems --- */

/* Offsets that differ by rounding on redundant contacts change nothing: the dead band. */
static void noise_in_gaps_costs_nothing(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, 207);
    scene s = scene_stack(50, 1.0, 0.0, 0.5, 0.01), t = scene_stack(50, 1.0, 0.0, 0.5, 0.01);
    for (int c = 0; c < t.contacts; ++c) {
        t.contact[c].offset[0] = 5e-12 * draw(&random);
    }
    scene_release(&t);
    scene_compile(&t);
    scene_solve(&s, CRN_LAW_CONVEX, tol, false);
    scene_solve(&t, CRN_LAW_CONVEX, tol, false);
    require_solved(&t, CRN_LAW_CONVEX, "noise");
    assert_true(t.run.iterations <= s.run.iterations + 1);
    for (int l = 0; l < s.dof; ++l) {
        assert_true(fabs(s.motion[l] - t.motion[l]) < tol * g * 0.01);
    }
    scene_free(&s);
    scene_free(&t);
}

/* Contacts that part in the free motion: nothing to do. A contact without columns: free if open, infeasible if closed. */
static void trivial_systems(void **state)
{
    (void)state;
    scene s = make_slider(1.0, 1.0, 0.5, 0.01);
    scene_solve(&s, CRN_LAW_COULOMB, tol, false);
    require_solved(&s, CRN_LAW_COULOMB, "free flight");
    assert_int_equal(s.run.refactorizations, 0);
    for (int i = 0; i < 12; ++i) {
        assert_true(s.impulse[i] == 0.0);
    }
    scene_free(&s);
    for (int closed = 0; closed < 2; ++closed) {
        double zero[6] = {0.0}, one[6] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
        scene t = {0};
        (void)scene_unit(&t, 2);
        t.velocity[0] = -1.0;
        crn_contact_point *c = scene_contact(&t, 0, -1, zero, zero, 0.5, 0.0);
        c->jacobian_a = one;
        c = scene_contact(&t, 0, -1, zero, zero, 0.5, closed ? -1.0 : 1.0);
        c->jacobian_a = zero;
        scene_compile(&t);
        scene_solve(&t, CRN_LAW_CONVEX, tol, false);
        assert_int_equal(t.run.outcome, closed ? CRN_LCP_INFEASIBLE : CRN_LCP_SOLVED);
        assert_true(fabs(t.motion[0]) < 1e-7 || closed);
        scene_free(&t);
    }
}

/* Memory counted for a whole is never less than what is taken; asserted in scene_compile() for every scene. Here: the bound
 * of a stack is of the order of its size. */
static void memory_follows_the_graph(void **state)
{
    (void)state;
    scene s = scene_stack(50, 1.0, 0.0, 0.5, 0.01), t = scene_stack(400, 1.0, 0.0, 0.5, 0.01);
    assert_true(t.solver_bytes < 9 * s.solver_bytes);
    scene_free(&s);
    scene_free(&t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_round_trips),
        cmocka_unit_test(coulomb_polish),
        cmocka_unit_test(coulomb_cold),
        cmocka_unit_test(stacks_are_solved),
        cmocka_unit_test(disturbed_stacks_are_solved_warm),
        cmocka_unit_test(answers_repeat),
        cmocka_unit_test(the_order_of_contacts_does_not_matter),
        cmocka_unit_test(equal_legs_stay_equal),
        cmocka_unit_test(the_convex_law_lifts_sliders),
        cmocka_unit_test(coulomb_does_not_lift),
        cmocka_unit_test(friction_is_isotropic),
        cmocka_unit_test(jams_are_not_solved),
        cmocka_unit_test(a_solution_is_proved_to_exist),
        cmocka_unit_test(piles_are_solved),
        cmocka_unit_test(piles_go_on_from_the_last_step),
        cmocka_unit_test(noise_in_gaps_costs_nothing),
        cmocka_unit_test(trivial_systems),
        cmocka_unit_test(memory_follows_the_graph),
    };
    return TEST_RUN(tests, argc, argv);
}
