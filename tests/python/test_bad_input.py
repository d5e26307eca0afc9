"""Whatever is handed in: an exception that names the argument, never a crash."""
import gc
import multiprocessing
import os
import pickle
import threading

import numpy as np
import pytest

import cairn
from conftest import BOX_ON_FLOOR

sparse = pytest.importorskip("scipy.sparse")
I2, Q2 = np.eye(2), -np.ones(2)
NAN2 = np.array([1.0, np.nan])


@pytest.mark.parametrize("M, q, name", [
    (np.ones((2, 3)), Q2, "M"),
    (np.ones(4), Q2, "M"),
    (np.ones((2, 2, 2)), Q2, "M"),
    (I2, np.ones(3), "M"),
    (I2, np.ones((2, 1)), "q"),
    (I2, 5.0, "q"),
    (I2, NAN2, "q"),
    (np.array([[1, np.nan], [0, 1]]), Q2, "M"),
    (np.array([[1, np.inf], [0, 1]]), Q2, "M"),
    (I2 * 1j, Q2, "M"),
    (I2, Q2 * 1j, "q"),
    (I2.astype(object), Q2, "M"),
    (np.array([["1", "2"], ["3", "4"]]), Q2, "M"),
    ([[1, 2], [3]], Q2, "M"),
    (None, Q2, "M"),
    ({}, Q2, "M"),
    ("eye", Q2, "M"),
    (np.ma.masked_array(I2, mask=[[True, False], [False, False]]), Q2, "M"),
    (np.array([["2020-01-01", "2020-01-01"]] * 2, "datetime64[D]"), Q2, "M"),
    (np.zeros((2, 2), [("x", float)]), Q2, "M"),
    (sparse.eye(3, format="csc"), Q2, "M"),
    (sparse.eye(2, format="csr") * 1j, Q2, "M"),
    (sparse.csc_matrix(np.array([[np.nan, 0], [0, 1]])), Q2, "M"),
    (I2, sparse.csc_matrix(Q2), "q"),
])
def test_matrices(M, q, name):
    with pytest.raises(cairn.Error, match=name):
        cairn.solve(M, q)


@pytest.mark.parametrize("options, name", [
    (dict(lower=[0]), "lower"),
    (dict(lower=NAN2), "lower"),
    (dict(lower=[1, 1], upper=[0, 2]), "lower|upper"),
    (dict(upper="high"), "upper"),
    (dict(method="magic"), "method"),
    (dict(method=3), "method"),
    (dict(tol=-1), "tol"),
    (dict(tol=np.nan), "tol"),
    (dict(tol="small"), "tol"),
    (dict(seed=-1), "seed"),
    (dict(seed=2**64), "seed"),
    (dict(start=[5, 5]), "start"),
    (dict(start=[0.5, 1]), "start"),
    (dict(max_pivots=2**40), "max_pivots"),
    (dict(time_limit=-2.0), "time_limit"),
])
def test_options(options, name):
    with pytest.raises(cairn.Error, match=name):
        cairn.solve(I2, Q2, **options)


def test_read_only_and_byte_swapped_arrays_are_taken():
    M = I2.copy()
    M.flags.writeable = False
    assert cairn.solve(M, Q2.astype(">f8")).z.tolist() == [1, 1]


@pytest.mark.parametrize("change, name", [
    (dict(mass=[1.0, 2.0]), "inertia"),
    (dict(mass=[-1.0]), "mass"),
    (dict(inertia=np.eye(3)), "inertia"),
    (dict(inertia=[np.diag([1.0, np.nan, 1])]), "inertia"),
    (dict(com=None), "com"),
    (dict(velocity=[1.0, 2.0]), "velocity"),
    (dict(normal=[[0, 0, 2.0]]), "normal"),
    (dict(position=[[0, 0]]), "position"),
    (dict(a=[1]), "a"),
    (dict(a=[0.0]), "a"),
    (dict(mu=-1), "mu"),
    (dict(mu=[0.1, 0.2]), "mu"),
    (dict(offset=[[1.0, 2.0]]), "offset"),
    (dict(cone="square"), "cone"),
    (dict(law="hooke"), "law"),
    (dict(method="magic"), "method"),
    (dict(mass=None), "mass"),
])
def test_contact(change, name):
    given = dict(mass=[1.0], inertia=[np.eye(3)], com=[[0, 0, 0.0]], velocity=[[0, 0, 0, 0, 0, -1.0]], a=[0],
                 position=[[0, 0, 0.0]], normal=[[0, 0, 1.0]])
    with pytest.raises(cairn.Error, match=name):
        cairn.contact(**{**given, **change})


def test_qp():
    with pytest.raises(cairn.Error, match="P"):
        cairn.qp(np.ones((2, 3)), Q2)
    with pytest.raises(cairn.Error, match="A"):
        cairn.qp(I2, Q2, np.ones((1, 3)), [0], [1])
    with pytest.raises(cairn.Error, match="l"):
        cairn.qp(I2, Q2, I2, [0], [1, 1])


@pytest.mark.parametrize("scene, name", [
    ({"bodies": [{"mass": -1}]}, "mass"),
    ({"bodies": [{"mas": 1}]}, "did you mean"),
    ({"bodies": [{"position": [np.nan, 0, 0]}]}, "scene"),
    ({"bodies": 3}, "bodies"),
    ({"bodies": [object()]}, "scene"),
    ("{", "scene"),
    ("{}\0", "scene"),
    (3, "scene|model"),
    (None, "model"),
])
def test_scenes(scene, name):
    with pytest.raises(cairn.Error, match=name):
        cairn.Model(scene) if isinstance(scene, str) else cairn.World(scene)


