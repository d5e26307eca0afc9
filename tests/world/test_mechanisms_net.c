/* Net: four strings of 16 links held at both ends, five capsules fall on it. Loops that are said twice change nothing. */
#include "mechanism_case.h"

static double apart(const mechanism *a, const mechanism *b)
{
    double worst = 0.0;
    for (int i = 0; i < crn_model_bodies(a->model); ++i) {
        worst = fmax(worst, physics_distance(physics_pose(a->world, i).position, physics_pose(b->world, i).position));
    }
    return worst;
}

/* The net and the net with doubled loops, side by side. */
static void compare(double h, double seconds, int start)
{
    mechanism once, twice;
    double worst = 0.0;
    mechanism_start(&once, physics_scene("net"), "net", h, start);
    mechanism_start(&twice, physics_scene("net-doubled"), "net, loops doubled", h, start);
    assert_int_equal(crn_model_joints(twice.model), crn_model_joints(once.model) + 4);
    for (int k = 0; k < (int)lround(seconds / h); ++k) {
        mechanism_step(&once);
        mechanism_step(&twice);
        worst = fmax(worst, apart(&once, &twice));
    }
    mechanism_judge(&once, true);
    mechanism_judge(&twice, true);
    physics_at_most(once.name, "from the net with doubled loops [m]", worst, 1e-7);
    mechanism_end(&once);
    mechanism_end(&twice);
}

static void test_whole(void **state)
{
    (void)state;
    compare(0.01, 2.0, 0);
}

static void test_fine(void **state)
{
    (void)state;
    compare(0.001, 0.4, 0);
}

static void test_perturbed(void **state)
{
    (void)state;
    for (int start = 1; start <= 3; ++start) {
        mechanism_run("net", 0.01, 0.0, start);
    }
}

/* All five capsules lie on the net in the end: none fell through it or off it. */
static void test_caught(void **state)
{
    (void)state;
    enum { CAPSULES = 5 };
    mechanism m;
    mechanism_start(&m, physics_scene("net"), "net", 0.01, 0);
    for (int k = 0; k < 200; ++k) {
        mechanism_step(&m);
    }
    int bodies = crn_model_bodies(m.model);
    for (int i = bodies - CAPSULES; i < bodies; ++i) {
        crn_vec3 p = physics_pose(m.world, i).position;
        print_message("%s: capsule at (%.3g, %.3g, %.3g)\n", m.name, p.x, p.y, p.z);
        TEST_CHECK(p.z > -0.5 && hypot(p.x, p.y) < 0.5, "a capsule is at (%g, %g, %g)", p.x, p.y, p.z);
    }
    mechanism_end(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_fine),
        cmocka_unit_test(test_perturbed),
        cmocka_unit_test(test_caught),
    };
    return TEST_RUN(tests, argc, argv);
}
