//! `gate --file`: a file, judged by what it says of itself.

use crate::files::common::{Folder, stderr};

fn keys(count: u64) -> String {
    (0..count).map(|i| format!("key {i}\n")).collect()
}

/// The exit code and what is printed of a file built with these flags of the first keys,
/// for others.
fn judged(build: &str, built: u64, asked: u64) -> (Option<i32>, String) {
    let folder = Folder::new("promise");
    folder.write("built.txt", keys(built));
    folder.write("asked.txt", keys(asked));
    let made = folder.run(&format!("build --quiet -o seen.bouquet {build} built.txt"));
    assert!(made.status.success(), "{}", stderr(&made));
    let output = folder.run("gate --file seen.bouquet --keys asked.txt");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[test]
fn a_file_is_judged_by_its_header_and_its_keys() {
    for build in [
        "--fpr 0.01",
        "--filter blocked --fpr 0.001",
        "--filter scalable",
        "--to redisbloom",
    ] {
        let (code, printed) = judged(build, 20_000, 20_000);
        assert_eq!(code, Some(0), "{build}: {printed}");
        assert_eq!(printed.matches("pass").count(), 3, "{build}: {printed}");
    }
    // Keys that are not in it.
    let (code, printed) = judged("--fpr 0.01", 20_000, 20_001);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains("fail  false negatives for 1 of 20,001 keys"),
        "{printed}"
    );
    // Half as many again: too many, and an FPR of some 6 %.
    let (code, printed) = judged("--capacity 20000 --fpr 0.01", 30_000, 30_000);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains("fail  30,000 different keys, sized for 20,000"),
        "{printed}"
    );
    assert!(
        printed.contains("absent keys are reported as present"),
        "{printed}"
    );
    assert_eq!(printed.matches("fail").count(), 2, "{printed}");
    // Of them only those are listed that it was sized for: its bits show it.
    let (code, printed) = judged("--capacity 20000 --fpr 0.01", 30_000, 20_000);
    assert_eq!(code, Some(1), "{printed}");
    assert_eq!(printed.matches("fail").count(), 1, "{printed}");
}

#[test]
fn what_cannot_be_judged_is_no_pass() {
    let folder = Folder::new("promise-odd");
    folder.write("keys.txt", keys(100));
    folder.write("none.txt", "");
    for (args, words) in [
        ("gate --file none.bouquet --keys keys.txt", "none.bouquet"),
        ("gate --file keys.txt --keys keys.txt", "keys.txt"),
        ("gate --file seen.go", "--keys"),
        ("gate --keys keys.txt", "--file"),
        ("gate --file seen.go --keys keys.txt", "does not say"),
        (
            "gate --file seen.bouquet --keys none.txt",
            "there are no keys",
        ),
        (
            "gate --file seen.go --keys keys.txt --define x.toml",
            "cannot be used with",
        ),
    ] {
        for to in ["--to go -o seen.go", "--fpr 0.01 -o seen.bouquet"] {
            let made = folder.run(&format!("build --quiet {to} keys.txt"));
            assert!(made.status.success(), "{}", stderr(&made));
        }
        let output = folder.run(args);
        assert_eq!(output.status.code(), Some(2), "{args}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(words),
            "{args}: {}",
            stderr(&output)
        );
    }
}
