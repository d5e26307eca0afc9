/* Door 2 from outside, by contact states: analytic answers, the mixed LCP of door 1, random scenes, problems without a
 * solution. Every answer is judged by solving.h, which shares no code with the library. */
#include "unique_scene.h"

#include "gallery.h"

enum { TEST_SEED = 20260701 };

static const double pi = 3.14159265358979323846;

/* --- one rigid body and the world --- */

enum { PLAIN_CONTACTS = 16, PLAIN_BODIES = 4 };

typedef struct plain {
    crn_contact_problem p;
    crn_contact_body body[PLAIN_BODIES];
    crn_contact_point contact[PLAIN_CONTACTS];
    crn_contact_row row[8];
    double velocity[6 * PLAIN_BODIES];
    double jacobian[8][2][6];
} plain;

static void plain_open(plain *s, int bodies)
{
    memset(s, 0, sizeof *s);
    s->p = (crn_contact_problem){bodies, 0, 0, s->body, s->contact, s->row, s->velocity};
    for (int b = 0; b < bodies; ++b) {
        s->body[b] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0};
        s->body[b].inertia[0] = s->body[b].inertia[4] = s->body[b].inertia[8] = 1.0;
    }
}

/* A contact of body a with b (or the world, -1); t1 = x for the normal z. */
static crn_contact_point *plain_touch(plain *s, int a, int b, const double *position, const double *normal, double mu,
                                      int directions)
{
    assert_true(s->p.contacts < PLAIN_CONTACTS);
    crn_contact_point *c = &s->contact[s->p.contacts++];
    *c = (crn_contact_point){.a = a, .b = b, .mu = mu, .directions = directions};
    memcpy(c->position, position, sizeof c->position);
    memcpy(c->normal, normal, sizeof c->normal);
    return c;
}

/* A box of mass m, 0.6 x 0.6 x 0.2, on four corners at z = 0. */
static void box_on_plane(plain *s, double m, double mu, int directions)
{
    const double a = 0.3, h = 0.1, up[3] = {0.0, 0.0, 1.0};
    plain_open(s, 1);
    s->body[0].mass = m;
    s->body[0].com[2] = h;
    s->body[0].inertia[0] = s->body[0].inertia[4] = m * (4.0 * a * a + 4.0 * h * h) / 12.0;
    s->body[0].inertia[8] = m * 8.0 * a * a / 12.0;
    for (int i = 0; i < 4; ++i) {
        double at[3] = {i & 1 ? a : -a, i & 2 ? a : -a, 0.0};
        crn_contact_point *c = plain_touch(s, 0, -1, at, up, mu, directions);
        c->t1[0] = 1.0;
        c->t2[1] = 1.0;
    }
}

static double sum_of(const motion *m, int contacts, int j)
{
    double sum = 0.0;
    for (int i = 0; i < contacts; ++i) {
        sum += m->r[3 * i + j];
    }
    return sum;
}

#define CHECK_NEAR(value, expected, tol)                                                              \
    TEST_CHECK(fabs((value) - (expected)) <= (tol), "%s = %.17g, not %.17g", #value, (double)(value), \
               (double)(expected))

static const int polygons[5] = {2, 4, 6, 8, 12};

/* --- analytic --- */

/* On a slope of angle a the box rests if tan a < mu, else a = g (sin a - mu cos a) along -x, which is a corner. */
static void a_box_on_a_slope(void **state)
{
    (void)state;
    const double g = 9.81, h = 0.01, m = 2.5, mu = 0.4;
    for (int t = 0; t < 5; ++t) {
        for (double angle = 0.05; angle < 0.9; angle += 0.1) {
            plain s;
            box_on_plane(&s, m, mu, polygons[t]);
            s.velocity[3] = h * g * sin(angle);
            s.velocity[5] = -h * g * cos(angle);
            motion a = move(&s.p);
            check_solved("slope", &s.p, &a);
            double gain = fmax(h * g * (sin(angle) - mu * cos(angle)), 0.0);
            for (int k = 0; k < 6; ++k) {
                CHECK_NEAR(a.v[k], k == 3 ? gain : 0.0, 1e-13);
            }
            CHECK_NEAR(sum_of(&a, 4, 0), m * g * h * cos(angle), 1e-13);
            CHECK_NEAR(sum_of(&a, 4, 1), m * (gain - h * g * sin(angle)), 1e-13);
            motion_free(&a);
        }
    }
}

