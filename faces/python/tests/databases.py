"""Databases of a test's own, by the names of ibis."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any

import pytest

KINDS = ("duckdb", "postgres", "datafusion", "polars")
PROGRAMS = pathlib.Path("/usr/lib/postgresql")


def missing(what: str) -> None:
    """Skips with a word; where everything must be there, that is a failure."""
    if os.environ.get("LOOKALIKE_CI"):
        pytest.fail(what)
    pytest.skip(what)


def connect(kind: str) -> Any:
    """A connection; that to a server is always the same."""
    try:
        import ibis

        if kind == "postgres":
            folder = server()
            if folder is None:
                missing("no PostgreSQL server is installed")
            return _of_server(folder)
        return getattr(ibis, kind).connect()
    except ImportError:
        missing(f"ibis has no {kind} here")


@functools.cache
def _of_server(folder: str) -> Any:
    """The connection of all tests, closed when they are done."""
    import ibis

    connection = ibis.postgres.connect(host=folder, user="postgres", database="postgres")
    atexit.register(connection.disconnect)
    return connection


@functools.cache
def server() -> str | None:
    """The folder of the socket of a server that ends with this process."""
    found = sorted(PROGRAMS.glob("*/bin/initdb"))
    if not found:
        return None
    programs = found[-1].parent
    folder = tempfile.mkdtemp(prefix="lookalike-pg-")
    owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if owner:
        shutil.chown(folder, "postgres")
    data = f"{folder}/data"
    made = [*owner, f"{programs}/initdb", "--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C", "-D", data]
    subprocess.run(made, check=True, capture_output=True)
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    begun = [*owner, f"{programs}/pg_ctl", "-D", data, "-w", "-s", "-l", f"{folder}/log", "-o", options, "start"]
    subprocess.run(begun, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Whoever waits at the other end of the pipe stops the server when this process ends, however it ends.
    script = 'read -r _; "$@" stop -m immediate -s; rm -rf "$FOLDER"'
    keeper = subprocess.Popen(
        ["sh", "-c", script, "keeper", *owner, f"{programs}/pg_ctl", "-D", data],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "FOLDER": folder},
    )
    atexit.register(keeper.communicate)
    return folder


def stored(connection: Any, rows: Any, name: str = "people") -> Any:
    """An Arrow table as a table of the database."""
    import ibis

    with contextlib.suppress(Exception):
        connection.drop_table(name, force=True)
    if connection.name == "polars":
        return connection.create_table(name, rows)
    return connection.create_table(name, ibis.memtable(rows))
