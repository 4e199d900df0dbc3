"""Nobody spends a budget by accident."""

from __future__ import annotations

import inspect
import multiprocessing
import pickle
import subprocess
import sys
import threading

import pytest
from conftest import SCHEMA, csv_of, people

import lookalike as la


def synth(**settings) -> la.Synthesizer:
    return la.Synthesizer(**{"epsilon": 1.0, "schema": SCHEMA, "progress": False, **settings})


def test_epsilon_has_no_default_and_fit_takes_no_seed():
    with pytest.raises(TypeError, match="epsilon"):
        la.Synthesizer(schema=SCHEMA)
    assert "seed" not in inspect.signature(la.Synthesizer.fit).parameters
    assert "seed" not in inspect.signature(la.Synthesizer.__init__).parameters


@pytest.mark.parametrize("epsilon", ["1", None, float("nan"), float("inf"), True, -1.0, 0.0])
def test_an_epsilon_that_cannot_be_is_refused(epsilon, tmp_path):
    with pytest.raises(la.SettingError):
        synth(epsilon=epsilon).fit(csv_of(tmp_path, people()))


def test_a_second_fit_is_refused_whatever_object_does_it(tmp_path):
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    columns = people(seed=11)
    frame, path = pd.DataFrame(columns), csv_of(tmp_path, columns)
    first = synth()
    first.fit(frame)
    for again in (first, synth(epsilon=0.5), synth(schema=None), synth(method="independent")):
        for data in (frame, frame.copy(), pl.from_pandas(frame), path):
            with pytest.raises(la.BudgetError, match="spend_again=True"):
                again.fit(data)
    first.fit(frame, spend_again=True)
    # One cell more or less is another table.
    synth().fit(frame.iloc[1:])


def test_a_fit_that_was_refused_is_not_remembered(tmp_path):
    path = csv_of(tmp_path, people(seed=12))
    with pytest.raises(la.SettingError):
        synth(method="no such method").fit(path)
    with pytest.raises(la.SchemaError):
        synth(schema={"columns": {"other": {"type": "integer", "range": [0, 1]}}}).fit(path)
    ledger = la.Ledger(tmp_path / "office.ledger")
    ledger.open("people", epsilon=0.5)
    with pytest.raises(la.BudgetError, match="left"):
        synth(ledger=ledger, dataset="people").fit(path)
    synth().fit(path)


def test_the_ledger_is_drawn_on_and_shown(tmp_path):
    ledger = la.Ledger(tmp_path / "office.ledger")
    account = ledger.open("people", epsilon=2.0)
    assert account.left == pytest.approx(2.0, rel=1e-6) and not account.releases
    run = synth(ledger=ledger, dataset="people")
    assert "'people' has" in repr(run) and "epsilon 2" in repr(run)
    run.fit(csv_of(tmp_path, people(seed=13)))
    assert ledger["people"].left < 2.0
    assert len(ledger["people"].releases) == 1
    assert "spent epsilon 1" in repr(run)
    # The register and the ledger both know the rows.
    with pytest.raises(la.BudgetError, match="spend_again"):
        synth().fit(csv_of(tmp_path, people(seed=13), "same.csv"))
    assert ledger.close("people").is_closed
    with pytest.raises((la.BudgetError, la.SettingError), match="closed"):
        run.fit(csv_of(tmp_path, people(seed=14)), spend_again=True)


def test_repr_says_that_the_schema_is_discovered(tmp_path):
    run = synth(schema=None)
    assert "everything is discovered" in repr(run)
    run.fit(csv_of(tmp_path, people(3000, seed=15)))
    assert run.release_.statement["job"]["discover_share"] == 0.1
    assert any("discovered" in str(facts) for facts in run.release_.schema.to_dict()["columns"].values())


def test_threads_may_fit_at_the_same_time_and_only_one_gets_the_same_rows(tmp_path):
    path = csv_of(tmp_path, people(3000, seed=16))
    outcomes: list[str] = []

    def work():
        try:
            outcomes.append(synth().fit(path).release_.guarantee)
        except la.BudgetError:
            outcomes.append("refused")

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(outcomes).count("refused") == 3 and len(outcomes) == 4


def forked(path, queue):
    run = la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False)
    queue.put(run.fit(path, spend_again=True).release_._native.model_bytes())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_noise_is_never_shared_after_a_fork(tmp_path):
    path = csv_of(tmp_path, people(seed=17))
    own = synth().fit(path).release_._native.model_bytes()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=forked, args=(path, queue)) for _ in range(3)]
    [child.start() for child in children]
    models = [queue.get(timeout=120) for _ in children]
    [child.join(60) for child in children]
    assert len({own, *models}) == 4


def test_a_pickled_synthesizer_has_its_settings_and_its_release_alone(tmp_path):
    run = synth().fit(csv_of(tmp_path, people(seed=18)))
    again = pickle.loads(pickle.dumps(run))
    assert again.get_params() == run.get_params()
    assert again.release_.guarantee == run.release_.guarantee
    assert list(again.sample(5, seed=3)["age"]) == list(run.sample(5, seed=3)["age"])


def test_another_process_starts_with_a_clean_register(tmp_path):
    path = csv_of(tmp_path, people(seed=19))
    synth().fit(path)
    code = (
        "import lookalike as la, sys\n"
        f"la.Synthesizer(epsilon=1.0, schema={SCHEMA!r}, progress=False).fit({path!r})\n"
        "print('fitted')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "fitted\n" and done.stderr == ""
