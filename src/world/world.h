/* What the files of this room share. */
#ifndef CRN_WORLD_WORLD_H
#define CRN_WORLD_WORLD_H

#include <cairn/world.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "model/model_room.h"
#include "step/step_room.h"

/* Beside each slot of the stepper: how often it was used, the caller's pointer, tables of its profiles, its name. */
typedef struct crn_slot {
    uint32_t generation;
    void *user;
    double *table;
    char *name; /* NULL: none */
} crn_slot;

/* A frame on a body: site.c. */
typedef struct crn_world_site_slot {
    bool is_used;
    int body;      /* of the stepper; -1: the world */
    crn_pose pose; /* in the body's frame */
    crn_shape_kind zone;
    crn_vec3 zone_size;
} crn_world_site_slot;

/* An actuator: actuator.c. */
typedef struct crn_world_actuator {
    crn_actuator_def def; /* joint: of the stepper; name: its own */
    uint32_t generation;  /* of the joint */
    double control;       /* within its limits */
    double activation;    /* follows the control */
    double before;        /* the same where the step began */
} crn_world_actuator;

/* Bodies of one mechanism that overlapped at the start: pair.c. */
typedef struct crn_overlaps {
    crn_start_overlap *list;
    int count, capacity;
} crn_overlaps;

struct crn_world {
    crn_stepper stepper;
    crn_slot *body, *joint, *load, *site;
    int body_capacity, joint_capacity, load_capacity, site_capacity;
    crn_world_site_slot *site_at; /* beside each slot of a site */
    int sites, site_at_capacity;
    crn_slot *tendon; /* names of the stepper's */
    int tendon_capacity;
    crn_world_actuator *actuator;
    int actuators, actuator_capacity;
    int first_empty; /* no slot of a body below it is empty */
    crn_overlaps overlaps;
    double last_dt;        /* of the last step, or of its last part; 0: none yet */
    bool has_stepped;      /* the stepper's problem is that of a step */
    unsigned failed;       /* what was wrong with the last step: bits (1u << verdict) */
    unsigned char *backup; /* where a step in parts began */
    int backup_capacity;
};

/* May a caller give this? False for NaN, infinite and absurd numbers. */
static inline bool crn_world_is_position(crn_vec3 a)
{
    return crn_v3_length(a) <= CRN_WORLD_POSITION_MOST;
}

static inline bool crn_world_is_speed(crn_vec3 a)
{
    return crn_v3_length(a) <= CRN_WORLD_SPEED_MOST;
}

static inline bool crn_world_is_force(crn_vec3 a)
{
    return crn_v3_length(a) <= CRN_WORLD_FORCE_MOST;
}

/* Numbers up to `most`, none of them NaN? */
static inline bool crn_world_are_within(const double *x, int count, double most)
{
    bool is_within = true;
    for (int i = 0; i < count; ++i) {
        is_within = is_within && fabs(x[i]) <= most;
    }
    return is_within;
}

/* ids.c: the stepper's index of a valid id; -1 for a stale or null one, or without a world. */
int crn_world_body_index(const crn_world *world, crn_body_id id);
int crn_world_joint_index(const crn_world *world, crn_joint_id id);

/* tables.c: a copy of a name, NULL of NULL; false without memory. */
bool crn_world_copy_name(const crn_allocator *allocator, const char *name, char **copy);

/* What a slot owns is released. */
void crn_world_clear_slot(const crn_allocator *allocator, crn_slot *slot);

/* actuator.c: activations follow their controls for dt, and what they make acts on the joints; back again if the step failed. */
void crn_world_activate(crn_world *world, double dt);
void crn_world_deactivate(crn_world *world);
void crn_world_free_actuators(crn_world *world);

/* substeps.c: one step, in parts if it would not be certified as a whole. On failure nothing has moved. */
crn_status crn_world_advance(crn_world *world, double dt, crn_step_stats *stats, crn_error *error);

/* crn_world_restore() of a snapshot that the library itself made of this world: its checksum is not looked at. */
crn_status crn_world_go_back(crn_world *world, const void *snapshot, crn_error *error);

/* tables.c: copies of the tables of profiles, one block each; *table NULL if there are none. */
bool crn_copy_motion(const crn_allocator *allocator, crn_motion *motion, double **table);
bool crn_copy_axes(const crn_allocator *allocator, crn_joint_axis *axis, double **table);
bool crn_copy_load(const crn_allocator *allocator, crn_load_def *load, double **table);

/* tree.c: bodies that are links. Only the root of a tree that floats can be placed; the tree goes with it. */
bool crn_world_is_link(crn_world *world, int body);
crn_status crn_world_set_root_pose(crn_world *world, int body, const crn_pose *pose);
crn_status crn_world_set_root_velocity(crn_world *world, int body, const crn_twist *velocity);

/* The caller has changed coordinates or velocities of the trees of these bodies. */
void crn_world_trees_changed(crn_world *world, const crn_body_id *body, int count);

/* pair.c: look for bodies of one mechanism that overlap where they stand; those near to each other are kept from touching. */
crn_status crn_world_find_overlaps(crn_world *world, crn_error *error);

/* tendon.c: those that pass the body or the joint (-1: none) are gone. */
void crn_world_drop_tendons(crn_world *world, int body, int joint);
void crn_world_free_tendons(crn_world *world);

/* site_zone.c: does a half-line, in the site's frame, meet the zone of a site? The size is not 0. */
bool crn_zone_meets_ray(crn_shape_kind kind, crn_vec3 size, crn_vec3 from, crn_vec3 direction);

/* site.c: the same of the body's sites. */
void crn_world_drop_sites(crn_world *world, int body);

/* joint.c: remove without asking, for the body's joints and loads. */
void crn_world_drop_joint(crn_world *world, int index);
void crn_world_drop_load(crn_world *world, int index);

#endif
