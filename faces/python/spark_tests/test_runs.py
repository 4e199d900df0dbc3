"""Whole runs on Spark: the same models, nothing left behind, and what is refused."""

from __future__ import annotations

import json
import pathlib
import random
import stat
import traceback
from typing import Any

import pyarrow as pa
import pytest
from conftest import short

import lookalike as la
from lookalike.spark._tasks import BoundTask, CodeTask, CountTask

needs_test_noise = pytest.mark.skipif(not la._native.HAS_TEST_NOISE, reason="needs the wheel with repeatable noise")
WORDS = ["low", "middle", "high"]
SCHEMA = {
    "columns": {
        "age": {"type": "integer", "range": [0, 99], "bins": 10},
        "sex": {"type": "category", "values": ["F", "M"]},
        "weight": {"type": "number", "range": [0, 200], "decimals": 1, "missing": True},
        "answer": {"type": "category", "values": WORDS, "missing": True},
    }
}


def people(rows: int, seed: int) -> pa.Table:
    """A made-up table with missing cells and a relation."""
    draw = random.Random(seed)
    ages = [draw.randrange(18, 90) for _ in range(rows)]
    return pa.table(
        {
            "age": ages,
            "sex": [draw.choice(["F", "M"]) for _ in range(rows)],
            "weight": [None if draw.random() < 0.1 else round(draw.gauss(70, 12), 1) for _ in range(rows)],
            "answer": [WORDS[min(2, age // 30)] if draw.random() < 0.9 else None for age in ages],
        }
    )


@needs_test_noise
@pytest.mark.parametrize("method", [pytest.param("mst", marks=short), "auto", "aim", "privmrf", "independent"])
def test_the_same_model_under_the_same_noise_and_under_replayed_answers(spark: Any, method: str) -> None:
    table = people(2000, seed=32)

    def model(data: Any, **test: Any) -> bytes:
        run = la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False, rows=100, method=method)
        found: bytes = run._fit(data, True, test).release_._native.model_bytes()
        return found

    frame = spark.createDataFrame(table).repartition(3)
    assert model(frame, seed=5) == model(table, seed=5)
    tape = la._native.Recording()
    taped = model(table, recording=tape)
    assert model(frame, recording=tape, replays=True) == taped


@short
def test_persons_a_folder_and_nothing_left(spark: Any, tmp_path: pathlib.Path) -> None:
    table = people(600, seed=1).append_column("who", pa.array([f"p{row % 90}" for row in range(600)]))
    schema = {"columns": {**SCHEMA["columns"], "who": {"type": "id"}}}
    rows = la.spark.SparkRows(spark.createDataFrame(table), workdir=tmp_path)
    seen: list[int] = []

    def look(*_: object) -> None:
        seen.extend(stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir())

    synth = la.Synthesizer(epsilon=3.0, schema=schema, unit="who", contribution=2, progress=look)
    release = synth.fit(rows).release_
    assert seen and set(seen) == {0o700}
    assert list(tmp_path.iterdir()) == []
    source = release.statement["job"]["source"]
    assert source["engine"] == "Spark" and source["version"] == spark.version and "assumes" in source
    assert bool(release.verify()) and "person" in release.guarantee


def test_a_run_that_fails_leaves_nothing(spark: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("canary")

    monkeypatch.setattr(la.spark.SparkRows, "count", fail)
    rows = la.spark.SparkRows(spark.createDataFrame(people(50, seed=2)), workdir=tmp_path)
    with pytest.raises(la.LookalikeError) as raised:
        la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False, method="mst").fit(rows)
    assert "canary" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def cause(error: BaseException) -> str:
    return str(error.__cause__ or error)


@pytest.mark.parametrize(
    ("word", "query"),
    [
        ("a limit", "select * from people limit 5"),
        ("an offset", "select * from people offset 5"),
        ("a sample", "select * from people tablesample (50 percent)"),
        ("an aggregate", "select age, max(weight) weight, sex, answer from people group by age, sex, answer"),
        ("an aggregate", "select distinct * from people"),
        ("an aggregate", "select * from people intersect select * from people"),
        ("a join", "select p.* from people p join people q on p.age = q.age"),
        ("a join", "select * from people where age > (select avg(age) from people)"),
        ("a join", "select * from people where age in (select age from people where sex = 'F')"),
        ("a window", "select age, sex, answer, max(weight) over (partition by sex) weight from people"),
        ("each time", "select age, sex, answer, weight * rand() weight from people"),
        ("each time", "select age, uuid() sex, weight, answer from people"),
    ],
)
def test_plans_that_make_rows_depend_on_others(spark: Any, word: str, query: str) -> None:
    spark.createDataFrame(people(40, seed=3)).createOrReplaceTempView("people")
    with pytest.raises(la.LookalikeError) as raised:
        la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False).fit(spark.sql(query))
    assert word in cause(raised.value)


def test_what_cannot_be_looked_into_is_written_into_the_statement(spark: Any, tmp_path: pathlib.Path) -> None:
    spark.createDataFrame(people(40, seed=4)).write.parquet(str(tmp_path / "people"))
    seen = spark.read.parquet(str(tmp_path / "people")).filter("age > 3").union(spark.read.parquet(str(tmp_path / "people")))
    for frame, is_seen in [(seen.cache(), True), (seen.mapInArrow(lambda batches: batches, seen.schema), False)]:
        rows = la.spark.SparkRows(frame)
        rows.columns()
        assert (rows.assumes is None) == is_seen


@short
def test_what_needs_the_rows_here_is_refused_in_a_line_that_says_what_to_do(spark: Any, tmp_path: pathlib.Path) -> None:
    frame = spark.createDataFrame(people(40, seed=6))
    ledger = la.Ledger(tmp_path / "ledger")
    ledger.open("people", epsilon=9.0)
    refused = {
        "leave out the ledger and write down what is spent": {"ledger": ledger, "dataset": "people", "schema": SCHEMA},
        "state the schema": {"schema": None},
    }
    for advice, settings in refused.items():
        with pytest.raises(la.LookalikeError, match=advice) as raised:
            la.Synthesizer(epsilon=1.0, progress=False, **settings).fit(frame)
        assert "\n" not in str(raised.value), advice
    assert ledger["people"].left == 9.0


def test_columns_that_cannot_be_modelled(spark: Any) -> None:
    frame = spark.sql("select array(1, 2) as age, 'F' as sex, 1.0 as weight, 'low' as answer")
    with pytest.raises(la.LookalikeError) as raised:
        la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False).fit(frame)
    assert "age" in cause(raised.value) and "lists or groups" in cause(raised.value)
    twice = spark.sql("select 1 as age, 2 as age")
    with pytest.raises(la.DataError, match="two columns"):
        la.spark.SparkRows(twice).columns()