/* Pushed at the height of the contacts towards a corner of the polygon it resists mu N, towards the middle of an edge
 * mu N cos(pi/d). */
static void a_box_that_is_pushed(void **state)
{
    (void)state;
    const double m = 2.5, mu = 0.4, press = 1.0; /* press: normal impulse */
    for (int t = 1; t < 5; ++t) {
        for (int k = 0; k < 2 * polygons[t]; ++k) {
            double angle = pi * k / polygons[t], limit = mu * press * (k % 2 ? cos(pi / polygons[t]) : 1.0);
            for (int over = 0; over < 2; ++over) {
                plain s;
                box_on_plane(&s, m, mu, polygons[t]);
                double push = limit * (over ? 1.0 + 1e-6 : 1.0 - 1e-6), inertia = s.body[0].inertia[0];
                double f[3] = {push * cos(angle), push * sin(angle), -press};
                s.velocity[0] = 0.1 * f[1] / inertia; /* arm (0,0,-0.1) x f */
                s.velocity[1] = -0.1 * f[0] / inertia;
                for (int l = 0; l < 3; ++l) {
                    s.velocity[3 + l] = f[l] / m;
                }
                motion a = move(&s.p);
                check_solved("push", &s.p, &a);
                double speed = over ? limit * 1e-6 / m : 0.0;
                CHECK_NEAR(a.v[3], speed * cos(angle), 1e-13);
                CHECK_NEAR(a.v[4], speed * sin(angle), 1e-13);
                CHECK_NEAR(a.v[5], 0.0, 1e-13);
                motion_free(&a);
            }
        }
    }
}

/* A sphere that hits a plane obliquely: it slides if mu v_n < 2/7 of the slip, else it leaves rolling. */
static void a_sphere_that_hits_a_plane(void **state)
{
    (void)state;
    const double m = 0.7, radius = 0.05, down = 1.5, up[3] = {0.0, 0.0, 1.0}, foot[3] = {0.0, 0.0, 0.0};
    for (int t = -1; t < 5; ++t) {
        for (double mu = 0.0; mu <= 2.0; mu += 0.25) {
            plain s;
            plain_open(&s, 1);
            s.body[0].mass = m;
            s.body[0].com[2] = radius;
            for (int k = 0; k < 3; ++k) {
                s.body[0].inertia[4 * k] = 0.4 * m * radius * radius;
            }
            crn_contact_point *c = plain_touch(&s, 0, -1, foot, up, mu, t < 0 ? 0 : polygons[t]);
            c->t1[0] = c->t2[1] = 1.0;
            s.velocity[3] = 2.0;
            s.velocity[5] = -down;
            motion a = move(&s.p);
            check_solved("sphere", &s.p, &a);
            double friction = t < 0 ? 0.0 : fmin(mu * down, 2.0 / 7.0 * s.velocity[3]);
            CHECK_NEAR(a.v[3], 2.0 - friction, 1e-13);
            CHECK_NEAR(a.v[1], 2.5 * friction / radius, 1e-11);
            CHECK_NEAR(a.v[5], 0.0, 1e-14);
            CHECK_NEAR(a.r[0], m * down, 1e-13);
            CHECK_NEAR(a.r[1], -m * friction, 1e-13);
            assert_int_equal(a.result.pivots <= 6, 1);
            motion_free(&a);
        }
    }
}

