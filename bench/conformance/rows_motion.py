"""Rows about motion: flight, tumbling, impacts, rolling, reproducibility."""
import math
import random

import rows
from rows import Row
from scene import G, Scene, product, quat


def thrown():
    s = Scene("thrown", 0.05, 1.0)
    s.ball("ball", 0.1, 1.0, [0, 0, 0], velocity=[3.0, 0, 5.0])
    return s


def judge_thrown(track):
    """Largest distance from the parabola."""
    return max(rows.distance(rows.position(s), [3.0 * t, 0.0, 5.0 * t - 0.5 * G * t * t])
               for t, s in zip(track.t, track.states("ball")))


def tumbling():
    s = Scene("tumbling", 0.001, 10.0, gravity=(0, 0, 0))
    s.box("body", [0.3, 0.2, 0.1], 1.0, [0, 0, 0], angular=[0.1, 5.0, 0.1])
    return s


def judge_momentum(track):
    inertia = track.body["body"]["inertia"]
    states = track.states("body")
    first = rows.world_inertia(states[0], inertia)
    return max(rows.distance(rows.world_inertia(s, inertia), first) for s in states) / math.hypot(*first)


def judge_spin_energy(track):
    energies = [rows.kinetic(track, "body", s) for s in track.states("body")]
    return max(abs(e / energies[0] - 1.0) for e in energies)


def pendulum():
    """Two rods of 1 m let go horizontally."""
    s = Scene("double-pendulum", 0.001, 10.0)
    for k in range(2):
        s.box("rod%d" % k, [0.5, 0.02, 0.02], 1.0, [0.5 + k, 0, 0])
    s.joint("hinge", "world", "rod0", [0, 0, 0], [0, 1, 0])
    s.joint("hinge", "rod0", "rod1", [1, 0, 0], [0, 1, 0])
    return s


def judge_pendulum(track):
    """Largest change of the energy, by that of the way from the top to the bottom."""
    totals = [sum(rows.energy(track, n, s["s"][k]) for k, n in enumerate(track.names)) for s in track.samples]
    return max(abs(t - totals[0]) for t in totals) / (2 * G)


def two_balls():
    """At 2 m/s: several engines let nothing bounce below 1 m/s."""
    s = Scene("two-balls", 0.001, 1.0, mu=0.0, e=1.0, gravity=(0, 0, 0))
    s.ball("a", 0.1, 1.0, [0, 0, 0], velocity=[2.0, 0, 0])
    s.ball("b", 0.1, 1.0, [0.5, 0, 0])
    return s


def judge_swap(track):
    return max(rows.distance(rows.velocity(track.end("a")), [0, 0, 0]), rows.distance(rows.velocity(track.end("b")), [2, 0, 0]))


def bounce():
    s = Scene("bounce", 0.001, 1.1, mu=0.0, e=0.5)
    s.floor()
    s.ball("ball", 0.1, 1.0, [0, 0, 1.1])
    return s


def judge_bounce(track):
    """Height of the first bounce; it falls for 0.45 s and rises to a quarter."""
    after = [rows.position(s)[2] for t, s in zip(track.t, track.states("ball")) if t > 0.5]
    return rows.relative(max(after) - 0.1, 0.25)


def corners(e, mu):
    """Cubes thrown at a floor, edges and corners first."""
    s = Scene("corners-%g-%g" % (e, mu), 0.002, 2.0, mu=mu, e=e)
    s.floor()
    rng = random.Random(7)
    for k in range(8):
        axis = [rng.gauss(0, 1) for _ in range(3)]
        axis = [c / math.hypot(*axis) for c in axis]
        s.box("cube%d" % k, [0.1, 0.1, 0.1], 1.0, [3.0 * k, 0, 0.4], quat(axis, rng.uniform(0, math.pi)),
              velocity=[rng.uniform(-2, 2), rng.uniform(-2, 2), -3.0], angular=[rng.uniform(-10, 10) for _ in range(3)])
    return s


def judge_gain(track):
    """Largest energy of a cube above that at its start, by its first."""
    worst = 0.0
    for name in track.names:
        energies = [rows.energy(track, name, s) for s in track.states(name)]
        worst = max(worst, max(e - energies[0] for e in energies) / energies[0])
    return worst


def painleve():
    """A rod of 1 m slides with its lower end on a rough floor at 4 m/s and 60 degrees, leaning against the motion."""
    s = Scene("painleve", 0.001, 1.0, mu=1.6)
    s.floor()
    half, angle, thin = 0.5, math.radians(60.0), 0.01
    low = half * math.sin(angle) + thin * math.cos(angle)
    s.box("rod", [half, thin, thin], 1.0, [0, 0, low], quat([0, 1, 0], angle), velocity=[-4.0, 0, 0])
    return s


