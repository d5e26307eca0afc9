/* Planar bodies: against the same bodies as rigid ones, against Jacobians written out, and against the definition. */
#include "unique_scene.h"

enum { TEST_SEED = 20260917, BOXES = 4 };

typedef struct plane {
    crn_contact_problem p;
    crn_contact_body body[BOXES];
    crn_contact_point contact[2 * BOXES];
    double velocity[3 * BOXES];
} plane;

/* Boxes 2 a wide and 2 b high, one on the other and on the line y = 0; the contacts' tangents are the library's to choose. */
static void pile(plane *s, int boxes, double mu, crn_random *random)
{
    memset(s, 0, sizeof *s);
    s->p = (crn_contact_problem){boxes, 2 * boxes, 0, s->body, s->contact, NULL, s->velocity};
    for (int i = 0; i < boxes; ++i) {
        double m = crn_random_uniform(random, 0.5, 2.0), a = 0.5, b = 0.25;
        s->body[i] =
            (crn_contact_body){.kind = CRN_MASS_PLANAR, .dof = 3, .mass = m, .com = {0.0, b * (2 * i + 1), 0.0}};
        s->body[i].inertia[8] = m * (a * a + b * b) / 3.0;
        for (int k = 0; k < 2; ++k) {
            s->contact[2 * i + k] = (crn_contact_point){.a = i, .b = i - 1, .mu = mu, .directions = mu > 0.0 ? 2 : 0};
            s->contact[2 * i + k].position[0] = k ? a : -a;
            s->contact[2 * i + k].position[1] = 2.0 * b * i;
            s->contact[2 * i + k].normal[1] = 1.0;
        }
        s->velocity[3 * i] = crn_random_uniform(random, -0.3, 0.3);
        s->velocity[3 * i + 1] = crn_random_uniform(random, -1.0, 1.0);
        s->velocity[3 * i + 2] = -1.0;
    }
}

/* The same with rigid bodies in the plane z = 0: nothing leaves it, since all contacts and directions lie in it. */
typedef struct space {
    crn_contact_problem p;
    crn_contact_body body[BOXES];
    crn_contact_point contact[2 * BOXES];
    double velocity[6 * BOXES];
} space;

static void lift(const plane *from, space *s)
{
    memset(s, 0, sizeof *s);
    s->p = from->p;
    s->p.body = s->body;
    s->p.contact = s->contact;
    s->p.velocity = s->velocity;
    memcpy(s->contact, from->contact, sizeof s->contact);
    for (int i = 0; i < from->p.bodies; ++i) {
        s->body[i] = from->body[i];
        s->body[i].kind = CRN_MASS_RIGID;
        s->body[i].dof = 6;
        s->body[i].inertia[0] = s->body[i].inertia[4] = 1.0;
        for (int k = 0; k < 3; ++k) {
            s->velocity[6 * i + 2 + k] = from->velocity[3 * i + k];
        }
    }
    for (int i = 0; i < from->p.contacts; ++i) { /* tangents that the library chooses for planar bodies */
        crn_contact_point *c = &s->contact[i];
        c->t1[0] = -c->normal[1];
        c->t1[1] = c->normal[0];
        c->t2[2] = 1.0;
    }
}

/* Whatever the method: the same impulses (they are unique for two contacts a pair, or even), motion and certificate. */
static void a_pile_is_that_of_rigid_bodies(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int t = 0; t < 200; ++t) {
        plane flat;
        space rigid;
        crn_workspace workspace = {0};
        crn_contact_options options = crn_contact_options_default();
        options.even = t % 2 == 0;
        options.cone = t % 5 == 4 ? CRN_CONE_ROUND : CRN_CONE_POLYGON;
        pile(&flat, 1 + t % BOXES, t % 3 == 0 ? 0.0 : 0.4, &random);
        lift(&flat, &rigid);
        motion m = move_in(&flat.p, &options, &workspace), other = move_in(&rigid.p, &options, &workspace);
        TEST_CHECK(m.status == CRN_OK, "%s", m.error.text);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        assert_int_equal(other.result.outcome, CRN_LCP_SOLVED);
        double tol = options.cone == CRN_CONE_ROUND ? 1e-7 : 1e-12;
        assert_true(fabs(m.result.certificate.scale - other.result.certificate.scale) <= 1e-14);
        for (int k = 0; k < 3 * flat.p.bodies; ++k) {
            TEST_CHECK(fabs(m.v[k] - other.v[k / 3 * 6 + 2 + k % 3]) <= tol, "%d: v(%d)", t, k);
        }
        for (int k = 0; k < 3 * flat.p.contacts; ++k) {
            TEST_CHECK(fabs(m.u[k] - other.u[k]) <= tol, "%d: u(%d) %g %g", t, k, m.u[k], other.u[k]);
            TEST_CHECK(flat.p.bodies > 1 || fabs(m.r[k] - other.r[k]) <= tol, "%d: r(%d)", t, k);
        }
        if (options.cone == CRN_CONE_POLYGON) {
            check_solved("pile", &flat.p, &m);
            check_assembled("pile", &flat.p, &m);
        }
        crn_contact_certificate a, b; /* the same impulses are judged alike, wrong ones too */
        m.r[0] += 0.125;
        assert_int_equal(crn_contact_certify(&flat.p, &options, m.r, NULL, &workspace, &a, NULL), CRN_OK);
        assert_int_equal(crn_contact_certify(&rigid.p, &options, m.r, NULL, &workspace, &b, NULL), CRN_OK);
        TEST_CHECK(fabs(a.relative - b.relative) <= 1e-12 * b.relative && a.worst == b.worst, "%g, %g", a.relative,
                   b.relative);
        TEST_CHECK(fabs(a.impulse_error - b.impulse_error) <= 1e-12 * b.impulse_error, "%g, %g", a.impulse_error,
                   b.impulse_error);
        crn_workspace_free(&workspace);
        motion_free(&m);
        motion_free(&other);
    }
}