/* A load at x0 on a frame with legs at x = -a and a: inside it stays, outside it turns about the legs at a. */
static void a_frame_under_a_load(void **state)
{
    (void)state;
    const double a = 0.3, load = 3.0;
    for (double x0 = 0.0; x0 < 1.0; x0 += 0.07) {
        plain s;
        box_on_plane(&s, 2.0, 0.0, 0);
        double m = s.body[0].mass, inertia = s.body[0].inertia[4];
        s.velocity[5] = -load / m;
        s.velocity[1] = x0 * load / inertia;
        motion b = move(&s.p);
        check_solved("frame", &s.p, &b);
        double carried = x0 <= a ? load : load * (1.0 / m + a * x0 / inertia) / (1.0 / m + a * a / inertia);
        CHECK_NEAR(sum_of(&b, 4, 0), carried, 1e-12);
        CHECK_NEAR(b.v[5], (carried - load) / m, 1e-12);
        CHECK_NEAR(b.v[1], x0 <= a ? 0.0 : (x0 * load - a * carried) / inertia, 1e-12);
        motion_free(&b);
    }
}

/* Two spheres in line: after the impact they go on together. */
static void two_bodies_that_collide(void **state)
{
    (void)state;
    plain s;
    plain_open(&s, 2);
    s.body[0].mass = 3.0;
    s.body[1].com[0] = 2.0;
    const double at[3] = {1.0, 0.0, 0.0}, normal[3] = {-1.0, 0.0, 0.0}; /* out of body 1 into body 0 */
    plain_touch(&s, 0, 1, at, normal, 0.5, 8);
    s.velocity[3] = 2.0;
    s.velocity[9] = -1.0;
    motion a = move(&s.p);
    check_solved("collision", &s.p, &a);
    CHECK_NEAR(a.v[3], 1.25, 1e-14); /* (3 * 2 - 1) / 4 */
    CHECK_NEAR(a.v[9], 1.25, 1e-14);
    CHECK_NEAR(a.r[0], 2.25, 1e-14);
    assert_int_equal(a.result.islands, 1);
    motion_free(&a);
}

/* A contact whose Jacobian is 0 carries nothing if its offset is not negative; if it is, no answer is a solution. */
static void a_contact_that_cannot_move(void **state)
{
    (void)state;
    static const double none[18] = {0.0};
    for (int t = 0; t < 6; ++t) {
        plain s;
        box_on_plane(&s, 1.0, 0.5, 8);
        crn_contact_point *c = &s.contact[s.p.contacts++];
        *c = (crn_contact_point){.a = 0, .b = -1, .mu = 0.3, .directions = t % 2 ? 8 : 0, .jacobian_a = none};
        c->offset[0] = t < 2 ? 0.0 : t < 4 ? 1.0 : -1.0;
        s.velocity[5] = -1.0;
        motion a = move(&s.p);
        check_honest("stuck", &s.p, &a);
        assert_int_equal(a.result.outcome == CRN_LCP_SOLVED, t < 4);
        if (t < 4) {
            CHECK_NEAR(a.v[5], 0.0, 1e-14);
            assert_true(a.r[12] == 0.0);
        }
        motion_free(&a);
    }
}

