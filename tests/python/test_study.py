"""Studies: tables of parameters, scenes as functions, results that survive the death of whoever makes them."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import cairn
from cairn._study import Study, plan

pytest.importorskip("pyarrow")
import pyarrow.parquet as parquet  # noqa: E402

SLIDE = {"dt": 0.01, "bodies": [
    {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane", "friction": 1.0}]},
    {"name": "box", "position": [0, 0, 0.1], "velocity": [2, 0, 0],
     "shapes": [{"kind": "box", "half": [0.1, 0.1, 0.1], "friction": 0.5}]}],
    "solver": {"friction_rule": "min"},
    "measure": [{"name": "where", "kind": "position", "body": "box"}]}


def test_plan():
    rows = plan({"a": [1, 2], "b": {"uniform": [0, 1]}, "c": {"log": [1, 100]}}, samples=5, seed=3)
    assert len(rows) == 10 and all(0 <= r["b"] <= 1 <= r["c"] <= 100 for r in rows)
    assert rows == plan({"a": [1, 2], "b": {"uniform": [0, 1]}, "c": {"log": [1, 100]}}, samples=5, seed=3)
    assert len({r["seed"] for r in rows}) == 10
    halves = sum(r["b"] < 0.5 for r in plan({"b": {"uniform": [0, 1]}}, samples=64))
    assert halves == 32  # Sobol fills evenly


def test_a_sliding_box_stops_where_it_should(tmp_path):
    """v^2 / (2 mu g), for every mu."""
    scene = cairn.Scene(SLIDE, ["where[0].last", "certified.mean"], time=2.5)
    table = cairn.study(scene, {"bodies.box.shapes.0.friction": [0.3, 0.5, 0.8]}, tmp_path / "out", workers=0)
    for mu, x in zip(table.column("bodies.box.shapes.0.friction").to_pylist(), table.column("where[0].last").to_pylist()):
        assert x == pytest.approx(4 / (2 * mu * 9.81), abs=1e-3)
    assert table.column("certified.mean").to_pylist() == [1, 1, 1]
    report = (tmp_path / "out" / "report.html").read_text()
    assert "3 runs, 0 of them failed" in report and "<svg" in report


def write_study(folder, runs=60, pause=0.02):
    """A study of a function that notes every call of it."""
    (folder / "work.py").write_text(textwrap.dedent(f"""
        import os, pathlib, time
        import numpy as np

        def work(p):
            time.sleep({pause})
            with open(pathlib.Path({str(folder)!r}) / "calls.txt", "a") as file:
                file.write(f"{{p['x']}} {{os.getpid()}}\\n")
            if p["x"] == 7:
                raise ValueError("seven is not liked")
            return {{"y": float(np.random.default_rng(p["seed"]).standard_normal()) * p["x"]}}
    """))
    (folder / "study.toml").write_text(f'function = "work.py:work"\nseed = 4\n[parameters]\nx = {list(range(runs))}\n')
    return folder / "study.toml"


def rows_of(folder):
    return parquet.read_table(folder / "results.parquet").to_pylist()


def command(file, out, *more):
    return [sys.executable, "-m", "cairn", "study", str(file), "-o", str(out), *more]


def test_a_run_that_fails_is_a_row(tmp_path):
    file = write_study(tmp_path, 10, 0)
    done = subprocess.run(command(file, tmp_path / "out", "--workers", "0"), capture_output=True, text=True)
    assert done.returncode == 1 and "10 runs, 1 failed" in done.stdout, done.stderr
    rows = rows_of(tmp_path / "out")
    assert [r["error"] for r in rows if r["error"]] == ["ValueError: seven is not liked"]
    assert rows[7]["y"] is None and rows[8]["y"] is not None


def test_killed_and_resumed(tmp_path):
    """The client dies: what is on file is not run again, and the table is that of an undisturbed run."""
    file = write_study(tmp_path, 110, 0.03)
    subprocess.run(command(file, tmp_path / "whole", "--workers", "0"), check=False, capture_output=True)
    (tmp_path / "calls.txt").unlink()
    process = subprocess.Popen(command(file, tmp_path / "cut", "--workers", "0"))
    while not list((tmp_path / "cut").glob("part-*.parquet")):
        time.sleep(0.05)
        assert process.poll() is None, "it was done before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = sum(parquet.read_table(p).num_rows for p in (tmp_path / "cut").glob("part-*.parquet"))
    before = len((tmp_path / "calls.txt").read_text().splitlines())
    assert 0 < kept < 110
    subprocess.run(command(file, tmp_path / "cut", "--workers", "0"), check=False, capture_output=True)
    after = len((tmp_path / "calls.txt").read_text().splitlines())
    assert after - before == 110 - kept
    assert rows_of(tmp_path / "cut") == rows_of(tmp_path / "whole")
    assert not list((tmp_path / "cut").glob("part-*"))


def test_a_worker_dies(tmp_path):
    """On Dask, with a worker killed in mid-run: each row once, with the bits of a single process."""
    pytest.importorskip("distributed")
    file = write_study(tmp_path, 90, 0.03)
    process = subprocess.Popen(command(file, tmp_path / "cluster", "--workers", "2"), stderr=subprocess.PIPE)
    calls = tmp_path / "calls.txt"
    while not calls.exists() or len(calls.read_text().splitlines()) < 20:
        time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
    os.kill(int(calls.read_text().split()[-1]), signal.SIGKILL)
    process.communicate(timeout=120)
    assert process.returncode == 1  # of run 7
    subprocess.run(command(file, tmp_path / "alone", "--workers", "0"), check=False, capture_output=True)
    rows = rows_of(tmp_path / "cluster")
    assert [r["run"] for r in rows] == list(range(90))
    assert rows == rows_of(tmp_path / "alone")


def test_another_study_in_the_folder(tmp_path):
    cairn.study(lambda p: {"y": p["x"]}, {"x": [1, 2]}, tmp_path, workers=0)
    with pytest.raises(cairn.FormatError, match="another study"):
        cairn.study(lambda p: {"y": p["x"]}, {"x": [1, 2, 3]}, tmp_path, workers=0)


PROGRAM = os.environ.get("CAIRN_PROGRAM", "")


@pytest.mark.skipif(not os.path.exists(PROGRAM), reason="the program cairn is not there")
def test_the_program_hands_over(tmp_path):
    file = write_study(tmp_path, 10, 0)
    words = [PROGRAM, "study", str(file), "--workers", "0"]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "CAIRN_PYTHON": sys.executable})
    assert done.returncode == 1 and "10 runs, 1 failed" in done.stdout, done.stderr
    assert len(rows_of(tmp_path / "study")) == 10
    for python, word in (("/nowhere/python", "/nowhere/python"), ("", "")):
        missing = subprocess.run(words, capture_output=True, text=True, env={"PATH": "/nowhere", "CAIRN_PYTHON": python})
        assert missing.returncode == 2 and missing.stderr.startswith("cairn: study: cannot run") and word in missing.stderr


@pytest.mark.parametrize("text, words", [
    ("parameters = 3", "scene or function"),
    ('scene = "x.json"\nspeed = 1', "unknown field 'speed'"),
    ('scene = "gone.json"', "gone.json"),
    ('scene = "slide.json"\n[parameters]\n"bodies.box.mass" = {between = [0, 1]}', "bodies[1].mass"),
    ('scene = "slide.json"\n[parameters]\nmass = {uniform = [0, 1]}', "samples"),
    ('scene = "slide.json"\nmeasure = ["speed.max"]', "speed.max"),
    ('scene = "slide.json"\nmeasure = ["where[0].final"]', "where"),
    ('function = "nothing.py:go"', "nothing.py"),
    ("scene = ", "study.toml"),
])
def test_bad_files(tmp_path, text, words):
    (tmp_path / "slide.json").write_text(json.dumps(SLIDE))
    (tmp_path / "study.toml").write_text(text)
    done = subprocess.run(command(tmp_path / "study.toml", tmp_path / "out"), capture_output=True, text=True)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_places_in_a_scene(tmp_path):
    (tmp_path / "slide.json").write_text(json.dumps(SLIDE))
    (tmp_path / "study.toml").write_text(
        'scene = "slide.json"\ntime = 0.1\nmeasure = ["where[2].last"]\n[parameters]\nbodies.box.position.2 = [0.1, 5.0]\n')
    study = Study.load(tmp_path / "study.toml")
    heights = [study.run(row)["where[2].last"] for row in study.rows]
    assert heights == pytest.approx([0.1, 5 - 9.81 * 0.01 / 2], abs=1e-6)
    with pytest.raises(cairn.Error, match="bodies.ball.mass"):
        study.run({"bodies.ball.mass": 1.0})


def test_function_of_numpy_results(tmp_path):
    table = cairn.study(lambda p: {"y": np.float64(2.0) * p["x"]}, {"x": np.arange(3)}, pathlib.Path(tmp_path), workers=0)
    assert table.column("y").to_pylist() == [0, 2, 4]


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks into /proc")
def test_workers_end_with_their_client(tmp_path):
    """Also those in the middle of a long run, of a client that could not tell them."""
    pytest.importorskip("distributed")
    (tmp_path / "long.py").write_text(textwrap.dedent(f"""
        import os, pathlib, time

        def work(p):
            (pathlib.Path({str(tmp_path)!r}) / f"{{p['x']}}.pid").write_text(f"{{os.getpid()}} {{os.getppid()}}")
            time.sleep(600)
            return {{}}
    """))
    (tmp_path / "study.toml").write_text('function = "long.py:work"\n[parameters]\nx = [0, 1]\n')
    process = subprocess.Popen(command(tmp_path / "study.toml", tmp_path / "out", "--workers", "2"))
    while len(list(tmp_path.glob("?.pid"))) < 2:
        time.sleep(0.05)
        assert process.poll() is None
    time.sleep(0.2)
    pids = {int(pid) for file in tmp_path.glob("?.pid") for pid in file.read_text().split()}
    assert len(pids) == 3 and all(map(is_alive, pids))  # two workers and their keeper
    process.kill()
    process.wait()
    deadline = time.monotonic() + 15  # Dask alone lets go after 30
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline, f"{[p for p in pids if is_alive(p)]} are still there"
        time.sleep(0.05)


def test_a_script_that_starts_workers(tmp_path):
    """From a process that has threads, which is not forked; a function of the script itself; no need for __main__."""
    pytest.importorskip("distributed")
    (tmp_path / "script.py").write_text(textwrap.dedent("""
        import os, threading, cairn
        threading.Thread(target=threading.Event().wait, daemon=True).start()

        def square(p):
            return {"y": p["x"] ** 2, "is_here": os.getpid() == here}

        here = os.getpid()
        table = cairn.study(square, {"x": [1, 2, 3]}, "out", workers=2)
        assert table.column("y").to_pylist() == [1, 4, 9] and not any(table.column("is_here").to_pylist())
    """))
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stderr == "", done.stderr


def kill_keeper_and_workers(process):
    """At once; the client must tell it in a line."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    (keeper,) = map(int, children.read_text().split())
    workers = map(int, pathlib.Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split())
    for pid in (keeper, *workers):
        os.kill(pid, signal.SIGKILL)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 2 and "all workers have ended" in words and "Traceback" not in words, words


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks into /proc")
def test_keeper_and_all_workers_die(tmp_path):
    """The client tells it, and does not wait for ever; called again it runs the rest."""
    pytest.importorskip("distributed")
    file = write_study(tmp_path, 100, 0.1)
    process = subprocess.Popen(command(file, tmp_path / "out", "--workers", "2"), stderr=subprocess.PIPE, text=True)
    while not list((tmp_path / "out").glob("part-*.parquet")):
        time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
    kill_keeper_and_workers(process)
    subprocess.run(command(file, tmp_path / "out", "--workers", "2"), check=False, capture_output=True)
    assert [r["run"] for r in rows_of(tmp_path / "out")] == list(range(100))


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks into /proc")
def test_all_workers_die_while_a_result_is_on_its_way(tmp_path):
    """The connection ends then, not the task."""
    pytest.importorskip("distributed")
    (tmp_path / "slow.py").write_text(textwrap.dedent(f"""
        import pathlib, time

        class Slow(float):
            def __reduce__(self):
                (pathlib.Path({str(tmp_path)!r}) / "on-its-way").touch()
                time.sleep(100)

        def work(p):
            return {{"y": Slow(1)}}
    """))
    (tmp_path / "study.toml").write_text('function = "slow.py:work"\n[parameters]\nx = [0, 1]\n')
    process = subprocess.Popen(command(tmp_path / "study.toml", tmp_path / "out", "--workers", "2"), stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "on-its-way").exists():
        time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
    kill_keeper_and_workers(process)


def test_a_worker_that_takes_too_much_memory_is_replaced(tmp_path):
    """Here it may have 500 MB; a run takes 600 the first time."""
    pytest.importorskip("distributed")
    from distributed.system import MEMORY_LIMIT

    (tmp_path / "leak.py").write_text(textwrap.dedent(f"""
        import os, pathlib, time

        def work(p):
            once = pathlib.Path({str(tmp_path)!r}) / "once"
            if p["x"] == 3 and not once.exists():
                once.write_text(str(os.getpid()))
                kept = b"x" * 600_000_000
                time.sleep(600)
            return {{"y": p["x"]}}
    """))
    (tmp_path / "study.toml").write_text('function = "leak.py:work"\n[parameters]\nx = [0, 1, 2, 3, 4, 5, 6, 7]\n')
    share = str(2 * 500e6 / MEMORY_LIMIT)
    done = subprocess.run(command(tmp_path / "study.toml", tmp_path / "out", "--workers", "2"), capture_output=True, text=True,
                          timeout=120, env={**os.environ, "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": share})
    assert done.returncode == 0 and "another one takes its place" in done.stderr, done.stderr
    assert [r["y"] for r in rows_of(tmp_path / "out")] == list(range(8))
