//! The history of runs, and what GitHub Actions shows of a failure.

use super::*;

impl Project {
    fn lines(&self) -> Vec<Value> {
        let text = self.read("history.jsonl");
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }
}

const HISTORY: [&str; 2] = ["--history", "history.jsonl"];

#[test]
fn each_run_is_a_line_and_the_page_draws_them() {
    let project = Project::new("history");
    project.define("standard");
    project.accept(&[&WITHOUT_TIMES[..], &HISTORY].concat());
    let first = project.read("history.jsonl");
    ends(&project, &[&STRICT[..], &HISTORY].concat(), 0);
    project.define("fault-one-word-more");
    // An editor may remove the last line end.
    project.write("history.jsonl", project.read("history.jsonl").trim_end());
    ends(&project, &[&EXACT[..], &HISTORY].concat(), 1);
    assert!(project.read("history.jsonl").starts_with(&first));
    let lines = project.lines();
    let verdicts: Vec<_> = lines.iter().map(|line| text(&line["verdict"])).collect();
    assert_eq!(verdicts, ["pass", "pass", "fail"]);
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line["schema"], "urn:bouquet:gate-history:1");
        for fact in ["date", "revision", "program", "machine", "build", "profile"] {
            assert_ne!(text(&line[fact]), "", "{fact}");
        }
        let filter = &line["filters"][0];
        assert_eq!(filter["name"], "guarded");
        let bytes = filter["memory_bytes"].as_f64().unwrap();
        let bits = filter["bits_per_key"].as_f64().unwrap();
        assert!((9.5..10.5).contains(&bits) && (bits * 20_000.0 - 8.0 * bytes).abs() < 1e-6);
        // The last run did not measure rates.
        let fpr = ["low", "rate", "high"].map(|end| filter["fpr"][end].as_f64());
        match at {
            2 => assert!(filter["fpr"].is_null()),
            _ => assert!(fpr.is_sorted() && fpr[0] > Some(0.009) && fpr[2] < Some(0.011)),
        }
        assert_eq!(filter["ns"], json!({}));
    }
    let page = project.read("out/history.html");
    assert!(page.contains("guarded, run 3\t") && page.contains("<td>run 3, "));
}

/// The figures of tiers that a baseline keeps are of other runs, and maybe of another machine.
#[test]
fn an_accepted_run_has_its_own_figures_alone() {
    let project = Project::new("history-accept");
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    project.accept(&[&EXACT[..], &HISTORY].concat());
    let report = project.report();
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["what"] == "FPR"));
    assert!(project.lines()[0]["filters"][0]["fpr"].is_null());
}

#[test]
fn a_history_that_is_not_sound_stops_the_run_and_is_kept() {
    let project = Project::new("history-unsound");
    project.define("standard");
    project.accept(&[&EXACT[..], &HISTORY].concat());
    fs::remove_dir_all(project.0.join("out")).unwrap();
    let line = project.read("history.jsonl");
    let cut = format!("{line}{}", &line[..line.len() / 2]);
    let edited = format!(
        "{line}{}",
        line.replace("memory_bytes\":2", "memory_bytes\":1")
    );
    let other = format!("{line}{}", line.replace("history:1", "history:9"));
    let run = [&EXACT[..], &HISTORY].concat();
    for (history, words) in [
        (
            &cut,
            "the last line is cut short: restore the file, or delete the line",
        ),
        (
            &edited,
            "edited since: restore the file, or delete the line",
        ),
        (&other, "has the schema \"urn:bouquet:gate-history:9\""),
    ] {
        assert_ne!(*history, format!("{line}{line}"));
        project.write("history.jsonl", history);
        let said = ends(&project, &run, 2);
        assert!(
            said.contains("history.jsonl:2: ") && said.contains(words),
            "{said}"
        );
        assert_eq!(&project.read("history.jsonl"), history);
        assert!(!project.0.join("out").exists());
    }
    for (place, words) in [
        ("out/history.jsonl", "in a folder that this run replaces"),
        (
            "baseline/../out/sub/h",
            "in a folder that this run replaces",
        ),
        ("baseline/h", "in a folder that this run replaces"),
        ("nowhere/h", "cannot open the history nowhere/h"),
        ("baseline/..", "cannot open the history"),
        #[cfg(unix)]
        ("/dev/null", "is not a regular file"),
    ] {
        let said = ends(&project, &["--history", place], 2);
        assert!(said.contains(words), "{place}: {said}");
    }
}

