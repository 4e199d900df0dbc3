"""Showing how a run goes on: a bar, a line, a callback, or nothing. Nothing that is told depends on rows."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from typing import Any, Protocol, cast

Progress = bool | None | Callable[[str, float], object]
"""``None`` shows progress to a person who watches, ``True`` always, ``False`` never; a callable is given the phase and its share."""

logger = logging.getLogger("lookalike")
logger.addHandler(logging.NullHandler())


class _Show(Protocol):
    def __call__(self, phase: str, share: float) -> object: ...


class Watcher:
    """Takes what a run tells, logs it, shows it, and remembers how much of the budget was spent."""

    def __init__(self, progress: Progress) -> None:
        self.phase = ""
        self.spent = 0.0
        self.notes: list[str] = []
        self._end: Callable[[], object] = lambda: None
        self._show = self._shower(progress)
        self._tells_notes = self._show is not None and not callable(progress)

    def __call__(self, kind: str, text: str, a: float, b: float) -> None:
        """Called by the native module, in the thread that waits."""
        if kind == "phase":
            self.phase = text
            logger.info("%s", text)
            self._tell(0.0)
        elif kind == "round":
            self._tell(a / b if b else 1.0)
        elif kind == "budget":
            self.spent = max(self.spent, a)
        elif kind == "note":
            self.notes.append(text)
            logger.info("%s", text)

    def _tell(self, share: float) -> None:
        if self._show is not None:
            self._show(self.phase, share)

    def _shower(self, progress: Progress) -> _Show | None:
        if callable(progress):
            return cast(_Show, progress)
        if progress is False or (progress is None and not _is_watched()):
            return None
        bar = _bar()
        if bar is None:
            return self._line
        self._end = bar.close

        def show(phase: str, share: float) -> None:
            if bar.desc != f"{phase}: ":
                bar.set_description(phase, refresh=False)
            bar.n = round(share * 100)
            bar.refresh()

        return show

    def _line(self, phase: str, share: float) -> None:
        text = f"{phase} {share:.0%}" if share else phase
        sys.stderr.write(f"\rlookalike: {text:<40}")
        sys.stderr.flush()
        self._end = lambda: sys.stderr.write(f"\r{'':<52}\r")

    def close(self) -> None:
        """Takes the bar or the line away, and leaves what was noted to whoever watched it."""
        self._end()
        if self._tells_notes:
            for note in self.notes:
                sys.stderr.write(f"lookalike: {note}\n")


def _is_watched() -> bool:
    """Whether a person sees standard error: a terminal, or a notebook."""
    if "ipykernel" in sys.modules:
        return True
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _bar() -> Any:
    """tqdm's bar, where tqdm is there."""
    try:
        with warnings.catch_warnings():
            # tqdm misses its widgets in a plain notebook, and draws a bar of text there.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=100, leave=False, bar_format="{desc}{percentage:3.0f}%|{bar}|", file=sys.stderr)
