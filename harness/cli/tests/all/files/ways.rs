//! Keys by every way in: files and pipes, of odd lines, to readers that stop early.

use std::fs;

use crate::support::{Folder, stderr};

/// The flags, what is fed, and its lines, which are all different.
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
        for more in ["", "--capacity 3", "--capacity 1e6"] {
            let dedup = format!("dedup {flags} --fpr 1e-9 {more}");
            for output in [from_file(&dedup), folder.feed(&dedup, &input)] {
                assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
                assert!(output.stdout == all, "{dedup}: {} bytes", input.len());
            }
        }
        let build = format!("build {flags} --quiet --filter scalable --capacity 100 --fpr 1e-9 -o");
        folder.good(&format!("{build} file input"));
        assert!(
            folder
                .feed(&format!("{build} pipe"), &input)
                .status
                .success()
        );
        for file in ["file", "pipe"] {
            for output in [
                folder.feed(&format!("check {flags} {file}"), &input),
                from_file(&format!("check {flags} {file}")),
                folder.run(&format!("check {flags} {file} input")),
            ] {
                assert_eq!(output.status.success(), !want.is_empty());
                assert!(
                    output.stdout == all,
                    "{file} {flags}: {} bytes",
                    input.len()
                );
            }
            let count = folder.count(&format!("{flags} {file} input"));
            assert_eq!(count, want.len() as u64);
        }
    }
}
