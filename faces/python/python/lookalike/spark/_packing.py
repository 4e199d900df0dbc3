"""Whole numbers, dates and truth values of a row in one 64-bit number, on their way to the kernel.

Spark writes every cell into a batch one by one, which takes longer than reading and coding it. So columns of
few values go together: each has some bits, as many as its range needs, and one number more for a cell that is
empty. A value beyond the range goes as the end of it, which has the same code. The kernel does the coding.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

from .. import _native

# Types whose cells are whole numbers, and which of them a rule of that unit speaks of.
_WHOLE = {"byte": "integer", "short": "integer", "integer": "integer", "long": "integer", "date": "day"}
# A word has no sign, so that no sum of bits is negative.
_WORD_BITS = 63
_MOST_BITS = 20
# Java compiles no method of more than 8,000 bytes, and Spark makes one of all columns. A column takes about 210
# bytes of it, a date 300: with more than these the method might never be compiled, which costs more than is saved.
_MOST_COLUMNS = 24


@dataclass(frozen=True)
class _Field:
    """Where the values of a column are: in some bits of a word."""

    name: str
    place: str
    kind: str
    low: int
    high: int
    word: int = 0
    shift: int = 0

    @property
    def empty(self) -> int:
        """The number of an empty cell, behind those of all values."""
        return self.high - self.low + 1

    @property
    def bits(self) -> int:
        return self.empty.bit_length()


class Packing:
    """Which columns go together. It is data, and goes to executors with a task."""

    def __init__(self, coding: bytes, types: dict[str, tuple[str, str]]) -> None:
        """``types`` has the name in the frame and the type of every column that the kernel needs."""
        asked = json.loads(coding)
        person = asked["persons"] and asked["persons"]["column"]
        rules = {entry["name"]: entry["rule"] for entry in json.loads(_native.codec_rules(coding))}
        found = (_field(name, place, kind, rules.get(name)) for name, (place, kind) in types.items() if name != person)
        fields = [field for field in found if field is not None and field.bits <= _MOST_BITS]
        self.fields = _laid_out(fields[:_MOST_COLUMNS])
        packed = {field.name for field in self.fields}
        self.words = 1 + max((field.word for field in self.fields), default=-1)
        self.rest = {name: place for name, (place, _) in types.items() if name not in packed}

    def columns(self) -> list[Any]:
        """What is selected of the frame: words, then all other columns."""
        import pyspark.sql.functions as f

        def number(field: _Field) -> Any:
            cell = f.col(field.place)
            if field.kind == "boolean":
                cell = cell.cast("int")
            elif field.kind == "date":
                cell = f.unix_date(cell)
            cell = cell.cast("bigint")
            low, high = f.lit(field.low).cast("bigint"), f.lit(field.high).cast("bigint")
            within = f.least(f.greatest(cell, low), high) - low
            whole = f.when(cell.isNull(), f.lit(field.empty).cast("bigint")).otherwise(within)
            return f.shiftleft(whole, field.shift) if field.shift else whole

        words = []
        for word in range(self.words):
            parts = [number(field) for field in self.fields if field.word == word]
            words.append(functools.reduce(lambda some, part: some.bitwiseOR(part), parts).alias(f"w{word}"))
        return [*words, *(f.col(place) for place in self.rest.values())]

    def unpacked(self, table: Any) -> Any:
        """The columns under their own names, from a table of one piece."""
        import pyarrow as pa

        words = [table.column(word).combine_chunks() for word in range(self.words)]
        columns = {field.name: _values(words[field.word], field) for field in self.fields}
        columns |= {name: table.column(self.words + at) for at, name in enumerate(self.rest)}
        return pa.table(columns)


def _field(name: str, place: str, kind: str, rule: Any) -> _Field | None:
    """The values that a column has to tell apart; ``None`` where only all of them will do."""
    if rule is None:
        return None
    if kind == "boolean":
        return _Field(name, place, kind, 0, 1)
    form = rule["form"]
    # Values with a code of their own lie beyond the range, where one would pass for its end.
    if form["form"] != "whole" or form["unit"] != _WHOLE.get(kind) or form["points"]:
        return None
    return _Field(name, place, kind, form["low"], form["high"])


def _laid_out(fields: list[_Field]) -> list[_Field]:
    """Fields one behind the other, in as many words as that takes."""
    placed, word, shift = [], 0, 0
    for field in fields:
        if shift + field.bits > _WORD_BITS:
            word, shift = word + 1, 0
        placed.append(_Field(field.name, field.place, field.kind, field.low, field.high, word, shift))
        shift += field.bits
    return placed


def _values(word: Any, field: _Field) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = pc.bit_wise_and(pc.shift_right(word, field.shift), (1 << field.bits) - 1)
    is_empty = pc.equal(numbers, field.empty)
    values = pc.add(numbers, field.low) if field.low else numbers
    if pc.any(is_empty).as_py():
        values = pc.if_else(is_empty, None, values)
    if field.kind == "boolean":
        return values.cast(pa.bool_())
    return values.cast(pa.int32()).cast(pa.date32()) if field.kind == "date" else values
