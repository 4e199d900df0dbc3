"""Small things that expressions of codes are made of."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from ..errors import DataError

# More comparisons than this are no expression that a database should be asked to read.
MOST_COMPARISONS = 8192

Rule = dict[str, Any]

# What a column needs to be made next, by names; what the whole ends in is its code.
Steps = Generator[dict[str, Any], None, Any]


class Cells:
    """A column while it is coded: its cells as they stand, and what was made of them so far."""

    def __init__(self, place: int) -> None:
        self._place = place
        self.table: Any = None

    def column(self, name: str) -> str:
        """The name of what was made, in the table of this step."""
        return f"x{self._place}_{name}"

    def __getitem__(self, name: str) -> Any:
        """What was made under that name."""
        return self.table[self.column(name)]


def constant(code: int) -> Any:
    """A code."""
    import ibis

    return ibis.literal(code, "int32")


def long(value: int) -> Any:
    """A whole number of 64 bits."""
    import ibis

    return ibis.literal(value, "int64")


def number(value: float | str) -> Any:
    """A double by its text: a literal with decimals is no double in some databases."""
    import ibis

    # Some engines order the two zeros. The lower one is right wherever a value is compared with where codes begin.
    value = float(value)
    return ibis.literal(repr(value if value != 0 else -0.0)).cast("float64")


def zero() -> Any:
    """The double 0 without a sign."""
    import ibis

    return ibis.literal("0.0").cast("float64")


def equals(value: Any, to: float | str) -> Any:
    """Whether a double is that number; a zero is one whatever its sign."""
    return (value >= number(0.0)) & (value <= zero()) if float(to) == 0 else value == number(to)


def cases(branches: Sequence[tuple[Any, Any]], otherwise: Any) -> Any:
    """The code of the first condition that holds."""
    import ibis

    def lift(value: Any) -> Any:
        return constant(value) if isinstance(value, int) else value

    return ibis.cases(*((when, lift(then)) for when, then in branches), else_=lift(otherwise)) if branches else lift(otherwise)


def refused(name: str, dtype: Any, what: str, cast: str) -> DataError:
    """A column whose type cannot be coded without loss, and what to do about it."""
    return DataError(f"column {name!r} is {dtype} in the database, and {what}; cast it to {cast} in a view, and pass the view")


def few(comparisons: int, name: str) -> None:
    """Refuses an expression that is too long."""
    if comparisons > MOST_COMPARISONS:
        raise DataError(
            f"column {name!r}: {comparisons} bins or values are too many to be coded by a database; state fewer in the schema"
        )
