//! `bouquet remote` against real servers, which the tests start.

mod server;

use std::{io::Write, net::TcpListener, process::Output, thread};

use crate::files::common::{Folder, lines, stderr};
use server::Server;

/// `bouquet remote`, and what every call says besides.
struct Remote {
    folder: Folder,
    url: String,
}

impl Remote {
    fn new(name: &str, port: u16) -> Self {
        Self {
            folder: Folder::new(name),
            url: format!("redis://127.0.0.1:{port}"),
        }
    }

    fn run(&self, args: &str) -> Output {
        self.with(args, &[])
    }

    fn with(&self, args: &str, environment: &[(&str, &str)]) -> Output {
        let mut command = self.folder.command(&format!("remote {args}"));
        for name in ["URL", "USER", "PASSWORD"] {
            command.env_remove(format!("BOUQUET_REDIS_{name}"));
        }
        command
            .env("BOUQUET_REDIS_URL", &self.url)
            .envs(environment.iter().copied());
        command.output().unwrap()
    }

    fn good(&self, args: &str) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn rejects(&self, args: &str, words: &[&str]) {
        rejected(&self.run(args), args, words);
    }

    fn facts(&self, name: &str) -> serde_json::Value {
        let json = self.good(&format!("info --format json {name}"));
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["rows"][0].clone()
    }
}

fn rejected(output: &Output, args: &str, words: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{args}: {text}");
    assert!(output.stdout.is_empty(), "{args}");
    for word in words {
        assert!(text.contains(word), "{args}: {word:?} is not in {text}");
    }
}

fn round(remote: &Remote, scheme: &str, read: &str) {
    let folder = &remote.folder;
    remote.good(&format!(
        "create f --capacity 4000 --fpr 0.01 --scheme {scheme}"
    ));
    remote.rejects(
        &format!("create f --capacity 4000 --scheme {scheme}"),
        &["already"],
    );
    let added = remote.run("add f members");
    let text = stderr(&added);
    assert_eq!(added.status.code(), Some(0), "{text}");
    assert!(text.contains("f: 4,000 keys inserted, 3,9"), "{text}");
    assert_eq!(remote.good("check -q f members"), lines(0..4_000));
    assert_eq!(remote.good("check -q --count f members"), "4000\n");
    let none = remote.run("check -q --absent f members");
    assert_eq!((none.status.code(), none.stdout.len()), (Some(1), 0));
    // What others answer of the dump: the same, false positives included.
    let output = remote.run("check -q f others");
    let there = String::from_utf8(output.stdout).unwrap();
    // One in a hundred of 20,000.
    let false_positives = there.lines().count();
    assert!(
        (50..=350).contains(&false_positives),
        "{scheme}: {false_positives}"
    );
    let dumped = stderr(&remote.run("dump f -o file"));
    assert!(dumped.contains("open file with --as"), "{dumped}");
    let read = match dumped.split_once("--bits ") {
        Some((_, sizes)) => format!("{read} --bits {}", sizes.trim()),
        None => read.to_owned(),
    };
    let here = folder.run(&format!("check -q {read} file others"));
    assert_eq!(String::from_utf8(here.stdout).unwrap(), there, "{scheme}");
    assert_eq!(folder.count(&format!("-q {read} file members")), 4_000);
    // And back under another name.
    if scheme != "redisson" {
        let bits = read.replace(" --hashes 14", "");
        let back = format!("restore file g {bits}");
        remote.good(&back);
        assert_eq!(remote.good("check -q --count g members"), "4000\n");
        remote.good("delete g");
    }
    // Of more keys, which it is not sized for; then again.
    remote.good(&format!("add -q f {}", "others"));
    remote.good("rebuild f --capacity 30000 others members");
    assert_eq!(remote.good("check -q --count f members others"), "24000\n");
    assert!(remote.facts("f")["expires_in"].is_null());
    let out = remote.run("delete f");
    assert_eq!(out.status.code(), Some(0));
    remote.rejects("check f members", &["no filter \"f\""]);
    remote.rejects("delete f", &["no filter \"f\""]);
}

#[test]
fn filters_of_each_scheme_are_made_filled_asked_and_copied() {
    let Some(server) = Server::with_bloom().or_else(Server::start) else {
        return;
    };
    let remote = Remote::new("remote-round", server.port);
    remote.folder.write("members", lines(0..4_000));
    remote.folder.write("others", lines(4_000..24_000));
    round(&remote, "native", "");
    round(&remote, "go-zero", "--as go-zero");
    round(&remote, "redisson", "--as redisson");
    if server.has_bloom {
        round(&remote, "bf", "--as redisbloom");
    } else {
        eprintln!("SKIPPED: no RedisBloom here: run scripts/install --all");
    }
}

