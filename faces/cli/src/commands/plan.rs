//! `lookalike plan --schema SCHEMA --rows N --epsilon E,...`.

use std::time::Instant;

use lookalike::metrics::number::whole;
use lookalike::{
    BudgetPlan, Error, ExpectedDistance, ExpectedRelations, KeptRows, Needed, OpenSchema, PlanSpec, PlannedEngine,
    Prospect, Relation, STRENGTHS, SettingError, calibration_work, read_any_schema,
};

use super::layout::Page;
use crate::advice::about_epsilon;
use crate::args::PlanArgs;
use crate::fail::{Ended, Outcome};
use crate::stdout;

/// Columns of a terminal.
const WIDTH: usize = 80;
/// How often the fixed piece of work is timed; the least counts, since others may use the machine
/// meanwhile.
const TRIES: u32 = 40;

/// Works out what budgets buy, and shows it.
pub fn run(args: PlanArgs) -> Ended {
    let spec = PlanSpec {
        rows: args.rows,
        columns: args.columns,
        discover_share: args.discover_share,
        unit: args.unit,
        contribution: args.contribution,
        persons: args.persons,
        rows_per_person: args.rows_per_person,
        epsilon: args.epsilon,
        delta: args.delta,
        methods: args.method,
        relation: args.relation,
        error: args.error,
        way: args.way,
        engine: args.engine,
        work_seconds: Some(work_seconds()),
    };
    let open = match &args.schema {
        Some(path) => read_any_schema(path)?,
        None if args.discover => OpenSchema::nothing(),
        None => return Err(Error::from(SettingError::NoSchema).into()),
    };
    let open = if args.discover { open.with_unlisted_discovered() } else { open };
    let plan = spec.plan_open(&open)?;
    if args.json {
        stdout::json(&plan.to_json())?
    } else {
        stdout::text_of(&text(&plan))?
    }
    Ok(Outcome::Done)
}

/// Seconds of the fixed piece of work on this machine.
fn work_seconds() -> f64 {
    let once = |_| {
        let begin = Instant::now();
        std::hint::black_box(calibration_work());
        begin.elapsed().as_secs_f64()
    };
    (0..TRIES).map(once).fold(f64::INFINITY, f64::min)
}

fn text(plan: &BudgetPlan) -> String {
    let mut page = Page::new(WIDTH);
    page.heading("What a budget buys");
    let protected = match (&plan.unit, plan.relation) {
        (Some(unit), _) => format!("all rows of one person (column {unit:?}) added or removed"),
        (None, Relation::AddRemove) => "one record added or removed".to_owned(),
        (None, Relation::ReplaceOne) => "one record replaced".to_owned(),
    };
    let persons = plan.persons.map_or_else(String::new, |persons| format!(" of about {} persons", whole(persons)));
    page.say(&format!(
        "{} columns, about {} rows{persons}, {protected}. Nothing was spent and no rows were read.",
        plan.columns,
        whole(plan.rows)
    ));
    let needed = plan.needed.iter().filter_map(|needed| needed.epsilon);
    let largest = plan.prospects.iter().map(|prospect| prospect.epsilon).chain(needed).fold(0.0, f64::max);
    if let Some(remark) = about_epsilon(largest) {
        page.say(remark);
    }
    if !plan.needed.is_empty() {
        page.heading("The epsilon that is needed");
        plan.needed.iter().for_each(|needed| page.say(&words(needed, plan.unit.is_some())));
    }
    discovered(plan, &mut page);
    tables(plan, &mut page);
    if !plan.prospects.is_empty() {
        contributions(plan, &mut page);
        reached(plan, &mut page);
        relations(plan, &mut page);
        taken(plan, &mut page);
        worst(plan, &mut page);
    }
    if !plan.refused.is_empty() {
        page.heading("Methods that cannot do it");
        plan.refused.iter().for_each(|(method, why)| page.say(&format!("{method}: {why}")));
    }
    page.finish()
}

