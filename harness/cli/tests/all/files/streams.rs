//! Tests of input and output by files and pipes, also with full disks and readers that stop early.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

use crate::support::{Folder, is_rejected, lines, stderr};

#[test]
fn check_prints_the_lines_as_they_are_and_ends_like_grep() {
    let folder = Folder::new();
    folder.file("keys", b"rose\n\ntu lip\n\xff\xfe\nlast");
    folder.good("build -o f keys --fpr 1e-9");
    let check = |args: &str, input: &[u8]| {
        let output = folder.feed(&format!("check {args}"), input);
        (output.stdout, output.status.code().unwrap())
    };
    let input = b"tulip\nlast\n\n\xff\xfe\nrose";
    assert_eq!(check("f", input), (b"last\n\n\xff\xfe\nrose\n".to_vec(), 0));
    assert_eq!(check("--absent f -", input), (b"tulip\n".to_vec(), 0));
    assert_eq!(check("--count f", input), (b"4\n".to_vec(), 0));
    assert_eq!(check("-c --absent f", input), (b"1\n".to_vec(), 0));
    assert_eq!(check("f", b"none\n"), (Vec::new(), 1));
    assert_eq!(check("--absent f", b"rose\n"), (Vec::new(), 1));
    assert_eq!(check("f", b""), (Vec::new(), 1));
    assert_eq!(
        check("-0 f", b"rose\0no\0tu lip"),
        (b"rose\0tu lip\0".to_vec(), 0)
    );
    assert_eq!(
        check("--hex f", b"726f7365\nff\nFFFE\n"),
        (b"726f7365\nFFFE\n".to_vec(), 0)
    );
    let output = folder.feed("check --hex f", b"726f7365\nrose\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 2"), "{}", stderr(&output));
    let output = folder.feed("check f", b"rose\r\nlast\r\n");
    assert!(stderr(&output).contains("CR"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
    folder.rejects("check -", &["both"]);
}

/// The output of `gzip -n` for `a`, LF, `b`, LF.
const PACKED: &[u8] = &[
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0xe4, 0x4a, 0xe2, 2, 0, 0x97, 0x2a, 0x57, 0x18, 4, 0,
    0, 0,
];

/// A byte order mark and the bytes of a gzip file must not be read as keys.
#[test]
fn gzip_and_marks_are_recognised_by_a_pipe_too() {
    let folder = Folder::new();
    folder.file("lines", "a\nb\n");
    folder.good("build --capacity 2 -o plain lines");
    let output = folder.feed("build --capacity 2 -o f", PACKED);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(folder.bytes("f"), folder.bytes("plain"));
    assert_eq!(folder.feed("dedup", PACKED).stdout, b"a\nb\n");
    for (text, mark) in [
        (&b"\xef\xbb\xbfa\n"[..], "byte-order mark"),
        (b"\xff\xfea\0\n\0", "UTF-16"),
    ] {
        for command in ["build --capacity 2 -o g", "dedup"] {
            let output = folder.feed(command, text);
            assert_eq!(output.status.code(), Some(2), "{command}");
            assert!(output.stdout.is_empty(), "{command}");
            let error = stderr(&output);
            assert!(
                error.contains("in standard input") && error.contains(mark),
                "{error}"
            );
        }
    }
    assert_eq!(folder.names(), ["f", "lines", "plain"]);
}

#[test]
fn keys_come_from_several_files_and_from_pipes() {
    let folder = Folder::new();
    folder.file("a", "one\ntwo");
    folder.file("b", "three\n");
    folder.file("empty", "");
    folder.file("all", "one\ntwo\nthree\n");
    folder.good("build -o many a empty b");
    folder.good("build -o one all");
    assert_eq!(folder.bytes("many"), folder.bytes("one"));
    let build = |args: &str| folder.feed(&format!("build {args}"), "one\ntwo\nthree\n");
    assert_eq!(build("--capacity 3 -o f").status.code(), Some(0));
    assert_eq!(folder.bytes("f"), folder.bytes("one"));
    assert_eq!(build("--capacity 3 -o f -").status.code(), Some(0));
    let written = build("--capacity 3 -o -");
    assert_eq!(written.stdout, folder.bytes("one"));
    let output = folder.feed("inspect --format csv -", &written.stdout);
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("native,standard")
    );
    let output = build("-o g");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("--capacity"),
        "{}",
        stderr(&output)
    );
    for grows in ["--filter scalable", "--to redisbloom"] {
        assert_eq!(build(&format!("{grows} -o f")).status.code(), Some(0));
        assert_eq!(folder.count("f all"), 3);
    }
    folder.rejects("build -o g empty", &["no keys"]);
    folder.rejects("build -o g nowhere", &["nowhere"]);
    folder.rejects("build -o g .", &["is a directory"]);
    folder.rejects("build -o a a", &["overwritten"]);
    assert!(!folder.names().contains(&"g".to_owned()));
}

