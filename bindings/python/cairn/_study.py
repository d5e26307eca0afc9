"""Studies: many runs with different parameters, measured, on as many machines as there are.

A study is a table of parameters, a row per run, and something that turns a row into measures: a scene or robot whose numbers are
changed, or a function of yours. `_study_run` runs it, `_study_report` shows it.
"""
from __future__ import annotations

import copy
import hashlib
import importlib.util
import itertools
import json
import os
import pathlib
import sys
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._core import Array, ArgumentError, FormatError, KindError, __version__, number, whole
from ._model import Model
from ._native import ffi, lib
from ._step import Step
from ._world import World

Row = Dict[str, Any]
Run = Callable[[Row], Mapping[str, Any]]
REDUCTIONS: Dict[str, Callable[[Any], float]] = {
    "last": lambda x: float(x[-1]), "max": lambda x: float(np.max(x)), "min": lambda x: float(np.min(x)),
    "mean": lambda x: float(np.mean(x)), "sum": lambda x: float(np.sum(x))}


# --- A scene as something to run ---


class Scene:
    """A scene or robot, stepped for some time and measured; parameters are places in it, such as "bodies.box.mass".

    ``measure`` names figures of a step or sensors, each with what becomes of its values over the run: "penetration.max",
    "where[2].last" (third number of the sensor "where"), "certified.mean".

    >>> import cairn
    >>> box = {"bodies": [{"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane"}]},
    ...                   {"name": "box", "position": [0, 0, 0.5], "velocity": [2, 0, 0],
    ...                    "shapes": [{"kind": "box", "half": [0.5, 0.5, 0.5], "friction": 0.5}]}],
    ...        "measure": [{"name": "where", "kind": "position", "body": "box"}]}
    >>> scene = cairn.Scene(box, measure=["where[0].last", "certified.mean"], time=1.0)
    >>> told = scene({"bodies.box.shapes.0.friction": 0.2})
    >>> sorted(told), told["certified.mean"]
    (['certified.mean', 'where[0].last'], 1.0)
    """

    def __init__(self, scene: Any, measure: Sequence[str], *, time: Optional[float] = None, dt: Optional[float] = None,
                 controls: Optional[Sequence[float]] = None) -> None:
        model = scene if isinstance(scene, Model) else (
            Model(scene) if isinstance(scene, dict) else Model.load(scene))
        self.scene = model.to_dict()
        self.time = model.duration if time is None else number(time, "time", 0.0)
        self.dt = model.dt if dt is None else number(dt, "dt", 0.0)
        if not self.dt > 0:
            raise ArgumentError("dt: must be > 0")
        self.controls = controls
        self.measure = [_Measure(m, model) for m in measure]

    def model(self, row: Row) -> Model:
        """The scene with these parameters."""
        scene = copy.deepcopy(self.scene)
        for place, value in row.items():
            if place != "seed":
                put(scene, place, value)
        return Model(scene)

    def __call__(self, row: Row) -> Dict[str, float]:
        """Run it with these parameters."""
        world = World(self.model(row))
        if self.controls is not None:
            world.controls = self.controls
        values: List[List[float]] = [[] for _ in self.measure]
        for _ in range(max(1, round(self.time / self.dt))):
            step, shown = world.step(self.dt), world.measure()
            for measure, list_ in zip(self.measure, values):
                list_.append(measure.of(step, shown))
        return {m.text: REDUCTIONS[m.reduction](v) for m, v in zip(self.measure, values)}


