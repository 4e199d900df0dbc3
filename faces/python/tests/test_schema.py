"""Schemas: made, drafted, reviewed, checked."""

from __future__ import annotations

import pickle

import pytest
from conftest import SCHEMA, csv_of, people

import lookalike as la

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


def test_made_saved_and_loaded(tmp_path, schema):
    schema.save(tmp_path / "people.toml")
    again = la.Schema.load(tmp_path / "people.toml")
    assert again == schema and hash(again) == hash(schema) and pickle.loads(pickle.dumps(schema)) == schema
    assert again.columns == list(SCHEMA["columns"]) and not again.is_open and not again.marks
    assert la.Schema(schema.to_toml()).to_dict() == schema.to_dict()
    assert "5 columns" in repr(schema) and "<pre>" in schema._repr_html_()
    assert list(tmp_path.iterdir()) == [tmp_path / "people.toml"]


def test_values_of_numpy_and_dates_are_taken():
    np = pytest.importorskip("numpy")
    schema = la.Schema({"columns": {"n": {"type": "integer", "range": [np.int64(1), np.int64(5)]}, "d": {"type": "date", "range": [pd.Timestamp("2020-01-01").date(), pd.Timestamp("2020-12-31").date()]}}})
    assert schema.to_dict()["columns"]["d"]["range"] == ["2020-01-01", "2020-12-31"]


def test_a_draft_of_a_frame_is_that_of_its_file(tmp_path):
    columns = people(800, seed=71)
    from_file, from_frame = la.Schema.draft(csv_of(tmp_path, columns)), la.Schema.draft(pl.DataFrame(columns))
    assert set(from_file.columns) == set(from_frame.columns) == set(columns)
    assert from_frame.marks and all(mark.why and mark.proposal for mark in from_frame.marks)
    with pytest.raises(la.SettingError, match="review"):
        la.Synthesizer(epsilon=1.0, schema=from_frame, progress=False).fit(pl.DataFrame(columns))
    run = la.Synthesizer(epsilon=1.0, schema=from_frame, accept_draft=True, progress=False).fit(pl.DataFrame(columns))
    assert run.release_.epsilon is None and run.release_.guarantee.startswith("NO GUARANTEE")


def test_a_review_settles_marks_in_bulk_and_one_by_one():
    draft = la.Schema.draft(pl.DataFrame(people(800, seed=72)))
    settled = draft.review(accept="harmless", discover="telling")
    assert not settled.marks and settled.is_open
    mark = draft.marks[0]
    assert (mark.column, mark.fact) not in [(m.column, m.fact) for m in draft.review(accept=[(mark.column, mark.fact)]).marks]
    left_out = draft.review(ignore=["age"])
    assert left_out.to_dict()["columns"]["age"] == {"type": "ignore"}
    with pytest.raises(la.SettingError, match="no mark"):
        draft.review(accept=[("age", "nothing")])
    with pytest.raises(la.SettingError, match="harmless"):
        draft.review(accept="everything")


def test_types_of_pandas_are_marked_and_an_enum_is_a_declaration():
    frame = pd.DataFrame({"n": [1, 2], "w": pd.Categorical(["a", "b"]), "t": [True, False], "x": [0.5, 1.0], "s": ["p", "q"]})
    schema = la.Schema.from_types(frame)
    assert {(m.column, m.fact) for m in schema.marks} == {("n", "type"), ("w", "type"), ("w", "values"), ("t", "type")}
    assert schema.is_open and schema.to_dict()["columns"]["w"]["values"] == ["a", "b"]
    declared = la.Schema.from_types(pl.DataFrame({"e": pl.Series(["a"], dtype=pl.Enum(["a", "b"])), "n": [1], "d": [None]}))
    assert not declared.marks and declared.to_dict()["columns"]["e"]["values"] == ["a", "b"]
    with pytest.raises(la.DataError, match="draft"):
        la.Schema.from_types("people.csv")


def test_types_of_a_frame_can_be_fitted():
    frame = pl.DataFrame(people(4000, seed=73))
    run = la.Synthesizer(epsilon=3.0, schema=la.Schema.from_types(frame), progress=False).fit(frame)
    assert run.release_.epsilon == 3.0 and run.sample(10, seed=1).schema == frame.schema


def test_cells_outside_are_counted(schema):
    frame = pd.DataFrame(people(100, seed=74))
    frame.loc[3, "age"], frame.loc[4, "sex"] = 200, "X"
    found = schema.check(frame)
    assert found.rows == 100 and found.outside == {"age": 1, "sex": 1}


def test_a_code_book(tmp_path):
    book = tmp_path / "book.csv"
    book.write_text("name,type,values\nsex,category,F|M\nage,integer,0-99\n")
    assert set(la.Schema.import_book(book).columns) == {"sex", "age"}


def test_open_facts_and_with_column():
    schema = la.Schema({"columns": {"age": {"type": "integer", "range": "discover"}}})
    assert schema.is_open
    assert not schema.with_column("age", type="integer", range=[0, 120]).is_open


def test_slips_are_told_in_one_line(tmp_path):
    draft = la.Schema.draft(pl.DataFrame(people(300, seed=75)))
    assert not draft.review(accept=draft.marks).marks
    assert draft.review(ignore="age").to_dict()["columns"]["age"] == {"type": "ignore"}
    for slip in (
        lambda: draft.review(ignore=["agee"]),
        lambda: draft.review(accept=["age"]),
        lambda: la.Schema("people.toml"),
        lambda: la.Schema({"columns": {"a": {"type": "category", "values": object()}}}),
        lambda: la.Ledger(tmp_path / "x.ledger").open(3, epsilon=1.0),
    ):
        with pytest.raises(la.LookalikeError) as error:
            slip()
        assert "\n" not in str(error.value)
    assert la.Schema({"columns": {"a": {"type": "category", "values": pd.Series(["x", "y"]).to_numpy()}}}).columns == ["a"]
