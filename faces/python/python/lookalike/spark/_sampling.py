"""Synthetic rows as a Spark frame: drawn on the executors, block by block."""

from __future__ import annotations

from typing import Any

from .. import _native
from ._tasks import SampleTask

# Blocks that one task draws at most, where there are many.
_MOST_TASKS = 10_000


def drawn(session: Any, release: _native.Release, rows: int, seed: int) -> Any:
    """The rows that one computer draws for this seed, in the same order."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import from_arrow_schema

    blocks = release.sample_blocks(rows)
    # The block behind the last has no rows, and all columns.
    form = _as_spark_has_them(pa.table(release.sample_block(rows, seed, blocks)).schema)
    numbers = session.range(0, blocks, 1, max(1, min(blocks, _MOST_TASKS)))
    task = SampleTask(release.to_bytes(), rows, seed, form)
    return numbers.mapInArrow(task, from_arrow_schema(form, prefer_timestamp_ntz=True))


def _as_spark_has_them(schema: Any) -> Any:
    """Spark's clock has microseconds."""
    import pyarrow as pa

    def field(field: Any) -> Any:
        return field.with_type(pa.timestamp("us")) if pa.types.is_timestamp(field.type) else field

    return pa.schema([field(own) for own in schema])
