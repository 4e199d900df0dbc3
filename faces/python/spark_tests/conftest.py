"""Spark in this process, and what its tests share. All tables are made up, or public."""

from __future__ import annotations

import contextlib
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

# Tests that are a part of `cargo xtask test --all` too.
short = pytest.mark.short
# A key that tests know: the same rows of persons are kept wherever they are bounded.
KEY = list(range(32))


def needed(what: str) -> None:
    """Skip a test that lacks something, or let it fail where nothing may be lacking."""
    if "CI" in os.environ or "LOOKALIKE_CI" in os.environ:
        pytest.fail(f"{what}, and a test without it tests nothing")
    pytest.skip(what)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A process has one Spark at a time, so what wants a cluster comes behind all that does not."""
    items.sort(key=lambda item: "cluster" in getattr(item, "fixturenames", ()))


def started(master: str, log: pathlib.Path, **settings: str) -> Any:
    """A session that writes its events, and all that its driver prints, into a folder. The one before it ends."""
    try:
        import pyspark
    except ImportError:
        needed("pyspark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        needed("Java is not installed")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    (log / "events").mkdir(exist_ok=True)
    before = pyspark.SparkContext._active_spark_context
    if before is not None:
        before.stop()
    builder = pyspark.sql.SparkSession.builder.master(master).appName("tests")
    whole = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": (log / "events").as_uri(),
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.session.timeZone": "Europe/Berlin",
        **settings,
    }
    for name, value in whole.items():
        builder = builder.config(name, value)
    with _printed_into(log / "driver"):
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


@contextlib.contextmanager
def _printed_into(file: pathlib.Path) -> Iterator[None]:
    """Java keeps what its output goes to when it starts, so no later test could read what it prints."""
    before = [(number, os.dup(number)) for number in (1, 2)]
    with file.open("ab") as out:
        for number, _ in before:
            os.dup2(out.fileno(), number)
    try:
        yield
    finally:
        for number, kept in before:
            os.dup2(kept, number)
            os.close(kept)


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """What Spark writes by itself: events of all sessions, and what the driver prints."""
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="session")
def spark(log: pathlib.Path) -> Iterator[Any]:
    """A session in this process with two cores, for all tests without a cluster."""
    session = started("local[2]", log)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def cluster(log: pathlib.Path) -> Iterator[Any]:
    """Two workers with an executor each, that copy slow tasks and try failed ones again."""
    here = str(pathlib.Path(__file__).parent)
    session = started(
        "local-cluster[2,1,1024]",
        log,
        **{
            "spark.executorEnv.PYTHONPATH": here,
            "spark.task.maxFailures": "20",
            "spark.stage.maxConsecutiveAttempts": "20",
            "spark.deploy.maxExecutorRetries": "-1",
            "spark.speculation": "true",
            "spark.speculation.interval": "20ms",
            "spark.speculation.multiplier": "1.1",
            "spark.speculation.quantile": "0.3",
            "spark.speculation.minTaskRuntime": "20ms",
            "spark.speculation.task.duration.threshold": "200ms",
            "spark.sql.files.maxPartitionBytes": "200k",
        },
    )
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
