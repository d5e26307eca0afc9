/* worlds.h -- what the files world_*.c offer to the table in gallery_worlds.c. */
#ifndef CAIRN_GALLERY_WORLDS_TABLE_H
#define CAIRN_GALLERY_WORLDS_TABLE_H

#include <cairn/model.h>

/** Fill an empty model; the table has set its name. */
typedef crn_status crn_gallery_world_fn(crn_model *model, crn_error *error);

crn_gallery_world_fn crn_gallery_box_on_floor;  /* world_box_on_floor.c */
crn_gallery_world_fn crn_gallery_disk_on_table; /* world_disk_on_table.c */

crn_gallery_world_fn crn_gallery_cairn; /* world_cairn.c */

/* world_hart.c */
crn_gallery_world_fn crn_gallery_ellipse, crn_gallery_disks, crn_gallery_brazil_nut;

/* world_stacks.c */
crn_gallery_world_fn crn_gallery_stack_10, crn_gallery_stack_30, crn_gallery_stack_100, crn_gallery_stack_leaning,
    crn_gallery_stack_masses, crn_gallery_heavy_on_light;

/* world_friction.c */
crn_gallery_world_fn crn_gallery_incline_rest, crn_gallery_incline_slide, crn_gallery_push_rest, crn_gallery_push_move,
    crn_gallery_launch, crn_gallery_wall, crn_gallery_pinch;

/* world_table.c */
crn_gallery_world_fn crn_gallery_table_4, crn_gallery_table_6, crn_gallery_table_8;

/* world_collisions.c */
crn_gallery_world_fn crn_gallery_two_balls, crn_gallery_bounce, crn_gallery_hinged_boxes;

/* world_pendulum.c */
crn_gallery_world_fn crn_gallery_pendulum, crn_gallery_double_pendulum, crn_gallery_rope, crn_gallery_flywheel,
    crn_gallery_tumbling;

/* world_linkages.c */
crn_gallery_world_fn crn_gallery_four_bar_space, crn_gallery_four_bar_parallel, crn_gallery_leg_loaded;

/* world_rolling.c */
crn_gallery_world_fn crn_gallery_rolling_ellipse, crn_gallery_rolling_disk, crn_gallery_painleve;

crn_gallery_world_fn crn_gallery_pour; /* world_pour.c */

/* world_chains.c */
crn_gallery_world_fn crn_gallery_hoist, crn_gallery_net, crn_gallery_net_doubled, crn_gallery_chain25, crn_gallery_arm7;

/* world_screw.c */
crn_gallery_world_fn crn_gallery_nut_on_bolt, crn_gallery_nut_spins;

/* world_rings.c */
crn_gallery_world_fn crn_gallery_ring2, crn_gallery_ring3, crn_gallery_double_rings;

crn_gallery_world_fn crn_gallery_humanoid_falls; /* world_humanoid.c */

/* world_robot.c */
crn_gallery_world_fn crn_gallery_humanoid20, crn_gallery_squat, crn_gallery_tap_dance;

#endif
