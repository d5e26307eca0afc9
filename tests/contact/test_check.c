/* The certificate of contact problems: against dense matrices and projections by brute force; on answers built to be
 * right, and on wrong ones. */
#include "scene.h"

#include "contact/check.h"

enum { TEST_SEED = 20260601 };

static crn_contact_certificate certify(const scene *s, const crn_contact_options *o, const double *r, const double *l)
{
    crn_workspace workspace = {0};
    crn_contact_certificate c;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_contact_certify(&s->p, o, r, l, &workspace, &c, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    crn_workspace_free(&workspace);
    return c;
}

/* --- an independent judge --- */

/* Nearest point of the segment from p to q. */
static void nearest_on_segment(const double *p, const double *q, const double *y, double *x)
{
    double d[2] = {q[0] - p[0], q[1] - p[1]}, dd = d[0] * d[0] + d[1] * d[1];
    double t = dd > 0.0 ? ((y[0] - p[0]) * d[0] + (y[1] - p[1]) * d[1]) / dd : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    x[0] = p[0] + t * d[0];
    x[1] = p[1] + t * d[1];
}

/* Projection on the polygon: y if it is inside of all edges, else the nearest of the nearest points of all edges. */
static void project_polygon(int d, double radius, const double *y, double *x)
{
    bool is_inside = radius > 0.0;
    double best = INFINITY;
    for (int j = 0; j < d; ++j) {
        double a = 2.0 * SCENE_PI * j / d, b = 2.0 * SCENE_PI * (j + 1) / d, near[2];
        double p[2] = {radius * cos(a), radius * sin(a)}, q[2] = {radius * cos(b), radius * sin(b)};
        if (d == 2) {
            p[1] = q[1] = 0.0;
            is_inside = false;
        }
        nearest_on_segment(p, q, y, near);
        double distance = hypot(y[0] - near[0], y[1] - near[1]);
        if (distance < best) {
            best = distance;
            memcpy(x, near, sizeof near);
        }
        is_inside = is_inside && (q[0] - p[0]) * (y[1] - p[1]) - (q[1] - p[1]) * (y[0] - p[0]) >= 0.0;
    }
    if (is_inside) {
        memcpy(x, y, 2 * sizeof *x);
    }
}

/* Projection on the round cone of the first `dim` components by a search over its angle in the half-plane of y. */
static void project_cone(double mu, const double *y, int dim, double *x)
{
    double tangent = dim == 3 ? hypot(y[1], y[2]) : fabs(y[1]), best = INFINITY;
    double edge[2] = {1.0 / sqrt(1.0 + mu * mu), mu / sqrt(1.0 + mu * mu)}; /* generator of the cone */
    double point[3][2] = {{0.0, 0.0}, {y[0], tangent}, {0.0, 0.0}}, chosen[2] = {0.0, 0.0};
    double along = fmax(0.0, edge[0] * y[0] + edge[1] * tangent);
    point[2][0] = along * edge[0];
    point[2][1] = along * edge[1];
    for (int k = 0; k < 3; ++k) {
        double distance = hypot(y[0] - point[k][0], tangent - point[k][1]);
        if (point[k][1] <= mu * point[k][0] * (1.0 + 1e-14) && distance < best) {
            best = distance;
            memcpy(chosen, point[k], sizeof chosen);
        }
    }
    x[0] = chosen[0];
    x[1] = tangent > 0.0 ? chosen[1] * y[1] / tangent : 0.0;
    x[2] = tangent > 0.0 && dim == 3 ? chosen[1] * y[2] / tangent : 0.0;
}

static int columns_of(const crn_contact_point *c)
{
    return c->mu == 0.0 || c->directions == 0 ? 1 : c->directions == 2 ? 2 : 3;
}

static double oracle_delta(const scene *s, int i)
{
    double sum = 0.0;
    int columns = columns_of(&s->contact[i]);
    for (int j = 0; j < columns; ++j) {
        const double *x = s->J + (size_t)(3 * i + j) * (size_t)s->dof;
        sum += scene_gram(s, x, x);
    }
    return sum / columns;
}

/* |e| of contact i. */
static double oracle_map(const crn_contact_point *c, const crn_contact_options *o, const double *r, const double *u,
                         double delta)
{
    double y[3] = {r[0] - u[0] / delta, r[1] - u[1] / delta, r[2] - u[2] / delta}, x[3] = {fmax(y[0], 0.0), 0.0, 0.0};
    int columns = columns_of(c);
    double radius = c->mu * fmax(r[0], 0.0), length = hypot(y[1], y[2]);
    if (columns > 1 && o->law == CRN_LAW_CONVEX) {
        project_cone(c->mu, y, columns, x);
    } else if (columns > 1 && (o->cone == CRN_CONE_POLYGON || columns == 2)) {
        project_polygon(c->directions, radius, y + 1, x + 1);
    } else if (columns > 1) {
        x[1] = length <= radius ? y[1] : y[1] * radius / length;
        x[2] = length <= radius ? y[2] : y[2] * radius / length;
    }
    return sqrt((r[0] - x[0]) * (r[0] - x[0]) + (r[1] - x[1]) * (r[1] - x[1]) + (r[2] - x[2]) * (r[2] - x[2]));
}

/* What brings a bilateral row to the length, in the inverse mass, of the longest normal; to 1 without contacts. */
static double oracle_row_factor(const scene *s, int row)
{
    size_t n = (size_t)s->dof;
    const double *b = s->B + (size_t)row * n;
    double longest = s->p.contacts > 0 ? 0.0 : 1.0;
    for (int i = 0; i < s->p.contacts; ++i) {
        const double *x = s->J + 3 * (size_t)i * n;
        longest = fmax(longest, scene_gram(s, x, x));
    }
    return sqrt(longest / scene_gram(s, b, b));
}

static double oracle_scale(const scene *s)
{
    double closing = 0.0, speed = 0.0;
    for (int i = 0; i < s->p.contacts; ++i) {
        double u[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = scene_slip(s, 3 * i + k, s->velocity);
        }
        closing = fmax(closing, -(u[0] + s->contact[i].offset[0]));
        speed = fmax(speed, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
    double rows = 0.0;
    for (int i = 0; i < s->p.rows; ++i) {
        rows = fmax(rows, oracle_row_factor(s, i) * fabs(scene_row_speed(s, i, s->velocity)));
    }
    return s->p.contacts > 0 ? fmax(closing, 1e-3 * fmax(speed, rows)) : rows;
}

static crn_contact_certificate oracle(const scene *s, const crn_contact_options *o, const double *r, const double *l)
{
    crn_contact_certificate c = {.worst = -1};
    double *v = test_doubles((size_t)s->dof), R = 0.0;
    scene_motion(s, r, l, v);
    c.scale = oracle_scale(s);
    for (int j = 0; j < s->p.contacts; ++j) {
        R = fmax(R, sqrt(r[3 * j] * r[3 * j] + r[3 * j + 1] * r[3 * j + 1] + r[3 * j + 2] * r[3 * j + 2]));
    }
    for (int i = 0; i < s->p.contacts; ++i) {
        double u[3], delta = oracle_delta(s, i);
        for (int k = 0; k < 3; ++k) {
            u[k] = scene_slip(s, 3 * i + k, v) + s->contact[i].offset[k];
        }
        double e = oracle_map(&s->contact[i], o, r + 3 * i, u, delta);
        double relative = fmax(e * delta / c.scale, e / fmax(R, c.scale / delta));
        c.worst = relative > c.relative ? i : c.worst;
        c.relative = fmax(c.relative, relative);
        c.velocity_error = fmax(c.velocity_error, e * delta);
        c.impulse_error = fmax(c.impulse_error, e);
    }
    for (int i = 0; i < s->p.rows; ++i) {
        double e = fabs(scene_row_speed(s, i, v));
        c.row_error = fmax(c.row_error, e);
        e *= oracle_row_factor(s, i);
        c.worst = e / c.scale > c.relative ? s->p.contacts + i : c.worst;
        c.relative = fmax(c.relative, e / c.scale);
    }
    free(v);
    return c;
}

static crn_contact_options random_law(crn_random *random)
{
    crn_contact_options o = crn_contact_options_default();
    int kind = crn_random_below(random, 3);
    o.cone = kind == 0 ? CRN_CONE_POLYGON : CRN_CONE_ROUND;
    o.law = kind == 2 ? CRN_LAW_CONVEX : CRN_LAW_COULOMB;
    return o;
}

static void random_impulses(crn_random *random, const scene *s, double *r, double *l)
{
    for (int i = 0; i < s->p.contacts; ++i) {
        bool is_off = crn_random_below(random, 3) == 0;
        for (int k = 0; k < 3; ++k) {
            r[3 * i + k] = is_off ? 0.0 : crn_random_normal(random);
        }
        r[3 * i] = crn_random_below(random, 5) ? fabs(r[3 * i]) : r[3 * i];
    }
    for (int i = 0; i < s->p.rows; ++i) {
        l[i] = crn_random_normal(random);
    }
}

#define CHECK_NEAR(a, b, tol, what, round) \
    TEST_CHECK(fabs((a) - (b)) <= (tol) * (1.0 + fabs(b)), "round %d: %s is %.17g, not %.17g", round, what, a, b)

static void figures_are_those_of_dense_matrices(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int round = 0; round < 1500; ++round) {
        scene *s = scene_sized(&random, 5, 12, 3, round % 2 == 1);
        crn_contact_options o = random_law(&random);
        double r[36], l[4];
        random_impulses(&random, s, r, l);
        crn_contact_certificate c = certify(s, &o, r, l), d = oracle(s, &o, r, l);
        CHECK_NEAR(c.scale, d.scale, 1e-12, "scale", round);
        CHECK_NEAR(c.velocity_error, d.velocity_error, 1e-11, "velocity error", round);
        CHECK_NEAR(c.impulse_error, d.impulse_error, 1e-11, "impulse error", round);
        CHECK_NEAR(c.row_error, d.row_error, 1e-11, "row error", round);
        CHECK_NEAR(c.relative, d.relative, 1e-11, "relative", round);
        assert_int_equal(c.worst, d.worst);
        scene_free(s);
    }
}

/* --- answers built to be right --- */

/* r and u of one contact that obey the law. */
static void lawful_pair(crn_random *random, const crn_contact_point *c, const crn_contact_options *o, double *r,
                        double *u)
{
    int columns = columns_of(c), d = c->directions, kind = crn_random_below(random, 4);
    double normal = crn_random_uniform(random, 0.5, 2.0), inside = crn_random_uniform(random, 0.0, 0.99);
    double angle = crn_random_uniform(random, 0.0, 2.0 * SCENE_PI), speed = crn_random_uniform(random, 0.1, 2.0);
    memset(r, 0, 3 * sizeof *r);
    for (int k = 0; k < 3; ++k) {
        u[k] = crn_random_normal(random);
    }
    u[0] = fabs(u[0]) + (o->law == CRN_LAW_CONVEX ? c->mu * hypot(u[1], u[2]) : 0.0);
    if (kind == 0) { /* opens */
        return;
    }
    r[0] = normal;
    u[0] = 0.0;
    if (columns == 1) {
        return;
    }
    double radius = c->mu * normal;
    if (columns == 2) {
        double sign = angle > SCENE_PI ? 1.0 : -1.0;
        r[1] = kind == 1 ? sign * inside * radius : sign * radius;
        u[1] = kind == 1 ? 0.0 : -sign * speed;
        u[0] = o->law == CRN_LAW_CONVEX ? c->mu * fabs(u[1]) : 0.0;
        u[2] = o->law == CRN_LAW_CONVEX ? 0.0 : u[2];
        return;
    }
    u[1] = u[2] = 0.0;
    if (kind == 1) { /* sticks */
        double reach = inside * radius * (o->cone == CRN_CONE_POLYGON ? cos(SCENE_PI / d) : 1.0);
        r[1] = reach * cos(angle);
        r[2] = reach * sin(angle);
        return;
    }
    if (o->cone == CRN_CONE_ROUND) { /* slides */
        r[1] = radius * cos(angle);
        r[2] = radius * sin(angle);
    } else {
        int j = crn_random_below(random, d);
        double corner = 2.0 * SCENE_PI * j / d, next = 2.0 * SCENE_PI * (j + 1) / d,
               share = crn_random_uniform(random, 0, 1);
        share = kind == 2 ? 0.0 : share; /* at a corner, or on the edge after it */
        r[1] = radius * ((1.0 - share) * cos(corner) + share * cos(next));
        r[2] = radius * ((1.0 - share) * sin(corner) + share * sin(next));
        angle = kind == 2 ? corner + crn_random_uniform(random, -0.999, 0.999) * SCENE_PI / d : 0.5 * (corner + next);
    }
    u[1] = -speed * cos(angle);
    u[2] = -speed * sin(angle);
    u[0] = o->law == CRN_LAW_CONVEX ? c->mu * speed : 0.0;
}

/* Lawful pairs everywhere; the offsets make u what it should be. */
static scene *right_scene(crn_random *random, const crn_contact_options *o, bool is_mixed, double *r, double *l)
{
    scene *s = scene_sized(random, 5, 12, 3, is_mixed);
    double *v = test_doubles((size_t)s->dof), u[36];
    random_impulses(random, s, r, l);
    for (int i = 0; i < s->p.contacts; ++i) {
        lawful_pair(random, &s->contact[i], o, r + 3 * i, u + 3 * i);
    }
    scene_motion(s, r, l, v);
    for (int i = 0; i < s->p.contacts; ++i) {
        for (int k = 0; k < 3; ++k) {
            s->contact[i].offset[k] = u[3 * i + k] - scene_slip(s, 3 * i + k, v);
        }
    }
    for (int i = 0; i < s->p.rows; ++i) {
        s->row[i].offset -= scene_row_speed(s, i, v);
    }
    free(v);
    return s;
}

static void right_answers_pass_and_wrong_ones_fail(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 1);
    for (int round = 0; round < 3000; ++round) {
        crn_contact_options o = random_law(&random);
        double r[36], l[4];
        scene *s = right_scene(&random, &o, round % 2 == 1, r, l);
        crn_contact_certificate c = certify(s, &o, r, l);
        TEST_CHECK(c.relative <= 1e-11 * (1.0 + 1.0 / c.scale), "round %d: %g of a right answer, contact %d", round,
                   c.relative, c.worst);
        int i = crn_random_below(&random, s->p.contacts); /* a closed contact that pushes more moves away */
        const double *n = s->J + (size_t)(3 * i) * (size_t)s->dof;
        double more = r[3 * i] > 0.0 ? 1e-3 : 0.0, moved = more * scene_gram(s, n, n);
        r[3 * i] += more;
        c = certify(s, &o, r, l);
        TEST_CHECK(c.relative >= 1e-3 * moved / c.scale, "round %d: %g of a wrong answer", round, c.relative);
        scene_free(s);
    }
}

/* --- what is not an answer --- */

static void nan_and_infinity_are_infinitely_wrong(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 2);
    const double bad[4] = {NAN, INFINITY, -INFINITY, 1e308};
    for (int round = 0; round < 400; ++round) {
        crn_contact_options o = random_law(&random);
        double r[36], l[4];
        scene *s = right_scene(&random, &o, round % 2 == 1, r, l);
        int at = crn_random_below(&random, 3 * s->p.contacts + s->p.rows);
        *(at < 3 * s->p.contacts ? &r[at] : &l[at - 3 * s->p.contacts]) = bad[round % 4];
        crn_contact_certificate c = certify(s, &o, r, l);
        TEST_CHECK(round % 4 == 3 ? c.relative > 1e100 : c.relative == INFINITY, "round %d: %g", round, c.relative);
        assert_true(c.worst >= 0);
        assert_false(isnan(c.velocity_error) || isnan(c.impulse_error) || isnan(c.row_error) || isnan(c.scale));
        scene_free(s);
    }
}

