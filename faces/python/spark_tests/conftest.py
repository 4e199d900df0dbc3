"""Spark in this process, and what its tests share. All tables are made up, or public."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import lookalike as la

# A key that tests know: the same rows of persons are kept wherever they are bounded.
KEY = list(range(32))


def needed(what: str) -> None:
    """Skip a test that lacks something, or let it fail where nothing may be lacking."""
    if "CI" in os.environ or "LOOKALIKE_CI" in os.environ:
        pytest.fail(f"{what}, and a test without it tests nothing")
    pytest.skip(what)


def started(master: str, log: pathlib.Path, **settings: str) -> Any:
    """A session with its event log in a folder."""
    try:
        import pyspark
    except ImportError:
        needed("pyspark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        needed("Java is not installed")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    log.mkdir(parents=True, exist_ok=True)
    builder = pyspark.sql.SparkSession.builder.master(master).appName("tests")
    whole = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": log.as_uri(),
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.session.timeZone": "Europe/Berlin",
        **settings,
    }
    for name, value in whole.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Where Spark writes its event log."""
    return tmp_path_factory.mktemp("spark") / "events"


@pytest.fixture(scope="module")
def spark(log: pathlib.Path) -> Iterator[Any]:
    """A session in this process with two cores. It ends with its file: a process has one Spark at a time."""
    session = started("local[2]", log)
    yield session
    session.stop()


def coding(schema: la.Schema, names: list[str], unit: str | None = None, most: int = 2) -> bytes:
    """What the bridge tells an engine of how rows are coded, under the known key."""
    persons = None if unit is None else {"column": unit, "most": most, "key": KEY}
    return json.dumps({"schema": schema.to_dict(), "names": names, "persons": persons}).encode()


def request(sizes: list[int], cliques: list[list[int]], derived: list[tuple[int, list[int]]]) -> bytes:
    """What the bridge asks an engine to count. A derived column is its base and the group of each code."""
    columns = [{"base": base, "runs": [[group, 1] for group in groups]} for base, groups in derived]
    whole = [*sizes, *(max(groups) + 1 for _, groups in derived)]
    return json.dumps({"cliques": cliques, "derived": columns, "sizes": whole}).encode()


def counted(codes: list[list[int]], asked: bytes) -> Counter[tuple[int, int]]:
    """The counts of coded rows, by plain counting."""
    wish = json.loads(asked)
    columns = list(codes)
    for column in wish["derived"]:
        groups = [group for group, times in column["runs"] for _ in range(times)]
        columns.append([groups[code] for code in codes[column["base"]]])
    found: Counter[tuple[int, int]] = Counter()
    for number, clique in enumerate(wish["cliques"]):
        for row in zip(*(columns[attribute] for attribute in clique)):
            cell = 0
            for attribute, code in zip(clique, row):
                cell = cell * wish["sizes"][attribute] + code
            found[number, cell] += 1
    return found


def cells(answer: Any) -> Counter[tuple[int, int]]:
    """An engine's answer as a counter; a cell comes once."""
    columns = [column.to_pylist() for column in answer.columns]
    assert answer.column_names == ["clique", "cell", "count"]
    found = Counter({(clique, cell): count for clique, cell, count in zip(*columns)})
    assert len(found) == answer.num_rows
    return found
