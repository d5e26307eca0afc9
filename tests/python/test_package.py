"""The package as a whole: documents, types, versions, memory."""
import doctest
import importlib
import inspect
import pathlib
import pkgutil
import posixpath
import re
import subprocess
import sys
import tarfile

import numpy as np
import pytest

import cairn
from conftest import BOX_ON_FLOOR, ROOT

MODULES = ["cairn"] + [m.name for m in pkgutil.iter_modules(cairn.__path__, "cairn.") if m.name not in ("cairn._native", "cairn.__main__")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    try:
        module = importlib.import_module(name)
    except ImportError as missing:
        pytest.skip(str(missing))
    if name == "cairn._study_run":
        pytest.importorskip("pyarrow")
    result = doctest.testmod(module)
    assert result.failed == 0


def documented(item):
    return (inspect.getdoc(item) or "").strip()


def test_every_public_name_is_documented():
    for name in cairn.__all__:
        item = getattr(cairn, name)
        if name.startswith("__"):
            continue
        assert documented(item), name
        if inspect.isclass(item):
            for part, value in vars(item).items():
                if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert documented(value), f"{name}.{part}"


def test_every_public_function_has_an_example_that_runs():
    for name in cairn.__all__:
        item = getattr(cairn, name)
        if inspect.isfunction(item):
            assert ">>>" in documented(item), name


def test_reference_is_what_the_docstrings_say():
    pytest.importorskip("gymnasium")
    done = subprocess.run([sys.executable, ROOT / "tools/python_reference.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_sdist_has_what_its_page_is_made_of():
    archives = list(pathlib.Path("python/dist").glob("*.tar.gz"))
    if not archives:
        pytest.skip("not called by run.py")
    with tarfile.open(archives[0]) as archive:
        names = {name.partition("/")[2]: name for name in archive.getnames()}
        scripts = [name for name in names if re.fullmatch(r"apps/viewer/src/.*[.]ts|bindings/wasm/package/.*[.]mjs", name)]
        assert len(scripts) > 50
        for script in scripts:
            text = archive.extractfile(names[script]).read().decode()
            for path in re.findall(r'from "([.][^"]*)"', text):
                needed = posixpath.normpath(posixpath.join(posixpath.dirname(script), path))
                assert names.keys() & {needed, needed + ".ts"}, f"{script} needs {needed}"


def test_version_comes_from_one_place():
    written = re.findall(r"#define CRN_VERSION_\w+ +([0-9]+)", (ROOT / "include/cairn/base.h").read_text())
    assert cairn.__version__ == ".".join(written)
    assert importlib.metadata.version("cairn") == cairn.__version__


def test_stable_abi_and_types():
    folder = pathlib.Path(cairn.__file__).parent
    assert [p.name for p in folder.glob("_native*.so")] == ["_native.abi3.so"]
    assert (folder / "py.typed").exists()


def test_types():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", "/dev/null"],
                          cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def resident():
    fields = pathlib.Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_stays_flat():
    world, M, q = cairn.World(BOX_ON_FLOOR), np.eye(10) + 0.1, -np.ones(10)

    def work(count):
        for _ in range(count):
            cairn.solve(M, q).certificate
            world.step(0.001)
        world.contacts(), world.snapshot(), world.sensors, world.q
        return resident()

    work(2000)
    first = work(2000)
    assert work(20000) - first < 1 << 20  # 22,000 leaks of even 64 bytes are more