/* --- motion and contact velocities --- */

static void measured_motion_is_the_dense_one(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 3);
    for (int round = 0; round < 300; ++round) {
        scene *s = scene_random(&random, 4, 9, 3, true);
        double r[27], l[3], u[27], v[4 * SCENE_DOF], dense[4 * SCENE_DOF], *work = test_doubles(SCENE_DOF);
        crn_workspace workspace = {0};
        crn_arena arena = crn_arena_counting();
        crn_mass mass[4];
        crn_measure m;
        for (int pass = 0; pass < 2; ++pass) {
            for (int i = 0; i < 4; ++i) {
                crn_mass_layout(&mass[i], &s->body[i], &arena);
            }
            crn_measure_layout(&m, &s->p, &arena);
            if (pass == 0) {
                assert_int_equal(crn_workspace_arena(&workspace, arena.used, &arena, NULL), CRN_OK);
            }
        }
        for (int i = 0; i < 4; ++i) {
            assert_int_equal(crn_mass_factorize(&mass[i], i, work, NULL), CRN_OK);
        }
        crn_measure_prepare(&m, mass);
        random_impulses(&random, s, r, l);
        crn_contact_measure(&m, r, l, v, u, NULL);
        scene_motion(s, r, l, dense);
        for (int k = 0; k < s->dof; ++k) {
            CHECK_NEAR(v[k], dense[k], 1e-11, "velocity", round);
        }
        for (int j = 0; j < 27; ++j) {
            CHECK_NEAR(u[j], scene_slip(s, j, dense) + s->contact[j / 3].offset[j % 3], 1e-11, "u", round);
        }
        /* a factor of another inertia is noticed */
        for (int i = 0; i < 4; ++i) {
            if (s->body[i].kind == CRN_MASS_RIGID || s->body[i].kind == CRN_MASS_MATRIX) {
                crn_contact_certificate c;
                double *entry = s->body[i].kind == CRN_MASS_RIGID ? &s->body[i].inertia[4] : &s->mass[i][0];
                *entry *= 1.001;
                crn_contact_measure(&m, r, l, NULL, NULL, &c);
                *entry /= 1.001;
                bool is_moved = false;
                for (int k = s->start[i]; k < s->start[i + 1]; ++k) {
                    is_moved = is_moved || dense[k] != s->velocity[k];
                }
                assert_true(!is_moved || c.relative == INFINITY);
            }
        }
        free(work);
        crn_workspace_free(&workspace);
        scene_free(s);
    }
}

