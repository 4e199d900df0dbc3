//! The door before there is a schema: counts of cells, for facts that a release buys.

use lookalike_privacy::{
    ChargedQuery, DiscoveryCost, Ledger, Neighbours, NoiseBits, PrivacyError, Rational, Receipt, Step,
};
use lookalike_schema::CellReader;

use crate::noisy::Sampler;
#[cfg(any(test, feature = "test-noise"))]
use crate::recording::Recording;
use crate::station::{LastStation, charge};
use crate::{Cancel, CountTable, CuratorError, Noise, Permit};

/// Counts of one column's cells by a fixed rule.
#[derive(Clone, Debug, PartialEq)]
pub struct CellQuery {
    /// The column's place in the header.
    pub column: usize,
    /// How cells are read.
    pub reader: CellReader,
    /// The noise.
    pub noise: Noise,
}

/// The values of one column whose noisy counts reach a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuesQuery {
    /// The column's place in the header.
    pub column: usize,
    /// Sigma squared of the noise.
    pub sigma_squared: Rational,
    /// The smallest noisy count that is released.
    pub threshold: u64,
    /// The most values that are kept, by their noisy counts: public.
    pub most: usize,
    /// Words that are no values: public, or paid for.
    pub skipped: Vec<String>,
}

/// The values of a column that are known: public, or paid for.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownValues {
    /// The column's place in the header.
    pub column: usize,
    /// Its values so far.
    pub values: Vec<String>,
}

/// Values of several columns that are not known yet, one of each row, whose noisy counts reach a
/// threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct RareQuery {
    /// The columns. A row counts for the first of them in which its value is not known.
    pub columns: Vec<KnownValues>,
    /// Sigma squared of the noise.
    pub sigma_squared: Rational,
    /// The smallest noisy count that is released.
    pub threshold: u64,
    /// The most values of a column that are kept, by their noisy counts: public.
    pub most: usize,
    /// Words that are no values: public, or paid for.
    pub skipped: Vec<String>,
}

/// Noisy counts of the places of a [`CellReader`].
#[derive(Clone, Debug, PartialEq)]
pub struct NoisyCells {
    /// One count a place.
    pub values: Vec<i64>,
    /// What was charged, with the noise.
    pub step: Step,
}

/// Values that were found, with their noisy counts, in the order of their bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundValues {
    /// The values.
    pub values: Vec<(String, i64)>,
    /// What was charged, with the noise and the threshold.
    pub step: Step,
}

/// An engine that can count cells before there are codes. It is inside the door; what
/// [`Counts`](crate::Counts) must keep, it must keep too.
///
/// Bounding: all its answers are about the same rows, of which one person has at most the
/// contribution of the run.
pub trait Cells: Send + Sync {
    /// The columns of the header.
    fn names(&self) -> &[String];

    /// Exact counts of the places of each reader, for cells of the column beside it. Cells without
    /// a place are not counted.
    fn count(
        &self,
        queries: &[(usize, CellReader)],
        permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<Vec<u64>>, CuratorError>;

    /// Calls `each` with every distinct value of a column
    /// ([`as_value`](lookalike_schema::discover::as_value)) that is text, not empty and not
    /// skipped, and with its exact count: each value once, however many there are. The order is
    /// fixed by the values.
    fn for_each_value(
        &self,
        column: usize,
        skipped: &[String],
        permit: Permit,
        cancel: &Cancel,
        each: &mut dyn FnMut(&str, u64),
    ) -> Result<(), CuratorError>;

    /// Gives every row at most one value: that of the first of `columns` in which it has a value
    /// ([`for_each_value`](Self::for_each_value) says what one is) that is not among the known
    /// ones. Calls `each` with every distinct pair of a place in `columns` and a value, and with
    /// the exact number of rows that have it: each pair once. The order is fixed by the pairs.
    fn for_each_rare_value(
        &self,
        columns: &[KnownValues],
        skipped: &[String],
        permit: Permit,
        cancel: &Cancel,
        each: &mut dyn FnMut(usize, &str, u64),
    ) -> Result<(), CuratorError>;
}

/// The only way to facts of cells: pays, then counts, then adds noise. Like
/// [`Curator`](crate::Curator), for rows that have no schema yet; when it is closed, rows, account
/// and noise go on to one.
pub struct CellCurator<C> {
    cells: C,
    ledger: Ledger,
    noise: Box<dyn NoiseBits>,
    cancel: Cancel,
    station: LastStation,
}

impl<C: Cells> CellCurator<C> {
    /// Takes the rows, the account and the noise, and begins discovery with this share of the
    /// account. Gives what it may cost.
    ///
    /// # Errors
    /// An account that was not opened for discovery, or a share that is none.
    pub fn begin(
        cells: C,
        mut ledger: Ledger,
        noise: Box<dyn NoiseBits>,
        cancel: Cancel,
        share: f64,
    ) -> Result<(Self, DiscoveryCost), CuratorError> {
        let total = ledger.commit_discovery(share)?;
        let curator = Self { cells, ledger, noise, cancel, station: LastStation::default() };
        Ok((curator, total))
    }

