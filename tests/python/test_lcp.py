"""Door 1 from Python, against enumeration and the conditions themselves."""
import itertools
import subprocess
import sys

import numpy as np
import pytest

import cairn
from conftest import ROOT

sparse = pytest.importorskip("scipy.sparse")


def enumerate_lcp(M, q):
    """All z >= 0 with M z + q >= 0 and z'(M z + q) = 0, by trying every choice of sides."""
    n = len(q)
    found = []
    for sides in itertools.product([False, True], repeat=n):
        basic = np.flatnonzero(sides)
        z = np.zeros(n)
        try:
            z[basic] = np.linalg.solve(M[np.ix_(basic, basic)], -q[basic])
        except np.linalg.LinAlgError:
            continue
        if np.all(z >= -1e-12) and np.all(M @ z + q >= -1e-9):
            found.append(z)
    return found


def p_matrix(rng, n):
    A = rng.standard_normal((n, n))
    return A @ A.T + 0.1 * np.eye(n) + (B := rng.standard_normal((n, n))) - B.T


@pytest.mark.parametrize("seed", range(20))
def test_against_enumeration(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    M, q = p_matrix(rng, n), rng.standard_normal(n)
    (expected,) = enumerate_lcp(M, q)  # a P-matrix has one solution
    answer = cairn.solve(M, q)
    assert answer and answer.outcome == "solved"
    np.testing.assert_allclose(answer.z, expected, atol=1e-9)
    np.testing.assert_allclose(answer.w, M @ answer.z + q, atol=1e-9)
    assert np.array_equal(answer.basis == 1, answer.z > 1e-9)


@pytest.mark.parametrize("order", ["C", "F", "strided", "reversed", "float32", "int", "list"])
def test_any_layout_gives_the_same(order):
    M, q = np.array([[4.0, -1, 0], [-1, 3, 1], [2, 0, 5]]), np.array([-3.0, 1, -7])
    wide = np.zeros((6, 6))
    wide[::2, ::2] = M
    given = {"C": M, "F": np.asfortranarray(M), "strided": wide[::2, ::2], "reversed": M[::-1, ::-1][::-1, ::-1],
             "float32": M.astype(np.float32), "int": M.astype(int), "list": M.tolist()}[order]
    assert np.array_equal(cairn.solve(given, q).z, cairn.solve(M, q).z)


@pytest.mark.parametrize("form", ["csc", "csr", "coo", "lil", "dok", "dia", "bsr"])
def test_sparse_formats(form):
    n = 30
    M = sparse.diags([-1.0, 2.5, -1.0], [-1, 0, 1], (n, n))
    q = np.sin(np.arange(n))
    answer = cairn.solve(M.asformat(form), q)
    assert answer
    np.testing.assert_allclose(answer.z, cairn.solve(M.toarray(), q).z, atol=1e-9)


def test_duplicates_in_a_sparse_matrix_are_summed_and_the_matrix_is_left_alone():
    M = sparse.coo_matrix(([1.0, 1.0, 3.0], ([0, 0, 1], [0, 0, 1])), (2, 2))
    assert cairn.solve(M, [-4.0, -3.0]).z == pytest.approx([2, 1])
    csc = sparse.csc_matrix((np.array([1.0, 1.0]), np.array([0, 0]), np.array([0, 2])), (1, 1))
    assert cairn.solve(csc, [-4.0]).z == pytest.approx([2])
    assert csc.nnz == 2


def test_bounds():
    M, q = np.eye(3), np.array([-5.0, -5.0, 5.0])
    answer = cairn.solve(M, q, lower=[0, 0, -np.inf], upper=[2, np.inf, np.inf])
    assert answer.z == pytest.approx([2, 5, -5])
    assert answer.basis.tolist()[0] == 2


def test_no_is_an_answer():
    answer = cairn.solve([[-1.0]], [-1.0])
    assert not answer and answer.outcome == "infeasible"
    proof = cairn.prove([[-1.0]], [-1.0], solution=answer)
    assert proof.kind == "infeasible" and proof.holds()


def test_warm_start_and_methods():
    rng = np.random.default_rng(3)
    M, q = p_matrix(rng, 12), rng.standard_normal(12)
    first = cairn.solve(M, q)
    warm = cairn.solve(M, q, start=first.basis)
    assert warm and warm.pivots <= first.pivots
    for method in ("search", "lemke", "murty"):
        assert cairn.solve(M, q, method=method).z == pytest.approx(first.z)
    assert cairn.certify(M, q, first.z).relative == first.certificate.relative


def test_empty_problem():
    answer = cairn.solve(np.zeros((0, 0)), np.zeros(0))
    assert answer and answer.z.shape == (0,)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_qp_fulfils_its_conditions(is_sparse):
    rng = np.random.default_rng(5)
    n, m = 6, 9
    A, B = rng.standard_normal((m, n)), rng.standard_normal((n, n))
    P, q = B @ B.T, rng.standard_normal(n)
    l, u = -np.ones(m), np.ones(m)
    form = sparse.csr_matrix if is_sparse else np.asarray
    answer = cairn.qp(form(P), q, form(A), l, u)
    assert answer.outcome == "solved"
    np.testing.assert_allclose(P @ answer.x + q + A.T @ answer.y, 0, atol=1e-7)
    rows = A @ answer.x
    assert np.all(rows <= u + 1e-8) and np.all(rows >= l - 1e-8)
    np.testing.assert_allclose(answer.y, np.maximum(answer.y, 0) * (rows > u - 1e-7) +
                               np.minimum(answer.y, 0) * (rows < l + 1e-7), atol=1e-7)
    assert answer.objective == pytest.approx(0.5 * answer.x @ P @ answer.x + q @ answer.x)


def test_qp_says_unbounded_and_infeasible():
    assert cairn.qp(None, [-1.0], [[1.0]], [0.0], None).outcome == "unbounded"
    assert cairn.qp([[1.0]], [0.0], [[1.0], [1.0]], [1.0, -np.inf], [np.inf, 0.0]).outcome == "infeasible"


def test_proof_on_file_is_checked_by_the_stand_alone_tool(tmp_path):
    scipy_io = pytest.importorskip("scipy.io")
    M, q = np.array([[2.0, 1], [1, 2]]), np.array([-5.0, -6])
    cairn.prove(M, q).save(tmp_path / "proof.json")
    scipy_io.mmwrite(tmp_path / "M.mtx", M)
    scipy_io.mmwrite(tmp_path / "q.mtx", q[:, None])
    tool = [sys.executable, ROOT / "tools/check_proof.py", *(tmp_path / f for f in ("proof.json", "M.mtx", "q.mtx"))]
    assert subprocess.run(tool, capture_output=True).returncode == 0