fn words(needed: &Needed, has_persons: bool) -> String {
    let Needed { method, contribution, error, way, epsilon, expected } = needed;
    let who = if has_persons { format!("{method}, C = {contribution}") } else { (*method).to_owned() };
    let tables = match way {
        1 => "single columns".to_owned(),
        way => format!("tables of {way} columns"),
    };
    match epsilon {
        Some(epsilon) => format!("{who}: epsilon {epsilon} for an expected distance of {error} on {tables}."),
        None => format!(
            "{who}: no epsilon up to 100 is expected to bring {tables} to {error}; {} is the best.",
            figure(*expected)
        ),
    }
}

/// A line of every prospect, behind its epsilon and, where there are several methods, the method,
/// and where persons are protected, the contribution.
fn table(plan: &BudgetPlan, page: &mut Page, heads: &[&str], line: impl Fn(&Prospect) -> Vec<String>) {
    let has_many = plan.prospects.iter().any(|prospect| prospect.method != plan.prospects[0].method);
    // The method comes first, and is left out where there is one.
    let (skipped, last) = (usize::from(!has_many), 2 + usize::from(plan.unit.is_some()));
    let heads = [&["<method", "epsilon", "C"][skipped..last], heads].concat();
    let lines = plan.prospects.iter().map(|prospect| {
        let lead = [prospect.method.to_owned(), short(prospect.epsilon), prospect.contribution.to_string()];
        lead.into_iter().take(last).skip(skipped).chain(line(prospect)).collect()
    });
    page.table(&heads, lines);
}

/// What each contribution keeps and what its noise is, where persons are protected.
fn contributions(plan: &BudgetPlan, page: &mut Page) {
    if plan.unit.is_none() {
        return;
    }
    page.heading("What is read of persons: at most C rows of each");
    let line = |prospect: &Prospect| {
        let noise = rows_of(prospect.column_noise);
        let Some(KeptRows { rows, share, low, high }) = prospect.kept else {
            return vec![dash(), dash(), dash(), noise, share_of(prospect.column_noise, plan.rows)];
        };
        let range = format!("{}-{}", percent(low), percent(high));
        vec![whole(rows), percent(share), range, noise, share_of(prospect.column_noise, rows)]
    };
    table(plan, page, &["rows read", "of all", "range", "noise", "of rows read"], line);
    let uncounted = "What is left out of persons with more rows is in none of the figures: distances are to the rows that \
                     are read.";
    if plan.persons.is_none() {
        page.say(&format!(
            "How many rows are read was not stated (--persons): all are taken to be, so it is worse. {uncounted}"
        ));
    } else {
        page.say(&format!(
            "From the rows and persons that you named. Range: one person in five has four fifths of the rows, to all have \
             as many. Noise: the standard deviation of a value's count, in rows. {uncounted}"
        ));
    }
}

/// What discovery would find, and what would be lost.
fn discovered(plan: &BudgetPlan, page: &mut Page) {
    let Some(first) = plan.discovery.first() else { return };
    page.heading("What discovery finds");
    let has_persons = usize::from(plan.unit.is_some());
    let heads =
        [&["epsilon", "C"][..1 + has_persons], &["delta", "noise", "a value needs", "of all rows", "at best"]].concat();
    let lines = plan.discovery.iter().map(|found| {
        let lead = [short(found.epsilon), found.contribution.to_string()];
        let needs = found.threshold.map_or_else(dash, |rows| format!("{} rows", whole(rows)));
        let share = found.threshold.map_or_else(dash, |rows| share_of(rows as f64, plan.rows));
        let best = found.smallest_threshold.map_or_else(dash, |rows| format!("{} rows", whole(rows)));
        let figures = [short(found.delta), rows_of(found.noise), needs, share, best];
        lead.into_iter().take(1 + has_persons).chain(figures).collect()
    });
    page.table(&heads, lines);
    page.say(
        "Noise: the standard deviation of a count, in rows. Values of fewer rows than \"a value needs\" may become \"other\"; \
         where few columns have rare values, they are found from \"at best\" on. Ranges hold what stands out of the noise, \
         about five times as many rows as it, and a little more; what lies beyond is moved to their ends.",
    );
    if first.threshold.is_none() {
        page.say("At delta 0 no values are found: columns of words become \"other\" unless their values are stated.");
    }
    if plan.discovery.iter().any(|found| found.is_too_small) {
        page.say(
            "TOO FEW ROWS for this many columns at some of these budgets (fewer than 300 times the noise): most values \
             and the ends of ranges are lost. State what is public knowledge, leave columns out, or take a larger epsilon.",
        );
        if plan.discovery.iter().any(|found| found.is_too_small && found.contribution > 1) {
            page.say(
                "Up to C rows of a person multiply the noise of discovery by C, and no table has as many times the rows: \
                 where C is more than 1, state the types, ranges and values that are known, or compare with --contribution 1.",
            );
        }
    }
    page.say(
        "Figures below take columns of which nothing is known to have sixteen values, the j-th of them with a part of \
         the rows that goes like 1/j, less those that too few rows have to be found at the largest budget.",
    );
}

