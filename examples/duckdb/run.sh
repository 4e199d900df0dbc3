#!/bin/sh
# A release of a table that stays in a DuckDB file: loads adult, makes a release by push-down, and
# verifies it. It installs nothing. PYTHON names a Python with lookalike, ibis and DuckDB
# (pip install ./faces/python 'ibis-framework[duckdb]'). LOOKALIKE_DATA names the folder of the
# benchmark tables; without it the made-up table of the package is taken. Any other table goes with
# its schema. The release is written to OUT, and the DuckDB file goes at the end.
#
#     sh examples/duckdb/run.sh OUT [TABLE.csv SCHEMA]
set -eu
exec "${PYTHON:-python3}" "$(dirname "$0")/release.py" "$@"
