//! Levels as a schema file words them become groupings.

use std::collections::HashMap;
use std::sync::Arc;

use super::level::{Level, LevelFile, Levels};
use crate::compare::AxisPoint;
use crate::error::{Mistake, refuse_if};
use crate::nearest::suggestion;
use crate::plain_value::PlainValue;
use crate::{Codec, CodecKind, Grouping};

/// The most levels of one column.
const MOST_LEVELS: usize = 32;

/// The most codes that all levels of a schema together may group. A hostile file could otherwise
/// ask for gigabytes in a few words.
pub(crate) const MOST_GROUPED: u64 = 1 << 25;

/// Checks and builds the levels of one column.
pub(crate) fn build(source: Vec<LevelFile>, codec: &Codec) -> Result<Levels, Mistake> {
    let many = source.len() > MOST_LEVELS || source.len() as u64 * u64::from(codec.size()) > MOST_GROUPED;
    refuse_if(many, "too many `levels`", "keep those that a reader would name")?;
    let mut coarsening = Coarsening::new(codec);
    let mut levels = Vec::with_capacity(source.len());
    for (place, entry) in source.iter().enumerate() {
        let at = |fault: Mistake| Mistake::new(format!("level {}: {}", place + 1, fault.what), fault.help);
        let before = coarsening.labels.len();
        coarsening.coarsen(entry, codec).map_err(at)?;
        let same = coarsening.labels.len() == before;
        refuse_if(same, "puts nothing together", "drop it, or make it coarser than the level before").map_err(at)?;
        levels.push(coarsening.level(codec).map_err(at)?);
    }
    Ok(Levels { source, levels, ..Levels::default() })
}

/// Whether a column lists its values, which groups are then made of by name.
fn is_list(codec: &Codec) -> bool {
    matches!(codec.kind(), CodecKind::Category(_))
}

/// The groups of the level in hand, over the codes that are not missing.
struct Coarsening {
    group_of: Vec<u32>,
    labels: Vec<String>,
}

impl Coarsening {
    /// Every code by itself. Only words need labels from the start.
    fn new(codec: &Codec) -> Self {
        let word = |code| if is_list(codec) { codec.label(code) } else { String::new() };
        Self { group_of: (0..codec.present()).collect(), labels: (0..codec.present()).map(word).collect() }
    }

    fn coarsen(&mut self, entry: &LevelFile, codec: &Codec) -> Result<(), Mistake> {
        match (entry, !is_list(codec)) {
            (LevelFile::Groups(groups), false) => self.group(&groups.0),
            (LevelFile::Cuts(cuts), true) => self.cut(cuts, codec),
            (LevelFile::Cuts(_), false) => Err(Mistake::new(
                "is a list, but the column has no order",
                "name groups of values: [[columns.NAME.levels]] and GROUP = [\"...\", \"...\"]",
            )),
            (LevelFile::Groups(_), true) => Err(Mistake::new(
                "names groups, but the column has an order",
                "list the values at which groups begin: levels = [[..., ...]]",
            )),
        }
    }

    /// Groups of words. New groups are numbered by their first member, so that neighbours stay
    /// neighbours.
    fn group(&mut self, groups: &[(String, Vec<PlainValue>)]) -> Result<(), Mistake> {
        let places: HashMap<&str, usize> =
            self.labels.iter().enumerate().map(|(place, label)| (label.as_str(), place)).collect();
        let mut parent: Vec<Option<usize>> = vec![None; self.labels.len()];
        for (index, (name, members)) in groups.iter().enumerate() {
            refuse_if(members.is_empty(), format!("group {name:?} is empty"), "list its values")?;
            for member in members.iter().map(PlainValue::text) {
                let Some(&place) = places.get(member.as_str()) else {
                    let near = suggestion(&member, self.labels.iter().map(String::as_str));
                    return Err(Mistake::new(
                        format!(
                            "group {name:?} lists {member:?}, which is no value and no group of the level before{near}"
                        ),
                        "correct the word",
                    ));
                };
                if parent[place].replace(index).is_some() {
                    return Err(Mistake::new(format!("{member:?} is listed twice"), "put each value in one group"));
                }
            }
            let taken = places.contains_key(name.as_str()) && members.iter().all(|member| member.text() != *name);
            let what = format!("group {name:?} has the name of a value or group that is not in it");
            refuse_if(taken, what, "give it another name, or list that value in it")?;
        }
        let mut number: Vec<Option<u32>> = vec![None; groups.len()];
        let mut labels = Vec::new();
        let renumbered: Vec<u32> = (0..self.labels.len())
            .map(|place| match parent[place] {
                Some(group) => *number[group].get_or_insert_with(|| push(&mut labels, groups[group].0.clone())),
                None => push(&mut labels, self.labels[place].clone()),
            })
            .collect();
        self.group_of.iter_mut().for_each(|group| *group = renumbered[*group as usize]);
        self.labels = labels;
        Ok(())
    }

