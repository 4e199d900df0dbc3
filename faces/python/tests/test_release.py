"""What can be asked of a release, free of charge."""

from __future__ import annotations

import pickle
import warnings

import pytest
from conftest import SCHEMA, csv_of, people

import lookalike as la

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


def test_a_seed_fixes_the_rows_and_conditions_are_met(release):
    assert release.sample(100, seed=7).equals(release.sample(100, seed=7))
    assert not release.sample(100, seed=7).equals(release.sample(100, seed=8))
    old = release.sample(300, seed=7, where="age >= 65 and sex = F")
    assert (old.age >= 65).all() and set(old.sex) == {"F"}
    assert len(release.sample()) == release.rows
    with pytest.raises(la.SettingError, match="where"):
        release.sample(5, where="age >> 3")


def test_rows_are_those_of_the_command_line(release, tmp_path):
    folder = tmp_path / "out"
    release.save(folder)
    written = pd.read_csv(folder / "release" / "synthetic.csv")
    own = release.sample()
    assert list(written.age) == list(own.age) and list(written.sex) == list(own.sex)


def test_known_columns_are_kept_and_the_others_follow(tmp_path):
    """`answer` follows from age nine times in ten, so filled-in answers do as well; a control with other ages does not."""
    run = la.Synthesizer(epsilon=20.0, schema=SCHEMA, progress=False).fit(csv_of(tmp_path, people(5000, seed=61)))
    known = pd.DataFrame({"sex": ["F", "M"] * 200, "age": [20, 80] * 200}, index=range(1000, 1400))
    out = run.sample(known=known, seed=1)
    assert list(out.index) == list(known.index) and list(out.age) == list(known.age) and list(out.sex) == list(known.sex)
    assert set(out.columns) == set(SCHEMA["columns"])
    young, old = out[out.age == 20].answer, out[out.age == 80].answer
    assert (young == "low").mean() > 0.6 and (old == "no answer").mean() > 0.6
    assert (young == "no answer").mean() < 0.2
    assert run.sample(known=known, seed=1).equals(out)
    polars = run.sample(known=pl.from_pandas(known), seed=1, output="polars")
    assert list(polars["age"]) == list(known.age)
    with pytest.raises(la.SettingError, match="known"):
        run.sample(5, known=known)
    with pytest.raises(la.LookalikeError, match="nobody"):
        run.sample(known=pd.DataFrame({"nobody": [1]}))


def test_a_query_is_a_frame_with_errors(release):
    answer = release.query(["answer", "sex"])
    assert list(answer.columns) == [
        "answer", "sex", "count", "count_low", "count_high", "count_error", "share", "share_low", "share_high", "kind",
    ]
    assert (answer.count_low <= answer["count"] + 1e-9).all() and (answer["count"] <= answer.count_high + 1e-9).all()
    assert answer.share.sum() == pytest.approx(1.0)
    assert answer.attrs["total"] > 0 and isinstance(answer.attrs["notes"], list)
    women = release.query("answer", where="sex = F")
    assert len(women) < len(answer)
    assert release.query("sex", output="polars").columns[0] == "sex"


def test_a_condition_that_cuts_a_bin_is_met_and_noted():
    schema = {"columns": {"age": {"type": "integer", "range": [0, 99], "bins": 4}, "sex": {"type": "category", "values": ["f", "m"]}}}
    frame = pd.DataFrame({"age": [row % 100 for row in range(1000)], "sex": ["f", "m"] * 500})
    made = la.Synthesizer(epsilon=9.0, schema=schema, progress=False).fit(frame).release_
    with pytest.warns(UserWarning, match='cuts the bins "25-49", "50-74" of "age"'):
        rows = made.sample(400, seed=2, where="age between 30 and 55 and sex = f")
    assert rows.age.between(30, 55).all() and (rows.sex == "f").all() and len(set(rows.age)) == 26
    answer = made.query("sex", where="age >= 30")
    assert (answer.kind == "bound").all() and any("cuts the bin" in note for note in answer.attrs["notes"])
    # A condition at edges warns of nothing.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made.sample(50, seed=2, where="age >= 25").age.ge(25).all()


