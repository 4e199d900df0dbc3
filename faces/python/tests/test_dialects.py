"""The same call reads the real table and the synthetic one, into the same types."""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

import lookalike as la

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

WORDS = ["north", "south", "east; or west", "élan"]


def table(delimiter: str, decimal: str, quoted: str, end: str, missing: str) -> str:
    """Three hundred rows of a count, a number, a word, a date, an id and a remark."""

    def cell(value: str, is_word: bool) -> str:
        needs = delimiter in value or '"' in value
        always = quoted == "all" or (quoted == "words" and is_word)
        return f'"{value}"' if needs or (always and value) else value

    names = ["count", "share", "region", "day", "tail", "remark"]
    lines = [delimiter.join(cell(name, True) if quoted != "needed" else name for name in names)]
    for row in range(300):
        share = f"{row % 40}.{row % 4 * 25:02}".replace(".", decimal)
        cells = [
            (str(row % 7), False),
            (missing if row % 9 == 0 else share, False),
            (WORDS[row % 4], True),
            (f"2024-{row % 12 + 1:02}-{row % 28 + 1:02}", True),
            (f"N{10_000 + 37 * row}", True),
            (f"said {row * row} things, and that was all", True),
        ]
        lines.append(delimiter.join(cell(value, is_word) for value, is_word in cells))
    return end.join(lines) + end


DIALECTS = {
    "plain": ({}, lambda read: read()),
    "semicolons": ({"delimiter": ";"}, lambda read: read(delimiter=";")),
    "tabs": ({"delimiter": "\t"}, lambda read: read(delimiter="\t")),
    "bars": ({"delimiter": "|"}, lambda read: read(delimiter="|")),
    "decimal comma": ({"delimiter": ";", "decimal": ","}, lambda read: read(delimiter=";", decimal=",")),
    "windows": ({"end": "\r\n"}, lambda read: read()),
    "spreadsheet": ({"delimiter": ";", "decimal": ",", "end": "\r\n", "bom": True}, lambda read: read(delimiter=";", decimal=",")),
    "mark of UTF-8": ({"bom": True}, lambda read: read()),
    "quoted words": ({"quoted": "words"}, lambda read: read()),
    "all quoted": ({"quoted": "all"}, lambda read: read()),
    "quoted tabs": ({"quoted": "words", "delimiter": "\t", "end": "\r\n"}, lambda read: read(delimiter="\t")),
    "missing word": ({"missing": "NA"}, lambda read: read()),
}

Read = Callable[..., Any]


def with_pandas(path: pathlib.Path) -> Read:
    return lambda delimiter=",", decimal=".": pd.read_csv(path, sep=delimiter, decimal=decimal, parse_dates=["day"])


def with_polars(path: pathlib.Path) -> Read:
    return lambda delimiter=",", decimal=".": pl.read_csv(
        path, separator=delimiter, decimal_comma=decimal == ",", null_values=["NA"], try_parse_dates=True
    )


def settled(draft: la.Schema, missing: str) -> la.Schema:
    """What a steward writes after a look at the draft."""
    facts = draft.review(accept="harmless").to_dict()
    facts["columns"] = {
        "count": {"type": "integer", "range": [0, 9]},
        "share": {"type": "number", "range": [0, 50], "decimals": 2, "missing": True},
        "region": {"type": "category", "values": WORDS},
        "day": {"type": "date", "range": ["2024-01-01", "2024-12-31"]},
        "tail": {"type": "id", "pattern": "N#####"},
        "remark": {"type": "ignore"},
    }
    facts["written"] = {**facts.get("written", {}), "ignored": "empty", "missing": missing}
    return la.Schema({key: value for key, value in facts.items() if key not in ("review", "order")})


@pytest.mark.parametrize("name", DIALECTS)
def test_one_script_reads_both_tables(name: str, tmp_path: pathlib.Path) -> None:
    given, script = DIALECTS[name]
    form = {"delimiter": ",", "decimal": ".", "quoted": "needed", "end": "\n", "missing": "", **given}
    bom = "\ufeff" if form.pop("bom", False) else ""
    real = tmp_path / "real.csv"
    real.write_bytes((bom + table(**form)).encode())
    schema = settled(la.Schema.draft(real), form["missing"])
    maker = la.Synthesizer(epsilon=5.0, schema=schema, progress=False, method="independent")
    # The cells are those of the dialects before, and known as such.
    maker.fit(real, spend_again=True).release_.save(tmp_path / "out")
    synthetic = tmp_path / "out" / "release" / "synthetic.csv"
    first = [path.read_bytes().split(b"\n")[0] for path in (real, synthetic)]
    assert first[0] == first[1], "the header line, to the last byte"
    for library in (with_pandas, with_polars):
        one, other = (script(library(path)) for path in (real, synthetic))
        assert list(one.columns) == list(other.columns)
        kinds = [dict(zip(frame.columns, frame.dtypes)) for frame in (one, other)]
        # A column without a cell has no type of its own.
        assert all(kinds[0][column] == kinds[1][column] for column in one.columns if column != "remark"), kinds
        tails = list(other["tail"])
        assert tails[0] == "N00001" and len(set(tails)) == len(tails)
        assert all(missing is None or missing != missing for missing in other["remark"])


def test_ids_in_typed_frames_have_their_shape_too() -> None:
    rows = pl.DataFrame({"who": [f"A{k}" for k in range(60)], "n": list(itertools.islice(itertools.cycle(range(3)), 60))})
    columns = {"who": {"type": "id", "pattern": "A##"}, "n": {"type": "integer", "range": [0, 2]}}
    schema = la.Schema({"columns": columns})
    drawn = la.Synthesizer(epsilon=1.0, schema=schema, progress=False, method="independent").fit(rows).sample(3, seed=1)
    assert list(drawn["who"]) == ["A01", "A02", "A03"]
