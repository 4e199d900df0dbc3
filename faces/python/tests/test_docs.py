"""What the pages show is what the package does."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest
from conftest import SCHEMA, csv_of, people

import lookalike as la

ROOT = pathlib.Path(__file__).resolve().parents[3]


def blocks(page: pathlib.Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "faces/python/README.md"])
def test_the_first_lines_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    csv_of(tmp_path, people(600, seed=len(page)))
    for name in ("schema.toml", "people.toml"):
        la.Schema(SCHEMA).save(tmp_path / name)
    found = blocks(ROOT / page)
    assert found
    for block in found:
        names: dict[str, object] = {}
        exec(compile(block, page, "exec"), names)
        assert len(names["fake"]) == 1000
        assert names["synth"].release_.verify()


def test_the_reference_is_what_the_docstrings_say():
    script = ROOT / "faces" / "python" / "tools" / "reference.py"
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    assert made == (ROOT / "docs" / "python" / "reference.md").read_text()
