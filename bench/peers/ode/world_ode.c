/* world_ode.c -- whole scenes in the Open Dynamics Engine. */
#include "../world_peer.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include <ode/ode.h>
#include <ode/version.h>

/* As many as two boxes can have in ODE. */
enum { POINTS = 8 };

typedef struct world {
    dWorldID id;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *body; /* free ones, then driven ones */
    double (*start)[3];
    int free, driven;
    double h, mu;
    int setting;
} world;

static int messages; /* ODE's handler knows no world */

static void count_message(int number, const char *text, va_list values)
{
    (void)number;
    (void)text;
    (void)values;
    messages++;
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    world *w = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContactGeom points[POINTS];
    bool is_a_free = body_a && !dBodyIsKinematic(body_a), is_b_free = body_b && !dBodyIsKinematic(body_b);
    int count = is_a_free || is_b_free ? dCollide(a, b, POINTS, points, sizeof *points) : 0;
    for (int k = 0; k < count; ++k) {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = w->mu}, .geom = points[k]};
        dJointAttach(dJointCreateContact(w->id, w->contacts, &contact), body_a, body_b);
    }
}

static dGeomID geometry(world *w, const bench_plain_body *of)
{
    if (of->solid == BENCH_PLAIN_BALL) {
        return dCreateSphere(w->space, of->size[0]);
    }
    if (of->solid == BENCH_PLAIN_PLANE && of->kind == BENCH_PLAIN_FIXED) {
        const double *n = of->normal, *p = of->position;
        return dCreatePlane(w->space, n[0], n[1], n[2], n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
    }
    return dCreateBox(w->space, 2.0 * of->size[0], 2.0 * of->size[1], 2.0 * of->size[2]);
}

static void add_body(world *w, const bench_plain_scene *scene, const bench_plain_body *of)
{
    const double *p = of->solid == BENCH_PLAIN_PLANE ? of->slab : of->position;
    dGeomID geom = geometry(w, of);
    if (of->kind == BENCH_PLAIN_FIXED) {
        if (of->solid != BENCH_PLAIN_PLANE) {
            dGeomSetPosition(geom, p[0], p[1], p[2]);
            dGeomSetQuaternion(geom, of->rotation);
        }
        return;
    }
    dBodyID body = dBodyCreate(w->id);
    dGeomSetBody(geom, body);
    dBodySetPosition(body, p[0], p[1], p[2]);
    dBodySetQuaternion(body, of->rotation);
    int place = w->free + w->driven;
    w->body[place] = body;
    for (int i = 0; i < 3; ++i) {
        w->start[place][i] = p[i];
    }
    if (of->kind == BENCH_PLAIN_DRIVEN) {
        dBodySetKinematic(body);
        w->driven++;
        return;
    }
    w->free++;
    dMass mass;
    const double *inertia = of->inertia;
    bool is_planar = scene->is_planar; /* only the third counts then */
    dMassSetParameters(&mass, of->mass, 0, 0, 0, is_planar ? inertia[2] : inertia[0],
                       is_planar ? inertia[2] : inertia[1], inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    if (is_planar) {
        dJointAttach(dJointCreatePlane2D(w->id, 0), body, 0);
    }
}

static void *create(const bench_plain_scene *scene, int setting)
{
    world *w = calloc(1, sizeof *w);
    size_t count = (size_t)scene->count;
    if (!w || !(w->body = calloc(count, sizeof *w->body)) || !(w->start = calloc(count, sizeof *w->start))) {
        return NULL;
    }
    dInitODE2(0);
    dSetMessageHandler(count_message);
    w->id = dWorldCreate();
    w->space = dHashSpaceCreate(0);
    w->contacts = dJointGroupCreate(0);
    w->h = scene->h;
    w->mu = scene->body[0].mu;
    w->setting = setting;
    dWorldSetGravity(w->id, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    for (int i = 0; i < scene->count; ++i) {
        add_body(w, scene, &scene->body[i]);
    }
    return w;
}

static void drive(world *w, const double from[3], const double to[3])
{
    for (int k = w->free; k < w->free + w->driven; ++k) {
        const double *p = w->start[k];
        dBodySetPosition(w->body[k], p[0] + from[0], p[1] + from[1], p[2] + from[2]);
        dBodySetLinearVel(w->body[k], (to[0] - from[0]) / w->h, (to[1] - from[1]) / w->h, (to[2] - from[2]) / w->h);
    }
}

static void step(void *data, const double from[3], const double to[3])
{
    world *w = data;
    drive(w, from, to);
    dSpaceCollide(w->space, w, touch);
    if (w->setting == 0) {
        dWorldQuickStep(w->id, w->h);
    } else {
        dWorldStep(w->id, w->h);
    }
    dJointGroupEmpty(w->contacts);
}

static void state(void *data, int body, bench_plain_state *out)
{
    const world *w = data;
    const dReal *p = dBodyGetPosition(w->body[body]), *q = dBodyGetQuaternion(w->body[body]);
    const dReal *v = dBodyGetLinearVel(w->body[body]);
    for (int i = 0; i < 3; ++i) {
        out->position[i] = p[i];
        out->velocity[i] = v[i];
    }
    for (int i = 0; i < 4; ++i) {
        out->rotation[i] = q[i];
    }
}

static int complaints(void *data)
{
    (void)data;
    return messages;
}

const bench_world_peer bench_world_ode = {
    .name = "ODE",
    .version = dODE_VERSION,
    .settings = {"quick step, 20 it.", "step (direct)"},
    .takes = BENCH_TAKES_SPATIAL | BENCH_TAKES_DISKS,
    .create = create,
    .step = step,
    .state = state,
    .complaints = complaints,
};
