"""What can go wrong. Messages are one line, say what, where and what to do, and never quote a cell."""

from __future__ import annotations

__all__ = ["BudgetError", "DataError", "InternalError", "LookalikeError", "SchemaError", "SettingError"]


class LookalikeError(Exception):
    """Everything that this package raises on purpose."""


class SchemaError(LookalikeError, ValueError):
    """A mistake in a schema, or a schema that does not fit the table."""


class SettingError(LookalikeError, ValueError):
    """A parameter that cannot be, or that does not go with another."""


class DataError(LookalikeError, ValueError):
    """A table, a frame, a file or a folder that cannot be taken."""


class BudgetError(LookalikeError):
    """The budget refuses. Nothing was looked at beyond what was paid for."""


class InternalError(LookalikeError, RuntimeError):
    """The machine or this package failed. Nothing was released."""
