#!/bin/sh
# A release from a PostgreSQL server: starts one, fills a table, makes a release of it, verifies it.
#
#   sh examples/postgres/run.sh TABLE.csv SCHEMA
#
# Needs PostgreSQL's server programs (Debian: apt-get install postgresql) and the program built with
# `cargo build --release --features postgres`, or a package; LOOKALIKE names it. The server lives in
# a folder of its own, speaks on a socket there and nowhere else, and is gone at the end.
set -eu
table=$1 schema=$2
lookalike=${LOOKALIKE:-lookalike}

# The server's programs: where Debian puts them, or on the path.
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$programs" ] || programs=$(dirname "$(command -v initdb)")
place=$(mktemp -d)
# The server refuses to be root's.
if [ "$(id -u)" = 0 ]; then
  chown postgres "$place"
  as() { (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"); }
else
  as() { "$@"; }
fi
stop() {
  as "$programs/pg_ctl" -D "$place/data" stop -m immediate -s 2>/dev/null || true
  rm -rf "$place"
}
trap stop EXIT
as "$programs/initdb" --auth=trust --username=steward --no-sync -D "$place/data" >/dev/null
as "$programs/pg_ctl" -D "$place/data" start -w -s -l "$place/log" -o "-k $place -c listen_addresses=''" >/dev/null

# A table with the columns of the file, all of them integers.
columns=$(head -n 1 "$table" | tr -d '"\r' | sed 's/[^,]*/"&" integer/g')
"$programs/psql" -q -h "$place" -U steward -d postgres <<SQL
CREATE TABLE people ($columns);
\copy people FROM '$table' (FORMAT csv, HEADER)
SQL

# What the address leaves out is taken from PGHOST, PGUSER and the like, as by every program for
# PostgreSQL. Passwords, where there are any, come from PGPASSWORD or ~/.pgpass.
export PGHOST="$place" PGUSER=steward PGDATABASE=postgres
# shellcheck disable=SC2086
"$lookalike" synth "postgres:///?table=people" --schema "$schema" --epsilon 1 ${LOOKALIKE_WORDS:-} --out census
"$lookalike" verify census
