"""Rows of a database as an engine: coded once into a temporary table there, counted from it."""

from __future__ import annotations

import json
import secrets
from typing import Any

from .. import _native
from ..errors import DataError
from . import suite
from .codes import coded
from .counting import Counter, DerivedColumn, Wanted
from .databases import Database
from .queries import assumed_of


class SqlTable:
    """Rows that stay in their database. Made by `lookalike.sql.table`."""

    _lookalike_engine = True

    def __init__(self, expression: Any) -> None:
        if type(expression).__module__.split(".")[0] != "ibis" or not hasattr(expression, "schema"):
            raise DataError(f"{type(expression).__name__} is no ibis table; pass one, such as connection.table('name')")
        self.rows_of, self.assumes = assumed_of(expression)
        self._expression = expression
        self._database = Database.of(expression)
        self.kind, self.version = self._database.words, self._database.version
        self._counter: Counter | None = None
        self._name = f"lookalike_{secrets.token_hex(8)}"

    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._expression.columns)

    def code(self, coding: bytes) -> None:
        """Codes all rows by one statement into a temporary table of the database."""
        rules = json.loads(_native.codec_rules(coding))
        if counted := next((rule for rule in rules if "after" in rule), None):
            raise DataError(
                f"{counted['name']!r} is held as its difference to {counted['after']!r}, which no database computes"
                " here; pass the ibis table itself, whose rows are then read into this process, or take `after` out"
                " of the schema"
            )
        dialect = self._database.dialect
        self._database.check(self._expression, [rule["name"] for rule in rules])
        if json.loads(coding)["persons"] is not None:
            raise DataError(
                "unit: rows of persons cannot be bounded inside a database; pass the ibis table itself, whose rows"
                " are then read into this process, or leave out unit and protect single rows"
            )
        if not dialect.is_verified:
            suite.prove(self._database)
        codes = coded(self._expression, rules, dialect)
        sizes = [entry["rule"]["size"] for entry in rules]
        kept = self._database.keep(self._name, codes)
        self._counter = Counter(kept, sizes, self._database.arrow)

    def count(self, request: bytes) -> Any:
        """The occupied cells of the sets that are asked for, as an Arrow table."""
        if self._counter is None:
            raise DataError("the rows were not coded")
        asked = json.loads(request)
        derived = [
            DerivedColumn(column["base"], column["runs"], 1 + max(group for group, _ in column["runs"]))
            for column in asked["derived"]
        ]
        return self._counter.count(Wanted(asked["cliques"], derived))

    def stop(self) -> None:
        """Ends what the database is at."""
        self._database.stop()

    def close(self) -> None:
        """Lets go of the coded rows."""
        if self._counter is not None:
            self._counter = None
            self._database.drop(self._name)

    def __repr__(self) -> str:
        """The kind of database, and nothing of where it is."""
        return f"<lookalike.sql.SqlTable: {self.rows_of} of {self.kind} {self.version}>"
