#!/usr/bin/env python3
"""How far a stack is from sliding, without tilting it that far.

    stack.py [--picture FILE.png]

Five plates lie on one another, friction 0.5. A derivative of a step comes with a margin: how far its nearest contact is from another state, here the
rim of its cone. The margin is linear in the tangent of the tilt: two linearisations tell at which tilt the first contact slips, and two runs there, 1 %
below and 1 % above, show it.

Printed, for stacks of three kinds: the tilt that is told and the one by the coefficient of friction, and how far the top slides in 0.5 s.
"""
import argparse
import math
import time

import numpy as np

import cairn


def make(boxes, friction, tilt):
    """A stack; gravity is tilted instead of the floor."""
    scene = {"gravity": [9.81 * math.sin(tilt), 0, -9.81 * math.cos(tilt)], "bodies": [
        {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane", "friction": friction}]}]}
    for i in range(boxes):
        scene["bodies"].append({"name": f"box{i}", "position": [0, 0, 0.005 + 0.01 * i],
                                "shapes": [{"kind": "box", "half": [0.5, 0.5, 0.005], "friction": friction}]})
    return cairn.World(scene)


def margin(boxes, friction, tilt):
    """Of the contact that is nearest to another state, once the stack stands."""
    world = make(boxes, friction, tilt)
    world.step(0.01, 5)
    found = cairn.linearize(world, 0.01, checked=False)
    return found.report.margin, found.report


def way(boxes, friction, tilt):
    """How far the top slides in 0.5 s."""
    world = make(boxes, friction, tilt)
    world.step(0.01, 50)
    return world.body(f"box{boxes - 1}").position[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture")
    given = parser.parse_args()
    began, curves = time.process_time(), []
    for boxes, friction in ((5, 0.5), (3, 0.3), (1, 0.7)):
        tilts = np.array([0.5, 0.6]) * math.atan(friction)
        shares = [margin(boxes, friction, tilt)[0] for tilt in tilts]
        steep = np.tan(tilts)
        slope = (shares[1] - shares[0]) / (steep[1] - steep[0])
        told = math.atan(steep[0] - shares[0] / slope)
        below, above = way(boxes, friction, 0.99 * told), way(boxes, friction, 1.01 * told)
        curves.append((friction, tilts, shares, told))
        print(f"{boxes} plates, friction {friction}: slips at {math.degrees(told):.3f} degrees (atan: {math.degrees(math.atan(friction)):.3f}); "
              f"1 % below {1e3 * below:.3f} mm, above {1e3 * above:.3f} mm")
        assert abs(told / math.atan(friction) - 1) < 0.02 and abs(below) < 1e-6 < above
    print(f"{time.process_time() - began:.1f} s")
    if given.picture:
        import matplotlib.pyplot as plt
        for friction, tilts, shares, told in curves:
            plt.plot(np.degrees([*tilts, told]), [*shares, 0.0], "o-", label=f"friction {friction}")
        plt.xlabel("tilt [degrees]"), plt.ylabel("margin"), plt.legend(), plt.savefig(given.picture, dpi=100)


if __name__ == "__main__":
    main()
