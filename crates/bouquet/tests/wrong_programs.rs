//! Programs that must not compile, and the text that the compiler must print for each: the lines
//! `//~ text` at the start of the program. These are words of this project, and as few of the
//! compiler's own words as identify the error, because those change between releases.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The programs by name, each with its path and the text that must be printed.
fn programs() -> BTreeMap<String, (PathBuf, Vec<String>)> {
    let folder = Path::new(HERE).join("tests/first-programs/fail");
    let program = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let pinned = text.lines().filter_map(|line| line.strip_prefix("//~ "));
        let pinned = pinned.map(str::to_owned).collect();
        (name, (path, pinned))
    };
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| program(entry.unwrap().path()))
        .collect()
}

/// Writes a project that contains all these programs and depends only on this crate.
fn project(programs: &BTreeMap<String, (PathBuf, Vec<String>)>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong-programs");
    fs::create_dir_all(&folder).unwrap();
    let mut manifest = format!(
        "[package]\nname = \"wrong-programs\"\nedition = \"2024\"\nautobins = false\n\n\
         [workspace]\n\n[dependencies]\nbouquet = {{ path = {HERE:?}, features = [\"full\", \"uuid\"] }}\n\
         ahash = \"0.8\"\nuuid = {{ version = \"1\", features = [\"v4\"] }}\n\n\
         [profile.dev]\ndebug = false\n"
    );
    for (name, (path, _)) in programs {
        manifest += &format!("\n[[bin]]\nname = {name:?}\npath = {path:?}\n");
    }
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(
        Path::new(HERE).join("../../Cargo.lock"),
        folder.join("Cargo.lock"),
    )
    .unwrap();
    folder
}

/// The compiler's errors for each program, and cargo's own messages.
fn errors(project: &Path) -> (BTreeMap<String, String>, String) {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    // The programs are built and not only checked, because errors in constants appear only during
    // code generation.
    let output = Command::new(cargo)
        .args([
            "build",
            "--bins",
            "--keep-going",
            "--offline",
            "--message-format=json",
        ])
        .current_dir(project)
        .env("CARGO_TARGET_DIR", project.join("target"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut errors = BTreeMap::<String, String>::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["reason"] == "compiler-message" && line["message"]["level"] == "error" {
            let name = line["target"]["name"].as_str().unwrap();
            let text = line["message"]["rendered"].as_str().unwrap();
            *errors.entry(name.to_owned()).or_default() += text;
        }
    }
    (errors, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn each_is_rejected_in_words_that_help() {
    let programs = programs();
    assert!(programs.len() >= 30, "{}", programs.len());
    let (errors, stderr) = errors(&project(&programs));
    let mut wrong = String::new();
    for (name, (_, pinned)) in &programs {
        assert!(!pinned.is_empty(), "{name}: nothing must be said about it");
        let Some(said) = errors.get(name) else {
            wrong += &format!("{name} compiles, or its dependency does not\n");
            continue;
        };
        for text in pinned.iter().filter(|text| !said.contains(*text)) {
            wrong += &format!("{name}: not said: {text}\n{said}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{stderr}");
}
