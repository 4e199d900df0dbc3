"""Tables that tests share. All of them are made up."""

from __future__ import annotations

import random

import pytest

import lookalike as la

WORDS = ["low", "middle", "high", "no answer"]


def people(rows: int = 400, seed: int = 1) -> dict[str, list[object]]:
    """A made-up table, column by column, with missing cells and a relation."""
    draw = random.Random(seed)
    age = [draw.randrange(18, 90) for _ in range(rows)]
    return {
        "age": list(age),
        "sex": [draw.choice(["F", "M"]) for _ in range(rows)],
        "weight": [None if draw.random() < 0.1 else round(draw.gauss(70, 12), 1) for _ in range(rows)],
        "answer": [WORDS[min(3, a // 25)] if draw.random() < 0.9 else None for a in age],
        "member": [draw.random() < 0.3 for _ in range(rows)],
    }


SCHEMA = {
    "columns": {
        "age": {"type": "integer", "range": [0, 99]},
        "sex": {"type": "category", "values": ["F", "M"]},
        "weight": {"type": "number", "range": [0, 200], "decimals": 1, "missing": True},
        "answer": {"type": "category", "values": WORDS, "missing": True},
        "member": {"type": "boolean"},
    }
}


@pytest.fixture
def schema() -> la.Schema:
    return la.Schema(SCHEMA)


@pytest.fixture
def frame():
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(people())


@pytest.fixture
def release(schema, tmp_path):
    """A release of rows that no other test has."""
    synth = la.Synthesizer(epsilon=2.0, schema=schema, progress=False)
    return synth.fit(csv_of(tmp_path, people(500, seed=random.randrange(10**9)))).release_


def csv_of(folder, columns: dict[str, list[object]], name: str = "people.csv") -> str:
    """The columns as a CSV file."""
    path = folder / name
    names = list(columns)
    lines = [",".join(names)]
    for row in zip(*columns.values()):
        lines.append(",".join("" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell) for cell in row))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


needs_test_noise = pytest.mark.skipif(
    not la._native.HAS_TEST_NOISE, reason="needs the wheel with repeatable noise, which is never shipped"
)
