/* What stands: tables whose legs share the load, heavy on light, stacks. Scenes of gallery/world_table.c and
 * gallery/world_stacks.c. */
#include "physics_case.h"

/* --- Tables --- */

/* Forces of the legs that are farthest from m g / legs, after a first step and after half a second. */
static void check_table(const char *scene, const crn_gallery_table *table)
{
    const double right = 24.0 * PHYSICS_G / table->legs, h = 0.01;
    const int steps[2] = {1, 49};
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_table_of(model, table, &error));
    crn_world *world = physics_world(model);
    for (int part = 0; part < 2; ++part) {
        int contacts;
        double worst = right;
        physics_run(world, h, steps[part]);
        const crn_contact *contact = crn_world_contacts(world, &contacts);
        assert_int_equal(contacts, table->legs);
        for (int i = 0; i < contacts; ++i) {
            double force = fabs(contact[i].impulse.z) / h;
            worst = fabs(force - right) > fabs(worst - right) ? force : worst;
        }
        physics_figure(scene, part == 0 ? "worst leg at first [N]" : "worst leg after 0.5 s [N]", worst, right,
                       1e-8 * right);
    }
    crn_world_destroy(world);
}

static void test_tables(void **state)
{
    (void)state;
    crn_random random = test_random("table", 4);
    for (int legs = 4; legs <= 8; legs += 2) {
        int order[8];
        char scene[64];
        for (int i = 0; i < legs; ++i) {
            order[i] = i;
        }
        for (int shuffle = 0; shuffle < 4; ++shuffle) {
            (void)snprintf(scene, sizeof scene, "table of %d legs, order %d", legs, shuffle);
            check_table(scene, &(crn_gallery_table){legs, order, shuffle % 2 == 1});
            for (int i = legs - 1; i > 0; --i) {
                int j = crn_random_below(&random, i + 1), last = order[i];
                order[i] = order[j];
                order[j] = last;
            }
        }
    }
}

/* --- Stacks --- */

/* Stand for a time; the top box must stay where it was put and no two overlap. Bodies: floor, boxes upwards. */
static void check_stands(const char *scene, const crn_gallery_stack *stack, double seconds)
{
    const double h = 0.01;
    double overlap = 0.0, way = 0.0;
    crn_model *model;
    PHYSICS_FILL(model, crn_gallery_stack_of(model, stack, &error));
    crn_world *world = physics_world(model);
    crn_vec3 start = physics_pose(world, stack->boxes).position;
    for (int k = 0; k < (int)(seconds / h + 0.5); ++k) {
        crn_step_stats stats = physics_step(world, h);
        overlap = fmax(overlap, stats.penetration);
        way = fmax(way, physics_distance(physics_pose(world, stack->boxes).position, start));
    }
    physics_at_most(scene, "way of the top [m]", way, 1e-4);
    physics_at_most(scene, "penetration [m]", fmax(overlap, physics_overlap(world)), 1e-7);
    crn_world_destroy(world);
}

static void test_heavy_on_light(void **state)
{
    (void)state;
    for (double ratio = 1.0; ratio < 2e4; ratio *= 10.0) {
        char scene[64];
        (void)snprintf(scene, sizeof scene, "%g kg on 1 kg", ratio);
        check_stands(scene, &(crn_gallery_stack){.boxes = 2, .mass = 1.0, .mass_ratio = ratio}, 5.0);
    }
}

static void test_stacks(void **state)
{
    (void)state;
    const int boxes[3] = {10, 30, 100};
    for (int i = 0; i < 3; ++i) {
        char scene[64];
        (void)snprintf(scene, sizeof scene, "stack of %d", boxes[i]);
        check_stands(scene, &(crn_gallery_stack){.boxes = boxes[i], .mass = 1.0, .mass_ratio = 1.0}, 10.0);
    }
    check_stands("stack of 5, 1 to 10^4 kg", &(crn_gallery_stack){.boxes = 5, .mass = 1.0, .mass_ratio = 1e4}, 10.0);
    check_stands("stack of 5, 10^4 to 1 kg", &(crn_gallery_stack){.boxes = 5, .mass = 1e4, .mass_ratio = 1e-4}, 10.0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_heavy_on_light),
        cmocka_unit_test(test_stacks),
    };
    return TEST_RUN(tests, argc, argv);
}
