/* world_table.c -- a table on two rows of legs, its weight in the middle. More than three legs are redundant: many
 * distributions of the load carry it. The most even one gives every leg m g / legs. */
#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

enum { LEGS_MOST = 16 };

static crn_body_shape leg_of(const crn_build *b, int i, int legs)
{
    const double radius = 0.02, half_length = 0.3, width = 0.8, length = 1.6;
    int row = i / 2, rows = legs / 2;
    crn_body_shape leg = crn_build_capsule(b, radius, half_length);
    leg.pose.position.x = length * ((double)row / (rows - 1) - 0.5);
    leg.pose.position.y = i % 2 ? 0.5 * width : -0.5 * width;
    leg.pose.position.z = radius + half_length;
    return leg;
}

crn_status crn_gallery_table_of(crn_model *model, const crn_gallery_table *table, crn_error *error)
{
    const double top_half = 0.02, mass = 24.0;
    crn_body_shape shape[LEGS_MOST + 1];
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 1.0)->even = true;
    if (table->legs < 4 || table->legs > LEGS_MOST || table->legs % 2 != 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: a table of %d legs", table->legs);
    }
    for (int i = 0; i < table->legs; ++i) {
        int at = table->order != NULL ? table->order[i] : i;
        shape[i] = leg_of(&b, at, table->legs);
    }
    shape[table->legs] = crn_build_box(&b, 0.9, 0.5, top_half);
    shape[table->legs].pose.position.z = 0.65;
    crn_body_def def = crn_body_def_default();
    def.name = "table";
    def.mass = mass;
    def.com.z = 0.6;
    def.shape = shape;
    def.shapes = table->legs + 1;
    if (!table->is_floor_last) {
        crn_build_floor(&b);
    }
    int body = crn_build_add(&b, &def);
    if (table->is_floor_last) {
        crn_build_floor(&b);
    }
    crn_build_probe(&b, CRN_PROBE_CONTACT_FORCE, body);
    return b.status;
}

crn_status crn_gallery_table_4(crn_model *model, crn_error *error)
{
    return crn_gallery_table_of(model, &(crn_gallery_table){.legs = 4}, error);
}

crn_status crn_gallery_table_6(crn_model *model, crn_error *error)
{
    return crn_gallery_table_of(model, &(crn_gallery_table){.legs = 6}, error);
}

crn_status crn_gallery_table_8(crn_model *model, crn_error *error)
{
    return crn_gallery_table_of(model, &(crn_gallery_table){.legs = 8}, error);
}
