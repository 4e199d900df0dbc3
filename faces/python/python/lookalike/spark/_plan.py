"""What Spark would do to make the rows, and whether a promise can be made about them.

Neighbours are rows of the frame. Where a row follows from the rows of other people, that is not what
anybody means by a row, so such plans are refused where they are recognized. What cannot be seen is
written into the statement.
"""

from __future__ import annotations

from typing import Any

from ..errors import DataError

# Steps that make or drop a row by looking at others.
_REFUSED = {
    "GlobalLimit": "a limit",
    "LocalLimit": "a limit",
    "Limit": "a limit",
    "Offset": "an offset",
    "Tail": "a limit",
    "Sample": "a sample",
    "Join": "a join",
    "AsOfJoin": "a join",
    "LateralJoin": "a join",
    "NearestByJoin": "a join",
    "Aggregate": "an aggregate",
    "Distinct": "an aggregate",
    "Deduplicate": "an aggregate",
    "DeduplicateWithinWatermark": "an aggregate",
    "Intersect": "an aggregate",
    "Except": "an aggregate",
    "Expand": "an aggregate",
    "Pivot": "an aggregate",
    "Window": "a window",
    "WindowGroupLimit": "a window",
    "WithWindowDefinition": "a window",
    "MapGroups": "groups",
    "CoGroup": "groups",
    "AppendColumns": "groups",
}
# Steps of which every row follows from one row.
_PLAIN = {
    "LogicalRelation",
    "LocalRelation",
    "HiveTableRelation",
    "RelationV2",
    "DataSourceV2Relation",
    "DataSourceV2ScanRelation",
    "OneRowRelation",
    "Range",
    "Project",
    "Filter",
    "Union",
    "Repartition",
    "RepartitionByExpression",
    "RebalancePartitions",
    "Sort",
    "SubqueryAlias",
    "View",
    "ResolvedHint",
    "Unpivot",
}
# Leaves whose rows are in the plan itself.
_OWN_ROWS = {"LocalRelation", "OneRowRelation", "Range"}
# Words of the classes of steps on groups of rows: pandas and Arrow functions on them.
_GROUPED = ("FlatMapGroups", "FlatMapCoGroups", "AggregateIn", "WindowIn", "TransformWithState")

_UNSEEN = (
    "that every row of the frame follows from one row of its source, always in the same way: "
    "its plan has parts that cannot be looked into"
)
_CONNECT = (
    "that every row of the frame follows from one row of its source, always in the same way, and that the source "
    "did not change while it was read: neither can be looked at through Spark Connect"
)
_UNWATCHED = "that the source did not change while it was read: it is not of files that can be watched"


def assumed(frame: Any) -> str | None:
    """What has to be assumed about the frame; ``None`` where all of its plan was seen.

    Raises a `DataError` for a plan on which no promise can be made.
    """
    if frame.isStreaming:
        raise DataError("the frame is a stream, which has no end; write it to a table, and pass that")
    if not hasattr(frame, "_jdf"):
        return _CONNECT
    # The analyzed plan is the user's own: nothing is replaced by what is cached.
    plan = frame._jdf.queryExecution().analyzed()
    steps = {step.nodeName() for step in _steps(plan)}
    if any(step.subqueries().size() > 0 for step in _steps(plan)):
        steps.add("Join")
    for step in sorted(steps):
        grouped = "groups" if step.startswith(_GROUPED) else None
        word = _REFUSED.get(step, grouped)
        if word is not None:
            raise DataError(
                f"the frame has {word} in its plan, so that a row follows from the rows of other people;"
                " pass a frame without it, or write the frame to a table that is private in its own right and pass that"
            )
    if not plan.deterministic():
        raise DataError(
            "the frame has a function in its plan that gives something else each time, such as rand() or uuid();"
            " write the frame to a table, and pass that"
        )
    missing = [] if steps <= _PLAIN else [_UNSEEN]
    if any(_files(leaf) is None for leaf in _leaves(plan)):
        missing.append(_UNWATCHED)
    return "; and ".join(missing) or None


def source_files(frame: Any) -> list[str]:
    """The files that the frame reads, those of cached parts too, as far as they can be known."""
    if not hasattr(frame, "_jdf"):
        return []
    leaves = _leaves(frame._jdf.queryExecution().analyzed())
    return sorted({file for leaf in leaves for file in _files(leaf) or []})


def _steps(plan: Any) -> list[Any]:
    found, waiting = [], [plan]
    while waiting:
        step = waiting.pop()
        found.append(step)
        children = step.children()
        waiting.extend(children.apply(place) for place in range(children.size()))
    return found


def _leaves(plan: Any) -> list[Any]:
    return [step for step in _steps(plan) if step.children().size() == 0]


def _files(leaf: Any) -> list[str] | None:
    """The files of a leaf; none for rows of the plan itself, ``None`` where nobody can tell."""
    name = leaf.nodeName()
    if name in _OWN_ROWS:
        return []
    if name == "LogicalRelation" and leaf.relation().getClass().getSimpleName() == "HadoopFsRelation":
        return list(leaf.relation().location().inputFiles())
    return None
