"""Counts of many sets of columns by GROUP BY, a few statements a round.

What is asked for, and in how many statements, follows from the schema's sizes alone. Sets of few cells
are counted by the codes of the schema's own columns, together where one table serves several of them,
and put into groups here; larger ones are grouped where the rows are. Counts are 64-bit integers from
end to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Tables of up to that many cells are counted by the schema's own codes, and one may serve several sets.
SHARED_CELLS = 1 << 16
# A statement has up to that many tables and, unless it has one only, that many cells.
MOST_BRANCHES = 64
MOST_CELLS = 1 << 20


@dataclass(frozen=True)
class DerivedColumn:
    """Groups of the codes of one of the schema's own columns."""

    base: int
    runs: list[tuple[int, int]]
    """Each run's group and how many codes it has."""
    groups: int


@dataclass(frozen=True)
class Wanted:
    """What a round asks for: sets of columns, of which those past the schema's own are derived."""

    cliques: list[list[int]]
    derived: list[DerivedColumn]


class Counter:
    """Counts the rows of a table of codes."""

    def __init__(self, coded: Any, sizes: Sequence[int], run: Any) -> None:
        """`coded` has columns `c0`, `c1` and so on; `run` gives the Arrow table of an expression."""
        self._coded, self._sizes, self._run = coded, list(sizes), run

    def count(self, wanted: Wanted) -> Any:
        """An Arrow table of the occupied cells of every set: `clique`, `cell` and `count`."""
        import pyarrow as pa

        tables = _plan(wanted, self._sizes)
        parts = []
        for batch in _batches(tables):
            found = self._run(self._statement(batch, wanted))
            for place, table in enumerate(batch):
                own = found.filter(pa.compute.equal(found["clique"], place)) if len(batch) > 1 else found
                parts.extend(table.projected(own, wanted, self._sizes))
        return pa.concat_tables(parts).combine_chunks() if parts else _empty()

    def _statement(self, batch: Sequence[_Counted], wanted: Wanted) -> Any:
        import ibis

        branches = [self._branch(at, table, wanted) for at, table in enumerate(batch)]
        return ibis.union(*branches) if len(branches) > 1 else branches[0]

    def _branch(self, place: int, table: _Counted, wanted: Wanted) -> Any:
        """The cells of one table, each with its count."""
        import ibis

        coded, sizes = self._coded, [size_of(column, wanted, self._sizes) for column in table.columns]
        label = ibis.literal(place, "int32").name("clique")
        # The set of no columns has one cell, and none where there are no rows.
        keys = {f"k{at}": self._code(column, wanted) for at, column in enumerate(table.columns)} or {"k0": coded["c0"] * 0}
        found = coded.group_by(**keys).aggregate(count=lambda rows: rows.count().cast("int64"))
        cell = found["k0"].cast("int64")
        for at, size in enumerate(sizes[1:], start=1):
            cell = cell * size + found[f"k{at}"].cast("int64")
        return found.select(label, cell.name("cell"), found["count"])

    def _code(self, column: int, wanted: Wanted) -> Any:
        if column < len(self._sizes):
            return self._coded[f"c{column}"]
        derived = wanted.derived[column - len(self._sizes)]
        return grouped(self._coded[f"c{derived.base}"], derived.runs)


def grouped(code: Any, runs: Sequence[tuple[int, int]]) -> Any:
    """The group of a code as an expression."""
    import ibis

    starts = [0]
    for _, length in runs:
        starts.append(starts[-1] + length)

    def tree(first: int, last: int) -> Any:
        if first == last:
            return ibis.literal(runs[first][0], "int32")
        middle = (first + last + 1) // 2
        return ibis.cases((code < starts[middle], tree(first, middle - 1)), else_=tree(middle, last))

    return tree(0, len(runs) - 1)


def size_of(column: int, wanted: Wanted, sizes: Sequence[int]) -> int:
    """The number of codes of a column, own or derived."""
    return sizes[column] if column < len(sizes) else wanted.derived[column - len(sizes)].groups


