//! Runs a target in a plain loop, where libFuzzer is not available: on randomly changed seeds of
//! its corpus. The loop has no coverage feedback, so it finds less. With `--all`, runs each input
//! of the corpus and of another folder once, to measure their coverage.
//!
//!     cargo run --example plain -- TARGET SECONDS ARTIFACTS [SEED]
//!     cargo run --example plain -- TARGET --all FOLDER

use std::{
    env,
    error::Error,
    fs, io, panic,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use bouquet_fuzz::{FILES, TEXTS, target};
use bouquet_testkit::Rng;

/// The largest length of an input in bytes.
const LONGEST: usize = 4096;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, how, folder, rest @ ..] = &arguments[..] else {
        return Err("give a target, how many seconds it runs and a folder".into());
    };
    let run = target(&[FILES, TEXTS].concat(), name).ok_or("no target has this name")?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let seeds = inputs(&own)?;
    let folder = Path::new(folder);
    if how == "--all" {
        let found = match folder.is_dir() {
            true => inputs(folder)?,
            false => Vec::new(),
        };
        seeds.iter().chain(&found).for_each(|input| run(input));
        return Ok(ExitCode::SUCCESS);
    }
    let time = Duration::from_secs(how.parse()?);
    let seed = rest.first().map_or(Ok(0), |seed| seed.parse())?;
    fuzz((name, run), &seeds, time, seed, folder)
}

/// Runs a target on changed seeds; saves the first input that fails in the folder.
fn fuzz(
    (name, run): (&str, fn(&[u8])),
    seeds: &[Vec<u8>],
    time: Duration,
    seed: u64,
    folder: &Path,
) -> Result<ExitCode, Box<dyn Error>> {
    let (mut rng, started, mut tried) = (Rng::new(seed), Instant::now(), 0_u64);
    while started.elapsed() < time {
        let input = match seeds.get(tried as usize) {
            Some(seed) => seed.clone(),
            None => changed(seeds, &mut rng),
        };
        if panic::catch_unwind(|| run(&input)).is_err() {
            fs::create_dir_all(folder)?;
            let file = folder.join(format!("plain-{seed}-{tried}"));
            fs::write(&file, &input)?;
            eprintln!("{name} failed by the input in {}", file.display());
            return Ok(ExitCode::FAILURE);
        }
        tried += 1;
    }
    let speed = tried / time.as_secs().max(1);
    println!("{name:22} {tried:10} executions {speed:7} per second, as a plain loop");
    Ok(ExitCode::SUCCESS)
}

/// The files of a folder, sorted by name.
fn inputs(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// A random seed with one to eight changes.
fn changed(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let pick = |rng: &mut Rng| seeds[rng.below(seeds.len() as u64) as usize].clone();
    let mut bytes = pick(rng);
    for _ in 0..=rng.below(8) {
        let at = rng.below(bytes.len() as u64 + 1) as usize;
        let end = (at + rng.below(16) as usize).min(bytes.len());
        match rng.below(8) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, rng.bytes(16))),
            2 => bytes.truncate(at.max(1)),
            3 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            4 => {
                let other = pick(rng);
                let from = rng.below(other.len() as u64 + 1) as usize;
                bytes.splice(at.., other[from..].iter().copied());
            }
            // Overwrites 64 bits by a boundary value.
            5 if at + 8 <= bytes.len() => {
                let number = [0, 1, u64::MAX, 1 << 32, 1 << 63, 255][rng.below(6) as usize];
                bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
            }
            6 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            _ if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            _ => {}
        }
    }
    bytes.truncate(LONGEST);
    bytes
}
