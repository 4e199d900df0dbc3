"""Faults of a cluster with two executors: counts are right, or there are none."""

from __future__ import annotations

import os
import pathlib
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import cells, coding, counted, request, short
from faults import KINDS, Fault

import lookalike as la

ROUNDS = int(os.environ.get("LOOKALIKE_SPARK_FAULTS", "5"))
FEW = 5
SCHEMA = la.Schema(
    {
        "columns": {
            "who": {"type": "id"},
            "a": {"type": "integer", "range": [0, 9], "bins": 10},
            "b": {"type": "integer", "range": [0, 299], "bins": 300},
        }
    }
)
NAMES = ["who", "a", "b"]
ASKED = request([10, 300], [[0], [1], [0, 1], []], [])


def table(seed: int) -> pa.Table:
    draw = random.Random(seed)
    rows = 3000
    return pa.table(
        {
            "who": [f"p{draw.randrange(700)}" for _ in range(rows)],
            "a": [draw.randrange(10) for _ in range(rows)],
            "b": [draw.randrange(300) for _ in range(rows)],
        }
    )


def expected(rows: pa.Table, coded: bytes) -> Any:
    """What the kernel counts in this process, in one piece."""
    kernel = la._native.Kernel(coded)
    blobs = pa.table(kernel.code(rows, 1))
    if kernel.bounds_persons:
        blobs = pa.table(kernel.bound(blobs))
    return cells(pa.table(kernel.count(blobs, ASKED)))


def frame_of(cluster: Any, folder: pathlib.Path, rows: pa.Table) -> Any:
    """A frame of six files."""
    folder.mkdir()
    for part in range(6):
        pq.write_table(rows.slice(part * 500, 500), folder / f"{part}.parquet")
    return cluster.read.parquet(str(folder))


@pytest.mark.parametrize("number", [pytest.param(number, marks=[short] if number < FEW else []) for number in range(ROUNDS)])
def test_lost_tasks_and_executors(cluster: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Whatever is lost while rows are coded, bounded, counted or added up, every count is right."""
    kind = KINDS[number % len(KINDS)]
    marks = tmp_path / "marks"
    marks.mkdir()
    rows = table(number)
    coded = coding(SCHEMA, NAMES, "who" if number % 3 else None, 2)
    frame = frame_of(cluster, tmp_path / "source", rows)

    def faulty(frame: Any, name: str) -> Any:
        return frame.mapInArrow(Fault(kind, marks, name, number), frame.schema)

    write, arrow = la.spark.SparkRows._write, la.spark._rows._arrow
    monkeypatch.setattr(la.spark.SparkRows, "_write", lambda self, blobs, name: write(self, faulty(blobs, name), name))
    monkeypatch.setattr(la.spark._rows, "_arrow", lambda grouped: arrow(faulty(grouped, f"sum {len(list(marks.iterdir()))}")))
    far = la.spark.SparkRows(frame, workdir=tmp_path)
    try:
        far.columns()
        far.code(coded)
        for _ in range(2):
            far._blobs = faulty(far._blobs, f"count {len(list(marks.iterdir()))}")
            assert cells(far.count(ASKED)) == expected(rows, coded), kind
    finally:
        far.close()
    assert any(marks.iterdir()), "nothing happened"


@pytest.mark.parametrize("number", [pytest.param(0, marks=short), *range(1, ROUNDS // 5)])
def test_a_changed_source_ends_the_run(cluster: Any, tmp_path: pathlib.Path, number: int) -> None:
    """Files that change while rows are coded: the run ends in a fixed sentence."""
    rows, other = table(number), table(number + 1000)
    frame = frame_of(cluster, tmp_path / "source", rows)
    far = la.spark.SparkRows(frame, workdir=tmp_path)
    write = far._write

    def changing(blobs: Any, name: str) -> None:
        write(blobs, name)
        pq.write_table(other, tmp_path / "source" / f"{number % 6}.parquet")

    far._write = changing  # type: ignore[method-assign]
    try:
        far.columns()
        with pytest.raises(la.DataError, match="changed while they were read"):
            far.code(coding(SCHEMA, NAMES))
    finally:
        far.close()


def test_coded_rows_are_counted_whatever_becomes_of_the_source(cluster: Any, tmp_path: pathlib.Path) -> None:
    rows = table(7)
    coded = coding(SCHEMA, NAMES)
    frame = frame_of(cluster, tmp_path / "source", rows)
    far = la.spark.SparkRows(frame, workdir=tmp_path)
    try:
        far.columns()
        far.code(coded)
        codes = dict(la._native.codes(SCHEMA._native, iter([rows]))) if la._native.HAS_TEST_NOISE else None
        for file in (tmp_path / "source").iterdir():
            file.unlink()
        found = cells(far.count(ASKED))
        assert found == expected(rows, coded)
        if codes is not None:
            assert {cell: count for cell, count in found.items() if cell[0] < 3} == counted([codes["a"], codes["b"]], ASKED)
        # A coded file that is gone or damaged ends the run, and is never skipped.
        own = next(path for path in tmp_path.rglob("part-*.parquet") if "source" not in path.parts)
        whole = own.read_bytes()
        own.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(Exception, match="."):
            far.count(ASKED)
        own.unlink()
        with pytest.raises(Exception, match="."):
            far.count(ASKED)
    finally:
        far.close()
