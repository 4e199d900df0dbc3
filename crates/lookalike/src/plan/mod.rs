//! What a budget buys, before anything is spent: no table is read, no rows are looked at.
//!
//! One-way errors follow from the noise that a method's own plan would have. Errors of larger
//! tables depend on how the columns depend on each other, which nobody may know before paying; they
//! come from [formulas](formula) in public facts, with ranges.

mod discovery;
mod engine;
mod formula;
mod json;
mod persons;
mod relations;
mod speed;
mod tables;
#[cfg(test)]
mod tests;
mod worst;

use lookalike_methods::{Forecast, Method, MethodInfo, PublicFacts, Request, methods};
use lookalike_privacy::{Budget, Delta, Epsilon, Neighbours, Relation};
use lookalike_schema::{OpenSchema, Schema, Wish};

pub use discovery::DiscoveryProspect;
pub use engine::PlannedEngine;
pub use formula::ExpectedDistance;
pub use persons::KeptRows;
use persons::StatedSize;
pub use relations::{ExpectedRelations, STRENGTHS};
pub use speed::{REFERENCE_SECONDS, calibration_work};
pub use tables::TableProspect;
pub use worst::WorstCase;

use crate::error::{Error, SettingError};
use crate::protect::{neighbours, relation};
use crate::synthesizer::DISCOVER_SHARE;
use crate::synthesizer::check::{check_share, check_unit, no_such_noise, refuse_learning};
use crate::synthesizer::method::method_info;

/// All methods, in the place of a name.
const ALL: &str = "all";
/// The budgets among which one is looked for.
const EPSILONS: (f64, f64) = (0.001, 100.0);
/// A group stands out when its count is this many standard deviations of the noise: one chance in
/// forty by noise alone.
const STANDS_OUT: f64 = 2.0;

/// A plan as typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanSpec {
    /// About how many rows the table has. It need not be exact.
    pub rows: Option<u64>,
    /// How many columns the table has, where those that the schema does not list are discovered.
    pub columns: Option<u64>,
    /// The share of the budget that facts take which are bought first; left out: 0.1.
    pub discover_share: Option<f64>,
    /// The column that tells whose row it is, where persons are protected.
    pub unit: Option<String>,
    /// The most rows of a person that are read; several are compared.
    pub contribution: Vec<u32>,
    /// About how many persons the table has, as everybody may know.
    pub persons: Option<u64>,
    /// About how many rows a person has on average, in the place of rows or persons.
    pub rows_per_person: Option<f64>,
    /// The epsilons to show.
    pub epsilon: Vec<f64>,
    /// The delta; left out: each method's own.
    pub delta: Option<f64>,
    /// The methods' names, or `all`; left out: the first of the list.
    pub methods: Vec<String>,
    /// `add-remove` (the default) or `replace-one`.
    pub relation: Option<String>,
    /// The expected distance for which an epsilon is looked for.
    pub error: Option<f64>,
    /// The number of columns of the tables whose error is meant, 1 to 3; left out: 2.
    pub way: Option<u32>,
    /// Where the rows stay: `sql` or `spark`; left out: they are read here.
    pub engine: Option<String>,
    /// Seconds that [`calibration_work`] takes here; left out: as on the machine that the formulas
    /// come from.
    pub work_seconds: Option<f64>,
}

/// What a budget buys.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetPlan {
    /// The columns of the schema that rows will have.
    pub columns: usize,
    /// The rows that were named.
    pub rows: u64,
    /// Which tables are neighbours.
    pub relation: Relation,
    /// The column that tells whose row it is, where persons are protected.
    pub unit: Option<String>,
    /// The persons that were named.
    pub persons: Option<u64>,
    /// Where the rows stay; `None`: they are read here.
    pub engine: Option<PlannedEngine>,
    /// Where facts are to be discovered: what would be found, for each budget and contribution.
    /// What is expected of the release is then about columns of up to sixteen values, as many as
    /// would be found.
    pub discovery: Vec<DiscoveryProspect>,
    /// What would be found of columns that depend on others, for each budget and contribution.
    pub tables: Vec<TableProspect>,
    /// A line for each method, epsilon and contribution.
    pub prospects: Vec<Prospect>,
    /// Where an error was asked for: the epsilon that each method needs.
    pub needed: Vec<Needed>,
    /// Methods that refuse this schema or budget, and why.
    pub refused: Vec<(&'static str, String)>,
}

