//! Parameters as typed: every number that was found by trying, and a switch for each part.

use lookalike_schema::Schema;
use serde::{Deserialize, Serialize};

use crate::settings::{Parameter, Rule};

pub(super) const NAME: &str = "auto";

const POSITIVE: Rule = Rule::from_to(1e-6, 1e9);
const SMALL: Rule = Rule::Whole(1, 1000);

/// What `--set` may give.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::new("one-share", "0.05", Rule::SHARE, "the share of the budget for every column alone"),
    Parameter::new("select-share", "0.1", Rule::SHARE, "the share of the budget for choices"),
    Parameter::new("signal-share", "0.005", Rule::SHARE, "the share of the budget for the signal test's distances"),
    Parameter::new("rounds", "2.5", Rule::from_to(0.1, 100.0), "slots of the budget for each column"),
    Parameter::new("pure-rounds", "1", Rule::from_to(0.1, 100.0), "the same with delta = 0"),
    Parameter::new("fewest-rounds", "0.33", POSITIVE, "with fewer rounds for each column than that: columns alone"),
    Parameter::new("column-passes", "true", Rule::Switch, "whether columns are measured again where noise is large"),
    Parameter::new("column-share", "0.3", Rule::SHARE, "the share of the slots that columns may get for that"),
    Parameter::new("column-usefulness", "30", POSITIVE, "the count of a column's value over its noise that is enough"),
    Parameter::new("descent", "true", Rule::Switch, "whether columns of many ordered values are measured slot by slot"),
    Parameter::new("grid", "262144", Rule::Whole(64, 1_000_000), "the most values that such a column is coded by"),
    Parameter::new("descent-values", "12", Rule::Whole(1, 1_000_000), "columns with more ordered values are"),
    Parameter::new("descent-slots", "6", Rule::Whole(2, 64), "the slots of that"),
    Parameter::new("descent-share", "0.2", Rule::SHARE, "the share of the budget for every column alone, then"),
    Parameter::new("descent-select-share", "0.2", Rule::SHARE, "the share of the budget for choices, then"),
    Parameter::new("descent-least-cells", "8", POSITIVE, "the least-cells of tables, then"),
    Parameter::new("descent-tree", "0.25", Rule::SHARE, "the tree-share of the model, then"),
    Parameter::new("descent-noise-share", "0.4", POSITIVE, "the noise-share of fits, then"),
    Parameter::new(
        "run-usefulness",
        "20",
        POSITIVE,
        "the mean count over noise of a table of two such columns as held",
    ),
    Parameter::new("ladder", "true", Rule::Switch, "whether such columns have coarse levels from the start"),
    Parameter::new("common-groups", "5", Rule::Whole(2, 1000), "the level at which a forest compares pairs"),
    Parameter::new("finest-usefulness", "3", POSITIVE, "the mean count over noise of a pair that a forest measures"),
    Parameter::new("copula", "true", Rule::Switch, "whether values inside groups follow the other columns"),
    Parameter::new("merging", "true", Rule::Switch, "whether rare values are put together"),
    Parameter::new("merge-threshold", "1.5", Rule::from_to(0.0, 1000.0), "rare: below this many standard deviations"),
    Parameter::new("forest", "true", Rule::Switch, "whether a forest of pairs comes first where there are many"),
    Parameter::new("forest-pairs", "300", Rule::Whole(1, 1_000_000), "the fewest pairs of columns for that"),
    Parameter::new("forest-patience", "3", SMALL, "pairs in a row that teach nothing and end it"),
    Parameter::new("signal-test", "true", Rule::Switch, "whether distances are asked for before tables"),
    Parameter::new("signal-tables", "3", SMALL, "the tables whose distances are asked for"),
    Parameter::new("signal-worth", "0.8", POSITIVE, "their mean distance over noise that makes tables worth it"),
    Parameter::new("signal-known", "3", POSITIVE, "no test after an answer this many times as far as its noise"),
    Parameter::new(
        "second-choice",
        "true",
        Rule::Switch,
        "whether a choice is followed by one around the chosen table",
    ),
    Parameter::new("shared-draws", "true", Rule::Switch, "whether two tables share a round where only chance is left"),
    Parameter::new(
        "only-chance",
        "1.1",
        POSITIVE,
        "only chance is left: errors below this many times noise and chance",
    ),
    Parameter::new("chance-leads", "2", POSITIVE, "chance over the noise of a draw from which tables share a round"),
    Parameter::new("chance-shows", "2", POSITIVE, "the same that small tables are made for where no answer stood out"),
    Parameter::new("coarse-levels", "true", Rule::Switch, "whether columns get coarse levels on the way"),
    Parameter::new("plain-share", "0.4", Rule::SHARE, "the share of the slots before that"),
    Parameter::new("noise-penalty", "0.5", Rule::from_to(0.0, 10.0), "how much of its noise is taken off a distance"),
    Parameter::new("taught", "1", POSITIVE, "the error over noise from which an answer has taught something"),
    Parameter::new("pair-usefulness", "1", POSITIVE, "the mean count over noise that a table of two columns needs"),
    Parameter::new("triple-usefulness", "3", POSITIVE, "the same of three columns"),
    Parameter::new("usefulness", "9", POSITIVE, "the same of more columns"),
    Parameter::new("least-cells", "48", POSITIVE, "tables of fewer cells are not worth a round"),
    Parameter::new("most-cells", "1500", POSITIVE, "the most cells of a table of three and more columns"),
    Parameter::new("tree-share", "1", Rule::from_to(0.001, 1.0), "the share of the model's largest size that is used"),
    Parameter::new("width", "6", Rule::Whole(2, 64), "the most columns of a table"),
    Parameter::new("candidates", "600", Rule::Whole(1, 100_000), "the most candidates of a round"),
    Parameter::new("fits", "60", Rule::Whole(1, 100_000), "with more rounds, several tables come before the next fit"),
    Parameter::new("shared-fits", "30", Rule::Whole(1, 100_000), "the same where tables share a round"),
    Parameter::new("noise-share", "0.72", POSITIVE, "fits end at this share of the loss that noise would leave"),
];

