"""Frames come back as they came in: the same kind, names, order and types, with that frame's own missing."""

from __future__ import annotations

import datetime as dt
import decimal
import random

import pytest
from conftest import people

import lookalike as la

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

ROWS = 300


def fit(frame, columns, **settings):
    synth = la.Synthesizer(epsilon=5.0, schema={"columns": columns}, progress=False, **settings)
    return synth.fit(frame, spend_again=True)


def cells(make, missing=0.0, none=None):
    draw = random.Random(5)
    return [none if draw.random() < missing else make(draw) for _ in range(ROWS)]


INTEGER = {"type": "integer", "range": [0, 9], "missing": True}
NUMBER = {"type": "number", "range": [0, 1], "decimals": 2, "missing": True}
WORD = {"type": "category", "values": ["a", "b", "c"], "missing": True}
TRUTH = {"type": "boolean", "missing": True}
DAY = {"type": "date", "range": ["2020-01-01", "2021-12-31"], "missing": True}
TIME = {"type": "datetime", "range": ["2020-01-01T00:00:00", "2021-12-31T23:59:59"], "missing": True}

DIGIT = lambda draw: draw.randrange(10)  # noqa: E731
SHARE = lambda draw: round(draw.random(), 2)  # noqa: E731
LETTER = lambda draw: draw.choice("abc")  # noqa: E731
COIN = lambda draw: draw.random() < 0.5  # noqa: E731
DATE = lambda draw: dt.date(2020, 1, 1) + dt.timedelta(days=draw.randrange(700))  # noqa: E731
MOMENT = lambda draw: dt.datetime(2020, 1, 1) + dt.timedelta(seconds=draw.randrange(60_000_000))  # noqa: E731

