#!/usr/bin/env python3
"""Identify friction and mass of a block from a recorded slide.

    identify.py [--picture FILE.png]

A block is pushed with a known force for 0.4 s and slides on until it stops. Recorded is where it was. Unknown are its friction and its
mass: Gauss and Newton's method on the squares of the differences, with derivatives of every step chained forwards.

Printed, from three starts: what is found (friction 0.1, mass 2.5), how many iterations it took, and the largest difference left.
"""
import argparse
import time

import numpy as np

import cairn

DT, STEPS, PUSHED, FORCE = 0.01, 120, 40, 15.0
STARTS = [(0.05, 2.0), (0.15, 1.5), (0.08, 3.5)]
TRUTH = (0.1, 2.5)  # the floor has 1, the pair the root of both: 0.316


def make(friction, mass):
    """The block on the floor."""
    shape = {"kind": "box", "half": [0.1, 0.1, 0.05], "friction": friction}
    return cairn.World({"bodies": [
        {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane", "friction": 1.0}]},
        {"name": "block", "position": [0, 0, 0.05], "mass": mass, "shapes": [shape]}]})


def slide(friction, mass, with_derivatives=False):
    """Where the block was after each step, and how that changes with (friction, mass): (STEPS, 2)."""
    world = make(friction, mass)
    block = world.body("block")
    parameters = [("friction", block), ("mass", block)]
    way, derivative = np.zeros(STEPS), np.zeros((STEPS, 2))
    q, shown, carried = np.zeros((6, 2)), np.zeros((6, 2)), np.zeros((6, 2))
    for k in range(STEPS):
        if k < PUSHED:
            block.apply_force([FORCE, 0, 0])
        if with_derivatives:
            found = cairn.linearize(world, DT, parameters, continues=True, checked=False)
            before = np.vstack([q, shown if found.report.begins_shown else carried])
            after = found.A @ before + found.B
            carried = found.carried @ np.vstack([before, np.eye(2)])
            q, shown = after[:6], after[6:]
            derivative[k] = q[3]
        world.step(DT)
        way[k] = block.position[0]
    return way, derivative


def identify(recorded, start):
    """Friction and mass, and how many iterations they took."""
    x = np.array(start, float)
    for iteration in range(1, 30):
        way, derivative = slide(*x, with_derivatives=True)
        change = np.linalg.lstsq(derivative, recorded - way, rcond=None)[0]
        x = x + np.clip(change, -0.5 * x, x)  # stays positive
        if np.abs(change).max() < 1e-8:
            break
    return x, iteration, np.abs(slide(*x)[0] - recorded).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture")
    given = parser.parse_args()
    recorded = slide(*TRUTH)[0]
    began = time.process_time()
    for start in STARTS:
        x, iterations, left = identify(recorded, start)
        print(f"from {start}: friction {x[0]:.6f}, mass {x[1]:.6f} after {iterations} iterations, left {left:.1e} m")
        assert np.allclose(x, TRUTH, rtol=1e-5)
    print(f"{time.process_time() - began:.1f} s")
    if given.picture:
        import matplotlib.pyplot as plt
        t = DT * np.arange(1, STEPS + 1)
        for label, x in (("recorded", TRUTH), ("start 1", STARTS[0]), ("start 2", STARTS[1]), ("start 3", STARTS[2])):
            plt.plot(t, slide(*x)[0], "k" if label == "recorded" else "--", label=f"{label}: friction {x[0]}, mass {x[1]}")
        plt.xlabel("time [s]"), plt.ylabel("way [m]"), plt.legend(), plt.savefig(given.picture, dpi=100)


if __name__ == "__main__":
    main()
