/* world_dart.cpp -- whole scenes in DART. Objects live until the process ends. */
#include "../world_peer.h"

#include <cmath>
#include <string>
#include <vector>

#include <dart/collision/collision.hpp>
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
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
    std::vector<const BodyNode *> fixed_at;          /* by place, as far as bodies of their own */
    SkeletonPtr driven = Skeleton::create("driven"); /* one body, many solids */
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

Eigen::Isometry3d place(const double *position, const double *q)
{
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.translation() = vector(position);
    at.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    return at;
}

ShapePtr shape(bench_plain_solid solid, const double *size)
{
    switch (solid) {
    case BENCH_PLAIN_BALL: return std::make_shared<SphereShape>(size[0]);
    case BENCH_PLAIN_CAPSULE: return std::make_shared<CapsuleShape>(size[0], 2.0 * size[1]);
    case BENCH_PLAIN_CYLINDER: return std::make_shared<CylinderShape>(size[0], 2.0 * size[1]);
    default: return std::make_shared<BoxShape>(2.0 * vector(size));
    }
}

/* A solid on a body, at a place in the body's frame. */
void add_solid(BodyNode *body, const bench_plain_body &of, const bench_plain_part &part, const Eigen::Isometry3d &at)
{
    auto *node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape(part.solid, part.size));
    node->setRelativeTransform(at);
    node->getDynamicsAspect()->setFrictionCoeff(of.mu);                        /* a pair has the smaller */
    node->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(of.restitution)); /* a pair has the product */
}

BodyNode *free_in_space(const SkeletonPtr &skeleton, const bench_plain_body &of)
{
    auto made = skeleton->createJointAndBodyNodePair<FreeJoint>();
    made.first->setRelativeTransform(start_of(of));
    made.first->setLinearVelocity(vector(of.velocity));
    made.first->setAngularVelocity(vector(of.angular));
    return made.second;
}

BodyNode *free_in_plane(const SkeletonPtr &skeleton, const bench_plain_body &of)
{
    auto made = skeleton->createJointAndBodyNodePair<PlanarJoint>();
    made.first->setXYPlane();
    made.first->setPositions(Eigen::Vector3d(of.position[0], of.position[1], 0.0));
    return made.second;
}

/* The joint frame is at the joint's point, along the world's axes. */
template <class Kind>
BodyNode *link(const SkeletonPtr &skeleton, BodyNode *parent, const bench_plain_body &of,
               const bench_plain_joint &joint, const typename Kind::Properties &properties)
{
    auto made = skeleton->createJointAndBodyNodePair<Kind>(parent, properties);
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.translation() = vector(joint.point);
    const Eigen::Isometry3d from = parent ? parent->getWorldTransform() : Eigen::Isometry3d::Identity();
    made.first->setTransformFromParentBodyNode(from.inverse() * at);
    made.first->setTransformFromChildBodyNode(start_of(of).inverse() * at);
    return made.second;
}

BodyNode *add_link(const SkeletonPtr &skeleton, BodyNode *parent, const bench_plain_body &of,
                   const bench_plain_joint &joint)
{
    RevoluteJoint::Properties hinge;
    PrismaticJoint::Properties slider;
    hinge.mAxis = slider.mAxis = vector(joint.axis).normalized();
    switch (joint.kind) {
    case BENCH_LINK_BALL: return link<BallJoint>(skeleton, parent, of, joint, {});
    case BENCH_LINK_HINGE: return link<RevoluteJoint>(skeleton, parent, of, joint, hinge);
    case BENCH_LINK_SLIDER: return link<PrismaticJoint>(skeleton, parent, of, joint, slider);
    default: return link<WeldJoint>(skeleton, parent, of, joint, {});
    }
}

/* The first joint that holds a body to an earlier one, or to the world. */
const bench_plain_joint *parent_joint(const bench_plain_scene &scene, int body)
{
    for (int i = 0; i < scene.joints; ++i) {
        if (scene.joint[i].b == body && scene.joint[i].a < body) {
            return &scene.joint[i];
        }
    }
    return nullptr;
}

void add_free(World &w, const bench_plain_scene &scene, int index)
{
    const bench_plain_body &of = scene.body[index];
    const bool is_planar = scene.is_planar; /* only the third moment of inertia counts then */
    const bench_plain_joint *joint = parent_joint(scene, index);
    BodyNode *parent = joint && joint->a >= 0 ? w.free[static_cast<std::size_t>(joint->a)] : nullptr;
    SkeletonPtr skeleton = parent ? parent->getSkeleton() : Skeleton::create("body" + std::to_string(index));
    BodyNode *body = joint       ? add_link(skeleton, parent, of, *joint)
                     : is_planar ? free_in_plane(skeleton, of)
                                 : free_in_space(skeleton, of);
    const Eigen::Vector3d inertia(of.inertia[is_planar ? 2 : 0], of.inertia[is_planar ? 2 : 1], of.inertia[2]);
    body->setInertia(Inertia(of.mass, Eigen::Vector3d::Zero(), inertia.asDiagonal()));
    for (int k = 0; k < of.parts; ++k) {
        add_solid(body, of, of.part[k], place(of.part[k].position, of.part[k].rotation));
    }
    w.free.push_back(body);
    if (!parent) {
        w.dart->addSkeleton(skeleton);
    }
}