/* --- scales --- */

/* Masses times c: impulses times c solve it, and the relative figure stays the same to rounding. */
static void relative_figure_does_not_depend_on_the_unit_of_mass(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 4);
    for (int round = 0; round < 100; ++round) {
        scene *s = scene_random(&random, 3, 8, 2, false);
        crn_contact_options o = random_law(&random);
        double r[24], l[2], factor = ldexp(1.0, crn_random_below(&random, 60) - 30);
        random_impulses(&random, s, r, l);
        double before = certify(s, &o, r, l).relative;
        for (int i = 0; i < 3; ++i) {
            s->body[i].mass *= factor;
            for (int k = 0; k < 9; ++k) {
                s->body[i].inertia[k] *= factor;
            }
        }
        for (int j = 0; j < 24; ++j) {
            r[j] *= factor;
        }
        l[0] *= factor;
        l[1] *= factor;
        CHECK_NEAR(certify(s, &o, r, l).relative, before, 1e-12, "relative", round);
        scene_free(s);
    }
}

/* A wide gap (offset = gap / h) does not loosen the test of the others. */
static void wide_gaps_do_not_enter_the_scale(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 5);
    scene *s = scene_random(&random, 1, 2, 0, false);
    double r[6] = {0};
    s->contact[1].offset[0] = 0.0;
    double before = certify(s, NULL, r, NULL).scale;
    s->contact[0].offset[0] = 1e9;
    double after = certify(s, NULL, r, NULL).scale;
    assert_true(after <= before && after < 1e3);
    scene_free(s);
}