static void nothing_to_do_is_an_answer(void **state)
{
    (void)state;
    crn_contact_problem none = {0};
    motion a = move(&none);
    check_solved("nothing", &none, &a);
    assert_int_equal(a.result.islands, 0);
    motion_free(&a);
    plain s;
    plain_open(&s, 2);
    for (int k = 0; k < 12; ++k) {
        s.velocity[k] = k;
    }
    a = move(&s.p); /* bodies, no contacts */
    check_solved("no contacts", &s.p, &a);
    for (int k = 0; k < 12; ++k) {
        assert_true(a.v[k] == k);
    }
    motion_free(&a);
    const double at[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    plain_touch(&s, 0, -1, at, up, 0.3, 8); /* leaves the ground: nothing happens to it either */
    a = move(&s.p);
    check_solved("no contact closes", &s.p, &a);
    assert_true(a.r[0] == 0.0 && a.v[5] == 5.0 && a.state[0].kind == CRN_CONTACT_OFF);
    motion_free(&a);
}

/* Islands do not know each other: many copies give the answer of one, copy by copy. */
static void islands_are_solved_apart(void **state)
{
    (void)state;
    enum { COPIES = 300, EACH = 4 };
    plain one;
    box_on_plane(&one, 1.0, 0.3, 8);
    crn_contact_body *body = (crn_contact_body *)take(COPIES, sizeof *body);
    crn_contact_point *contact = (crn_contact_point *)take(COPIES * EACH, sizeof *contact);
    double *velocity = (double *)take(COPIES * 6, sizeof *velocity);
    crn_contact_problem all = {COPIES, COPIES * EACH, 0, body, contact, NULL, velocity};
    crn_random random = test_random("islands", TEST_SEED);
    for (int i = 0; i < COPIES; ++i) {
        body[i] = one.body[0];
        for (int k = 0; k < 6; ++k) {
            velocity[6 * i + k] = crn_random_normal(&random);
        }
        for (int j = 0; j < EACH; ++j) { /* contact by contact, so that islands are not consecutive */
            contact[j * COPIES + i] = one.contact[j];
            contact[j * COPIES + i].a = i;
        }
    }
    motion a = move(&all);
    check_solved("islands", &all, &a);
    assert_int_equal(a.result.islands, COPIES);
    for (int i = 0; i < COPIES; ++i) {
        memcpy(one.velocity, velocity + 6 * i, sizeof(double) * 6);
        motion b = move(&one.p);
        for (int k = 0; k < 6; ++k) {
            CHECK_NEAR(a.v[6 * i + k], b.v[k], 1e-11);
        }
        motion_free(&b);
    }
    motion_free(&a);
    free(body);
    free(contact);
    free(velocity);
}

/* --- bilateral rows --- */

/* Three rows that hold the point `pin` of body a at that of body b (or of the world). */
static void plain_pin(plain *s, int a, int b, const double *pin)
{
    for (int k = 0; k < 3; ++k) {
        int i = s->p.rows++;
        double axis[3] = {k == 0, k == 1, k == 2};
        assert_true(i < 8);
        for (int side = 0; side < 2; ++side) {
            int body = side == 0 ? a : b;
            double arm[3], sign = side == 0 ? 1.0 : -1.0, *J = s->jacobian[i][side];
            for (int l = 0; l < 3 && body >= 0; ++l) {
                arm[l] = pin[l] - s->body[body].com[l];
            }
            if (body >= 0) {
                solving_cross(arm, axis, J);
                for (int l = 0; l < 3; ++l) {
                    J[l] *= sign;
                    J[3 + l] = sign * axis[l];
                }
            }
        }
        s->row[i] = (crn_contact_row){.a = a, .b = b, .jacobian_a = s->jacobian[i][0]};
        s->row[i].jacobian_b = b >= 0 ? s->jacobian[i][1] : NULL;
    }
}

/* A rod pinned at its upper end hits the ground with the other: the tip stops, and with it the rod. */
static void a_pendulum_hits_the_ground(void **state)
{
    (void)state;
    const double pin[3] = {0.0, 0.0, 1.0}, tip[3] = {0.8, 0.0, 0.4}, up[3] = {0.0, 0.0, 1.0};
    for (int t = 0; t < 4; ++t) {
        plain s;
        plain_open(&s, 1);
        double length = 1.0, m = 2.0, inertia = m * length * length / 12.0, w = 1.3;
        s.body[0].mass = m;
        s.body[0].inertia[0] = s.body[0].inertia[4] = s.body[0].inertia[8] = inertia;
        for (int k = 0; k < 3; ++k) {
            s.body[0].com[k] = 0.5 * (pin[k] + tip[k]);
        }
        plain_pin(&s, 0, -1, pin);
        plain_touch(&s, 0, -1, tip, up, t == 0 ? 0.0 : 0.1 * t, t == 0 ? 0 : 8);
        double turn[3] = {0.0, w, 0.0}, arm[3]; /* about y: the tip at x > 0 goes down */
        for (int k = 0; k < 3; ++k) {
            arm[k] = s.body[0].com[k] - pin[k];
        }
        s.velocity[1] = w;
        solving_cross(turn, arm, s.velocity + 3);
        motion a = move(&s.p);
        check_solved("pendulum", &s.p, &a);
        for (int k = 0; k < 6; ++k) {
            CHECK_NEAR(a.v[k], 0.0, 1e-13);
        }
        /* impulse about the pin: I_pin w = 0.8 r_n + (friction at the height 0.6 below the pin) */
        double about_pin = inertia + m * 0.25 * length * length;
        CHECK_NEAR(0.8 * a.r[0] + 0.6 * a.r[1], about_pin * w, 1e-12);
        check_same_as_lcp("pendulum", &s.p, &a);
        motion_free(&a);
    }
}

/* A rod across two others that are pinned to the world: pins at all four joints, of which the last row of a flat loop
 * says nothing new; a row is given twice on top. The loop's corner hits the ground. */
static void a_closed_loop_with_redundant_rows(void **state)
{
    (void)state;
    static const double joint[4][3] = {{0.0, 0.0, 1.0}, {0.2, 0.0, 0.0}, {1.3, 0.0, 0.1}, {1.0, 0.0, 1.0}};
    const double up[3] = {0.0, 0.0, 1.0};
    crn_random random = test_random("loop", TEST_SEED);
    enum { BODIES = 3, ROWS = 13 };
    for (int t = 0; t < 20; ++t) {
        crn_contact_body body[BODIES];
        crn_contact_row row[ROWS];
        crn_contact_point contact[2];
        double J[ROWS][2][6] = {{{0.0}}}, velocity[6 * BODIES];
        crn_contact_problem p = {BODIES, 2, ROWS, body, contact, row, velocity};
        for (int b = 0; b < BODIES; ++b) {
            body[b] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0 + b};
            for (int k = 0; k < 3; ++k) {
                body[b].com[k] = 0.5 * (joint[b][k] + joint[b + 1][k]);
                body[b].inertia[4 * k] = 0.1 + 0.05 * k;
            }
        }
        for (int i = 0; i < ROWS; ++i) {
            int at = i < 12 ? i / 3 : 1, k = i < 12 ? i % 3 : 0, a = at < 3 ? at : 2, b = at < 3 ? at - 1 : -1;
            double axis[3] = {k == 0, k == 1, k == 2};
            for (int side = 0; side < 2; ++side) {
                int of = side == 0 ? a : b;
                double arm[3];
                for (int l = 0; l < 3 && of >= 0; ++l) {
                    arm[l] = joint[at][l] - body[of].com[l];
                    J[i][side][3 + l] = side == 0 ? axis[l] : -axis[l];
                }
                if (of >= 0) {
                    solving_cross(arm, J[i][side] + 3, J[i][side]);
                }
            }
            row[i] = (crn_contact_row){a, b, J[i][0], b >= 0 ? J[i][1] : NULL, 0.0, 0.0};
        }
        for (int i = 0; i < 2; ++i) {
            contact[i] =
                (crn_contact_point){.a = i == 0 ? 0 : 1, .b = -1, .mu = t % 4 == 0 ? 0.0 : 0.02, .directions = 8};
            memcpy(contact[i].position, joint[1 + i], sizeof contact[i].position);
            memcpy(contact[i].normal, up, sizeof up);
        }
        for (int k = 0; k < 6 * BODIES; ++k) {
            velocity[k] = crn_random_normal(&random);
        }
        motion a = move(&p);
        check_solved("loop", &p, &a);
        check_assembled("loop", &p, &a);
        if (t % 4 == 0) { /* without friction the motion is unique */
            check_same_as_lcp("loop", &p, &a);
        }
        motion_free(&a);
    }
}

