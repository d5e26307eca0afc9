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
    {"stack-10", "10 boxes stand on one another", crn_gallery_stack_10},
    {"stack-30", "30 boxes stand on one another", crn_gallery_stack_30},
    {"stack-100", "100 boxes stand on one another", crn_gallery_stack_100},
    {"stack-leaning", "100 boxes, every other one 10 cm aside", crn_gallery_stack_leaning},
    {"stack-masses", "five boxes of 1, 10, 100, 1000, 10000 kg, the heaviest on top", crn_gallery_stack_masses},
    {"pour", "1000 spheres fall into a box", crn_gallery_pour},
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
