//! Tests the example `remote` as users run it, against a real server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use bouquet_blocked::{BlockedBloom, Decode, Folded, Words32};
use common::{Server, free_port, keys};

/// The command that runs the example with these arguments. `cargo test` builds the example beside
/// the tests, but `cargo test --test remote` alone does not: build it first.
fn example(url: &str, words: &str) -> Command {
    let tests = env::current_exe().unwrap();
    let built = tests.ancestors().nth(2).unwrap();
    let program = built.join(format!("examples/remote{}", env::consts::EXE_SUFFIX));
    assert!(program.exists(), "cargo build --example remote builds it");
    let mut command = Command::new(program);
    command.env("REDIS_URL", url).args(words.split(' '));
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the example to its end with these keys as input.
fn run(url: &str, words: &str, keys: &[String]) -> Output {
    let mut child = example(url, words).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: String = keys.iter().map(|key| format!("{key}\n")).collect();
    // If the example fails early, it does not read the input, and writing to it fails.
    let writing = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writing.join().unwrap();
    output
}

#[track_caller]
fn good(url: &str, words: &str, keys: &[String]) -> (String, String) {
    let output = run(url, words, keys);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words}: {said}");
    (String::from_utf8(output.stdout).unwrap(), said)
}

/// Asserts that the example ends with exit code 2, and that it writes this message to standard
/// error and nothing to standard output.
#[track_caller]
fn rejected(url: &str, words: &str, says: &str) {
    let output = run(url, words, &keys(0..10));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}: {said}");
    assert!(output.stdout.is_empty(), "{words}");
    assert!(said.contains(says), "{words}: {said}");
    assert!(!said.contains("secret"), "{words}: {said}");
}

fn file(server: &Server) -> PathBuf {
    server.folder.join("seen.bouquet")
}

#[test]
fn a_filter_is_made_filled_asked_and_copied_into_a_file() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let url = &server.url();
    let (members, others) = (keys(0..10_000), keys(10_000..30_000));
    good(url, "create seen 10000 0.01", &[]);
    let (_, said) = good(url, "add seen", &members);
    assert!(said.starts_with("seen: 10000 keys inserted, 9"), "{said}");
    let (_, said) = good(url, "add seen", &members);
    assert_eq!(said, "seen: 10000 keys inserted, 0 of them new\n");

    let (found, _) = good(url, "check seen", &members);
    assert!(found.lines().eq(&members));
    let (found, _) = good(url, "check seen", &others);
    // The target FPR is 1 % and 20,000 absent keys were queried.
    let false_positives = found.lines().count();
    assert!(
        (100..=350).contains(&false_positives),
        "{false_positives} false positives"
    );

    let path = file(&server);
    let dump = format!("dump seen {}", path.display());
    good(url, &dump, &[]);
    let bytes = fs::read(&path).unwrap();
    let local = BlockedBloom::<Words32, Folded>::decode(&bytes).unwrap();
    assert!(members.iter().all(|key| local.contains(key)));
    let there = others.iter().filter(|key| local.contains(*key));
    assert!(found.lines().eq(there));

    // An existing file is never overwritten.
    good(url, "add seen", &others);
    rejected(url, &dump, &format!("{}: ", path.display()));
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_filter_without_any_of_the_keys_has_the_code_of_grep() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    // The argument `--server` takes precedence over the environment variable.
    let words = |words: &str| format!("--server {} {words}", server.url());
    let nowhere = &format!("redis://127.0.0.1:{}", free_port());
    good(nowhere, &words("create seen 1000 0.01"), &[]);
    let output = run(nowhere, &words("check seen"), &keys(0..100));
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    // An empty line is a key, and so is a last line without a line end.
    let odd = ["".to_owned(), "\r".to_owned()];
    good(nowhere, &words("add seen"), &odd);
    let mut child = example(nowhere, &words("check seen")).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"rose\n\n\r").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"\n\r\n");
}

#[test]
fn a_key_is_answered_before_the_next_is_sent() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let (url, keys) = (&server.url(), keys(0..20));
    good(url, "create seen 1000 0.01", &[]);
    good(url, "add seen", &keys);
    let mut child = example(url, "check seen").spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        answers
            .map_while(Result::ok)
            .try_for_each(|line| send.send(line))
    });
    for key in keys {
        writeln!(input, "{key}").unwrap();
        let answer = receive.recv_timeout(Duration::from_secs(30));
        assert_eq!(answer, Ok(key));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_fails_is_said_in_a_sentence() {
    let Some(mut server) = Server::redis(&[]) else {
        return;
    };
    let url = &server.url();
    for words in [
        "",
        "make seen",
        "add",
        "dump seen",
        "create seen 1000",
        "--server",
    ] {
        rejected(url, words, "usage: remote [--server URL] COMMAND");
    }
    rejected(url, "create seen many 0.01", "CAPACITY: invalid digit");
    rejected(url, "create seen 1000 half", "FPR: invalid float");
    // Arguments are checked before the program connects to a server.
    let nowhere = &format!("redis://127.0.0.1:{}", free_port());
    rejected(nowhere, "create seen 1000 1.5", "1.5");
    rejected(nowhere, "create seen 0 0.01", "capacity");
    let path = file(&server);
    let dump = format!("dump seen {}", path.display());
    for words in ["add seen", "check seen", &dump] {
        rejected(url, words, "there is no filter \"seen\" on the server");
    }
    good(url, "create seen 1000 0.01", &[]);
    rejected(url, "create seen 1000 0.01", "of the name \"seen\" already");
    redis::cmd("DEL")
        .arg("seen")
        .exec(&mut server.connect())
        .unwrap();
    rejected(
        url,
        "check seen",
        "there is no filter \"seen\" on the server",
    );

    server.kill();
    let (port, address) = (server.port, format!("127.0.0.1:{}", server.port));
    for words in ["create seen 1000 0.01", "add seen", "check seen", &dump] {
        let url = format!("redis://:secret@127.0.0.1:{port}/");
        rejected(&url, words, &format!("no server answers at {address}"));
    }
    assert!(!path.exists());
    for url in ["127.0.0.1:6379", "http://:secret@127.0.0.1/", "secret", ""] {
        rejected(url, "check seen", "URL");
    }
}
