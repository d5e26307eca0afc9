"""Door 3 from Python: motion with known answers, names, states, sensors, recordings."""
import copy
import json
import pickle
import threading
import warnings

import numpy as np
import pytest

import cairn
from conftest import BOX_ON_FLOOR, insist

G = 9.81


def test_free_fall_is_the_parabola():
    world = cairn.World({"bodies": [{"name": "ball", "position": [1, 2, 3], "velocity": [1, 0, 2],
                                     "shapes": [{"kind": "sphere", "radius": 0.1}]}]})
    step = world.step(0.01, steps=50)
    t = 0.5
    assert world.time == pytest.approx(t) and world.steps == 50 and step.certified
    np.testing.assert_allclose(world.body("ball").position, [1 + t, 2, 3 + 2 * t - G * t * t / 2], atol=1e-12)
    np.testing.assert_allclose(world.body("ball").velocity, [1, 0, 2 - G * t], atol=1e-12)


def test_contacts_carry_the_weight(box):
    dt = 0.01
    for _ in range(20):
        step = box.step(dt)
    table = box.contacts()
    assert len(table) == 4 == step.contacts
    on_box = np.where((table["a"] == 1)[:, None], table["impulse"], -table["impulse"])
    np.testing.assert_allclose(on_box.sum(axis=0) / dt, [0, 0, 2 * G], atol=1e-6)
    force, torque = box.body("box").contact_force()
    np.testing.assert_allclose(force, [0, 0, 2 * G], atol=1e-6)
    np.testing.assert_allclose(torque, 0, atol=1e-6)


def test_a_push_below_the_limit_of_friction_moves_nothing(box):
    box.step(0.01, steps=10)
    start = box.body("box").position
    for _ in range(50):
        box.body("box").apply_force([0.99 * 0.5 * 2 * G, 0, 0], box.body("box").position - [0, 0, 0.5])
        box.step(0.01)
    np.testing.assert_allclose(box.body("box").position, start, atol=1e-9)


def test_names_joints_controls_sensors_keys(arm):
    assert arm.model.joints == ["shoulder", "elbow"] and arm.model.actuators == ["push", "bend"]
    assert arm.joint("elbow").kind == "hinge" and arm.nq == arm.nu == 2
    arm.set_key("bent")
    np.testing.assert_allclose(arm.q, [0.3, -0.7])
    np.testing.assert_allclose(arm.u, [0.1, 0.2])
    assert arm.controls.tolist() == [0.5, 0]
    arm.controls = [7, 7]
    assert arm.controls.tolist() == [1, 7]  # clamped to ctrlrange
    sensors = arm.sensors
    assert sensors["angle"] == pytest.approx([-0.7])
    np.testing.assert_allclose(sensors["tip"], arm.site("tool").position)
    np.testing.assert_allclose(arm.measure(), np.r_[sensors["angle"], sensors["tip"]])


def test_jacobian_is_the_derivative_of_the_place(arm):
    arm.q = [0.4, -0.9]
    J, h = arm.jacobian("tool"), 1e-6
    for k in range(2):
        places = []
        for sign in (1, -1):
            q = np.array([0.4, -0.9])
            q[k] += sign * h
            arm.q = q
            places.append(arm.site("tool").position)
        np.testing.assert_allclose(J[3:, k], (places[0] - places[1]) / (2 * h), atol=1e-8)


def test_jacobian_of_a_site_after_other_things_were_made_and_freed(arm):
    """The pose of the site's frame was read after it had been freed."""
    arm.q = [0.4, -0.9]
    first = arm.jacobian("tool")
    junk = [np.full(7, 1e3) for _ in range(200)]
    for _ in range(200):
        junk.append(arm.body("lower").position)
        np.testing.assert_array_equal(arm.jacobian("tool"), first)
    np.testing.assert_allclose(arm.jacobian("lower", [0.3, 0, 0]), first, atol=1e-15)


