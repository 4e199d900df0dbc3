"""Schemas: what is known of a table before anybody looks at its rows."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from . import _native
from ._frames import PandasForm, PolarsForm, form_of
from .errors import DataError, SchemaError, SettingError

__all__ = ["Check", "Mark", "Schema"]

_DISCOVER = "discover"


class Mark(NamedTuple):
    """A fact of a schema that was read from rows and that nobody has confirmed yet."""

    column: str | None
    """The column; ``None`` for a fact of the whole table."""
    fact: str
    """The key that words it, such as ``range``."""
    telling: bool
    """Whether it may be about few people. Otherwise it is what an empty form would tell."""
    wording: str = ""
    """What the schema says."""
    why: str = ""
    """What the fact may tell, and of whom."""
    proposal: str = ""
    """What is proposed."""


class Check(NamedTuple):
    """Cells that a schema does not cover. For the steward: it was read from the rows."""

    rows: int
    """The number of rows."""
    outside: dict[str, int]
    """For each column that has any, how many cells the schema does not cover."""


class Schema:
    """What a table looks like, as public knowledge: columns, types, bounds and values.

    It is made from a mapping in the shape of a schema file, or from the text of one; the keys are in
    ``docs/schema.md``. Bounds and values that nobody knows may be left open with ``"discover"``: a
    fit then buys them with a part of its budget.

    >>> import lookalike as la
    >>> schema = la.Schema({
    ...     "columns": {
    ...         "age": {"type": "integer", "range": [0, 99]},
    ...         "sex": {"type": "category", "values": ["F", "M"]},
    ...     }
    ... })
    >>> schema.columns
    ['age', 'sex']
    >>> schema
    Schema(2 columns, everything stated)
    """

    _native: _native.Schema

    def __init__(self, source: Mapping[str, Any] | str, *, name: str = "schema") -> None:
        if isinstance(source, str):
            if "\n" not in source and source.endswith((".toml", ".json")):
                raise SchemaError(f"{name}: {source!r} looks like a path; use Schema.load(path)")
            self._native = _native.parse_schema(source, name)
        elif isinstance(source, Mapping):
            try:
                text = json.dumps(source, default=_plain)
            except (TypeError, ValueError) as error:
                raise SchemaError(f"{name}: {error}; write texts, numbers, lists and mappings") from None
            self._native = _native.schema_from_json(text, name)
        else:
            raise SchemaError(f"{name}: a mapping or the text of a schema file is needed, not {type(source).__name__}")

    # Ways to come by one.

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Schema:
        """Read a schema file: TOML, the same shape in JSON, or an mbi domain file."""
        name = os.fspath(path)
        try:
            with open(name, encoding="utf-8") as file:
                text = file.read()
        except OSError as error:
            raise SchemaError(f"{name}: {error.strerror or error}; check the path") from None
        except UnicodeDecodeError:
            raise SchemaError(f"{name}: is not text in UTF-8; save it as UTF-8") from None
        return cls(text, name=name)

    @classmethod
    def import_book(cls, path: str | os.PathLike[str]) -> Schema:
        """Read a code book: a table of columns, or the dialect of mbi, dpmm, dpsynth or SDV."""
        return cls(_native.import_book(os.fspath(path)), name=os.fspath(path))

    @classmethod
    def draft(cls, data: Any) -> Schema:
        """Draft a schema from rows. Steward-only: facts that were read from rows are marked.

        A draft must be reviewed before it is used: see `marks` and `review`.

        >>> import lookalike as la
        >>> draft = la.Schema.draft(la.demo_table(500, as_path=True))
        >>> bool(draft.marks)
        True
        """
        text, _ = _native.draft(form_of(data).frames())
        return cls(text, name="draft")

    @classmethod
    def from_types(cls, data: Any) -> Schema:
        """Take names and types from a frame, and leave bounds and values to be discovered.

        No cell is read. What pandas knows of a type comes from rows all the same (a column without a
        missing cell is ``int64``, categories are the values that occur), so such facts are marked for
        review; a polars ``Enum`` is a declaration and is taken as public.

        >>> import lookalike as la, polars as pl
        >>> size = pl.Enum(["S", "M", "L"])
        >>> frame = pl.DataFrame({"n": [1, 2], "size": ["S", "M"]}, schema_overrides={"size": size})
        >>> la.Schema.from_types(frame).to_dict()["columns"]["size"]
        {'type': 'category', 'values': ['S', 'M', 'L']}
        """
        form = form_of(data)
        if isinstance(form, PandasForm):
            columns = _pandas_types(data)
        elif isinstance(form, PolarsForm):
            columns = _polars_types(data if hasattr(data, "schema") and not hasattr(data, "collect") else data.collect())
        else:
            raise DataError("types are taken from a pandas or polars frame; for other tables use Schema.draft")
        return cls({"columns": columns})

    @staticmethod
    def reference() -> dict[str, Any]:
        """The JSON Schema of schema files: every key, what it may be, and what it means.

        >>> import lookalike as la
        >>> sorted(la.Schema.reference())[:2]
        ['$schema', 'additionalProperties']
        """
        found: dict[str, Any] = json.loads(_native.schema_reference())
        return found

    # What it says.

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are listed."""
        return list(self._native.names)

    @property
    def is_open(self) -> bool:
        """Whether facts are left to be discovered, and paid for, by a fit."""
        return self._native.is_open

    @property
    def marks(self) -> list[Mark]:
        """The facts that wait for review."""
        return [
            Mark(it["column"], it["fact"], it["telling"], "; ".join(it["wording"]), it["why"], it["proposal"])
            for it in self._native.pending()
        ]

    def to_toml(self) -> str:
        """The text of the schema file."""
        return self._native.text

    def to_dict(self) -> dict[str, Any]:
        """The schema as a mapping, in the shape of a schema file."""
        found: dict[str, Any] = json.loads(self._native.json())
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the schema file: whole, or not at all."""
        name = os.fspath(path)
        beside = f"{name}.partial-{os.getpid()}"
        try:
            with open(beside, "w", encoding="utf-8") as file:
                file.write(self.to_toml())
            os.replace(beside, name)
        except OSError as error:
            if os.path.exists(beside):
                os.unlink(beside)
            raise SchemaError(f"{name}: {error.strerror or error}; check the path") from None

    # Ways to settle it.

    def review(
        self,
        *,
        accept: Literal["harmless"] | list[tuple[str | None, str]] | list[Mark] | None = None,
        discover: Literal["telling"] | list[tuple[str | None, str]] | list[Mark] | None = None,
        ignore: str | list[str] | None = None,
    ) -> Schema:
        """Settle marked facts, and get the schema without their marks.

        ``accept="harmless"`` takes every fact that an empty form would tell, and ``discover="telling"``
        leaves every other to the budget; both stand in the statement as settled in bulk. Single facts
        are named as ``(column, fact)`` or given as marks (``accept=draft.marks`` takes them all), and ``ignore`` leaves whole columns out.

        >>> import lookalike as la
        >>> draft = la.Schema.draft(la.demo_table(500, as_path=True))
        >>> draft.review(accept="harmless", discover="telling").marks
        []
        """
        each: list[tuple[str | None, str, str]] = []
        for way, named in (("accept", accept), ("discover", discover)):
            if isinstance(named, str):
                word = {"accept": "harmless", "discover": "telling"}[way]
                if named != word:
                    raise SettingError(f"{way}: {named!r} is not known; write {way}={word!r} or a list of (column, fact)")
            else:
                each.extend((*_named_fact(way, one), way) for one in named or [])
        left_out = [ignore] if isinstance(ignore, str) else list(ignore or [])
        for name in left_out:
            if name not in self.columns:
                raise SettingError(f"ignore: {name!r} is no column of the schema; there are {', '.join(self.columns)}")
            each.extend((mark.column, mark.fact, "ignore") for mark in self.marks if mark.column == name)
        known = {(mark.column, mark.fact) for mark in self.marks}
        for column, fact, _ in each:
            if (column, fact) not in known:
                raise SettingError(f"column {column!r} has no mark on {fact!r}; see Schema.marks")
        found = Schema.__new__(Schema)
        found._native = self._native.reviewed(accept == "harmless", discover == "telling", each)
        for name in left_out:
            found = found.with_column(name, type="ignore")
        return found

    def with_column(self, name: str, **facts: Any) -> Schema:
        """The schema with a column described anew, by facts that you knew without the rows.

        >>> import lookalike as la
        >>> schema = la.Schema({"columns": {"age": {"type": "integer", "range": "discover"}}})
        >>> schema.with_column("age", type="integer", range=[0, 120]).is_open
        False
        """
        whole = self.to_dict()
        whole.setdefault("columns", {})[name] = facts
        return Schema(whole)

    def check(self, data: Any) -> Check:
        """Count cells that the schema does not cover. Steward-only: it reads the rows."""
        found = json.loads(_native.check(self._native, form_of(data).frames()))
        return Check(found["rows"], {it["column"]: it["cells"] for it in found["outside"]})

    # What Python expects.

    def __repr__(self) -> str:
        """How much is stated, open, and waiting for review."""
        words = [f"{len(self.columns)} columns"]
        words.append("some facts to be discovered" if self.is_open else "everything stated")
        marks = self._native.marks
        if marks:
            words.append(f"{len(marks)} facts to be reviewed")
        return f"Schema({', '.join(words)})"

    def _repr_html_(self) -> str:
        return f"<b>{html.escape(repr(self))}</b><pre>{html.escape(self.to_toml())}</pre>"

    def __eq__(self, other: object) -> bool:
        """Schemas are equal when they say the same."""
        return isinstance(other, Schema) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        """By what it says."""
        return hash(json.dumps(self.to_dict(), sort_keys=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its text."""
        return (Schema, (self.to_toml(),))


