"""scikit-learn's rules of parameters hold."""

from __future__ import annotations

import pytest
from conftest import SCHEMA, people

import lookalike as la

sklearn = pytest.importorskip("sklearn")
pd = pytest.importorskip("pandas")


def test_clone_and_parameters():
    from sklearn.base import clone

    run = la.Synthesizer(epsilon=1.0, schema=la.Schema(SCHEMA), method=la.Aim(rounds=5), progress=False)
    copy = clone(run)
    assert copy is not run and copy.get_params() == run.get_params()
    assert copy.set_params(epsilon=0.5).epsilon == 0.5 and run.epsilon == 1.0
    with pytest.raises(la.SettingError, match="no parameter"):
        run.set_params(epsilons=2)


def test_clones_know_the_rows_too():
    from sklearn.base import clone

    frame = pd.DataFrame(people(seed=21))
    run = la.Synthesizer(epsilon=1.0, schema=SCHEMA, progress=False).fit(frame)
    with pytest.raises(la.BudgetError):
        clone(run).fit(frame)


def test_the_last_step_of_a_pipeline():
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import FunctionTransformer

    def older(frame):
        return frame[frame["age"] >= 30]

    steps = Pipeline([("older", FunctionTransformer(older)), ("synth", la.Synthesizer(epsilon=3.0, schema=SCHEMA, progress=False))])
    steps.fit(pd.DataFrame(people(seed=22)))
    out = steps.named_steps["synth"].sample(100, seed=1)
    assert len(out) == 100 and list(out.columns) == list(SCHEMA["columns"])
    steps.set_params(synth__epsilon=1.0)
    assert steps.get_params()["synth__epsilon"] == 1.0
    assert "Synthesizer" in repr(steps)


def test_y_is_refused_with_a_word():
    with pytest.raises(la.SettingError, match="target"):
        la.Synthesizer(epsilon=1.0, schema=SCHEMA).fit(pd.DataFrame(people()), [1, 2])