/* --- contacts that nothing can move --- */

static void immovable_contacts_are_judged_by_their_offset(void **state)
{
    (void)state;
    const double jacobian[3] = {0.0, 0.0, 0.0}, velocity[1] = {0.0};
    crn_contact_body body = {.kind = CRN_MASS_UNIT, .dof = 1};
    crn_contact_point contact = {.a = 0, .b = -1, .jacobian_a = jacobian, .mu = 0.5, .directions = 4};
    crn_contact_problem p = {.bodies = 1, .contacts = 1, .body = &body, .contact = &contact, .velocity = velocity};
    scene s = {.p = p};
    double r[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2; ++k) {
        contact.offset[0] = k;
        assert_true(certify(&s, NULL, r, NULL).relative == 0.0);
    }
    contact.offset[0] = -1e-3;
    assert_true(certify(&s, NULL, r, NULL).relative > 1e-4);
    contact.offset[0] = 0.0;
    r[0] = 2.0; /* pushes between things that cannot move */
    assert_true(certify(&s, NULL, r, NULL).relative == 0.0);
    contact.offset[1] = 1.0; /* and slips along t1 */
    assert_true(certify(&s, NULL, r, NULL).relative > 0.1);
    r[1] = -1.0;
    assert_true(certify(&s, NULL, r, NULL).relative < 1e-15);
    contact.offset[0] = 1.0;
    assert_true(certify(&s, NULL, r, NULL).relative > 0.1);
}