PANDAS = {
    "int64": (lambda: pd.Series(cells(DIGIT)), INTEGER),
    "int8": (lambda: pd.Series(cells(DIGIT), dtype="int8"), INTEGER),
    "uint16": (lambda: pd.Series(cells(DIGIT), dtype="uint16"), INTEGER),
    "float64 of whole numbers with missing": (lambda: pd.Series(cells(DIGIT, 0.2), dtype="float64"), INTEGER),
    "float32": (lambda: pd.Series(cells(SHARE), dtype="float32"), NUMBER),
    "float64 with missing": (lambda: pd.Series(cells(SHARE, 0.2, float("nan"))), NUMBER),
    "bool": (lambda: pd.Series(cells(COIN)), TRUTH),
    "str": (lambda: pd.Series(cells(LETTER, 0.1)), WORD),
    "string": (lambda: pd.Series(cells(LETTER, 0.1), dtype="string"), WORD),
    "object of texts": (lambda: pd.Series(cells(LETTER, 0.1), dtype=object), WORD),
    "object of truth and missing": (lambda: pd.Series(cells(COIN, 0.2), dtype=object), TRUTH),
    "object of mixed kinds": (
        lambda: pd.Series(cells(lambda draw: draw.choice([1, "b", 2.0]), 0.1), dtype=object),
        {"type": "category", "values": ["1", "b", "2"], "missing": True},
    ),
    "object of dates": (lambda: pd.Series(cells(DATE, 0.1), dtype=object), DAY),
    "object of decimals": (
        lambda: pd.Series(cells(lambda draw: decimal.Decimal(draw.randrange(100)) / 100, 0.1), dtype=object),
        NUMBER,
    ),
    "Int64": (lambda: pd.Series(cells(DIGIT, 0.2), dtype="Int64"), INTEGER),
    "UInt8": (lambda: pd.Series(cells(DIGIT, 0.2), dtype="UInt8"), INTEGER),
    "Float64": (lambda: pd.Series(cells(SHARE, 0.2), dtype="Float64"), NUMBER),
    "boolean": (lambda: pd.Series(cells(COIN, 0.2), dtype="boolean"), TRUTH),
    "category": (lambda: pd.Series(cells(LETTER, 0.1)).astype(pd.CategoricalDtype(["c", "a", "b"])), WORD),
    "ordered category": (
        lambda: pd.Series(cells(LETTER)).astype(pd.CategoricalDtype(["b", "a", "c"], ordered=True)),
        {**WORD, "values": ["b", "a", "c"]},
    ),
    "category of whole numbers": (
        lambda: pd.Series(cells(lambda draw: draw.choice([1, 2, 3]))).astype("category"),
        {"type": "category", "values": ["1", "2", "3"]},
    ),
    "datetime64[ns]": (lambda: pd.Series(pd.to_datetime(cells(MOMENT, 0.1))).astype("datetime64[ns]"), TIME),
    "datetime64[s]": (lambda: pd.Series(pd.to_datetime(cells(MOMENT))).astype("datetime64[s]"), TIME),
    "datetime64 of days": (lambda: pd.Series(pd.to_datetime(cells(DATE, 0.1))).astype("datetime64[us]"), DAY),
    "datetime64 with a zone": (
        lambda: pd.Series(pd.to_datetime(cells(MOMENT, 0.1))).dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"),
        TIME,
    ),
    "int64[pyarrow]": (lambda: pd.Series(cells(DIGIT, 0.2), dtype="int64[pyarrow]"), INTEGER),
    "string[pyarrow]": (lambda: pd.Series(cells(LETTER, 0.2), dtype="string[pyarrow]"), WORD),
    "bool[pyarrow]": (lambda: pd.Series(cells(COIN, 0.2), dtype="bool[pyarrow]"), TRUTH),
    "date32[pyarrow]": (lambda: pd.Series(cells(DATE, 0.2), dtype=pd.ArrowDtype(pa.date32())), DAY),
    "timestamp[pyarrow]": (lambda: pd.Series(cells(MOMENT, 0.2), dtype=pd.ArrowDtype(pa.timestamp("us"))), TIME),
    "dictionary[pyarrow]": (
        lambda: pd.Series(cells(LETTER, 0.2), dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        WORD,
    ),
    "numbers as text": (lambda: pd.Series([str(cell) for cell in cells(DIGIT)], dtype=object), INTEGER),
    "dates as text": (lambda: pd.Series([str(cell) for cell in cells(DATE)], dtype="string"), DAY),
    "Sparse[int64]": (lambda: pd.Series(cells(DIGIT)).astype(pd.SparseDtype("int64", 0)), INTEGER),
    "period": (lambda: pd.Series(pd.period_range("2020-01-01", periods=ROWS, freq="D")), DAY),
}


@pytest.mark.parametrize("case", PANDAS)
def test_pandas(case):
    make, kind = PANDAS[case]
    series = make()
    frame = pd.DataFrame({"first": cells(DIGIT), "x": series, "last one": cells(LETTER)})
    out = fit(frame, {"first": INTEGER, "x": kind, "last one": WORD}).sample(200, seed=1)
    assert isinstance(out, pd.DataFrame) and len(out) == 200
    assert list(out.columns) == list(frame.columns)
    assert list(out.index) == list(range(200))
    assert dict(out.dtypes) == dict(frame.dtypes), case
    # The cells are of the frame's own values, and missing as the frame has it.
    if series.isna().any():
        assert out["x"].isna().any()
    there = set(out["x"].dropna())
    if kind in (INTEGER, WORD) or "values" in kind:
        assert there and there <= {str(v) if case == "object of mixed kinds" else v for v in cells_of(series, kind, case)}


def cells_of(series, kind, case):
    if kind is INTEGER and "text" not in case:
        return list(range(10))
    if case == "object of mixed kinds":
        return ["1", "b", "2"]
    if case == "numbers as text":
        return list(range(10))
    return list(series.dropna())


def test_numpy_integers_that_get_a_missing_cell_become_nullable():
    frame = pd.DataFrame({"n": cells(DIGIT)}, dtype="int32")
    release = fit(frame.astype("float64").where(frame.n > 2), {"n": INTEGER})
    form = la.release.form_of(frame)
    out = form.give(release.release_._native.own_rows())
    assert str(out["n"].dtype) == "Int32" and out["n"].isna().any()


def test_names_that_are_no_texts_and_an_index_with_a_name():
    frame = pd.DataFrame({0: cells(DIGIT), 1: cells(LETTER)}, index=pd.Index(range(7, 7 + ROWS), name="key"))
    out = fit(frame, {"0": INTEGER, "1": WORD}).sample(50, seed=1)
    assert list(out.columns) == [0, 1]
    assert out.index.name == "key" and list(out.index) == list(range(50))


@pytest.mark.parametrize(
    ("frame", "word"),
    [
        (lambda: pd.DataFrame({"x": pd.to_timedelta(cells(DIGIT), unit="s")}), "duration"),
        (lambda: pl.DataFrame({"x": [dt.timedelta(seconds=1)] * 3}), "duration"),
        (lambda: pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than once"),
        (lambda: pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "several levels"),
        (lambda: pd.Series([1]), "no table"),
        (lambda: {"x": [1]}, "no table"),
        (lambda: 7, "no table"),
        (lambda: pd.DataFrame({"x": [1 + 2j]}), "complex"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(frame, word):
    with pytest.raises(la.DataError, match=word) as error:
        la.Synthesizer(epsilon=1.0, schema={"columns": {"x": INTEGER}}).fit(frame())
    assert "\n" not in str(error.value)


POLARS = {
    **{str(kind): (kind, DIGIT, INTEGER) for kind in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt32, pl.UInt64)},
    "Float32": (pl.Float32, SHARE, NUMBER),
    "Float64": (pl.Float64, SHARE, NUMBER),
    "Decimal": (pl.Decimal(10, 2), lambda draw: decimal.Decimal(draw.randrange(100)) / 100, NUMBER),
    "Boolean": (pl.Boolean, COIN, TRUTH),
    "String": (pl.String, LETTER, WORD),
    "Categorical": (pl.Categorical, LETTER, WORD),
    "Enum": (pl.Enum(["c", "b", "a"]), LETTER, WORD),
    "Date": (pl.Date, DATE, DAY),
    "Datetime(us)": (pl.Datetime("us"), MOMENT, TIME),
    "Datetime(ms)": (pl.Datetime("ms"), MOMENT, TIME),
    "Datetime(ns, zone)": (pl.Datetime("ns", "Europe/Berlin"), MOMENT, TIME),
}


@pytest.mark.parametrize("case", POLARS)
def test_polars(case):
    kind, make, fact = POLARS[case]
    values = cells(make, 0.2)
    if getattr(kind, "time_zone", None):
        column = pl.Series("x", values, pl.Datetime("ns")).dt.replace_time_zone(
            "Europe/Berlin", ambiguous="earliest", non_existent="null"
        )
    else:
        column = pl.Series("x", values, kind, strict=False)
    frame = pl.DataFrame([pl.Series("last one", cells(LETTER)), column])
    out = fit(frame, {"last one": WORD, "x": fact}).sample(200, seed=1)
    assert isinstance(out, pl.DataFrame)
    assert dict(out.schema) == dict(frame.schema) and out.columns == frame.columns
    assert out["x"].null_count() > 0
    assert out["x"].drop_nulls().n_unique() > 1


def test_a_lazy_frame_is_collected():
    out = fit(pl.LazyFrame({"x": cells(DIGIT)}), {"x": INTEGER}).sample(9, seed=1)
    assert isinstance(out, pl.DataFrame) and out.schema == {"x": pl.Int64}


ARROW = {
    "int16": (pa.int16(), DIGIT, INTEGER),
    "large_string": (pa.large_string(), LETTER, WORD),
    "string_view": (pa.string_view(), LETTER, WORD),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), LETTER, WORD),
    "date64": (pa.date64(), DATE, DAY),
    "timestamp": (pa.timestamp("s"), MOMENT, TIME),
    "timestamp with a zone": (pa.timestamp("ms", "America/New_York"), MOMENT, TIME),
    "decimal": (pa.decimal128(9, 2), lambda draw: decimal.Decimal(draw.randrange(100)) / 100, NUMBER),
    "float16": (pa.float16(), lambda draw: __import__("numpy").float16(SHARE(draw)), NUMBER),
    "bool": (pa.bool_(), COIN, TRUTH),
}


@pytest.mark.parametrize("case", ARROW)
def test_pyarrow(case):
    kind, make, fact = ARROW[case]
    table = pa.table({"x": pa.array(cells(make, 0.1), kind), "y": pa.array(cells(LETTER))})
    out = fit(table, {"x": fact, "y": WORD}).sample(200, seed=1)
    assert isinstance(out, pa.Table) and out.schema.equals(table.schema), out.schema
    assert out["x"].null_count > 0


def test_streams_iterators_and_single_batches():
    table = pa.table({"x": cells(DIGIT), "y": cells(LETTER)})
    columns = {"x": INTEGER, "y": WORD}
    for data in (
        table.to_reader(max_chunksize=50),
        table.to_batches(max_chunksize=50),
        (batch for batch in table.to_batches(max_chunksize=50)),
        table.to_batches()[0],
    ):
        out = fit(data, columns).sample(20, seed=1)
        assert isinstance(out, pa.Table) and out.column_names == ["x", "y"]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    frame = pd.DataFrame({"n": cells(DIGIT), "w": cells(LETTER), "day": cells(DATE), "moment": cells(MOMENT)})
    connection = duckdb.connect()
    relation = connection.from_df(frame).project(
        "n::SMALLINT AS n, w, w::ENUM('a','b','c') AS e, day::DATE AS day, moment::TIMESTAMP AS moment, (n/10.0)::DECIMAL(6,2) AS d"
    )
    columns = {"n": INTEGER, "w": WORD, "e": WORD, "day": DAY, "moment": TIME, "d": NUMBER}
    out = fit(relation, columns).sample(50, seed=1)
    assert type(out).__name__ == "DuckDBPyRelation"
    assert out.columns == relation.columns and list(map(str, out.types)) == list(map(str, relation.types))
    assert len(out.fetchall()) == 50


@pytest.mark.filterwarnings("ignore")
def test_ibis():
    ibis = pytest.importorskip("ibis")
    table = ibis.memtable(pd.DataFrame({"n": cells(DIGIT), "w": cells(LETTER)}))
    out = fit(table, {"n": INTEGER, "w": WORD}).sample(50, seed=1)
    assert out.schema() == table.schema()
    assert out.count().execute() == 50


def test_numpy():
    np = pytest.importorskip("numpy")
    out = fit(np.array([cells(DIGIT), cells(DIGIT)]).T, {"x0": INTEGER, "x1": INTEGER}).sample(50, seed=1)
    assert out.shape == (50, 2) and out.dtype.kind == "i"


def test_a_path_comes_out_as_a_frame_or_as_asked(release):
    assert isinstance(release.sample(5, seed=1), pd.DataFrame)
    assert isinstance(release.sample(5, seed=1, output="polars"), pl.DataFrame)
    assert isinstance(release.sample(5, seed=1, output="pyarrow"), pa.Table)
    rows = release.sample(5, seed=1, output="rows")
    assert isinstance(rows, la.Rows) and len(rows.to_dict()["age"]) == 5
    assert rows.to_dict()["age"] == list(release.sample(5, seed=1)["age"])
    with pytest.raises(la.SettingError, match="output"):
        release.sample(5, output="excel")


def test_the_index_and_the_order_of_rows_do_not_matter():
    frame = pd.DataFrame(people())
    turned = frame.sample(frac=1.0, random_state=3)
    la.Synthesizer(epsilon=1.0, schema=None, progress=False).fit(frame, spend_again=True)
    with pytest.raises(la.BudgetError, match="fitted before"):
        la.Synthesizer(epsilon=1.0, schema=None, progress=False).fit(turned)
