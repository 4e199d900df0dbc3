"""Runs the same job in Lookalike and in its peers, and measures all of them in the same way.

The job: a table with known labels, (epsilon, delta) = (1, 1e-9) where the tool has them, 1,000 rows
out. Each tool has an environment of its own, so a run is a process of that environment's Python::

    python tools/compare_peers.py run TOOL TABLE.csv LABELS.json ROWS.csv   # prints one line of JSON
    python tools/compare_peers.py measure TABLE.csv ROWS.csv ...            # prints mean distances

``LABELS.json`` lists every column's possible cells; they are taken as public. The seconds are those
of the function of the tool, imports and reading left out. ``lines`` counts the lines of that
function that are code. ``ROWS.csv`` gets 1,000 rows, and beside it ``ROWS-all.csv`` as many as the
table has, from the same fit.

A distance is the total variation distance of a marginal: half the sum of absolute differences of
its shares. The mean is over all marginals of one, two and three columns. Numbers are counted in 16
quantile cells of the real column, fewer where quantiles coincide.
"""

from __future__ import annotations

import argparse
import inspect
import itertools
import json
import resource
import time
from typing import Any

import numpy as np
import pandas as pd

CELLS = 16
# The rho of (1, 1e-9) is 0.01473: what tools get that count in zero-concentrated differential
# privacy. OpenDP 0.16 refuses 0.01473 (its MST shares a budget out among the columns, rounds the sum
# up, and then finds it too large by 4e-19); 0.01471 is the next that it takes.
RHO = 0.01471

# The tools. ``real`` is the table and ``labels`` has the possible cells of each column: texts, or
# whole numbers. Each function fits once and gives 1,000 rows, and a way to more of them.


