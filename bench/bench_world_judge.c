/* bench_world_judge.c -- how far solids overlap, by our crn_collide() on the poses that an engine gives. */
#include "bench_world.h"

#include <math.h>
#include <stdlib.h>

#include "math/rigid.h"

/* Points nearer than this share of the scene's length touch: without it the mean would leave out what rests a rounding
 * error above its support. */
static const double touching = 1e-3;

enum { POINTS = 64 }; /* of a pair; two boxes have 8 */

typedef struct solid {
    crn_shape *shape;
    double radius;   /* of the ball about the origin that holds it; infinite for planes */
    crn_pose pose;   /* in the body's frame */
    crn_pose body;   /* pose of its body at t = 0 */
    int free;        /* place among the free bodies; -1: not free */
    int owner;       /* index of its body */
    bool is_driven;  /* moves with the model's motion */
    crn_frame frame; /* now, in the world */
} solid;

struct bench_world_judge {
    const crn_model *model;
    double reach;
    int count, free;
    solid *solid;
};

/* --- Life --- */

static bool add_solid(bench_world_judge *judge, const crn_body_def *def, int owner, const crn_body_shape *shape)
{
    solid *s = &judge->solid[judge->count];
    *s = (solid){.pose = shape->pose, .body = def->pose, .owner = owner, .free = -1};
    s->is_driven = def->kind == CRN_BODY_DRIVEN;
    if (def->kind == CRN_BODY_FREE) {
        s->free = judge->free;
    }
    if (crn_shape_create(&shape->shape, NULL, &s->shape, NULL) != CRN_OK) {
        return false;
    }
    s->radius = crn_shape_radius(s->shape);
    judge->count++;
    return true;
}

static bool add_solids(bench_world_judge *judge)
{
    for (int i = 0; i < crn_model_bodies(judge->model); ++i) {
        const crn_body_def *def = crn_model_body(judge->model, i);
        for (int k = 0; k < def->shapes; ++k) {
            if (!add_solid(judge, def, i, &def->shape[k])) {
                return false;
            }
        }
        judge->free += def->kind == CRN_BODY_FREE;
    }
    return true;
}

bench_world_judge *bench_judge_create(const crn_model *model, double length)
{
    size_t solids = 0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        solids += (size_t)crn_model_body(model, i)->shapes;
    }
    bench_world_judge *judge = calloc(1, sizeof *judge);
    if (judge) {
        judge->model = model;
        judge->reach = touching * length;
        judge->solid = calloc(solids + 1, sizeof *judge->solid);
    }
    if (!judge || !judge->solid || !add_solids(judge)) {
        bench_judge_destroy(judge);
        return NULL;
    }
    return judge;
}

void bench_judge_destroy(bench_world_judge *judge)
{
    if (judge) {
        for (int i = 0; judge->solid && i < judge->count; ++i) {
            crn_shape_destroy(judge->solid[i].shape);
        }
        free(judge->solid);
        free(judge);
    }
}

/* --- Looking --- */

static bool is_finite(const bench_plain_state *state)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sum += state->position[i] + state->rotation[i] + state->velocity[i];
    }
    return isfinite(sum + state->rotation[3]);
}

static void place(solid *s, const bench_plain_state *states, crn_vec3 drive)
{
    crn_pose body = s->body;
    if (s->is_driven) {
        body.position = crn_v3_add(body.position, drive);
    } else if (s->free >= 0) {
        const bench_plain_state *state = &states[s->free];
        const double *q = state->rotation;
        body = (crn_pose){crn_v3_of(state->position), crn_quat_unit((crn_quat){q[0], q[1], q[2], q[3]})};
    }
    crn_pose at = {crn_v3_add(body.position, crn_quat_turn(body.rotation, s->pose.position)),
                   crn_quat_product(body.rotation, s->pose.rotation)};
    s->frame = crn_frame_of(&at);
}

static bool may_touch(const solid *a, const solid *b, double reach)
{
    if ((a->free < 0 && b->free < 0) || a->owner == b->owner) {
        return false;
    }
    return crn_v3_length(crn_v3_sub(a->frame.position, b->frame.position)) <= a->radius + b->radius + reach;
}

/* Overlap of a pair, added to the sight; sight->mean is a sum here. Returns how many points touch. */
static int look_at_pair(const solid *a, const solid *b, double reach, bench_sight *sight)
{
    crn_touch points[POINTS];
    int count = crn_collide(a->shape, &a->frame, b->shape, &b->frame, reach, points, POINTS);
    count = count < POINTS ? count : POINTS;
    for (int k = 0; k < count; ++k) {
        sight->deepest = fmax(sight->deepest, -points[k].gap);
        sight->mean += fmax(0.0, -points[k].gap);
    }
    return count;
}

/* Is the centre of a free body beyond a plane? */
static bool is_beyond(const solid *free, const solid *wall)
{
    crn_shape_kind kind = crn_shape_definition(wall->shape)->kind;
    int axis = kind == CRN_SHAPE_HALF_PLANE ? 1 : 2;
    crn_vec3 normal = crn_m3_column(&wall->frame.rotation, axis);
    return (kind == CRN_SHAPE_PLANE || kind == CRN_SHAPE_HALF_PLANE) &&
           crn_v3_dot(normal, crn_v3_sub(free->frame.position, wall->frame.position)) < 0.0;
}

static bool is_lost(const bench_world_judge *judge, const solid *free)
{
    for (int i = 0; i < judge->count; ++i) {
        if (judge->solid[i].free < 0 && is_beyond(free, &judge->solid[i])) {
            return true;
        }
    }
    return false;
}

bench_sight bench_judge_look(bench_world_judge *judge, double time, const bench_plain_state *states)
{
    bench_sight sight = {.is_finite = true};
    double drive[3];
    int touches = 0;
    for (int i = 0; i < judge->free; ++i) {
        if (!is_finite(&states[i])) {
            return (bench_sight){0};
        }
        sight.speed = fmax(sight.speed, crn_v3_length(crn_v3_of(states[i].velocity)));
    }
    bench_plain_drive(judge->model, time, drive);
    for (int i = 0; i < judge->count; ++i) {
        place(&judge->solid[i], states, crn_v3_of(drive));
    }
    for (int i = 0; i < judge->count; ++i) {
        sight.lost += judge->solid[i].free >= 0 && is_lost(judge, &judge->solid[i]);
        for (int k = 0; k < i; ++k) {
            if (may_touch(&judge->solid[i], &judge->solid[k], judge->reach)) {
                touches += look_at_pair(&judge->solid[i], &judge->solid[k], judge->reach, &sight);
            }
        }
    }
    sight.mean /= touches > 0 ? touches : 1;
    return sight;
}
