"""Codes of texts, and of numbers in columns of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .dialects import Dialect
from .expressions import Cells, Rule, Steps, cases, constant, equals, few

# White space as a codec understands it; a vertical tab is none.
SPACES = r"[ \t\n\f\r]"
AROUND = f"^{SPACES}+|{SPACES}+$"

# Values of a category are cut to that many bytes; a text of so few characters has no more of them.
LONGEST_BYTES = 256
SURELY_SHORT = LONGEST_BYTES // 4

# Lists of words up to this are compared one by one, and longer ones by their length first.
FEW_WORDS = 24

UNLISTED = -1


def text_code(cells: Cells, form: Rule, name: str, dialect: Dialect) -> Steps:
    """The code of a text."""
    import ibis

    words, unread = form["words"], constant(form["unread"])
    few(len(words), name)
    # Most cells stand as they are listed, and only the others are worth a regular expression.
    yield {"bytes": dialect.compared(cells["cell"])}
    yield {"exact": _listed(cells["cell"], cells["bytes"], words, dialect)}
    nothing = ibis.literal("", "string")
    yield {"trimmed": ibis.cases((cells["exact"] >= 0, nothing), else_=cells["cell"].re_replace(AROUND, ""))}
    yield {"bytes": dialect.compared(cells["trimmed"])}
    if form["folded"] is None:
        short = [(word, code) for word, code in words if len(word) <= SURELY_SHORT]
        is_long = cells["trimmed"].length() > SURELY_SHORT
        yield {
            "listed": _listed(cells["trimmed"], cells["bytes"], short, dialect),
            "digits": ibis.cases((is_long, dialect.hex(cells["trimmed"], name)), else_=nothing),
        }
        yield {"digits": dialect.first_bytes(cells["digits"], LONGEST_BYTES)}
        yield {"bytes": dialect.compared(cells["digits"])}
        long = [(word.encode().hex(), code) for word, code in words if len(word.encode()) <= LONGEST_BYTES]
        found = _listed(cells["digits"], cells["bytes"], [(word, code) for word, code in long if word], dialect)
        yield {"cut": ibis.cases((cells["trimmed"].length() > SURELY_SHORT, found), else_=cells["listed"])}
        rest = cases([(cells["cut"] >= 0, cells["cut"])], unread)
    else:
        yield {"listed": _listed(cells["trimmed"], cells["bytes"], words, dialect)}
        rest = cases([(cells["listed"] >= 0, cells["listed"])], _folded(cells["trimmed"], form["folded"], form["unread"]))
    return cases([(cells["exact"] >= 0, cells["exact"])], rest)


def _listed(text: Any, compared: Any, words: Sequence[tuple[str, int]], dialect: Dialect) -> Any:
    """The code of a listed text, or a mark that it is not listed."""

    def among(some: Sequence[tuple[str, int]]) -> Any:
        return cases([(compared == dialect.word(word), code) for word, code in some], UNLISTED)

    if len(words) <= FEW_WORDS:
        return among(words)
    by_length: dict[int, list[tuple[str, int]]] = {}
    for word, code in words:
        by_length.setdefault(len(word), []).append((word, code))
    return cases([(text.length() == length, among(some)) for length, some in by_length.items()], UNLISTED)


def _folded(trimmed: Any, folded: Sequence[tuple[str, int]], unread: int) -> Any:
    """The code of a boolean's text, whatever the case of its ASCII letters."""

    def pattern(code: int) -> str:
        words = "|".join("".join(_any_case(letter) for letter in word) for word, own in folded if own == code)
        return f"^(?:{words})$"

    codes = sorted({code for _, code in folded})
    return cases([(trimmed.re_search(pattern(code)), code) for code in codes], unread)


def _any_case(letter: str) -> str:
    if letter.isascii() and letter.isalpha():
        return f"[{letter.lower()}{letter.upper()}]"
    return letter if letter.isalnum() or not letter.isascii() else "\\" + letter


def integer_word(cell: Any, form: Rule, name: str) -> Any:
    """The code of a whole number in a column of words."""
    import ibis

    few(len(form["integers"]), name)
    return cases([(cell.cast("int64") == ibis.literal(value, "int64"), code) for value, code in form["integers"]], form["unread"])


def number_word(value: Any, form: Rule) -> Any:
    """The code of a number in a column of words: the sign of a zero is a part of its text."""
    zeros = {repr(float(text)): code for text, code in form["numbers"] if float(text) == 0}
    branches = [(equals(value, text), code) for text, code in form["numbers"] if float(text) != 0]
    if zeros:
        unread = form["unread"]
        signed = cases([(value.cast("string").startswith("-"), zeros.get("-0.0", unread))], zeros.get("0.0", unread))
        branches.append((equals(value, 0.0), signed))
    return cases(branches, form["unread"])
