/* Traces of the path on contact states: what follows the changes ends at the states of the answer, every pivot is one of the
 * second table of states.h, and nothing else changes. */
#include "unique_scene.h"

#include "gallery.h"

enum { TEST_SEED = 20260812, ITEMS_MAX = 4096 };

/* A caller that follows the changes. */
typedef struct follower {
    const crn_contact_problem *p;
    crn_contact_state state[ITEMS_MAX]; /* contacts, then rows */
    int changes, pivots, ties, restarts;
    double last; /* progress of the last pivot */
} follower;

static bool is_same(crn_contact_state a, crn_contact_state b)
{
    return a.kind == b.kind && a.corner == b.corner;
}

static bool is_bounded(const crn_contact_row *row)
{
    return row->bound > 0.0 && isfinite(row->bound);
}

/* Does edge j .. j + 1 have the corner? */
static bool has_corner(int d, int edge, int corner)
{
    return corner == edge || corner == (edge + 1) % d;
}

/* Can one pivot lead from a to b, or from b to a? */
static bool are_neighbours(const crn_contact_point *c, crn_contact_state a, crn_contact_state b)
{
    if (a.kind > b.kind) {
        crn_contact_state t = a;
        a = b;
        b = t;
    }
    if (a.kind == CRN_CONTACT_OFF) {
        return b.kind == CRN_CONTACT_ON || b.kind == CRN_CONTACT_SLIDE;
    }
    if (a.kind == CRN_CONTACT_SLIDE && c->directions == 2) {
        return b.kind == CRN_CONTACT_STICK;
    }
    if (a.kind == CRN_CONTACT_SLIDE) {
        return b.kind == CRN_CONTACT_EDGE && has_corner(c->directions, b.corner, a.corner);
    }
    return a.kind == CRN_CONTACT_EDGE && b.kind == CRN_CONTACT_STICK;
}

static void follow(void *user, const crn_contact_change *change)
{
    follower *f = user;
    assert_in_range(change->contact, 0, f->p->contacts + f->p->rows - 1);
    TEST_CHECK(is_same(f->state[change->contact], change->before), "contact %d was in another state", change->contact);
    assert_true(change->progress >= 0.0 && change->progress <= 1.0);
    f->state[change->contact] = change->after;
    ++f->changes;
    if (change->ties == 0) {
        f->restarts += change->progress == 0.0;
        return;
    }
    ++f->pivots;
    f->ties += change->ties > 1;
    f->last = change->progress;
    if (change->contact < f->p->contacts) {
        assert_true(are_neighbours(&f->p->contact[change->contact], change->before, change->after));
    } else {
        assert_true(is_bounded(&f->p->row[change->contact - f->p->contacts]));
        assert_int_equal(change->before.kind + change->after.kind, CRN_CONTACT_ON); /* one is off, the other on */
    }
}

static void begin_to_follow(follower *f, const crn_contact_problem *p)
{
    memset(f, 0, sizeof *f);
    f->p = p;
    assert_true(p->contacts + p->rows <= ITEMS_MAX);
    for (int r = 0; r < p->rows; ++r) {
        f->state[p->contacts + r].kind = CRN_CONTACT_ON;
    }
}

/* The states of the answer; rows from their impulses. */
static void check_arrived(const char *name, const follower *f, const motion *m)
{
    for (int i = 0; i < f->p->contacts; ++i) {
        TEST_CHECK(is_same(f->state[i], m->state[i]), "%s: contact %d is %d:%d, the changes lead to %d:%d", name, i,
                   m->state[i].kind, m->state[i].corner, f->state[i].kind, f->state[i].corner);
    }
    for (int r = 0; r < f->p->rows; ++r) {
        crn_contact_state s = f->state[f->p->contacts + r];
        double bound = f->p->row[r].bound;
        if (is_bounded(&f->p->row[r]) && s.kind == CRN_CONTACT_OFF) {
            TEST_CHECK(m->l[r] == (s.corner == 1 ? bound : -bound), "%s: row %d has %g of %g", name, r, m->l[r], bound);
        }
    }
}

static motion trace(follower *f, const crn_contact_problem *p, crn_contact_options options)
{
    crn_workspace workspace = {0};
    begin_to_follow(f, p);
    options.trace = follow;
    options.trace_user = f;
    motion m = move_in(p, &options, &workspace);
    TEST_CHECK(m.status == CRN_OK, "%s", m.error.text);
    crn_workspace_free(&workspace);
    return m;
}

