"""polars' frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _native
from ..errors import DataError
from .form import NO_DURATION, Facts, Form, pattern_of


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
        self._held = frame
        self._schema = dict(frame.schema)
        for name, dtype in self._schema.items():
            if dtype.base_type().__name__ == "Duration":
                raise DataError(f"column {name!r}: {NO_DURATION}")

    def names(self) -> list[str]:
        return list(self._schema)

    def frames(self) -> Iterable[Any]:
        return iter([self._held])

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        import polars as pl

        frame = pl.DataFrame(rows)
        there = ((name, dtype) for name, dtype in self._schema.items() if name in frame.columns)
        return frame.select(_as_polars(frame[name], dtype, pattern_of((facts or {}).get(name, {}))) for name, dtype in there)


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
