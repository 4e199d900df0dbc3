//! Rules that all rows of a table keep, for the steward who checks a schema against it.
//!
//! Steward-only. A rule that is adopted because the rows keep it is a look at the rows, so each is
//! told with its mark: a release refuses the schema until somebody confirms that it is so by
//! nature.

mod candidate;
mod proposed;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use lookalike_schema::codec::CodecKind;
use lookalike_schema::{After, AttrId, Codec, KeptRule, Schema};

use candidate::{Candidate, Half, Part};
pub use proposed::{ProposedRule, SeenRule, propose_rules};

/// Fewer rows than this prove nothing.
const FEW_ROWS: u64 = 50;
/// A row is held against one that stood up to this many rows before it: in a sorted file neighbours
/// are alike.
const KEPT_FOR: u64 = 29;
/// An order is proposed where it would be broken by chance at least so often, and in one row of
/// twenty.
const FEW_CROSSED: u64 = 20;
/// The most rules of one kind that are tried; more columns than that are not compared.
const MOST_TRIED: usize = 50_000;

/// Watches rows for rules.
#[derive(Default)]
pub(crate) struct RuleFinder {
    columns: Vec<Watched>,
    candidates: Vec<Candidate>,
    rows: u64,
    /// A row of about the first half of those so far, which others are held against.
    kept: Vec<Option<f64>>,
    /// Groups of columns that the schema has a rule for already: missing together, in order.
    together: Vec<Vec<String>>,
    rising: Vec<Vec<String>>,
}

/// A modelled column and what is kept of its cells.
struct Watched {
    name: String,
    place: usize,
    codec: Codec,
    missing: u64,
    /// The numbers of the rows with a missing cell, mixed: two columns with the same mixture miss
    /// the same cells.
    mixture: u64,
    low: f64,
    high: f64,
}

impl RuleFinder {
    /// For the columns of a schema that stand at these places of a record.
    pub(crate) fn new(schema: &Schema, header: &[String]) -> Self {
        let columns = schema.columns().iter().filter_map(|column| {
            let place = header.iter().position(|name| *name == column.name)?;
            column.codec()?;
            let (name, codec) = (column.name.clone(), column.written_codec()?.clone());
            let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
            Some(Watched { name, place, codec, missing: 0, mixture: 0, low, high })
        });
        let columns: Vec<Watched> = columns.collect();
        let candidates = candidates(&columns);
        let (together, mut rising) = (schema.missing_together().to_vec(), schema.in_order().to_vec());
        // What comes after another column is in order with it already.
        let pair =
            |(attribute, after): (AttrId, &After)| vec![after.on().to_owned(), schema.column(attribute).name.clone()];
        rising.extend(schema.differences().map(pair));
        Self { columns, candidates, rows: 0, kept: Vec::new(), together, rising }
    }

    /// One record.
    pub(crate) fn observe(&mut self, cells: &[&[u8]]) {
        self.rows += 1;
        let mark = mixed(self.rows);
        let mut row = Vec::with_capacity(self.columns.len());
        for column in &mut self.columns {
            let cell = cells.get(column.place).copied().unwrap_or_default();
            let value = column.codec.raw_text(cell);
            if column.codec.fits_text(cell).is_none() {
                column.missing += 1;
                column.mixture ^= mark;
            }
            if let Some(value) = value {
                (column.low, column.high) = (column.low.min(value), column.high.max(value));
            }
            row.push(value);
        }
        self.candidates.retain_mut(|candidate| candidate.holds(&row));
        if !self.kept.is_empty() {
            self.candidates.iter_mut().for_each(|candidate| candidate.cross(&row, &self.kept));
        }
        if self.rows.is_multiple_of(KEPT_FOR) {
            self.kept = row;
        }
    }

    /// The rules that every row kept. Some of them do not go together.
    pub(crate) fn finish(self) -> Vec<SeenRule> {
        let others = self.candidates.iter().filter(|candidate| !matches!(candidate, Candidate::InOrder(..)));
        let mut rules: Vec<SeenRule> =
            others.filter(|candidate| candidate.is_proven(FEW_ROWS)).map(|candidate| self.told(candidate)).collect();
        rules.extend(self.missing_together());
        rules.extend(self.in_order());
        rules
    }

    fn missing_together(&self) -> Vec<SeenRule> {
        let mut groups: BTreeMap<(u64, u64), Vec<&Watched>> = BTreeMap::new();
        let columns = self.columns.iter().filter(|column| column.missing > 0 && column.missing < self.rows);
        for column in columns.filter(|column| column.codec.missing_code().is_some()) {
            groups.entry((column.missing, column.mixture)).or_default().push(column);
        }
        let rule = |((missing, _), group): ((u64, u64), Vec<&Watched>)| {
            let names: Vec<String> = group.iter().map(|column| column.name.clone()).collect();
            let is_stated = self.together.iter().any(|stated| group.iter().all(|column| stated.contains(&column.name)));
            (group.len() > 1 && missing >= 5 && !is_stated).then(|| SeenRule {
                seen: format!(
                    "{} are missing together, in {missing} rows, and never one without the others",
                    quoted(&names)
                ),
                wordings: vec![KeptRule::MissingTogether(names)],
            })
        };
        groups.into_iter().filter_map(rule).collect()
    }

