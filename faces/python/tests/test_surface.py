"""Everything that the command line has, by the same names."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import json
import pathlib
import pkgutil
import subprocess
import sys

import pytest
from conftest import SCHEMA, csv_of, people

import lookalike as la

HERE = pathlib.Path(__file__).parent


def lookalike(*words: str, **how) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "lookalike", *words], capture_output=True, text=True, **how)


def test_the_command_line_is_the_program_itself(tmp_path, schema):
    assert lookalike("--version").stdout.split() == ["lookalike", la.__version__]
    path = csv_of(tmp_path, people(400, seed=81))
    schema.save(tmp_path / "people.toml")
    done = lookalike("synth", path, "--schema", "people.toml", "--epsilon", "1", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # The steward's report is made by a second process of the same program.
    assert (tmp_path / "out" / "steward-only" / "report.html").exists(), done.stderr
    assert la.Release.load(tmp_path / "out").verify()
    wrong = lookalike("synth", path, "--epsilon", "nought", cwd=tmp_path)
    assert wrong.returncode == 2 and len(wrong.stderr.strip().splitlines()) == 1
    budget = lookalike("verify", "nowhere", cwd=tmp_path)
    assert budget.returncode == 2


def test_the_methods_file_is_what_the_program_says():
    script = HERE.parent / "tools" / "methods.py"
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    assert made == (HERE.parent / "python" / "lookalike" / "methods.py").read_text()


@pytest.mark.parametrize("method", [it["name"] for it in json.loads(la._native.methods())])
def test_every_method_runs(method, tmp_path):
    schema = {"columns": {name: SCHEMA["columns"][name] for name in ("sex", "member", "answer")}}
    columns = {name: cells for name, cells in people(300, seed=hash(method) % 1000).items() if name in schema["columns"]}
    relation = "replace-one" if method == "histogram" else None
    run = la.Synthesizer(epsilon=2.0, schema=schema, method=method, relation=relation, rows=30, progress=False)
    assert len(run.fit(csv_of(tmp_path, columns), spend_again=True).sample()) == 30


def test_settings_of_a_method_reach_the_statement(tmp_path):
    run = la.Synthesizer(epsilon=1.0, schema=SCHEMA, method=la.Aim(rounds=3, levels=True), progress=False)
    run.fit(csv_of(tmp_path, people(seed=82)))
    assert run.release_.statement["job"]["set"] == {"rounds": "3", "levels": "true"}
    assert dataclasses.fields(la.Auto)
    with pytest.raises(TypeError):
        la.Aim(round=3)
    with pytest.raises(la.SettingError, match="rounds"):
        la.Synthesizer(epsilon=1.0, schema=SCHEMA, method=la.Aim(rounds=-3)).fit(csv_of(tmp_path, people(seed=83)))


def test_workload_and_target(tmp_path):
    run = la.Synthesizer(epsilon=1.0, schema=SCHEMA, method="aim", target="answer", workload=[["age", "sex"], ["answer"]], progress=False)
    run.fit(csv_of(tmp_path, people(seed=84)))
    job = run.release_.statement["job"]
    assert job["target"] == "answer" and [table["columns"] for table in job["workload"]] == [["age", "sex"], ["answer"]]


def test_persons_relation_and_journal(tmp_path):
    columns = {**people(600, seed=85), "who": [f"p{n // 3}" for n in range(600)]}
    schema = {"columns": {**SCHEMA["columns"], "who": {"type": "id"}}}
    run = la.Synthesizer(epsilon=2.0, schema=schema, unit="who", contribution=2, journal=tmp_path / "journal.jsonl", progress=False)
    run.fit(csv_of(tmp_path, columns))
    assert "who" in run.release_.guarantee
    assert (tmp_path / "journal.jsonl").read_text().count("charge") > 0
    other = la.Synthesizer(epsilon=2.0, schema=SCHEMA, relation="replace-one", progress=False)
    assert "changing" in other.fit(csv_of(tmp_path, people(seed=86))).release_.guarantee


def test_a_plan_is_a_small_table():
    found = la.plan(SCHEMA, rows=45_000, epsilon=[0.5, 1, 2], method="all")
    assert len(found) > 3 and "epsilon" in repr(found).splitlines()[0]
    assert "<svg" in found._repr_html_() and "<table" in found._repr_html_()
    pytest.importorskip("pandas")
    table = found.to_pandas()
    assert {"method", "epsilon", "tvd2", "tvd2_low", "tvd2_high"} <= set(table.columns)
    assert la.plan(SCHEMA, rows=45_000, error=0.05).needed[0]["epsilon"] > 0
    discovery = la.plan(rows=1000, columns=20, epsilon=0.3)
    assert "TOO FEW ROWS" in repr(discovery)
    persons = {"columns": {**SCHEMA["columns"], "who": {"type": "id"}}}
    several = la.plan(persons, epsilon=1, unit="who", contribution=[1, 3], persons=1000, rows=3000)
    assert [line["contribution"] for line in several] == [1, 3]


def test_every_example_of_the_docstrings_runs():
    failed = tried = 0
    for module in pkgutil.iter_modules(la.__path__):
        if module.name in ("_native", "__main__"):
            continue
        loaded = importlib.import_module(f"lookalike.{module.name}")
        result = doctest.testmod(loaded, optionflags=doctest.NORMALIZE_WHITESPACE)
        failed, tried = failed + result.failed, tried + result.attempted
    assert failed == 0 and tried > 20


def test_everything_public_has_a_docstring():
    for name in la.__all__:
        thing = getattr(la, name)
        if callable(thing):
            assert thing.__doc__, name
            for inner, value in vars(thing).items() if isinstance(thing, type) else ():
                if not inner.startswith("_") and callable(value):
                    assert value.__doc__, f"{name}.{inner}"


def test_the_shipped_module_has_no_repeatable_noise(tmp_path):
    if la._native.HAS_TEST_NOISE:
        pytest.skip("this is the wheel of tests")
    assert not hasattr(la._native, "Recording") and not hasattr(la._native, "codes")
    with pytest.raises(la.SettingError, match="never will"):
        la.Synthesizer(epsilon=1.0, schema=SCHEMA)._fit(csv_of(tmp_path, people(seed=87)), False, {"seed": 1})
