"""Measures what push-down into DuckDB costs, in CPU seconds, beside the command line on the same rows.

``python tools/duckdb_ratios.py ROWS.parquet SCHEMA PROGRAM [TIMES]`` loads the rows into a DuckDB file,
which is not measured, and makes releases of them there. It prints one line of JSON a measurement.
PROGRAM is the command line of the profile of packages, and the wheel that is installed should be of that
profile, too.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import sys
import tempfile
import time

import ibis
from spark_ratios import Passes, measured, on_the_command_line

import lookalike as la


def main(path: str, schema_path: str, program: str, times: int = 3) -> None:
    """All measurements, one after the other."""
    schema = la.Schema.load(schema_path)
    Passes.watch(la.sql.SqlTable)
    with tempfile.TemporaryDirectory() as folder:
        connection = ibis.duckdb.connect(str(pathlib.Path(folder) / "rows.duckdb"), threads=2)
        connection.raw_sql(f"create table people as select * from read_parquet('{path}')")
        coding = json.dumps({"schema": schema.to_dict(), "names": connection.table("people").columns, "persons": None}).encode()
        columns = range(len(la._native.Kernel(coding).sizes))
        pairs = [list(pair) for pair in itertools.combinations(columns, 2)]
        for _ in range(times):
            rows = la.sql.table(connection.table("people"))
            measured("coded", lambda rows=rows: rows.code(coding), time.process_time)
            for name, cliques in ((f"{len(pairs)} pairs", pairs), ("one column", [[0]])):
                asked = json.dumps({"cliques": cliques, "derived": []}).encode()
                measured(name, lambda rows=rows, asked=asked: rows.count(asked), time.process_time)
            rows.close()
        for _ in range(times):
            run = la.Synthesizer(epsilon=1.0, schema=schema, method="mst", progress=False, rows=1000)
            rows = la.sql.table(connection.table("people"))
            # DuckDB works in this process.
            measured("mst in DuckDB", lambda run=run, rows=rows: run.fit(rows, spend_again=True).sample(), time.process_time)
            on_the_command_line(program, path, schema_path, "mst")


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(int, sys.argv[4:5]))
