#!/bin/sh
# A release of a table that stays on Spark: starts Spark in this process, loads adult, makes a
# release, verifies it, and draws rows on the executors. It installs nothing. PYTHON names a Python
# with pyspark and lookalike; Java 17 or later must be there. LOOKALIKE_DATA names the folder of the
# benchmark tables; without it the made-up table of the package is taken. The release is written to
# OUT.
#
#     sh examples/spark/run.sh OUT
set -eu
python=${PYTHON:-python3}
fail() {
  echo "run.sh: $1" >&2
  exit 2
}
[ $# = 1 ] || fail "usage: run.sh OUT"
[ ! -e "$1" ] || fail "$1 is there already; name another folder for the release"
command -v java >/dev/null || [ -n "${JAVA_HOME:-}" ] || fail "Java 17 or later is needed, or JAVA_HOME that names it"
"$python" -c 'import lookalike, pyspark, pyarrow' 2>/dev/null \
  || fail "$python lacks a package: $python -m pip install ./faces/python pyspark==4.3.0 pyarrow 'pandas<3', or let PYTHON name another"
exec "$python" "$(dirname "$0")/run.py" "$@"
