"""A frame and a CSV file of the same table are the same to the program, cell by cell and byte by byte."""

from __future__ import annotations

import random

import pytest
from conftest import SCHEMA, csv_of, needs_test_noise, people

import lookalike as la

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pytestmark = needs_test_noise


def codes(schema: la.Schema, data) -> dict[str, list[int]]:
    return dict(la._native.codes(schema._native, la.release.form_of(data).frames()))


def forms(columns):
    frame = pd.DataFrame(columns)
    yield "pandas", frame
    yield "pandas, objects", frame.astype(object)
    yield "pandas, nullable", frame.convert_dtypes()
    yield "pandas, arrow", frame.convert_dtypes(dtype_backend="pyarrow")
    yield "pandas, categories", frame.assign(sex=frame.sex.astype("category"), answer=frame.answer.astype("category"))
    yield "polars", pl.DataFrame(columns)
    yield "arrow", pl.DataFrame(columns).to_arrow()


def test_codes_of_ordinary_cells(tmp_path, schema):
    schema = schema.with_column("weight", type="number", range=[0, 200], decimals=1, bins=2000, missing=True)
    columns = people(3000, seed=31)
    expected = codes(schema, csv_of(tmp_path, columns))
    assert set(expected) == set(columns) and len(set(expected["weight"])) > 100
    for name, data in forms(columns):
        assert codes(schema, data) == expected, name


def test_codes_of_folders_patterns_and_arrow_files(tmp_path, schema):
    feather = pytest.importorskip("pyarrow.feather")
    columns = people(300, seed=32)
    expected = codes(schema, csv_of(tmp_path, columns))
    table = pl.DataFrame(columns).to_arrow()
    (tmp_path / "parts").mkdir()
    for part, start in enumerate(range(0, 300, 100)):
        feather.write_feather(table.slice(start, 100), str(tmp_path / "parts" / f"{part}.feather"))
    feather.write_feather(table, str(tmp_path / "one.feather"))
    for name in ["one.feather", "parts", "parts/*.feather"]:
        assert codes(schema, str(tmp_path / name)) == expected, name
        assert codes(schema, tmp_path / name) == expected, name


HOSTILE = {
    "whole": [0, -1, 9, 10, 2**40, None, 5, 3, 9, 0],
    "part": [0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e300, 0.5, 0.005, 0.015, None],
    "word": ["a", " a ", "A", "", "b,c", 'q"q', "ü", "\u0661", "nul\x01", None],
    "day": ["2020-01-01", "2020-02-30", "1999-12-31", "2021-12-31", "x", "", None, "2020-06-15", "2020-12-31", "2022-01-01"],
}
HOSTILE_SCHEMA = {
    "columns": {
        "whole": {"type": "integer", "range": [0, 9]},
        "part": {"type": "number", "range": [0, 1], "decimals": 2},
        "word": {"type": "category", "values": ["a", "b,c", 'q"q', "ü"], "other": "rest"},
        "day": {"type": "date", "range": ["2020-01-01", "2021-12-31"]},
    }
}


def test_codes_of_hostile_cells(tmp_path):
    schema = la.Schema(HOSTILE_SCHEMA)
    frame = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in HOSTILE.items()})
    path = tmp_path / "hostile.csv"
    frame.to_csv(path, index=False)
    expected = codes(schema, str(path))
    assert codes(schema, frame) == expected
    typed = frame.assign(part=frame.part.astype("float64"), whole=frame.whole.astype("Int64"), word=frame.word.astype("string"))
    assert codes(schema, typed) == expected


@pytest.mark.parametrize("table", range(25))
def test_codes_of_generated_tables(tmp_path, table):
    """Tables of every column type that a schema can have."""
    draw = random.Random(1000 + table)
    rows = 200
    columns, facts = {}, {}
    for place in range(draw.randrange(1, 9)):
        kind = draw.choice(["integer", "number", "category", "boolean", "date", "datetime"])
        name = f"c {place}"
        gone = draw.choice([0.0, 0.2])
        if kind == "integer":
            low = draw.randrange(-1000, 1000)
            make, facts[name] = (lambda low=low: draw.randrange(low - 5, low + 300)), {"type": kind, "range": [low, low + 250]}
        elif kind == "number":
            make, facts[name] = (lambda: round(draw.lognormvariate(0, 3), 3)), {"type": kind, "range": [0, 50], "decimals": draw.choice([0, 1, 3])}
        elif kind == "category":
            words = [f"w{n}" for n in range(draw.randrange(1, 40))]
            make, facts[name] = (lambda words=words: draw.choice([*words, "zz"])), {"type": kind, "values": words, "other": "rest"}
        elif kind == "boolean":
            make, facts[name] = (lambda: draw.random() < 0.5), {"type": kind}
        elif kind == "date":
            make, facts[name] = (lambda: pd.Timestamp("2020-01-01") + pd.Timedelta(days=draw.randrange(-9, 900))), {"type": kind, "range": ["2020-01-01", "2021-12-31"]}
        else:
            make, facts[name] = (lambda: pd.Timestamp("2020-01-01") + pd.Timedelta(seconds=draw.randrange(90_000_000))), {"type": kind, "range": ["2020-01-01T00:00:00", "2021-12-31T23:59:59"]}
        columns[name] = pd.Series([None if draw.random() < gone else make() for _ in range(rows)])
    frame = pd.DataFrame(columns)
    schema = la.Schema({"columns": facts})
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    expected = codes(schema, str(path))
    assert codes(schema, frame) == expected
    assert codes(schema, pl.from_pandas(frame)) == expected


def test_times_with_a_zone_are_those_on_the_wall(tmp_path):
    schema = la.Schema({"columns": {"at": {"type": "datetime", "range": ["2020-01-01T00:00:00", "2020-12-31T23:59:59"]}}})
    at = pd.Series(pd.date_range("2020-03-28", periods=200, freq="37min", tz="UTC")).dt.tz_convert("Europe/Berlin")
    frame = pd.DataFrame({"at": at})
    path = tmp_path / "zones.csv"
    frame.to_csv(path, index=False)
    expected = codes(schema, str(path))
    assert codes(schema, frame) == expected
    assert codes(schema, pl.from_pandas(frame)) == expected
    assert codes(schema, pl.from_pandas(frame).to_arrow()) == expected


def test_the_same_model_under_the_same_noise_and_under_replayed_answers(tmp_path):
    columns = people(2000, seed=32)
    path = csv_of(tmp_path, columns)

    def model(data, **test):
        run = la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False, rows=100)
        return run._fit(data, True, test).release_._native.model_bytes()

    seeded = model(path, seed=5)
    tape = la._native.Recording()
    taped = model(path, recording=tape)
    assert taped != seeded
    for name, data in forms(columns):
        assert model(data, seed=5) == seeded, name
        assert model(data, recording=tape, replays=True) == taped, name


def test_discovery_of_a_frame_is_that_of_its_texts(tmp_path):
    columns = people(4000, seed=33)
    path = csv_of(tmp_path, columns)

    def found(data):
        run = la.Synthesizer(epsilon=3.0, progress=False, rows=100)
        return run._fit(data, True, {"seed": 9}).release_.schema.to_dict()

    expected = found(path)
    assert set(expected["columns"]) == set(columns)
    of_frame = found(pl.DataFrame(columns))
    # How a frame stores its columns is told by its header, which texts do not have.
    stored = {name: column.pop("stored") for name, column in of_frame["columns"].items()}
    assert of_frame == expected and stored["age"] == "int64"