class _Measure:
    """"where[2].last": a sensor's number, or a step's figure, and its reduction."""

    def __init__(self, text: Any, model: Model) -> None:
        if not isinstance(text, str) or "." not in text:
            raise ArgumentError(f"measure: {text!r} is not of the form FIGURE.REDUCTION")
        self.text = text
        name, _, self.reduction = text.rpartition(".")
        if self.reduction not in REDUCTIONS:
            raise ArgumentError(f"measure: {text!r} ends with none of {', '.join(REDUCTIONS)}")
        self.figure, self.place = name, -1
        sensor, _, index = name[:-1].partition("[") if name.endswith("]") else (name, "", "0")
        if sensor in model.sensors:
            self.place = self._place(model, model.sensors.index(sensor), index)
        elif name != "certified" and lib.crn_step_figure_find(name.encode()) == ffi.NULL:
            raise ArgumentError(f"measure: {text!r} is neither a sensor ({', '.join(model.sensors)}) nor a figure of a step "
                                "(certified, contacts, penetration, kinetic, ...)")

    def _place(self, model: Model, sensor: int, index: str) -> int:
        """Where its number is among those of all sensors."""
        size = lib.crn_model_probe_size(model._c, sensor)
        if not index.isdigit() or int(index) >= size:
            raise ArgumentError(f"measure: {self.text!r}: the sensor has {size} numbers, from [0] on")
        return int(lib.crn_model_probe_first(model._c, sensor)) + int(index)

    def of(self, step: Step, shown: Array) -> float:
        """Its value after a step, where sensors show this."""
        if self.place >= 0:
            return float(shown[self.place])
        return float(step.certified) if self.figure == "certified" else step.figure(self.figure)


def put(scene: Any, place: str, value: Any) -> None:
    """Change a number of a scene: names and numbers of lists, names of fields, with dots between.

    >>> from cairn._study import put
    >>> scene = {"bodies": [{"name": "box", "mass": 1}]}
    >>> put(scene, "bodies.box.mass", 3)
    >>> scene["bodies"][0]["mass"]
    3
    """
    *way, last = place.split(".")
    at = scene
    for word in way:
        at = _inside(at, word, place)
    if isinstance(at, list):
        at[_position(at, last, place)] = value
    elif isinstance(at, dict):
        at[last] = value
    else:
        raise ArgumentError(f"parameter {place!r}: {last!r} is inside a number")


def _inside(at: Any, word: str, place: str) -> Any:
    if isinstance(at, dict):
        return at.setdefault(word, {})
    if isinstance(at, list):
        return at[_position(at, word, place)]
    raise ArgumentError(f"parameter {place!r}: there is no {word!r}")


def _position(items: List[Any], word: str, place: str) -> int:
    names = [item.get("name") if isinstance(item, dict) else None for item in items]
    if word in names:
        return names.index(word)
    if word.isdigit() and int(word) < len(items):
        return int(word)
    raise ArgumentError(f"parameter {place!r}: there is no {word!r} among {[n for n in names if n] or len(items)}")


# --- The table of parameters ---


def plan(parameters: Mapping[str, Any], samples: Optional[int] = None, method: str = "sobol", seed: int = 0) -> List[Row]:
    """Rows of parameters. A list is a grid, {"uniform": [a, b]} and {"log": [a, b]} are sampled; grids and samples are crossed.

    >>> from cairn._study import plan
    >>> [row["mass"] for row in plan({"mass": [1, 2, 3]})]
    [1, 2, 3]
    >>> len(plan({"mass": [1, 2], "mu": {"uniform": [0.1, 1.0]}}, samples=8))
    16
    """
    grid, sampled = {}, {}
    for name, given in parameters.items():
        if isinstance(given, Mapping) and set(given) == {"grid"}:
            given = given["grid"]
        if isinstance(given, Mapping):
            sampled[name] = _range(name, given)
        elif isinstance(given, (list, tuple, range, np.ndarray)):
            grid[name] = [v.item() if isinstance(v, np.generic) else v for v in given]
        else:
            grid[name] = [given]
        if name in grid and not grid[name]:
            raise ArgumentError(f"parameter {name!r}: the list is empty")
    if sampled and samples is None:
        raise ArgumentError(f"samples: how many, for {', '.join(sampled)}?")
    points = _points(len(sampled), whole(samples, "samples", 1), method, seed) if sampled else np.zeros((1, 0))
    rows = []
    for point in points:
        chosen = {name: _at(kind, low, high, x) for (name, (kind, low, high)), x in zip(sampled.items(), point)}
        for values in itertools.product(*grid.values()):
            rows.append({**dict(zip(grid, values)), **chosen})
    for i, row in enumerate(rows):
        row["seed"] = int(np.random.SeedSequence([seed, i]).generate_state(1)[0])
    return rows


