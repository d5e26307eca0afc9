#!/usr/bin/env python3
"""Teach a quadruped to trot, by evolution: CMA-ES on six numbers of a gait, all motions of a generation stepped at once.

    learn_to_trot.py [--seed 1] [--generations 60] [--picture curve.png]

The gait: hips and knees swing with one frequency, diagonal legs together, the two pairs in turn. Its frequency, the amplitudes and
offsets of hips and knees, and how much knees lag behind are to be found. The return of an episode of 4 s is the way ahead in metres
times 50 (a reward of its speed in m/s for each of 200 actions), plus 1 for each action on its feet, less the effort.

Printed: return of the best and the mean of every tenth generation, and at the end of the mean gait. More than 350 in every seed,
after about a minute on two cores; standing still is 200.
"""
import argparse
import time

import numpy as np

from cairn import gym

TASK = dict(height=(0.22, 0.6), hold=2, limit=200)
HIPS, KNEES = [0, 2, 4, 6], [1, 3, 5, 7]
PHASES = np.pi * np.array([0, 1, 1, 0])  # front left with back right, front right with back left
SCALE = np.array([1.0, 0.3, 0.3, 1.0, 0.3, 0.3])


def actions(gaits, t):
    """Of all gaits at a time: (gaits, 8)."""
    rate, hip, knee, lag, hip_offset, knee_offset = (SCALE * gaits).T[:, :, None]
    angle = 2 * np.pi * (2 + np.tanh(rate)) * t + PHASES  # 1 to 3 Hz
    moves = np.empty((len(gaits), 8))
    moves[:, HIPS] = hip * np.sin(angle) + hip_offset
    moves[:, KNEES] = knee * np.sin(angle + lag) + knee_offset
    return np.clip(moves, -0.8, 0.8).astype(np.float32)


def returns(env, gaits, seed):
    """Of one episode of each gait."""
    env.reset(seed=seed)
    total, alive = np.zeros(len(gaits)), np.ones(len(gaits), bool)
    for k in range(env.task.limit):
        _, reward, over, late, _ = env.step(actions(gaits, k * env.task.seconds))
        total += reward * alive
        alive &= ~(over | late)
        if not alive.any():
            break
    return total


class Evolution:
    """CMA-ES: a normal distribution that moves, stretches and turns towards what was best (Hansen's tutorial, 2016)."""

    def __init__(self, n, sigma, size, seed):
        self.random = np.random.default_rng(seed)
        self.n, self.sigma, self.size, self.mean = n, sigma, size, np.zeros(n)
        weights = np.log(size / 2 + 0.5) - np.log(np.arange(1, size // 2 + 1))
        self.weights = weights / weights.sum()
        self.mu = mu = 1 / (self.weights**2).sum()
        self.cc, self.cs = (4 + mu / n) / (n + 4 + 2 * mu / n), (mu + 2) / (n + mu + 5)
        self.c1 = 2 / ((n + 1.3) ** 2 + mu)
        self.cmu = min(1 - self.c1, 2 * (mu - 2 + 1 / mu) / ((n + 2) ** 2 + mu))
        self.damping = 1 + 2 * max(0, np.sqrt((mu - 1) / (n + 1)) - 1) + self.cs
        self.length = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))  # of a normal vector, expected
        self.C, self.pc, self.ps = np.eye(n), np.zeros(n), np.zeros(n)

    def ask(self):
        values, self.axes = np.linalg.eigh(self.C)
        self.scales = np.sqrt(np.maximum(values, 1e-20))
        self.steps = self.random.standard_normal((self.size, self.n)) * self.scales @ self.axes.T
        return self.mean + self.sigma * self.steps

    def tell(self, values):
        best = self.steps[np.argsort(-values)[:self.size // 2]]
        step = self.weights @ best
        self.mean = self.mean + self.sigma * step
        white = self.axes @ ((self.axes.T @ step) / self.scales)
        self.ps = (1 - self.cs) * self.ps + np.sqrt(self.cs * (2 - self.cs) * self.mu) * white
        grows = np.linalg.norm(self.ps) < (1.4 + 2 / (self.n + 1)) * self.length * np.sqrt(2)
        self.pc = (1 - self.cc) * self.pc + grows * np.sqrt(self.cc * (2 - self.cc) * self.mu) * step
        self.C = ((1 - self.c1 - self.cmu) * self.C + self.c1 * np.outer(self.pc, self.pc)
                  + self.cmu * (best.T * self.weights) @ best)
        self.sigma *= np.exp(self.cs / self.damping * (np.linalg.norm(self.ps) / self.length - 1))


def train(seed, generations, size=24):
    """The mean gait at the end, and (best, mean) of all generations."""
    env = gym.VectorEnv(gym.Locomotion("quadruped", **TASK), size)
    evolution, curve = Evolution(len(SCALE), 1.0, size, seed), []
    for generation in range(generations):
        gaits = evolution.ask()
        values = returns(env, gaits, seed=1000 * seed + generation)
        evolution.tell(values)
        curve.append((values.max(), values.mean()))
        if generation % 10 == 9:
            print(f"seed {seed}, generation {generation + 1:3d}: best {values.max():6.1f}, mean {values.mean():6.1f}", flush=True)
    return evolution.mean, curve, returns(env, np.repeat(evolution.mean[None], size, 0), seed=99).mean()


def draw(curves, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for seed, curve in curves.items():
        best, mean = np.array(curve).T
        line, = axes.plot(mean, label=f"seed {seed}")
        axes.plot(best, ":", color=line.get_color(), lw=1)
    axes.axhline(TASK["limit"], color="grey", lw=0.8)
    axes.set(xlabel="generation", ylabel="return (line: mean, dots: best)", title="Learning to trot")
    axes.legend()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, nargs="+", default=[1])
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--picture")
    given = parser.parse_args()
    curves = {}
    for seed in given.seed:
        start = time.perf_counter()
        gait, curves[seed], value = train(seed, given.generations)
        print(f"seed {seed}: return {value:.1f} of the mean gait, in {time.perf_counter() - start:.0f} s; gait {gait.round(2)}")
    if given.picture:
        draw(curves, given.picture)


if __name__ == "__main__":
    main()
