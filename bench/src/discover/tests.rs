//! What is measured, on tables small enough to know the answer.

use super::groups::ColumnGroups;

#[test]
fn numbers_are_cut_into_groups_of_like_many_rows_and_words_keep_theirs() {
    let cells: Vec<f64> = (0..1600).map(f64::from).chain([f64::NAN]).collect();
    let groups = ColumnGroups::of_numbers(&cells);
    let mut rows = vec![0; groups.size() as usize];
    for &cell in &cells {
        rows[groups.group(cell) as usize] += 1;
    }
    assert_eq!(rows[..16], [100; 16]);
    assert_eq!(rows[rows.len() - 1], 1, "missing cells have a group");
    assert_eq!((groups.group(-5.0), groups.group(1e9)), (0, 15));

    let few = ColumnGroups::of_numbers(&[3.0, 1.0, 3.0, -0.0]);
    assert_eq!([0.0, -0.0, 1.0, 3.0, 2.0].map(|cell| few.group(cell)), [0, 0, 1, 2, 3]);

    let words: Vec<f64> = (0..150).flat_map(|code| vec![f64::from(code); 150 - code as usize]).collect();
    let groups = ColumnGroups::of_words(&words);
    assert_eq!(groups.size(), 102);
    assert_eq!((groups.group(99.0), groups.group(100.0), groups.group(149.0)), (99, 100, 100));
}
