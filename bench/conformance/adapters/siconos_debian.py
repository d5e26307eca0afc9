"""Siconos from Debian: Moreau and Jean's scheme, contacts from Bullet, Coulomb friction by nonsmooth Gauss-Seidel."""
import math
import os
import sys

sys.stdout.flush()
import siconos.kernel as sk  # noqa: E402
import siconos.numerics as sn  # noqa: E402
from siconos.mechanics import collision as mc  # noqa: E402
from siconos.mechanics.collision import bullet as mb  # noqa: E402

import plain  # noqa: E402

SETTINGS = ("theta 0.5, NSGS 1000 it., 1e-4", "theta 0.5, NSGS 100,000 it., 1e-10")
POINTS = 10  # several points a pair, as its runner asks for
MARGIN = 1e-3  # of convex shapes, inside [m]
SLAB = [50.0, 50.0, 2.0]


def shape(s):
    kind = s["kind"]
    if kind == "plane":
        return mc.SiconosBox(*(2.0 * x for x in SLAB))
    if kind == "box":
        return mc.SiconosBox(*(2.0 * x for x in s["half"]))
    if kind == "sphere":
        return mc.SiconosSphere(s["radius"])
    if kind == "cylinder":
        return mc.SiconosCylinder(s["radius"], 2.0 * s["half_length"])
    if kind == "capsule" and hasattr(mc, "SiconosCapsule"):
        return mc.SiconosCapsule(s["radius"], 2.0 * s["half_length"])
    return plain.refuse("no " + kind)


def offset(s):
    """Where a shape is in its body. Siconos' cylinders and capsules are along y."""
    at, q = s.get("position", [0, 0, 0]), s.get("rotation", [1, 0, 0, 0])
    if s["kind"] == "plane":
        at = [0, 0, -SLAB[2]]
    if s["kind"] in ("cylinder", "capsule"):
        q = plain.product(q, plain.quat([1, 0, 0], 0.5 * math.pi))
    return [*map(float, at), *map(float, q)]


def contactors(body):
    made = mc.SiconosContactorSet()
    for s in body["shapes"]:
        solid = shape(s)
        solid.setInsideMargin(MARGIN)
        solid.setOutsideMargin(0.0)
        made.append(mc.SiconosContactor(solid, offset(s)))
    return made


class World:
    def __init__(self, scene, setting):
        if scene["joints"]:
            plain.refuse("the adapter has no joints")
        h, first = scene["dt"], scene["bodies"][0]
        options = mb.SiconosBulletOptions()
        options.perturbationIterations = options.minimumPointsPerturbationThreshold = 3 * POINTS
        self.manager = mb.SiconosBulletCollisionManager(options)
        self.manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(first["restitution"], 0.0, first["friction"], 3), 0, 0)
        self.model = sk.NonSmoothDynamicalSystem(0.0, 2.0 * scene["duration"])
        self.keep = []
        self.free = [self.add_free(scene, b) for b in plain.free_bodies(scene)]
        for b in scene["bodies"]:
            if b["kind"] != "free":
                made = contactors(b)
                self.keep.append(made)
                self.manager.insertStaticContactorSet(made, [*map(float, b["position"]), *map(float, b["rotation"])])
        problem = sk.FrictionContact(3)
        numbers = problem.numericsSolverOptions()
        numbers.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000 if setting else 1000
        numbers.dparam[sn.SICONOS_DPARAM_TOL] = 1e-10 if setting else 1e-4
        problem.setMaxSize(10000)
        problem.setMStorageType(1)
        problem.setNumericsVerboseMode(False)
        problem.setKeepLambdaAndYState(True)
        self.simulation = sk.TimeStepping(self.model, sk.TimeDiscretisation(0.0, h))
        self.simulation.insertInteractionManager(self.manager)
        scheme = sk.MoreauJeanOSI(0.5)
        scheme.setConstraintActivationThreshold(0.0)
        self.simulation.insertIntegrator(scheme)
        self.simulation.insertNonSmoothProblem(problem)
        self.simulation.setNewtonOptions(sk.SICONOS_TS_NONLINEAR)
        self.simulation.setNewtonMaxIteration(2)
        self.simulation.setNewtonTolerance(1e-10)
        self.problem = problem

    def add_free(self, scene, b):
        q = [*map(float, b["position"]), *map(float, b["rotation"])]
        spin = plain.turn(plain.inverse(b["rotation"]), b.get("angular", [0, 0, 0]))  # of the body's axes
        v = [*map(float, b.get("velocity", [0, 0, 0])), *map(float, spin)]
        inertia = [[b["inertia"][i] if i == j else 0.0 for j in range(3)] for i in range(3)]
        body = mc.RigidBodyDS(q, v, b["mass"], inertia)
        body.setContactors(contactors(b))
        force = [b["mass"] * g for g in scene["gravity"]]
        for l in scene["loads"]:
            if l["body"] == b["name"]:
                force = [x + y for x, y in zip(force, l["force"])]
        self.keep.append(force)
        body.setFExtPtr(force)
        self.model.insertDynamicalSystem(body)
        return body

    def step(self):
        self.simulation.computeOneStep()
        self.simulation.nextStep()

    def states(self):
        for body in self.free:
            q, v = list(body.q()), list(body.twist())
            yield [*q, *v[:3], *plain.turn(q[3:7], v[3:])]


def quiet():
    """Siconos prints to the process's output: its own lines go to the error stream, samples to the old output."""
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = os.fdopen(out, "w")


if __name__ == "__main__":
    quiet()
    plain.main("Siconos", os.popen("dpkg-query -W -f '${Version}' python3-siconos").read().split("+")[0], SETTINGS, World)
    sys.stdout.flush()
