"""What other tools take for the same work, one JSON line each. Needs numpy, pandas and mbi."""

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


def main(words):
    what, rest = words[0], words[1:]
    work = {
        "counting": lambda: counting(int(rest[0]), int(rest[1])),
        "estimation": lambda: estimation(rest[0], float(rest[1])),
        "io": lambda: io(rest[0]),
        "noise": lambda: noise(int(rest[0])),
        "sampling": lambda: sampling(rest[0], int(rest[1])),
    }
    work[what]()


main(sys.argv[1:])
