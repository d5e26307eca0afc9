#!/usr/bin/env python3
"""Steps a second of many worlds on 1 and 2 threads, with the bits of single runs; MuJoCo's rollout beside, where it is installed.

    bench/python/many_worlds.py MODEL.xml ... [--worlds 64] [--steps 50] [--rounds 7] [--threads 1 2]

Random controls, the same for all. Times are the best of several rounds, in which the numbers of threads take turns: on a machine
that is shared the best is what it can do. The ratio is also given as processor time, which others do not disturb.
"""
import argparse
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


def best(runs, rounds):
    """Least wall time of each run (prepare, run), taking turns; and the processor time of that round."""
    found = {name: (np.inf, 0.0) for name in runs}
    for _ in range(rounds):
        for name, (prepare, run) in runs.items():
            prepare()
            wall, cpu = time.perf_counter(), time.process_time()
            run()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            found[name] = min(found[name], (wall, cpu))
    return found


def ours(model, given, threads, rounds):
    batches = {n: cairn.Batch(model, len(given), n) for n in threads}
    found = best({n: (b.reset, lambda b=b: b.step(given)) for n, b in batches.items()}, rounds)
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

    found = best({n: (lambda: None, lambda n=n: run(n)) for n in threads}, rounds)
    for pool in pools.values():
        pool.close()
    return found, mujoco.__version__


def row(name, total, found, threads):
    speeds = [total / found[n][0] for n in threads]
    text = f"  {name:16s}" + "".join(f"{s:12.0f} /s on {n}" for n, s in zip(threads, speeds))
    print(text + f"   ratio {speeds[-1] / speeds[0]:.2f}; processor time x{found[threads[-1]][1] / found[threads[0]][1]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="+")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=7)
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
