/* Even impulses: tables whose answer is known, the same answer in every order, the same motion, and the least sum of
 * squares by an independent method (Dykstra's projections). */
#include "scene.h"

#include "contact/check.h"
#include "contact/compile.h"
#include "contact/even.h"

enum { TEST_SEED = 20260605 };

/* --- the driver's part --- */

typedef struct bench {
    crn_workspace workspace;
    crn_compiled compiled;
    crn_measure measure;
    crn_even *even; /* one per island */
} bench;

static void lay_out(bench *b, const crn_contact_problem *p, crn_arena *arena, bool with_even)
{
    crn_compiled_layout(&b->compiled, p, arena);
    crn_measure_layout(&b->measure, p, arena);
    for (int i = 0; with_even && i < b->compiled.islands; ++i) {
        crn_even_layout(&b->even[i], &b->compiled.island[i].system, arena);
    }
}

/* Compile once to learn the islands, then again with room for their evens. */
static void open_bench(bench *b, const crn_contact_problem *p)
{
    crn_error error = {CRN_OK, ""};
    memset(b, 0, sizeof *b);
    b->even = (crn_even *)calloc((size_t)p->bodies + 1, sizeof *b->even);
    assert_non_null(b->even);
    for (int pass = 0; pass < 2; ++pass) {
        crn_arena arena = crn_arena_counting();
        if (pass == 1) {
            crn_compiled known = b->compiled;
            lay_out(b, p, &arena, false);
            b->compiled = known;
            for (int i = 0; i < known.islands; ++i) {
                crn_even_layout(&b->even[i], &known.island[i].system, &arena);
            }
        } else {
            lay_out(b, p, &arena, false);
        }
        assert_int_equal(crn_workspace_arena(&b->workspace, arena.used, &arena, NULL), CRN_OK);
        lay_out(b, p, &arena, false);
        TEST_CHECK(crn_compile(&b->compiled, &error) == CRN_OK, "%s", error.text);
        for (int i = 0; pass == 1 && i < b->compiled.islands; ++i) {
            crn_even_layout(&b->even[i], &b->compiled.island[i].system, &arena);
        }
        assert_false(arena.overflow);
    }
    crn_measure_prepare(&b->measure, b->compiled.mass);
}

static void close_bench(bench *b)
{
    free(b->even);
    crn_workspace_free(&b->workspace);
}

/* Even impulses of a problem from a solution, in place. */
static bool make_even(const crn_contact_problem *p, crn_contact_cone cone, crn_contact_law law, double *impulse,
                      double *row_impulse, crn_contact_certificate *certificate)
{
    bench b;
    bool is_even = true;
    double *u = test_doubles(3 * (size_t)p->contacts + 1), *r = test_doubles(3 * (size_t)p->contacts + 1);
    double *mine = test_doubles(3 * (size_t)p->contacts + 1), *l = test_doubles((size_t)p->rows + 1);
    open_bench(&b, p);
    b.measure.cone = cone;
    b.measure.law = law;
    crn_contact_measure(&b.measure, impulse, row_impulse, NULL, u, certificate);
    for (int k = 0; k < b.compiled.islands; ++k) {
        const crn_island *island = &b.compiled.island[k];
        for (int i = 0; i < island->system.contacts; ++i) {
            memcpy(r + 3 * i, impulse + 3 * island->contact_of[i], 3 * sizeof *r);
            memcpy(mine + 3 * i, u + 3 * island->contact_of[i], 3 * sizeof *r);
        }
        for (int i = 0; i < island->system.rows; ++i) {
            l[i] = row_impulse[island->row_of[i]];
        }
        is_even = crn_even_impulses(&b.even[k], &island->system, cone, law, r, l, mine, certificate->velocity_error) &&
                  is_even;
        for (int i = 0; i < island->system.contacts; ++i) {
            memcpy(impulse + 3 * island->contact_of[i], r + 3 * i, 3 * sizeof *r);
        }
        for (int i = 0; i < island->system.rows; ++i) {
            row_impulse[island->row_of[i]] = l[i];
        }
    }
    crn_contact_measure(&b.measure, impulse, row_impulse, NULL, NULL, certificate);
    close_bench(&b);
    free(u);
    free(r);
    free(mine);
    free(l);
    return is_even;
}

