//! What the program leaves behind if it is interrupted or has too little memory.

use std::{fs, path::Path, process::Command};

use super::*;
use crate::support::root;

/// An interrupted run keeps its results: beside an existing report, or in its place if none exists.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_what_was_there() {
    let folder = Folder::with_report();
    let [define, out, kept] =
        ["tiny.toml", "report", "report.interrupted"].map(|name| folder.path(name));
    let read = |report: &str, file: &str| fs::read_to_string(Path::new(report).join(file)).unwrap();
    let before = read(&out, "run.json");
    let full = format!("evaluate --full --out {out}");
    for _ in 0..2 {
        ends_soon(&folder, &full, folder.names().len());
        assert_eq!(
            folder.names(),
            ["report", "report.interrupted", "tiny.toml"]
        );
        assert_eq!(read(&out, "run.json"), before);
        assert!(read(&kept, "run.json").contains("\"interrupted\": \"true\""));
    }
    fs::remove_dir_all(&out).unwrap();
    ends_soon(&folder, &full, folder.names().len());
    assert!(read(&out, "run.json").contains("\"interrupted\": \"true\""));
    let report = bouquet(&format!("report --strict {out}"));
    assert_ne!(report.status.code(), Some(0), "{}", stdout(&report));
    assert!(stderr(&report).contains("was interrupted"));
    assert!(read(&out, "README.md").starts_with("# Interrupted: "));
    good(&format!("evaluate --define {define} --out {out}"));
    assert!(!read(&out, "run.json").contains("\"interrupted\""));
}

/// Each of these measurements takes many seconds without a pause.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_measurement_in_its_midst() {
    let head = "name = \"own\"\ntitle = \"t\"\nanalysis = \"a\"\nseconds = 60.0\n\
                datasets = [\"random-u64\"]\n";
    for (kind, numbers) in [
        (
            "uniformity",
            "slots = [1_048_576]\nprobes = 2\nkeys = 60_000_000\nsubjects = [\"default\"]",
        ),
        (
            "fpr",
            "sweep = \"target-fpr\"\npoints = [0.01]\ncapacity = 100_000_000\nhits = 1\n\
             filters = [\"standard\"]\nreplicates = 1\nmax_non_members = 1",
        ),
    ] {
        let folder = Folder::new();
        let (own, out) = (folder.path("own.toml"), folder.path("report"));
        fs::write(&own, format!("{head}[{kind}]\n{numbers}\n")).unwrap();
        ends_soon(&folder, &format!("evaluate --define {own} --out {out}"), 1);
        assert_eq!(folder.names(), ["own.toml", "report"], "{kind}");
    }
    let folder = Folder::new();
    let [own, base, out] = ["own.toml", "baseline", "report"].map(|name| folder.path(name));
    let text = "[key_sets]\nk = { generator = \"random-u64\" }\n[[filter]]\nkeys = \"k\"\n\
                filter = \"standard\"\ncapacity = 100_000_000\nfpr = 0.01\n";
    fs::write(&own, text).unwrap();
    for tier in ["exact", "statistical"] {
        let gate = format!(
            "gate --define {own} --baseline {base} --out {out} --accept --reason first --tiers {tier}"
        );
        ends_soon(&folder, &gate, 1);
        assert_eq!(folder.names(), ["own.toml"], "{tier}");
    }
}

/// If the program did not reject such a run, the system would kill it without a message.
#[cfg(target_os = "linux")]
#[test]
fn what_no_memory_holds_is_rejected_before_it_is_begun() {
    let folder = Folder::new();
    let head = "name = \"own\"\ntitle = \"t\"\nanalysis = \"a\"\nseconds = 60.0\n\
                datasets = [\"random-u64\"]\n";
    let target = folder.path("report");
    let own = folder.path("own.toml");
    let rejected = |text: &str, args: &str| {
        fs::write(&own, text).unwrap();
        // Under a limit of 8 GB, none of these runs has even half of the memory that it needs.
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 8000000 && exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_bouquet"))
            .args(args.split_whitespace())
            .args(["--define", &own, "--out", &target])
            .current_dir(root())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("of memory at least"),
            "{}",
            stderr(&output)
        );
        assert_eq!(folder.names(), ["own.toml"], "{text}");
    };
    let keys = "4_294_967_296";
    let uniformity = format!(
        "{head}[uniformity]\nslots = [1_048_576]\nprobes = 7\nkeys = {keys}\n\
         subjects = [\"default\"]\n"
    );
    rejected(&uniformity, "evaluate");
    let gate = format!(
        "[key_sets]\nk = {{ generator = \"random-u64\" }}\n[[filter]]\nkeys = \"k\"\n\
         filter = \"standard\"\ncapacity = {keys}\nfpr = 0.01\n"
    );
    let base = folder.path("baseline");
    rejected(
        &gate,
        &format!("gate --accept --reason first --tiers exact --baseline {base}"),
    );
}

/// Ends the program by a single Ctrl-C while it measures: shortly after there are more than `files`
/// files in the folder.
#[cfg(unix)]
fn ends_soon(folder: &Folder, args: &str, files: usize) {
    use std::time::{Duration, Instant};
    let mut child = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(args.split_whitespace())
        .current_dir(root())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while folder.names().len() <= files {
        std::thread::sleep(Duration::from_millis(20));
        assert!(child.try_wait().unwrap().is_none(), "ended before it began");
    }
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130), "{args}");
    // The program waits at most 1.5 seconds before it ends itself.
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(4), "{took:?}: {args}");
}
