/* What a slot owns: tables of profiles and names, copied so that the caller may free his. */
#include <string.h>

#include "world/world.h"

static size_t table_size(const crn_profile *const *profile, int count)
{
    size_t size = 0;
    for (int i = 0; i < count; ++i) {
        size += profile[i]->times ? 2 * (size_t)profile[i]->count : 0;
    }
    return size;
}

/* One block for the tables of all these profiles; they lead into it afterwards. */
static bool copy(const crn_allocator *allocator, crn_profile *const *profile, int count, double **table)
{
    size_t size = table_size((const crn_profile *const *)profile, count);
    *table = NULL;
    if (size == 0) {
        return true;
    }
    double *to = *table = crn_allocate(allocator, size, sizeof **table);
    if (!to) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        size_t length = profile[i]->times ? (size_t)profile[i]->count : 0;
        if (length > 0) {
            memcpy(to, profile[i]->times, length * sizeof *to);
            memcpy(to + length, profile[i]->values, length * sizeof *to);
            profile[i]->times = to;
            profile[i]->values = to + length;
            to += 2 * length;
        }
    }
    return true;
}

bool crn_copy_motion(const crn_allocator *allocator, crn_motion *motion, double **table)
{
    crn_profile *const profile[] = {&motion->x, &motion->y, &motion->z, &motion->angle};
    return copy(allocator, profile, 4, table);
}

bool crn_copy_axes(const crn_allocator *allocator, crn_joint_axis *axis, double **table)
{
    crn_profile *profile[3 * CRN_JOINT_COORDINATES_MAX];
    for (int i = 0; i < CRN_JOINT_COORDINATES_MAX; ++i) {
        profile[3 * i] = &axis[i].speed;
        profile[3 * i + 1] = &axis[i].target;
        profile[3 * i + 2] = &axis[i].force;
    }
    return copy(allocator, profile, 3 * CRN_JOINT_COORDINATES_MAX, table);
}

bool crn_copy_load(const crn_allocator *allocator, crn_load_def *load, double **table)
{
    crn_profile *const profile[] = {&load->factor};
    return copy(allocator, profile, 1, table);
}

/* --- Slots --- */

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
