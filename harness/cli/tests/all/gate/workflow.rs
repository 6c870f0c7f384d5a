//! Runs the scripts of the GitHub workflows that other projects can call.

use super::*;

/// The script of a step, found by the step's name.
fn script(step: &str) -> String {
    let workflow = match step {
        "comment" => include_str!("../../../../../.github/workflows/gate-comment.yml"),
        _ => include_str!("../../../../../.github/workflows/gate.yml"),
    };
    let name = format!("      - name: {step}");
    let own = workflow.lines().skip_while(|line| **line != name).skip(1);
    let own = own.take_while(|line| !line.starts_with("      - "));
    let lines = own.skip_while(|line| line.trim() != "run: |").skip(1);
    let lines = lines.take_while(|line| line.starts_with("          "));
    let script: String = lines.map(|line| format!("{}\n", &line[10..])).collect();
    assert!(!script.is_empty(), "{step}");
    script
}

/// Runs a step as a CI runner does: in a folder, with environment variables.
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
    // Times that are missing from the baseline are inconclusive, which does not fail the step.
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
    baseline::without(&project, "exact", "answers");
    let (code, words) = run("false");
    assert_eq!(code, Some(3), "{words}");
    project.define("fault-missing-key");
    let (code, words) = run("true");
    assert_eq!(code, Some(1), "{words}");
}

/// The workflow edits the comment of its earlier run, and no other comment.
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
    // A fake `gh`: it logs its arguments, and prints one comment if its marker is requested.
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
    // A marker that a pull request forged must not become part of the query.
    let forged = "<!-- bouquet gate: \")) or true | debug(\" -->\n";
    project.write("reports/figures/comment.md", forged);
    let _ = fs::remove_file(project.0.join("calls"));
    let done = step(&project, "comment", &[("PATH", &*path), ("NUMBER", "5")]);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    assert!(!project.0.join("calls").exists());
}
