//! `bouquet peers`, built with the peers and without.

use std::{
    path::Path,
    process::{Command, Output},
};

fn bouquet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[cfg(not(feature = "peers"))]
#[test]
fn without_the_peers_it_says_how_to_build_them() {
    let output = bouquet(&["peers", "--quick"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("--features peers"),
        "{}",
        stderr(&output)
    );
}

#[cfg(feature = "peers")]
mod with_the_peers {
    use super::*;
    use std::{fs, path::PathBuf};

    /// Removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let id = std::process::id();
            let path = std::env::temp_dir().join(format!("bouquet-peers-{name}-{id}"));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn path(&self, name: &str) -> String {
            self.0.join(name).display().to_string()
        }

        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.0.join(name)).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn stdout(output: &Output) -> String {
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Few keys and a high target: next to nothing to measure.
    fn tiny(out: &str, more: &[&str]) -> Output {
        let args = [
            "peers",
            "--quick",
            "--capacity",
            "300",
            "--fpr",
            "0.05",
            "--datasets",
            "sequential",
            "--out",
            out,
        ];
        bouquet(&[&args[..], more].concat())
    }

    #[test]
    fn all_are_in_the_table_and_the_report_is_rewritten_the_same() {
        let folder = Folder::new("all");
        let out = folder.path("report");
        let run = tiny(&out, &["--format", "md"]);
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        for name in [
            "standard",
            "counting",
            "partitioned",
            "blocked",
            "blocked-words32",
            "blocked-line",
            "scalable",
            "sharded",
            "atomic",
            "cuckoo",
            "cuckoofilter",
            "fastbloom",
            "fastbloom-atomic",
            "bloomfilter",
            "probabilistic-collections",
            "growable-bloom-filter",
            "sbbf-rs",
            "bloom2",
            "broomfilter",
            "broomfilter-blocked",
            "scalable\\_cuckoo\\_filter",
            "qfilter",
            "qfilter-resizeable",
            "xorf-fuse8",
            "xorf-fuse16",
        ] {
            assert!(stdout(&run).contains(&format!("\n| {name} |")), "{name}");
        }
        let rows = folder.read("report/records/peers.csv");
        assert!(!rows.contains("panicked"), "{rows}");
        let page = folder.read("report/index.html");
        assert_eq!(bouquet(&["report", &out]).status.code(), Some(0));
        assert_eq!(folder.read("report/index.html"), page);
        let missing = |line: &str| match line.strip_prefix("peers,standard,") {
            // False negatives are the seventh from the end.
            Some(_) if line.contains(",load,") => {
                let mut cells: Vec<&str> = line.split(',').collect();
                let place = cells.len() - 7;
                cells[place] = "1";
                cells.join(",")
            }
            _ => line.to_owned(),
        };
        let forged: Vec<String> = rows.lines().map(missing).collect();
        let path = folder.path("report/records/peers.csv");
        fs::write(path, forged.join("\n") + "\n").unwrap();
        let again = bouquet(&["report", &out]);
        assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
        assert!(stdout(&again).contains("fail: "), "{}", stdout(&again));
    }

    #[test]
    fn a_run_that_does_not_find_a_known_fault_is_void() {
        let folder = Folder::new("void");
        let out = folder.path("report");
        let args = ["peers", "--quick", "--filters", "standard,bloom2", "--out"];
        let run = bouquet(&[&args[..], &[&out, "--datasets", "sequential"]].concat());
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        assert!(stdout(&run).contains("Known faults"), "{}", stdout(&run));
        // An FPR that no filter has.
        let path = folder.path("report/records/peer-faults.csv");
        let faults = folder.read("report/records/peer-faults.csv");
        assert!(faults.contains(",fpr,0.1,"), "{faults}");
        fs::write(path, faults.replace(",fpr,0.1,", ",fpr,1.5,")).unwrap();
        let again = bouquet(&["report", &out]);
        assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
        assert!(
            stdout(&again).starts_with("∅ Invalid run: "),
            "{}",
            stdout(&again)
        );
    }

    #[test]
    fn a_scoreboard_beside_an_evaluation_is_a_section_of_its_report() {
        let folder = Folder::new("section");
        let narrow = ["--filters", "standard,fastbloom"];
        let run = tiny(&folder.path("board"), &narrow);
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        let evaluation = folder.evaluation();
        let page = || folder.read("report/README.md");
        assert!(!page().contains("## Ours and other crates"));
        let rows = folder.path("report/records/peers.csv");
        fs::copy(folder.path("board/records/peers.csv"), rows).unwrap();
        let again = bouquet(&["report", &evaluation]);
        assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
        assert!(page().contains("## Ours and other crates"), "{}", page());
        let whole = folder.read("report/index.html");
        assert!(whole.contains("<td>fastbloom</td>"), "{whole}");
    }

    #[test]
    fn the_seed_gives_the_rows_whatever_the_threads() {
        let folder = Folder::new("seed");
        let rows = |name: &str, more: &[&str]| {
            let own = ["--filters", "standard,fastbloom,bloomfilter"];
            let run = tiny(&folder.path(name), &[&own[..], more].concat());
            assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
            folder.read(&format!("{name}/records/peers.csv"))
        };
        let first = rows("a", &["--jobs", "1"]);
        assert_eq!(first, rows("b", &["--jobs", "3"]));
        assert_ne!(first, rows("c", &["--seed", "2"]));
    }

    #[test]
    fn formats_of_the_table() {
        let folder = Folder::new("formats");
        let run = |format| {
            let more = [
                "--filters",
                "standard,fastbloom",
                "--format",
                format,
                "--quiet",
            ];
            let output = tiny(&folder.path("report"), &more);
            assert_eq!(stderr(&output), "");
            stdout(&output)
        };
        let json: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
        let json = &json["rows"];
        assert_eq!(json.as_array().unwrap().len(), 2);
        assert!(
            json[1]["missing_after_union"].as_f64().unwrap() > 0.4,
            "{json}"
        );
        assert!(run("csv").starts_with("filter,release,"));
        assert!(run("md").contains("| --- |"));
        assert!(run("table").contains("false negatives"));
    }

    #[test]
    fn bad_flags_are_rejected_and_leave_nothing() {
        let folder = Folder::new("bad");
        let out = folder.path("report");
        let rejects = |more: &[&str], word: &str| {
            let args = ["peers", "--quick", "--out", &out];
            let output = bouquet(&[&args[..], more].concat());
            assert_eq!(output.status.code(), Some(2), "{more:?}");
            assert!(
                stderr(&output).contains(word),
                "{more:?}: {}",
                stderr(&output)
            );
        };
        rejects(&["--filters", "fastblom"], "fastbloom");
        rejects(&["--datasets", "wurds"], "words");
        rejects(&["--capacity", "1"], "--capacity");
        rejects(&["--capacity", "99999999999"], "--capacity");
        rejects(&["--fpr", "1.5"], "--fpr");
        rejects(&["--fpr", "NaN"], "--fpr");
        rejects(&["--full"], "--full");
        rejects(&["--frobnicate"], "--frobnicate");
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
    }

    const TINY: &str = r#"
        name = "tiny"
        title = "Tiny"
        analysis = "For tests."
        datasets = ["sequential"]
        seconds = { quick = 1, default = 1, full = 1 }
        [fpr]
        sweep = "load"
        points = { quick = [1], default = [1], full = [1] }
        capacity = 1_000
        target_fpr = 0.01
        filters = ["standard", "fastbloom", "bloom2", "xorf-fuse8"]
        replicates = { quick = 4, default = 4, full = 4 }
        hits = { quick = 2_000, default = 2_000, full = 2_000 }
        max_non_members = { quick = 1_000_000, default = 1_000_000, full = 1_000_000 }
    "#;

    impl Folder {
        /// Evaluates [`TINY`] into `report` and gives its folder.
        fn evaluation(&self) -> String {
            let (define, out) = (self.path("tiny.toml"), self.path("report"));
            fs::write(&define, TINY).unwrap();
            let run = bouquet(&["evaluate", "--define", &define, "--out", &out, "--full"]);
            assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
            out
        }
    }

    #[test]
    fn experiments_can_name_peers_and_what_they_miss_fails_nothing() {
        let folder = Folder::new("evaluate");
        folder.evaluation();
        let page = folder.read("report/README.md");
        assert!(page.contains("bloom2 (peer)"), "{page}");
    }
}
