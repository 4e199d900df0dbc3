"""Measures what Spark costs, in CPU seconds of all processes, beside other ways to the same counts.

``python tools/spark_ratios.py ROWS.parquet SCHEMA PROGRAM [TIMES]`` starts Spark in this process with
two cores, and prints one line of JSON a measurement. PROGRAM is the command line of the profile of
packages, and the wheel that is installed should be of that profile, too. The start of Spark and of its
Python processes is left out. What takes seconds is measured TIMES times, three unless told otherwise;
GROUP BY and ``auto``, which take minutes, once.
"""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import lookalike as la

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds() -> float:
    """CPU seconds of this process, what it started, and what those started, ended ones too."""
    children: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            spent[int(entry.name)] = sum(map(int, fields[11:15])) / TICKS
    total, waiting = 0.0, [os.getpid()]
    while waiting:
        process = waiting.pop()
        total += spent.get(process, 0.0)
        waiting += children.get(process, [])
    return total


def measured(name: str, work: Callable[[], Any], spent: Callable[[], float] = cpu_seconds) -> Any:
    """What the work gives; its cost is printed, and the passes that it took over rows of an engine."""
    begin, clock, passes = spent(), time.monotonic(), Passes.made
    made = work()
    told = {"what": name, "cpu": round(spent() - begin, 1), "seconds": round(time.monotonic() - clock, 1)}
    print(json.dumps({**told, "passes": Passes.made - passes}), flush=True)
    return made


class Passes:
    """Counts the passes that engines are asked for."""

    made = 0

    @classmethod
    def watch(cls, engine: type) -> None:
        """Count those of an engine's class."""
        count = engine.count  # type: ignore[attr-defined]

        def counted(self: Any, request: bytes) -> Any:
            cls.made += 1
            return count(self, request)

        engine.count = counted  # type: ignore[attr-defined]


def on_the_command_line(program: str, rows: str, schema: str, method: str) -> None:
    """A release by the shipped program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as out:
        words = [program, "synth", rows, "--schema", schema, "--epsilon", "1", "--method", method]
        subprocess.run([*words, "--rows", "1000", "--no-steward-report", "-q", "-o", os.path.join(out, "run")], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"what": f"{method} on the command line", "cpu": round(spent, 1)}), flush=True)


def main(path: str, schema_path: str, program: str, times: int = 3) -> None:
    """All measurements, one after the other."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.memory", "3g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    schema = la.Schema.load(schema_path)
    frame = spark.read.parquet(path)
    # The JVM compiles what runs often, and Python processes load the package.
    small = la.Synthesizer(epsilon=1.0, schema=schema, method="mst", progress=False)
    small.fit(spark.createDataFrame(frame.limit(20_000).toArrow()))
    Passes.watch(la.spark.SparkRows)
    coding = json.dumps({"schema": schema.to_dict(), "names": frame.columns, "persons": None}).encode()
    sizes = la._native.Kernel(coding).sizes
    pairs = [list(pair) for pair in itertools.combinations(range(len(sizes)), 2)]
    every = json.dumps({"cliques": pairs, "derived": [], "sizes": sizes}).encode()
    one = json.dumps({"cliques": [[0]], "derived": [], "sizes": sizes}).encode()
    for _ in range(times):
        rows = la.spark.SparkRows(frame)
        rows.columns()
        measured("coded", lambda rows=rows: rows.code(coding))
        measured(f"{len(pairs)} pairs by the kernel", lambda rows=rows: rows.count(every))
        measured("one column by the kernel", lambda rows=rows: rows.count(one))
        rows.close()
    names = frame.columns

    def grouped() -> None:
        for one, other in pairs:
            frame.groupBy(names[one], names[other]).count().toArrow()

    def released(method: str) -> None:
        run = la.Synthesizer(epsilon=1.0, schema=schema, method=method, progress=False, rows=1000)
        measured(f"{method} on Spark", lambda: run.fit(frame, spend_again=True).sample())
        on_the_command_line(program, path, schema_path, method)

    for _ in range(times):
        released("mst")
    # These take minutes, and are measured once.
    measured(f"{len(pairs)} pairs by GROUP BY", grouped)
    released("auto")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(int, sys.argv[4:5]))
