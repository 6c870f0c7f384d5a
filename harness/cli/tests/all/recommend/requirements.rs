//! How one asks and what one is given: flags and files, caches, formats, reports.

use super::*;

#[test]
fn requirements_that_contradict_each_other_are_rejected() {
    rejected(
        "--capacity 1e6 --key-kind url --integers-below 1e7",
        &["--integers-below", "--key-kind"],
    );
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("workload.toml");
    fs::write(
        &path,
        "capacity = 1e6\nmemory = \"2MiB\"\nbits-per-key = 9\n",
    )
    .unwrap();
    rejected(&format!("--workload {}", path.display()), &["bits-per-key"]);
    let keys = folder.path().join("keys.txt");
    fs::write(&keys, "5\n9\n17\n").unwrap();
    rejected(
        &format!("--keys {} --integers-below 17", keys.display()),
        &["17", "--integers-below"],
    );
    rejected(
        &format!("--keys {} --key-kind url", keys.display()),
        &["--keys", "--key-kind"],
    );
    // The number of keys that was said goes before those that are given.
    fs::write(&keys, "a\nb\n").unwrap();
    fs::write(
        &path,
        format!("capacity = 1e9\nkeys = {:?}\n", keys.display().to_string()),
    )
    .unwrap();
    let answer = json(&format!("--workload {} --fpr 0.01", path.display()));
    assert_eq!(answer["capacity"], 1_000_000_000);
}

#[test]
fn what_threads_share_may_grow_and_remove_keys() {
    for (requirements, able) in [
        (
            "--threads 4 --growth unknown",
            &["scalable-in-shards", "hash-set"][..],
        ),
        (
            "--threads 4 --deletes",
            &["cuckoo-in-shards", "sharded-counting", "hash-set"],
        ),
        ("--growth unknown --deletes", &["hash-set"]),
        (
            "--growth unknown --deletes --threads 4 --persist --shared --hostile",
            &["hash-set"],
        ),
    ] {
        let answer = json(&format!("--capacity 1e6 {requirements}"));
        let possible = rows(&answer)
            .iter()
            .filter(|row| row["outcome"] != "rejected");
        let mut names: Vec<&str> = possible
            .filter_map(|row| row["candidate"].as_str())
            .collect();
        names.retain(|name| *name != "none");
        names.sort_unstable();
        let mut able = able.to_vec();
        able.sort_unstable();
        assert_eq!(names, able, "{requirements}");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_warned_of() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = recommend("--capacity 1000 --fpr 0.01 --tiny", Some(&file));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("warning"), "{}", stderr(&output));
    assert!(!output.stdout.is_empty());
}

#[test]
fn a_workload_in_toml_is_read_and_flags_go_before_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("workload.toml");
    fs::write(
        &path,
        "capacity = 5e4\nfpr = 0.001\ndeletes = true\nwork-cost = \"3us\"\n",
    )
    .unwrap();
    let answer = json(&format!("--workload {} --capacity 70000", path.display()));
    assert_eq!(
        (&answer["capacity"], &answer["work_cost_ns"]),
        (&70_000.into(), &3e3.into())
    );
    let choice = answer["choice"].as_str().unwrap().to_owned();
    assert!(
        ["cuckoo", "counting", "hash-set"].contains(&choice.as_str()),
        "{choice}"
    );
    assert_eq!(row(&answer, "standard")["outcome"], "rejected");
    let same = json(&format!("--workload {} --deletes=false", path.display()));
    assert_ne!(row(&same, "standard")["outcome"], "rejected");
    fs::write(&path, "capacty = 5\n").unwrap();
    rejected(&format!("--workload {}", path.display()), &["capacty"]);
}