    /// The columns of the header: public.
    pub fn names(&self) -> &[String] {
        self.cells.names()
    }

    /// The relation and the contribution of the run.
    pub fn neighbours(&self) -> Neighbours {
        self.ledger.neighbours()
    }

    /// Noisy counts of cells: one durable charge that lists every query, then one pass.
    ///
    /// # Privacy
    /// A record has at most one place in a query ([`CellReader`]), so the counts are a marginal, or
    /// a marginal of which a cell was left out: neighbours differ by no more than for a marginal.
    ///
    /// # Errors
    /// Before the charge: a column that does not exist, a refusal of the ledger, a stop. After it:
    /// a fault of the engine, or a stop; the charge stays.
    pub fn count(&mut self, queries: &[CellQuery]) -> Result<Vec<NoisyCells>, CuratorError> {
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        let sensitivity = self.neighbours().marginal();
        let (mut charges, mut samplers) = (Vec::new(), Vec::new());
        for query in queries {
            let step = match query.noise {
                Noise::Gaussian(sigma_squared) => Step::Gaussian { sigma_squared, sensitivity: sensitivity.clone() },
                Noise::Laplace(scale) => Step::Laplace { scale, sensitivity: sensitivity.clone() },
            };
            samplers.push(Sampler::new(&step)?);
            charges.push(ChargedQuery { label: self.label(query.reader.name(), query.column)?, step });
        }
        let asked: Vec<(usize, CellReader)> =
            queries.iter().map(|query| (query.column, query.reader.clone())).collect();
        self.charge(&charges)?;
        let counts = self.cells.count(&asked, Permit::new(asked.len()), &self.cancel)?;
        let fits = |(counts, (_, reader)): (&Vec<u64>, &(usize, CellReader))| counts.len() == reader.cells() as usize;
        if counts.len() != asked.len() || !counts.iter().zip(&asked).all(fits) {
            return Err(CuratorError::Engine { what: "the counts do not have the form that was asked for".into() });
        }
        let answers = counts.into_iter().zip(&samplers).zip(charges).map(|((counts, sampler), charge)| {
            let values = sampler.release(CountTable::Dense(counts), self.noise.as_mut());
            NoisyCells { values, step: charge.step }
        });
        let answers: Vec<NoisyCells> = answers.collect();
        self.station.hand_over(answers, &self.ledger)
    }

    /// The values of columns whose noisy counts reach a threshold: one durable charge that lists
    /// every query, then a look for each.
    ///
    /// # Privacy
    /// Discrete Gaussian noise on the count of every value that occurs; what reaches the threshold
    /// is released, and nothing of what does not. The cost is the step's rho and tau: the argument
    /// is at the head of [`threshold`](lookalike_privacy::threshold). Trimming and cutting are done
    /// record by record; keeping the largest is post-processing.
    ///
    /// # Errors
    /// As for [`count`](Self::count).
    pub fn values(&mut self, queries: &[ValuesQuery]) -> Result<Vec<FoundValues>, CuratorError> {
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        let sensitivity = self.neighbours().marginal();
        let (mut charges, mut samplers) = (Vec::new(), Vec::new());
        for &ValuesQuery { column, sigma_squared, threshold, .. } in queries {
            samplers.push(Sampler::new(&Step::Gaussian { sigma_squared, sensitivity: sensitivity.clone() })?);
            let step = Step::Threshold { sigma_squared, sensitivity: sensitivity.clone(), threshold };
            charges.push(ChargedQuery { label: self.label("values", column)?, step });
        }
        self.charge(&charges)?;
        let mut answers = Vec::with_capacity(queries.len());
        for ((query, sampler), charge) in queries.iter().zip(&samplers).zip(charges) {
            let mut found = Kept { most: query.most, values: Vec::new() };
            let noise = self.noise.as_mut();
            let mut each = |value: &str, count: u64| {
                if let Some(noisy) = reached(sampler, noise, count, query.threshold) {
                    found.keep(value, noisy);
                }
            };
            self.cells.for_each_value(query.column, &query.skipped, Permit::new(1), &self.cancel, &mut each)?;
            answers.push(FoundValues { values: found.finish(), step: charge.step });
        }
        self.station.hand_over(answers, &self.ledger)
    }