/// What one budget buys with one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    /// The method.
    pub method: &'static str,
    /// The total epsilon.
    pub epsilon: f64,
    /// The total delta.
    pub delta: f64,
    /// The most rows of a person; 1 where a record is protected.
    pub contribution: u32,
    /// The rows that are read of persons; `None` where no persons were stated, and all rows count.
    pub kept: Option<KeptRows>,
    /// The expected mean total variation distance of tables of one, two and three columns; `None`
    /// where the schema has fewer columns, or no formula is known for the method.
    pub distances: [Option<ExpectedDistance>; 3],
    /// The standard deviation of the noise on a value's count, in rows.
    pub column_noise: f64,
    /// The same on a cell of a table of two columns.
    pub pair_noise: f64,
    /// The smallest group, in a table of two columns, that can be told from noise.
    pub smallest_group: f64,
    /// What is kept of relations between two columns, for a method that chooses its tables.
    pub relations: Option<ExpectedRelations>,
    /// The size of the model file.
    pub model_bytes: u64,
    /// Seconds from the file to the closed release; `None` where no formula is known.
    pub seconds: Option<f64>,
    /// The most memory that this takes.
    pub memory_bytes: Option<u64>,
    /// The most passes over the rows, about.
    pub passes: Option<u64>,
    /// What the passes read from the disk: 0 while the coded rows fit into memory, and all of them
    /// in every pass where they stay elsewhere.
    pub read_bytes: Option<u64>,
    /// What can happen on the worst of all tables.
    pub worst_case: WorstCase,
}

/// The epsilon that an expected error needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Needed {
    /// The method.
    pub method: &'static str,
    /// The most rows of a person; 1 where a record is protected.
    pub contribution: u32,
    /// The error asked for.
    pub error: f64,
    /// The number of columns of the tables whose error is meant.
    pub way: u32,
    /// The least epsilon whose expected error is not above it; `None` when even the largest one
    /// tried is not enough.
    pub epsilon: Option<f64>,
    /// The expected error there, or at the largest epsilon tried.
    pub expected: f64,
}

impl PlanSpec {
    /// Works everything out for tables with these columns. Spends nothing and reads no rows.
    ///
    /// # Errors
    /// A mistake in the settings, in one line.
    pub fn plan(self, schema: &Schema) -> Result<BudgetPlan, Error> {
        if self.columns.is_some() || (self.discover_share.is_some() && !schema.learns()) {
            return Err(SettingError::NothingToDiscover.into());
        }
        self.plan_with(schema, None)
    }

    /// The same for tables of which some facts are to be discovered.
    ///
    /// # Errors
    /// As for [`plan`](Self::plan), and without a number of columns where the schema does not list
    /// them all.
    pub fn plan_open(self, open: &OpenSchema) -> Result<BudgetPlan, Error> {
        if !open.is_open() {
            return self.plan(&open.closed()?);
        }
        let open = self.unit.as_ref().map_or_else(|| open.clone(), |unit| open.clone().leaving_out(unit));
        let share = self.discover_share.unwrap_or(DISCOVER_SHARE);
        check_share(share)?;
        open.stand_in()?.as_ref().map_or(Ok(()), refuse_learning)?;
        let (wishes, schema) = discovery::assumed(&open, self.columns, discovery::ASSUMED_VALUES)?;
        let values = self.values_found(&wishes, &schema, share)?;
        let (_, schema) = discovery::assumed(&open, self.columns, values)?;
        self.plan_with(&schema, Some((&wishes, share)))
    }

