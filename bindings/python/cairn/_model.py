"""Scenes and robots as they are described, before they move."""
from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, List, Optional, Union

from . import _core
from ._core import FormatError, KindError, check, encoded, path_of, real, text
from ._native import ffi, lib

_COUNTS = {"body": "bodies", "key": "keys"}


class ReadWarning(UserWarning):
    """What a reader of robots has to say without failing: what is not supported, by name, with file and line."""


class Model:
    """A scene as plain data: bodies, joints, sites, actuators, sensors, how to step.

    Made from a scene as a dictionary or as JSON text (docs/guide/scenes.md has the fields), or by `Model.load` from a file.

    >>> import cairn
    >>> model = cairn.Model({"bodies": [{"name": "ball", "position": [0, 0, 1], "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    >>> model.bodies, model.dt
    (['ball'], 0.01)
    >>> cairn.Model({"bodies": [{"mass": -1}]})
    Traceback (most recent call last):
    ...
    cairn.FormatError: scene:1: bodies[0].mass: must be > 0, but is -1
    """

    def __init__(self, scene: Union[Dict[str, Any], str]) -> None:
        if isinstance(scene, dict):
            try:
                scene = json.dumps(scene, default=_plain)
            except (TypeError, ValueError) as reason:
                raise KindError(f"scene: {reason}") from None
        raw = encoded(scene, "scene")
        made, error = ffi.new("crn_model **"), ffi.new("crn_error *")
        check(lib.crn_io_read_scene_text(raw, len(raw), b"scene", ffi.NULL, made, error), error)
        self._own(made[0])

    def _own(self, pointer: Any) -> None:
        self._c = ffi.gc(pointer, lib.crn_model_destroy)
        self._names: Dict[str, List[str]] = {}

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], *, fixed: bool = False, position: Any = (0.0, 0.0, 0.0),
             rotation: Any = (1.0, 0.0, 0.0, 0.0), friction: float = 0.5, self_collision: bool = False,
             packages: Optional[str] = None, skip_missing_meshes: bool = False,
             floor: Optional[float] = None) -> "Model":
        """A scene (.json) or a robot (URDF, MJCF: .xml) from a file.

        The options are for robots: ``fixed`` welds the root of a URDF to the world, ``position`` and ``rotation`` (a
        quaternion w, x, y, z) put it somewhere, ``friction`` is that of a URDF's shapes, ``packages`` stands for
        package://NAME/, ``floor`` adds ground at that height.
        """
        where, lines, error = path_of(path), ffi.gc(ffi.new("shim_lines *"), lib.shim_lines_free), ffi.new("crn_error *")
        made = ffi.new("crn_model **")
        model = cls.__new__(cls)
        if lib.crn_file_format_of(where) == lib.CRN_FILE_JSON:
            check(lib.shim_read_scene(where, lines, made, error), error)
            model._own(made[0])
        else:
            check(lib.crn_model_create(ffi.NULL, made, error), error)
            model._own(made[0])
            options = ffi.new("crn_robot_options *")
            options[0] = lib.crn_robot_options_default()
            keep = None if packages is None else ffi.new("char[]", encoded(packages, "packages"))
            options.package_path = ffi.NULL if keep is None else keep
            options.is_fixed, options.self_collision = bool(fixed), bool(self_collision)
            options.skip_missing_meshes = bool(skip_missing_meshes)
            options.friction = _core.number(friction, "friction", 0.0)
            options.pose.position = tuple(real(position, "position", (3,)))
            options.pose.rotation = tuple(real(rotation, "rotation", (4,)))
            check(lib.crn_model_set_name(model._c, os.path.basename(where), error), error)
            check(lib.shim_read_robot(where, options, lines, model._c, error), error)
        for line in text(lines.text).splitlines():
            warnings.warn(line, ReadWarning, stacklevel=2)
        if floor is not None:
            model._add_floor(_core.number(floor, "floor"))
        return model

    def _add_floor(self, height: float) -> None:
        shape, body = ffi.new("crn_body_shape *"), ffi.new("crn_body_def *")
        shape[0], body[0] = lib.crn_body_shape_default(), lib.crn_body_def_default()
        shape.shape.kind, body.kind = lib.CRN_SHAPE_PLANE, lib.CRN_BODY_FIXED
        name = ffi.new("char[]", b"floor")
        if lib.crn_model_find_body(self._c, name) < 0:
            body.name = name
        body.pose.position.z, body.shape, body.shapes = height, shape, 1
        error = ffi.new("crn_error *")
        check(lib.crn_model_add_body(self._c, body, ffi.NULL, error), error)

    # --- What there is ---

    def _list(self, noun: str) -> List[str]:
        if noun not in self._names:
            count = getattr(lib, f"crn_model_{_COUNTS.get(noun, noun + 's')}")(self._c)
            at = getattr(lib, f"crn_model_{noun}")
            self._names[noun] = [text(at(self._c, i).name) for i in range(count)]
        return list(self._names[noun])

    @property
    def name(self) -> str:
        """What the scene is called."""
        return text(lib.crn_model_name(self._c))

    @property
    def bodies(self) -> List[str]:
        """Names of the bodies, "" of those without."""
        return self._list("body")

    @property
    def joints(self) -> List[str]:
        """Names of the joints."""
        return self._list("joint")

    @property
    def sites(self) -> List[str]:
        """Names of the sites, frames fixed to bodies."""
        return self._list("site")

    @property
    def actuators(self) -> List[str]:
        """Names of the actuators, in the order of the controls."""
        return self._list("actuator")

    @property
    def sensors(self) -> List[str]:
        """Names of the sensors (``measure`` of a scene), in the order of `World.measure`."""
        return self._list("probe")

    @property
    def keys(self) -> List[str]:
        """Names of the states to start from."""
        return self._list("key")

    @property
    def dt(self) -> float:
        """Suggested step [s]."""
        return float(lib.crn_model_world_of(self._c).dt)

    @property
    def duration(self) -> float:
        """Suggested length of a run [s]."""
        return float(lib.crn_model_world_of(self._c).duration)

    def key_index(self, key: Union[str, int]) -> int:
        """Index of a key by its name or number."""
        keys = self.keys
        index = keys.index(key) if isinstance(key, str) and key in keys else key
        if not isinstance(index, int) or not -len(keys) <= index < len(keys):
            raise _core.UnknownNameError(f"key: there is no {key!r}; there are {keys}")
        return index % len(keys)

    # --- As text ---

    def to_json(self) -> str:
        """The scene as JSON text, which reads back to the same bits."""
        written, length, error = ffi.new("char **"), ffi.new("size_t *"), ffi.new("crn_error *")
        check(lib.crn_io_write_scene_text(self._c, ffi.NULL, written, length, error), error)
        try:
            return bytes(ffi.buffer(written[0], length[0])).decode()
        finally:
            lib.shim_free(written[0])

    def to_dict(self) -> Dict[str, Any]:
        """The scene as a dictionary: change it, and make another model of it."""
        scene: Dict[str, Any] = json.loads(self.to_json())
        return scene

    def save(self, path: Any) -> None:
        """Write the scene as a file."""
        error = ffi.new("crn_error *")
        check(lib.crn_io_write_scene(path_of(path), self._c, error), error)

    def __reduce__(self) -> Any:
        return _unpickle_model, (_core.__version__, self.to_json())

    def __repr__(self) -> str:
        counts = f"{len(self.bodies)} bodies, {len(self.joints)} joints, {len(self.actuators)} actuators"
        return f"<cairn.Model {self.name!r}: {counts}>"


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays in a scene."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not something that a scene has")


def _unpickle_model(version: str, scene: str) -> Model:
    check_version(version)
    return Model(scene)


def check_version(version: str) -> None:
    """Snapshots and pickles are of one version."""
    if version != _core.__version__:
        raise FormatError(f"pickle: is of cairn {version}, this is {_core.__version__}")


def as_model(value: Any, argument: str = "model") -> Model:
    """A model of whatever describes one: itself, a world, a scene, a path."""
    if isinstance(value, Model):
        return value
    model = getattr(value, "model", None)
    if isinstance(model, Model):
        return model
    if isinstance(value, dict):
        return Model(value)
    if isinstance(value, (str, bytes, os.PathLike)):
        return Model.load(value)  # type: ignore[arg-type]
    raise KindError(f"{argument}: needs a model, a world, a scene or a path, not {type(value).__name__}")


__all__ = ["Model", "ReadWarning", "as_model"]
