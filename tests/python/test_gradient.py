"""Derivatives from Python: shapes, signs, adjoints, tapes, bad input."""
import numpy as np
import pytest

import cairn


def make(friction=0.5, z=0.1002):
    return cairn.World({"bodies": [
        {"name": "floor", "kind": "fixed", "shapes": [{"kind": "plane", "friction": friction}]},
        {"name": "ball", "position": [0, 0, z], "velocity": [3, 1, -1], "angular": [0, 1, 0],
         "shapes": [{"kind": "sphere", "radius": 0.1, "friction": friction}]}]})


def test_linearize_agrees_with_differences():
    world = make()
    ball = world.body("ball")
    found = cairn.linearize(world, 0.01, [("friction", ball)])
    assert found.A.shape == (12, 12) and found.B.shape == (12, 1) and found.carried.shape == (6, 13)
    first = world.snapshot()
    cairn.move(world)
    world.step(0.01)
    last = world.snapshot()
    for j in (0, 1, 3, 4, 7, 9):  # not down: the other side is repaired
        sides = []
        for by in (1e-5, -1e-5):
            world.restore(first)
            d = np.zeros(12)
            d[j] = by
            cairn.move(world, d[:6], d[6:])
            world.step(0.01)
            sides.append(np.concatenate(cairn.change_since(world, last)))
        assert np.allclose((sides[0] - sides[1]) / 2e-5, found.A[:, j], atol=1e-4)


def test_the_world_stays():
    world = make()
    before = world.hash()
    cairn.linearize(world, 0.01)
    assert world.hash() == before


def test_adjoint_is_the_transposed():
    world = make()
    parameters = [("mass", world.body("ball")), ("gravity", 2), ("force", world.body("ball"), 3)]
    found = cairn.linearize(world, 0.01, parameters)
    seed = np.random.default_rng(1).normal(size=12)
    q, v, p, report = cairn.vjp(world, seed[:6], seed[6:], 0.01, parameters)
    assert np.allclose(np.concatenate([q, v]), found.A.T @ seed, rtol=1e-12, atol=1e-12)
    assert np.allclose(p, found.B.T @ seed, rtol=1e-12, atol=1e-12)
    assert report.status == found.report.status


def test_tape_with_a_cost():
    world = make()
    tape = cairn.Tape(world, [("friction", world.body("ball"))], steps=20)
    for _ in range(20):
        tape.step(0.01)
    assert len(tape) == 20
    seen = []

    def cost(step, q, v):
        seen.append(step)
        q[3] += 1.0 if step == 20 else 0.0

    found = tape.backward(cost=cost)
    assert seen == list(range(20, -1, -1))
    other = tape.backward([0, 0, 0, 1, 0, 0])
    assert np.array_equal(found.q, other.q) and np.array_equal(found.parameters, other.parameters)
    assert found.parameters.sum() < 0 and np.isfinite(found.parameters).all()


def test_tangent_of_joints():
    world = cairn.World({"bodies": [{"name": "rod", "mass": 1, "shapes": [{"kind": "box", "half": [0.1, 0.1, 0.5]}]}],
                         "joints": [{"name": "hinge", "kind": "hinge", "b": "rod", "point": [0, 0, 0.5], "axis": [0, 1, 0],
                                     "in_tree": True}]})
    assert cairn.tangent(world) == 1 and cairn.tangent_of(world.joint("hinge")) == slice(0, 1)
    found = cairn.linearize(world, 0.01, [("joint_force", world.joint("hinge"), 0)])
    inertia = 1 * (0.1**2 + 0.5**2) / 3 + 0.5**2
    assert found.report and found.B[1, 0] == pytest.approx(0.01 / inertia, rel=1e-3)


@pytest.mark.parametrize("parameters, message", [
    ([("colour",)], "there is no 'colour'"),
    ([("mass",)], "stale or null"),
    ([("gravity", 7)], "index 7"),
    ([("mass", 1.5)], "needs a body"),
])
def test_bad_parameters(parameters, message):
    with pytest.raises(cairn.Error, match=message):
        cairn.linearize(make(), 0.01, parameters)


def test_bad_arrays():
    world = make()
    with pytest.raises(cairn.ArgumentError, match="gq"):
        cairn.vjp(world, [1, 2], np.zeros(6), 0.01)
    with pytest.raises(cairn.ArgumentError):
        cairn.linearize(world, -1.0)


def test_jax_step():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from cairn import autodiff

    world = make()
    step = autodiff.jax_step(world, 0.01, [("force", world.body("ball"), 3)])
    zero = np.zeros(6)
    gradient = jax.grad(lambda f: step(zero, zero, f)[1][3])(np.zeros(1))
    found = cairn.linearize(world, 0.01, [("force", world.body("ball"), 3)])
    assert np.allclose(gradient, found.B[9], rtol=1e-6)


def test_torch_step():
    torch = pytest.importorskip("torch")
    from cairn import autodiff

    world = make()
    step = autodiff.torch_step(world, 0.01, [("force", world.body("ball"), 3)])
    force = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    zero = torch.zeros(6, dtype=torch.float64)
    step(zero, zero, force)[1][3].backward()
    found = cairn.linearize(world, 0.01, [("force", world.body("ball"), 3)])
    assert np.allclose(force.grad.numpy(), found.B[9], rtol=1e-6)
