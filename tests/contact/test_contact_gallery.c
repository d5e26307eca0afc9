/* Door 2 by contact states on the gallery: every family, the motion of the LCP where it is unique, and the same problems
 * in another order, in other units and in a turned world. */
#include "unique_scene.h"

#include "gallery.h"

enum { TEST_SEED = 20260702 };

/* --- the gallery --- */

/* Call check for the problems of every family of contacts, several seeds; limit: problems per family and seed. */
static void for_families(int limit, void (*check)(const char *name, crn_gallery_contact_problem *g))
{
    int count;
    const crn_gallery_family *family = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int k = 0; k < 3 * limit && family[f].make_contact; ++k) {
            int index = k / 3 % family[f].default_count;
            crn_gallery_contact_problem g = {0};
            crn_error error;
            char name[64];
            (void)snprintf(name, sizeof name, "%s %d seed %d", family[f].name, index, TEST_SEED + k % 3);
            crn_status status = k % 2 ? family[f].make_contact(index, TEST_SEED + (uint64_t)(k % 3), &g, &error)
                                      : family[f].make_whitened(index, TEST_SEED + (uint64_t)(k % 3), &g, &error);
            TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
            check(name, &g);
            crn_gallery_contact_free(&g);
        }
    }
}

static double worst_certificate;

static void check_family(const char *name, crn_gallery_contact_problem *g)
{
    motion a = move(&g->problem);
    check_solved(name, &g->problem, &a);
    worst_certificate = fmax(worst_certificate, a.result.certificate.relative);
    if (crn_contact_lcp_size(&g->problem) <= 200) { /* the judge's cost is the square of it */
        check_assembled(name, &g->problem, &a);
    }
    motion_free(&a);
}

static void all_families_are_solved(void **state)
{
    (void)state;
    worst_certificate = 0.0;
    for_families(60, check_family);
    print_message("worst certificate %g\n", worst_certificate);
}

/* Without friction the motion is unique whatever the contacts: that of the assembled LCP. */
static void check_frictionless(const char *name, crn_gallery_contact_problem *g)
{
    crn_contact_point *contact = (crn_contact_point *)take((size_t)g->problem.contacts, sizeof *contact);
    crn_contact_problem p = g->problem;
    memcpy(contact, p.contact, (size_t)p.contacts * sizeof *contact);
    p.contact = contact;
    for (int i = 0; i < p.contacts; ++i) {
        contact[i].directions = 0;
    }
    motion a = move(&p);
    check_solved(name, &p, &a);
    check_same_as_lcp(name, &p, &a);
    motion_free(&a);
    free(contact);
}

static void frictionless_families_move_as_the_lcp_says(void **state)
{
    (void)state;
    for_families(20, check_frictionless);
}

static void ten_thousand_random_ones(void **state)
{
    (void)state;
    const crn_gallery_family *family = crn_gallery_find("contact-random");
    crn_workspace workspace = {0};
    double worst = 0.0, seconds = 0.0;
    int restarts = 0;
    for (int k = 0; k < 10000; ++k) {
        crn_gallery_contact_problem g = {0};
        crn_contact_options options = states_options();
        crn_contact_result result;
        assert_int_equal(family->make_contact(k, TEST_SEED, &g, NULL), CRN_OK);
        assert_int_equal(crn_contact_solve(&g.problem, &options, &workspace, NULL, &result, NULL), CRN_OK);
        TEST_CHECK(result.outcome == CRN_LCP_SOLVED, "contact-random %d seed %d: %s, %g", k, TEST_SEED,
                   crn_lcp_outcome_name(result.outcome), result.certificate.relative);
        worst = fmax(worst, result.certificate.relative);
        seconds += result.seconds;
        restarts += result.restarts;
        crn_gallery_contact_free(&g);
    }
    print_message("worst certificate %g, %d restarts, %.2f s\n", worst, restarts, seconds);
    crn_workspace_free(&workspace);
}

/* --- invariance --- */