    /// How many values of a column would be found at the largest budget that is asked for.
    fn values_found(&self, wishes: &[Wish], schema: &Schema, share: f64) -> Result<usize, Error> {
        let Some(epsilon) = self.epsilon.iter().copied().reduce(f64::max) else {
            return Ok(discovery::ASSUMED_VALUES);
        };
        let size = StatedSize::new(self.rows, self.persons, self.rows_per_person)?;
        let mut most = 1;
        for neighbours in self.neighbours(relation(self.relation.as_deref())?, schema)? {
            for info in self.chosen()?.0 {
                let delta = Delta::new(self.delta.unwrap_or(info.default_delta))?;
                let budget = Budget { epsilon: Epsilon::new(epsilon)?, delta };
                let found = DiscoveryProspect::new(wishes, budget, neighbours, share, size.rows)?;
                most = most.max(discovery::values_found(found.threshold, size.rows));
            }
        }
        Ok(most)
    }

    fn plan_with(self, schema: &Schema, discovers: Option<(&[Wish], f64)>) -> Result<BudgetPlan, Error> {
        let size = StatedSize::new(self.rows, self.persons, self.rows_per_person)?;
        let (error, way) = self.check_error()?;
        if self.epsilon.is_empty() && error.is_none() {
            return Err(SettingError::NothingToPlan.into());
        }
        let relation = relation(self.relation.as_deref())?;
        let all_neighbours = self.neighbours(relation, schema)?;
        if size.persons.is_none() && all_neighbours.len() > 1 {
            return Err(SettingError::NoPersons.into());
        }
        // What is bought first leaves the rest to the method.
        let share = match discovers {
            Some((_, share)) => Some(share),
            None => schema.learns().then(|| self.discover_share.unwrap_or(DISCOVER_SHARE)),
        };
        share.map_or(Ok(()), check_share)?;
        let speed = speed::factor(self.work_seconds);
        let engine = PlannedEngine::parse(self.engine.as_deref())?;
        let (infos, is_all) = self.chosen()?;
        let epsilons: Vec<Epsilon> =
            self.epsilon.iter().map(|&epsilon| Epsilon::new(epsilon)).collect::<Result<_, _>>()?;
        let deltas: Vec<Delta> =
            infos.iter().map(|info| Delta::new(self.delta.unwrap_or(info.default_delta))).collect::<Result<_, _>>()?;
        let mut plan = BudgetPlan {
            columns: schema.domain().len(),
            rows: size.rows,
            relation,
            unit: self.unit,
            persons: size.persons,
            engine,
            discovery: Vec::new(),
            tables: Vec::new(),
            prospects: Vec::new(),
            needed: Vec::new(),
            refused: Vec::new(),
        };
        for (info, delta) in infos.into_iter().zip(deltas) {
            for (&epsilon, &neighbours) in
                epsilons.iter().flat_map(|epsilon| all_neighbours.iter().map(move |n| (epsilon, n)))
            {
                let Some(share) = share else { break };
                let budget = Budget { epsilon, delta };
                let tables = TableProspect::all(schema, budget, neighbours, share)?;
                plan.tables.extend(tables.into_iter().filter(|table| !plan.tables.contains(table)).collect::<Vec<_>>());
                let Some((wishes, share)) = discovers else { continue };
                let found = DiscoveryProspect::new(wishes, budget, neighbours, share, size.rows)?;
                if !plan.discovery.contains(&found) {
                    plan.discovery.push(found);
                }
            }
            let looks = all_neighbours.iter().map(|&neighbours| {
                let kept = size.kept(neighbours.contribution()).filter(|_| plan.unit.is_some());
                let rows = kept.map_or(size.rows, |kept| kept.rows);
                Ok(Look {
                    info,
                    method: (info.build)(&[])?,
                    schema,
                    rows,
                    kept,
                    neighbours,
                    delta,
                    speed,
                    share,
                    engine,
                })
            });
            let looks = looks.collect::<Result<Vec<_>, Error>>()?;
            match all(&looks, &epsilons, error.map(|error| (error, way))) {
                Ok((prospects, needed)) => {
                    plan.prospects.extend(prospects);
                    plan.needed.extend(needed);
                }
                // One of many that cannot do it is no reason to say nothing of the others.
                Err(error) if is_all => plan.refused.push((info.name, error.to_string())),
                Err(error) => return Err(error),
            }
        }
        Ok(plan)
    }

