//! Sets that no other one contains.

/// Those of some sets, each a sorted list of its items, that no other one contains; of equal sets
/// the first. A table answers for all tables inside it.
pub fn maximal<S: Clone, T: Ord>(sets: &[S], items: impl Fn(&S) -> &[T]) -> Vec<S> {
    let is_covered = |place: usize| {
        let small = items(&sets[place]);
        sets.iter().map(&items).enumerate().any(|(other, large)| {
            let longer = small.len() < large.len() || other < place;
            other != place && longer && small.iter().all(|item| large.binary_search(item).is_ok())
        })
    };
    (0..sets.len()).filter(|&place| !is_covered(place)).map(|place| sets[place].clone()).collect()
}
