"""Bodies, joints and sites of a world, by id."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Tuple

import numpy as np

from ._core import Array, ClosedError, check, doubles, kept, number, real, text, vec3, whole
from ._native import ffi, lib
from ._step import value_of

if TYPE_CHECKING:
    from ._world import World

_new, _NULL = ffi.new, ffi.NULL


def _pose(pose: Any) -> Tuple[Array, Array]:
    p, r = pose.position, pose.rotation
    return np.array([p.x, p.y, p.z]), np.array([r.w, r.x, r.y, r.z])


class Thing:
    """A body, joint or site of a world, by its id: a stale one is detected, not followed."""

    _noun = ""

    def __init__(self, world: "World", ident: Any) -> None:
        self._world, self._id = world, ident

    def _check(self, status: int) -> None:
        if status != lib.CRN_OK:
            is_valid = getattr(lib, f"crn_{self._noun}_is_valid")(self._world._c, self._id)
            if not is_valid:
                raise ClosedError(f"{self._noun}: has been removed from its world")
            check(status, None, f"{self._noun} {self.name!r}: a value is not allowed, or not for this kind")

    @property
    def name(self) -> str:
        """Its name; "" if it has none, or is gone."""
        with self._world._guard:
            return text(getattr(lib, f"crn_{self._noun}_name")(self._world._open(), self._id))

    @property
    def index(self) -> int:
        """Its place among those of the model, from 0."""
        return int(self._id.index1) - 1

    def _name_in_use(self) -> str:
        return text(getattr(lib, f"crn_{self._noun}_name")(self._world._c, self._id))

    def __repr__(self) -> str:
        return f"<cairn.{type(self).__name__} {self.name or self.index!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Thing) or type(self) is not type(other):
            return NotImplemented
        return (self._world is other._world and self._id.index1 == other._id.index1
                and self._id.generation == other._id.generation)

    def __hash__(self) -> int:
        return hash((type(self), self._id.index1, self._id.generation))


class Body(Thing):
    """A rigid body of a world."""

    _noun = "body"

    def _get(self, function: Any, kind: str) -> Any:
        result = _new(kind)
        with self._world._guard:
            status = function(self._world._open(), self._id, result)
        self._check(status)
        return result

    @property
    def position(self) -> Array:
        """Of the body's frame [m]."""
        return _pose(self._get(lib.crn_body_pose, "crn_pose *"))[0]

    @property
    def rotation(self) -> Array:
        """Quaternion w, x, y, z from body axes to world axes."""
        return _pose(self._get(lib.crn_body_pose, "crn_pose *"))[1]

    def set_pose(self, position: Any, rotation: Any = (1.0, 0.0, 0.0, 0.0)) -> None:
        """Put the body, or the tree that floats with it, somewhere."""
        pose = _new("crn_pose *")
        pose.position = tuple(real(position, "position", (3,)))
        pose.rotation = tuple(real(rotation, "rotation", (4,)))
        with self._world._guard:
            status = lib.crn_body_set_pose(self._world._open(), self._id, pose)
        self._check(status)

    def _twist(self) -> Any:
        return self._get(lib.crn_body_velocity, "crn_twist *")

    @property
    def velocity(self) -> Array:
        """Of the centre of mass [m/s]."""
        return np.asarray(value_of(self._twist().linear))

    @property
    def angular_velocity(self) -> Array:
        """In world axes [rad/s]."""
        return np.asarray(value_of(self._twist().angular))

    def set_velocity(self, linear: Any, angular: Any = (0.0, 0.0, 0.0)) -> None:
        """Set a free body, or the root of a tree that floats, in motion."""
        twist = _new("crn_twist *")
        twist.linear = tuple(real(linear, "linear", (3,)))
        twist.angular = tuple(real(angular, "angular", (3,)))
        with self._world._guard:
            status = lib.crn_body_set_velocity(self._world._open(), self._id, twist)
        self._check(status)

    @property
    def mass(self) -> float:
        """[kg]."""
        mass = _new("double *")
        com, inertia = _new("crn_vec3 *"), _new("crn_mat3 *")
        with self._world._guard:
            status = lib.crn_body_mass(self._world._open(), self._id, mass, com, inertia)
        self._check(status)
        return float(mass[0])

    def apply_force(self, force: Any, point: Any = None) -> None:
        """Push with a force (world axes [N]) at a world point, or at the body's origin, during the next step."""
        at = self.position if point is None else point
        f, p = vec3(force, "force"), vec3(at, "point")
        with self._world._guard:
            status = lib.crn_body_apply_force(self._world._open(), self._id, f, p)
        self._check(status)

    def apply_torque(self, torque: Any) -> None:
        """Twist with a torque (world axes [N m]) during the next step."""
        t = vec3(torque, "torque")
        with self._world._guard:
            status = lib.crn_body_apply_torque(self._world._open(), self._id, t)
        self._check(status)

    def contact_force(self) -> Tuple[Array, Array]:
        """Sum of all contact forces on the body in the last step [N], and their torque about its centre of mass [N m]."""
        force, torque = _new("crn_vec3 *"), _new("crn_vec3 *")
        with self._world._guard:
            status = lib.crn_body_contact_force(self._world._open(), self._id, force, torque)
        self._check(status)
        return np.asarray(value_of(force)), np.asarray(value_of(torque))

    def remove(self) -> None:
        """Take the body out of its world, with its joints and loads."""
        self._world._remove(lib.crn_body_destroy, self)


