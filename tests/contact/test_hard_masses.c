/* Problems that mass ratios make hard: Coulomb's law with disks must be reached whatever is heavy and whatever is light. */
#include "solving.h"

typedef struct sandwich {
    crn_contact_body body[2];
    crn_contact_point contact[4];
    double velocity[12];
    crn_contact_problem problem;
} sandwich;

static void random_unit(crn_random *random, double tilt, double *n)
{
    double x = crn_random_uniform(random, -tilt, tilt), y = crn_random_uniform(random, -tilt, tilt);
    double length = sqrt(x * x + y * y + 1.0);
    n[0] = x / length;
    n[1] = y / length;
    n[2] = -1.0 / length;
}

static crn_contact_body box(double mass, double half, double x, double y, double z)
{
    double inertia = 2.0 / 3.0 * mass * half * half;
    return (crn_contact_body){.kind = CRN_MASS_RIGID,
                              .dof = 6,
                              .mass = mass,
                              .inertia = {inertia, 0, 0, 0, 1.2 * inertia, 0, 0, 0, 1.4 * inertia},
                              .com = {x, y, z}};
}

/* The plate on two or three points of the ground, the lump on the plate's flank; both spin and fall. */
static void fill_sandwich(crn_random *random, double ratio, sandwich *s)
{
    double half = 0.01, mu = crn_random_uniform(random, 0.8, 1.6);
    int contacts = 3 + crn_random_below(random, 2);
    memset(s, 0, sizeof *s);
    s->body[0] = box(1e-4, half, 0.0, 0.0, half);
    s->body[1] = box(1e-4 * ratio, half, -0.02, 0.0, 2.0 * half);
    for (int i = 0; i < contacts; ++i) {
        crn_contact_point *c = &s->contact[i];
        bool is_flank = i == 0;
        c->a = is_flank ? 0 : -1;
        c->b = is_flank ? 1 : 0;
        c->mu = mu;
        c->directions = 4;
        random_unit(random, is_flank ? 1.0 : 2e-4, c->normal);
        c->position[0] = is_flank ? -half : crn_random_uniform(random, -half, half);
        c->position[1] = is_flank ? 0.1 * half : crn_random_uniform(random, -half, half);
        c->position[2] = is_flank ? 1.5 * half : 0.0;
        c->offset[0] = is_flank ? 0.0 : crn_random_uniform(random, 0.0, 0.02);
    }
    for (int k = 0; k < 12; ++k) {
        double spin = k < 6 ? 1.0 : 8.0;
        s->velocity[k] = k % 6 < 3 ? crn_random_uniform(random, -spin, spin) : crn_random_uniform(random, -0.05, 0.05);
    }
    s->velocity[5] = s->velocity[11] = -0.04;
    s->problem = (crn_contact_problem){
        .bodies = 2, .contacts = contacts, .body = s->body, .contact = s->contact, .velocity = s->velocity};
}

static void test_disks_reach_coulombs_law(void **state)
{
    (void)state;
    enum { PROBLEMS = 2000 };
    crn_random random = test_random("sandwiches", 5);
    crn_contact_options options = crn_contact_options_default();
    crn_workspace workspace = {0};
    options.cone = CRN_CONE_ROUND;
    int other = 0;
    for (int i = 0; i < PROBLEMS; ++i) {
        sandwich s;
        double ratio = pow(10.0, crn_random_uniform(&random, 2.0, 6.0));
        fill_sandwich(&random, ratio, &s);
        motion m = move_in(&s.problem, &options, &workspace);
        bool is_right = m.result.outcome == CRN_LCP_SOLVED && m.result.law == CRN_LAW_COULOMB;
        if (!is_right) {
            print_message("problem %d, ratio %.2e: outcome %d, law %d, certificate %.2e\n", i, ratio,
                          (int)m.result.outcome, (int)m.result.law, m.result.certificate.relative);
        }
        other += !is_right;
        motion_free(&m);
    }
    crn_workspace_free(&workspace);
    TEST_CHECK(other == 0, "%d of %d problems are not solved by Coulomb's law", other, PROBLEMS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disks_reach_coulombs_law),
    };
    return TEST_RUN(tests, argc, argv);
}
