"""What Spark writes by itself, its event log and the logs of its executors, holds no cell by our doing."""

from __future__ import annotations

import functools
import os
import pathlib
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import short
from faults import Fault
from test_runs import SCHEMA

import lookalike as la

RUNS = int(os.environ.get("LOOKALIKE_LEAK_RUNS", "3"))


def canaries(folder: pathlib.Path) -> list[str]:
    """Cells that no schema lists, chosen by chance and written into a table."""
    draw = random.Random()
    word, number = "".join(draw.choices("abcdefghijklmnop", k=16)), draw.randrange(10**11, 10**12)
    ages, weights = [number, 3, 4], [None, float(number), 2.0]
    table = pa.table({"age": ages * 30, "sex": [word, "F", "M"] * 30, "weight": weights * 30, "answer": [None, word, "low"] * 30})
    folder.mkdir(exist_ok=True)
    pq.write_table(table, folder / "table.parquet")
    return [word, str(number)]


def fit(rows: Any, fails: bool) -> None:
    """A whole run; or one whose tasks fail in each pass, so that their words are logged."""
    synth = la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False, method="mst")
    if not fails:
        synth.fit(rows)
        return
    count = rows.count
    rows.count = lambda request: count(request[:-9] + b"7]}")
    with pytest.raises(la.LookalikeError):
        synth.fit(rows)


def written(folder: pathlib.Path) -> str:
    """All that lies in a folder."""
    return "\n".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())


@short
def test_no_cell_is_in_what_spark_writes(spark: Any, log: pathlib.Path, tmp_path: pathlib.Path, capfd: Any) -> None:
    """Neither in the event log, which the web page is made of, nor in what the driver prints."""
    found = []
    # As much as drivers tell where nobody set anything.
    spark.sparkContext.setLogLevel("INFO")
    for run in range(RUNS):
        found += canaries(tmp_path / "people")
        frame = spark.read.parquet(str(tmp_path / "people"))
        fit(la.spark.SparkRows(frame), fails=run % 3 == 0)
    spark.sparkContext.setLogLevel("ERROR")
    events, driver = written(log / "events"), (log / "driver").read_text(errors="replace")
    for text in (events, driver):
        assert "RuntimeError: lookalike: " in text, "a task failed, and its words stand here"
    assert "MapInArrow" in events
    told = events + driver + "".join(capfd.readouterr())
    assert not [canary for canary in found if canary in told]


@short
def test_no_cell_is_in_the_logs_of_executors(
    cluster: Any, log: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where tasks fail, are killed and are tried again."""
    write, marks = la.spark.SparkRows._write, tmp_path / "marks"
    marks.mkdir()
    found = []
    for run, kind in enumerate(["error", "worker", "copy"]):
        found += canaries(tmp_path / "people")
        fault = Fault(kind, marks, f"{run}", run, share=1.0)
        lost = functools.partialmethod(_write_with, write, fault)
        monkeypatch.setattr(la.spark.SparkRows, "_write", lost)
        frame = cluster.read.parquet(str(tmp_path / "people"))
        fit(la.spark.SparkRows(frame, workdir=tmp_path), fails=kind == "copy")
    executors = list(logs_of_executors(cluster).rglob("stderr"))
    told = "".join(path.read_text(errors="replace") for path in executors)
    assert "a fault of the test" in told and "RuntimeError: lookalike: " in told, "what was raised stands here"
    told += written(log)
    assert not [canary for canary in found if canary in told]


def _write_with(self: Any, write: Any, fault: Fault, blobs: Any, name: str) -> None:
    write(self, blobs.mapInArrow(fault, blobs.schema), name)


def logs_of_executors(cluster: Any) -> pathlib.Path:
    """Spark's workers keep them where Spark is installed."""
    import pyspark

    home = pathlib.Path(os.environ.get("SPARK_HOME") or pathlib.Path(pyspark.__file__).parent)
    return home / "work" / str(cluster.sparkContext.applicationId)
