//! Keys in and lines out: files, pipes, full disks, readers that go away.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

use crate::files::common::{Folder, lines, stderr};

#[test]
fn check_prints_the_lines_as_they_are_and_ends_like_grep() {
    let folder = Folder::new("grep");
    folder.write("keys", b"rose\n\ntu lip\n\xff\xfe\nlast");
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

/// What `gzip -n` makes of `a`, LF, `b`, LF.
const PACKED: &[u8] = &[
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0xe4, 0x4a, 0xe2, 2, 0, 0x97, 0x2a, 0x57, 0x18, 4, 0,
    0, 0,
];

/// Not as keys that nobody gave.
#[test]
fn gzip_and_marks_are_recognised_by_a_pipe_too() {
    let folder = Folder::new("packed");
    folder.write("lines", "a\nb\n");
    folder.good("build --capacity 2 -o plain lines");
    let output = folder.feed("build --capacity 2 -o f", PACKED);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(folder.read("f"), folder.read("plain"));
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
    let folder = Folder::new("sources");
    folder.write("a", "one\ntwo");
    folder.write("b", "three\n");
    folder.write("empty", "");
    folder.write("all", "one\ntwo\nthree\n");
    folder.good("build -o many a empty b");
    folder.good("build -o one all");
    assert_eq!(folder.read("many"), folder.read("one"));
    let build = |args: &str| folder.feed(&format!("build {args}"), "one\ntwo\nthree\n");
    assert_eq!(build("--capacity 3 -o f").status.code(), Some(0));
    assert_eq!(folder.read("f"), folder.read("one"));
    assert_eq!(build("--capacity 3 -o f -").status.code(), Some(0));
    let written = build("--capacity 3 -o -");
    assert_eq!(written.stdout, folder.read("one"));
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
    folder.rejects("build -o g .", &["it is a folder"]);
    folder.rejects("build -o a a", &["overwritten"]);
    assert!(!folder.names().contains(&"g".to_owned()));
}

#[test]
fn more_keys_than_its_capacity_are_reported() {
    let folder = Folder::new("over");
    folder.write("keys", lines(0..3_000));
    let output = folder.run("build --capacity 1000 -o f keys");
    assert!(
        stderr(&output).contains("--capacity 3000"),
        "{}",
        stderr(&output)
    );
    let output = folder.run("build --capacity 1000 --quiet -o f keys");
    assert_eq!(stderr(&output), "");
    folder.rejects("build --filter cuckoo --capacity 100 -o g keys", &["full"]);
}

/// An FPR above the target is no news as long as there are no more keys.
#[test]
fn as_many_keys_as_it_is_for_are_no_reason_to_warn() {
    let folder = Folder::new("full-disk");
    for count in [1, 2, 3, 10, 50, 300] {
        folder.write("keys", lines(0..count));
        for flags in [
            "",
            "--filter blocked",
            "--filter scalable",
            "--to go",
            "--to guava",
            "--to redisbloom",
            "--to redisbloom --filter standard",
            "--to redisson",
            "--to go-zero",
        ] {
            for size in ["--fpr 0.01", "--fpr 0.3"] {
                let size = if flags.contains("go-zero") { "" } else { size };
                let output = folder.run(&format!("build {flags} {size} -o f keys"));
                let said = stderr(&output);
                assert_eq!(output.status.code(), Some(0), "{flags} {size}: {said}");
                assert!(!said.contains("warning"), "{flags} {size} {count}: {said}");
            }
        }
    }
    folder.write("keys", lines(0..3_000));
    let output = folder.run("build --bits 1024 --hashes 2 -o f keys");
    assert!(
        stderr(&output).contains("give --capacity 3000 instead of --bits"),
        "{}",
        stderr(&output)
    );
    let output = folder.run("build --to go --capacity 100 -o f keys");
    assert!(stderr(&output).contains("--capacity 3000"));
}

/// A file of one line, larger than the memory that the process may have; few bytes of gzip
/// can be as many.
#[cfg(target_os = "linux")]
#[test]
fn a_line_without_end_is_an_error_that_names_it() {
    let folder = Folder::new("endless");
    folder.write("some", lines(0..10));
    folder.good("build -o f some");
    let mut file = fs::File::create(folder.0.join("keys")).unwrap();
    file.write_all(b"one\ntwo\n").unwrap();
    // A hole: it takes no room on the disk.
    file.set_len(1 << 30).unwrap();
    let program = env!("CARGO_BIN_EXE_bouquet");
    for args in [
        "build --capacity 10 -o g keys",
        "build -o g keys",
        "check f keys",
        "dedup < keys",
        "dedup --hex < keys",
    ] {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -v 400000; exec {program} {args}")])
            .current_dir(&folder.0)
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
    let folder = Folder::new("atomic");
    folder.write("keys", lines(0..100));
    folder.good("build -o f keys");
    let old = folder.read("f");
    folder.write("bad", "00\nzz\n");
    folder.rejects("build --hex --capacity 10 -o f bad", &["bad, line 2"]);
    folder.rejects("build -o keys/f keys", &["keys/f"]);
    folder.rejects("build -o nowhere/f keys", &["nowhere/f"]);
    folder.rejects("build -o . keys", &["cannot write"]);
    assert_eq!(folder.read("f"), old);
    assert_eq!(folder.names(), ["bad", "f", "keys"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let mode = |name: &str| fs::metadata(folder.0.join(name)).unwrap().permissions();
        fs::set_permissions(folder.0.join("f"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("f", folder.0.join("link")).unwrap();
        folder.good("build --fpr 0.1 -o link keys");
        assert_eq!(mode("f").mode() & 0o777, 0o640);
        assert!(folder.0.join("link").is_symlink());
        assert_ne!(folder.read("f"), old);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("full");
    folder.write("keys", lines(0..20_000));
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
    // A device is written into and not replaced.
    folder.good("build -o /dev/null keys");
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new("gone");
    folder.write("keys", lines(0..300_000));
    folder.good("build -o f keys");
    for command in ["check f keys", "dedup"] {
        let keys = fs::File::open(folder.0.join("keys")).unwrap();
        let mut child = folder.command(command).stdin(keys).spawn().unwrap();
        let mut first = [0; 10];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}");
        let said = stderr(&output);
        assert!(!said.contains("pipe"), "{said}");
        // All lines were different.
        if command == "dedup" {
            assert!(said.contains("was closed before the end"), "{said}");
            assert!(said.contains(" till then 0 of "), "{said}");
        }
    }
}

#[test]
fn dedup_keeps_the_first_of_each_line() {
    let folder = Folder::new("dedup");
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
        "{},{:03} of 100,000 lines dropped",
        dropped / 1_000,
        dropped % 1_000
    );
    assert!(said.contains(&words), "{said}");
    // So loose that some new ones are dropped: about as many as it says.
    let distinct: String = (0..50_000).map(|i| format!("line {i}\n")).collect();
    let output = folder.feed("dedup --fpr 0.1 --capacity 50000", &distinct);
    let missing = 50_000 - output.stdout.iter().filter(|byte| **byte == b'\n').count();
    let said = stderr(&output);
    let expected = said
        .split("about ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    let expected: f64 = expected.parse().unwrap();
    assert!(
        missing > 50 && (expected / missing as f64 - 1.0).abs() < 0.5,
        "{missing}: {said}"
    );
    let output = folder.feed("dedup -0 --quiet", b"a\nb\0c\0a\nb\0");
    assert_eq!(output.stdout, b"a\nb\0c\0");
    assert_eq!(stderr(&output), "");
    assert_eq!(folder.feed("dedup", b"").status.code(), Some(0));
    // As far as a hash of 64 bits goes.
    let many: String = (0..5_000).map(|line| format!("{line}\n")).collect();
    let output = folder.feed("dedup --fpr 1e-15 --capacity 1000", &many);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("give --hasher xxh3-wide"), "{said}");
}

/// The crawler's case: what is new goes on before the next line comes.
#[test]
fn lines_go_on_as_they_come() {
    let folder = Folder::new("live");
    folder.write("keys", "old\n");
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

/// They would be gone once they were read.
#[cfg(unix)]
#[test]
fn the_keys_of_standard_input_are_not_overwritten() {
    let folder = Folder::new("read-and-written");
    folder.write("keys", lines(0..10));
    std::os::unix::fs::symlink("keys", folder.0.join("link")).unwrap();
    let keys = || fs::File::open(folder.0.join("keys")).unwrap();
    for words in ["-o keys", "-o keys -", "-o ./link keys2 -"] {
        folder.write("keys2", lines(0..10));
        let mut build = folder.command(&format!("build --filter scalable {words}"));
        let output = build.stdin(keys()).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains("would be overwritten"), "{words}: {said}");
    }
    assert_eq!(
        fs::read_to_string(folder.0.join("keys")).unwrap(),
        lines(0..10)
    );
    let mut build = folder.command("build --filter scalable -o f -");
    assert!(build.stdin(keys()).output().unwrap().status.success());
    folder.good("check f keys");
}

/// What begins as no filter does is not read on: it may have no end.
#[cfg(unix)]
#[test]
fn what_comes_without_an_end_is_looked_at_first() {
    let folder = Folder::new("endless-stream");
    folder.write("keys", lines(0..50));
    for command in ["inspect -", "check - keys"] {
        for device in ["/dev/zero", "/dev/urandom"] {
            let mut child = folder.command(command);
            let output = child
                .stdin(fs::File::open(device).unwrap())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(2), "{command} < {device}");
            assert!(stderr(&output).contains("not a filter file"));
        }
    }
}