/// What would be found of columns that depend on others.
fn tables(plan: &BudgetPlan, page: &mut Page) {
    if plan.tables.is_empty() {
        return;
    }
    page.heading("What is found of columns that depend on others");
    let has_persons = usize::from(plan.unit.is_some());
    let heads =
        ["<column", "epsilon", "C"][..2 + has_persons].iter().chain(&["keys", "noise", "a key needs", "of all rows"]);
    let heads: Vec<&str> = heads.copied().collect();
    let lines = plan.tables.iter().map(|found| {
        let lead = [found.column.clone(), short(found.epsilon), found.contribution.to_string()];
        let needs = format!("{} rows", whole(found.threshold));
        let share = share_of(found.threshold as f64, plan.rows);
        lead.into_iter().take(2 + has_persons).chain([whole(found.keys), rows_of(found.noise), needs, share]).collect()
    });
    page.table(&heads, lines);
    page.say(
        "Noise: the standard deviation of the count of a key with a value, in rows. Keys of fewer rows than \"a key needs\" \
         may have no value of their own: their cells become the column's word for others, or are missing.",
    );
}

fn reached(plan: &BudgetPlan, page: &mut Page) {
    page.heading("Expected distance to the real table (0 alike, 1 nothing in common)");
    let line = |prospect: &Prospect| {
        let [one, two, three] = prospect.distances;
        let mean = |expected: Option<ExpectedDistance>| expected.map_or_else(dash, |it| figure(it.mean));
        let range = |expected: Option<ExpectedDistance>| {
            expected.map_or_else(dash, |it| format!("{}-{}", figure(it.low), figure(it.high)))
        };
        vec![mean(one), mean(two), range(two), mean(three), range(three)]
    };
    table(plan, page, &["1-way", "2-way", "range", "3-way", "range"], line);
    page.say(
        "Half of the sum of differences: mean over single columns (1-way), pairs (2-way) and triples (3-way). What columns \
         have to do with each other is not known before paying: ranges are where most tables lie. A dash: no formula is \
         known.",
    );
    let mut deltas: Vec<(f64, Vec<&str>)> = Vec::new();
    for prospect in &plan.prospects {
        match deltas.iter_mut().find(|(delta, _)| *delta == prospect.delta) {
            Some((_, methods)) if methods.contains(&prospect.method) => {}
            Some((_, methods)) => methods.push(prospect.method),
            None => deltas.push((prospect.delta, vec![prospect.method])),
        }
    }
    for (delta, methods) in deltas {
        page.say(&format!("Delta {}: {}.", short(delta), methods.join(", ")));
    }
}

fn relations(plan: &BudgetPlan, page: &mut Page) {
    if plan.prospects.iter().all(|prospect| prospect.relations.is_none()) {
        return;
    }
    page.heading("Of a relation between two columns, the share that is expected to be kept");
    let heads = STRENGTHS.map(|strength| format!("of {strength}"));
    let [weak, middle, strong] = &heads;
    let line = |prospect: &Prospect| match prospect.relations {
        Some(ExpectedRelations { tables, kept, .. }) => {
            std::iter::once(format!("{tables:.0}")).chain(kept.map(percent)).collect()
        }
        None => vec![dash(); 4],
    };
    table(plan, page, &["tables", weak, middle, strong], line);
    page.say("For a rank correlation of that strength, and where it is one of the strongest of its columns.");
    let is_too_wide = |prospect: &Prospect| prospect.relations.is_some_and(|relations| relations.is_too_wide);
    if plan.prospects.iter().any(is_too_wide) {
        page.say(
            "TOO WIDE for its rows: where there are fewer tables than columns, some columns are drawn by themselves, on \
             purpose. More rows, a larger epsilon or fewer columns (type = \"ignore\") keep more.",
        );
    }
}

