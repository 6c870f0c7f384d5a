//! The code that `bouquet recommend` prints compiles and runs, for every candidate.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// All candidates, each with a workload for which it is possible.
const CANDIDATES: [(&str, &str); 26] = [
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
    (QUOTIENTS, "--deletes --growth unknown"),
    (QUOTIENTS, "--deletes --growth unknown --threads 4"),
    (QUOTIENTS, "--shared --growth unknown"),
];

/// A filter of another crate, and a map.
const QUOTIENTS: &str = "qfilter";
const MAP: &str = "hash-map";

/// The answer for a candidate.
fn answered(candidate: &str, more: &str) -> Value {
    let filters = match candidate {
        QUOTIENTS | MAP | ON_A_SERVER => String::new(),
        _ => format!("--filters {candidate}"),
    };
    let keys = if more.contains("--capacity") {
        ""
    } else {
        "--capacity 20000"
    };
    let args = format!("recommend {keys} --work-cost 1s --format json {filters} {more}");
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
    answer
}

/// The commands and the program that are printed for a candidate.
fn printed(candidate: &str, more: &str) -> (String, String) {
    let answer = answered(candidate, more);
    let text = |name: &str| answer[name].as_str().unwrap().to_owned();
    (text("cargo_add"), text("rust"))
}

/// The manifest of a project with the crates of others that these commands add.
fn manifest(commands: &BTreeSet<String>) -> String {
    let others = commands
        .iter()
        .filter(|command| !command.contains(" --git "));
    let line = |command: &String| {
        let words: Vec<&str> = command.split(' ').collect();
        let (name, version) = words[2].split_once('@').unwrap();
        let features: Vec<&str> = words.get(4).into_iter().copied().collect();
        let line = format!("{name} = {{ version = {version:?}, features = {features:?} }}");
        (name.to_owned(), line)
    };
    // Of two commands for one crate the last is that with features.
    let others: BTreeMap<String, String> = others.map(line).collect();
    let others: Vec<String> = others.into_values().collect();
    format!(
        "[package]\nname = \"printed\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{}\n\n[workspace]\n",
        others.join("\n")
    )
}

/// Runs the printed commands that add this project, from where it is in place of its address.
fn add_ours(commands: &BTreeSet<String>, root: &Path, project: &Path) {
    let ours = commands
        .iter()
        .filter(|command| command.contains(" --git "));
    for command in ours {
        let mut words: Vec<&str> = command.split(' ').skip(1).collect();
        let at = words.iter().position(|word| *word == "--git").unwrap();
        let crates = root.join("crates").join(words[1]);
        words.splice(at..at + 2, ["--path", crates.to_str().unwrap()]);
        let cargo = Command::new(env!("CARGO"))
            .args(words)
            .args(["--offline", "--quiet"])
            .current_dir(project)
            .output()
            .unwrap();
        assert!(
            cargo.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&cargo.stderr)
        );
    }
}

/// The programs for each candidate: a plain one, and others for requirements that change the code.
fn programs() -> Vec<(String, String, String)> {
    let mut programs = Vec::new();
    for (at, (candidate, more)) in CANDIDATES.into_iter().enumerate() {
        let takes_texts = !more.contains("integers");
        let bloom = !["hash-set", "sorted-array", QUOTIENTS].contains(&candidate);
        let mut ways = vec![("plain", ""), ("stored", "--persist")];
        if takes_texts {
            ways.push(("url", "--key-kind url"));
            ways.push(("url-stored", "--key-kind url --persist"));
        }
        if bloom && takes_texts {
            ways.push(("keyed", "--hostile --persist --key-kind url"));
        }
        if candidate == QUOTIENTS && !more.contains("--shared") {
            ways.push(("keyed", "--hostile"));
        }
        for (way, requirements) in ways {
            let asked = format!("{more} {requirements}");
            let (dependencies, rust) = printed(candidate, &asked);
            assert!(!rust.contains("DefaultHasher"), "{rust}");
            let stored = [
                "encode",
                "to_le_bytes",
                "join",
                "serialize",
                "lines()",
                "serde_json",
            ];
            let shows = stored.iter().any(|word| rust.contains(word));
            let is_stored = ["--persist", "--shared"]
                .iter()
                .any(|flag| asked.contains(flag));
            assert_eq!(shows, is_stored, "{candidate} {way}: {rust}");
            programs.push((format!("{candidate}-{way}-{at}"), dependencies, rust));
        }
    }
    let (dependencies, rust) = printed(MAP, "--capacity 20 --expires 1h");
    programs.push((MAP.into(), dependencies, rust));
    // The size that is said to be that of the other crate's filter.
    let answer = answered(QUOTIENTS, "--deletes --growth unknown --fpr 0.002");
    let size = format!(
        "fn main() {{ let specs = qfilter::filter_specs(200_000, 0.002).unwrap(); \
         assert_eq!(specs.memory_bytes_max as f64, {:?}); }}",
        answer["rows"][0]["memory_bytes"].as_f64().unwrap()
    );
    programs.push(("size".into(), String::new(), size));
    programs
}

const ON_A_SERVER: &str = "bouquet-redis";

/// The program for a filter on a server makes the calls of the crate's front page, whose tests run them.
#[test]
fn what_is_printed_for_a_server_is_what_its_crate_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shown = fs::read_to_string(root.join("crates/redis/README.md")).unwrap();
    let (dependencies, rust) = printed(ON_A_SERVER, "--processes 4 --fpr 0.01");
    assert!(dependencies.starts_with("cargo add bouquet-redis --git "));
    let calls = |text: &str| {
        let same = text
            .replace("20_000", "1_000_000")
            .replace("\"redis://127.0.0.1/\"", "url");
        same.replace("&42u64", "\"rose\"")
    };
    let rust = calls(&rust);
    for call in [
        "use bouquet_redis::{Error, Native, RemoteBitmap, connect};\n",
        "let mut server = connect(url)?;\n",
        "let filter = RemoteBitmap::open(&mut server, \"seen\", Native::new(1_000_000, 0.01)?)?;\n",
        "filter.insert(&mut server, \"rose\")",
        "filter.contains(&mut server, ",
    ] {
        assert!(
            rust.contains(call) && shown.contains(call),
            "{call}: {rust}"
        );
    }
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
    let mut commands = BTreeSet::new();
    // Each program is a module of one binary, which runs the module that its argument names: eighty
    // binaries would take too long to link.
    let (mut modules, mut chosen) = (String::new(), String::new());
    for (at, (name, lines, rust)) in programs.iter().enumerate() {
        commands.extend(lines.lines().map(str::to_owned));
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
    fs::write(project.path().join("Cargo.toml"), manifest(&commands)).unwrap();
    add_ours(&commands, &root, project.path());
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
