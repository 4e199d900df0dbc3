"""Loads a CSV file into DuckDB and makes a release of it there: ``release.py TABLE.csv SCHEMA FILE.duckdb OUT``."""

import sys

import ibis

import lookalike as la

table, schema, file, out = sys.argv[1:]
connection = ibis.duckdb.connect(file)
connection.raw_sql(f"CREATE TABLE people AS SELECT * FROM read_csv('{table}')")

# The rows stay in DuckDB: they are coded there, and only counts of groups come back.
synth = la.Synthesizer(epsilon=1.0, schema=schema, method="mst", rows=1000, progress=False)
synth.fit(la.sql.table(connection.table("people")))
synth.release_.save(out)
print(synth.release_.guarantee)
