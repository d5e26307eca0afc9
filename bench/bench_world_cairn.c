/* bench_world_cairn.c -- our world behind the interface of the foreign engines. Objects live until the process ends. */
#include "bench_world.h"

#include <stdlib.h>
#include <string.h>

typedef struct world {
    crn_world *cairn;
    crn_body_id *free;
    double h;
    int complaints;
} world;

static bool open_world(world *w, const crn_model *model, int setting)
{
    if (crn_world_create_from(model, NULL, &w->cairn, NULL) != CRN_OK) {
        return false;
    }
    crn_world_def def = *crn_world_definition(w->cairn);
    def.scheme = setting == 0 ? CRN_SCHEME_COULOMB : CRN_SCHEME_CONVEX;
    return crn_world_configure(w->cairn, &def, NULL) == CRN_OK;
}

static void *create(const bench_plain_scene *scene, int setting)
{
    const crn_model *model = scene->model;
    world *w = calloc(1, sizeof *w);
    if (!w || !(w->free = calloc((size_t)scene->free + 1, sizeof *w->free)) || !open_world(w, model, setting)) {
        return NULL;
    }
    w->h = scene->h;
    for (int i = 0, free = 0; i < crn_model_bodies(model); ++i) {
        if (crn_model_body(model, i)->kind == CRN_BODY_FREE) {
            w->free[free++] = crn_world_body(w->cairn, i + 1);
        }
    }
    return w;
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
}

static int complaints(void *data)
{
    return ((const world *)data)->complaints;
}

const bench_world_peer bench_world_cairn = {
    .name = "cairn",
    .version = "this build",
    .settings = {"Coulomb", "convex"},
    .takes = BENCH_TAKES_SPATIAL | BENCH_TAKES_PLANAR | BENCH_TAKES_DISKS,
    .create = create,
    .step = step,
    .state = state,
    .complaints = complaints,
};
