//! Some thousand inputs a reader, the same ones every time, under a limit of memory.

use lookalike_fuzz::limit::{self, Counting};
use lookalike_fuzz::session::Session;
use lookalike_fuzz::targets::{TARGETS, Target};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test, because what is allocated is counted over the whole process.
#[test]
fn hostile_inputs_are_answered() {
    the_count_counts();
    let file = tempfile::NamedTempFile::new().unwrap();
    for target in TARGETS {
        // Files are written and megabytes are made ready for every table.
        let inputs = match target {
            Target::Csv | Target::Gz | Target::Parquet | Target::Arrow | Target::Ledger | Target::Book => 500,
            _ => 2000,
        };
        let mut session = Session::new(target, 7);
        let seeds = session.kept();
        assert!(seeds >= 1, "{}: no corpus", target.name());
        session.replay(file.path());
        (0..inputs).for_each(|_| session.step(file.path(), |_| {}));
        // The control: changes do reach different answers.
        assert!(session.kept() > seeds + 3, "{}: {} answers", target.name(), session.kept() - seeds);
    }
}

fn the_count_counts() {
    limit::begin(usize::MAX);
    let before = limit::most();
    let room: Vec<u8> = Vec::with_capacity(10 << 20);
    assert!(limit::most() - before >= 10 << 20);
    drop(room);
    limit::begin(1 << 20);
    let mut room: Vec<u8> = Vec::new();
    assert!(room.try_reserve_exact(2 << 20).is_err(), "beyond the limit");
    limit::begin(usize::MAX);
}
