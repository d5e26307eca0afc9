#!/usr/bin/env python3
"""Throw a ball so that it hits a target after one bounce.

    throw.py [--picture FILE.png]

The ball leaves (0, 0, 1), bounces once and should be at (3, 0, 0.6) after 1 s. Newton's method on its first velocity. The derivative of steps
knows nothing of when within a step the ball met the floor, and its position along the normal is wrong by that; with saltation it is the
derivative of the motion.

Printed, from three starts: the first velocity, how far from the target the ball ends, iterations; and both derivatives of the height.
"""
import argparse
import time

import numpy as np

import cairn

DT, STEPS = 0.002, 500
TARGET = np.array([3.0, 0.0, 0.6])
NEAR = 0.015  # [m]: a bounce is made where the step is, up to dt (1 + e) v above the floor
BALL = {"kind": "sphere", "radius": 0.05, "friction": 0.0, "restitution": 0.8}


def throw(velocity, saltation=True):
    """Where the ball ends, how that changes with the velocity (3, 3), and its path."""
    world = cairn.World({"bodies": [
        {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane", "friction": 0.0, "restitution": 0.8}]},
        {"name": "ball", "position": [0, 0, 1], "velocity": list(velocity), "shapes": [BALL]}]})
    ball, path = world.body("ball"), []
    tape = cairn.Tape(world, steps=STEPS, saltation=saltation, checked=False)
    for _ in range(STEPS):
        tape.step(DT)
        path.append(ball.position)
    derivative = np.zeros((3, 3))
    for axis in (0, 2):
        seed = np.zeros(6)
        seed[3 + axis] = 1.0
        derivative[axis] = tape.backward(seed).v[3:]
    derivative[1, 1] = STEPS * DT
    return path[-1], derivative, np.array(path)


def aim(start):
    """The velocity that hits, how far off it is, and iterations."""
    velocity = np.array(start, float)
    for iteration in range(1, 15):
        end, derivative, path = throw(velocity)
        off = np.linalg.norm(end - TARGET)
        if off < NEAR:
            break
        velocity = velocity + np.clip(np.linalg.solve(derivative, TARGET - end), -1, 1)
    return velocity, off, iteration, path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture")
    given = parser.parse_args()
    began, paths = time.process_time(), []
    for saltation in (False, True):
        derivative = throw([2.5, 0, 0.5], saltation)[1]
        print(f"height by upward velocity, {'of the motion' if saltation else 'of the steps '}: {derivative[2, 2]:.4f}")
    fall = 2 * 9.81 * 0.95  # by the formula of two parabolas
    hit = (0.5**2 + fall)**0.5
    when = (0.5 + hit) / 9.81
    later = (1 + 0.5 / hit) / 9.81
    print(f"by formula:                               {0.8 * 0.5 / hit * (1 - when) - 0.8 * hit * later + 9.81 * (1 - when) * later:.4f}")
    for start in [(2.5, 0, 0.5), (3.5, 0, 0.2), (2.0, 0.3, 1.0)]:
        velocity, off, iterations, path = aim(start)
        paths.append(path)
        print(f"from {start}: velocity {velocity.round(3).tolist()}, {1e3 * off:.2f} mm off after {iterations} iterations")
        assert off < NEAR
    print(f"{time.process_time() - began:.1f} s")
    if given.picture:
        import matplotlib.pyplot as plt
        for path in paths:
            plt.plot(path[:, 0], path[:, 2])
        plt.plot(TARGET[0], TARGET[2], "kx"), plt.xlabel("x [m]"), plt.ylabel("z [m]"), plt.axis("equal")
        plt.savefig(given.picture, dpi=100)


if __name__ == "__main__":
    main()