/* Solve with pivoting; the motion goes to v. */
static void solve(const crn_contact_problem *p, uint64_t seed, double *impulse, double *row_impulse, double *v)
{
    crn_workspace workspace = {0};
    crn_contact_result result;
    crn_error error = {CRN_OK, ""};
    crn_contact_options o = crn_contact_options_default();
    crn_contact_solution solution = {.impulse = impulse, .row_impulse = row_impulse, .velocity = v};
    o.seed = seed;
    crn_status status = crn_contact_solve(p, &o, &workspace, &solution, &result, &error);
    TEST_CHECK(status == CRN_OK && result.outcome == CRN_LCP_SOLVED, "%s, outcome %d, certificate %g", error.text,
               (int)result.outcome, result.certificate.relative);
    crn_workspace_free(&workspace);
}

/* Motion of impulses, from the caller's data. */
static void motion_of(const crn_contact_problem *p, const double *impulse, const double *row_impulse, double *v)
{
    bench b;
    open_bench(&b, p);
    crn_contact_measure(&b.measure, impulse, row_impulse, v, NULL, NULL);
    close_bench(&b);
}

static double largest_difference(int n, const double *x, const double *y)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(x[i] - y[i]));
    }
    return largest;
}

/* --- tables --- */

enum { LEGS = 64 };

/* A free rigid frame with legs at the given places, on the ground, pulled down by a unit step of gravity. */
static void set_table(crn_contact_body *body, double *velocity, double pull_x, double pull_y)
{
    *body = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 3.0, .com = {0.0, 0.0, 1.0}};
    body->inertia[0] = body->inertia[4] = 0.7;
    body->inertia[8] = 1.1;
    const double fall[6] = {pull_y, -pull_x, 0.0, 0.0, 0.0, -1.0};
    memcpy(velocity, fall, sizeof fall);
}

static void set_leg(crn_contact_point *c, double x, double y, double mu, int d)
{
    *c = (crn_contact_point){.a = 0, .b = -1, .position = {x, y, 0.0}, .normal = {0.0, 0.0, 1.0}};
    c->t1[0] = c->t2[1] = 1.0;
    c->mu = mu;
    c->directions = d;
}

static void shuffle(crn_random *random, int n, int *order)
{
    for (int i = 0; i < n; ++i) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; --i) {
        int j = crn_random_below(random, i + 1), held = order[i];
        order[i] = order[j];
        order[j] = held;
    }
}

/* Solve with the contacts in another order, make even, and put the impulses back into the first order. */
static void even_in_order(const crn_contact_problem *p, const int *order, uint64_t seed, double *impulse, double *v)
{
    crn_contact_point *contact = (crn_contact_point *)malloc((size_t)p->contacts * sizeof *contact);
    double *r = test_doubles(3 * (size_t)p->contacts), *after = test_doubles((size_t)crn_contact_dof(p));
    double l[SCENE_ROWS] = {0};
    crn_contact_certificate certificate;
    crn_contact_problem mine = *p;
    assert_non_null(contact);
    for (int i = 0; i < p->contacts; ++i) {
        contact[i] = p->contact[order[i]];
    }
    mine.contact = contact;
    solve(&mine, seed, r, l, v);
    TEST_CHECK(make_even(&mine, CRN_CONE_POLYGON, CRN_LAW_COULOMB, r, l, &certificate), "not even");
    assert_true(certificate.relative <= 1e-9);
    motion_of(&mine, r, l, after);
    assert_true(largest_difference(crn_contact_dof(p), v, after) <= 1e-12);
    for (int i = 0; i < p->contacts; ++i) {
        memcpy(impulse + 3 * order[i], r + 3 * i, 3 * sizeof *r);
    }
    free(after);
    free(r);
    free(contact);
}

/* Even impulses of the problem in many orders must agree wherever the motion does; the motion must, if it is unique.
 * Returns how many orders gave the first motion. */
static int check_orders(const crn_contact_problem *p, crn_random *random, int orders, bool is_unique, double *impulse)
{
    int *order = (int *)malloc((size_t)p->contacts * sizeof *order), n = 3 * p->contacts, dof = crn_contact_dof(p);
    double *other = test_doubles((size_t)n), *v = test_doubles((size_t)dof), *w = test_doubles((size_t)dof);
    int alike = 1;
    assert_non_null(order);
    shuffle(random, p->contacts, order);
    even_in_order(p, order, 1, impulse, v);
    for (int k = 1; k < orders; ++k) {
        shuffle(random, p->contacts, order);
        even_in_order(p, order, (uint64_t)k, other, w);
        double moved = largest_difference(dof, v, w), differ = largest_difference(n, impulse, other);
        TEST_CHECK(!is_unique || moved <= 1e-10, "order %d: motion differs by %g", k, moved);
        TEST_CHECK(moved > 1e-10 || differ <= 1e-9, "order %d: impulses differ by %g", k, differ);
        alike += moved <= 1e-10;
    }
    free(order);
    free(other);
    free(v);
    free(w);
    return alike;
}

