"""What a step of a world tells."""
from __future__ import annotations

from typing import Any, Dict

import numpy as np

from ._core import UnknownNameError, encoded, text
from ._native import ffi, lib


class Step:
    """What a step did. True if it is certified; every figure of ``crn_step_stats`` is an attribute.

    >>> import cairn
    >>> step = cairn.World({"bodies": [{"name": "ball", "shapes": [{"kind": "sphere", "radius": 0.1}]}]}).step()
    >>> step.certified, step.verdict, step.contacts, step.time
    (True, 'certified', 0, 0.01)
    """

    __slots__ = ("_stats",)

    def __init__(self, stats: Any) -> None:
        self._stats = stats

    @property
    def certified(self) -> bool:
        """Is nothing wrong with the step?"""
        return bool(self._stats.verdict == lib.CRN_VERDICT_CERTIFIED)

    @property
    def verdict(self) -> str:
        """"certified", or what is wrong: "problem", "law", "overlap", "joints", "energy" or "momentum"."""
        return text(lib.crn_verdict_name(self._stats.verdict))

    @property
    def outcome(self) -> str:
        """Of the worst of its complementarity problems."""
        return text(lib.crn_lcp_outcome_name(self._stats.outcome))

    @property
    def method(self) -> str:
        """That found the impulses."""
        return text(lib.crn_contact_method_name(self._stats.method))

    @property
    def ledger(self) -> Dict[str, Any]:
        """Where the energy of the step went [J]."""
        return {name: value_of(getattr(self._stats.ledger, name)) for name, _ in ffi.typeof("crn_ledger").fields}

    def figure(self, name: str) -> float:
        """One figure by the name that recordings and CSV files have, such as "ledger.friction"."""
        found = lib.crn_step_figure_find(encoded(name, "figure"))
        if found == ffi.NULL:
            raise UnknownNameError(f"figure: there is no {name!r}")
        return float(lib.crn_step_figure_get(found, self._stats))

    def figures(self) -> Dict[str, float]:
        """All figures by the names that recordings and CSV files have."""
        found = {}
        for i in range(lib.crn_step_figure_count()):
            figure = lib.crn_step_figure_at(i)
            found[text(figure.name)] = float(lib.crn_step_figure_get(figure, self._stats))
        return found

    def __getattr__(self, name: str) -> Any:
        try:
            return value_of(getattr(self._stats, name))
        except AttributeError:
            raise AttributeError(f"a step has no {name!r}") from None

    def __bool__(self) -> bool:
        return self.certified

    def __repr__(self) -> str:
        return f"<cairn.Step to {self._stats.time:g} s: {self.verdict}, {self._stats.contacts} contacts>"


def value_of(raw: Any) -> Any:
    """A number, or three of a crn_vec3."""
    if isinstance(raw, (bool, int, float)):
        return raw
    return np.array([raw.x, raw.y, raw.z])