def test_saved_loaded_verified_and_tampered(release, tmp_path):
    published = release.save(tmp_path / "out")
    assert published.endswith("release")
    again = la.Release.load(tmp_path / "out")
    assert again.verify() and again.guarantee == release.guarantee and again.rows == release.rows
    assert again.sample(20, seed=5).astype(str).equals(release.sample(20, seed=5).astype(str))
    with pytest.raises(la.DataError, match="overwrite=True"):
        release.save(tmp_path / "out")
    release.save(tmp_path / "out", overwrite=True, format="parquet")
    rows = tmp_path / "out" / "release" / "synthetic.parquet"
    assert len(pd.read_parquet(rows)) == release.rows
    rows.write_bytes(rows.read_bytes()[:-1] + b"x")
    verdict = la.Release.load(tmp_path / "out").verify()
    assert not verdict and any("synthetic.parquet" in line for line in verdict.disagreements)


def test_a_pickle_that_was_changed_is_refused(release):
    data = release._native.to_bytes()
    assert pickle.loads(pickle.dumps(release)).statement == release.statement
    for place in (0, 12, 100, len(data) - 1):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(la.LookalikeError):
            la._native.release_from_bytes(bytes(changed))


def test_pages_and_statements(release, tmp_path):
    page = release.report()
    assert page.html.startswith("<!DOCTYPE html>") and "iframe" in page._repr_html_() and "KiB" in repr(page)
    page.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == page.html
    assert release.statement["guarantee"] and release.epsilon == 2.0 and release.delta == 1e-9
    assert release.dictionary().startswith("column,")
    assert release.schema.columns == list(SCHEMA["columns"])


def test_comparison_is_for_the_steward(tmp_path):
    frame = pd.DataFrame(people(1500, seed=62))
    run = la.Synthesizer(epsilon=5.0, schema=SCHEMA, progress=False).fit(frame)
    found = la.evaluate(frame, run.sample(1500, seed=1), target="answer", schema=SCHEMA)
    assert "steward only" in repr(found) and "steward" in found._repr_html_()
    assert 0.0 < found.distance(1) < found.distance(2) < 0.5
    without = la.evaluate(frame, run.sample(1500, seed=1))
    assert without.distance(1) < 0.2
    assert run.release_.evaluate(frame).distance(1) < 0.2
    # The control: rows of another table are far away.
    other = frame.assign(age=0, sex="F")
    assert la.evaluate(frame, other, schema=SCHEMA).distance(1) > 0.25


def test_a_release_without_a_model_says_so(tmp_path):
    small = {"columns": {"sex": SCHEMA["columns"]["sex"], "member": SCHEMA["columns"]["member"]}}
    columns = {name: cells for name, cells in people(200, seed=63).items() if name in small["columns"]}
    run = la.Synthesizer(epsilon=2.0, schema=small, method="histogram", relation="replace-one", rows=20, progress=False).fit(csv_of(tmp_path, columns))
    assert len(run.sample()) == 20
    with pytest.raises(la.SettingError, match="rows alone"):
        run.sample(5)


def test_no_rows_have_all_columns(release):
    empty = release.sample(0)
    assert len(empty) == 0 and list(empty.columns) == list(SCHEMA["columns"])


def test_dates_as_text_are_written_as_the_schema_writes_them(tmp_path):
    days = [f"{1 + n % 28:02d}/{1 + n % 12:02d}/2020" for n in range(300)]
    schema = {"columns": {"day": {"type": "date", "format": "%d/%m/%Y", "range": ["2020-01-01", "2020-12-31"]}}}
    for frame in (pd.DataFrame({"day": days}), pl.DataFrame({"day": days}), pl.DataFrame({"day": days}).to_arrow()):
        run = la.Synthesizer(epsilon=5.0, schema=schema, progress=False).fit(frame, spend_again=True)
        out = run.sample(50, seed=1)
        texts = list(out["day"].to_pylist() if hasattr(out["day"], "to_pylist") else out["day"])
        assert all(len(text) == 10 and text[2] == "/" for text in texts), texts[:3]
        assert pd.to_datetime(pd.Series(texts), format="%d/%m/%Y").dt.year.eq(2020).all()


def test_conditions_and_columns_of_the_wrong_kind_are_refused(release):
    for wrong in (lambda: release.sample(5, where=["age > 3"]), lambda: release.query(3), lambda: release.query([1])):
        with pytest.raises(la.SettingError):
            wrong()
    with pytest.raises(TypeError, match="seeed"):
        la.Synthesizer(epsilon=1.0, schema=SCHEMA).fit_sample("people.csv", 5, seeed=1)