@dataclass
class _Counted:
    """A table that is counted where the rows are, and the sets that are made from it here."""

    columns: list[int]
    cells: int
    cliques: list[int]

    def projected(self, found: Any, wanted: Wanted, sizes: Sequence[int]) -> list[Any]:
        """The cells of every set that this table serves."""
        import pyarrow as pa
        import pyarrow.compute as pc

        codes: dict[int, Any] = {}
        rest = found["cell"]
        for column in reversed(self.columns):
            size = size_of(column, wanted, sizes)
            above = pc.divide(rest, size)
            codes[column] = pc.subtract(rest, pc.multiply(above, size))
            rest = above
        parts = []
        for place in self.cliques:
            clique = wanted.cliques[place]
            if clique == self.columns:
                cells, counts = found["cell"], found["count"]
            else:
                cell = pa.chunked_array([pa.nulls(len(found), pa.int64()).fill_null(0)])
                for column in clique:
                    cell = pc.add(pc.multiply(cell, size_of(column, wanted, sizes)), _group(codes, column, wanted, sizes))
                sums = pa.table({"cell": cell, "count": found["count"]}).group_by("cell").aggregate([("count", "sum")])
                cells, counts = sums["cell"], sums["count_sum"]
            label = pa.repeat(pa.scalar(place, pa.int32()), len(cells))
            parts.append(pa.table({"clique": label, "cell": cells.cast(pa.int64()), "count": counts.cast(pa.int64())}))
        return parts


def _group(codes: dict[int, Any], column: int, wanted: Wanted, sizes: Sequence[int]) -> Any:
    import pyarrow as pa

    if column in codes:
        return codes[column]
    derived = wanted.derived[column - len(sizes)]
    groups: list[int] = []
    for group, length in derived.runs:
        groups.extend([group] * length)
    return pa.array(groups, pa.int64()).take(codes[derived.base].combine_chunks())


def _plan(wanted: Wanted, sizes: Sequence[int]) -> list[_Counted]:
    """The tables that are counted. Small sets are put together where a shared table stays small."""
    own = len(sizes)
    alone: list[_Counted] = []
    shared: list[tuple[frozenset[int], int]] = []
    for place, clique in enumerate(wanted.cliques):
        bases = frozenset(column if column < own else wanted.derived[column - own].base for column in clique)
        if _product(sizes[base] for base in bases) <= SHARED_CELLS:
            shared.append((bases, place))
        else:
            alone.append(_Counted(list(clique), _product(size_of(column, wanted, sizes) for column in clique), [place]))
    # Larger sets first, each into the first table that holds it or grows the least by it.
    tables: list[tuple[set[int], list[int]]] = []
    for bases, place in sorted(shared, key=lambda item: (-_product(sizes[base] for base in item[0]), item[1])):
        best = None
        for table in tables:
            cells = _product(sizes[base] for base in table[0] | bases)
            if bases <= table[0]:
                best = table
                break
            if cells <= SHARED_CELLS and best is None:
                best = table
        if best is None:
            tables.append((set(bases), [place]))
        else:
            best[0].update(bases)
            best[1].append(place)
    found = [_Counted(sorted(bases), _product(sizes[base] for base in bases), places) for bases, places in tables]
    return found + alone


def _batches(tables: Sequence[_Counted]) -> list[list[_Counted]]:
    batches: list[list[_Counted]] = []
    cells = 0
    for table in tables:
        if not batches or len(batches[-1]) >= MOST_BRANCHES or cells + table.cells > MOST_CELLS:
            batches.append([])
            cells = 0
        batches[-1].append(table)
        cells += table.cells
    return batches


def _product(sizes: Any) -> int:
    cells = 1
    for size in sizes:
        cells *= size
    return cells


def _empty() -> Any:
    import pyarrow as pa

    return pa.schema([("clique", pa.int32()), ("cell", pa.int64()), ("count", pa.int64())]).empty_table()
