"""Which queries are taken: those whose rows depend on one row of a table each.

Neighbours are rows of what the query gives. A limit, a sample, a window, an aggregate, a join or a
function of chance makes a row depend on other people's rows, or on nothing that could be counted
twice. What an expression shows is refused; what it hides is named in the statement.
"""

from __future__ import annotations

from typing import Any

from ..errors import DataError

ALONE = "each row of the result depends on one row of its table alone"

# Steps that pass rows on one by one.
_ROW_BY_ROW = (
    "DatabaseTable",
    "InMemoryTable",
    "Project",
    "Filter",
    "Sort",
    "DropColumns",
    "DropNull",
    "FillNull",
    "SelfReference",
    "JoinTable",
)
# Steps in words of the database, which nobody here can read.
_UNREAD = ("SQLQueryResult", "SQLStringView", "AliasedRelation")

_WORDS = {
    "Limit": "a limit",
    "Sample": "a sample",
    "Aggregate": "an aggregate",
    "WindowAggregate": "an aggregate",
    "Distinct": "a list of distinct rows",
    "JoinChain": "a join",
    "Union": "a union",
    "Intersection": "an intersection",
    "Difference": "a difference",
    "TableUnnest": "lists made into rows",
}


def assumed_of(expression: Any) -> tuple[str, str | None]:
    """What the rows are of, and what is taken for granted about them; refuses what can be seen."""
    import ibis.expr.operations as ops

    node = expression.op()
    steps = node.find(ops.Relation)
    for step in steps:
        name = type(step).__name__
        if name not in _ROW_BY_ROW and name not in _UNREAD:
            raise _refused(_WORDS.get(name, f"a step {name}"))
    if node.find((ops.Reduction, ops.Analytic, ops.WindowFunction)):
        raise _refused("an aggregate or a window")
    if node.find(ops.Subquery):
        raise _refused("a query inside a query")
    volatile = [step for step in node.find(ops.Impure) if not isinstance(step, ops.ScalarUDF)]
    if volatile:
        raise _refused("a function of chance or of the clock")
    tables = [step for step in steps if type(step).__name__ in ("DatabaseTable", "InMemoryTable")]
    is_plain = len(steps) == 1 and len(tables) == 1
    # Whether a name is a table's or a view's is not always told, and a view may do anything.
    return ("a table or view" if is_plain else "a query"), ALONE


def _refused(what: str) -> DataError:
    return DataError(
        f"the query has {what}, so that a row may depend on other people's rows; pass a table or a query without it"
    )
