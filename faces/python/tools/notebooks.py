"""Runs the notebooks of ``docs/python/notebooks``; any error in them is an error here.

``python tools/notebooks.py`` runs all of them, ``python tools/notebooks.py ledger`` that one.
``--render`` also writes the pages in ``docs/python`` and their pictures. ``--strip`` runs nothing
and takes outputs and run counts out of the files, which are kept without them.

It needs nbclient, nbformat, ipykernel and what the notebooks import. Noise differs from run to run,
so no test compares a page with a run.
"""

from __future__ import annotations

import argparse
import base64
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

PAGES = Path(__file__).resolve().parents[3] / "docs" / "python"
NAMES = ("first-release", "hospital", "model", "ledger")

# Run before the first cell and not shown: wide frames, and the same pictures everywhere.
SETTINGS = """
import pandas
pandas.set_option("display.width", 110, "display.max_columns", 12)
%matplotlib inline
%config InlineBackend.figure_formats = ["png"]
%config InlineBackend.rc = {"figure.dpi": 90, "font.size": 9}
"""


def source(name: str) -> Path:
    return PAGES / "notebooks" / f"{name}.ipynb"


def run(name: str) -> Any:
    """The notebook with its outputs. An error in a cell is raised."""
    book = nbformat.read(source(name), as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell(SETTINGS))
    NotebookClient(book, timeout=170, kernel_name="python3").execute()
    del book.cells[0]
    return book


def page(name: str, book: Any) -> tuple[str, dict[str, bytes]]:
    """The page as Markdown, and its pictures by file name."""
    parts, pictures = [], {}
    for cell in book.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            text, picture = shown(output)
            if picture is not None:
                file = f"{name}-{len(pictures) + 1}.png"
                pictures[file] = picture
                parts.append(f"![{title(cell.source)}](figures/{file})")
            elif text:
                parts.append(f"```text\n{text}\n```")
    there = f"*[The notebook](notebooks/{name}.ipynb) of this page runs in the tests. Figures differ from run to run, as noise does.*"
    parts[0] = parts[0].replace("\n\n", f"\n\n{there}\n\n", 1)
    return "\n\n".join(parts) + "\n", pictures


def shown(output: Any) -> tuple[str | None, bytes | None]:
    """What a page shows of an output: text or a picture. Progress on standard error is left out."""
    if output.output_type == "stream":
        return (output.text.strip("\n") if output.name == "stdout" else None), None
    data = output.get("data", {})
    if "image/png" in data:
        return None, base64.b64decode(data["image/png"])
    lines = data.get("text/plain", "").split("\n")
    return "\n".join(line.rstrip() for line in lines), None


def title(code: str) -> str:
    """The words of a picture: its title, or the names of its axes."""
    found = {}
    for call in ("suptitle", "set_title", "set_ylabel", "set_xlabel"):
        marker = f'.{call}("'
        if marker in code:
            found[call] = code.split(marker)[1].split('"')[0]
    axes = " by ".join(found[call] for call in ("set_ylabel", "set_xlabel") if call in found)
    return ": ".join(words for words in (found.get("suptitle") or found.get("set_title"), axes) if words)


def stripped(name: str) -> None:
    """Writes the file without outputs, run counts and what editors leave in it."""
    book = nbformat.read(source(name), as_version=4)
    for place, cell in enumerate(book.cells):
        cell.metadata, cell.id = {}, f"cell-{place + 1}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(book, source(name))


def render(name: str, book: Any) -> None:
    text, pictures = page(name, book)
    (PAGES / "figures").mkdir(exist_ok=True)
    for old in (PAGES / "figures").glob(f"{name}-*.png"):
        old.unlink()
    for file, picture in pictures.items():
        (PAGES / "figures" / file).write_bytes(picture)
    (PAGES / f"{name}.md").write_text(text, encoding="utf-8")


def main() -> None:
    words = argparse.ArgumentParser(description="Run the notebooks of docs/python/notebooks.")
    words.add_argument("names", nargs="*", default=list(NAMES), help="notebooks; left out, all of them")
    words.add_argument("--render", action="store_true", help="write the pages and pictures in docs/python")
    words.add_argument("--strip", action="store_true", help="take outputs out of the notebooks, and run none")
    given = words.parse_args()
    for name in given.names:
        if given.strip:
            stripped(name)
            continue
        start = time.monotonic()
        book = run(name)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
        if given.render:
            render(name, book)


if __name__ == "__main__":
    main()
