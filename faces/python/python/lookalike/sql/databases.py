"""Connections: what is asked of a database beside counts."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import DataError
from .dialects import Dialect
from .expressions import refused

_WORDS = {
    "bigquery": "BigQuery",
    "clickhouse": "ClickHouse",
    "datafusion": "DataFusion",
    "duckdb": "DuckDB",
    "mssql": "SQL Server",
    "mysql": "MySQL",
    "polars": "Polars",
    "postgres": "PostgreSQL",
    "snowflake": "Snowflake",
    "trino": "Trino",
}

# PostgreSQL's number of the type character(n), which hides the spaces behind a text.
_PADDED = 1042


@dataclass
class Database:
    """A connection of ibis."""

    backend: Any
    dialect: Dialect

    @classmethod
    def of(cls, expression: Any) -> Database:
        """The one database that an expression is of."""
        try:
            backend = expression.get_backend()
        except Exception:
            raise DataError("the ibis table belongs to no single database; make it from one connection") from None
        return cls(backend, Dialect(backend.name))

    @property
    def words(self) -> str:
        """The kind of database, as its makers write it."""
        return _WORDS.get(self.dialect.kind, self.dialect.kind)

    @property
    def version(self) -> str:
        """The version, and nothing else that a server may say with it."""
        return str(self.backend.version).split()[0] if str(self.backend.version).split() else ""

    def check(self, expression: Any, names: Sequence[str]) -> None:
        """Refuses what would make texts differ from the bytes that a file has."""
        if self.dialect.kind != "postgres":
            return
        if self._value("SHOW server_encoding") != "UTF8":
            raise DataError("the database keeps texts in another form than UTF-8; move the table to one that keeps UTF-8")
        with self.backend.con.cursor() as cursor:
            cursor.execute(self.backend.compile(expression.limit(0)))
            kinds = {column.name: column.type_code for column in cursor.description}
        for name in names:
            if kinds.get(name) == _PADDED:
                raise refused(name, "character(n)", "the spaces behind its texts are hidden", "text")

    def _value(self, statement: str) -> Any:
        with self.backend.con.cursor() as cursor:
            return cursor.execute(statement).fetchone()[0]

    def keep(self, name: str, codes: Any) -> Any:
        """The codes of all rows in a temporary table: one statement, so that they are of one state."""
        if self.dialect.kind == "polars":
            # A table of it would be a query, and might be made again from a changed source.
            return self.backend.create_table(name, self.arrow(codes))
        if self.dialect.kind == "datafusion":
            return self.backend.create_table(name, codes)
        return self.backend.create_table(name, codes, temp=True)

    def arrow(self, expression: Any) -> Any:
        """The rows of an expression as an Arrow table."""
        return self.backend.to_pyarrow(expression)

    def drop(self, name: str) -> None:
        """Drops a temporary table; the end of the connection does so, too."""
        with contextlib.suppress(Exception):
            self.backend.drop_table(name, force=True)

    def stop(self) -> None:
        """Interrupts a statement, where there is a way to."""
        connection = getattr(self.backend, "con", None)
        for name in ("interrupt", "cancel_safe", "cancel"):
            if hasattr(connection, name):
                getattr(connection, name)()
                return
