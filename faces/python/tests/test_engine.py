"""The bridge to rows that stay where they are: an engine in a few lines, and what it may not do."""

from __future__ import annotations

import itertools
import json
import pathlib
from collections import Counter
from typing import Any

import pytest

import lookalike as la

pa = pytest.importorskip("pyarrow")

SCHEMA = la.Schema(
    {"columns": {"a": {"type": "integer", "range": [0, 1]}, "b": {"type": "integer", "range": [0, 2]}}}
)
ROWS = [(row % 2, (row // 3) % 3) for row in range(900)]


class Counter900:
    """Counts nine hundred rows of two columns."""

    _lookalike_engine = True
    kind, version, rows_of, assumes = "Abacus", "1.2", "a table", None

    def __init__(self, fault: str = "") -> None:
        self.fault, self.passes = fault, 0

    def columns(self) -> list[str]:
        return ["a", "b"]

    def code(self, coding: bytes) -> None:
        assert json.loads(coding)["names"] == ["a", "b"]
        if self.fault == "code":
            raise RuntimeError("canary-code")

    def count(self, request: bytes) -> Any:
        self.passes += 1
        if self.fault == "count":
            raise RuntimeError("canary-count")
        asked = json.loads(request)
        groups = [list(itertools.chain(*([g] * n for g, n in column["runs"]))) for column in asked["derived"]]
        bases = [column["base"] for column in asked["derived"]]
        rows = ROWS[1:] if self.fault == "changed" and self.passes > 1 else ROWS
        found: list[tuple[int, int, int]] = []
        for number, clique in enumerate(asked["cliques"]):
            cells: Counter[int] = Counter()
            for row in rows:
                codes = [*row, *(groups[i][row[base]] for i, base in enumerate(bases))]
                cell = 0
                for attribute in clique:
                    cell = cell * asked["sizes"][attribute] + codes[attribute]
                cells[cell] += 1
            found += [(number, cell, count) for cell, count in cells.items()]
        if self.fault == "twice":
            found += found[:1]
        columns = list(zip(*found))
        types = {"clique": pa.int32(), "cell": pa.int64(), "count": pa.int64()}
        return pa.table({name: pa.array(c, t) for (name, t), c in zip(types.items(), columns)})

    def stop(self) -> None:
        """Never needed."""


def fitted(engine: Counter900, **settings: Any) -> la.Synthesizer:
    return la.Synthesizer(epsilon=50.0, schema=SCHEMA, method="mst", progress=False, **settings).fit(engine)


def test_a_release_from_counts_alone(tmp_path: pathlib.Path) -> None:
    engine = Counter900()
    synth = fitted(engine, journal=tmp_path / "journal.jsonl")
    assert engine.passes > 0
    rows = synth.sample(900, seed=3)
    assert len(rows) == 900
    synth.release_.save(tmp_path / "out")
    statement = json.loads((tmp_path / "out" / "release" / "privacy.json").read_text())
    assert statement["job"]["source"] == {"engine": "Abacus", "version": "1.2", "rows_of": "a table", "assumes": None}
    assert 250 < sum(value == 1 for value in rows["b"]) < 350


@pytest.mark.parametrize("fault", ["code", "count"])
def test_what_an_engine_raises_is_the_cause_and_no_more(fault: str, tmp_path: pathlib.Path) -> None:
    journal = tmp_path / "journal.jsonl"
    with pytest.raises(la.errors.LookalikeError) as raised:
        fitted(Counter900(fault), journal=journal)
    assert "canary" not in str(raised.value) and "\n" not in str(raised.value)
    assert f"canary-{fault}" in str(raised.value.__cause__)
    assert not journal.exists() or "canary" not in journal.read_text()


@pytest.mark.parametrize("fault", ["changed", "twice"])
def test_counts_that_cannot_be_end_the_run(fault: str) -> None:
    with pytest.raises(la.errors.LookalikeError, match="nothing is released"):
        fitted(Counter900(fault))


def test_what_cannot_be_done_elsewhere_is_refused_first(tmp_path: pathlib.Path) -> None:
    with pytest.raises(la.errors.SettingError, match="stay where they are"):
        la.Synthesizer(epsilon=1.0, progress=False).fit(Counter900())
    ledger = tmp_path / "ledger.db"
    la.Ledger(ledger).open("people", epsilon=5.0, delta=1e-6)
    with pytest.raises(la.errors.SettingError, match="stay where they are"):
        fitted(Counter900(), ledger=ledger, dataset="people")