    /// Values of several columns that are not known yet and whose noisy counts reach a threshold,
    /// a list a column: one durable charge, then one look. A row counts once, whatever the number
    /// of columns, so the noise is that of one column.
    ///
    /// # Privacy
    /// Let f give each record the pair of a column and a value that
    /// [`for_each_rare_value`](Cells::for_each_rare_value) says, or nothing. f looks at the
    /// record's own cells, at public words and at answers that were paid for. So f(D) is a column
    /// of which one record changes one cell, neighbours stay neighbours, and the query is
    /// [`values`](Self::values) of that column: the same noise, threshold, rho and tau.
    ///
    /// # Errors
    /// As for [`count`](Self::count).
    pub fn rare_values(&mut self, query: &RareQuery) -> Result<Vec<FoundValues>, CuratorError> {
        let &RareQuery { sigma_squared, threshold, most, .. } = query;
        query.columns.iter().try_for_each(|known| self.label("values", known.column).map(drop))?;
        let sensitivity = self.neighbours().marginal();
        let sampler = Sampler::new(&Step::Gaussian { sigma_squared, sensitivity: sensitivity.clone() })?;
        let step = Step::Threshold { sigma_squared, sensitivity, threshold };
        self.charge(&[ChargedQuery { label: "rare values".to_owned(), step: step.clone() }])?;
        let mut found: Vec<Kept> = query.columns.iter().map(|_| Kept { most, values: Vec::new() }).collect();
        let noise = self.noise.as_mut();
        let mut each = |place: usize, value: &str, count: u64| {
            if let Some(noisy) = reached(&sampler, noise, count, threshold) {
                found[place].keep(value, noisy);
            }
        };
        self.cells.for_each_rare_value(&query.columns, &query.skipped, Permit::new(1), &self.cancel, &mut each)?;
        let answer = |found: Kept| FoundValues { values: found.finish(), step: step.clone() };
        self.station.hand_over(found.into_iter().map(answer).collect::<Vec<_>>(), &self.ledger)
    }

    /// The scale of Gaussian noise that costs this much rho, or a sliver less.
    pub fn sigma_squared(&self, rho: f64) -> Result<Rational, PrivacyError> {
        Rational::at_least(self.neighbours().marginal().l2_squared() as f64 / (2.0 * rho))
    }

    /// The scale of Laplace noise that costs this much epsilon, or a sliver less.
    pub fn laplace_scale(&self, epsilon: f64) -> Result<Rational, PrivacyError> {
        Rational::at_least(self.neighbours().marginal().l1() as f64 / epsilon)
    }

    /// Closes the door: rows, account and noise go on to a [`Curator`](crate::Curator).
    pub fn close(self) -> (C, Ledger, Box<dyn NoiseBits>) {
        (self.cells, self.ledger, self.noise)
    }

    fn label(&self, what: &str, column: usize) -> Result<String, CuratorError> {
        let name = self.names().get(column);
        let name = name.ok_or_else(|| crate::check::query(format!("there is no column {column}")))?;
        Ok(format!("{what} of {name}"))
    }

    fn charge(&mut self, charges: &[ChargedQuery]) -> Result<Receipt, CuratorError> {
        charge(&mut self.ledger, &self.cancel, charges)
    }

    /// Test builds only: every answer is also written on the recording. NOT PRIVATE.
    #[cfg(any(test, feature = "test-noise"))]
    pub fn record_on(&mut self, recording: &Recording) {
        self.station.record_on(recording, &self.ledger);
    }

    /// Test builds only: every answer is the recording's, whatever the counts. NOT PRIVATE.
    #[cfg(any(test, feature = "test-noise"))]
    pub fn replay_from(&mut self, recording: &Recording) {
        self.station.replay_from(recording, &self.ledger);
    }
}

/// The noisy count of a value, where it reaches the threshold.
fn reached(sampler: &Sampler, noise: &mut dyn NoiseBits, count: u64, threshold: u64) -> Option<i64> {
    let mut noisy = [i64::try_from(count).unwrap_or(i64::MAX)];
    sampler.add_to(&mut noisy, noise);
    (i128::from(noisy[0]) >= i128::from(threshold)).then_some(noisy[0])
}

/// The values with the largest noisy counts so far.
struct Kept {
    most: usize,
    values: Vec<(String, i64)>,
}

impl Kept {
    fn keep(&mut self, value: &str, count: i64) {
        self.values.push((value.to_owned(), count));
        if self.values.len() >= 2 * self.most.max(1) {
            self.cut();
        }
    }

    /// Leaves out all but the largest; of equal counts the first by their bytes stay.
    fn cut(&mut self) {
        self.values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        self.values.truncate(self.most);
    }

    fn finish(mut self) -> Vec<(String, i64)> {
        self.cut();
        self.values.sort_unstable();
        self.values
    }
}
