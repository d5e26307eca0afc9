"""Motions on file, and as pages."""
from __future__ import annotations

import base64
import html
import json
import math
import os
import pathlib
import tempfile
import zlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np
from numpy.typing import NDArray

from ._core import (Array, ArgumentError, UnknownNameError, UnsupportedError, check, doubles, path_of,
                    struct_array, struct_type, text, whole)
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._world import World

_FRAMES_PER_SECOND = 60.0  # that a page shows at most
_DATA_MARK = "<!--CAIRN-DATA-->"


class Recorder:
    """A recording being written: `World.record` begins it, the end of a ``with`` block or `close` ends it."""

    def __init__(self, world: "World", path: Any, every: int) -> None:
        self._folder = tempfile.TemporaryDirectory() if path is None else None
        self.path = os.path.join(self._folder.name, "motion.crn") if self._folder else os.fspath(path)
        self._world, self._every, self._first = world, every, world.steps
        self._c, self._error = ffi.NULL, ffi.new("crn_error *")
        with world._guard:
            self._begin(world)
            world._recorders.append(self)

    def _begin(self, world: "World") -> None:
        bodies = len(world.model.bodies)
        scene = ffi.new("char[]", world.model.to_json().encode())
        definition = lib.crn_world_definition(world._open())
        header = ffi.new("crn_recording_header *", {"scene": scene, "bodies": bodies, "dt": world._dt,
                                                    "every": self._every, "is_planar": definition.is_planar})
        made = ffi.new("crn_recorder **")
        check(lib.crn_recorder_create(path_of(self.path), header, ffi.NULL, made, self._error), self._error)
        self._c = made[0]
        self._poses = ffi.new("crn_pose[]", max(1, bodies))
        self._bodies = bodies
        self._take(world._c, world.steps, ffi.NULL)

    def _take(self, world: Any, step: int, stats: Any) -> None:
        """A step was made; the world's guard is held."""
        if (step - self._first) % self._every != 0:
            return
        count = ffi.new("int *")
        lib.crn_world_contacts(world, count)
        contacts = ffi.new("crn_recording_contact[]", max(1, count[0]))
        check(lib.shim_record(self._c, world, step - self._first, stats, self._poses, self._bodies, contacts,
                              self._error), self._error)

    def close(self) -> None:
        """End the recording."""
        if self._c is not ffi.NULL:
            recorder, self._c = self._c, ffi.NULL
            with self._world._guard:
                self._world._recorders.remove(self)
            check(lib.crn_recorder_close(recorder, self._error), self._error)

    @property
    def recording(self) -> "Recording":
        """What was recorded, once it is closed."""
        if self._c is not ffi.NULL:
            raise ArgumentError("recorder: is still recording; close it first")
        recording = Recording(self.path)
        recording._keep = self._folder
        return recording

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_c", ffi.NULL) is not ffi.NULL:
            lib.crn_recorder_close(self._c, ffi.NULL)


