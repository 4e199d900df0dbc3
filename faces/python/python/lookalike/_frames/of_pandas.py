"""pandas' frames, and arrays of numpy by way of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .. import _native
from ..errors import DataError
from .form import NO_DURATION, Facts, Form, is_there, pattern_of, pyarrow, unique
from .of_arrow import as_arrow_type

# Rows of a frame that are handed over at a time: enough to keep all cores busy, few enough that the
# copy which pandas needs is small.
SLICE_ROWS = 131_072


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
        self._held = frame

    def names(self) -> list[str]:
        return self._texts

    def never_missing(self) -> list[str]:
        import numpy as np

        inner = (getattr(dtype, "subtype", dtype) for dtype in self._dtypes)
        plain = (isinstance(dtype, np.dtype) and dtype.kind in "iub" for dtype in inner)
        return [name for name, cannot in zip(self._texts, plain) if cannot]

    def frames(self) -> Iterator[Any]:
        pa = pyarrow()
        schema = pa.schema([pa.field(name, kind) for name, (kind, _) in zip(self._texts, self._kinds)])
        for start in range(0, max(len(self._held), 1), SLICE_ROWS):
            part = self._held.iloc[start : start + SLICE_ROWS]
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
        raise DataError(f"column {name!r}: {NO_DURATION}")
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
            raise DataError(f"column {name!r}: {NO_DURATION}")
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
        return pd.Series(pd.arrays.ArrowExtensionArray(as_arrow_type(column, dtype.pyarrow_dtype, pattern_of(facts))))
    if isinstance(dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        plain = column.to_pandas()
        return plain.astype(dtype) if isinstance(dtype, pd.PeriodDtype) else plain
    if isinstance(dtype, pd.SparseDtype):
        return _as_pandas(column, dtype.subtype, kind, facts).astype(dtype)
    if dtype == object:
        # Numbers and truth values as Python has them; dates as text, which is what such columns mostly hold.
        is_date = pa.types.is_temporal(column.type)
        pattern = pattern_of(facts)
        return (as_arrow_type(column, pa.string(), pattern) if is_date else column).to_pandas().astype(object)
    found = as_arrow_type(column, kind, pattern_of(facts))
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
        self._held, self._dtype = array, array.dtype
        self._texts = [f"x{place}" for place in range(array.shape[1])]

    def names(self) -> list[str]:
        return self._texts

    def never_missing(self) -> list[str]:
        return self._texts if self._dtype.kind in "iub" else []

    def _as_frame(self) -> Any:
        import pandas as pd

        return pd.DataFrame(self._held, columns=self._texts)

    def frames(self) -> Iterable[Any]:
        if not is_there("pandas"):
            raise DataError("arrays are read through pandas and pyarrow; pip install 'lookalike[pandas]'")
        return PandasForm(self._as_frame()).frames()

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        frame = PlainPandas().give(rows, facts)
        found = frame[[name for name in self._texts if name in frame]].to_numpy()
        try:
            return found.astype(self._dtype)
        except (TypeError, ValueError):
            return found
