//! Parameters as typed: every number that was found by trying, and a switch for each part.

use lookalike_privacy::Budget;
use lookalike_schema::Schema;

use crate::graphical::Detail;
use crate::graphical::detail::GRID;
use crate::parameters;
use crate::settings::Rule;

pub(super) const NAME: &str = "auto";

const POSITIVE: Rule = Rule::from_to(1e-6, 1e9);
const SMALL: Rule = Rule::Whole(1, 1000);

parameters! {
    /// Parameters as typed. What each is for, and what was tried, stands in
    /// `docs/research/auto.md`.
    pub struct AutoParams {
        /// The share of the budget for every column alone.
        one_share: f64 = 0.05, Rule::SHARE;
        /// The share of the budget for choices.
        select_share: f64 = 0.1, Rule::SHARE;
        /// The share of the budget for the signal test's distances.
        signal_share: f64 = 0.005, Rule::SHARE;
        /// Slots of the budget for each column.
        rounds: f64 = 2.5, Rule::from_to(0.1, 100.0);
        /// The same with delta = 0.
        pure_rounds: f64 = 1.0, Rule::from_to(0.1, 100.0);
        /// With fewer rounds for each column than that, tables are not worth their noise, and
        /// columns get everything.
        fewest_rounds: f64 = 0.33, POSITIVE;
        /// Whether columns are measured again where noise is large.
        column_passes: bool = true, Rule::Switch;
        /// The share of the slots that columns may get for that.
        column_share: f64 = 0.3, Rule::SHARE;
        /// The mean count of a column's value should be this many times the noise of one.
        column_usefulness: f64 = 30.0, POSITIVE;
        /// Whether columns of many ordered values are measured slot by slot: cells that stand out
        /// are cut for the next slot.
        descent: bool = true, Rule::Switch;
        /// The most codes of a column of numbers or dates whose bins nobody stated.
        grid: u32 = GRID, Rule::Whole(64, 1_000_000);
        /// Columns with more ordered values are.
        descent_values: u32 = Detail::ON.values, Rule::Whole(1, 1_000_000);
        /// Where a column has more ordered values, and nobody stated its bins, all are measured in
        /// slots, and every column of more ordered values has coarse levels.
        level_values: u32 = Detail::ON.level_values, Rule::Whole(2, 1_000_000);
        /// The slots, where there is such a column.
        descent_slots: u32 = Detail::ON.slots, Rule::Whole(2, 64);
        /// The share of the budget for the counts of every column alone, where there is such a
        /// column.
        descent_share: f64 = 0.2, Rule::SHARE;
        /// What `select_share` is where there is such a column: tables are coarse and cost little,
        /// and it matters more which they are.
        descent_select_share: f64 = 0.2, Rule::SHARE;
        /// What `least_cells` is where there is such a column.
        descent_least_cells: f64 = 8.0, POSITIVE;
        /// What `tree_share` is where there is such a column: a larger model takes longer and adds
        /// nothing.
        descent_tree: f64 = 0.25, Rule::SHARE;
        /// What `noise_share` is where there is such a column: coarse tables have less noise to
        /// learn.
        descent_noise_share: f64 = 0.4, POSITIVE;
        /// Whether the number of rows is bought before anything else where there is such a column:
        /// with few rows for the noise the budget is dealt out otherwise.
        row_count: bool = true, Rule::Switch;
        /// The share of epsilon for that.
        row_count_share: f64 = 0.01, Rule::SHARE;
        /// The signal is the number of rows over the noise that a column's counts would have if all
        /// of the budget went to one marginal of each column. Up to this one rounds and shares are
        /// the following ones.
        weak_signal: f64 = 60.0, POSITIVE;
        /// From this signal on they are the usual ones; in between a mean of both.
        strong_signal: f64 = 120.0, POSITIVE;
        /// What `rounds` is then: fewer choices, of which each is surer.
        weak_rounds: f64 = 1.4, Rule::from_to(0.1, 100.0);
        /// What `descent_share` is then.
        weak_share: f64 = 0.45, Rule::SHARE;
        /// What `descent_select_share` is then.
        weak_select_share: f64 = 0.33, Rule::SHARE;
        /// Such columns are held as so few groups that the mean count of a table of two of them is
        /// this many times its mean noise.
        run_usefulness: f64 = Detail::ON.usefulness, POSITIVE;
        /// Whether such columns have coarse levels from the start.
        ladder: bool = true, Rule::Switch;
        /// A forest compares pairs at the finest levels of at most this many groups.
        common_groups: u32 = 5, Rule::Whole(2, 1000);
        /// It measures a chosen pair in so much detail that the mean count is this many times the
        /// mean noise.
        finest_usefulness: f64 = 3.0, POSITIVE;
        /// Whether values inside groups follow the other columns.
        copula: bool = true, Rule::Switch;
        /// Whether counts of cells that should be nearly empty are drawn towards what is expected
        /// of them, where there is such a column.
        shrinkage: bool = true, Rule::Switch;
        /// Where a class of the target is rare, the share of the slots that goes to the target's
        /// own counts in the end.
        target_share: f64 = 0.2, Rule::SHARE;
        /// A class is rare when its count is less than this many times the noise.
        target_noise: f64 = 5.0, POSITIVE;
        /// Values with a noisy count below this many standard deviations are rare, and put
        /// together. With 0 only what is too wide for any table is.
        merge_threshold: f64 = 1.5, Rule::from_to(0.0, 1000.0);
        /// Whether a forest of pairs comes first where there are many.
        forest: bool = true, Rule::Switch;
        /// With fewer pairs of columns than that, a round's candidates are likely to have what
        /// matters.
        forest_pairs: u32 = 300, Rule::Whole(1, 1_000_000);
        /// Pairs in a row that teach nothing and end it.
        forest_patience: u32 = 3, SMALL;
        /// Whether distances are asked for before tables.
        signal_test: bool = true, Rule::Switch;
        /// How many tables the signal test asks the distance of.
        signal_tables: u32 = 3, SMALL;
        /// Tables are worth measuring when they are this many times as far from the model as their
        /// noise would put them.
        // Giving up where there is something costs more than going on where there is nothing.
        signal_worth: f64 = 0.8, POSITIVE;
        /// An answer this many times as far from the model as noise alone would put it has shown
        /// that columns depend on one another.
        // Less than that may be what the columns' own counts had wrong.
        signal_known: f64 = 3.0, POSITIVE;
        /// Whether a choice is followed by a second one: around the chosen table, or, where only
        /// chance is left, of another table that shares the round.
        second_choice: bool = true, Rule::Switch;
        /// Answers at most this many times as far from the model as noise and chance put them have
        /// nothing else to tell.
        // A little above one: it is the farthest tables that are chosen.
        only_chance: f64 = 1.1, POSITIVE;
        /// Two tables share a round's draws where chance is this many times the noise of one draw.
        chance_leads: f64 = 2.0, POSITIVE;
        /// Where no answer has stood out, tables are so small that what rows differ by chance is
        /// this many times the noise.
        chance_shows: f64 = 2.0, POSITIVE;
        /// Whether columns get coarse levels on the way.
        coarse_levels: bool = true, Rule::Switch;
        /// The share of the slots that goes to columns as they are, before coarse levels are made.
        plain_share: f64 = 0.4, Rule::SHARE;
        /// What a choice takes off a table's distance: this share of the noise that measuring it
        /// would bring.
        noise_penalty: f64 = 0.5, Rule::from_to(0.0, 10.0);
        /// An answer this many times as far from the model as noise alone would put it has taught
        /// something.
        taught: f64 = 1.0, POSITIVE;
        /// The mean count of a table of two columns must be at least this many times the mean
        /// noise: that bounds its cells.
        pair_usefulness: f64 = 1.0, POSITIVE;
        /// The same of three columns.
        triple_usefulness: f64 = 3.0, POSITIVE;
        /// The same of more columns.
        usefulness: f64 = 9.0, POSITIVE;
        /// Tables of fewer cells are not worth a round: with more noise than that, rounds take more
        /// slots.
        least_cells: f64 = 48.0, POSITIVE;
        /// The most cells of a table of three and more columns, whatever the budget could carry: a
        /// tree holds few that are larger.
        most_cells: f64 = 1500.0, POSITIVE;
        /// The share of the model's largest size that is used.
        tree_share: f64 = 1.0, Rule::from_to(0.001, 1.0);
        /// The most columns of a table.
        width: u32 = 6, Rule::Whole(2, 64);
        /// The most candidates of a round.
        candidates: u32 = 600, Rule::Whole(1, 100_000);
        /// With more rounds, several tables come before the next fit.
        fits: u32 = 60, Rule::Whole(1, 100_000);
        /// The same where tables share draws: what they have by chance hangs together less than
        /// relations do.
        shared_fits: u32 = 30, Rule::Whole(1, 100_000);
        /// Fits end at this share of the loss that noise would leave.
        noise_share: f64 = 0.72, POSITIVE;
    }
}

