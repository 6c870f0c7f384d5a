//! How one asks and what one is given: flags and files, formats, keys.

use super::*;

#[test]
fn requirements_that_contradict_each_other_are_rejected() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("workload.toml");
    fs::write(&path, "integers-below = 1e7\n").unwrap();
    rejected(
        &format!(
            "--use-case {} --capacity 1e6 --key-kind url",
            path.display()
        ),
        &["integers-below", "--key-kind"],
    );
    fs::write(
        &path,
        "capacity = 1e6\nmemory = \"2MiB\"\nbits-per-key = 9\n",
    )
    .unwrap();
    rejected(&format!("--use-case {}", path.display()), &["bits-per-key"]);
    let keys = folder.path().join("keys.txt");
    fs::write(&keys, "5\n9\n17\n").unwrap();
    fs::write(&path, "integers-below = 17\n").unwrap();
    rejected(
        &format!("--keys {} --use-case {}", keys.display(), path.display()),
        &["17", "integers-below"],
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
    let answer = json(&format!("--use-case {} --fpr 0.01", path.display()));
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
fn a_workload_in_toml_is_read_and_flags_go_before_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("workload.toml");
    fs::write(
        &path,
        "capacity = 5e4\nfpr = 0.001\ndeletes = true\nwork-cost = \"3us\"\n",
    )
    .unwrap();
    let answer = json(&format!("--use-case {} --capacity 70000", path.display()));
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
    let same = json(&format!("--use-case {} --deletes=false", path.display()));
    assert_ne!(row(&same, "standard")["outcome"], "rejected");
    fs::write(&path, "capacty = 5\n").unwrap();
    rejected(&format!("--use-case {}", path.display()), &["capacty"]);
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
fn times_are_measured_when_asked_for() {
    let output = recommend("--capacity 1e6 --fpr 0.01 --measure --tiny --format json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("measuring with 300 keys"));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let times = answer["times"].as_str().unwrap();
    assert!(times.contains("measured now"), "{times}");
    assert!(times.contains("1,000,000 keys those of 300"), "{times}");
}

#[test]
fn the_users_own_keys_are_measured_with() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("keys.txt");
    let run = |text: String| -> Value {
        fs::write(&path, text).unwrap();
        let args = format!(
            "--keys {} --fpr 0.01 --measure --tiny --quiet",
            path.display()
        );
        json(&args)
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
    for asked in ["--fpr 1e-9", "--fpr 1e-12", "--memory 1MB"] {
        json(&format!("--capacity 1000 {asked} --measure --tiny --quiet"));
    }
}

#[test]
fn keys_that_cannot_be_measured_with_are_rejected() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("keys.txt");
    for (text, more, words) in [
        ("", "", "no key"),
        ("", "--measure --tiny", "no key"),
        ("one\n", "--measure --tiny", "one key"),
    ] {
        fs::write(&path, text).unwrap();
        rejected(&format!("--keys {} {more}", path.display()), &[words]);
    }
}