static void check_same_bits(const crn_contact_problem *p, const motion *m)
{
    motion plain = move(p);
    assert_memory_equal(plain.r, m->r, 3 * (size_t)p->contacts * sizeof(double));
    assert_memory_equal(plain.v, m->v, (size_t)crn_contact_dof(p) * sizeof(double));
    assert_memory_equal(plain.state, m->state, (size_t)p->contacts * sizeof *m->state);
    assert_memory_equal(&plain.result.certificate.relative, &m->result.certificate.relative, sizeof(double));
    assert_true(plain.result.outcome == m->result.outcome && plain.result.pivots == m->result.pivots);
    assert_true(plain.result.restarts == m->result.restarts && plain.result.is_warm == m->result.is_warm);
    motion_free(&plain);
}

/* --- Known by hand --- */

/* A point of mass 1 on the floor, mu 1/2, four corners at +-x, +-y. */
typedef struct pebble {
    crn_contact_problem p;
    crn_contact_body body;
    crn_contact_point contact;
    double jacobian[9], velocity[3];
} pebble;

static void pebble_open(pebble *s, double vx)
{
    memset(s, 0, sizeof *s);
    s->body = (crn_contact_body){.kind = CRN_MASS_UNIT, .dof = 3};
    s->jacobian[2] = s->jacobian[3] = s->jacobian[7] = 1.0; /* n = z, t1 = x, t2 = y */
    s->velocity[0] = vx;
    s->velocity[2] = -1.0;
    s->contact = (crn_contact_point){
        .a = 0, .b = -1, .normal = {0, 0, 1}, .jacobian_a = s->jacobian, .mu = 0.5, .directions = 4};
    s->p = (crn_contact_problem){1, 1, 0, &s->body, &s->contact, NULL, s->velocity};
}

/* Falling at 1 and slipping at 10: it closes and slides at the corner against the slip, -x, and that is all. */
static void a_fast_pebble_closes_and_slides(void **state)
{
    (void)state;
    pebble s;
    follower f;
    pebble_open(&s, 10.0);
    motion m = trace(&f, &s.p, states_options());
    assert_int_equal(f.changes, 1);
    assert_true(f.pivots == 1 && f.ties == 0 && f.last == 0.0);
    assert_true(f.state[0].kind == CRN_CONTACT_SLIDE && f.state[0].corner == 2);
    check_arrived("fast pebble", &f, &m);
    motion_free(&m);
}

/* Slipping at 0.1 only: friction stops it, by way of an edge. */
static void a_slow_pebble_comes_to_stick(void **state)
{
    (void)state;
    pebble s;
    follower f;
    pebble_open(&s, 0.1);
    motion m = trace(&f, &s.p, states_options());
    assert_true(f.pivots >= 3 && f.last > 0.0 && f.last < 1.0);
    assert_int_equal(f.state[0].kind, CRN_CONTACT_STICK);
    check_arrived("slow pebble", &f, &m);
    motion_free(&m);
}

/* A mass 1 at speed v, a brake of impulse at most 2: it is at its bound, -2 against 5, +2 against -5, and told so before any
 * pivot; against 1 it is within. */
static void a_brake_at_its_bound_is_told(void **state)
{
    (void)state;
    static const double speed[3] = {5.0, -5.0, 1.0};
    static const crn_contact_state expected[3] = {{CRN_CONTACT_OFF, 0}, {CRN_CONTACT_OFF, 1}, {CRN_CONTACT_ON, 0}};
    for (int t = 0; t < 3; ++t) {
        double one[1] = {1.0};
        crn_contact_body body = {.kind = CRN_MASS_UNIT, .dof = 1};
        crn_contact_row row = {.a = 0, .b = -1, .jacobian_a = one, .bound = 2.0};
        crn_contact_problem p = {1, 0, 1, &body, NULL, &row, &speed[t]};
        follower f;
        motion m = trace(&f, &p, states_options());
        assert_true(is_same(f.state[0], expected[t]));
        assert_int_equal(f.changes, t < 2 ? 1 : 0);
        assert_int_equal(f.pivots, 0);
        check_arrived("brake", &f, &m);
        motion_free(&m);
    }
}

/* Two contacts at the same place: one is enough, and the path brings in no other that depends on it. */
static void a_repeated_contact_is_not_brought_in(void **state)
{
    (void)state;
    pebble s;
    follower f;
    pebble_open(&s, 10.0);
    crn_contact_point two[2] = {s.contact, s.contact};
    s.p.contacts = 2;
    s.p.contact = two;
    motion m = trace(&f, &s.p, states_options());
    check_arrived("two pebbles", &f, &m);
    assert_int_equal((m.state[0].kind != CRN_CONTACT_OFF) + (m.state[1].kind != CRN_CONTACT_OFF), 1);
    motion_free(&m);
}

/* --- Random scenes and the gallery --- */

