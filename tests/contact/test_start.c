/* A start that is the answer: found right without a solver; anything else is solved. By the public door alone. */
#include <cairn/contact.h>

#include "test_support.h"

#include <math.h>

enum { BOXES = 6, CONTACTS = 4 * BOXES, DOF = 6 * BOXES };

typedef struct stack {
    crn_contact_body body[BOXES];
    crn_contact_point contact[CONTACTS];
    double velocity[DOF];
    crn_contact_problem problem;
    double impulse[3 * CONTACTS], motion[DOF], slip[3 * CONTACTS];
    crn_contact_state state[CONTACTS];
    crn_contact_options options;
    crn_contact_result result;
    crn_workspace workspace;
} stack;

/* Unit boxes at rest, gravity for one step; speed: of the lowest box along x. directions: of the contacts. */
static void stack_make(stack *s, crn_contact_law law, int directions, double mu, double speed)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < BOXES; ++i) {
        s->body[i] = (crn_contact_body){.kind = CRN_MASS_RIGID, .dof = 6, .mass = 1.0 + i, .com = {0.0, 0.0, 0.5 + i}};
        for (int k = 0; k < 3; ++k) {
            s->body[i].inertia[4 * k] = (1.0 + i) / 6.0;
        }
        s->velocity[6 * i + 5] = -0.0981;
        for (int corner = 0; corner < 4; ++corner) {
            s->contact[4 * i + corner] = (crn_contact_point){
                .a = i,
                .b = i - 1,
                .position = {corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, i},
                .normal = {0.0, 0.0, 1.0},
                .t1 = {1.0, 0.0, 0.0},
                .t2 = {0.0, 1.0, 0.0},
                .mu = mu,
                .directions = directions,
            };
        }
    }
    s->velocity[3] = speed;
    s->problem = (crn_contact_problem){BOXES, CONTACTS, 0, s->body, s->contact, NULL, s->velocity};
    s->options = crn_contact_options_default();
    s->options.cone = CRN_CONE_ROUND;
    s->options.law = law;
}

static void stack_solve(stack *s, bool has_start)
{
    crn_error error;
    crn_contact_solution solution = {s->impulse, s->motion, s->slip, NULL, s->state};
    s->options.start = has_start ? s->state : NULL; /* the start is where the answer goes */
    s->options.start_impulse = has_start ? s->impulse : NULL;
    s->options.start_velocity = has_start ? s->slip : NULL;
    crn_status status = crn_contact_solve(&s->problem, &s->options, &s->workspace, &solution, &s->result, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    TEST_CHECK(s->result.outcome == CRN_LCP_SOLVED && s->result.certificate.relative <= 1e-8, "outcome %d, %g",
               (int)s->result.outcome, s->result.certificate.relative);
}

static void the_answer_is_found_right(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; ++kind) {
        static stack s, t;
        crn_contact_law law = kind & 1 ? CRN_LAW_CONVEX : CRN_LAW_COULOMB;
        int directions = kind & 2 ? 2 : 4;
        stack_make(&s, law, directions, 0.5, kind & 4 ? 3.0 : 0.0);
        stack_solve(&s, false);
        assert_int_equal(s.result.law, law);
        t = s;
        t.workspace = (crn_workspace){0};
        stack_solve(&t, true);
        assert_int_equal(t.result.iterations, 0);
        assert_int_equal(t.result.refactorizations, 0);
        assert_int_equal(t.result.islands, s.result.islands);
        assert_int_equal(t.result.method, CRN_CONTACT_BODIES);
        assert_true(t.result.is_warm && t.result.law == law);
        for (int i = 0; i < 3 * CONTACTS; ++i) {
            assert_true(fabs(t.impulse[i] - s.impulse[i]) <= 1e-15 * (1.0 + fabs(s.impulse[i])));
            assert_true(fabs(t.slip[i] - s.slip[i]) <= 1e-13);
        }
        for (int i = 0; i < DOF; ++i) {
            assert_true(fabs(t.motion[i] - s.motion[i]) <= 1e-13);
        }
        assert_memory_equal(t.state, s.state, sizeof s.state);
        crn_workspace_free(&s.workspace);
        crn_workspace_free(&t.workspace);
    }
}

/* Impulses that are too large, too small, or slide the wrong way; and an answer to another free motion. */
static void another_start_is_not_taken(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; ++kind) {
        static stack s;
        double motion[DOF];
        stack_make(&s, kind & 1 ? CRN_LAW_CONVEX : CRN_LAW_COULOMB, 4, 0.5, 3.0);
        stack_solve(&s, false);
        memcpy(motion, s.motion, sizeof motion);
        for (int i = 0; i < 3 * CONTACTS; ++i) {
            s.impulse[i] *= kind < 2 ? 1.001 : kind < 4 ? 0.0 : kind < 6 && i % 3 ? -1.0 : 1.0;
        }
        s.velocity[5] -= kind >= 6 ? 1e-3 : 0.0;
        stack_solve(&s, true);
        assert_true(s.result.iterations > 0);
        for (int i = 0; i < DOF && kind < 6 && kind % 2 == 1; ++i) { /* Coulomb: more than one motion */
            assert_true(fabs(s.motion[i] - motion[i]) <= 1e-7);
        }
        crn_workspace_free(&s.workspace);
    }
}

/* What a contact cannot have is taken off the start: friction along t2 with two directions, friction without any. */
static void a_start_is_made_fit(void **state)
{
    (void)state;
    for (int directions = 0; directions <= 2; directions += 2) {
        static stack s;
        stack_make(&s, CRN_LAW_CONVEX, directions, 0.5, 0.0);
        stack_solve(&s, false);
        for (int i = 0; i < CONTACTS; ++i) {
            s.impulse[3 * i + 2] = 0.01;
            s.impulse[3 * i + 1] += directions == 0 ? 0.01 : 0.0;
        }
        stack_solve(&s, true);
        assert_int_equal(s.result.iterations, 0);
        for (int i = 0; i < CONTACTS; ++i) {
            assert_true(s.impulse[3 * i + 2] == 0.0 && (directions == 2 || s.impulse[3 * i + 1] == 0.0));
            assert_int_equal(s.state[i].kind, directions == 0 ? CRN_CONTACT_ON : CRN_CONTACT_STICK);
        }
        crn_workspace_free(&s.workspace);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_found_right),
        cmocka_unit_test(another_start_is_not_taken),
        cmocka_unit_test(a_start_is_made_fit),
    };
    return TEST_RUN(tests, argc, argv);
}
