"""The methods and their settings. Made by ``tools/methods.py`` from the program's own list."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

__all__ = [
    "Aim",
    "Auto",
    "Histogram",
    "Independent",
    "Method",
    "Mst",
    "PbPgm",
    "PrivBayes",
    "PrivBayesNist",
    "PrivMrf",
]


class Method:
    """A method with its settings. What is ``None`` is left to the method."""

    name: ClassVar[str]
    """The method's name."""
    _words: ClassVar[dict[str, str]]

    def settings(self) -> dict[str, str]:
        """The settings that were given, as the command line writes them."""
        given = ((self._words[field.name], getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
        return {word: _text(value) for word, value in given if value is not None}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, kw_only=True)
class Auto(Method):
    """Measures what the model gets most wrong, in as much detail as the budget can carry."""

    name: ClassVar[str] = "auto"
    _words: ClassVar[dict[str, str]] = {
        "one_share": "one-share",
        "select_share": "select-share",
        "signal_share": "signal-share",
        "rounds": "rounds",
        "pure_rounds": "pure-rounds",
        "fewest_rounds": "fewest-rounds",
        "column_passes": "column-passes",
        "column_share": "column-share",
        "column_usefulness": "column-usefulness",
        "descent": "descent",
        "grid": "grid",
        "descent_values": "descent-values",
        "level_values": "level-values",
        "descent_slots": "descent-slots",
        "descent_share": "descent-share",
        "descent_select_share": "descent-select-share",
        "descent_least_cells": "descent-least-cells",
        "descent_tree": "descent-tree",
        "descent_noise_share": "descent-noise-share",
        "row_count": "row-count",
        "row_count_share": "row-count-share",
        "weak_signal": "weak-signal",
        "strong_signal": "strong-signal",
        "weak_rounds": "weak-rounds",
        "weak_share": "weak-share",
        "weak_select_share": "weak-select-share",
        "run_usefulness": "run-usefulness",
        "ladder": "ladder",
        "common_groups": "common-groups",
        "finest_usefulness": "finest-usefulness",
        "copula": "copula",
        "shrinkage": "shrinkage",
        "target_share": "target-share",
        "target_noise": "target-noise",
        "merge_threshold": "merge-threshold",
        "forest": "forest",
        "forest_pairs": "forest-pairs",
        "forest_patience": "forest-patience",
        "signal_test": "signal-test",
        "signal_tables": "signal-tables",
        "signal_worth": "signal-worth",
        "signal_known": "signal-known",
        "second_choice": "second-choice",
        "only_chance": "only-chance",
        "chance_leads": "chance-leads",
        "chance_shows": "chance-shows",
        "coarse_levels": "coarse-levels",
        "plain_share": "plain-share",
        "noise_penalty": "noise-penalty",
        "taught": "taught",
        "pair_usefulness": "pair-usefulness",
        "triple_usefulness": "triple-usefulness",
        "usefulness": "usefulness",
        "least_cells": "least-cells",
        "most_cells": "most-cells",
        "tree_share": "tree-share",
        "width": "width",
        "candidates": "candidates",
        "fits": "fits",
        "shared_fits": "shared-fits",
        "noise_share": "noise-share",
    }
    one_share: float | None = None
    """The share of the budget for every column alone; left out: 0.05."""
    select_share: float | None = None
    """The share of the budget for choices; left out: 0.1."""
    signal_share: float | None = None
    """The share of the budget for the signal test's distances; left out: 0.005."""
    rounds: float | None = None
    """Slots of the budget for each column; left out: 2.5."""
    pure_rounds: float | None = None
    """The same with delta = 0; left out: 1."""
    fewest_rounds: float | None = None
    """With fewer rounds for each column than that, tables are not worth their noise, and columns get everything; left out: 0.33."""
    column_passes: bool | None = None
    """Whether columns are measured again where noise is large; left out: true."""
    column_share: float | None = None
    """The share of the slots that columns may get for that; left out: 0.3."""
    column_usefulness: float | None = None
    """The mean count of a column's value should be this many times the noise of one; left out: 30."""
    descent: bool | None = None
    """Whether columns of many ordered values are measured slot by slot: cells that stand out are cut for the next slot; left out: true."""
    grid: float | None = None
    """The most codes of a column of numbers or dates whose bins nobody stated; left out: 262144."""
    descent_values: float | None = None
    """Columns with more ordered values are; left out: 12."""
    level_values: float | None = None
    """Where a column has more ordered values, and nobody stated its bins, all are measured in slots, and every column of more ordered values has coarse levels; left out: 2."""
    descent_slots: float | None = None
    """The slots, where there is such a column; left out: 6."""
    descent_share: float | None = None
    """The share of the budget for the counts of every column alone, where there is such a column; left out: 0.2."""
    descent_select_share: float | None = None
    """What `select_share` is where there is such a column: tables are coarse and cost little, and it matters more which they are; left out: 0.2."""
    descent_least_cells: float | None = None
    """What `least_cells` is where there is such a column; left out: 8."""
    descent_tree: float | None = None
    """What `tree_share` is where there is such a column: a larger model takes longer and adds nothing; left out: 0.25."""
    descent_noise_share: float | None = None
    """What `noise_share` is where there is such a column: coarse tables have less noise to learn; left out: 0.4."""
    row_count: bool | None = None
    """Whether the number of rows is bought before anything else where there is such a column: with few rows for the noise the budget is dealt out otherwise; left out: true."""
    row_count_share: float | None = None
    """The share of epsilon for that; left out: 0.01."""
    weak_signal: float | None = None
    """The signal is the number of rows over the noise that a column's counts would have if all of the budget went to one marginal of each column. Up to this one rounds and shares are the following ones; left out: 60."""
    strong_signal: float | None = None
    """From this signal on they are the usual ones; in between a mean of both; left out: 120."""
    weak_rounds: float | None = None
    """What `rounds` is then: fewer choices, of which each is surer; left out: 1.4."""
    weak_share: float | None = None
    """What `descent_share` is then; left out: 0.45."""
    weak_select_share: float | None = None
    """What `descent_select_share` is then; left out: 0.33."""
    run_usefulness: float | None = None
    """Such columns are held as so few groups that the mean count of a table of two of them is this many times its mean noise; left out: 20."""
    ladder: bool | None = None
    """Whether such columns have coarse levels from the start; left out: true."""
    common_groups: float | None = None
    """A forest compares pairs at the finest levels of at most this many groups; left out: 5."""
    finest_usefulness: float | None = None
    """It measures a chosen pair in so much detail that the mean count is this many times the mean noise; left out: 3."""
    copula: bool | None = None
    """Whether values inside groups follow the other columns; left out: true."""
    shrinkage: bool | None = None
    """Whether counts of cells that should be nearly empty are drawn towards what is expected of them, where there is such a column; left out: true."""
    target_share: float | None = None
    """Where a class of the target is rare, the share of the slots that goes to the target's own counts in the end; left out: 0.2."""
    target_noise: float | None = None
    """A class is rare when its count is less than this many times the noise; left out: 5."""
    merge_threshold: float | None = None
    """Values with a noisy count below this many standard deviations are rare, and put together. With 0 only what is too wide for any table is; left out: 1.5."""
    forest: bool | None = None
    """Whether a forest of pairs comes first where there are many; left out: true."""
    forest_pairs: float | None = None
    """With fewer pairs of columns than that, a round's candidates are likely to have what matters; left out: 300."""
    forest_patience: float | None = None
    """Pairs in a row that teach nothing and end it; left out: 3."""
    signal_test: bool | None = None
    """Whether distances are asked for before tables; left out: true."""
    signal_tables: float | None = None
    """How many tables the signal test asks the distance of; left out: 3."""
    signal_worth: float | None = None
    """Tables are worth measuring when they are this many times as far from the model as their noise would put them; left out: 0.8."""
    signal_known: float | None = None
    """An answer this many times as far from the model as noise alone would put it has shown that columns depend on one another; left out: 3."""
    second_choice: bool | None = None
    """Whether a choice is followed by a second one: around the chosen table, or, where only chance is left, of another table that shares the round; left out: true."""
    only_chance: float | None = None
    """Answers at most this many times as far from the model as noise and chance put them have nothing else to tell; left out: 1.1."""
    chance_leads: float | None = None
    """Two tables share a round's draws where chance is this many times the noise of one draw; left out: 2."""
    chance_shows: float | None = None
    """Where no answer has stood out, tables are so small that what rows differ by chance is this many times the noise; left out: 2."""
    coarse_levels: bool | None = None
    """Whether columns get coarse levels on the way; left out: true."""
    plain_share: float | None = None
    """The share of the slots that goes to columns as they are, before coarse levels are made; left out: 0.4."""
    noise_penalty: float | None = None
    """What a choice takes off a table's distance: this share of the noise that measuring it would bring; left out: 0.5."""
    taught: float | None = None
    """An answer this many times as far from the model as noise alone would put it has taught something; left out: 1."""
    pair_usefulness: float | None = None
    """The mean count of a table of two columns must be at least this many times the mean noise: that bounds its cells; left out: 1."""
    triple_usefulness: float | None = None
    """The same of three columns; left out: 3."""
    usefulness: float | None = None
    """The same of more columns; left out: 9."""
    least_cells: float | None = None
    """Tables of fewer cells are not worth a round: with more noise than that, rounds take more slots; left out: 48."""
    most_cells: float | None = None
    """The most cells of a table of three and more columns, whatever the budget could carry: a tree holds few that are larger; left out: 1500."""
    tree_share: float | None = None
    """The share of the model's largest size that is used; left out: 1."""
    width: float | None = None
    """The most columns of a table; left out: 6."""
    candidates: float | None = None
    """The most candidates of a round; left out: 600."""
    fits: float | None = None
    """With more rounds, several tables come before the next fit; left out: 60."""
    shared_fits: float | None = None
    """The same where tables share draws: what they have by chance hangs together less than relations do; left out: 30."""
    noise_share: float | None = None
    """Fits end at this share of the loss that noise would leave; left out: 0.72."""


@dataclass(frozen=True, kw_only=True)
class Independent(Method):
    """Every column by itself: exact shapes of single columns, no relation between columns."""

    name: ClassVar[str] = "independent"
    _words: ClassVar[dict[str, str]] = {
        "count_share": "count-share",
    }
    count_share: float | None = None
    """The share of the budget that buys the number of rows (0 to below 1; not used when the number is public); left out: 0.01."""


@dataclass(frozen=True, kw_only=True)
class PrivBayes(Method):
    """A Bayesian network: each column given a few others, chosen by private selections; pure epsilon by default."""

    name: ClassVar[str] = "privbayes"
    _words: ClassVar[dict[str, str]] = {
        "score": "score",
        "encoding": "encoding",
        "bins": "bins",
        "beta": "beta",
        "theta": "theta",
        "order": "order",
        "degree": "degree",
        "negatives": "negatives",
        "candidates": "candidates",
        "count_share": "count-share",
        "shuffle": "shuffle",
    }
    score: str | float | None = None
    """What parents are chosen by: r, f (columns of two values), i (replace-one only), or auto: f where it can be; left out: auto."""
    encoding: str | float | None = None
    """The network's attributes: vanilla (columns) or binary (their bits); left out: vanilla."""
    bins: float | None = None
    """With bits: a column with an order and more values than this is first cut into this number of equal bins; left out: 16."""
    beta: float | None = None
    """The share of the budget for choosing the network (between 0 and 1); left out: 0.5."""
    theta: float | None = None
    """A table is used while its average cell holds this many times the expected noise; left out: 4."""
    order: str | float | None = None
    """The attributes' order: private (chosen with the parents) or given (the schema's); left out: private."""
    degree: str | float | None = None
    """The most parents of an attribute; auto: as many as theta allows; left out: auto."""
    negatives: str | float | None = None
    """Negative noisy counts: l2 (nearest possible table) or clamp (cut to 0); left out: l2."""
    candidates: float | None = None
    """The most candidates of one selection; left out: 10000."""
    count_share: float | None = None
    """The share of epsilon that buys the number of rows (not used when the number is public); left out: 0.01."""
    shuffle: float | None = None
    """Another number picks another first attribute and other candidates where there are too many; left out: 0."""


@dataclass(frozen=True, kw_only=True)
class PrivBayesNist(Method):
    """A network from noisy scores of all pairs, its tables made consistent; quick, for many rows and columns."""

    name: ClassVar[str] = "privbayes-nist"
    _words: ClassVar[dict[str, str]] = {
        "score_share": "score-share",
        "cell_factor": "cell-factor",
        "least_score": "least-score",
        "group_width": "group-width",
        "negatives": "negatives",
        "variances": "variances",
        "sampling": "sampling",
    }
    score_share: float | None = None
    """The share of the budget for the scores of pairs and the number of rows (above 0, below 1); left out: 0.2."""
    cell_factor: float | None = None
    """A table has at most n / (cell-factor x its noise) cells: larger means smaller tables; left out: 4."""
    least_score: float | None = None
    """A score counts when it is above this many standard deviations of its noise (0 or more); left out: 0."""
    group_width: float | None = None
    """Columns with more values than its square get levels that put this many neighbours together (2 or more); left out: 16."""
    negatives: str | float | None = None
    """What becomes of negative cells: clip (set to 0 and rescale) or project (the nearest table without any); left out: project."""
    variances: str | float | None = None
    """What tables are weighed by when they are averaged: measured (the noise as it was drawn) or updated (equation 3.3, after every set of columns); left out: measured."""
    sampling: str | float | None = None
    """Without-replacement, with-replacement, or inconsistent (no consistency step; rows by steps back); left out: without-replacement."""


@dataclass(frozen=True, kw_only=True)
class PbPgm(Method):
    """A graphical model fitted to the marginals that PrivBayes chooses; pure epsilon by default."""

    name: ClassVar[str] = "pb-pgm"
    _words: ClassVar[dict[str, str]] = {
        "marginals": "marginals",
        "beta": "beta",
        "theta": "theta",
        "score_share": "score-share",
        "cell_factor": "cell-factor",
        "shuffle": "shuffle",
    }
    marginals: str | float | None = None
    """Whose marginals: privbayes (parents by private selections) or privbayes-nist (from noisy scores); left out: privbayes."""
    beta: float | None = None
    """With privbayes: the share of the budget for choosing the network (between 0 and 1); left out: 0.3."""
    theta: float | None = None
    """With privbayes: a table is used while its average cell holds this many times the expected noise; left out: 4."""
    score_share: float | None = None
    """With privbayes-nist: the share of the budget for the scores of pairs and the number of rows; left out: 0.2."""
    cell_factor: float | None = None
    """With privbayes-nist: a table has at most n / (cell-factor x its noise) cells; left out: 4."""
    shuffle: float | None = None
    """With privbayes: another number picks another first attribute and other candidates; left out: 0."""


@dataclass(frozen=True, kw_only=True)
class Mst(Method):
    """A tree of the strongest pairs of columns; quick and robust, for small budgets."""

    name: ClassVar[str] = "mst"
    _words: ClassVar[dict[str, str]] = {
        "one_share": "one-share",
        "select_share": "select-share",
        "spread_power": "spread-power",
        "merge_threshold": "merge-threshold",
        "levels": "levels",
    }
    one_share: float | None = None
    """The share of the budget that buys the counts of every column alone (above 0 to below 1); left out: 0.3333333333333333."""
    select_share: float | None = None
    """The share of the budget that chooses the pairs (above 0; the pairs' counts get what is left); left out: 0.3333333333333333."""
    spread_power: float | None = None
    """Pairs are weighed by the inverse of their columns' spreads to this power; 0: as published; left out: 0.25."""
    merge_threshold: float | None = None
    """Values with a noisy count below this many standard deviations are put together; 0: none; left out: 3."""
    levels: bool | None = None
    """Whether numbers and dates without bins are measured on the schema's own grid and held as few groups, as in auto; left out: false."""


@dataclass(frozen=True, kw_only=True)
class PrivMrf(Method):
    """A Markov random field over marginals chosen round by round: those that the model so far gets most wrong."""

    name: ClassVar[str] = "privmrf"
    _words: ClassVar[dict[str, str]] = {
        "ones_share": "ones-share",
        "merge": "merge",
        "score_share": "score-share",
        "count_share": "count-share",
        "select_share": "select-share",
        "rounds": "rounds",
        "candidates": "candidates",
        "theta": "theta",
        "round_theta": "round-theta",
        "clique_cells": "clique-cells",
        "total_cells": "total-cells",
        "width": "width",
        "first": "first",
        "choice": "choice",
        "penalty": "penalty",
        "shuffle": "shuffle",
        "levels": "levels",
    }
    ones_share: float | None = None
    """The share of the budget for every column alone, so that rare values can be put together (0: as published); left out: 0.1."""
    merge: float | None = None
    """Values with a noisy count below this many standard deviations of the noise are put together; left out: 3."""
    score_share: float | None = None
    """The share of the budget for the scores of all pairs; left out: 0.02."""
    count_share: float | None = None
    """The share of the budget for the number of rows (used when ones-share is 0 and the number is not public); left out: 0.01."""
    select_share: float | None = None
    """The share of the budget for choosing marginals; the marginals themselves get the rest; left out: 0.05."""
    rounds: float | None = None
    """Rounds for each column, rounded down; left out: 2."""
    candidates: float | None = None
    """Candidates of a round, drawn at random; left out: 400."""
    theta: float | None = None
    """A first marginal may be as large as leaves this many times the expected noise in its average cell; left out: 4."""
    round_theta: float | None = None
    """The same for the marginals of the rounds (the paper has one theta for both); left out: 2."""
    clique_cells: float | None = None
    """The most cells of a clique of the graph; left out: 10000000."""
    total_cells: float | None = None
    """The most cells of all cliques together; left out: 50000000."""
    width: float | None = None
    """The most columns of a marginal; left out: 64."""
    first: str | float | None = None
    """What the first marginals are chosen by: rho (equation 8), rho-printed (the same with each pair of other columns counted twice) or sum (of the column's scores); left out: rho."""
    choice: str | float | None = None
    """How a round chooses: exponential (one draw) or gaussian (as published: noise on every candidate); left out: exponential."""
    penalty: float | None = None
    """How much of the expected noise is taken off a candidate's distance (with choice exponential); left out: 1."""
    shuffle: float | None = None
    """Another number draws other candidates; left out: 0."""
    levels: bool | None = None
    """Whether numbers and dates without bins are measured on the schema's own grid and held as few groups, as in auto; left out: false."""


@dataclass(frozen=True, kw_only=True)
class Aim(Method):
    """Round by round, the table that the model gets most wrong for the workload; accurate, slower."""

    name: ClassVar[str] = "aim"
    _words: ClassVar[dict[str, str]] = {
        "one_share": "one-share",
        "select_share": "select-share",
        "rounds": "rounds",
        "candidates": "candidates",
        "merge_threshold": "merge-threshold",
        "levels": "levels",
    }
    one_share: float | None = None
    """The share of the budget that buys the counts of every column alone (above 0 to below 1); left out: 0.1."""
    select_share: float | None = None
    """The share of each round that chooses what to measure (above 0 to below 1); left out: 0.1."""
    rounds: str | float | None = None
    """The budget of the first round is this part of what the rounds have; auto: 16 a column, 2 with delta = 0; left out: auto."""
    candidates: float | None = None
    """The most tables a round chooses from; more are cut at random (1 or more); left out: 2000."""
    merge_threshold: float | None = None
    """Values with a noisy count below this many standard deviations are put together; 0: none; left out: 3."""
    levels: bool | None = None
    """Whether numbers and dates without bins are measured on the schema's own grid and held as few groups, as in auto; left out: false."""


@dataclass(frozen=True, kw_only=True)
class Histogram(Method):
    """Rows of the whole joint table, mixed with uniform ones: few columns, few rows, every row is paid for, no model."""

    name: ClassVar[str] = "histogram"
    _words: ClassVar[dict[str, str]] = {
        "smoothing": "smoothing",
    }
    smoothing: str | float | None = None
    """The largest share of uniform rows to accept (above 0, at most 1; auto: what rows and epsilon leave, 0.5 without a number of rows); left out: auto."""
