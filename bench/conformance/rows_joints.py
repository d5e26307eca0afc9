"""Rows about joints: loops under load, nearly parallel axes, hinged bodies that hit each other."""
import math

import rows
from rows import Row
from scene import Scene, quat

LENGTH = 0.5


def four_bar(name, tilt, load):
    """A parallelogram on two cranks, let go upright with its coupler pushed; axes along y but for one, tilted by `tilt`."""
    s = Scene(name, 0.002, 6.0)
    half, thin = 0.5 * LENGTH, 0.01
    s.box("crank", [thin, thin, half], 1.0, [0, 0, half])
    s.box("coupler", [LENGTH, thin, thin], 2.0, [LENGTH, 0, LENGTH])
    s.box("rocker", [thin, thin, half], 1.0, [2 * LENGTH, 0, half])
    off = [math.sin(tilt), math.cos(tilt), 0]
    s.joint("hinge", "world", "crank", [0, 0, 0], [0, 1, 0])
    s.joint("hinge", "crank", "coupler", [0, 0, LENGTH], [0, 1, 0])
    s.joint("hinge", "coupler", "rocker", [2 * LENGTH, 0, LENGTH], [0, 1, 0])
    s.joint("hinge", "rocker", "world", [2 * LENGTH, 0, 0], off)
    s.push("coupler", [load, 0, -load])
    return s


def judge_tilted(plane, tilted):
    """Largest distance of the couplers in the first second; later the motion is chaotic at the dead points."""
    pairs = zip(plane.t, plane.states("coupler"), tilted.states("coupler"))
    return max(rows.distance(rows.position(a), rows.position(b)) for t, a, b in pairs if t <= 1.0)


def hinged_boxes():
    """Two boxes hang on parallel hinges, 0.2 m wide and touching; one is let go at 60 degrees and hits the other flat."""
    s = Scene("hinged-boxes", 0.001, 1.0, mu=0.0)
    angle = math.radians(60.0)
    turned = [-math.sin(angle), 0, -math.cos(angle)]
    s.box("hit", [0.1, 0.1, 0.2], 1.0, [0.2, 0, -1.0])
    s.box("falling", [0.1, 0.1, 0.2], 1.0, turned, quat([0, 1, 0], angle))
    s.joint("hinge", "world", "hit", [0.2, 0, 0], [0, 1, 0])
    s.joint("hinge", "world", "falling", [0, 0, 0], [0, 1, 0])
    return s


def judge_hit(track):
    """Change of the two turning speeds together over the hit; each turns about its own hinge, the levers are equal."""
    one = [rows.angular(s)[1] for s in track.states("falling")]
    two = [rows.angular(s)[1] for s in track.states("hit")]
    after = next((k for k in range(len(two)) if abs(two[k]) > 0.05 * abs(one[k]) and k > 10), None)
    if after is None or after + 3 >= len(two):
        return math.inf
    return rows.relative(one[after + 2] + two[after + 2], one[after - 2] + two[after - 2])


LINKS = 20


def rope():
    """Twenty links of 0.1 kg with 100 kg at the end, let go at 30 degrees."""
    s = Scene("rope", 0.005, 4.0)
    angle, half = math.radians(30.0), 0.05
    along, turned = [math.sin(angle), 0, -math.cos(angle)], quat([0, 1, 0], -angle)
    before = "world"
    for k in range(LINKS + 1):
        is_load = k == LINKS
        at = [2 * half * (k + 0.5) * c for c in along]
        name = "load" if is_load else "link%d" % k
        s.box(name, [0.2, 0.2, half] if is_load else [0.01, 0.01, half], 100.0 if is_load else 0.1, at, turned)
        s.joint("hinge", before, name, [2 * half * k * c for c in along], [0, 1, 0])
        before = name
    return s


ROWS = [
    Row("four-bar", "parallelogram pushed with 20 N, 6 s, h = 2 ms", "no joint opens", "largest opening [m]", 1e-6, 1e-3,
        [four_bar("four-bar", 0.0, 20.0)], rows.opening, "DESIGN; mujoco#2698, RigidBodyDynamics.jl#480"),
    Row("four-bar-tilted", "the same, one axis tilted by 1e-6 rad", "swings as the plane one", "largest distance in 1 s [m]",
        1e-3, 1e-2, [four_bar("four-bar", 0.0, 20.0), four_bar("four-bar-tilted", 1e-6, 20.0)], judge_tilted, "DESIGN",
        planar=False),
    Row("hinged-boxes", "two boxes on parallel hinges hit each other", "angular momentum kept, no NaN", "change [1]", 1e-3, 5e-2,
        [hinged_boxes()], judge_hit, "DESIGN; dart#892", samples=1000),
    Row("rope", "100 kg on a chain of 20 links of 0.1 kg, swinging, h = 5 ms", "no joint opens", "largest opening [m]", 1e-6, 1e-3, [rope()],
        rows.opening, "the usual complaint: heavy loads stretch ropes"),
]
