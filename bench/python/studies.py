#!/usr/bin/env python3
"""A study of 1,000 runs on two workers: undisturbed, with a worker killed (-9) in mid-run, and with the client killed and called again;
each table against that of one process alone. Then what a cluster costs: processor time of all its processes against that within the runs.

    bench/python/studies.py [--runs 1000] [--time 20]
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
MEASURE = 'measure = ["where[0].last", "penetration.max", "certified.mean"]\n'
STUDY = """scene = "slide.json"
time = {time}
measure = ["where[0].last", "penetration.max", "certified.mean"]
samples = {runs}
seed = 1
[parameters]
bodies.box.shapes.0.friction = {{uniform = [0.1, 1.0]}}
bodies.box.mass = {{log = [0.1, 10]}}
"""

# The same as a function that tells its own processor time.
TIMED = """import time
import cairn

scene = cairn.Scene({path!r}, ["where[0].last"], time={time})


def run(p):
    begin = time.thread_time()
    told = scene(p)
    return {{**told, "cpu": time.thread_time() - begin}}
"""


def start(folder, out, workers, study="study.toml"):
    words = [sys.executable, "-m", "cairn", "study", folder / study, "-o", folder / out, "--workers", str(workers)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--time", type=float, default=20.0)
    given = parser.parse_args()
    adopt()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "slide.json").write_text(json.dumps(SCENE))
        (folder / "study.toml").write_text(STUDY.format(runs=given.runs, time=given.time))
        wall, _ = timed(start(folder, "alone", 0))
        expected = rows(folder, "alone")
        tell("one process", expected, expected, wall)
        wall, _ = timed(start(folder, "two", 2))
        tell("two workers", rows(folder, "two"), expected, wall)
        (folder / "timed.py").write_text(TIMED.format(path=str(folder / "slide.json"), time=given.time))
        (folder / "timed.toml").write_text(STUDY.format(runs=given.runs, time=0).replace('scene = "slide.json"', 'function = "timed.py:run"')
                                           .replace("time = 0\n", "").replace(MEASURE, ""))
        for workers in (0, 2):
            _, total = timed(start(folder, f"timed{workers}", workers, "timed.toml"))
            runs = sum(row["cpu"] for row in rows(folder, f"timed{workers}"))
            print(f"{workers} workers: {total:.1f} s of processor time, {runs:.1f} s within the runs: {100 * (total / runs - 1):+.1f} %")
        begin, process = time.perf_counter(), start(folder, "worker", 2)
        wait_for_parts(folder, "worker", process)
        victim = workers_of(process)[0]
        os.kill(victim, signal.SIGKILL)
        process.wait()
        tell("two workers, one killed", rows(folder, "worker"), expected, time.perf_counter() - begin)
        begin, process = time.perf_counter(), start(folder, "client", 2)
        wait_for_parts(folder, "client", process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        done = kept(folder, "client")
        start(folder, "client", 2).wait()
        tell("client killed, called again", rows(folder, "client"), expected, time.perf_counter() - begin,
             f"; {done} rows were on file")


if __name__ == "__main__":
    main()
