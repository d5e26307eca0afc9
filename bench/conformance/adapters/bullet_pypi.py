"""Bullet from PyPI: pybullet, whose bodies are articulated ones with reduced coordinates."""
import importlib.metadata

import pybullet as pb

import plain

SETTINGS = ("50 it.", "500 it., residual 0, cone friction")
SLAB = [50.0, 50.0, 2.0]


def hq(q):
    return [q[1], q[2], q[3], q[0]]


def shapes_of(body):
    """Arguments of createCollisionShapeArray."""
    kinds = {"box": pb.GEOM_BOX, "sphere": pb.GEOM_SPHERE, "capsule": pb.GEOM_CAPSULE, "cylinder": pb.GEOM_CYLINDER}
    out = {"shapeTypes": [], "halfExtents": [], "radii": [], "lengths": [], "collisionFramePositions": [],
           "collisionFrameOrientations": []}
    for s in body["shapes"]:
        kind = "box" if s["kind"] == "plane" else s["kind"]
        if kind not in kinds:
            plain.refuse("no " + kind)
        out["shapeTypes"].append(kinds[kind])
        out["halfExtents"].append(SLAB if s["kind"] == "plane" else s.get("half", [0, 0, 0]))
        out["radii"].append(s.get("radius", 0.0))
        out["lengths"].append(2.0 * s.get("half_length", 0.0))
        out["collisionFramePositions"].append([0, 0, -SLAB[2]] if s["kind"] == "plane" else s.get("position", [0, 0, 0]))
        out["collisionFrameOrientations"].append(hq(s.get("rotation", [1, 0, 0, 0])))
    return out


class World:
    def __init__(self, scene, setting):
        if scene["joints"]:
            plain.refuse("the adapter has no joints: Debian's Bullet is asked for them")
        pb.connect(pb.DIRECT)
        pb.setGravity(*scene["gravity"])
        more = {"numSolverIterations": 500, "solverResidualThreshold": 0.0, "enableConeFriction": 1} if setting else {}
        pb.setPhysicsEngineParameter(fixedTimeStep=scene["dt"], **more)
        self.scene, self.setting = scene, setting
        self.id = {b["name"]: self.add(b) for b in scene["bodies"]}
        self.free = [self.id[b["name"]] for b in plain.free_bodies(scene)]

    def add(self, body):
        is_free = body["kind"] == "free"
        shape = pb.createCollisionShapeArray(**shapes_of(body))
        made = pb.createMultiBody(baseMass=body["mass"] if is_free else 0.0, baseCollisionShapeIndex=shape,
                                  basePosition=body["position"], baseOrientation=hq(body["rotation"]))
        mu, e = body["friction"] ** 0.5, body["restitution"] ** 0.5  # a pair has the product
        pb.changeDynamics(made, -1, lateralFriction=mu, restitution=e, linearDamping=0, angularDamping=0,
                          rollingFriction=0, spinningFriction=0)
        if is_free:
            pb.changeDynamics(made, -1, localInertiaDiagonal=body["inertia"], activationState=pb.ACTIVATION_STATE_DISABLE_SLEEPING)
            pb.resetBaseVelocity(made, body.get("velocity", [0, 0, 0]), body.get("angular", [0, 0, 0]))
        return made

    def step(self):
        for l in self.scene["loads"]:
            at, _ = pb.getBasePositionAndOrientation(self.id[l["body"]])
            pb.applyExternalForce(self.id[l["body"]], -1, l["force"], at, pb.WORLD_FRAME)
        pb.stepSimulation()

    def states(self):
        for i in self.free:
            p, q = pb.getBasePositionAndOrientation(i)
            v, w = pb.getBaseVelocity(i)
            yield [*p, q[3], q[0], q[1], q[2], *v, *w]

    def loads(self):
        return [sum(c[9] * abs(c[7][2]) for c in pb.getContactPoints(bodyA=self.id[n])) for n in plain.scales(self.scene)]


if __name__ == "__main__":
    plain.main("pybullet", importlib.metadata.version("pybullet"), SETTINGS, World)
