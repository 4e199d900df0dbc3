//! The targets of the fuzzer under libFuzzer, which sees which branches an input takes.
//! `cargo xtask fuzz --coverage TARGET` builds and runs it; `LOOKALIKE_FUZZ` names the target.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::Dice;
use lookalike_fuzz::targets::{TARGETS, Target};

/// The target, and a file that its inputs may be written to.
static SETTING: LazyLock<(Target, PathBuf)> = LazyLock::new(|| {
    let name = std::env::var("LOOKALIKE_FUZZ").unwrap_or_default();
    let target = TARGETS.into_iter().find(|target| target.name() == name);
    let target = target.unwrap_or_else(|| panic!("LOOKALIKE_FUZZ names no target: {name:?}"));
    (target, std::env::temp_dir().join(format!("lookalike-fuzz-{}", std::process::id())))
});

fuzz_target!(
    init: {
        // libFuzzer's own hook ends at every panic, also at those that a reader expects and catches.
        std::panic::set_hook(Box::new(|fault| {
            if !lookalike_table::expects_damage() {
                eprintln!("{fault}");
                std::process::abort();
            }
        }));
    },
    |data: &[u8]| {
        let (target, file) = &*SETTING;
        let mut input = data.to_vec();
        // What a reader checks first is put right; the same input is always repaired alike.
        target.repair(&mut input, &mut Dice(data.len() as u64));
        target.run(&input, file);
    }
);
