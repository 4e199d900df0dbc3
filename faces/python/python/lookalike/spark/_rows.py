"""The engine: a Spark frame whose rows are coded, bounded, kept and counted by its executors."""

from __future__ import annotations

import os
import uuid
from typing import Any

from .. import _native
from ..errors import DataError
from ._folder import HadoopFolder, SharedFolder
from ._packing import Packing
from ._plan import assumed, source_files
from ._tasks import CODED, COUNTED, BoundTask, CodeTask, CountTask

# Files that changed cannot be told from others afterwards, so the run ends.
_CHANGED = (
    "the frame's files changed while they were read, so nothing is made of them;"
    " run again when nobody writes to them, or on a copy"
)
# How coded rows are written: as they are, with pages and groups that end after some megabytes.
_WRITTEN = {
    "compression": "none",
    "parquet.enable.dictionary": "false",
    "parquet.block.size": str(16 << 20),
    "parquet.page.size": str(4 << 20),
    "parquet.block.size.row.check.min": "1",
    "parquet.page.size.row.check.min": "1",
    # A task's files appear when the job ends, all at once.
    "mapreduce.fileoutputcommitter.algorithm.version": "1",
}
# A file that is gone or damaged is an error, whatever the session says.
_READ = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false", "mergeSchema": "false"}
# Types of one value a row.
_FLAT = {
    *("boolean", "byte", "short", "integer", "long", "float", "double", "decimal"),
    *("string", "char", "varchar", "binary", "date", "time", "timestamp", "timestamp_ntz", "void"),
}
# Settings of the session in which coded rows are counted.
_SETTINGS = {
    # Tables are small, and Spark joins small parts of a shuffle to few tasks.
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.adaptive.coalescePartitions.enabled": "true",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
    "spark.sql.shuffle.partitions": "32",
}


