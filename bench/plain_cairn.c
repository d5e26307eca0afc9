/* plain_cairn.c -- our world behind the interface of the foreign engines. Objects live until the process ends. */
#include "plain.h"

#include <stdlib.h>
#include <string.h>

typedef struct world {
    crn_world *cairn;
    crn_body_id *free;
    const crn_model *model;
    double h;
    int complaints;
} world;

static bool open_world(world *w, const crn_model *model, bool is_convex, bool is_even)
{
    if (crn_world_create_from(model, NULL, &w->cairn, NULL) != CRN_OK) {
        return false;
    }
    crn_world_def def = *crn_world_definition(w->cairn);
    def.scheme = is_convex ? CRN_SCHEME_CONVEX : CRN_SCHEME_COULOMB;
    def.even = is_even;
    def.loop_clearance = is_even ? -1.0 : def.loop_clearance;
    return crn_world_configure(w->cairn, &def, NULL) == CRN_OK;
}

static void *create(const bench_plain_scene *scene, bool is_convex, bool is_even)
{
    const crn_model *model = scene->model;
    world *w = calloc(1, sizeof *w);
    if (!w || !(w->free = calloc((size_t)scene->free + 1, sizeof *w->free)) ||
        !open_world(w, model, is_convex, is_even)) {
        return NULL;
    }
    w->h = scene->h;
    w->model = model;
    for (int i = 0, free = 0; i < crn_model_bodies(model); ++i) {
        if (crn_model_body(model, i)->kind == CRN_BODY_FREE) {
            w->free[free++] = crn_world_body(w->cairn, i + 1);
        }
    }
    return w;
}

static void *create_by_law(const bench_plain_scene *scene, int setting)
{
    return create(scene, setting == 1, false);
}

static void *create_by_load(const bench_plain_scene *scene, int setting)
{
    return create(scene, false, setting == 1);
}

/* Our world drives bodies by the model's motion. A step without certificate is a complaint. */
static void step(void *data, const double from[3], const double to[3])
{
    world *w = data;
    crn_step_stats stats;
    (void)from;
    (void)to;
    crn_status status = crn_world_step(w->cairn, w->h, &stats, NULL);
    w->complaints += status != CRN_OK || stats.verdict != CRN_VERDICT_CERTIFIED;
}

static void state(void *data, int body, bench_plain_state *out)
{
    const world *w = data;
    crn_pose pose = {0};
    crn_twist velocity = {0};
    (void)crn_body_pose(w->cairn, w->free[body], &pose);
    (void)crn_body_velocity(w->cairn, w->free[body], &velocity);
    memcpy(out->position, &pose.position, sizeof out->position);
    memcpy(out->rotation, &pose.rotation, sizeof out->rotation);
    memcpy(out->velocity, &velocity.linear, sizeof out->velocity);
    memcpy(out->angular, &velocity.angular, sizeof out->angular);
}

static int complaints(void *data)
{
    return ((const world *)data)->complaints;
}

/* The model's body that a place of the description belongs to: free ones come first, others by their solids. */
static int body_at(const crn_model *model, int place)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < crn_model_bodies(model); ++i) {
            const crn_body_def *def = crn_model_body(model, i);
            if ((def->kind != CRN_BODY_FREE) == pass) {
                place -= pass == 0 ? 1 : def->shapes;
                if (place < 0) {
                    return i;
                }
            }
        }
    }
    return -1;
}

static bool load(void *data, int body, double force[3])
{
    const world *w = data;
    crn_body_id id = crn_world_body(w->cairn, body_at(w->model, body) + 1);
    int count = 0;
    (void)crn_world_contacts(w->cairn, &count);
    force[0] = force[1] = force[2] = 0.0;
    for (int k = 0; k < count; ++k) {
        crn_vec3 part;
        if (crn_contact_force_on(w->cairn, k, id, &part, NULL) == CRN_OK) {
            force[0] += part.x;
            force[1] += part.y;
            force[2] += part.z;
        }
    }
    return true;
}

const bench_world_peer bench_world_cairn = {
    .name = "cairn",
    .version = "this build",
    .settings = {"Coulomb", "convex"},
    .takes = BENCH_TAKES_SPATIAL | BENCH_TAKES_PLANAR | BENCH_TAKES_DISKS,
    .create = create_by_law,
    .step = step,
    .state = state,
    .complaints = complaints,
    .load = load,
};

const bench_world_peer bench_world_cairn_even = {
    .name = "cairn",
    .version = "this build",
    .settings = {"as delivered", "even loads, loops without clearance"},
    .takes = BENCH_TAKES_SPATIAL | BENCH_TAKES_PLANAR | BENCH_TAKES_DISKS,
    .create = create_by_load,
    .step = step,
    .state = state,
    .complaints = complaints,
    .load = load,
};