def lookalike(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    import lookalike as la

    def column(cells):
        if isinstance(cells[0], int):
            return {"type": "integer", "range": [min(cells), max(cells)]}
        return {"type": "category", "values": cells}

    schema = {"columns": {name: column(cells) for name, cells in labels.items()}}
    synth = la.Synthesizer(epsilon=1.0, delta=1e-9, schema=schema).fit(real)
    return synth.sample(1000), synth.sample


def lookalike_mst(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    import lookalike as la

    def column(cells):
        if isinstance(cells[0], int):
            return {"type": "integer", "range": [min(cells), max(cells)]}
        return {"type": "category", "values": cells}

    schema = {"columns": {name: column(cells) for name, cells in labels.items()}}
    synth = la.Synthesizer(epsilon=1.0, delta=1e-9, schema=schema, method="mst").fit(real)
    return synth.sample(1000), synth.sample


def lookalike_discover(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    import lookalike as la

    synth = la.Synthesizer(epsilon=1.0, delta=1e-9).fit(real)
    return synth.sample(1000), synth.sample


def smartnoise(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    from snsynth import Synthesizer

    numbers = [name for name, cells in labels.items() if isinstance(cells[0], int)]
    words = [name for name in labels if name not in numbers]
    synth = Synthesizer.create("mst", epsilon=1.0, delta=1e-9)
    synth.fit(real, categorical_columns=words, ordinal_columns=numbers)
    return synth.sample(1000), synth.sample


def smartnoise_aim(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    from snsynth import Synthesizer

    numbers = [name for name, cells in labels.items() if isinstance(cells[0], int)]
    words = [name for name in labels if name not in numbers]
    synth = Synthesizer.create("aim", epsilon=1.0, delta=1e-9)
    synth.fit(real, categorical_columns=words, ordinal_columns=numbers)
    return synth.sample(1000), synth.sample


def dpmm(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    from dpmm.pipelines import MSTPipeline

    def column(cells):
        if isinstance(cells[0], int):
            return {"lower": min(cells), "upper": max(cells)}
        return {"categories": cells}

    domain = {name: column(cells) for name, cells in labels.items()}
    words = {name: "category" for name, cells in labels.items() if not isinstance(cells[0], int)}
    synth = MSTPipeline(epsilon=0.9, delta=1e-9, proc_epsilon=0.1)
    synth.fit(real.astype(words), domain)
    return synth.generate(n_records=1000), lambda n: synth.generate(n_records=n)


def opendp(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")
    context = dp.Context.compositor(
        data=pl.from_pandas(real).lazy(),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(rho=RHO),
    )
    query = context.query(rho=RHO).contingency_table(keys=labels, algorithm=dp.mbi.MST())
    table = query.release()
    return table.synthesize(1000).to_pandas(), lambda n: table.synthesize(n).to_pandas()


def opendp_sample(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")
    context = dp.Context.compositor(
        data=pl.from_pandas(real).lazy(),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(rho=RHO),
    )
    query = context.query(rho=RHO).contingency_table(keys=labels, algorithm=dp.mbi.MST())
    table = query.release()
    return table.synthesize(1000, "sample").to_pandas(), lambda n: table.synthesize(n, "sample").to_pandas()


def opendp_aim(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")
    context = dp.Context.compositor(
        data=pl.from_pandas(real).lazy(),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(rho=RHO),
    )
    table = context.query(rho=RHO).contingency_table(keys=labels).release()
    return table.synthesize(1000).to_pandas(), lambda n: table.synthesize(n).to_pandas()


def sdv(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    from sdv.metadata import Metadata
    from sdv.single_table import GaussianCopulaSynthesizer

    tables = {"people": real}
    synth = GaussianCopulaSynthesizer(Metadata.detect_from_dataframes(tables))
    synth.fit(tables)
    return synth.sample(1000)["people"], lambda n: synth.sample(n)["people"]


def real_rows(real: pd.DataFrame, labels: dict[str, list]) -> Any:
    """No tool: rows of the table itself, drawn with replacement. What no privacy at all would give."""
    return real.sample(1000, replace=True), lambda n: real.sample(n, replace=True)


TOOLS = (
    lookalike,
    lookalike_mst,
    lookalike_discover,
    smartnoise,
    smartnoise_aim,
    dpmm,
    opendp,
    opendp_sample,
    opendp_aim,
    sdv,
    real_rows,
)


def lines_of(tool: Any) -> int:
    """Lines of code in the function: no head, no empty line."""
    body = [line.strip() for line in inspect.getsource(tool).splitlines()[1:]]
    return sum(1 for line in body if line and not line.startswith(("#", '"""')))


def read(table: str, labels: str) -> tuple[pd.DataFrame, dict[str, list]]:
    with open(labels, encoding="utf-8") as file:
        found = json.load(file)
    known = {}
    for name, cells in found.items():
        whole = all(cell.lstrip("-").isdigit() for cell in cells)
        known[name] = [int(cell) for cell in cells] if whole else cells
    return pd.read_csv(table), known


def run(tool: str, table: str, labels: str, out: str) -> None:
    chosen = {it.__name__: it for it in TOOLS}[tool]
    real, known = read(table, labels)
    start, used = time.monotonic(), cpu()
    rows, more = chosen(real, known)
    seconds, burnt = time.monotonic() - start, cpu() - used
    told = {"tool": tool, "seconds": round(seconds, 1), "cpu": round(burnt, 1), "lines": lines_of(chosen), "rows": len(rows)}
    print(json.dumps(told), flush=True)
    rows.to_csv(out, index=False)
    more(len(real)).to_csv(out.replace(".csv", "-all.csv"), index=False)


def cpu() -> float:
    return sum(it.ru_utime + it.ru_stime for it in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def coded(real: pd.DataFrame, fake: pd.DataFrame) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Both tables in the same cells: quantiles of the real column for numbers, else the cells themselves."""
    ours: dict[str, np.ndarray] = {}
    theirs: dict[str, np.ndarray] = {}
    for name in real.columns:
        if pd.api.types.is_numeric_dtype(real[name]):
            edges = np.unique(np.quantile(real[name].dropna(), np.arange(1, CELLS) / CELLS))
            numbers = pd.to_numeric(fake[name], errors="coerce").to_numpy(dtype=float)
            for frame, codes in ((real[name].to_numpy(dtype=float), ours), (numbers, theirs)):
                codes[name] = np.where(np.isnan(frame), len(edges) + 1, np.searchsorted(edges, frame, side="right"))
        else:
            both, _ = pd.factorize(pd.concat([real[name], fake[name]]).astype(str), use_na_sentinel=False)
            ours[name], theirs[name] = both[: len(real)], both[len(real) :]
    return ours, theirs


def distances(real: pd.DataFrame, fake: pd.DataFrame) -> dict[str, float]:
    ours, theirs = coded(real, fake)
    sizes = {name: int(max(ours[name].max(), theirs[name].max())) + 1 for name in ours}
    found = {}
    for way in (1, 2, 3):
        each = []
        for columns in itertools.combinations(ours, way):
            shape = [sizes[name] for name in columns]
            shares = []
            for codes in (ours, theirs):
                flat = np.ravel_multi_index([codes[name] for name in columns], shape)
                shares.append(np.bincount(flat, minlength=int(np.prod(shape))) / len(flat))
            each.append(np.abs(shares[0] - shares[1]).sum() / 2)
        found[f"{way}-way"] = float(np.mean(each))
    return found


def main() -> None:
    words = argparse.ArgumentParser(description="The same job in several tools, measured in the same way.")
    ways = words.add_subparsers(dest="way", required=True)
    one = ways.add_parser("run", help="run a tool, and write its rows")
    one.add_argument("tool", choices=[it.__name__ for it in TOOLS])
    for name in ("table", "labels", "out"):
        one.add_argument(name)
    two = ways.add_parser("measure", help="mean distances of rows from the table")
    two.add_argument("table")
    two.add_argument("rows", nargs="+")
    given = words.parse_args()
    if given.way == "run":
        run(given.tool, given.table, given.labels, given.out)
        return
    real = pd.read_csv(given.table)
    for rows in given.rows:
        found = distances(real, pd.read_csv(rows))
        print(rows, *(f"{way} {value:.4f}" for way, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