static void equal_legs_share_a_central_load(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    crn_contact_body body;
    crn_contact_point leg[LEGS];
    double velocity[6], impulse[3 * LEGS];
    for (int n = 3; n <= LEGS; ++n) {
        bool has_friction = n % 2 == 1;
        for (int i = 0; i < n; ++i) {
            double angle = 2.0 * SCENE_PI * i / n;
            set_leg(&leg[i], cos(angle), sin(angle), has_friction ? 0.6 : 0.0, has_friction ? 8 : 0);
        }
        set_table(&body, velocity, 0.0, 0.0);
        crn_contact_problem p = {1, n, 0, &body, leg, NULL, velocity};
        check_orders(&p, &random, n == 64 || n == 7 ? 100 : 3, true, impulse);
        for (int i = 0; i < n; ++i) {
            double e = fabs(impulse[3 * i] - 3.0 / n) + fabs(impulse[3 * i + 1]) + fabs(impulse[3 * i + 2]);
            TEST_CHECK(e <= 1e-12, "n = %d: leg %d carries %.17g", n, i, impulse[3 * i]);
        }
    }
}

/* Legs at random places, a load off the centre, with and without friction, sliding and not. */
static void irregular_frames_are_the_same_in_every_order(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    crn_contact_body body;
    crn_contact_point leg[LEGS];
    double velocity[6], impulse[3 * LEGS];
    static const int directions[5] = {0, 2, 4, 6, 8};
    int alike = 0, all = 0;
    for (int round = 0; round < 60; ++round) {
        int n = 4 + crn_random_below(&random, 20), d = directions[round % 5];
        for (int i = 0; i < n; ++i) {
            double x = crn_random_uniform(&random, -1, 1), y = crn_random_uniform(&random, -1, 1);
            set_leg(&leg[i], x, y, d ? 0.4 : 0.0, d);
        }
        double pull_x = crn_random_uniform(&random, -0.3, 0.3), pull_y = crn_random_uniform(&random, -0.3, 0.3);
        set_table(&body, velocity, pull_x, pull_y);
        velocity[3] = round % 3 == 0 ? crn_random_uniform(&random, -1.0, 1.0) : 0.0; /* slides, perhaps */
        velocity[4] = round % 3 == 0 ? crn_random_uniform(&random, -1.0, 1.0) : 0.0;
        crn_contact_problem p = {1, n, 0, &body, leg, NULL, velocity};
        int orders = round < 10 ? 100 : 10;
        alike += check_orders(&p, &random, orders, d == 0, impulse);
        all += orders;
    }
    print_message("%d of %d orders have the motion of the first\n", alike, all);
    assert_true(2 * alike > all);
}

/* --- a table on a table, and joints --- */

static void set_bodies(crn_contact_body *body, double *velocity, int bodies)
{
    for (int b = 0; b < bodies; ++b) {
        set_table(&body[b], velocity + 6 * b, 0.0, 0.0);
        body[b].com[2] = b + 1.0;
    }
}

static void tables_on_a_table_share_alike(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    crn_contact_body body[5];
    crn_contact_point leg[20];
    double velocity[30], impulse[60];
    for (int bodies = 2; bodies <= 5; ++bodies) {
        set_bodies(body, velocity, bodies);
        for (int b = 0; b < bodies; ++b) {
            for (int i = 0; i < 4; ++i) {
                set_leg(&leg[4 * b + i], i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, 0.5, 8);
                leg[4 * b + i].a = b;
                leg[4 * b + i].b = b - 1;
                leg[4 * b + i].position[2] = b + 0.5;
            }
        }
        crn_contact_problem p = {bodies, 4 * bodies, 0, body, leg, NULL, velocity};
        check_orders(&p, &random, 20, true, impulse);
        for (int i = 0; i < 4 * bodies; ++i) {
            double carried = 3.0 * (bodies - i / 4) / 4.0;
            TEST_CHECK(fabs(impulse[3 * i] - carried) <= 1e-11, "%d tables: leg %d carries %.17g, not %g", bodies, i,
                       impulse[3 * i], carried);
        }
    }
}

