/* Names of bodies and joints: kept as they were given, found one after another. */
#include "world/world.h"

#include <string.h>

bool crn_world_copy_name(const crn_allocator *allocator, const char *name, char **copy)
{
    *copy = NULL;
    if (name == NULL) {
        return true;
    }
    size_t size = strlen(name) + 1;
    *copy = crn_allocate(allocator, size, 1);
    if (*copy != NULL) {
        memcpy(*copy, name, size);
    }
    return *copy != NULL;
}

void crn_world_clear_slot(const crn_allocator *allocator, crn_slot *slot)
{
    crn_release(allocator, slot->table);
    crn_release(allocator, slot->name);
    slot->table = NULL;
    slot->name = NULL;
}

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
