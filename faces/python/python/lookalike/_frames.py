"""Frames in and out.

A `Form` is what a frame looks like without its rows: the library, the names and the types. Rows come
in as objects with Arrow's C interface, and go out in the form that they came in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from . import _native
from .errors import DataError, SettingError

# Rows of a pandas frame that are handed over at a time: enough to keep all cores busy, few enough
# that the copy which pandas needs is small.
SLICE_ROWS = 131_072

# What a schema says of its columns.
Facts = dict[str, dict[str, Any]]

_NO_DURATION = "durations have no type in a schema; give the column as a number, such as seconds"


class Form:
    """What a frame looks like without its rows."""

    kind = "rows"

    def names(self) -> list[str] | None:
        """The columns in the frame's order, as texts; ``None`` where they are not known."""
        return None

    def frames(self) -> str | Iterable[Any]:
        """What the native module reads: a path, or an iterator of objects with Arrow's C interface."""
        raise NotImplementedError

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        """The rows in this form; ``facts`` are what the release's schema says of the columns."""
        return rows

    def never_missing(self) -> list[str]:
        """Columns whose type has no missing cell."""
        return []

    def without_rows(self) -> Form:
        """The same form that holds no frame any more."""
        return self


def form_of(data: Any) -> Form:
    """The form of whatever a caller hands over as a table."""
    if isinstance(data, (str, os.PathLike)):
        return PathForm(os.fspath(data))
    library, name = type(data).__module__.split(".")[0], type(data).__name__
    if library == "pandas" and name == "DataFrame":
        return PandasForm(data)
    if library == "pandas" and name == "Series":
        raise DataError("a single column is no table; pass a frame, such as series.to_frame()")
    if library == "polars":
        if name == "LazyFrame":
            data = data.collect()
        if type(data).__name__ == "DataFrame":
            return PolarsForm(data)
        raise DataError("a single column is no table; pass a frame, such as series.to_frame()")
    if library == "numpy":
        return NumpyForm(data)
    if library in ("duckdb", "_duckdb"):
        return DuckdbForm(data)
    if library == "ibis":
        return IbisForm(data)
    if library == "pyarrow" and name in ("Table", "RecordBatch"):
        return ArrowForm(data, data.schema)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return ArrowForm(data, None)
    if isinstance(data, dict):
        raise DataError("a dict is no table; make a frame of it, such as pandas.DataFrame(data)")
    if isinstance(data, list) and data and isinstance(data[0], (dict, list, tuple)):
        raise DataError("a list of rows is no table; make a frame of it, such as pandas.DataFrame(data)")
    if isinstance(data, Iterable):
        return ArrowForm(data, None, many=True)
    raise DataError(
        f"{type(data).__name__} is no table; pass a pandas, polars or pyarrow frame, a duckdb relation, an ibis table,"
        " an iterator of Arrow batches, or a path"
    )


def form_named(name: str) -> Form:
    """The plain form of that library: no types but those of the schema."""
    forms: dict[str, Callable[[], Form]] = {
        "pandas": PlainPandas,
        "polars": PlainPolars,
        "pyarrow": lambda: ArrowForm(None, None),
        "rows": Form,
    }
    if name not in forms:
        raise SettingError(f"output: {name!r} is not known; write one of {', '.join(forms)}")
    return forms[name]()


def installed_form() -> Form:
    """The plain form of the first library that is there."""
    for name, module in (("pandas", "pandas"), ("polars", "polars"), ("pyarrow", "pyarrow")):
        if _is_there(module) and (name != "pandas" or _is_there("pyarrow")):
            return form_named(name)
    return Form()


