"""Rows about friction: what must stay stays, what must slide slides as Coulomb says."""
import math

import rows
from rows import Row
from scene import G, Scene, quat

SLOPE = math.radians(30.0)
DOWNHILL = [math.cos(SLOPE), 0.0, -math.sin(SLOPE)]
TILT = quat([0, 1, 0], SLOPE)
NORMAL = [math.sin(SLOPE), 0.0, math.cos(SLOPE)]


def on_slope(height):
    return [height * c for c in NORMAL]


def incline(factor, duration):
    s = Scene("incline-%g" % factor, 0.01, duration, mu=factor * math.tan(SLOPE))
    s.floor(rotation=TILT)
    s.box("box", [0.1, 0.1, 0.1], 1.0, on_slope(0.1), TILT)
    return s


def push(force):
    s = Scene("push-%g" % force, 0.01, 4.0, mu=0.5)
    s.floor()
    s.box("box", [0.1, 0.1, 0.1], 1.0, [0, 0, 0.1])
    s.push("box", [force, 0, 0])
    return s


HEADINGS, LIMIT = 16, 0.5 * G


def headings():
    """Boxes pushed along 16 headings, each just below and just above the limit."""
    s = Scene("headings", 0.01, 4.0, mu=0.5)
    s.floor()
    for k in range(HEADINGS):
        angle = 2 * math.pi * k / HEADINGS
        for row, share in enumerate((0.999, 1.001)):
            name = s.box("box%d-%d" % (row, k), [0.1, 0.1, 0.1], 1.0, [k, 2.0 * row, 0.1])
            s.push(name, [share * LIMIT * math.cos(angle), share * LIMIT * math.sin(angle), 0])
    return s