/// `build` does not warn of a high FPR unless there are more keys than the capacity.
#[test]
fn as_many_keys_as_it_is_for_are_no_reason_to_warn() {
    let folder = Folder::new();
    for count in [1, 3, 300] {
        folder.file("keys", lines(0..count));
        for flags in [
            "",
            "--filter blocked",
            "--to go",
            "--to redisbloom",
            "--to go-zero",
        ] {
            let output = folder.run(&format!("build {flags} -o f keys"));
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(0), "{flags}: {said}");
            assert!(!said.contains("warning"), "{flags} {count}: {said}");
        }
    }
    folder.file("keys", lines(0..3_000));
    for (flags, words) in [
        ("--capacity 1000", "--capacity 3000"),
        (
            "--bits 1024 --hashes 2",
            "give --capacity 3000 instead of --bits",
        ),
        ("--to go --capacity 100", "--capacity 3000"),
    ] {
        let said = stderr(&folder.run(&format!("build {flags} -o f keys")));
        assert!(said.contains(words), "{flags}: {said}");
    }
    assert_eq!(
        stderr(&folder.run("build --capacity 1000 --quiet -o f keys")),
        ""
    );
    folder.rejects("build --filter cuckoo --capacity 100 -o g keys", &["full"]);
}

/// The file is a single line that is larger than the memory allowed to the process. A small gzip
/// file can expand to such a line.
#[cfg(target_os = "linux")]
#[test]
fn a_line_without_end_is_an_error_that_names_it() {
    let folder = Folder::new();
    folder.file("some", lines(0..10));
    folder.good("build -o f some");
    let mut file = fs::File::create(folder.at("keys")).unwrap();
    file.write_all(b"one\ntwo\n").unwrap();
    // A sparse file, which takes no space on the disk.
    file.set_len(1 << 30).unwrap();
    let program = env!("CARGO_BIN_EXE_bouquet");
    for args in ["build -o g keys", "check f keys", "dedup --hex < keys"] {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -v 400000; exec {program} {args}")])
            .current_dir(folder.root())
            .output()
            .unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args}: {said}");
        let name = if args.contains('<') {
            "standard input"
        } else {
            "keys"
        };
        let line = if args.contains("hex") {
            "line 1: not hex"
        } else {
            "line 3: longer than any key"
        };
        assert!(said.contains(&format!("{name}, {line}")), "{args}: {said}");
    }
}

