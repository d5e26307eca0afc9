"""Rows about bodies that rest: stacks, heavy on light, drift, loads."""
import math

import rows
from rows import Row
from scene import G, Scene, quat


def heavy(ratio):
    s = Scene("heavy-%g" % ratio, 0.01, 10.0)
    s.floor()
    s.box("light", [0.5, 0.5, 0.5], 1.0, [0, 0, 0.5])
    s.box("heavy", [0.5, 0.5, 0.5], ratio, [0, 0, 1.5])
    return s


def judge_heavy(track):
    return rows.distance(rows.position(track.end("heavy")), [0, 0, 1.5])


def stack(count):
    s = Scene("stack-%d" % count, 0.01, 10.0)
    s.floor()
    for k in range(count):
        s.box("box%d" % k, [0.5, 0.5, 0.5], 1.0, [0, 0, 0.5 + k])
    return s


def judge_stack(count):
    def judge(track):
        name = "box%d" % (count - 1)
        return max(rows.distance(rows.position(s), [0, 0, count - 0.5]) for s in track.states(name))
    return judge


def masses():
    """Five cubes of 1, 10, ... 10^4 kg, the light ones below."""
    s = Scene("masses", 0.01, 10.0)
    s.floor()
    for k in range(5):
        s.box("box%d" % k, [0.5, 0.5, 0.5], 10.0 ** k, [0, 0, 0.5 + k])
    return s


def settle():
    """A cube let fall by a centimetre, tilted by 5 degrees; what it does after 30 s."""
    s = Scene("settle", 0.01, 60.0)
    s.floor()
    s.box("cube", [0.1, 0.1, 0.1], 1.0, [0, 0, 0.12], quat([0, 1, 0], math.radians(5.0)))
    return s


def judge_drift(track):
    a, b = rows.position(track.at("cube", 30.0)), rows.position(track.end("cube"))
    return math.hypot(b[0] - a[0], b[1] - a[1]) * 120.0


def judge_unrest(track):
    last = [s for t, s in zip(track.t, track.states("cube")) if t >= 50.0]
    return max(math.hypot(*rows.velocity(s)) + 0.1 * math.hypot(*rows.angular(s)) for s in last)


def pressed():
    s = Scene("pressed", 0.005, 2.0)
    s.block("table", [0.5, 0.5, 0.5], [0, 0, -0.5])
    s.box("cube", [0.05, 0.05, 0.05], 0.1, [0, 0, 0.05])
    s.push("cube", [0, 0, -1000.0])
    return s


def judge_pressed(track):
    return max(0.0, 0.05 - min(rows.position(s)[2] for s in track.states("cube")))


def table(legs, has_scales):
    """A round table of 10 kg; its legs stand on plates of their own, or on one floor."""
    s = Scene("table-%d%s" % (legs, "" if has_scales else "-floor"), 0.01, 4.0)
    if not has_scales:
        s.floor()
    shapes = [{"kind": "box", "half": [0.6, 0.6, 0.02]}]
    for k in range(legs):
        angle = 2 * math.pi * (k + 0.5) / legs
        x, y = 0.5 * math.cos(angle), 0.5 * math.sin(angle)
        shapes.append({"kind": "sphere", "radius": 0.03, "position": [x, y, -0.3]})
        if has_scales:
            s.block("scale%d" % k, [0.05, 0.05, 0.05], [x, y, -0.05])
    s.body("table", "free", shapes, [0, 0, 0.33], mass=10.0, inertia=[1.2, 1.2, 2.4])
    return s


def judge_even(legs):
    def judge(track):
        loads = track.samples[-1]["load"]
        return max(rows.relative(load, 10.0 * G / legs) for load in loads)
    return judge


def judge_sum(track):
    return rows.relative(sum(track.samples[-1]["load"]), 10.0 * G)


def judge_tilt(track):
    """Angle between the table's axis and the vertical, and how far it sank by its size."""
    q = track.end("table")[3:7]
    return 2.0 * math.hypot(q[1], q[2]) + abs(rows.position(track.end("table"))[2] - 0.33)


ROWS = [
    Row("heavy-100", "100 kg on 1 kg, cubes of 1 m", "stands", "way of the top [m]", 1e-6, 1e-3, [heavy(100.0)], judge_heavy,
        "DESIGN; Jolt#1390, #1392, dart#3442, PhysX#21"),
    Row("heavy-10000", "10⁴ kg on 1 kg", "stands", "way of the top [m]", 1e-6, 1e-3, [heavy(1e4)], judge_heavy, "DESIGN; Jolt#1390"),
    Row("masses", "cubes of 1, 10, ... 10⁴ kg upward", "stand still", "way of the top [m]", 1e-6, 1e-3, [masses()], judge_stack(5),
        "DESIGN; dart#3442"),
    Row("stack-10", "10 boxes, 10 s, h = 10 ms", "stand still", "way of the top [m]", 1e-6, 1e-2, [stack(10)], judge_stack(10),
        "DESIGN"),
    Row("stack-30", "30 boxes", "stand still", "way of the top [m]", 1e-6, 1e-2, [stack(30)], judge_stack(30), "DESIGN"),
    Row("stack-100", "100 boxes", "stand still", "way of the top [m]", 1e-6, 1e-2, [stack(100)], judge_stack(100), "DESIGN"),
    Row("rest-drift", "a cube let fall: its drift in the second half of a minute", "0", "drift [m/h]", 1e-9, 1e-3, [settle()],
        judge_drift, "bullet3#3049, #4202"),
    Row("rest-speed", "the same: how fast it is after 50 s", "0", "speed [m/s]", 1e-9, 1e-4, [settle()], judge_unrest,
        "mujoco#2082, #431"),
    Row("pressed", "0.1 kg cube pressed onto a table with 1000 N", "does not enter it", "overlap [m]", 1e-6, 1e-3, [pressed()],
        judge_pressed, "bullet3#2515"),
    Row("loads-sum", "10 kg table on four scales", "the loads are m g together", "error of the sum [1]", 1e-6, 1e-2,
        [table(4, True)], judge_sum, "mujoco#2630; cannon.js#274", planar=False, has_loads=True),
    Row("loads-4", "the same", "m g / 4 each", "largest error of a load [1]", 1e-6, 5e-2, [table(4, True)], judge_even(4),
        "DESIGN; cannon.js#274", planar=False, has_loads=True),
    Row("loads-8", "on eight scales", "m g / 8 each with the even option", "largest error of a load [1]", 1e-6, 5e-2,
        [table(8, True)], judge_even(8), "DESIGN; raisim#301", planar=False, has_loads=True),
    Row("feet-24", "a table with 24 feet on one floor", "stands level", "tilt and sinking [rad, m]", 1e-6, 1e-3,
        [table(24, False)], judge_tilt, "webots#5768; newton#3431", planar=False),
]
