"""The example runs as it stands."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from conftest import needed, short


@pytest.mark.parametrize("benchmark", [False, pytest.param(True, marks=short)])
def test_the_example(tmp_path: pathlib.Path, benchmark: bool) -> None:
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        needed("Java is not installed")
    if benchmark and "LOOKALIKE_DATA" not in os.environ:
        needed("LOOKALIKE_DATA names no folder of benchmark tables")
    script = pathlib.Path(__file__).parents[3] / "examples" / "spark" / "run.sh"
    own = {name: value for name, value in os.environ.items() if benchmark or name != "LOOKALIKE_DATA"}
    run = subprocess.run(
        ["sh", str(script), str(tmp_path / "out")], env={**own, "PYTHON": sys.executable}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert "the statement agrees" in run.stdout and "100000 rows" in run.stdout
