/* world_bullet.cpp -- whole scenes in Bullet, double precision. Objects live until the process ends. */
#include "../world_peer.h"

#include <cmath>
#include <vector>

#include <btBulletDynamicsCommon.h>

namespace
{

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<btRigidBody *> free;
    std::vector<btDefaultMotionState *> driven; /* Bullet asks them where the body is when a step begins */
    std::vector<btVector3> start;
    double h;
};

btVector3 vector(const double *a)
{
    return {a[0], a[1], a[2]};
}

btCollisionShape *shape(const bench_plain_body &of)
{
    if (of.solid == BENCH_PLAIN_BALL) {
        return new btSphereShape(of.size[0]);
    }
    return new btBoxShape(vector(of.size));
}

/* Planes are slabs: against a box they give all corners at once, btStaticPlaneShape one a step. */
btTransform start_of(const bench_plain_body &of)
{
    const double *q = of.rotation;
    return btTransform(btQuaternion(q[1], q[2], q[3], q[0]),
                       vector(of.solid == BENCH_PLAIN_PLANE ? of.slab : of.position));
}

void add_body(World &w, const bench_plain_scene &scene, const bench_plain_body &of)
{
    const bool is_free = of.kind == BENCH_PLAIN_FREE;
    auto *motion = new btDefaultMotionState(start_of(of));
    btVector3 inertia(0, 0, 0);
    if (is_free) {
        inertia = scene.is_planar ? btVector3(of.inertia[2], of.inertia[2], of.inertia[2]) : vector(of.inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(is_free ? of.mass : 0.0, motion, shape(of), inertia);
    info.m_friction = std::sqrt(of.mu); /* a pair has the product */
    auto *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (is_free && scene.is_planar) {
        body->setLinearFactor(btVector3(1, 1, 0));
        body->setAngularFactor(btVector3(0, 0, 1));
    }
    if (is_free) {
        w.free.push_back(body);
    }
    if (of.kind == BENCH_PLAIN_DRIVEN) {
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        w.driven.push_back(motion);
        w.start.push_back(start_of(of).getOrigin());
    }
    w.dynamics.addRigidBody(body);
}

void *create(const bench_plain_scene *scene, int setting)
{
    auto *w = new World;
    w->h = scene->h;
    w->dynamics.setGravity(vector(scene->gravity));
    if (setting == 1) {
        w->dynamics.getSolverInfo().m_numIterations = 100;
    }
    for (int i = 0; i < scene->count; ++i) {
        add_body(*w, *scene, scene->body[i]);
    }
    return w;
}

/* A kinematic body is put where it is to be at the end; Bullet takes its velocity from the difference. */
void step(void *data, const double from[3], const double to[3])
{
    auto &w = *static_cast<World *>(data);
    (void)from;
    for (std::size_t k = 0; k < w.driven.size(); ++k) {
        w.driven[k]->m_graphicsWorldTrans.setOrigin(w.start[k] + vector(to));
    }
    w.dynamics.stepSimulation(w.h, 0);
}

void state(void *data, int body, bench_plain_state *out)
{
    const btRigidBody &b = *static_cast<World *>(data)->free[static_cast<std::size_t>(body)];
    const btTransform &at = b.getWorldTransform();
    const btQuaternion q = at.getRotation();
    for (int i = 0; i < 3; ++i) {
        out->position[i] = at.getOrigin()[i];
        out->velocity[i] = b.getLinearVelocity()[i];
    }
    out->rotation[0] = q.w();
    out->rotation[1] = q.x();
    out->rotation[2] = q.y();
    out->rotation[3] = q.z();
}

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

} // namespace

const bench_world_peer bench_world_bullet = {"Bullet",
                                             TEXT(BT_BULLET_VERSION),
                                             {"10 it.", "100 it."},
                                             BENCH_TAKES_SPATIAL | BENCH_TAKES_DISKS,
                                             create,
                                             step,
                                             state,
                                             nullptr};
