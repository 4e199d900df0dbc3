"""A typed file and its synthetic rows have the same types, field by field."""

from __future__ import annotations

import datetime as dt
import decimal
import pathlib
from typing import Any

import pytest

import lookalike as la

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

ROWS = 400
DAY = dt.date(2020, 1, 1)
NOON = dt.datetime(2020, 1, 1, 12)


def days(row: int) -> dt.date:
    return DAY + dt.timedelta(days=row * 7 % 90)


def moments(row: int) -> dt.datetime:
    return NOON + dt.timedelta(seconds=row * 4099)


def some(value: Any, row: int) -> Any:
    return None if row % 11 == 0 else value


def real() -> Any:
    """A table with a column of every type."""
    columns: list[tuple[Any, list[Any]]] = []

    def add(name: str, kind: Any, cell: Any, nullable: bool = True) -> None:
        field = pa.field(name, kind, nullable=nullable)
        cells = [some(cell(row), row) if nullable else cell(row) for row in range(ROWS)]
        columns.append((field, cells))

    for bits in (8, 16, 32, 64):
        add(f"int{bits}", getattr(pa, f"int{bits}")(), lambda row: row % 41 - 9)
        add(f"uint{bits}", getattr(pa, f"uint{bits}")(), lambda row: row % 41, nullable=False)
    add("float32", pa.float32(), lambda row: row % 30 / 10)
    add("float64", pa.float64(), lambda row: row % 30 / 10)
    add("whole", pa.float32(), lambda row: float(row % 5))
    add("price", pa.decimal128(5, 2), lambda row: decimal.Decimal(row % 37 * 25) / 100)
    add("wide", pa.decimal256(50, 3), lambda row: decimal.Decimal(row % 37 * 125) / 1000)
    add("truth", pa.bool_(), lambda row: row % 3 == 0)
    add("day", pa.date32(), days)
    add("day64", pa.date64(), days)
    add("moment s", pa.timestamp("s"), moments)
    add("moment ms", pa.timestamp("ms", "+02:00"), moments)
    add("moment us", pa.timestamp("us", "UTC"), moments)
    add("moment ns", pa.timestamp("ns", "Europe/Vienna"), moments)
    add("clock", pa.time64("us"), lambda row: dt.time(row % 24, row % 60))
    add("word", pa.string(), lambda row: ["north", "south", "east"][row % 3], nullable=False)
    add("long", pa.large_string(), lambda row: ["north", "south", "east"][row % 3])
    add("category", pa.dictionary(pa.int32(), pa.string()), lambda row: ["a", "b"][row % 2])
    add("ordered", pa.dictionary(pa.int32(), pa.string(), ordered=True), lambda row: ["a", "b"][row % 2])
    arrays = [pa.array(cells, type=field.type) for field, cells in columns]
    return pa.Table.from_arrays(arrays, schema=pa.schema([field for field, _ in columns]))


def confirmed(rows: Any) -> la.Schema:
    draft = la.Schema.draft(rows)
    return draft.review(accept=draft.marks)


def released(schema: la.Schema, rows: Any, folder: pathlib.Path) -> pathlib.Path:
    maker = la.Synthesizer(epsilon=5.0, schema=schema, progress=False, method="independent")
    maker.fit(rows, spend_again=True).release_.save(folder, format="parquet")
    return folder / "release" / "synthetic.parquet"


def dtypes(path: pathlib.Path) -> dict[str, Any]:
    """Of categories what the header says: in which order a file has them follows from its rows."""
    found = pd.read_parquet(path).dtypes.to_dict()
    categories = {name: (sorted(kind.categories), kind.ordered) for name, kind in found.items() if kind == "category"}
    return found | categories


@pytest.mark.parametrize("integers", [False, True], ids=["decimals as bytes", "decimals as integers"])
def test_parquet_schemas_are_equal(integers: bool, tmp_path: pathlib.Path) -> None:
    one = tmp_path / "real.parquet"
    pq.write_table(real(), one, store_decimal_as_integer=integers)
    schema = confirmed(one)
    other = released(schema, one, tmp_path / "out")
    # polars knows no decimals of more than 38 digits.
    names = [name for name in real().schema.names if name != "wide"]
    for read in (pq.read_schema, lambda path: pl.read_parquet(path, columns=names).schema, dtypes):
        assert read(one) == read(other)
    physical = [pq.ParquetFile(path).schema for path in (one, other)]
    for place in range(len(physical[0])):
        kinds = [(column.name, column.physical_type, str(column.logical_type), column.max_definition_level) for column in (schema.column(place) for schema in physical)]
        assert kinds[0] == kinds[1]


def test_frames_come_back_in_their_types(tmp_path: pathlib.Path) -> None:
    rows = real()
    schema = confirmed(rows)
    drawn = la.Synthesizer(epsilon=5.0, schema=schema, progress=False, method="independent").fit(rows, spend_again=True).sample(50, seed=1)
    assert drawn.schema.equals(rows.schema)
    frame = rows.to_pandas()
    again = la.Synthesizer(epsilon=5.0, schema=schema, progress=False, method="independent").fit(frame, spend_again=True).sample(50, seed=1)
    assert again["category"].dtype == "category" and again["int8"].notna().any()


def test_a_discovered_schema_keeps_types(tmp_path: pathlib.Path) -> None:
    rows = real().select(["int16", "uint8", "price", "moment us", "word", "category"])
    maker = la.Synthesizer(epsilon=50.0, progress=False, method="independent").fit(rows, spend_again=True)
    kinds = dict(zip(maker.sample(20, seed=1).schema.names, maker.sample(20, seed=1).schema))
    for name in ("uint8", "word", "category"):
        assert kinds[name] == rows.schema.field(name), name
    assert str(kinds["moment us"].type) == "timestamp[us, tz=UTC]"
