#!/usr/bin/env python3
"""A study of 1,000 runs on two workers: undisturbed, with a worker killed (-9) in mid-run, and with the client killed and called again;
each table against that of a plain loop.

What a cluster costs: wall and processor time of all processes, from their start to their end, beside those of a script that loops over
the same runs and writes the same table; and, since two busy cores may be slower than one, beside two such scripts at once with half of
the runs each, which is what two cores can do without a cluster. In turns; seconds are the medians of rounds, per cents those of the
rounds' own. Then the processor time that was not spent in runs: it does not depend on how fast two cores are at once, or how busy.

    bench/python/studies.py [--runs 1000] [--time 20 ...] [--rounds 3] [--no-kills]

Modules are compiled once, as pip does when it installs: without that every process of either kind would compile them anew.
"""
import argparse
import ctypes
import json
import os
import pathlib
import resource
import signal
import statistics
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
# A run tells its own processor time, so that what is left can be told too.
RUN = """import pathlib
import time
import cairn

scene = cairn.Scene(pathlib.Path(__file__).with_name("slide.json"), ["where[0].last", "penetration.max", "certified.mean"], time={time})


def slide(p):
    start = time.thread_time()
    return {{**scene(p), "seconds": time.thread_time() - start}}
"""
STUDY = """function = "slide.py:slide"
samples = {runs}
seed = 1
[parameters]
bodies.box.shapes.0.friction = {{uniform = [0.1, 1.0]}}
bodies.box.mass = {{log = [0.1, 10]}}
"""

# The same without a study: a loop over every STRIDE-th run, and a table at the end.
LOOP = """import sys
import pyarrow
import pyarrow.parquet
import cairn
from cairn._study import Study

path, out, first, stride = sys.argv[1:]
study = Study.load(path)
work = list(enumerate(study.rows))[int(first)::int(stride)]
rows = [{"run": i, **row, **study.run(row), "error": ""} for i, row in work]
pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), out)
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def call(*words):
    return subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)


def loops(folder, count):
    """So many at once."""
    (folder / "loop.py").write_text(LOOP)
    out = folder / f"loop{count}"
    out.mkdir(exist_ok=True)
    name = ["results.parquet"] if count == 1 else [f"part{i}.parquet" for i in range(count)]
    return [call(folder / "loop.py", folder / "study.toml", out / name[i], str(i), str(count)) for i in range(count)]


def start(folder, out):
    return call("-m", "cairn", "study", folder / "study.toml", "-o", folder / out, "--workers", "2")


def read(folder, out):
    """Rows, and the processor time that they took: not the same twice."""
    table = [row for file in sorted((folder / out).glob("*.parquet")) for row in parquet.read_table(file).to_pylist()]
    return table, sum(row.pop("seconds") for row in table)


def rows(folder, out):
    return read(folder, out)[0]


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


def timed(processes):
    """Seconds by the clock until they end, and of processor time of all that they started."""
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    for process in processes:
        process.wait()
    wall = time.perf_counter() - begin
    wait_for_all()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def more(these, those):
    """By how many per cent the first are above the second, in the median of rounds."""
    return f"{100 * (statistics.median(a / b for a, b in zip(these, those)) - 1):+.1f} %"


def tell_costs(name, one, halves, two):
    seconds = [statistics.median(x) for x in (one, halves, two)]
    print(f"{name:16s}" + "loop {:6.1f} s, two loops at once {:6.1f}, two workers {:6.1f}: ".format(*seconds), end="")
    if name == "wall time":
        print(f"{statistics.median(a / b for a, b in zip(one, two)):.2f} times as fast as the loop, ", end="")
    else:
        print(f"{more(two, one)} against the loop, ", end="")
    print(f"{more(two, halves)} against two loops")


def tell_rest(one, halves, two):
    """Each is a list of (processor time, of it in runs)."""
    own = [statistics.median(all_ - runs for all_, runs in kind) for kind in (one, halves, two)]
    whole = statistics.median(all_ for all_, _ in one)
    print("  not in runs   loop {:6.1f} s, two loops at once {:6.1f}, two workers {:6.1f}: ".format(*own), end="")
    print(f"{own[2] - own[0]:.1f} s more than the loop, {100 * (own[2] - own[0]) / whole:.1f} % of it")


def compare(folder, rounds):
    """A plain loop, two of them, and a cluster in turns; the loop's table."""
    call("-c", "import cairn, distributed, pyarrow.parquet, scipy.stats.qmc").wait()  # compiles modules
    kinds = [("loop1", lambda out: loops(folder, 1)), ("loop2", lambda out: loops(folder, 2)), ("two{}", lambda out: [start(folder, out)])]
    found = [[], [], []]  # (wall, processor time, of it in runs)
    for i in range(rounds):
        for (name, run), list_ in zip(kinds, found):
            out = name.format(i)
            list_.append((*timed(run(out)), read(folder, out)[1]))
    expected = rows(folder, "loop1")
    tell("two workers", rows(folder, "two0"), expected, found[2][0][0])
    tell_costs("wall time", *([f[0] for f in kind] for kind in found))
    tell_costs("processor time", *([f[1] for f in kind] for kind in found))
    tell_rest(*([f[1:] for f in kind] for kind in found))
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
    parser.add_argument("--time", type=float, nargs="+", default=[20.0], help="seconds that a run simulates, 100 steps each")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-kills", action="store_true")
    given = parser.parse_args()
    adopt()
    for seconds in given.time:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "slide.json").write_text(json.dumps(SCENE))
            (folder / "slide.py").write_text(RUN.format(time=seconds))
            (folder / "study.toml").write_text(STUDY.format(runs=given.runs))
            print(f"{given.runs} runs of {seconds:g} s", flush=True)
            expected = compare(folder, given.rounds)
            for trial in [] if given.no_kills else [kill_worker, kill_client]:
                trial(folder, expected)


if __name__ == "__main__":
    main()