/* Joints that close loops: points held together. */
void add_loops(World &w, const bench_plain_scene &scene)
{
    for (int i = 0; i < scene.joints; ++i) {
        const bench_plain_joint &joint = scene.joint[i];
        if (joint.b >= 0 && parent_joint(scene, joint.b) == &joint) {
            continue;
        }
        BodyNode *a = joint.a < 0 ? nullptr : w.free[static_cast<std::size_t>(joint.a)];
        BodyNode *b = joint.b < 0 ? nullptr : w.free[static_cast<std::size_t>(joint.b)];
        using dart::constraint::BallJointConstraint;
        w.dart->getConstraintSolver()->addConstraint(
            a && b ? std::make_shared<BallJointConstraint>(a, b, vector(joint.point))
                   : std::make_shared<BallJointConstraint>(a ? a : b, vector(joint.point)));
    }
}

/* Fixed bodies are a skeleton each, so that their loads can be told; driven ones are one together. */
void add_surroundings(World &w, const bench_plain_scene &scene)
{
    auto made = w.driven->createJointAndBodyNodePair<TranslationalJoint>();
    made.first->setActuatorType(Joint::VELOCITY);
    w.fixed_at.resize(static_cast<std::size_t>(scene.count));
    for (int i = scene.free; i < scene.count; ++i) {
        const bench_plain_body &of = scene.body[i];
        if (of.kind == BENCH_PLAIN_DRIVEN) {
            add_solid(made.second, of, *of.part, start_of(of));
            continue;
        }
        SkeletonPtr fixed = Skeleton::create("fixed" + std::to_string(i));
        BodyNode *body = fixed->createJointAndBodyNodePair<WeldJoint>().second;
        add_solid(body, of, *of.part, start_of(of));
        w.fixed_at[static_cast<std::size_t>(i)] = body;
        fixed->setMobile(false);
        w.dart->addSkeleton(fixed);
    }
    w.dart->addSkeleton(w.driven);
}

/* DART's own collider knows boxes and balls only; what is round otherwise goes to FCL's primitives. */
dart::collision::CollisionDetectorPtr best_detector(const bench_plain_scene &scene)
{
    for (int i = 0; i < scene.count; ++i) {
        for (int k = 0; k < scene.body[i].parts; ++k) {
            const bench_plain_solid solid = scene.body[i].part[k].solid;
            if (solid == BENCH_PLAIN_CAPSULE || solid == BENCH_PLAIN_CYLINDER) {
                auto fcl = dart::collision::FCLCollisionDetector::create();
                fcl->setPrimitiveShapeType(dart::collision::FCLCollisionDetector::PRIMITIVE);
                return fcl;
            }
        }
    }
    return dart::collision::DARTCollisionDetector::create();
}

void *create(const bench_plain_scene *scene, int setting)
{
    auto *w = new World;
    w->dart->setTimeStep(scene->h);
    w->dart->setGravity(vector(scene->gravity));
    w->dart->getConstraintSolver()->getCollisionOption().maxNumContacts = enough_contacts;
    if (setting == 1) {
        w->dart->getConstraintSolver()->setCollisionDetector(best_detector(*scene));
    }
    for (int i = 0; i < scene->free; ++i) {
        add_free(*w, *scene, i);
    }
    add_surroundings(*w, *scene);
    add_loops(*w, *scene);
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
        out->angular[i] = node->getAngularVelocity()[i];
    }
    out->rotation[0] = q.w();
    out->rotation[1] = q.x();
    out->rotation[2] = q.y();
    out->rotation[3] = q.z();
}

void push(void *data, int body, const double force[3])
{
    static_cast<World *>(data)->free[static_cast<std::size_t>(body)]->addExtForce(vector(force),
                                                                                  Eigen::Vector3d::Zero(), false, true);
}

/* Forces at contacts act on the first object. */
bool load(void *data, int body, double force[3])
{
    auto &w = *static_cast<World *>(data);
    const BodyNode *of = static_cast<std::size_t>(body) < w.free.size() ? w.free[static_cast<std::size_t>(body)]
                                                                        : w.fixed_at[static_cast<std::size_t>(body)];
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto &contact : w.dart->getLastCollisionResult().getContacts()) {
        const auto *one = contact.collisionObject1->getShapeFrame()->asShapeNode();
        const auto *two = contact.collisionObject2->getShapeFrame()->asShapeNode();
        sum += one && one->getBodyNodePtr() == of ? contact.force : Eigen::Vector3d::Zero();
        sum -= two && two->getBodyNodePtr() == of ? contact.force : Eigen::Vector3d::Zero();
    }
    Eigen::Map<Eigen::Vector3d>{force} = sum;
    return true;
}

} // namespace

const bench_world_peer bench_world_dart = {"DART",
                                           DART_VERSION,
                                           {"Dantzig, FCL", "Dantzig, own collider"},
                                           BENCH_TAKES_SPATIAL | BENCH_TAKES_DISKS,
                                           create,
                                           step,
                                           state,
                                           nullptr,
                                           push,
                                           load};