#[test]
fn info_says_when_to_rebuild() {
    let Some(server) = Server::start() else {
        return;
    };
    let remote = Remote::new("remote-info", server.port);
    remote.folder.write("members", lines(0..4_000));
    remote.good("create f --capacity 1000 --scheme go-zero");
    let facts = remote.facts("f");
    assert_eq!(facts["scheme"], "go-zero");
    assert_eq!(facts["hashes"], 14);
    assert!(facts["note"].is_null(), "{facts}");
    remote.good("add f members");
    let facts = remote.facts("f");
    assert!(facts["note"].as_str().unwrap().contains("rebuild"));
    assert!(facts["fill_ratio"].as_f64().unwrap() > 0.5);
    // With 14 probes at 1 % a filter at its capacity is 72 % full.
    remote.good("rebuild f --capacity 10000 members");
    assert!(remote.facts("f")["note"].is_null());
    let table = remote.good("info f");
    assert!(table.contains("estimated_keys  "), "{table}");
}

#[test]
fn a_lost_filter_and_a_server_that_does_not_answer_are_errors() {
    let Some(mut server) = Server::start() else {
        return;
    };
    let remote = Remote::new("remote-lost", server.port);
    remote.folder.write("members", lines(0..100));
    remote.good("create f --capacity 1000");
    remote.good("add f members");
    // Its settings are left: a string that is missing answers 0 to every bit.
    server.cli("DEL f");
    for args in ["check f members", "add f members", "info f", "dump f -o x"] {
        remote.rejects(args, &["\"f\" is lost"]);
    }
    assert_eq!(remote.folder.names(), ["members"]);
    remote.good("delete f");
    server.cli("SET other string");
    remote.rejects("check other members", &["made by another program"]);
    server.kill();
    remote.rejects("check --timeout 1 f members", &["efused"]);
    // A port that speaks something else, and one that says nothing.
    let http = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = http.local_addr().unwrap().port();
    thread::spawn(move || {
        for client in http.incoming().flatten() {
            let mut client = client;
            let _ = client.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let ask = "check --timeout 1 f members --url redis://127.0.0.1";
    remote.rejects(&format!("{ask}:{port}"), &["bouquet:"]);
    let port = silent.local_addr().unwrap().port();
    remote.rejects(&format!("{ask}:{port}"), &["bouquet:"]);
    for url in ["redis://", "127.0.0.1:6379", "http://127.0.0.1/", "x"] {
        let args = format!("info f --url {url}");
        remote.rejects(&args, &["the URL of the server cannot be used"]);
    }
    let without = remote.with("info f", &[("BOUQUET_REDIS_URL", "")]);
    rejected(&without, "info f", &["--url redis://HOST:PORT"]);
}

#[test]
fn passwords_come_from_the_environment_or_a_file_and_are_not_printed() {
    let Some(server) = Server::with_password("hunter2") else {
        return;
    };
    let remote = Remote::new("remote-password", server.port);
    let url = |password: &str| format!("redis://:{password}@127.0.0.1:{}", server.port);
    remote.folder.write("right", "hunter2\n");
    remote.folder.write("wrong", "hunter3");
    remote.folder.write("two", "hunter2\nhunter3\n");
    let create = "create --capacity 1000";
    remote.rejects(&format!("{create} a"), &["NOAUTH"]);
    remote.good(&format!("{create} b --password-file right"));
    let variable = [("BOUQUET_REDIS_PASSWORD", "hunter2")];
    let output = remote.with(&format!("{create} c"), &variable);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let right = url("hunter2");
    let output = remote.with(&format!("{create} d"), &[("BOUQUET_REDIS_URL", &right)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let wrong = url("hunter3");
    let rejections = [
        remote.run(&format!("{create} e --password-file wrong")),
        remote.run(&format!("{create} e --password-file two")),
        remote.run(&format!("{create} e --password-file none")),
        remote.run(&format!("{create} e --url {right}")),
        remote.run(&format!("{create} e --url {right}/x")),
        remote.run(&format!("{create} e --url {right} --no-such-flag")),
        remote.with(&format!("{create} e"), &[("BOUQUET_REDIS_URL", &wrong)]),
        remote.with(
            &format!("{create} e"),
            &[("BOUQUET_REDIS_PASSWORD", "hunter3")],
        ),
    ];
    for (i, output) in rejections.iter().enumerate() {
        let text = stderr(output);
        assert_eq!(output.status.code(), Some(2), "{i}: {text}");
        assert!(!text.contains("hunter"), "{i}: {text}");
    }
    assert!(stderr(&rejections[3]).contains("--password-file"));
}