/* --- arguments --- */

static void empty_problems_are_solved(void **state)
{
    (void)state;
    scene s = {.p = {0}};
    crn_contact_certificate c = certify(&s, NULL, NULL, NULL);
    assert_true(c.relative == 0.0 && c.worst == -1 && c.scale == 1.0);
}

static void bad_calls_are_named(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED + 6);
    scene *s = scene_random(&random, 2, 2, 1, false);
    crn_workspace workspace = {0};
    crn_contact_certificate c;
    crn_error error;
    double r[6] = {0}, l[1] = {0};
    crn_contact_options o = crn_contact_options_default();
    assert_int_equal(crn_contact_certify(NULL, &o, r, l, &workspace, &c, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_certify(&s->p, &o, NULL, l, &workspace, &c, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_certify(&s->p, &o, r, NULL, &workspace, &c, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "row_impulse"));
    assert_int_equal(crn_contact_certify(&s->p, &o, r, l, NULL, &c, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_certify(&s->p, &o, r, l, &workspace, NULL, &error), CRN_ERR_ARGUMENT);
    o.law = CRN_LAW_CONVEX;
    assert_int_equal(crn_contact_certify(&s->p, &o, r, l, &workspace, &c, &error), CRN_ERR_UNSUPPORTED);
    s->body[1].inertia[0] = -1.0;
    assert_int_equal(crn_contact_certify(&s->p, NULL, r, l, &workspace, &c, &error), CRN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "body 1"));
    unsigned char small[64];
    crn_workspace fixed = crn_workspace_fixed(small, sizeof small);
    s->body[1].inertia[0] = 100.0;
    assert_int_equal(crn_contact_certify(&s->p, NULL, r, l, &fixed, &c, &error), CRN_ERR_WORKSPACE);
    crn_workspace_free(&workspace);
    scene_free(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_dense_matrices),
        cmocka_unit_test(right_answers_pass_and_wrong_ones_fail),
        cmocka_unit_test(nan_and_infinity_are_infinitely_wrong),
        cmocka_unit_test(measured_motion_is_the_dense_one),
        cmocka_unit_test(relative_figure_does_not_depend_on_the_unit_of_mass),
        cmocka_unit_test(wide_gaps_do_not_enter_the_scale),
        cmocka_unit_test(immovable_contacts_are_judged_by_their_offset),
        cmocka_unit_test(empty_problems_are_solved),
        cmocka_unit_test(bad_calls_are_named),
    };
    return TEST_RUN(tests, argc, argv);
}