#[test]
fn a_failure_marks_the_table_of_the_filter_on_github() {
    let project = Project::new("history-github");
    project.define("standard");
    project.accept(&EXACT);
    let name = project.0.file_name().unwrap().to_str().unwrap().to_owned();
    let marks = |root: &str, value: &str| {
        let mut command = project.command(&EXACT);
        command
            .env("GITHUB_ACTIONS", value)
            .env("GITHUB_WORKSPACE", root);
        let errors = String::from_utf8(command.output().unwrap().stderr).unwrap();
        let marks = errors.lines().filter(|line| line.starts_with("::"));
        marks.map(str::to_owned).collect::<Vec<_>>()
    };
    let above = project.0.parent().unwrap().to_str().unwrap().to_owned();
    assert_eq!(marks(&above, "true"), [""; 0]);
    project.define("fault-one-word-more");
    let words = "title=bouquet gate::guarded: memory +0.033 %25";
    assert_eq!(
        marks(&above, "true"),
        [format!("::error file={name}/bouquet.toml,line=4,{words}")]
    );
    assert_eq!(
        marks("/nowhere", "true"),
        [format!("::error file=bouquet.toml,line=4,{words}")]
    );
    assert_eq!(marks(&above, ""), [""; 0]);
    let definition = project
        .read("bouquet.toml")
        .replace("\"guarded\"", "\"another\"");
    project.write("bouquet.toml", &format!("\n\n{definition}"));
    let [deleted, ..] = &marks(&above, "true")[..] else {
        panic!("no mark")
    };
    assert!(
        deleted.contains(",line=1,title=bouquet gate::guarded: "),
        "{deleted}"
    );
}

/// Runs the script that docs/CI.md has for a branch with the history.
#[cfg(unix)]
#[test]
fn the_recipe_keeps_the_history_on_a_branch() {
    let recipes = include_str!("../../../../../docs/CI.md");
    let lines = recipes
        .lines()
        .skip_while(|line| line.trim() != "- name: history")
        .skip(2);
    let lines = lines.take_while(|line| line.starts_with("          "));
    let script: String = lines
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    assert!(script.contains("bouquet gate "), "{script}");

    let project = Project::new("history-recipe");
    let at = |name: &str| project.0.join(name).display().to_string();
    fs::create_dir(project.0.join("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bouquet"), at("bin/bouquet")).unwrap();
    let path = format!("{}:{}", at("bin"), std::env::var("PATH").unwrap());
    let bash = |folder: &str, script: &str| {
        let mut command = Command::new("bash");
        command
            .args(["-e", "-c", script])
            .current_dir(at(folder))
            .env("PATH", &path);
        command.env("RUNNER_TEMP", at("")).env("GITHUB_SHA", "1234");
        let done = command.output().unwrap();
        (done.status.code(), said(&done))
    };
    let good = |folder: &str, script: &str| {
        let (code, words) = bash(folder, script);
        assert_eq!(code, Some(0), "{script}: {words}");
        words
    };
    project.define("standard");
    let sound = project.read("bouquet.toml");
    good(
        "",
        "git init -q -b main --bare origin && git clone -q origin first",
    );
    let user = "git -c user.name=a -c user.email=a@example.org";
    let accept = "bouquet gate --define bouquet.toml --baseline bouquet-baseline --quick --accept \
                  --reason first --tiers exact,statistical --out ../gate";
    let begin = format!("mv ../bouquet.toml . && {accept} && git add . && {user} commit -qm a");
    good("first", &format!("{begin} && git push -q origin HEAD:main"));
    let history = || good("origin", "git show bouquet-history:history.jsonl");
    let mut before = String::new();
    let clone = |name: &str| {
        drop(good(
            "",
            &format!("rm -rf history && git clone -q origin {name}"),
        ))
    };
    for run in ["second", "third"] {
        clone(run);
        let words = good(run, &script);
        assert!(words.contains("Pass: nothing changed."), "{words}");
        let now = history();
        assert!(now.starts_with(&before) && now.lines().count() == before.lines().count() + 1);
        before = now;
    }
    // The input of github-action-benchmark.
    let entries: Value = serde_json::from_str(&project.read("gate/benchmark.json")).unwrap();
    for entry in entries.as_array().unwrap() {
        assert!(
            entry["name"].is_string() && entry["unit"].is_string() && entry["value"].is_number()
        );
    }
    // A failed run is a line too; a wrong definition is none.
    for (run, definition, code) in [
        ("fourth", sound.replace("0.01", "0.02"), 1),
        ("fifth", "x".into(), 2),
    ] {
        clone(run);
        project.write(&format!("{run}/bouquet.toml"), &definition);
        assert_eq!(bash(run, &script).0, Some(code));
        assert_eq!(history().lines().count(), 3);
    }
}