/* Contacts at random places and normals of two bodies and the world: as with Jacobians, and with given tangents. */
static void geometry_is_that_of_jacobians(void **state)
{
    (void)state;
    crn_random random = test_random(__func__, TEST_SEED);
    for (int t = 0; t < 200; ++t) {
        plane s;
        double J[8][2][9];
        crn_contact_point written[8];
        pile(&s, 2, 0.0, &random);
        s.p.contacts = 1 + t % 4;
        memcpy(written, s.contact, sizeof written);
        for (int i = 0; i < s.p.contacts; ++i) {
            static const int pairs[4][2] = {{0, 1}, {1, -1}, {-1, 0}, {1, 0}};
            double angle = crn_random_uniform(&random, -3.2, 3.2), x = cos(angle), y = sin(angle);
            crn_contact_point *c = &s.contact[i];
            const int *pair = pairs[crn_random_below(&random, 4)];
            *c = (crn_contact_point){.a = pair[0], .b = pair[1], .mu = crn_random_uniform(&random, 0.0, 1.0)};
            c->directions = crn_random_below(&random, 3) ? 2 : 0;
            double at[3] = {crn_random_normal(&random), crn_random_normal(&random), crn_random_normal(&random)};
            double n[3] = {x, y, 0.0}, side = t % 3 == 2 ? -1.0 : 1.0;
            memcpy(c->position, at, sizeof at); /* its height does not matter */
            memcpy(c->normal, n, sizeof n);
            if (t % 3 > 0) {
                c->t1[0] = -side * y;
                c->t1[1] = side * x;
                c->t2[2] = side;
            }
            written[i] = *c;
            for (int k = 0; k < 2; ++k) {
                int body = k ? c->b : c->a;
                if (body < 0) {
                    continue;
                }
                double sign = k ? -1.0 : 1.0, arm[2] = {at[0] - s.body[body].com[0], at[1] - s.body[body].com[1]};
                double t1[2] = {-side * y, side * x};
                const double *direction[2] = {n, t1};
                memset(J[i][k], 0, sizeof J[i][k]);
                for (int j = 0; j < 2; ++j) {
                    J[i][k][3 * j] = sign * (arm[0] * direction[j][1] - arm[1] * direction[j][0]);
                    J[i][k][3 * j + 1] = sign * direction[j][0];
                    J[i][k][3 * j + 2] = sign * direction[j][1];
                }
                *(k ? &written[i].jacobian_b : &written[i].jacobian_a) = J[i][k];
            }
        }
        crn_contact_problem by_hand = s.p;
        by_hand.contact = written;
        motion m = move(&s.p), other = move(&by_hand);
        check_solved("geometry", &s.p, &m);
        check_solved("jacobians", &by_hand, &other);
        for (int k = 0; k < 3 * s.p.contacts; ++k) {
            TEST_CHECK(fabs(m.r[k] - other.r[k]) <= 1e-12 && fabs(m.u[k] - other.u[k]) <= 1e-12, "%d: entry %d", t, k);
        }
        motion_free(&m);
        motion_free(&other);
    }
}