/// Parameters as typed. What each is for, and what was tried, stands in `docs/research/auto.md`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AutoParams {
    /// The share of the budget for the counts of every column alone.
    pub one_share: f64,
    /// The share of the budget for choices.
    pub select_share: f64,
    /// The share of the budget for the signal test's distances; its choices come out of the
    /// choices' share.
    pub signal_share: f64,
    /// The slots of the budget schedule for each column: the most rounds.
    pub rounds: f64,
    /// The same where epsilons add.
    pub pure_rounds: f64,
    /// With fewer rounds for each column than that, tables are not worth their noise, and columns
    /// get everything.
    pub fewest_rounds: f64,
    /// Whether columns are measured again where the noise of a value is large.
    pub column_passes: bool,
    /// The share of the slots that columns may get beyond their own share.
    pub column_share: f64,
    /// The mean count of a column's value should be this many times the noise of one.
    pub column_usefulness: f64,
    /// Whether columns of many ordered values are measured slot by slot: cells that stand out are
    /// cut for the next slot.
    pub descent: bool,
    /// The most codes of a column of numbers or dates whose bins nobody stated.
    pub grid: u32,
    /// Columns with more ordered values than that are.
    pub descent_values: u32,
    /// The slots, where there is such a column.
    pub descent_slots: u32,
    /// The share of the budget for the counts of every column alone, where there is such a column.
    pub descent_share: f64,
    /// What `select_share` is where there is such a column: tables are coarse and cost little,
    /// and it matters more which they are.
    pub descent_select_share: f64,
    /// What `least_cells` is where there is such a column.
    pub descent_least_cells: f64,
    /// What `tree_share` is where there is such a column: a larger model takes longer and adds
    /// nothing.
    pub descent_tree: f64,
    /// What `noise_share` is where there is such a column: coarse tables have less noise to learn.
    pub descent_noise_share: f64,
    /// Such columns are held as so few groups that the mean count of a table of two of them is
    /// this many times its mean noise.
    pub run_usefulness: f64,
    /// Whether such columns have coarse levels before anything is chosen.
    pub ladder: bool,
    /// A forest compares pairs at the finest levels of at most this many groups.
    pub common_groups: u32,
    /// It measures a chosen pair in so much detail that the mean count is this many times the mean
    /// noise.
    pub finest_usefulness: f64,
    /// Whether values inside groups follow the other columns.
    pub copula: bool,
    /// Whether rare values are put together. Without it only what is too wide for any table is.
    pub merging: bool,
    /// Values with a noisy count below this many standard deviations are rare.
    pub merge_threshold: f64,
    /// Whether a spanning forest of pairs comes first where there are many columns.
    pub forest: bool,
    /// With fewer pairs of columns than that, a round's candidates are likely to have what matters.
    pub forest_pairs: u32,
    /// This many pairs in a row that teach nothing end the forest.
    pub forest_patience: u32,
    /// Whether a signal test stands before tables.
    pub signal_test: bool,
    /// How many tables the signal test asks the distance of.
    pub signal_tables: u32,
    /// Tables are worth measuring when they are this many times as far from the model as their
    /// noise would put them. Giving up where there is something costs more than going on where
    /// there is nothing.
    pub signal_worth: f64,
    /// An answer this many times as far from the model as noise alone would put it has shown that
    /// columns depend on one another. Less than that may be what the columns' own counts had wrong.
    pub signal_known: f64,
    /// Whether a second choice is made, among the sets around the first.
    pub second_choice: bool,
    /// Whether two tables share a round's draws where only chance is left.
    pub shared_draws: bool,
    /// Answers at most this many times as far from the model as noise and chance put them have
    /// nothing else to tell. A little above one: it is the farthest tables that are chosen.
    pub only_chance: f64,
    /// Two tables share a round's draws where chance is this many times the noise of one draw.
    pub chance_leads: f64,
    /// Where no answer has stood out, tables are so small that what rows differ by chance is this
    /// many times the noise.
    pub chance_shows: f64,
    /// Whether columns get coarse levels on the way.
    pub coarse_levels: bool,
    /// The share of the slots that goes to columns as they are, before coarse levels are made.
    pub plain_share: f64,
    /// What a choice takes off a table's distance: this share of the noise that measuring it would
    /// bring.
    pub noise_penalty: f64,
    /// An answer this many times as far from the model as noise alone would put it has taught
    /// something.
    pub taught: f64,
    /// The mean count of a table of two columns must be at least this many times the mean noise:
    /// that bounds its cells.
    pub pair_usefulness: f64,
    /// The same of a table of three columns.
    pub triple_usefulness: f64,
    /// The same of a table of more columns.
    pub usefulness: f64,
    /// Tables of fewer cells are not worth a round: with more noise than that, rounds take more
    /// slots.
    pub least_cells: f64,
    /// The most cells of a table of three and more columns, whatever the budget could carry: a tree
    /// holds few that are larger.
    pub most_cells: f64,
    /// The share of the model's largest size that is used.
    pub tree_share: f64,
    /// The most columns of a table.
    pub width: u32,
    /// The most candidates of a round.
    pub candidates: u32,
    /// With more rounds than that, several tables are chosen before the next fit.
    pub fits: u32,
    /// The same where tables share draws: what they have by chance hangs together less than
    /// relations do.
    pub shared_fits: u32,
    /// Fits end at this share of the loss that noise alone would leave; beyond, they learn the
    /// noise.
    pub noise_share: f64,
}

