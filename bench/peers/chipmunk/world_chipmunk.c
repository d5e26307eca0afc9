/* world_chipmunk.c -- planar scenes in Chipmunk. */
#include "../world_peer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <chipmunk/chipmunk.h>

static const double groove = 10.0; /* half of a slider's way [m] */

typedef struct world {
    cpSpace *space;
    cpBody **body; /* free ones, then driven ones */
    cpBody **all;  /* by place */
    int count;
    cpVect *start;
    int free, driven;
    double h;
} world;

static cpVect vector(const double *a)
{
    return cpv(a[0], a[1]);
}

static cpBody *body_of(const bench_plain_body *of)
{
    switch (of->kind) {
    case BENCH_PLAIN_FREE: return cpBodyNew(of->mass, of->inertia[2]);
    case BENCH_PLAIN_DRIVEN: return cpBodyNewKinematic();
    default: return cpBodyNewStatic();
    }
}

static void add_solid(world *w, cpBody *body, const bench_plain_body *of, const bench_plain_part *part)
{
    const double *size = part->size;
    cpVect at = vector(part->position);
    cpShape *shape = part->solid == BENCH_PLAIN_BALL
                         ? cpCircleShapeNew(body, size[0], at)
                         : cpBoxShapeNew2(body, cpBBNewForExtents(at, size[0], size[1]), 0.0);
    cpShapeSetFriction(shape, sqrt(of->mu)); /* a pair has the product */
    cpShapeSetElasticity(shape, sqrt(of->restitution));
    cpSpaceAddShape(w->space, shape);
}

static void add_joint(world *w, const bench_plain_joint *of)
{
    cpBody *a = of->a < 0 ? cpSpaceGetStaticBody(w->space) : w->all[of->a];
    cpBody *b = of->b < 0 ? cpSpaceGetStaticBody(w->space) : w->all[of->b];
    cpVect p = vector(of->point), along = cpvmult(vector(of->axis), groove);
    bool is_turning = of->kind == BENCH_LINK_BALL || of->kind == BENCH_LINK_HINGE;
    cpConstraint *joint = of->kind == BENCH_LINK_SLIDER
                              ? cpGrooveJointNew(a, b, cpBodyWorldToLocal(a, cpvsub(p, along)),
                                                 cpBodyWorldToLocal(a, cpvadd(p, along)), cpBodyWorldToLocal(b, p))
                              : cpPivotJointNew(a, b, p);
    cpConstraintSetCollideBodies(joint, cpFalse);
    cpSpaceAddConstraint(w->space, joint);
    if (!is_turning) {
        double angle = cpBodyGetAngle(b) - cpBodyGetAngle(a);
        cpSpaceAddConstraint(w->space, cpRotaryLimitJointNew(a, b, angle, angle));
    }
}

static void add_body(world *w, const bench_plain_body *of)
{
    cpBody *body = cpSpaceAddBody(w->space, body_of(of));
    cpBodySetPosition(body, vector(of->solid == BENCH_PLAIN_PLANE ? of->slab : of->position));
    cpBodySetAngle(body, 2.0 * atan2(of->rotation[3], of->rotation[0]));
    for (int k = 0; k < of->parts; ++k) {
        add_solid(w, body, of, &of->part[k]);
    }
    w->all[w->count++] = body;
    if (of->kind == BENCH_PLAIN_FREE) {
        cpBodySetVelocity(body, vector(of->velocity));
        cpBodySetAngularVelocity(body, of->angular[2]);
    }
    if (of->kind == BENCH_PLAIN_FIXED) {
        cpSpaceReindexShapesForBody(w->space, body);
        return;
    }
    w->start[w->free + w->driven] = cpBodyGetPosition(body);
    w->body[w->free + w->driven] = body;
    w->free += of->kind == BENCH_PLAIN_FREE;
    w->driven += of->kind == BENCH_PLAIN_DRIVEN;
}

static void *create(const bench_plain_scene *scene, int setting)
{
    world *w = calloc(1, sizeof *w);
    size_t count = (size_t)scene->count;
    if (!w || !(w->body = calloc(count, sizeof *w->body)) || !(w->start = calloc(count, sizeof *w->start)) ||
        !(w->all = calloc(count, sizeof *w->all))) {
        return NULL;
    }
    w->space = cpSpaceNew();
    w->h = scene->h;
    cpSpaceSetGravity(w->space, vector(scene->gravity));
    if (setting == 1) {
        cpSpaceSetIterations(w->space, 100);
        cpSpaceSetCollisionSlop(w->space, 0.001);
    }
    for (int i = 0; i < scene->count; ++i) {
        add_body(w, &scene->body[i]);
    }
    for (int i = 0; i < scene->joints; ++i) {
        add_joint(w, &scene->joint[i]);
    }
    return w;
}

static void step(void *data, const double from[3], const double to[3])
{
    world *w = data;
    (void)from;
    for (int k = w->free; k < w->free + w->driven; ++k) {
        cpVect way = cpvsub(cpvadd(w->start[k], vector(to)), cpBodyGetPosition(w->body[k]));
        cpBodySetVelocity(w->body[k], cpvmult(way, 1.0 / w->h));
    }
    cpSpaceStep(w->space, w->h);
}

static void state(void *data, int body, bench_plain_state *out)
{
    const world *w = data;
    cpVect p = cpBodyGetPosition(w->body[body]), v = cpBodyGetVelocity(w->body[body]);
    double angle = cpBodyGetAngle(w->body[body]);
    *out = (bench_plain_state){.position = {p.x, p.y, 0.0},
                               .rotation = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)},
                               .velocity = {v.x, v.y, 0.0},
                               .angular = {0.0, 0.0, cpBodyGetAngularVelocity(w->body[body])}};
}

/* Chipmunk clears forces after each step. */
static void push(void *data, int body, const double force[3])
{
    cpBody *b = ((const world *)data)->body[body];
    cpBodyApplyForceAtWorldPoint(b, vector(force), cpBodyGetPosition(b));
}

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const bench_world_peer bench_world_chipmunk = {
    .name = "Chipmunk",
    .version = TEXT(CP_VERSION_MAJOR) "." TEXT(CP_VERSION_MINOR) "." TEXT(CP_VERSION_RELEASE),
    .settings = {"10 it., slop 0.1", "100 it., slop 0.001"},
    .takes = BENCH_TAKES_PLANAR | BENCH_TAKES_DISKS,
    .create = create,
    .step = step,
    .state = state,
    .push = push,
};
