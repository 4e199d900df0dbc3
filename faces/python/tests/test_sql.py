"""Rows that stay in a database: the same codes, the same counts and the same models as anywhere else."""

from __future__ import annotations

import collections
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
from typing import Any

import pytest
from conftest import SCHEMA, csv_of, needs_test_noise, people
from databases import KINDS, connect, missing, stored

import lookalike as la
from lookalike.sql import dialects, suite
from lookalike.sql.codes import coded
from lookalike.sql.counting import Counter, DerivedColumn, Wanted
from lookalike.sql.databases import Database
from lookalike.sql.dialects import Dialect

pa = pytest.importorskip("pyarrow")
ibis = pytest.importorskip("ibis")

pytestmark = [
    # Four databases and their drivers take minutes, which `cargo xtask test --all` has, and
    # `cargo xtask python --sql` for these alone.
    pytest.mark.skipif("LOOKALIKE_SQL" not in os.environ, reason="LOOKALIKE_SQL is not set"),
    # Of ibis, about how it talks to DuckDB and to pandas.
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),
]

TABLES = int(os.environ.get("LOOKALIKE_SQL_TABLES", "6"))
# DataFusion takes half a minute to plan the expressions of one made-up table.
FEWER = {"datafusion": 1 if TABLES <= 6 else TABLES}
ROWS = people(700, seed=26)


def table_of(connection: Any, columns: dict[str, list[Any]] = ROWS) -> Any:
    return stored(connection, pa.table(columns))


def synthesizer(**settings: Any) -> la.Synthesizer:
    return la.Synthesizer(**{"epsilon": 2.0, "schema": SCHEMA, "rows": 50, "progress": False, **settings})


@pytest.mark.parametrize("kind", KINDS)
def test_every_made_up_cell_has_the_code_that_a_file_gives_it(kind: str) -> None:
    connection = connect(kind)
    for number in range(FEWER.get(kind, TABLES)):
        assert suite.differing(Database(connection, Dialect(kind)), number) == [], number


@needs_test_noise
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["auto", "aim", "mst", "privmrf", "independent"])
def test_the_same_model_under_the_same_noise_and_under_replayed_answers(kind: str, method: str) -> None:
    rows = table_of(connect(kind))

    def model(data: Any, **test: Any) -> bytes:
        fitted = synthesizer(method=method)._fit(data, True, test)
        return fitted.release_._native.model_bytes()

    # Under the same noise the models are the same only if every count is.
    assert model(la.sql.table(rows), seed=5) == model(pa.table(ROWS), seed=5)
    tape = la._native.Recording()
    taped = model(pa.table(ROWS), recording=tape)
    assert model(la.sql.table(rows), recording=tape, replays=True) == taped


