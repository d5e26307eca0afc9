/* The backward error: the impulses nearby obey the law exactly, for offsets that are changed by what is told. */
#include "scenes.h"
#include "solving.h"

#include "test_matrix.h"

/* The law by its definition, of impulses p with velocities w: what is wrong, in impulses and velocities of size 1. */
static double law_error(const crn_contact_point *c, const crn_contact_options *o, const double *p, const double *w)
{
    bool has_friction = c->mu > 0.0 && c->directions > 0;
    double slip = c->directions == 2 ? fabs(w[1]) : hypot(w[1], w[2]);
    double friction = hypot(p[1], p[2]), power = p[1] * w[1] + (c->directions == 2 ? 0.0 : p[2] * w[2]), worst = 0.0;
    if (!has_friction) {
        return fmax(fmax(-p[0], -w[0]), fmax(fabs(p[0] * w[0]), friction));
    }
    if (o->law == CRN_LAW_CONVEX) {
        worst = fmax(c->mu * slip - w[0], friction - c->mu * p[0]);
        return fmax(worst, fabs(p[0] * w[0] + power));
    }
    worst = fmax(fmax(-p[0], -w[0]), fabs(p[0] * w[0]));
    if (o->cone == CRN_CONE_ROUND || c->directions == 2) {
        worst = fmax(worst, friction - c->mu * p[0]);
        return fmax(worst, fabs(power + c->mu * p[0] * slip));
    }
    worst = fmax(worst, friction - c->mu * p[0]); /* the circle round the polygon */
    double most = 0.0;                            /* of -w at a corner: what friction could do at best */
    for (int k = 0; k < c->directions; ++k) {
        double angle = 2.0 * 3.14159265358979323846 * k / c->directions;
        most = fmax(most, -(w[1] * cos(angle) + w[2] * sin(angle)));
    }
    return fmax(worst, fabs(power + c->mu * p[0] * most));
}

static void check_nearby(scene *s, const crn_contact_options *options, const double *r, const double *l, int draw)
{
    crn_workspace workspace = {0};
    crn_contact_backward backward;
    crn_contact_certificate certificate;
    motion m = motion_new(&s->problem);
    crn_contact_solution nearby = motion_solution(&m);
    nearby.state = NULL;
    assert_int_equal(crn_contact_backward_error(&s->problem, options, r, l, &workspace, &nearby, &backward, NULL),
                     CRN_OK);
    double *v = test_doubles((size_t)scene_dof(s)), normal = 0.0, slip = 0.0;
    solving_motion(&s->problem, m.r, m.l, v);
    for (int i = 0; i < s->problem.contacts; ++i) {
        double u[3];
        const double *p = m.r + 3 * i, *w = m.u + 3 * i;
        solving_slip(&s->problem, i, v, true, u);
        double wrong = law_error(&s->contact[i], options, p, w);
        TEST_CHECK(wrong < 1e-10, "draw %d, contact %d: what is nearby misses the law by %g", draw, i, wrong);
        normal = fmax(normal, fabs(w[0] - u[0]));
        bool has_slip = s->contact[i].mu > 0.0 && s->contact[i].directions > 0 && p[0] > 0.0;
        double across = s->contact[i].directions == 2 ? 0.0 : w[2] - u[2];
        slip = has_slip ? fmax(slip, hypot(w[1] - u[1], across)) : slip;
        for (int k = 0; k < 3; ++k) {
            s->contact[i].offset[k] += w[k] - u[k];
        }
    }
    for (int i = 0; i < s->problem.rows; ++i) {
        double speed = solving_row(&s->problem, i, v), bound = s->row[i].bound > 0.0 ? s->row[i].bound : INFINITY;
        bool is_opposed = fabs(m.l[i]) >= bound && speed * m.l[i] <= 0.0;
        assert_true(fabs(m.l[i]) <= bound);
        s->row[i].offset -= is_opposed ? 0.0 : speed;
    }
    TEST_CHECK(fabs(normal - backward.normal) < 1e-10 && fabs(slip - backward.slip) < 1e-10,
               "draw %d: told %g and %g, but they change by %g and %g", draw, backward.normal, backward.slip, normal,
               slip);
    assert_int_equal(crn_contact_certify(&s->problem, options, m.r, m.l, &workspace, &certificate, NULL), CRN_OK);
    TEST_CHECK(certificate.relative < 1e-9, "draw %d: with changed offsets it certifies to %g, item %d", draw,
               certificate.relative, certificate.worst);
    free(v);
    motion_free(&m);
    crn_workspace_free(&workspace);
}

/* Any impulses at all: of round cones, polygons and the convex law. */
static void test_nearby_is_exact(void **state)
{
    (void)state;
    crn_random random = test_random("backward error", 71);
    for (int draw = 0; draw < 300; ++draw) {
        int contacts = 1 + crn_random_below(&random, 12), rows = crn_random_below(&random, 3);
        scene *s = scene_random(&random, 1 + crn_random_below(&random, 4), contacts, rows, -1, draw % 2 == 0);
        for (int i = 0; i < rows; i += 2) {
            s->row[i].bound = crn_random_uniform(&random, 0.1, 1.0);
        }
        crn_contact_options options = crn_contact_options_default();
        options.cone = draw % 3 == 0 ? CRN_CONE_POLYGON : CRN_CONE_ROUND;
        options.law = draw % 3 == 2 ? CRN_LAW_CONVEX : CRN_LAW_COULOMB;
        double *r = test_doubles(3 * (size_t)contacts), *l = test_doubles((size_t)rows + 1);
        for (int i = 0; i < 3 * contacts; ++i) {
            r[i] = crn_random_normal(&random);
        }
        for (int i = 0; i < rows; ++i) {
            l[i] = crn_random_normal(&random);
        }
        check_nearby(s, &options, r, l, draw);
        free(r);
        free(l);
        free(s);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearby_is_exact)};
    return TEST_RUN(tests, argc, argv);
}
