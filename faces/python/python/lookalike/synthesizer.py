"""The synthesizer: settings in, a release out, in the habits of scikit-learn."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Sequence
from typing import Any

from . import _native
from ._frames import form_of
from ._progress import Progress, Watcher
from .errors import LookalikeError, SettingError
from .methods import Method
from .release import Release, _count
from .schema import schema_of

__all__ = ["Synthesizer"]


class Synthesizer:
    """Makes a synthetic table from a private one, under differential privacy.

    ``epsilon`` is the total for everything that a fit does, discovery of the schema included, and has
    no default: smaller is more private. There is no seed: the noise comes from the operating system,
    and nobody can repeat it.

    Parameters
    ----------
    epsilon
        The total epsilon.
    delta
        The total delta; left out, the method's own, mostly 1e-9.
    schema
        What is known of the columns without the rows: a `Schema`, a mapping, or a path.
        Without one, everything is discovered with a part of the budget.
    method
        ``"auto"``, the name of another method, or its settings, such as ``la.Aim(rounds=20)``.
    rows
        How many rows the release has; left out, the noisy number of rows.
    target
        A column whose relations count more, such as the one that a model will predict.
    workload
        What the release should be good at: ``"2-way"``, ``"3-way"``, a path, or a list of lists of columns.
    unit, contribution
        Protect persons and not records: the column that tells whose row it is, and the most rows of a
        person that are taken.
    relation
        Which tables are neighbours: ``"add-remove"`` or ``"replace-one"``.
    ledger, dataset
        The ledger across releases that the fit draws on, and the data set's name in it.
    discover_share
        The share of the budget that takes what is bought first; left out, 0.1.
    journal
        A file in which every charge is written before the look that it pays for.
    memory, time
        Bounds such as ``"2GiB"`` and ``"30s"``; the second becomes sizes and rounds, never a clock.
    threads
        Threads; left out, all cores.
    accept_draft
        Take a schema with facts that nobody has reviewed: the release then has no guarantee, and says so.
    progress
        ``None`` shows progress to a person who watches, ``True`` always, ``False`` never; a callable is
        given the phase and its share.

    Examples
    --------
    >>> import lookalike as la
    >>> synth = la.Synthesizer(epsilon=1.0, schema=la.demo_schema())
    >>> synth.fit(la.demo_table(2000, as_path=True)).release_.guarantee
    '(1, 1e-9)-differential privacy against adding or removing any one record'
    >>> len(synth.sample(10, seed=7))
    10
    """

    release_: Release
    """The release; there after `fit`."""
    notes_: list[str]
    """What the fit noted, such as that there are too few rows to discover a schema; there after `fit`."""

    def __init__(
        self,
        *,
        epsilon: float,
        delta: float | None = None,
        schema: Any = None,
        method: str | Method = "auto",
        rows: int | None = None,
        target: str | None = None,
        workload: str | Sequence[Sequence[str]] | None = None,
        unit: str | None = None,
        contribution: int | None = None,
        relation: str | None = None,
        ledger: str | os.PathLike[str] | None = None,
        dataset: str | None = None,
        discover_share: float | None = None,
        journal: str | os.PathLike[str] | None = None,
        memory: str | None = None,
        time: str | None = None,
        threads: int | None = None,
        accept_draft: bool = False,
        progress: Progress = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.schema = schema
        self.method = method
        self.rows = rows
        self.target = target
        self.workload = workload
        self.unit = unit
        self.contribution = contribution
        self.relation = relation
        self.ledger = ledger
        self.dataset = dataset
        self.discover_share = discover_share
        self.journal = journal
        self.memory = memory
        self.time = time
        self.threads = threads
        self.accept_draft = accept_draft
        self.progress = progress

    def fit(self, data: Any, y: None = None, *, spend_again: bool = False) -> Synthesizer:
        """Read the rows, pay, measure and fit; the result is in ``release_``.

        ``data`` is a pandas, polars or pyarrow frame, a duckdb relation, an ibis table, an iterator of
        Arrow batches, or the path of a CSV or Parquet file. A Spark frame stays where it is (see
        `lookalike.spark`), and `lookalike.sql.table` leaves the rows of an ibis table in their database.

        A second fit on the same rows in one process spends its budget once more, whatever object does
        it, so it is refused unless ``spend_again=True`` says that this is meant.
        """
        if y is not None:
            raise SettingError("y: the target is a column of the table; pass the whole table, and target=NAME")
        return self._fit(data, spend_again)

    def _fit(self, data: Any, spend_again: bool, test: dict[str, Any] | None = None) -> Synthesizer:
        schema = schema_of(self.schema)
        settings = self._settings()
        form = form_of(data)
        watcher = Watcher(self.progress)
        extras = {
            "workload": self._workload_text(),
            "journal": None if self.journal is None else os.fspath(self.journal),
            "spend_again": bool(spend_again),
            "test_seed": None,
        }
        hooks = dict(test or {})
        if "seed" in hooks:
            extras["test_seed"] = hooks.pop("seed")
        if "rows_seed" in hooks:
            settings["seed"] = hooks.pop("rows_seed")
        try:
            made = _native.fit(
                form.frames(), None if schema is None else schema._native, json.dumps(settings), extras, watcher, **hooks
            )
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._charged_so_far(watcher)) from None
        except LookalikeError as error:
            # What an engine of this package refuses says by itself what to do.
            cause = error.__cause__
            if isinstance(cause, LookalikeError):
                raise cause from cause.__cause__
            raise
        finally:
            watcher.close()
            form.close()
        self.release_ = Release._of(made, form.without_rows())
        self.notes_ = list(watcher.notes)
        return self

    def sample(self, n: int | None = None, **how: Any) -> Any:
        """Draw synthetic rows, free of charge; see `Release.sample`."""
        return self._released().sample(n, **how)

    def fit_sample(self, data: Any, n: int | None = None, *, spend_again: bool = False, **how: Any) -> Any:
        """`fit`, then `sample`: the one step that SmartNoise's users know."""
        # A mistyped keyword is found before anything is spent.
        inspect.signature(Release.sample).bind(None, n, **how)
        return self.fit(data, spend_again=spend_again).sample(n, **how)

    def _released(self) -> Release:
        if not hasattr(self, "release_"):
            raise SettingError("there is no release yet; call fit first")
        return self.release_

    def _settings(self) -> dict[str, Any]:
        """The settings with the names of a job file."""
        method = self.method
        name, values = (method.name, method.settings()) if isinstance(method, Method) else (method, {})
        if not isinstance(name, str):
            raise SettingError(f"method: a name or the settings of a method are needed, not {type(method).__name__}")
        whole = {
            "epsilon": _number("epsilon", self.epsilon),
            "delta": _number("delta", self.delta),
            "method": name,
            "set": values,
            "rows": None if self.rows is None else _count(self.rows, "rows"),
            "target": self.target,
            "workload": self.workload if isinstance(self.workload, str) else None,
            "unit": self.unit,
            "contribution": None if self.contribution is None else _count(self.contribution, "contribution"),
            "relation": self.relation,
            "ledger": None if self.ledger is None else os.fspath(self.ledger),
            "dataset": self.dataset,
            "discover-share": _number("discover_share", self.discover_share),
            "memory": self.memory,
            "time": self.time,
            "threads": None if self.threads is None else _count(self.threads, "threads"),
            "accept-draft": bool(self.accept_draft),
            "discover": True if self.schema is None else None,
        }
        return {name: value for name, value in whole.items() if value is not None}

    def _workload_text(self) -> str | None:
        if self.workload is None or isinstance(self.workload, str):
            return None
        return "\n".join(", ".join(_quoted(name) for name in table) for table in self.workload) + "\n"

    def _charged_so_far(self, watcher: Watcher) -> str:
        if watcher.phase in ("", "reading"):
            return "stopped while the rows were read; nothing was charged"
        account = f"; the ledger has reserved the whole epsilon of {self.epsilon:g}" if self.ledger is not None else ""
        return (
            f"stopped; {watcher.spent:.0%} of epsilon {self.epsilon:g} was told as spent, and what was charged stays"
            f" charged: count the whole epsilon as spent{account}"
        )

    # What scikit-learn expects.

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Synthesizer:
        """Set parameters by name."""
        for name, value in params.items():
            if name not in self._names():
                raise SettingError(f"{name!r} is no parameter; there are {', '.join(self._names())}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a release."""
        return hasattr(self, "release_")

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn wants to know of an estimator."""
        from sklearn.utils import InputTags, Tags, TargetTags

        tags = Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=InputTags())
        tags.input_tags.string = tags.input_tags.categorical = tags.input_tags.allow_nan = True
        return tags

    def __repr__(self) -> str:
        """The settings that were given, what was spent, and what is left in the ledger."""
        defaults = inspect.signature(type(self).__init__).parameters
        given = [
            f"{name}={value!r}" for name, value in self.get_params().items() if value is not defaults[name].default
        ]
        if self.schema is None:
            given.append("schema=None (everything is discovered)")
        words = f"Synthesizer({', '.join(given)})"
        if hasattr(self, "release_"):
            words += f" [spent epsilon {self.epsilon:g}: {self.release_.guarantee}]"
        if self.ledger is not None and self.dataset is not None:
            words += f" [{self._left()}]"
        return words

    def _left(self) -> str:
        try:
            found = json.loads(_native.ledger_show(os.fspath(self.ledger or ""), self.dataset))
        except Exception:
            return "the ledger cannot be read"
        return f"the data set {self.dataset!r} has {found[0]['left_in_words']} left"


def _number(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, (bool, str)):
        raise SettingError(f"{name}: {value!r} is no number")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise SettingError(f"{name}: {value!r} is no number") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise SettingError(f"{name}: {value!r} is not finite; write a number such as 1.0")
    return number


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
