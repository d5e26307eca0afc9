/* gallery_worlds.c -- the table of scenes. A new one: its file, its line in worlds.h, its line here. */
#include "gallery_worlds.h"

#include "worlds.h"

#include <string.h>

typedef struct entry {
    const char *name, *about;
    crn_gallery_world_fn *fill;
} entry;

static const entry entries[] = {
    {"box-on-floor", "a box slides on the floor and stops after v^2 / (2 mu g)", crn_gallery_box_on_floor},
    {"disk-on-table", "a disk slides on a table until it rolls, at 2/3 of its speed (planar)",
     crn_gallery_disk_on_table},
    {"ellipse", "Hart and Anitescu: an ellipse dropped on a table (planar)", crn_gallery_ellipse},
    {"disks", "Hart and Anitescu: a pile of 21 disks falls apart (planar)", crn_gallery_disks},
    {"brazil-nut", "Hart and Anitescu: 201 disks are shaken, the large one rises (planar)", crn_gallery_brazil_nut},
    {"cairn", "eight flat stones on one another, and a ball that is thrown at them", crn_gallery_cairn},
    {"stack-10", "10 boxes stand on one another", crn_gallery_stack_10},
    {"stack-30", "30 boxes stand on one another", crn_gallery_stack_30},
    {"stack-100", "100 boxes stand on one another", crn_gallery_stack_100},
    {"stack-leaning", "100 boxes, every other one 10 cm aside", crn_gallery_stack_leaning},
    {"stack-masses", "five boxes of 1, 10, 100, 1000, 10000 kg, the heaviest on top", crn_gallery_stack_masses},
    {"heavy-on-light", "100 kg stand on 1 kg", crn_gallery_heavy_on_light},
    {"incline-rest", "a box on a slope of 30 degrees, mu = 1.02 tan: does not creep", crn_gallery_incline_rest},
    {"incline-slide", "the same, mu = 0.95 tan: slides with g (sin - mu cos)", crn_gallery_incline_slide},
    {"push-rest", "1 kg, mu 0.5, pushed with 4.90 N of 4.905: rests", crn_gallery_push_rest},
    {"push-move", "the same with 4.91 N: moves", crn_gallery_push_move},
    {"launch", "a cube slides flat from 6 m/s, straight, and stops after v^2 / (2 mu g)", crn_gallery_launch},
    {"wall", "a cube of 1 kg is pressed to a wall with 20 N, mu 1: holds", crn_gallery_wall},
    {"pinch", "a capsule of 45 g between two jaws, 12 N, mu 0.7: does not sink", crn_gallery_pinch},
    {"table-4", "a table on four legs: equal loads", crn_gallery_table_4},
    {"table-6", "a table on six legs: equal loads", crn_gallery_table_6},
    {"table-8", "a table on eight legs: equal loads", crn_gallery_table_8},
    {"two-balls", "an elastic hit: the balls exchange their velocities", crn_gallery_two_balls},
    {"bounce", "a ball with restitution 0.8 rises to 0.64 of its height", crn_gallery_bounce},
    {"hinged-boxes", "two boxes on parallel hinges collide in 10 points", crn_gallery_hinged_boxes},
    {"pendulum", "a bar on a hinge (planar)", crn_gallery_pendulum},
    {"double-pendulum", "a bar on a bar on a hinge (planar)", crn_gallery_double_pendulum},
    {"rope", "a ball swings on a rope: a distance with an upper limit", crn_gallery_rope},
    {"flywheel", "a motor starts a wheel of 10^12 kg m^2: rows of effective mass near 0 (planar)",
     crn_gallery_flywheel},
    {"tumbling", "a box thrown about its middle axis, without weight", crn_gallery_tumbling},
    {"four-bar", "crank, coupler and rocker: a closed loop", crn_gallery_four_bar_space},
    {"four-bar-parallel", "a parallelogram with three cranks: a redundant loop", crn_gallery_four_bar_parallel},
    {"leg", "Jansen's leg, driven, under load (planar)", crn_gallery_leg_loaded},
    {"rolling-ellipse", "an ellipse rolls over its ends (planar)", crn_gallery_rolling_ellipse},
    {"rolling-disk", "a disk rolls down a fixed one (planar)", crn_gallery_rolling_disk},
    {"painleve", "a rod slides into Painleve's paradox (planar)", crn_gallery_painleve},
    {"pour", "1000 spheres fall into a box", crn_gallery_pour},
    {"hoist", "Yamane and Nakamura: a chain of 25 ball joints whips round a rod", crn_gallery_hoist},
    {"net", "Yamane and Nakamura: five capsules fall on four strings of 16 links", crn_gallery_net},
    {"net-doubled", "the net with every loop closed twice", crn_gallery_net_doubled},
    {"ring2", "Yamane and Nakamura: two wires, ring through ring", crn_gallery_ring2},
    {"ring3", "three wires, ring through ring", crn_gallery_ring3},
    {"nut-on-bolt", "a nut on a bolt M16 that holds by friction, two meshes", crn_gallery_nut_on_bolt},
    {"nut-spins", "the same with little friction: it screws itself down", crn_gallery_nut_spins},
    {"double-rings", "two free rings through each other spin at 38 rad/s", crn_gallery_double_rings},
    {"chain25", "a chain of 25 ball joints swings and touches nothing", crn_gallery_chain25},
    {"arm7", "an arm of seven hinges swings and touches nothing", crn_gallery_arm7},
    {"humanoid", "27 degrees of freedom fall on the floor and lie there", crn_gallery_humanoid_falls},
    {"humanoid20", "a small humanoid with driven joints stands and swings its arms", crn_gallery_humanoid20},
    {"squat", "Yamane and Nakamura: the small humanoid goes down and up", crn_gallery_squat},
    {"tap-dance", "Yamane and Nakamura: the small humanoid dances", crn_gallery_tap_dance},
};
enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

int crn_gallery_world_count(void)
{
    return ENTRY_COUNT;
}

const char *crn_gallery_world_name(int i)
{
    return i >= 0 && i < ENTRY_COUNT ? entries[i].name : NULL;
}

const char *crn_gallery_world_about(int i)
{
    return i >= 0 && i < ENTRY_COUNT ? entries[i].about : NULL;
}

crn_status crn_gallery_world(const char *name, crn_model **model, crn_error *error)
{
    *model = NULL;
    int i = 0;
    while (i < ENTRY_COUNT && strcmp(entries[i].name, name) != 0) {
        ++i;
    }
    if (i == ENTRY_COUNT) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: there is no scene '%s'", name);
    }
    crn_model *made = NULL;
    crn_status status = crn_model_create(NULL, &made, error);
    if (status == CRN_OK) {
        status = crn_model_set_name(made, name, error);
    }
    if (status == CRN_OK) {
        status = entries[i].fill(made, error);
    }
    if (status != CRN_OK) {
        crn_model_destroy(made);
        return status;
    }
    *model = made;
    return CRN_OK;
}
