#!/usr/bin/env python3
"""A study of 1,000 runs on two workers: undisturbed, with a worker killed (-9) in mid-run, and with the client killed and called again;
each table against that of a plain loop. What a cluster costs: wall and processor time of all processes, from their start to their end,
beside those of a script that loops over the same runs and writes the same table; best of several rounds, in turns.

    bench/python/studies.py [--runs 1000] [--time 20] [--rounds 2] [--no-kills]

Modules are compiled once, as pip does when it installs: without that every process of either kind would compile them anew.
"""
import argparse
import ctypes
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import pyarrow.parquet as parquet

SCENE = {"dt": 0.01, "solver": {"friction_rule": "min"}, "bodies": [
    {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane", "friction": 1}]},
    {"name": "box", "position": [0, 0, 0.1], "velocity": [2, 0, 0],
     "shapes": [{"kind": "box", "half": [0.1, 0.1, 0.1], "friction": 0.5}]}],
    "measure": [{"name": "where", "kind": "position", "body": "box"}]}
STUDY = """scene = "slide.json"
time = {time}
measure = ["where[0].last", "penetration.max", "certified.mean"]
samples = {runs}
seed = 1
[parameters]
bodies.box.shapes.0.friction = {{uniform = [0.1, 1.0]}}
bodies.box.mass = {{log = [0.1, 10]}}
"""

# The same without a study: a loop, and a table at the end.
LOOP = """import sys
import pyarrow
import pyarrow.parquet
import cairn
from cairn._study import Study

study = Study.load(sys.argv[1])
rows = [{"run": i, **row, **study.run(row), "error": ""} for i, row in enumerate(study.rows)]
pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), sys.argv[2])
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def call(*words):
    return subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)


def loop(folder, out):
    (folder / "loop.py").write_text(LOOP)
    (folder / out).mkdir(exist_ok=True)
    return call(folder / "loop.py", folder / "study.toml", folder / out / "results.parquet")


def start(folder, out):
    return call("-m", "cairn", "study", folder / "study.toml", "-o", folder / out, "--workers", "2")


def rows(folder, out):
    return parquet.read_table(folder / out / "results.parquet").to_pylist()


def kept(folder, out):
    return sum(parquet.read_table(p).num_rows for p in (folder / out).glob("part-*.parquet"))


def wait_for_parts(folder, out, process):
    while kept(folder, out) == 0:
        assert process.poll() is None, "done before it could be killed: use more time"
        time.sleep(0.05)


def workers_of(process):
    """Processes that compute: the youngest generation below the client."""
    def below(pid):
        found = subprocess.run(["ps", "--ppid", str(pid), "-o", "pid="], capture_output=True, text=True).stdout.split()
        return [int(child) for child in found]

    servers = [child for child in below(process.pid) if below(child)]
    return [worker for server in servers for worker in below(server)]


def tell(name, table, expected, seconds, more=""):
    order = [row["run"] for row in table]
    print(f"{name:34s} {len(table)} rows, each once: {order == list(range(len(order)))}; bits equal: {table == expected}; "
          f"{seconds:.1f} s{more}")


def adopt():
    """Processes whose parents end become children of this one (Linux), so that their time is counted: workers are forked from a server."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_all():
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass


def timed(process):
    """Seconds by the clock until it ends, and of processor time of all that it started."""
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process.wait()
    wall = time.perf_counter() - begin
    wait_for_all()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(folder, rounds):
    """A plain loop and a cluster in turns; the loop's table."""
    call("-c", "import cairn, distributed, pyarrow.parquet, scipy.stats.qmc").wait()  # compiles modules
    found = {"loop": [], "two": []}
    for i in range(rounds):
        found["loop"].append(timed(loop(folder, "loop")))
        found["two"].append(timed(start(folder, f"two{i}")))
    expected = rows(folder, "loop")
    (wall, cpu), (wall2, cpu2) = [tuple(map(min, zip(*found[name]))) for name in ("loop", "two")]
    tell("two workers", rows(folder, "two0"), expected, wall2)
    print(f"wall time:      loop {wall:6.1f} s, two workers {wall2:6.1f} s: {wall / wall2:.2f} times as fast")
    print(f"processor time: loop {cpu:6.1f} s, two workers {cpu2:6.1f} s: {100 * (cpu2 / cpu - 1):+.1f} %")
    return expected


def kill_worker(folder, expected):
    begin, process = time.perf_counter(), start(folder, "worker")
    wait_for_parts(folder, "worker", process)
    os.kill(workers_of(process)[0], signal.SIGKILL)
    process.wait()
    tell("two workers, one killed", rows(folder, "worker"), expected, time.perf_counter() - begin)


def kill_client(folder, expected):
    begin, process = time.perf_counter(), start(folder, "client")
    wait_for_parts(folder, "client", process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = kept(folder, "client")
    start(folder, "client").wait()
    tell("client killed, called again", rows(folder, "client"), expected, time.perf_counter() - begin, f"; {done} rows were on file")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--time", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--no-kills", action="store_true")
    given = parser.parse_args()
    adopt()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "slide.json").write_text(json.dumps(SCENE))
        (folder / "study.toml").write_text(STUDY.format(runs=given.runs, time=given.time))
        expected = compare(folder, given.rounds)
        for trial in [] if given.no_kills else [kill_worker, kill_client]:
            trial(folder, expected)


if __name__ == "__main__":
    main()