static void shuffle(crn_random *random, int n, int *order)
{
    for (int i = 0; i < n; ++i) {
        int j = crn_random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Contacts and bodies in another order: the same motion, where it is unique. */
static void order_does_not_matter(void **state)
{
    (void)state;
    crn_random random = test_random("order", TEST_SEED);
    for (int t = 0; t < 200; ++t) {
        scene *s = unique_scene(&random, t);
        if (!s) {
            continue;
        }
        crn_contact_problem p = s->p;
        crn_contact_body body[SCENE_BODIES];
        crn_contact_point contact[SCENE_CONTACTS];
        double velocity[SCENE_BODIES * SCENE_DOF], back[SCENE_BODIES * SCENE_DOF];
        int of[SCENE_CONTACTS], from[SCENE_BODIES], to[SCENE_BODIES], at = 0;
        p.body = body;
        p.contact = contact;
        p.velocity = velocity;
        shuffle(&random, p.contacts, of);
        shuffle(&random, p.bodies, from);
        for (int b = 0; b < p.bodies; ++b) {
            to[from[b]] = b;
            body[b] = s->body[from[b]];
            memcpy(velocity + at, s->velocity + s->start[from[b]], (size_t)body[b].dof * sizeof *velocity);
            at += body[b].dof;
        }
        for (int i = 0; i < p.contacts; ++i) {
            contact[i] = s->contact[of[i]];
            contact[i].a = contact[i].a >= 0 ? to[contact[i].a] : -1;
            contact[i].b = contact[i].b >= 0 ? to[contact[i].b] : -1;
        }
        motion a = move(&s->p), b = move(&p);
        check_solved("before", &s->p, &a);
        check_solved("after", &p, &b);
        for (int i = 0; i < p.bodies; ++i) {
            memcpy(back + s->start[i], b.v + solving_start(&p, to[i]), (size_t)s->body[i].dof * sizeof *back);
        }
        double apart = motion_distance(&s->p, a.v, back);
        TEST_CHECK(apart <= 1e-9, "case %d: %g apart", t, apart);
        motion_free(&a);
        motion_free(&b);
        scene_free(s);
    }
}

/* The caller's arrays of a gallery problem, which the test may change. */
static void change_units(crn_contact_problem *p, double mass, double length, double speed)
{
    crn_contact_body *body = (crn_contact_body *)p->body;
    crn_contact_point *contact = (crn_contact_point *)p->contact;
    double *velocity = (double *)p->velocity;
    for (int b = 0, at = 0; b < p->bodies; at += p->body[b].dof, ++b) {
        for (int k = 0; k < body[b].dof; ++k) {
            velocity[at + k] *= speed * (body[b].kind == CRN_MASS_RIGID && k >= 3 ? length : 1.0);
        }
        body[b].mass *= mass;
        for (int k = 0; k < 9; ++k) {
            body[b].inertia[k] *= mass * length * length;
        }
        for (int k = 0; k < 3; ++k) {
            body[b].com[k] *= length;
        }
        for (int k = 0; k < body[b].dof * body[b].ld && body[b].kind == CRN_MASS_MATRIX; ++k) {
            ((double *)body[b].matrix)[k] *= mass * length * length;
        }
    }
    for (int i = 0; i < p->contacts; ++i) {
        const crn_contact_point *c = &contact[i];
        for (int k = 0; k < 3; ++k) {
            contact[i].position[k] *= length;
            contact[i].offset[k] *= length * speed;
        }
        for (int k = 0; c->jacobian_a && k < 3 * p->body[c->a].dof; ++k) {
            ((double *)c->jacobian_a)[k] *= length;
        }
        for (int k = 0; c->jacobian_b && k < 3 * p->body[c->b].dof; ++k) {
            ((double *)c->jacobian_b)[k] *= length;
        }
    }
}

/* Powers of two change no digit: other units must give the same bits. */
static void units_in_powers_of_two_change_nothing(void **state)
{
    (void)state;
    static const double factor[6][3] = {{0x1p20, 1.0, 1.0},  {0x1p-20, 1.0, 1.0}, {1.0, 0x1p10, 1.0},
                                        {1.0, 0x1p-20, 1.0}, {1.0, 1.0, 0x1p20},  {0x1p-30, 0x1p-10, 0x1p-20}};
    int count;
    const crn_gallery_family *family = crn_gallery_families(&count);
    for (int f = 0; f < count; ++f) {
        for (int k = 0; k < 24 && family[f].make_contact; ++k) {
            int index = k % family[f].default_count;
            crn_gallery_contact_problem g = {0}, other = {0};
            assert_int_equal(family[f].make_contact(index, TEST_SEED, &g, NULL), CRN_OK);
            assert_int_equal(family[f].make_contact(index, TEST_SEED, &other, NULL), CRN_OK);
            const double *by = factor[k % 6];
            change_units(&other.problem, by[0], by[1], by[2]);
            motion a = move(&g.problem), b = move(&other.problem);
            double impulse = by[0] * by[1] * by[2];
            TEST_CHECK(a.result.pivots == b.result.pivots, "%s %d: %d pivots became %d", family[f].name, index,
                       a.result.pivots, b.result.pivots);
            for (int i = 0; i < 3 * g.problem.contacts; ++i) {
                TEST_CHECK(b.r[i] == impulse * a.r[i], "%s %d: r(%d) = %g, not %g", family[f].name, index, i, b.r[i],
                           impulse * a.r[i]);
            }
            motion_free(&a);
            motion_free(&b);
            crn_gallery_contact_free(&g);
            crn_gallery_contact_free(&other);
        }
    }
}

/* In powers of ten digits change: every problem is still solved. */
static const double *units_factor;

static void check_units(const char *name, crn_gallery_contact_problem *g)
{
    change_units(&g->problem, units_factor[0], units_factor[1], units_factor[2]);
    motion a = move(&g->problem);
    check_solved(name, &g->problem, &a);
    motion_free(&a);
}

static void units_in_powers_of_ten_are_solved(void **state)
{
    (void)state;
    static const double factor[5][3] = {
        {1e3, 1.0, 1.0}, {1e-6, 1.0, 1.0}, {1.0, 1e3, 1e-6}, {1.0, 1e-3, 1e6}, {1e-9, 1e-6, 1e-6}};
    for (int k = 0; k < 5; ++k) {
        units_factor = factor[k];
        for_families(15, check_units);
    }
}

/* y = R x */
static void rotate(double R[3][3], double *x)
{
    double y[3];
    for (int k = 0; k < 3; ++k) {
        y[k] = R[k][0] * x[0] + R[k][1] * x[1] + R[k][2] * x[2];
    }
    memcpy(x, y, sizeof y);
}

/* I := R I R' */
static void rotate_inertia(double R[3][3], double *inertia)
{
    for (int pass = 0; pass < 2; ++pass) {
        double turned[9];
        for (int j = 0; j < 3; ++j) {
            rotate(R, inertia + 3 * j);
        }
        for (int k = 0; k < 9; ++k) {
            turned[k] = inertia[k / 3 + 3 * (k % 3)];
        }
        memcpy(inertia, turned, sizeof turned);
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < i; ++j) { /* rounding must not spoil its symmetry */
            inertia[i + 3 * j] = inertia[j + 3 * i] = 0.5 * (inertia[i + 3 * j] + inertia[j + 3 * i]);
        }
    }
}

static void random_rotation(crn_random *random, double R[3][3])
{
    double x[3];
    scene_unit(random, R[0]);
    do {
        scene_unit(random, x);
        scene_cross(R[0], x, R[1]);
    } while (fabs(R[1][0]) + fabs(R[1][1]) + fabs(R[1][2]) < 0.1);
    double length = sqrt(R[1][0] * R[1][0] + R[1][1] * R[1][1] + R[1][2] * R[1][2]);
    for (int k = 0; k < 3; ++k) {
        R[1][k] /= length;
    }
    scene_cross(R[0], R[1], R[2]);
}

static void rotate_world(crn_contact_problem *p, double R[3][3])
{
    crn_contact_body *body = (crn_contact_body *)p->body;
    crn_contact_point *contact = (crn_contact_point *)p->contact;
    double *velocity = (double *)p->velocity;
    for (int b = 0; b < p->bodies; ++b) {
        rotate(R, body[b].com);
        rotate_inertia(R, body[b].inertia);
        rotate(R, velocity + 6 * b);
        rotate(R, velocity + 6 * b + 3);
    }
    for (int i = 0; i < p->contacts; ++i) {
        rotate(R, contact[i].position);
        rotate(R, contact[i].normal);
        rotate(R, contact[i].t1);
        rotate(R, contact[i].t2);
    }
}

static void the_world_may_be_turned(void **state)
{
    (void)state;
    crn_random random = test_random("rotation", TEST_SEED);
    for (int t = 0; t < 200; ++t) {
        scene *s = unique_scene(&random, 2 * t); /* rigid bodies only */
        if (!s) {
            continue;
        }
        double R[3][3], v[6 * SCENE_BODIES];
        random_rotation(&random, R);
        for (int i = 0; i < s->p.contacts; ++i) { /* tangents of our own, so that they turn too */
            double frame[3][3];
            solving_frame(&s->contact[i], false, frame);
            memcpy(s->contact[i].t1, frame[1], sizeof frame[1]);
            memcpy(s->contact[i].t2, frame[2], sizeof frame[2]);
        }
        motion a = move(&s->p);
        memcpy(v, a.v, (size_t)s->dof * sizeof *v);
        rotate_world(&s->p, R);
        motion b = move(&s->p);
        check_solved("turned", &s->p, &b);
        for (int k = 0; k < 2 * s->p.bodies; ++k) {
            rotate(R, v + 3 * k);
        }
        double apart = motion_distance(&s->p, b.v, v);
        TEST_CHECK(apart <= 1e-9, "case %d: %g apart", t, apart);
        motion_free(&a);
        motion_free(&b);
        scene_free(s);
    }
}

static void turned_families_are_solved(void **state)
{
    (void)state;
    static const char *const rigid[6] = {"peg", "single", "stacks", "contact-random", "frames", "mass-ratio"};
    crn_random random = test_random("turned", TEST_SEED);
    for (int t = 0; t < 180; ++t) {
        crn_gallery_contact_problem g = {0};
        char name[64];
        double R[3][3];
        assert_int_equal(crn_gallery_find(rigid[t % 6])->make_contact(t / 6, TEST_SEED, &g, NULL), CRN_OK);
        (void)snprintf(name, sizeof name, "%s %d turned", rigid[t % 6], t / 6);
        random_rotation(&random, R);
        rotate_world(&g.problem, R);
        motion a = move(&g.problem);
        check_solved(name, &g.problem, &a);
        motion_free(&a);
        crn_gallery_contact_free(&g);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_families_are_solved),
        cmocka_unit_test(frictionless_families_move_as_the_lcp_says),
        cmocka_unit_test(ten_thousand_random_ones),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(units_in_powers_of_two_change_nothing),
        cmocka_unit_test(units_in_powers_of_ten_are_solved),
        cmocka_unit_test(the_world_may_be_turned),
        cmocka_unit_test(turned_families_are_solved),
    };
    return TEST_RUN(tests, argc, argv);
}
