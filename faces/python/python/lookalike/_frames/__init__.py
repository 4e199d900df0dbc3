"""Frames in and out.

A `Form` is what a frame looks like without its rows: the library, the names and the types. Rows come
in as objects with Arrow's C interface, and go out in the form that they came in. There is one file a
library; this one tells them apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from .. import _native
from ..errors import DataError, SettingError
from .form import Facts, Form, is_there
from .of_arrow import ArrowForm
from .of_databases import DuckdbForm, IbisForm
from .of_engines import EngineForm
from .of_pandas import NumpyForm, PandasForm, PlainPandas
from .of_polars import PlainPolars, PolarsForm

__all__ = ["Facts", "Form", "PandasForm", "PolarsForm", "form_named", "form_of", "installed_form"]


def form_of(data: Any) -> Form:
    """The form of whatever a caller hands over as a table."""
    if isinstance(data, (str, os.PathLike)):
        return PathForm(os.fspath(data))
    if hasattr(data, "_lookalike_engine"):
        return EngineForm(data)
    library, name = type(data).__module__.split(".")[0], type(data).__name__
    if library == "pyspark":
        from ..spark import SparkRows

        return EngineForm(SparkRows(data))
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
        if is_there(module) and (name != "pandas" or is_there("pyarrow")):
            return form_named(name)
    return Form()


class PathForm(Form):
    """A file. Its rows go out as the first library of frames that is installed has them."""

    kind = "path"

    def __init__(self, path: str) -> None:
        self.path = path

    def frames(self) -> str:
        return self.path

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        return installed_form().give(rows, facts)
