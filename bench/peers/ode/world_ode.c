/* world_ode.c -- whole scenes in the Open Dynamics Engine. */
#include "../world_peer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <ode/ode.h>
#include <ode/version.h>

/* As many as two boxes can have in ODE. */
enum { POINTS = 8, TOUCHES = 4096 };

/* Slower contacts do not bounce [m/s]: 2 g h of a step of 5 ms. */
static const double bounce_speed = 0.1;

typedef struct world {
    dWorldID id;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *body; /* free ones, then driven ones */
    double (*start)[3];
    int free, driven;
    double h, mu, restitution;
    int setting, touches;
    struct touching {
        dJointFeedback force;
        int a, b; /* bodies by place, -1: none */
    } touching[TOUCHES];
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
    bool may_touch = (is_a_free || is_b_free) && !(body_a && body_b && dAreConnected(body_a, body_b));
    int count = may_touch ? dCollide(a, b, POINTS, points, sizeof *points) : 0;
    for (int k = 0; k < count; ++k) {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = w->mu}, .geom = points[k]};
        if (w->restitution > 0.0) {
            contact.surface.mode |= dContactBounce;
            contact.surface.bounce = w->restitution;
            contact.surface.bounce_vel = bounce_speed;
        }
        dJointID joint = dJointCreateContact(w->id, w->contacts, &contact);
        dJointAttach(joint, body_a, body_b);
        if (w->touches < TOUCHES) {
            struct touching *t = &w->touching[w->touches++];
            *t = (struct touching){.a = (int)(intptr_t)dGeomGetData(a), .b = (int)(intptr_t)dGeomGetData(b)};
            dJointSetFeedback(joint, &t->force);
        }
    }
}

static dGeomID geometry(world *w, const bench_plain_part *of)
{
    switch (of->solid) {
    case BENCH_PLAIN_BALL: return dCreateSphere(w->space, of->size[0]);
    case BENCH_PLAIN_CAPSULE: return dCreateCapsule(w->space, of->size[0], 2.0 * of->size[1]);
    case BENCH_PLAIN_CYLINDER: return dCreateCylinder(w->space, of->size[0], 2.0 * of->size[1]);
    default: return dCreateBox(w->space, 2.0 * of->size[0], 2.0 * of->size[1], 2.0 * of->size[2]);
    }
}

static void add_fixed(world *w, const bench_plain_body *of, int place)
{
    const double *n = of->normal, *p = of->position;
    dGeomID geom = of->solid == BENCH_PLAIN_PLANE
                       ? dCreatePlane(w->space, n[0], n[1], n[2], n[0] * p[0] + n[1] * p[1] + n[2] * p[2])
                       : geometry(w, of->part);
    dGeomSetData(geom, (void *)(intptr_t)place);
    if (of->solid != BENCH_PLAIN_PLANE) {
        dGeomSetPosition(geom, p[0], p[1], p[2]);
        dGeomSetQuaternion(geom, of->rotation);
    }
}

static void weigh(world *w, const bench_plain_scene *scene, const bench_plain_body *of, dBodyID body)
{
    dMass mass;
    const double *inertia = of->inertia;
    bool is_planar = scene->is_planar; /* only the third counts then */
    dMassSetParameters(&mass, of->mass, 0, 0, 0, is_planar ? inertia[2] : inertia[0],
                       is_planar ? inertia[2] : inertia[1], inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetLinearVel(body, of->velocity[0], of->velocity[1], of->velocity[2]);
    dBodySetAngularVel(body, of->angular[0], of->angular[1], of->angular[2]);
    if (is_planar) {
        dJointAttach(dJointCreatePlane2D(w->id, 0), body, 0);
    }
}

static void add_parts(world *w, const bench_plain_body *of, int place, dBodyID body)
{
    for (int k = 0; k < of->parts; ++k) {
        const bench_plain_part *part = &of->part[k];
        const double *p = part->position;
        dGeomID geom = geometry(w, part);
        dGeomSetBody(geom, body);
        dGeomSetOffsetPosition(geom, p[0], p[1], p[2]);
        dGeomSetOffsetQuaternion(geom, part->rotation);
        dGeomSetData(geom, (void *)(intptr_t)place);
    }
}

static void add_body(world *w, const bench_plain_scene *scene, int index)
{
    const bench_plain_body *of = &scene->body[index];
    if (of->kind == BENCH_PLAIN_FIXED) {
        add_fixed(w, of, index);
        return;
    }
    const double *p = of->solid == BENCH_PLAIN_PLANE ? of->slab : of->position;
    dBodyID body = dBodyCreate(w->id);
    dBodySetPosition(body, p[0], p[1], p[2]);
    dBodySetQuaternion(body, of->rotation);
    add_parts(w, of, index, body);
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
    weigh(w, scene, of, body);
}

static void add_joint(world *w, const bench_plain_joint *of)
{
    dBodyID a = of->a < 0 ? 0 : w->body[of->a], b = of->b < 0 ? 0 : w->body[of->b];
    const double *p = of->point, *n = of->axis;
    dJointID joint;
    switch (of->kind) {
    case BENCH_LINK_BALL:
        joint = dJointCreateBall(w->id, 0);
        dJointAttach(joint, a, b);
        dJointSetBallAnchor(joint, p[0], p[1], p[2]);
        break;
    case BENCH_LINK_HINGE:
        joint = dJointCreateHinge(w->id, 0);
        dJointAttach(joint, a, b);
        dJointSetHingeAnchor(joint, p[0], p[1], p[2]);
        dJointSetHingeAxis(joint, n[0], n[1], n[2]);
        break;
    case BENCH_LINK_SLIDER:
        joint = dJointCreateSlider(w->id, 0);
        dJointAttach(joint, a, b);
        dJointSetSliderAxis(joint, n[0], n[1], n[2]);
        break;
    default:
        joint = dJointCreateFixed(w->id, 0);
        dJointAttach(joint, a, b);
        dJointSetFixed(joint);
        break;
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
    w->restitution = scene->body[0].restitution;
    w->setting = setting;
    dWorldSetGravity(w->id, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    for (int i = 0; i < scene->count; ++i) {
        add_body(w, scene, i);
    }
    for (int i = 0; i < scene->joints; ++i) {
        add_joint(w, &scene->joint[i]);
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
    w->touches = 0;
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
    const dReal *v = dBodyGetLinearVel(w->body[body]), *o = dBodyGetAngularVel(w->body[body]);
    for (int i = 0; i < 3; ++i) {
        out->position[i] = p[i];
        out->velocity[i] = v[i];
        out->angular[i] = o[i];
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

static void push(void *data, int body, const double force[3])
{
    dBodyAddForce(((const world *)data)->body[body], force[0], force[1], force[2]);
}

/* f1 is the force on a's body, f2 on b's; where one of both geometries has no body, f1 is the force on the other's. */
static bool load(void *data, int body, double force[3])
{
    const world *w = data;
    force[0] = force[1] = force[2] = 0.0;
    for (int k = 0; k < w->touches; ++k) {
        const struct touching *t = &w->touching[k];
        bool has_no_body = body >= w->free + w->driven;
        for (int i = 0; i < 3 && (t->a == body || t->b == body); ++i) {
            force[i] += has_no_body ? -t->force.f1[i] : t->a == body ? t->force.f1[i] : t->force.f2[i];
        }
    }
    return true;
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
    .push = push,
    .load = load,
};