    /// Whom to protect: one way for each contribution.
    fn neighbours(&self, relation: Relation, schema: &Schema) -> Result<Vec<Neighbours>, Error> {
        let unit = self.unit.as_deref();
        if unit.is_none() && (self.persons.is_some() || self.rows_per_person.is_some()) {
            let (what, help) = ("no column was named that tells whose row it is", "name the unit's column");
            return Err(SettingError::Persons { what: what.into(), help }.into());
        }
        unit.map_or(Ok(()), |unit| check_unit(schema, unit))?;
        let mut contributions: Vec<Option<u32>> = self.contribution.iter().copied().map(Some).collect();
        contributions.sort_unstable();
        contributions.dedup();
        if contributions.is_empty() {
            contributions.push(None);
        }
        contributions.into_iter().map(|contribution| neighbours(relation, unit, contribution)).collect()
    }

    fn check_error(&self) -> Result<(Option<f64>, u32), Error> {
        if let Some(error) = self.error
            && !(error > 0.0 && error < 1.0)
        {
            return Err(SettingError::NotADistance { error }.into());
        }
        match self.way.unwrap_or(2) {
            way @ 1..=3 => Ok((self.error, way)),
            other => {
                let (word, known) = (other.to_string(), "1, 2 or 3: the columns of a table");
                Err(SettingError::UnknownWord { setting: "way", word, known }.into())
            }
        }
    }

    /// The methods that were named, and whether that was by `all`.
    fn chosen(&self) -> Result<(Vec<&'static MethodInfo>, bool), Error> {
        if self.methods.iter().any(|name| name == ALL) {
            return Ok((methods().iter().collect(), true));
        }
        if self.methods.is_empty() {
            return Ok((methods().iter().take(1).collect(), false));
        }
        let mut infos: Vec<&'static MethodInfo> = Vec::new();
        for name in &self.methods {
            let info = method_info(name)?;
            if !infos.iter().any(|known| known.name == info.name) {
                infos.push(info);
            }
        }
        Ok((infos, false))
    }
}

/// One method with all budgets and contributions; contributions of one budget stand together.
fn all(looks: &[Look], epsilons: &[Epsilon], asked: Option<(f64, u32)>) -> Result<(Vec<Prospect>, Vec<Needed>), Error> {
    let (mut prospects, mut all_needed) = (Vec::new(), Vec::new());
    for &epsilon in epsilons {
        for look in looks {
            prospects.push(look.prospect(epsilon)?);
        }
    }
    if let Some((error, way)) = asked {
        for look in looks {
            let needed = look.needed(error, way)?;
            if let Some(epsilon) = needed.epsilon {
                prospects.push(look.prospect(Epsilon::new(epsilon)?)?);
            }
            all_needed.push(needed);
        }
    }
    Ok((prospects, all_needed))
}

/// One method on one schema, with one contribution.
struct Look<'a> {
    info: &'static MethodInfo,
    method: Box<dyn Method>,
    schema: &'a Schema,
    /// The rows that are counted.
    rows: u64,
    kept: Option<KeptRows>,
    neighbours: Neighbours,
    delta: Delta,
    speed: f64,
    /// The share of what is bought first, where something is.
    share: Option<f64>,
    /// Where the rows stay.
    engine: Option<PlannedEngine>,
}