    fn cut(&mut self, cuts: &[PlainValue], codec: &Codec) -> Result<(), Mistake> {
        let mut begins = vec![0u32];
        for (place, cut) in cuts.iter().enumerate() {
            let start = start(cut, codec)?;
            let text = cut.text();
            match begins.last() {
                Some(&last) if start > last => {}
                // The lower bound may be listed, as the first.
                Some(_) if start == 0 && place == 0 => continue,
                _ => return Err(Mistake::new(format!("{text} does not ascend"), "sort the values, each one once")),
            }
            let inside = self.group_of[start as usize] == self.group_of[start as usize - 1];
            let what = format!("{text} lies inside a group of the level before");
            refuse_if(inside, what, "begin groups where groups of the level before begin")?;
            begins.push(start);
        }
        let mut group = 0u32;
        for (code, of) in self.group_of.iter_mut().enumerate() {
            if begins.get(group as usize + 1).is_some_and(|&next| code as u32 >= next) {
                group += 1;
            }
            *of = group;
        }
        let last = |place: usize| begins.get(place + 1).map_or(codec.present(), |&next| next) - 1;
        let spans = begins.iter().enumerate().map(|(place, &first)| (first, last(place)));
        self.labels = spans.map(|(first, last)| span(codec, first, last)).collect();
        Ok(())
    }

    /// The level with the missing code behind it.
    fn level(&self, codec: &Codec) -> Result<Level, Mistake> {
        let mut group_of = self.group_of.clone();
        let mut labels = self.labels.clone();
        if let Some(missing) = codec.missing_code() {
            group_of.push(push(&mut labels, codec.label(missing)));
        }
        let grouping = Grouping::new(group_of).map_err(|_| Mistake::new("has an empty group", "list its values"))?;
        Ok(Level { grouping: Arc::new(grouping), labels })
    }
}

fn push(labels: &mut Vec<String>, label: String) -> u32 {
    labels.push(label);
    labels.len() as u32 - 1
}

/// The code whose bin begins at a value.
fn start(cut: &PlainValue, codec: &Codec) -> Result<u32, Mistake> {
    let text = cut.text();
    let Some(point) = AxisPoint::read(&text, codec) else {
        return Err(Mistake::new(
            format!("{text:?} is not a value of a column of type {:?}", codec.kind_name()),
            "list the values at which groups begin (dates as \"2024-03-31\")",
        ));
    };
    // Bins ascend, so the first that does not end before the value is found by halving.
    let (mut low, mut high) = (0, codec.present());
    while low < high {
        let middle = low + (high - low) / 2;
        if AxisPoint::of_code(codec, middle).is_some_and(|(_, last)| last < point) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    match AxisPoint::of_code(codec, low).filter(|_| low < codec.present()) {
        None => Err(Mistake::new(format!("{text} lies above the column's range"), "drop it, or widen `range`")),
        Some((first, _)) if first < point => Err(Mistake::new(
            format!("{text} cuts the code {:?} in two, which cannot be parted there", codec.label(low)),
            "move it to a value that the column can have, or leave out `grid`",
        )),
        Some(_) => Ok(low),
    }
}

fn span(codec: &Codec, first: u32, last: u32) -> String {
    if first == last { codec.label(first) } else { format!("{} .. {}", codec.label(first), codec.label(last)) }
}