/* A bilateral row has units of its own: its factor changes neither motion nor pivots. */
static void rows_may_have_any_unit(void **state)
{
    (void)state;
    static const double factor[4] = {0x1p-40, 0x1p-20, 0x1p6, 0x1p40};
    crn_random random = test_random("row units", TEST_SEED);
    for (int t = 0; t < 80; ++t) {
        scene *s = scene_random(&random, 1 + t % 4, 1 + t % 7, 1 + t % 3, t % 2 == 1);
        clear_offsets(s);
        motion a = move(&s->p);
        check_solved("row units", &s->p, &a);
        for (int i = 0; i < s->p.rows; ++i) {
            for (int k = 0; k < SCENE_DOF; ++k) {
                s->row_jacobian[i][0][k] *= factor[t % 4];
                s->row_jacobian[i][1][k] *= factor[t % 4];
            }
        }
        motion b = move(&s->p);
        check_solved("other row units", &s->p, &b);
        assert_int_equal(a.result.pivots, b.result.pivots);
        for (int k = 0; k < s->dof; ++k) {
            CHECK_NEAR(b.v[k], a.v[k], 1e-12 * (1.0 + fabs(a.v[k])));
        }
        motion_free(&a);
        motion_free(&b);
        scene_free(s);
    }
}

/* Rows that contradict each other: no answer is called solved. */
static void contradicting_rows_are_not_solved(void **state)
{
    (void)state;
    plain s;
    box_on_plane(&s, 1.0, 0.4, 8);
    s.velocity[5] = -1.0;
    const double pin[3] = {0.0, 0.0, 0.1};
    plain_pin(&s, 0, -1, pin);
    plain_pin(&s, 0, -1, pin);
    motion a = move(&s.p);
    check_solved("twice the same", &s.p, &a);
    motion_free(&a);
    s.row[4].offset = 0.1;
    a = move(&s.p);
    check_honest("contradiction", &s.p, &a);
    assert_int_not_equal(a.result.outcome, CRN_LCP_SOLVED);
    motion_free(&a);
}

