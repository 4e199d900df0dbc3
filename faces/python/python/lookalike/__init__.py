"""Synthetic tables under differential privacy: same columns, same statistics, nobody in it.

>>> import lookalike as la
>>> synth = la.Synthesizer(epsilon=1.0, schema=la.demo_schema())
>>> rows = synth.fit(la.demo_table(1000, as_path=True)).sample(5, seed=1)
>>> len(rows)
5

``epsilon`` is the total for everything that a fit does. Sampling, asking, reporting and verifying
are free of charge, as often as you like.
"""

from __future__ import annotations

from . import spark as spark
from . import sql as sql
from ._native import VERSION as __version__
from ._native import Rows
from .auditing import Audit, audit
from .demo import demo_schema, demo_table
from .errors import BudgetError, DataError, InternalError, LookalikeError, SchemaError, SettingError
from .evaluation import Evaluation, evaluate
from .ledger import Account, Ledger
from .methods import (
    Aim,
    Auto,
    Histogram,
    Independent,
    Method,
    Mst,
    PbPgm,
    PrivBayes,
    PrivBayesNist,
    PrivMrf,
)
from .planning import Plan, plan
from .release import Page, Release, Verdict
from .schema import Check, Mark, Schema
from .synthesizer import Synthesizer

__all__ = [
    "Account",
    "Aim",
    "Audit",
    "Auto",
    "BudgetError",
    "Check",
    "DataError",
    "Evaluation",
    "Histogram",
    "Independent",
    "InternalError",
    "Ledger",
    "LookalikeError",
    "Mark",
    "Method",
    "Mst",
    "Page",
    "PbPgm",
    "Plan",
    "PrivBayes",
    "PrivBayesNist",
    "PrivMrf",
    "Release",
    "Rows",
    "Schema",
    "SchemaError",
    "SettingError",
    "Synthesizer",
    "Verdict",
    "__version__",
    "audit",
    "demo_schema",
    "demo_table",
    "evaluate",
    "plan",
]
