/* chain_dart.cpp -- chains of hinges in DART: its articulated-body algorithm. */
#include "../chain_peer.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

namespace
{

using namespace dart::dynamics;

struct Chain {
    SkeletonPtr skeleton = Skeleton::create("chain");
};

Eigen::Vector3d vector(const double *a)
{
    return {a[0], a[1], a[2]};
}

BodyNode *add_link(Chain &c, BodyNode *parent, const bench_chain_link &of, int i)
{
    RevoluteJoint::Properties joint;
    joint.mName = "joint" + std::to_string(i);
    joint.mAxis = Eigen::Vector3d::UnitZ();
    joint.mT_ParentBodyToJoint.translation() = vector(of.position);
    joint.mT_ParentBodyToJoint.linear() =
        Eigen::Quaterniond(of.rotation[0], of.rotation[1], of.rotation[2], of.rotation[3]).toRotationMatrix();
    BodyNode::Properties body;
    body.mName = "link" + std::to_string(i);
    body.mInertia = Inertia(of.mass, vector(of.com), vector(of.inertia).asDiagonal());
    return c.skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second;
}

void *create(const bench_chain *of)
{
    auto *c = new Chain;
    BodyNode *last = nullptr;
    for (int i = 0; i < of->links; ++i) {
        last = add_link(*c, last, of->link[i], i);
    }
    c->skeleton->setGravity(vector(of->gravity));
    return c;
}

void accelerate(void *model, const double *q, const double *u, const double *torque, double *acceleration)
{
    Skeleton &s = *static_cast<Chain *>(model)->skeleton;
    const auto n = static_cast<Eigen::Index>(s.getNumDofs());
    s.setPositions(Eigen::Map<const Eigen::VectorXd>(q, n));
    s.setVelocities(Eigen::Map<const Eigen::VectorXd>(u, n));
    s.setForces(Eigen::Map<const Eigen::VectorXd>(torque, n));
    s.computeForwardDynamics();
    Eigen::Map<Eigen::VectorXd>(acceleration, n) = s.getAccelerations();
}

void destroy(void *model)
{
    delete static_cast<Chain *>(model);
}

} // namespace

const bench_chain_peer bench_chain_dart = {"DART", DART_VERSION, "Skeleton::computeForwardDynamics",
                                           create, accelerate,   destroy};
