#!/usr/bin/env python3
"""Iterated linear-quadratic control with exact derivatives: a swing-up, and a push through contact.

    control.py [--picture FILE.png]

swing-up  a pendulum whose motor has half of the torque that holds it level is to stand upright after 2.4 s
push      a piston pushes a box over the floor; the box is to stand 0.3 m further after 1 s, and the piston may not pull

The method: roll out, linearise every step, solve the linear-quadratic problem backwards, roll out with the feedback and a step length.
Printed, from three starts: the cost, iterations, and how far from the goal the motion ends.
"""
import argparse
import time

import numpy as np

import cairn


class Task:
    """A world that begins anew, an input, a goal."""

    def __init__(self, scene, joint, dt, steps, most):
        self.world = cairn.World(scene)
        self.joint = self.world.joint(joint)
        self.dt, self.steps, self.most = dt, steps, most
        self.first = self.world.snapshot()
        self.n = cairn.tangent(self.world)
        self.parameters = [("joint_force", self.joint, 0)]

    def run(self, controls, around=None, feedback=None):
        """States (steps + 1 snapshots and observed numbers) and the controls that acted."""
        world, states, used = self.world, [], []
        world.restore(self.first)
        for k in range(self.steps):
            u = controls[k]
            if feedback is not None:
                dq, dv = cairn.change_since(world, around[k][0])
                u = u + feedback[k] @ np.concatenate([dq, dv])
            u = float(np.clip(u, -self.most, self.most))
            states.append((world.snapshot(), self.observe()))
            self.joint.apply_force(u)
            world.step(self.dt)
            used.append(u)
        states.append((world.snapshot(), self.observe()))
        return states, np.array(used)

    def linearize(self, state, u):
        """A, B of one step."""
        self.world.restore(state[0])
        self.joint.apply_force(float(u))
        found = cairn.linearize(self.world, self.dt, self.parameters, checked=False)
        return found.A, found.B[:, 0]


def ilqr(task, controls, iterations, effort):
    """Controls that end at the goal: Gauss-Newton in the controls, by a backward sweep."""
    states, controls = task.run(controls)
    cost = task.cost(states) + effort * np.sum(controls**2)
    regular = 1e-6
    for iteration in range(1, iterations + 1):
        gradient, hessian = task.last(states[-1][1])
        feedback, push = [None] * task.steps, np.zeros(task.steps)
        for k in reversed(range(task.steps)):
            A, B = task.linearize(states[k], controls[k])
            qu = 2 * effort * controls[k] + B @ gradient
            quu = 2 * effort + B @ hessian @ B + regular
            qux = B @ hessian @ A
            push[k], feedback[k] = -qu / quu, -qux / quu
            gradient = A.T @ gradient - qux * qu / quu
            hessian = A.T @ hessian @ A - np.outer(qux, qux) / quu
            g, h = task.running(states[k][1])
            gradient, hessian = gradient + g, hessian + h
        for length in 0.6 ** np.arange(14):
            tried, used = task.run(controls + length * push, states, feedback)
            new = task.cost(tried) + effort * np.sum(used**2)
            if new < cost:
                break
        else:
            regular = 10 * max(regular, 1e-6)
            if regular > 1e3:
                break
            continue
        is_done = cost - new < 1e-3 * cost
        states, controls, cost, regular = tried, used, new, max(regular / 10, 1e-9)
        if is_done:
            break
    return states, controls, cost, iteration


class SwingUp(Task):
    """A rod on a hinge, hanging at 0; pi is upright."""

    def __init__(self):
        rod = {"name": "rod", "mass": 1.0, "position": [0, 0, -0.5],
               "shapes": [{"kind": "box", "half": [0.02, 0.02, 0.5]}]}
        hinge = {"name": "hinge", "kind": "hinge", "b": "rod", "axis": [0, 1, 0], "point": [0, 0, 0], "in_tree": True}
        super().__init__({"bodies": [rod], "joints": [hinge]}, "hinge", 0.02, 120, 2.5)

    def observe(self):
        return np.array([self.joint.position[0], self.joint.speed[0]])

    def cost(self, states):
        angle, speed = states[-1][1]
        return 50 * (angle - np.pi)**2 + 5 * speed**2

    def last(self, seen):
        angle, speed = seen
        return np.array([100 * (angle - np.pi), 10 * speed]), np.diag([100.0, 10.0])

    def running(self, seen):
        return np.zeros(2), np.zeros((2, 2))

    def off(self, states):
        angle, speed = states[-1][1]
        return abs(angle - np.pi) + 0.1 * abs(speed)