def _is_there(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def pyarrow() -> Any:
    """pyarrow, or one sentence about it."""
    try:
        import pyarrow
    except ImportError:
        raise DataError("pandas hands frames over through pyarrow, which is missing; pip install 'lookalike[pandas]'") from None
    return pyarrow


def unique(names: Sequence[Any]) -> list[str]:
    """Column names as texts, each once."""
    texts = [str(name) for name in names]
    twice = sorted({name for name in texts if texts.count(name) > 1})
    if twice:
        raise DataError(f"column {twice[0]!r} is there more than once; give every column a name of its own")
    return texts


class PathForm(Form):
    """A file. Its rows go out as the first library of frames that is installed has them."""

    kind = "path"

    def __init__(self, path: str) -> None:
        self.path = path

    def frames(self) -> str:
        return self.path

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        return installed_form().give(rows, facts)


class ArrowForm(Form):
    """Whatever has Arrow's C interface. Goes out as a pyarrow table where pyarrow is there."""

    kind = "pyarrow"

    def __init__(self, data: Any, schema: Any, many: bool = False) -> None:
        self._data, self._schema, self._many = data, schema, many

    def names(self) -> list[str] | None:
        return None if self._schema is None else unique(self._schema.names)

    def frames(self) -> Iterable[Any]:
        return self._data if self._many else iter([self._data])

    def without_rows(self) -> Form:
        return ArrowForm(None, self._schema)

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        if not _is_there("pyarrow"):
            return rows
        table = pyarrow().table(rows)
        if self._schema is None:
            return table
        # Whatever else the fields carry along may have been read from the rows.
        wanted = [field.remove_metadata() for field in self._schema if field.name in table.column_names]
        columns = [as_arrow_type(table.column(field.name), field.type, _pattern(facts, field.name)) for field in wanted]
        fields = [field.with_type(column.type) for field, column in zip(wanted, columns)]
        nullable = [field.with_nullable(field.nullable or column.null_count > 0) for field, column in zip(fields, columns)]
        return pyarrow().table(columns, schema=pyarrow().schema(nullable))


def _pattern(facts: Facts | None, name: str) -> str | None:
    """How the schema writes the dates of a column."""
    pattern = (facts or {}).get(name, {}).get("format")
    return pattern if isinstance(pattern, str) and "%" in pattern else None


def as_arrow_type(column: Any, wanted: Any, pattern: str | None = None) -> Any:
    """The cells as that type, or as they are where they cannot be; dates as text as the schema writes them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.type == wanted:
        return column
    try:
        if pa.types.is_dictionary(wanted):
            values = as_arrow_type(column, wanted.value_type)
            encoded = values.dictionary_encode()
            return encoded.cast(pa.dictionary(wanted.index_type, wanted.value_type, encoded.type.ordered))
        if pa.types.is_timestamp(wanted) and wanted.tz is not None:
            naive = column.cast(pa.timestamp(wanted.unit))
            return pc.assume_timezone(naive, wanted.tz, ambiguous="earliest", nonexistent="latest")
        if pa.types.is_boolean(wanted) and pa.types.is_string(column.type):
            return pc.equal(pc.utf8_lower(column), "true")
        if pa.types.is_boolean(column.type) and (pa.types.is_string(wanted) or pa.types.is_large_string(wanted)):
            return column.cast(pa.string()).cast(wanted)
        if pa.types.is_temporal(column.type) and not pa.types.is_temporal(wanted):
            # As released files write it.
            usual = "%Y-%m-%dT%H:%M:%S" if pa.types.is_timestamp(column.type) else "%Y-%m-%d"
            return pc.strftime(column.cast(pa.timestamp("s"), safe=False), pattern or usual).cast(wanted)
        if pa.types.is_date64(wanted) and pa.types.is_timestamp(column.type):
            return column.cast(pa.date32()).cast(wanted)
        if pa.types.is_decimal(wanted) and pa.types.is_floating(column.type):
            return pc.round(column, wanted.scale).cast(wanted, safe=False)
        return column.cast(wanted)
    except pa.ArrowInvalid:
        try:
            # A number may be out of place by less than the type can tell.
            return column.cast(wanted, safe=False)
        except pa.ArrowException:
            return column
    except pa.ArrowException:
        return column


class PlainPandas(Form):
    """A pandas frame with pandas' own types."""

    kind = "pandas"

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        return pyarrow().table(rows).to_pandas()


class PandasForm(Form):
    """A pandas frame. Its index is not read; what goes out has a fresh one, counted from 0."""

    kind = "pandas"

    def __init__(self, frame: Any) -> None:
        import pandas as pd

        pyarrow()
        if isinstance(frame.columns, pd.MultiIndex):
            raise DataError("columns of several levels have no names of their own; join the levels first")
        self._texts = unique(list(frame.columns))
        self._given = list(frame.columns)
        self._column_index_name = frame.columns.name
        self._dtypes = list(frame.dtypes)
        self._index_name = frame.index.name if not isinstance(frame.index, pd.MultiIndex) else None
        self._kinds = [_pandas_kind(frame.iloc[:, place], name) for place, name in enumerate(self._texts)]
        self._frame: Any = frame

    def names(self) -> list[str]:
        return self._texts

    def never_missing(self) -> list[str]:
        import numpy as np

        inner = (getattr(dtype, "subtype", dtype) for dtype in self._dtypes)
        plain = (isinstance(dtype, np.dtype) and dtype.kind in "iub" for dtype in inner)
        return [name for name, cannot in zip(self._texts, plain) if cannot]

    def without_rows(self) -> Form:
        form = PandasForm.__new__(PandasForm)
        form.__dict__.update({**self.__dict__, "_frame": None})
        return form

    def frames(self) -> Iterator[Any]:
        pa = pyarrow()
        schema = pa.schema([pa.field(name, kind) for name, (kind, _) in zip(self._texts, self._kinds)])
        for start in range(0, max(len(self._frame), 1), SLICE_ROWS):
            part = self._frame.iloc[start : start + SLICE_ROWS]
            columns = [
                _pandas_slice(part.iloc[:, place], kind, as_text)
                for place, (kind, as_text) in enumerate(self._kinds)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        import pandas as pd

        table = pyarrow().table(rows)
        there = [place for place, name in enumerate(self._texts) if name in table.column_names]
        columns = {
            place: _as_pandas(
                table.column(self._texts[place]),
                self._dtypes[place],
                self._kinds[place][0],
                (facts or {}).get(self._texts[place], {}),
            )
            for place in there
        }
        frame = pd.DataFrame(columns)
        if not there:
            frame = pd.DataFrame(index=pd.RangeIndex(len(rows)))
        frame.columns = pd.Index([self._given[place] for place in there], name=self._column_index_name)
        frame.index.name = self._index_name
        return frame


def _pandas_kind(column: Any, name: str) -> tuple[Any, bool]:
    """The Arrow type that a column is handed over as, and whether its cells have to be written as text."""
    import pandas as pd

    pa = pyarrow()
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        kind, as_text = _pandas_kind(pd.Series(dtype.categories), name)
        return pa.dictionary(pa.int32(), kind), as_text
    if getattr(dtype, "kind", "") == "m":
        raise DataError(f"column {name!r}: {_NO_DURATION}")
    if getattr(dtype, "kind", "") == "c":
        raise DataError(f"column {name!r}: complex numbers have no type in a schema; split them into two columns")
    if isinstance(dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        return pa.string(), True
    if dtype == object:
        # Cell by cell: what one cell is read as must not hang on what another one is.
        return pa.string(), True
    if isinstance(dtype, pd.SparseDtype):
        return _pandas_kind(column.sparse.to_dense().iloc[:0], name)
    if isinstance(dtype, pd.ArrowDtype):
        if pa.types.is_duration(dtype.pyarrow_dtype):
            raise DataError(f"column {name!r}: {_NO_DURATION}")
        return dtype.pyarrow_dtype, False
    return pa.array(column.iloc[:0], from_pandas=True).type, False


def _pandas_slice(column: Any, kind: Any, as_text: bool) -> Any:
    """A slice of a column as Arrow."""
    import pandas as pd

    pa = pyarrow()
    if isinstance(column.dtype, pd.CategoricalDtype):
        categories = pd.Series(column.dtype.categories)
        words = _pandas_slice(categories, kind.value_type, as_text)
        codes = column.cat.codes.to_numpy()
        indices = pa.array(codes.astype("int32"), mask=codes < 0)
        return pa.DictionaryArray.from_arrays(indices, words)
    if as_text:
        try:
            # Where all cells are texts, which is the rule, this is what the loop below would give.
            return pa.array(column, type=kind, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError):
            missing = column.isna().to_numpy()
            return pa.array([None if gone else _cell_text(cell) for cell, gone in zip(column, missing)], type=kind)
    if isinstance(column.dtype, pd.SparseDtype):
        column = column.sparse.to_dense()
    found = pa.array(column, type=kind, from_pandas=True)
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


def _cell_text(cell: Any) -> str:
    """One cell of an object column as text, by its own kind alone."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    if hasattr(cell, "isoformat"):
        return str(cell.isoformat())
    return _text_of(cell)


def _as_pandas(column: Any, dtype: Any, kind: Any, facts: dict[str, Any]) -> Any:
    """A column of Arrow as a pandas column of that type, or of the nearest that can hold its cells."""
    import pandas as pd

    pa = pyarrow()
    if isinstance(dtype, pd.CategoricalDtype):
        values = facts.get("values")
        return _as_categories(column, dtype, values if isinstance(values, list) else None)
    if isinstance(dtype, pd.ArrowDtype):
        return pd.Series(pd.arrays.ArrowExtensionArray(as_arrow_type(column, dtype.pyarrow_dtype, _pattern({"x": facts}, "x"))))
    if isinstance(dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        plain = column.to_pandas()
        return plain.astype(dtype) if isinstance(dtype, pd.PeriodDtype) else plain
    if isinstance(dtype, pd.SparseDtype):
        return _as_pandas(column, dtype.subtype, kind, facts).astype(dtype)
    if dtype == object:
        # Numbers and truth values as Python has them; dates as text, which is what such columns mostly hold.
        is_date = pa.types.is_temporal(column.type)
        pattern = _pattern({"x": facts}, "x")
        return (as_arrow_type(column, pa.string(), pattern) if is_date else column).to_pandas().astype(object)
    found = as_arrow_type(column, kind, _pattern({"x": facts}, "x"))
    if found.type != kind:
        return found.to_pandas()
    if isinstance(dtype, pd.api.extensions.ExtensionDtype) and not isinstance(dtype, pd.DatetimeTZDtype):
        try:
            return pd.Series(dtype.__from_arrow__(found))
        except (AttributeError, TypeError, NotImplementedError):
            return found.to_pandas().astype(dtype)
    if found.null_count and getattr(dtype, "kind", "") in "iub":
        # numpy has no missing whole numbers; the nullable type of the same width has.
        name = "boolean" if dtype.kind == "b" else dtype.name.replace("uint", "UInt").replace("int", "Int")
        return pd.Series(pd.array(found.to_pandas(types_mapper={kind: pd.api.types.pandas_dtype(name)}.get)))
    return found.to_pandas(date_as_object=False).astype(dtype)


def _as_categories(column: Any, dtype: Any, values: list[Any] | None) -> Any:
    """Cells as categories: those of the release's schema, in its order, and whatever else was drawn.

    Of the frame's own categories only their type and whether they are ordered is taken: which values
    they are, and which are not among them, was read from the private rows.
    """
    import pandas as pd

    convert = _category_type(dtype.categories.dtype)
    words = column.to_pandas()
    known = words.map(lambda word: word if _is_missing(word) else convert(word)).astype(object)
    drawn = [value for value in known if not _is_missing(value)]
    categories = list(dict.fromkeys([*(convert(value) for value in values or ()), *sorted(set(drawn), key=str)]))
    return known.astype(pd.CategoricalDtype(categories, ordered=dtype.ordered))


def _category_type(dtype: Any) -> Callable[[Any], Any]:
    """From a word of a schema to a category of that type; a word that cannot be one stays a word."""
    kinds: dict[str, Callable[[Any], Any]] = {
        "i": int,
        "u": int,
        "f": float,
        "b": lambda word: {"true": True, "false": False}[str(word).lower()],
    }
    make = kinds.get(getattr(dtype, "kind", "O"), lambda word: word)

    def convert(word: Any) -> Any:
        try:
            return make(word)
        except (KeyError, TypeError, ValueError):
            return word

    return convert


def _text_of(value: Any) -> str:
    """A value as a schema writes it: 2.0 and 2 are the same word, and so are True and true."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _is_missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


class NumpyForm(Form):
    """A two-dimensional array; its columns are x0, x1, and so on, as scikit-learn calls them."""

    kind = "numpy"

    def __init__(self, array: Any) -> None:
        if array.ndim != 2:
            raise DataError("an array needs two dimensions, rows and columns")
        if array.dtype.kind not in "biufOUS":
            raise DataError(f"arrays of {array.dtype} have no type in a schema")
        self._array, self._dtype = array, array.dtype
        self._texts = [f"x{place}" for place in range(array.shape[1])]

    def names(self) -> list[str]:
        return self._texts

    def never_missing(self) -> list[str]:
        return self._texts if self._dtype.kind in "iub" else []

    def without_rows(self) -> Form:
        form = NumpyForm.__new__(NumpyForm)
        form.__dict__.update({**self.__dict__, "_array": None})
        return form

    def _frame(self) -> Any:
        import pandas as pd

        return pd.DataFrame(self._array, columns=self._texts)

    def frames(self) -> Iterable[Any]:
        if not _is_there("pandas"):
            raise DataError("arrays are read through pandas and pyarrow; pip install 'lookalike[pandas]'")
        return PandasForm(self._frame()).frames()

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        frame = PlainPandas().give(rows, facts)
        found = frame[[name for name in self._texts if name in frame]].to_numpy()
        try:
            return found.astype(self._dtype)
        except (TypeError, ValueError):
            return found


class PlainPolars(Form):
    """A polars frame with polars' own types."""

    kind = "polars"

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        import polars as pl

        return pl.DataFrame(rows)


class PolarsForm(Form):
    """A polars frame."""

    kind = "polars"

    def __init__(self, frame: Any) -> None:
        self._frame: Any = frame
        self._schema = dict(frame.schema)
        for name, dtype in self._schema.items():
            if dtype.base_type().__name__ == "Duration":
                raise DataError(f"column {name!r}: {_NO_DURATION}")

    def names(self) -> list[str]:
        return list(self._schema)

    def without_rows(self) -> Form:
        form = PolarsForm.__new__(PolarsForm)
        form.__dict__.update({**self.__dict__, "_frame": None})
        return form

    def frames(self) -> Iterable[Any]:
        return iter([self._frame])

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        import polars as pl

        frame = pl.DataFrame(rows)
        there = ((name, dtype) for name, dtype in self._schema.items() if name in frame.columns)
        return frame.select(_as_polars(frame[name], dtype, _pattern(facts, name)) for name, dtype in there)


def _as_polars(column: Any, dtype: Any, pattern: str | None) -> Any:
    """A column as that type, or as it is where its cells cannot be."""
    import polars as pl

    if column.dtype == dtype:
        return column
    try:
        if dtype == pl.Boolean and column.dtype == pl.String:
            return (column.str.to_lowercase() == "true").rename(column.name)
        if dtype.base_type() == pl.Datetime and dtype.time_zone is not None:
            naive = column.cast(pl.Datetime(dtype.time_unit))
            zoned = naive.dt.replace_time_zone(dtype.time_zone, ambiguous="earliest", non_existent="null")
            # An hour that was skipped is shown an hour later.
            later = naive.dt.offset_by("1h").dt.replace_time_zone(
                dtype.time_zone, ambiguous="earliest", non_existent="null"
            )
            return zoned.zip_with(zoned.is_not_null() | naive.is_null(), later)
        if column.dtype.is_temporal() and dtype == pl.String:
            usual = "%Y-%m-%dT%H:%M:%S" if column.dtype.base_type() == pl.Datetime else "%Y-%m-%d"
            return column.dt.strftime(pattern or usual)
        if dtype.base_type() == pl.Time:
            return column.cast(pl.Int64).cast(pl.Time)
        if dtype.base_type() == pl.Binary:
            return column.cast(pl.String).cast(pl.Binary)
        return column.cast(dtype)
    except pl.exceptions.PolarsError:
        return column


class DuckdbForm(Form):
    """A duckdb relation."""

    kind = "duckdb"

    def __init__(self, relation: Any) -> None:
        if not hasattr(relation, "columns") or not hasattr(relation, "types"):
            raise DataError("a relation is needed, such as connection.table('name')")
        self._relation: Any = relation
        self._texts = unique(list(relation.columns))
        self._types = [str(kind) for kind in relation.types]
        for name, kind in zip(self._texts, self._types):
            if kind == "INTERVAL":
                raise DataError(f"column {name!r}: {_NO_DURATION}")

    def names(self) -> list[str]:
        return self._texts

    def without_rows(self) -> Form:
        form = DuckdbForm.__new__(DuckdbForm)
        form.__dict__.update({**self.__dict__, "_relation": None})
        return form

    def frames(self) -> Iterable[Any]:
        return iter([self._relation])

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        import duckdb

        relation = duckdb.from_arrow(pyarrow().table(rows))
        there = set(relation.columns)

        def cast(name: str, kind: str) -> str:
            quoted = '"' + name.replace('"', '""') + '"'
            return f"TRY_CAST({quoted} AS {kind}) AS {quoted}"

        return relation.project(", ".join(cast(n, k) for n, k in zip(self._texts, self._types) if n in there))


class IbisForm(Form):
    """An ibis table. Rows go out as a table in memory."""

    kind = "ibis"

    def __init__(self, table: Any) -> None:
        if not hasattr(table, "schema"):
            raise DataError("an ibis table is needed")
        self._table: Any = table
        self._schema = table.schema()

    def names(self) -> list[str]:
        return list(self._schema.names)

    def without_rows(self) -> Form:
        form = IbisForm.__new__(IbisForm)
        form.__dict__.update({**self.__dict__, "_table": None})
        return form

    def frames(self) -> Iterable[Any]:
        return iter([self._table])

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        import ibis

        table = ArrowForm(None, self._schema.to_pyarrow()).give(rows, facts)
        return ibis.memtable(table, schema={name: self._schema[name] for name in table.column_names})