@short
def test_what_a_task_raises_holds_no_cell() -> None:
    """Spark logs what tasks raise, with what it was raised from."""
    coded = json.dumps({"schema": la.Schema(SCHEMA).to_dict(), "names": list(SCHEMA["columns"]), "persons": None}).encode()

    def broken() -> Any:
        yield people(3, seed=8).to_batches()[0]
        raise ValueError("canary")

    tasks = [CodeTask(coded, list(SCHEMA["columns"]), 1, False), BoundTask(coded), CountTask(coded, b"{}")]
    for task in tasks:
        with pytest.raises(RuntimeError, match="^lookalike: ") as raised:
            list(task(broken()))
        assert "canary" not in "".join(traceback.format_exception(raised.value))


def test_rows_drawn_on_executors_are_those_of_one_computer(spark: Any) -> None:
    days = {"type": "datetime", "range": ["2020-01-01T00:00:00", "2020-12-31T23:59:59"], "bins": 12}
    schema = {"columns": {**SCHEMA["columns"], "at": days, "day": {"type": "date", "range": ["2020-01-01", "2020-12-31"]}, "yes": {"type": "boolean"}}}
    table = people(500, seed=5)
    draw = random.Random(6)
    for name, cells in {
        "at": [f"2020-0{draw.randrange(1, 9)}-05T10:00:00" for _ in range(500)],
        "day": [f"2020-0{draw.randrange(1, 9)}-05" for _ in range(500)],
        "yes": [draw.random() < 0.4 for _ in range(500)],
    }.items():
        table = table.append_column(name, pa.array(cells))
    release = la.Synthesizer(epsilon=5.0, schema=schema, method="mst", progress=False).fit(table).release_
    for rows in (70_000, 300_000):
        drawn = release.sample_spark(spark, rows, seed=9)
        found = drawn.toArrow()
        expected = pa.table(release._native.sample(rows, 9))
        assert found.cast(found.schema).num_rows == rows
        assert found.equals(expected.cast(found.schema))
