//! In every format, the program holds only one copy of a filter in memory, plus buffers.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Stdio},
};

use crate::support::{Folder, lines};

/// The number of bits of the large filters: 32 MiB.
const BITS: u64 = 1 << 28;

/// The number of bits of the small filter: 128 KiB. If a pipe could buffer all of it, the program
/// could end before its memory is measured.
const SMALL: u64 = 1 << 20;

/// The memory that the program may take with a large filter, beyond the filter's size and the
/// memory that it takes with a small one: for buffers and partly used pages.
const BESIDE: u64 = BITS / 8 / 4;

/// The flags to build a filter of `BITS` bits, and to read it.
const KINDS: [(&str, &str); 9] = [
    ("--to native --bits {m} --hashes 3", ""),
    ("--to native --filter blocked --bits {m}", ""),
    ("--to go --bits {m} --hashes 3", ""),
    ("--to go-json --bits {m} --hashes 3", ""),
    ("--to guava --bits {m} --hashes 3", ""),
    ("--to parquet --bits {m}", ""),
    ("--to redisbloom --filter standard --capacity {n}", ""),
    ("--to go-zero --bits {m}", "--as go-zero --bits {m}"),
    (
        "--to redisson --bits {m} --hashes 3",
        "--as redisson --bits {m} --hashes 3",
    ),
];

/// The peak memory of a process in bytes.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib << 10
}

fn sized(flags: &str, bits: u64) -> String {
    // A filter for `bits / 10` keys at 1 % has nearly `bits` bits, since it needs 9.585 per key.
    let flags = flags.replace("{n}", &(bits / 10).to_string());
    flags.replace("{m}", &bits.to_string())
}

/// The peak memory of `build`, measured when the first bytes of its output have been read.
fn building(folder: &Folder, flags: &str) -> u64 {
    let build = format!("build --quiet {flags} -o - keys");
    let mut child = folder.command(&build).spawn().unwrap();
    let stdout = child.stdout.as_mut().unwrap();
    stdout.read_exact(&mut [0; 16]).unwrap();
    let found = peak(&child);
    child.kill().unwrap();
    child.wait().unwrap();
    found
}

/// The peak memory of `check`, measured when it has answered for the first key.
fn asking(folder: &Folder, read: &str) -> u64 {
    let check = format!("check --quiet {read} f");
    let mut child = folder
        .command(&check)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"key 0\n").unwrap();
    let mut answer = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut answer).unwrap();
    assert_eq!(answer, "key 0\n");
    let found = peak(&child);
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    found
}

#[test]
fn a_filter_is_in_memory_once() {
    let folder = Folder::new();
    // So many keys that every memory page of the filter is written to.
    folder.file("keys", lines(0..100_000));
    let peaks = |flags: &str, read: &str, bits: u64| {
        let (flags, read) = (sized(flags, bits), sized(read, bits));
        folder.good(&format!("build --quiet {flags} -o f keys"));
        [building(&folder, &flags), asking(&folder, &read)]
    };
    let [build, lookups] = peaks(KINDS[0].0, "", SMALL);
    for (flags, read) in KINDS {
        let [built, asked] = peaks(flags, read, BITS);
        let most = BITS / 8 + BESIDE;
        for (what, taken) in [("building", built - build), ("asking", asked - lookups)] {
            assert!(taken <= most, "{what}, {flags}: {} KiB", taken >> 10);
            // A much lower peak would mean that the filter was not yet in memory.
            assert!(taken > most / 4, "{what}, {flags}: {} KiB", taken >> 10);
        }
    }
}