class SparkRows:
    """A Spark frame, and where its coded rows are kept during a run.

    `lookalike.Synthesizer.fit` takes a Spark frame as it is; this is for whoever wants to say more.

    Parameters
    ----------
    frame
        A ``pyspark.sql.DataFrame``. Rows of its result are what is protected.
    workdir
        A folder that all executors reach, for coded rows while a run lasts: a path or an address that
        Spark can write to. They are private: whoever reads them knows the rows. Left out: Spark's
        checkpoint folder, or where Spark runs in this process alone, a private temporary folder.

    Examples
    --------
    ``la.Synthesizer(epsilon=1.0, schema="people.toml").fit(la.spark.SparkRows(frame, workdir="hdfs:///private"))``
    """

    _lookalike_engine = True
    kind = "Spark"
    rows_of = "a frame"

    def __init__(self, frame: Any, *, workdir: str | os.PathLike[str] | None = None) -> None:
        if type(frame).__module__.split(".")[0] != "pyspark" or not hasattr(frame, "mapInArrow"):
            raise DataError(f"{frame!r:.40} is no Spark frame; pass a pyspark.sql.DataFrame")
        self._frame = frame
        self._session = frame.sparkSession
        # Coded rows are read and counted with settings of our own, and the user's stay as they are.
        self._own = _session_of(self._session)
        self._workdir = None if workdir is None else os.fspath(workdir)
        self._tag = f"lookalike-{uuid.uuid4().hex}"
        self._folder: HadoopFolder | SharedFolder | None = None
        self._coding = b""
        self._blobs: Any = None
        self.version: str = self._session.version
        self.assumes: str | None = None

    # What the bridge asks for.

    def columns(self) -> list[str]:
        """The names of the columns, after the plan was looked at."""
        self.assumes = assumed(self._frame)
        names = list(self._frame.columns)
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise DataError(f"the frame has two columns that are called {twice!r}; rename one of them")
        return names

    def code(self, coding: bytes) -> None:
        """Code all rows on the executors, bound those of persons, and write them down."""
        self._coding = coding
        with _Tagged(self._session, self._tag):
            self._write_coded(_native.Kernel(coding))

    def count(self, request: bytes) -> Any:
        """Count cells of the coded rows: an Arrow table of cliques, cells and counts."""
        with _Tagged(self._session, self._tag):
            parts = self._blobs.mapInArrow(CountTask(self._coding, request), COUNTED)
            # Counts are added up by Spark, whose tasks may fail and run again: nothing is added
            # beside them, as accumulators would.
            return _arrow(parts.groupBy("clique", "cell").sum("count"))

    def stop(self) -> None:
        """End what runs on Spark for this object."""
        _Tagged(self._session, self._tag).stop()

    def close(self) -> None:
        """Remove the coded rows."""
        self._blobs = None
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.remove()

    # How it is done.

    def _write_coded(self, kernel: _native.Kernel) -> None:
        names, needed = list(self._frame.columns), kernel.needed
        # By place and not by name: Spark does not tell upper and lower case apart.
        places = [f"c{names.index(name)}" for name in needed]
        wanted = self._frame.toDF(*(f"c{place}" for place in range(len(names)))).select(*places)
        _try_types(kernel, wanted.schema, needed)
        kinds = [field.dataType.typeName() for field in wanted.schema.fields]
        packing = Packing(self._coding, dict(zip(needed, zip(places, kinds))))
        is_classic = hasattr(self._frame, "_jdf")
        folder = HadoopFolder(self._session, self._workdir) if is_classic else SharedFolder(self._workdir)
        self._folder = folder
        sources = source_files(self._frame)
        before = folder.stamps(sources)
        task = CodeTask(self._coding, packing, self._buckets(), kernel.bounds_persons)
        self._write(wanted.select(*packing.columns()).mapInArrow(task, CODED), "coded")
        if folder.stamps(sources) != before:
            raise DataError(_CHANGED)
        blobs = self._read("coded")
        if kernel.bounds_persons:
            # What is shuffled was written down before, so a lost task finds the same rows again.
            dealt = blobs.repartition(self._buckets(), "bucket")
            self._write(dealt.mapInArrow(BoundTask(self._coding), CODED), "kept")
            blobs = self._read("kept")
            folder.remove("coded")
        self._blobs = blobs.select("blob")

    def _buckets(self) -> int:
        """How many parts the rows of persons are dealt out into: a setting of the session."""
        return max(1, int(self._session.conf.get("spark.sql.shuffle.partitions") or "200"))

    def _write(self, blobs: Any, name: str) -> None:
        assert self._folder is not None
        blobs.write.mode("errorifexists").options(**_WRITTEN).parquet(f"{self._folder.path}/{name}")

    def _read(self, name: str) -> Any:
        """The files that were written, by a list that does not change."""
        assert self._folder is not None
        files = self._folder.files(name)
        return self._own.read.schema(CODED).options(**_READ).parquet(*files)


def _try_types(kernel: _native.Kernel, schema: Any, needed: list[str]) -> None:
    """Refuse columns that hold lists or groups, before a task runs."""
    import pyarrow as pa

    flat = [field.dataType.typeName() in _FLAT for field in schema.fields]
    fields = [(name, pa.null() if is_flat else pa.list_(pa.null())) for name, is_flat in zip(needed, flat)]
    kernel.code(pa.schema(fields).empty_table(), 1)


def _arrow(frame: Any) -> Any:
    """The frame's rows on the driver: counts, and nothing else ever."""
    import pyarrow as pa

    form = pa.schema([("clique", pa.int32()), ("cell", pa.int64()), ("count", pa.int64())])
    if hasattr(frame, "toArrow"):
        return frame.toArrow().rename_columns(form.names).cast(form)
    rows = frame.collect()
    columns = [[row[place] for row in rows] for place in range(3)]
    return pa.table(columns, schema=form)


def _session_of(session: Any) -> Any:
    own = session.newSession()
    for name, value in _SETTINGS.items():
        own.conf.set(name, value)
    return own


class _Tagged:
    """Marks what this thread starts on Spark, so that it can be stopped."""

    def __init__(self, session: Any, tag: str) -> None:
        self._session, self._tag = session, tag

    def __enter__(self) -> None:
        if hasattr(self._session, "_jsc"):
            self._session.sparkContext.addJobTag(self._tag)

    def __exit__(self, *_: object) -> None:
        if hasattr(self._session, "_jsc"):
            self._session.sparkContext.removeJobTag(self._tag)

    def stop(self) -> None:
        """End what has the mark; over Spark Connect it is waited for."""
        if hasattr(self._session, "_jsc"):
            self._session.sparkContext.cancelJobsWithTag(self._tag)
