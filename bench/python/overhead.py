#!/usr/bin/env python3
"""What a call from Python costs more than one in C: an LCP of 10 variables, a step of an empty world. Then memory: is it flat?

    bench/python/overhead.py --prefix PREFIX [--memory 1000000]

PREFIX: where the library is installed (make install PREFIX=...). Best of many short rounds, Python and C in turns.
"""
import argparse
import pathlib
import subprocess
import tempfile
import time

import numpy as np

import cairn

HERE = pathlib.Path(__file__).resolve().parent


def best(call, rounds=300, repeat=100):  # short enough to fit between two interruptions
    found = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeat):
            call()
        found = min(found, (time.perf_counter() - start) / repeat)
    return 1e6 * found


def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def in_c(prefix, data, folder):
    program = folder / "overhead"
    if not program.exists():
        words = ["cc", "-O2", HERE / "overhead.c", f"-I{prefix}/include", f"-L{prefix}/lib", "-lcairn", "-lm",
                 f"-Wl,-rpath,{prefix}/lib", "-o", program]
        subprocess.run([str(w) for w in words], check=True)
    return [float(x) for x in subprocess.run([program, data], check=True, capture_output=True, text=True).stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--memory", type=int, default=1_000_000)
    given = parser.parse_args()
    random = np.random.default_rng(1)
    A = random.standard_normal((10, 10))
    M, q, world = A @ A.T + np.eye(10), random.standard_normal(10), cairn.World({"bodies": []})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.concatenate([M.ravel(), q]).tofile(folder / "problem.bin")
        rounds = [(best(lambda: cairn.solve(M, q)), best(lambda: world.step(0.01)), *in_c(given.prefix, folder / "problem.bin", folder))
                  for _ in range(3)]
    solve, step, c_solve, c_step = np.min(rounds, axis=0)
    print(f"LCP of 10   {solve:.2f} us in Python, {c_solve:.2f} in C: {solve - c_solve:.2f} us more")
    print(f"empty step  {step:.2f} us in Python, {c_step:.2f} in C: {step - c_step:.2f} us more")
    for name, call in (("solves", lambda: cairn.solve(M, q)), ("steps", lambda: world.step(0.001))):
        for i in range(given.memory):
            call()
            if i == given.memory // 100:
                first = resident()
        print(f"memory      {first:.2f} MB after 1 %, {resident():.2f} MB after {given.memory} {name}")


if __name__ == "__main__":
    main()
