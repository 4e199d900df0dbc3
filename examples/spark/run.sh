#!/bin/sh
# A release of a table that stays on Spark: starts Spark in this process, loads adult, makes a
# release, verifies it, and draws rows on the executors. It installs nothing. PYTHON names a Python
# with pyspark and lookalike; Java 17 must be there. LOOKALIKE_DATA names the folder of the benchmark
# tables; without it the made-up table of the package is taken.
#
#     sh examples/spark/run.sh OUT
set -eu
exec "${PYTHON:-python3}" "$(dirname "$0")/run.py" "$@"
