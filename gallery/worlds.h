/* worlds.h -- what the files world_*.c offer to the table in gallery_worlds.c. */
#ifndef CAIRN_GALLERY_WORLDS_TABLE_H
#define CAIRN_GALLERY_WORLDS_TABLE_H

#include <cairn/model.h>

/** Fill an empty model; the table has set its name. */
typedef crn_status crn_gallery_world_fn(crn_model *model, crn_error *error);

crn_gallery_world_fn crn_gallery_box_on_floor;  /* world_box_on_floor.c */
crn_gallery_world_fn crn_gallery_disk_on_table; /* world_disk_on_table.c */

/* world_hart.c */
crn_gallery_world_fn crn_gallery_ellipse, crn_gallery_disks, crn_gallery_brazil_nut;

/* world_stacks.c */
crn_gallery_world_fn crn_gallery_stack_10, crn_gallery_stack_30, crn_gallery_stack_100, crn_gallery_stack_leaning,
    crn_gallery_stack_masses;

crn_gallery_world_fn crn_gallery_pour; /* world_pour.c */

#endif
