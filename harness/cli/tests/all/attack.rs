//! `bouquet attack`, the real program.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

fn attack(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("attack")
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn public_seeds_fall_and_the_keyed_hash_withstands() {
    let out = std::env::temp_dir().join(format!("bouquet-attack-{}", std::process::id()));
    let _ = fs::remove_dir_all(&out);
    let folder = out.to_str().unwrap();
    let output = attack(&["--quick", "--format", "json", "--out", folder]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.starts_with("seed 1"), "{errors}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "pass");
    let rows = answer["rows"].as_array().unwrap();
    for row in rows {
        let keyed = row["hashing"] == "sip-keyed";
        let want = if keyed { "withstands" } else { "broken" };
        assert_eq!(row["outcome"], want, "{row}");
        for figure in ["rate", "trials_per_key", "measured_fpr"] {
            let number = |name: String| row[name.as_str()].as_f64();
            let [low, high] = ["low", "high"].map(|end| number(format!("{figure}_{end}")));
            let value = number(figure.to_string());
            assert!(low <= value && value <= high, "{figure} of {row}");
            assert_eq!(low.is_some(), value.is_some(), "{figure} of {row}");
        }
    }
    for attack in ["pollution", "forged-positives", "collision", "deletion"] {
        assert!(rows.iter().any(|row| row["attack"] == attack), "{attack}");
    }
    let records = fs::read_to_string(out.join("records/attack.csv")).unwrap();
    assert_eq!(records.lines().count(), rows.len() + 1);
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("How to misread it"), "{page}");
    let first =
        "# The default hash is not made for keys that an adversary chooses, the keyed one is. ";
    let readme = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(readme.starts_with(&format!("{first}✓ Pass: ")), "{readme}");
    says_which_hash_to_take(rows, &fs::read_to_string(out.join("README.md")).unwrap());
    // Shares in percent with their spread, and a bound where none succeeded.
    for figure in [" % (sd ", "&lt; 31.3 % (95 %)"] {
        assert!(page.contains(figure), "{figure}: {page}");
    }
    rebuilds_to_the_same(&out);
    reads_a_run_that_recorded_more(&out);
    fs::remove_dir_all(out).unwrap();
}

/// Of the files of records alone.
fn rebuilds_to_the_same(report: &Path) {
    let again = report.with_extension("again");
    let _ = fs::remove_dir_all(&again);
    let records = report.join("records");
    let names = ["attack.csv", "experiments.csv", "run.csv"];
    let files = names.map(|name| records.join(name));
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("report")
        .args(files)
        .arg("--out")
        .arg(&again)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    for name in ["README.md", "index.html", "machine.txt"] {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert_eq!(read(report), read(&again), "{name}");
    }
    fs::remove_dir_all(again).unwrap();
}

/// Runs once wrote a pollution step by step too.
fn reads_a_run_that_recorded_more(report: &Path) {
    let records = report.join("records");
    fs::write(records.join("pollution.csv"), "experiment\nattack\n").unwrap();
    let run = fs::read_to_string(records.join("run.csv")).unwrap();
    let more = run.replace("experiments.csv 1", "experiments.csv 1, pollution.csv 1");
    assert_ne!(run, more);
    fs::write(records.join("run.csv"), more).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("report")
        .arg(report)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(records.join("pollution.csv").exists());
}

type Row = BTreeMap<String, String>;

/// Whether so many successes are beyond chance, by Chernoff's bound of 1e-6 on the
/// binomial tail.
fn is_beyond_chance(row: &Row) -> bool {
    let number = |name: &str| row[name].parse::<f64>().unwrap();
    let (chosen, p) = (number("chosen"), number("random_key_rate"));
    let share = number("succeeded") / chosen;
    let part = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
    let apart = part(share, p) + part(1.0 - share, 1.0 - p);
    chosen > 0.0 && share > p && -chosen * apart < 1e-6_f64.ln()
}

/// What the counts of the rows come to.
fn counted(rows: &[Row]) -> &'static str {
    let keyed: Vec<_> = rows
        .iter()
        .filter(|row| row["hashing"] == "sip-keyed")
        .collect();
    let public: Vec<_> = rows.iter().filter(|row| row["knows"] == "all").collect();
    let is_done = |row: &&Row| row["chosen"] != "0";
    if keyed.iter().any(|row| is_beyond_chance(row)) {
        "chosen keys do better than chance against the keyed hash"
    } else if public
        .iter()
        .any(|row| is_done(row) && !is_beyond_chance(row))
    {
        "an attack fails against a public seed too, so it shows nothing"
    } else if !keyed.iter().chain(&public).all(is_done) {
        "the trials ended before something was shown; give more with --trials"
    } else {
        "with the keyed hash chosen keys do no better than chance, and every hash without a key was \
         attacked"
    }
}