    /// Chains of columns, the longest first. A column stands in one of them.
    fn in_order(&self) -> Vec<SeenRule> {
        let mut above: HashMap<usize, Vec<usize>> = HashMap::new();
        for candidate in &self.candidates {
            if let Candidate::InOrder(low, high, tally) = candidate {
                let names = [low, high].map(|&column| &self.columns[column].name);
                if self.rising.iter().any(|stated| names.iter().all(|name| stated.contains(name))) {
                    continue;
                }
                let is_clear = tally.crossed >= FEW_CROSSED && tally.crossed * 20 >= tally.present;
                let is_told = tally.different * 20 >= tally.present && is_clear;
                if tally.present >= FEW_ROWS && is_told && self.overlap(*low, *high) {
                    above.entry(*low).or_default().push(*high);
                }
            }
        }
        let mut rules = Vec::new();
        while let Some(chain) = longest(&above) {
            above.retain(|low, _| !chain.contains(low));
            above.values_mut().for_each(|highs| highs.retain(|high| !chain.contains(high)));
            let names: Vec<String> = chain.iter().map(|&column| self.columns[column].name.clone()).collect();
            rules.push(SeenRule {
                seen: format!("{} never fall, from left to right", quoted(&names)),
                wordings: vec![KeptRule::InOrder(names)],
            });
        }
        rules
    }

    /// Whether the values of two columns lie in one region: otherwise their order says nothing.
    fn overlap(&self, one: usize, two: usize) -> bool {
        let (one, two) = (&self.columns[one], &self.columns[two]);
        let both = one.high.min(two.high) - one.low.max(two.low);
        both * 2.0 > (one.high - one.low).max(two.high - two.low)
    }

    fn told(&self, candidate: &Candidate) -> SeenRule {
        let name = |column: usize| written(&self.columns[column].name);
        let (column, formula) = match candidate {
            Candidate::Sum(parts, sum, _) => return self.sum(*parts, *sum),
            Candidate::Product(parts, product, ..) => (*product, format!("{} * {}", name(parts[0]), name(parts[1]))),
            Candidate::Split(half, divisor, whole, part, _) => (*part, half.formula(&name(*whole), *divisor)),
            Candidate::Part(part, date, _, number, _) => (*number, format!("{}({})", part.word(), name(*date))),
            Candidate::Depends(keys, column, values, _) => {
                let keys: Vec<String> = keys.iter().map(|&key| self.columns[key].name.clone()).collect();
                let own = self.columns[*column].name.clone();
                let seen =
                    format!("{own:?} has one value for each of the {} values of {}", values.len(), quoted(&keys));
                return SeenRule { seen, wordings: self.changing(*column, KeptRule::DependsOn(own, keys)) };
            }
            Candidate::InOrder(..) => return SeenRule { seen: String::new(), wordings: Vec::new() },
        };
        let own = self.columns[column].name.clone();
        let seen = format!("{own:?} is {formula} in every row");
        SeenRule { seen, wordings: self.changing(column, KeptRule::Derived(own, formula)) }
    }

    /// A sum may be told from any of its columns. A sum of what is never negative comes first: it
    /// is as right as its parts, where the difference of two large numbers may be far off.
    /// Otherwise the column that stands last is told from those before it.
    fn sum(&self, parts: [usize; 2], sum: usize) -> SeenRule {
        let name = |column: usize| written(&self.columns[column].name);
        let rule = |column: usize, formula: String| {
            (column, self.changing(column, KeptRule::Derived(self.columns[column].name.clone(), formula)))
        };
        let [one, two] = parts;
        let difference = |of: usize, other: usize| rule(of, format!("{} - {}", name(sum), name(other)));
        let plus = format!("{} + {}", name(one), name(two));
        let seen = format!("{} = {plus} in every row", name(sum));
        let mut ways = [rule(sum, plus), difference(one, two), difference(two, one)];
        if parts.iter().any(|&part| self.columns[part].low < 0.0) {
            ways.sort_by_key(|&(column, _)| std::cmp::Reverse(column));
        }
        SeenRule { seen, wordings: ways.into_iter().flat_map(|(_, wording)| wording).collect() }
    }

    /// A rule on a column, unless all of its cells are the same: those follow from anything.
    fn changing(&self, column: usize, rule: KeptRule) -> Vec<KeptRule> {
        let column = &self.columns[column];
        (column.low < column.high).then_some(rule).into_iter().collect()
    }
}

