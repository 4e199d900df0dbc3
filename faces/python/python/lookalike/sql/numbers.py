"""Codes of whole numbers, days, seconds and real numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import DataError
from .dialects import Dialect
from .expressions import Cells, Rule, Steps, cases, constant, equals, few, long, number, refused, zero

# Whole numbers that a double holds exactly, with room for sums.
EXACT = 2**52
LONG = (-(2**63), 2**63 - 1)

# From here on all 32-bit fractions are whole.
WHOLE_SINGLES = 2.0**23

# Digits that a double holds exactly, numerator and power of ten alike.
EXACT_DIGITS = 15
MOST_DIGITS = 38

# Days of 0001-01-01 and 9999-12-31, and the seconds of a day.
CALENDAR = (-719_162, 2_932_896)
DAY = 86_400


def whole_number(cell: Any, unit: str, name: str, dialect: Dialect) -> Any:
    """A cell that has no fraction as a whole number of that unit; beyond 64 bits it is the nearest."""
    import ibis

    dtype = cell.type()
    if unit != "integer":
        return _moment(cell, unit, name, dialect)
    if dtype.is_unsigned_integer() and dtype.nbytes == 8:
        return ibis.cases((cell > ibis.literal(LONG[1], dtype), long(LONG[1])), else_=cell.cast("int64"))
    if dtype.is_integer():
        return cell.cast("int64")
    if dtype.is_decimal() and dtype.scale == 0 and dtype.precision is not None and dtype.precision <= MOST_DIGITS:
        if dtype.precision < 19:
            return cell.cast("int64")
        low, high = (ibis.literal(str(edge)).cast(dtype) for edge in LONG)
        return ibis.cases((cell >= high, long(LONG[1])), (cell <= low, long(LONG[0])), else_=cell.cast("int64"))
    raise refused(name, dtype, "the schema says that it is an integer", "an integer or double precision")


def _moment(cell: Any, unit: str, name: str, dialect: Dialect) -> Any:
    """Days or seconds of a date or a moment; beyond the calendar, just beyond it."""
    import ibis

    dtype = cell.type()
    if dtype.is_timestamp():
        if dtype.timezone is not None:
            raise refused(name, dtype, "what its clocks show depends on a zone", "a timestamp without a zone")
    elif not dtype.is_date():
        kind = "a date" if unit == "day" else "a moment"
        raise refused(name, dtype, f"the schema says that it is {kind}", "a date or a timestamp without a zone")
    day = cell.cast("date") if dtype.is_timestamp() else cell
    # Moments without end, which some databases have, are clamped before they are counted.
    before, after = (ibis.literal(text).cast("date") for text in ("0001-01-01", "9999-12-31"))

    def within(value: Any, unit: int) -> Any:
        return ibis.cases(
            (day < before, long((CALENDAR[0] - 1) * unit)), (day > after, long((CALENDAR[1] + 1) * unit)), else_=value
        )

    if unit == "day":
        return within(dialect.days(day), 1)
    return within(dialect.days(day) * DAY if dtype.is_date() else dialect.seconds(cell), DAY)


def floor(value: Any) -> Any:
    """The largest whole number of 64 bits that is not above a double; 0 for a NaN, which has a code of its own."""
    import ibis

    edge = 2.0**63
    return ibis.cases(
        (value.isnan(), long(0)),
        (value >= number(edge), long(LONG[1])),
        (value < number(-edge), long(LONG[0])),
        else_=value.floor().cast("int64"),
    )


def whole_code(cells: Cells, form: Rule, name: str) -> Steps:
    """The code of what was made under the name `whole`."""
    import ibis

    low, high = form["low"], form["high"]
    value = cells["whole"]
    yield {"clamped": ibis.cases((value < long(low), long(low)), (value > long(high), long(high)), else_=value)}
    clamped = cells["clamped"]
    code = _in_pieces(clamped, lambda piece: clamped < long(piece["start"]), form["pieces"], high, name)
    return cases([(cells["whole"] == long(point), to) for point, to in form["points"]], code)


def _in_pieces(value: Any, is_below: Callable[[Rule], Any], pieces: Sequence[Rule], high: int, name: str) -> Any:
    """The code of a clamped whole number."""
    import ibis

    few(len(pieces), name)
    ends = [*(piece["start"] for piece in pieces[1:]), high + 1]

    def leaf(piece: Rule, end: int) -> Any:
        start, width, count = piece["start"], piece["width"], piece["count"]
        if count == 1:
            return constant(piece["code"])
        past = value - long(start)
        if width > 1:
            if end - start > EXACT:
                raise DataError(f"column {name!r}: its range is too wide to be coded by a database; state a narrower one")
            past = past // long(width)
        past = past.cast("int32")
        if (end - 1 - start) // width >= count:
            past = ibis.least(past, constant(count - 1))
        return past + constant(piece["code"])

    def tree(first: int, last: int) -> Any:
        if first == last:
            return leaf(pieces[first], ends[first])
        middle = (first + last + 1) // 2
        return ibis.cases((is_below(pieces[middle]), tree(first, middle - 1)), else_=tree(middle, last))

    return tree(0, len(pieces) - 1)


def double(cell: Any, name: str, kind: str) -> Any:
    """A cell as the double that it is read as from a file."""
    import ibis

    dtype = cell.type()
    if dtype.is_float64() or dtype.is_integer():
        return cell.cast("float64")
    if dtype.is_floating():
        # The decimal that a file would show for it: 0.7 and not 0.699999988079071.
        wide = cell.cast("float64")
        is_whole = (wide >= number(WHOLE_SINGLES)) | (wide <= number(-WHOLE_SINGLES))
        return ibis.cases((is_whole, wide), else_=cell.cast("string").cast("float64"))
    if dtype.is_decimal() and dtype.precision is not None and dtype.scale is not None:
        # The quotient of two exact doubles is rounded once.
        if dtype.precision <= EXACT_DIGITS or (dtype.scale == 0 and dtype.precision <= MOST_DIGITS):
            return cell.cast("float64")
        raise refused(name, dtype, "more than 15 digits do not fit into a number", "double precision")
    raise refused(name, dtype, f"the schema says that it is {kind}", "double precision")


def real_code(cells: Cells, form: Rule, name: str, dialect: Dialect) -> Steps:
    """The code of what was made under the name `double`."""
    import ibis

    if form["decimals"] is None:
        code = _after_starts(cells["double"], form["starts"], name)
    else:
        unit = float(10 ** form["decimals"])
        value, low, high = cells["double"], number(form["low"]), number(form["high"])
        # A zero has no sign from here on: some engines order the two.
        nought = value.isnan() | equals(value, 0.0)
        yield {
            "clamped": ibis.cases(
                (nought, zero()), (value < low, low + zero()), (value > high, high + zero()), else_=value
            )
        }
        # The product may be rounded across a whole number, so its neighbours are tried; quotients of two
        # exact doubles are rounded the same way everywhere.
        yield {"guess": (cells["clamped"] * number(unit)).floor().cast("float64")}
        clamped, guess = cells["clamped"], cells["guess"]
        multiple = ibis.cases(
            (dialect.quotient(guess + number(1.0), unit) <= clamped, guess + number(1.0)),
            (dialect.quotient(guess, unit) <= clamped, guess),
            else_=guess - number(1.0),
        )
        yield {"multiple": multiple.cast("int64")}
        most = int(float(form["high"]) * unit) + 1
        multiple = cells["multiple"]
        code = _in_pieces(multiple, lambda piece: multiple < long(piece["start"]), form["pieces"], most, name)
    return cases([(equals(cells["double"], point), to) for point, to in form["points"]], code)


def _after_starts(value: Any, starts: Sequence[str], name: str) -> Any:
    """How many of the ascending starts are not above a number."""
    import ibis

    few(len(starts), name)

    def tree(first: int, last: int) -> Any:
        if first == last:
            return constant(first)
        middle = (first + last + 1) // 2
        return ibis.cases((value >= number(starts[middle - 1]), tree(middle, last)), else_=tree(first, middle - 1))

    return tree(0, len(starts))
