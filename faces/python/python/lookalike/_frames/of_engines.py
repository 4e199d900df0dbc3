"""Rows that stay where they are."""

from __future__ import annotations

from typing import Any

from .. import _native
from .form import Facts, Form


class EngineForm(Form):
    """Rows behind an engine. Synthetic rows go out in the form of whichever library is installed."""

    kind = "engine"

    def __init__(self, engine: Any) -> None:
        self._held = engine

    def frames(self) -> Any:
        return self._held

    def close(self) -> None:
        close = getattr(self._held, "close", None)
        if close is not None:
            close()

    def give(self, rows: _native.Rows, facts: Facts | None = None) -> Any:
        from . import installed_form

        return installed_form().give(rows, facts)
