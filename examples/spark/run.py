"""A release of a table that stays on Spark; run.sh says what it needs."""

from __future__ import annotations

import json
import os
import pathlib
import sys

from pyspark.sql import SparkSession

import lookalike as la


def table(spark: SparkSession):
    """The rows as a Spark frame, and what is known of them in public."""
    folder = os.environ.get("LOOKALIKE_DATA")
    if folder is None:
        return spark.read.csv(str(la.demo_table(5000, as_path=True)), header=True), la.demo_schema()
    data = pathlib.Path(folder)
    values = json.loads((data / "adult-labels.json").read_text())
    schema = {"columns": {name: {"type": "category", "values": words} for name, words in values.items()}}
    return spark.read.csv(str(data / "adult-labels.csv"), header=True), la.Schema(schema)


def main(out: str) -> None:
    """Fit where the rows are, write the release, check it, and draw more rows on the executors."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        frame, schema = table(spark)
        synth = la.Synthesizer(epsilon=1.0, schema=schema, method="mst", progress=False).fit(frame)
        release = synth.release_
        release.save(out)
        verdict = la.Release.load(out).verify()
        print(f"{release.guarantee}; the statement {'agrees' if verdict else 'does not agree'}")
        rows = release.sample_spark(spark, 100_000, seed=1)
        print(f"{rows.count()} rows of {len(rows.columns)} columns were drawn on the executors")
        print(f"{out} holds the release")
        if not verdict:
            sys.exit(1)
    finally:
        spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
