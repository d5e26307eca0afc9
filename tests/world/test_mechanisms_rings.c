/* Rings through rings: of wires that swing, and two free ones that spin. They stay linked. */
#include "mechanism_case.h"

static void wires(const char *scene, int linked, double h, double seconds, int start)
{
    mechanism m;
    mechanism_start(&m, physics_scene(scene), scene, h, start);
    assert_int_equal(m.watch.linked_start, linked);
    double time = seconds > 0.0 ? seconds : crn_world_definition(m.world)->duration;
    for (int k = 0; k < (int)lround(time / h); ++k) {
        mechanism_step(&m); /* sees to it that the same rings are linked, the same way round */
    }
    mechanism_judge(&m, true);
    mechanism_end(&m);
}

static void test_wires(void **state)
{
    (void)state;
    wires("ring2", 1, 0.01, 0.0, 0);
    wires("ring3", 2, 0.01, 0.0, 0);
}

static void test_wires_fine(void **state)
{
    (void)state;
    wires("ring2", 1, 0.001, 1.0, 0);
    wires("ring3", 2, 0.001, 1.0, 0);
}

static void test_wires_perturbed(void **state)
{
    (void)state;
    for (int start = 1; start <= 3; ++start) {
        wires("ring2", 1, 0.01, 0.0, start);
        wires("ring3", 2, 0.01, 0.0, start);
    }
}

/* No joint holds them and no gravity: bodies step by the scheme of rigid ones, with gap/h. */
static void free_rings(double spin, double h)
{
    crn_gallery_double rings = crn_gallery_double_default();
    crn_model *model;
    mechanism m;
    char name[40];
    rings.spin = spin;
    (void)snprintf(name, sizeof name, "free rings, %g rad/s", spin);
    PHYSICS_FILL(model, crn_gallery_double_rings_of(model, &rings, &error));
    mechanism_start(&m, model, name, h, 0);
    assert_int_equal(m.watch.linked_start, 1);
    for (int k = 0; k < (int)lround(10.0 / h); ++k) {
        mechanism_step(&m);
    }
    print_message("%s: deepest overlap %.3g m, fastest %.3g rad/s\n", m.name, m.watch.penetration, m.watch.fastest);
    mechanism_judge(&m, false);
    physics_at_most(m.name, "overlap, in tubes", m.watch.penetration / rings.tube, 0.5);
    mechanism_end(&m);
}

static void test_free_rings(void **state)
{
    (void)state;
    free_rings(38.0, 0.01);
    free_rings(10.0, 0.01);
}

static void test_free_rings_fine(void **state)
{
    (void)state;
    free_rings(38.0, 0.001);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wires),           cmocka_unit_test(test_wires_fine),
        cmocka_unit_test(test_wires_perturbed), cmocka_unit_test(test_free_rings),
        cmocka_unit_test(test_free_rings_fine),
    };
    return TEST_RUN(tests, argc, argv);
}
