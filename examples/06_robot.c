/* A robot from URDF text in memory: an arm of two links is let go level, its joints brake, and it ends hanging straight down.
 * A reader of files does the same with crn_io_read_urdf("arm.urdf", ...). */
#include <cairn/io.h>
#include <cairn/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char arm[] = "<robot name='arm'>"
                          "  <link name='base'/>"
                          "  <link name='upper'>"
                          "    <inertial><origin xyz='0.2 0 0'/><mass value='2'/>"
                          "      <inertia ixx='0.001' iyy='0.03' izz='0.03' ixy='0' ixz='0' iyz='0'/></inertial>"
                          "  </link>"
                          "  <link name='lower'>"
                          "    <inertial><origin xyz='0.15 0 0'/><mass value='1'/>"
                          "      <inertia ixx='0.001' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>"
                          "  </link>"
                          "  <joint name='shoulder' type='continuous'>" /* turns down: about y */
                          "    <parent link='base'/><child link='upper'/><axis xyz='0 1 0'/><dynamics damping='2'/>"
                          "  </joint>"
                          "  <joint name='elbow' type='revolute'>"
                          "    <parent link='upper'/><child link='lower'/><origin xyz='0.4 0 0'/><axis xyz='0 1 0'/>"
                          "    <limit lower='-2' upper='2' effort='10' velocity='10'/><dynamics damping='0.3'/>"
                          "  </joint>"
                          "</robot>";

int main(void)
{
    crn_error error;
    crn_model *model;
    crn_world *world;
    if (!crn_io_has_xml()) {
        printf("this library was built without expat\n");
        return 77;
    }
    if (crn_model_create(NULL, &model, &error) != CRN_OK) {
        return 2;
    }
    crn_robot_options options = crn_robot_options_default();
    options.is_fixed = true; /* weld the base to the world */
    if (crn_io_read_urdf_text(arm, strlen(arm), "arm.urdf", &options, model, &error) != CRN_OK ||
        crn_world_create_from(model, NULL, &world, &error) != CRN_OK) {
        fprintf(stderr, "%s\n", error.text); /* names file, line and element */
        return 2;
    }
    /* Joints of a world have the index of the model's, plus one. */
    crn_joint_id shoulder = crn_world_joint(world, 1 + crn_model_find_joint(model, "shoulder"));
    crn_joint_id elbow = crn_world_joint(world, 1 + crn_model_find_joint(model, "elbow"));
    crn_model_destroy(model);

    double first = 0.0, second = 0.0, speed;
    for (int step = 0; step <= 500; ++step) {
        crn_joint_coordinate(world, shoulder, &first, &speed);
        crn_joint_coordinate(world, elbow, &second, &speed);
        if (step % 100 == 0) {
            printf("t = %.0f s: shoulder %7.4f rad, elbow %7.4f rad\n", crn_world_time(world), first, second);
        }
        crn_step_stats stats;
        if (crn_world_step(world, 0.01, &stats, &error) != CRN_OK || stats.outcome != CRN_LCP_SOLVED) {
            return 1;
        }
    }
    crn_world_destroy(world);
    return fabs(first - 1.57079632679489662) < 1e-3 && fabs(second) < 1e-3 ? 0 : 1;
}
