"""DART from PyPI: dartpy."""
import importlib.metadata

import dartpy as dart
import numpy as np

import plain

SETTINGS = ("as delivered", "own collider (boxes and balls)")
SLAB = [50.0, 50.0, 2.0]


def frame(position, q):
    made = dart.math.Isometry3()
    made.set_translation(np.array(position, float))
    made.set_quaternion(dart.math.Quaternion(*q))
    return made


def shape(s):
    kind = s["kind"]
    if kind == "plane":
        return dart.dynamics.BoxShape(2.0 * np.array(SLAB))
    if kind == "box":
        return dart.dynamics.BoxShape(2.0 * np.array(s["half"]))
    if kind == "sphere":
        return dart.dynamics.SphereShape(s["radius"])
    if kind == "capsule":
        return dart.dynamics.CapsuleShape(s["radius"], 2.0 * s["half_length"])
    if kind == "cylinder":
        return dart.dynamics.CylinderShape(s["radius"], 2.0 * s["half_length"])
    return plain.refuse("no " + kind)


class World:
    def __init__(self, scene, setting):
        if scene["joints"]:
            plain.refuse("the adapter has no joints: Debian's DART is asked for them")
        self.scene, self.body = scene, {}
        self.world = dart.simulation.World()
        self.world.setTimeStep(scene["dt"])
        self.world.setGravity(np.array(scene["gravity"]))
        is_plain = all(s["kind"] in ("plane", "box", "sphere") for b in scene["bodies"] for s in b["shapes"])
        if setting == 1 and is_plain:
            self.world.getConstraintSolver().setCollisionDetector(dart.collision.DARTCollisionDetector())
        for b in scene["bodies"]:
            self.add(b)
        self.free = [self.body[b["name"]] for b in plain.free_bodies(scene)]

    def add(self, b):
        skeleton = dart.dynamics.Skeleton(b["name"])
        is_free = b["kind"] == "free"
        if is_free:
            joint, body = skeleton.createFreeJointAndBodyNodePair()
        else:
            joint, body = skeleton.createWeldJointAndBodyNodePair()
            joint.setTransformFromParentBodyNode(frame(b["position"], b["rotation"]))
        for s in b["shapes"]:
            node = body.createShapeNode(shape(s))
            node.createCollisionAspect()
            dynamics = node.createDynamicsAspect()
            dynamics.setFrictionCoeff(b["friction"])
            dynamics.setRestitutionCoeff(b["restitution"] ** 0.5)
            at = [0, 0, -SLAB[2]] if s["kind"] == "plane" else s.get("position", [0, 0, 0])
            node.setRelativeTransform(frame(at, s.get("rotation", [1, 0, 0, 0])))
        if is_free:
            body.setInertia(dart.dynamics.Inertia(b["mass"], np.zeros(3), np.diag(b["inertia"])))
            joint.setRelativeTransform(frame(b["position"], b["rotation"]))
            joint.setLinearVelocity(np.array(b.get("velocity", [0, 0, 0]), float))
            joint.setAngularVelocity(np.array(b.get("angular", [0, 0, 0]), float))
        else:
            skeleton.setMobile(False)
        self.body[b["name"]] = body
        self.world.addSkeleton(skeleton)

    def step(self):
        for l in self.scene["loads"]:
            self.body[l["body"]].addExtForce(np.array(l["force"], float), np.zeros(3), False, True)
        self.world.step()

    def states(self):
        for b in self.free:
            at = b.getWorldTransform()
            q = at.quaternion()
            yield [*at.translation(), q.w(), q.x(), q.y(), q.z(), *b.getCOMLinearVelocity(), *b.getAngularVelocity()]


if __name__ == "__main__":
    plain.main("DART 6.20", importlib.metadata.version("dartpy"), SETTINGS, World)