def judge_headings(track):
    """Number of boxes that do the wrong thing, after two seconds to settle: of those below the limit, who goes on creeping; of those
    above it, whose acceleration is not within a factor of 2 of the right one."""
    wrong = 0
    for k, name in enumerate(track.names):
        angle = 2 * math.pi * (k // 2) / HEADINGS
        a = rows.acceleration(track, name, [math.cos(angle), math.sin(angle), 0])
        late = rows.distance(rows.position(track.at(name, 3.0)), rows.position(track.end(name)))
        wrong += late > 1e-4 if name.startswith("box0") else not 0.5 < a / (0.001 * LIMIT) < 2.0
    return float(wrong)


def grip(s, name, y, force, add_object):
    """Two pads on sliders along x, pressed together with a force each."""
    add_object(name, [0, y, 0.5])
    for side in (-1, 1):
        pad = s.box("%s-pad%d" % (name, side), [0.01, 0.03, 0.03], 0.1, [side * 0.025, y, 0.5])
        s.joint("slider", "world", pad, [side * 0.025, y, 0.5], [1, 0, 0])
        s.push(pad, [-side * force, 0, 0])


def capsule_grip(force):
    s = Scene("capsule-%gN" % force, 0.002, 2.0, mu=0.7)
    grip(s, "capsule", 0.0, force, lambda name, at: s.capsule(name, 0.015, 0.02, 0.045, at))
    return s


def box_grip(share):
    s = Scene("grip-%g" % share, 0.005, 2.0 if share > 1 else 0.5, mu=0.5)
    grip(s, "cube", 0.0, share * G / (2 * 0.5), lambda name, at: s.box(name, [0.015, 0.015, 0.05], 1.0, at))
    return s


def wall():
    s = Scene("wall", 0.01, 4.0, mu=1.0)
    s.floor(rotation=quat([0, 1, 0], -0.5 * math.pi), name="wall")  # its normal is -x
    s.box("cube", [0.1, 0.1, 0.1], 1.0, [-0.1, 0, 0])
    s.push("cube", [20.0, 0, 0])
    return s


SPEED = 6.0


def launch(heading=0.0):
    s = Scene("launch%s" % ("-%g" % heading if heading else ""), 0.005, 2.0, mu=0.5)
    s.floor()
    angle = math.radians(heading)
    s.box("cube", [0.05, 0.05, 0.05], 1.0, [0, 0, 0.05], velocity=[SPEED * math.cos(angle), SPEED * math.sin(angle), 0])
    return s


def judge_straight(heading):
    """Where it stops, from where it should, by the way."""
    angle, way = math.radians(heading), SPEED ** 2 / (2 * 0.5 * G)
    return lambda t: rows.distance(rows.position(t.end("cube")), [way * math.cos(angle), way * math.sin(angle), 0.05]) / way


def judge_lift(track):
    return max(abs(rows.position(s)[2] - 0.05) for s in track.states("cube"))


def slip_error(track):
    """A cube that slips between pads falls with g (1 - share)."""
    return rows.relative(rows.acceleration(track, "cube", [0, 0, -1]), 0.02 * G)


DOWN = G * (math.sin(SLOPE) - 0.95 * math.tan(SLOPE) * math.cos(SLOPE))

ROWS = [
    Row("incline-stick", "box on a 30° incline, μ = 1.02 tan θ", "rests", "creep [m/s]", 1e-9, 1e-4, [incline(1.02, 4.0)],
        lambda t: rows.creep(t, "box"), "DESIGN; mujoco#2082"),
    Row("incline-slide", "the same, μ = 0.95 tan θ", "a = g (sin θ − μ cos θ)", "error of a [1]", 1e-9, 1e-2,
        [incline(0.95, 2.0)], lambda t: rows.relative(rows.acceleration(t, "box", DOWNHILL), DOWN), "DESIGN"),
    Row("push-below", "1 kg, μ = 0.5, pushed with 4.90 N (limit 4.905)", "rests", "creep [m/s]", 1e-9, 1e-4, [push(4.90)],
        lambda t: rows.creep(t, "box"), "DESIGN; raisim#55"),
    Row("push-above", "the same with 4.91 N", "a = 0.005 m/s²", "error of a [1]", 1e-6, 1e-1, [push(4.91)],
        lambda t: rows.relative(rows.acceleration(t, "box", [1, 0, 0]), 4.91 - LIMIT), "DESIGN; raisim#55"),
    Row("headings", "pushed along 16 headings with 0.999 and 1.001 of the limit", "16 rest, 16 move",
        "wrong boxes of 32", 0.0, 2.0, [headings()], judge_headings, "DESIGN; dart#841", planar=False),
    Row("capsule-12", "45 g capsule pinched with 12 N, μ = 0.7, h = 2 ms", "does not sink", "creep [m/s]", 1e-9, 1e-6,
        [capsule_grip(12.0)], lambda t: rows.creep(t, "capsule"), "DESIGN; mujoco#3328"),
    Row("capsule-60", "the same with 60 N", "does not sink", "creep [m/s]", 1e-9, 1e-6, [capsule_grip(60.0)],
        lambda t: rows.creep(t, "capsule"), "DESIGN; mujoco#3328"),
    Row("grip-holds", "1 kg between two pads, 2 μ N = 1.02 m g", "holds", "creep [m/s]", 1e-9, 1e-4, [box_grip(1.02)],
        lambda t: rows.creep(t, "cube"), "mujoco#239, #1643, #941"),
    Row("grip-slips", "the same, 2 μ N = 0.98 m g", "a = 0.02 g", "error of a [1]", 1e-6, 1e-1, [box_grip(0.98)], slip_error,
        "mujoco#239"),
    Row("wall", "1 kg cube pressed to a wall with 20 N, μ = 1", "holds", "creep [m/s]", 1e-9, 1e-4, [wall()],
        lambda t: rows.creep(t, "cube"), "DESIGN"),
    Row("launch-stop", "0.1 m cube launched flat at 6 m/s, μ = 0.5, h = 5 ms", "stops at v²/(2 μ g)", "error of the way [1]",
        1e-3, 1e-2, [launch()], lambda t: rows.relative(rows.position(t.end("cube"))[0], SPEED ** 2 / (2 * 0.5 * G)),
        "DESIGN; genesis#3115"),
    Row("launch-30", "the same launched at 30° to its sides", "stops straight ahead", "distance from there, by the way [1]", 1e-3, 1e-2,
        [launch(30.0)], judge_straight(30.0), "DESIGN; genesis#3115", planar=False),
    Row("launch-lift", "the same: does it leave the floor?", "no gap, no lift", "largest height [m]", 1e-6, 1e-3, [launch()],
        judge_lift, "genesis#3115; chrono#260"),
]
