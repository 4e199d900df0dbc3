#!/bin/sh
# A release of a table that stays in a DuckDB file: loads adult, makes a release by push-down, and
# verifies it. It installs nothing. PYTHON names a Python with lookalike, ibis and DuckDB.
# LOOKALIKE_DATA names the folder of the benchmark tables; without it the made-up table of the
# package is taken. Any other table goes with its schema. The release is written to OUT, and the
# DuckDB file goes at the end.
#
#     sh examples/duckdb/run.sh OUT [TABLE.csv SCHEMA]
set -eu
python=${PYTHON:-python3}
fail() {
  echo "run.sh: $1" >&2
  exit 2
}
[ $# = 1 ] || [ $# = 3 ] || fail "usage: run.sh OUT [TABLE.csv SCHEMA]"
[ ! -e "$1" ] || fail "$1 is there already; name another folder for the release"
"$python" -c 'import lookalike, ibis, duckdb' 2>/dev/null \
  || fail "$python lacks a package: $python -m pip install ./faces/python 'ibis-framework[duckdb]', or let PYTHON name another"
exec "$python" "$(dirname "$0")/release.py" "$@"
