"""Door 2: contact problems of a simulator of your own."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Array, ArgumentError, doubles, real, text
from ._native import ffi, lib

KINDS = ("off", "on", "slide", "edge", "stick")
_CONES = {"polygon": lib.CRN_CONE_POLYGON, "round": lib.CRN_CONE_ROUND}
_LAWS = {"coulomb": lib.CRN_LAW_COULOMB, "convex": lib.CRN_LAW_CONVEX}


class ContactCertificate(NamedTuple):
    """How well impulses solve the problem, from the data that were given (docs/guide/contact.md)."""

    relative: float
    velocity_error: float
    impulse_error: float
    row_error: float
    scale: float
    worst: int


class ContactSolution:
    """What `contact` found. True if it is solved.

    ``impulse`` (contacts, 3): along n, t1, t2, on body a [N s]; ``velocity``: of all bodies; ``contact_velocity``
    (contacts, 3); ``kind``: "off", "on", "slide", "edge" or "stick" of each contact.
    """

    def __init__(self, contacts: int, dof: int) -> None:
        self.impulse: Array = np.zeros((contacts, 3))
        self.velocity: Array = np.zeros(dof)
        self.contact_velocity: Array = np.zeros((contacts, 3))
        self._state = np.zeros(contacts, _core.struct_type("crn_contact_state"))
        self._result = ffi.new("crn_contact_result *")

    @property
    def kind(self) -> List[str]:
        """What each contact does."""
        return [KINDS[k] for k in self._state["kind"]]

    @property
    def outcome(self) -> str:
        """"solved", "convex" (the convex law's answer where Coulomb's was not reached), "infeasible", "ray",
        "singular", "limit" or "stalled"."""
        return text(lib.crn_lcp_outcome_name(self._result.outcome))

    @property
    def law(self) -> str:
        """The law that the answer obeys: "coulomb" or "convex"."""
        return next(name for name, law in _LAWS.items() if law == self._result.law)

    @property
    def method(self) -> str:
        """The method that gave the answer."""
        return text(lib.crn_contact_method_name(self._result.method))

    @property
    def certificate(self) -> ContactCertificate:
        """How well the impulses solve the problem."""
        c = self._result.certificate
        return ContactCertificate(c.relative, c.velocity_error, c.impulse_error, c.row_error, c.scale, c.worst)

    @property
    def seconds(self) -> float:
        """Of the whole call."""
        return float(self._result.seconds)

    def __bool__(self) -> bool:
        return bool(self._result.outcome == lib.CRN_LCP_SOLVED)

    def __repr__(self) -> str:
        return (f"<cairn.ContactSolution: {self.outcome}, {len(self.impulse)} contacts, "
                f"certificate {self._result.certificate.relative:.1e}, by {self.method}>")


def _of(table: Dict[str, int], value: Any, argument: str) -> int:
    if value not in table:
        raise ArgumentError(f"{argument}: there is no {value!r}; there are {', '.join(table)}")
    return table[value]


def _per_contact(value: Any, argument: str, contacts: int) -> Array:
    return np.full(contacts, _core.number(value, argument)) if np.ndim(value) == 0 else real(value, argument, (contacts,))


def _bodies_of(value: Any, argument: str, contacts: int, bodies: int) -> NDArray[np.int32]:
    index = np.asarray(value)
    if index.dtype.kind not in "iu" or index.shape != (contacts,):
        raise ArgumentError(f"{argument}: needs {contacts} whole numbers, has {index.dtype} of shape {index.shape}")
    if contacts > 0 and not -1 <= index.min() <= index.max() < bodies:
        raise ArgumentError(f"{argument}: bodies are 0 .. {bodies - 1}, or -1 for the world")
    return index.astype(np.int32)


class _Problem:
    """A crn_contact_problem and the arrays that it looks at."""

    def __init__(self, body: NDArray[Any], point: NDArray[Any], velocity: Array, keep: Tuple[Any, ...]) -> None:
        self.contacts, self.dof = len(point), velocity.size
        self._keep = (body, point, velocity, keep)
        self._pointers = [ffi.from_buffer(array) for array in (body, point)]
        self.c = ffi.new("crn_contact_problem *", {
            "bodies": len(body), "contacts": len(point), "velocity": doubles(velocity),
            "body": ffi.cast("crn_contact_body *", self._pointers[0]),
            "contact": ffi.cast("crn_contact_point *", self._pointers[1])})


def _points(position: Any, normal: Any, mu: Any, offset: Any, directions: int) -> NDArray[Any]:
    normals = real(normal, "normal", (None, 3))
    count = len(normals)
    point = np.zeros(count, _core.struct_type("crn_contact_point"))
    point["normal"] = normals
    point["position"] = real(position, "position", (count, 3))
    _friction(point, mu, offset, directions)
    return point


def _friction(point: NDArray[Any], mu: Any, offset: Any, directions: int) -> None:
    count = len(point)
    point["mu"] = _per_contact(mu, "mu", count)
    point["directions"] = np.where(point["mu"] > 0, directions, 0)
    if offset is not None:
        gap = np.asarray(offset)
        point["offset"][:, 0:1 if gap.ndim == 1 else 3] = (
            real(offset, "offset", (count,))[:, None] if gap.ndim == 1 else real(offset, "offset", (count, 3)))


def _rigid(mass: Any, inertia: Any, com: Any, velocity: Any, a: Any, b: Any, position: Any, normal: Any, mu: Any,
           offset: Any, directions: int) -> _Problem:
    masses = real(mass, "mass", (None,))
    count = len(masses)
    body = np.zeros(count, _core.struct_type("crn_contact_body"))
    body["kind"], body["dof"], body["mass"] = lib.CRN_MASS_RIGID, 6, masses
    body["inertia"] = real(inertia, "inertia", (count, 3, 3)).transpose(0, 2, 1).reshape(count, 9)
    body["com"] = real(com, "com", (count, 3))
    point = _points(position, normal, mu, offset, directions)
    point["a"] = _bodies_of(a, "a", len(point), count)
    point["b"] = -1 if b is None else _bodies_of(b, "b", len(point), count)
    return _Problem(body, point, real(velocity, "velocity", (count, 6)).reshape(-1), ())


def _generalised(mass_matrix: Any, jacobian: Any, velocity: Any, mu: Any, offset: Any, directions: int) -> _Problem:
    free = real(velocity, "velocity", (None,))
    dof = len(free)
    matrix = real(mass_matrix, "mass_matrix", (dof, dof))
    rows = real(jacobian, "jacobian", (None, 3, dof))
    body = np.zeros(1, _core.struct_type("crn_contact_body"))
    body["kind"], body["dof"], body["ld"] = lib.CRN_MASS_MATRIX, dof, dof
    body["matrix"] = matrix.ctypes.data
    point = np.zeros(len(rows), _core.struct_type("crn_contact_point"))
    point["b"] = -1
    point["jacobian_a"] = rows.ctypes.data + 24 * dof * np.arange(len(rows), dtype=np.uint64)
    _friction(point, mu, offset, directions)
    return _Problem(body, point, free, (matrix, rows))


def contact(*, mass: Any = None, inertia: Any = None, com: Any = None, a: Any = None, b: Any = None,
            position: Any = None, normal: Any = None, mass_matrix: Any = None, jacobian: Any = None, velocity: Any,
            mu: Any = 0.5, offset: Any = None, cone: str = "round", directions: int = 8, law: str = "coulomb",
            even: bool = False, method: str = "auto", tol: float = 0.0) -> ContactSolution:
    """Impulses at contact points, so that bodies do not go through each other and friction obeys Coulomb's law.

    Rigid bodies: ``mass`` (bodies,), ``inertia`` (bodies, 3, 3) about the centre of mass in world axes, ``com``
    (bodies, 3); ``velocity`` (bodies, 6), angular first: the one that they would have without contact. Contacts: bodies
    ``a`` and ``b`` (-1, or None for all: the world), ``position`` and ``normal`` (contacts, 3), out of b into a. Or a
    mechanism: ``mass_matrix`` (n, n), ``jacobian`` (contacts, 3, n) with rows n, t1, t2, ``velocity`` (n,).

    ``offset`` is added to the contact velocities, (contacts,) along the normal, such as gap / h, or (contacts, 3).

    >>> import cairn, numpy
    >>> answer = cairn.contact(mass=[1.0], inertia=[numpy.eye(3)], com=[[0, 0, 1.0]], velocity=[[0, 0, 0, 1.0, 0, -0.1]],
    ...                        a=[0], position=[[0, 0, 0.0]], normal=[[0, 0, 1.0]], mu=0.5)
    >>> answer.outcome, answer.kind, answer.impulse[0].round(6).tolist()
    ('solved', ['slide'], [0.1, -0.05, 0.0])
    """
    corners = _core.whole(directions, "directions", 2)
    if mass_matrix is not None:
        problem = _generalised(mass_matrix, jacobian, velocity, mu, offset, corners)
    elif mass is not None:
        problem = _rigid(mass, inertia, com, velocity, a, b, position, normal, mu, offset, corners)
    else:
        raise ArgumentError("mass or mass_matrix: one of them is needed")
    options = ffi.new("crn_contact_options *")
    options[0] = lib.crn_contact_options_default()
    options.cone, options.law, options.even = _of(_CONES, cone, "cone"), _of(_LAWS, law, "law"), bool(even)
    options.method = _core.choice(lib.crn_contact_method_find, "crn_contact_method", method, "method")
    options.tol = _core.number(tol, "tol", 0.0)
    answer = ContactSolution(problem.contacts, problem.dof)
    solution = ffi.new("crn_contact_solution *", {
        "impulse": doubles(answer.impulse), "velocity": doubles(answer.velocity),
        "contact_velocity": doubles(answer.contact_velocity),
        "state": ffi.cast("crn_contact_state *", ffi.from_buffer(answer._state))})
    workspace, error = ffi.gc(ffi.new("crn_workspace *"), lib.crn_workspace_free), ffi.new("crn_error *")
    _core.check(lib.crn_contact_solve(problem.c, options, workspace, solution, answer._result, error), error)
    if mass is not None:
        answer.velocity = answer.velocity.reshape(-1, 6)
    return answer


__all__ = ["ContactCertificate", "ContactSolution", "contact"]
