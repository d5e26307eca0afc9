"""What a row of the table is, and what judges read.

A row has runs (scenes by name), a judge that makes one figure of them, and two bounds: within `exact` the answer is right ("met"),
within `near` it is right for most purposes ("near"), else "off". The figure is an error or a misbehaviour: 0 is right.
"""
import dataclasses
import math
import typing

import scene as sc


class Track:
    """Samples of one run: times, states by body name, loads."""

    def __init__(self, scene, samples):
        self.scene = scene
        self.names = [b["name"] for b in scene["bodies"] if b["kind"] == "free"]
        self.body = {b["name"]: b for b in scene["bodies"]}
        self.t = [s["t"] for s in samples]
        self.samples = samples

    def states(self, name):
        k = self.names.index(name)
        return [s["s"][k] for s in self.samples]

    def at(self, name, time):
        """State at the sample next to a time."""
        k = min(range(len(self.t)), key=lambda i: abs(self.t[i] - time))
        return self.states(name)[k]

    def end(self, name):
        return self.states(name)[-1]

    @property
    def duration(self):
        return self.t[-1]


@dataclasses.dataclass
class Row:
    name: str
    title: str      # what is asked
    answer: str     # the analytic answer
    figure: str     # what the figure is, with its unit
    exact: float
    near: float
    runs: typing.List[sc.Scene]
    judge: typing.Callable  # of a Track for each run; returns the figure
    source: str = ""        # public threads, or the table of DESIGN.md
    planar: bool = True     # lies in the plane y = 0
    samples: int = 200      # at least so many of a run
    has_loads: bool = False # asks what the scales carry


# --- What several judges use ---

def position(state):
    return state[0:3]


def velocity(state):
    return state[7:10]


def angular(state):
    return state[10:13]


def distance(a, b):
    return math.dist(a, b)


def creep(track, name):
    """Mean speed over the second half of a run: what is left after settling."""
    half = 0.5 * track.duration
    return distance(position(track.at(name, half)), position(track.end(name))) / (track.duration - track_time(track, half))


def track_time(track, time):
    return min(track.t, key=lambda t: abs(t - time))


def acceleration(track, name, direction):
    """Mean acceleration along a unit direction over the second half of a run."""
    half = track_time(track, 0.5 * track.duration)
    change = [b - a for a, b in zip(velocity(track.at(name, half)), velocity(track.end(name)))]
    return sum(c * d for c, d in zip(change, direction)) / (track.duration - half)


def relative(value, right):
    return abs(value / right - 1.0)


def world_inertia(state, inertia):
    """Angular momentum about the centre of mass."""
    q = state[3:7]
    inverse = [q[0], -q[1], -q[2], -q[3]]
    local = sc.turn(inverse, angular(state))
    return sc.turn(q, [i * w for i, w in zip(inertia, local)])


def kinetic(track, name, state):
    body = track.body[name]
    momentum = world_inertia(state, body["inertia"])
    return 0.5 * body["mass"] * sum(v * v for v in velocity(state)) + 0.5 * sum(a * b for a, b in zip(momentum, angular(state)))


def energy(track, name, state):
    g = track.scene["gravity"]
    return kinetic(track, name, state) - track.body[name]["mass"] * sum(a * b for a, b in zip(g, position(state)))


def largest_gain(track):
    """Largest energy of all bodies above that at the start [J]."""
    totals = [sum(energy(track, n, s["s"][k]) for k, n in enumerate(track.names)) for s in track.samples]
    return max(t - totals[0] for t in totals)


def point_of(track, name, sample, point):
    """Where a body's point that was at `point` at the start is in a sample."""
    start = track.body[name]
    back = [start["rotation"][0]] + [-c for c in start["rotation"][1:]]
    local = sc.turn(back, [p - c for p, c in zip(point, start["position"])])
    state = sample["s"][track.names.index(name)]
    return [c + r for c, r in zip(position(state), sc.turn(state[3:7], local))]


def opening(track):
    """Largest distance of a joint's two points in a run [m]."""
    worst = 0.0
    for sample in track.samples:
        for joint in track.scene["joints"]:
            a, b = (joint["point"] if joint[side] == "world" else point_of(track, joint[side], sample, joint["point"])
                    for side in "ab")
            worst = max(worst, distance(a, b))
    return worst
