"""Door 1: complementarity problems, quadratic programmes, and proofs about them."""
from __future__ import annotations

import threading
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Array, ArgumentError, Columns, FLOAT, doubles, real, text, vector
from ._native import ffi, lib

_FIRST: int = lib.shim_lcp_first()
_SOLVED: int = lib.CRN_LCP_SOLVED
_NULL, _buffer, _empty, _ndarray = ffi.NULL, ffi.from_buffer, np.empty, np.ndarray
_LARGE = 1 << 24  # bytes of scratch memory that a thread does not keep


class _Own(threading.local):
    """Scratch memory of each thread."""

    def __init__(self) -> None:
        self.solver = ffi.gc(ffi.new("shim_solver *"), lib.shim_solver_free)
        self.error = ffi.addressof(self.solver, "error")


_own = _Own()


def _tidy(solver: Any) -> None:
    if solver.workspace.size > _LARGE or 8 * solver.capacity > _LARGE:
        lib.shim_solver_free(solver)


# --- Answers ---


class Certificate(NamedTuple):
    """How well an answer solves the problem, from the data that were given (docs/guide/lcp.md)."""

    relative: float
    absolute: float
    bound_error: float
    sign_error: float
    product_error: float
    scale: float
    worst: int


class Solution:
    """What `solve` found. True if it is solved.

    >>> import cairn
    >>> answer = cairn.solve([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    >>> answer.outcome, bool(answer), answer.z.round(5).tolist()
    ('solved', True, [1.33333, 2.33333])
    >>> answer.certificate.relative < 1e-12
    True
    """

    __slots__ = ("_answer", "_n", "_result")

    def __init__(self, answer: Array, n: int) -> None:
        self._answer = answer
        self._n = n
        self._result: Any = None

    @property
    def _told(self) -> Any:
        if self._result is None:
            self._result = ffi.cast("crn_lcp_result *", ffi.from_buffer(self._answer))
        return self._result

    def _part(self, index: int) -> Array:
        first = _FIRST + index * self._n
        part: Array = self._answer[first:first + self._n]
        return part

    @property
    def z(self) -> Array:
        """The answer, or the best point found."""
        return self._part(0)

    @property
    def w(self) -> Array:
        """M z + q."""
        return self._part(1)

    @property
    def ray(self) -> Array:
        """Secondary ray or proof of infeasibility; zeros if there is none."""
        return self._part(2)

    @property
    def basis(self) -> NDArray[np.uint8]:
        """Where each variable stands: 0 at its lower bound, 1 between, 2 at the upper one; good as a warm start."""
        basis: NDArray[np.uint8] = self._answer[_FIRST + 3 * self._n:].view(np.uint8)[:self._n]
        return basis

    @property
    def outcome(self) -> str:
        """"solved", "infeasible" (proved), "ray", "singular", "limit" or "stalled"."""
        return text(lib.crn_lcp_outcome_name(self._told.outcome))

    @property
    def method(self) -> str:
        """The method that gave the answer."""
        return text(lib.crn_lcp_method_name(self._told.method))

    @property
    def certificate(self) -> Certificate:
        """How well z solves the problem; "solved" is only said if the relative figure is within the tolerance."""
        return _certificate(self._told.certificate)

    @property
    def pivots(self) -> int:
        """Pivots, or sweeps of pgs."""
        return int(self._told.pivots)

    @property
    def seconds(self) -> float:
        """Of the solve alone."""
        return float(self._told.seconds)

    def __bool__(self) -> bool:
        return bool(self._told.outcome == _SOLVED)

    def __repr__(self) -> str:
        return (f"<cairn.Solution: {self.outcome}, n = {self._n}, certificate {self._told.certificate.relative:.1e}, "
                f"by {self.method}>")


def _certificate(c: Any) -> Certificate:
    return Certificate(c.relative, c.absolute, c.bound_error, c.sign_error, c.product_error, c.scale, c.worst)


# --- Problems ---


class _Problem:
    """A crn_lcp_problem and the arrays that it looks at."""

    def __init__(self, M: Any, q: Any, lower: Any, upper: Any) -> None:
        self.q = vector(q, "q")
        n = self.n = len(self.q)
        self.lower = None if lower is None else _bound(lower, "lower", n)
        self.upper = None if upper is None else _bound(upper, "upper", n)
        self.c = ffi.new("crn_lcp_problem *", {"n": n, "q": doubles(self.q), "lower": doubles(self.lower),
                                               "upper": doubles(self.upper)})
        if _core.is_sparse(M):
            self.columns = Columns(M, "M", (n, n))
            self._keep = self.columns.pointers
            self.c.start, self.c.row, self.c.value = self._keep
        else:
            self.dense = np.asfortranarray(real(M, "M", (n, n)))
            self._keep = (ffi.from_buffer("double[]", self.dense.T),) * 3
            self.c.M, self.c.ld = self._keep[0], n