/* --- random scenes with every kind of body --- */

/* Without offsets there is a solution, and the path finds it: contacts of all d, mu = 0 among them, rows. */
static void random_scenes_are_solved(void **state)
{
    (void)state;
    crn_random random = test_random("scenes", TEST_SEED);
    for (int t = 0; t < 400; ++t) {
        int bodies = 1 + t % 7, contacts = crn_random_below(&random, 4 * bodies + 4);
        int rows = t % 3 == 2 ? crn_random_below(&random, bodies + 1) : 0;
        scene *s = scene_random(&random, bodies, contacts, rows, t % 2 == 1);
        char name[32];
        (void)snprintf(name, sizeof name, "scene %d", t);
        clear_offsets(s);
        motion a = move(&s->p);
        check_solved(name, &s->p, &a);
        check_assembled(name, &s->p, &a);
        motion_free(&a);
        scene_free(s);
    }
}

/* With offsets there need not be one; what is called solved is. */
static void scenes_with_offsets_are_honest(void **state)
{
    (void)state;
    crn_random random = test_random("offsets", TEST_SEED);
    int solved = 0, total = 400;
    for (int t = 0; t < total; ++t) {
        int bodies = 1 + t % 4, contacts = crn_random_below(&random, 3 * bodies + 4);
        scene *s = scene_random(&random, bodies, contacts, t % 3, t % 2 == 1);
        char name[32];
        (void)snprintf(name, sizeof name, "offsets %d", t);
        motion a = move(&s->p);
        check_honest(name, &s->p, &a);
        solved += a.result.outcome == CRN_LCP_SOLVED;
        motion_free(&a);
        scene_free(s);
    }
    print_message("%d of %d have a solution that was found\n", solved, total);
    assert_true(solved > total / 2);
}

/* mu up to 100, down to 1e-9, many corners. */
static void any_friction_will_do(void **state)
{
    (void)state;
    static const double all[6] = {1e-9, 1e-6, 1e-3, 2.0, 10.0, 100.0};
    static const int corners[4] = {6, 64, 200, 512};
    crn_random random = test_random("friction", TEST_SEED);
    for (int t = 0; t < 120; ++t) {
        scene *s = scene_random(&random, 1 + t % 3, 2 + t % 7, 0, false);
        clear_offsets(s);
        for (int i = 0; i < s->p.contacts; ++i) {
            s->contact[i].mu = t % 2 ? all[t / 2 % 6] : s->contact[i].mu;
            s->contact[i].directions = t % 2 ? s->contact[i].directions : corners[t / 2 % 4];
        }
        char name[32];
        (void)snprintf(name, sizeof name, "friction %d", t);
        motion a = move(&s->p);
        check_solved(name, &s->p, &a);
        motion_free(&a);
        scene_free(s);
    }
}

/* --- where the motion is unique --- */