#[test]
fn the_conclusion_is_that_of_the_records() {
    let out = std::env::temp_dir().join(format!("bouquet-concluded-{}", std::process::id()));
    let _ = fs::remove_dir_all(&out);
    let done = attack(&["--quick", "--quiet", "--out", out.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(0));
    let file = out.join("records/attack.csv");
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let columns = reader.headers().unwrap().clone();
    let rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
    // Of one row: how many of the chosen succeed, and what is recorded of it.
    let cases = [
        ("", "", "", "pass: "),
        ("sip-keyed", "all", "broken", "fail: "),
        ("xxh3", "none", "withstands", "void: "),
        ("xxh3", "none chosen", "budget-spent", "inconclusive: "),
    ];
    for (hashing, succeed, outcome, word) in cases {
        let mut changed = rows.clone();
        if let Some(row) = changed.iter_mut().find(|row| row["hashing"] == hashing) {
            if succeed == "none chosen" {
                row.insert("chosen".into(), "0".into());
            }
            let all = row["chosen"].clone();
            let succeeded = if succeed == "all" { all } else { "0".into() };
            row.insert("succeeded".into(), succeeded);
            row.insert("outcome".into(), outcome.into());
        }
        let mut writer = csv::Writer::from_path(&file).unwrap();
        writer.write_record(&columns).unwrap();
        for row in &changed {
            writer
                .write_record(columns.iter().map(|name| &row[name]))
                .unwrap();
        }
        writer.flush().unwrap();
        let again = Command::new(env!("CARGO_BIN_EXE_bouquet"))
            .args(["report", out.to_str().unwrap()])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&again.stderr);
        let page = fs::read_to_string(out.join("README.md")).unwrap();
        let sentence = counted(&changed);
        let title = page.lines().next().unwrap().to_lowercase();
        assert!(
            title.contains(match word {
                "void: " => "invalid run",
                word => word.trim_end_matches(": "),
            }),
            "{word}: {title}"
        );
        // For whom the default hash is not comes first, whatever came out.
        let first = "# the default hash is not made for keys that an adversary chooses";
        let rest = title.strip_prefix(first).unwrap();
        assert_eq!(rest.starts_with(", the keyed one is. "), word == "pass: ");
        assert!(
            page.contains(sentence),
            "{word}: {sentence}: {title}, {errors}"
        );
    }
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_seed_repeats_a_run_and_another_does_not() {
    let run = |seed| {
        let args = ["--quick", "--quiet", "--format", "csv", "--seed", seed];
        let output = attack(&args);
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty());
        output.stdout
    };
    let two = run("2");
    assert_eq!(two, run("2"));
    assert_ne!(two, run("3"));
}

#[test]
fn too_few_trials_are_inconclusive_and_no_error() {
    let output = attack(&["--quick", "--trials", "50"]);
    assert_eq!(output.status.code(), Some(0));
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.starts_with("? Inconclusive: "), "{table}");
    assert!(table.contains("budget-spent"), "{table}");
    let strict = attack(&["--quick", "--trials", "50", "--strict"]);
    assert_eq!(strict.status.code(), Some(3));
}

#[test]
fn wrong_usage_is_rejected_and_says_why() {
    for (args, why) in [
        (&["--seed", "x"][..], "invalid value 'x'"),
        (&["--trials", "-1"], "-1 is below 0"),
        (&["--quick", "--full"], "cannot be used with"),
        (&["--format", "yaml"], "invalid value 'yaml'"),
        (&["--out", "/dev/null/report"], "cannot write to /dev/null"),
    ] {
        let output = attack(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(why), "{args:?}: {errors}");
    }
    let help = attack(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    let text = String::from_utf8_lossy(&help.stdout);
    for word in ["pollution", "Exit code", "--seed", "--trials", "--format"] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn people_get_a_table_an_attack() {
    let output = attack(&["--quick", "--quiet", "--trials", "50", "--format", "md"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for attack in ["pollution", "forged-positives", "collision", "deletion"] {
        assert!(
            text.contains(&format!("### {attack}\n\n| filter |")),
            "{text}"
        );
    }
}

fn says_which_hash_to_take(rows: &[Value], page: &str) {
    let (keyed, others): (Vec<&Value>, Vec<&Value>) =
        rows.iter().partition(|row| row["hashing"] == "sip-keyed");
    let having = |rows: &[&Value], outcome: &str| {
        let own = rows.iter().filter(|row| row["outcome"] == outcome);
        format!("{} of {} attacks", own.count(), rows.len())
    };
    let kept = having(&keyed, "withstands");
    let hostile = format!(
        "- If an adversary may choose keys, take **sip-keyed** ({kept} did no better than chance)."
    );
    let broken = having(&others, "broken");
    let usual = format!("without a secret key {broken} succeed, whatever the hash.");
    let list = page.split_once("## Which one to take\n\n").unwrap().1;
    let lines: Vec<&str> = list.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!((lines.len(), lines[0]), (3, &*hostile));
    let removals = keyed.iter().filter(|row| row["attack"] == "deletion");
    let (mut names, mut kept) = (Vec::new(), 0);
    for row in removals {
        assert_eq!(row["outcome"], "withstands");
        names.push(row["filter"].as_str().unwrap());
        kept += 1;
    }
    names.sort_unstable();
    names.dedup();
    let deletes = format!(
        "- If you must delete keys that an adversary may choose, take **{}** with sip-keyed ({kept} \
         of {kept} attacks by removals did no better than chance).",
        names.join(" and ")
    );
    assert_eq!(lines[1], deletes);
    assert!(lines[2].contains(&usual), "{lines:?}");
    // It comes before any row; how many succeeded of each attack before each of them.
    assert!(page.find(&hostile) < page.find("| Attack |"), "{page}");
    for attack in ["collision", "deletion", "forged-positives", "pollution"] {
        let of = |rows: &[&Value]| {
            let own = rows.iter().filter(|row| row["attack"] == attack);
            let broken = own.clone().filter(|row| row["outcome"] == "broken");
            match own.count() {
                0 => "–".to_owned(),
                all => format!("{} of {all}", broken.count()),
            }
        };
        let line = format!("| {attack} | {} | {} |", of(&others), of(&keyed));
        assert!(page.contains(&line), "{line}: {page}");
    }
}