static void random_scenes_arrive_and_keep_their_bits(void **state)
{
    (void)state;
    crn_random random = test_random("scenes", TEST_SEED);
    int pivots = 0, of_rows = 0;
    for (int t = 0; t < 300; ++t) {
        scene *s = scene_sized(&random, 4, 8, 4, t % 2 == 1);
        for (int r = 0; r < s->p.rows && t % 3 == 0; ++r) {
            s->row[r].bound = crn_random_uniform(&random, 0.01, 1.0);
        }
        follower f;
        motion m = trace(&f, &s->p, states_options());
        check_arrived("scene", &f, &m);
        check_same_bits(&s->p, &m);
        assert_true(f.pivots <= m.result.pivots + m.result.islands * (1 + m.result.restarts));
        for (int r = 0; r < s->p.rows; ++r) {
            of_rows += f.state[s->p.contacts + r].kind == CRN_CONTACT_OFF;
        }
        pivots += f.pivots;
        motion_free(&m);
        scene_free(s);
    }
    print_message("%d pivots, %d rows at their bounds\n", pivots, of_rows);
    assert_true(pivots > 300 && of_rows > 10);
}

static void the_gallery_arrives(void **state)
{
    (void)state;
    int families, problems = 0, pivots = 0, ties = 0, restarts = 0;
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (int i = 0; i < families; ++i) {
        for (int index = 0; index < 12 && family[i].make_contact; ++index) {
            crn_gallery_contact_problem g = {.storage = NULL};
            assert_int_equal(family[i].make_contact(index, 1, &g, NULL), CRN_OK);
            for (int way = 0; way < 2; ++way) {
                follower f;
                crn_contact_options options = states_options();
                options.frictionless_first = way == 1;
                motion m = trace(&f, &g.problem, options);
                check_arrived(family[i].name, &f, &m);
                if (way == 0) {
                    check_same_bits(&g.problem, &m);
                }
                ++problems;
                pivots += f.pivots;
                ties += f.ties;
                restarts += f.restarts;
                motion_free(&m);
            }
            crn_gallery_contact_free(&g);
        }
    }
    print_message("%d problems, %d pivots, %d ties, %d changes of starts\n", problems, pivots, ties, restarts);
    assert_true(ties > 0 && restarts > 0);
}

/* --- Starts --- */

/* A session goes on from the states of the call before, which are told; the same problem again needs no pivot. */
static void a_session_tells_where_it_begins(void **state)
{
    (void)state;
    crn_random random = test_random("session", TEST_SEED + 1);
    for (int t = 0; t < 50; ++t) {
        scene *s = scene_sized(&random, 3, 6, 2, false);
        follower f;
        crn_contact_options options = states_options();
        options.trace = follow;
        options.trace_user = &f;
        crn_workspace workspace = {0};
        crn_contact_session *session = NULL;
        assert_int_equal(crn_contact_prepare(&s->p, &options, &workspace, &session, NULL), CRN_OK);
        for (int round = 0; round < 3; ++round) {
            motion m = motion_new(&s->p);
            crn_contact_solution solution = motion_solution(&m);
            begin_to_follow(&f, &s->p);
            m.status = crn_contact_again(session, NULL, &solution, &m.result, &m.error);
            assert_int_equal(m.status, CRN_OK);
            check_arrived("session", &f, &m);
            motion_free(&m);
        }
        crn_workspace_free(&workspace);
        scene_free(s);
    }
}

/* Lloyd's methods and the body level tell nothing. */
static void other_methods_tell_nothing(void **state)
{
    (void)state;
    pebble s;
    pebble_open(&s, 0.1);
    static const crn_contact_method methods[3] = {CRN_CONTACT_STRUCTURAL, CRN_CONTACT_REDUCED, CRN_CONTACT_BODIES};
    for (int i = 0; i < 3; ++i) {
        follower f;
        crn_contact_options options = crn_contact_options_default();
        options.method = methods[i];
        options.cone = methods[i] == CRN_CONTACT_BODIES ? CRN_CONE_ROUND : CRN_CONE_POLYGON;
        motion m = trace(&f, &s.p, options);
        assert_int_equal(m.result.outcome, CRN_LCP_SOLVED);
        assert_int_equal(f.changes, 0);
        motion_free(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_pebble_closes_and_slides),
        cmocka_unit_test(a_slow_pebble_comes_to_stick),
        cmocka_unit_test(a_brake_at_its_bound_is_told),
        cmocka_unit_test(a_repeated_contact_is_not_brought_in),
        cmocka_unit_test(random_scenes_arrive_and_keep_their_bits),
        cmocka_unit_test(the_gallery_arrives),
        cmocka_unit_test(a_session_tells_where_it_begins),
        cmocka_unit_test(other_methods_tell_nothing),
    };
    return TEST_RUN(tests, argc, argv);
}
