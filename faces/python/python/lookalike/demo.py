"""A made-up table to try things on: nobody is in it."""

from __future__ import annotations

import atexit
import io
import os
import shutil
import tempfile
from typing import Any

from . import _native
from ._frames import installed_form
from .schema import Schema

__all__ = ["demo_schema", "demo_table"]


def demo_schema() -> Schema:
    """The schema of `demo_table`."""
    return Schema(_native.demo_schema(), name="demo")


def demo_table(rows: int = 10_000, *, seed: int = 0, as_path: bool = False) -> Any:
    """Rows of the table that ``lookalike demo`` makes, as a frame, or as the path of a CSV file.

    The file lies in a temporary folder that goes away with the process.

    >>> import lookalike as la
    >>> la.demo_table(3, as_path=True).endswith(".csv")
    True
    """
    text = _native.demo_csv(rows, seed)
    if as_path or installed_form().kind == "rows":
        folder = tempfile.mkdtemp(prefix="lookalike-demo-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, "people.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path
    if installed_form().kind == "pandas":
        import pandas as pd

        return pd.read_csv(io.StringIO(text))
    if installed_form().kind == "polars":
        import polars as pl

        return pl.read_csv(io.StringIO(text))
    from pyarrow import csv

    return csv.read_csv(io.BytesIO(text.encode()))
