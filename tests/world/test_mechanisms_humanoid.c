/* A body of 27 degrees of freedom: falls, lies, and floats. */
#include "mechanism_case.h"

static void test_falls(void **state)
{
    (void)state;
    mechanism_run("humanoid", 0.01, 0.0, 0);
    mechanism_run("humanoid", 0.005, 0.0, 0);
    mechanism_run("humanoid", 0.001, 2.0, 0);
}

static void test_perturbed(void **state)
{
    (void)state;
    for (int start = 1; start <= 3; ++start) {
        mechanism_run("humanoid", 0.01, 0.0, start);
        mechanism_run("humanoid", 0.005, 0.0, start);
    }
}

/* It comes to rest, and what the floor carries is its weight. */
static void test_lies(void **state)
{
    (void)state;
    mechanism m;
    double weight = 0.0, mass;
    crn_vec3 force, torque;
    mechanism_start(&m, physics_scene("humanoid"), "humanoid", 0.005, 0);
    for (int k = 0; k < 1600; ++k) {
        mechanism_step(&m);
    }
    for (int i = 0; i < crn_model_bodies(m.model); ++i) {
        bool is_free = crn_model_body(m.model, i)->kind == CRN_BODY_FREE;
        assert_int_equal(crn_body_mass(m.world, crn_world_body(m.world, i + 1), &mass, NULL, NULL), CRN_OK);
        weight += is_free ? mass * PHYSICS_G : 0.0;
    }
    assert_int_equal(crn_body_contact_force(m.world, crn_world_body(m.world, 1), &force, &torque), CRN_OK);
    physics_figure(m.name, "the floor carries [N]", -force.z, weight, 0.01 * weight);
    physics_at_most(m.name, "kinetic energy at the end [J]", m.watch.last.kinetic, 1e-3);
    mechanism_end(&m);
}

/* Without weight and floor it tumbles: momentum stays, 10 s. */
static void test_floats(void **state)
{
    (void)state;
    static const double steps[2] = {0.001, 0.01};
    for (int i = 0; i < 2; ++i) {
        const crn_twist push = {{0.5, -0.3, 0.8}, {0.2, 0.1, 20.0}};
        mechanism m;
        crn_model *model;
        PHYSICS_FILL(model, crn_gallery_humanoid_of(model, steps[i], &error));
        crn_model_world(model)->gravity = tree_nothing;
        mechanism_start(&m, model, "humanoid afloat", steps[i], 0);
        assert_int_equal(crn_model_find_body(model, "pelvis"), 1);
        assert_int_equal(crn_body_set_velocity(m.world, crn_world_body(m.world, 2), &push), CRN_OK);
        assert_int_equal(crn_gallery_perturb(model, m.world, 5, 1.0), CRN_OK);
        crn_gallery_watch_end(&m.watch);
        assert_int_equal(crn_gallery_watch_begin(&m.watch, model, m.world, NULL), CRN_OK);
        crn_vec3 linear = tree_nothing, angular = tree_nothing;
        double linear_off = 0.0, angular_off = 0.0;
        for (int k = 0; k < (int)lround(10.0 / steps[i]); ++k) {
            mechanism_step(&m);
            linear = k == 0 ? m.watch.last.momentum : linear;
            angular = k == 0 ? m.watch.last.angular_momentum : angular;
            linear_off = fmax(linear_off, physics_distance(m.watch.last.momentum, linear));
            angular_off = fmax(angular_off, physics_distance(m.watch.last.angular_momentum, angular));
        }
        double p = crn_v3_length(linear), l = crn_v3_length(angular);
        assert_true(p > 10.0 && l > 1.0);
        physics_at_most(m.name, "linear momentum, changed by", linear_off / p, 1e-10);
        physics_at_most(m.name, "angular momentum, changed by", angular_off / l, 1e-10);
        physics_at_most(m.name, "energy above the start, relative", m.watch.highest / m.watch.start - 1.0, 1e-9);
        mechanism_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls),
        cmocka_unit_test(test_perturbed),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_floats),
    };
    return TEST_RUN(tests, argc, argv);
}