def _named_fact(way: str, one: Any) -> tuple[str | None, str]:
    if isinstance(one, Mark):
        return one.column, one.fact
    if isinstance(one, (tuple, list)) and len(one) == 2:
        return one[0], one[1]
    raise SettingError(f"{way}: {one!r} is no fact; write (column, fact), or take marks from Schema.marks")


def schema_of(schema: Any) -> Schema | None:
    """A schema from what callers write: a schema, a mapping, a path, or nothing."""
    if schema is None or isinstance(schema, Schema):
        return schema
    if isinstance(schema, Mapping):
        return Schema(schema)
    if isinstance(schema, (str, os.PathLike)):
        return Schema.load(schema)
    raise SettingError(f"schema: a Schema, a mapping or a path is needed, not {type(schema).__name__}")


def _plain(value: Any) -> Any:
    """Values of numpy and dates as a schema writes them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no place in a schema")


def _words(values: Any) -> list[Any]:
    return [value if isinstance(value, (str, int)) and not isinstance(value, bool) else str(value) for value in values]


def _pandas_types(frame: Any) -> dict[str, dict[str, Any]]:
    import pandas as pd

    types = pd.api.types
    columns: dict[str, dict[str, Any]] = {}
    for name, dtype in zip(frame.columns, frame.dtypes):
        if isinstance(dtype, pd.CategoricalDtype):
            facts = {"type": "category", "values": _words(dtype.categories), "review": ["values"], "harmless": ["type"]}
        elif types.is_bool_dtype(dtype):
            facts = {"type": "boolean", "harmless": ["type"]}
        elif types.is_integer_dtype(dtype):
            facts = {"type": "integer", "range": _DISCOVER, "harmless": ["type"]}
        elif types.is_numeric_dtype(dtype):
            # Whole numbers with a missing cell are floats in pandas, so the type is left open.
            facts = {"type": _DISCOVER}
        elif types.is_datetime64_any_dtype(dtype):
            facts = {"type": _DISCOVER}
        else:
            facts = {"type": _DISCOVER}
        columns[str(name)] = facts
    return columns


def _polars_types(frame: Any) -> dict[str, dict[str, Any]]:
    import polars as pl

    columns: dict[str, dict[str, Any]] = {}
    for name, dtype in frame.schema.items():
        base = dtype.base_type()
        facts: dict[str, Any]
        if base == pl.Enum:
            facts = {"type": "category", "values": list(dtype.categories)}
        elif base == pl.Boolean:
            facts = {"type": "boolean"}
        elif dtype.is_integer():
            facts = {"type": "integer", "range": _DISCOVER}
        elif dtype.is_numeric():
            facts = {"type": "number", "range": _DISCOVER}
        elif base == pl.Date:
            facts = {"type": "date", "range": _DISCOVER}
        elif base == pl.Datetime:
            facts = {"type": "datetime", "range": _DISCOVER}
        elif base in (pl.String, pl.Categorical):
            facts = {"type": "category", "values": _DISCOVER}
        else:
            facts = {"type": _DISCOVER}
        columns[name] = facts
    return columns
