//! `bouquet gate` as a program: what it must let pass, and what it must not.
#![allow(
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

#[path = "gate/accept.rs"]
mod accept;
#[path = "gate/load.rs"]
mod load;
#[path = "gate/ways.rs"]
mod ways;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use serde_json::{Value, json};

/// An empty project: a folder with nothing in it that is ours, removed at the
/// end. Commands run in it.
struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let path = std::env::temp_dir().join(format!("bouquet-gate-{name}-{id}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap()
    }

    /// A definition of one filter under the name `guarded`.
    fn define(&self, filter: &str) {
        self.write(
            "bouquet.toml",
            &format!(
                "[key_sets]\nids = {{ generator = \"ascii-id\" }}\n\n\
                 [[filter]]\nname = \"guarded\"\nfilter = \"{filter}\"\ncapacity = 20_000\n\
                 fpr = 0.01\nkeys = \"ids\"\n"
            ),
        );
    }

    fn gate(&self, more: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_bouquet"))
            .args(["gate", "--define", "bouquet.toml", "--baseline", "baseline"])
            .args(["--quick", "--quiet", "--out", "out"])
            .args(more)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    fn accept(&self, more: &[&str]) {
        let done = self.gate(&[&["--accept", "--reason", "a test"], more].concat());
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    }

    fn report(&self) -> Value {
        serde_json::from_str(&self.read("out/gate.json")).unwrap()
    }

    /// What failed: `tier: what`.
    fn failed(&self) -> Vec<String> {
        let report = self.report();
        let rows = report["rows"].as_array().unwrap().iter();
        let failed = rows.filter(|row| row["standing"] == "fail");
        failed
            .map(|row| format!("{}: {}", text(&row["tier"]), text(&row["what"])))
            .collect()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn said(done: &Output) -> String {
    let stdout = String::from_utf8_lossy(&done.stdout);
    format!("{stdout}{}", String::from_utf8_lossy(&done.stderr))
}

const WITHOUT_TIMES: [&str; 2] = ["--tiers", "exact,statistical"];

/// The baseline is of a sound filter; then one with a fault has its name.
fn fails(name: &str, fault: &str, tiers: &str) -> Vec<String> {
    fails_in(&Project::new(name), fault, tiers)
}

fn fails_in(project: &Project, fault: &str, tiers: &str) -> Vec<String> {
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    let sound = project.gate(&["--tiers", tiers, "--strict"]);
    assert_eq!(sound.status.code(), Some(0), "{}", said(&sound));
    project.define(fault);
    let done = project.gate(&["--tiers", tiers]);
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    assert!(said(&done).starts_with("Fail: "), "{}", said(&done));
    // The report is there all the same, in all its formats.
    for (file, words) in [
        ("summary.md", "### Fail: "),
        ("comment.md", "### Fail: "),
        ("junit.xml", "<failure"),
    ] {
        assert!(
            project.read(&format!("out/{file}")).contains(words),
            "{file}"
        );
    }
    project.failed()
}

/// The digests of all answers of a filter of ours, by each way in and out.
const ANSWERS: [&str; 6] = [
    "exact: answers",
    "exact: answers, inserted singly, asked in batches",
    "exact: answers, inserted in batches, asked singly",
    "exact: answers, inserted in batches, asked in batches",
    "exact: answers, inserted by extend, asked singly",
    "exact: answers, inserted by extend, asked in batches",
];
const AFTER_UNION: [&str; 2] = [
    "exact: answers after union",
    "exact: answers after union, inserted singly, asked in batches",
];

#[test]
fn one_probe_too_few_fails_the_exact_tier() {
    let failed = fails("probe-exact", "fault-probe-missing", "exact");
    assert_eq!(failed, [&ANSWERS[..], &AFTER_UNION].concat());
}

#[test]
fn one_probe_too_few_fails_the_statistical_tier() {
    let failed = fails("probe-rate", "fault-probe-missing", "statistical");
    assert_eq!(
        failed,
        [
            "statistical: FPR",
            "statistical: FPR given the bits",
            "statistical: mean FPR over seeds"
        ]
    );
}

#[test]
fn a_biased_hash_fails_both() {
    let failed = fails("hash", "fault-biased-hash", "exact,statistical");
    for row in [
        "exact: stored bytes",
        "exact: locations",
        "statistical: locations are even",
    ] {
        assert!(failed.iter().any(|f| f == row), "{row}: {failed:?}");
    }
}

#[test]
fn one_lost_key_fails() {
    let failed = fails("lost", "fault-lost-key", "exact");
    let lost = [
        "exact: false negatives",
        "exact: false negatives, asked in batches",
    ];
    assert_eq!(failed, [&ANSWERS[..], &AFTER_UNION, &lost].concat());
}

/// Its rates are as they were, but for the key.
#[test]
fn one_lost_key_fails_the_statistical_tier() {
    let project = Project::new("lost-rate");
    let failed = fails_in(&project, "fault-lost-key", "statistical");
    assert!(failed.iter().any(|f| f == "statistical: FPR"), "{failed:?}");
    let csv = project.read("out/summary.md");
    assert!(csv.contains("denies 1 of its keys"), "{csv}");
}

/// No member is denied by it.
#[test]
fn a_filter_that_reads_back_as_another_fails() {
    let failed = fails("reload", "fault-reads-back-full", "exact");
    assert_eq!(failed, ["exact: reload", "exact: reload in a life"]);
}

/// There is a report all the same, and no baseline.
#[test]
fn a_filter_that_cannot_be_made_fails_every_tier() {
    let project = Project::new("unmade");
    project.define("standard");
    project.accept(&["--tiny"]);
    project.define("fault-cannot-be-made");
    let sizes = "[memory]\nfilters = [\"fault-cannot-be-made\"]\ncapacities = [10]\nfprs = [0.1]\n";
    let definition = project.read("bouquet.toml") + sizes;
    project.write("bouquet.toml", &definition);
    let done = project.gate(&["--tiny"]);
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    let failed = project.failed();
    for row in [
        "exact: measurement",
        "exact: memory for 10 keys at 0.1",
        "statistical: FPR",
        "statistical: locations are even",
        "time: loop",
    ] {
        assert!(failed.iter().any(|f| f == row), "{row}: {failed:?}");
    }
    let accepted = project.gate(&["--tiny", "--accept", "--reason", "a test"]);
    assert_eq!(accepted.status.code(), Some(1), "{}", said(&accepted));
    assert!(said(&accepted).contains("no baseline was written"));
    assert!(
        !project
            .read("baseline/gate.json")
            .contains("cannot be made")
    );
}

#[test]
fn one_word_more_fails() {
    let failed = fails("word", "fault-one-word-more", "exact");
    assert_eq!(failed, ["exact: memory"]);
}

/// A machine may be too unquiet to tell, which is no failure: then again.
#[test]
fn a_slowed_lookup_fails_the_time_tier() {
    let project = Project::new("slow");
    for attempt in 0..5 {
        project.define("standard");
        project.accept(&["--tiers", "time", "--tiny"]);
        project.define("fault-slow-lookup");
        let done = project.gate(&["--tiers", "time", "--tiny"]);
        let failed = project.failed();
        if failed.is_empty() && attempt < 4 {
            continue;
        }
        assert_eq!(done.status.code(), Some(1), "{}", said(&done));
        assert!(failed.contains(&"time: hit".into()), "{failed:?}");
        assert!(!failed.contains(&"time: insert".into()), "{failed:?}");
        // Seen twice before it fails.
        let times = project.read("out/records/gate-times.csv");
        assert!(times.lines().any(|line| line.starts_with("guarded,hit,1,")));
        break;
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_debug_build_says_nothing_of_times() {
    let project = Project::new("debug");
    project.define("standard");
    project.accept(&[]);
    let done = project.gate(&[]);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    assert!(said(&done).contains("debug build"), "{}", said(&done));
    let strict = project.gate(&["--strict"]);
    assert_eq!(strict.status.code(), Some(3), "{}", said(&strict));
    assert_eq!(
        project.report()["verdict"]["tiers"][2]["standing"],
        "inconclusive"
    );
}

#[test]
fn a_baseline_has_a_reason_and_what_it_replaces() {
    let project = Project::new("accept");
    project.define("standard");
    let without = project.gate(&["--accept"]);
    assert_eq!(without.status.code(), Some(2), "{}", said(&without));
    let blank = project.gate(&["--accept", "--reason", "  "]);
    assert_eq!(blank.status.code(), Some(2), "{}", said(&blank));
    let none = project.gate(&WITHOUT_TIMES);
    assert_eq!(none.status.code(), Some(2), "{}", said(&none));
    assert!(said(&none).contains("--accept"), "{}", said(&none));

    project.accept(&WITHOUT_TIMES);
    project.define("partitioned");
    let changed = project.gate(&WITHOUT_TIMES);
    assert_eq!(changed.status.code(), Some(1), "{}", said(&changed));
    assert!(
        said(&changed).contains("configured otherwise"),
        "{}",
        said(&changed)
    );
    project.accept(&WITHOUT_TIMES);
    let again = project.gate(&[&WITHOUT_TIMES[..], &["--strict"]].concat());
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));

    let baseline: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
    assert_eq!(baseline["acceptance"]["reason"], "a test");
    let rows = baseline["rows"].as_array().unwrap();
    let bytes = rows
        .iter()
        .find(|row| row["what"] == "stored bytes")
        .unwrap();
    assert_ne!(bytes["value"]["sha256"], bytes["baseline"]["sha256"]);
    assert!(bytes["baseline"]["sha256"].is_string());
    assert!(project.read("baseline/README.md").contains("a test"));
}

/// The baseline with one row fewer.
fn without(project: &Project, tier: &str, what: &str) {
    let mut baseline: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
    let rows = baseline["rows"].as_array_mut().unwrap();
    let before = rows.len();
    rows.retain(|row| (text(&row["tier"]), text(&row["what"])) != (tier, what));
    assert_eq!(rows.len() + 1, before);
    project.write("baseline/gate.json", &baseline.to_string());
}

/// `.ci/run` and the workflow are strict where nothing depends on the machine.
#[test]
fn a_row_deleted_from_the_baseline_is_no_pass() {
    let project = Project::new("deleted");
    project.define("standard");
    for (tier, what) in [("exact", "stored bytes"), ("statistical", "FPR")] {
        // One that was edited is not replaced.
        let _ = fs::remove_dir_all(project.0.join("baseline"));
        project.accept(&WITHOUT_TIMES);
        without(&project, tier, what);
        let strict = project.gate(&[&WITHOUT_TIMES[..], &["--strict"]].concat());
        assert_eq!(strict.status.code(), Some(3), "{}", said(&strict));
        let lax = project.gate(&WITHOUT_TIMES);
        assert_eq!(lax.status.code(), Some(0), "{}", said(&lax));
    }
    let script = include_str!("../../../.ci/run");
    assert!(script.contains("gate --quick --tiers exact,statistical --strict"));
}

/// What another filter did says nothing of this one, though it has its name.
#[test]
fn a_baseline_keeps_no_figures_of_another_configuration() {
    let project = Project::new("kept");
    let rates = || {
        let baseline: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
        let rows = baseline["rows"].as_array().unwrap().iter();
        let rows = rows.filter(|row| row["tier"] == "statistical");
        let subjects: Vec<_> = rows.map(|row| text(&row["subject"]).to_owned()).collect();
        (baseline["run"].clone(), subjects)
    };
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    project.accept(&["--tiers", "exact", "--seed", "2"]);
    let (run, subjects) = rates();
    assert!(subjects.contains(&"guarded".to_owned()), "{subjects:?}");
    assert_eq!(
        (&run["seed"], &run["statistical_seed"]),
        (&json!("2"), &json!("1"))
    );
    project.define("partitioned");
    let changed = project.gate(&WITHOUT_TIMES);
    assert_eq!(changed.status.code(), Some(1), "{}", said(&changed));
    for tier in [0, 1] {
        let note = project.report()["verdict"]["tiers"][tier]["note"].clone();
        assert!(text(&note).contains("configured otherwise"), "{note}");
    }
    project.accept(&["--tiers", "exact"]);
    assert_eq!(rates().1, ["control truncated-16"]);
    let strict = project.gate(&[&WITHOUT_TIMES[..], &["--strict"]].concat());
    assert_eq!(strict.status.code(), Some(3), "{}", said(&strict));
}

#[test]
fn a_report_is_no_baseline_until_it_is_accepted() {
    let project = Project::new("report");
    let exact = ["--tiers", "exact"];
    project.define("standard");
    project.accept(&exact);
    let sound = project.read("baseline/gate.json");
    let refused = |done: Output, words: &str| {
        assert_eq!(done.status.code(), Some(2), "{}", said(&done));
        assert!(said(&done).contains(words), "{words}: {}", said(&done));
    };
    for place in ["baseline", "./baseline", "out/../baseline"] {
        fs::create_dir_all(project.0.join("out")).unwrap();
        let onto = Command::new(env!("CARGO_BIN_EXE_bouquet"))
            .args(["gate", "--define", "bouquet.toml", "--baseline", "baseline"])
            .args(["--out", place])
            .args(exact)
            .current_dir(&project.0)
            .output();
        refused(onto.unwrap(), "take the place of the baseline");
    }
    assert_eq!(project.read("baseline/gate.json"), sound);

    project.gate(&exact);
    project.write("baseline/gate.json", &project.read("out/gate.json"));
    refused(project.gate(&exact), "nobody accepted");
    let accept = ["--tiers", "exact", "--accept", "--reason", "a test"];
    refused(project.gate(&accept), "nobody accepted");

    // Where no baseline can be written nothing is measured for one.
    fs::remove_dir_all(project.0.join("out")).unwrap();
    project.write("baseline/gate.json", &sound);
    project.write("baseline/letter", "dear");
    refused(project.gate(&accept), "letter");
    assert!(!project.0.join("out").exists());
}

/// Whatever the reason.
#[test]
fn a_filter_that_loses_keys_is_no_baseline() {
    let project = Project::new("refuse");
    for fault in ["fault-lost-key", "fault-probe-missing", "fault-biased-hash"] {
        project.define(fault);
        let args = ["--accept", "--reason", "it is faster"];
        let done = project.gate(&[&args[..], &WITHOUT_TIMES].concat());
        assert_eq!(done.status.code(), Some(1), "{}", said(&done));
        assert!(!project.0.join("baseline").exists(), "{fault}");
    }
}

/// From nothing but a definition and a file of keys.
#[test]
fn an_empty_project_gates_its_own_filter_on_its_own_keys() {
    let project = Project::new("own");
    let keys = |from: u32| -> String {
        let lines = (from..from + 6_000).map(|i| format!("https://example.org/{i}\n"));
        lines.collect()
    };
    project.write("urls.txt", &keys(0));
    let definition = |fpr: f64| {
        project.write(
            "bouquet.toml",
            &format!(
                "keys = \"urls\"\n[key_sets]\nurls = \"urls.txt\"\n[[filter]]\n\
                 name = \"seen\"\nfilter = \"blocked\"\ncapacity = 50_000\nfpr = {fpr}\n"
            ),
        );
    };
    definition(0.01);
    project.accept(&WITHOUT_TIMES);
    let same = project.gate(&[&WITHOUT_TIMES[..], &["--strict"]].concat());
    assert_eq!(same.status.code(), Some(0), "{}", said(&same));

    definition(0.02);
    let resized = project.gate(&WITHOUT_TIMES);
    assert_eq!(resized.status.code(), Some(1), "{}", said(&resized));

    definition(0.01);
    project.write("urls.txt", &keys(1));
    let other_keys = project.gate(&WITHOUT_TIMES);
    assert_eq!(other_keys.status.code(), Some(1), "{}", said(&other_keys));
    let words = "the keys of urls are others";
    assert!(said(&other_keys).contains(words), "{}", said(&other_keys));
}

#[test]
fn what_the_baseline_lacks_is_open_and_what_it_alone_has_fails() {
    let project = Project::new("rows");
    let both = "keys = \"k\"\ncapacity = 2_000\nfpr = 0.01\n\
                [key_sets]\nk = { generator = \"uuid\" }\n\
                [[filter]]\nfilter = \"standard\"\n[[filter]]\nfilter = \"counting\"\n";
    let one = both.replace("[[filter]]\nfilter = \"counting\"\n", "");
    let exact = ["--tiers", "exact"];
    project.write("bouquet.toml", &one);
    project.accept(&exact);
    project.write("bouquet.toml", both);
    let more = project.gate(&[&exact[..], &["--strict"]].concat());
    assert_eq!(more.status.code(), Some(3), "{}", said(&more));
    project.accept(&exact);
    project.write("bouquet.toml", &one);
    let fewer = project.gate(&exact);
    assert_eq!(fewer.status.code(), Some(1), "{}", said(&fewer));
    project.write("bouquet.toml", both);
    let narrowed = project.gate(&["--tiers", "exact", "--filters", "standard", "--strict"]);
    assert_eq!(narrowed.status.code(), Some(0), "{}", said(&narrowed));
}

#[test]
fn wrong_input_is_told_apart() {
    let project = Project::new("wrong");
    let told = |definition: &str, words: &str| {
        project.write("bouquet.toml", definition);
        let done = project.gate(&["--accept", "--reason", "a test"]);
        assert_eq!(done.status.code(), Some(2), "{}", said(&done));
        assert!(said(&done).contains(words), "{words}: {}", said(&done));
    };
    let sound = "[key_sets]\nk = { generator = \"uuid\" }\n[[filter]]\nfilter = \"standard\"\n\
                 capacity = 10\nfpr = 0.1\nkeys = \"k\"\n";
    told("capacity = 1", "no [[filter]]");
    told(&sound.replace("standard", "stanard"), "there are standard");
    told(&sound.replace("\"k\"", "\"l\""), "no set called");
    told(&sound.replace("fpr = 0.1", "fpr = 1.5"), "between 0 and 1");
    let no_bits = sound.replace("fpr = 0.1", "bits_per_key = -1.0");
    told(&no_bits, "there are no -1 bits_per_key");
    for name in ["reference", "control truncated-16"] {
        let named = sound.replace("capacity", &format!("name = \"{name}\"\ncapacity"));
        told(&named, "a control has this name");
    }
    told(&sound.replace("fpr = 0.1", ""), "give fpr or bits_per_key");
    told(&sound.replace("capacity = 10", ""), "give a capacity");
    told(&sound.replace("uuid", "guid"), "no generator");
    told(
        &sound.replace("{ generator = \"uuid\" }", "\"none.txt\""),
        "none.txt",
    );
    told(
        &format!("{sound}{}", &sound[sound.find("[[").unwrap()..]),
        "two filters",
    );
    project.write("bouquet.toml", sound);
    project.accept(&["--tiers", "exact"]);
    let version = project
        .read("baseline/gate.json")
        .replace("\"schema_version\": 2", "\"schema_version\": 9");
    project.write("baseline/gate.json", &version);
    let other = project.gate(&["--tiers", "exact"]);
    assert_eq!(other.status.code(), Some(2), "{}", said(&other));
    assert!(said(&other).contains("version 2"), "{}", said(&other));
}

/// The schema that is published, by a validator that is not ours.
struct Schema {
    schemas: boon::Schemas,
    index: boon::SchemaIndex,
}

impl Schema {
    fn published() -> Self {
        let text = include_str!("../../../docs/gate.schema.json");
        let mut compiler = boon::Compiler::new();
        let place = "https://bouquet.invalid/gate.schema.json";
        compiler
            .add_resource(place, serde_json::from_str(text).unwrap())
            .unwrap();
        let mut schemas = boon::Schemas::new();
        let index = compiler.compile(place, &mut schemas).unwrap();
        Self { schemas, index }
    }

    fn complaint(&self, document: &Value) -> Option<String> {
        let done = self.schemas.validate(document, self.index);
        done.err().map(|error| format!("{error:#}"))
    }
}

#[test]
fn documents_are_what_the_schema_says() {
    let project = Project::new("schema");
    let schema = Schema::published();
    project.define("standard");
    project.accept(&["--tiny"]);
    let valid = |file: &str| {
        let document: Value = serde_json::from_str(&project.read(file)).unwrap();
        assert_eq!(schema.complaint(&document), None, "{file}");
        document
    };
    valid("baseline/gate.json");
    // An unquiet machine gives the baseline no times; the report has them all the same.
    let report = valid("out/gate.json");
    let rows = report["rows"].as_array().unwrap();
    let batches = rows.iter().find(|row| row["what"] == "hit in batches");
    // What is timed is not what is configured, and says so.
    let setting = "ratio to the reference, for 4,096 keys of 59 bytes of the program's own";
    assert_eq!(batches.unwrap()["setting"], setting);
    project.define("fault-lost-key");
    project.gate(&["--tiny", "--seed", "2"]);
    let failed = valid("out/gate.json");
    // The schema says no to what is wrong, or its yes says nothing.
    let broken = |at: &str, value: Value| {
        let mut document = failed.clone();
        *document.pointer_mut(at).unwrap() = value;
        assert!(schema.complaint(&document).is_some(), "{at}");
    };
    broken("/schema_version", json!(1));
    broken("/verdict/standing", json!("fine"));
    broken(
        "/rows/0/value",
        json!({"kind": "count", "count": -1, "unit": "bytes"}),
    );
    broken("/rows/0/tier", json!(null));
    broken("/run/seed", json!(1));
    broken("/keys/0/sha256", json!("abc"));
    broken("/rows/0", json!({}));
}

#[test]
fn formats_of_the_report() {
    let project = Project::new("formats");
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    project.define("fault-one-word-more");
    for (format, begins) in [
        ("json", "{\n  \"$schema\""),
        ("csv", "tier,subject,"),
        ("md", "### Fail: "),
        ("table", "Fail: "),
    ] {
        let done = project.gate(&["--tiers", "exact", "--format", format]);
        assert!(said(&done).starts_with(begins), "{format}: {}", said(&done));
    }
    // Verdict first, changed rows only, the rest folded.
    let page = project.read("out/summary.md");
    let (shown, folded) = page.split_once("<details>").unwrap();
    assert!(shown.contains("8 bytes more"), "{page}");
    assert!(
        !shown.contains("stored bytes") && folded.contains("stored bytes"),
        "{page}"
    );
    let entries: Value = serde_json::from_str(&project.read("out/benchmark.json")).unwrap();
    let first = &entries.as_array().unwrap()[1];
    assert_eq!(first["name"], "guarded: memory");
    assert_eq!(first["unit"], "bytes");
    assert!(first["value"].is_u64());
}

/// The script of a step of the workflow, by the step's name.
fn script(step: &str) -> String {
    let workflow = include_str!("../../../.github/workflows/gate.yml");
    let name = format!("      - name: {step}");
    let own = workflow.lines().skip_while(|line| **line != name).skip(1);
    let own = own.take_while(|line| !line.starts_with("      - "));
    let lines = own.skip_while(|line| line.trim() != "run: |").skip(1);
    let lines = lines.take_while(|line| line.starts_with("          "));
    let script: String = lines.map(|line| format!("{}\n", &line[10..])).collect();
    assert!(!script.is_empty(), "{step}");
    script
}

/// As a runner runs a step: in a folder, with variables.
fn step(project: &Project, name: &str, variables: &[(&str, &str)]) -> Output {
    let place = |name: &str| project.0.join(name).display().to_string();
    Command::new("bash")
        .args(["-e", "-c", &script(name)])
        .env("HOME", place("home"))
        .env("OUT", place("reports"))
        .env("GITHUB_STEP_SUMMARY", place("summary"))
        .envs(variables.iter().copied())
        .current_dir(&project.0)
        .output()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn the_workflow_gates_and_tells_the_gravest() {
    let project = Project::new("workflow");
    let bin = project.0.join("home/.cache/bouquet/program/bin");
    fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bouquet"), bin.join("bouquet")).unwrap();
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    let run = |times: &str| {
        let variables = [
            ("DEFINE", "bouquet.toml"),
            ("BASELINE", "baseline"),
            ("TIMES", times),
            ("STRICT", "false"),
        ];
        let done = step(&project, "gate", &variables);
        (done.status.code(), said(&done))
    };
    // Times that the baseline lacks are inconclusive.
    let (code, words) = run("true");
    assert_eq!(code, Some(0), "{words}");
    assert!(project.read("summary").contains("### Pass: "));
    for report in ["figures", "times"] {
        assert!(
            project
                .0
                .join("reports")
                .join(report)
                .join("gate.json")
                .exists()
        );
    }
    without(&project, "exact", "answers");
    let (code, words) = run("false");
    assert_eq!(code, Some(3), "{words}");
    project.define("fault-lost-key");
    let (code, words) = run("true");
    assert_eq!(code, Some(1), "{words}");
}

/// A comment of an earlier run is edited, and no other.
#[cfg(unix)]
#[test]
fn the_workflow_edits_its_own_comment() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new("comment");
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    project.gate(&WITHOUT_TIMES);
    fs::create_dir_all(project.0.join("reports/figures")).unwrap();
    project.write(
        "reports/figures/comment.md",
        &project.read("out/comment.md"),
    );
    // Tells what it is called with, and of one comment if its marker is asked for.
    fs::create_dir(project.0.join("bin")).unwrap();
    project.write(
        "bin/gh",
        "#!/bin/sh\necho \"$*\" >> calls\ncase \"$*\" in *--jq*\"$KNOWN\"*) echo 17;; esac\n",
    );
    let stub = project.0.join("bin/gh");
    fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!(
        "{}:{}",
        project.0.join("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let posted = |known: &str| {
        let _ = fs::remove_file(project.0.join("calls"));
        let variables = [
            ("PATH", &*path),
            ("GITHUB_REPOSITORY", "o/r"),
            ("NUMBER", "5"),
            ("KNOWN", known),
        ];
        let done = step(&project, "comment", &variables);
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
        let calls = project.read("calls");
        assert_eq!(calls.lines().count(), 2, "{calls}");
        calls.lines().last().unwrap().to_owned()
    };
    let first = posted("a comment of another");
    assert!(first.contains("repos/o/r/issues/5/comments"), "{first}");
    assert!(first.contains("figures/comment.md"), "{first}");
    let again = posted("<!-- bouquet gate: exact, statistical -->");
    let edits = "--method PATCH repos/o/r/issues/comments/17";
    assert!(again.contains(edits), "{again}");
}