/* A box on a slope stays below the angle of friction, exactly, and slides with the right speed above. */
static void a_box_on_a_slope(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const double mu = 0.5, fall = 0.1, angle = k ? 0.6 : 0.4; /* tan: 0.68, 0.42 */
        double n[2] = {-sin(angle), cos(angle)}, down[2] = {-cos(angle), -sin(angle)};
        plane s;
        crn_random random = crn_random_seed(1);
        pile(&s, 1, mu, &random);
        s.velocity[0] = s.velocity[1] = 0.0;
        s.velocity[2] = -fall;
        s.body[0].com[0] = 0.25 * n[0];
        s.body[0].com[1] = 0.25 * n[1];
        for (int i = 0; i < 2; ++i) {
            double along = i ? 0.5 : -0.5;
            for (int j = 0; j < 2; ++j) {
                s.contact[i].position[j] = along * down[j];
                s.contact[i].normal[j] = n[j];
            }
        }
        motion m = move(&s.p);
        check_solved("slope", &s.p, &m);
        double speed = k ? fall * (sin(angle) - mu * cos(angle)) : 0.0;
        TEST_CHECK(fabs(m.v[0]) <= 1e-15 && hypot(m.v[1] - speed * down[0], m.v[2] - speed * down[1]) <= 1e-15,
                   "slope %d: %g, %g, %g", k, m.v[0], m.v[1], m.v[2]);
        double load = s.body[0].mass * fall * cos(angle);
        assert_true(fabs(m.r[0] + m.r[3] - load) <= 1e-14);
        int sliding = (m.state[0].kind == CRN_CONTACT_SLIDE) + (m.state[1].kind == CRN_CONTACT_SLIDE);
        assert_true(k ? sliding == 2 : sliding < 2); /* one corner may hold with all its friction */
        motion_free(&m);
    }
}

/* What planar bodies may not have; each message names its place. */
static void bad_planar_problems_are_refused(void **state)
{
    (void)state;
    for (int k = 0; k < 12; ++k) {
        static const char *const expected[12] = {"body 0: dof is 6",
                                                 "body 0: mass",
                                                 "body 0: inertia[8]",
                                                 "body 0: inertia[8]",
                                                 "body 0: com",
                                                 "contact 1: normal",
                                                 "contact 1: t1 leaves",
                                                 "contact 0: directions 4",
                                                 "contact 2: of bodies 1 ",
                                                 "contact 1: normal has",
                                                 "contact 3: t1 has",
                                                 "contact 2: of bodies 1 "};
        plane s;
        crn_random random = crn_random_seed(1);
        crn_error error;
        pile(&s, 2, 0.5, &random);
        assert_int_equal(crn_contact_check(&s.p, &error), CRN_OK);
        switch (k) {
        case 0: s.body[0].dof = 6; break;
        case 1: s.body[0].mass = 0.0; break;
        case 2: s.body[0].inertia[8] = -1.0; break;
        case 3: s.body[0].inertia[8] = NAN; break;
        case 4: s.body[0].com[1] = INFINITY; break;
        case 5:
            s.contact[1].normal[1] = 0.8;
            s.contact[1].normal[2] = 0.6;
            break;
        case 6:
            s.contact[1].t1[2] = 1.0;
            s.contact[1].t2[0] = 1.0;
            break;
        case 7: s.contact[0].directions = 4; break;
        case 8:
        case 11: /* which of the two is rigid */
            s.body[k == 8].kind = CRN_MASS_RIGID;
            s.body[k == 8].dof = 6;
            s.body[k == 8].inertia[0] = s.body[k == 8].inertia[4] = 1.0;
            s.p.contacts = 3;
            s.contact[0] = s.contact[1] = s.contact[2]; /* the pair (1, 0) */
            s.contact[0].a = s.contact[1].a = 1;
            s.contact[0].b = s.contact[1].b = -1;
            s.contact[0].t1[0] = s.contact[1].t1[0] = -1.0;
            s.contact[0].t2[2] = s.contact[1].t2[2] = 1.0;
            break;
        case 9: s.contact[1].normal[1] = 0.5; break;
        default: s.contact[3].t1[0] = 2.0; break;
        }
        assert_int_equal(crn_contact_check(&s.p, &error), CRN_ERR_ARGUMENT);
        TEST_CHECK(strstr(error.text, expected[k]) != NULL, "case %d: '%s', not '%s'", k, error.text, expected[k]);
    }
    plane s; /* heights of body and contact are not read */
    crn_random random = crn_random_seed(1);
    pile(&s, 1, 0.5, &random);
    motion m = move(&s.p);
    s.body[0].com[2] = 7.0;
    s.contact[0].position[2] = -3.0;
    motion other = move(&s.p);
    assert_memory_equal(m.r, other.r, 6 * sizeof(double));
    motion_free(&m);
    motion_free(&other);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_is_that_of_rigid_bodies),
        cmocka_unit_test(geometry_is_that_of_jacobians),
        cmocka_unit_test(a_box_on_a_slope),
        cmocka_unit_test(bad_planar_problems_are_refused),
    };
    return TEST_RUN(tests, argc, argv);
}
