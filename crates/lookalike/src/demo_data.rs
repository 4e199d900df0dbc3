//! The demo's table: people who never were, drawn from a distribution that is written down here.
//!
//! Twelve columns of every type. The dependencies are those a newcomer expects to see again:
//! education and work follow age, income follows education, hours and age, and a third of the cells
//! of some columns are missing.

use std::io::{self, Write};

use jiff::{ToSpan, civil};

/// The demo's schema, as a steward would write it: every fact is public knowledge, nothing was read
/// from rows.
pub fn schema_toml() -> &'static str {
    include_str!("demo_schema.toml")
}

/// The number of people in the demo.
pub const ROWS: usize = 30_000;

const HEADER: &str =
    "person_id,age,sex,home region,education,married,occupation,income,hours per week,moved_in,answered_at,remark";

/// Region words with their shares in percent.
const REGIONS: [(&str, u32); 8] = [
    ("North", 9),
    ("North-East", 7),
    ("East", 11),
    ("Capital", 24),
    ("South", 18),
    ("South-West", 8),
    ("West", 15),
    ("Islands, \"outer\"", 8),
];

/// Occupations, with the lowest education level that usually leads there and a pay factor.
const OCCUPATIONS: [(&str, usize, f64); 9] = [
    ("farming", 0, 0.70),
    ("cleaning", 0, 0.62),
    ("transport", 1, 0.85),
    ("construction", 1, 0.95),
    ("retail", 1, 0.75),
    ("care", 2, 0.90),
    ("office", 2, 1.00),
    ("teaching", 3, 1.15),
    ("engineering", 3, 1.45),
];

const EDUCATION: [&str; 4] = ["none", "primary", "secondary", "tertiary"];

/// Writes the table as CSV. The same rows and seed give the same bytes.
pub fn write_csv(rows: usize, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut dice = Dice(seed);
    writeln!(out, "{HEADER}")?;
    for number in 1..=rows {
        write_person(number, &mut dice, out)?;
    }
    Ok(())
}

fn write_person(number: usize, dice: &mut Dice, out: &mut dyn Write) -> io::Result<()> {
    let age = age(dice);
    let sex = if dice.percent(51) { "F" } else { "M" };
    let (region, capital) = region(dice);
    let education = education(age, capital, dice);
    let married = age >= 18 && dice.percent(married_percent(age));
    let work = (15..75).contains(&age) && dice.percent(work_percent(age, sex, education));
    let occupation = work.then(|| occupation(education, sex, dice));
    let hours = if work { hours(sex, dice) } else { 0 };
    let income = income(age, education, occupation, hours, capital, dice);
    write!(out, "P{:06},{age},{sex},{},", number * 7 + 13, quoted(region))?;
    // One in fifty wrote something that the schema's list does not know: it becomes the shared word
    // `other`.
    write!(out, "{},", if dice.percent(2) { "home school" } else { EDUCATION[education] })?;
    write!(out, "{},{},", if married { "yes" } else { "no" }, occupation.map_or("", |index| OCCUPATIONS[index].0))?;
    match income {
        Some(income) => write!(out, "{income:.2},{hours},")?,
        None => write!(out, ",{hours},")?,
    }
    let lived_here = dice.below(1 + (u64::from(age) * 365).min(40 * 365)) as i64;
    let census_day = civil::date(2024, 10, 1);
    let moved_in = census_day.saturating_sub(lived_here.days());
    // Most answer in the first week, and in the evening.
    let day = dice.below(7) + if dice.percent(35) { dice.below(24) } else { 0 };
    let hour = if dice.percent(60) { 17 + dice.below(6) } else { 7 + dice.below(14) };
    let answered = census_day.saturating_add((day as i64).days()).at(hour as i8, dice.below(60) as i8, 0, 0);
    let remark = if dice.percent(3) { quoted("called, \"not at home\"") } else { String::new() };
    writeln!(out, "{moved_in},{answered},{remark}")
}