/* A four-legged table hung on a joint at its centre that takes a given share of the weight: the legs are alike, and of
 * joints given twice each takes half. */
static void joints_keep_the_motion_and_share_alike(void **state)
{
    (void)state;
    crn_contact_body body;
    crn_contact_point leg[4];
    double velocity[6], r[12], l[3], before[6], after[6];
    const double sideways[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}, turn[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    crn_contact_row row[3] = {{.a = 0, .b = -1, .jacobian_a = sideways},
                              {.a = 0, .b = -1, .jacobian_a = turn},
                              {.a = 0, .b = -1, .jacobian_a = sideways}};
    crn_contact_certificate c;
    for (int mu = 0; mu < 2; ++mu) {
        set_table(&body, velocity, 0.1, 0.2);
        velocity[3] = 0.5;
        velocity[2] = 0.3;
        for (int i = 0; i < 4; ++i) {
            set_leg(&leg[i], i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, 0.4 * mu, 8 * mu);
        }
        crn_contact_problem p = {1, 4, 3, &body, leg, row, velocity};
        /* no solver is asked: l and r by hand, the load off the centre taken by hand-made legs */
        double a = 3.0 / 4.0, x = 0.07, y = -0.14;
        const double given[12] = {a + x / 4 - y / 4, 0, 0, a - x / 4 - y / 4, 0, 0,
                                  a + x / 4 + y / 4, 0, 0, a - x / 4 + y / 4, 0, 0};
        memcpy(r, given, sizeof r);
        r[0] += 0.1; /* the same motion: + - - + on the corners of a square */
        r[3] -= 0.1;
        r[6] -= 0.1;
        r[9] += 0.1;
        l[0] = -1.0;
        l[2] = -0.5;
        l[1] = -0.33;
        motion_of(&p, r, l, before);
        assert_true(make_even(&p, CRN_CONE_POLYGON, CRN_LAW_COULOMB, r, l, &c));
        motion_of(&p, r, l, after);
        assert_true(largest_difference(6, before, after) <= 1e-12);
        for (int i = 0; i < 4 && mu == 0; ++i) { /* with friction legs may push against the joint to be more even */
            TEST_CHECK(fabs(r[3 * i] - given[3 * i]) <= 1e-12, "leg %d carries %.17g, not %.17g", i, r[3 * i],
                       given[3 * i]);
            assert_true(fabs(r[3 * i + 1]) + fabs(r[3 * i + 2]) <= 1e-12);
        }
        assert_true(fabs(l[0] - l[2]) <= 1e-12 && c.relative <= 1e-12);
        assert_true(mu == 1 || (fabs(l[0] + 0.75) <= 1e-12 && fabs(l[1] + 0.33) <= 1e-12));
    }
}

/* --- least sum of squares: Dykstra's projections from 0 on {A x = p} and on the cones --- */

enum { MOST = 400 };

typedef struct oracle {
    int dof, variables;
    double A[64 * MOST]; /* dof x variables */
    double p[64];
    int contact[MOST]; /* of each variable */
    int corner[MOST];  /* -1: theta */
} oracle;

/* Nearest point of {phi >= 0, sum phi <= or = mu theta} by trying every number of corners, largest first. */
static void oracle_cone(double mu, bool is_equal, int m, double *theta, double *phi)
{
    double sorted[64], sum = 0.0;
    for (int j = 0; j < m; ++j) {
        sorted[j] = phi[j];
        for (int k = j; k > 0 && sorted[k] > sorted[k - 1]; --k) {
            double held = sorted[k];
            sorted[k] = sorted[k - 1];
            sorted[k - 1] = held;
        }
    }
    double positive = 0.0, lambda = 0.0;
    for (int j = 0; j < m; ++j) {
        positive += fmax(phi[j], 0.0);
    }
    if (is_equal || positive > mu * *theta) {
        for (int count = 0; count <= m; ++count) { /* the lambda at which `count` corners are in use */
            lambda = (sum - mu * *theta) / (count + mu * mu);
            bool is_above = count == m || sorted[count] <= lambda, is_below = count == 0 || sorted[count - 1] >= lambda;
            if (is_above && is_below) {
                break;
            }
            sum += sorted[count];
        }
    }
    *theta = fmax(*theta + mu * lambda, 0.0);
    for (int j = 0; j < m; ++j) {
        phi[j] = fmax(phi[j] - lambda, 0.0);
    }
}

typedef struct allowed {
    bool is_open, is_equal, is_round, is_ray;
    double mu, ray[3];
    int first, corners, which[64];
} allowed;

static void project_on_cones(const allowed *a, int contacts, double *x)
{
    for (int i = 0; i < contacts; ++i) {
        double *t = x + a[i].first;
        if (a[i].is_ray) {
            double s = fmax(0.0, (t[0] + t[1] * a[i].ray[1] + t[2] * a[i].ray[2]) / (1.0 + a[i].mu * a[i].mu));
            for (int k = 0; k < 3; ++k) {
                t[k] = s * (k == 0 ? 1.0 : a[i].ray[k]);
            }
        } else if (a[i].is_round) {
            double length = hypot(t[1], t[2]), mu = a[i].mu;
            if (length > mu * t[0]) {
                double s = fmax(0.0, (t[0] + mu * length) / (1.0 + mu * mu));
                t[0] = s;
                t[1] *= length > 0.0 ? mu * s / length : 0.0;
                t[2] *= length > 0.0 ? mu * s / length : 0.0;
            }
        } else if (a[i].corners == 0) {
            t[0] = fmax(t[0], 0.0);
        } else {
            oracle_cone(a[i].mu, a[i].is_equal, a[i].corners, t, t + 1);
        }
    }
}

/* x += A'(A A')^+ (p - A x), with the pseudo-inverse in W (dof x dof). */
static void project_on_motion(const oracle *o, const double *W, double *x)
{
    double e[64], z[64];
    for (int k = 0; k < o->dof; ++k) {
        e[k] = o->p[k];
        for (int j = 0; j < o->variables; ++j) {
            e[k] -= o->A[k + o->dof * j] * x[j];
        }
    }
    for (int k = 0; k < o->dof; ++k) {
        z[k] = 0.0;
        for (int l = 0; l < o->dof; ++l) {
            z[k] += W[k + l * o->dof] * e[l];
        }
    }
    for (int j = 0; j < o->variables; ++j) {
        for (int k = 0; k < o->dof; ++k) {
            x[j] += o->A[k + o->dof * j] * z[k];
        }
    }
}

static void pseudo_inverse(const oracle *o, double *W)
{
    static double G[64 * 64], w[64];
    int n = o->dof;
    for (int k = 0; k < n; ++k) {
        for (int l = 0; l < n; ++l) {
            G[k + l * n] = 0.0;
            for (int j = 0; j < o->variables; ++j) {
                G[k + l * n] += o->A[k + n * j] * o->A[l + n * j];
            }
        }
    }
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, G, n, w), 0);
    for (int k = 0; k < n; ++k) {
        for (int l = 0; l < n; ++l) {
            W[k + l * n] = 0.0;
            for (int m = 0; m < n; ++m) {
                W[k + l * n] += w[m] > 1e-10 * w[n - 1] ? G[k + m * n] * G[l + m * n] / w[m] : 0.0;
            }
        }
    }
}

