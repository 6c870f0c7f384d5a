//! `bouquet evaluate` and `bouquet report` on valid and invalid input.

mod ended;
mod records;

use super::support::{Folder, TINY, bouquet, good, rejects, stderr, stdout};

#[test]
fn the_rows_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let define = folder.file("tiny.toml", TINY);
    let rows = |jobs: &str| {
        let out = folder.path(jobs);
        good(&format!(
            "evaluate --define {define} --out {out} --jobs {jobs}"
        ));
        folder.read(&format!("{jobs}/records/observations.csv"))
    };
    assert_eq!(rows("1"), rows("3"));
}

#[test]
fn own_keys_are_judged_whatever_they_look_like() {
    let folder = Folder::new();
    let keys: String = (0..3_000).map(|i| format!("key {i}\n")).collect();
    let odd = b"\xff\xfe not UTF-8\n\nkey 1\nkey 2\nthe last has no end";
    folder.file("keys.txt", [keys.as_bytes(), odd].concat());
    folder.file("crlf.txt", "a\r\nb\r\nc\r\n");
    let define = folder.file("tiny.toml", TINY);
    let run = |keys: &str| {
        let (keys, out) = (folder.path(keys), folder.path("report"));
        bouquet(&format!(
            "evaluate --define {define} --keys {keys} --datasets keys,uuid --out {out}"
        ))
    };
    assert_eq!(run("keys.txt").status.code(), Some(0));
    // 3,000 regular keys, one odd key, the empty key and the last one; two lines are duplicates.
    let about = folder.read("report/run.json");
    let counts = "\"keys\": 3003,\n      \"duplicates_dropped\": 2,";
    assert!(about.contains(counts), "{about}");
    // A key file that the user gives replaces the key sets of the definition.
    let rows = folder.read("report/records/observations.csv");
    assert!(rows.contains(",uuid,") && !rows.contains(",sequential,"));
    assert!(stderr(&run("crlf.txt")).contains("CR"));
}

#[test]
fn too_few_keys_to_tell_fail_nothing() {
    let folder = Folder::new();
    let define = folder.file("tiny.toml", TINY);
    let out = folder.path("report");
    for count in [1, 300] {
        let text: String = (0..count).map(|i| format!("key {i}\n")).collect();
        let keys = folder.file("keys.txt", text);
        let run = |more: &str| {
            good(&format!(
                "evaluate --keys {keys} --datasets keys --out {out} {more}"
            ))
        };
        let even = run("--quick --schemes default");
        assert!(even.starts_with("? Inconclusive"), "{count} keys: {even}");
        let strict = bouquet(&format!("report {out} --strict"));
        assert_eq!(strict.status.code(), Some(3));
        run(&format!("--define {define}"));
    }
    // All lines are equal, so each filter is sized for one key and has next to no false positives.
    let keys = folder.file("keys.txt", "the same key\n".repeat(1_000));
    good(&format!(
        "evaluate fpr-over-load --quick --filters blocked --keys {keys} --datasets keys --out {out}"
    ));
    let rows = folder.read("report/records/observations.csv");
    let mut rows = csv::Reader::from_reader(rows.as_bytes());
    let at = rows.headers().unwrap().iter();
    let at = at.clone().position(|name| name == "non_members").unwrap();
    let asked = rows
        .records()
        .map(|row| row.unwrap()[at].parse::<u64>().unwrap());
    assert!(asked.sum::<u64>() < 1_000_000);
}
