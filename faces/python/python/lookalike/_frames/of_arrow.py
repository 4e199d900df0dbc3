"""Whatever has Arrow's C interface, and types of Arrow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _native
from .form import Facts, Form, is_there, pattern_of, pyarrow, unique


class ArrowForm(Form):
    """Whatever has Arrow's C interface. Goes out as a pyarrow table where pyarrow is there."""

    kind = "pyarrow"

    def __init__(self, data: Any, schema: Any, many: bool = False) -> None:
        self._held, self._schema, self._many = data, schema, many

    def names(self) -> list[str] | None:
        return None if self._schema is None else unique(self._schema.names)

    def frames(self) -> Iterable[Any]:
        return self._held if self._many else iter([self._held])

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        if not is_there("pyarrow"):
            return rows
        table = pyarrow().table(rows)
        if self._schema is None:
            return table
        # Whatever else the fields carry along may have been read from the rows.
        wanted = [field.remove_metadata() for field in self._schema if field.name in table.column_names]
        columns = [as_arrow_type(table.column(field.name), field.type, pattern_of((facts or {}).get(field.name, {}))) for field in wanted]
        fields = [field.with_type(column.type) for field, column in zip(wanted, columns)]
        nullable = [field.with_nullable(field.nullable or column.null_count > 0) for field, column in zip(fields, columns)]
        return pyarrow().table(columns, schema=pyarrow().schema(nullable))


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