/* The least-norm x; the cones' part keeps a correction, the plane needs none. */
static void dykstra(const oracle *o, const allowed *a, int contacts, double *x)
{
    static double W[64 * 64], correction[MOST], moved[MOST];
    pseudo_inverse(o, W);
    memset(correction, 0, sizeof correction);
    memset(x, 0, MOST * sizeof *x);
    for (int sweep = 0; sweep < 40000; ++sweep) {
        double change = 0.0;
        project_on_motion(o, W, x);
        for (int j = 0; j < o->variables; ++j) {
            moved[j] = x[j] + correction[j];
        }
        memcpy(x, moved, sizeof moved);
        project_on_cones(a, contacts, x);
        for (int j = 0; j < o->variables; ++j) {
            change = fmax(change, fabs(moved[j] - x[j] - correction[j]));
            correction[j] = moved[j] - x[j];
        }
        if (change < 1e-13) {
            return;
        }
    }
}

/* A body with many contacts, each with impulses and velocities that obey the law, some of them opposed so that much can be
 * redistributed. What each may carry is known by construction. */
static scene *lawful_scene(crn_random *random, int contacts, bool is_round, allowed *a, double *r)
{
    scene *s = scene_new();
    scene_bodies(s, random, 1 + crn_random_below(random, 2), false);
    s->p.contacts = contacts;
    double u[3 * 40], *v = test_doubles((size_t)s->dof);
    for (int i = 0; i < contacts; ++i) {
        int body = crn_random_below(random, s->p.bodies);
        static const int choices[5] = {0, 2, 4, 8, 10};
        scene_contact(s, random, i, body, s->p.bodies == 2 && i % 3 == 0 ? 1 - body : -1);
        s->contact[i].directions = choices[crn_random_below(random, 5)];
        s->contact[i].mu = 0.1 + s->contact[i].mu;
    }
    for (int i = 0; i < contacts; ++i) {
        int d = s->contact[i].directions, kind = crn_random_below(random, 5);
        double mu = s->contact[i].mu, share = crn_random_uniform(random, 0.0, 1.0), speed = 0.5 + share;
        double normal = crn_random_uniform(random, 0.0, 2.0), angle = crn_random_uniform(random, 0.0, 2.0 * SCENE_PI);
        int j = d > 0 ? crn_random_below(random, d) : 0;
        a[i] = (allowed){.mu = mu, .is_open = kind == 0, .is_round = is_round && d > 2};
        memset(r + 3 * i, 0, 3 * sizeof *r);
        memset(u + 3 * i, 0, 3 * sizeof *u);
        if (kind == 0) {
            u[3 * i] = speed;
            continue;
        }
        r[3 * i] = normal;
        if (d == 0) {
            u[3 * i + 1] = speed;
            continue;
        }
        double step = 2.0 * SCENE_PI / d, at = a[i].is_round ? angle : step * j, next = at + step;
        double corner[4] = {cos(at), d == 2 ? 0.0 : sin(at), cos(next), d == 2 ? 0.0 : sin(next)};
        if (kind <= 2) { /* sticks */
            r[3 * i + 1] = share * mu * normal * corner[0];
            r[3 * i + 2] = share * mu * normal * corner[1];
            for (int k = 0; k < d && !a[i].is_round; ++k) {
                a[i].which[a[i].corners++] = k;
            }
            continue;
        }
        bool is_edge = kind == 4 && d > 2 && !a[i].is_round; /* slides */
        double slip = is_edge         ? at + 0.5 * step
                      : a[i].is_round ? at
                                      : at + crn_random_uniform(random, -0.4, 0.4) * step;
        share = is_edge ? share : 0.0;
        a[i].is_equal = true;
        a[i].which[a[i].corners++] = j;
        if (is_edge) {
            a[i].which[a[i].corners++] = (j + 1) % d;
        }
        for (int k = 0; k < 2; ++k) {
            r[3 * i + 1 + k] = mu * normal * ((1.0 - share) * corner[k] + share * corner[2 + k]);
        }
        a[i].is_ray = a[i].is_round;
        a[i].ray[1] = mu * corner[0];
        a[i].ray[2] = mu * corner[1];
        u[3 * i + 1] = -speed * (d == 2 ? corner[0] : cos(slip));
        u[3 * i + 2] = -speed * (d == 2 ? 0.3 : sin(slip));
    }
    scene_dense(s);
    scene_motion(s, r, NULL, v);
    for (int i = 0; i < 3 * contacts; ++i) {
        s->contact[i / 3].offset[i % 3] = u[i] - scene_slip(s, i, v);
    }
    free(v);
    return s;
}

