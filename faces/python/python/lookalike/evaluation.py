"""Comparing a synthetic table with the real one. For the steward's eyes only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from . import _native
from ._frames import Form, form_of
from ._progress import Progress, Watcher
from .errors import SettingError
from .release import Page
from .schema import Schema, schema_of

__all__ = ["Evaluation", "evaluate"]


class Evaluation:
    """What a comparison found. For the steward's eyes only: rows were looked at without paying."""

    def __init__(self, figures: dict[str, Any], page: str) -> None:
        self.figures = figures
        """Every figure, as ``lookalike evaluate --json`` prints it."""
        self.page = Page(page, steward_only=True)
        """The page; ``page.save(path)`` writes it."""

    def distance(self, way: int = 2) -> float:
        """The mean total variation distance of tables of that many columns: 0 is alike."""
        found = _distance(self.figures, way)
        if found is None:
            raise SettingError(f"way: tables of {way} columns were not compared; 1 to 5 are, where there are as many columns")
        return found

    def _repr_html_(self) -> str:
        return self.page._repr_html_()

    def __repr__(self) -> str:
        """The main figures, and who may see them."""
        return f"<lookalike.Evaluation (steward only): {_summary(self.figures)}>"


def evaluate(
    real: Any,
    synthetic: Any,
    *,
    schema: Any = None,
    target: str | Sequence[str] = (),
    all_targets: bool = False,
    holdout: Any = None,
    nist: tuple[str, str, str] | None = None,
    marginals: str | None = None,
    seed: int = 0,
    memory: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Evaluation:
    """Compare a synthetic table with the real one. **Steward-only**: nothing of it may be published.

    It takes its time: many models are trained. ``docs/evaluate.md`` explains every figure.

    Parameters
    ----------
    real, synthetic
        Frames or paths; ``synthetic`` may be the folder of a release.
    schema
        The schema of the release; without one, a schema is drafted from the real rows.
    target, all_targets
        Columns that models predict, trained on synthetic rows and tested on real ones.
    holdout
        Real rows that the release was not made from, for a clean test.
    nist
        The columns of sex, income and city, for the NIST regression score.
    marginals
        A JSON file with sets of three and more columns to compare; left out, 300 random ones each of
        3, 4 and 5 columns.
    seed
        The seed of all draws of the comparison.
    memory, threads, progress
        As in `Synthesizer`.
    """
    if isinstance(synthetic, _native.Rows):
        names: list[str] | None = synthetic.columns
        frames: Any = iter([synthetic])
    else:
        fake = form_of(synthetic)
        names, frames = fake.names(), fake.frames()
    known = schema_of(schema) or _drafted(form_of(real), names)
    extras = {
        "targets": [target] if isinstance(target, str) else list(target),
        "all_targets": all_targets,
        "nist": list(nist) if nist is not None else None,
        "marginals": marginals,
        "seed": seed,
        "memory": memory,
        "threads": threads,
    }
    watcher = Watcher(progress)
    try:
        figures, page = _native.evaluate(
            form_of(real).frames(),
            frames,
            None if holdout is None else form_of(holdout).frames(),
            known._native,
            extras,
            watcher,
        )
    finally:
        watcher.close()
    return Evaluation(json.loads(figures), page)


def _drafted(form: Form, names: list[str] | None) -> Schema:
    """A schema read from the real rows: fine here, where nothing is released.

    What a draft leaves open is left out, and so are columns that the synthetic rows have not.
    """
    text, _ = _native.draft(form.frames())
    whole = Schema(text).to_dict()
    for name, facts in whole.get("columns", {}).items():
        if any(value == "discover" for value in facts.values()) or (names is not None and name not in names):
            whole["columns"][name] = {"type": "ignore"}
    return Schema(whole)


def _distance(figures: dict[str, Any], way: int) -> float | None:
    """The mean distance of tables of that many columns: single columns and pairs by name, others in a list."""
    marginals = figures.get("marginals", {})
    found = marginals.get(str(way)) or next((it for it in marginals.get("wide", []) if it["ways"] == way), None)
    return None if found is None else float(found["mean_tvd"])


def _summary(figures: dict[str, Any]) -> str:
    parts = []
    for way in (1, 2, 3):
        found = _distance(figures, way)
        if found is not None:
            parts.append(f"{way}-way distance {found:.4f}")
    return ", ".join(parts) or "see .figures"
