"""Codes as expressions: what a codec's rule says, in a database's own words.

A rule (`Codec::rule` in `crates/schema`) is comparisons and exact arithmetic. Every expression here is
total: a cell can neither make it fail nor give it a code that another engine would not give it.
Wherever a type of the database cannot be turned into what the rule speaks of without loss, the column
is refused, and never coded approximately.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from .dialects import Dialect
from .expressions import Cells, Rule, Steps, cases, constant, refused
from .numbers import double, floor, real_code, whole_code, whole_number
from .words import integer_word, number_word, text_code


def coded(expression: Any, entries: Sequence[Rule], dialect: Dialect, extras: Sequence[str] = ()) -> Any:
    """The codes of a table's columns as `c0`, `c1` and so on, behind columns that are passed on.

    Every step is a query around the one before, so that nothing is written, and worked out, twice.
    """
    every = [Cells(place) for place in range(len(entries))]
    carried = {name: expression[name] for name in extras}
    for cells, entry in zip(every, entries):
        carried[cells.column("cell")] = expression[entry["name"]]
    table = expression.select(**carried)
    working: dict[Cells, Steps] = {}
    for cells, entry in zip(every, entries):
        cells.table = table
        working[cells] = _code_of(cells, entry["rule"], entry["name"], dialect)
    mark, step = secrets.token_hex(4), 0
    while working:
        made = {}
        for cells in list(working):
            try:
                made.update({cells.column(name): value for name, value in next(working[cells]).items()})
            except StopIteration as end:
                made[cells.column("code")] = end.value
                del working[cells]
        table = dialect.apart(table.mutate(**made), f"lookalike_{mark}_{step}")
        step += 1
        for cells in every:
            cells.table = table
    return table.select(*extras, **{f"c{at}": cells["code"].cast("int32") for at, cells in enumerate(every)})


def _code_of(cells: Cells, rule: Rule, name: str, dialect: Dialect) -> Steps:
    """The code of a cell."""
    dtype, form = cells["cell"].type(), rule["form"]
    kind = form["form"]
    if dtype.is_null():
        return constant(rule["missing"])
    if dtype.is_boolean():
        code = cases([(cells["cell"], rule["truth"][1])], rule["truth"][0])
    elif kind == "words" and dtype.is_string():
        code = yield from text_code(cells, form, name, dialect)
    elif kind == "words" and dtype.is_integer():
        code = integer_word(cells["cell"], form, name)
    elif kind == "words" and not dtype.is_floating():
        raise refused(name, dtype, "the schema lists its words", "text")
    elif kind == "real" or dtype.is_floating() or _has_fraction(dtype, form):
        yield {"double": double(cells["cell"], name, "a number" if kind == "real" else "an integer")}
        if kind == "words":
            code = number_word(cells["double"], form)
        elif kind == "whole":
            yield {"whole": floor(cells["double"])}
            code = yield from whole_code(cells, form, name)
        else:
            code = yield from real_code(cells, form, name, dialect)
        return cases([(cells["cell"].isnull() | cells["double"].isnan(), rule["missing"])], code)
    else:
        yield {"whole": whole_number(cells["cell"], form["unit"], name, dialect)}
        code = yield from whole_code(cells, form, name)
    return cases([(cells["cell"].isnull(), rule["missing"])], code)


def _has_fraction(dtype: Any, form: Rule) -> bool:
    return bool(form.get("unit") == "integer" and dtype.is_decimal() and dtype.scale != 0)
