//! The program killed while it saves: the old file or the new, never a torn one.

use std::{
    thread,
    time::{Duration, Instant},
};

use bouquet_testkit::Rng;

use crate::files::common::{Folder, lines};

/// Kills a process that builds a file, at random instants; each builds the one
/// that is not there.
fn killed(format: &str, times: u32) {
    let folder = Folder::new(&format!("kills-{format}"));
    // Some megabytes, so that writing them is most of the work.
    let build = |which: usize| {
        let flags = "--quiet --bits 33554432 --hashes 3";
        format!("build --to {format} {flags} -o f keys{which}")
    };
    let mut longest = Duration::ZERO;
    let whole = [0, 1].map(|which| {
        folder.write(&format!("keys{which}"), lines(which..1_000 + which));
        let start = Instant::now();
        folder.good(&build(which as usize));
        longest = longest.max(start.elapsed());
        folder.read("f")
    });
    assert!(whole[0] != whole[1]);
    let mut rng = Rng::new(6);
    let (mut there, mut replaced, mut left) = (1, 0, 0);
    for round in 0..times {
        let mut child = folder.command(&build(1 - there)).spawn().unwrap();
        let micros = rng.below(longest.as_micros() as u64 * 5 / 4);
        thread::sleep(Duration::from_micros(micros));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = folder.read("f");
        let now = whole.iter().position(|whole| *whole == found);
        assert!(
            now.is_some(),
            "round {round}: neither the old file nor the new"
        );
        replaced += u32::from(now != Some(there));
        there = now.unwrap();
        // What a kill leaves is one file beside, which the next run removes.
        let aside = folder
            .names()
            .into_iter()
            .filter(|name| name.ends_with(".tmp"));
        let aside: Vec<String> = aside.collect();
        assert!(aside.len() <= 1, "{aside:?}");
        for name in aside {
            assert!(name.starts_with(".f.bouquet-"), "{name}");
            left += 1;
        }
    }
    folder.good(&build(there));
    assert_eq!(folder.names(), ["f", "keys0", "keys1"]);
    let counts =
        format!("of {times} kills {replaced} came too late and {left} while it was written");
    assert!(replaced > 0 && replaced < times && left > 0, "{counts}");
}

/// A hundred, or as many as the environment says: a thousand take minutes.
fn times() -> u32 {
    std::env::var("BOUQUET_KILLS").map_or(100, |times| times.parse().unwrap())
}

#[test]
fn kills_tear_no_file_of_ours() {
    killed("native", times());
}

#[test]
fn kills_tear_no_file_of_others() {
    killed("go", times());
}
