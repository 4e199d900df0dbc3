"""Faults that tasks of tests cause, each once: what a cluster does to a run, without waiting for it."""

from __future__ import annotations

import os
import pathlib
import random
import signal
from collections.abc import Iterator
from typing import Any

KINDS = ("worker", "executor", "error", "copy")


class Fault:
    """Passes batches on. In some tasks something happens after the first one, at the first try.

    ``worker`` kills the process of Python, ``executor`` that of Spark with everything it keeps,
    ``error`` raises, and ``copy`` goes on only when a second copy of the task has begun.
    """

    def __init__(self, kind: str, folder: pathlib.Path, name: str, seed: int, share: float = 0.5) -> None:
        self.kind, self.folder, self.name, self.seed, self.share = kind, str(folder), name, seed, share

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The batches."""
        from pyspark import TaskContext

        context = TaskContext.get()
        part = context.partitionId() if context is not None else 0
        chosen = random.Random(f"{self.seed} {self.name} {part}").random() < self.share
        if self.kind == "copy":
            # One task alone, so that a core is free for its copy.
            chosen = part == 0
        mark = os.path.join(self.folder, f"{self.name}-{part}")
        is_first = chosen and _made(mark)
        copied = f"{mark}-copied"
        if chosen and not is_first:
            _made(copied)
        for place, batch in enumerate(batches):
            yield batch
            if place == 0 and is_first:
                self._happen(copied)

    def _happen(self, copied: str) -> None:
        if self.kind == "worker":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.kind == "executor":
            executor = _parent(os.getppid())
            with open(f"/proc/{executor}/cmdline", encoding="utf-8") as file:
                assert "CoarseGrainedExecutorBackend" in file.read()
            os.kill(executor, signal.SIGKILL)
        elif self.kind == "error":
            raise RuntimeError("a fault of the test")
        else:
            # Spark starts the copy because this one does not end; it gives up when none comes.
            for _ in range(5_000_000):
                if os.path.exists(copied):
                    return


def _made(path: str) -> bool:
    """Whether the file was made just now, by nobody else."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def _parent(process: int) -> int:
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])