/// A population with many adults and a thin old tail.
fn age(dice: &mut Dice) -> u32 {
    match dice.below(100) {
        0..=16 => dice.below(15) as u32,
        17..=62 => 15 + dice.below(35) as u32,
        63..=86 => 50 + dice.below(20) as u32,
        _ => 70 + (dice.below(15) + dice.below(15)) as u32,
    }
}

fn region(dice: &mut Dice) -> (&'static str, bool) {
    let mut left = dice.below(100) as u32;
    for (name, share) in REGIONS {
        if left < share {
            return (name, name == "Capital");
        }
        left -= share;
    }
    (REGIONS[0].0, false)
}

/// An index into [`EDUCATION`]: schooling grows with age up to 25, and was rarer for those born
/// long ago.
fn education(age: u32, capital: bool, dice: &mut Dice) -> usize {
    let bonus = if capital { 12 } else { 0 };
    match age {
        0..=6 => 0,
        7..=14 => usize::from(dice.percent(60)),
        15..=19 => 1 + usize::from(dice.percent(45)),
        20..=64 => match dice.below(100) + bonus {
            0..=3 => 0,
            4..=17 => 1,
            18..=62 => 2,
            _ => 3,
        },
        _ => match dice.below(100) + bonus {
            0..=11 => 0,
            12..=49 => 1,
            50..=84 => 2,
            _ => 3,
        },
    }
}

fn married_percent(age: u32) -> u64 {
    match age {
        0..=24 => 6,
        25..=34 => 42,
        35..=69 => 66,
        _ => 48,
    }
}

fn work_percent(age: u32, sex: &str, education: usize) -> u64 {
    let base: u64 = match age {
        15..=19 => 22,
        20..=24 => 58,
        25..=59 => 80,
        60..=66 => 46,
        _ => 9,
    };
    base + 3 * education as u64 - if sex == "F" { 5 } else { 0 }
}

/// An index into [`OCCUPATIONS`] among those that the education allows, nearer ones likelier.
fn occupation(education: usize, sex: &str, dice: &mut Dice) -> usize {
    loop {
        let index = dice.below(OCCUPATIONS.len() as u64) as usize;
        let (name, level, _) = OCCUPATIONS[index];
        let fits = match education.checked_sub(level) {
            None => 4,
            Some(0) => 90,
            Some(above) => 50 / above as u64,
        };
        let leaning = match (name, sex) {
            ("construction" | "transport" | "engineering", "F") => 3,
            ("care" | "teaching" | "cleaning", "M") => 2,
            _ => 1,
        };
        if dice.percent(fits / leaning) {
            return index;
        }
    }
}

fn hours(sex: &str, dice: &mut Dice) -> u64 {
    let part_time = if sex == "F" { 34 } else { 14 };
    if dice.percent(part_time) {
        10 + dice.below(22)
    } else if dice.percent(55) {
        40
    } else {
        33 + dice.below(25)
    }
}

/// A long tail: log-normal for workers, a pension or nothing for others, not known for one adult in
/// twelve.
fn income(
    age: u32,
    education: usize,
    occupation: Option<usize>,
    hours: u64,
    capital: bool,
    dice: &mut Dice,
) -> Option<f64> {
    if age < 15 || dice.below(12) == 0 {
        return None;
    }
    let spread = dice.normal();
    let place = if capital { 1.18 } else { 1.0 };
    match occupation {
        Some(index) => {
            let experience = 1.0 + 0.012 * f64::from(age.min(55)) - 0.18;
            let level = 16_000.0 * OCCUPATIONS[index].2 * (1.0 + 0.22 * education as f64) * experience * place;
            Some(level * (hours as f64 / 40.0) * (0.42 * spread).exp())
        }
        None if age >= 64 => Some(9_500.0 * (1.0 + 0.15 * education as f64) * (0.25 * spread).exp()),
        None => Some(if dice.percent(55) { 0.0 } else { 4_200.0 * (0.5 * spread).exp() }),
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// SplitMix64: enough for made-up people, never used for noise.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Nearly normal: the sum of twelve uniforms, so that no library's logarithm shows in the
    /// bytes.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.below(1 << 32) as f64 / (1u64 << 32) as f64).sum::<f64>() - 6.0
    }
}