def _range(name: str, given: Mapping[str, Any]) -> Tuple[str, float, float]:
    kinds = [k for k in ("uniform", "log") if k in given]
    if len(kinds) != 1 or len(given) != 1 or np.shape(given[kinds[0]]) != (2,):
        raise ArgumentError(f"parameter {name!r}: needs a list, or one of uniform = [low, high], log = [low, high]")
    low, high = (number(x, f"parameter {name!r}") for x in given[kinds[0]])
    if not low <= high or (kinds[0] == "log" and low <= 0):
        raise ArgumentError(f"parameter {name!r}: {low} to {high} is no range" + (" of a logarithm" if low <= 0 else ""))
    return kinds[0], low, high


def _at(kind: str, low: float, high: float, x: float) -> float:
    return float(low + (high - low) * x) if kind == "uniform" else float(low * (high / low) ** x)


def _points(dimension: int, samples: int, method: str, seed: int) -> Any:
    if method == "random":
        return np.random.default_rng(seed).random((samples, dimension))
    if method == "sobol":
        from scipy.stats import qmc

        engine = qmc.Sobol(dimension, scramble=True, seed=seed)
        power = max(0, (samples - 1).bit_length())
        return engine.random_base2(power)[:samples]
    raise ArgumentError(f"method: there is no {method!r}; there are random and sobol")


# --- A study on file ---


class Study:
    """What to run, for which rows; `identity` tells studies apart that would give other tables."""

    def __init__(self, run: Run, rows: List[Row], name: str = "study") -> None:
        if not callable(run):
            raise KindError(f"run: needs a cairn.Scene or a function, not {type(run).__name__}")
        self.run, self.rows, self.name = run, rows, name

    @property
    def identity(self) -> str:
        """Of version, rows and scene; of a function only its name and code."""
        about: Any = [__version__, self.rows]
        if isinstance(self.run, Scene):
            about += [self.run.scene, self.run.time, self.run.dt, [m.text for m in self.run.measure], self.run.controls]
        else:
            code = getattr(self.run, "__code__", None)
            about += [getattr(self.run, "__qualname__", ""), code.co_code.hex() if code else ""]
        return hashlib.sha256(json.dumps(about, default=repr).encode()).hexdigest()[:16]

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Study":
        """From a file (TOML, docs/guide/studies.md); names of files in it are relative to it."""
        file = pathlib.Path(path)
        table = _read_toml(file)
        known = {"name", "scene", "function", "time", "dt", "controls", "measure", "samples", "method", "seed", "parameters"}
        for key in set(table) - known:
            raise FormatError(f"{file}: unknown field {key!r}; there are {', '.join(sorted(known))}")
        if ("scene" in table) == ("function" in table):
            raise FormatError(f"{file}: needs either scene or function")
        if not isinstance(table.get("parameters", {}), dict):
            raise FormatError(f"{file}: parameters: needs a table")
        try:
            rows = plan(_flat(table.get("parameters", {})), table.get("samples"), table.get("method", "sobol"),
                        whole(table.get("seed", 0), "seed", 0))
            run: Run = _function(file, table["function"]) if "function" in table else Scene(
                file.parent / table["scene"], table.get("measure", ["certified.mean"]), time=table.get("time"),
                dt=table.get("dt"), controls=table.get("controls"))
            if isinstance(run, Scene):
                run.model(rows[0])  # are there such places?
        except (ArgumentError, FormatError) as reason:
            raise FormatError(f"{file}: {reason}") from None
        return cls(run, rows, table.get("name", file.stem))


def _read_toml(file: pathlib.Path) -> Dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as reason:
        raise FormatError(f"{file}: {reason}") from None


def _flat(table: Dict[str, Any], before: str = "") -> Dict[str, Any]:
    """Names with dots that were not quoted are tables of TOML: names with dots again."""
    flat: Dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict) and not set(value) & {"uniform", "log", "grid"}:
            flat.update(_flat(value, f"{before}{name}."))
        else:
            flat[before + name] = value
    return flat


def _function(file: pathlib.Path, text: Any) -> Run:
    """"model.py:simulate"."""
    where, _, name = str(text).rpartition(":")
    path = file.parent / where
    spec = importlib.util.spec_from_file_location(path.stem, path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise FormatError(f"function: there is no file {where!r}; it is written as FILE.py:NAME")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(found):
        raise FormatError(f"function: {where} has no function {name!r}")
    run: Run = found
    return run
