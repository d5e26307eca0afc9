/* Names of bodies, joints and sites: kept as they were given, found one after another. */
#include "world/world.h"

#include <string.h>

/* The first slot of that name; -1 if there is none. Names of slots that are empty are NULL. */
static int find(const crn_slot *slot, int count, const char *name)
{
    for (int i = 0; name != NULL && i < count; ++i) {
        if (slot[i].name != NULL && strcmp(slot[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

crn_body_id crn_world_find_body(const crn_world *w, const char *name)
{
    return crn_world_body(w, w ? find(w->body, w->stepper.bodies, name) + 1 : 0);
}

crn_joint_id crn_world_find_joint(const crn_world *w, const char *name)
{
    return crn_world_joint(w, w ? find(w->joint, w->stepper.joints, name) + 1 : 0);
}

crn_site_id crn_world_find_site(const crn_world *w, const char *name)
{
    return crn_world_site(w, w ? find(w->site, w->sites, name) + 1 : 0);
}

const char *crn_body_name(const crn_world *w, crn_body_id body)
{
    int i = crn_world_body_index(w, body);
    return i >= 0 ? w->body[i].name : NULL;
}

const char *crn_joint_name(const crn_world *w, crn_joint_id joint)
{
    int i = crn_world_joint_index(w, joint);
    return i >= 0 ? w->joint[i].name : NULL;
}
