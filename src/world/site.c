/* Sites: frames fixed to bodies. They are only looked at: nothing of the step knows them. */
#include "world/world.h"

#include <string.h>

static int site_index(const crn_world *w, crn_site_id id)
{
    int i = (int)id.index1 - 1;
    bool is_valid = w && i >= 0 && i < w->sites && w->site_at[i].is_used && w->site[i].generation == id.generation;
    return is_valid ? i : -1;
}

/* --- Life --- */

/* An empty slot; one more if there is none. -1 without memory. */
static int take_slot(crn_world *w)
{
    for (int i = 0; i < w->sites; ++i) {
        if (!w->site_at[i].is_used) {
            return i;
        }
    }
    const crn_allocator *allocator = &w->stepper.allocator;
    if (!crn_reserve(allocator, (void **)&w->site, &w->site_capacity, w->sites + 1, sizeof *w->site) ||
        !crn_reserve(allocator, (void **)&w->site_at, &w->site_at_capacity, w->sites + 1, sizeof *w->site_at)) {
        return -1;
    }
    memset(&w->site[w->sites], 0, sizeof *w->site);
    memset(&w->site_at[w->sites], 0, sizeof *w->site_at);
    return w->sites;
}

crn_status crn_site_create(crn_world *w, const crn_site_def *def, crn_body_id body, crn_site_id *site, crn_error *error)
{
    crn_clear(error);
    if (!w || !def || !site) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world, def or site is NULL");
    }
    int index = crn_world_body_index(w, body);
    if (body.index1 != 0 && index < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "site.body: the id is stale");
    }
    crn_status status = crn_site_def_check(def, w->stepper.def.is_planar, "site", error);
    if (status != CRN_OK) {
        return status;
    }
    int slot = take_slot(w);
    char *name = NULL;
    if (slot < 0 || !crn_world_copy_name(&w->stepper.allocator, def->name, &name)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a site");
    }
    crn_pose pose = {def->pose.position, crn_quat_unit(def->pose.rotation)};
    w->site_at[slot] = (crn_world_site_slot){
        .is_used = true, .body = index, .pose = pose, .zone = def->zone, .zone_size = def->zone_size};
    w->site[slot].name = name;
    w->site[slot].generation++;
    w->sites += slot == w->sites;
    *site = (crn_site_id){(int32_t)slot + 1, w->site[slot].generation};
    return CRN_OK;
}

static void drop(crn_world *w, int i)
{
    w->site_at[i].is_used = false;
    crn_world_clear_slot(&w->stepper.allocator, &w->site[i]);
}

crn_status crn_site_destroy(crn_world *w, crn_site_id site, crn_error *error)
{
    int i = site_index(w, site);
    crn_clear(error);
    if (i < 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "site: the id is stale or null");
    }
    drop(w, i);
    return CRN_OK;
}

void crn_world_drop_sites(crn_world *w, int body)
{
    for (int i = 0; i < w->sites; ++i) {
        if (w->site_at[i].is_used && w->site_at[i].body == body) {
            drop(w, i);
        }
    }
}

/* --- Looking --- */

bool crn_site_is_valid(const crn_world *w, crn_site_id site)
{
    return site_index(w, site) >= 0;
}

int crn_world_sites(const crn_world *w)
{
    return w ? w->sites : 0;
}

crn_site_id crn_world_site(const crn_world *w, int index1)
{
    bool is_there = w && index1 >= 1 && index1 <= w->sites && w->site_at[index1 - 1].is_used;
    return is_there ? (crn_site_id){index1, w->site[index1 - 1].generation} : (crn_site_id){0, 0};
}

const char *crn_site_name(const crn_world *w, crn_site_id site)
{
    int i = site_index(w, site);
    return i >= 0 ? w->site[i].name : NULL;
}

crn_status crn_site_frame(const crn_world *w, crn_site_id site, crn_body_id *body, crn_pose *pose)
{
    int i = site_index(w, site);
    if (i < 0) {
        return CRN_ERR_ARGUMENT;
    }
    if (body) {
        *body = crn_world_body(w, w->site_at[i].body + 1);
    }
    if (pose) {
        *pose = w->site_at[i].pose;
    }
    return CRN_OK;
}
