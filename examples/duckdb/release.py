"""Loads a CSV file into DuckDB and makes a release of it there; run.sh says what it needs."""

from __future__ import annotations

import json
import os
import pathlib
import sys
import tempfile

import ibis

import lookalike as la


def table(given: list[str]) -> tuple[str, la.Schema]:
    """A CSV file, and what is known of its columns in public."""
    if given:
        return given[0], la.Schema.load(given[1])
    folder = os.environ.get("LOOKALIKE_DATA")
    if folder is None:
        return str(la.demo_table(5000, as_path=True)), la.demo_schema()
    data = pathlib.Path(folder)
    values = json.loads((data / "adult-labels.json").read_text())
    schema = {"columns": {name: {"type": "category", "values": words} for name, words in values.items()}}
    return str(data / "adult-labels.csv"), la.Schema(schema)


def main(out: str, given: list[str]) -> None:
    """Fit where the rows are, write the release, and check it."""
    path, schema = table(given)
    with tempfile.TemporaryDirectory() as folder:
        connection = ibis.duckdb.connect(f"{folder}/people.duckdb")
        connection.read_csv(path, table_name="loaded")
        connection.raw_sql("CREATE TABLE people AS SELECT * FROM loaded")
        # The rows stay in DuckDB: they are coded there, and only counts of groups come back.
        rows = la.sql.table(connection.table("people"))
        synth = la.Synthesizer(epsilon=1.0, schema=schema, method="mst", rows=1000, progress=False).fit(rows)
        connection.disconnect()
    synth.release_.save(out)
    verdict = la.Release.load(out).verify()
    print(f"{synth.release_.guarantee}; the statement {'agrees' if verdict else 'does not agree'}")
    print(f"{out} holds the release")
    if not verdict:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