fn taken(plan: &BudgetPlan, page: &mut Page) {
    let unit = if plan.unit.is_some() { "rows" } else { "people" };
    page.heading(&format!("Noise in {unit}"));
    let noise = |prospect: &Prospect| {
        vec![rows_of(prospect.column_noise), rows_of(prospect.pair_noise), rows_of(prospect.smallest_group)]
    };
    table(plan, page, &["a column", "a pair", "group"], noise);
    page.say(&format!("Noise is the standard deviation of one count. Groups of fewer {unit} than \"group\" cannot be told from noise in a table of two columns."));
    page.heading("What it takes on this machine");
    let taken = |prospect: &Prospect| {
        vec![
            bytes(prospect.model_bytes),
            prospect.seconds.map_or_else(dash, figure_of_two),
            prospect.memory_bytes.map_or_else(dash, bytes),
            prospect.passes.map_or_else(dash, |passes| passes.to_string()),
            prospect.read_bytes.map_or_else(dash, bytes),
        ]
    };
    table(plan, page, &["model", "seconds", "memory", "passes", "read"], taken);
    let read = match plan.engine {
        None => "what they read from the disk beyond what --memory holds",
        Some(PlannedEngine::Sql) => "the codes that they read in the database, before it packs them",
        Some(PlannedEngine::Spark) => "the codes that they read on the executors",
    };
    page.say(&format!("\"Passes\" over the rows are at most about so many, and \"read\" is {read}."));
}

fn worst(plan: &BudgetPlan, page: &mut Page) {
    page.heading("WORST CASE, by theory: whole rows, any table at all");
    let leading = 1 + usize::from(plan.unit.is_some());
    let mut lines: Vec<Vec<String>> = Vec::new();
    for prospect in &plan.prospects {
        let worst = &prospect.worst_case;
        let upper = if worst.upper >= 1.0 { "says nothing".to_owned() } else { figure(worst.upper) };
        let lead = [short(prospect.epsilon), prospect.contribution.to_string()];
        let line = lead.into_iter().take(leading).chain([figure(worst.lower), upper]).collect();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    page.table(&[&["epsilon", "C"][..leading], &["at least", "at most"]].concat(), lines);
    let worst = &plan.prospects[0].worst_case;
    page.say(&format!(
        "Not an estimate. \"At least\": some table of so many rows is missed by that much by every method. \"At most\": for a network of {} parents that is known and true, columns as {} bits, delta 0. Either fails with a chance of {}.",
        worst.degree, worst.bits, worst.failure
    ));
}

fn dash() -> String {
    "-".to_owned()
}

/// Two or three digits that matter.
fn figure(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        v if v >= 0.1 => format!("{v:.2}"),
        v if v >= 0.01 => format!("{v:.3}"),
        v if v >= 0.001 => format!("{v:.4}"),
        v if v >= 0.0001 => format!("{v:.5}"),
        v => format!("{v:.0e}"),
    }
}

fn figure_of_two(value: f64) -> String {
    if value >= 9.95 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// A number of rows.
fn rows_of(value: f64) -> String {
    if value < 9.95 {
        format!("{value:.1}")
    } else if value < 1e15 {
        whole(value.round() as u64)
    } else {
        format!("{value:.0e}")
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// What part of the `rows` it is.
fn share_of(noise: f64, rows: u64) -> String {
    let share = 100.0 * noise / rows.max(1) as f64;
    if share >= 9.95 { format!("{share:.0}%") } else { format!("{share:.2}%") }
}

fn short(value: f64) -> String {
    if value == 0.0 || (0.001..1e6).contains(&value) { format!("{value}") } else { format!("{value:e}") }
}

fn bytes(value: u64) -> String {
    match value {
        v if v >= 999_500_000 => format!("{:.1} GB", v as f64 / 1e9),
        v if v >= 9_950_000 => format!("{:.0} MB", v as f64 / 1e6),
        v if v >= 99_500 => format!("{:.1} MB", v as f64 / 1e6),
        v => format!("{:.0} kB", (v as f64 / 1e3).ceil()),
    }
}
