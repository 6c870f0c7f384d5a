//! `inspect` as a check in CI: a filter file, the keys it was built from, and a bound for its FPR.

use crate::support::{Folder, stderr};

fn keys(count: u64) -> String {
    (0..count).map(|i| format!("key {i}\n")).collect()
}

/// Builds a file with the flags `build` from the first `built` keys and inspects it with the first
/// `asked` keys. The exit code must be 1 with `words` in the message, or 0 if `words` is empty.
fn judged(build: &str, built: u64, asked: u64, bound: &str, words: &str) {
    let folder = Folder::new();
    folder.file("built.txt", keys(built));
    folder.file("asked.txt", keys(asked));
    let made = folder.run(&format!("build --quiet -o seen.bouquet {build} built.txt"));
    assert!(made.status.success(), "{}", stderr(&made));
    let inspect = format!("inspect --keys asked.txt --fail-above-fpr {bound} seen.bouquet");
    let output = folder.run(&inspect);
    let said = stderr(&output);
    let code = i32::from(!words.is_empty());
    assert_eq!(output.status.code(), Some(code), "{build}: {said}");
    assert!(said.contains(words), "{build}: {said}");
}

#[test]
fn a_file_is_judged_by_its_header_and_its_keys() {
    judged("--fpr 0.01", 20_000, 20_000, "0.011", "");
    judged("--filter blocked --fpr 0.001", 20_000, 20_000, "0.0011", "");
    judged("--filter scalable", 20_000, 20_000, "0.011", "");
    judged("--to redisbloom", 20_000, 20_000, "0.011", "");
    // One key more is looked up than was inserted, and reported as missing.
    let lacks = "lacks line 20001: key 20000";
    judged("--fpr 0.01", 20_000, 20_001, "0.011", lacks);
    // With 50 % more keys than the capacity, the fill ratio shows that the FPR is too high.
    let more = "--capacity 20000 --fpr 0.01";
    judged(more, 30_000, 30_000, "0.011", "is above 1.1 %");
    judged(more, 30_000, 20_000, "0.011", "is above 1.1 %");
}

#[test]
fn what_cannot_be_judged_is_no_pass() {
    let folder = Folder::new();
    folder.file("keys.txt", keys(100));
    folder.file("none.txt", "");
    let made = folder.run("build --quiet --fpr 0.01 -o seen.bouquet keys.txt");
    assert!(made.status.success(), "{}", stderr(&made));
    let whole = folder.bytes("seen.bouquet");
    folder.file("cut.bouquet", &whole[..whole.len() - 1]);
    for (args, words) in [
        ("none.bouquet --keys keys.txt", "none.bouquet"),
        ("cut.bouquet --keys keys.txt", "cut.bouquet"),
        ("keys.txt --keys keys.txt", "keys.txt"),
        ("seen.bouquet --keys none.txt", "there are no keys"),
        ("seen.bouquet --keys nowhere", "nowhere"),
        ("seen.bouquet --fail-above-fpr 2", "between 0 and 1"),
    ] {
        let output = folder.run(&format!("inspect {args}"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args}: {said}");
        assert!(said.contains(words), "{args}: {said}");
    }
}
