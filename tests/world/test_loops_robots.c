/* Robots with loops: the gripper closes, the legs fall and land. Where MuJoCo has a figure it is beside ours. */
#include <cairn/io.h>

#include "test_data.h"
#include "tree_case.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static crn_model *robot_model(const char *name)
{
    char path[1024];
    crn_model *model = physics_model();
    crn_robot_options options = crn_robot_options_default();
    assert_non_null(test_data_path(name, path, sizeof path));
    TREE_CHECK(crn_io_read_mjcf(path, &options, model, error));
    return model;
}

/* The same with its actuators switched off: the servo of the gripper's tendon would hold it open. */
static crn_model *passive_robot_model(const char *name)
{
    enum { TEXT = 100000 };
    static const char flag[] = "<option><flag actuation='disable'/></option></mujoco>";
    char path[1024];
    crn_model *model = physics_model();
    assert_non_null(test_data_path(name, path, sizeof path));
    char *text = calloc(TEXT + sizeof flag, 1);
    FILE *file = fopen(path, "rb");
    assert_true(file != NULL && fread(text, 1, TEXT, file) < TEXT);
    (void)fclose(file);
    char *end = strstr(text, "</mujoco>");
    assert_non_null(end);
    memcpy(end, flag, sizeof flag);
    TREE_CHECK(crn_io_read_mjcf_text(text, strlen(text), path, NULL, model, error));
    free(text);
    return model;
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Largest loop figures of a run. */
typedef struct figures {
    double error, used, misfit;
} figures;

static void meet(figures *f, const crn_step_stats *stats)
{
    f->error = fmax(f->error, stats->loop_error);
    f->used = fmax(f->used, stats->loop_opening / stats->loop_clearance);
    f->misfit = fmax(f->misfit, stats->loop_misfit);
}

static void judge(const figures *f, const char *name)
{
    physics_at_most(name, "error of what loops hold [m, rad]", f->error, 1e-6);
    physics_at_most(name, "opened, of the clearance", f->used, 1.01);
    physics_at_most(name, "misfit [m, rad]", f->misfit, 1e-6);
}

/* Stayed open, and its loop opened by 22 mm: a row of rounding took the place of a real one. */
static void test_gripper_closes(void **state)
{
    (void)state;
    const double mujoco = 0.5897, h = 0.002, torque = 0.3;
    const char *name = "Robotiq 2F-85, 0.3 N m";
    crn_model *model = passive_robot_model("mjcf/menagerie/robotiq_2f85/2f85.xml");
    int driver = crn_model_find_joint(model, "right_driver_joint");
    crn_world *world = tree_world(model);
    figures f = {0};
    double start = cpu_seconds();
    enum { STEPS = 150 };
    for (int k = 0; k < STEPS; ++k) {
        crn_joint_id joint = crn_world_joint(world, driver + 1);
        assert_int_equal(crn_joint_apply_force(world, joint, 0, torque), CRN_OK);
        crn_step_stats stats = tree_step(world, h);
        meet(&f, &stats);
    }
    print_message("%s: %.1f us a step\n", name, 1e6 * (cpu_seconds() - start) / STEPS);
    physics_figure(name, "driver after 0.3 s [rad]", tree_coordinate(world, driver), mujoco, 0.01);
    judge(&f, name);
    crn_world_destroy(world);
    crn_model_destroy(model);
}

/* The same robot without springs, dampers, limits and shapes: energy is gravity's and motion's alone. */
static crn_model *bare(crn_model *from)
{
    crn_model *model = physics_model();
    *crn_model_world(model) = *crn_model_world_of(from);
    for (int i = 0; i < crn_model_bodies(from); ++i) {
        crn_body_def def = *crn_model_body(from, i);
        def.shapes = def.mass > 0.0 ? 0 : def.shapes;
        TREE_CHECK(crn_model_add_body(model, &def, NULL, error));
    }
    for (int i = 0; i < crn_model_joints(from); ++i) {
        crn_joint_def def = *crn_model_joint(from, i);
        crn_joint_axis none = crn_joint_def_default().axis[0];
        for (int k = 0; k < CRN_JOINT_COORDINATES_MAX; ++k) {
            none.armature = def.axis[k].armature;
            def.axis[k] = none;
        }
        tree_add(model, &def);
    }
    crn_model_destroy(from);
    return model;
}

/* Gained 116 J in one step. */
static void test_legs_fall(void **state)
{
    (void)state;
    const double steps[] = {0.01, 0.002, 0.0005};
    for (int i = 0; i < 3; ++i) {
        char name[40];
        (void)snprintf(name, sizeof name, "Cassie in free fall, h %g", steps[i]);
        crn_world *world = physics_world(bare(robot_model("mjcf/menagerie/agility_cassie/cassie.xml")));
        figures f = {0};
        double first = 0.0, off = 0.0;
        for (int k = 0; k < (int)lround(0.6 / steps[i]); ++k) {
            crn_step_stats stats = tree_step(world, steps[i]);
            double energy = stats.kinetic + stats.potential;
            first = k == 0 ? energy : first;
            off = fmax(off, fabs(energy / first - 1.0));
            meet(&f, &stats);
        }
        physics_at_most(name, "energy, off by its share", off, 1e-9);
        judge(&f, name);
        crn_world_destroy(world);
    }
}

static void test_legs_come_to_rest(void **state)
{
    (void)state;
    crn_world *world = physics_world(robot_model("mjcf/menagerie/agility_cassie/scene.xml"));
    figures f = {0};
    crn_step_stats stats = {0};
    double overlap = 0.0;
    for (int k = 0; k < 2000; ++k) {
        stats = tree_step(world, 0.001);
        overlap = fmax(overlap, stats.penetration);
        meet(&f, &stats);
    }
    physics_at_most("Cassie on the floor", "kinetic energy after 2 s [J]", stats.kinetic, 1e-4);
    physics_at_most("Cassie on the floor", "overlap [m]", overlap, 1e-6);
    judge(&f, "Cassie on the floor");
    crn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gripper_closes),
        cmocka_unit_test(test_legs_fall),
        cmocka_unit_test(test_legs_come_to_rest),
    };
    test_data_require("mjcf/menagerie/robotiq_2f85/2f85.xml");
    test_data_require("mjcf/menagerie/agility_cassie/scene.xml");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
