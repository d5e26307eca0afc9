"""Derivatives: how the next state of a world changes with this one, with forces, controls and parameters."""
from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._core import Array, ArgumentError, KindError, check, choice, doubles, number, real, text, whole
from ._native import ffi, lib
from ._step import Step
from ._things import Body, Joint
from ._world import World

_new, _NULL = ffi.new, ffi.NULL

#: Called with (step, dq, dv): add the gradient of the cost after so many steps to dq and dv, in place.
Cost = Callable[[int, Array, Array], None]


class Kink(NamedTuple):
    """A contact that is about to change its state."""

    bodies: Tuple[int, int]
    point: Array
    kind: str
    margin: float


class Report:
    """What a derivative is worth (docs/guide/gradients.md). True if it is smooth."""

    def __init__(self, c: Any) -> None:
        self._c = c
        self.status: str = text(lib.crn_gradient_status_name(c.status))
        self.begins_shown: bool = bool(c.begins_shown)
        self.is_saltation: bool = bool(c.is_saltation)
        self.is_parting: bool = bool(c.is_parting)
        self.kinks: int = c.kinks
        self.touching: int = c.touching
        self.redundant: int = c.redundant
        self.changed: int = c.changed
        self.margin: float = c.margin
        self.residual: float = c.residual

    @property
    def step(self) -> Step:
        """Of the step that was differentiated."""
        stats = _new("crn_step_stats *", self._c.step)
        return Step(stats)

    @property
    def contacts(self) -> List[Kink]:
        """The first contacts at a kink, eight at most."""
        found = []
        for i in range(self._c.listed):
            k = self._c.kink[i]
            found.append(Kink((k.a.index1 - 1, k.b.index1 - 1), np.array([k.point.x, k.point.y, k.point.z]),
                              text(lib.crn_kink_name(k.branch.kink)), k.branch.margin))
        return found

    def __bool__(self) -> bool:
        return self.status == "smooth"

    def __repr__(self) -> str:
        return f"<cairn.Report {self.status}, margin {self.margin:.2g}, {self.kinks} kinks, {self.touching} touching>"


class Linearization(NamedTuple):
    """Derivatives of a step: ``A`` (2n, 2n) of (dq, dv) after by (dq, dv) before, ``B`` (2n, p) by the parameters, ``carried``
    (n, 2n + p) of the velocity after the kick by all of them, and what they are worth."""

    A: Array
    B: Array
    carried: Array
    report: Report


# --- Parameters ---


def _fill(world: World, one: Any, to: Any, number_: int) -> None:
    spec = (one,) if isinstance(one, str) else tuple(one)
    argument = f"parameters[{number_}]"
    if not spec:
        raise ArgumentError(f"{argument}: is empty")
    to.kind = choice(lib.crn_parameter_kind_find, "crn_parameter_kind", spec[0], argument)
    for part in spec[1:]:
        if isinstance(part, Body):
            to.body = part._id
        elif isinstance(part, Joint):
            to.joint = part._id
        elif isinstance(part, (int, np.integer)):
            to.index = whole(part, argument, 0)
        else:
            raise KindError(f"{argument}: needs a body, a joint or a number, not {type(part).__name__}")


class _Options:
    """Options for C, and what they point to."""

    def __init__(self, world: World, parameters: Sequence[Any], continues: bool, saltation: bool, checked: bool,
                 kink: float) -> None:
        self.count = len(parameters)
        self.list = _new("crn_parameter[]", max(self.count, 1))
        for i, one in enumerate(parameters):
            _fill(world, one, self.list[i], i)
        self.c = _new("crn_gradient_options *", lib.crn_gradient_options_default())
        self.c.parameter = self.list
        self.c.parameters = self.count
        self.c.continues, self.c.saltation, self.c.is_unchecked = continues, saltation, not checked
        self.c.kink = number(kink, "kink", 0.0)


def tangent(world: World) -> int:
    """How many numbers a change of positions has, and as many one of velocities: see `tangent_of`.

    >>> import cairn
    >>> cairn.tangent(cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]}))
    6
    """
    with world._guard:
        return int(lib.crn_world_tangent(world._open()))