class Joint(Thing):
    """A joint of a world."""

    _noun = "joint"

    def _read(self) -> Tuple[Array, Array]:
        value, speed = np.zeros(3), np.zeros(3)
        with self._world._guard:
            status = lib.crn_joint_coordinate(self._world._open(), self._id, doubles(value), doubles(speed))
        self._check(status)
        count = self._coordinates()
        return value[:count], speed[:count]

    def _coordinates(self) -> int:
        definition = lib.crn_model_joint(self._world.model._c, self.index)
        return int(lib.crn_joint_kind_coordinates(definition.kind)) if definition != _NULL else 1

    @property
    def kind(self) -> str:
        """"hinge", "slider", "ball", ..."""
        return text(lib.crn_joint_kind_name(lib.crn_model_joint(self._world.model._c, self.index).kind))

    @property
    def position(self) -> Array:
        """Its coordinates [rad, m]."""
        return self._read()[0]

    @property
    def speed(self) -> Array:
        """Their rates [rad/s, m/s]."""
        return self._read()[1]

    def _set(self, function: Any, value: Any, argument: str, count: int) -> None:
        values = real(np.atleast_1d(value), argument, (count,))
        with self._world._guard:
            status = function(self._world._open(), self._id, doubles(values))
        self._check(status)

    def set_position(self, value: Any) -> None:
        """Put the coordinates of a joint in a tree somewhere; what hangs on it follows."""
        self._set(lib.crn_joint_set_coordinate, value, "value", self._coordinates())

    def set_velocity(self, value: Any) -> None:
        """Set a joint in a tree in motion."""
        kind = lib.crn_model_joint(self._world.model._c, self.index).kind
        self._set(lib.crn_joint_set_velocity, value, "value", max(0, lib.crn_joint_kind_freedom(kind)))

    def apply_force(self, force: float, coordinate: int = 0) -> None:
        """Push along a coordinate (torque of a hinge) during the next step."""
        f = number(force, "force")
        with self._world._guard:
            status = lib.crn_joint_apply_force(self._world._open(), self._id, whole(coordinate, "coordinate", 0, 2), f)
        self._check(status)

    def force(self) -> Tuple[Array, Array]:
        """Force and torque that the joint exerted on its second body in the last step, about the joint's origin."""
        force, torque = _new("crn_vec3 *"), _new("crn_vec3 *")
        with self._world._guard:
            status = lib.crn_joint_force(self._world._open(), self._id, force, torque)
        self._check(status)
        return np.asarray(value_of(force)), np.asarray(value_of(torque))

    def remove(self) -> None:
        """Take the joint out of its world."""
        self._world._remove(lib.crn_joint_destroy, self)


class Site(Thing):
    """A frame fixed to a body: a tool, a foot, a camera."""

    _noun = "site"

    def _get(self, function: Any, kind: str) -> Any:
        result = _new(kind)
        with self._world._guard:
            status = function(self._world._open(), self._id, result)
        self._check(status)
        return result

    @property
    def position(self) -> Array:
        """In the world [m]."""
        return _pose(self._get(lib.crn_site_pose, "crn_pose *"))[0]

    @property
    def rotation(self) -> Array:
        """Quaternion w, x, y, z in the world."""
        return _pose(self._get(lib.crn_site_pose, "crn_pose *"))[1]

    @property
    def velocity(self) -> Array:
        """Of its origin, world axes [m/s]."""
        return np.asarray(value_of(self._get(lib.crn_site_velocity, "crn_twist *").linear))

    def _frame(self) -> Tuple[Any, Any]:
        body, pose = _new("crn_body_id *"), _new("crn_pose *")
        self._check(lib.crn_site_frame(self._world._c, self._id, body, pose))
        return body[0], kept("crn_vec3", pose.position)

    def remove(self) -> None:
        """Take the site out of its world."""
        self._world._remove(lib.crn_site_destroy, self)


class RayHit(NamedTuple):
    """What a ray met first."""

    body: "Body"
    distance: float
    point: Array
    normal: Array
