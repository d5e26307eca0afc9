"""Drake from PyPI: MultibodyPlant in discrete time, its convex contact solvers."""
import importlib.metadata

import numpy as np
from pydrake.geometry import Box, Capsule, Cylinder, HalfSpace, SceneGraphConfig, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, ExternallyAppliedSpatialForce, MultibodyPlantConfig
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.common.eigen_geometry import Quaternion
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

import plain

SETTINGS = ("as delivered: lagged, one point a pair", "SAP, hydroelastic 1e8 Pa, stiction 1e-6 m/s")
MODULUS, DISSIPATION = 1e8, 10.0  # of compliant hydroelastic contact [Pa, s/m]
SLAB = [50.0, 50.0, 2.0]


def frame(position, q):
    return RigidTransform(Quaternion(np.array(q) / np.linalg.norm(q)), np.array(position, float))


def shape(s):
    kind = s["kind"]
    if kind == "plane":
        return HalfSpace()
    if kind == "box":
        return Box(*(2.0 * np.array(s["half"])))
    if kind == "sphere":
        return Sphere(s["radius"])
    if kind == "capsule":
        return Capsule(s["radius"], 2.0 * s["half_length"])
    if kind == "cylinder":
        return Cylinder(s["radius"], 2.0 * s["half_length"])
    return plain.refuse("no " + kind)


class World:
    def __init__(self, scene, setting):
        if scene["bodies"][0]["restitution"] > 0:
            plain.refuse("no restitution")
        self.scene, self.setting = scene, setting
        config = MultibodyPlantConfig(time_step=scene["dt"])
        if setting == 1:
            config.discrete_contact_approximation = "sap"
            config.stiction_tolerance = 1e-6
        builder = DiagramBuilder()
        self.plant, graph = AddMultibodyPlant(config, builder)
        if setting == 1:
            surfaces = SceneGraphConfig()
            surfaces.default_proximity_properties.compliance_type = "compliant"
            surfaces.default_proximity_properties.hydroelastic_modulus = MODULUS
            surfaces.default_proximity_properties.slab_thickness = 1.0
            surfaces.default_proximity_properties.hunt_crossley_dissipation = DISSIPATION
            graph.set_config(surfaces)
        self.plant.mutable_gravity_field().set_gravity_vector(np.array(scene["gravity"], float))
        self.body = {b["name"]: self.add(b) for b in scene["bodies"]}
        for joint in scene["joints"]:
            self.add_joint(joint)
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.root = self.simulator.get_mutable_context()
        self.context = self.plant.GetMyMutableContextFromRoot(self.root)
        self.count = 0
        self.start()
        self.push()
        self.simulator.Initialize()

    def add(self, b):
        is_free = b["kind"] == "free"
        if is_free:
            inertia = SpatialInertia(b["mass"], np.zeros(3), UnitInertia(*(np.array(b["inertia"]) / b["mass"])))
            body = self.plant.AddRigidBody(b["name"], inertia)
        else:
            body = self.plant.world_body()
        base = RigidTransform() if is_free else frame(b["position"], b["rotation"])
        for k, s in enumerate(b["shapes"]):
            at = base @ frame(s.get("position", [0, 0, 0]), s.get("rotation", [1, 0, 0, 0]))
            if s["kind"] == "plane" and self.setting == 1:  # half-spaces and compliant solids do not meet
                s, at = {"kind": "box", "half": SLAB}, at @ frame([0, 0, -SLAB[2]], [1, 0, 0, 0])
            self.plant.RegisterCollisionGeometry(body, at, shape(s), "%s/%d" % (b["name"], k),
                                                 CoulombFriction(b["friction"], b["friction"]))
        return body

    def frame_of(self, name, at):
        if name == "world":
            return self.plant.world_body(), at
        b = plain.body(self.scene, name)
        return self.body[name], frame(b["position"], b["rotation"]).inverse() @ at

    def add_joint(self, j):
        at = frame(j["point"], [1, 0, 0, 0])
        (a, in_a), (b, in_b) = self.frame_of(j["a"], at), self.frame_of(j["b"], at)
        name = "%s-%s" % (j["a"], j["b"])
        if plain.parent_joint(self.scene, j["b"]) is not j:
            if j["kind"] not in ("hinge", "ball"):
                plain.refuse("no such loops")
            self.plant.AddBallConstraint(a, in_a.translation(), b, in_b.translation())
        elif j["kind"] == "hinge":
            self.plant.AddJoint(RevoluteJoint(name, self.offset(a, in_a, name + "a"), self.offset(b, in_b, name + "b"), j["axis"]))
        elif j["kind"] == "slider":
            self.plant.AddJoint(PrismaticJoint(name, self.offset(a, in_a, name + "a"), self.offset(b, in_b, name + "b"), j["axis"]))
        elif j["kind"] == "ball":
            self.plant.AddJoint(BallRpyJoint(name, self.offset(a, in_a, name + "a"), self.offset(b, in_b, name + "b")))
        else:
            self.plant.WeldFrames(self.offset(a, in_a, name + "a"), self.offset(b, in_b, name + "b"))

    def offset(self, body, pose, name):
        return self.plant.AddFrame(FixedOffsetFrame(name, body.body_frame(), pose))

    def start(self):
        for b in plain.free_bodies(self.scene):
            if plain.parent_joint(self.scene, b["name"]) is None:
                body = self.body[b["name"]]
                self.plant.SetFreeBodyPose(self.context, body, frame(b["position"], b["rotation"]))
                motion = [np.array(b.get(name, [0, 0, 0]), float) for name in ("angular", "velocity")]
                self.plant.SetFreeBodySpatialVelocity(self.context, body, SpatialVelocity(*motion))

    def push(self):
        forces = []
        for l in self.scene["loads"]:
            force = ExternallyAppliedSpatialForce()
            force.body_index = self.body[l["body"]].index()
            force.p_BoBq_B = np.zeros(3)
            force.F_Bq_W = SpatialForce(np.zeros(3), np.array(l["force"], float))
            forces.append(force)
        if forces:
            self.plant.get_applied_spatial_force_input_port().FixValue(self.context, forces)

    def step(self):
        self.count += 1
        self.simulator.AdvanceTo(self.count * self.scene["dt"])  # a sum of steps would miss or double an update

    def states(self):
        for b in plain.free_bodies(self.scene):
            body = self.body[b["name"]]
            at = self.plant.EvalBodyPoseInWorld(self.context, body)
            v = self.plant.EvalBodySpatialVelocityInWorld(self.context, body)
            q = at.rotation().ToQuaternion()
            yield [*at.translation(), q.w(), q.x(), q.y(), q.z(), *v.translational(), *v.rotational()]


if __name__ == "__main__":
    plain.main("Drake", importlib.metadata.version("drake"), SETTINGS, World)
