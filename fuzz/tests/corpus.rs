//! Every target has a small seed corpus and finds no fault in it.
#![cfg(feature = "texts")]

use std::{fs, path::Path, process::Command};

use bouquet_fuzz::{FILES, TEXTS, Target};

/// The largest size of the whole corpus in bytes.
const MOST: u64 = 200_000;

fn targets() -> impl Iterator<Item = &'static Target> {
    FILES.iter().chain(TEXTS)
}

/// The same seed, decoded in another way.
fn by_way(seed: &[u8], way: u8) -> Vec<u8> {
    let mut seed = seed.to_vec();
    seed[127] |= way << 4;
    seed
}

#[test]
fn every_target_has_seeds_that_pass() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut bytes = 0;
    for (name, run) in targets() {
        let mut seeds = 0;
        for entry in fs::read_dir(top.join("corpus").join(name)).expect(name) {
            let seed = fs::read(entry.unwrap().path()).unwrap();
            bytes += seed.len() as u64;
            seeds += 1;
            run(&seed);
            if name.starts_with("decode_") {
                (0..8).for_each(|way| run(&by_way(&seed, way)));
            }
        }
        assert!(seeds > 0, "{name} has no seeds");
    }
    assert!(bytes < MOST, "{bytes} bytes of seeds");
    assert_eq!(
        fs::read_dir(top.join("corpus")).unwrap().count(),
        targets().count()
    );
}

#[test]
fn the_script_knows_every_target() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fuzz");
    let listed = Command::new(script).arg("--list").output().unwrap();
    let names: Vec<&str> = targets().map(|(name, _)| *name).collect();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.lines().collect::<Vec<_>>(), names);
}