def _bound(value: Any, argument: str, n: int) -> Array:
    if np.ndim(value) == 0:
        return np.full(n, real([value], argument)[0])
    return real(value, argument, (n,))


def _options(method: str, tol: Optional[float], seed: Optional[int], start: Any, max_pivots: Optional[int],
             time_limit: Optional[float], n: int) -> Tuple[Any, Any]:
    """crn_lcp_options, NULL for those that are usual, and what they look at."""
    if method == "auto" and tol is seed is start is max_pivots is time_limit is None:
        return _NULL, None
    options = ffi.new("crn_lcp_options *")
    options[0] = lib.crn_lcp_options_default(_core.choice(lib.crn_lcp_method_find, "crn_lcp_method", method, "method"))
    keep = None
    if tol is not None:
        options.tol = _core.number(tol, "tol", 0.0)
    if seed is not None:
        options.seed = _core.whole(seed, "seed", 0, 2**64 - 1)
    if max_pivots is not None:
        options.max_pivots = _core.whole(max_pivots, "max_pivots", 0)
    if time_limit is not None:
        options.time_limit = _core.number(time_limit, "time_limit", 0.0)
    if start is not None:
        basis = np.asarray(start)
        if basis.dtype.kind not in "biu" or basis.shape != (n,) or (n > 0 and not 0 <= basis.min() <= basis.max() <= 2):
            raise ArgumentError(f"start: needs {n} whole numbers 0, 1 or 2, as Solution.basis has them")
        keep = np.ascontiguousarray(basis, dtype=np.uint8)
        options.start = ffi.from_buffer("unsigned char[]", keep)
    return options, keep