class Recording:
    """A recording (.crn) as arrays; in a notebook it shows itself as the page that plays it.

    ``time`` (frames,), ``positions`` (frames, bodies, 3), ``rotations`` (frames, bodies, 4: w, x, y, z), ``figures``: what
    each step told, by name.
    """

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        made, error = ffi.new("crn_recording **"), ffi.new("crn_error *")
        check(lib.crn_recording_open(path_of(path), ffi.NULL, made, error), error)
        self._c = ffi.gc(made[0], lib.crn_recording_close)
        self._keep: Any = None
        header = lib.crn_recording_header_of(self._c)
        self.frames: int = lib.crn_recording_frames(self._c)
        self.dt: float = header.dt * header.every
        names = [text(header.figure[i].name) for i in range(header.figures)]
        self.time: Array = np.empty(self.frames)
        poses = np.empty((self.frames, header.bodies), struct_type("crn_pose"))
        table = np.empty((self.frames, header.figures))
        status = lib.shim_recording_arrays(self._c, doubles(self.time), ffi.cast("crn_pose *", ffi.from_buffer(poses)),
                                           doubles(table), error)
        check(status, error)
        self.positions: Array = poses["position"]
        self.rotations: Array = poses["rotation"]
        self.figures: Dict[str, Array] = {name: table[:, i] for i, name in enumerate(names)}

    @property
    def scene(self) -> Dict[str, Any]:
        """The scene that moved; empty if the recording has none."""
        written = text(lib.crn_recording_header_of(self._c).scene)
        scene: Dict[str, Any] = json.loads(written) if written else {}
        return scene

    @property
    def bodies(self) -> List[str]:
        """Names of the bodies, in the order of the arrays."""
        return [body.get("name", "") for body in self.scene.get("bodies", [])]

    def body(self, name: str) -> int:
        """Where a body is among those of the arrays."""
        if name not in self.bodies:
            raise UnknownNameError(f"body: there is no {name!r}; there are {self.bodies}")
        return self.bodies.index(name)

    @property
    def ending(self) -> str:
        """"" if it is whole; else what is wrong at its end."""
        why = ffi.new("char **")
        lib.crn_recording_ending_of(self._c, why)
        return text(why[0])

    def contacts(self, frame: int) -> NDArray[Any]:
        """Contacts of a frame as a structured array: a, b, kind, point, normal, gap, impulse."""
        index = whole(frame, "frame", -self.frames, self.frames - 1) % self.frames
        found, error = ffi.new("crn_recording_frame *"), ffi.new("crn_error *")
        check(lib.crn_recording_read(self._c, index, found, error), error)
        return struct_array(found.contact, "crn_recording_contact", found.contacts)

    # --- Other files ---

    def to_csv(self, path: Any) -> None:
        """All frames as a table."""
        error = ffi.new("crn_error *")
        names = [ffi.new("char[]", name.encode()) if name else ffi.NULL for name in self.bodies]
        array = ffi.new("char *[]", names) if names else ffi.NULL
        check(lib.crn_recording_write_csv(self._c, path_of(path), array, error), error)

    def to_gltf(self, path: Any) -> None:
        """An animation (.glb) for Blender and others."""
        error = ffi.new("crn_error *")
        check(lib.crn_recording_write_gltf(self._c, path_of(path), ffi.NULL, error), error)

    def to_html(self, path: Any = None, title: Optional[str] = None) -> str:
        """The page that plays it, as text and, if a path is given, as a file."""
        page = pathlib.Path(__file__).with_name("page.html")
        if not page.exists():
            raise UnsupportedError("page: this package was built without it; build it where node and npm are")
        before, after = page.read_text(encoding="utf-8").split(_DATA_MARK)
        about: Dict[str, Any] = {"title": title or self.scene.get("name") or os.path.basename(self.path), "about": "",
                 "warning": self.ending, "home": "", "cards": []}
        told = json.dumps(about).replace("</", "<\\/")
        whole_page = (f'{before}<script type="application/json" id="cairn-page">{told}</script>\n'
                      f'<script type="text/plain" id="cairn-recording" data-encoding="deflate-base64">{self._packed()}'
                      f"</script>\n{after}")
        if path is not None:
            pathlib.Path(path).write_text(whole_page, encoding="utf-8")
        return whole_page

    def _packed(self) -> str:
        """The recording, of as many frames as a page shows, deflated and as text."""
        stride = max(1, round(1.0 / (_FRAMES_PER_SECOND * self.dt))) if self.dt > 0 else 1
        error = ffi.new("crn_error *")
        with tempfile.TemporaryDirectory() as folder:
            thin = os.path.join(folder, "thin.crn")
            check(lib.shim_recording_thin(self._c, min(stride, 10**6), path_of(thin), error), error)
            return base64.b64encode(zlib.compress(pathlib.Path(thin).read_bytes())).decode()

    def _repr_html_(self) -> Optional[str]:
        try:
            page = html.escape(self.to_html())
        except UnsupportedError:
            return None
        return f'<iframe srcdoc="{page}" width="100%" height="600" style="border:0"></iframe>'

    def __len__(self) -> int:
        return self.frames

    def __repr__(self) -> str:
        length = self.time[-1] - self.time[0] if self.frames else math.nan
        return f"<cairn.Recording {self.path!r}: {self.frames} frames, {length:g} s>"


__all__ = ["Recorder", "Recording"]