def tangent_of(thing: Any) -> slice:
    """Which of these numbers are a body's (turn, then shift of its centre of mass, world axes) or a joint's.

    >>> import cairn
    >>> world = cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    >>> cairn.tangent(world), cairn.tangent_of(world.body("ball"))
    (6, slice(0, 6, None))
    """
    if not isinstance(thing, (Body, Joint)):
        raise KindError(f"thing: needs a body or a joint, not {type(thing).__name__}")
    first, count = _new("int *"), _new("int *")
    world = thing._world
    find = lib.crn_body_tangent if isinstance(thing, Body) else lib.crn_joint_tangent
    with world._guard:
        status = find(world._open(), thing._id, first, count)
    thing._check(status)
    return slice(first[0], first[0] + count[0])


def _vector(value: Any, argument: str, n: int) -> Optional[Array]:
    return None if value is None else real(value, argument, (n,))


def move(world: World, dq: Any = None, dv: Any = None) -> None:
    """Move a world by changes of its positions and velocities, as if it had been placed there.

    >>> import cairn
    >>> world = cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    >>> cairn.move(world, dq=[0, 0, 0, 0, 0, 2])
    >>> world.body("ball").position.tolist()
    [0.0, 0.0, 2.0]
    """
    n = tangent(world)
    q, v = _vector(dq, "dq", n), _vector(dv, "dv", n)
    with world._guard:
        check(lib.crn_world_move(world._open(), 1.0, doubles(q), doubles(v), world._error), world._error)


def change_since(world: World, snapshot: bytes) -> Tuple[Array, Array]:
    """(dq, dv) that lead from a snapshot (`World.snapshot`) to the state now.

    >>> import cairn
    >>> world = cairn.World({"gravity": [0, 0, 0], "bodies": [
    ...     {"name": "ball", "velocity": [1, 0, 0], "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    >>> before = world.snapshot()
    >>> step = world.step(0.5)
    >>> dq, dv = cairn.change_since(world, before)
    >>> dq.round(12).tolist()
    [0.0, 0.0, 0.0, 0.5, 0.0, 0.0]
    """
    n = tangent(world)
    q, v = np.zeros(n), np.zeros(n)
    with world._guard:
        data = ffi.from_buffer(snapshot)
        check(lib.crn_world_change_since(world._open(), data, len(snapshot), doubles(q), doubles(v), world._error),
              world._error)
    return q, v


# --- One step ---


def linearize(world: World, dt: Optional[float] = None, parameters: Sequence[Any] = (), *, continues: bool = False,
              saltation: bool = False, checked: bool = True, kink: float = 0.0) -> Linearization:
    """Derivatives of the step of dt that would be made now; the world stays as it is.

    Parameters are tuples: ("friction", body), ("restitution", body), ("mass", body), ("inertia", body), ("force", body, 0 to 5: torque,
    force), ("joint_force", joint, coordinate), ("control", actuator), ("motor", joint, coordinate), ("gravity", axis),
    ("size", body, 3 shape + axis), ("place", body, 3 shape + axis), ("frame", joint, 0 to 5: positions on a, on b).

    >>> import cairn
    >>> world = cairn.World({"bodies": [{"name": "ball", "velocity": [1, 0, 0], "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    >>> found = cairn.linearize(world, 0.01, [("gravity", 2)])
    >>> found.report.status, found.A.round(3)[5].tolist(), found.B.round(6)[11].tolist()
    ('smooth', [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.01], [0.01])
    """
    n = tangent(world)
    options = _Options(world, parameters, continues, saltation, checked, kink)
    p = options.count
    A, B = np.zeros((2 * n, 2 * n)), np.zeros((p, 2 * n))
    C, D = np.zeros((2 * n, n)), np.zeros((p, n))
    to = _new("crn_world_jacobian *", (doubles(A), doubles(B), doubles(C), doubles(D)))
    report = _new("crn_gradient_report *")
    with world._guard:
        check(lib.crn_world_linearize(world._open(), world._dt if dt is None else number(dt, "dt"), options.c, to, report,
                                      world._error), world._error)
    return Linearization(A.T, B.T, np.vstack([C, D]).T, Report(report[0]))