/* Columns of (theta, phi), or of r, in whitened velocities (G^-1 J by the dense factors). */
static void fill_oracle(oracle *o, const scene *s, allowed *a, const double *r)
{
    o->dof = s->dof;
    o->variables = 0;
    memset(o->p, 0, sizeof o->p);
    for (int i = 0; i < s->p.contacts; ++i) {
        bool whole = a[i].is_round || a[i].is_ray;
        int count = a[i].is_open ? 0 : whole ? 3 : 1 + a[i].corners;
        a[i].first = o->variables;
        for (int q = 0; q < count; ++q, ++o->variables) {
            double c[3] = {0.0, 0.0, 0.0}, step = 2.0 * SCENE_PI / (s->contact[i].directions + (q == 0));
            c[0] = q == 0;
            if (q > 0) {
                c[1] = whole ? q == 1 : cos(step * a[i].which[q - 1]);
                c[2] = whole ? q == 2 : s->contact[i].directions == 2 ? 0.0 : sin(step * a[i].which[q - 1]);
            }
            for (int k = 0; k < s->dof; ++k) {
                double *x = &o->A[k + s->dof * o->variables];
                *x = 0.0;
                for (int m = 0; m < 3; ++m) {
                    *x += c[m] * s->J[(size_t)(3 * i + m) * (size_t)s->dof + (size_t)k];
                }
            }
            o->contact[o->variables] = i;
        }
        for (int k = 0; k < s->dof; ++k) {
            for (int m = 0; m < 3; ++m) {
                o->p[k] += r[3 * i + m] * s->J[(size_t)(3 * i + m) * (size_t)s->dof + (size_t)k];
            }
        }
    }
}