#[test]
fn a_file_is_replaced_as_a_whole_or_stays() {
    let folder = Folder::new();
    folder.file("keys", lines(0..100));
    folder.good("build -o f keys");
    let old = folder.bytes("f");
    folder.file("bad", "00\nzz\n");
    folder.rejects("build --hex --capacity 10 -o f bad", &["bad, line 2"]);
    folder.rejects("build -o keys/f keys", &["keys/f"]);
    folder.rejects("build -o nowhere/f keys", &["nowhere/f"]);
    folder.rejects("build -o . keys", &["cannot write"]);
    assert_eq!(folder.bytes("f"), old);
    assert_eq!(folder.names(), ["bad", "f", "keys"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let mode = |name: &str| fs::metadata(folder.at(name)).unwrap().permissions();
        fs::set_permissions(folder.at("f"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("f", folder.at("link")).unwrap();
        folder.good("build --fpr 0.1 -o link keys");
        assert_eq!(mode("f").mode() & 0o777, 0o640);
        assert!(folder.at("link").is_symlink());
        assert_ne!(folder.bytes("f"), old);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new();
    folder.file("keys", lines(0..20_000));
    folder.good("build -o f keys");
    for format in ["native", "go", "go-json", "guava", "parquet", "redisbloom"] {
        let build = format!("build --quiet --to {format} -o /dev/full keys");
        folder.rejects(&build, &["/dev/full", "no space"]);
    }
    folder.rejects("union -o /dev/full f", &["no space"]);
    for command in ["check f keys", "inspect f"] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = folder.command(command).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(stderr(&output).contains("no space"), "{}", stderr(&output));
    }
    // A device is written to, and not replaced by a file.
    folder.good("build -o /dev/null keys");
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    folder.file("keys", lines(0..300_000));
    folder.good("build -o f keys");
    for command in ["check f keys", "dedup"] {
        let keys = fs::File::open(folder.at("keys")).unwrap();
        let mut child = folder.command(command).stdin(keys).spawn().unwrap();
        let mut first = [0; 10];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}");
        let said = stderr(&output);
        assert!(!said.contains("pipe"), "{said}");
    }
}

#[test]
fn dedup_keeps_the_first_of_each_line() {
    let folder = Folder::new();
    let input: String = (0..100_000u64)
        .map(|i| format!("{}\n", i * i % 70_001))
        .collect();
    let mut seen = std::collections::HashSet::new();
    let want: String = input
        .lines()
        .filter(|line| seen.insert(*line))
        .fold(String::new(), |all, line| all + line + "\n");
    let output = folder.feed("dedup --fpr 1e-9 --capacity 100", &input);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout == want.as_bytes());
    let said = stderr(&output);
    let dropped = 100_000 - want.lines().count();
    let words = format!(
        "{},{:03} of 100,000 lines removed",
        dropped / 1_000,
        dropped % 1_000
    );
    assert!(said.contains(&words), "{said}");
    let output = folder.feed("dedup -0 --quiet", b"a\nb\0c\0a\nb\0");
    assert_eq!(output.stdout, b"a\nb\0c\0");
    assert_eq!(stderr(&output), "");
    assert_eq!(folder.feed("dedup", b"").status.code(), Some(0));
    // With a 64-bit hash, such a low FPR is impossible.
    let many: String = (0..5_000).map(|line| format!("{line}\n")).collect();
    let output = folder.feed("dedup --fpr 1e-15 --capacity 1000", &many);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("use --hasher xxh3-wide"), "{said}");
}

/// `dedup` prints a new line before the next one arrives, as a crawler needs it.
#[test]
fn lines_go_on_as_they_come() {
    let folder = Folder::new();
    folder.file("keys", "old\n");
    folder.good("build -o f keys");
    for command in ["dedup", "check --absent f"] {
        let mut child = folder
            .command(command)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        for line in ["one\n", "two\n", "three\n"] {
            stdin.write_all(line.as_bytes()).unwrap();
            let mut got = String::new();
            stdout.read_line(&mut got).unwrap();
            assert_eq!(got, line, "{command}");
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// If the output replaced the file on standard input, the keys would be lost.
#[cfg(unix)]
#[test]
fn the_keys_of_standard_input_are_not_overwritten() {
    let folder = Folder::new();
    folder.file("keys", lines(0..10));
    std::os::unix::fs::symlink("keys", folder.at("link")).unwrap();
    let keys = || fs::File::open(folder.at("keys")).unwrap();
    for words in ["-o keys", "-o keys -", "-o ./link keys2 -"] {
        folder.file("keys2", lines(0..10));
        let mut build = folder.command(&format!("build --filter scalable {words}"));
        let output = build.stdin(keys()).output().unwrap();
        is_rejected(&output, words, &["would be overwritten"]);
    }
    assert_eq!(folder.read("keys"), lines(0..10));
    let mut build = folder.command("build --filter scalable -o f -");
    assert!(build.stdin(keys()).output().unwrap().status.success());
    folder.good("check f keys");
}
