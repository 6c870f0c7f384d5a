//! `cargo bench -p bouquet-cli`: what `bouquet build` and `bouquet dedup` take beside what
//! they cannot do without. Rounds are interleaved; pages of the file are cached.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use std::{
    fs::{self, File},
    hint,
    io::{self, BufWriter, Write},
    iter,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use bouquet_standard::{Folded, Spec, StandardBloom};

const LINES: u64 = 10_000_000;
const ROUNDS: usize = 7;
const FPR: f64 = 0.01;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines.txt");
    write_lines(&path).unwrap();
    let text = fs::read(&path).unwrap();
    let keys: Vec<&[u8]> = text.trim_ascii_end().split(|byte| *byte == b'\n').collect();

    let names = [
        "wc -l",
        "insert_batch in memory",
        "build",
        "dedup of a file",
        "dedup --capacity of a file",
        "dedup of a pipe",
        "dedup --capacity of a pipe",
    ];
    let sized = format!("dedup --capacity {LINES}");
    let wc = || run(Command::new("wc").arg("-l").arg(&path), None);
    let build = || {
        let file = folder.path().join("lines.bouquet");
        run(bouquet("build -q -o").arg(file).arg(&path), None)
    };
    let of_file = |args| {
        let lines = File::open(&path).unwrap();
        run(&mut bouquet(args), Some(lines.into()))
    };
    let of_pipe = |args| {
        let mut cat = Command::new("cat");
        let mut cat = cat.arg(&path).stdout(Stdio::piped()).spawn().unwrap();
        let pipe = cat.stdout.take().unwrap();
        run(&mut bouquet(args), Some(pipe.into()));
        cat.wait().unwrap();
    };
    let round = || {
        [
            seconds(wc),
            seconds(|| insert(&keys)),
            seconds(build),
            seconds(|| of_file("dedup")),
            seconds(|| of_file(&sized)),
            seconds(|| of_pipe("dedup")),
            seconds(|| of_pipe(&sized)),
        ]
    };
    let rounds: Vec<[f64; 7]> = iter::repeat_with(round).take(ROUNDS).collect();

    println!("{LINES} lines, {} bytes, {ROUNDS} rounds\n", text.len());
    for (at, name) in names.iter().enumerate() {
        print(name, "s", rounds.iter().map(|round| round[at]));
    }
    println!();
    let ratio = |name, of: fn(&[f64; 7]) -> f64| print(name, "", rounds.iter().map(of));
    ratio("build by wc -l and insert_batch", |r| r[2] / (r[0] + r[1]));
    ratio("dedup by --capacity, of a file", |r| r[3] / r[4]);
    ratio("dedup by --capacity, of a pipe", |r| r[5] / r[6]);
}

/// Distinct lines, in no order, as of a log of requests.
fn write_lines(path: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for line in 0..LINES {
        // An odd factor: distinct, and without an order.
        let id = line.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        writeln!(out, "/user/{id:016x}")?;
    }
    out.flush()
}

fn insert(keys: &[&[u8]]) {
    let spec = Spec::new(LINES, FPR).unwrap();
    let mut filter = StandardBloom::with_hasher(spec, Folded::default()).unwrap();
    hint::black_box(filter.insert_batch(keys));
}

fn bouquet(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    command.args(args.split_whitespace());
    command
}

fn run(command: &mut Command, input: Option<Stdio>) {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let done = command
        .stdin(input.unwrap_or(Stdio::null()))
        .status()
        .unwrap();
    assert!(done.success(), "{command:?}: {done}");
}

fn seconds(of: impl FnOnce()) -> f64 {
    let start = Instant::now();
    of();
    start.elapsed().as_secs_f64()
}

/// The median, and the least and the most.
fn print(name: &str, unit: &str, values: impl Iterator<Item = f64>) {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (least, most) = (values[0], values[values.len() - 1]);
    let median = values[values.len() / 2];
    println!("{name:36} {median:6.2} {unit:1} ({least:.2} to {most:.2})");
}