/// Names in quotes, for a reader.
fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// A column's name as a formula writes it.
fn written(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// The longest chain of two columns or more. Orders have no circles but among equal columns, whose
/// second visit ends a chain.
fn longest(above: &HashMap<usize, Vec<usize>>) -> Option<Vec<usize>> {
    fn from(column: usize, above: &HashMap<usize, Vec<usize>>, before: &mut Vec<usize>) -> Vec<usize> {
        before.push(column);
        let highs = above.get(&column).into_iter().flatten().copied().filter(|high| !before.contains(high));
        let highs: Vec<usize> = highs.collect();
        let best = highs.into_iter().map(|high| from(high, above, before)).max_by_key(Vec::len).unwrap_or_default();
        before.pop();
        [vec![column], best].concat()
    }
    let mut lows: Vec<usize> = above.keys().copied().collect();
    lows.sort_unstable();
    let chains = lows.into_iter().map(|low| from(low, above, &mut Vec::new()));
    chains.rev().max_by_key(Vec::len).filter(|chain| chain.len() > 1)
}

/// All rules that are tried.
fn candidates(columns: &[Watched]) -> Vec<Candidate> {
    let unit = |column: &Watched| match column.codec.kind() {
        CodecKind::Integer(_) | CodecKind::Number(_) => 0,
        CodecKind::Date(..) => 1,
        CodecKind::DateTime(..) => 2,
        CodecKind::Category(_) | CodecKind::Boolean(_) => 3,
    };
    let units: Vec<u8> = columns.iter().map(unit).collect();
    let all = 0..columns.len();
    let of = |wanted: &[u8]| all.clone().filter(|&column| wanted.contains(&units[column])).collect::<Vec<usize>>();
    let (numbers, dates, words) = (of(&[0]), of(&[1, 2]), of(&[3]));
    let pairs = || all.clone().flat_map(|one| all.clone().filter(move |&two| two != one).map(move |two| (one, two)));
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |kind: Vec<Candidate>| found.extend(kind.into_iter().take(MOST_TRIED));
    add(pairs()
        .filter(|&(one, two)| units[one] == units[two] && units[one] != 3)
        .map(|(low, high)| Candidate::in_order(low, high))
        .collect());
    let triples = || {
        numbers.iter().flat_map(|&made| {
            let others = numbers.iter().copied().filter(move |&part| part != made);
            let rest = others.clone();
            others.flat_map(move |one| rest.clone().filter(move |&two| two > one).map(move |two| ([one, two], made)))
        })
    };
    add(triples().take(MOST_TRIED).map(|(parts, sum)| Candidate::sum(parts, sum)).collect());
    let unit = |column: usize| match columns[column].codec.kind() {
        CodecKind::Number(axis) => axis.decimals().map_or(0.0, |decimals| 10f64.powi(-i32::from(decimals))),
        _ => 1.0,
    };
    let products = triples().take(MOST_TRIED);
    add(products.map(|(parts, product)| Candidate::product(parts, product, unit(product))).collect());
    let is_moment = |date: usize| units[date] == 2;
    add(dates
        .iter()
        .flat_map(|&date| Part::ALL.into_iter().map(move |part| (date, part)))
        .filter(|&(date, part)| is_moment(date) || part != Part::Hour)
        .flat_map(|(date, part)| numbers.iter().map(move |&number| (date, part, number)))
        .map(|(date, part, number)| Candidate::part(part, date, is_moment(date), number))
        .collect());
    let is_whole = |column: usize| matches!(columns[column].codec.kind(), CodecKind::Integer(_));
    let wholes: Vec<usize> = numbers.iter().copied().filter(|&column| is_whole(column)).collect();
    let whole_pairs = || {
        let others = |whole| wholes.iter().filter(move |&&part| part != whole).map(move |&part| (whole, part));
        wholes.iter().flat_map(move |&whole| others(whole))
    };
    let halves = Half::DIVISORS
        .into_iter()
        .flat_map(|divisor| [Half::Quotient, Half::Remainder].into_iter().map(move |half| (half, divisor)));
    let split = |(half, divisor)| whole_pairs().map(move |(whole, part)| Candidate::split(half, divisor, whole, part));
    add(halves.flat_map(split).take(MOST_TRIED).collect());
    // A number follows from words rather than words from a number.
    let by_one = |is_word: bool| {
        let keys = pairs().filter(|&(key, _)| (units[key] == 3) == is_word);
        keys.map(|(key, value)| Candidate::depends(vec![key], value)).collect::<Vec<_>>()
    };
    add(by_one(true));
    let keys = words.iter().flat_map(|&one| words.iter().filter(move |&&two| two > one).map(move |&two| [one, two]));
    add(keys
        .flat_map(|keys| all.clone().filter(move |value| !keys.contains(value)).map(move |value| (keys, value)))
        .map(|(keys, value)| Candidate::depends(keys.to_vec(), value))
        .collect());
    add(by_one(false));
    found
}

/// A number that looks like chance.
fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
