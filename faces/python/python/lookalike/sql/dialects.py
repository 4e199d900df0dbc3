"""What databases say in words of their own: bytes of a text, and hashes.

ibis has one word for most things. For the few that it lacks there is a line a database here; a
database without one is refused where it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import DataError

# The databases on which the equality suite runs in our own tests.
VERIFIED = frozenset({"duckdb", "postgres", "datafusion", "polars"})

# Databases that put queries into each other before they think about what is worked out twice.
_INLINING = frozenset({"postgres", "datafusion"})
EVERY_ROW = 2**62

SPACES_AS_DIGITS = "(?:20|09|0a|0c|0d)+$"


@cache
def _function(name: str, arguments: tuple[str, ...], result: str) -> Callable[..., Any]:
    """A function that the database has and ibis does not know of."""
    import ibis

    # ibis looks at how many arguments there are.
    stubs: list[Callable[..., Any]] = [lambda one: None, lambda one, two: None]
    stub = stubs[len(arguments) - 1]
    kinds = tuple(ibis.dtype(kind) for kind in arguments)
    made: Callable[..., Any] = ibis.udf.scalar.builtin(stub, name=name, signature=(kinds, ibis.dtype(result)))
    return made


def _call(name: str, result: str, *arguments: tuple[Any, str]) -> Any:
    made = _function(name, tuple(kind for _, kind in arguments), result)
    return made(*(value for value, _ in arguments))



def _hex_of_duckdb(text: Any) -> Any:
    return _call("hex", "string", (text, "string")).lower()


def _bytes_of_duckdb(text: Any) -> Any:
    return _call("encode", "binary", (text, "string"))


def _bytes_of_postgres(text: Any) -> Any:
    return _call("convert_to", "binary", (text, "string"), ("UTF8", "string"))


def _hex_of_postgres(text: Any) -> Any:
    return _call("encode", "string", (_bytes_of_postgres(text), "binary"), ("hex", "string"))


def _hex_of_datafusion(text: Any) -> Any:
    return _call("encode", "string", (text, "string"), ("hex", "string"))


def _hex_of_bigquery(text: Any) -> Any:
    return _call("to_hex", "string", (text.cast("binary"), "binary"))


def _hex_of_snowflake(text: Any) -> Any:
    return _call("hex_encode", "string", (text, "string")).lower()


def _hex_of_trino(text: Any) -> Any:
    return _call("to_hex", "string", (_call("to_utf8", "binary", (text, "string")), "binary")).lower()


def _hex_of_polars(text: Any) -> Any:
    return _python_hex()(text)


@cache
def _python_hex() -> Callable[..., Any]:
    """Polars works in this process, and takes a function of it."""
    import ibis
    import pyarrow as pa

    def digits(texts: Any) -> Any:
        return pa.array([None if text is None else text.encode().hex() for text in texts.to_pylist()], pa.string())

    kinds = (ibis.dtype("string"),)
    made: Callable[..., Any] = ibis.udf.scalar.pyarrow(digits, name="lookalike_hex", signature=(kinds, ibis.dtype("string")))
    return made


_HEX: dict[str, Callable[[Any], Any]] = {
    "duckdb": _hex_of_duckdb,
    "postgres": _hex_of_postgres,
    "datafusion": _hex_of_datafusion,
    "polars": _hex_of_polars,
    "bigquery": _hex_of_bigquery,
    "snowflake": _hex_of_snowflake,
    "trino": _hex_of_trino,
}

@dataclass(frozen=True)
class Dialect:
    """How a kind of database is spoken to."""

    kind: str

    @property
    def is_verified(self) -> bool:
        """Whether our own tests compare its codes with ours."""
        return self.kind in VERIFIED

    def apart(self, table: Any, name: str) -> Any:
        """A query by itself, which is not written into the one around it."""
        if self.kind in _INLINING:
            # All rows there can be: a query with a limit is left as it stands.
            table = table.limit(EVERY_ROW)
        return table.alias(name)

    def compared(self, text: Any) -> Any:
        """A text in the form in which it is compared with words: only equal bytes are equal.

        A column or a session of some databases may say that "a" equals "A": there, texts are compared as bytes.
        """
        if self.kind == "postgres":
            return _bytes_of_postgres(text)
        return _bytes_of_duckdb(text) if self.kind == "duckdb" else text

    def word(self, word: str) -> Any:
        """A word in the form in which texts are compared with it."""
        import ibis

        if self.kind == "postgres":
            # ibis writes bytes in a way that PostgreSQL does not read.
            return _call("decode", "binary", (word.encode().hex(), "string"), ("hex", "string"))
        return ibis.literal(word.encode(), "binary") if self.kind == "duckdb" else ibis.literal(word, "string")

    def hex(self, text: Any, name: str) -> Any:
        """The bytes of a text as digits, in lower case."""
        if self.kind not in _HEX:
            raise DataError(
                f"column {name!r}: {self.kind} has no function that we know for the bytes of a text; turn its values"
                " into whole numbers in a view, and list those in the schema"
            )
        return _HEX[self.kind](text)

    def first_bytes(self, digits: Any, most: int) -> Any:
        """The digits of as many bytes, cut at a character and without white space behind them."""
        import ibis

        def byte(place: int) -> Any:
            """The first digit of the byte at that place, counted from 1."""
            return digits.substr(2 * place - 2, 1)

        def first(bytes: int) -> Any:
            return digits.substr(0, 2 * bytes)

        # The last bytes may be the beginning of a character: 110xxxxx has one more byte, 1110xxxx two, 11110xxx three.
        cut = ibis.cases(
            (byte(most).isin(["c", "d", "e", "f"]), first(most - 1)),
            (byte(most - 1).isin(["e", "f"]), first(most - 2)),
            (byte(most - 2) == "f", first(most - 3)),
            else_=first(most),
        )
        return cut.re_replace(SPACES_AS_DIGITS, "")

    def quotient(self, dividend: Any, divisor: float) -> Any:
        """An exact double by another, rounded once."""
        import ibis

        by = ibis.literal(repr(divisor)).cast("float64")
        if self.kind == "polars":
            # It multiplies by the reciprocal of a constant, which rounds twice.
            by = by + (dividend - dividend)
        return dividend / by

    def days(self, date: Any) -> Any:
        """Days since 1970-01-01."""
        return (date.cast("int32") if self.kind == "datafusion" else date.epoch_days()).cast("int64")

    def seconds(self, moment: Any) -> Any:
        """Seconds since 1970-01-01T00:00:00, rounded down before a double could round them up."""
        whole = moment.truncate("s")
        if self.kind == "datafusion":
            # What ibis has for it ends in 2038.
            return _call("date_part", "float64", ("epoch", "string"), (whole, "timestamp")).cast("int64")
        return whole.epoch_seconds().cast("int64")