def test_files(tmp_path):
    with pytest.raises(cairn.FileError, match="nowhere"):
        cairn.load(tmp_path / "nowhere.json")
    with pytest.raises(cairn.Error, match="path"):
        cairn.load(3.5)
    with pytest.raises(cairn.Error, match="path"):
        cairn.load("a\0b")
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco>\n<worldbody>\n<body></mujoco>")
    with pytest.raises(cairn.FormatError, match="broken.xml:3"):
        cairn.load(broken)
    with pytest.raises(cairn.Error, match="broken.xml"):
        cairn.Recording(broken)
    with pytest.raises(cairn.Error):
        cairn.World(BOX_ON_FLOOR).record(tmp_path / "no" / "folder.crn")


@pytest.mark.parametrize("dt", [0, -1, np.nan, np.inf, "long", None.__class__, 1j])
def test_steps(box, dt):
    before = box.hash()
    with pytest.raises(cairn.Error, match="dt"):
        box.step(dt)
    with pytest.raises(cairn.Error, match="steps"):
        box.step(0.01, steps=0)
    assert box.hash() == before


def test_states(box):
    for value in (np.zeros(3), np.full(7, np.nan), np.zeros(7), "here", np.zeros(7) * 1j):
        with pytest.raises(cairn.Error, match="q"):
            box.q = value
    with pytest.raises(cairn.Error, match="u"):
        box.u = np.full(6, np.inf)
    with pytest.raises(cairn.Error, match="controls"):
        box.controls = [1.0]
    with pytest.raises(cairn.Error, match="position"):
        box.body("box").set_pose([0, 0])
    with pytest.raises(cairn.Error, match="body"):
        box.body("box").set_pose([0, 0, np.nan])
    with pytest.raises(cairn.Error, match="force"):
        box.body("box").apply_force([1, 2])
    with pytest.raises(cairn.Error, match="body"):
        box.body("box").apply_force([np.nan, 0, 0])


def test_names(box):
    for call in (box.body, box.joint, box.site, box.set_key, box.jacobian):
        with pytest.raises(KeyError):
            call("nothing")
    for name in (99, -1, 2**40):
        with pytest.raises(cairn.Error, match="body"):
            box.body(name)
    with pytest.raises(cairn.Error, match="frame"):
        box.jacobian(cairn.World(BOX_ON_FLOOR).body("box"))
    with pytest.raises(cairn.Error, match="frame"):
        box.jacobian("floor")


def test_stale_ids(box):
    body = box.body("box")
    assert box.nq == 7
    body.remove()
    for use in (lambda: body.position, lambda: body.apply_force([0, 0, 1.0], [0, 0, 0]), lambda: body.mass):
        with pytest.raises(cairn.ClosedError, match="body"):
            use()
    assert body.name == ""
    with pytest.raises(cairn.Error):
        body.remove()
    box.step(0.01)
    with pytest.raises(cairn.Error, match=r"bodies\[1\]"):
        box.record()


def test_closed_worlds(box):
    body = box.body("box")
    box.close()
    box.close()
    for use in (box.step, box.contacts, box.snapshot, lambda: box.q, lambda: body.position, lambda: box.time, box.record):
        with pytest.raises(cairn.ClosedError, match="closed"):
            use()
    assert "closed" in repr(box)


def test_things_outlive_the_name_of_their_world():
    body = cairn.World(BOX_ON_FLOOR).body("box")
    gc.collect()
    assert body.position[2] == 0.5


def test_snapshots_of_others(box, arm):
    good = box.snapshot()
    for snapshot in (b"", b"x" * 1000, good[:-1], good[:50] + b"?" + good[51:], arm.snapshot()):
        with pytest.raises(cairn.FormatError, match="snapshot"):
            box.restore(snapshot)
    with pytest.raises(cairn.Error, match="snapshot"):
        box.restore("text")
    box.restore(bytearray(good))


def test_pickles_of_other_versions(box, monkeypatch):
    monkeypatch.setattr("cairn._core.__version__", "0.0.0")
    world, model = pickle.dumps(box), pickle.dumps(box.model)
    monkeypatch.undo()
    for data in (world, model):
        with pytest.raises(cairn.FormatError, match="0.0.0"):
            pickle.loads(data)


def test_two_threads_on_one_world(box):
    errors, other = [], []

    def hammer():
        for _ in range(2000):
            try:
                box.step(0.001)
                box.contacts()
            except cairn.BusyError:
                errors.append(1)
            except BaseException as error:  # noqa: BLE001
                other.append(error)

    workers = [threading.Thread(target=hammer) for _ in range(4)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert not other
    assert box.step(0.001).certified


def test_solves_in_threads_do_not_disturb_each_other():
    rng = np.random.default_rng(1)
    problems = [(A @ A.T + np.eye(len(A)), rng.standard_normal(len(A))) for A in
                (rng.standard_normal((n, n)) for n in (5, 40, 17, 60))]
    expected = [cairn.solve(M, q).z for M, q in problems]
    wrong = []

    def work(k):
        M, q = problems[k]
        for _ in range(50):
            if not np.array_equal(cairn.solve(M, q).z, expected[k]):
                wrong.append(k)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork(box):
    box.step(0.01, steps=5)
    here = box.copy()
    here.step(0.01, steps=5)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()

    def child():
        box.step(0.01, steps=5)
        queue.put((box.hash(), cairn.solve(I2, Q2).z.tolist()))

    process = context.Process(target=child)
    process.start()
    there, z = queue.get()
    process.join(30)
    assert process.exitcode == 0 and there == here.hash() and z == [1, 1]
