"""What executors run. Everything here is inside the door.

A task gets batches from Spark and gives batches to Spark. It keeps nothing, so a task that runs
twice gives the same twice. What it raises is a fixed sentence: Spark writes it into logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import _native
from ..errors import LookalikeError
from ._packing import Packing

CODED = "bucket int, blob binary"
COUNTED = "clique int, cell bigint, count bigint"

# A few blobs at a time, which have up to 65,280 rows each: the last one of a call is seldom full.
_BLOB_ROWS = 4 * 65_280
# With persons the rows of a call are dealt out into buckets, and small blobs take more time.
_BUCKETED_ROWS = 1 << 20
_CODE_BYTES = 64 << 20
_COUNT_BYTES = 256 << 20


class CodeTask:
    """Codes rows, in buckets by person where persons are bounded."""

    def __init__(self, coding: bytes, packing: Packing, buckets: int, bounds_persons: bool) -> None:
        self.coding, self.packing, self.buckets = coding, packing, buckets
        self.rows = _BUCKETED_ROWS if bounds_persons else _BLOB_ROWS

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The blobs of a task's rows."""
        return _guarded(self._coded(batches))

    def _coded(self, batches: Iterator[Any]) -> Iterator[Any]:
        kernel = _native.Kernel(self.coding)
        for table in _together(batches, self.rows, _CODE_BYTES):
            # One piece: whatever a piece costs beside its rows is paid once.
            rows = self.packing.unpacked(table.combine_chunks())
            yield from _batches(kernel.code(rows, self.buckets))


class BoundTask:
    """Keeps a bounded number of rows of each person. A task has all rows of its persons."""

    def __init__(self, coding: bytes) -> None:
        self.coding = coding

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The blobs of what is kept."""
        return _guarded(self._kept(batches))

    def _kept(self, batches: Iterator[Any]) -> Iterator[Any]:
        for table in _together(batches, None, None):
            yield from _batches(_native.Kernel(self.coding).bound(table))


class CountTask:
    """Counts the cells of coded rows."""

    def __init__(self, coding: bytes, request: bytes) -> None:
        self.coding, self.request = coding, request

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The counts of a task's rows."""
        return _guarded(self._counted(batches))

    def _counted(self, batches: Iterator[Any]) -> Iterator[Any]:
        kernel = _native.Kernel(self.coding)
        for table in _together(batches, None, _COUNT_BYTES):
            yield from _batches(kernel.count(table, self.request))


class SampleTask:
    """Draws blocks of a release's rows, by their numbers."""

    def __init__(self, release: bytes, rows: int, seed: int, form: Any) -> None:
        self.release, self.rows, self.seed, self.form = release, rows, seed, form

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows of the blocks."""
        return _guarded(self._drawn(batches))

    def _drawn(self, batches: Iterator[Any]) -> Iterator[Any]:
        release = _native.release_from_bytes(self.release)
        for batch in batches:
            for block in batch.column(0).to_pylist():
                rows = release.sample_block(self.rows, self.seed, block)
                yield from (own.cast(self.form) for own in _batches(rows))


def _guarded(work: Iterator[Any]) -> Iterator[Any]:
    try:
        yield from work
    except LookalikeError as error:
        # Its words hold no cell by the contract of all our errors.
        words = f"lookalike: {error}"
    except Exception:
        words = "lookalike: a task failed; what it said is kept back, since it might quote a cell"
    else:
        return
    raise RuntimeError(words) from None


def _together(batches: Iterator[Any], rows: int | None, size: int | None) -> Iterator[Any]:
    """Batches as tables of about that many rows or bytes; never one without batches."""
    import pyarrow as pa

    waiting: list[Any] = []
    have_rows = have_bytes = 0
    for batch in batches:
        waiting.append(batch)
        have_rows += batch.num_rows
        have_bytes += batch.nbytes
        if (rows is not None and have_rows >= rows) or (size is not None and have_bytes >= size):
            yield pa.Table.from_batches(waiting)
            waiting, have_rows, have_bytes = [], 0, 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _batches(rows: _native.Rows) -> list[Any]:
    import pyarrow as pa

    found: list[Any] = pa.table(rows).to_batches()
    return found
