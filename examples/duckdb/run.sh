#!/bin/sh
# A release from a DuckDB file whose rows stay in it: loads a table, makes a release by push-down,
# verifies it.
#
#   sh examples/duckdb/run.sh TABLE.csv SCHEMA
#
# Needs the Python package with ibis and DuckDB (pip install ./faces/python 'ibis-framework[duckdb]');
# PYTHON names the interpreter. Nothing is installed, and the DuckDB file goes at the end.
set -eu
table=$1 schema=$2
python=${PYTHON:-python3}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"$python" "$(dirname "$0")/release.py" "$table" "$schema" "$place/people.duckdb" release-of-duckdb
"$python" -m lookalike verify release-of-duckdb