@needs_test_noise
@pytest.mark.parametrize("kind", KINDS)
def test_adult_with_its_labels(kind: str) -> None:
    folder = os.environ.get("LOOKALIKE_DATA")
    if folder is None:
        missing("LOOKALIKE_DATA names no folder of benchmark tables")
    csv = pytest.importorskip("pyarrow.csv")
    path = pathlib.Path(folder or "")
    lists = json.loads((path / "adult-labels.json").read_text())
    schema = la.Schema({"columns": {name: {"type": "category", "values": values} for name, values in lists.items()}})
    texts = csv.ConvertOptions(column_types={name: pa.string() for name in lists}, strings_can_be_null=False)
    rows = csv.read_csv(path / "adult-labels.csv", convert_options=texts)
    data = la.sql.table(stored(connect(kind), rows))

    def model(data: Any) -> bytes:
        fitted = synthesizer(schema=schema, method="mst")._fit(data, True, {"seed": 8})
        return fitted.release_._native.model_bytes()

    assert model(data) == model(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_counts_of_any_sets_and_groups(kind: str) -> None:
    """Against counting by hand: small sets that share a table, large ones, levels, bits, merged values."""
    connection, draw = connect(kind), random.Random(7)
    sizes = [3, 200, 2, 5000, 40]
    rows = [[draw.randrange(size) if draw.random() < 0.7 else 0 for size in sizes] for _ in range(500)]
    coded = stored(connection, pa.table({f"c{at}": pa.array([row[at] for row in rows], pa.int32()) for at in range(5)}), "coded")
    groups = {5: (3, lambda code: code // 700), 6: (1, lambda code: code % 2), 7: (4, lambda code: code in (3, 9))}
    derived = []
    for base, group in groups.values():
        runs = [(int(key), len(list(run))) for key, run in itertools.groupby(range(sizes[base]), group)]
        derived.append(DerivedColumn(base, runs, 1 + max(group for group, _ in runs)))
    every = [*sizes, *(column.groups for column in derived)]
    cliques = [[], [0], [1], [3], [0, 2], [0, 1, 2], [1, 3], [3, 4], [5], [6, 7], [0, 5], [1, 5], [2, 4, 5, 6], [3, 5]]
    found = Counter(coded, sizes, connection.to_pyarrow).count(Wanted(cliques, derived))
    assert found.schema.types == [pa.int32(), pa.int64(), pa.int64()]
    cells: dict[int, dict[int, int]] = {place: {} for place in range(len(cliques))}
    for clique, cell, count in zip(*(column.to_pylist() for column in found.columns)):
        assert cell not in cells[clique], "a cell comes once"
        cells[clique][cell] = count
    for place, clique in enumerate(cliques):
        expected: collections.Counter[int] = collections.Counter()
        for row in rows:
            codes = [*row, *(int(group(row[base])) for base, group in groups.values())]
            cell = 0
            for column in clique:
                cell = cell * every[column] + codes[column]
            expected[cell] += 1
        assert cells[place] == dict(expected), clique


def names_of_tables(connection: Any, kind: str) -> set[str]:
    # ibis 12 cannot list the tables of DuckDB 2.
    if kind == "duckdb":
        return {name for (name,) in connection.con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    return set(connection.list_tables())


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_names_the_database_and_nothing_of_where_it_is(kind: str, tmp_path: pathlib.Path) -> None:
    connection = connect(kind)
    rows = table_of(connection)
    before = names_of_tables(connection, kind)
    fitted = synthesizer(journal=tmp_path / "journal").fit(la.sql.table(rows.filter(rows.age > 30)))
    assert fitted.release_.verify()
    source = fitted.release_.statement["job"]["source"]
    assert source["engine"].lower().startswith(kind[:6]) and source["version"][0].isdigit()
    assert (source["rows_of"], source["assumes"]) == ("a query", "each row of the result depends on one row of its table alone")
    told = json.dumps(fitted.release_.statement) + (tmp_path / "journal").read_text()
    assert "people" not in told and "/" not in source["version"]
    assert names_of_tables(connection, kind) == before, "the coded rows are gone"


def test_queries_whose_rows_depend_on_others_are_refused() -> None:
    rows = table_of(connect("duckdb"))
    window = ibis.window(group_by="sex")
    refused = {
        "a limit": rows.limit(5),
        "a sample": rows.sample(0.5),
        "distinct": rows.distinct(),
        "an aggregate": rows.group_by("sex").aggregate(n=rows.count()),
        "a join": rows.join(rows.view(), "sex"),
        "a union": rows.union(rows),
        "a window": rows.mutate(age=rows.age - rows.age.mean().over(window)),
        "a query inside": rows.filter(rows.age > rows.age.mean().as_scalar()),
        "chance": rows.mutate(age=(ibis.random() * 99).cast("int64")),
        "clock": rows.filter(ibis.now().year() > rows.age),
    }
    for words, query in refused.items():
        with pytest.raises(la.DataError) as raised:
            la.sql.table(query)
        assert "other people" in str(raised.value), words
    taken = rows.filter(rows.age < 80).mutate(age=rows.age + 1).drop("weight").order_by("age")
    assert la.sql.table(taken).rows_of == "a query"
    assert la.sql.table(rows).rows_of == "a table or view"
    with pytest.raises(la.DataError, match="no ibis table"):
        la.sql.table({"a": [1]})


def test_columns_that_cannot_be_coded_exactly_are_refused_with_a_cast() -> None:
    connection = connect("duckdb")
    cases = {
        "varchar": {"type": "integer", "range": [0, 9]},
        "decimal(30, 4)": {"type": "number", "range": [0, 9]},
        "timestamptz": {"type": "datetime", "range": ["2020-01-01", "2020-12-31"]},
        "date": {"type": "category", "values": ["2020-01-01"]},
        "uuid": {"type": "category", "values": ["a"]},
        "time": {"type": "number", "range": [0, 9]},
    }
    connection.raw_sql("set timezone = 'Europe/Berlin'")
    for kind, column in cases.items():
        connection.raw_sql(f"create or replace table odd (a {kind}, b integer)")
        schema = {"columns": {"a": column, "b": {"type": "integer", "range": [0, 9]}}}
        with pytest.raises(la.DataError, match="column 'a'.*cast it to") as raised:
            synthesizer(schema=schema).fit(la.sql.table(connection.table("odd")))
        assert "\n" not in str(raised.value)


def test_what_needs_the_rows_here_is_refused_in_a_line_that_says_what_to_do(tmp_path: pathlib.Path) -> None:
    rows = table_of(connect("duckdb"))
    ledger = la.Ledger(tmp_path / "ledger")
    ledger.open("people", epsilon=9.0)
    persons = {"columns": {**SCHEMA["columns"], "sex": {"type": "id"}}}
    refused = {
        "leave out the ledger and write down what is spent": {"ledger": ledger, "dataset": "people"},
        "state the schema": {"schema": None},
        "pass the ibis table itself": {"schema": persons, "unit": "sex", "contribution": 2},
    }
    for advice, settings in refused.items():
        with pytest.raises(la.LookalikeError, match=advice) as raised:
            synthesizer(**settings).fit(la.sql.table(rows))
        assert "\n" not in str(raised.value), advice
    assert ledger["people"].left == 9.0


def test_a_database_that_nobody_verified_shows_what_it_can_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialects, "VERIFIED", frozenset())
    shown: list[int] = []
    differing = suite.differing
    monkeypatch.setattr(suite, "differing", lambda database, number: shown.append(number) or differing(database, number))
    connection = connect("duckdb")
    rows = table_of(connection)
    synthesizer().fit(la.sql.table(rows))
    assert len(shown) == len(suite.TABLES)
    # One that takes "a" for "A" does not come to the rows.
    monkeypatch.setattr(Dialect, "compared", lambda self, text: text.lower())
    monkeypatch.setattr(Dialect, "word", lambda self, word: ibis.literal(word.lower()))
    with pytest.raises(la.DataError, match="other codes than a file would get"):
        synthesizer().fit(la.sql.table(rows))
    monkeypatch.setattr(Dialect, "compared", lambda self, text: text.nonsense)
    with pytest.raises(la.DataError, match="could not code made-up rows"):
        synthesizer().fit(la.sql.table(rows))


def test_words_of_the_database_stay_out_of_what_is_told(tmp_path: pathlib.Path) -> None:
    connection = connect("duckdb")
    rows = table_of(connection)
    table = la.sql.table(rows)
    connection.raw_sql("alter table people rename to canary_elsewhere")
    with pytest.raises(la.LookalikeError) as raised:
        synthesizer(journal=tmp_path / "journal").fit(table)
    assert "people" not in str(raised.value) and "canary" not in str(raised.value)
    assert raised.value.__cause__ is not None, "the steward sees what the database said"
    assert not (tmp_path / "journal").exists() or "canary" not in (tmp_path / "journal").read_text()


def test_counts_are_of_the_rows_that_were_coded() -> None:
    """A table that changes between passes changes nothing: what is counted is the coded copy."""
    connection = connect("duckdb")
    rows = table_of(connection)

    class Changing(la.sql.SqlTable):
        def count(self, request: bytes) -> Any:
            connection.raw_sql("delete from people where age > 40")
            return super().count(request)

    synthesizer(method="aim").fit(Changing(rows))
    assert connection.table("people").count().execute() < 700


def test_cells_that_only_databases_have() -> None:
    """Words without case, dates without end, lists of words, unsigned numbers, nanoseconds."""
    connection = connect("duckdb")
    connection.raw_sql("create type mood as enum ('low', 'high')")
    connection.raw_sql("create table odd (a varchar collate nocase, b date, c timestamp, d mood, e ubigint, f timestamp_ns, g decimal(18, 0))")
    connection.raw_sql(
        "insert into odd values"
        " ('A', 'infinity', 'infinity', 'low', 18446744073709551615, '2020-01-01 00:00:59.999999999', 999999999999999999),"
        " ('a', '-infinity', '-infinity', 'high', 3, '1969-12-31 23:59:59.999999999', -5),"
        " ('b', '2020-06-01', '2020-06-01 12:00:00', null, null, null, null)"
    )
    day = {"type": "date", "range": ["2020-01-01", "2020-12-31"], "bins": 2}
    moment = {"type": "datetime", "range": ["1960-01-01T00:00:00", "2020-12-31T00:00:00"], "bins": 3, "missing": True}
    schema = la.Schema(
        {
            "columns": {
                "a": {"type": "category", "values": ["a", "b"], "other": "rest"},
                "b": day,
                "c": moment,
                "d": {"type": "category", "values": ["high", "low"], "missing": True},
                "e": {"type": "integer", "range": [0, 9], "missing": True},
                "f": moment,
                "g": {"type": "integer", "range": [0, 9], "missing": True},
            }
        }
    )
    coding = json.dumps({"schema": json.loads(schema._native.json()), "names": list("abcdefg"), "persons": None}).encode()
    rules = json.loads(la._native.codec_rules(coding))
    found = connection.to_pyarrow(coded(connection.table("odd"), rules, Dialect("duckdb")))
    rows = sorted(zip(*(column.to_pylist() for column in found.columns)))
    assert rows == [(0, 0, 0, 0, 3, 0, 0), (1, 0, 2, 2, 10, 3, 10), (2, 1, 2, 1, 9, 2, 9)]


@pytest.mark.parametrize("what", ["adult", "made up", "given"])
def test_the_example_of_duckdb_runs(tmp_path: pathlib.Path, what: str) -> None:
    connect("duckdb")
    if what == "adult" and "LOOKALIKE_DATA" not in os.environ:
        missing("LOOKALIKE_DATA names no folder of benchmark tables")
    script = pathlib.Path(__file__).resolve().parents[3] / "examples" / "duckdb" / "run.sh"
    words = ["out"]
    if what == "given":
        words += [csv_of(tmp_path, people(800, seed=27)), "people.toml"]
        la.Schema(SCHEMA).save(tmp_path / "people.toml")
    own = {name: value for name, value in os.environ.items() if what == "adult" or name != "LOOKALIKE_DATA"}
    run = ["sh", str(script), *words]
    done = subprocess.run(run, cwd=tmp_path, env={**own, "PYTHON": sys.executable}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "differential privacy" in done.stdout and "the statement agrees" in done.stdout
    assert la.Release.load(tmp_path / "out").verify()