def judge_painleve(track):
    """The larger of the energy gained, by the first, and of how deep the lowest corner goes [m]."""
    half = track.body["rod"]["shapes"][0]["half"]
    gain, deep = 0.0, 0.0
    first = rows.energy(track, "rod", track.states("rod")[0])
    for s in track.states("rod"):
        gain = max(gain, rows.energy(track, "rod", s) / first - 1.0)
        down = [rows.sc.turn(s[3:7], axis)[2] for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
        deep = max(deep, sum(h * abs(d) for h, d in zip(half, down)) - rows.position(s)[2])
    return max(gain, deep)


SLOPE = math.radians(10.0)


def rolling(kind, slope):
    s = Scene("rolling-%s%s" % (kind, "-incline" if slope else ""), 0.01, 4.0 if not slope else 2.0, mu=0.6)
    s.floor(rotation=quat([0, 1, 0], slope))
    at = [0.1 * math.sin(slope), 0, 0.1 * math.cos(slope)]
    motion = {} if slope else {"velocity": [1.0, 0, 0], "angular": [0, 10.0, 0]}
    if kind == "ball":
        s.ball("roller", 0.1, 1.0, at, **motion)
    else:
        s.cylinder("roller", 0.1, 0.1, 1.0, at, **motion)
    return s


def judge_coasting(track):
    return max(rows.relative(rows.velocity(s)[0], 1.0) for s in track.states("roller"))


def judge_rolling(track):
    down = [math.cos(SLOPE), 0, -math.sin(SLOPE)]
    return rows.relative(rows.acceleration(track, "roller", down), 2.0 / 3.0 * G * math.sin(SLOPE))


def tiles(kind):
    """Over ten tiles of 0.5 m, flush."""
    s = Scene("tiles-" + kind, 0.01, 4.0, mu=0.0 if kind == "slider" else 0.6)
    for k in range(12):
        s.block("tile%d" % k, [0.25, 0.5, 0.1], [0.5 * k, 0, -0.1])
    if kind == "slider":
        s.box("roller", [0.1, 0.1, 0.05], 1.0, [0, 0, 0.05], velocity=[1.0, 0, 0])
    else:
        s.ball("roller", 0.1, 1.0, [0, 0, 0.1], velocity=[1.0, 0, 0], angular=[0, 10.0, 0])
    return s


def heap(name, has_stranger):
    """Three boxes fall onto each other; far away there may be a ball that falls for itself."""
    s = Scene(name, 0.01, 2.0)
    s.floor()
    for k in range(3):
        s.box("box%d" % k, [0.1, 0.1, 0.1], 1.0, [0.03 * k, 0.02 * k, 0.15 + 0.25 * k],
              product(quat([0, 0, 1], 0.3 * k), quat([1, 0, 0], 0.1 * k)))
    if has_stranger:
        s.ball("stranger", 0.1, 1.0, [50.0, 0, 3.0])
    return s


def judge_same(one, two):
    """Largest difference of any number of the three boxes; 0 is the same bits."""
    worst = 0.0
    for name in one.names:
        for a, b in zip(one.states(name), two.states(name)):
            worst = max(worst, max(abs(x - y) for x, y in zip(a, b)))
    return worst


ROWS = [
    Row("thrown", "a thrown ball at h = 50 ms", "the parabola", "distance from it [m]", 1e-9, 1e-2, [thrown()], judge_thrown,
        "DESIGN"),
    Row("tumbling-momentum", "free body about its middle axis, 10 s, h = 1 ms", "angular momentum kept", "largest change [1]",
        1e-9, 1e-3, [tumbling()], judge_momentum, "DESIGN", planar=False),
    Row("tumbling-energy", "the same", "energy kept", "largest change [1]", 1e-4, 1e-2, [tumbling()], judge_spin_energy, "DESIGN",
        planar=False),
    Row("double-pendulum", "two rods let go horizontally, 10 s, h = 1 ms", "energy kept", "largest change [1]", 1e-4, 1e-2,
        [pendulum()], judge_pendulum, "DESIGN"),
    Row("two-balls", "elastic hit of equal balls", "velocities swap", "error of a velocity [m/s]", 1e-9, 1e-2, [two_balls()],
        judge_swap, "DESIGN"),
    Row("bounce", "ball falls by 1 m, e = 0.5, h = 1 ms", "rises to 0.25 m", "error of the height [1]", 1e-2, 1e-1, [bounce()],
        judge_bounce, "DESIGN", samples=1100),
    Row("corners-1-0.5", "8 cubes thrown, e = 1, μ = 0.5", "energy never grows", "largest gain [1]", 1e-9, 1e-2,
        [corners(1.0, 0.5)], judge_gain, "DESIGN", planar=False, samples=1000),
    Row("corners-1-2", "the same, μ = 2", "energy never grows", "largest gain [1]", 1e-9, 1e-2, [corners(1.0, 2.0)],
        judge_gain, "DESIGN", planar=False, samples=1000),
    Row("painleve", "rod slides into jamming, μ = 1.6, h = 1 ms", "a solution: no energy gained, no overlap",
        "gain [1] or overlap [m]", 1e-6, 1e-2, [painleve()], judge_painleve, "DESIGN", samples=1000),
    Row("rolling-ball", "ball rolls at 1 m/s, 4 s, h = 10 ms", "speed kept", "error of the speed [1]", 1e-9, 1e-3,
        [rolling("ball", 0.0)], judge_coasting, "DESIGN"),
    Row("rolling-cylinder", "cylinder rolls at 1 m/s", "speed kept", "error of the speed [1]", 1e-9, 1e-3,
        [rolling("cylinder", 0.0)], judge_coasting, "DESIGN"),
    Row("rolling-incline", "cylinder down 10°", "a = 2/3 g sin θ", "error of a [1]", 1e-9, 1e-2,
        [rolling("cylinder", SLOPE)], judge_rolling, "DESIGN"),
    Row("tiles-slider", "slider without friction over flush tiles", "speed kept", "error of the speed [1]", 1e-9, 1e-3,
        [tiles("slider")], judge_coasting, "DESIGN"),
    Row("tiles-ball", "ball over flush tiles", "speed kept", "error of the speed [1]", 1e-9, 1e-3, [tiles("ball")],
        judge_coasting, "DESIGN"),
    Row("same-run", "three boxes fall, twice", "the same bits", "largest difference", 0.0, 1e-6,
        [heap("heap", False), heap("heap-again", False)], judge_same, "gz-sim#3349; mujoco#1093, rapier#868", planar=False),
    Row("stranger", "the same with an unrelated ball far away", "the same bits", "largest difference", 0.0, 1e-6,
        [heap("heap", False), heap("heap-stranger", True)], judge_same, "DESIGN; sofa#6231", planar=False),
]
