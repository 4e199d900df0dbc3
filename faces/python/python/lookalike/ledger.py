"""The ledger across releases: one budget for all releases of a data set."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from . import _native
from .errors import SettingError

__all__ = ["Account", "Ledger"]


class Account:
    """A data set in a ledger. For the steward: which releases drew on it depends on who recognized the rows."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found
        """Everything, as ``lookalike ledger show --json`` prints it."""

    @property
    def name(self) -> str:
        """The data set's name."""
        return str(self.found["name"])

    @property
    def epsilon(self) -> float:
        """The epsilon of all releases together."""
        return float(self.found["epsilon"])

    @property
    def left(self) -> float:
        """The epsilon that one more release could still have."""
        return float(self.found["left_epsilon"])

    @property
    def releases(self) -> list[dict[str, Any]]:
        """The releases that drew on it."""
        releases: list[dict[str, Any]] = self.found["releases"]
        return releases

    @property
    def is_closed(self) -> bool:
        """Whether it takes no more releases."""
        return self.found["closed"] is not None

    def __repr__(self) -> str:
        """The name, and what is left."""
        closed = ", closed" if self.is_closed else ""
        return f"<data set {self.name!r}: {self.found['left_in_words']} left of epsilon {self.epsilon:g}{closed}>"


class Ledger:
    """A ledger file: it refuses whatever would spend more than a data set has.

    >>> import lookalike as la, tempfile, os
    >>> ledger = la.Ledger(os.path.join(tempfile.mkdtemp(), "office.ledger"))
    >>> account = ledger.open("people", epsilon=3.0)
    >>> round(account.left, 2)
    3.0
    >>> synth = la.Synthesizer(epsilon=1.0, schema=la.demo_schema(), ledger=ledger, dataset="people")
    >>> _ = synth.fit(la.demo_table(2001, as_path=True))
    >>> ledger["people"].left < 3.0
    True
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        """The file."""

    def __fspath__(self) -> str:
        """The file's path, so that a ledger stands wherever its file does."""
        return self.path

    def open(
        self,
        name: str,
        *,
        epsilon: float,
        delta: float | None = None,
        relation: str | None = None,
        unit: str | None = None,
        contribution: int | None = None,
        filter: str | None = None,
    ) -> Account:
        """Open a data set. The ledger and its key are made when they are not there.

        Its terms cannot be changed later: what all its releases may have together (``epsilon``,
        ``delta``), and what every one of them protects (``relation``, ``unit`` and ``contribution``,
        as in `Synthesizer`). ``filter`` says how costs add up: ``"rho-tau"`` unless said otherwise,
        ``"rho"`` or ``"epsilon-delta"``; ``docs/ledger.md`` compares them.
        """
        if not isinstance(name, str):
            raise SettingError(f"name: a text is needed, not {type(name).__name__}")
        terms = {
            "name": name,
            "epsilon": float(epsilon),
            "delta": delta,
            "relation": relation,
            "unit": unit,
            "contribution": contribution,
            "filter": filter,
        }
        return Account(json.loads(_native.ledger_open(self.path, terms))[0])

    def accounts(self) -> list[Account]:
        """All data sets."""
        return [Account(found) for found in json.loads(_native.ledger_show(self.path))]

    def __contains__(self, name: object) -> bool:
        """Whether there is a data set of that name."""
        return any(account.name == name for account in self.accounts())

    def __iter__(self) -> Iterator[Account]:
        """The data sets."""
        return iter(self.accounts())

    def __len__(self) -> int:
        """The number of data sets."""
        return len(self.accounts())

    def __getitem__(self, name: str) -> Account:
        """The data set of that name."""
        return Account(json.loads(_native.ledger_show(self.path, name))[0])

    def close(self, name: str) -> Account:
        """Close a data set for ever."""
        return Account(json.loads(_native.ledger_close(self.path, name))[0])

    def __bool__(self) -> bool:
        """A ledger is there, however few data sets it has."""
        return True

    def __repr__(self) -> str:
        """The file."""
        return f"Ledger({self.path!r})"
