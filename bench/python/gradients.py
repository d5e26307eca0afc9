#!/usr/bin/env python3
"""Derivatives of a step beside MuJoCo's finite differences, and of dynamics beside Pinocchio's, where these are installed.

    gradients.py [--repeat 20]

The quadruped and the arm of the package, standing as they fall in the first tenth of a second. Processor time, median [us]. MuJoCo: mjd_transitionFD,
centred, soft contacts; Cairn: cairn.linearize by state and controls, hard contacts, without the check of both sides. Pinocchio: derivatives of inverse and
forward dynamics of its sample robots, called from Python; Cairn's of trees of that size are `bench_gradient`'s.
"""
import argparse
import pathlib
import time

import numpy as np

import cairn

MODELS = pathlib.Path(cairn.__file__).parent / "models"


def median(call, repeat):
    """Processor time of a call [us]."""
    times = []
    for _ in range(repeat):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return 1e6 * float(np.median(times))


def ours(path, repeat):
    """Cairn on a model: a step, its derivatives, and their status."""
    world = cairn.load(str(path))
    dt = world.model.dt
    world.step(dt, max(1, round(0.1 / dt)))
    controls = [("control", i) for i in range(len(world.controls))]
    report = cairn.linearize(world, dt, controls, checked=False).report
    whole = median(lambda: cairn.linearize(world, dt, controls, checked=False), repeat)
    return cairn.tangent(world), median(lambda: world.step(dt), repeat), whole, report


def mujocos(path, repeat):
    """MuJoCo on the same model."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=max(1, round(0.1 / model.opt.timestep)))
    n = 2 * model.nv + model.na
    A, B = np.zeros((n, n)), np.zeros((n, model.nu))
    step = median(lambda: mujoco.mj_step(model, data), repeat)
    return model.nv, step, median(lambda: mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None), repeat)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=20)
    given = parser.parse_args()
    for name in ("arm", "quadruped"):
        n, step, whole, report = ours(MODELS / f"{name}.xml", given.repeat)
        print(f"{name:10} Cairn:  {n} velocities, {report.step.contacts} contacts, step {step:.0f} us, Jacobian {whole:.0f} us, {report.status}")
        try:
            n, step, whole = mujocos(MODELS / f"{name}.xml", given.repeat)
            print(f"{name:10} MuJoCo: {n} velocities, step {step:.0f} us, transitionFD {whole:.0f} us")
        except ImportError:
            print("MuJoCo is not installed")
    try:
        import pinocchio as pin
    except ImportError:
        print("Pinocchio is not installed")
        return
    for name, model in (("manipulator", pin.buildSampleModelManipulator()), ("humanoid", pin.buildSampleModelHumanoid())):
        data, q = model.createData(), pin.neutral(model)
        v = a = np.ones(model.nv)
        inverse = median(lambda: pin.computeRNEADerivatives(model, data, q, v, a), 20 * given.repeat)
        forward = median(lambda: pin.computeABADerivatives(model, data, q, v, a), 20 * given.repeat)
        print(f"Pinocchio, {name}: {model.nv} velocities, inverse dynamics {inverse:.1f} us, forward {forward:.1f} us")


if __name__ == "__main__":
    main()
