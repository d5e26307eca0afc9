"""Engines that the table knows, where they come from, and how their adapters are called."""
import dataclasses
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ADAPTERS = HERE / "adapters"


@dataclasses.dataclass
class Engine:
    name: str
    version: str
    settings: tuple     # as delivered; the best that it offers without changing the scene
    start: list         # of the command
    is_planar: bool = False
    runtime: str = "native"  # where its times come from: native, wasm, python
    source: str = ""

    def command(self, setting, path, steps, every):
        return self.start + [str(setting), str(path), str(steps), str(every)]


def ask(command):
    """Lines that a command prints; none if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except OSError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


TAKES_SPATIAL = 1
SKIP_NATIVE = {"MuJoCo"}  # three versions share mujoco.py's writer of MJCF


def native(build):
    program = pathlib.Path(build) / "bench" / "conformance_native"
    for line in ask([str(program), "--list"]):
        name, version, default, best, takes = line.split("\t")
        if name not in SKIP_NATIVE:
            yield Engine("Cairn" if name == "cairn" else name, version, (default, best), [str(program), name],
                         not int(takes) & TAKES_SPATIAL, source="this tree" if name == "cairn" else "Debian")


def tell(command, **more):
    """An adapter answers --version with name, version and both settings."""
    for line in ask(command + ["--version"]):
        fields = line.split("\t")
        if len(fields) == 4:
            yield Engine(fields[0], fields[1], (fields[2], fields[3]), command, **more)


def of_python(peers):
    python = str(pathlib.Path(peers) / "python" / "bin" / "python")
    for name in ("mujoco_pypi", "drake_pypi", "dart_pypi", "bullet_pypi"):
        yield from tell([python, str(ADAPTERS / (name + ".py"))], source="PyPI", runtime="python")
    yield from tell(["/usr/bin/python3", str(ADAPTERS / "siconos_debian.py")], source="Debian", runtime="python")


def of_node(peers):
    modules = str(pathlib.Path(peers) / "node")
    for name in ("mujoco", "jolt", "rapier", "physx", "havok"):
        yield from tell(["node", str(ADAPTERS / (name + ".mjs")), modules], source="npm", runtime="wasm")
    yield from tell(["node", str(ADAPTERS / "box2d3.mjs"), modules], source="npm", runtime="wasm", is_planar=True)


def of_mujoco2(build):
    program = pathlib.Path(build) / "bench" / "conformance_mujoco"
    if program.exists():
        yield from tell([sys.executable, str(ADAPTERS / "mujoco_debian.py"), str(program)], source="Debian")


def find(build, peers):
    """All engines that answer; Cairn first."""
    return [*native(build), *of_mujoco2(build), *of_python(peers), *of_node(peers)]
