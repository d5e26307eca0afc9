/* world_bullet.cpp -- whole scenes in Bullet, double precision. Objects live until the process ends. */
#include "../world_peer.h"

#include <algorithm>
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
    std::vector<btRigidBody *> free, all;
    std::vector<btDefaultMotionState *> driven; /* Bullet asks them where the body is when a step begins */
    std::vector<btVector3> start;
    double h;
};

btVector3 vector(const double *a)
{
    return {a[0], a[1], a[2]};
}

btCollisionShape *shape(const bench_plain_part &of)
{
    switch (of.solid) {
    case BENCH_PLAIN_BALL: return new btSphereShape(of.size[0]);
    case BENCH_PLAIN_CAPSULE: return new btCapsuleShapeZ(of.size[0], 2.0 * of.size[1]);
    case BENCH_PLAIN_CYLINDER: return new btCylinderShapeZ(btVector3(of.size[0], of.size[0], of.size[1]));
    default: return new btBoxShape(vector(of.size));
    }
}

btTransform place(const double *position, const double *q)
{
    return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), vector(position));
}

btCollisionShape *shapes(const bench_plain_body &of)
{
    if (of.parts == 1 && place(of.part->position, of.part->rotation) == btTransform::getIdentity()) {
        return shape(*of.part);
    }
    auto *all = new btCompoundShape;
    for (int k = 0; k < of.parts; ++k) {
        all->addChildShape(place(of.part[k].position, of.part[k].rotation), shape(of.part[k]));
    }
    return all;
}

/* Planes are slabs: against a box they give all corners at once, btStaticPlaneShape one a step. */
btTransform start_of(const bench_plain_body &of)
{
    return place(of.solid == BENCH_PLAIN_PLANE ? of.slab : of.position, of.rotation);
}

void add_body(World &w, const bench_plain_scene &scene, const bench_plain_body &of)
{
    const bool is_free = of.kind == BENCH_PLAIN_FREE;
    auto *motion = new btDefaultMotionState(start_of(of));
    btVector3 inertia(0, 0, 0);
    if (is_free) {
        inertia = scene.is_planar ? btVector3(of.inertia[2], of.inertia[2], of.inertia[2]) : vector(of.inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(is_free ? of.mass : 0.0, motion, shapes(of), inertia);
    info.m_friction = std::sqrt(of.mu); /* a pair has the product */
    info.m_restitution = std::sqrt(of.restitution);
    auto *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (is_free && scene.is_planar) {
        body->setLinearFactor(btVector3(1, 1, 0));
        body->setAngularFactor(btVector3(0, 0, 1));
    }
    if (is_free) {
        body->setLinearVelocity(vector(of.velocity));
        body->setAngularVelocity(vector(of.angular));
        w.free.push_back(body);
    }
    w.all.push_back(body);
    if (of.kind == BENCH_PLAIN_DRIVEN) {
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        w.driven.push_back(motion);
        w.start.push_back(start_of(of).getOrigin());
    }
    w.dynamics.addRigidBody(body);
}

/* A frame at the joint whose column `column` is its axis, in the body's frame. */
btTransform frame_in(const btRigidBody &body, const bench_plain_joint &of, bool is_axis_x)
{
    const btVector3 axis = vector(of.axis).safeNormalize();
    btVector3 one, two;
    btPlaneSpace1(axis, one, two);
    const btMatrix3x3 along_z(one[0], two[0], axis[0], one[1], two[1], axis[1], one[2], two[2], axis[2]);
    const btMatrix3x3 along_x(axis[0], one[0], two[0], axis[1], one[1], two[1], axis[2], one[2], two[2]);
    const btMatrix3x3 turn = of.kind == BENCH_LINK_HINGE || of.kind == BENCH_LINK_SLIDER
                                 ? (is_axis_x ? along_x : along_z)
                                 : btMatrix3x3::getIdentity();
    return body.getWorldTransform().inverse() * btTransform(turn, vector(of.point));
}

void add_joint(World &w, const bench_plain_joint &of)
{
    btRigidBody &a = of.a < 0 ? btTypedConstraint::getFixedBody() : *w.all[static_cast<std::size_t>(of.a)];
    btRigidBody &b = of.b < 0 ? btTypedConstraint::getFixedBody() : *w.all[static_cast<std::size_t>(of.b)];
    const bool is_slider = of.kind == BENCH_LINK_SLIDER;
    const btTransform in_a = frame_in(a, of, is_slider), in_b = frame_in(b, of, is_slider);
    btTypedConstraint *joint = nullptr;
    switch (of.kind) {
    case BENCH_LINK_BALL: joint = new btPoint2PointConstraint(a, b, in_a.getOrigin(), in_b.getOrigin()); break;
    case BENCH_LINK_HINGE: joint = new btHingeConstraint(a, b, in_a, in_b); break;
    case BENCH_LINK_SLIDER: {
        auto *slider = new btSliderConstraint(a, b, in_a, in_b, true);
        slider->setLowerLinLimit(1.0); /* lower above upper: free */
        slider->setUpperLinLimit(-1.0);
        joint = slider;
        break;
    }
    default: joint = new btFixedConstraint(a, b, in_a, in_b); break;
    }
    w.dynamics.addConstraint(joint, true);
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
    for (int i = 0; i < scene->joints; ++i) {
        add_joint(*w, scene->joint[i]);
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
        out->angular[i] = b.getAngularVelocity()[i];
    }
    out->rotation[0] = q.w();
    out->rotation[1] = q.x();
    out->rotation[2] = q.y();
    out->rotation[3] = q.z();
}

void push(void *data, int body, const double force[3])
{
    static_cast<World *>(data)->free[static_cast<std::size_t>(body)]->applyCentralForce(vector(force));
}

/* Impulses of the contact points; the normal points towards body 0. */
bool load(void *data, int body, double force[3])
{
    auto &w = *static_cast<World *>(data);
    const btCollisionObject *of = w.all[static_cast<std::size_t>(body)];
    btVector3 sum(0, 0, 0);
    for (int k = 0; k < w.dispatcher.getNumManifolds(); ++k) {
        const btPersistentManifold &m = *w.dispatcher.getManifoldByIndexInternal(k);
        const double sign = m.getBody0() == of ? 1.0 : m.getBody1() == of ? -1.0 : 0.0;
        for (int i = 0; i < m.getNumContacts() && sign != 0.0; ++i) {
            const btManifoldPoint &p = m.getContactPoint(i);
            sum += sign / w.h *
                   (p.m_appliedImpulse * p.m_normalWorldOnB + p.m_appliedImpulseLateral1 * p.m_lateralFrictionDir1 +
                    p.m_appliedImpulseLateral2 * p.m_lateralFrictionDir2);
        }
    }
    std::copy(&sum[0], &sum[0] + 3, force);
    return true;
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
                                             nullptr,
                                             push,
                                             load};
