//! The code that `bouquet recommend` prints compiles and runs, for every candidate.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// All candidates, each with a workload for which it is possible.
const CANDIDATES: [(&str, &str); 23] = [
    ("standard", ""),
    ("partitioned", ""),
    ("blocked", ""),
    ("blocked-words32", ""),
    ("blocked-line", ""),
    ("counting", "--deletes"),
    ("scalable", "--growth unknown"),
    ("sharded", "--threads 4"),
    ("sharded-counting", "--threads 4 --deletes"),
    ("atomic", "--threads 4"),
    ("cuckoo", "--deletes"),
    ("cuckoo-in-shards", "--threads 4 --deletes"),
    ("sharded-scalable", "--threads 4 --growth unknown"),
    ("hash-set", "--deletes"),
    ("hash-set", "--threads 4 --deletes"),
    ("sorted-array", "--static"),
    ("bitmap", "--deletes integers-below=5e4"),
    ("roaring", "integers-below=5e6"),
    ("fuse", "--static"),
    ("fuse", "--static --fpr 0.0005"),
    ("aging", "--expires 20000"),
    ("aging", "--expires 1h"),
    ("aging", "--expires 1h --threads 4"),
];

/// The dependencies and the program that are printed for a candidate.
fn printed(candidate: &str, more: &str) -> (String, String) {
    let args = format!(
        "recommend --capacity 20000 --work-cost 1s --format json --filters {candidate} {more}"
    );
    // Settings without a flag go into a workload file.
    let (settings, flags): (Vec<&str>, Vec<&str>) = args
        .split_whitespace()
        .partition(|word| word.contains('=') && !word.starts_with('-'));
    let workload = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    fs::write(&workload, settings.join("\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(flags)
        .arg("--use-case")
        .arg(workload.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args}: {errors}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["choice"], candidate, "{args}");
    let text = |name: &str| answer[name].as_str().unwrap().to_owned();
    (text("cargo_toml"), text("rust"))
}

/// The manifest of a project with the printed dependencies, and with the features of this project that
/// they name, from where it is.
fn manifest(dependencies: &BTreeSet<String>, root: &Path) -> String {
    let (ours, others): (Vec<&String>, Vec<&String>) = dependencies
        .iter()
        .partition(|line| line.starts_with("bouquet = "));
    let named = ours.iter().flat_map(|line| {
        let (_, features) = line.split_once('[').unwrap();
        features.split('"').skip(1).step_by(2)
    });
    let features: Vec<&str> = named.collect::<BTreeSet<_>>().into_iter().collect();
    let others: Vec<&str> = others.iter().map(|line| line.as_str()).collect();
    format!(
        "[package]\nname = \"printed\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nbouquet = {{ path = {:?}, features = {features:?} }}\n{}\n\n[workspace]\n",
        root.join("crates/bouquet"),
        others.join("\n")
    )
}

/// The programs for each candidate: a plain one, and others for requirements that change the code.
fn programs() -> Vec<(String, String, String)> {
    let mut programs = Vec::new();
    for (at, (candidate, more)) in CANDIDATES.into_iter().enumerate() {
        let takes_texts = !more.contains("integers");
        let bloom = !["hash-set", "sorted-array"].contains(&candidate);
        let mut ways = vec![("plain", ""), ("stored", "--persist")];
        if takes_texts {
            ways.push(("url", "--key-kind url"));
            ways.push(("url-stored", "--key-kind url --persist"));
        }
        if bloom && takes_texts {
            ways.push(("keyed", "--hostile --persist --key-kind url"));
        }
        for (way, requirements) in ways {
            let (dependencies, rust) = printed(candidate, &format!("{more} {requirements}"));
            assert!(!rust.contains("DefaultHasher"), "{rust}");
            let stored = ["encode", "to_le_bytes", "join", "serialize", "lines()"];
            let shows = stored.iter().any(|word| rust.contains(word));
            assert_eq!(
                shows,
                requirements.contains("--persist"),
                "{candidate} {way}: {rust}"
            );
            programs.push((format!("{candidate}-{way}-{at}"), dependencies, rust));
        }
    }
    programs
}

/// The program constructs the filter for the requested target FPR, by the simplest constructor.
#[test]
fn what_is_printed_has_the_target_that_was_asked() {
    let made = ["Bloom", "Cuckoo"];
    for (candidate, more) in CANDIDATES
        .into_iter()
        .filter(|(_, more)| !more.contains("--fpr"))
    {
        let (_, rust) = printed(candidate, &format!("{more} --fpr 0.007"));
        if made.iter().any(|word| rust.contains(word)) {
            assert!(rust.contains(", 0.007)"), "{rust}");
        }
        // A filter type whose type parameters are not the default ones has no `new`.
        let is_other = ["Words32", "Line", "CountingBloom<Folded>"];
        let is_other = is_other.iter().any(|word| rust.contains(word));
        assert_eq!(rust.contains("(spec, "), is_other, "{rust}");
    }
}

#[test]
fn what_is_printed_compiles_and_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap();
    let project = tempfile::tempdir().unwrap();
    let source = project.path().join("src");
    fs::create_dir_all(&source).unwrap();
    let programs = programs();
    let mut dependencies = BTreeSet::new();
    // Each program is a module of one binary, which runs the module that its argument names: eighty
    // binaries would take too long to link.
    let (mut modules, mut chosen) = (String::new(), String::new());
    for (at, (name, lines, rust)) in programs.iter().enumerate() {
        dependencies.extend(lines.lines().map(str::to_owned));
        fs::write(source.join(format!("{name}.rs")), rust).unwrap();
        modules += &format!(
            "mod m{at} {{ include!(\"{name}.rs\"); pub fn run() -> impl std::process::Termination {{ main() }} }}\n"
        );
        chosen += &format!("Some(\"{name}\") => m{at}::run().report(),\n");
    }
    let main = format!(
        "{modules}fn main() -> std::process::ExitCode {{\n\
         use std::process::Termination;\n\
         match std::env::args().nth(1).as_deref() {{ {chosen} _ => std::process::ExitCode::FAILURE }} }}"
    );
    fs::write(source.join("main.rs"), main).unwrap();
    let manifest = manifest(&dependencies, &root);
    fs::write(project.path().join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), project.path().join("Cargo.lock")).unwrap();
    // The target directory is kept between runs, so that the crates are not built again.
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("printed");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .current_dir(project.path())
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
    for (name, ..) in &programs {
        let run = Command::new(target.join("debug/printed"))
            .arg(name)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{name}: {errors}");
    }
}
