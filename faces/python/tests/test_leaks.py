"""What may be published depends on the rows through paid answers alone: through Python objects too."""

from __future__ import annotations

import io
import logging
import os
import pickle
import secrets

import pytest
from conftest import SCHEMA, needs_test_noise, people

import lookalike as la

pd = pytest.importorskip("pandas")


def everything(run: la.Synthesizer, logged: str) -> list[bytes]:
    """All that a caller can print, show, write or hand on after a fit."""
    release = run.release_
    texts = [
        repr(run), repr(release), release.guarantee, str(release.statement), repr(release.verify()),
        release.report().html, release.report()._repr_html_(), repr(release.report()), release.dictionary(),
        release.schema.to_toml(), release.schema._repr_html_(), release.query(["age", "sex"]).to_csv(),
        str(release.explain("sex")), run.sample(50, seed=1).to_csv(), logged,
    ]
    return [text.encode() for text in texts] + [pickle.dumps(run), pickle.dumps(release), release._native.to_bytes()]


def fitted(frame, test, settings=None) -> tuple[la.Synthesizer, str]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("lookalike")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        run = la.Synthesizer(**{"epsilon": 1.0, "schema": SCHEMA, "progress": False, "rows": 50, **(settings or {})})
        run._fit(frame, True, test)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
    return run, stream.getvalue()


@needs_test_noise
@pytest.mark.parametrize("settings", [{}, {"schema": None}, {"method": "mst"}, {"unit": "who", "contribution": 2}])
def test_replayed_answers_on_a_neighbour_give_the_same_objects(settings):
    columns = people(600, seed=41)
    columns["who"] = [f"p{row // 2}" for row in range(600)]
    if "unit" in settings:
        settings = {**settings, "schema": {"columns": {**SCHEMA["columns"], "who": {"type": "id"}}}}
    elif "schema" not in settings:
        del columns["who"]
    frame = pd.DataFrame(columns)
    tape = la._native.Recording()
    first = everything(*fitted(frame, {"seed": 3, "rows_seed": 1, "recording": tape}, settings))
    # A neighbour: one row less, and for persons both rows of one.
    neighbour = frame.iloc[2:] if "unit" in settings else frame.iloc[1:]
    second = everything(*fitted(neighbour, {"seed": 3, "rows_seed": 1, "recording": tape, "replays": True}, settings))
    for mine, other in zip(first, second):
        assert mine == other
    # The control: other answers are seen.
    third = everything(*fitted(neighbour, {"seed": 4, "rows_seed": 1}, settings))
    assert third != first


def canaries(frame):
    words = [secrets.token_hex(8) for _ in range(3)]
    number = secrets.randbelow(9 * 10**11) + 10**11
    marked = frame.astype(object)
    marked.loc[0, "sex"], marked.loc[1, "answer"], marked.loc[2, "age"], marked.loc[3, "weight"] = words[0], words[1], number, -float(number)
    return marked, [word.encode() for word in words[:2]] + [str(number).encode()]


# The full study has 1,000 runs.
@pytest.mark.parametrize("attempt", range(int(os.environ.get("LOOKALIKE_LEAK_RUNS", "20"))))
def test_canaries_outside_the_schema_are_nowhere(attempt):
    frame, marks = canaries(pd.DataFrame(people(300, seed=attempt)))
    run, logged = fitted(frame, None)
    for place, text in enumerate(everything(run, logged)):
        for mark in marks:
            assert mark not in text, place


def test_errors_and_refusals_quote_no_cell():
    frame, marks = canaries(pd.DataFrame(people(300, seed=77)))
    fits = [
        lambda: la.Synthesizer(epsilon=1.0, schema={"columns": {"sex": {"type": "integer", "range": [0, 1]}}}).fit(frame),
        lambda: la.Synthesizer(epsilon=1.0, schema=SCHEMA, unit="sex", contribution=1).fit(frame),
        lambda: la.Synthesizer(epsilon=1e-9, schema=SCHEMA).fit(frame),
        lambda: la.Synthesizer(epsilon=1.0, schema=SCHEMA, method="histogram").fit(frame),
        lambda: la.Synthesizer(epsilon=1.0, schema=SCHEMA).fit(broken(frame)),
    ]
    for fit in fits:
        with pytest.raises(la.LookalikeError) as error:
            fit()
        text = f"{error.value!r} {error.value.__cause__!r}".encode()
        assert not any(mark in text for mark in marks), text


def broken(frame):
    """An iterator that fails with a cell in its words."""
    yield next(iter(la.release.form_of(frame).frames()))
    raise ValueError(f"cannot read {frame.sex[0]}")


def test_a_pickle_holds_no_row(tmp_path):
    frame = pd.DataFrame(people(300, seed=78)).assign(remark=[secrets.token_hex(8) for _ in range(300)])
    schema = {"columns": {**SCHEMA["columns"], "remark": {"type": "ignore"}}}
    run, _ = fitted(frame, None, {"schema": schema})
    data = pickle.dumps(run) + pickle.dumps(run.release_)
    assert not any(remark.encode() in data for remark in frame.remark)


def test_categories_are_those_of_the_schema_whatever_the_rows_have():
    """pandas' categories are values of the rows: neither one that is there nor one that is not may be told."""
    secret = secrets.token_hex(8)
    frame = pd.DataFrame(people(300, seed=79))
    frame["sex"] = pd.Categorical([secret, *frame.sex[1:]], categories=[secret, "M", "F"], ordered=True)
    run, _ = fitted(frame, None)
    out = run.sample(200, seed=1)
    assert list(out.sex.cat.categories) == ["F", "M"] and out.sex.cat.ordered
    assert secret.encode() not in pickle.dumps(out) and secret.encode() not in pickle.dumps(run)
    # Nobody says "high" here, and the type does not tell it.
    none = frame[frame.answer != "high"].assign(answer=lambda it: it.answer.astype("category"))
    assert "high" not in none.answer.cat.categories
    run, _ = fitted(none, None)
    assert list(run.sample(50, seed=1).answer.cat.categories) == SCHEMA["columns"]["answer"]["values"]


@needs_test_noise
def test_a_fault_of_the_program_quotes_nothing(capfd):
    with pytest.raises(la.InternalError, match="fault of lookalike") as error:
        la._native.fault("the cell of Jane Doe")
    out, err = capfd.readouterr()
    assert "Jane" not in repr(error.value) + out + err
