/* chain_bullet.cpp -- chains of hinges in Bullet, double precision: btMultiBody's articulated-body algorithm.
 *
 * Damping is switched off. The algorithm changes the velocities by dt times the accelerations; dt is 0 here, and the
 * accelerations are read where it leaves them. Gravity is a force on each link, as Bullet's own world adds it. */
#include "../chain_peer.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

namespace
{

struct Chain {
    explicit Chain(int links) : body(links, 0.0, btVector3(0, 0, 0), true, false)
    {
    }
    btMultiBody body;
    btVector3 gravity;
    btAlignedObjectArray<btScalar> r;
    btAlignedObjectArray<btVector3> v;
    btAlignedObjectArray<btMatrix3x3> m;
};

btVector3 vector(const double *a)
{
    return {a[0], a[1], a[2]};
}

void *create(const bench_chain *of)
{
    auto *c = new Chain(of->links);
    for (int i = 0; i < of->links; ++i) {
        const bench_chain_link &l = of->link[i];
        const btQuaternion turn(l.rotation[1], l.rotation[2], l.rotation[3], l.rotation[0]);
        const btVector3 before = i == 0 ? btVector3(0, 0, 0) : vector(of->link[i - 1].com);
        c->body.setupRevolute(i, l.mass, vector(l.inertia), i - 1, turn.inverse(), btVector3(0, 0, 1),
                              vector(l.position) - before, vector(l.com));
    }
    c->body.finalizeMultiDof();
    c->body.setLinearDamping(0.0);
    c->body.setAngularDamping(0.0);
    c->gravity = vector(of->gravity);
    return c;
}

void accelerate(void *model, const double *q, const double *u, const double *torque, double *acceleration)
{
    Chain &c = *static_cast<Chain *>(model);
    const int links = c.body.getNumLinks();
    c.body.clearForcesAndTorques();
    for (int i = 0; i < links; ++i) {
        c.body.setJointPos(i, q[i]);
        c.body.setJointVel(i, u[i]);
        c.body.addJointTorque(i, torque[i]);
        c.body.addLinkForce(i, c.gravity * c.body.getLinkMass(i));
    }
    c.body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.0, c.r, c.v, c.m, false, false, false);
    for (int i = 0; i < links; ++i) { /* after numbers of its own, one a link, and the base's six */
        acceleration[i] = c.r[links + 6 + i];
    }
}

void destroy(void *model)
{
    delete static_cast<Chain *>(model);
}

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

} // namespace

const bench_chain_peer bench_chain_bullet = {
    "Bullet", TEXT(BT_BULLET_VERSION), "btMultiBody, articulated bodies", create, accelerate, destroy};