def solve(M: Any, q: Any, lower: Any = None, upper: Any = None, *, method: str = "auto", tol: Optional[float] = None,
          start: Any = None, seed: Optional[int] = None, max_pivots: Optional[int] = None,
          time_limit: Optional[float] = None) -> Solution:
    """Find z with w = M z + q, lower <= z <= upper, and w of the sign that each z at a bound asks for.

    Without bounds it is the linear complementarity problem z >= 0, w >= 0, z'w = 0; with -inf and inf a variable is free
    and its row an equation. M is a numpy array or a matrix of scipy.sparse. The answer says what was found; only a call that
    is not well made is an exception.

    >>> import cairn
    >>> cairn.solve([[2, 1], [1, 2]], [-5, -6]).z.round(4).tolist()
    [1.3333, 2.3333]
    >>> cairn.solve([[1.0]], [-5.0], lower=0, upper=2).z.tolist()
    [2.0]
    >>> cairn.solve([[-1.0]], [-1.0]).outcome
    'infeasible'
    """
    solver = _own.solver
    if type(M) is _ndarray and M.dtype is FLOAT and M.size > 0:
        if type(q) is not _ndarray or q.dtype is not FLOAT or q.ndim != 1 or not q.flags.c_contiguous:
            q = vector(q, "q")
        n = len(q)
        if M.shape != (n, n):
            raise ArgumentError(f"M: has shape {M.shape}, needs ({n}, {n})")
        answer: Array = _empty(_FIRST + 3 * n + (n + 7) // 8)
        is_plain = lower is upper is tol is start is seed is max_pivots is time_limit is None and method == "auto"
        if is_plain and M.flags.c_contiguous:  # every argument of a call takes 50 ns
            status = lib.shim_lcp_plain(solver, n, _buffer(M), _buffer(q), _buffer(answer))
        else:
            by_rows, M = _ordered(M)
            options, _keep = _options(method, tol, seed, start, max_pivots, time_limit, n)
            status = lib.shim_lcp_dense(solver, n, _buffer(M), by_rows, _buffer(q),
                                        _NULL if lower is None else _buffer(_bound(lower, "lower", n)),
                                        _NULL if upper is None else _buffer(_bound(upper, "upper", n)), options, _buffer(answer))
    else:
        problem = _Problem(M, q, lower, upper)
        n = problem.n
        options, _keep = _options(method, tol, seed, start, max_pivots, time_limit, n)
        answer = np.empty(_FIRST + 3 * n + (n + 7) // 8)
        status = lib.shim_lcp_solve(solver, problem.c, options, doubles(answer))
    if status:
        _core.check(status, solver.error)
    if n > 500:
        _tidy(solver)
    return Solution(answer, n)


def _ordered(M: Array) -> Tuple[bool, Array]:
    """Is it by rows, and a contiguous view of it as rows: of M itself, of its transpose if it is by columns, or of a copy."""
    return (False, M.T) if M.flags.f_contiguous else (True, np.ascontiguousarray(M))


def certify(M: Any, q: Any, z: Any, lower: Any = None, upper: Any = None) -> Certificate:
    """Judge any z, whoever computed it.

    >>> import cairn
    >>> cairn.certify([[2.0]], [-4.0], [2.0]).relative
    0.0
    >>> cairn.certify([[2.0]], [-4.0], [1.0]).sign_error
    2.0
    """
    problem = _Problem(M, q, lower, upper)
    point = real(z, "z", (problem.n,))
    certificate = ffi.new("crn_lcp_certificate *")
    solver = _own.solver
    workspace = ffi.addressof(solver, "workspace")
    _core.check(lib.crn_lcp_certify(problem.c, doubles(point), workspace, certificate, _own.error), solver.error)
    return _certificate(certificate)


# --- Quadratic programmes ---


class QPSolution:
    """What `qp` found: x, multipliers y, objective and outcome. True if it is solved."""

    __slots__ = ("x", "y", "_result")

    def __init__(self, x: Array, y: Array, result: Any) -> None:
        self.x: Array = x
        self.y: Array = y
        self._result = result

    @property
    def outcome(self) -> str:
        """"solved", "infeasible", "unbounded" or "unsolved"."""
        return text(lib.crn_qp_outcome_name(self._result.outcome))

    @property
    def objective(self) -> float:
        """x'Px/2 + q'x."""
        return float(self._result.objective)

    @property
    def certificate(self) -> Certificate:
        """Of the complementarity problem of its conditions."""
        return _certificate(self._result.lcp.certificate)

    def __bool__(self) -> bool:
        return bool(self._result.outcome == lib.CRN_QP_SOLVED)

    def __repr__(self) -> str:
        return f"<cairn.QPSolution: {self.outcome}, objective {self.objective:g}, n = {len(self.x)}, m = {len(self.y)}>"


def _sparse(matrix: Any, argument: str, shape: Tuple[int, int]) -> Optional[Columns]:
    if matrix is None:
        return None
    if _core.is_sparse(matrix):
        return Columns(matrix, argument, shape)
    return Columns(_Dense(real(matrix, argument, shape)), argument, shape)


class _Dense:
    """A dense array in the words of scipy.sparse, so that scipy is not needed for it."""

    has_canonical_format = True

    def __init__(self, array: Array) -> None:
        self.shape, self.dtype, self.nnz = array.shape, array.dtype, int(np.count_nonzero(array))
        columns, self.indices = np.nonzero(array.T)
        self.indptr = np.searchsorted(columns, np.arange(array.shape[1] + 1))
        self.data = array.T[columns, self.indices]

    def tocsc(self) -> "_Dense":
        """Itself."""
        return self


def qp(P: Any, q: Any, A: Any = None, l: Any = None, u: Any = None, *, method: str = "auto",  # noqa: E741
       tol: Optional[float] = None, max_pivots: Optional[int] = None, time_limit: Optional[float] = None) -> QPSolution:
    """Minimise x'Px/2 + q'x subject to l <= A x <= u, with P positive semidefinite (None: a linear programme).

    Matrices are numpy arrays or those of scipy.sparse. Signs of the multipliers are those of OSQP.

    >>> import cairn, numpy
    >>> answer = cairn.qp(numpy.eye(2), [-1.0, -2.0], A=[[1.0, 1.0]], l=[-numpy.inf], u=[2.0])
    >>> answer.outcome, answer.x.round(6).tolist(), answer.y.round(6).tolist()
    ('solved', [0.5, 1.5], [0.5])
    """
    cost = vector(q, "q")
    n = len(cost)
    square = _sparse(P, "P", (n, n))
    m = 0 if A is None else (A.shape[0] if _core.is_sparse(A) else len(real(A, "A", (None, n))))
    rows = _sparse(A, "A", (m, n))
    low = None if l is None else _bound(l, "l", m)
    high = None if u is None else _bound(u, "u", m)
    problem = ffi.new("crn_qp_problem *", {"n": n, "m": m, "q": doubles(cost), "l": doubles(low), "u": doubles(high)})
    keep = []
    for columns, matrix in ((square, problem.P), (rows, problem.A)):
        if columns is not None:
            keep.append(columns.pointers)
            matrix.start, matrix.row, matrix.value = keep[-1]
    options, _ = _options(method, tol, None, None, max_pivots, time_limit, n)
    x, y, result = np.zeros(n), np.zeros(m), ffi.new("crn_qp_result *")
    solver = _own.solver
    workspace = ffi.addressof(solver, "workspace")
    status = lib.crn_qp_solve(problem, options, workspace, doubles(x), doubles(y), result, _own.error)
    _core.check(status, solver.error)
    _tidy(solver)
    return QPSolution(x, y, result)


# --- Proofs ---


class Proof:
    """A proof about a problem, that somebody else can check: `save` it, and see docs/theory/proofs.md."""

    def __init__(self, problem: _Problem) -> None:
        self._problem = problem
        self._c = ffi.gc(ffi.new("crn_proof *"), lib.crn_proof_free)

    @property
    def kind(self) -> str:
        """"enclosure", "exact", "backward", "infeasible", "infeasible-within", "exhausted", "motion" or "none"."""
        return text(lib.crn_proof_kind_name(self._c.kind))

    def _vector(self, pointer: Any) -> Optional[Array]:
        if pointer == ffi.NULL:
            return None
        return np.frombuffer(ffi.buffer(pointer, 8 * self._problem.n), FLOAT).copy()

    @property
    def z(self) -> Optional[Array]:
        """The point that it is about; None if it is about none."""
        return self._vector(self._c.z)

    @property
    def radius(self) -> Optional[Array]:
        """Enclosure: a solution is within z - radius and z + radius."""
        return self._vector(self._c.radius)

    @property
    def eps(self) -> float:
        """Backward, infeasible-within: how far the data of the problem that it holds for may be."""
        return float(self._c.eps)

    def holds(self) -> bool:
        """Check it against the problem, with nothing taken on trust."""
        answer, error = ffi.new("bool *"), ffi.new("crn_error *")
        _core.check(lib.crn_proof_check(self._problem.c, self._c, answer, error), error)
        return bool(answer[0])

    def save(self, path: Any) -> None:
        """Write it as a file that tools/check_proof.py checks with Python's own rational numbers."""
        error = ffi.new("crn_error *")
        _core.check(lib.crn_io_write_proof(_core.path_of(path), self._c, error), error)

    def __bool__(self) -> bool:
        return bool(self._c.kind != lib.CRN_PROOF_NONE)

    def __repr__(self) -> str:
        return f"<cairn.Proof: {self.kind}, n = {self._problem.n}>"


def prove(M: Any, q: Any, lower: Any = None, upper: Any = None, *, solution: Optional[Solution] = None,
          exact: bool = False) -> Proof:
    """The best proof there is about a problem: that a solution is where it is said to be, or that there is none.

    The problem is solved first unless a solution is given. exact: rational numbers before an enclosure.

    >>> import cairn
    >>> proof = cairn.prove([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    >>> proof.kind, proof.holds(), bool(proof.radius.max() < 1e-14)
    ('enclosure', True, True)
    >>> cairn.prove([[-1.0]], [-1.0]).kind
    'infeasible'
    """
    problem = _Problem(M, q, lower, upper)
    answer = solve(M, q, lower, upper) if solution is None else solution
    if not isinstance(answer, Solution):
        raise _core.KindError(f"solution: needs a cairn.Solution, not {type(answer).__name__}")
    if answer._n != problem.n:
        raise ArgumentError(f"solution: is of {answer._n} variables, the problem of {problem.n}")
    proof = Proof(problem)
    options = ffi.new("crn_proof_options *")
    options[0] = lib.crn_proof_options_default()
    options.is_exact_first = bool(exact)
    z, ray, basis = answer.z.copy(), answer.ray.copy(), answer.basis.copy()
    told = ffi.new("crn_lcp_solution *", {"z": doubles(z), "ray": doubles(ray),
                                          "basis": ffi.from_buffer("unsigned char[]", basis)})
    error = ffi.new("crn_error *")
    _core.check(lib.crn_lcp_prove(problem.c, answer._told.outcome, told, options, proof._c, error), error)
    return proof
