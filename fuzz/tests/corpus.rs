//! Every target has seeds, which are small, and finds nothing in them.

use std::{fs, path::Path};

use bouquet_fuzz::TARGETS;

/// The most bytes of the whole corpus.
const MOST: u64 = 200_000;

#[test]
fn every_target_has_a_program_and_seeds_that_pass() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut bytes = 0;
    for (name, run) in TARGETS {
        let program = fs::read_to_string(top.join("fuzz_targets").join(format!("{name}.rs")));
        assert!(program.unwrap().contains("fuzz_target!"), "{name}");
        let mut seeds = 0;
        for entry in fs::read_dir(top.join("corpus").join(name)).expect(name) {
            let seed = fs::read(entry.unwrap().path()).unwrap();
            bytes += seed.len() as u64;
            seeds += 1;
            run(&seed);
        }
        assert!(seeds > 0, "{name} has no seeds");
    }
    assert!(bytes < MOST, "{bytes} bytes of seeds");
    assert_eq!(
        fs::read_dir(top.join("fuzz_targets")).unwrap().count(),
        TARGETS.len()
    );
    assert_eq!(
        fs::read_dir(top.join("corpus")).unwrap().count(),
        TARGETS.len()
    );
}