/* Open contacts have no variables: they are passed over. */
static int drop_open(allowed *a, int contacts, int *index)
{
    int kept = 0;
    for (int i = 0; i < contacts; ++i) {
        if (!a[i].is_open) {
            index[kept] = i;
            a[kept++] = a[i];
        }
    }
    return kept;
}

/* False if the oracle did not converge: round cones can make it slow. */
static bool compare_with_dykstra(crn_random *random, int round, bool is_round)
{
    static oracle o;
    static allowed a[40];
    static double x[MOST];
    int index[40], contacts = 6 + crn_random_below(random, 10);
    double r[3 * 40], expected[3 * 40] = {0}, before[12], after[12], l[1] = {0};
    crn_contact_certificate c;
    scene *s = lawful_scene(random, contacts, is_round, a, r);
    fill_oracle(&o, s, a, r);
    scene_motion(s, r, NULL, before);
    bool is_even = make_even(&s->p, is_round ? CRN_CONE_ROUND : CRN_CONE_POLYGON, CRN_LAW_COULOMB, r, l, &c);
    TEST_CHECK(is_even, "round %d: not even", round);
    TEST_CHECK(c.relative <= 1e-11 * (1.0 + 1.0 / c.scale), "round %d: certificate %g", round, c.relative);
    scene_motion(s, r, NULL, after);
    TEST_CHECK(largest_difference(s->dof, before, after) <= 1e-12 * (1.0 + 30.0), "round %d: motion moved by %g", round,
               largest_difference(s->dof, before, after));
    int kept = drop_open(a, contacts, index);
    dykstra(&o, a, kept, x);
    for (int k = 0; k < kept; ++k) {
        bool whole = a[k].is_round || a[k].is_ray;
        double *e = expected + 3 * index[k], *t = x + a[k].first;
        e[0] = t[0];
        for (int q = 1; q < (whole ? 3 : 1 + a[k].corners); ++q) {
            int d = s->contact[index[k]].directions;
            double angle = whole ? 0.0 : 2.0 * SCENE_PI * a[k].which[q - 1] / d;
            e[1] += whole ? (q == 1 ? t[q] : 0.0) : t[q] * cos(angle);
            e[2] += whole ? (q == 2 ? t[q] : 0.0) : d == 2 ? 0.0 : t[q] * sin(angle);
        }
    }
    scene_motion(s, expected, NULL, after);
    bool has_converged = largest_difference(s->dof, before, after) <= 1e-9;
    TEST_CHECK(!has_converged || largest_difference(3 * contacts, r, expected) <= 1e-6,
               "round %d: impulses differ by %g", round, largest_difference(3 * contacts, r, expected));
    scene_free(s);
    return has_converged;
}

static void impulses_are_the_least_of_all_on_polygons(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 3);
    int compared = 0;
    for (int round = 0; round < 60; ++round) {
        compared += compare_with_dykstra(&random, round, false);
    }
    assert_true(compared >= 50);
}

static void impulses_are_the_least_of_all_on_round_cones(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 4);
    int compared = 0;
    for (int round = 0; round < 60; ++round) {
        compared += compare_with_dykstra(&random, round, true);
    }
    assert_true(compared >= 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_legs_share_a_central_load),
        cmocka_unit_test(irregular_frames_are_the_same_in_every_order),
        cmocka_unit_test(tables_on_a_table_share_alike),
        cmocka_unit_test(joints_keep_the_motion_and_share_alike),
        cmocka_unit_test(impulses_are_the_least_of_all_on_polygons),
        cmocka_unit_test(impulses_are_the_least_of_all_on_round_cones),
    };
    return TEST_RUN(tests, argc, argv);
}