#[test]
fn a_report_has_its_chart_and_its_records() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("report");
    said(&format!(
        "--capacity 1e5 --fpr 0.01 --quiet --out {}",
        out.display()
    ));
    let svg = fs::read_to_string(out.join("charts/cost-over-work-cost.svg")).unwrap();
    assert!(svg.contains("role=\"img\"") && svg.contains("<title"));
    for file in [
        "README.md",
        "index.html",
        "records/candidates.csv",
        "records/lines.csv",
    ] {
        assert!(out.join(file).exists(), "{file}");
    }
    assert!(
        fs::read_to_string(out.join("README.md"))
            .unwrap()
            .contains("Rejected")
    );
    fs::write(out.join("letter"), "dear").unwrap();
    rejected(
        &format!("--capacity 1e5 --out {}", out.display()),
        &["letter"],
    );
}

#[test]
fn formats_say_the_same() {
    let args = "--capacity 1e5 --fpr 0.01";
    let choice = json(args)["choice"].as_str().unwrap().to_owned();
    let csv = said(&format!("{args} --format csv"));
    assert_eq!(csv.lines().count(), 1 + 20);
    let chosen = csv.lines().find(|line| line.contains(",choice,")).unwrap();
    assert!(chosen.starts_with(&choice), "{chosen}");
    assert!(said(&format!("{args} --format md")).contains(&format!("Take {choice}")));
}

#[test]
fn times_are_measured_once_and_kept() {
    let folder = TempDir::new().unwrap();
    let run = |more: &str| {
        let args = format!("--capacity 1e6 --fpr 0.01 --tiny --format json {more}");
        let output = recommend(&args, Some(folder.path()));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (
            stderr(&output),
            answer["times"].as_str().unwrap().to_owned(),
        )
    };
    let (err, first) = run("");
    assert!(err.contains("measuring with 300 keys"), "{err}");
    assert!(
        first.contains("measured now") && first.contains("for 1000000 they are scaled"),
        "{first}"
    );
    let kept: Vec<_> = fs::read_dir(folder.path().join("bouquet"))
        .unwrap()
        .collect();
    assert_eq!(kept.len(), 1);
    let (err, again) = run("");
    assert!(!err.contains("measuring"), "{err}");
    assert!(again.contains("earlier run"), "{again}");
    assert!(run("--measure-again").1.contains("measured now"));
    // A file that is none is measured again.
    let path = fs::read_dir(folder.path().join("bouquet"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    fs::write(path.path(), "no,times\n1,2\n").unwrap();
    assert!(run("").1.contains("measured now"));
}

#[test]
fn the_users_own_keys_are_measured_with() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("keys.txt");
    let run = |text: String| -> Value {
        fs::write(&path, text).unwrap();
        let args = format!(
            "--keys {} --fpr 0.01 --tiny --quiet --format json",
            path.display()
        );
        let output = recommend(&args, Some(folder.path()));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let urls = run((0..250)
        .map(|i| format!("https://example.org/{i}\n"))
        .collect());
    assert_eq!(urls["capacity"], 250);
    assert!(
        row(&urls, "bitmap")["reasons"]
            .as_str()
            .unwrap()
            .contains("integers")
    );
    let integers = run((0..250).map(|i| format!("{}\n", 3 * i)).collect());
    let bitmap = row(&integers, "bitmap");
    assert_ne!(bitmap["outcome"], "rejected", "{bitmap}");
    // Bits up to the largest key, 747, in whole words.
    assert_eq!(bitmap["memory_bytes"], 96.0);
}

/// Blocked filters are rejected for so few keys at so low a target.
#[test]
fn what_is_rejected_at_low_targets_is_not_measured_there() {
    let folder = TempDir::new().unwrap();
    for asked in [
        "--fpr 1e-9",
        "--fpr 1e-12",
        "--memory 1MB",
        "--fpr-at-most 1e-7 --memory 1MB",
    ] {
        let args = format!("--capacity 1000 {asked} --tiny --quiet --format json");
        let output = recommend(&args, Some(folder.path()));
        assert_eq!(
            output.status.code(),
            Some(0),
            "{asked}: {}",
            stderr(&output)
        );
    }
}
