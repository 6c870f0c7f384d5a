//! The output of every command with `--format`, in all formats, compared with snapshots: other
//! programs rely on the keys in JSON and CSV.
//!
//! After an intended change, update the snapshots by
//! `BOUQUET_SNAPSHOTS=write cargo test -p bouquet-cli --test all snapshots::`.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use super::support::{Folder, root, run, stderr, stdout};

const FORMATS: [&str; 4] = ["table", "json", "csv", "md"];

/// A folder with a file of keys.
fn folder() -> Folder {
    let folder = Folder::new();
    let keys: String = (0..30_000).map(|i| format!("key {i}\n")).collect();
    folder.file("keys.txt", keys);
    folder
}

fn printed(folder: &Path, args: &str) -> String {
    let done = run(folder, args);
    let is_answered = matches!(done.status.code(), Some(0 | 1));
    assert!(is_answered, "{args}: {}", stderr(&done));
    // The path of the checkout is replaced, since it differs between machines.
    stdout(&done).replace(root().to_str().unwrap(), "CHECKOUT")
}

/// The output in all formats, each under a heading.
fn formats(folder: &Path, args: &str) -> String {
    let output = |format| printed(folder, &format!("{args} --format {format}"));
    let of = |format| format!("=== {format}\n{}", output(format));
    FORMATS.map(of).concat()
}

/// Asserts that the text equals the snapshot, or updates the snapshot if that is requested.
fn is_as_it_was(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/snapshots")
        .join(format!("{name}.txt"));
    if std::env::var_os("BOUQUET_SNAPSHOTS").is_some_and(|value| value == "write") {
        fs::write(&path, text).unwrap();
    }
    let was = fs::read_to_string(&path).unwrap_or_default();
    for (at, (line, old)) in text.lines().zip(was.lines()).enumerate() {
        assert_eq!(line, old, "{name}, line {}", at + 1);
    }
    assert_eq!(text.lines().count(), was.lines().count(), "{name}");
    assert!(text == was, "{name}: the line ends are others");
}

/// The paths of all keys in a JSON value, without their contents.
fn keys(of: &Value, path: &str, all: &mut BTreeSet<String>) {
    match of {
        Value::Object(object) => {
            for (name, value) in object {
                let path = format!("{path}.{name}");
                all.insert(path.clone());
                keys(value, &path, all);
            }
        }
        Value::Array(array) => array.iter().for_each(|value| keys(value, path, all)),
        _ => {}
    }
}

fn json_keys(text: &str) -> String {
    let mut all = BTreeSet::new();
    keys(&serde_json::from_str(text).unwrap(), "", &mut all);
    all.into_iter().map(|key| key + "\n").collect()
}

#[test]
fn theory() {
    for (name, args) in [
        ("theory", "theory --capacity 1e6 --fpr 0.01"),
        (
            "theory-several",
            "theory --filter standard,blocked,cuckoo --capacity 1e3 --bits-per-key 8,12.5",
        ),
    ] {
        is_as_it_was(name, &formats(&root(), args));
    }
}

#[test]
fn recommend() {
    let args = "recommend --capacity 1e6 --fpr 0.01 --quiet";
    is_as_it_was("recommend", &formats(&root(), args));
}

#[test]
fn evaluate_and_compare() {
    let folder = folder();
    let args = "evaluate fpr-over-load --quick --filters standard,blocked --keys keys.txt \
                --datasets keys --quiet --format json";
    let json = printed(folder.root(), &format!("{args} --out one"));
    printed(folder.root(), &format!("{args} --seed 2 --out other"));
    let text = formats(folder.root(), "report one --out again");
    assert!(text.contains(&json));
    is_as_it_was("evaluate", &text);
    let text = formats(folder.root(), "compare one other --all");
    let lasts = |line: &&str| line.contains("duration_s") || line.contains("command");
    let kept = text.lines().filter(|line| !lasts(line));
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    is_as_it_was("compare", &kept);
}

#[test]
fn uniformity() {
    let folder = folder();
    printed(
        folder.root(),
        "evaluate uniformity --quick --schemes double-hashing --keys keys.txt --datasets keys --quiet \
         --out made",
    );
    is_as_it_was(
        "uniformity",
        &formats(folder.root(), "report made --out again"),
    );
}

#[test]
fn gate() {
    let folder = folder();
    folder.file(
        "gate.toml",
        "fpr = 0.01\nkeys = \"own\"\n[key_sets]\nown = \"keys.txt\"\n\
         [[filter]]\nfilter = \"blocked\"\ncapacity = 30_000\n",
    );
    let args = "gate --quick --tiny --define gate.toml --baseline base --tiers exact,statistical \
                --quiet --out made";
    printed(folder.root(), &format!("{args} --accept --reason first"));
    let text = ["table", "csv", "md"].map(|format| {
        let output = printed(folder.root(), &format!("{args} --format {format}"));
        format!("=== {format}\n{output}")
    });
    let json = json_keys(&printed(folder.root(), &format!("{args} --format json")));
    let own = |line: &&str| {
        let revisions = ["revision", "command", "CPU", "`bouquet"];
        !revisions.iter().any(|word| line.contains(word))
    };
    let text = text.concat();
    let kept = text.lines().filter(own);
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    is_as_it_was("gate", &format!("{kept}=== json\n{json}"));
}

/// Times vary, so only the keys are compared.
#[test]
fn speed() {
    let folder = folder();
    printed(
        folder.root(),
        "speed --tiny --filters standard --quiet --out made",
    );
    let json = printed(folder.root(), "report made --out again --format json");
    let csv = printed(folder.root(), "report made --out again --format csv");
    let head = csv.lines().next().unwrap_or_default();
    let text = format!("=== json\n{}=== csv\n{head}\n", json_keys(&json));
    is_as_it_was("speed", &text);
}

#[test]
fn inspect() {
    let folder = folder();
    for (name, flags) in [
        ("plain", "--capacity 30000"),
        ("counted", "--capacity 40000 --filter counting"),
        ("full", "--capacity 5000 --to redisbloom"),
    ] {
        printed(
            folder.root(),
            &format!("build {flags} --quiet -o {name} keys.txt"),
        );
    }
    is_as_it_was(
        "inspect",
        &formats(folder.root(), "inspect plain counted full"),
    );
}