static void friction_below_the_bound_gives_the_motion_of_the_lcp(void **state)
{
    (void)state;
    crn_random random = test_random("unique", TEST_SEED);
    int compared = 0, slipping = 0;
    for (int t = 0; t < 400; ++t) {
        scene *s = unique_scene(&random, t);
        if (!s) {
            continue;
        }
        motion a = move(&s->p);
        check_solved("unique", &s->p, &a);
        check_same_as_lcp("unique", &s->p, &a);
        compared++;
        for (int i = 0; i < s->p.contacts; ++i) {
            slipping += a.state[i].kind == CRN_CONTACT_SLIDE || a.state[i].kind == CRN_CONTACT_EDGE;
        }
        motion_free(&a);
        scene_free(s);
    }
    print_message("%d scenes, %d contacts slip\n", compared, slipping);
    assert_true(compared >= 150 && slipping >= 150);
}

/* --- no solution --- */

/* A sphere between two walls that are closer than its diameter: the gaps ask for what cannot be. */
static void a_jam_is_never_solved(void **state)
{
    (void)state;
    crn_random random = test_random("jam", TEST_SEED);
    for (int t = 0; t < 60; ++t) {
        plain s;
        plain_open(&s, 1);
        double angle = crn_random_uniform(&random, 0.0, 2.0 * pi), squeeze = t % 3 == 0 ? 1e-6 : 0.1 * (t % 3);
        for (int i = 0; i < 2; ++i) {
            double n[3] = {cos(angle + pi * i), sin(angle + pi * i), 0.0}, at[3] = {-n[0], -n[1], 0.0};
            crn_contact_point *c = plain_touch(&s, 0, -1, at, n, t % 4 * 0.3, t % 2 ? 8 : 0);
            c->offset[0] = -squeeze; /* u_n = n'v - squeeze >= 0 for n and for -n */
        }
        double at[3] = {0.0, 0.0, -1.0}, up[3] = {0.0, 0.0, 1.0};
        plain_touch(&s, 0, -1, at, up, 0.4, 8);
        for (int k = 0; k < 6; ++k) {
            s.velocity[k] = crn_random_normal(&random);
        }
        motion a = move(&s.p);
        check_honest("jam", &s.p, &a);
        TEST_CHECK(a.result.outcome == CRN_LCP_RAY || a.result.outcome == CRN_LCP_INFEASIBLE, "jam %d: %s, %g", t,
                   crn_lcp_outcome_name(a.result.outcome), a.result.certificate.relative);
        motion_free(&a);
        s.contact[0].offset[0] = squeeze; /* with room to spare it is an ordinary problem */
        a = move(&s.p);
        check_solved("no jam", &s.p, &a);
        motion_free(&a);
    }
}

/* --- many --- */

static void two_thousand_contacts_of_one_body(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    crn_random random = test_random("many", TEST_SEED);
    for (int t = 0; t < 3; ++t) {
        crn_contact_body body = {.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0};
        body.inertia[0] = body.inertia[4] = body.inertia[8] = 0.4;
        crn_contact_point *contact = (crn_contact_point *)take(COUNT, sizeof *contact);
        double velocity[6];
        crn_contact_problem p = {1, COUNT, 0, &body, contact, NULL, velocity};
        for (int i = 0; i < COUNT; ++i) {
            contact[i] = (crn_contact_point){.a = 0, .b = -1, .mu = 0.3, .directions = 8};
            if (t == 0) { /* a disk on a table */
                double angle = 2.0 * pi * i / COUNT;
                contact[i].position[0] = cos(angle);
                contact[i].position[1] = sin(angle);
                contact[i].normal[2] = 1.0;
            } else { /* a ball in a hollow, all round or in the lower half */
                scene_unit(&random, contact[i].normal);
                for (int k = 0; k < 3; ++k) {
                    contact[i].normal[k] *= k == 2 && t == 1 && contact[i].normal[2] < 0.0 ? -1.0 : 1.0;
                    contact[i].position[k] = -contact[i].normal[k];
                }
            }
        }
        for (int k = 0; k < 6; ++k) {
            velocity[k] = crn_random_normal(&random);
        }
        motion a = move(&p);
        check_solved("many", &p, &a);
        motion_free(&a);
        free(contact);
    }
}

/* --- calls --- */

