"""Door 3: bodies, joints, contact and friction in motion."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import (Array, BusyError, ClosedError, Guard, KindError, UnknownNameError, check, doubles, encoded, kept,
                    number, real, struct_array, vec3, whole)
from ._model import Model, as_model, check_version
from ._native import ffi, lib
from ._recording import Recorder
from ._step import Step, value_of
from ._things import Body, Joint, RayHit, Site, Thing

_new, _NULL = ffi.new, ffi.NULL
_STATS = ffi.typeof("crn_step_stats *")
_NOBODY = ffi.new("crn_body_id *")[0]


class _Owner:
    """A crn_world and the view of all its links, destroyed in the right order."""

    def __init__(self) -> None:
        self.world, self.robot = _NULL, _NULL

    def drop_robot(self) -> None:
        lib.crn_robot_destroy(self.robot)
        self.robot = _NULL

    def close(self) -> None:
        self.drop_robot()
        lib.crn_world_destroy(self.world)
        self.world = _NULL

    def __del__(self) -> None:
        self.close()


class World:
    """Bodies in motion, made from a model, a scene (dictionary) or a file.

    One thread at a time; another one gets a `BusyError`. Pickles and copies keep the motion to the last bit.

    >>> import cairn
    >>> world = cairn.World({"bodies": [
    ...     {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane"}]},
    ...     {"name": "box", "position": [0, 0, 1], "shapes": [{"kind": "box", "half": [0.5, 0.5, 0.5]}]}]})
    >>> for _ in range(100):
    ...     step = world.step(0.01)
    >>> step.certified, len(world.contacts()), world.body("box").position.round(6).tolist()
    (True, 4, [0.0, 0.0, 0.5])
    """

    def __init__(self, model: Any) -> None:
        self.model: Model = as_model(model)
        self._owner = _Owner()
        self._guard = Guard("world")
        self._lock = self._guard._lock
        self._error = _new("crn_error *")
        self._recorders: List[Recorder] = []
        self.steps = 0
        made = _new("crn_world **")
        check(lib.crn_world_create_from(self.model._c, _NULL, made, self._error), self._error)
        self._c = self._owner.world = made[0]
        self._dt = self.model.dt
        self._last: Any = None

    def _open(self) -> Any:
        if self._c is _NULL:
            raise ClosedError("world: has been closed")
        return self._c

    def close(self) -> None:
        """Release its memory now; any use afterwards is a `ClosedError`."""
        with self._guard:
            self._c = _NULL
            self._owner.close()

    # --- Stepping ---

    def step(self, dt: Optional[float] = None, steps: int = 1) -> Step:
        """Advance by dt (the model's own if None), ``steps`` times; what the last of them did.

        A motion that is not finite raises `DivergedError` and leaves the world as it was.
        """
        if dt is None:
            dt = self._dt
        elif type(dt) is not float:
            dt = number(dt, "dt")
        if not self._lock.acquire(False):
            raise BusyError("world: is in use by another thread; one at a time, or a world for each")
        try:
            world, stats = self._c, _new(_STATS)
            if world is _NULL:
                self._open()
            if steps == 1:
                status = lib.crn_world_step(world, dt, stats, self._error)
                if status:
                    check(status, self._error)
                self.steps += 1
                self._last = stats
                if self._recorders:
                    self._record()
            else:
                self._many(world, dt, whole(steps, "steps", 1), stats)
        finally:
            self._lock.release()
        return Step(stats)

    def _many(self, world: Any, dt: float, steps: int, stats: Any) -> None:
        if not self._recorders:
            done = _new("int *")
            status = lib.shim_world_steps(world, dt, steps, stats, done, self._error)
            self.steps += done[0]
            self._last = stats
            check(status, self._error)
            return
        for _ in range(steps):
            check(lib.crn_world_step(world, dt, stats, self._error), self._error)
            self.steps += 1
            self._last = stats
            self._record()

    def _record(self) -> None:
        for recorder in self._recorders:
            recorder._take(self._c, self.steps, self._last)

    @property
    def time(self) -> float:
        """Since the beginning [s]."""
        with self._guard:
            return float(lib.crn_world_time(self._open()))

    # --- Bodies, joints, sites by name ---

    def _find(self, noun: str, name: Union[str, int]) -> Any:
        with self._guard:
            world = self._open()
            if isinstance(name, str):
                found = getattr(lib, f"crn_world_find_{noun}")(world, encoded(name, noun))
            else:
                found = getattr(lib, f"crn_world_{noun}")(world, whole(name, noun, 0, 2**31 - 2) + 1)
            if found.index1 == 0:
                raise UnknownNameError(f"{noun}: there is no {name!r}" + self._suggest(noun, name))
            return found

    def _suggest(self, noun: str, name: Union[str, int]) -> str:
        names = [n for n in self.model._list(noun) if n]
        if not names or not isinstance(name, str):
            return ""
        nearest = min(names, key=lambda n: int(lib.crn_name_distance(name.encode(), n.encode())))
        return f"; did you mean {nearest!r}?"

    def body(self, name: Union[str, int]) -> Body:
        """A body by its name, or by its place in the model."""
        return Body(self, self._find("body", name))

    def joint(self, name: Union[str, int]) -> Joint:
        """A joint by its name, or by its place in the model."""
        return Joint(self, self._find("joint", name))

    def site(self, name: Union[str, int]) -> Site:
        """A site by its name, or by its place in the model."""
        return Site(self, self._find("site", name))

    def _things(self, noun: str, plural: str, kind: Any) -> Iterator[Any]:
        with self._guard:
            world = self._open()
            count = getattr(lib, f"crn_world_{plural}")(world)
            found = [getattr(lib, f"crn_world_{noun}")(world, i + 1) for i in range(count)]
        return iter([kind(self, ident) for ident in found if ident.index1 != 0])

    @property
    def bodies(self) -> List[Body]:
        """All bodies."""
        return list(self._things("body", "bodies", Body))

    @property
    def joints(self) -> List[Joint]:
        """All joints."""
        return list(self._things("joint", "joints", Joint))

    def _remove(self, function: Any, thing: Thing) -> None:
        with self._guard:
            self._owner.drop_robot()
            check(function(self._open(), thing._id, self._error), self._error)

    # --- State, controls, sensors ---

    def _robot(self) -> Any:
        """The view of all links; the guard is held."""
        world = self._open()
        if self._owner.robot is _NULL:
            made = _new("crn_robot **")
            check(lib.crn_robot_create(world, _NOBODY, made, self._error), self._error)
            self._owner.robot = made[0]
        return self._owner.robot

    @property
    def nq(self) -> int:
        """Coordinates: length of `q`."""
        with self._guard:
            return int(lib.crn_robot_coordinates(self._robot()))

    @property
    def nu(self) -> int:
        """Degrees of freedom: length of `u`."""
        with self._guard:
            return int(lib.crn_robot_velocities(self._robot()))

    @property
    def q(self) -> Array:
        """Coordinates of all trees, joint after joint; a body that floats has position and quaternion (w, x, y, z)."""
        with self._guard:
            robot = self._robot()
            values = np.empty(lib.crn_robot_coordinates(robot))
            check(lib.crn_robot_state(robot, doubles(values), _NULL), None, "world: links have changed")
        return values

    @q.setter
    def q(self, value: Any) -> None:
        self._set_state(value, None)

    @property
    def u(self) -> Array:
        """Velocities; of a body that floats angular velocity, then velocity of its origin, world axes."""
        with self._guard:
            robot = self._robot()
            values = np.empty(lib.crn_robot_velocities(robot))
            check(lib.crn_robot_state(robot, _NULL, doubles(values)), None, "world: links have changed")
        return values

    @u.setter
    def u(self, value: Any) -> None:
        self._set_state(None, value)

    def _set_state(self, q: Any, u: Any) -> None:
        with self._guard:
            robot = self._robot()
            place = None if q is None else real(q, "q", (lib.crn_robot_coordinates(robot),))
            speed = None if u is None else real(u, "u", (lib.crn_robot_velocities(robot),))
            status = lib.crn_robot_set_state(robot, doubles(place), doubles(speed))
        check(status, None, f"{'u' if q is None else 'q'}: a number is not finite or too large, or a quaternion is 0")

    @property
    def controls(self) -> Array:
        """Controls of the actuators, one each; setting them clamps to their limits."""
        with self._guard:
            values = np.empty(lib.crn_world_actuators(self._open()))
            check(lib.crn_world_controls(self._c, doubles(values)), None, "controls")
        return values

    @controls.setter
    def controls(self, value: Any) -> None:
        with self._guard:
            values = real(value, "controls", (lib.crn_world_actuators(self._open()),))
            status = lib.crn_world_set_controls(self._c, doubles(values))
        check(status, None, "controls: a number is not finite")

    def measure(self) -> Array:
        """What all sensors show now, one after another."""
        model = self.model._c
        values = np.zeros(lib.crn_model_probe_first(model, lib.crn_model_probes(model)))
        with self._guard:
            check(lib.crn_world_measure(self._open(), model, doubles(values)), None, "sensors")
        return values

    @property
    def sensors(self) -> Dict[str, Array]:
        """What each sensor shows now, by name."""
        values, model = self.measure(), self.model._c
        found = {}
        for i, name in enumerate(self.model.sensors):
            first = lib.crn_model_probe_first(model, i)
            found[name or f"sensor{i}"] = values[first:first + lib.crn_model_probe_size(model, i)]
        return found

    def set_key(self, key: Union[str, int]) -> None:
        """Start from a state of the model that has a name: joints, bodies that float, controls."""
        index = self.model.key_index(key)
        with self._guard:
            status = lib.crn_world_set_key(self._open(), lib.crn_model_key(self.model._c, index), self._error)
            check(status, self._error)

    # --- Dynamics ---

    def _square(self, function: Any) -> Array:
        with self._guard:
            robot = self._robot()
            n = lib.crn_robot_velocities(robot)
            values = np.empty((n, n))
            check(function(robot, doubles(values)), None, "world: links have changed")
        return values.T

    def _along(self, function: Any, argument: str = "", value: Any = None) -> Array:
        """A vector along the velocities, from another one or from none."""
        with self._guard:
            robot = self._robot()
            n = lib.crn_robot_velocities(robot)
            result = np.empty(n)
            given = [doubles(real(value, argument, (n,)))] if argument else []
            check(function(robot, *given, doubles(result)), None, f"{argument}: a number is not finite")
        return result

    def mass_matrix(self) -> Array:
        """H(q), nu x nu."""
        return self._square(lib.crn_robot_mass_matrix)

    def bias(self) -> Array:
        """C(q, u) with gravity: the forces that keep u constant."""
        return self._along(lib.crn_robot_bias)

    def gravity(self) -> Array:
        """The forces that hold everything where it is."""
        return self._along(lib.crn_robot_gravity)

    def inverse(self, acceleration: Any) -> Array:
        """Forces that make an acceleration, contacts left out."""
        return self._along(lib.crn_robot_inverse, "acceleration", acceleration)

    def forward(self, force: Any) -> Array:
        """Acceleration that forces along the velocities make, contacts left out."""
        return self._along(lib.crn_robot_forward, "force", force)

    def apply(self, force: Any) -> None:
        """Forces along the velocities that act in the next step, and only then."""
        with self._guard:
            robot = self._robot()
            values = real(force, "force", (lib.crn_robot_velocities(robot),))
            check(lib.crn_robot_apply(robot, doubles(values)), None, "force: a number is not finite or too large")

    def contact_forces(self) -> Array:
        """What the contact forces of the last step are along the velocities: sum J'f."""
        return self._along(lib.crn_robot_contact_force)

    def jacobian(self, frame: Union[str, Body, Site], point: Any = None) -> Array:
        """Of a site, or of a point of a body (body's frame; its origin if None): 6 x nu, J u = (angular, linear), world axes.

        >>> import cairn
        >>> world = cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
        >>> world.jacobian("ball").shape
        (6, 6)
        """
        if isinstance(frame, str):
            frame = self.site(frame) if frame in self.model.sites else self.body(frame)
        if not isinstance(frame, (Body, Site)) or frame._world is not self:
            raise KindError("frame: needs the name of a site or body, or one of this world")
        offset = vec3((0.0, 0.0, 0.0) if point is None else point, "point")
        with self._guard:
            robot = self._robot()
            body = frame._id
            if isinstance(frame, Site):
                body, offset = frame._frame()
            values = np.zeros((lib.crn_robot_velocities(robot), 6))
            status = lib.crn_robot_jacobian(robot, body, offset, doubles(values))
        check(status, None, "frame: its body is not a link")
        return values.T

    def com(self) -> Tuple[Array, Array, float]:
        """Centre of mass of all links, its velocity, and their mass."""
        mass, com, velocity = _new("double *"), _new("crn_vec3 *"), _new("crn_vec3 *")
        with self._guard:
            check(lib.crn_robot_com(self._robot(), mass, com, velocity, _NULL), None, "world: links have changed")
        return np.asarray(value_of(com)), np.asarray(value_of(velocity)), float(mass[0])

    # --- Contacts ---

    def contacts(self) -> NDArray[Any]:
        """Contacts of the last step as a structured array: a, b (indices of bodies from 0, -1 none), point, normal, gap,
        friction, impulse (on a [N s]), velocity, kind.

        >>> import cairn
        >>> cairn.World({"bodies": []}).contacts().dtype.names
        ('a', 'b', 'shape_a', 'shape_b', 'key', 'point', 'normal', 'gap', 'friction', 'impulse', 'velocity', 'kind')
        """
        count = _new("int *")
        with self._guard:
            raw = struct_array(lib.crn_world_contacts(self._open(), count), "crn_contact", count[0])
        names = [n for n in raw.dtype.names or () if n not in ("a", "b")]
        kind = np.dtype([("a", "i4"), ("b", "i4")] + [(n, raw.dtype[n].base, raw.dtype[n].shape) for n in names])
        table = np.empty(len(raw), kind)
        for name in names:
            table[name] = raw[name]
        table["a"], table["b"] = raw["a"]["index1"] - 1, raw["b"]["index1"] - 1
        return table

    def overlap(self) -> float:
        """The deepest overlap at the present positions [m], >= 0."""
        depth = _new("double *")
        with self._guard:
            check(lib.crn_world_overlap(self._open(), depth, _NULL, _NULL), None, "world: no memory")
        return float(depth[0])

    def cast_ray(self, start: Any, direction: Any, reach: float = np.inf) -> Optional[RayHit]:
        """The first thing that a ray meets; None if there is none."""
        ray, met, hit = _new("crn_ray *"), _new("crn_query_shape *"), _new("crn_ray_hit *")
        setattr(ray, "from", tuple(real(start, "start", (3,))))
        ray.direction = tuple(real(direction, "direction", (3,)))
        ray.reach = reach
        with self._guard:
            if not lib.crn_world_cast_ray(self._open(), ray, _NULL, met, hit):
                return None
        body = Body(self, kept("crn_body_id", met.body))
        return RayHit(body, hit.distance, np.asarray(value_of(hit.point)), np.asarray(value_of(hit.normal)))

    # --- The same bits again ---

    def snapshot(self) -> bytes:
        """The state of motion: `restore` brings it back, and what follows is the same to the last bit."""
        with self._guard:
            size = lib.crn_world_snapshot_size(self._open())
            data = _new("unsigned char[]", size)
            check(lib.crn_world_save(self._c, data, size, self._error), self._error)
            return bytes(ffi.buffer(data, size))

    def restore(self, snapshot: bytes) -> None:
        """Go back to a state saved from this world, or from one built alike."""
        if not isinstance(snapshot, (bytes, bytearray, memoryview)):
            raise KindError(f"snapshot: needs bytes, not {type(snapshot).__name__}")
        data = bytes(snapshot)
        with self._guard:
            check(lib.crn_world_restore(self._open(), ffi.from_buffer(data), len(data), self._error), self._error)

    def hash(self) -> int:
        """Of poses, velocities and time: equal for equal bits."""
        with self._guard:
            return int(lib.crn_world_hash(self._open()))

    def copy(self) -> "World":
        """Another world in the same state."""
        other = World(self.model)
        other.restore(self.snapshot())
        other.steps = self.steps
        return other

    def __reduce__(self) -> Any:
        return _unpickle_world, (_core.__version__, self.model.to_json(), self.snapshot(), self.steps)

    # --- Recording ---

    def record(self, path: Any = None, every: int = 1) -> Recorder:
        """Record every so many steps from now on, into a file (.crn) or a temporary one.

        >>> import cairn
        >>> world = cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
        >>> with world.record() as recorder:
        ...     for _ in range(10):
        ...         _ = world.step()
        >>> recorder.recording.positions.shape
        (11, 1, 3)
        """
        return Recorder(self, path, whole(every, "every", 1))

    def __repr__(self) -> str:
        if self._c is _NULL:
            return "<cairn.World: closed>"
        counts = f"{len(self.model.bodies)} bodies, {len(self.model.joints)} joints"
        return f"<cairn.World {self.model.name!r}: {counts}, {self.steps} steps>"


def _unpickle_world(version: str, scene: str, snapshot: bytes, steps: int) -> World:
    check_version(version)
    world = World(Model(scene))
    world.restore(snapshot)
    world.steps = steps
    return world


def load(path: Any, **options: Any) -> World:
    """A world from a scene (.json) or a robot's file (URDF, MJCF); options as of `Model.load`.

    >>> import cairn
    >>> cairn.load("nowhere.xml")
    Traceback (most recent call last):
    ...
    cairn.FileError: nowhere.xml: cannot be opened: No such file or directory
    """
    return World(Model.load(path, **options))
