"""Releases from a database without taking the rows out of it.

`table` wraps an ibis table. Its cells are coded by expressions of the database, into a temporary table
of its own, and every round of a method is a few GROUP BY statements: only counts come back.

>>> import lookalike as la
>>> rows = connection.table("people")                                     # doctest: +SKIP
>>> la.Synthesizer(epsilon=1.0, schema=schema).fit(la.sql.table(rows))    # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

from .source import SqlTable

__all__ = ["SqlTable", "table"]


def table(expression: Any) -> SqlTable:
    """An ibis table whose rows stay in their database.

    ``expression`` is a table, a view, or a query that takes rows one by one (columns, conditions,
    casts). Whatever makes a row depend on others is refused: limits, samples, windows, aggregates,
    joins, unions, functions of chance. The schema must be given, since discovery reads texts.

    DuckDB, PostgreSQL, DataFusion and Polars are verified: our tests compare their codes with ours cell
    by cell. Any other database is compared on made-up rows in a temporary table first, and refused when
    one cell differs.
    """
    return SqlTable(expression)
