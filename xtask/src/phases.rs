//! What a long command did, and how many seconds each part of it took.

use std::time::Instant;

use anyhow::Result;

#[derive(Default)]
pub struct Phases {
    done: Vec<(&'static str, f64)>,
}

impl Phases {
    /// Runs a part, tells what it found, and keeps its time.
    pub fn run(&mut self, name: &'static str, part: impl FnOnce() -> Result<String>) -> Result<()> {
        let start = Instant::now();
        let told = part();
        self.done.push((name, start.elapsed().as_secs_f64()));
        println!("{name}: {}", told?);
        Ok(())
    }
}

/// The table stands at the end whether or not all parts went well.
impl Drop for Phases {
    fn drop(&mut self) {
        let sum = self.done.iter().map(|(_, seconds)| seconds).sum();
        println!("\nseconds of each phase:");
        for (name, seconds) in self.done.iter().chain([&("sum", sum)]) {
            println!("{name:24}{seconds:8.1}");
        }
    }
}
