"""Door 2 from Python: the equations of motion and the law of friction, checked here."""
import numpy as np
import pytest

import cairn


def table(seed, legs=4):
    """A box on legs, pushed. On four of them its motion is not unique."""
    rng = np.random.default_rng(seed)
    corners = np.array([[x, y, -0.5] for x in (-1, 1) for y in (-1, 1)])[:legs]
    return dict(mass=[3.0], inertia=[np.diag([1.0, 1.2, 2.0])], com=[[0, 0, 0.0]],
                velocity=[np.r_[0.2 * rng.standard_normal(3), rng.standard_normal(2), -0.5]], a=[0] * legs,
                position=corners, normal=np.tile([0, 0, 1.0], (legs, 1)), mu=0.4)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("cone", ["round", "polygon"])
def test_impulses_and_motion_agree(seed, cone):
    given = table(seed)
    answer = cairn.contact(**given, cone=cone)
    assert answer and answer.certificate.relative < 1e-8 and answer.law == "coulomb"
    v, before = answer.velocity[0], np.asarray(given["velocity"])[0]
    for k, at in enumerate(given["position"]):
        normal_speed = (v[3:] + np.cross(v[:3], at))[2]
        assert normal_speed == pytest.approx(answer.contact_velocity[k, 0], abs=1e-9)
        assert normal_speed > -1e-8 and answer.impulse[k, 0] > -1e-8
        assert min(normal_speed, answer.impulse[k, 0]) == pytest.approx(0, abs=1e-7)
        assert np.hypot(*answer.impulse[k, 1:]) <= 0.4 * answer.impulse[k, 0] + 1e-8
    assert 3.0 * (v - before)[5] == pytest.approx(answer.impulse[:, 0].sum(), abs=1e-8)
    assert np.hypot(*(3.0 * (v - before)[3:5])) <= 0.4 * answer.impulse[:, 0].sum() + 1e-8


def test_generalised_coordinates_give_the_same_as_a_rigid_body():
    given = table(1, legs=3)
    inertia = np.zeros((6, 6))
    inertia[:3, :3], inertia[3:, 3:] = given["inertia"][0], 3.0 * np.eye(3)
    rows = []
    for at in given["position"]:
        J = np.zeros((3, 6))
        for i, d in enumerate(np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])):
            J[i] = np.r_[np.cross(at, d), d]
        rows.append(J)
    free = np.asarray(given["velocity"])[0]
    one = cairn.contact(mass_matrix=inertia, jacobian=rows, velocity=free, mu=0.4)
    assert one
    np.testing.assert_allclose(one.velocity, cairn.contact(**given).velocity[0], atol=1e-7)


def test_gap_lets_it_fall_that_far():
    answer = cairn.contact(mass=[1.0], inertia=[np.eye(3)], com=[[0, 0, 0.0]], velocity=[[0, 0, 0, 0, 0, -3.0]], a=[0],
                           position=[[0, 0, 0.0]], normal=[[0, 0, 1.0]], offset=[1.0])
    assert answer.velocity[0, 5] == pytest.approx(-1.0)
    assert answer.kind == ["stick"]
