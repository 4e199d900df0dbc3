"""Counts of Spark's executors are those of a table in memory, cell by cell."""

from __future__ import annotations

import datetime
import itertools
import json
import os
import pathlib
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import cells, coding, counted, needed, request, short

import lookalike as la

TABLES = int(os.environ.get("LOOKALIKE_SPARK_TABLES", "12"))
FEW = 3
needs_test_noise = pytest.mark.skipif(not la._native.HAS_TEST_NOISE, reason="needs the wheel with repeatable noise")
pytestmark = needs_test_noise


def agrees(spark: Any, frame: Any, schema: la.Schema, expected: dict[str, list[int]]) -> None:
    """All that `asked_of` asks, against codes of the memory engine."""
    rows = la.spark.SparkRows(frame)
    try:
        names = rows.columns()
        rows.code(coding(schema, names))
        codes = [expected[name] for name in names if name in expected]
        asked = asked_of(coding(schema, names))
        assert cells(rows.count(asked)) == counted(codes, asked)
    finally:
        rows.close()


def asked_of(coded: bytes) -> bytes:
    """All columns, all pairs and some triples, with levels, merged values and a bit of the first ones."""
    sizes = la._native.Kernel(coded).sizes
    derived = [(place, [code // 2 for code in range(size)]) for place, size in enumerate(sizes[:2])]
    derived += [(0, [code * 5 % min(3, sizes[0]) for code in range(sizes[0])])]
    derived += [(0, [int(code == 1) for code in range(sizes[0])])] if sizes[0] > 1 else []
    columns = range(len(sizes) + len(derived))
    sets = [[column] for column in columns] + [list(pair) for pair in itertools.combinations(columns, 2)]
    sets += [list(triple) for triple in itertools.islice(itertools.combinations(columns, 3), 5)]
    return request(sizes, sets, derived)


def agrees_on_persons(frame: Any, schema: la.Schema, table: pa.Table, most: int) -> None:
    """The same of persons: the rows that one computer keeps of them under the same key."""
    rows = la.spark.SparkRows(frame)
    try:
        coded = coding(schema, rows.columns(), "who", most)
        kernel, asked = la._native.Kernel(coded), asked_of(coded)
        kept = kernel.bound(pa.table(kernel.code(table, 1)))
        rows.code(coded)
        assert cells(rows.count(asked)) == cells(pa.table(kernel.count(pa.table(kept), asked)))
    finally:
        rows.close()


def codes(schema: la.Schema, data: Any) -> dict[str, list[int]]:
    return dict(la._native.codes(schema._native, la.release.form_of(data).frames()))


@short
def test_adult(spark: Any, tmp_path: pathlib.Path) -> None:
    folder = os.environ.get("LOOKALIKE_DATA")
    if folder is None:
        needed("LOOKALIKE_DATA names no folder of benchmark tables")
    data = pathlib.Path(folder or "")
    values = json.loads((data / "adult-labels.json").read_text())
    schema = la.Schema({"columns": {name: {"type": "category", "values": words} for name, words in values.items()}})
    path = str(data / "adult-labels.csv")
    frame = spark.read.csv(path, header=True, ignoreLeadingWhiteSpace=False, ignoreTrailingWhiteSpace=False)
    agrees(spark, frame.repartition(5), schema, codes(schema, path))


BERLIN = datetime.timezone(datetime.timedelta(hours=1))
HOSTILE = {
    "whole": pa.array([0, -1, 9, 10, 2**40, None, 5, 3, 9, 0], pa.int64()),
    "part": pa.array([0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e300, 0.5, 0.005, 0.015, None]),
    "single": pa.array([0.1, -0.0, float("inf"), float("-inf"), float("nan"), 3e38, 0.5, 0.005, 0.015, None], pa.float32()),
    "text": pa.array(["1", " 1", "1.0", "1e0", "\u0661", "nan", "inf", "", "-0", None]),
    "word": pa.array(["a", " a ", "A", "", "b,c", 'q"q', "ü", "\u0661", "nul\x00", None]),
    "bytes": pa.array([b"a", b"\xff\xfe", b"A", b"", b"b,c", b"a ", "ü".encode(), b"\x00", None, b"a"]),
    "day": pa.array(["2020-01-01", "2020-02-30", "1999-12-31", "2021-12-31", "x", "", None, "2020-06-15", "0000-00-00", "12020-01-01"]),
    "date": pa.array([datetime.date(2020, 1, 1), datetime.date(1, 1, 1), datetime.date(9999, 12, 31), None, *[datetime.date(2021, 6, 1)] * 6]),
    "naive": pa.array([datetime.datetime(2020, 3, 29, 2, 30), datetime.datetime(1, 1, 1), None, *[datetime.datetime(2021, 6, 1, 1, 2, 3)] * 7], pa.timestamp("us")),
    "zoned": pa.array([datetime.datetime(2020, 3, 29, 0, 30, tzinfo=BERLIN), datetime.datetime(2020, 10, 25, 2, 30, tzinfo=BERLIN), None, *[datetime.datetime(2021, 6, 1, 23, 30, tzinfo=BERLIN)] * 7], pa.timestamp("us", "UTC")),
    "flag": pa.array([True, False, None, True, False, None, True, True, True, False]),
    "money": pa.array([None, 1, 2, 3, 99, 100, 101, -5, 7, 8], pa.decimal128(12, 0)),
}
YEARS = ["2020-01-01", "2021-12-31"]
HOSTILE_SCHEMA = {
    "columns": {
        "whole": {"type": "integer", "range": [0, 9]},
        "part": {"type": "number", "range": [0, 1], "decimals": 2},
        "single": {"type": "number", "range": [0, 1], "decimals": 2, "missing": True},
        "text": {"type": "integer", "range": [0, 9], "missing": True},
        "word": {"type": "category", "values": ["a", "b,c", 'q"q', "ü"], "other": "rest"},
        "bytes": {"type": "category", "values": ["a", "b,c", "ü"], "other": "rest", "missing": True},
        "day": {"type": "date", "range": YEARS},
        "date": {"type": "date", "range": YEARS, "missing": True},
        "naive": {"type": "datetime", "range": [f"{YEARS[0]}T00:00:00", f"{YEARS[1]}T23:59:59"]},
        "zoned": {"type": "datetime", "range": [f"{YEARS[0]}T00:00:00", f"{YEARS[1]}T23:59:59"]},
        "flag": {"type": "boolean", "missing": True},
        "money": {"type": "integer", "range": [0, 100]},
    }
}


def stored(spark: Any, folder: pathlib.Path, table: pa.Table) -> Any:
    """The table as a frame of a Parquet file."""
    pq.write_table(table, folder / "table.parquet")
    return spark.read.parquet(str(folder / "table.parquet"))


@short
def test_hostile_cells(spark: Any, tmp_path: pathlib.Path) -> None:
    schema = la.Schema(HOSTILE_SCHEMA)
    table = pa.table(HOSTILE)
    frame = stored(spark, tmp_path, table).repartition(3)
    # What Spark hands to Arrow has the session's zone, and so has the table that is read in memory.
    places = table.schema.get_field_index("zoned")
    local = table.set_column(places, "zoned", table.column(places).cast(pa.timestamp("us", "Europe/Berlin")))
    agrees(spark, frame, schema, codes(schema, local))


def test_cells_that_travel_together(spark: Any, tmp_path: pathlib.Path) -> None:
    """Ends of every type, cells beyond ranges, empty ones, numbers that mean missing, and more columns than go together."""
    ends = {pa.int8(): 2**7, pa.int16(): 2**15, pa.int32(): 2**31, pa.int64(): 2**63}
    columns: dict[str, Any] = {
        f"n{place}": pa.array([-end, end - 1, None, 0, -4, 6, 7, -5, 99, place], kind)
        for place, (kind, end) in enumerate([*ends.items()] * 6)
    }
    facts = {name: {"type": "integer", "range": [-4, 6], "missing": place % 2 == 0} for place, name in enumerate(columns)}
    columns["wide"] = pa.array([0, 2**40, None, -1, 1, 2**19, 5, 6, 7, 8], pa.int64())
    facts["wide"] = {"type": "integer", "range": [0, 2**40], "bins": 9}
    first, last = datetime.date(1, 1, 1), datetime.date(9999, 12, 31)
    columns["day"] = pa.array([first, last, None, *[datetime.date(2020, 1, 1), datetime.date(2021, 12, 31)] * 3, None], pa.date32())
    facts["day"] = {"type": "date", "range": YEARS, "bins": 7, "missing": True}
    columns["flag"] = pa.array([True, False, None, True, True, None, False, True, False, None])
    facts["flag"] = {"type": "boolean"}
    names = list(columns)
    for tokens, start in ((["", "99"], 0), ([""], 8)):
        chosen = [name for name in names if not name.startswith("n") or int(name[1:]) >= start]
        schema = la.Schema({"columns": {name: facts[name] for name in chosen}, "missing_tokens": tokens})
        table = pa.table({name: columns[name] for name in chosen})
        (tmp_path / str(start)).mkdir()
        agrees(spark, stored(spark, tmp_path / str(start), table), schema, codes(schema, table))


@pytest.mark.parametrize("number", [pytest.param(number, marks=[short] if number < FEW else []) for number in range(TABLES)])
def test_generated_tables(spark: Any, tmp_path: pathlib.Path, number: int) -> None:
    """Tables of every column type, in any number of parts, with columns that are not modelled, also by person."""
    draw = random.Random(4000 + number)
    rows = draw.choice([0, 1, 300])
    columns, facts = {"left out": pa.array([str(row) for row in range(rows)], pa.string())}, {}
    for place in range(draw.randrange(1, 9)):
        name = draw.choice([f"c {place}", f"C`{place}", f"a.{place}"])
        columns[name], facts[name] = column(draw, rows)
    schema = la.Schema({"columns": facts, "unlisted": "ignore"})
    table = pa.table(columns)
    frame = stored(spark, tmp_path, table).repartition(draw.choice([1, 2, 5]))
    agrees(spark, frame, schema, codes(schema, table))
    if number % 2 == 0:
        ids = pa.array([draw.choice([None, f"p{draw.randrange(90)}"]) for _ in range(rows)], pa.string())
        table = table.append_column("who", ids)
        (tmp_path / "persons").mkdir()
        frame = stored(spark, tmp_path / "persons", table).repartition(draw.choice([1, 3]))
        schema = la.Schema({"columns": {**facts, "who": {"type": "id"}}, "unlisted": "ignore"})
        agrees_on_persons(frame, schema, table, draw.choice([1, 2, 7]))


def column(draw: random.Random, rows: int) -> tuple[Any, dict[str, Any]]:
    """A column of some type, and what a schema says of it."""
    kind = draw.choice(["integer", "number", "category", "boolean", "date", "datetime", "grid"])
    gone = draw.choice([0.0, 0.2])
    facts: dict[str, Any] = {"type": kind, "missing": draw.random() < 0.5}
    start = datetime.datetime(2020, 1, 1)
    if kind == "integer":
        low = draw.randrange(-1000, 1000)
        make, form = (lambda: draw.randrange(low - 5, low + 300)), draw.choice([pa.int16(), pa.int32(), pa.int64()])
        facts |= {"range": [low, low + 250], "bins": draw.choice([10, 251])}
    elif kind == "number":
        make, form = (lambda: round(draw.lognormvariate(0, 3), 3)), draw.choice([pa.float32(), pa.float64()])
        facts |= {"range": [0, 50], "decimals": draw.choice([0, 1, 3]), "bins": 20}
    elif kind == "category":
        words = [f"w{n}" for n in range(draw.choice([1, 7, 40, 400]))]
        make, form = (lambda: draw.choice([*words, "zz"])), pa.string()
        facts |= {"values": words, "other": "rest"}
    elif kind == "boolean":
        make, form = (lambda: draw.random() < 0.5), pa.bool_()
    elif kind == "date":
        make, form = (lambda: (start + datetime.timedelta(days=draw.randrange(-9, 900))).date()), pa.date32()
        facts |= {"range": YEARS, "bins": 24}
    elif kind == "datetime":
        make, form = (lambda: start + datetime.timedelta(seconds=draw.randrange(90_000_000))), pa.timestamp("us")
        facts |= {"range": [f"{YEARS[0]}T00:00:00", f"{YEARS[1]}T23:59:59"], "bins": 30}
    else:
        make, form = (lambda: draw.randrange(70_000)), pa.int32()
        facts |= {"type": "integer", "range": [0, 69_999], "bins": 70_000}
    return pa.array([None if draw.random() < gone else make() for _ in range(rows)], form), facts


@pytest.mark.parametrize("most", [1, pytest.param(3, marks=short)])
def test_the_same_rows_of_persons(spark: Any, most: int) -> None:
    """Under the same key the executors keep the rows that one computer keeps."""
    draw = random.Random(most)
    ids = pa.array([None if draw.random() < 0.1 else draw.choice([f"p{draw.randrange(60)}", "P1", " p1"]) for _ in range(900)])
    table = pa.table({"v": pa.array([draw.randrange(50) for _ in range(900)]), "who": ids})
    schema = la.Schema({"columns": {"who": {"type": "id"}, "v": {"type": "integer", "range": [0, 49], "bins": 50}}})
    bytes_ = coding(schema, ["v", "who"], "who", most)
    kernel = la._native.Kernel(bytes_)
    kept = kernel.bound(pa.table(kernel.code(table, 1)))
    asked = request([50], [[0], []], [])
    expected = cells(pa.table(kernel.count(pa.table(kept), asked)))
    assert 0 < expected[1, 0] <= 62 * most
    rows = la.spark.SparkRows(spark.createDataFrame(table).repartition(4))
    try:
        rows.columns()
        rows.code(bytes_)
        assert cells(rows.count(asked)) == expected
    finally:
        rows.close()
