#!/usr/bin/env python3
"""Steps a second of many worlds on 1 and 2 threads, with the bits of single runs; MuJoCo's rollout beside, where it is installed.

    bench/python/many_worlds.py MODEL.xml ... [--worlds 64] [--steps 50] [--rounds 21] [--threads 1 2]

Random controls, the same for all. In each round the numbers of threads take turns, one directly after the other. Steps a second are the
best of all rounds. The ratio is the median of the rounds' own ratios: the speed of a shared machine moves between rounds, hardly within
one. Beside it what the machine gives: as many processes, which share nothing, each with its part of the worlds, in the same rounds.
"""
import argparse
import os
import time
import warnings

import numpy as np

import cairn


def controls(model, worlds, steps, seed=1):
    """Within the actuators' limits, or +-1 where these are infinite."""
    scene = model.to_dict()
    low = [a.get("lower", -1.0) for a in scene.get("actuators", [])]
    high = [a.get("upper", 1.0) for a in scene.get("actuators", [])]
    limits = [np.array([x if isinstance(x, (int, float)) else s for x in xs], float) for xs, s in ((low, -1), (high, 1))]
    return np.random.default_rng(seed).uniform(limits[0], limits[1], (worlds, steps, len(low)))


def times(runs, rounds):
    """Seconds of each run (prepare, run) in every round."""
    found = {name: [] for name in runs}
    for _ in range(rounds):
        for name, (prepare, run) in runs.items():
            prepare()
            start = time.perf_counter()
            run()
            found[name].append(time.perf_counter() - start)
    return {name: np.array(seconds) for name, seconds in found.items()}


class Processes:
    """Several processes with a thread and a part of the worlds each; this one is the first of them."""

    def __init__(self, model, given, count):
        parts = np.array_split(given, count)
        self.others = [self.fork(model, part) for part in parts[1:]]
        self.batch, self.given = cairn.Batch(model, len(parts[0]), 1), parts[0]

    @staticmethod
    def fork(model, given):
        """Pipes to and from a process that resets when told "r" and steps when told "s"."""
        (listen, tell), (hear, answer) = os.pipe(), os.pipe()
        if os.fork() == 0:
            os.close(tell)
            batch = cairn.Batch(model, len(given), 1)
            while word := os.read(listen, 1):
                batch.reset() if word == b"r" else batch.step(given)
                os.write(answer, word)
            os._exit(0)
        return tell, hear

    def all(self, word, mine):
        for tell, _ in self.others:
            os.write(tell, word)
        mine()
        for _, hear in self.others:
            os.read(hear, 1)

    def run(self):
        return lambda: self.all(b"r", self.batch.reset), lambda: self.all(b"s", lambda: self.batch.step(self.given))

    def close(self):
        for tell, _ in self.others:
            os.close(tell)


def ours(model, given, threads, rounds):
    processes = Processes(model, given, threads[-1])  # before there are threads
    batches = {n: cairn.Batch(model, len(given), n) for n in threads}
    runs = {n: (b.reset, lambda b=b: b.step(given)) for n, b in batches.items()}
    found = times({**runs, "processes": processes.run()}, rounds)
    processes.close()
    hashes = [b.hashes() for b in batches.values()]
    done = batches[threads[0]]
    done.reset()
    told = done.step(given)
    return found, hashes, told


def alone(model, given):
    hashes = []
    for moves in given:
        world = cairn.World(model)
        for move in moves:
            world.controls = move
            world.step()
        hashes.append(world.hash())
    return hashes


def mujocos(path, given, threads, rounds):
    import mujoco
    import mujoco.rollout

    model = mujoco.MjModel.from_xml_path(path)
    data = [mujoco.MjData(model) for _ in range(max(threads))]
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty(mujoco.mj_stateSize(model, full))
    mujoco.mj_getState(model, data[0], start, full)
    start = np.repeat(start[None], len(given), 0)

    pools = {n: mujoco.rollout.Rollout(nthread=n if n > 1 else 0) for n in threads}

    def run(n):
        pools[n].rollout(model, data[:n] if n > 1 else data[0], start, given)

    found = times({n: (lambda: None, lambda n=n: run(n)) for n in threads}, rounds)
    for pool in pools.values():
        pool.close()
    return found, mujoco.__version__


def row(name, total, found, threads):
    text = f"  {name:16s}" + "".join(f"{total / found[n].min():12.0f} /s on {n}" for n in threads)
    text += f"   ratio {np.median(found[threads[0]] / found[threads[-1]]):.2f}"
    if "processes" in found:
        text += f"; of {threads[-1]} processes {np.median(found[threads[0]] / found['processes']):.2f}"
    print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="+")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    warnings.simplefilter("ignore", cairn.ReadWarning)
    for path in given.model:
        model = cairn.Model.load(path)
        moves = controls(model, given.worlds, given.steps)
        found, hashes, told = ours(model, moves, given.threads, given.rounds)
        same = all(h == alone(model, moves) for h in hashes)
        total = given.worlds * given.steps
        print(f"{path}: {given.worlds} worlds, {given.steps} steps of {model.dt:g} s, {told.state.shape[2]} numbers of state")
        row("cairn " + cairn.__version__, total, found, given.threads)
        print(f"  {'':16s}bits {'equal to' if same else 'DIFFER FROM'} those of {given.worlds} single runs; "
              f"{told.certified.sum()} of {total} steps certified, {told.diverged.sum()} worlds diverged")
        try:
            peer, version = mujocos(path, moves, given.threads, given.rounds)
            row("mujoco " + version, total, peer, given.threads)
        except ImportError:
            print("  mujoco is not installed")


if __name__ == "__main__":
    main()
