"""Spark: rows that never leave the executors.

A Spark frame goes into `lookalike.Synthesizer.fit` like any other. Its rows are coded once, on the
executors, by the kernel of this package, which must be installed there. Of each person as many rows
stay as ``contribution`` says. The coded rows are written to a folder that all executors reach, and
every round of a method sends out which columns are counted together and gets counts back. No row and
no cell comes to the driver.

>>> import lookalike as la
>>> rows = la.spark.SparkRows(None)
Traceback (most recent call last):
    ...
lookalike.errors.DataError: None is no Spark frame; pass a pyspark.sql.DataFrame
"""

from __future__ import annotations

from ._rows import SparkRows

__all__ = ["SparkRows"]
