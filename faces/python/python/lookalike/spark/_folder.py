"""The folder in which coded rows lie during a run: private, and removed at its end."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from typing import Any

from ..errors import SettingError

_NO_WORKDIR = (
    "workdir: coded rows need a folder that all executors reach; pass SparkRows(frame, workdir=FOLDER),"
    " or set a checkpoint folder with spark.sparkContext.setCheckpointDir"
)


class HadoopFolder:
    """A folder of a file system that Spark reaches, by the JVM of the driver."""

    def __init__(self, session: Any, workdir: str | None) -> None:
        self._jvm, self._conf = session._jvm, session._jsc.hadoopConfiguration()
        context = session.sparkContext
        base = workdir if workdir is not None else context.getCheckpointDir()
        if base is None and not context.master.split("[")[0] == "local":
            raise SettingError(_NO_WORKDIR)
        made = tempfile.mkdtemp(prefix="lookalike-") if base is None else None
        base = f"file://{made}" if made is not None else base
        path = self._jvm.org.apache.hadoop.fs.Path(f"{base}/lookalike-{uuid.uuid4().hex}")
        self._fs = path.getFileSystem(self._conf)
        self._own = path
        self._made = made
        owner_alone = self._jvm.org.apache.hadoop.fs.permission.FsPermission("700")
        self._fs.mkdirs(path, owner_alone)
        self._fs.setPermission(path, owner_alone)
        self.path: str = self._fs.makeQualified(path).toString()

    def files(self, name: str) -> list[str]:
        """The data files of a table that was written here."""
        found = self._fs.listStatus(self._jvm.org.apache.hadoop.fs.Path(f"{self.path}/{name}"))
        paths = [status.getPath() for status in found]
        return sorted(path.toString() for path in paths if path.getName().startswith("part-"))

    def stamps(self, files: list[str]) -> list[tuple[str, int, int]]:
        """Sizes and times of files anywhere, by which a change is seen."""
        found = []
        for file in sorted(set(files)):
            path = self._jvm.org.apache.hadoop.fs.Path(self._jvm.java.net.URI(file))
            status = path.getFileSystem(self._conf).getFileStatus(path)
            found.append((file, status.getLen(), status.getModificationTime()))
        return found

    def remove(self, name: str | None = None) -> None:
        """Remove a table, or the whole folder."""
        path = self._own if name is None else self._jvm.org.apache.hadoop.fs.Path(f"{self.path}/{name}")
        self._fs.delete(path, True)
        if name is None and self._made is not None:
            shutil.rmtree(self._made, ignore_errors=True)


class SharedFolder:
    """A folder that this process and all executors reach under the same path."""

    def __init__(self, workdir: str | None) -> None:
        if workdir is None or "://" in workdir:
            raise SettingError(
                "workdir: over Spark Connect a folder is needed that this process and all executors reach"
                " under the same path; pass SparkRows(frame, workdir=FOLDER)"
            )
        self.path = tempfile.mkdtemp(prefix="lookalike-", dir=workdir)

    def files(self, name: str) -> list[str]:
        """The data files of a table that was written here."""
        folder = os.path.join(self.path, name)
        return sorted(os.path.join(folder, file) for file in os.listdir(folder) if file.startswith("part-"))

    def stamps(self, files: list[str]) -> list[tuple[str, int, int]]:
        """Nothing: files of the server are not seen from here, and the statement says so."""
        return []

    def remove(self, name: str | None = None) -> None:
        """Remove a table, or the whole folder."""
        shutil.rmtree(self.path if name is None else os.path.join(self.path, name), ignore_errors=True)