impl Default for AutoParams {
    fn default() -> Self {
        Self {
            one_share: 0.05,
            select_share: 0.1,
            signal_share: 0.005,
            rounds: 2.5,
            pure_rounds: 1.0,
            fewest_rounds: 0.33,
            column_passes: true,
            column_share: 0.3,
            column_usefulness: 30.0,
            descent: true,
            grid: 262_144,
            descent_values: 12,
            descent_slots: 6,
            descent_share: 0.2,
            descent_select_share: 0.2,
            descent_least_cells: 8.0,
            descent_tree: 0.25,
            descent_noise_share: 0.4,
            run_usefulness: 20.0,
            ladder: true,
            common_groups: 5,
            finest_usefulness: 3.0,
            copula: true,
            merging: true,
            merge_threshold: 1.5,
            forest: true,
            forest_pairs: 300,
            forest_patience: 3,
            signal_test: true,
            signal_tables: 3,
            signal_worth: 0.8,
            signal_known: 3.0,
            second_choice: true,
            shared_draws: true,
            only_chance: 1.1,
            chance_leads: 2.0,
            chance_shows: 2.0,
            coarse_levels: true,
            plain_share: 0.4,
            noise_penalty: 0.5,
            taught: 1.0,
            pair_usefulness: 1.0,
            triple_usefulness: 3.0,
            usefulness: 9.0,
            least_cells: 48.0,
            most_cells: 1500.0,
            tree_share: 1.0,
            width: 6,
            candidates: 600,
            fits: 60,
            shared_fits: 30,
            noise_share: 0.72,
        }
    }
}

impl AutoParams {
    /// The slots in which columns are measured at the start, and the parameters of such a run: more
    /// than one slot where some column goes down from slot to slot. Columns do whose codes are the
    /// schema's own grid, or will be.
    pub(super) fn for_schema(&self, schema: &Schema, is_pure: bool) -> (u32, Self) {
        let codec = |attribute| schema.codec(attribute);
        let mut columns = schema.domain().attributes().map(codec);
        if !self.descent || !columns.any(|codec| codec.has_open_bins() && codec.present() > self.descent_values) {
            return (1, *self);
        }
        // Where epsilons add, the noise of every slot grows with their number.
        let slots = if is_pure { self.descent_slots.div_ceil(2) } else { self.descent_slots };
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
}
