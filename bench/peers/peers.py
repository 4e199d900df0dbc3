"""What other tools take for the same work, one JSON line each. Needs numpy, pandas and mbi.

`raw` writes the synthetic rows of another tool instead, and needs that tool.
"""

import json
import sys
import time

import numpy as np


def cpu(work, repeats=3):
    """Median CPU seconds of the work, all threads of this process."""
    runs = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        runs.append(time.process_time() - begin)
    return sorted(runs)[len(runs) // 2]


def emit(**line):
    print(json.dumps(line), flush=True)


def counting(rows, columns):
    """Milliseconds a pair: a sample of pairs with all size combinations, spread over the table."""
    sizes = [[2, 5, 10, 20, 50][i % 5] for i in range(columns)]
    random = np.random.default_rng(1)
    data = [np.minimum(random.integers(0, s, rows), random.integers(0, s, rows)).astype(np.uint8) for s in sizes]
    pairs = [(i, j) for i in range(columns) for j in range(i + 1, columns)]
    pairs = [pairs[k] for k in np.linspace(0, len(pairs) - 1, min(200, len(pairs))).astype(int)]

    def bincount(some):
        for i, j in some:
            # uint8 products would wrap: widen as little as possible.
            cells = data[i].astype(np.uint16) * np.uint16(sizes[j]) + data[j]
            np.bincount(cells, minlength=sizes[i] * sizes[j])

    def report(tool, some, seconds):
        emit(bench="counting", peer=tool, rows=rows, pairs=len(some), cpu_ms_a_pair=seconds * 1e3 / len(some))

    report("numpy bincount", pairs, cpu(lambda: bincount(pairs)))
    import pandas as pd

    frame = pd.DataFrame({f"c{i}": column for i, column in enumerate(data)})
    few = pairs[:: max(1, len(pairs) // 10)]

    def groupby():
        for i, j in few:
            frame.groupby([f"c{i}", f"c{j}"]).size()

    report("pandas groupby", few, cpu(groupby))
    try:
        from mbi import Dataset, Domain
    except ImportError:
        emit(bench="counting", peer="mbi Dataset.project", skipped="mbi is not installed", cpu_ms_a_pair=float("nan"))
        return
    domain = Domain([f"c{i}" for i in range(columns)], sizes)
    try:
        dataset = Dataset(frame, domain)
    except Exception:
        dataset = Dataset({name: frame[name].to_numpy() for name in frame}, domain)

    def project():
        for i, j in few:
            dataset.project([f"c{i}", f"c{j}"]).datavector()

    report("mbi Dataset.project", few, cpu(project))


def io(path):
    """CPU seconds to read the file (types inferred, nothing coded)."""
    import pandas as pd

    emit(bench="io", peer="pandas read_csv", cpu_seconds=cpu(lambda: pd.read_csv(path)))


def noise(draws):
    """Nanoseconds a draw of the inexact continuous generator."""
    random = np.random.default_rng()
    seconds = cpu(lambda: random.normal(0, 26.7, draws))
    emit(bench="noise", peer="numpy normal (continuous, not exact)", cpu_ns_a_draw=seconds * 1e9 / draws)


def estimation(path, target):
    """CPU seconds of mirror descent to the target loss: the first run compiles, later ones are warm."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_enable_compilation_cache", False)
    import mbi
    from mbi import estimation as estimators

    file = json.load(open(path))
    domain = mbi.Domain([str(i) for i in range(len(file["domain"]))], file["domain"])
    measured = [
        mbi.LinearMeasurement(np.array(m["y"]), tuple(str(i) for i in m["clique"]), stddev=m["sigma"])
        for m in file["measurements"]
    ]

    def loss(model):
        parts = [np.asarray(model.project(m.clique).datavector()) - np.asarray(m.noisy_measurement) for m in measured]
        return sum(0.5 * (part**2).sum() / m.stddev**2 for part, m in zip(parts, measured))

    iterations, cold = 1000, True
    while iterations <= 16000:
        begin = time.process_time()
        model = estimators.MirrorDescent().estimate(domain, measured, iters=iterations)
        found = float(loss(model))
        seconds = time.process_time() - begin
        emit(bench="estimation", peer="mbi mirror descent", cold=cold, iterations=iterations, loss=found, cpu_seconds=seconds)
        if not cold and found <= target:
            return
        iterations, cold = iterations if cold else iterations * 2, False


def sampling(path, rows):
    """CPU seconds to draw rows into memory; the first run compiles, the second is warm."""
    import jax

    jax.config.update("jax_enable_x64", True)
    import mbi
    from mbi import estimation as estimators

    file = json.load(open(path))
    domain = mbi.Domain([str(i) for i in range(len(file["domain"]))], file["domain"])
    measured = [
        mbi.LinearMeasurement(np.array(m["y"]), tuple(str(i) for i in m["clique"]), stddev=m["sigma"])
        for m in file["measurements"]
    ]
    model = estimators.MirrorDescent().estimate(domain, measured, iters=1000)
    for cold in [True, False]:
        seconds = cpu(lambda: model.synthetic_data(rows=rows), repeats=1)
        emit(bench="sampling", peer="mbi synthetic_data", cold=cold, rows=rows, cpu_seconds=seconds)


class Facts:
    """A raw table as public facts say it is: words, and numbers in ranges; days for dates."""

    def __init__(self, csv, path):
        import pandas as pd

        facts = json.load(open(path))
        text = pd.read_csv(csv, dtype=str, keep_default_na=False)
        self.columns, self.frame = facts["columns"], pd.DataFrame()
        for column in self.columns:
            cells = text[column["name"]].str.strip()
            cells = cells.mask(cells.isin(facts["missing_tokens"] + [""]))
            if column["kind"] == "category":
                column["values"] = [str(value) for value in column["values"]]
                self.frame[column["name"]] = cells.astype(object)
                continue
            if column["kind"] in ("date", "datetime"):
                cells = self.days(cells)
                column["low"], column["high"] = self.days(pd.Series([column["low"], column["high"]]))
            numbers = pd.to_numeric(cells, errors="coerce").astype(float)
            self.frame[column["name"]] = numbers.clip(column["low"], column["high"])

    @staticmethod
    def days(cells):
        import pandas as pd

        return (pd.to_datetime(cells) - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)

    def write(self, frame, out):
        """Writes synthetic rows as the real ones are written."""
        import pandas as pd

        for column in self.columns:
            name, kind = column["name"], column["kind"]
            if kind == "category":
                continue
            cells = pd.to_numeric(frame[name], errors="coerce").astype(float)
            if kind in ("date", "datetime"):
                whole = cells.floordiv(1) if kind == "date" else cells
                moments = pd.Timestamp("1970-01-01") + pd.to_timedelta(whole, unit="D")
                cells = moments.dt.strftime("%Y-%m-%d" if kind == "date" else "%Y-%m-%dT%H:%M:%S")
            else:
                decimals = 0 if kind == "integer" else column["decimals"]
                cells = cells if decimals is None else cells.round(decimals)
            frame[name] = cells
        frame[[column["name"] for column in self.columns]].to_csv(out, index=False)


def raw_dpmm(facts, epsilon, delta):
    """dpmm's MST with PrivTree bins, which get a tenth of epsilon."""
    from dpmm.pipelines import MSTPipeline

    domain = {}
    for column in facts.columns:
        if column["kind"] == "category":
            domain[column["name"]] = {"categories": column["values"]}
            facts.frame[column["name"]] = facts.frame[column["name"]].astype("category")
        else:
            domain[column["name"]] = {"lower": column["low"], "upper": column["high"]}
    pipeline = MSTPipeline(epsilon=0.9 * epsilon, delta=delta, proc_epsilon=0.1 * epsilon, n_jobs=1)
    rows = len(facts.frame)
    pipeline.fit(facts.frame, domain)
    return pipeline.generate(n_records=rows)


def raw_smartnoise(facts, epsilon, delta):
    """SmartNoise's MST on 32 bins of equal width, or each value of a smaller range; a code of missing cells."""
    import pandas as pd
    from snsynth import Synthesizer
    from snsynth.transform import LabelTransformer, TableTransformer

    codes, bins = pd.DataFrame(), {}
    for column in facts.columns:
        name, cells = column["name"], facts.frame[column["name"]]
        if column["kind"] == "category":
            found = cells.map({word: code for code, word in enumerate(column["values"])})
        else:
            low, width = column["low"], column["high"] - column["low"]
            whole = column["kind"] in ("integer", "date") and width < 32
            bins[name] = int(width) + 1 if whole else 32
            span = bins[name] if whole else width
            found = ((cells - low) / span * bins[name]).floordiv(1).clip(0, bins[name] - 1)
            column["span"] = span
        codes[name] = found.fillna(-1).astype(int)
    synthesizer = Synthesizer.create("mst", epsilon=epsilon, delta=delta)
    transformer = TableTransformer([LabelTransformer(nullable=False) for _ in facts.columns])
    synthesizer.fit(codes, transformer=transformer, preprocessor_eps=0.0)
    made = pd.DataFrame(synthesizer.sample(len(codes)), columns=codes.columns)
    random = np.random.default_rng()
    for column in facts.columns:
        name, found = column["name"], made[column["name"]].astype(int)
        if column["kind"] == "category":
            made[name] = found.map(dict(enumerate(column["values"])))
        else:
            inside = random.uniform(size=len(found)) if column["span"] != bins[name] else 0.0
            cells = column["low"] + (found + inside) * column["span"] / bins[name]
            made[name] = cells.where(found >= 0)
    return made


def raw_dpsynth(facts, epsilon, delta):
    """dpsynth's MST with 32 bins a column of numbers, its default. It is installed from its sources."""
    import dpsynth
    from dpsynth import discrete_mechanisms, domain

    domains, unknown = {}, "(missing)"
    for column in facts.columns:
        name = column["name"]
        if column["kind"] == "category":
            values = ([unknown] if column["missing"] else []) + column["values"]
            facts.frame[name] = facts.frame[name].fillna(values[0])
            domains[name] = domain.CategoricalAttribute(values)
        else:
            clip = not column["missing"]
            domains[name] = domain.NumericalAttribute(
                column["low"], column["high"], clip_to_range=clip, interval_handling="sample"
            )
    mechanism = discrete_mechanisms.MSTMechanism()
    synthesizer = dpsynth.TabularSynthesizer(domains=domains, discrete_mechanism=mechanism)
    made = synthesizer.calibrate(epsilon=epsilon, delta=delta)(np.random.default_rng(), facts.frame)
    return made.synthetic_data.replace(unknown, None)


def raw(tool, csv, facts, out, epsilon, delta):
    """Synthetic rows of a raw table as a CSV. What the tool prints is dropped; a mistake is told in a line."""
    import os
    import warnings

    warnings.filterwarnings("ignore")
    told = os.dup(2)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    try:
        table = Facts(csv, facts)
        work = {"dpmm": raw_dpmm, "dpsynth": raw_dpsynth, "smartnoise": raw_smartnoise}[tool]
        table.write(work(table, epsilon, delta), out)
    except BaseException as error:
        reason = (str(error).splitlines() or [""])[0]
        os.write(told, f"{type(error).__name__}: {reason}\n".encode())
        os._exit(1)


def main(words):
    what, rest = words[0], words[1:]
    work = {
        "raw": lambda: raw(*rest[:4], float(rest[4]), float(rest[5])),
        "counting": lambda: counting(int(rest[0]), int(rest[1])),
        "estimation": lambda: estimation(rest[0], float(rest[1])),
        "io": lambda: io(rest[0]),
        "noise": lambda: noise(int(rest[0])),
        "sampling": lambda: sampling(rest[0], int(rest[1])),
    }
    work[what]()


main(sys.argv[1:])
