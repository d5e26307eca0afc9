"""Many worlds at once: as each alone, for any number of threads."""
import multiprocessing
import os
import threading
import time

import numpy as np
import pytest

import cairn
from conftest import BOX_ON_FLOOR, insist


def test_bits_of_single_worlds(arm):
    rng = np.random.default_rng(4)
    control = rng.uniform(-1, 1, (5, 40, 2))
    expected = []
    for moves in control:
        world = cairn.World(arm.model)
        for move in moves:
            world.controls = move
            world.step()
        expected.append(world.hash())
    for threads in (1, 2, 3):
        batch = cairn.Batch(arm.model, 5, threads)
        done = batch.step(control)
        assert batch.hashes() == expected and batch.threads == threads
        assert not done.diverged.any() and (done.certified <= 40).all()
    assert done.state.shape == (5, 40, batch.nstate) and done.sensors.shape == (5, 40, 4)
    np.testing.assert_array_equal(done.sensors[:, -1], batch.sensors())
    np.testing.assert_array_equal(done.state[:, -1], batch.state())
    np.testing.assert_array_equal(done.sensors[:, :, 0], done.state[:, :, 2])  # the elbow's angle


def test_reset_by_list_and_mask(arm):
    batch = cairn.Batch(arm.model, 4, 2)
    start = batch.state()
    batch.step(moments=10)
    batch.reset(worlds=[2])
    now = batch.state()
    np.testing.assert_array_equal(now[2], start[2])
    assert (now[[0, 1, 3], 0] > 0).all()
    states = start.copy()
    states[:, 1] = [0.1, 0.2, 0.3, 0.4]
    batch.reset(states[[True, False, False, True]], worlds=np.array([True, False, False, True]))
    assert batch.state()[[0, 3], 1].tolist() == [0.1, 0.4]
    batch.reset(worlds=[])


def test_rollout_has_mujocos_shapes(arm):
    start = cairn.Batch(arm.model, 1).state()
    for states, control, shape in [
        (start, np.zeros((6, 9, 2)), (6, 9, 5)),
        (start[0], np.zeros((9, 2)), (1, 9, 5)),
        (np.repeat(start, 3, 0), np.zeros((1, 9, 2)), (3, 9, 5)),
    ]:
        states, sensors = cairn.rollout(arm.model, states, control)
        assert states.shape == shape and sensors.shape == shape[:2] + (4,)
    states, _ = cairn.rollout([arm.model, arm.model, arm.model], start, nstep=4)
    assert states.shape == (3, 4, 5)
    assert np.array_equal(states[0], states[2])


def test_rollout_does_not_depend_on_threads(arm):
    rng = np.random.default_rng(8)
    start = np.repeat(cairn.Batch(arm.model, 1).state(), 13, 0)
    start[:, 1:3] = rng.uniform(-1, 1, (13, 2))
    control = rng.uniform(-1, 1, (13, 30, 2))
    one = cairn.rollout(arm.model, start, control, nthread=1)
    for threads in (2, 5):
        for a, b in zip(one, cairn.rollout(arm.model, start, control, nthread=threads)):
            np.testing.assert_array_equal(a, b)


def test_bad_input(arm):
    batch = cairn.Batch(arm.model, 3, 2)
    for control in (np.zeros((3, 3)), np.zeros((2, 2)), np.zeros(2), np.full((3, 2), np.nan), np.zeros((3, 2)) * 1j, "go"):
        with pytest.raises(cairn.Error, match="control"):
            batch.step(control)
    for states in (np.zeros((3, 2)), np.full((3, 5), np.nan)):
        with pytest.raises(cairn.Error, match="state"):
            batch.reset(states)
        with pytest.raises(cairn.Error, match="state"):
            batch.rollout(states)
    for worlds in ([3], [-1], [0.5], [[0]], [True, False]):
        with pytest.raises(cairn.Error, match="worlds"):
            batch.reset(worlds=worlds)
    for options, name in ((dict(dt=-1), "dt"), (dict(moments=0), "moments"), (dict(hold=0), "hold")):
        with pytest.raises(cairn.Error, match=name):
            batch.step(**options)
    for worlds, threads in ((0, 1), (1, 0), (1.5, 1), (1, 10**6)):
        with pytest.raises(cairn.Error, match="worlds|threads"):
            cairn.Batch(arm.model, worlds, threads)
    with pytest.raises(cairn.Error, match=r"model\[1\]"):
        cairn.Batch([arm.model, BOX_ON_FLOOR], 2)
    with pytest.raises(cairn.Error, match="model"):
        cairn.Batch([], 2)
    batch.close()
    batch.close()
    with pytest.raises(cairn.ClosedError):
        batch.step()


def test_two_threads_on_one_batch(arm):
    batch, seen = cairn.Batch(arm.model, 4, 2), []
    worker = threading.Thread(target=lambda: insist(lambda: batch.step(moments=20000)))
    worker.start()
    while worker.is_alive():
        try:
            batch.state()
            time.sleep(0.001)  # else the other thread may never find the batch free
        except cairn.BusyError:
            seen.append(1)
    worker.join()
    assert seen


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork(arm):
    """A child has no threads of its parent's: it must neither hang nor differ, with old batches and with new ones."""
    batch = cairn.Batch(arm.model, 4, 3)
    batch.step(moments=3)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()

    def child():
        batch.step(moments=5)
        other = cairn.Batch(arm.model, 4, 2)
        other.step(moments=8)
        queue.put((batch.hashes(), other.hashes()))

    process = context.Process(target=child)
    process.start()
    there = queue.get()
    process.join(60)
    batch.step(moments=5)
    assert process.exitcode == 0 and there == (batch.hashes(), batch.hashes())