impl Look<'_> {
    fn prospect(&self, epsilon: Epsilon) -> Result<Prospect, Error> {
        let forecast = self.forecast(epsilon)?;
        let facts = self.facts(&forecast);
        let distances = formula::distances(self.info.name, &facts);
        let costs = formula::costs(self.info.name, &facts, self.engine);
        Ok(Prospect {
            method: self.info.name,
            epsilon: epsilon.get(),
            delta: self.delta.get(),
            contribution: self.neighbours.contribution(),
            kept: self.kept,
            distances,
            column_noise: forecast.column_noise,
            pair_noise: forecast.cell_noise,
            smallest_group: (STANDS_OUT * forecast.cell_noise).max(1.0),
            relations: self.relations(epsilon)?,
            model_bytes: costs.as_ref().map_or(forecast.model_bytes, |costs| costs.model_bytes as u64),
            seconds: costs.as_ref().and_then(|costs| Some(costs.seconds? * self.speed)),
            memory_bytes: costs.as_ref().map(|costs| costs.memory_bytes as u64),
            passes: costs.as_ref().map(|costs| costs.passes as u64),
            read_bytes: costs.as_ref().map(|costs| costs.read_bytes as u64),
            worst_case: WorstCase::new(self.schema, self.rows, epsilon, self.neighbours),
        })
    }

    fn forecast(&self, epsilon: Epsilon) -> Result<Forecast, Error> {
        let facts = self.public(epsilon)?;
        self.method.accept(self.schema, self.neighbours, facts.budget, &Request::default())?;
        self.method.forecast(&facts).map_err(|error| no_such_noise(error, facts.budget))
    }

    fn relations(&self, epsilon: Epsilon) -> Result<Option<ExpectedRelations>, Error> {
        let reach = self.method.reach(&self.public(epsilon)?)?;
        let (columns, rows) = (self.schema.domain().len(), self.rows.max(1) as f64);
        Ok(reach.map(|reach| ExpectedRelations::new(reach, columns, rows, self.neighbours)))
    }

    fn public(&self, epsilon: Epsilon) -> Result<PublicFacts<'_>, Error> {
        let whole = Budget { epsilon, delta: self.delta };
        let budget = self.share.map_or(Ok(whole), |share| discovery::rest(whole, share))?;
        Ok(PublicFacts { schema: self.schema, rows: self.rows, neighbours: self.neighbours, budget })
    }

    fn facts<'f>(&'f self, forecast: &'f Forecast) -> formula::Facts<'f> {
        formula::Facts { rows: self.rows.max(1) as f64, sizes: self.schema.domain().sizes(), forecast }
    }

    /// The expected error of tables of `way` columns.
    fn error(&self, epsilon: f64, way: u32) -> Result<f64, Error> {
        let forecast = self.forecast(Epsilon::new(epsilon)?)?;
        let expected = formula::distances(self.info.name, &self.facts(&forecast))[way as usize - 1];
        let unknown = || SettingError::NoFormula { way, method: self.info.name }.into();
        expected.map(|expected| expected.mean).ok_or_else(unknown)
    }

    /// Halves the interval again and again: expected errors fall with epsilon.
    fn needed(&self, error: f64, way: u32) -> Result<Needed, Error> {
        let (mut low, mut high) = EPSILONS;
        let best = self.error(high, way)?;
        let contribution = self.neighbours.contribution();
        let found = |epsilon, expected| Needed { method: self.info.name, contribution, error, way, epsilon, expected };
        if best > error {
            return Ok(found(None, best));
        }
        while high / low > 1.001 {
            let middle = f64::sqrt(low * high);
            // Below some epsilon there is no noise that keeps it; that is not enough either.
            let is_enough = self.error(middle, way).is_ok_and(|expected| expected <= error);
            if is_enough { high = middle } else { low = middle }
        }
        let epsilon = rounded_up(high);
        Ok(found(Some(epsilon), self.error(epsilon, way)?))
    }
}

/// At most three digits, never less.
fn rounded_up(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 2.0);
    let digits = (value / unit - 1e-9).ceil();
    // By way of text, so that 0.123 is what is printed.
    format!("{:.6}", digits * unit).parse().unwrap_or(value)
}
