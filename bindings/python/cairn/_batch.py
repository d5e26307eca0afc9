"""Many worlds at once: copies or variants of a model, stepped by all cores in one call."""
from __future__ import annotations

import os
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Array, ArgumentError, ClosedError, Guard, check, doubles, number, real, whole
from ._model import Model, as_model
from ._native import ffi, lib


def _models(given: Any) -> List[Model]:
    """One model, or several variants."""
    several = isinstance(given, Sequence) and not isinstance(given, (str, bytes))
    models = [as_model(one, f"model[{i}]") for i, one in enumerate(given)] if several else [as_model(given)]
    if not models:
        raise ArgumentError("model: the list is empty")
    return models


class BatchStep(NamedTuple):
    """What the worlds of a batch show after each moment, world after world."""

    state: Array  # (worlds, moments, state)
    sensors: Array  # (worlds, moments, sensors)
    certified: NDArray[np.int32]  # (worlds,): steps that were certified
    diverged: NDArray[np.bool_]  # (worlds,): a step failed; the world stayed where it was


class Batch:
    """Worlds side by side, stepped by ``threads`` threads (None: one per processor).

    The state of a world is ``time | q | u | activations``, as MuJoCo lays out its full physics state. Each world moves as it
    would alone, to the last bit, on any number of threads.

    >>> import cairn
    >>> ball = {"bodies": [{"name": "ball", "position": [0, 0, 1], "shapes": [{"kind": "sphere", "radius": 0.1}]}]}
    >>> batch = cairn.Batch(ball, worlds=3)
    >>> start = batch.state()
    >>> start.shape
    (3, 14)
    >>> start[:, 13] = [1, 2, 3]     # velocities up
    >>> batch.reset(start)
    >>> batch.step(moments=5).state[:, -1, 13].round(4).tolist()
    [0.5095, 1.5095, 2.5095]
    """

    def __init__(self, model: Any, worlds: int, threads: Optional[int] = None) -> None:
        self.models = _models(model)
        self._guard = Guard("batch")
        self._error = ffi.new("crn_error *")
        self._keep = [m._c for m in self.models]
        array = ffi.new("crn_model *[]", self._keep)
        definition = ffi.new("crn_batch_def *", {
            "model": ffi.cast("crn_model **", array), "models": len(self._keep), "worlds": whole(worlds, "worlds", 1),
            "threads": _threads(threads)})
        made = ffi.new("crn_batch **")
        check(lib.crn_batch_create(definition, ffi.NULL, made, self._error), self._error)
        self._c = ffi.gc(made[0], lib.crn_batch_destroy)
        self._size = lib.crn_batch_size_of(self._c)

    @property
    def model(self) -> Model:
        """The first of its models."""
        return self.models[0]

    def __len__(self) -> int:
        return int(self._size.worlds)

    @property
    def threads(self) -> int:
        """That step the worlds, the caller's included."""
        return int(self._size.threads)

    @property
    def nq(self) -> int:
        """Coordinates of a world."""
        return int(self._size.coordinates)

    @property
    def nu(self) -> int:
        """Degrees of freedom of a world."""
        return int(self._size.velocities)

    @property
    def nstate(self) -> int:
        """Length of a world's state: 1 + nq + nu + activations."""
        return int(self._size.state)

    @property
    def ncontrol(self) -> int:
        """Actuators of a world."""
        return int(self._size.controls)

    @property
    def nsensor(self) -> int:
        """Numbers that the sensors of a world show."""
        return int(self._size.sensors)

    def _open(self) -> Any:
        if self._c is ffi.NULL:
            raise ClosedError("batch: has been closed")
        return self._c

    def close(self) -> None:
        """End its threads and release its memory now."""
        with self._guard:
            if self._c is not ffi.NULL:
                batch, self._c = self._c, ffi.NULL
                ffi.release(batch)

    def _look(self, numbers: int, is_state: bool) -> Array:
        values = np.zeros((len(self), numbers))
        with self._guard:
            to = doubles(values)
            check(lib.crn_batch_look(self._open(), *((to, ffi.NULL) if is_state else (ffi.NULL, to))), None, "batch")
        return values

    def state(self) -> Array:
        """States of all worlds now, (worlds, nstate)."""
        return self._look(self.nstate, True)

    def sensors(self) -> Array:
        """What all sensors show now, (worlds, nsensor)."""
        return self._look(self.nsensor, False)

    def hashes(self) -> List[int]:
        """Of poses, velocities and time of each world: equal for equal bits."""
        with self._guard:
            batch = self._open()
            return [int(lib.crn_world_hash(lib.crn_batch_world(batch, i))) for i in range(len(self))]

    def reset(self, state: Any = None, worlds: Any = None) -> None:
        """Put worlds (all, or those of a list or mask) back to where they began, and then into states (len(worlds), nstate)."""
        which, count = self._which(worlds)
        states = None if state is None else real(state, "state", (count, self.nstate))
        indices = ffi.NULL if which is None else ffi.from_buffer("int[]", which)
        with self._guard:
            check(lib.crn_batch_reset(self._open(), indices, count, doubles(states), self._error), self._error)

    def _which(self, worlds: Any) -> Tuple[Optional[NDArray[np.int32]], int]:
        if worlds is None:
            return None, len(self)
        chosen = np.asarray(worlds)
        if chosen.dtype == bool and chosen.shape == (len(self),):
            chosen = np.flatnonzero(chosen)
        if chosen.size == 0:
            return np.zeros(1, np.int32), 0
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or not 0 <= chosen.min() <= chosen.max() < len(self):
            raise ArgumentError(f"worlds: needs numbers 0 .. {len(self) - 1}, or a mask of {len(self)}")
        return np.ascontiguousarray(chosen, dtype=np.int32), len(chosen)

    def step(self, control: Any = None, *, moments: Optional[int] = None, hold: int = 1,
             dt: Optional[float] = None) -> BatchStep:
        """Step all worlds; ``control`` is (worlds, moments, ncontrol) or (worlds, ncontrol), each held for ``hold`` steps."""
        run = _Run(self, len(self), control, moments, hold, dt)
        with self._guard:
            check(lib.crn_batch_step(self._open(), run.c, self._error), self._error)
        return run.result()

    def rollout(self, state: Any, control: Any = None, *, moments: Optional[int] = None, hold: int = 1,
                dt: Optional[float] = None) -> BatchStep:
        """Motions from states (motions, nstate), any number of them; the batch needs a world per thread and model."""
        states = real(state, "state", (None, self.nstate))
        run = _Run(self, len(states), control, moments, hold, dt)
        with self._guard:
            status = lib.crn_batch_rollout(self._open(), len(states), doubles(states), run.c, self._error)
            check(status, self._error)
        return run.result()

    def __repr__(self) -> str:
        return f"<cairn.Batch: {len(self)} worlds, {self.threads} threads>"


