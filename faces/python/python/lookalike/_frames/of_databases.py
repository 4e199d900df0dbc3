"""Relations of duckdb, and tables of ibis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _native
from ..errors import DataError
from .form import NO_DURATION, Facts, Form, pyarrow, unique
from .of_arrow import ArrowForm


class DuckdbForm(Form):
    """A duckdb relation."""

    kind = "duckdb"

    def __init__(self, relation: Any) -> None:
        if not hasattr(relation, "columns") or not hasattr(relation, "types"):
            raise DataError("a relation is needed, such as connection.table('name')")
        self._held = relation
        self._texts = unique(list(relation.columns))
        self._types = [str(kind) for kind in relation.types]
        for name, kind in zip(self._texts, self._types):
            if kind == "INTERVAL":
                raise DataError(f"column {name!r}: {NO_DURATION}")

    def names(self) -> list[str]:
        return self._texts

    def frames(self) -> Iterable[Any]:
        return iter([self._held])

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
        self._held = table
        self._schema = table.schema()

    def names(self) -> list[str]:
        return list(self._schema.names)

    def frames(self) -> Iterable[Any]:
        return iter([self._held])

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        import ibis

        table = ArrowForm(None, self._schema.to_pyarrow()).give(rows, facts)
        return ibis.memtable(table, schema={name: self._schema[name] for name in table.column_names})
