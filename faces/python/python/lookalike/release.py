"""Releases: what has been paid for. Everything here is free of charge, as often as you like."""

from __future__ import annotations

import html
import json
import os
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _native
from ._native import Release as _Made
from ._frames import Form, form_named, form_of, installed_form
from .errors import DataError, SettingError
from .schema import Schema

__all__ = ["Page", "Release", "Verdict"]


class Verdict(NamedTuple):
    """Whether a release agrees with its own statement. True where it does."""

    agrees: bool
    """Whether everything agrees."""
    guarantee: str
    """The guarantee, as the statement puts it."""
    used: float | None
    """The epsilon recomputed from the charges."""
    charges: int
    """The number of charged queries."""
    disagreements: list[str]
    """What does not agree, one line each."""

    def __bool__(self) -> bool:
        """Whether everything agrees."""
        return self.agrees


class Page:
    """A page for people: shown in a notebook, or saved as one HTML file."""

    def __init__(self, text: str, *, steward_only: bool = False) -> None:
        self.html = text
        """The page's text."""
        self.steward_only = steward_only
        """Whether it was made from private rows, and must not be published."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page."""
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        word = "<p><b>For the steward's eyes only: made from the private rows.</b></p>" if self.steward_only else ""
        return (
            f'{word}<iframe sandbox="allow-scripts" style="width:100%;height:640px;border:1px solid #ccc"'
            f' srcdoc="{html.escape(self.html, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        """What it is, and how long."""
        kind = "steward-only page" if self.steward_only else "page"
        return f"<lookalike {kind}, {len(self.html) // 1024 + 1} KiB; .save(path) writes it>"


class Release:
    """A release that has been paid for and closed: nothing here can see a private row.

    It comes from ``Synthesizer.fit`` as ``release_``, or from a folder:

    >>> import lookalike as la
    >>> synth = la.Synthesizer(epsilon=1.0, schema=la.demo_schema())
    >>> release = synth.fit(la.demo_table(2002, as_path=True)).release_
    >>> import tempfile, os
    >>> folder = os.path.join(tempfile.mkdtemp(), "out")
    >>> published = release.save(folder)
    >>> bool(la.Release.load(folder).verify())
    True
    """

    _native: _Made
    _form: Form

    def __init__(self) -> None:
        raise SettingError("a release comes from Synthesizer.fit or Release.load")

    @classmethod
    def _of(cls, made: _Made, form: Form) -> Release:
        release = cls.__new__(cls)
        release._native, release._form = made, form
        return release

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Release:
        """Read the folder of a release, or of a run that has one."""
        return cls._of(_native.load_release(os.fspath(folder)), installed_form())

    # What it guarantees.

    @property
    def guarantee(self) -> str:
        """The guarantee in one line, or why there is none."""
        return self._native.guarantee

    @property
    def epsilon(self) -> float | None:
        """The guaranteed epsilon; ``None`` without a guarantee."""
        return self._native.epsilon

    @property
    def delta(self) -> float | None:
        """The guaranteed delta; ``None`` without a guarantee."""
        return self._native.delta

    @property
    def rows(self) -> int:
        """The number of the release's own synthetic rows."""
        return self._native.rows

    @property
    def statement(self) -> dict[str, Any]:
        """The privacy statement: every charge, and what they add up to."""
        found: dict[str, Any] = json.loads(self._native.statement())
        return found

    @property
    def schema(self) -> Schema:
        """The columns of the rows; with what was discovered, where something was."""
        return Schema(self._native.schema_text(), name="release")

    def verify(self) -> Verdict:
        """Recompute the total from the charges, and compare the files of a folder with their hashes."""
        it = self._native.verify()
        return Verdict(it["agrees"], it["guarantee"], it["used"], it["charges"], it["disagreements"])

    # What can be asked of it.

    def sample(
        self,
        n: int | None = None,
        *,
        seed: int | None = None,
        where: str | None = None,
        known: Any = None,
        replace: bool | None = None,
        threads: int | None = None,
        output: str | None = None,
    ) -> Any:
        """Draw synthetic rows, in the form of the frame that was fitted.

        Without any argument the release's own rows, those that its folder has. ``where`` takes only
        rows that meet a condition, in the words of ``docs/where.md``; a warning names the bins that it
        cuts. ``known`` is a frame with some of the columns, whose others are filled in row by row: the
        result holds your own cells, so it is no release. ``output`` is ``"pandas"``, ``"polars"``,
        ``"pyarrow"`` or ``"rows"``.

        Columns come back with the types that they had. numpy's whole numbers and truth values have no
        missing cell, so rows are drawn among those that have none there.

        The same seed gives the same rows on every machine.
        """
        if known is not None:
            if n is not None or where is not None or replace is not None:
                raise SettingError("known: the rows given are filled in, so n, where and replace have no place beside it")
            return self._complete(known, seed, output)
        if where is not None and not isinstance(where, str):
            raise SettingError("where: a condition is a text, such as where=\"age >= 65 and sex = 'F'\"")
        form = self._form if output is None else form_named(output)
        never = self._never_missing(form)
        if n is None and seed is None and where is None and replace is None and not never:
            return form.give(self._native.own_rows(), self._facts())
        count = self.rows if n is None else _count(n)
        chosen = self._native.seed if n is None and seed is None else _seed(seed)
        for note in [] if where is None else self._native.condition_notes(where):
            warnings.warn(note, UserWarning, stacklevel=2)
        return form.give(self._native.sample(count, chosen, _both(where, never), replace, threads), self._facts())

    def sample_spark(self, session: Any, n: int | None = None, *, seed: int | None = None) -> Any:
        """Draw synthetic rows as a Spark frame, on the executors of a session.

        They are the rows that `sample` draws for the same number and seed, in the same order, on
        however many executors. This package must be installed there.
        """
        from .spark._sampling import drawn

        count = self.rows if n is None else _count(n)
        chosen = self._native.seed if n is None and seed is None else _seed(seed)
        return drawn(session, self._native, count, _random_seed() if chosen is None else chosen)

    def _facts(self) -> dict[str, Any]:
        columns: dict[str, Any] = self.schema.to_dict().get("columns", {})
        return columns

    def _never_missing(self, form: Form) -> str | None:
        """A condition for columns whose type has no missing cell, where the model has some."""
        names = set(form.never_missing())
        if not names or not self._native.has_model:
            return None
        columns = self._facts()
        some = [name for name, facts in columns.items() if name in names and facts.get("missing")]
        quoted = ('"' + name.replace('"', '""') + '"' for name in some)
        return " and ".join(f"{name} is not missing" for name in quoted) or None

    def _complete(self, known: Any, seed: int | None, output: str | None) -> Any:
        form = form_of(known)
        names = form.names()
        if names is None:
            raise DataError("known: a frame with named columns is needed")
        if not names:
            raise DataError("known: the frame has no columns; use sample(n)")
        chosen = _seed(seed)
        drawn = self._native.complete(form.frames(), _random_seed() if chosen is None else chosen)
        out = (self._form if self._form.kind == form.kind else form_named("pandas")) if output is None else form_named(output)
        filled = out.give(drawn, self._facts())
        return _with_known(filled, known, names)

    def query(self, columns: str | Sequence[str] = (), *, where: str | None = None, output: str | None = None) -> Any:
        """A marginal with error bars: one row a cell, with counts, shares and 95% intervals.

        ``kind`` says what an interval is: ``interval`` around a measured count, ``bound`` from what was
        measured around it, ``impossible`` by the schema. What has to be known to read the numbers is in
        ``frame.attrs["notes"]`` of a pandas frame, or in `explain`.
        """
        rows, about = self._native.query(_names(columns), where)
        form = form_named(output or (self._form.kind if self._form.kind in ("pandas", "polars", "pyarrow") else _plain_kind()))
        frame = form.give(rows)
        if form.kind == "pandas":
            frame.attrs.update(about)
        return frame

    def explain(self, columns: str | Sequence[str] = (), *, where: str | None = None) -> dict[str, Any]:
        """What has to be known to read `query`'s numbers: the total with its interval, and notes."""
        return self._native.query(_names(columns), where)[1]

    def report(self) -> Page:
        """The page about the release. It may be published."""
        return Page(self._native.report())

    def dictionary(self) -> str:
        """What every column and code means, as CSV."""
        return self._native.dictionary()

    def save(self, folder: str | os.PathLike[str], *, format: str = "csv", overwrite: bool = False) -> str:
        """Write the folder: rows, model, dictionary, page and statement. Whole, or not at all.

        Gives the folder in it that may be published. A folder that is there is refused, or moved aside
        with ``overwrite=True``.
        """
        return self._native.save(os.fspath(folder), format, overwrite)

    def evaluate(self, real: Any, **settings: Any) -> Any:
        """Compare the release's own rows with the real ones. Steward-only; see `lookalike.evaluate`."""
        from .evaluation import evaluate

        settings.setdefault("schema", self.schema)
        return evaluate(real, self._native.own_rows(), **settings)

    # What Python expects.

    def __repr__(self) -> str:
        """The guarantee, and the number of rows."""
        return f"<lookalike.Release: {self.rows} rows; {self.guarantee}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the statement and the model, which may be published, and nothing else."""
        return (_unpickled, (self._native.to_bytes(), self._form.kind))


def _unpickled(data: bytes, kind: str) -> Release:
    form = form_named(kind) if kind in ("pandas", "polars", "pyarrow") else installed_form()
    return Release._of(_native.release_from_bytes(data), form)


def _plain_kind() -> str:
    return installed_form().kind


def _count(n: Any, name: str = "n") -> int:
    try:
        count = n.__index__()
    except AttributeError:
        raise SettingError(f"{name}: {n!r} is no whole number") from None
    if count < 0:
        raise SettingError(f"{name}: {count} is below 0; " + ("ask for some rows" if name == "n" else "write 1 or more"))
    return int(count)


def _seed(seed: Any) -> int | None:
    if seed is None:
        return None
    try:
        number = seed.__index__()
    except AttributeError:
        raise SettingError(f"seed: {seed!r} is no whole number") from None
    if not 0 <= number < 2**64:
        raise SettingError("seed: a whole number from 0 to 2**64 - 1 is needed")
    return int(number)


def _names(columns: Any) -> list[str]:
    names = [columns] if isinstance(columns, str) else list(columns) if isinstance(columns, (list, tuple, set)) else [None]
    if not all(isinstance(name, str) for name in names):
        raise SettingError("columns: the name of a column or a list of names is needed")
    return [str(name) for name in names]


def _both(where: str | None, also: str | None) -> str | None:
    if where is None or also is None:
        return where if also is None else also
    return f"({where}) and {also}"


def _random_seed() -> int:
    return int.from_bytes(os.urandom(8), "little")


def _with_known(filled: Any, known: Any, names: list[str]) -> Any:
    """The filled rows with the caller's own cells in the columns that were known."""
    library = type(filled).__module__.split(".")[0]
    same = type(known).__module__.split(".")[0] == library
    if not same:
        return filled
    if library == "pandas":
        filled.index = known.index
        for column in known.columns:
            filled[column] = known[column]
    elif library == "polars":
        frame = known.collect() if hasattr(known, "collect") else known
        filled = filled.with_columns(frame[name] for name in names)
    elif library == "pyarrow":
        for name in names:
            place = filled.column_names.index(name) if name in filled.column_names else len(filled.column_names)
            column = known.column(name)
            if place < len(filled.column_names):
                filled = filled.set_column(place, name, column)
            else:
                filled = filled.append_column(name, column)
    return filled