class _Run:
    """A crn_batch_run, and the arrays that it writes."""

    def __init__(self, batch: Batch, rows: int, control: Any, moments: Optional[int], hold: int,
                 dt: Optional[float]) -> None:
        self.control = None if control is None else _controls(control, rows, batch.ncontrol)
        if self.control is not None:
            given = self.control.shape[1]
            if moments is not None and moments != given:
                raise ArgumentError(f"moments: is {moments}, but control has {given}")
            moments = given
        count = whole(1 if moments is None else moments, "moments", 1)
        self.state = np.zeros((rows, count, batch.nstate))
        self.sensors = np.zeros((rows, count, batch.nsensor))
        self.certified = np.zeros(rows, np.int32)
        self.status = np.zeros(rows, np.uint8)
        self._keep = [ffi.from_buffer("int[]", self.certified), ffi.from_buffer("unsigned char[]", self.status)]
        self.c = ffi.new("crn_batch_run *", {
            "dt": 0.0 if dt is None else number(dt, "dt", 0.0), "moments": count, "hold": whole(hold, "hold", 1),
            "control": doubles(self.control), "state": doubles(self.state), "sensor": doubles(self.sensors),
            "certified": self._keep[0], "status": self._keep[1]})

    def result(self) -> BatchStep:
        if np.any(self.status == lib.CRN_ERR_ARGUMENT):
            raise ArgumentError(f"state[{int(np.argmax(self.status == lib.CRN_ERR_ARGUMENT))}]: is not possible")
        if np.any(self.status == lib.CRN_ERR_MEMORY):
            raise _core.NoMemoryError("batch: out of memory")
        return BatchStep(self.state, self.sensors, self.certified, self.status != lib.CRN_OK)


def _controls(control: Any, rows: int, numbers: int) -> Array:
    values = real(control, "control")
    if values.ndim == 2:
        values = values[:, None, :]
    return real(values, "control", (rows, None, numbers))


def rollout(model: Any, initial_state: Any, control: Any = None, *, nstep: Optional[int] = None,
            nthread: Optional[int] = None, dt: Optional[float] = None) -> Tuple[Array, Array]:
    """Motions from given states under given controls, with the shapes that MuJoCo's rollout has.

    ``initial_state`` (nbatch, nstate) or (nstate,), ``control`` (nbatch, nstep, ncontrol), (nstep, ncontrol) or None; a model,
    or a list of nbatch variants. Returns states (nbatch, nstep, nstate) and sensors (nbatch, nstep, nsensor).

    >>> import cairn
    >>> ball = {"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]}
    >>> start = cairn.Batch(ball, 1).state()
    >>> states, sensors = cairn.rollout(ball, start, nstep=10)
    >>> states.shape, sensors.shape
    ((1, 10, 14), (1, 10, 0))
    """
    models = _models(model)
    start = np.atleast_2d(real(initial_state, "initial_state"))
    actions = None if control is None else real(control, "control")
    if actions is not None and actions.ndim == 2:
        actions = actions[None]
    count = max(len(start), 1 if actions is None else len(actions), len(models) if len(models) > 1 else 1)
    threads = min(_threads(nthread) or os.cpu_count() or 1, count)
    batch = Batch(models, len(models) * threads, threads)
    try:
        states = np.ascontiguousarray(_spread(start, count, "initial_state"))
        moves = None if actions is None else np.ascontiguousarray(_spread(actions, count, "control"))
        done = batch.rollout(states, moves, moments=nstep, dt=dt)
    finally:
        batch.close()
    return done.state, done.sensors


def _spread(values: Array, count: int, argument: str) -> Array:
    if len(values) not in (1, count):
        raise ArgumentError(f"{argument}: has {len(values)} rows, needs 1 or {count}")
    return np.broadcast_to(values, (count,) + values.shape[1:])


def _threads(threads: Optional[int]) -> int:
    return 0 if threads is None else whole(threads, "threads", 1, 1024)


__all__ = ["Batch", "BatchStep", "rollout"]
