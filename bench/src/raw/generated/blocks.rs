//! Wide and small: blocks of columns that follow one hidden number each, and columns that hardly
//! vary.

use super::sketch::TableSketch;

/// Blocks, of nine columns each.
const BLOCKS: usize = 5;
/// Columns that are one value in nearly all rows.
const CONSTANT: usize = 9;
/// Columns of noise.
const FREE: usize = 6;

/// Five blocks of six numbers, two categories and a flag; then flags and counts that are nearly
/// always 0; then noise.
pub fn draw(sketch: &mut TableSketch) {
    for block in 0..BLOCKS {
        let hidden = sketch.draw(|sketch, _| sketch.normal());
        for (place, share) in [0.97f64, 0.93, 0.9, 0.85, 0.8, 0.7].into_iter().enumerate() {
            let rest = (1.0 - share * share).sqrt();
            let score = sketch.draw(|sketch, row| share * hidden[row] + rest * sketch.normal());
            let name = format!("b{block}_n{place}");
            match place % 3 {
                0 => sketch.number(name, [-1000.0, 1000.0], 1, score.iter().map(|z| 50.0 + 20.0 * z).collect()),
                1 => sketch.number(name, [0.0, 100_000.0], 0, score.iter().map(|z| (5.0 + 0.8 * z).exp()).collect()),
                _ => sketch.number(name, [0.0, 100.0], 0, score.iter().map(|z| (3.0 + 2.0 * z).round()).collect()),
            }
        }
        let above = |edges: &[f64], sketch: &mut TableSketch| {
            sketch.draw(|sketch, row| {
                let score = hidden[row] + 0.5 * sketch.normal();
                edges.iter().filter(|&&edge| score > edge).count() as f64
            })
        };
        let (class, grade) = (above(&[-0.6, 0.6], sketch), above(&[-1.2, -0.4, 0.4, 1.2], sketch));
        let flag = above(&[0.8], sketch);
        sketch.word(format!("b{block}_class"), &["low", "middle", "high"], class);
        sketch.word(format!("b{block}_grade"), &["e", "d", "c", "b", "a"], grade);
        sketch.word(format!("b{block}_flag"), &["no", "yes"], flag);
    }
    for place in 0..CONSTANT {
        let rare = [0.0005, 0.005, 0.02][place % 3];
        let name = format!("rare{place}");
        match place % 2 {
            0 => {
                let cells = sketch.draw(|sketch, _| f64::from(u8::from(sketch.happens(rare))));
                sketch.word(name, &["no", "yes"], cells);
            }
            _ => {
                let cells = sketch.draw(|sketch, _| match sketch.happens(rare) {
                    true => (1.0 + 50.0 * sketch.uniform()).floor(),
                    false => 0.0,
                });
                sketch.number(name, [0.0, 1_000.0], 0, cells);
            }
        }
    }
    for place in 0..FREE {
        let cells = sketch.draw(|sketch, _| (500.0 + 100.0 * sketch.normal()).round());
        sketch.number(format!("free{place}"), [0.0, 10_000.0], 0, cells);
    }
}
