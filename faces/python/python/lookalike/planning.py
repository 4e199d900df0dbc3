"""What a budget buys, before anything is spent: no rows are read."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from typing import Any

from . import _native
from ._frames import form_named
from .methods import Method
from .release import _count
from .schema import schema_of

__all__ = ["Plan", "plan"]

_COLUMNS = ("method", "epsilon", "delta", "contribution", "tvd1", "tvd2", "tvd3", "smallest_group", "seconds")


class Plan:
    """What each budget buys: one line a method, epsilon and contribution."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found
        """Everything that was worked out, as ``lookalike plan --json`` prints it."""

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines, with the expected distances flat: ``tvd2``, ``tvd2_low`` and ``tvd2_high``."""
        return [_flat(line) for line in self.found["plans"]]

    @property
    def needed(self) -> list[dict[str, Any]]:
        """Where an error was asked for: the epsilon that each method needs."""
        needed: list[dict[str, Any]] = self.found["needed"]
        return needed

    @property
    def discovery(self) -> list[dict[str, Any]]:
        """Where facts are to be discovered: the noise of a count, and how many rows a value needs."""
        discovery: list[dict[str, Any]] = self.found["discovery"]
        return discovery

    def to_pandas(self) -> Any:
        """The lines as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.lines)

    def __len__(self) -> int:
        """The number of lines."""
        return len(self.found["plans"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The lines."""
        return iter(self.lines)

    def __repr__(self) -> str:
        """A small table."""
        shown = [name for name in _COLUMNS if name != "contribution" or self.found["unit"]]
        cells = [shown] + [[_cell(name, line.get(name)) for name in shown] for line in self.lines]
        widths = [max(len(row[place]) for row in cells) for place in range(len(shown))]
        table = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
        return "\n".join(table + self._remarks())

    def _remarks(self) -> list[str]:
        lines = [f"{it['method']}: refused, {it['why']}" for it in self.found["refused"]]
        for it in self.found["discovery"]:
            if it.get("threshold") is not None:
                lines.append(f"discovery at epsilon {it['epsilon']:g}: a value needs about {it['threshold']:.0f} rows to be found")
            if it["too_small"]:
                lines.append(f"TOO FEW ROWS for discovery at epsilon {it['epsilon']:g}: state the schema instead")
        for it in self.needed:
            least = "none that was tried" if it["epsilon"] is None else f"{it['epsilon']:.3g}"
            lines.append(f"{it['method']}: an error of {it['error']:g} needs epsilon {least}")
        return lines

    def _repr_html_(self) -> str:
        shown = [name for name in _COLUMNS if name != "contribution" or self.found["unit"]]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in shown)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(name, line.get(name)))}</td>" for name in shown) + "</tr>"
            for line in self.lines
        )
        remarks = "".join(f"<p>{html.escape(line)}</p>" for line in self._remarks())
        return f"{_picture(self.lines)}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{remarks}"


def plan(
    schema: Any = None,
    *,
    rows: int | None = None,
    epsilon: float | Sequence[float] = (),
    delta: float | None = None,
    method: str | Method | Sequence[str | Method] = (),
    error: float | None = None,
    way: int | None = None,
    columns: int | None = None,
    discover_share: float | None = None,
    relation: str | None = None,
    unit: str | None = None,
    contribution: int | Sequence[int] = (),
    persons: int | None = None,
    rows_per_person: float | None = None,
    engine: str | None = None,
) -> Plan:
    """What a budget would buy, from public facts alone: nothing is spent, and no rows are read.

    Parameters
    ----------
    schema
        A `Schema`, a mapping or a path; without one, everything is to be discovered.
    rows
        About how many rows there are: a public figure, not a count of the table.
    epsilon, delta
        The budgets to compare; delta left out, the method's own.
    method
        A method, several, or ``"all"``; left out, ``"auto"``.
    error, way
        Ask the other way round: the epsilon that this expected distance of tables of ``way`` columns
        needs, 1 to 3; left out, 2.
    columns
        Without a schema, how many columns there are.
    discover_share, relation
        As in `Synthesizer`.
    unit, contribution
        As in `Synthesizer`; several contributions are compared.
    persons, rows_per_person
        About how many persons there are, or how many rows each has on average: public figures, too.
    engine
        ``"sql"`` or ``"spark"`` where the rows stay there: what passes read is told for that engine.

    Examples
    --------
    >>> import lookalike as la
    >>> what = la.plan(la.demo_schema(), rows=45_000, epsilon=[0.5, 1, 2])
    >>> [round(line["epsilon"], 1) for line in what]
    [0.5, 1.0, 2.0]
    >>> what.lines[0]["tvd2"] > what.lines[2]["tvd2"]
    True
    """
    known = schema_of(schema)
    asked = {
        "rows": _about("rows", rows),
        "columns": _about("columns", columns),
        "discover_share": discover_share,
        "unit": unit,
        "contribution": [_count(one, "contribution") for one in _list(contribution)],
        "persons": _about("persons", persons),
        "rows_per_person": rows_per_person,
        "epsilon": [float(one) for one in _list(epsilon)],
        "delta": delta,
        "methods": [one.name if isinstance(one, Method) else one for one in _list(method)],
        "relation": relation,
        "error": error,
        "way": way,
        "engine": engine,
    }
    return Plan(json.loads(_native.plan(None if known is None else known._native, asked)))


def _list(value: Any) -> list[Any]:
    return [value] if isinstance(value, (str, Method)) or not hasattr(value, "__iter__") else list(value)


def _about(name: str, value: Any) -> int | None:
    """A number that need not be exact, such as 1e6."""
    if isinstance(value, float) and value.is_integer():
        return _count(int(value), name)
    return None if value is None else _count(value, name)


def _flat(line: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in line.items():
        if name.startswith("tvd"):
            flat[name] = None if value is None else value["expected"]
            flat[f"{name}_low"] = None if value is None else value["low"]
            flat[f"{name}_high"] = None if value is None else value["high"]
        elif not isinstance(value, dict):
            flat[name] = value
    return flat


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if name.startswith("tvd"):
        return f"{value:.4f}"
    if name == "smallest_group":
        return f"{value:.0f}"
    return f"{value:.3g}"


def _picture(lines: list[dict[str, Any]]) -> str:
    """Expected distances of pairs with their ranges, one bar a line."""
    drawn = [line for line in lines if line.get("tvd2") is not None]
    if not drawn:
        return ""
    most = max(line["tvd2_high"] for line in drawn) or 1.0
    parts = [
        f'<svg viewBox="0 0 640 {22 * len(drawn) + 24}" width="640" role="img" aria-label="expected distances of pairs">',
        '<text x="0" y="14" font-size="13">expected distance of tables of two columns, with its range</text>',
    ]
    for place, line in enumerate(drawn):
        top = 22 * place + 24
        low, mid, high = (400 * line[key] / most for key in ("tvd2_low", "tvd2", "tvd2_high"))
        label = html.escape(f"{line['method']}, epsilon {line['epsilon']:g}")
        parts.append(
            f'<text x="0" y="{top + 12}" font-size="12">{label}</text>'
            f'<rect x="170" y="{top + 2}" width="{mid:.1f}" height="12" fill="#4477aa"/>'
            f'<line x1="{170 + low:.1f}" x2="{170 + high:.1f}" y1="{top + 8}" y2="{top + 8}" stroke="#222" stroke-width="2"/>'
            f'<text x="{176 + max(mid, high):.1f}" y="{top + 12}" font-size="12">{line["tvd2"]:.3f}</text>'
        )
    parts.append("</svg>")
    return "".join(parts)