static void bad_options_are_refused(void **state)
{
    (void)state;
    plain s;
    box_on_plane(&s, 1.0, 0.4, 8);
    crn_workspace workspace = {0};
    crn_contact_result result;
    crn_error error;
    enum { CASES = 7 };
    crn_contact_options options[CASES];
    double twelve[12] = {0.0};
    for (int k = 0; k < CASES; ++k) {
        options[k] = states_options();
    }
    options[0].method = (crn_contact_method)99;
    options[1].tol = -1.0;
    options[2].tol = NAN;
    options[3].max_pivots = -1;
    options[4].law = CRN_LAW_CONVEX;
    options[5].start_impulse = twelve; /* one of three */
    options[6].paths = -1;
    for (int k = 0; k < CASES; ++k) {
        assert_int_equal(crn_contact_solve(&s.p, &options[k], &workspace, NULL, &result, &error), CRN_ERR_ARGUMENT);
        assert_int_equal(result.outcome, CRN_LCP_UNSOLVED);
        TEST_CHECK(error.text[0] != '\0', "no message in case %d", k);
    }
    assert_int_equal(crn_contact_solve(NULL, NULL, &workspace, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_solve(&s.p, NULL, NULL, NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_contact_solve(&s.p, NULL, &workspace, NULL, NULL, NULL), CRN_OK);
    s.contact[2].mu = -0.1;
    assert_int_equal(crn_contact_solve(&s.p, NULL, &workspace, NULL, &result, &error), CRN_ERR_ARGUMENT);
    TEST_CHECK(strstr(error.text, "contact 2") && strstr(error.text, "mu"), "%s", error.text);
    crn_workspace_free(&workspace);
}

static void methods_have_names(void **state)
{
    (void)state;
    for (int k = 0; k < CRN_CONTACT_METHOD_COUNT; ++k) {
        crn_contact_method method = CRN_CONTACT_AUTO;
        assert_true(crn_contact_method_find(crn_contact_method_name((crn_contact_method)k), &method));
        assert_int_equal(method, k);
    }
    crn_contact_method method;
    assert_null(crn_contact_method_name((crn_contact_method)99));
    assert_false(crn_contact_method_find("lemke", &method));
    assert_false(crn_contact_method_find(NULL, &method));
}

/* The pivots are bounded as asked, and the answer says so. */
static void pivots_are_bounded(void **state)
{
    (void)state;
    crn_gallery_contact_problem g = {0};
    assert_int_equal(crn_gallery_find("stacks")->make_contact(14, TEST_SEED, &g, NULL), CRN_OK);
    crn_contact_options options = states_options();
    options.max_pivots = 2;
    crn_workspace workspace = {0};
    motion a = move_in(&g.problem, &options, &workspace);
    check_honest("bounded", &g.problem, &a);
    assert_int_equal(a.result.outcome, CRN_LCP_LIMIT);
    motion_free(&a);
    crn_workspace_free(&workspace);
    crn_gallery_contact_free(&g);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_a_slope),
        cmocka_unit_test(a_box_that_is_pushed),
        cmocka_unit_test(a_sphere_that_hits_a_plane),
        cmocka_unit_test(a_frame_under_a_load),
        cmocka_unit_test(two_bodies_that_collide),
        cmocka_unit_test(a_contact_that_cannot_move),
        cmocka_unit_test(nothing_to_do_is_an_answer),
        cmocka_unit_test(islands_are_solved_apart),
        cmocka_unit_test(a_pendulum_hits_the_ground),
        cmocka_unit_test(a_closed_loop_with_redundant_rows),
        cmocka_unit_test(rows_may_have_any_unit),
        cmocka_unit_test(contradicting_rows_are_not_solved),
        cmocka_unit_test(random_scenes_are_solved),
        cmocka_unit_test(scenes_with_offsets_are_honest),
        cmocka_unit_test(any_friction_will_do),
        cmocka_unit_test(friction_below_the_bound_gives_the_motion_of_the_lcp),
        cmocka_unit_test(a_jam_is_never_solved),
        cmocka_unit_test(two_thousand_contacts_of_one_body),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(methods_have_names),
        cmocka_unit_test(pivots_are_bounded),
    };
    return TEST_RUN(tests, argc, argv);
}
