/* world_dart.cpp -- whole scenes in DART. Objects live until the process ends. */
#include "../world_peer.h"

#include <string>
#include <vector>

#include <dart/collision/collision.hpp>
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

namespace
{

using namespace dart::dynamics;

/* DART keeps 1000 contacts of a scene and drops the rest in silence: balls, which are meshes to FCL, fall through. */
constexpr std::size_t enough_contacts = 1000000;

struct World {
    dart::simulation::WorldPtr dart = dart::simulation::World::create();
    std::vector<BodyNode *> free;
    SkeletonPtr fixed = Skeleton::create("fixed"), driven = Skeleton::create("driven"); /* one body each, many solids */
};

Eigen::Vector3d vector(const double *a)
{
    return {a[0], a[1], a[2]};
}

/* Planes are slabs, as in DART's own examples: not all its collision detectors know planes. */
Eigen::Isometry3d start_of(const bench_plain_body &of)
{
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    const double *q = of.rotation;
    at.translation() = vector(of.solid == BENCH_PLAIN_PLANE ? of.slab : of.position);
    at.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    return at;
}

/* A solid on a body, at a place in the body's frame. */
void add_solid(BodyNode *body, const bench_plain_body &of, const Eigen::Isometry3d &at)
{
    ShapePtr shape;
    if (of.solid == BENCH_PLAIN_BALL) {
        shape = std::make_shared<SphereShape>(of.size[0]);
    } else {
        shape = std::make_shared<BoxShape>(2.0 * vector(of.size));
    }
    auto *node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    node->setRelativeTransform(at);
    node->getDynamicsAspect()->setFrictionCoeff(of.mu); /* a pair has the smaller */
}

BodyNode *free_in_space(const SkeletonPtr &skeleton, const bench_plain_body &of)
{
    auto made = skeleton->createJointAndBodyNodePair<FreeJoint>();
    made.first->setRelativeTransform(start_of(of));
    return made.second;
}

BodyNode *free_in_plane(const SkeletonPtr &skeleton, const bench_plain_body &of)
{
    auto made = skeleton->createJointAndBodyNodePair<PlanarJoint>();
    made.first->setXYPlane();
    made.first->setPositions(Eigen::Vector3d(of.position[0], of.position[1], 0.0));
    return made.second;
}

void add_free(World &w, const bench_plain_scene &scene, const bench_plain_body &of)
{
    const bool is_planar = scene.is_planar; /* only the third moment of inertia counts then */
    SkeletonPtr skeleton = Skeleton::create("body" + std::to_string(w.free.size()));
    BodyNode *body = is_planar ? free_in_plane(skeleton, of) : free_in_space(skeleton, of);
    const Eigen::Vector3d inertia(of.inertia[is_planar ? 2 : 0], of.inertia[is_planar ? 2 : 1], of.inertia[2]);
    body->setInertia(Inertia(of.mass, Eigen::Vector3d::Zero(), inertia.asDiagonal()));
    add_solid(body, of, Eigen::Isometry3d::Identity());
    w.free.push_back(body);
    w.dart->addSkeleton(skeleton);
}

void add_surroundings(World &w, const bench_plain_scene &scene)
{
    BodyNode *fixed = w.fixed->createJointAndBodyNodePair<WeldJoint>().second;
    auto made = w.driven->createJointAndBodyNodePair<TranslationalJoint>();
    made.first->setActuatorType(Joint::VELOCITY);
    for (int i = scene.free; i < scene.count; ++i) {
        const bench_plain_body &of = scene.body[i];
        add_solid(of.kind == BENCH_PLAIN_DRIVEN ? made.second : fixed, of, start_of(of));
    }
    w.fixed->setMobile(false);
    w.dart->addSkeleton(w.fixed);
    w.dart->addSkeleton(w.driven);
}

void *create(const bench_plain_scene *scene, int setting)
{
    auto *w = new World;
    w->dart->setTimeStep(scene->h);
    w->dart->setGravity(vector(scene->gravity));
    w->dart->getConstraintSolver()->getCollisionOption().maxNumContacts = enough_contacts;
    if (setting == 1) {
        w->dart->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    }
    for (int i = 0; i < scene->free; ++i) {
        add_free(*w, *scene, scene->body[i]);
    }
    add_surroundings(*w, *scene);
    return w;
}

void step(void *data, const double from[3], const double to[3])
{
    auto &w = *static_cast<World *>(data);
    w.driven->setPositions(vector(from));
    w.driven->setCommands((vector(to) - vector(from)) / w.dart->getTimeStep());
    w.dart->step();
}

void state(void *data, int body, bench_plain_state *out)
{
    const BodyNode *node = static_cast<World *>(data)->free[static_cast<std::size_t>(body)];
    const Eigen::Isometry3d &at = node->getWorldTransform();
    const Eigen::Quaterniond q(at.linear());
    const Eigen::Vector3d v = node->getCOMLinearVelocity();
    for (int i = 0; i < 3; ++i) {
        out->position[i] = at.translation()[i];
        out->velocity[i] = v[i];
    }
    out->rotation[0] = q.w();
    out->rotation[1] = q.x();
    out->rotation[2] = q.y();
    out->rotation[3] = q.z();
}

} // namespace

const bench_world_peer bench_world_dart = {"DART",
                                           DART_VERSION,
                                           {"Dantzig, FCL", "Dantzig, own collider"},
                                           BENCH_TAKES_SPATIAL | BENCH_TAKES_DISKS,
                                           create,
                                           step,
                                           state,
                                           nullptr};