def vjp(world: World, gq: Any, gv: Any, dt: Optional[float] = None, parameters: Sequence[Any] = (), *,
        continues: bool = False, saltation: bool = False, checked: bool = True) -> Tuple[Array, Array, Array, Report]:
    """From the gradient with respect to the state after the step that with respect to the state before it, and the parameters.

    >>> import cairn
    >>> world = cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    >>> q, v, p, report = cairn.vjp(world, [0, 0, 0, 0, 0, 1], [0] * 6, 0.5)  # of the height after half a second
    >>> q.round(9).tolist(), v.round(9).tolist()
    ([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.5])
    """
    n = tangent(world)
    options = _Options(world, parameters, continues, saltation, checked, 0.0)
    seed_q, seed_v = real(gq, "gq", (n,)), real(gv, "gv", (n,))
    q, v, p = np.zeros(n), np.zeros(n), np.zeros(options.count)
    after = _new("crn_world_change *", (doubles(seed_q), doubles(seed_v), _NULL, _NULL))
    before = _new("crn_world_change *", (doubles(q), doubles(v), _NULL, doubles(p)))
    report = _new("crn_gradient_report *")
    with world._guard:
        check(lib.crn_world_vjp(world._open(), world._dt if dt is None else number(dt, "dt"), options.c, after, before,
                                report, world._error), world._error)
    return q, v, p, Report(report[0])


# --- Over a trajectory ---


class Backward(NamedTuple):
    """Gradients over a trajectory: with respect to the first state, and (steps, p) to the parameters in each step; the worst status of
    all steps, and how many are not smooth."""

    q: Array
    v: Array
    parameters: Array
    status: str
    unsmooth: int


@ffi.callback("crn_tape_cost")  # type: ignore[untyped-decorator]
def _add_cost(user: Any, world: Any, step: int, q: Any, v: Any) -> None:
    tape = ffi.from_handle(user)
    size = 8 * tape.n
    tape.cost(step, np.frombuffer(ffi.buffer(q, size)), np.frombuffer(ffi.buffer(v, size)))


class Tape:
    """Steps of a world to be differentiated backwards.

    ``every``: steps from one snapshot to the next, between which steps are made again; 0: as suits ``steps`` of them.

    >>> import cairn, numpy
    >>> world = cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    >>> tape = cairn.Tape(world, [("gravity", 2)], steps=20)
    >>> for _ in range(20):
    ...     step = tape.step(0.01)
    >>> found = tape.backward([0, 0, 0, 0, 0, 1], numpy.zeros(6))  # of the height at the end
    >>> found.status, found.v.round(6).tolist(), round(float(found.parameters.sum()), 6)
    ('smooth', [0.0, 0.0, 0.0, 0.0, 0.0, 0.2], 0.02)
    """

    def __init__(self, world: World, parameters: Sequence[Any] = (), *, every: int = 0, steps: int = 100,
                 saltation: bool = False, checked: bool = True) -> None:
        self.world = world
        self.n = tangent(world)
        self.cost: Optional[Cost] = None
        self._options = _Options(world, parameters, True, saltation, checked, 0.0)
        made = _new("crn_tape **")
        with world._guard:
            check(lib.crn_tape_create(world._open(), self._options.c, whole(every, "every", 0), whole(steps, "steps", 0), made,
                                      world._error), world._error)
        self._owner = world._owner  # the world must not go before the tape
        self._c = ffi.gc(made[0], lib.crn_tape_destroy)

    def __len__(self) -> int:
        return int(lib.crn_tape_steps(self._c))

    def step(self, dt: Optional[float] = None) -> Step:
        """A step of the world, kept."""
        world, stats = self.world, _new("crn_step_stats *")
        with world._guard:
            world._open()
            check(lib.crn_tape_step(self._c, world._dt if dt is None else number(dt, "dt"), stats, world._error),
                  world._error)
            world.steps += 1
            world._last = stats
        return Step(stats)

    def backward(self, gq: Any = None, gv: Any = None, cost: Optional[Cost] = None) -> Backward:
        """From the gradient with respect to the last state (zeros if None), and of a cost of all states, to the first."""
        n, p, world = self.n, self._options.count, self.world
        seed_q = real(np.zeros(n) if gq is None else gq, "gq", (n,))
        seed_v = real(np.zeros(n) if gv is None else gv, "gv", (n,))
        q, v, parameters = np.zeros(n), np.zeros(n), np.zeros((len(self), p))
        after = _new("crn_world_change *", (doubles(seed_q), doubles(seed_v), _NULL, _NULL))
        before = _new("crn_world_change *", (doubles(q), doubles(v), _NULL, _NULL))
        worst, unsmooth, handle = _new("crn_gradient_status *"), _new("int *"), ffi.new_handle(self)
        self.cost = cost
        with world._guard:
            world._open()
            check(lib.crn_tape_backward(self._c, _NULL if cost is None else _add_cost, handle, after, before,
                                        doubles(parameters), worst, unsmooth, world._error), world._error)
        return Backward(q, v, parameters, text(lib.crn_gradient_status_name(worst[0])), unsmooth[0])
