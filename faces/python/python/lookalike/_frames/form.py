"""What a frame looks like without its rows, and what all kinds of frames share."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

from .. import _native
from ..errors import DataError

# What a schema says of its columns.
Facts = dict[str, dict[str, Any]]

NO_DURATION = "durations have no type in a schema; give the column as a number, such as seconds"


class Form:
    """What a frame looks like without its rows."""

    kind = "rows"
    _held: Any = None
    """The frame, as long as it is to be read."""

    def names(self) -> list[str] | None:
        """The columns in the frame's order, as texts; ``None`` where they are not known."""
        return None

    def frames(self) -> str | Iterable[Any]:
        """What the native module reads: a path, or an iterator of objects with Arrow's C interface."""
        raise NotImplementedError

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        """The rows in this form; ``facts`` are what the release's schema says of the columns."""
        return rows

    def never_missing(self) -> list[str]:
        """Columns whose type has no missing cell."""
        return []

    def close(self) -> None:
        """Let go of what was made for reading the frame."""

    def without_rows(self) -> Form:
        """The same form that holds no frame any more."""
        form = copy.copy(self)
        form._held = None
        return form


def is_there(module: str) -> bool:
    """Whether a library is installed."""
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def pyarrow() -> Any:
    """pyarrow, or one sentence about it."""
    try:
        import pyarrow
    except ImportError:
        raise DataError("pandas hands frames over through pyarrow, which is missing; pip install 'lookalike[pandas]'") from None
    return pyarrow


def unique(names: Sequence[Any]) -> list[str]:
    """Column names as texts, each once."""
    texts = [str(name) for name in names]
    twice = sorted({name for name in texts if texts.count(name) > 1})
    if twice:
        raise DataError(f"column {twice[0]!r} is there more than once; give every column a name of its own")
    return texts


def pattern_of(facts: dict[str, Any]) -> str | None:
    """How the schema writes the dates of the column that it says these facts of."""
    pattern = facts.get("format")
    return pattern if isinstance(pattern, str) and "%" in pattern else None
