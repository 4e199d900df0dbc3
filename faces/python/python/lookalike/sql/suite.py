"""The equality suite: made-up rows that a database codes as we do, cell by cell, or not at all.

The rows are made from a number (`crates/table/src/far/suite.rs`): every type of column, values at the
edges of codes, and cells that engines are known to read differently.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .. import _native
from ..errors import DataError
from .codes import coded
from .databases import Database

# Tables for a database that our own tests do not cover: both kinds of codes, and most kinds of bins.
TABLES = range(6)


def prove(database: Database, numbers: Iterable[int] = TABLES) -> None:
    """Refuses a database that gives a made-up cell another code, or that cannot say."""
    for number in numbers:
        try:
            found = differing(database, number)
        except DataError:
            raise
        except Exception as error:
            raise DataError(
                f"{database.words} could not code made-up rows in a temporary table, and no rows were looked at;"
                " pull them instead, by passing the ibis table itself"
            ) from error
        if found:
            raise DataError(
                f"{database.words} gives made-up cells of a column of the kind {found[0]!r} other codes than a file"
                " would get, and no rows were looked at; pull them instead, by passing the ibis table itself"
            )


def differing(database: Database, number: int, table: Any = None) -> list[str]:
    """The columns of a made-up table in which a cell gets another code than here."""
    import ibis
    import pyarrow as pa

    rules, rows, expected = _native.coding_suite(number)
    if table is None:
        table = ibis.memtable(numbered(pa.table(rows)))
    entries = json.loads(rules)
    found = database.arrow(coded(table, entries, database.dialect, ["row_number"])).sort_by("row_number")
    return [entry["name"] for at, entry in enumerate(entries) if found[f"c{at}"].to_pylist() != expected[at]]


def numbered(rows: Any) -> Any:
    """An Arrow table with a column of row numbers: databases keep no order."""
    import pyarrow as pa

    return rows.append_column("row_number", pa.array(range(len(rows)), pa.int64()))
