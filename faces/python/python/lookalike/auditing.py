"""Audits of the product itself: how much of its epsilon does it really show? No private row is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from . import _native
from ._progress import Progress, Watcher

__all__ = ["Audit", "audit"]


class Audit:
    """What the audits found: lower bounds on the epsilon that a mechanism or method shows."""

    def __init__(self, results: list[dict[str, Any]], text: str) -> None:
        self.results = results
        """Every result, as ``lookalike audit --json`` prints it."""
        self.text = text
        """The results as a table for people."""

    def __repr__(self) -> str:
        """The table."""
        return self.text


def audit(
    *,
    method: str | None = None,
    mechanism: str | None = None,
    epsilon: float | Sequence[float] = 1.0,
    runs: int | None = None,
    full: bool = False,
    threads: int | None = None,
    progress: Progress = None,
) -> Audit:
    """Run membership audits of a mechanism or a method on tables that the audit makes itself.

    ``method`` or ``mechanism`` names one; left out, all are audited. ``epsilon`` is what they claim,
    ``runs`` how often each runs on each of two tables, and ``full`` has a million runs a mechanism.
    ``docs/audit.md`` explains the table.

    >>> import lookalike as la
    >>> found = la.audit(mechanism="marginal-gaussian", epsilon=1.0, runs=2000)
    >>> all(it["found"] <= 1.0 for it in found.results if it.get("control") is None)
    True
    """
    claims = [float(epsilon)] if isinstance(epsilon, (int, float)) else [float(one) for one in epsilon]
    watcher = Watcher(progress)
    try:
        results, text = _native.audit(method, mechanism, claims, runs, full, threads, watcher)
    finally:
        watcher.close()
    return Audit(json.loads(results), text)