impl AutoParams {
    /// How columns of many ordered values are measured and held.
    pub(super) fn detail(&self) -> Detail {
        if !self.descent {
            return Detail::OFF;
        }
        Detail {
            values: self.descent_values,
            level_values: self.level_values,
            slots: self.descent_slots,
            usefulness: self.run_usefulness,
        }
    }

    /// The slots in which columns are measured at the start, and the parameters of such a run: more
    /// than one slot where some column goes down from slot to slot. Columns do whose codes are the
    /// schema's own grid, or will be.
    pub(super) fn for_schema(&self, schema: &Schema, is_pure: bool) -> (u32, Self) {
        let slots = self.detail().slots(schema, is_pure);
        if slots < 2 {
            return (1, *self);
        }
        let params = Self {
            one_share: self.descent_share,
            select_share: self.descent_select_share,
            least_cells: self.descent_least_cells,
            tree_share: self.descent_tree,
            noise_share: self.descent_noise_share,
            second_choice: false,
            column_passes: false,
            ..*self
        };
        (slots, params)
    }

    /// Whether the number of rows is bought first. Where epsilons add, rounds pay as they come.
    pub(super) fn buys_row_count(&self, slots: u32, budget: Budget) -> bool {
        self.row_count && slots > 1 && !budget.is_pure()
    }

    /// The parameters of a run with this signal.
    pub(super) fn for_signal(&self, signal: f64) -> Self {
        let span = (self.strong_signal / self.weak_signal).ln().max(1e-9);
        let strong = (signal.max(1.0) / self.weak_signal).ln() / span;
        let between = |weak: f64, usual: f64| weak + strong.clamp(0.0, 1.0) * (usual - weak);
        Self {
            rounds: between(self.weak_rounds, self.rounds),
            one_share: between(self.weak_share, self.one_share),
            select_share: between(self.weak_select_share, self.select_share),
            ..*self
        }
    }
}