def test_dynamics_agree_with_each_other(arm):
    rng = np.random.default_rng(2)
    arm.q, arm.u = rng.standard_normal(2), rng.standard_normal(2)
    H, acceleration = arm.mass_matrix(), rng.standard_normal(2)
    force = arm.inverse(acceleration)
    np.testing.assert_allclose(force, H @ acceleration + arm.bias(), atol=1e-10)
    np.testing.assert_allclose(arm.forward(force), acceleration, atol=1e-10)
    assert np.allclose(H, H.T) and np.all(np.linalg.eigvalsh(H) > 0)
    arm.u = [0, 0]
    np.testing.assert_allclose(arm.bias(), arm.gravity(), atol=1e-12)
    com, _, mass = arm.com()
    assert mass == pytest.approx(2.3)
    arm.apply(arm.gravity())
    before = arm.q
    arm.step()
    np.testing.assert_allclose(arm.q, before, atol=1e-9)


def test_the_same_bits_again(box):
    box.body("box").set_velocity([1, 0.2, 0])
    box.step(0.01, steps=7)
    saved = box.snapshot()
    box.step(0.01, steps=20)
    expected = box.hash()
    for other in (copy.deepcopy(box), pickle.loads(pickle.dumps(box)), box.copy()):
        assert other.hash() == expected and other.steps == 27
        other.restore(saved)
        other.step(0.01, steps=20)
        assert other.hash() == expected


def test_one_step_many_times_is_many_steps(box):
    other = box.copy()
    box.step(0.01, steps=30)
    for _ in range(30):
        other.step(0.01)
    assert box.hash() == other.hash()


def test_scene_comes_back(box):
    again = cairn.Model(box.model.to_dict())
    assert json.loads(again.to_json()) == box.model.to_dict()


def test_variants_by_dictionary():
    scene = copy.deepcopy(BOX_ON_FLOOR)
    scene["bodies"][1]["mass"] = np.float64(5.0)
    scene["bodies"][1]["position"] = np.array([0, 0, 0.5])
    assert cairn.World(scene).body("box").mass == 5.0


def test_recording_holds_what_happened(box, tmp_path):
    poses = [box.body("box").position]
    with box.record(tmp_path / "motion.crn", every=2) as recorder:
        for i in range(10):
            box.step(0.01)
            if i % 2 == 1:
                poses.append(box.body("box").position)
        with pytest.raises(cairn.ArgumentError, match="still recording"):
            recorder.recording
    recording = cairn.Recording(tmp_path / "motion.crn")
    assert len(recording) == 6 and recording.ending == "" and recording.bodies == ["floor", "box"]
    np.testing.assert_array_equal(recording.positions[:, recording.body("box")], poses)
    assert recording.figures["contacts"][-1] == 4
    assert len(recording.contacts(-1)) == 4
    recording.to_csv(tmp_path / "motion.csv")
    recording.to_gltf(tmp_path / "motion.glb")
    assert (tmp_path / "motion.glb").read_bytes()[:4] == b"glTF"
    assert len((tmp_path / "motion.csv").read_text().splitlines()) == 7


def test_recording_shows_itself(box):
    with box.record() as recorder:
        box.step(0.01, steps=3)
    shown = recorder.recording._repr_html_()
    if shown is None:
        pytest.skip("the package was built without the page (node, npm)")
    assert shown.startswith("<iframe") and "cairn-recording" in shown


def test_the_lock_is_released_and_the_world_is_guarded():
    """Another Python thread runs while a world steps: it sees the world busy, and gets an exception, not garbage."""
    world = cairn.World(BOX_ON_FLOOR)
    worker = threading.Thread(target=lambda: insist(lambda: world.step(0.001, steps=100_000)))
    worker.start()
    seen = False
    while worker.is_alive():
        try:
            world.q
        except cairn.BusyError:
            seen = True
    worker.join()
    assert seen


def test_warnings_name_file_and_line(tmp_path):
    path = tmp_path / "odd.xml"
    path.write_text('<mujoco>\n<worldbody><body><freejoint/><geom size="0.1"/><light/></body></worldbody>\n'
                    '<contact/>\n<custom><numeric name="x" data="1"/></custom></mujoco>')
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        cairn.load(path)
    assert all(issubclass(w.category, cairn.ReadWarning) and "odd.xml" in str(w.message) for w in seen)


def test_ray_and_overlap(box):
    hit = box.cast_ray([0, 0, 5], [0, 0, -1])
    assert hit.body == box.body("box") and hit.distance == pytest.approx(4)
    assert box.cast_ray([9, 9, 5], [0, 0, 1]) is None
    box.body("box").set_pose([0, 0, 0.4])
    assert box.overlap() == pytest.approx(0.1)