class Push(Task):
    """A piston on a slider, and a box in front of it."""

    def __init__(self):
        bodies = [{"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane", "friction": 0.4}]},
                  {"name": "piston", "mass": 0.5, "position": [-0.17, 0, 0.06], "gravity_scale": 0,
                   "shapes": [{"kind": "sphere", "radius": 0.05, "friction": 0.0}]},
                  {"name": "box", "mass": 1.0, "position": [0, 0, 0.1],
                   "shapes": [{"kind": "box", "half": [0.1, 0.1, 0.1], "friction": 0.4}]}]
        slider = {"name": "slider", "kind": "slider", "b": "piston", "axis": [1, 0, 0], "point": [-0.17, 0, 0.06],
                  "in_tree": True}
        super().__init__({"bodies": bodies, "joints": [slider]}, "slider", 0.02, 50, 20.0)
        self.box = self.world.body("box")
        self.at = cairn.tangent_of(self.box).start + 3
        self.wanted = self.box.position[0] + 0.3

    def observe(self):
        return np.array([self.box.position[0], self.box.velocity[0]])

    def cost(self, states):
        x, v = states[-1][1]
        return 200 * (x - self.wanted)**2 + 5 * v**2

    def last(self, seen):
        gradient, hessian = np.zeros(2 * self.n), np.zeros((2 * self.n, 2 * self.n))
        for place, weight, off in ((self.at, 400.0, seen[0] - self.wanted), (self.n + self.at, 10.0, seen[1])):
            gradient[place], hessian[place, place] = weight * off, weight
        return gradient, hessian

    def running(self, seen):
        return np.zeros(2 * self.n), np.zeros((2 * self.n, 2 * self.n))

    def off(self, states):
        x, v = states[-1][1]
        return abs(x - self.wanted) + 0.1 * abs(v)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture")
    parser.add_argument("--only", choices=["swing-up", "push"])
    given = parser.parse_args()
    curves = []
    for name, make, starts, effort, most in (
            ("swing-up", SwingUp, [lambda t: 2 * np.sin(4 * t), lambda t: -2 * np.sin(3.7 * t), lambda t: 1.5 * np.cos(3.5 * t)], 1e-2, 0.05),
            ("push", Push, [lambda t: 6 + 0 * t, lambda t: 9 - 6 * t, lambda t: 5 + 3 * np.sin(6 * t)], 1e-3, 0.02)):
        if given.only not in (None, name):
            continue
        task, began = make(), time.process_time()
        for number, start in enumerate(starts, 1):
            t = task.dt * np.arange(task.steps)
            states, controls, cost, iterations = ilqr(task, start(t), 60, effort)
            off = task.off(states)
            curves.append((name, t, controls, np.array([s[1][0] for s in states])))
            print(f"{name}, start {number}: cost {cost:.3f} after {iterations} iterations, {off:.4f} from the goal")
            assert off < most, f"{name}: {off}"
        print(f"{name}: {time.process_time() - began:.1f} s")
    if given.picture:
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex="col")
        for name, t, controls, seen in curves:
            column = 0 if name == "swing-up" else 1
            axes[0, column].plot(t, seen[1:]), axes[1, column].plot(t, controls)
            axes[0, column].set_title(name)
        axes[0, 0].set_ylabel("angle [rad], place [m]"), axes[1, 0].set_ylabel("torque [N m], force [N]")
        figure.savefig(given.picture, dpi=100)


if __name__ == "__main__":
    main()
