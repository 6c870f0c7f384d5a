//! Tests of keys in unusual lines, and of readers that close the program's output early.

use std::fs;

use crate::support::{Folder, stderr};

/// The flags, the input, and the keys that it contains, no two of which are equal.
type Input = (&'static str, Vec<u8>, Vec<Vec<u8>>);

fn inputs() -> Vec<Input> {
    let long = [vec![b'x'; 1 << 20], vec![b'y'; (1 << 20) + 1]];
    let many: Vec<Vec<u8>> = (0..100_000)
        .map(|i| format!("key {i}").into_bytes())
        .collect();
    let longs = vec![
        b"a".to_vec(),
        long[0].clone(),
        b"b".to_vec(),
        long[1].clone(),
    ];
    vec![
        ("", Vec::new(), Vec::new()),
        ("", b"one".to_vec(), vec![b"one".to_vec()]),
        ("", b"\n".to_vec(), vec![Vec::new()]),
        ("", long[0].clone(), vec![long[0].clone()]),
        ("", longs.join(&b'\n'), longs.clone()),
        ("-0", longs.join(&0), longs),
        (
            "-0",
            b"a\nb\0c\n\0\0".to_vec(),
            vec![b"a\nb".to_vec(), b"c\n".to_vec(), Vec::new()],
        ),
        ("", many.join(&b'\n'), many.clone()),
        ("-0", many.join(&0), many),
    ]
}

#[test]
fn lines_are_the_same_from_a_file_and_from_a_pipe() {
    let folder = Folder::new();
    for (flags, input, want) in inputs() {
        let end = if flags.is_empty() { b'\n' } else { 0 };
        let mut all: Vec<u8> = want.join(&end);
        if !want.is_empty() {
            all.push(end);
        }
        folder.file("input", &input);
        let from_file = |args: &str| {
            let input = fs::File::open(folder.at("input")).unwrap();
            folder.command(args).stdin(input).output().unwrap()
        };
        let build = format!("build {flags} --quiet --filter scalable --capacity 100 --fpr 1e-9 -o");
        folder.good(&format!("{build} file input"));
        assert!(
            folder
                .feed(&format!("{build} pipe"), &input)
                .status
                .success()
        );
        let dedup = "dedup --fpr 1e-9 --capacity 3";
        for command in [dedup, "check file", "check pipe"] {
            let line = format!("{command} {flags}");
            for output in [from_file(&line), folder.feed(&line, &input)] {
                let said = stderr(&output);
                assert!(
                    output.stdout == all,
                    "{line}: {} bytes: {said}",
                    input.len()
                );
            }
        }
        let count = folder.count(&format!("{flags} file input"));
        assert_eq!(count, want.len() as u64);
    }
}
